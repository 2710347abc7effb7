/* page_findings.c - what the rules found: of session and card in words, of kernels counted by rule. */

#include <math.h>

#include "core/sort.h"
#include "core/utf8.h"
#include "page.h"
#include "view_table.h"

/* ---- of session and card ---- */

static void draw_state(struct rl_report *report, size_t gpu)
{
    size_t found = 0;
    rl_layout_subsection(report->doc->layout, "Session and card");
    const struct rl_finding *finding;
    for (size_t i = 0; (finding = rl_finding_about(report->analysis, gpu, i)); i++) {
        struct rl_para para = RL_PARA_INIT;
        rl_para_addf(report->doc->layout, &para, RL_STYLE_STRONG, "%s: ", rl_rules[finding->rule].problem);
        rl_para_add(report->doc->layout, &para, RL_STYLE_BODY, finding->text);
        rl_layout_item(report->doc->layout, RL_MARK_ATTENTION, &para);
        rl_layout_skip(report->doc->layout, 3);
        rl_para_release(&para);
        found++;
    }
    if (found == 0)
        rl_layout_text(report->doc->layout, RL_STYLE_BODY, "No rule about session and card found anything to report.");
}

/* ---- of kernels ---- */

/* A rule over all kernels of a GPU. */
struct tally {
    enum rl_rule rule;
    size_t spoke, judged;
    const struct rl_kernel_result *foremost; /* the one that could gain most, then the one furthest beyond the threshold */
};

static const struct rl_finding *finding_of(const struct rl_kernel_result *kernel, enum rl_rule rule)
{
    for (size_t i = 0; i < kernel->finding_count; i++)
        if (kernel->findings[i].rule == rule)
            return &kernel->findings[i];
    return NULL;
}

/* How far a kernel's value is beyond the threshold of a rule, as a factor. */
static double distance(const struct rl_kernel_result *kernel, enum rl_rule rule)
{
    const double value = fmax(fabs(kernel->judgement[rule].value.v), 1e-300),
                 threshold = fmax(fabs(rl_rules[rule].threshold), 1e-300);
    return rl_rules[rule].relation == RL_ABOVE ? value / threshold : threshold / value;
}

static bool outweighs(const struct rl_kernel_result *a, const struct rl_kernel_result *b, enum rl_rule rule)
{
    const struct rl_value x = finding_of(a, rule)->gain, y = finding_of(b, rule)->gain;
    if (rl_present(x) != rl_present(y))
        return rl_present(x);
    return rl_present(x) && x.v != y.v ? x.v > y.v : distance(a, rule) > distance(b, rule);
}

static struct tally tally_of(const struct rl_report *report, size_t gpu, enum rl_rule rule)
{
    struct tally tally = {.rule = rule};
    const size_t *kernels, count = rl_group(&report->analysis->index.kernels_of_gpu, gpu, &kernels);
    for (size_t i = 0; i < count; i++) {
        const struct rl_kernel_result *kernel = &report->analysis->kernels[kernels[i]];
        tally.judged += kernel->judgement[rule].verdict != RL_NOT_JUDGED;
        if (kernel->judgement[rule].verdict != RL_RULE_SPOKE)
            continue;
        tally.spoke++;
        if (!tally.foremost || outweighs(kernel, tally.foremost, rule))
            tally.foremost = kernel;
    }
    return tally;
}

static int more_kernels_first(const void *a, const void *b)
{
    const struct tally *x = a, *y = b;
    return rl_descending(x->spoke, y->spoke) ?: rl_ascending(x->rule, y->rule);
}

/* "11 of 61": kernels with the finding, of those that were judged. */
static struct view_cell spoke_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct tally *tally = row;
    return view_cell_text(rl_arena_printf(view->arena, "%zu of %zu", tally->spoke, tally->judged));
}

