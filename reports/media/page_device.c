/* page_device.c - the card: what it is, what it could do at best, how it was while it was measured. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/ranks.h"
#include "ceilings_table.h"
#include "core/mem.h"

#define SHORT_ROOM 178.0 /* for the heading and three tables */

/* ---- facts ---- */

static void add_fact(struct rl_report *report, struct rl_grid *grid, const struct rl_field *field, struct rl_value value)
{
    const enum rl_style style = report->doc->is_short ? RL_STYLE_SIDE_INK : RL_STYLE_CELL;
    rl_grid_row(grid);
    rl_grid_cell(grid, style, field->label);
    if (!rl_present(value))
        rl_grid_value(grid, style, value, 1, 3);
    else if (field->flag[0])
        rl_grid_cell(grid, style, field->flag[value.v > 0]);
    else
        rl_grid_cell(grid, style, rl_words_value(report->doc, field->unit, value, 4));
}

/* What a session has locked is nothing to list where it locked nothing; the method page says so. */
static size_t facts_of(const struct rl_gpu *gpu, size_t facts[RL_FACT_COUNT])
{
    const struct rl_value locked = gpu->fact[RL_FACT_clocks_locked];
    size_t count = 0;
    for (size_t i = 0; i < RL_FACT_COUNT; i++) {
        bool of_lock = i == RL_FACT_clocks_locked || i == RL_FACT_sm_clock_locked_hz || i == RL_FACT_memory_clock_locked_hz;
        if (!of_lock || (rl_present(locked) && locked.v > 0))
            facts[count++] = i;
    }
    return count;
}

static void add_facts(struct rl_report *report, const struct rl_gpu *gpu, struct rl_box *cell, const size_t *facts, size_t count)
{
    static const struct rl_grid_column columns[] = {{.head = "fact"}, {.head = "value", .align = RL_GRID_RIGHT}};
    struct rl_grid *grid = rl_box_table(cell, columns, RL_COUNT(columns));
    for (size_t i = 0; i < count; i++)
        add_fact(report, grid, &rl_facts[facts[i]], gpu->fact[facts[i]]);
}

/* The facts in tables side by side. */
static void draw_facts(struct rl_report *report, const struct rl_gpu *gpu)
{
    const size_t tables = report->doc->is_short ? 3 : 2;
    size_t facts[RL_FACT_COUNT], count = facts_of(gpu, facts), rows = (count + tables - 1) / tables;
    struct rl_box *box = rl_flow_begin(report->doc->layout), *row = rl_box_row(box);
    for (size_t first = 0; first < count; first += rows)
        add_facts(report, gpu, rl_box_cell(row, RL_ALL_COLUMNS / (int)tables), facts + first,
                  count - first < rows ? count - first : rows);
    rl_flow_end(box);
}

static bool has_equivalents(const struct rl_report *report, const struct rl_gpu *gpu)
{
    return report->analysis->index.has_ranks && report->stands[gpu - report->capture->gpus] > 1;
}

/* Of ranks with cards that are alike: which they are. */
static void draw_others(struct rl_report *report, size_t gpu)
{
    assert(gpu < report->capture->gpu_count);
    for (size_t i = gpu + 1; i < report->capture->gpu_count && report->stands[gpu] > 1; i++)
        if (rl_page_covers_gpu(report, gpu, i) && report->capture->gpus[i].uuid)
            rl_layout_text(report->doc->layout, RL_STYLE_NOTE_NAME, report->capture->gpus[i].uuid);
}

static void draw_identity(struct rl_report *report, const struct rl_gpu *gpu)
{
    const char *capability =
        gpu->cc_major > 0 ? rl_words(report->doc, ", compute capability %d.%d", gpu->cc_major, gpu->cc_minor) : "";
    rl_layout_text(
        report->doc->layout, RL_STYLE_LEAD,
        rl_words(report->doc, "%s: %s%s", rl_words_short(report->doc, gpu->name, 80),
                 gpu->chip ? rl_words(report->doc, "chip %s", rl_words_short(report->doc, gpu->chip, 20)) : "chip not known",
                 capability));
    if (gpu->uuid)
        rl_layout_text(report->doc->layout, RL_STYLE_NOTE_NAME, gpu->uuid);
    draw_others(report, (size_t)(gpu - report->capture->gpus));
    rl_layout_skip(report->doc->layout, 6);
}

/* ---- theory, where nothing was measured ---- */

