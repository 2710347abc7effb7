/* disassembly.h - what the instructions of a module are, as NVIDIA's nvdisasm prints them. Private to the collector. */
#pragma once

#include "capture/pcs.h"

enum { RL_DISASSEMBLY_MOST = 64 << 20 }; /* bytes of a module, and of what is printed */

/* nvdisasm: the first in $PATH, else that of $CUDA_HOME or /usr/local/cuda. NULL: there is none. Free with free(). */
char *rl_disassembler(void);
/* Appends what `tool` prints of the module; it is killed after `timeout_s`, and what it has printed until then is lost.
 * RL_UNSUPPORTED: the module is too large; RL_FAILED: it says no. */
enum rl_status rl_disassemble(const char *tool, const void *cubin, size_t size, double timeout_s, struct rl_buf *out,
                              struct rl_err *err);

/* An instruction in it. */
struct rl_disassembled {
    const char *function, *text; /* no terminated strings; the mangled name, and everything up to the semicolon */
    size_t function_length, text_length;
    uint64_t offset; /* in the function, bytes */
};
/* Where a walk through it is; zero begins one. */
struct rl_disassembly {
    size_t at, function, function_length;
};
/* The next instruction; false: there is none. Lines that are none are passed over, whatever they say. */
bool rl_disassembly_next(const struct rl_buf *printed, struct rl_disassembly *walk, struct rl_disassembled *next);
