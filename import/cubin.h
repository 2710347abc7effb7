/* cubin.h - modules of a GPU's instructions: sizes of functions, and source lines of instructions (private to import/). */
#ifndef RL_IMPORT_CUBIN_H
#define RL_IMPORT_CUBIN_H

#include <stdint.h>

#include "text.h"

/* Gets what is found. */
struct rl_cubin_taker {
    /* A function (mangled name), and how many bytes of instructions it has. */
    void (*function)(void *context, struct rl_text name, uint64_t size);
    /* From this offset on the function's instructions are of that line; 0: of none. A path is that of the file below `folder`, or
     * whole. False: no more lines are wanted. */
    bool (*line)(void *context, struct rl_text function, uint64_t offset, struct rl_text folder, struct rl_text file,
                 uint32_t line);
    void *context;
};

/* Reads a module, an ELF file of any bytes. What is damaged or of another form is left out. */
void rl_cubin_read(struct rl_text cubin, const struct rl_cubin_taker *taker);

#endif
