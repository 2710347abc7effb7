/* page_checklist.c - the optimisation checklist: the session first, then kernel by kernel. */
#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "analysis/checklist.h"
#include "core/mem.h"
#include "core/sort.h"
#include "page.h"
#include "view_table.h"

enum { MOST_KERNELS = 48 /* one page of either paper */, MOST_COLUMNS = 9, LONGEST_NAME = 34 /* on one line */ };

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
    return rl_words(report->doc, sign ? "%s\u00a0%s" : "%s %s", words[rl_rules[rule].relation][sign],
                    rl_words_value(report->doc, rl_rules[rule].unit, rl_value_of(rl_rules[rule].threshold), 2));
}

/* A figure of an item: in the unit of its rule. */
static struct view_cell figure_of(enum rl_check_id id, struct rl_value value)
{
    const enum rl_rule rule = rl_check_rule(id);
    if (rule == RL_RULE_COUNT || !rl_present(value))
        return view_cell_absent("");
    struct view_cell cell = view_cell_number(value);
    cell.unit = rl_rules[rule].unit;
    return cell;
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

/* A group, or an item below it. */
struct check_row {
    enum rl_check_id id;
    struct rl_check_summary summary;
    bool is_group, off; /* off: it needs attention */
    const char *item, *state, *kernels, *threshold, *worst;
    size_t target;
};

static struct view_cell figure_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct check_row *of = row;
    if (field->key)
        return of->off ? view_cell_gain(view, of->summary.gain) : view_cell_absent("");
    return of->off ? figure_of(of->id, of->summary.value) : view_cell_absent("");
}

/* clang-format off */
static const struct view_field check_fields[] = {
    {.id = "item", VIEW_AT(struct check_row, item)},
    {.id = "state", .head = "", VIEW_AT(struct check_row, state)},
    {.id = "kernels", .head = "kernels that need it", VIEW_AT(struct check_row, kernels), .numeral = true},
    {.id = "threshold", .head = "attention when", VIEW_AT(struct check_row, threshold), .numeral = true},
    {.id = "figure", .type = VIEW_TYPE_NUMBER, .unit_of_row = true, .digits = 3, .get = figure_cell, .key = 0},
    {.id = "gain", .head = "gain up to", .type = VIEW_TYPE_TEXT, .numeral = true, .get = figure_cell, .key = 1},
    {.id = "worst", .head = "worst in, or why not measured", VIEW_AT(struct check_row, worst), .columns = 34, .wraps = true},
};
/* clang-format on */

static void dress_check(void *to, const struct view_field *field, const void *row, struct rl_grid_cell *cell)
{
    const struct check_row *of = row;
    if (field == &check_fields[0]) {
        cell->style = of->is_group ? RL_STYLE_CELL_STRONG : RL_STYLE_CELL;
        cell->mark = of->is_group ? RL_MARK_NONE : mark_of(of->summary.state);
    } else if (field == &check_fields[1]) {
        cell->style = of->off                                      ? RL_STYLE_CELL_STRONG
                      : of->summary.state == RL_CHECK_NOT_MEASURED ? RL_STYLE_CELL_QUIET
                                                                   : RL_STYLE_CELL;
    } else if (field->wraps) {
        cell->style = of->off && of->summary.foremost != RL_NONE ? RL_STYLE_CELL_NAME : RL_STYLE_NOTE;
        cell->target = of->target;
    }
}

static struct check_row row_of(struct rl_report *report, size_t gpu, enum rl_check_id id)
{
    const struct rl_check_summary summary = rl_check_session(report->analysis, gpu, id);
    const bool off = summary.state == RL_CHECK_ATTENTION;
    struct check_row row = {.id = id,
                            .summary = summary,
                            .off = off,
                            .item = rl_checks[id].label,
                            .state = rl_check_state_name(summary.state),
                            .kernels = kernels_text(report, &summary),
                            .threshold = off || rl_check_rule(id) != RL_RULE_COUNT ? threshold_of(report, id, false) : "",
                            .worst = "",
                            .target = RL_NO_TARGET};
    if (off && summary.foremost == RL_NONE) {
        row.worst = "for the program as a whole";
        row.target = rl_page_target(report, RL_PAGE_program);
    } else if (off) {
        row.worst = rl_words_short(report->doc, report->analysis->kernels[summary.foremost].label, LONGEST_NAME);
        row.target = target_of(report, summary.foremost);
    } else if (summary.state == RL_CHECK_NOT_MEASURED) {
        row.worst = rl_words_short(report->doc, rl_value_reason(summary.value), 120);
    }
    return row;
}

