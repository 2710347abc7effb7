/* cover_program.c - the first page of an observed program: what it is, where its time went, and what limits it (see cover.h).
 * Everything is of one GPU. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "analysis/actions.h"
#include "cover.h"
#include "roofline_entries.h"
#include "time_lanes.h"
#include "view_table.h"

bool rl_cover_is_of_program(const struct rl_report *report, size_t gpu)
{
    const struct rl_kernel_blocks *blocks = rl_kernel_blocks_of(report, gpu);
    return rl_is_program(report->capture) && blocks->classes > 1 && blocks->total_ns > 0;
}

bool rl_cover_is_of_benchmark(const struct rl_report *report)
{
    return report->capture->benchmark_count && !report->capture->kernel_count;
}

bool rl_report_is_of_program(const struct rl_report *report)
{
    bool any = false;
    for (size_t gpu = 0; gpu < report->capture->gpu_count && rl_is_program(report->capture) && !rl_report_is_full(report); gpu++)
        any |= rl_cover_is_of_program(report, gpu);
    return any;
}

/* ---- the time budget ---- */

enum { MOST_PARTS = RL_LIMITER_COUNT + 8 };
#define BAR_HEIGHT  46.0
#define LEAST_NAMED 0.0005 /* of the whole */

struct part {
    const char *what;
    enum rl_tone tone;
    double seconds, whole_s;
};
/* Wall time of a GPU from its first to its last activity, as parts that add up to it; without a timeline its time in kernels. */
struct budget {
    struct part parts[MOST_PARTS];
    size_t count;
    double whole_s;
    bool is_wall;
};

static void add_part(struct budget *budget, const char *what, enum rl_tone tone, double seconds)
{
    if (seconds > 0)
        budget->parts[budget->count++] = (struct part){what, tone, seconds, 0};
}

/* Kernels by limiter, the most time first. */
static void add_kernels(struct rl_report *report, size_t gpu, double kernel_s, struct budget *budget)
{
    const struct rl_time_by_limiter time = rl_time_by_limiter_of(report->analysis, report->families, gpu);
    bool done[RL_LIMITER_COUNT] = {false};
    for (size_t n = 0; n < RL_LIMITER_COUNT; n++) {
        size_t most = RL_LIMITER_COUNT;
        for (size_t i = 0; i < RL_LIMITER_COUNT; i++)
            if (!done[i] && time.of_s[i] > 0 && (most == RL_LIMITER_COUNT || time.of_s[i] > time.of_s[most]))
                most = i;
        if (most == RL_LIMITER_COUNT)
            return;
        done[most] = true;
        add_part(budget,
                 most == RL_LIMITER_UNKNOWN ? "kernels, limiter unknown"
                                            : rl_words(report->doc, "kernels limited by %s", rl_limiter_label(most)),
                 rl_words_tone(most), kernel_s * time.of_s[most] / time.total_s);
    }
}

static struct budget budget_of(struct rl_report *report, size_t gpu)
{
    struct rl_run_time time = {0};
    struct budget budget = {.is_wall = rl_run_time_of(&report->analysis->gpus[gpu].program, &time)};
    const double total_s = rl_time_by_limiter_of(report->analysis, report->families, gpu).total_s;
    add_kernels(report, gpu, budget.is_wall ? time.kernel_s : total_s, &budget);
    if (budget.is_wall) {
        add_part(&budget, "memcpy, memset alone", RL_TONE_LINK, time.copy_s);
        /* Idle time by cause, as far as the timeline has it; the rest as it is. */
        const struct rl_over_time *over = rl_timeline_of_gpu(report, gpu);
        double known_s = 0;
        for (unsigned lane = RL_LANE_IDLE_WAIT; over && lane < RL_LANE_UNWATCHED; lane++)
            known_s += over->lane_s[lane];
        for (unsigned lane = RL_LANE_IDLE_WAIT; over && lane < RL_LANE_UNWATCHED && known_s > 0; lane++)
            add_part(&budget, rl_words(report->doc, "GPU idle: %s", rl_gap_cause_of((enum rl_lane)lane)->label), RL_TONE_IDLE,
                     time.idle_s * over->lane_s[lane] / known_s);
        if (known_s <= 0)
            add_part(&budget, "GPU idle", RL_TONE_IDLE, time.idle_s);
    }
    for (size_t i = 0; i < budget.count; i++)
        budget.whole_s += budget.parts[i].seconds;
    for (size_t i = 0; i < budget.count; i++)
        budget.parts[i].whole_s = budget.whole_s;
    return budget;
}

void rl_cover_program_plan(struct rl_report *report, struct rl_section *section, size_t gpu)
{
    const struct budget budget = budget_of(report, gpu);
    struct rl_arena *arena = report->doc->arena;
    struct rl_chart_bar *bar = rl_arena_alloc(arena, sizeof *bar);
    double *seconds = rl_arena_alloc(arena, MOST_PARTS * sizeof *seconds);
    enum rl_tone *tones = rl_arena_alloc(arena, MOST_PARTS * sizeof *tones);
    for (size_t i = 0; i < budget.count; i++) {
        seconds[i] = budget.parts[i].seconds;
        tones[i] = budget.parts[i].tone;
    }
    *bar = (struct rl_chart_bar){.label = budget.is_wall ? "wall time" : "GPU time",
                                 .value = budget.whole_s,
                                 .low = NAN,
                                 .high = NAN,
                                 .note = rl_words_seconds(report->doc, budget.whole_s),
                                 .parts = seconds};
    struct rl_chart *chart = rl_document_chart(report->doc, section, RL_CHART_BARS);
    chart->height = BAR_HEIGHT;
    chart->bars = (struct rl_chart_bars){.unit = RL_UNIT_SECOND,
                                         .bars = bar,
                                         .bar_count = 1,
                                         .values_aside = true,
                                         .label_share = 0.15,
                                         .part_count = budget.count,
                                         .part_tones = tones};
}

