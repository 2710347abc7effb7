/* page_kernels.c - a block for each of the kernel classes that took the most time: its time and place, occupancy and what limits
 * it, traffic on every level of memory, access, execution, stalls, findings. What the capture does not hold is said in one line.
 * Kernel classes of a program that have charts below have a page each. */
#include <math.h>
#include <string.h>

#include "core/mem.h"
#include "core/utf8.h"
#include "kernels.h"
#include "spots.h"

#define EN_DASH "\xE2\x80\x93"

#define FIGURE_COLUMNS 8 /* of the page's twelve; the charts of occupancy take the others */
#define LIST_GAP       6.0
#define BLOCK_GAP      14.0
#define MOST_GAIN      100.0 /* beyond it the bound says nothing */
enum { MOST_FINDINGS = 4, MOST_STALLS = 4, MOST_GAPS = 24 };

/* ---- values that are missing ---- */

/* Labels of what is missing, reason by reason. */
struct gaps {
    const char *reason[MOST_GAPS];
    struct rl_buf labels[MOST_GAPS];
    size_t count;
};

static void note_gap(struct gaps *gaps, const char *label, const char *reason)
{
    size_t i = 0;
    if (!reason[0])
        reason = "no reason recorded";
    while (i < gaps->count && strcmp(gaps->reason[i], reason) != 0)
        i++;
    if (i == MOST_GAPS)
        i--;
    if (i == gaps->count) {
        gaps->reason[i] = reason;
        rl_buf_init(&gaps->labels[gaps->count++]);
    }
    rl_buf_addf(&gaps->labels[i], "%s%s", gaps->labels[i].len ? ", " : "", label);
}

static void draw_gaps(struct rl_report *report, struct gaps *gaps)
{
    struct rl_para para = RL_PARA_INIT;
    for (size_t i = 0; i < gaps->count; i++) {
        rl_para_addf(report->layout, &para, RL_STYLE_NOTE, "%s%s (%s)%s", i ? "; " : "No value: ", gaps->labels[i].data,
                     gaps->reason[i], i + 1 < gaps->count ? "" : ".");
        rl_buf_release(&gaps->labels[i]);
    }
    para.max_lines = 6;
    if (gaps->count > 0)
        rl_layout_para(report->layout, &para);
    rl_para_release(&para);
}

/* ---- one block ---- */

struct block {
    const struct rl_kernel *kernel;
    const struct rl_kernel_result *result;
    struct rl_spot spot;
    const struct rl_family *row; /* what the spot is of: the kernel, or the family that it stands for (figures not NULL) */
    size_t number;               /* from 1 */
    double share;                /* of the time of all kernels of this GPU */
    struct gaps gaps;
};

/* A list of names and values; nothing is drawn when it is empty. */
struct list {
    struct rl_grid grid;
    struct rl_report *report;
    struct block *block;
};

static struct list list_begin(struct rl_report *report, struct block *block)
{
    struct list list = {.report = report, .block = block};
    rl_grid_init(&list.grid, report->layout);
    list.grid.plain = true;
    rl_grid_add_column(&list.grid, "", "", RL_GRID_LEFT)->whole = true;
    rl_grid_add_column(&list.grid, "", "", RL_GRID_RIGHT);
    return list;
}

static void list_end(struct list *list)
{
    rl_grid_lay(&list->grid);
    rl_grid_release(&list->grid);
}

/* `target`: what explains the label. */
static void list_link(struct list *list, const char *label, size_t target, const char *text)
{
    rl_grid_row(&list->grid);
    rl_grid_cell(&list->grid, RL_STYLE_CELL_QUIET, label)->target = target;
    rl_grid_cell(&list->grid, RL_STYLE_CELL, text);
}

static void list_text(struct list *list, const char *label, const char *text)
{
    list_link(list, label, RL_NO_TARGET, text);
}

