/* kernel_figures.c - the figures in the block of a kernel: lists, and the levels of memory (see kernel_block.h). */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "analysis/sampled.h"
#include "core/mem.h"
#include "core/signs.h"
#include "core/utf8.h"
#include "kernel_block.h"

#define LIST_GAP 6.0

/* ---- values that are missing ---- */

static void note_gap(struct rl_gaps *gaps, const char *label, const char *reason)
{
    size_t i = 0;
    if (!reason[0])
        reason = "no reason recorded";
    while (i < gaps->count && strcmp(gaps->reason[i], reason) != 0)
        i++;
    if (i == RL_MOST_GAPS)
        i--;
    if (i == gaps->count) {
        gaps->reason[i] = reason;
        rl_buf_init(&gaps->labels[gaps->count++]);
    }
    rl_buf_addf(&gaps->labels[i], "%s%s", gaps->labels[i].len ? ", " : "", label);
}

void rl_block_add_gaps(struct rl_report *report, struct rl_block *block, struct rl_box *box)
{
    struct rl_gaps *gaps = &block->gaps;
    struct rl_para para = RL_PARA_INIT;
    if (gaps->count == 0)
        return;
    for (size_t i = 0; i < gaps->count; i++) {
        rl_para_addf(report->doc->layout, &para, RL_STYLE_NOTE, "%s%s (%s)%s", i ? "; " : "No value: ", gaps->labels[i].data,
                     gaps->reason[i], i + 1 < gaps->count ? "" : ".");
        rl_buf_release(&gaps->labels[i]);
    }
    para.max_lines = 6;
    rl_box_para(box, &para);
}

/* ---- lists ---- */

/* A list of names and values; nothing is drawn when it is empty. */
struct list {
    struct rl_grid *grid;
    struct rl_report *report;
    struct rl_block *block;
};

static struct list list_begin(struct rl_report *report, struct rl_block *block, struct rl_box *cell)
{
    static const struct rl_grid_column columns[] = {{.whole = true}, {.align = RL_GRID_RIGHT}};
    struct list list = {.report = report, .block = block, .grid = rl_box_table(cell, columns, RL_COUNT(columns))};
    list.grid->plain = true;
    return list;
}

/* `target`: what explains the label. */
static void list_link(struct list *list, const char *label, size_t target, const char *text)
{
    rl_grid_row(list->grid);
    rl_grid_cell(list->grid, RL_STYLE_CELL_QUIET, label)->target = target;
    rl_grid_cell(list->grid, RL_STYLE_CELL, text);
}

static void list_text(struct list *list, const char *label, const char *text)
{
    list_link(list, label, RL_NO_TARGET, text);
}

static void list_metric(struct list *list, enum rl_metric metric, struct rl_value value)
{
    assert(metric < RL_METRIC_COUNT);
    const struct rl_metric_info *info = &rl_metrics[metric];
    if (rl_present(value))
        list_link(list, info->label, rl_metric_target(list->report, metric),
                  rl_words_value(list->report->doc, info->unit, value, 3));
    else
        note_gap(&list->block->gaps, info->label, rl_value_reason(value));
}

/* The estimate that stands for a metric that was not counted; NULL: there is none. */
static const struct rl_estimate *estimate_of(const struct rl_block *block, enum rl_metric metric)
{
    const struct rl_roofline_entry *entry = &block->entry;
    return entry->shows ? rl_estimate_of(entry->metric, entry->estimate, metric) : NULL;
}

/* "~2.41 TB/s ±1.2 %": half of the 95 % interval. */
static const char *estimate_text(struct rl_report *report, enum rl_metric metric, const struct rl_estimate *estimate)
{
    assert(metric < RL_METRIC_COUNT);
    const struct rl_value half = rl_value_div(rl_value_of(estimate->half_width), estimate->value, "nothing");
    return rl_words(report->doc, "~%s%s%s", rl_words_value(report->doc, rl_metrics[metric].unit, estimate->value, 3),
                    rl_present(half) ? " ±" : "", rl_present(half) ? rl_words_value(report->doc, RL_UNIT_FRACTION, half, 2) : "");
}

