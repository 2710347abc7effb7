/* cover_program.c - the first page of an observed program: what it is, where its time went, and what limits it (see cover.h).
 * Everything is of one GPU. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "analysis/actions.h"
#include "core/mem.h"
#include "cover.h"
#include "roofline_entries.h"
#include "time_lanes.h"

bool rl_cover_is_of_program(const struct rl_report *report, size_t gpu)
{
    const struct rl_kernel_blocks *blocks = rl_kernel_blocks_of(report, gpu);
    return rl_is_program(report->capture) && blocks->classes > 1 && blocks->total_ns > 0;
}

bool rl_cover_is_of_benchmark(const struct rl_report *report)
{
    return report->capture->benchmark_count && !report->capture->kernel_count;
}

/* ---- the charts ---- */

#define BAR_HEIGHT 60.0 /* of a chart with one bar */

/* Parts of one bar, with their names: "idle 323 ms". */
struct parts {
    double *seconds;
    const char **names;
    enum rl_tone *tones;
    size_t count;
    double total_s;
};

static struct parts parts_new(struct rl_report *report, size_t most)
{
    struct rl_arena *arena = report->doc->arena;
    return (struct parts){.seconds = rl_arena_alloc(arena, most * sizeof(double)),
                          .names = rl_arena_alloc(arena, most * sizeof(const char *)),
                          .tones = rl_arena_alloc(arena, most * sizeof(enum rl_tone))};
}

static void add_part(struct parts *parts, const char *name, enum rl_tone tone, double seconds)
{
    parts->names[parts->count] = name;
    parts->tones[parts->count] = tone;
    parts->seconds[parts->count++] = seconds;
    parts->total_s += seconds;
}

static void plan_bar(struct rl_report *report, struct rl_section *section, const char *label, const struct parts *parts)
{
    struct rl_chart_bar *bar = rl_arena_alloc(report->doc->arena, sizeof *bar);
    *bar = (struct rl_chart_bar){.label = label,
                                 .value = parts->total_s,
                                 .low = NAN,
                                 .high = NAN,
                                 .note = rl_words_seconds(report->doc, parts->total_s),
                                 .parts = parts->seconds};
    struct rl_chart *chart = rl_document_chart(report->doc, section, RL_CHART_BARS);
    chart->height = BAR_HEIGHT;
    chart->bars = (struct rl_chart_bars){.unit = RL_UNIT_SECOND,
                                         .bars = bar,
                                         .bar_count = 1,
                                         .values_aside = true,
                                         .label_share = 0.15,
                                         .part_count = parts->count,
                                         .part_names = parts->names,
                                         .part_tones = parts->tones};
}

static const char *part_name(struct rl_report *report, const char *what, double seconds, double total_s)
{
    return rl_words(report->doc, "%s %s (%s)", what, rl_words_seconds(report->doc, seconds),
                    rl_words_value(report->doc, RL_UNIT_FRACTION, rl_value_of(seconds / total_s), 3));
}

/* From the first to the last activity: kernels, copies, nothing. */
static bool plan_run(struct rl_report *report, struct rl_section *section, size_t gpu)
{
    assert(gpu < report->capture->gpu_count);
    struct parts parts = parts_new(report, 3);
    struct rl_run_time time;
    if (!rl_run_time_of(&report->analysis->gpus[gpu].program, &time))
        return false;
    const double total_s = time.kernel_s + time.copy_s + time.idle_s;
    const struct {
        const char *name;
        enum rl_tone tone;
        double seconds;
    } rows[] = {{"kernels", RL_TONE_KERNELS, time.kernel_s},
                {"copies", RL_TONE_COPYING, time.copy_s},
                {"idle", RL_TONE_NEUTRAL, time.idle_s}};
    for (size_t i = 0; i < RL_COUNT(rows); i++)
        if (rows[i].seconds > 0)
            add_part(&parts, part_name(report, rows[i].name, rows[i].seconds, total_s), rows[i].tone, rows[i].seconds);
    plan_bar(report, section, "the GPU", &parts);
    return true;
}