static struct view_cell problem_cell(const struct view *view, const struct view_field *field, const void *row)
{
    return view_cell_text(rl_rules[((const struct tally *)row)->rule].problem);
}

static struct view_cell gain_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct tally *tally = row;
    return view_cell_gain(view, finding_of(tally->foremost, tally->rule)->gain);
}

static struct view_cell worst_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct tally *tally = row;
    struct rl_buf name = RL_BUF_INIT;
    rl_utf8_abbreviate(&name, tally->foremost->label, 60);
    const struct view_cell cell =
        view_cell_text(rl_arena_printf(view->arena, "%s: %s", name.data, finding_of(tally->foremost, tally->rule)->text));
    rl_buf_release(&name);
    return cell;
}

/* clang-format off */
static const struct view_field tally_fields[] = {
    {.id = "rule", .type = VIEW_TYPE_TEXT, .get = problem_cell, .identifies = true},
    {.id = "kernels", .type = VIEW_TYPE_TEXT, .get = spoke_cell, .numeral = true},
    {.id = "gain", .head = "gain up to", .type = VIEW_TYPE_TEXT, .get = gain_cell, .numeral = true, .look = VIEW_LOOK_STRONG},
    {.id = "worst", .head = "worst case, and what was found there", .type = VIEW_TYPE_TEXT, .get = worst_cell, .columns = 43,
     .wraps = true},
};
/* clang-format on */

static void dress_tally(void *to, const struct view_field *field, const void *row, struct rl_grid_cell *cell)
{
    if (field == &tally_fields[0])
        cell->mark = RL_MARK_ATTENTION;
    else if (field->wraps)
        cell->style = RL_STYLE_NOTE_INK;
}

static size_t tallies_of(const struct rl_report *report, size_t gpu, struct tally tallies[RL_RULE_COUNT])
{
    size_t count = 0;
    for (size_t rule = 0; rule < RL_RULE_COUNT; rule++) {
        if (rl_rules[rule].subject != RL_OF_LAUNCH)
            continue;
        tallies[count] = tally_of(report, gpu, (enum rl_rule)rule);
        count += tallies[count].spoke > 0;
    }
    rl_sort(tallies, count, sizeof *tallies, more_kernels_first);
    return count;
}

static void draw(struct rl_document *doc, struct rl_section *section)
{
    struct rl_report *report = doc->subject;
    size_t gpu = rl_page_gpu(report, section->id, section->instance);
    struct tally tallies[RL_RULE_COUNT];
    const size_t count = tallies_of(report, gpu, tallies);
    rl_layout_textf(report->doc->layout, RL_STYLE_LEAD,
                    "%d rules checked the session, the card and every kernel; %zu of them found something about kernels.",
                    (int)RL_RULE_COUNT, count);
    draw_state(report, gpu);
    const bool any = rl_view_table(
        report->doc->layout, &report->view,
        &(struct rl_view_table){
            RL_TABLE(tally_fields, tallies, count), .title = "Kernels", .tight = true, .dress = dress_tally,
            .foot =
                "Kernels: those with the finding, of those that the rule could judge. Gain up to: an estimate of how many times "
                "as fast the launch would be if its time fell with what the rule counts, down to its roof; a change that fixes "
                "more may gain more. Conditions, thresholds and sources of all rules: rooflight list findings."});
    if (any)
        return;
    rl_layout_subsection(report->doc->layout, "Kernels");
    rl_layout_text(report->doc->layout, RL_STYLE_BODY, "No rule found anything to report about a kernel.");
}

/* What was found about few kernels stands on the first page and in their blocks. */
static bool has_one(const struct rl_document *doc, size_t gpu)
{
    const struct rl_report *report = doc->subject;
    const size_t *at;
    return rl_group(&report->analysis->index.kernels_of_gpu, gpu, &at) > 1 && !doc->is_short;
}

const struct rl_page rl_page_findings = {.each_gpu = has_one, .draw = draw, .joins = 150};
