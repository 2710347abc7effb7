/* compare_changes.c - before and after: the page that says it, every kernel with its interval, the roofline with arrows, causes. */
#include <math.h>
#include <string.h>

#include "compare_doc.h"
#include "core/mem.h"
#include "roofs.h"

enum { MOST_ON_COVER = 34, ROWS_OF_CHART = 50, MOST_CHARTS = 3, MOST_ROWS = 400, MOST_ARROWS = 16, MOST_CAUSES = 40 };

/* ---- the chart of ratios ---- */

/* With an asterisk where the work is not equal. */
static const char *label_of(struct rl_document *doc, const struct rl_comparison *comparison, const struct rl_pair *pair)
{
    return rl_words(doc, "%s%s", rl_compare_words_label(doc, &comparison->base.items[pair->base]),
                    pair->work == RL_WORK_UNEQUAL ? " *" : "");
}

static struct rl_chart_interval row_of(struct rl_document *doc, const struct rl_comparison *comparison, const struct rl_pair *pair)
{
    const struct rl_ratio *time = &pair->change.time;
    const bool drawn = time->present && !pair->not_compared;
    return (struct rl_chart_interval){
        .label = label_of(doc, comparison, pair),
        .value = drawn ? time->estimate : NAN,
        .low = drawn && time->has_interval ? time->low : NAN,
        .high = drawn && time->has_interval ? time->high : NAN,
        .expected = NAN,
        .tone = rl_compare_tone(pair->change.verdict),
        .hollow = pair->change.verdict == RL_UNDECIDED,
        .strong = pair->change.verdict == RL_FASTER || pair->change.verdict == RL_SLOWER,
        .note = pair->broke ? "WRONG"
                : drawn     ? rl_words(doc, "%s  %s", rl_compare_words_change(doc, time), rl_verdict_name(pair->change.verdict))
                            : "–",
    };
}

/* Pairs `first` to `first + count` of the ranking, against the band of what does not matter. */
static void add_ratios(struct rl_document *doc, struct rl_section *section, size_t first, size_t count)
{
    const struct rl_comparison *comparison = rl_compare_of(doc, section);
    struct rl_chart_interval *rows = rl_arena_alloc(doc->arena, (count + 1) * sizeof *rows);
    struct rl_chart_reference *same = rl_arena_alloc(doc->arena, sizeof *same);
    double lowest = 1, highest = 1;
    for (size_t i = 0; i < count; i++) {
        rows[i] = row_of(doc, comparison, rl_compare_pair(doc, section, first + i));
        lowest = fmin(lowest, isfinite(rows[i].low) ? rows[i].low : rows[i].value);
        highest = fmax(highest, isfinite(rows[i].high) ? rows[i].high : rows[i].value);
    }
    *same = (struct rl_chart_reference){1, true, NULL};
    struct rl_chart *chart = rl_document_chart(doc, section, RL_CHART_INTERVALS);
    chart->intervals = (struct rl_chart_intervals){.unit = RL_UNIT_NONE,
                                                   .log = highest / lowest > 5,
                                                   .title = "Time, new over base: left of 1 is faster",
                                                   .band_low = 1 - comparison->rules.margin,
                                                   .band_high = 1 + comparison->rules.margin,
                                                   .rows = rows,
                                                   .row_count = count,
                                                   .references = same,
                                                   .reference_count = 1};
}

static const char ratio_caption[] =
    "Ratio of the median times with the interval that decides: SAME lies wholly within the shaded band, FASTER and SLOWER wholly "
    "beyond the smallest effect that matters; hollow marks are undecided. An asterisk: the work is not equal.";

/* ---- the page that says it ---- */

static size_t cover_rows(const struct rl_comparison *comparison)
{
    return comparison->pair_count < MOST_ON_COVER ? comparison->pair_count : MOST_ON_COVER;
}

static void plan_changes(struct rl_document *doc, struct rl_section *section)
{
    const size_t rows = cover_rows(rl_compare_of(doc, section));
    if (rows)
        add_ratios(doc, section, 0, rows);
}

