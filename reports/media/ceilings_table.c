/* ceilings_table.c - the ceilings of a GPU as tables (see ceilings_table.h). */
#include "ceilings_table.h"

#include <assert.h>
#include <math.h>

#include "core/mem.h"

/* ---- which ceilings ---- */

static const struct rl_ceiling *ceiling_of(const struct rl_report *report, size_t gpu, size_t id)
{
    assert(gpu < report->capture->gpu_count);
    return &report->analysis->gpus[gpu].ceiling[id];
}

static bool listed(const struct rl_report *report, size_t gpu, size_t id)
{
    return rl_ceiling_listed(ceiling_of(report, gpu, id), (enum rl_ceiling_id)id);
}

void rl_ceilings_in_order(enum rl_ceiling_id order[RL_CEILING_COUNT])
{
    size_t count = 0;
    for (enum rl_level level = RL_LEVEL_DRAM; level <= RL_LEVEL_LINK; level++)
        for (size_t id = 0; id < RL_CEILING_COUNT; id++)
            if (rl_ceilings[id].level == level)
                order[count++] = (enum rl_ceiling_id)id;
    assert(count == RL_CEILING_COUNT);
}

bool rl_ceilings_any_measured(const struct rl_report *report, size_t gpu)
{
    for (size_t i = 0; i < RL_CEILING_COUNT; i++)
        if (ceiling_of(report, gpu, i)->run != RL_NONE)
            return true;
    return false;
}

bool rl_ceilings_any_refused(const struct rl_report *report, size_t gpu)
{
    for (size_t i = 0; i < RL_CEILING_COUNT; i++)
        if (ceiling_of(report, gpu, i)->refused)
            return true;
    return false;
}

/* True when a ceiling was measured after long load. */
static bool any_sustained(const struct rl_report *report, size_t gpu)
{
    for (size_t i = 0; i < RL_CEILING_COUNT; i++)
        if (ceiling_of(report, gpu, i)->sustained.n > 0)
            return true;
    return false;
}

/* Tables have a thin line where the kind of ceiling changes. */
static int kind_of(enum rl_ceiling_id id)
{
    assert(id < RL_CEILING_COUNT);
    enum { MEMORY, VECTOR, MATRIX, ATOMICS, STARTS, LINKS };
    static const int kinds[] = {
        [RL_LEVEL_DRAM] = MEMORY,  [RL_LEVEL_L2] = MEMORY,      [RL_LEVEL_L1] = MEMORY,       [RL_LEVEL_SHARED] = MEMORY,
        [RL_LEVEL_FP64] = VECTOR,  [RL_LEVEL_FP32] = VECTOR,    [RL_LEVEL_FP16] = VECTOR,     [RL_LEVEL_TENSOR] = MATRIX,
        [RL_LEVEL_ISSUE] = VECTOR, [RL_LEVEL_ATOMIC] = ATOMICS, [RL_LEVEL_DISPATCH] = STARTS, [RL_LEVEL_LINK] = LINKS,
    };
    return kinds[rl_ceilings[id].level];
}

/* Levels that concern kernels with work there; the others concern all. */
static const struct {
    enum rl_level level;
    enum rl_metric work;
} works[] = {{RL_LEVEL_SHARED, RL_METRIC_shared_bytes},
             {RL_LEVEL_FP64, RL_METRIC_flop_fp64},
             {RL_LEVEL_FP16, RL_METRIC_flop_fp16},
             {RL_LEVEL_TENSOR, RL_METRIC_tensor_instructions}};

/* Whether no kernel of the GPU did such work, as far as that was counted; false where it was counted for none. */
static bool known_unused(const struct rl_report *report, size_t gpu, enum rl_metric work)
{
    assert(work < RL_METRIC_COUNT);
    bool known = false;
    const size_t *kernels, count = rl_group(&report->analysis->index.kernels_of_gpu, gpu, &kernels);
    for (size_t i = 0; i < count; i++) {
        const struct rl_value value = report->analysis->kernels[kernels[i]].metric[work];
        if (rl_present(value) && value.v > 0)
            return false;
        known |= rl_present(value);
    }
    return known;
}