static void list_metric(struct list *list, enum rl_metric metric, struct rl_value value)
{
    const struct rl_metric_info *info = &rl_metrics[metric];
    if (rl_present(value))
        list_link(list, info->label, rl_metric_target(list->report, metric), rl_words_value(list->report, info->unit, value, 3));
    else
        note_gap(&list->block->gaps, info->label, value.reason);
}

static void list_metrics(struct list *list, const enum rl_metric *metrics, size_t count)
{
    for (size_t i = 0; i < count; i++)
        list_metric(list, metrics[i], rl_spot_metric(list->report, &list->block->spot, metrics[i]));
}

/* ---- its lists ---- */

/* "29.46 ms (29.31–29.50)"; an interval that takes more digits than there is room for as "29.46 ms (±0.002 %)". */
static const char *time_text(struct rl_report *report, const struct rl_stats *duration)
{
    enum { ROOM = 11 };
    static const double least = 1e-5;
    struct rl_scale scale = rl_unit_scale(RL_UNIT_SECOND, duration->median);
    const char *interval = rl_words_interval(report, duration->low, duration->high, duration->has_interval, scale.factor, 4);
    const char *median = rl_words_value(report, RL_UNIT_SECOND, rl_value_of(duration->median), 4);
    const double half = duration->median > 0 ? (duration->high - duration->low) / 2 / duration->median : NAN;
    if (!interval[0])
        return median;
    const bool apart = strcmp(interval, rl_words_value(report, RL_UNIT_NONE, rl_value_of(duration->low * scale.factor), 4)) != 0;
    if (apart && rl_utf8_width(interval, strlen(interval)) <= ROOM)
        return rl_words(report, "%s (%s)", median, interval);
    return rl_words(report, "%s (±%s%s)", median, half < least ? "<" : "",
                    rl_words_value(report, RL_UNIT_FRACTION, rl_value_of(fmax(half, least)), 1));
}

static bool tiny(struct rl_value share)
{
    return rl_present(share) && share.v > 0 && share.v < 0.0005;
}

static const char *share_text(struct rl_report *report, struct rl_value share)
{
    return tiny(share) ? "<0.1\xC2\xA0%" : rl_words_value(report, RL_UNIT_FRACTION, share, 3);
}

/* "~24.6 ms, 28.5 %": what all launches took. */
static const char *session_text(struct rl_report *report, const struct block *block, double total_s)
{
    return rl_words(report, "%s%s, %s", rl_time_state_sign(block->row->time.state),
                    rl_words_value(report, RL_UNIT_SECOND, rl_value_of(total_s), 3),
                    rl_words_value(report, RL_UNIT_FRACTION, rl_value_of(block->share), 3));
}

static void draw_place(struct rl_report *report, struct block *block)
{
    static const enum rl_metric metrics[] = {RL_METRIC_flop_per_second, RL_METRIC_intensity_dram};
    struct list list = list_begin(report, block);
    const struct rl_family_figures *figures = block->row->figures;
    double total = (figures ? block->row->time.ns : rl_kernel_total_ns(report, block->result->kernel)) * 1e-9;
    if (figures && rl_present(figures->median_s))
        list_text(&list, "median time", rl_words_value(report, RL_UNIT_SECOND, figures->median_s, 4));
    else if (rl_present(block->spot.time_s))
        list_text(&list, "median time", time_text(report, &block->result->duration));
    else
        note_gap(&block->gaps, "time", block->spot.time_s.reason);
    if (total > 0)
        list_text(&list, "in the session", session_text(report, block, total));
    list_metrics(&list, metrics, RL_COUNT(metrics));
    struct rl_value share = rl_present(block->spot.time_s) ? block->spot.roof_share : block->spot.time_s;
    if (rl_present(share)) {
        list_text(&list, "share of its roof", share_text(report, share));
        list_text(&list, "bound", rl_bound_name(block->spot.bound));
    } else {
        note_gap(&block->gaps, "place on the roofline", share.reason);
    }
    list_end(&list);
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
            list_text(list, left == occupancy->limiters ? "limited by" : "and by", rl_words(list->report, "%s", text.data));
        rl_buf_release(&text);
    }
}