static void list_metrics(struct list *list, const enum rl_metric *metrics, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct rl_value value = rl_entry_metric(list->report, &list->block->entry, metrics[i]);
        const struct rl_estimate *estimate = estimate_of(list->block, metrics[i]);
        if (estimate)
            list_link(list, rl_metrics[metrics[i]].label, rl_metric_target(list->report, metrics[i]),
                      estimate_text(list->report, metrics[i], estimate));
        else
            list_metric(list, metrics[i], value);
    }
}

/* ---- what is in them ---- */

/* "29.46 ms (29.31–29.50)"; an interval that takes more digits than there is room for as "29.46 ms (±0.002 %)". */
static const char *time_text(struct rl_report *report, const struct rl_stats *duration)
{
    enum { ROOM = 11 };
    static const double least = 1e-5;
    struct rl_scale scale = rl_unit_scale(RL_UNIT_SECOND, duration->median);
    const char *interval = rl_words_interval(report->doc, duration->low, duration->high, duration->has_interval, scale.factor, 4);
    const char *median = rl_words_value(report->doc, RL_UNIT_SECOND, rl_value_of(duration->median), 4);
    const double half = duration->median > 0 ? (duration->high - duration->low) / 2 / duration->median : NAN;
    if (!interval[0])
        return median;
    const bool apart =
        strcmp(interval, rl_words_value(report->doc, RL_UNIT_NONE, rl_value_of(duration->low * scale.factor), 4)) != 0;
    if (apart && rl_utf8_width(interval, strlen(interval)) <= ROOM)
        return rl_words(report->doc, "%s (%s)", median, interval);
    return rl_words(report->doc, "%s (±%s%s)", median, half < least ? "<" : "",
                    rl_words_value(report->doc, RL_UNIT_FRACTION, rl_value_of(fmax(half, least)), 1));
}

static bool tiny(struct rl_value share)
{
    return rl_present(share) && share.v > 0 && share.v < 0.0005;
}

static const char *share_text(struct rl_report *report, struct rl_value share)
{
    return tiny(share) ? "<0.1\xC2\xA0%" : rl_words_value(report->doc, RL_UNIT_FRACTION, share, 3);
}

/* "~24.6 ms, 28.5 %": what all launches took. */
static const char *session_text(struct rl_report *report, const struct rl_block *block, double total_s)
{
    return rl_words(report->doc, "%s%s, %s", rl_time_state_sign(block->row->time.state),
                    rl_words_value(report->doc, RL_UNIT_SECOND, rl_value_of(total_s), 3),
                    rl_words_value(report->doc, RL_UNIT_FRACTION, rl_value_of(block->share), 3));
}

static void add_place(struct rl_report *report, struct rl_block *block, struct rl_box *cell)
{
    static const enum rl_metric metrics[] = {RL_METRIC_flop_per_second, RL_METRIC_intensity_dram};
    struct list list = list_begin(report, block, cell);
    const struct rl_family_figures *figures = block->row->figures;
    double total = (figures ? block->row->time.ns : rl_kernel_total_ns(report, block->result->kernel)) * 1e-9;
    if (figures && rl_present(figures->median_s))
        list_text(&list, "median time", rl_words_value(report->doc, RL_UNIT_SECOND, figures->median_s, 4));
    else if (rl_present(block->entry.time_s))
        list_text(&list, "median time", time_text(report, &block->result->duration));
    else
        note_gap(&block->gaps, "time", rl_value_reason(block->entry.time_s));
    if (total > 0)
        list_text(&list, "in the session", session_text(report, block, total));
    list_metrics(&list, metrics, RL_COUNT(metrics));
    struct rl_value share = rl_present(block->entry.time_s) ? block->entry.roof_share : block->entry.time_s;
    if (rl_present(share)) {
        list_text(&list, "share of its roof",
                  rl_words(report->doc, "%s%s", rl_entry_sign(&block->entry), share_text(report, share)));
        list_text(&list, "bound", rl_bound_name(block->entry.bound));
    } else {
        note_gap(&block->gaps, "position on the roofline", rl_value_reason(share));
    }
}

/* A line for each thing that limits it: together they are too wide. */
static void list_limiters(struct list *list, const struct rl_occupancy *occupancy)
{
    struct rl_occupancy one = *occupancy;
    for (unsigned left = occupancy->limiters; left; left &= left - 1) {
        struct rl_buf text = RL_BUF_INIT;
        one.limiters = left & ~(left - 1);
        rl_occupancy_limiter_text(&one, &text);
        if (text.len)
            list_text(list, left == occupancy->limiters ? "limited by" : "and by", rl_words(list->report->doc, "%s", text.data));
        rl_buf_release(&text);
    }
}