/* " 17 others do unequal work and are counted apart: 12 slower, 5 undecided." */
static const char *apart_text(struct rl_document *doc, const struct rl_comparison *comparison)
{
    static const struct {
        enum rl_verdict verdict;
        const char *words;
    } order[] = {{RL_SLOWER, "slower"}, {RL_FASTER, "faster"}, {RL_SAME, "the same"}, {RL_UNDECIDED, "undecided"}};
    const size_t count = rl_comparison_count(comparison, true);
    const char *text = count == 1 ? " One other does unequal work and is counted apart:"
                                  : rl_words(doc, " %zu others do unequal work and are counted apart:", count);
    const char *before = "";
    if (count == 0)
        return "";
    for (size_t i = 0; i < RL_COUNT(order); i++)
        if (comparison->unequal[order[i].verdict]) {
            text = rl_words(doc, "%s%s %zu %s", text, before, comparison->unequal[order[i].verdict], order[i].words);
            before = ",";
        }
    return rl_words(doc, "%s.", text);
}

static const char *like_text(struct rl_document *doc, const struct rl_comparison *comparison)
{
    const size_t faster = comparison->verdicts[RL_FASTER], slower = comparison->verdicts[RL_SLOWER];
    const size_t compared = rl_comparison_count(comparison, false);
    if (compared == 0)
        return "No kernel does the same work in both captures.";
    if (comparison->broken_count)
        return rl_words(doc, "%s the wrong thing now. Of %zu others, %zu became slower and %zu faster.",
                        rl_words_count(doc, comparison->broken_count, "kernel computes", "kernels compute"), compared, slower,
                        faster);
    if (slower + faster == 0)
        return rl_words(doc, "Of %s, none is shown to be faster or slower: %zu are the same, %zu are undecided.",
                        rl_words_count(doc, compared, "kernel", "kernels"), comparison->verdicts[RL_SAME],
                        comparison->verdicts[RL_UNDECIDED]);
    return rl_words(doc, "Of %s, %zu became faster and %zu slower by more than %s.",
                    rl_words_count(doc, compared, "kernel", "kernels"), faster, slower,
                    rl_words_value(doc, RL_UNIT_FRACTION, rl_value_of(comparison->rules.smallest_effect), 2));
}

static const char *answer(struct rl_document *doc, const struct rl_comparison *comparison)
{
    if (comparison->pair_count == 0)
        return "The captures have no kernel in common.";
    return rl_words(doc, "%s%s", like_text(doc, comparison), apart_text(doc, comparison));
}

/* The answer of the gate, then what is not as it has it, each by name. */
static void lay_gate(struct rl_document *doc, const struct rl_gate *gate)
{
    enum { MOST = 8 };
    struct rl_buf text = RL_BUF_INIT;
    size_t said = 0, all = 0;
    rl_gate_text(gate, &text);
    rl_layout_text(doc->layout, RL_STYLE_STRONG, rl_words(doc, "Gate %s", text.data));
    rl_buf_release(&text);
    for (size_t i = 0; i < gate->count; i++)
        for (size_t j = 0; j < gate->answers[i].count && gate->answers[i].state != RL_GATE_HOLDS; j++) {
            const struct rl_gate_breach *breach = &gate->answers[i].breaches[j];
            if (said < MOST)
                rl_layout_textf(doc->layout, RL_STYLE_QUIET, "%s: %s: %s", rl_gate_conditions[breach->condition].id,
                                rl_words_short(doc, breach->label, 60), breach->text);
            said += said < MOST;
            all++;
        }
    if (all > said)
        rl_layout_textf(doc->layout, RL_STYLE_QUIET, "and %zu more", all - said);
}