static void draw_occupancy(struct rl_report *report, struct block *block)
{
    static const enum rl_metric metrics[] = {RL_METRIC_achieved_occupancy, RL_METRIC_issue_active,
                                             RL_METRIC_warp_execution_efficiency, RL_METRIC_branch_efficiency};
    const struct rl_occupancy *occupancy = &block->result->occupancy;
    struct list list = list_begin(report, block);
    const struct rl_value printed = rl_spot_metric(report, &block->spot, RL_METRIC_theoretical_occupancy);
    const bool own = !block->row->figures || block->row->figures->one_block;                  /* otherwise shapes differ in it */
    const bool calculated = own && (rl_present(occupancy->fraction) || !rl_present(printed)); /* or what an imported table says */
    list_metric(&list, RL_METRIC_theoretical_occupancy, calculated ? occupancy->fraction : printed);
    if (own)
        list_limiters(&list, occupancy);
    list_metrics(&list, metrics, RL_COUNT(metrics));
    list_end(&list);
}

static void draw_access(struct rl_report *report, struct block *block, bool left)
{
    static const enum rl_metric global[] = {RL_METRIC_sectors_per_request_load, RL_METRIC_sectors_per_request_store,
                                            RL_METRIC_load_efficiency, RL_METRIC_store_efficiency};
    static const enum rl_metric others[] = {RL_METRIC_shared_conflict_ways, RL_METRIC_spill_bytes, RL_METRIC_spill_share,
                                            RL_METRIC_instructions};
    struct list list = list_begin(report, block);
    list_metrics(&list, left ? global : others, left ? RL_COUNT(global) : RL_COUNT(others));
    list_end(&list);
}

/* Two lists side by side, and what follows below the longer one. */
static void draw_beside(struct rl_report *report, struct block *block, void (*left)(struct rl_report *, struct block *),
                        void (*right)(struct rl_report *, struct block *))
{
    struct rl_layout *layout = report->layout;
    double top = rl_layout_y(layout);
    rl_layout_set_frame(layout, rl_layout_columns(layout, 0, FIGURE_COLUMNS / 2));
    left(report, block);
    double lowest = rl_layout_y(layout);
    rl_layout_set_y(layout, top);
    rl_layout_set_frame(layout, rl_layout_columns(layout, FIGURE_COLUMNS / 2, FIGURE_COLUMNS / 2));
    right(report, block);
    rl_layout_set_y(layout, fmin(lowest, rl_layout_y(layout)));
    rl_layout_set_frame(layout, rl_layout_columns(layout, 0, FIGURE_COLUMNS));
    rl_layout_skip(layout, LIST_GAP);
}