/* Short documents hold the roofs of their kernels, and what tells whether the card is as fast as others. */
static bool is_shown(const struct rl_report *report, size_t gpu, enum rl_ceiling_id id)
{
    assert(id < RL_CEILING_COUNT);
    const struct rl_ceiling_info *info = &rl_ceilings[id];
    const struct rl_value figure = rl_ceiling_figure(ceiling_of(report, gpu, id));
    if (!report->doc->is_short)
        return true;
    if (!rl_present(figure))
        return rl_value_state(figure) != RL_NOT_ON_CHIP;
    if (info->level == RL_LEVEL_LINK)
        return report->capture->transfer_count > 0;
    for (size_t i = 0; i < RL_COUNT(works); i++)
        if (info->level == works[i].level && known_unused(report, gpu, works[i].work))
            return false;
    return info->role == RL_ROOF || ceiling_of(report, gpu, id)->published;
}

size_t rl_ceilings_left_out(const struct rl_report *report, size_t gpu)
{
    size_t count = 0;
    for (size_t id = 0; id < RL_CEILING_COUNT; id++)
        count += listed(report, gpu, id) && !is_shown(report, gpu, (enum rl_ceiling_id)id) &&
                 rl_present(rl_ceiling_figure(ceiling_of(report, gpu, id)));
    return count;
}

/* A row for each listed ceiling that is `wanted` (NULL: all) and does not stand elsewhere (NULL: none). */
static void add_rows(struct rl_report *report, struct rl_grid *grid, size_t gpu, bool (*wanted)(const struct rl_ceiling *ceiling),
                     bool (*elsewhere)(const struct rl_report *report, size_t gpu, enum rl_ceiling_id id),
                     void (*add)(struct rl_report *report, struct rl_grid *grid, size_t gpu, size_t id))
{
    enum rl_ceiling_id order[RL_CEILING_COUNT];
    int kind = -1;
    rl_ceilings_in_order(order);
    for (size_t i = 0; i < RL_CEILING_COUNT; i++) {
        const enum rl_ceiling_id id = order[i];
        if (!listed(report, gpu, id) || !is_shown(report, gpu, id) || (wanted && !wanted(ceiling_of(report, gpu, id))) ||
            (elsewhere && elsewhere(report, gpu, id)))
            continue;
        (kind >= 0 && kind != kind_of(id) ? rl_grid_group : rl_grid_row)(grid);
        kind = kind_of(id);
        add(report, grid, gpu, id);
    }
}

static struct rl_scale scale_of(size_t id, struct rl_value figure)
{
    return rl_unit_scale(rl_ceilings[id].unit, rl_present(figure) ? figure.v : 0);
}

/* ---- theory alone ---- */

static void add_theory(struct rl_report *report, struct rl_grid *grid, size_t gpu, size_t id)
{
    const struct rl_ceiling *ceiling = ceiling_of(report, gpu, id);
    struct rl_scale scale = scale_of(id, ceiling->theoretical);
    bool spread = rl_present(ceiling->theoretical_low) && rl_present(ceiling->theoretical_high);
    rl_grid_cell(grid, RL_STYLE_CELL, rl_ceilings[id].label);
    rl_grid_value(grid, RL_STYLE_CELL, ceiling->theoretical, scale.factor, 4);
    rl_grid_cell(grid, RL_STYLE_SIDE,
                 rl_words_interval(report->doc, ceiling->theoretical_low.v, ceiling->theoretical_high.v, spread, scale.factor, 4));
    rl_grid_cell(grid, RL_STYLE_CELL, rl_present(ceiling->theoretical) ? scale.symbol : "");
    rl_grid_cell(grid, RL_STYLE_NOTE_INK, rl_ceilings[id].definition);
}

void rl_ceilings_draw_theory(struct rl_report *report, size_t gpu, const char *lead)
{
    struct rl_grid grid;
    static const struct rl_grid_column columns[] = {
        {.head = "ceiling", .align = RL_GRID_LEFT, .whole = true},          {.head = "theoretical", .align = RL_GRID_DECIMAL},
        {.head = "over the session", .align = RL_GRID_LEFT, .close = true}, {.head = "unit", .align = RL_GRID_LEFT, .whole = true},
        {.head = "definition", .align = RL_GRID_WRAP, .at_least = 190},
    };
    rl_grid_begin(&grid, report->doc->layout, "Ceilings", columns, RL_COUNT(columns));
    grid.lead = lead;
    add_rows(report, &grid, gpu, NULL, NULL, add_theory);
    rl_grid_end(&grid);
}

