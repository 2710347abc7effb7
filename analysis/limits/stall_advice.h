/* stall_advice.h - what to do where warps wait: one row for each stall of core/stall_reasons.def (private to analysis/).
 *
 * RL_ADVICE_ID is one thing to do about reason ID, as an imperative; rules about counted and about sampled stalls end in it. A
 * reason without a row does not compile (limits_stalls.c). Source: Nsight Compute documentation, Profiling Guide, "Warp Stall
 * Reasons"; CUDA C++ Best Practices Guide. */
#ifndef RL_ANALYSIS_STALL_ADVICE_H
#define RL_ANALYSIS_STALL_ADVICE_H

#define RL_ADVICE_selected     NULL /* no stall */
#define RL_ADVICE_not_selected NULL /* nor is this */
#define RL_ADVICE_long_scoreboard                                                                                                  \
    "Issue several loads before the first result is needed, load 16 bytes at a time, or keep more warps resident."
#define RL_ADVICE_short_scoreboard                                                                                                 \
    "Load wider words from shared memory, keep reused values in registers, and exchange data with shuffles."
#define RL_ADVICE_wait                                                                                                             \
    "Let each thread work on several independent values, so that an instruction does not wait for the one "                        \
    "before it."
#define RL_ADVICE_barrier                                                                                                          \
    "Use smaller blocks, so that others work meanwhile, do more between barriers, or let warps wait only for those that they "     \
    "need."
#define RL_ADVICE_math_pipe_throttle                                                                                               \
    "Use that pipe less: fuse multiplications and additions, use packed or smaller types, or matrix units."
#define RL_ADVICE_mio_throttle RL_ADVICE_short_scoreboard
#define RL_ADVICE_lg_throttle  "Access whole sectors, move 16 bytes per instruction, and keep reused values in registers."
#define RL_ADVICE_tex_throttle "Fetch more with each texture access, or use ordinary loads for data that needs no filtering."
#define RL_ADVICE_no_instructions                                                                                                  \
    "The code is larger than the instruction cache, or jumps far: unroll less, and do not inline rare paths."
#define RL_ADVICE_imc_miss                                                                                                         \
    "Let the threads of a warp read the same constant, and move constants that they index differently to global memory."
#define RL_ADVICE_branch_resolving "Remove branches from the innermost loop: unroll it, and select values instead of paths."
#define RL_ADVICE_dispatch_stall                                                                                                   \
    "Look at the instructions there for a unit or registers that several of them need at once, and move work of another kind "     \
    "between them."
#define RL_ADVICE_drain                                                                                                            \
    "Store whole sectors, store results as they become ready rather than all at the end, and combine within a block where "        \
    "possible."
#define RL_ADVICE_membar                                                                                                           \
    "Combine within a block first and fence once for it, and use a block-wide fence where a grid-wide one is not needed."
#define RL_ADVICE_sleeping "Sleep for a shorter time, or let the warp do other work until what it waits for is there."
#define RL_ADVICE_warpgroup_arrive                                                                                                 \
    "Give the warps of a group equal work before the matrix instruction, so that none of them arrives late."
#define RL_ADVICE_gmma                                                                                                             \
    "Keep several matrix instructions in flight, and wait for all but the last few of them (wgmma.wait_group above 0)."
#define RL_ADVICE_misc  "Look at the hottest instructions (rooflight show --source) for what they have in common."
#define RL_ADVICE_other RL_ADVICE_misc

#endif
