/* source_lines.h - which source line an instruction is of, and what the line says. Private to the collector.
 *
 * CUPTI's cuptiGetSassToSourceCorrelation reads the module's table of lines, which needs no GPU. It is in every CUPTI that samples
 * instructions, knows what NVIDIA's compilers write, and needs no further library beside it. */
#ifndef RL_COLLECTOR_SOURCE_LINES_H
#define RL_COLLECTOR_SOURCE_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/arena.h"

/* Where an instruction at `offset` in the function (mangled name) is from: the path lives in the arena. False: it is not known. */
bool rl_source_find(const void *cubin, size_t size, const char *function, uint64_t offset, struct rl_arena *arena,
                    const char **path, uint32_t *line);

/* Lines of a text file. */
struct rl_source_text {
    const char *const *lines; /* line number i is at i - 1; long ones are cut */
    size_t count;
};
/* Reads a text file into the arena; no lines: it is no regular file, cannot be read, is empty, or larger than a source file is. */
struct rl_source_text rl_source_read(const char *path, struct rl_arena *arena);

#endif