/* ---- measured against theory ---- */

static struct rl_value measured_of(const struct rl_ceiling *ceiling)
{
    if (ceiling->measured.n > 0)
        return rl_value_of(ceiling->measured.median);
    return ceiling->refused ? rl_value_missing(RL_DISAGREES, "rejected: above what the card can do (explained below)")
                            : rl_value_missing(RL_NOT_COLLECTED, "not measured in this session");
}

/* A figure that is used, or the dash of `instead`. */
static void add_if_used(struct rl_grid *grid, const struct rl_ceiling *ceiling, struct rl_value value, double factor, int digits)
{
    if (ceiling->measured.n > 0)
        rl_grid_value(grid, RL_STYLE_CELL, value, factor, digits);
    else
        rl_grid_cell(grid, RL_STYLE_CELL, "");
}

static void add_share_of_theory(struct rl_grid *grid, const struct rl_ceiling *ceiling, size_t id)
{
    add_if_used(grid, ceiling, ceiling->share, 100, 3);
    if (ceiling->measured.n == 0 || !rl_present(ceiling->share))
        return;
    struct rl_grid_cell *cell = &grid->cells[grid->cell_count - 1];
    cell->share = fmin(ceiling->share.v, 1);
    cell->share_colour = rl_tones[RL_TONE_GREY].mark;
}

/* The best published figure with its source in a note, and how much of it was reached. */
static void add_published(struct rl_report *report, struct rl_grid *grid, const struct rl_ceiling *ceiling, double factor)
{
    if (!ceiling->published) {
        rl_grid_cell(grid, RL_STYLE_CELL, "");
        rl_grid_cell(grid, RL_STYLE_CELL, "");
        return;
    }
    struct rl_grid_cell *cell = rl_grid_value(grid, RL_STYLE_CELL, rl_value_of(ceiling->published->value), factor, 3);
    cell->sign = rl_layout_note(report->doc->layout, ceiling->published->source);
    add_if_used(grid, ceiling, ceiling->published_share, 100, 3);
}

#define CLEARLY_LOWER 0.97 /* of the highest clock: as "steady clock" of findings.def has it */

static double highest_clock(const struct rl_report *report, size_t gpu)
{
    double highest = 0;
    for (size_t i = 0; i < RL_CEILING_COUNT; i++) {
        const size_t run = ceiling_of(report, gpu, i)->run;
        if (run != RL_NONE && rl_present(report->capture->ceilings[run].sm_clock_hz))
            highest = fmax(highest, report->capture->ceilings[run].sm_clock_hz.v);
    }
    return highest;
}

static void add_clock(struct rl_report *report, struct rl_grid *grid, const struct rl_ceiling *ceiling)
{
    if (ceiling->run == RL_NONE) {
        rl_grid_cell(grid, RL_STYLE_CELL, "");
        return;
    }
    const struct rl_ceiling_run *run = &report->capture->ceilings[ceiling->run];
    struct rl_grid_cell *cell = rl_grid_value(grid, RL_STYLE_CELL, run->sm_clock_hz, 1e-9, 4);
    if (!rl_clock_throttled(run->throttle_reasons)) {
        if (rl_present(run->sm_clock_hz) && run->sm_clock_hz.v < CLEARLY_LOWER * highest_clock(report, run->gpu))
            cell->sign =
                rl_layout_note(report->doc->layout,
                               "lower than elsewhere in this table; the driver gave no reason at the one moment when it was asked");
        return;
    }
    struct rl_buf reasons = RL_BUF_INIT;
    rl_throttle_reasons_text(run->throttle_reasons, true, &reasons);
    cell->sign = rl_layout_note(report->doc->layout, rl_words(report->doc, "the driver lowered the clock: %s", reasons.data));
    rl_buf_release(&reasons);
}

/* The peak of the data sheet, and how much of it was reached; empty where data sheets say nothing. */
static void add_data_sheet(struct rl_grid *grid, const struct rl_ceiling *ceiling, double factor)
{
    if (!rl_present(ceiling->data_sheet)) {
        rl_grid_cell(grid, RL_STYLE_CELL, "");
        rl_grid_cell(grid, RL_STYLE_CELL, "");
        return;
    }
    rl_grid_value(grid, RL_STYLE_CELL, ceiling->data_sheet, factor, 4);
    add_if_used(grid, ceiling, ceiling->data_sheet_share, 100, 3);
}