static struct view_cell part_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct part *part = row;
    return view_cell_number(rl_value_of(part->seconds / part->whole_s));
}

/* clang-format off */
static const struct view_field part_fields[] = {
    {.id = "part", .head = "time budget", VIEW_AT(struct part, what)},
    {.id = "time", VIEW_AT(struct part, seconds), .unit = RL_UNIT_SECOND, .digits = 3},
    {.id = "share", .type = VIEW_TYPE_NUMBER, .get = part_cell, .unit = RL_UNIT_FRACTION, .digits = 3, .bar = true},
};
/* clang-format on */

static void dress_part(void *to, const struct view_field *field, const void *row, struct rl_grid_cell *cell)
{
    (void)to;
    if (field->bar && row)
        cell->share_colour = rl_tones[((const struct part *)row)->tone].mark;
}

/* ---- the head ---- */

static const char *command_of(const struct rl_report *report)
{
    const char *command = report->capture->processes[0].command;
    return command ? command : "";
}

/* "transformer.py" of "python3 gpu/transformer.py --steps 10": the last part of the first word that is neither an interpreter nor
 * an option; the interpreter where the capture leaves the rest out. */
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

/* ", 3.17 s of counter collection excluded": on the GPU's timeline. */
static const char *collection_text(struct rl_report *report, size_t gpu)
{
    const struct rl_over_time *over = rl_timeline_of_gpu(report, gpu);
    const double seconds = over ? over->lane_s[RL_LANE_UNWATCHED] : 0;
    return seconds > 0 ? rl_words(report->doc, ", %s of counter collection excluded", rl_words_seconds(report->doc, seconds)) : "";
}

/* ---- the answer ---- */

/* "92.5 % of the ~2.59 s in kernels is limited by parallelism, 7.53 % is limited by launch overhead." */
static const char *limits_text(struct rl_report *report, size_t gpu)
{
    enum { MOST = 3 };
    const struct rl_time_by_limiter time = rl_time_by_limiter_of(report->analysis, report->families, gpu);
    struct rl_class_time all = {0};
    for (size_t i = 0; i < report->families->count; i++)
        if (report->capture->kernels[report->families->at[i].kernel].gpu == gpu)
            rl_class_time_add(&all, &report->families->at[i].time);
    bool told[RL_LIMITER_COUNT] = {false};
    const char *text = "";
    for (size_t n = 0; n < MOST; n++) {
        size_t most = RL_LIMITER_COUNT;
        for (size_t i = 0; i < RL_LIMITER_COUNT; i++)
            if (!told[i] && time.of_s[i] >= RL_LEAST_SHARE * time.total_s &&
                (most == RL_LIMITER_COUNT || time.of_s[i] > time.of_s[most]))
                most = i;
        if (most == RL_LIMITER_COUNT)
            break;
        told[most] = true;
        const char *by = most == RL_LIMITER_UNKNOWN ? "has an unknown limiter"
                                                    : rl_words(report->doc, "is limited by %s", rl_limiter_label(most));
        text = rl_words(report->doc, "%s%s%s%s %s", text, n ? ", " : "", rl_cover_share_text(report, time.of_s[most], time.total_s),
                        n ? ""
                          : rl_words(report->doc, " of the %s%s in kernels", rl_time_state_sign(all.state),
                                     rl_words_seconds(report->doc, time.total_s)),
                        by);
    }
    return text;
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
    const struct rl_program_gpu *time = &report->analysis->gpus[gpu].program;
    const char *idle = rl_present(time->idle) ? rl_words(report->doc, "The GPU was idle for %s of %s%s. ",
                                                         rl_words_value(report->doc, RL_UNIT_FRACTION, time->idle, 3),
                                                         rl_words_seconds(report->doc, time->span_s), why_idle(report, gpu))
                                              : "";
    return rl_words(report->doc, "%s%s.", idle, limits_text(report, gpu));
}

void rl_cover_program_draw(struct rl_report *report, const struct rl_section *section, size_t gpu)
{
    struct rl_layout *layout = report->doc->layout;
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
                    time->span_s > 0 ? rl_words(report->doc, " · %s wall time%s", rl_words_seconds(report->doc, time->span_s),
                                                collection_text(report, gpu))
                                     : "");
    rl_para_release(&name);
    rl_layout_skip(layout, 8);
    rl_layout_text(layout, RL_STYLE_LEAD, answer(report, gpu));
    rl_layout_skip(layout, 6);
    /* Parts too small to be seen are added up in the last row. */
    const struct budget budget = budget_of(report, gpu);
    struct part *rows = rl_arena_alloc(report->doc->arena, (budget.count + 1) * sizeof *rows),
                rest = {"other", RL_TONE_UNKNOWN, 0, budget.whole_s};
    size_t count = 0;
    for (size_t i = 0; i < budget.count; i++)
        if (budget.parts[i].seconds >= LEAST_NAMED * budget.whole_s)
            rows[count++] = budget.parts[i];
        else
            rest.seconds += budget.parts[i].seconds;
    if (rest.seconds > 0)
        rows[count++] = rest;
    rl_layout_drawing(report->doc->layout, &rl_document_result(report->doc, section, 0)->drawing,
                      "Wall time of the GPU: kernels by limiter, copies, idle.");
    rl_view_table(report->doc->layout, &report->view,
                  &(struct rl_view_table){RL_TABLE(part_fields, rows, count), .dress = dress_part});
    rl_layout_skip(layout, 6);
    rl_cover_actions_draw(report, gpu);
    rl_cover_kernels_draw(report, gpu);
    rl_cover_health_draw(report, gpu);
}
