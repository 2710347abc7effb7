/* fleet_model.h - a simulated fleet: what differs between healthy GPUs of one kind, and what is planted on a few.
 *
 * Everything is a function of (seed, GPU, measure): the same seed gives the same fleet. Figures are multiplied by exp(difference),
 * so 0.03 is 3 % slower. Natural spread: standard deviations of the model, chosen so that clocks (which follow each chip's power
 * and temperature) scatter most and memory and links little, as in published surveys of large machines (Sinha et al., Not All GPUs
 * Are Created Equal: Characterizing Variability in Large-Scale, Accelerator-Rich Systems, SC22). They are assumptions, not
 * measurements.
 */
#ifndef RL_TEST_FLEET_MODEL_H
#define RL_TEST_FLEET_MODEL_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/fleet.h"

enum model_fault { MODEL_HEALTHY, MODEL_SLOW_MEMORY, MODEL_LOW_CLOCK, MODEL_BAD_LINK };

struct model_gpu {
    enum model_fault fault;
    double slow[RL_PART_COUNT];
};

static const double model_spread[RL_PART_COUNT] = {
    [RL_PART_dram] = 0.0025, [RL_PART_l2] = 0.003,   [RL_PART_sm] = 0.006,
    [RL_PART_link] = 0.004,  [RL_PART_peer] = 0.003, [RL_PART_other] = 0.003};
static const double model_noise = 0.0025; /* of a single measure */

/* SplitMix64 of (seed, index). */
static inline uint64_t model_bits(uint64_t seed, uint64_t index)
{
    uint64_t z = seed + (index + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static inline double model_uniform(uint64_t seed, uint64_t index)
{
    return ((double)(model_bits(seed, index) >> 11) + 0.5) * 0x1p-53;
}

/* Standard normal, by Box and Muller. */
static inline double model_normal(uint64_t seed, uint64_t index)
{
    return sqrt(-2 * log(model_uniform(seed, 2 * index))) * cos(2 * 3.14159265358979323846 * model_uniform(seed, 2 * index + 1));
}

static inline uint64_t model_seed(uint64_t seed, uint64_t gpu)
{
    return model_bits(seed, gpu) ^ UINT64_C(0x5bd1e995);
}

/* One GPU in `every` has a fault, the three kinds in turn; `every` 0: none. The faults lie at an offset that depends on the seed.
 */
static inline enum model_fault model_fault_of(uint64_t seed, size_t gpu, size_t every)
{
    if (every == 0 || gpu % every != seed % every)
        return MODEL_HEALTHY;
    return (enum model_fault)(MODEL_SLOW_MEMORY + gpu / every % 3);
}

/* `spread`: 1: as above. What is limited by several things shares the fate of clock and memory. */
static inline struct model_gpu model_gpu_of(uint64_t seed, size_t gpu, size_t every, double spread)
{
    struct model_gpu model = {.fault = model_fault_of(seed, gpu, every)};
    for (int part = 0; part < RL_PART_COUNT; part++)
        model.slow[part] = spread * model_spread[part] * model_normal(model_seed(seed, gpu), (uint64_t)part);
    model.slow[RL_PART_dram] += model.fault == MODEL_SLOW_MEMORY ? -log(1 - 0.03) : 0;
    model.slow[RL_PART_sm] += model.fault == MODEL_LOW_CLOCK ? -log(1 - 0.05) : 0;
    model.slow[RL_PART_l2] += 0.5 * model.slow[RL_PART_sm];
    model.slow[RL_PART_link] += model.fault == MODEL_BAD_LINK ? log(2) : 0;
    model.slow[RL_PART_other] += 0.6 * model.slow[RL_PART_sm] + 0.2 * model.slow[RL_PART_dram];
    return model;
}

/* By how much measure number `measure`, which speaks of `part`, is slower: ln. */
static inline double model_slower(const struct model_gpu *model, uint64_t seed, size_t gpu, size_t measure, enum rl_fleet_part part)
{
    return model->slow[part] + model_noise * model_normal(model_seed(seed, gpu), 64 + (uint64_t)measure);
}

#endif
