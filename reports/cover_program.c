/* cover_program.c - result and key figures of an observed program (see cover.h). Everything is of one GPU. */
#include <inttypes.h>

#include "cover.h"
#include "roofline_points.h"

/* Of the kernels on a GPU. */
struct totals {
    const struct rl_kernel_blocks *blocks;
    struct rl_program_gpu time;
    struct rl_class_time all;
    double placed_s, roof_s; /* time of the classes with a place under the roofs, and what they would take at their roofs */
    double counted_s;        /* time of the classes with counters */
    double sampled_s;        /* time of the kernels of which a shape has counters */
    uint64_t counted;        /* launches that were counted */
};

/* Of a family as a whole: its counted shapes stand for it. */
static void place(const struct rl_report *report, const struct rl_family *row, struct totals *totals)
{
    const struct rl_kernel_result *result = &report->analysis->kernels[row->kernel];
    const struct rl_value share = row->figures ? row->figures->roof_share : result->roof_share;
    const bool placed =
        row->figures ? !row->figures->above_roof && !row->figures->types_matter : !result->above_roof && !result->types_matter;
    if (rl_present(share) && placed) {
        totals->placed_s += row->gpu_s;
        totals->roof_s += row->gpu_s * share.v;
    }
}

static struct totals totals_of(const struct rl_report *report, size_t gpu)
{
    struct totals totals = {.blocks = rl_kernel_blocks_of(report, gpu), .time = report->analysis->gpus[gpu].program};
    for (size_t i = 0; i < totals.blocks->count; i++) {
        const struct rl_family *row = totals.blocks->family[i];
        const struct rl_coverage coverage = rl_coverage_of(row->classes, row->shapes);
        rl_class_time_add(&totals.all, &row->time);
        totals.counted_s += coverage.covered_s;
        totals.counted += coverage.counted;
        totals.sampled_s += coverage.counted ? row->gpu_s : 0;
        place(report, row, &totals);
    }
    return totals;
}

static const char *share_text(struct rl_report *report, double part, double whole)
{
    return rl_words_value(report->doc, RL_UNIT_FRACTION, rl_value_div(rl_value_of(part), rl_value_of(whole), "no time"), 3);
}

/* ", 94.4 % timed": of the launches, when that is not all. */
static const char *time_text(struct rl_report *report, const struct rl_class_time *time)
{
    return time->timed < time->launches
               ? rl_words(report->doc, ", %s timed", share_text(report, (double)time->timed, (double)time->launches))
               : "";
}

/* "; 98.9 % with all shapes": of kernels of which some were counted. */
static const char *sampled_text(struct rl_report *report, const struct totals *totals)
{
    return totals->sampled_s > totals->counted_s * (1 + 1e-9)
               ? rl_words(report->doc, "; %s with all shapes", share_text(report, totals->sampled_s, totals->all.ns * 1e-9))
               : "";
}

/* ", latency-bound at 7.76 % of its roof", or why that is not known. */
static const char *limit_text(struct rl_report *report, const struct rl_roofline_point *spot)
{
    const bool types_matter = !spot->family && spot->kernel->types_matter;
    if (spot->above_roof)
        return ", which lies above a roof, so roofs or counters are in doubt";
    if (!rl_session_counted(&report->capture->session) && !spot->estimate)
        return rl_words(report->doc, "; %s its place under the roofs is not known",
                        rl_words_uncounted(report->doc, &report->capture->session));
    if (!rl_present(spot->roof_share) || types_matter)
        return ", whose place under the roofs is not known";
    if (spot->bound == RL_BOUND_UNKNOWN)
        return rl_words(report->doc, ", at %s%s of its nearest roof: what limits it is not known", rl_spot_sign(spot),
                        rl_words_value(report->doc, RL_UNIT_FRACTION, spot->roof_share, 3));
    return rl_words(report->doc, ", %s at %s%s of its roof", rl_bound_name(spot->bound), rl_spot_sign(spot),
                    rl_words_value(report->doc, RL_UNIT_FRACTION, spot->roof_share, 3));
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
    const struct rl_roofline_point first = rl_spot_of_family(report, totals.blocks->family[0]);
    const double total_s = totals.blocks->total_ns * 1e-9;
    const char *idle = rl_present(totals.time.idle) ? rl_words(report->doc, "%s GPU was idle for %s of %s. ",
                                                               has_windows(report) ? "Between windows of counters the" : "The",
                                                               rl_words_value(report->doc, RL_UNIT_FRACTION, totals.time.idle, 3),
                                                               rl_words_seconds(report->doc, totals.time.span_s))
                                                    : "";
    return rl_words(report->doc, "%sOf the %s%s in kernels %s went into %s%s.", idle, rl_time_state_sign(totals.all.state),
                    rl_words_seconds(report->doc, total_s), share_text(report, first.total_ns * 1e-9, total_s),
                    rl_words_short(report->doc, first.label, 60), limit_text(report, &first));
}

size_t rl_cover_program_figures(struct rl_report *report, size_t gpu, struct rl_cover_figure *figures)
{
    const struct totals totals = totals_of(report, gpu);
    const double total_s = totals.blocks->total_ns * 1e-9;
    size_t count = 0;
    figures[count++] = (struct rl_cover_figure){
        "time in kernels",
        rl_words(report->doc, "%s%s", rl_time_state_sign(totals.all.state), rl_words_seconds(report->doc, total_s)),
        rl_words(report->doc, "%" PRIu64 " launches%s", totals.all.launches, time_text(report, &totals.all))};
    if (rl_present(totals.time.idle))
        figures[count++] =
            (struct rl_cover_figure){"GPU idle", rl_words_value(report->doc, RL_UNIT_FRACTION, totals.time.idle, 3),
                                     rl_words(report->doc, "of %s%s", rl_words_seconds(report->doc, totals.time.span_s),
                                              has_windows(report) ? " without windows of counters" : "")};
    if (totals.placed_s > 0)
        figures[count++] = (struct rl_cover_figure){
            "all at their roofs", rl_words_seconds(report->doc, totals.roof_s),
            rl_words(report->doc, "%s of the kernels' time%s", share_text(report, totals.roof_s, totals.placed_s),
                     totals.placed_s < 0.995 * total_s
                         ? rl_words(report->doc, "; %s placed", share_text(report, totals.placed_s, total_s))
                         : "")};
    double *ns = rl_arena_alloc(report->doc->arena, (totals.blocks->count + 1) * sizeof *ns);
    for (size_t i = 0; i < totals.blocks->count; i++)
        ns[i] = totals.blocks->family[i]->time.ns;
    const bool folded = totals.blocks->count < totals.blocks->classes;
    figures[count++] =
        (struct rl_cover_figure){folded ? "kernels" : "kernel classes", rl_words(report->doc, "%zu", totals.blocks->count),
                                 rl_words(report->doc, "%shalf of the time in %zu",
                                          folded ? rl_words(report->doc, "%zu classes; ", totals.blocks->classes) : "",
                                          rl_half_of(ns, totals.blocks->count))};
    figures[count++] = (struct rl_cover_figure){"counters cover", share_text(report, totals.counted_s, total_s),
                                                totals.counted ? rl_words(report->doc, "of the time, by %" PRIu64 " launches%s",
                                                                          totals.counted, sampled_text(report, &totals))
                                                               : "no launch was counted"};
    return count;
}
