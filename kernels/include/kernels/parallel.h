/* parallel.h - host work on all processors that this process may use: computes the reference results.
 *
 * No thread runs between two calls, so measurements have the machine to themselves.
 */
#ifndef RL_KERNELS_PARALLEL_H
#define RL_KERNELS_PARALLEL_H

#include <stddef.h>
#include <stdint.h>

/* Threads worth using: the processors that the scheduler lets this process run on, or fewer when its control group is given less
 * time than that ($SLURM_CPUS_PER_TASK is obeyed too); at least 1, at most RL_PARALLEL_MOST. Found out once. */
size_t rl_parallel_width(void);
enum { RL_PARALLEL_MOST = 64 };

/* Whole processors in a control group's limit: the text of `cpu.max` ("QUOTA PERIOD", "max PERIOD"). At least 1; 0: no limit, or
 * not such a text. */
uint64_t rl_parallel_quota(const char *text);

/* Bytes of memory that the process's control group may have at most; 0: no limit. */
uint64_t rl_parallel_memory(void);

/* Does a piece: the elements [first, first + count), as thread `thread` of those that work (0: the caller). */
typedef void (*rl_parallel_piece)(void *context, size_t first, size_t count, size_t thread);

/* Cuts [0, count) into pieces of `grain` elements (the last one may be shorter), has each of them done exactly once by at most
 * `width` threads (0: rl_parallel_width()), the caller among them, and returns when all are done. Which thread does which piece
 * differs from run to run: what a result is put together from must not depend on it. `grain` is at least 1. A call from within a
 * piece is done by its caller alone. A piece must not fork. */
void rl_parallel_for(size_t width, size_t count, size_t grain, rl_parallel_piece piece, void *context);

#endif