static void lay_counts(struct rl_document *doc, const struct rl_comparison *comparison)
{
    static const enum rl_verdict order[] = {RL_SLOWER, RL_FASTER, RL_SAME, RL_UNDECIDED};
    const size_t unequal = rl_comparison_count(comparison, true);
    struct rl_compare_figure figures[RL_COUNT(order) + 1];
    for (size_t i = 0; i < RL_COUNT(order); i++)
        figures[i] = (struct rl_compare_figure){rl_words(doc, "%zu", comparison->verdicts[order[i]]), rl_verdict_name(order[i])};
    figures[RL_COUNT(order)] = (struct rl_compare_figure){rl_words(doc, "%zu", unequal), "of unequal work"};
    rl_compare_lay_figures(doc, figures, RL_COUNT(order) + (unequal > 0));
}

static void draw_changes(struct rl_document *doc, struct rl_section *section)
{
    const struct rl_comparison *comparison = rl_compare_of(doc, section);
    const struct rl_capture *base = comparison->base.analysis->capture;
    rl_layout_text(doc->layout, RL_STYLE_DISPLAY,
                   base->gpu_count
                       ? rl_words(doc, "%s, before and after", rl_words_short(doc, rl_card_short(base->gpus[0].name), 40))
                       : "Before and after");
    rl_layout_textf(doc->layout, RL_STYLE_QUIET, "%s against %s",
                    rl_words_short(doc, rl_compare_what(doc)->parts[rl_compare_part(section)].name, 70),
                    rl_words_short(doc, rl_compare_what(doc)->parts[0].name, 70));
    rl_layout_skip(doc->layout, 10);
    rl_layout_text(doc->layout, RL_STYLE_LEAD, answer(doc, comparison));
    rl_layout_skip(doc->layout, 10);
    lay_counts(doc, comparison);
    rl_layout_skip(doc->layout, 8);
    rl_compare_lay_notes(doc, comparison);
    if (rl_compare_what(doc)->parts[rl_compare_part(section)].gate)
        lay_gate(doc, rl_compare_what(doc)->parts[rl_compare_part(section)].gate);
    if (section->chart_count) {
        const size_t rows = cover_rows(comparison);
        rl_layout_skip(doc->layout, 8);
        rl_layout_figure(doc->layout, &rl_document_result(doc, section, 0)->drawing, ratio_caption,
                         rows < comparison->pair_count
                             ? rl_words(doc, "The %zu of %zu that changed most.", rows, comparison->pair_count)
                             : NULL);
    }
}

const struct rl_page rl_compare_page_changes = {.plan = plan_changes, .draw = draw_changes, .own_heading = true};

/* ---- every kernel ---- */

static void plan_intervals(struct rl_document *doc, struct rl_section *section)
{
    const size_t count = rl_compare_of(doc, section)->pair_count;
    if (count <= MOST_ON_COVER) /* the first page has them */
        return;
    for (size_t first = 0; first < count && first < (size_t)ROWS_OF_CHART * MOST_CHARTS; first += ROWS_OF_CHART)
        add_ratios(doc, section, first, count - first < ROWS_OF_CHART ? count - first : ROWS_OF_CHART);
}

static void add_pair(struct rl_document *doc, struct rl_grid *grid, const struct rl_comparison *comparison,
                     const struct rl_pair *pair)
{
    const struct rl_median *base = &pair->change.base, *new = &pair->change.new;
    struct rl_buf doubt = RL_BUF_INIT;
    rl_pair_doubt_text(pair, &doubt);
    rl_grid_row(grid);
    rl_grid_cell(grid, RL_STYLE_CELL_NAME, label_of(doc, comparison, pair));
    rl_grid_cell(grid, RL_STYLE_CELL, base->n ? rl_words_value(doc, RL_UNIT_SECOND, rl_value_of(base->median), 4) : "–");
    rl_grid_cell(grid, RL_STYLE_CELL, new->n ? rl_words_value(doc, RL_UNIT_SECOND, rl_value_of(new->median), 4) : "–");
    rl_grid_cell(grid, RL_STYLE_CELL_STRONG, rl_compare_words_change(doc, &pair->change.time));
    rl_grid_cell(grid, RL_STYLE_SIDE, rl_compare_words_interval(doc, &pair->change.time));
    rl_grid_cell(grid, RL_STYLE_CELL, rl_words(doc, "%zu, %zu", base->n, new->n));
    struct rl_grid_cell *verdict = rl_grid_cell(grid, pair->broke ? RL_STYLE_CELL_STRONG : RL_STYLE_CELL,
                                                pair->broke          ? "WRONG"
                                                : pair->not_compared ? "–"
                                                                     : rl_verdict_name(pair->change.verdict));
    verdict->mark = rl_compare_mark(pair);
    verdict->sign = doubt.len ? rl_layout_note(doc->layout, doubt.data) : "";
    rl_buf_release(&doubt);
}

