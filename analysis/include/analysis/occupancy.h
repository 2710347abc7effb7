/* occupancy.h - how many warps of a launch an SM can hold, and what limits them.
 *
 * Our own calculator from the rows of sm_limits.def (Kepler to Blackwell), so that it works without CUDA and for cards that are not
 * at hand. The allocation rules are those of the CUDA C++ Programming Guide ("Compute Capabilities") and the occupancy calculator;
 * tests compare it with the toolkit's cuda_occupancy.h on every compute capability. It assumes the largest shared-memory carve-out,
 * one barrier a block, no thread-block clusters.
 *
 * How a block is allocated: registers by the warp, `registers_per_thread` x 32 rounded up to `register_unit`; the warps are dealt
 * out to `warp_allocation_unit` partitions that have their registers each; shared memory by the block, static + dynamic + reserved,
 * rounded up to `shared_unit`.
 */
#ifndef RL_ANALYSIS_OCCUPANCY_H
#define RL_ANALYSIS_OCCUPANCY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/buf.h"
#include "core/value.h"

/* Limits of a compute capability (a row of sm_limits.def). */
struct rl_sm_limits {
    int cc; /* major x 10 + minor */
    int warp_size, max_warps, max_blocks, max_threads_per_block;
    int registers, registers_per_block, max_registers_per_thread, register_unit;
    int warp_allocation_unit; /* partitions of the SM */
    int launch_check_unit;    /* partitions that the check of a block's registers assumes */
    int64_t shared_bytes, shared_bytes_per_block, shared_unit, shared_reserved;
};

enum { /* bits of rl_occupancy.limiters */
       RL_LIMIT_WARPS = 1,
       RL_LIMIT_BLOCKS = 2,
       RL_LIMIT_REGISTERS = 4,
       RL_LIMIT_SHARED = 8,
};

struct rl_occupancy {
    struct rl_value fraction;        /* active warps over the most warps; missing with the reason: unknown card, registers unknown,
                                        "does not fit: ..." */
    bool too_large;                  /* fraction is missing because the block is beyond a limit: it cannot run */
    int blocks_per_sm, warps_per_sm; /* 0 when missing */
    unsigned limiters;               /* every resource that allows no further block; 0 when missing */
    int blocks_by_warps, blocks_by_slots, blocks_by_registers,
        blocks_by_shared; /* what each alone would allow; INT32_MAX: no limit */
};

struct rl_block_shape {
    int threads;              /* per block, at least 1 */
    int registers_per_thread; /* 0: none */
    int64_t static_shared_bytes, dynamic_shared_bytes;
};

/* Every row of sm_limits.def, ascending by compute capability. */
extern const struct rl_sm_limits rl_sm_limits[];
extern const size_t rl_sm_limits_count;

/* Limits for a compute capability (major x 10 + minor); NULL when sm_limits.def has no row for it (never a neighbour's). */
const struct rl_sm_limits *rl_sm_limits_of(int cc);
/* Occupancy of a block shape under `limits`. `limits` may be NULL: missing ("compute capability unknown"). The reasons are static.
 */
struct rl_occupancy rl_occupancy_of(const struct rl_sm_limits *limits, const struct rl_block_shape *shape);
/* "registers", "registers and shared memory": appends the limiters in words; nothing at full occupancy and when missing. */
void rl_occupancy_limiter_text(const struct rl_occupancy *occupancy, struct rl_buf *out);

#endif
