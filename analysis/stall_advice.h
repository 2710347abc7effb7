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
    "Start several loads before the first is needed, load 16 bytes at a time, or keep more warps resident."
#define RL_ADVICE_short_scoreboard                                                                                                 \
    "Load wider words from shared memory, keep in registers what is loaded again, and exchange by shuffles."
#define RL_ADVICE_wait                                                                                                             \
    "Let each thread work on several values that do not depend on one another, so that an instruction does not wait for the one "  \
    "before it."
#define RL_ADVICE_barrier                                                                                                          \
    "Take smaller blocks, so that others work meanwhile, do more between barriers, or let warps wait for those only that they "    \
    "need."
#define RL_ADVICE_math_pipe_throttle                                                                                               \
    "Ask less of that pipe: fuse multiplications and additions, take packed or smaller types, or matrix units."
#define RL_ADVICE_mio_throttle RL_ADVICE_short_scoreboard
#define RL_ADVICE_lg_throttle                                                                                                      \
    "Access whole sectors, move 16 bytes with an instruction, and keep in registers what is loaded again and again."
#define RL_ADVICE_tex_throttle "Fetch more with each access to textures, or read by ordinary loads what needs no filter."
#define RL_ADVICE_no_instructions                                                                                                  \
    "The code that is run is larger than the instruction cache, or jumps far: unroll less, and do not inline what is rare."
#define RL_ADVICE_imc_miss                                                                                                         \
    "Let the threads of a warp read the same constant, and put into global memory what they read at different places."
#define RL_ADVICE_branch_resolving "Take jumps out of the innermost loop: unroll it, and choose values where it chooses paths."
#define RL_ADVICE_dispatch_stall                                                                                                   \
    "Look at the instructions there for a unit or registers that several of them need at once, and move work of another kind "     \
    "between them."
#define RL_ADVICE_drain                                                                                                            \
    "Store whole sectors, store results as they are ready and not all at the end, and combine in a block what can be combined."
#define RL_ADVICE_membar   "Combine in a block first and fence once for it, and fence for a block where the grid is not meant."
#define RL_ADVICE_sleeping "Sleep for a shorter time, or let the warp do other work until what it waits for is there."
#define RL_ADVICE_warpgroup_arrive                                                                                                 \
    "Give the warps of a group equal work before the matrix instruction, so that none of them comes late."
#define RL_ADVICE_gmma                                                                                                             \
    "Keep several matrix instructions under way, and wait for all but the last few of them (wgmma.wait_group above 0)."
#define RL_ADVICE_misc  "Look at the hottest instructions (rooflight show --source) for what they have in common."
#define RL_ADVICE_other RL_ADVICE_misc

#endif