static void add_measured(struct rl_report *report, struct rl_grid *grid, size_t gpu, size_t id)
{
    const struct rl_ceiling *ceiling = ceiling_of(report, gpu, id);
    const struct rl_stats *m = &ceiling->measured;
    struct rl_value figure = m->n > 0 ? rl_value_of(m->median) : rl_ceiling_theory(ceiling);
    struct rl_scale scale = scale_of(id, figure);
    rl_grid_cell(grid, RL_STYLE_CELL, rl_ceilings[id].label);
    rl_grid_value(grid, RL_STYLE_CELL, rl_ceiling_theory(ceiling), scale.factor, 4);
    rl_grid_value(grid, RL_STYLE_CELL_STRONG, measured_of(ceiling), scale.factor, 4);
    rl_grid_cell(grid, RL_STYLE_SIDE,
                 rl_words_interval(report->doc, m->low, m->high, m->n > 0 && m->has_interval, scale.factor, 4));
    rl_grid_cell(grid, RL_STYLE_CELL, rl_present(figure) ? scale.symbol : "");
    add_share_of_theory(grid, ceiling, id);
    add_clock(report, grid, ceiling);
    add_data_sheet(grid, ceiling, scale.factor);
    add_published(report, grid, ceiling, scale.factor);
}

/* Measured roofs, and of the benchmarks those that tell something else: writes, copies, links. */
static bool is_of_first_page(const struct rl_report *report, size_t gpu, enum rl_ceiling_id id)
{
    assert(id < RL_CEILING_COUNT);
    const bool tells = rl_ceilings[id].role == RL_ROOF || rl_ceilings[id].level == RL_LEVEL_LINK || id == RL_CEILING_dram_write ||
                       id == RL_CEILING_dram_copy;
    return tells && listed(report, gpu, id) && ceiling_of(report, gpu, id)->measured.n > 0;
}

/* The first page of a suite has most of them. */
static bool is_elsewhere(const struct rl_report *report, size_t gpu, enum rl_ceiling_id id)
{
    return rl_report_is_of_suite(report) && is_of_first_page(report, gpu, id);
}

void rl_ceilings_draw_measured(struct rl_report *report, size_t gpu)
{
    struct rl_grid grid;
    static const struct rl_grid_column columns[] = {
        {.head = "ceiling", .align = RL_GRID_LEFT, .whole = true},
        {.head = "theory", .align = RL_GRID_DECIMAL},
        {.head = "measured", .align = RL_GRID_DECIMAL},
        {.head = "95 % interval", .align = RL_GRID_LEFT, .close = true, .whole = true},
        {.head = "unit", .align = RL_GRID_LEFT, .whole = true},
        {.head = "of theory", .unit = "%", .align = RL_GRID_DECIMAL, .share_width = 36},
        {.head = "SM clock", .unit = "GHz", .align = RL_GRID_DECIMAL},
        {.head = "data sheet", .align = RL_GRID_DECIMAL},
        {.head = "of it", .unit = "%", .align = RL_GRID_DECIMAL},
        {.head = "best published", .align = RL_GRID_DECIMAL},
        {.head = "of it", .unit = "%", .align = RL_GRID_DECIMAL},
    };
    rl_grid_begin(&grid, report->doc->layout, NULL, columns, RL_COUNT(columns));
    add_rows(report, &grid, gpu, NULL, is_elsewhere, add_measured);
    rl_grid_end(&grid);
}

size_t rl_ceilings_left(const struct rl_report *report, size_t gpu)
{
    size_t count = 0;
    for (enum rl_ceiling_id id = 0; id < RL_CEILING_COUNT; id++)
        count += listed(report, gpu, id) && is_shown(report, gpu, id) && !is_elsewhere(report, gpu, id);
    return count;
}

/* ---- on the first page ---- */

