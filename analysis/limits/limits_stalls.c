/* limits_stalls.c - samples of instructions in the place of counted stalls (see limits.h). */
#include "analysis/pc.h"
#include "limits_decide.h"

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

bool rl_sampled_stall_tells(const struct rl_sampled_stall *stall)
{
    return stall->samples && stall->reason < RL_STALL_COUNT && stall->low >= RL_TELLING_STALL;
}

bool rl_sampled_stall_known(const struct rl_sampled_stall *stall)
{
    return stall->samples && (stall->reason == RL_STALL_COUNT || stall->low >= RL_TELLING_STALL || stall->high < RL_TELLING_STALL);
}

int rl_counted_stall(const struct rl_kernel_result *result)
{
    int stall = -1;
    for (int i = 0; i < RL_METRIC_COUNT; i++) {
        if (rl_metric_is_stall((enum rl_metric)i) && rl_present(result->metric[i]) &&
            (stall < 0 || result->metric[i].v > result->metric[stall].v))
            stall = i;
    }
    return stall;
}

struct rl_value rl_sampled_stall_low(const struct rl_kernel_result *result)
{
    const struct rl_sampled_stall *stall = &result->limits.sampled_stall;
    if (rl_counted_stall(result) >= 0)
        return rl_value_missing(RL_UNDEFINED, "its stalls were counted");
    if (!stall->samples)
        return rl_value_missing(RL_NOT_COLLECTED, "its instructions were not sampled");
    return rl_value_of(stall->reason < RL_STALL_COUNT ? stall->low : 0);
}

/* "62.0 % (55.1 % to 68.4 %)" */
static void add_share(struct rl_buf *text, double share, double low, double high)
{
    rl_buf_addf(text, "%s (%s to %s)", RL_UNIT_TEXT(RL_UNIT_FRACTION, share, 3), RL_UNIT_TEXT(RL_UNIT_FRACTION, low, 3),
                RL_UNIT_TEXT(RL_UNIT_FRACTION, high, 3));
}

void rl_sampled_stall_add_share(struct rl_buf *text, const struct rl_sampled_stall *stall)
{
    add_share(text, stall->share, stall->low, stall->high);
}

void rl_sampled_stall_add_where(struct rl_buf *text, const struct rl_capture *capture, const struct rl_sampled_stall *stall)
{
    if (stall->line != RL_NONE) {
        rl_buf_adds(text, "The hottest line is ");
        /* "step.cu:31"; what was left out is not there. */
        const size_t line = stall->line;
        const struct rl_source_line *of = &capture->source_lines[line];
        const char *path = capture->source_files[of->file].path, *slash = path ? strrchr(path, '/') : NULL;
        rl_buf_addf(text, "%s:%" PRIu32, path ? slash ? slash + 1 : path : "line", of->number);
        rl_buf_adds(text, " with ");
        add_share(text, stall->line_share, stall->line_low, stall->line_high);
        rl_buf_adds(text, " of all. ");
    } else {
        rl_buf_adds(text, "Its module has no line numbers: compile with nvcc -lineinfo to get them. ");
    }
    if (stall->classes > 1)
        rl_buf_addf(text, "All %zu configurations of this name are in these samples. ", stall->classes);
}

static const char *const advice[RL_STALL_COUNT] = {
#define STALL(id, stall, label, meaning) [RL_STALL_##id] = RL_ADVICE_##id,
#include "core/stall_reasons.def"
};

const char *rl_sampled_stall_advice(const struct rl_sampled_stall *stall)
{
    assert(stall->reason < RL_STALL_COUNT && rl_stalls[stall->reason].stall);
    return advice[stall->reason];
}

void rl_sampled_stall_say(struct rl_buf *text, const struct rl_sampled_stall *stall)
{
    assert(stall->reason < RL_STALL_COUNT);
    rl_sampled_stall_add_share(text, stall);
    rl_buf_addf(text, " of its warps' samples have one stall reason: %s", rl_stalls[stall->reason].label);
    if (stall->classes > 1)
        rl_buf_addf(text, ", in all %zu configurations of this name together", stall->classes);
}

void rl_sampled_stall_say_unknown(struct rl_buf *text, const char *before, const struct rl_sampled_stall *stall)
{
    assert(stall->samples);
    if (rl_sampled_stall_known(stall))
        return;
    rl_buf_addf(text, "%stoo few samples of its warps: %s is ", before, rl_stalls[stall->reason].label);
    rl_sampled_stall_add_share(text, stall);
    rl_buf_addf(text, " of %" PRIu64 ", and a reason counts from %s on", stall->samples,
                RL_UNIT_TEXT(RL_UNIT_FRACTION, RL_TELLING_STALL, 2));
}
