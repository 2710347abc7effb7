/* compare_sides.h - two captures with a comparison of them, for tests. */
#ifndef RL_TEST_COMPARE_SIDES_H
#define RL_TEST_COMPARE_SIDES_H

#include "analysis/compare.h"
#include "core/mem.h"
#include "sample.h"

struct sides {
    struct rl_capture *capture[2];
    struct rl_analysis *analysis[2];
    struct rl_comparison *comparison;
};

static inline struct sides new_sides(void)
{
    struct sides sides = {{sample_new(SAMPLE_CHIP, SAMPLE_CC), sample_new(SAMPLE_CHIP, SAMPLE_CC)}, {NULL, NULL}, NULL};
    for (size_t i = 0; i < 2; i++)
        sides.capture[i]->gpus[0].uuid = rl_capture_text(sides.capture[i], "GPU-1");
    return sides;
}

static inline enum rl_status compare_with(struct sides *sides, const struct rl_compare_options *options, struct rl_err *err)
{
    for (size_t i = 0; i < 2; i++)
        sides->analysis[i] = rl_analysis_new(sides->capture[i]);
    return rl_comparison_new(sides->analysis[0], sides->analysis[1], options, &sides->comparison, err);
}

static inline const struct rl_comparison *compare(struct sides *sides)
{
    const struct rl_compare_options options = {.base_name = "a", .new_name = "b"};
    assert_int_equal(compare_with(sides, &options, NULL), RL_OK);
    return sides->comparison;
}

static inline void free_sides(struct sides *sides)
{
    rl_comparison_free(sides->comparison);
    for (size_t i = 0; i < 2; i++) {
        rl_analysis_free(sides->analysis[i]);
        rl_capture_free(sides->capture[i]);
    }
}

/* 31 times within 0.1 % of `ns`. */
static inline struct rl_kernel *add(struct sides *sides, size_t side, const char *name, uint32_t grid, const char *nvtx,
                                    uint64_t ns)
{
    struct rl_capture *capture = sides->capture[side];
    const size_t index = sample_kernel(capture, name);
    uint64_t times[31];
    for (size_t i = 0; i < 31; i++)
        times[i] = ns + (i * 7 % 31) * ns / 31000;
    sample_times(capture, index, times, 31);
    capture->kernels[index].grid[0] = grid;
    capture->kernels[index].nvtx = rl_capture_text(capture, nvtx);
    return &capture->kernels[index];
}

/* Pair of base item `base`; fails when there is none. */
static inline const struct rl_pair *pair_of(const struct rl_comparison *comparison, size_t base)
{
    for (size_t i = 0; i < comparison->pair_count; i++)
        if (comparison->pairs[i].base == base)
            return &comparison->pairs[i];
    fail_msg("no pair of item %zu", base);
    return NULL;
}

static inline void assert_pair(const struct rl_comparison *comparison, size_t base, size_t new, enum rl_match match)
{
    assert_int_equal(pair_of(comparison, base)->new, new);
    assert_int_equal(pair_of(comparison, base)->match, match);
}

static inline void flop(struct sides *sides, size_t side, size_t kernel, double value)
{
    sample_set(sides->capture[side], kernel, "flop_total", rl_value_of(value));
}

static inline void metric(struct sides *sides, enum rl_metric id, double base, double new)
{
    sample_set(sides->capture[0], 0, rl_metrics[id].id, rl_value_of(base));
    sample_set(sides->capture[1], 0, rl_metrics[id].id, rl_value_of(new));
}

#endif