static void add_first(struct rl_report *report, struct rl_grid *grid, size_t gpu, enum rl_ceiling_id id)
{
    assert(id < RL_CEILING_COUNT);
    const struct rl_ceiling *ceiling = ceiling_of(report, gpu, id);
    const struct rl_scale scale = scale_of(id, rl_value_of(ceiling->measured.median));
    rl_grid_cell(grid, RL_STYLE_CELL, rl_ceilings[id].label);
    rl_grid_value(grid, RL_STYLE_CELL_STRONG, rl_value_of(ceiling->measured.median), scale.factor, 4);
    const struct rl_stats *m = &ceiling->measured;
    rl_grid_cell(grid, RL_STYLE_SIDE, rl_words_interval(report->doc, m->low, m->high, m->has_interval, scale.factor, 4));
    rl_grid_cell(grid, RL_STYLE_CELL, scale.symbol);
    add_share_of_theory(grid, ceiling, id);
    if (rl_present(ceiling->clock))
        rl_grid_value(grid, RL_STYLE_CELL, ceiling->clock, 1e-9, 3);
    else
        rl_grid_cell(grid, RL_STYLE_CELL, "");
    if (rl_present(ceiling->data_sheet))
        add_if_used(grid, ceiling, ceiling->data_sheet_share, 100, 3);
    else
        rl_grid_cell(grid, RL_STYLE_CELL, "");
    if (ceiling->sustained.n == 0)
        return;
    rl_grid_value(grid, RL_STYLE_CELL, rl_value_of(ceiling->sustained.median), scale.factor, 4);
    rl_grid_value(grid, RL_STYLE_CELL, ceiling->sustained_share, 100, 3);
}

void rl_ceilings_draw_first(struct rl_report *report, size_t gpu)
{
    struct rl_grid grid;
    static const struct rl_grid_column columns[] = {
        {.head = "ceiling", .whole = true},
        {.head = "measured", .align = RL_GRID_DECIMAL},
        {.head = "95 % interval", .close = true},
        {.head = "unit", .whole = true},
        {.head = "of theory", .unit = "%", .align = RL_GRID_DECIMAL, .share_width = 36},
        {.head = "SM clock", .unit = "GHz", .align = RL_GRID_DECIMAL},
        {.head = "of data sheet", .unit = "%", .align = RL_GRID_DECIMAL},
        {.head = "under long load", .align = RL_GRID_DECIMAL},
        {.head = "of burst", .unit = "%", .align = RL_GRID_DECIMAL},
    };
    const size_t shown = any_sustained(report, gpu) ? RL_COUNT(columns) : RL_COUNT(columns) - 2;
    enum rl_ceiling_id order[RL_CEILING_COUNT];
    int kind = -1;
    rl_ceilings_in_order(order);
    rl_grid_begin(&grid, report->doc->layout, "What the card can do", columns, shown);
    for (size_t i = 0; i < RL_CEILING_COUNT; i++) {
        if (!is_of_first_page(report, gpu, order[i]))
            continue;
        (kind >= 0 && kind != kind_of(order[i]) ? rl_grid_group : rl_grid_row)(&grid);
        kind = kind_of(order[i]);
        add_first(report, &grid, gpu, order[i]);
    }
    rl_grid_end(&grid);
}

/* ---- after long load ---- */

static bool is_sustained(const struct rl_ceiling *ceiling)
{
    return ceiling->sustained.n > 0;
}

static struct rl_value clock_of(const struct rl_report *report, size_t run)
{
    return run == RL_NONE ? rl_value_missing(RL_NOT_COLLECTED, NULL) : report->capture->ceilings[run].sm_clock_hz;
}

static void add_sustained(struct rl_report *report, struct rl_grid *grid, size_t gpu, size_t id)
{
    const struct rl_ceiling *ceiling = ceiling_of(report, gpu, id);
    const struct rl_stats *s = &ceiling->sustained;
    struct rl_scale scale = scale_of(id, rl_value_of(s->median));
    struct rl_buf reasons = RL_BUF_INIT;
    rl_grid_cell(grid, RL_STYLE_CELL, rl_ceilings[id].label);
    rl_grid_value(grid, RL_STYLE_CELL, measured_of(ceiling), scale.factor, 4);
    rl_grid_value(grid, RL_STYLE_CELL_STRONG, rl_value_of(s->median), scale.factor, 4);
    rl_grid_cell(grid, RL_STYLE_SIDE, rl_words_interval(report->doc, s->low, s->high, s->has_interval, scale.factor, 4));
    rl_grid_cell(grid, RL_STYLE_CELL, scale.symbol);
    struct rl_grid_cell *share = rl_grid_value(grid, RL_STYLE_CELL, ceiling->sustained_share, 100, 3);
    share->share = rl_present(ceiling->sustained_share) ? fmin(ceiling->sustained_share.v, 1) : NAN;
    share->share_colour = rl_tones[RL_TONE_GREY].mark;
    rl_grid_value(grid, RL_STYLE_CELL, clock_of(report, ceiling->run), 1e-9, 4);
    rl_grid_value(grid, RL_STYLE_CELL, clock_of(report, ceiling->sustained_run), 1e-9, 4);
    rl_throttle_reasons_text(report->capture->ceilings[ceiling->sustained_run].throttle_reasons, true, &reasons);
    rl_grid_cell(grid, RL_STYLE_CELL, reasons.len > 0 ? reasons.data : "none");
    rl_buf_release(&reasons);
}