static void draw_intervals(struct rl_document *doc, struct rl_section *section)
{
    static const struct rl_grid_column columns[] = {
        {.head = "kernel"},
        {.head = "base", .align = RL_GRID_RIGHT, .whole = true},
        {.head = "new", .align = RL_GRID_RIGHT, .whole = true},
        {.head = "time", .align = RL_GRID_RIGHT, .whole = true},
        {.head = "interval", .align = RL_GRID_RIGHT, .whole = true},
        {.head = "samples", .align = RL_GRID_RIGHT, .whole = true},
        {.head = "verdict", .whole = true},
    };
    const struct rl_comparison *comparison = rl_compare_of(doc, section);
    struct rl_grid grid;
    for (size_t i = 0; i < section->chart_count; i++)
        rl_layout_figure(doc->layout, &rl_document_result(doc, section, i)->drawing, i ? "As above, continued." : ratio_caption,
                         NULL);
    rl_layout_skip(doc->layout, section->chart_count ? 10 : 0);
    rl_grid_begin(&grid, doc->layout, NULL, columns, RL_COUNT(columns));
    size_t rows = comparison->pair_count < MOST_ROWS ? comparison->pair_count : MOST_ROWS;
    for (size_t i = 0; i < rows; i++)
        add_pair(doc, &grid, comparison, rl_compare_pair(doc, section, i));
    if (rows)
        rl_grid_lay(&grid);
    else
        rl_layout_text(doc->layout, RL_STYLE_BODY, "The captures have no kernel in common.");
    rl_compare_lay_rest(doc, comparison->pair_count - rows);
    rl_grid_release(&grid);
}

const struct rl_page rl_compare_page_intervals = {.plan = plan_intervals, .draw = draw_intervals, .joins = RL_COMPARE_ROWS};

/* ---- roofline with arrows ---- */

static bool on_roofline(const struct rl_item *item)
{
    const struct rl_value x = item->metric[RL_METRIC_intensity_dram], y = item->metric[RL_METRIC_flop_per_second];
    return !item->not_compared && rl_present(x) && rl_present(y) && x.v > 0 && y.v > 0;
}

/* Where something became faster or slower, the rest would only be in the way. */
static bool has_arrow(const struct rl_comparison *comparison, const struct rl_pair *pair)
{
    const bool changed = pair->change.verdict == RL_FASTER || pair->change.verdict == RL_SLOWER;
    if (!changed && comparison->verdicts[RL_FASTER] + comparison->verdicts[RL_SLOWER] > 0)
        return false;
    return !pair->not_compared && on_roofline(&comparison->base.items[pair->base]) &&
           on_roofline(&comparison->new.items[pair->new]);
}

static struct rl_chart_point point_of(struct rl_document *doc, const struct rl_item *item, bool after)
{
    return (struct rl_chart_point){.x = item->metric[RL_METRIC_intensity_dram].v,
                                   .y = item->metric[RL_METRIC_flop_per_second].v,
                                   .low = NAN,
                                   .high = NAN,
                                   .weight = NAN,
                                   .tone = rl_words_tone(item->bound),
                                   .hollow = !after,
                                   .small = !after,
                                   .name = rl_words(doc, "%s %s", rl_compare_words_label(doc, item), after ? "after" : "before"),
                                   .label = after ? rl_compare_words_label(doc, item) : NULL};
}

