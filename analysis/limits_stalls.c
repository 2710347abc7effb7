/* limits_stalls.c - samples of instructions in the place of counted stalls (see limits.h). */
#include <assert.h>
#include <inttypes.h>

#include "analysis/pc.h"
#include "limits_decide.h"

/* ---- of each kernel ---- */

/* An rl_pc_take. */
static void note(const struct rl_pc_profile *profile, const size_t *kernels, void *context)
{
    struct rl_analysis *analysis = context;
    const struct rl_pc_count *all = &profile->all, *line = profile->line_count ? &profile->lines[0].count : NULL;
    const enum rl_stall_reason top = rl_pc_top(all);
    const struct rl_pc_share share = rl_pc_share_of(analysis->capture, profile->sampling, top < RL_STALL_COUNT ? all->by[top] : 0,
                                                    all->samples),
                             there = rl_pc_share_of(analysis->capture, profile->sampling, line ? line->samples : 0, all->samples);
    const struct rl_sampled_stall stall = {.reason = top,
                                           .share = share.share,
                                           .low = share.low,
                                           .high = share.high,
                                           .samples = all->samples,
                                           .classes = profile->classes,
                                           .line = line ? profile->lines[0].at : RL_NONE,
                                           .line_share = there.share,
                                           .line_low = there.low,
                                           .line_high = there.high};

    for (size_t i = 0; i < profile->classes; i++)
        analysis->kernels[kernels[i]].limits.sampled_stall = stall;
}

void rl_stalls_sampled(struct rl_analysis *analysis)
{
    for (size_t i = 0; i < analysis->capture->kernel_count; i++)
        analysis->kernels[i].limits.sampled_stall = (struct rl_sampled_stall){.reason = RL_STALL_COUNT, .line = RL_NONE};
    rl_pc_each(analysis->capture, note, analysis);
}

/* ---- what it says ---- */

bool rl_sampled_stall_tells(const struct rl_sampled_stall *stall)
{
    return stall->samples && stall->reason < RL_STALL_COUNT && stall->low >= RL_TELLING_STALL;
}

bool rl_sampled_stall_known(const struct rl_sampled_stall *stall)
{
    return stall->samples && (stall->reason == RL_STALL_COUNT || stall->low >= RL_TELLING_STALL || stall->high < RL_TELLING_STALL);
}

/* "50.3 % to 61.2 %" */
static void add_interval(struct rl_buf *text, const struct rl_sampled_stall *stall)
{
    rl_unit_format(text, RL_UNIT_FRACTION, stall->low, 3);
    rl_buf_adds(text, " to ");
    rl_unit_format(text, RL_UNIT_FRACTION, stall->high, 3);
}

void rl_sampled_stall_say(struct rl_buf *text, const struct rl_sampled_stall *stall)
{
    assert(stall->reason < RL_STALL_COUNT);
    rl_unit_format(text, RL_UNIT_FRACTION, stall->share, 3);
    rl_buf_addf(text, " of the samples of its warps are of one stall reason: %s (", rl_stalls[stall->reason].label);
    add_interval(text, stall);
    rl_buf_adds(text, ")");
    if (stall->classes > 1)
        rl_buf_addf(text, ", in all %zu classes of this name together", stall->classes);
}

void rl_sampled_stall_say_unknown(struct rl_buf *text, const char *before, const struct rl_sampled_stall *stall)
{
    if (!stall->samples) {
        rl_buf_addf(text, "%sstall reasons not collected", before);
        return;
    }
    if (rl_sampled_stall_known(stall))
        return;
    rl_buf_addf(text, "%stoo few samples of its warps: %s is ", before, rl_stalls[stall->reason].label);
    rl_unit_format(text, RL_UNIT_FRACTION, stall->share, 3);
    rl_buf_addf(text, " of %" PRIu64 " (", stall->samples);
    add_interval(text, stall);
    rl_buf_adds(text, "), and a reason tells from ");
    rl_unit_format(text, RL_UNIT_FRACTION, RL_TELLING_STALL, 2);
    rl_buf_adds(text, " on");
}