static bool any_shown_sustained(const struct rl_report *report, size_t gpu)
{
    for (size_t id = 0; id < RL_CEILING_COUNT; id++)
        if (listed(report, gpu, id) && is_shown(report, gpu, (enum rl_ceiling_id)id) && is_sustained(ceiling_of(report, gpu, id)))
            return true;
    return false;
}

void rl_ceilings_draw_sustained(struct rl_report *report, size_t gpu)
{
    struct rl_grid grid;
    if (report->doc->is_short && !any_shown_sustained(report, gpu))
        return;
    rl_layout_subsection(report->doc->layout, "Burst and sustained");
    if (!any_sustained(report, gpu)) {
        rl_layout_text(report->doc->layout, RL_STYLE_BODY,
                       "The figures above are those of the first seconds. What remains of them under long load was not measured in "
                       "this session.");
        return;
    }
    static const struct rl_grid_column columns[] = {
        {.head = "ceiling", .align = RL_GRID_LEFT, .whole = true},
        {.head = "burst", .align = RL_GRID_DECIMAL},
        {.head = "sustained", .align = RL_GRID_DECIMAL},
        {.head = "95 % interval", .align = RL_GRID_LEFT, .close = true, .whole = true},
        {.head = "unit", .align = RL_GRID_LEFT, .whole = true},
        {.head = "of burst", .unit = "%", .align = RL_GRID_DECIMAL, .share_width = 36},
        {.head = "SM clock in the burst", .unit = "GHz", .align = RL_GRID_DECIMAL},
        {.head = "under load", .unit = "GHz", .align = RL_GRID_DECIMAL},
        {.head = "lowered by", .align = RL_GRID_LEFT},
    };
    rl_grid_begin(&grid, report->doc->layout, NULL, columns, RL_COUNT(columns));
    add_rows(report, &grid, gpu, is_sustained, NULL, add_sustained);
    rl_grid_end(&grid);
}

/* ---- what each is ---- */

static void add_definition(struct rl_report *report, struct rl_grid *grid, size_t gpu, size_t id)
{
    const struct rl_ceiling *ceiling = ceiling_of(report, gpu, id);
    const struct rl_ceiling_run *run = ceiling->run == RL_NONE ? NULL : &report->capture->ceilings[ceiling->run];
    rl_grid_cell(grid, RL_STYLE_CELL, rl_ceilings[id].label);
    rl_grid_cell(grid, RL_STYLE_NOTE_INK, rl_ceilings[id].definition);
    rl_grid_cell(grid, RL_STYLE_NOTE_INK, run ? rl_words_short(report->doc, run->configuration, 200) : "");
    rl_grid_cell(grid, RL_STYLE_CELL, run ? rl_words(report->doc, "%zu", run->sample_count) : "");
}

void rl_ceilings_draw_definitions(struct rl_report *report, size_t gpu)
{
    struct rl_grid grid;
    static const struct rl_grid_column columns[] = {
        {.head = "ceiling", .align = RL_GRID_LEFT, .whole = true},
        {.head = "theory and method", .align = RL_GRID_WRAP, .at_least = 200},
        {.head = "configuration that reached it", .align = RL_GRID_WRAP, .at_least = 130},
        {.head = "launches", .align = RL_GRID_RIGHT},
    };
    rl_grid_begin(&grid, report->doc->layout, "What each ceiling is", columns, RL_COUNT(columns));
    add_rows(report, &grid, gpu, NULL, NULL, add_definition);
    rl_grid_end(&grid);
}
