/* inputs.h - the random input as a table, for references: the variants of a session share their input, so each number is worked out
 * once and not once for every variant.
 */
#ifndef RL_KERNELS_INPUTS_H
#define RL_KERNELS_INPUTS_H

#include <stdint.h>

#include "kernels/random.h"

/* values[i] is rl_random_unit(seed, i) for i < count. */
struct rl_inputs {
    uint64_t seed, count;
    const float *values;
};
extern struct rl_inputs rl_inputs;

/* Makes the table one of `seed` with at least `count` elements, working out what is missing on all processors, as long as it stays
 * below 1 GiB and an eighth of the memory that this machine and the process's control group have left; beyond that it ends earlier.
 * Not to be called while a reference is being worked out. */
void rl_inputs_have(uint64_t seed, uint64_t count);
/* Gives the memory back. */
void rl_inputs_release(void);

/* rl_random_unit(seed, index), from the table where it is there. For the host only. */
static inline float rl_input_unit(uint64_t seed, uint64_t index)
{
    return index < rl_inputs.count && seed == rl_inputs.seed ? rl_inputs.values[index] : rl_random_unit(seed, index);
}

#endif
