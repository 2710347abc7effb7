/* random.h - the suite's random input.
 *
 * The generator is counter-based: element i of seed s is a function of (s, i) alone. So device and host make the same gigabyte
 * independently, in any order and in parallel, and a reference needs no copy of the input.
 */
#ifndef RL_KERNELS_RANDOM_H
#define RL_KERNELS_RANDOM_H

#include <stdint.h>

#ifdef __CUDACC__
#define RL_HOST_DEVICE __host__ __device__
#else
#define RL_HOST_DEVICE
#endif

/* Output number `index` of SplitMix64 started with `seed` (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators,
 * OOPSLA 2014). */
static inline RL_HOST_DEVICE uint64_t rl_random_bits(uint64_t seed, uint64_t index)
{
    uint64_t z = seed + (index + 1) * UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* A float strictly between 0 and 1: an odd multiple of 2^-24. It is never 0, never 1/2, and 1 - x is exact and of the same kind. */
static inline RL_HOST_DEVICE float rl_random_unit(uint64_t seed, uint64_t index)
{
    const uint32_t odd = (uint32_t)(rl_random_bits(seed, index) >> 41) * 2 + 1;

    return (float)odd * 0x1p-24f;
}

#endif
