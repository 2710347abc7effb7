/* page_checklist.c - the optimisation checklist: the session first, then kernel by kernel. */
#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "analysis/checklist.h"
#include "core/mem.h"
#include "core/sort.h"
#include "page.h"

enum { MOST_KERNELS = 56 /* one page of either paper */, MOST_COLUMNS = 9, LONGEST_NAME = 34 /* on one line */ };

static enum rl_mark mark_of(enum rl_check_state state)
{
    static const enum rl_mark marks[] = {
        [RL_CHECK_NOT_MEASURED] = RL_MARK_QUIET, [RL_CHECK_GOOD] = RL_MARK_GOOD, [RL_CHECK_ATTENTION] = RL_MARK_ATTENTION};
    return marks[state];
}

/* "over 1.50", "under 50.0 %": what needs attention; `sign`: "> 1.50". What is good where it is known needs it where launches
 * differ. */
static const char *threshold_of(struct rl_report *report, enum rl_check_id id, bool sign)
{
    static const char *const words[2][2] = {[RL_ABOVE] = {"over", ">"}, [RL_BELOW] = {"under", "<"}};
    const enum rl_rule rule = rl_check_rule(id);
    if (rule == RL_RULE_COUNT)
        return rl_checks[id].kind == RL_CHECK_KNOWN ? "they differ" : "";
    return rl_words(report->doc, "%s %s", words[rl_rules[rule].relation][sign],
                    rl_words_value(report->doc, rl_rules[rule].unit, rl_value_of(rl_rules[rule].threshold), 2));
}

static const char *figure_of(struct rl_report *report, enum rl_check_id id, struct rl_value value)
{
    const enum rl_rule rule = rl_check_rule(id);
    if (rule == RL_RULE_COUNT || !rl_present(value))
        return "";
    bool tiny = rl_rules[rule].unit == RL_UNIT_FRACTION && value.v > 0 && value.v < 1e-4;
    return tiny ? "<0.01 %" : rl_words_value(report->doc, rl_rules[rule].unit, value, 3);
}

static const char *times_of(struct rl_report *report, struct rl_value gain)
{
    if (!rl_present(gain))
        return "";
    return gain.v > 1000 ? ">1000\xC3\x97"
                         : rl_words(report->doc, "%s\xC3\x97", rl_words_value(report->doc, RL_UNIT_NONE, gain, 3));
}

/* Page that tells more about a kernel. */
static size_t target_of(const struct rl_report *report, size_t kernel)
{
    assert(kernel < report->capture->kernel_count);
    const size_t variant = report->capture->kernels[kernel].variant;
    return variant == RL_NONE
               ? rl_page_target(report, RL_PAGE_roofline)
               : rl_experiment_target(report, report->capture->variants[variant].experiment, report->capture->kernels[kernel].gpu);
}

/* ---- the session ---- */

static enum rl_check_state state_of(const struct rl_report *report, size_t gpu, size_t id)
{
    return rl_check_session(report->analysis, gpu, (enum rl_check_id)id).state;
}

/* "11 of 61": that need attention, of those that were judged. */
static const char *kernels_text(struct rl_report *report, const struct rl_check_summary *summary)
{
    const size_t judged = summary->good + summary->attention;
    if (judged == 0)
        return "";
    return summary->attention > 0 ? rl_words(report->doc, "%zu of %zu", summary->attention, judged)
                                  : rl_words(report->doc, "none of %zu", judged);
}

static void add_item(struct rl_report *report, struct rl_grid *grid, size_t gpu, enum rl_check_id id)
{
    const struct rl_check_summary summary = rl_check_session(report->analysis, gpu, id);
    const bool off = summary.state == RL_CHECK_ATTENTION;
    rl_grid_cell(grid, RL_STYLE_CELL, rl_checks[id].label)->mark = mark_of(summary.state);
    rl_grid_cell(grid,
                 summary.state == RL_CHECK_ATTENTION      ? RL_STYLE_CELL_STRONG
                 : summary.state == RL_CHECK_NOT_MEASURED ? RL_STYLE_CELL_QUIET
                                                          : RL_STYLE_CELL,
                 rl_check_state_name(summary.state));
    rl_grid_cell(grid, RL_STYLE_CELL, kernels_text(report, &summary));
    rl_grid_cell(grid, RL_STYLE_CELL, off || rl_check_rule(id) != RL_RULE_COUNT ? threshold_of(report, id, false) : "");
    rl_grid_cell(grid, RL_STYLE_CELL, off ? figure_of(report, id, summary.value) : "");
    rl_grid_cell(grid, RL_STYLE_CELL, off ? times_of(report, summary.gain) : "");
    if (off && summary.foremost == RL_NONE)
        rl_grid_cell(grid, RL_STYLE_NOTE, "for the program as a whole")->target = rl_page_target(report, RL_PAGE_program);
    else if (off)
        rl_grid_cell(grid, RL_STYLE_CELL_NAME,
                     rl_words_short(report->doc, report->analysis->kernels[summary.foremost].label, LONGEST_NAME))
            ->target = target_of(report, summary.foremost);
    else
        rl_grid_cell(grid, RL_STYLE_NOTE,
                     summary.state == RL_CHECK_NOT_MEASURED ? rl_words_short(report->doc, rl_value_reason(summary.value), 120)
                                                            : "");
}