static const char *clock_text(struct rl_report *report, const struct rl_gpu_result *result)
{
    const char *missing = "No ceiling was measured in this session: kernels are compared with these.";
    if (rl_present(result->assumed_clock))
        return rl_words(report->doc,
                        "No pass read the SM clock: theoretical rates that depend on it assume the highest one, %s. %s",
                        rl_words_value(report->doc, RL_UNIT_HERTZ, result->assumed_clock, 4), missing);
    if (result->sm_clock.n == 0)
        return rl_words(report->doc, "No pass read the SM clock, so rates that depend on it are not known. %s", missing);
    return rl_words(report->doc, "Theoretical rates at the clocks of the passes: SM clock %s (median of %s, %s to %s). %s",
                    rl_words_value(report->doc, RL_UNIT_HERTZ, rl_value_of(result->sm_clock.median), 4),
                    rl_words_count(report->doc, result->sm_clock.n, "pass", "passes"),
                    rl_words_value(report->doc, RL_UNIT_HERTZ, rl_value_of(result->sm_clock.min), 4),
                    rl_words_value(report->doc, RL_UNIT_HERTZ, rl_value_of(result->sm_clock.max), 4), missing);
}

/* Measured ceilings have a page of their own. */
static void draw_ceilings(struct rl_report *report, size_t gpu)
{
    assert(gpu < report->capture->gpu_count);
    if (rl_ceilings_any_measured(report, gpu))
        return;
    rl_ceilings_draw_theory(report, gpu, clock_text(report, &report->analysis->gpus[gpu]));
    const size_t count = rl_ceilings_left_out(report, gpu);
    if (count > 0)
        rl_layout_textf(report->doc->layout, RL_STYLE_NOTE, "%s that no kernel here could reach %s left out.",
                        rl_words_count(report->doc, count, "ceiling", "ceilings"), count == 1 ? "is" : "are");
}

/* ---- readings ---- */

enum { MOST_MOMENTS = 6 };

/* The readings that are shown, in order of time. */
struct shown {
    size_t at[MOST_MOMENTS], count;
};

static void show_moment(struct shown *shown, size_t moment)
{
    size_t place = shown->count;
    for (size_t i = 0; i < shown->count; i++)
        if (shown->at[i] == moment)
            return;
    if (moment == RL_NONE || shown->count == MOST_MOMENTS)
        return;
    for (; place > 0 && shown->at[place - 1] > moment; place--)
        shown->at[place] = shown->at[place - 1];
    shown->at[place] = moment;
    shown->count++;
}

/* The first of the moments with the highest (sign 1) or lowest (-1) value of a reading; RL_NONE: nobody read it. */
static size_t extreme_moment(const struct rl_gpu *gpu, enum rl_reading_id id, double sign)
{
    size_t found = RL_NONE;
    for (size_t m = 0; m < gpu->moment_count; m++) {
        const struct rl_value value = gpu->moments[m].reading[id];
        if (rl_present(value) && (found == RL_NONE || sign * value.v > sign * gpu->moments[found].reading[id].v))
            found = m;
    }
    return found;
}

static const struct {
    enum rl_reading_id id;
    double sign;
} extremes[] = {{RL_READING_temperature_c, 1}, {RL_READING_power_w, 1}, {RL_READING_sm_clock_hz, -1}};

static size_t moment_with_reasons(const struct rl_gpu *gpu)
{
    for (size_t m = 0; m < gpu->moment_count; m++)
        if (rl_clock_throttled(gpu->moments[m].reading[RL_READING_throttle_reasons]))
            return m;
    return RL_NONE;
}

/* All of them where they fit; of many the first, the last, and those that stand out. */
static struct shown shown_moments(const struct rl_gpu *gpu)
{
    struct shown shown = {.count = 0};
    const bool all = gpu->moment_count <= MOST_MOMENTS;
    for (size_t m = 0; all && m < gpu->moment_count; m++)
        show_moment(&shown, m);
    if (all)
        return shown;
    show_moment(&shown, 0);
    show_moment(&shown, gpu->moment_count - 1);
    show_moment(&shown, moment_with_reasons(gpu));
    for (size_t i = 0; i < RL_COUNT(extremes); i++)
        show_moment(&shown, extreme_moment(gpu, extremes[i].id, extremes[i].sign));
    return shown;
}

static bool is_extreme(const struct rl_gpu *gpu, size_t moment, enum rl_reading_id id)
{
    for (size_t i = 0; i < RL_COUNT(extremes); i++)
        if (extremes[i].id == id && extreme_moment(gpu, id, extremes[i].sign) == moment)
            return true;
    return id == RL_READING_throttle_reasons && rl_clock_throttled(gpu->moments[moment].reading[id]);
}