/* A rule stands above each group. */
static int group_of(const struct view *view, const void *row)
{
    const char *group = rl_checks[((const struct check_row *)row)->id].group;
    size_t first = 0;
    while (strcmp(rl_checks[first].group, group) != 0)
        first++;
    return (int)first;
}

static bool of_suite(const struct rl_report *report, size_t gpu)
{
    const size_t *variants;
    return rl_group(&report->analysis->index.variants_of_gpu, gpu, &variants) > 0;
}

static void draw_session(struct rl_report *report, size_t gpu)
{
    struct check_row rows[2 * RL_CHECK_COUNT];
    size_t count = 0;
    for (size_t i = 0; i < RL_CHECK_COUNT; i++) {
        if (i == 0 || strcmp(rl_checks[i].group, rl_checks[i - 1].group) != 0)
            rows[count++] = (struct check_row){.id = (enum rl_check_id)i,
                                               .is_group = true,
                                               .item = rl_checks[i].group,
                                               .state = "",
                                               .kernels = "",
                                               .threshold = "",
                                               .worst = "",
                                               .target = RL_NO_TARGET};
        rows[count++] = row_of(report, gpu, (enum rl_check_id)i);
    }
    rl_view_table(
        report->doc->layout, &report->view,
        &(struct rl_view_table){
            RL_TABLE(check_fields, rows, count), .group = group_of, .dress = dress_check,
            .foot = rl_words(
                report->doc,
                "Thresholds and further conditions are those of the findings (rooflight list findings).%s What usually pays most: "
                "the algorithm (10 to 100 times), memory access (5 to 20), occupancy (2 to 5), instructions (1.5 to 3), "
                "concurrency (1.2 to 2).",
                of_suite(report, gpu) ? " The suite has slow variants on purpose, so attention there is what an experiment sets "
                                        "out to show; the kernels of the self check and of latency are left out."
                                      : "")});
}

/* ---- in short documents: the items of a state in a sentence ---- */

static const char *figure_text(struct rl_report *report, enum rl_check_id id, struct rl_value value)
{
    static const struct view_field field = {.type = VIEW_TYPE_NUMBER, .unit_of_row = true, .digits = 3};
    const struct view_cell cell = figure_of(id, value);
    struct rl_buf text = RL_BUF_INIT;
    if (cell.state == RL_PRESENT)
        view_cell_format(&text, &field, &cell);
    const char *copy = rl_words(report->doc, "%s", text.len ? text.data : "");
    rl_buf_release(&text);
    return copy;
}