static bool of_suite(const struct rl_report *report, size_t gpu)
{
    const size_t *variants;
    return rl_group(&report->analysis->index.variants_of_gpu, gpu, &variants) > 0;
}

static void draw_session(struct rl_report *report, size_t gpu)
{
    struct rl_grid grid;
    const char *group = "";
    static const struct rl_grid_column columns[] = {
        {.head = "item", .align = RL_GRID_LEFT, .whole = true},
        {.align = RL_GRID_LEFT, .whole = true},
        {.head = "kernels that need it", .align = RL_GRID_RIGHT, .whole = true},
        {.head = "attention when", .align = RL_GRID_RIGHT, .whole = true},
        {.head = "figure", .align = RL_GRID_RIGHT, .whole = true},
        {.head = "gain up to", .align = RL_GRID_RIGHT, .whole = true},
        {.head = "worst in, or why not measured", .align = RL_GRID_WRAP, .at_least = 152},
    };
    rl_grid_begin(&grid, report->doc->layout, NULL, columns, RL_COUNT(columns));
    for (size_t i = 0; i < RL_CHECK_COUNT; i++) {
        if (group[0] == '\0' || rl_checks[i].group != group) {
            group = rl_checks[i].group;
            rl_grid_group(&grid);
            rl_grid_cell(&grid, RL_STYLE_CELL_STRONG, group);
        }
        rl_grid_row(&grid);
        add_item(report, &grid, gpu, (enum rl_check_id)i);
    }
    grid.foot =
        rl_words(report->doc,
                 "Thresholds and further conditions are those of the findings (rooflight list findings).%s What usually pays most: "
                 "the algorithm (10 to 100 times), memory access (5 to 20), occupancy (2 to 5), instructions (1.5 to 3), "
                 "concurrency (1.2 to 2).",
                 of_suite(report, gpu) ? " The suite has slow variants on purpose, so attention there is what an experiment sets "
                                         "out to show; the kernels of the self check and of latency are left out."
                                       : "");
    rl_grid_end(&grid);
}

/* ---- in short documents: the items of a state in a sentence ---- */

/* What stands behind an item that was measured: the figure and what it was held against. */
static const char *side_of(struct rl_report *report, enum rl_check_id id, const struct rl_check_summary *summary)
{
    const char *threshold = threshold_of(report, id, false);
    if (summary->state == RL_CHECK_GOOD)
        return rl_check_rule(id) != RL_RULE_COUNT ? rl_words(report->doc, " (not %s)", threshold) : "";
    if (rl_check_rule(id) == RL_RULE_COUNT)
        return " (launches differ)";
    const char *gain = times_of(report, summary->gain), *figure = figure_of(report, id, summary->value);
    return rl_words(report->doc, " (%s%s%s%s%s)", figure, figure[0] ? ", " : "", threshold, gain[0] ? "; gain up to " : "", gain);
}

static void write_items(struct rl_report *report, size_t gpu, enum rl_check_state state, const char *name)
{
    struct rl_para para = RL_PARA_INIT;
    size_t count = 0;
    for (size_t i = 0; i < RL_CHECK_COUNT; i++) {
        const struct rl_check_summary summary = rl_check_session(report->analysis, gpu, (enum rl_check_id)i);
        if (summary.state != state)
            continue;
        if (count++ == 0)
            rl_para_addf(report->doc->layout, &para, RL_STYLE_NOTE_STRONG, "%s: ", name);
        rl_para_addf(report->doc->layout, &para, RL_STYLE_NOTE_INK, "%s%s", count > 1 ? "; " : "", rl_checks[i].label);
        rl_para_add(report->doc->layout, &para, RL_STYLE_NOTE, side_of(report, (enum rl_check_id)i, &summary));
    }
    if (count > 0)
        rl_layout_item(report->doc->layout, mark_of(state), &para);
    rl_layout_skip(report->doc->layout, 2);
    rl_para_release(&para);
}