/* "4, power limit" of reasons that lower the clock; the figure of any other reading. */
static const char *reading_text(struct rl_report *report, enum rl_reading_id id, struct rl_value value)
{
    const char *text = rl_words_value(report->doc, rl_readings[id].unit, value, rl_readings[id].unit == RL_UNIT_HERTZ ? 4 : 3);
    if (id != RL_READING_throttle_reasons || !rl_clock_throttled(value))
        return text;
    struct rl_buf reasons = RL_BUF_INIT;
    rl_throttle_reasons_text(value, true, &reasons);
    text = rl_words(report->doc, "%s, %s", text, reasons.data);
    rl_buf_release(&reasons);
    return text;
}

static void add_reading(struct rl_report *report, struct rl_grid *grid, const struct rl_gpu *gpu, const struct shown *shown,
                        enum rl_reading_id id)
{
    rl_grid_row(grid);
    rl_grid_cell(grid, RL_STYLE_CELL, rl_readings[id].label);
    for (size_t i = 0; i < shown->count; i++) {
        const struct rl_value value = gpu->moments[shown->at[i]].reading[id];
        const bool strong = shown->count < gpu->moment_count && is_extreme(gpu, shown->at[i], id);
        if (rl_present(value))
            rl_grid_cell(grid, strong ? RL_STYLE_CELL_STRONG : RL_STYLE_CELL, reading_text(report, id, value));
        else
            rl_grid_value(grid, RL_STYLE_CELL, value, 1, 4);
    }
}

static void draw_moments(struct rl_report *report, const struct rl_gpu *gpu)
{
    struct rl_grid grid;
    const struct shown shown = shown_moments(gpu);
    const char *rank = rl_rank_of_gpu(report->capture, (size_t)(gpu - report->capture->gpus));
    if (shown.count == 0)
        return;
    rl_grid_begin(&grid, report->doc->layout, NULL, NULL, 0);
    grid.title = "Readings of the card";
    grid.tight = true;
    if (rank && has_equivalents(report, gpu))
        grid.title = rl_words(report->doc, "Readings of the card of rank %s", rl_words_short(report->doc, rank, 12));
    rl_grid_add_columns(&grid, &(struct rl_grid_column){.head = "reading"}, 1);
    for (size_t i = 0; i < shown.count; i++)
        rl_grid_add_columns(
            &grid,
            &(struct rl_grid_column){.head = rl_words(report->doc, "%s, at", gpu->moments[shown.at[i]].moment),
                                     .unit = rl_words(report->doc, "%.1f s", (double)gpu->moments[shown.at[i]].at_ns / 1e9),
                                     .align = RL_GRID_RIGHT},
            1);
    for (size_t r = 0; r < RL_READING_COUNT; r++)
        add_reading(report, &grid, gpu, &shown, (enum rl_reading_id)r);
    if (shown.count < gpu->moment_count)
        grid.foot =
            rl_words(report->doc,
                     "%zu of %zu readings: the first, the last, and (in bold) the first with the highest temperature, the most "
                     "power, the lowest clock, or a lowered clock.",
                     shown.count, gpu->moment_count);
    rl_grid_end(&grid);
}

static void draw(struct rl_document *doc, struct rl_section *section)
{
    struct rl_report *report = doc->subject;
    size_t gpu = rl_page_gpu(report, section->id, section->instance);
    if (!report->doc->is_short) /* the first page and the method say it */
        draw_identity(report, &report->capture->gpus[gpu]);
    draw_facts(report, &report->capture->gpus[gpu]);
    if (report->doc->is_short) /* the ceilings may go on on another page */
        rl_layout_notes(report->doc->layout);
    draw_ceilings(report, gpu);
    if (!report->doc->is_short) /* the health of the card on the first page says what follows from them */
        draw_moments(report, &report->capture->gpus[gpu]);
}

/* The card of a rank has a page only where it differs from those before. What is between cards says nothing of each. */
static bool has_one(const struct rl_document *doc, size_t gpu)
{
    const struct rl_report *report = doc->subject;
    assert(gpu < report->capture->gpu_count);
    return (!report->analysis->index.has_ranks || report->stands[gpu]) && !rl_capture_has_only_links(report->capture);
}

const struct rl_page rl_page_device = {.each_gpu = has_one, .draw = draw, .joins = 400, .room = SHORT_ROOM};