static void plan_arrows(struct rl_document *doc, struct rl_section *section)
{
    const struct rl_comparison *comparison = rl_compare_of(doc, section);
    struct rl_chart_point *points = rl_arena_alloc(doc->arena, (2 * MOST_ARROWS + 1) * sizeof *points);
    struct rl_chart_arrow *arrows = rl_arena_alloc(doc->arena, (MOST_ARROWS + 1) * sizeof *arrows);
    size_t count = 0;
    for (size_t i = 0; i < comparison->pair_count && count < MOST_ARROWS; i++) {
        const struct rl_pair *pair = rl_compare_pair(doc, section, i);
        if (!has_arrow(comparison, pair))
            continue;
        points[2 * count] = point_of(doc, &comparison->base.items[pair->base], false);
        points[2 * count + 1] = point_of(doc, &comparison->new.items[pair->new], true);
        arrows[count] = (struct rl_chart_arrow){2 * count, 2 * count + 1};
        count++;
    }
    if (count == 0)
        return;
    struct rl_chart_roof *roofs = rl_arena_alloc(doc->arena, RL_MOST_ROOFS * sizeof *roofs);
    const size_t roof_count = rl_roofs_of(doc, comparison->base.analysis, 0, false, roofs);
    struct rl_chart *chart = rl_document_chart(doc, section, RL_CHART_ROOFLINE);
    chart->height = 360;
    chart->roofline = (struct rl_chart_roofline){.roofs = roofs,
                                                 .roof_count = roof_count,
                                                 .points = points,
                                                 .point_count = 2 * count,
                                                 .arrows = arrows,
                                                 .arrow_count = count};
}

static void draw_arrows(struct rl_document *doc, struct rl_section *section)
{
    if (section->chart_count == 0) {
        rl_layout_text(
            doc->layout, RL_STYLE_BODY,
            "No kernel has floating-point operations and DRAM traffic counted on both sides: there is no place for it on a "
            "roofline.");
        return;
    }
    const size_t arrows = doc->charts[section->first_chart].roofline.arrow_count;
    rl_layout_figure(
        doc->layout, &rl_document_result(doc, section, 0)->drawing,
        rl_words(
            doc,
            "From before (small and hollow) to after, for %s. Upwards is a higher rate; to the right, more operations per byte "
            "of DRAM traffic.",
            arrows == 1 ? "the kernel that changed most" : rl_words(doc, "the %zu kernels that changed most", arrows)),
        "Roofs are those of the base. Rates: counted operations over the median time. Kernels without floating-point "
        "operations have no place here.");
}

const struct rl_page rl_compare_page_arrows = {.plan = plan_arrows, .draw = draw_arrows, .joins = RL_COMPARE_ROWS};

/* ---- causes ---- */

static const char *moved_text(struct rl_document *doc, const struct rl_pair *pair, bool explains)
{
    const char *text = "";
    for (size_t i = 0; i < pair->moved_count; i++) {
        const struct rl_moved *moved = &pair->moved[i];
        const struct rl_metric_info *metric = &rl_metrics[moved->metric];
        if (moved->explains != explains)
            continue;
        text = rl_words(doc, "%s%s%s %s to %s", text, *text ? "; " : "", metric->label,
                        rl_words_value(doc, metric->unit, moved->base, 3), rl_words_value(doc, metric->unit, moved->new, 3));
    }
    return *text ? text : "–";
}

/* Counts, before what moved besides: they hold whatever the times are. */
static const char *besides_text(struct rl_document *doc, const struct rl_pair *pair)
{
    const char *moved = moved_text(doc, pair, false);
    struct rl_buf counts = RL_BUF_INIT;
    if (rl_pair_counts_differ(pair))
        rl_pair_counts_text(pair, &counts);
    const char *text = counts.len ? rl_words(doc, "counted: %s; %s", counts.data, moved) : moved;
    rl_buf_release(&counts);
    return text;
}

static bool is_told(const struct rl_pair *pair)
{
    const bool changed = pair->change.verdict == RL_FASTER || pair->change.verdict == RL_SLOWER;
    return !pair->not_compared && (changed || rl_pair_moved_alone(pair) || rl_pair_counts_differ(pair));
}