static void add_occupancy(struct rl_report *report, struct rl_block *block, struct rl_box *cell)
{
    static const enum rl_metric metrics[] = {RL_METRIC_achieved_occupancy, RL_METRIC_issue_active,
                                             RL_METRIC_warp_execution_efficiency, RL_METRIC_branch_efficiency};
    const struct rl_occupancy *occupancy = &block->result->occupancy;
    struct list list = list_begin(report, block, cell);
    const struct rl_value printed = rl_entry_metric(report, &block->entry, RL_METRIC_theoretical_occupancy);
    const bool own = !block->row->figures || block->row->figures->one_block;                  /* otherwise shapes differ in it */
    const bool calculated = own && (rl_present(occupancy->fraction) || !rl_present(printed)); /* or what an imported table says */
    list_metric(&list, RL_METRIC_theoretical_occupancy, calculated ? occupancy->fraction : printed);
    if (own)
        list_limiters(&list, occupancy);
    list_metrics(&list, metrics, RL_COUNT(metrics));
}

static void add_access(struct rl_report *report, struct rl_block *block, struct rl_box *cell, bool left)
{
    static const enum rl_metric global[] = {RL_METRIC_sectors_per_request_load, RL_METRIC_sectors_per_request_store,
                                            RL_METRIC_load_efficiency, RL_METRIC_store_efficiency};
    static const enum rl_metric others[] = {RL_METRIC_shared_conflict_ways, RL_METRIC_spill_bytes, RL_METRIC_spill_share,
                                            RL_METRIC_instructions};
    struct list list = list_begin(report, block, cell);
    list_metrics(&list, left ? global : others, left ? RL_COUNT(global) : RL_COUNT(others));
}

/* Two lists side by side, and what follows below the longer one. */
static void add_beside(struct rl_report *report, struct rl_block *block, struct rl_box *column,
                       void (*left)(struct rl_report *, struct rl_block *, struct rl_box *),
                       void (*right)(struct rl_report *, struct rl_block *, struct rl_box *))
{
    struct rl_box *row = rl_box_row(column);
    left(report, block, rl_box_cell(row, RL_BLOCK_COLUMNS / 2));
    right(report, block, rl_box_cell(row, RL_BLOCK_COLUMNS / 2));
    rl_box_gap(column, LIST_GAP);
}

static void add_global(struct rl_report *report, struct rl_block *block, struct rl_box *cell)
{
    add_access(report, block, cell, true);
}
static void add_others(struct rl_report *report, struct rl_block *block, struct rl_box *cell)
{
    add_access(report, block, cell, false);
}

/* ---- levels of memory ---- */

static const struct level {
    const char *name;
    enum rl_ceiling_id ceiling;
    enum rl_metric bytes, rate, hit_rate, intensity; /* RL_METRIC_COUNT: there is none */
} levels[] = {
    {"DRAM", RL_CEILING_dram, RL_METRIC_dram_bytes, RL_METRIC_dram_bytes_per_second, RL_METRIC_COUNT, RL_METRIC_intensity_dram},
    {"L2", RL_CEILING_l2, RL_METRIC_l2_bytes, RL_METRIC_l2_bytes_per_second, RL_METRIC_l2_hit_rate, RL_METRIC_intensity_l2},
    {"L1", RL_CEILING_l1, RL_METRIC_l1_bytes, RL_METRIC_l1_bytes_per_second, RL_METRIC_l1_hit_rate, RL_METRIC_intensity_l1},
    {"shared", RL_CEILING_shared, RL_METRIC_shared_bytes, RL_METRIC_COUNT, RL_METRIC_COUNT, RL_METRIC_COUNT},
};

/* Bytes a second; where no metric says it, from bytes and time. */
static struct rl_value rate_of(struct rl_report *report, const struct rl_block *block, const struct level *level)
{
    if (level->rate != RL_METRIC_COUNT && estimate_of(block, level->rate))
        return estimate_of(block, level->rate)->value;
    if (level->rate != RL_METRIC_COUNT)
        return rl_entry_metric(report, &block->entry, level->rate);
    return rl_value_div(rl_entry_metric(report, &block->entry, level->bytes), rl_entry_rate_time(report, &block->entry),
                        "no duration");
}