/* Items that were not measured for one reason: their names, and the reason once. From `first` on, the first of them. */
static void add_unmeasured(struct rl_report *report, const struct rl_check_summary *summaries, size_t first, bool *told,
                           struct rl_para *para)
{
    const char *reason = rl_value_reason(summaries[first].value);
    for (size_t i = first; i < RL_CHECK_COUNT; i++)
        if (summaries[i].state == RL_CHECK_NOT_MEASURED && strcmp(rl_value_reason(summaries[i].value), reason) == 0) {
            rl_para_addf(report->doc->layout, para, RL_STYLE_NOTE_INK, "%s%s", i > first ? ", " : "", rl_checks[i].label);
            told[i] = true;
        }
    rl_para_addf(report->doc->layout, para, RL_STYLE_NOTE, " (%s)", rl_words_short(report->doc, reason, 240));
}

static void write_unmeasured(struct rl_report *report, size_t gpu)
{
    struct rl_check_summary summaries[RL_CHECK_COUNT];
    bool told[RL_CHECK_COUNT] = {false};
    struct rl_para para = RL_PARA_INIT;
    size_t reasons = 0;
    for (size_t i = 0; i < RL_CHECK_COUNT; i++)
        summaries[i] = rl_check_session(report->analysis, gpu, (enum rl_check_id)i);
    for (size_t i = 0; i < RL_CHECK_COUNT; i++) {
        if (summaries[i].state != RL_CHECK_NOT_MEASURED || told[i])
            continue;
        rl_para_addf(report->doc->layout, &para, RL_STYLE_NOTE_STRONG, "%s", reasons++ ? "; " : "Not measured: ");
        add_unmeasured(report, summaries, i, told, &para);
    }
    if (reasons > 0)
        rl_layout_item(report->doc->layout, mark_of(RL_CHECK_NOT_MEASURED), &para);
    rl_layout_skip(report->doc->layout, 2);
    rl_para_release(&para);
}

static void write_session(struct rl_report *report, size_t gpu)
{
    write_items(report, gpu, RL_CHECK_ATTENTION, "Attention");
    write_items(report, gpu, RL_CHECK_GOOD, "Good");
    write_unmeasured(report, gpu);
}

static const char *lead(struct rl_report *report, size_t gpu)
{
    size_t states[RL_CHECK_ATTENTION + 1] = {0};
    for (size_t i = 0; i < RL_CHECK_COUNT; i++)
        states[state_of(report, gpu, i)]++;
    return rl_words(report->doc,
                    report->doc->is_short ? "Of %d items, %zu are good, %zu need attention and %zu are not measured."
                                          : "Of %d items, %zu are good for every kernel that was judged, %zu need attention for "
                                            "some kernels, and %zu are not measured.",
                    (int)RL_CHECK_COUNT, states[RL_CHECK_GOOD], states[RL_CHECK_ATTENTION], states[RL_CHECK_NOT_MEASURED]);
}

/* ---- kernel by kernel ---- */

/* The items that some kernel needs attention for, those that concern most kernels first. Being far from a roof is none of them: it
 * says that there is a reason, not which. */
struct columns {
    enum rl_check_id at[RL_CHECK_COUNT];
    size_t attention[RL_CHECK_COUNT], count, left_out;
};

static struct columns columns_of(const struct rl_report *report, size_t gpu)
{
    struct columns columns = {.count = 0};
    for (size_t i = 0; i < RL_CHECK_COUNT; i++) {
        const size_t attention = rl_check_session(report->analysis, gpu, (enum rl_check_id)i).attention;
        size_t place = columns.count;
        if (attention == 0 || i == RL_CHECK_bottleneck)
            continue;
        for (; place > 0 && columns.attention[place - 1] < attention; place--) {
            columns.at[place] = columns.at[place - 1];
            columns.attention[place] = columns.attention[place - 1];
        }
        columns.at[place] = (enum rl_check_id)i;
        columns.attention[place] = attention;
        columns.count++;
    }
    columns.left_out = columns.count > MOST_COLUMNS ? columns.count - MOST_COLUMNS : 0;
    columns.count -= columns.left_out;
    return columns;
}

struct row {
    size_t kernel, attention;
    double gpu_ns; /* of all launches; 0: of the suite, or not timed */
};

/* Kernels of programs by the time they took; those of the suite in its order. */
static int by_time(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    return rl_descending(x->gpu_ns, y->gpu_ns) ?: rl_ascending(x->kernel, y->kernel);
}

/* What a row of the table is of: the kernel, or a family for which the counted shape with the most time speaks; NULL: another shape
 * does. */
static const struct rl_family *spoken_for(const struct rl_report *report, size_t kernel)
{
    assert(kernel < report->capture->kernel_count);
    const struct rl_family *family = &report->families->at[report->families->of_kernel[kernel]];
    return !family->figures || family->figures->foremost == kernel ? family : NULL;
}