static bool plan_limiters(struct rl_report *report, struct rl_section *section, size_t gpu)
{
    const struct rl_time_by_bound time = rl_time_by_bound_of(report->analysis, report->families, gpu);
    struct parts parts = parts_new(report, RL_BOUND_COUNT);
    bool done[RL_BOUND_COUNT] = {false};
    if (time.total_s <= 0)
        return false;
    for (int i = 0; i < RL_BOUND_COUNT; i++) {
        int most = RL_BOUND_COUNT;
        for (int b = 0; b < RL_BOUND_COUNT; b++)
            if (!done[b] && time.of_s[b] > 0 && (most == RL_BOUND_COUNT || time.of_s[b] > time.of_s[most]))
                most = b;
        if (most == RL_BOUND_COUNT)
            break;
        done[most] = true;
        add_part(&parts, part_name(report, rl_cover_limiter_name((enum rl_bound)most), time.of_s[most], time.total_s),
                 rl_cover_limiter_tone((enum rl_bound)most), time.of_s[most]);
    }
    plan_bar(report, section, "kernels", &parts);
    return true;
}

/* The same over time, where that is known. */
static bool plan_strip(struct rl_report *report, struct rl_section *section, size_t gpu)
{
    const struct rl_over_time *over = rl_timeline_of_gpu(report, gpu);
    if (over)
        rl_time_strip_plan(report, section, over);
    return over;
}

void rl_cover_program_plan(struct rl_report *report, struct rl_section *section, size_t gpu)
{
    if (!plan_strip(report, section, gpu))
        plan_run(report, section, gpu);
    plan_limiters(report, section, gpu);
}

/* ---- the head ---- */

static const char *command_of(const struct rl_report *report)
{
    const char *command = report->capture->processes[0].command;
    return command ? command : "";
}

/* "transformer.py" of "python3 gpu/transformer.py --steps 10": the last part of the first word that is neither an interpreter nor
 * an option; where that is not told the interpreter, without which nothing is. */
const char *rl_cover_program_name(struct rl_report *report)
{
    enum { LONGEST = 48 };
    const char *first = NULL, *command = command_of(report);
    for (const char *word = command; *word;) {
        size_t length = strcspn(word, " ");
        const char *name = word;
        for (const char *p = word; p < word + length; p++)
            name = *p == '/' && p + 1 < word + length ? p + 1 : name;
        const size_t own = length - (size_t)(name - word);
        const char *shown = rl_words_short(report->doc, rl_words(report->doc, "%.*s", (int)own, name), LONGEST);
        first = first ? first : shown;
        if (rl_capture_is_untold(word))
            return first;
        if (own > 0 && *word != '-' && !rl_capture_is_interpreter(name, own))
            return shown;
        word += length + strspn(word + length, " ");
    }
    return first ? first : "program";
}

static void draw_title(struct rl_report *report, size_t gpu)
{
    assert(gpu < report->capture->gpu_count);
    const struct rl_capture *capture = report->capture;
    const struct rl_program_gpu *time = &report->analysis->gpus[gpu].program;
    struct rl_para name = RL_PARA_INIT, line = RL_PARA_INIT;
    rl_para_add(report->doc->layout, &name, RL_STYLE_DISPLAY, rl_cover_program_name(report));
    name.max_lines = 2;
    rl_layout_para(report->doc->layout, &name);
    rl_para_addf(report->doc->layout, &line, RL_STYLE_CODE, "%s", rl_words_short(report->doc, command_of(report), 200));
    line.max_lines = 2;
    rl_layout_para(report->doc->layout, &line);
    rl_para_release(&line);
    rl_layout_textf(report->doc->layout, RL_STYLE_QUIET, "%s%s · %s%s", rl_words_card(capture, gpu),
                    capture->gpu_count > 1
                        ? rl_words(report->doc, ", GPU %d of a session with %zu", capture->gpus[gpu].index, capture->gpu_count)
                        : "",
                    rl_words_date(report->doc, &capture->session),
                    time->span_s > 0 ? rl_words(report->doc, " · %s from the first to the last activity on the GPU",
                                                rl_words_seconds(report->doc, time->span_s))
                                     : "");
    rl_para_release(&name);
}

