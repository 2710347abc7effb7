/* sass.h - what an instruction of a GPU says, in words that tell nothing of the program: opcode, registers, numbers. */
#ifndef RL_CAPTURE_SASS_H
#define RL_CAPTURE_SASS_H

#include <stddef.h>

#include "core/buf.h"

enum { RL_SASS_MOST = 200 }; /* bytes of a text */

/* Appends the text of an instruction as a disassembler prints it, on one line with single blanks, at most RL_SASS_MOST bytes:
 * names of functions and of variables become "[symbol]", and so does everything that is no SASS. What is appended would be appended
 * again, and is "" where nothing is left. */
void rl_sass_clean(const char *text, size_t length, struct rl_buf *out);

#endif