static void add_figure(struct rl_report *report, struct rl_grid *grid, enum rl_unit unit, struct rl_value value)
{
    if (rl_present(value))
        rl_grid_cell(grid, RL_STYLE_CELL, rl_words_value(report->doc, unit, value, 3));
    else
        rl_grid_cell(grid, RL_STYLE_CELL_QUIET, RL_EN_DASH);
}

static void add_metric(struct rl_report *report, struct rl_grid *grid, const struct rl_block *block, enum rl_metric metric)
{
    const struct rl_estimate *estimate = metric == RL_METRIC_COUNT ? NULL : estimate_of(block, metric);
    if (metric == RL_METRIC_COUNT)
        rl_grid_cell(grid, RL_STYLE_CELL, "");
    else if (estimate)
        rl_grid_cell(grid, RL_STYLE_CELL, estimate_text(report, metric, estimate));
    else
        add_figure(report, grid, rl_metrics[metric].unit, rl_entry_metric(report, &block->entry, metric));
}

static void add_level(struct rl_report *report, struct rl_grid *grid, const struct rl_block *block, const struct level *level)
{
    const struct rl_ceiling *ceiling = &report->analysis->gpus[block->kernel->gpu].ceiling[level->ceiling];
    struct rl_value rate = rate_of(report, block, level), share = rl_value_div(rate, rl_ceiling_figure(ceiling), "no ceiling");
    rl_grid_row(grid);
    rl_grid_cell(grid, RL_STYLE_CELL, level->name);
    add_metric(report, grid, block, level->bytes);
    const bool estimated = level->rate != RL_METRIC_COUNT && estimate_of(block, level->rate);
    if (estimated)
        add_metric(report, grid, block, level->rate);
    else
        add_figure(report, grid, RL_UNIT_BYTE_PER_SECOND, rate);
    if (tiny(share) || (estimated && rl_present(share)))
        rl_grid_cell(grid, RL_STYLE_CELL, rl_words(report->doc, "%s%s", estimated ? "~" : "", share_text(report, share)));
    else
        add_figure(report, grid, RL_UNIT_FRACTION, share);
    if (rl_present(share)) {
        struct rl_grid_cell *cell = &grid->cells[grid->cell_count - 1];
        cell->share = share.v;
        cell->share_colour = rl_tones[RL_TONE_MEMORY].mark;
    }
    add_metric(report, grid, block, level->hit_rate);
    add_metric(report, grid, block, level->intensity);
}

static void add_levels(struct rl_report *report, struct rl_block *block, struct rl_box *column)
{
    bool any = false;
    for (size_t i = 0; i < RL_COUNT(levels); i++) {
        struct rl_value bytes = rl_entry_metric(report, &block->entry, levels[i].bytes), rate = rate_of(report, block, &levels[i]);
        any |= rl_present(bytes) || rl_present(rate);
        if (!rl_present(bytes) && !estimate_of(block, levels[i].bytes))
            note_gap(&block->gaps, rl_metrics[levels[i].bytes].label, rl_value_reason(bytes));
        else if (rl_value_state(rate) == RL_DISAGREES)
            note_gap(&block->gaps, rl_words(report->doc, "%s throughput", levels[i].name), rl_value_reason(rate));
    }
    if (!any)
        return;
    static const struct rl_grid_column columns[] = {
        {.head = "level", .align = RL_GRID_LEFT, .whole = true},
        {.head = "traffic", .align = RL_GRID_RIGHT},
        {.head = "throughput", .align = RL_GRID_RIGHT},
        {.head = "of its ceiling", .align = RL_GRID_RIGHT, .share_width = 30},
        {.head = "hit rate", .align = RL_GRID_RIGHT},
        {.head = "intensity", .align = RL_GRID_RIGHT},
    };
    struct rl_grid *grid = rl_box_table(column, columns, RL_COUNT(columns));
    for (size_t i = 0; i < RL_COUNT(levels); i++)
        add_level(report, grid, block, &levels[i]);
    rl_box_gap(column, LIST_GAP);
}

/* ---- all of them ---- */

void rl_block_add_figures(struct rl_report *report, struct rl_block *block, struct rl_box *column)
{
    add_beside(report, block, column, add_place, add_occupancy);
    add_levels(report, block, column);
    add_beside(report, block, column, add_global, add_others);
}
