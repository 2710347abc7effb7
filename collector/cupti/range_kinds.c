/* range_kinds.c - what the back ends have in common about ranges (range.h). */
#include "range.h"

struct rl_range_kind rl_range_kind(enum rl_range_mode mode)
{
    static const struct rl_range_kind kinds[] = {
        [RL_RANGE_LAUNCHES] = {CUPTI_AutoRange, CUPTI_UserReplay},
        [RL_RANGE_MARKED] = {CUPTI_UserRange, CUPTI_UserReplay},
        [RL_RANGE_REPLAYED] = {CUPTI_AutoRange, CUPTI_KernelReplay},
    };
    assert(mode < (enum rl_range_mode)RL_COUNT(kinds));
    return kinds[mode];
}

enum rl_status rl_range_number(const struct rl_range_profiler *profiler, const char *name, size_t *number, struct rl_err *err)
{
    char *end = NULL;
    unsigned long long value = strtoull(name, &end, 10);
    if (end == name || *end != '\0' || value >= profiler->max_ranges)
        return rl_err_set(err, RL_FAILED, "CUPTI returned a range that was not launched");
    *number = (size_t)value;
    return RL_OK;
}
