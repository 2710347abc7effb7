/* parts.h - runs the same work on a range of items by several threads, each with a contiguous part. */
#ifndef RL_CORE_PARTS_H
#define RL_CORE_PARTS_H

#include <stddef.h>

enum { RL_MOST_PARTS = 8 };

/* How many processors this process may use, 1 to 256. */
size_t rl_processors(void);

/* Into how many parts `count` things are best divided, of which fewer than `least` are not worth a thread: 1 to RL_MOST_PARTS, no
 * more than there are processors. */
size_t rl_parts_of(size_t count, size_t least);

/* Works on the things from `first` to before `end`, which are part number `part`. */
typedef void (*rl_part_function)(void *context, size_t part, size_t first, size_t end);
/* Divides `count` things into `parts` stretches that follow one another, as equal as can be, calls `work` once for each, and
 * returns when all are done. The calling thread takes the first one, and those for which no thread could be had. */
void rl_parts_run(size_t parts, size_t count, rl_part_function work, void *context);
/* Calls both functions: at the same time where `count` things, of which fewer than `least` are not worth a thread, are best
 * divided. */
void rl_parts_both(size_t count, size_t least, void (*one)(void *context), void (*other)(void *context), void *context);

#endif