static size_t rows_of(const struct rl_report *report, size_t gpu, const struct columns *columns, struct row *rows)
{
    const size_t *kernels, all = rl_group(&report->analysis->index.kernels_of_gpu, gpu, &kernels);
    size_t count = 0;
    for (size_t i = 0; i < all; i++) {
        const size_t k = kernels[i];
        const struct rl_kernel *kernel = &report->capture->kernels[k];
        const struct rl_family *family = spoken_for(report, k);
        struct row row = {k, 0, family && kernel->variant == RL_NONE ? family->time.ns : 0};
        const bool judged = family && !rl_measures_card(report->capture, kernel->variant);
        for (size_t c = 0; c < columns->count && judged; c++)
            row.attention += rl_check_kernel(report->analysis, k, columns->at[c]).state == RL_CHECK_ATTENTION;
        if (row.attention > 0)
            rows[count++] = row;
    }
    rl_sort(rows, count, sizeof *rows, by_time);
    return count;
}

static void add_kernel(struct rl_report *report, struct rl_grid *grid, size_t kernel, const struct columns *columns)
{
    assert(kernel < report->capture->kernel_count);
    rl_grid_row(grid);
    rl_grid_cell(grid, RL_STYLE_CELL_NAME, report->analysis->kernels[kernel].label)->target = target_of(report, kernel);
    for (size_t c = 0; c < columns->count; c++) {
        const struct rl_check check = rl_check_kernel(report->analysis, kernel, columns->at[c]);
        bool off = check.state == RL_CHECK_ATTENTION;
        rl_grid_cell(grid, off ? RL_STYLE_SIDE_INK : RL_STYLE_SIDE, off ? figure_of(report, columns->at[c], check.value) : "")
            ->mark = mark_of(check.state);
    }
}

static void draw_kernels(struct rl_report *report, size_t gpu)
{
    const struct columns columns = columns_of(report, gpu);
    const size_t *kernels, all = rl_group(&report->analysis->index.kernels_of_gpu, gpu, &kernels);
    struct row *rows = rl_arena_alloc(report->doc->arena, (all + 1) * sizeof *rows);
    const size_t count = rows_of(report, gpu, &columns, rows), shown = count < MOST_KERNELS ? count : MOST_KERNELS;
    const bool suite = count > 0 && report->capture->kernels[rows[0].kernel].variant != RL_NONE;
    struct rl_grid grid;
    if (count == 0)
        return;
    static const struct rl_grid_column heads[] = {
        {.head = "kernel", .align = RL_GRID_LEFT, .at_least = 130},
    };
    rl_grid_begin(&grid, report->doc->layout, "Kernels that need attention", heads, RL_COUNT(heads));
    grid.tight = count > RL_GRID_LONG;
    for (size_t c = 0; c < columns.count; c++)
        rl_grid_add_columns(&grid,
                            &(struct rl_grid_column){.head = rl_checks[columns.at[c]].label,
                                                     .unit = threshold_of(report, columns.at[c], true),
                                                     .whole = true},
                            1);
    for (size_t i = 0; i < shown; i++)
        add_kernel(report, &grid, rows[i].kernel, &columns);
    grid.foot = rl_words(
        report->doc,
        "Disc: good; square: attention, with the figure; dash: not measured. Below each heading: the threshold. Rules have further "
        "conditions (rooflight list findings); where one of them does not hold, a figure beyond the threshold is still good.%s%s",
        shown < count ? rl_words(report->doc, " The %zu that %s; %s attention: rooflight show lists their findings.", shown,
                                 suite ? "come first in the suite" : "take the most time",
                                 rl_words_count(report->doc, count - shown, "more needs", "more need"))
                      : "",
        columns.left_out ? rl_words(report->doc, " %s few kernels and have no column.",
                                    rl_words_count(report->doc, columns.left_out, "more item concerns", "more items concern"))
                         : "");
    rl_grid_end(&grid);
}

static void draw(struct rl_document *doc, struct rl_section *section)
{
    struct rl_report *report = doc->subject;
    size_t gpu = rl_page_gpu(report, section->id, section->instance);
    rl_layout_text(report->doc->layout, report->doc->is_short ? RL_STYLE_BODY : RL_STYLE_LEAD, lead(report, gpu));
    rl_layout_skip(report->doc->layout, 6);
    if (report->doc->is_short) {
        write_session(report, gpu);
        return;
    }
    draw_session(report, gpu);
    if (rl_report_is_full(report) || rl_is_program(report->capture))
        draw_kernels(report, gpu);
}

/* Most kernels of a suite are slow on purpose: what is to be mended there is what the experiments show. Who wants to see it asks.
 */
static bool has_one(const struct rl_document *doc, size_t gpu)
{
    const struct rl_report *report = doc->subject;
    return rl_page_gpu_has_kernels(doc, gpu) &&
           (report->capture->experiment_count == 0 || doc->is_short || rl_report_is_full(report));
}

const struct rl_page rl_page_checklist = {.each_gpu = has_one, .draw = draw, .joins = 250};