static void draw_global(struct rl_report *report, struct block *block)
{
    draw_access(report, block, true);
}
static void draw_others(struct rl_report *report, struct block *block)
{
    draw_access(report, block, false);
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
static struct rl_value rate_of(struct rl_report *report, const struct block *block, const struct level *level)
{
    if (level->rate != RL_METRIC_COUNT)
        return rl_spot_metric(report, &block->spot, level->rate);
    return rl_value_div(rl_spot_metric(report, &block->spot, level->bytes), rl_spot_rate_time(report, &block->spot), "no duration");
}

static void add_figure(struct rl_report *report, struct rl_grid *grid, enum rl_unit unit, struct rl_value value)
{
    if (rl_present(value))
        rl_grid_cell(grid, RL_STYLE_CELL, rl_words_value(report, unit, value, 3));
    else
        rl_grid_cell(grid, RL_STYLE_CELL_QUIET, "\xE2\x80\x93");
}

static void add_metric(struct rl_report *report, struct rl_grid *grid, const struct block *block, enum rl_metric metric)
{
    if (metric == RL_METRIC_COUNT)
        rl_grid_cell(grid, RL_STYLE_CELL, "");
    else
        add_figure(report, grid, rl_metrics[metric].unit, rl_spot_metric(report, &block->spot, metric));
}

static void add_level(struct rl_report *report, struct rl_grid *grid, const struct block *block, const struct level *level)
{
    const struct rl_ceiling *ceiling = &report->analysis->gpus[block->kernel->gpu].ceiling[level->ceiling];
    struct rl_value rate = rate_of(report, block, level), share = rl_value_div(rate, rl_ceiling_figure(ceiling), "no ceiling");
    rl_grid_row(grid);
    rl_grid_cell(grid, RL_STYLE_CELL, level->name);
    add_metric(report, grid, block, level->bytes);
    add_figure(report, grid, RL_UNIT_BYTE_PER_SECOND, rate);
    if (tiny(share))
        rl_grid_cell(grid, RL_STYLE_CELL, share_text(report, share));
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

static void draw_levels(struct rl_report *report, struct block *block)
{
    struct rl_grid grid;
    bool any = false;
    for (size_t i = 0; i < RL_COUNT(levels); i++) {
        struct rl_value bytes = rl_spot_metric(report, &block->spot, levels[i].bytes), rate = rate_of(report, block, &levels[i]);
        any |= rl_present(bytes) || rl_present(rate);
        if (!rl_present(bytes))
            note_gap(&block->gaps, rl_metrics[levels[i].bytes].label, bytes.reason);
        else if (rate.state == RL_DISAGREES)
            note_gap(&block->gaps, rl_words(report, "%s throughput", levels[i].name), rate.reason);
    }
    if (!any)
        return;
    rl_grid_init(&grid, report->layout);
    rl_grid_add_column(&grid, "level", "", RL_GRID_LEFT)->whole = true;
    rl_grid_add_column(&grid, "traffic", "", RL_GRID_RIGHT);
    rl_grid_add_column(&grid, "throughput", "", RL_GRID_RIGHT);
    rl_grid_add_column(&grid, "of its ceiling", "", RL_GRID_RIGHT)->share_width = 30;
    rl_grid_add_column(&grid, "hit rate", "", RL_GRID_RIGHT);
    rl_grid_add_column(&grid, "intensity", "", RL_GRID_RIGHT);
    for (size_t i = 0; i < RL_COUNT(levels); i++)
        add_level(report, &grid, block, &levels[i]);
    rl_grid_lay(&grid);
    rl_grid_release(&grid);
    rl_layout_skip(report->layout, LIST_GAP);
}

/* ---- stalls, when another tool counted them ---- */

/* How reasons for stalls are called. One row adds a form: what stands before and behind the reason, and the value's unit. */
static const struct {
    const char *before, *behind;
    enum rl_unit unit;
    const char *what;
} stall_names[] = {
    {"smsp__average_warps_issue_stalled_", "_per_issue_active.ratio", RL_UNIT_NONE, "warps stalled for each instruction issued"},
    {"smsp__average_warp_latency_issue_stalled_", ".ratio", RL_UNIT_NONE, "cycles stalled for each warp instruction"},
    {"stall_", "", RL_UNIT_NONE, "as nvprof prints them"},
};

struct stall {
    size_t form;
    const char *reason;
    int len;
    double value;
};

static bool read_stall(const struct rl_counter *counter, struct stall *stall)
{
    for (size_t i = 0; i < RL_COUNT(stall_names) && rl_present(counter->value) && counter->value.v > 0; i++) {
        size_t before = strlen(stall_names[i].before), behind = strlen(stall_names[i].behind), len = strlen(counter->name);
        if (len <= before + behind || strncmp(counter->name, stall_names[i].before, before) != 0 ||
            strcmp(counter->name + len - behind, stall_names[i].behind) != 0)
            continue;
        *stall = (struct stall){i, counter->name + before, (int)(len - before - behind), counter->value.v};
        return true;
    }
    return false;
}

/* The greatest ones of the first form that occurs, in order. */
static size_t find_stalls(const struct rl_kernel *kernel, struct stall *stalls)
{
    size_t count = 0;
    for (size_t i = 0; i < kernel->counter_count; i++) {
        struct stall stall;
        if (!read_stall(&kernel->counters[i], &stall) || (count > 0 && stall.form != stalls[0].form))
            continue;
        size_t at = count < MOST_STALLS ? count++ : MOST_STALLS;
        for (; at > 0 && stalls[at - 1].value < stall.value; at--)
            if (at < MOST_STALLS)
                stalls[at] = stalls[at - 1];
        if (at < MOST_STALLS)
            stalls[at] = stall;
    }
    return count;
}

static void draw_stalls(struct rl_report *report, const struct block *block)
{
    struct stall stalls[MOST_STALLS];
    size_t count = find_stalls(block->kernel, stalls);
    struct rl_para para = RL_PARA_INIT;
    if (count == 0)
        return;
    rl_para_add(report->layout, &para, RL_STYLE_NOTE_STRONG, "Stalls ");
    rl_para_addf(report->layout, &para, RL_STYLE_NOTE, "(%s): ", stall_names[stalls[0].form].what);
    for (size_t i = 0; i < count; i++) {
        char *reason = rl_arena_strndup(report->arena, stalls[i].reason, (size_t)stalls[i].len);
        for (char *p = reason; *p; p++)
            *p = *p == '_' ? ' ' : *p;
        rl_para_addf(report->layout, &para, RL_STYLE_NOTE_INK, "%s%s %s", i ? ", " : "", rl_words_short(report, reason, 40),
                     rl_words_value(report, stall_names[stalls[i].form].unit, rl_value_of(stalls[i].value), 3));
    }
    rl_layout_para(report->layout, &para);
    rl_layout_skip(report->layout, 3);
    rl_para_release(&para);
}

/* ---- words ---- */

static void draw_finding(struct rl_report *report, const struct rl_finding *finding, const char *of)
{
    struct rl_para para = RL_PARA_INIT;
    rl_para_addf(report->layout, &para, RL_STYLE_NOTE_STRONG, "%s%s: ", rl_rules[finding->rule].title, of);
    rl_para_add(report->layout, &para, RL_STYLE_NOTE_INK, finding->text);
    if (rl_present(finding->gain) && finding->gain.v < MOST_GAIN)
        rl_para_addf(report->layout, &para, RL_STYLE_NOTE, " Up to %s times as fast by this alone.",
                     rl_words_value(report, RL_UNIT_NONE, finding->gain, 2));
    para.max_lines = 4;
    rl_layout_item(report->layout, RL_MARK_ATTENTION, &para);
    rl_para_release(&para);
}

/* Draws the first few, and returns how many there are. */
static size_t draw_found(struct rl_report *report, const struct block *block)
{
    const struct rl_kernel_result *result = block->result;
    size_t count = 0;
    if (!block->row->figures) {
        for (; count < result->finding_count && count < MOST_FINDINGS; count++)
            draw_finding(report, &result->findings[count], "");
        return result->finding_count;
    }
    const size_t *found, all = rl_group(&report->ranked_of_row, (size_t)(block->row - report->families->at), &found);
    for (; count < all && count < MOST_FINDINGS; count++) {
        const struct rl_ranked_finding *ranked = &report->ranked[found[count]];
        draw_finding(report, ranked->finding,
                     rl_words(report, " (%s, %s)", rl_words_count(report, ranked->shapes, "shape", "shapes"),
                              rl_words_short(report, report->analysis->kernels[ranked->kernel].label, 40)));
    }
    return all;
}

static void draw_findings(struct rl_report *report, const struct block *block)
{
    const size_t found = draw_found(report, block);
    const char *advice = block->spot.shows && !block->row->figures ? rl_whatif_advice(report, block->result->kernel) : "";
    if (found > MOST_FINDINGS)
        rl_layout_textf(report->layout, RL_STYLE_NOTE, "%zu more: see rooflight show.", found - MOST_FINDINGS);
    if (advice[0]) {
        struct rl_para para = RL_PARA_INIT;
        rl_para_add(report->layout, &para, RL_STYLE_NOTE_INK, advice);
        rl_layout_item(report->layout, RL_MARK_QUIET, &para);
        rl_para_release(&para);
    }
    if (block->spot.above_roof)
        rl_layout_textf(report->layout, RL_STYLE_NOTE, "Above its roof: %s.", block->spot.above_roof);
}

/* "block 256 × 1 × 1"; a shape of no threads is one that is not known. */
static const char *shape_text(struct rl_report *report, const char *what, const uint32_t shape[3])
{
    return shape[0] ? rl_words(report, "%s %u × %u × %u", what, shape[0], shape[1], shape[2])
                    : rl_words(report, "%s not known", what);
}

static const char *shared_text(struct rl_report *report, const struct rl_kernel *k)
{
    const struct rl_value shared = k->static_shared_bytes;
    const double bytes = (rl_present(shared) ? shared.v : 0) + (double)k->dynamic_shared_bytes;
    if (!rl_present(shared) && bytes == 0 && k->grid[0] == 0)
        return "shared memory not known";
    return rl_words(report, "%s shared memory%s", rl_words_value(report, RL_UNIT_BYTE, rl_value_of(bytes), 4),
                    rl_present(shared) ? "" : " (dynamic; static not known)");
}

static const char *launch_text(struct rl_report *report, const struct block *block)
{
    const struct rl_kernel *k = block->kernel;
    const char *registers =
        rl_present(k->registers_per_thread)
            ? rl_words(report, "%s registers", rl_words_value(report, RL_UNIT_COUNT, k->registers_per_thread, 3))
            : "registers not known";
    return rl_words(report, "%s · %s · %s · %s · %s", shape_text(report, "grid", k->grid), shape_text(report, "block", k->block),
                    registers, shared_text(report, k), rl_words_count(report, (size_t)k->launches, "launch", "launches"));
}

/* "Roofline" and the experiment as links, with the pages they are on. */
#define LINK_ROOM   76.0 /* "roofline: page 12" */
#define LINKS_WIDER 14.0 /* "experiment: page 12" is wider */
enum { LABEL_COLUMNS = 90 };

/* At the right end of the head; returns the room that they take. */
static double draw_links(struct rl_report *report, const struct block *block)
{
    size_t gpu = block->kernel->gpu;
    size_t roofline = rl_gpu_target(report, rl_report_short(report) ? RL_PAGE_cover : RL_PAGE_roofline, gpu),
           experiment = RL_NO_TARGET;
    if (block->kernel->variant != RL_NONE)
        experiment = rl_experiment_target(report, report->capture->variants[block->kernel->variant].experiment, gpu);
    struct rl_frame frame = rl_layout_columns(report->layout, 0, 12);
    double baseline = rl_layout_line(report->layout, RL_STYLE_SUBSECTION), x = frame.x + frame.width;
    if (roofline != RL_NO_TARGET)
        rl_layout_page_number(report->layout, RL_SIDE_RIGHT, x, baseline, RL_STYLE_SIDE, "roofline: page ", roofline);
    if (experiment != RL_NO_TARGET)
        rl_layout_page_number(report->layout, RL_SIDE_RIGHT, x - LINK_ROOM, baseline, RL_STYLE_SIDE, "experiment: page ",
                              experiment);
    return LINK_ROOM + (experiment != RL_NO_TARGET ? LINK_ROOM + LINKS_WIDER : 0);
}

static void draw_head(struct rl_report *report, const struct rl_section *section, const struct block *block)
{
    struct rl_layout *layout = report->layout;
    struct rl_para name = RL_PARA_INIT;
    const char *title = rl_words(report, "%zu  %s", block->number, rl_family_label(report, block->row, LABEL_COLUMNS));
    rl_layout_bookmark(layout, section->bookmark, title);
    rl_layout_bind(layout, rl_kernel_target(report, block->result->kernel));
    const struct rl_frame frame = rl_layout_columns(layout, 0, 12);
    rl_layout_label(layout, RL_SIDE_LEFT, frame.x, rl_layout_line(layout, RL_STYLE_SUBSECTION),
                    frame.width - draw_links(report, block), RL_STYLE_SUBSECTION, title);
    rl_layout_set_y(layout, rl_layout_y(layout) - rl_styles[RL_STYLE_SUBSECTION].leading);
    rl_layout_set_frame(layout, frame);
    size_t target = rl_name_target(report, block->result->kernel);
    rl_para_link(layout, &name, RL_STYLE_NAME_QUIET, rl_words_short(report, block->kernel->name, RL_NAME_COLUMNS), target);
    name.max_lines = 1;
    rl_layout_para(layout, &name);
    rl_layout_text(layout, RL_STYLE_NOTE,
                   block->row->figures ? rl_family_launch_text(report, block->row) : launch_text(report, block));
    rl_layout_skip(layout, 3);
    rl_para_release(&name);
}

#define BLOCK_HEAD 60.0
#define OWN_PAGE   1e4 /* nothing stands before it */

static void draw_block(struct rl_report *report, const struct rl_section *section, struct block *block)
{
    struct rl_layout *layout = report->layout;
    size_t charts = report->whatif[block->result->kernel];
    rl_layout_need(layout, BLOCK_HEAD + rl_whatif_height());
    draw_head(report, section, block);
    double top = rl_layout_y(layout), lowest = top;
    if (charts != RL_NONE) {
        rl_layout_set_frame(layout, rl_layout_columns(layout, FIGURE_COLUMNS, 12 - FIGURE_COLUMNS));
        (block->row->figures ? rl_family_chart_draw : rl_whatif_draw)(report, section, charts);
        lowest = rl_layout_y(layout);
        rl_layout_set_y(layout, top);
    }
    rl_layout_set_frame(layout, rl_layout_columns(layout, 0, FIGURE_COLUMNS));
    if (block->spot.wrong)
        rl_layout_text(layout, RL_STYLE_STRONG, "WRONG result: no performance is shown.");
    draw_beside(report, block, draw_place, draw_occupancy);
    draw_levels(report, block);
    draw_beside(report, block, draw_global, draw_others);
    double left = rl_layout_y(layout);
    rl_layout_set_y(layout, fmin(left, lowest));
    rl_layout_set_frame(layout, rl_layout_columns(layout, 0, 12));
    if (block->row->figures) {
        rl_family_draw(report, block->row);
    } else {
        rl_kernel_sets_draw(report, &block->spot);
        draw_stalls(report, block);
    }
    draw_findings(report, block);
    draw_gaps(report, &block->gaps);
    rl_kernel_charts_draw(report, section, block->result->kernel, &report->kernel_charts[block->result->kernel]);
    rl_layout_skip(layout, BLOCK_GAP);
}

/* ---- the section ---- */

static size_t gpu_of(const struct rl_report *report, const struct rl_section *section)
{
    return rl_page_gpu(report, section->id, section->instance);
}

static void plan(struct rl_report *report, struct rl_section *section)
{
    size_t count = report->capture->kernel_count;
    const struct rl_kernel_blocks *blocks = rl_kernel_blocks_of(report, gpu_of(report, section));
    if (!report->kernel_targets) {
        report->kernel_targets = rl_arena_alloc(report->arena, (count + 1) * sizeof *report->kernel_targets);
        report->whatif = rl_arena_alloc(report->arena, (count + 1) * sizeof *report->whatif);
        report->kernel_charts = rl_arena_alloc(report->arena, (count + 1) * sizeof *report->kernel_charts);
        for (size_t i = 0; i < count; i++)
            report->kernel_targets[i] = report->whatif[i] = RL_NONE;
    }
    double width = rl_layout_columns(report->layout, FIGURE_COLUMNS, 12 - FIGURE_COLUMNS).width;
    for (size_t i = 0; i < blocks->shown; i++) {
        const struct rl_family *row = blocks->family[i];
        size_t kernel = blocks->at[i], target = rl_layout_target(report->layout);
        for (size_t k = 0; k < row->shapes; k++)
            report->kernel_targets[row->classes[k].kernel] = target;
        report->whatif[kernel] =
            row->figures ? rl_family_chart_plan(report, section, row, width) : rl_whatif_plan(report, section, kernel, width);
        report->kernel_charts[kernel] = rl_kernel_charts_plan(report, section, gpu_of(report, section), i);
    }
}

/* Which of them are here. */
static const char *extent_text(struct rl_report *report, const struct rl_kernel_blocks *blocks)
{
    const char *all =
        blocks->count < blocks->classes
            ? rl_words(report, "%s (%zu classes)", rl_words_count(report, blocks->count, "kernel", "kernels"), blocks->classes)
            : rl_words_count(report, blocks->count, "kernel class", "kernel classes");
    if (blocks->shown == blocks->count)
        return rl_words(report, "%s, in the order of the time spent in each.", all);
    const char *share =
        blocks->total_ns > 0
            ? rl_words(report, ", which took %s of the time of all",
                       rl_words_value(report, RL_UNIT_FRACTION, rl_value_of(blocks->shown_ns / blocks->total_ns), 3))
            : "";
    return rl_words(report, "The %zu of %s in which most time was spent%s (--top chooses how many).", blocks->shown, all, share);
}

/* Whether it has charts below its block, which fill the rest of a page. */
static bool has_charts(const struct rl_report *report, size_t kernel)
{
    return report->kernel_charts[kernel].levels != RL_NONE || report->kernel_charts[kernel].times != RL_NONE;
}

static void draw(struct rl_report *report, struct rl_section *section)
{
    const struct rl_kernel_blocks *blocks = rl_kernel_blocks_of(report, gpu_of(report, section));
    if (blocks->pages > 0 && has_charts(report, blocks->at[0])) /* also where it goes on in the middle of a page */
        rl_layout_need(report->layout, OWN_PAGE);
    rl_page_heading(report, section, gpu_of(report, section));
    if (blocks->count > 1)
        rl_layout_text(report->layout, RL_STYLE_BODY, extent_text(report, blocks));
    rl_layout_skip(report->layout, blocks->count > 1 ? 8 : 2);
    for (size_t i = 0; i < blocks->shown; i++) {
        const struct rl_kernel_result *result = &report->analysis->kernels[blocks->at[i]];
        const struct rl_family *row = blocks->family[i];
        double ns = row->figures ? row->time.ns : rl_kernel_total_ns(report, blocks->at[i]);
        if (i > 0 && (has_charts(report, blocks->at[i]) || has_charts(report, blocks->at[i - 1])))
            rl_layout_need(report->layout, OWN_PAGE);
        struct block block = {.kernel = &report->capture->kernels[blocks->at[i]],
                              .result = result,
                              .spot = rl_spot_of_family(report, row),
                              .row = row,
                              .number = i + 1,
                              .share = blocks->total_ns > 0 ? ns / blocks->total_ns : 0};
        draw_block(report, section, &block);
    }
}

const struct rl_page rl_page_kernels = {.plan = plan, .draw = draw, .room = 360};