/* ---- key figures ---- */

/* Of the kernels on a GPU. */
struct totals {
    const struct rl_kernel_blocks *blocks;
    struct rl_program_gpu time;
    struct rl_class_time all;
    double placed_s, roof_s; /* time of the classes with a place under the roofs, and what they would take at their roofs */
    double counted_s;        /* time of the classes with counters */
    double sampled_s;        /* time of the kernels of which a shape has counters */
    double estimated_s;      /* time of the classes without counters of which samples of the whole GPU tell something */
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
    assert(gpu < report->capture->gpu_count);
    struct totals totals = {.blocks = rl_kernel_blocks_of(report, gpu), .time = report->analysis->gpus[gpu].program};
    for (size_t i = 0; i < totals.blocks->count; i++) {
        const struct rl_family *row = totals.blocks->family[i];
        const struct rl_coverage coverage = rl_coverage_of(row->classes, row->shapes);
        rl_class_time_add(&totals.all, &row->time);
        totals.counted_s += coverage.covered_s;
        totals.counted += coverage.counted;
        totals.sampled_s += coverage.counted ? row->gpu_s : 0;
        totals.estimated_s += coverage.sampled_s;
        place(report, row, &totals);
    }
    return totals;
}

/* ", 94.4 % timed": of the launches, when that is not all. */
static const char *time_text(struct rl_report *report, const struct rl_class_time *time)
{
    return time->timed < time->launches
               ? rl_words(report->doc, ", %s timed", rl_cover_share_text(report, (double)time->timed, (double)time->launches))
               : "";
}

/* "; 98.9 % with all shapes": of kernels of which some were counted. */
static const char *sampled_text(struct rl_report *report, const struct totals *totals)
{
    return totals->sampled_s > totals->counted_s * (1 + 1e-9)
               ? rl_words(report->doc, "; %s with all shapes",
                          rl_cover_share_text(report, totals->sampled_s, totals->all.ns * 1e-9))
               : "";
}

/* Whether counters were taken in the timed run: that part of it is in no time. */
static bool has_windows(const struct rl_report *report)
{
    for (size_t i = 0; i < report->capture->process_count; i++)
        if (report->capture->processes[i].untimed > 0)
            return true;
    return false;
}

/* "half of the time in 3", of families "514 classes; half of the time in 2". */
static const char *half_text(struct rl_report *report, const struct rl_kernel_blocks *blocks)
{
    double *ns = rl_arena_alloc(report->doc->arena, (blocks->count + 1) * sizeof *ns);
    for (size_t i = 0; i < blocks->count; i++)
        ns[i] = blocks->family[i]->time.ns;
    return rl_words(report->doc, "%shalf of the time in %zu",
                    blocks->count < blocks->classes ? rl_words(report->doc, "%zu classes; ", blocks->classes) : "",
                    rl_half_of(ns, blocks->count));
}

/* What the kernels would take at their roofs. */
static struct rl_cover_figure roof_figure(struct rl_report *report, const struct totals *totals, double total_s)
{
    const char *placed = totals->placed_s < 0.995 * total_s ? rl_words(report->doc, " of the %s with a known roof share",
                                                                       rl_cover_share_text(report, totals->placed_s, total_s))
                                                            : " of their time";
    return (struct rl_cover_figure){
        "kernels at their roofs", rl_words_seconds(report->doc, totals->roof_s),
        rl_words(report->doc, "%s%s", rl_cover_share_text(report, totals->roof_s, totals->placed_s), placed)};
}

/* Where no launch was counted, samples of the whole GPU stand for counters. */
static struct rl_cover_figure evidence_figure(struct rl_report *report, const struct totals *totals, double total_s)
{
    if (!totals->counted && totals->estimated_s > 0)
        return (struct rl_cover_figure){"samples cover", rl_cover_share_text(report, totals->estimated_s, total_s), "as estimates"};
    return (struct rl_cover_figure){"counters cover", rl_cover_share_text(report, totals->counted_s, total_s),
                                    totals->counted
                                        ? rl_words(report->doc, "of the time, by %s launches%s",
                                                   rl_words_number(report->doc, totals->counted), sampled_text(report, totals))
                                        : "no launch was counted"};
}