static void add_cause(struct rl_document *doc, struct rl_grid *grid, const struct rl_comparison *comparison,
                      const struct rl_pair *pair)
{
    const struct rl_item *base = &comparison->base.items[pair->base], *new = &comparison->new.items[pair->new];
    const char *bound = base->bound == new->bound
                            ? rl_bound_name(base->bound)
                            : rl_words(doc, "%s to %s", rl_bound_name(base->bound), rl_bound_name(new->bound));
    const char *explained = moved_text(doc, pair, true);
    rl_grid_group(grid);
    rl_grid_cell(grid, RL_STYLE_CELL_NAME, rl_compare_words_label(doc, base));
    rl_grid_cell(grid, RL_STYLE_CELL_STRONG, rl_compare_words_change(doc, &pair->change.time))->mark = rl_compare_mark(pair);
    rl_grid_cell(grid, RL_STYLE_CELL,
                 pair->work_text ? rl_words(doc, "unequal work: %s; %s", pair->work_text, explained) : explained);
    rl_grid_cell(grid, RL_STYLE_CELL_QUIET, besides_text(doc, pair));
    rl_grid_cell(grid, RL_STYLE_CELL, bound);
}

static void draw_causes(struct rl_document *doc, struct rl_section *section)
{
    const struct rl_comparison *comparison = rl_compare_of(doc, section);
    struct rl_grid grid;
    size_t rows = 0, left_out = 0;
    bool undecided = false;
    static const struct rl_grid_column columns[] = {
        {.head = "kernel", .align = RL_GRID_LEFT, .at_most = 120},
        {.head = "time", .align = RL_GRID_RIGHT, .whole = true},
        {.head = "moved in a way that explains it", .align = RL_GRID_WRAP, .at_least = 130},
        {.head = "moved besides", .align = RL_GRID_WRAP, .at_least = 80},
        {.head = "bound", .align = RL_GRID_WRAP},
    };
    rl_grid_begin(&grid, doc->layout, NULL, columns, RL_COUNT(columns));
    for (size_t i = 0; i < comparison->pair_count; i++) {
        const struct rl_pair *pair = rl_compare_pair(doc, section, i);
        if (!is_told(pair))
            continue;
        undecided |= rl_pair_moved_alone(pair);
        if (rows < MOST_CAUSES)
            add_cause(doc, &grid, comparison, pair);
        left_out += rows++ >= MOST_CAUSES;
    }
    if (rows) {
        rl_layout_text(
            doc->layout, RL_STYLE_BODY,
            "Metrics that moved by more than counters scatter, the largest first. That something moved with the time does not "
            "prove that it is the reason; that nothing did makes it hard to believe any. What was counted of a launch is the work "
            "of "
            "that launch, however long it took.");
        if (undecided)
            rl_layout_text(doc->layout, RL_STYLE_BODY,
                           "Where too few times decide, what moved is shown all the same, and nothing is claimed about the time.");
        rl_layout_skip(doc->layout, 6);
        rl_grid_lay(&grid);
    } else {
        rl_layout_text(
            doc->layout, RL_STYLE_BODY,
            "No kernel is faster or slower or counted other work, and none without enough times has metrics that moved.");
    }
    rl_compare_lay_rest(doc, left_out);
    rl_grid_release(&grid);
}

double rl_compare_causes_height(const struct rl_comparison *comparison)
{
    enum { TEXT = 80, ROW = 90, TOGETHER = 3 };
    const size_t changed = comparison->verdicts[RL_FASTER] + comparison->verdicts[RL_SLOWER] + comparison->unequal[RL_FASTER] +
                           comparison->unequal[RL_SLOWER];
    return TEXT + ROW * (double)(changed < TOGETHER ? changed : TOGETHER);
}

const struct rl_page rl_compare_page_causes = {.draw = draw_causes, .joins = RL_COMPARE_ROWS};