/* What stands behind an item that was measured: the figure and what it was compared with. */
static const char *side_of(struct rl_report *report, enum rl_check_id id, const struct rl_check_summary *summary)
{
    const char *threshold = threshold_of(report, id, false);
    if (summary->state == RL_CHECK_GOOD)
        return rl_check_rule(id) != RL_RULE_COUNT ? rl_words(report->doc, " (not %s)", threshold) : "";
    if (rl_check_rule(id) == RL_RULE_COUNT)
        return " (launches differ)";
    const struct view_cell gain = view_cell_gain(&report->view, summary->gain);
    const char *figure = figure_text(report, id, summary->value);
    return rl_words(report->doc, " (%s%s%s%s%s)", figure, figure[0] ? ", " : "", threshold,
                    gain.state == RL_PRESENT ? "; gain up to " : "", gain.state == RL_PRESENT ? gain.text : "");
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

/* A row: a kernel with an item for each column. */
struct item {
    const char *head, *figure;
    enum rl_check_state state;
};
struct kernel_row {
    const char *kernel;
    struct item *items;
    size_t count, target;
};
static const struct view_field item_fields[] = {
    {.id = "head", VIEW_AT(struct item, head)},
    {.id = "figure", .head = "", VIEW_AT(struct item, figure)},
};
static const struct view_record item_record = {.id = "item", .title = "", .help = "an item of a kernel", VIEW_FIELDS(item_fields)};
static const struct view_field kernel_fields[] = {
    {.id = "kernel", VIEW_AT(struct kernel_row, kernel), .look = VIEW_LOOK_CODE, .columns = 80},
    {.id = "items", VIEW_AT_ROWS(struct kernel_row, items, count, &item_record)},
};

static void dress_kernel(void *to, const struct view_field *field, const void *row, struct rl_grid_cell *cell)
{
    if (field == &kernel_fields[0]) {
        cell->target = ((const struct kernel_row *)row)->target;
        return;
    }
    cell->style = RL_STYLE_SIDE_INK;
    cell->mark = mark_of(((const struct item *)row)->state);
}

static void draw_kernels(struct rl_report *report, size_t gpu)
{
    const struct columns columns = columns_of(report, gpu);
    const size_t *kernels, all = rl_group(&report->analysis->index.kernels_of_gpu, gpu, &kernels);
    struct row *found = rl_arena_alloc(report->doc->arena, (all + 1) * sizeof *found);
    const size_t count = rows_of(report, gpu, &columns, found), shown = count < MOST_KERNELS ? count : MOST_KERNELS;
    const bool suite = count > 0 && report->capture->kernels[found[0].kernel].variant != RL_NONE;
    struct kernel_row rows[MOST_KERNELS];
    if (count == 0)
        return;
    for (size_t i = 0; i < shown; i++) {
        rows[i] = (struct kernel_row){report->analysis->kernels[found[i].kernel].label,
                                      rl_arena_alloc(report->doc->arena, (columns.count + 1) * sizeof *rows[i].items),
                                      columns.count, target_of(report, found[i].kernel)};
        for (size_t c = 0; c < columns.count; c++) {
            const enum rl_check_id id = columns.at[c];
            const struct rl_check check = rl_check_kernel(report->analysis, found[i].kernel, id);
            rows[i].items[c] =
                (struct item){rl_words(report->doc, "%s %s", rl_checks[id].label, threshold_of(report, id, true)),
                              check.state == RL_CHECK_ATTENTION ? figure_text(report, id, check.value) : "", check.state};
        }
    }
    const char *more = shown < count ? rl_words(report->doc, " The %zu that %s; %s attention: rooflight show lists their findings.",
                                                shown, suite ? "come first in the suite" : "take the most time",
                                                rl_words_count(report->doc, count - shown, "more needs", "more need"))
                                     : "";
    const char *without = columns.left_out
                              ? rl_words(report->doc, " %s few kernels and have no column.",
                                         rl_words_count(report->doc, columns.left_out, "more item concerns", "more items concern"))
                              : "";
    rl_view_table(report->doc->layout, &report->view,
                  &(struct rl_view_table){
                      RL_TABLE(kernel_fields, rows, shown), .title = "Kernels that need attention",
                      .columns = "kernel,items.figure", .tight = count > RL_GRID_LONG, .dress = dress_kernel,
                      .foot = rl_words(report->doc,
                                       "Disc: good; square: attention, with the figure; dash: not measured. Each heading ends "
                                       "with the threshold. Rules have further conditions (rooflight list findings); where one of "
                                       "them does not hold, a figure beyond the threshold is still good.%s%s",
                                       more, without)});
}

static void draw(struct rl_document *doc, struct rl_section *section)
{
    struct rl_report *report = doc->subject;
    size_t gpu = rl_page_gpu(report, section->id, section->instance);
    rl_layout_text(report->doc->layout, report->doc->is_short ? RL_STYLE_BODY : RL_STYLE_LEAD, lead(report, gpu));
    rl_layout_skip(report->doc->layout, 6);
    if (report->doc->is_short) {
        write_items(report, gpu, RL_CHECK_ATTENTION, "Attention");
        write_items(report, gpu, RL_CHECK_GOOD, "Good");
        write_unmeasured(report, gpu);
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