static size_t figures_of(struct rl_report *report, size_t gpu, struct rl_cover_figure *figures)
{
    const struct totals totals = totals_of(report, gpu);
    const double total_s = totals.blocks->total_ns * 1e-9;
    size_t count = 0;
    figures[count++] = (struct rl_cover_figure){
        "time in kernels",
        rl_words(report->doc, "%s%s", rl_time_state_sign(totals.all.state), rl_words_seconds(report->doc, total_s)),
        rl_words(report->doc, "%s launches%s", rl_words_number(report->doc, totals.all.launches), time_text(report, &totals.all))};
    if (rl_present(totals.time.idle))
        figures[count++] =
            (struct rl_cover_figure){"GPU idle", rl_words_value(report->doc, RL_UNIT_FRACTION, totals.time.idle, 3),
                                     rl_words(report->doc, "of %s%s", rl_words_seconds(report->doc, totals.time.span_s),
                                              has_windows(report) ? " without counter passes" : "")};
    if (totals.placed_s > 0)
        figures[count++] = roof_figure(report, &totals, total_s);
    figures[count++] =
        (struct rl_cover_figure){totals.blocks->count < totals.blocks->classes ? "kernels" : "kernel classes",
                                 rl_words(report->doc, "%zu", totals.blocks->count), half_text(report, totals.blocks)};
    figures[count++] = evidence_figure(report, &totals, total_s);
    assert(count <= RL_COVER_FIGURES);
    return count;
}

/* ---- the answer ---- */

/* The limiter with the most time that matters and is not told yet; RL_BOUND_UNKNOWN: there is none. */
static enum rl_bound next_limiter(const struct rl_time_by_bound *time, const bool told[RL_BOUND_COUNT])
{
    enum rl_bound most = RL_BOUND_UNKNOWN;
    for (int b = RL_BOUND_UNKNOWN + 1; b < RL_BOUND_COUNT; b++)
        if (!told[b] && time->of_s[b] >= RL_LEAST_SHARE * time->total_s &&
            (most == RL_BOUND_UNKNOWN || time->of_s[b] > time->of_s[most]))
            most = (enum rl_bound)b;
    return most;
}

/* "64.4 % is limited by too little parallelism and 7.5 % by launch overhead; what limits 28.1 % is not known". */
static const char *limits_text(struct rl_report *report, const struct rl_time_by_bound *time)
{
    enum { MOST = 2 };
    bool told[RL_BOUND_COUNT] = {false};
    const char *text = "";
    enum rl_bound next;
    for (int count = 0; count < MOST && (next = next_limiter(time, told)) != RL_BOUND_UNKNOWN; count++) {
        told[next] = true;
        text = rl_words(report->doc, "%s%s%s %sby %s", text, count ? " and " : "",
                        rl_cover_share_text(report, time->of_s[next], time->total_s), count ? "" : "is limited ",
                        rl_bound_phrase(next));
    }
    const double unknown = time->of_s[RL_BOUND_UNKNOWN];
    return unknown < RL_LEAST_SHARE * time->total_s
               ? text
               : rl_words(report->doc, "%s%swhat limits %s is not known", text, *text ? "; " : "",
                          rl_cover_share_text(report, unknown, time->total_s));
}

/* ", most of it while the host did other work before the next launch": of times in which no copy ran either. */
static const char *why_idle(struct rl_report *report, size_t gpu)
{
    static const double much = 0.02; /* of the time: less is not worth the words */
    const struct rl_over_time *over = rl_timeline_of_gpu(report, gpu);
    enum rl_lane most = RL_LANE_IDLE_WAIT;
    double all_s = 0;
    for (unsigned lane = RL_LANE_IDLE_WAIT; over && lane < RL_LANE_UNWATCHED; lane++) {
        all_s += over->lane_s[lane];
        most = over->lane_s[lane] > over->lane_s[most] ? (enum rl_lane)lane : most;
    }
    if (!over || over->lane_s[most] < much * over->whole_s || over->lane_s[most] < all_s / 2)
        return "";
    return rl_words(report->doc, ", most of it %s", rl_gap_cause_of(most)->phrase);
}

