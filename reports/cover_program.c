/* cover_program.c - result and key figures of an observed program (see cover.h). Everything is of one GPU. */
#include <inttypes.h>

#include "analysis/program.h"
#include "cover.h"

/* Of the kernels on a GPU. */
struct totals {
    const struct rl_kernel_blocks *blocks;
    struct rl_program_gpu time;
    uint64_t launches;
    double placed_s, roof_s; /* time of the classes with a place under the roofs, and what they would take at their roofs */
    double counted_s;        /* time of the classes with counters */
    uint64_t counted;        /* launches that were counted */
};

static struct totals totals_of(const struct rl_report *report, size_t gpu)
{
    struct totals totals = {.blocks = rl_kernel_blocks_of(report, gpu), .time = report->analysis->gpus[gpu].program};
    for (size_t i = 0; i < totals.blocks->count; i++) {
        const size_t kernel = totals.blocks->at[i];
        const struct rl_kernel_result *result = &report->analysis->kernels[kernel];
        const struct rl_kernel_use *use = rl_kernel_use_of(report->capture, kernel);
        const double seconds = rl_kernel_total_ns(report, kernel) * 1e-9;
        totals.launches += report->capture->kernels[kernel].launches;
        if (use && use->counted) {
            totals.counted_s += seconds;
            totals.counted += use->counted;
        }
        if (rl_present(result->roof_share) && !result->above_roof && !result->types_matter) {
            totals.placed_s += seconds;
            totals.roof_s += seconds * result->roof_share.v;
        }
    }
    return totals;
}

static const char *share_text(struct rl_report *report, double part, double whole)
{
    return rl_words_value(report, RL_UNIT_FRACTION, rl_value_div(rl_value_of(part), rl_value_of(whole), "no time"), 3);
}

/* ", latency-bound at 7.76 % of its roof", or why that is not known. */
static const char *limit_text(struct rl_report *report, const struct rl_kernel_result *result)
{
    if (result->above_roof)
        return ", which lies above a roof, so roofs or counters are in doubt";
    if (!rl_session_counted(&report->capture->session))
        return rl_words(report, "; %s its place under the roofs is not known", rl_words_uncounted(report));
    if (!rl_present(result->roof_share) || result->types_matter)
        return ", whose place under the roofs is not known";
    return rl_words(report, ", %s at %s of its roof", rl_bound_name(result->bound),
                    rl_words_value(report, RL_UNIT_FRACTION, result->roof_share, 3));
}

/* Whether counters were taken in the timed run: that part of it is in no time. */
static bool has_windows(const struct rl_report *report)
{
    for (size_t i = 0; i < report->capture->process_count; i++)
        if (report->capture->processes[i].untimed > 0)
            return true;
    return false;
}

const char *rl_cover_program_answer(struct rl_report *report, size_t gpu)
{
    const struct totals totals = totals_of(report, gpu);
    const size_t first = totals.blocks->at[0];
    const struct rl_kernel_result *result = &report->analysis->kernels[first];
    const double total_s = totals.blocks->total_ns * 1e-9;
    const char *idle =
        rl_present(totals.time.idle)
            ? rl_words(report, "%s GPU was idle for %s of %s. ", has_windows(report) ? "Between windows of counters the" : "The",
                       rl_words_value(report, RL_UNIT_FRACTION, totals.time.idle, 3), rl_words_seconds(report, totals.time.span_s))
            : "";
    return rl_words(report, "%sOf the %s in kernels %s went into %s%s.", idle, rl_words_seconds(report, total_s),
                    share_text(report, rl_kernel_total_ns(report, first) * 1e-9, total_s),
                    rl_words_short(report, result->label, 60), limit_text(report, result));
}

size_t rl_cover_program_figures(struct rl_report *report, size_t gpu, struct rl_cover_figure *figures)
{
    const struct totals totals = totals_of(report, gpu);
    const double total_s = totals.blocks->total_ns * 1e-9;
    size_t count = 0;
    figures[count++] = (struct rl_cover_figure){"time in kernels", rl_words_seconds(report, total_s),
                                                rl_words(report, "%" PRIu64 " launches", totals.launches)};
    if (rl_present(totals.time.idle))
        figures[count++] = (struct rl_cover_figure){"GPU idle", rl_words_value(report, RL_UNIT_FRACTION, totals.time.idle, 3),
                                                    rl_words(report, "of %s%s", rl_words_seconds(report, totals.time.span_s),
                                                             has_windows(report) ? " without windows of counters" : "")};
    if (totals.placed_s > 0)
        figures[count++] = (struct rl_cover_figure){
            "all at their roofs", rl_words_seconds(report, totals.roof_s),
            rl_words(report, "%s of the kernels' time%s", share_text(report, totals.roof_s, totals.placed_s),
                     totals.placed_s < 0.995 * total_s
                         ? rl_words(report, "; %s placed", share_text(report, totals.placed_s, total_s))
                         : "")};
    double *ns = rl_arena_alloc(report->arena, (totals.blocks->count + 1) * sizeof *ns);
    for (size_t i = 0; i < totals.blocks->count; i++)
        ns[i] = rl_kernel_total_ns(report, totals.blocks->at[i]);
    figures[count++] = (struct rl_cover_figure){"kernel classes", rl_words(report, "%zu", totals.blocks->count),
                                                rl_words(report, "half of the time in %zu", rl_half_of(ns, totals.blocks->count))};
    figures[count++] = (struct rl_cover_figure){
        "counters cover", share_text(report, totals.counted_s, total_s),
        totals.counted ? rl_words(report, "of the time, by %" PRIu64 " launches", totals.counted) : "no launch was counted"};
    return count;
}
