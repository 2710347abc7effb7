/* parts.h - the same work on a range of items by several threads. No thread runs between two calls. */
#pragma once

#include <stddef.h>

enum { RL_MOST_PARTS = 8 };

/* Number of processors that this process may use, 1 to 256. */
size_t rl_processors(void);

/* Number of parts for `count` items, if a thread is worth its cost from `least` items on: 1 to RL_MOST_PARTS, at most the number of
 * processors. */
size_t rl_parts_of(size_t count, size_t least);

/* Works on items `first` to `end` - 1, which are part number `part`. */
typedef void (*rl_part_function)(void *context, size_t part, size_t first, size_t end);
/* Divides `count` items into `parts` contiguous parts of nearly equal size, calls `work` once for each, and returns when all are
 * done. The calling thread does the first part, and those for which no thread could be created. */
void rl_parts_run(size_t parts, size_t count, rl_part_function work, void *context);
/* Calls both functions, concurrently if rl_parts_of(count, least) is more than 1. */
void rl_parts_both(size_t count, size_t least, void (*one)(void *context), void (*other)(void *context), void *context);

enum { RL_PARALLEL_MOST = 64 };
/* Processes the elements [first, first + count), as thread number `thread` (0: the caller). */
typedef void (*rl_parallel_piece)(void *context, size_t first, size_t count, size_t thread);
/* Divides [0, count) into pieces of `grain` (>= 1) elements (the last one may be shorter), processes each exactly once by at most
 * `width` threads, including the caller, and returns when all are done. The assignment of pieces to threads varies from run to run;
 * results must not depend on it. A nested call runs in its calling thread alone. A piece must not fork. */
void rl_parallel_for(size_t width, size_t count, size_t grain, rl_parallel_piece piece, void *context);