static const char *answer(struct rl_report *report, size_t gpu)
{
    const struct totals totals = totals_of(report, gpu);
    const struct rl_time_by_bound time = rl_time_by_bound_of(report->analysis, report->families, gpu);
    const char *idle = rl_present(totals.time.idle)
                           ? rl_words(report->doc, "The GPU was idle for %s of %s%s. ",
                                      rl_words_value(report->doc, RL_UNIT_FRACTION, totals.time.idle, 3),
                                      rl_words_seconds(report->doc, totals.time.span_s), why_idle(report, gpu))
                           : "";
    return rl_words(report->doc, "%sOf the %s%s in kernels, %s.", idle, rl_time_state_sign(totals.all.state),
                    rl_words_seconds(report->doc, totals.blocks->total_ns * 1e-9), limits_text(report, &time));
}

/* ---- the page ---- */

static bool is_strip(const struct rl_report *report, const struct rl_section *section, size_t index)
{
    return report->doc->charts[section->first_chart + index].kind == RL_CHART_LANES;
}

static bool has_strip(const struct rl_report *report, const struct rl_section *section)
{
    for (size_t i = 0; i < section->chart_count; i++)
        if (is_strip(report, section, i))
            return true;
    return false;
}

static const char *caption(struct rl_report *report, const struct rl_section *section)
{
    static const char kernels[] = "the kernels' time by what limits them.";
    return section->chart_count < 2 ? rl_words_sentence(report->doc, kernels)
                                    : rl_words(report->doc, "Above: from the first to the last activity on the GPU%s. Below: %s",
                                               has_strip(report, section) ? ", over time"
                                               : has_windows(report)      ? ", without counter passes"
                                                                          : "",
                                               kernels);
}

static const char *chart_words(const struct rl_report *report, const struct rl_section *section, size_t index)
{
    return is_strip(report, section, index)   ? "what the GPU did over time: kernels, copies, nothing"
           : index + 1 < section->chart_count ? "how the GPU spent the run: kernels, copies, idle"
                                              : "time in kernels by what limits it";
}

static void draw_time(struct rl_report *report, const struct rl_section *section)
{
    struct rl_box *box = rl_flow_begin(report->doc->layout);
    rl_box_text(box, RL_STYLE_SUBSECTION, "Where the time went");
    for (size_t i = 0; i < section->chart_count; i++)
        rl_box_drawing(box, &rl_document_result(report->doc, section, i)->drawing, chart_words(report, section, i));
    rl_box_caption(box, caption(report, section),
                   has_strip(report, section)
                       ? "Height: how much of each step of time it was. Why nothing ran: see The program over time."
                       : "Sums over the run: the capture records how long each launch took but not when, so there is no timeline.");
    rl_flow_together(box);
}

void rl_cover_program_draw(struct rl_report *report, const struct rl_section *section, size_t gpu)
{
    struct rl_layout *layout = report->doc->layout;
    struct rl_cover_figure figures[RL_COVER_FIGURES];
    draw_title(report, gpu);
    rl_layout_skip(layout, 8);
    rl_layout_text(layout, RL_STYLE_LEAD, answer(report, gpu));
    rl_layout_skip(layout, 8);
    rl_cover_figures_draw(report, figures, figures_of(report, gpu, figures));
    rl_layout_skip(layout, 8);
    if (section->chart_count > 0)
        draw_time(report, section);
    rl_layout_skip(layout, 8);
    rl_cover_actions_draw(report, gpu);
    rl_cover_kernels_draw(report, gpu);
    rl_cover_health_draw(report, gpu);
    if (!report->doc->is_short)
        rl_cover_contents_draw(report);
}
