/* cover_actions.c - the second half of a program's first page: what to do first, its kernels by time, the state of the GPU in a
 * line (see cover.h). Everything is of one GPU. */

#include "analysis/sampled.h"
#include "cover.h"
#include "results/results.h"
#include "view_table.h"

const char *rl_cover_share_text(struct rl_report *report, double part, double whole)
{
    return rl_words_value(report->doc, RL_UNIT_FRACTION, rl_value_div(rl_value_of(part), rl_value_of(whole), "no time"), 3);
}

/* ---- what to do first ---- */

#define ENTRY_GAP 3.0
enum { FEWEST_ACTIONS = 3 };

static size_t target_of(struct rl_report *report, const struct rl_action *action)
{
    const enum rl_rule rule = action->found.finding->rule;
    if (action->found.kernel == RL_NONE)
        return rule == RL_RULE_gpu_idle || rl_card_rule_target(report, rule) == RL_NO_TARGET
                   ? rl_page_target(report, RL_PAGE_program)
                   : rl_card_rule_target(report, rule);
    const size_t own = rl_kernel_target(report, action->found.kernel);
    return own == RL_NO_TARGET ? rl_page_target(report, RL_PAGE_program) : own;
}

/* Why the limiter of a kernel is unknown, and the option that decides it. */
static const char *why_unknown(struct rl_report *report, const struct rl_family *family)
{
    const struct rl_kernel_result *result =
        view_brief_kernel_result(view_brief_kernel_new(report->subject, family, report->ranked, report->ranked_count));
    const char *above = family->figures ? family->figures->above_roof : result ? result->above_roof : NULL;
    if (!rl_session_counted(&report->capture->session) && !rl_is_sampled(report->capture, family->kernel))
        return rl_words(report->doc, "there are no counters: %s; %s",
                        rl_words_short(report->doc, report->capture->session.counters, 160), rl_remedy_of_session(report->capture));
    if (above)
        return rl_words(report->doc, "it lies above the %s; collect --ceilings full measures the roofs again", above);
    if (!result || !result->limits.why)
        return "none of its launches was counted: collect --budget all counts them";
    struct rl_buf text = RL_BUF_IN(report->doc->arena);
    view_why_format(&text, &result->limits);
    const char *uncounted = result->limits.uncounted ? rl_uncounted_reason(report->capture, result->kernel) : NULL;
    if (uncounted)
        rl_buf_addf(&text, ": %s", uncounted);
    const char *how =
        uncounted ? rl_uncounted_remedy(report->capture, uncounted) : view_how_to_decide(&report->view, &result->limits);
    return rl_words(report->doc, "%s%s%s", text.data, !how ? "" : uncounted ? "; " : ": ", how ? how : "");
}

/* The kernel with the most time among those with an unknown limiter, and the reason. */
static void add_unknown(struct rl_report *report, struct rl_box *box, size_t gpu)
{
    const struct rl_kernel_blocks *blocks = rl_kernel_blocks_of(report, gpu);
    const struct rl_family *first = NULL;
    for (size_t i = 0; i < blocks->count && !first; i++)
        first = rl_family_limiter(report->analysis, blocks->family[i]) == RL_LIMITER_UNKNOWN ? blocks->family[i] : NULL;
    if (!first || first->gpu_s < RL_LEAST_SHARE * blocks->total_ns * 1e-9)
        return;
    const char *why = why_unknown(report, first);
    struct rl_para para = {.max_lines = 3};
    rl_para_addf(report->doc->layout, &para, RL_STYLE_QUIET, "Unknown: what limits ");
    rl_para_link(report->doc->layout, &para, RL_STYLE_CODE, rl_family_label(report, first, 50),
                 rl_kernel_target(report, first->kernel));
    rl_para_addf(report->doc->layout, &para, RL_STYLE_QUIET, " (%s). %s.", rl_words_seconds(report->doc, first->gpu_s),
                 rl_words_sentence(report->doc, why));
    rl_box_item(box, RL_MARK_QUIET, &para);
}

/* "In kernels of libraries: CUTLASS 46.3 %, NCCL 19.0 % of the GPU time. ..." */
static void add_libraries(struct rl_report *report, struct rl_box *box, size_t gpu)
{
    struct rl_buf text = RL_BUF_IN(report->doc->arena);
    struct rl_para para = {.max_lines = 2};
    view_libraries_text(report->analysis, report->families, gpu, &text);
    if (text.len) {
        rl_para_addf(report->doc->layout, &para, RL_STYLE_QUIET,
                     "In kernels of libraries: %s of the GPU time. No advice on their code.", text.data);
        rl_box_item(box, RL_MARK_QUIET, &para);
    }
}

void rl_cover_actions_draw(struct rl_report *report, size_t gpu)
{
    struct rl_box *box = rl_flow_begin(report->doc->layout);
    struct rl_action actions[RL_MOST_ACTIONS];
    struct rl_ranked_finding found[RL_MOST_ACTIONS];
    const size_t count = rl_actions_of(report->analysis, report->families, gpu, actions, RL_MOST_ACTIONS);
    rl_box_text(box, RL_STYLE_SUBSECTION, "Findings, by time saved");
    rl_box_gap(box, ENTRY_GAP);
    for (size_t i = 0; i < count && (i < FEWEST_ACTIONS || rl_present(actions[i].saving_s)); i++) {
        /* "GPU idle: no more than 323 ms to save." */
        const struct rl_action *action = &actions[i];
        struct rl_layout *layout = report->doc->layout;
        const struct rl_rule_info *rule = &rl_rules[action->found.finding->rule];
        struct rl_para para = {.max_lines = 4};
        const size_t target = target_of(report, action), kernel = action->found.kernel;
        const char *of = kernel == RL_NONE
                             ? ""
                             : rl_words(report->doc, " in %s",
                                        rl_family_label(report, &report->families->at[report->families->of_kernel[kernel]], 44));
        rl_para_addf(layout, &para, RL_STYLE_STRONG, "%zu  %s%s: ", i + 1, rl_words_sentence(report->doc, rule->problem), of);
        if (rl_present(action->saving_s))
            rl_para_addf(layout, &para, RL_STYLE_STRONG, RL_SIGN_AT_MOST " %s. ",
                         rl_words_seconds(report->doc, action->saving_s.v));
        else
            rl_para_addf(layout, &para, RL_STYLE_STRONG, "saving unknown, because %s; affects %s. ",
                         rl_value_reason(action->saving_s), rl_words_seconds(report->doc, action->concerns_s));
        struct rl_buf text = RL_BUF_IN(report->doc->arena);
        found[i] = action->found;
        view_findings_once(found, i + 1);
        view_finding_text(&found[i], &text);
        rl_para_coded(layout, &para, RL_STYLE_BODY, RL_STYLE_CODE, text.data);
        if (kernel != RL_NONE && action->found.shapes > 1)
            rl_para_addf(layout, &para, RL_STYLE_BODY, " (%zu of %zu configurations.)", action->found.shapes,
                         report->families->at[report->families->of_kernel[kernel]].shapes);
        rl_box_entry(box, RL_MARK_ATTENTION, &para, target);
        rl_box_gap(box, ENTRY_GAP);
    }
    if (count == 0)
        rl_box_text(box, RL_STYLE_BODY, "No rule found anything that costs time.");
    add_libraries(report, box, gpu);
    add_unknown(report, box, gpu);
    rl_flow_end(box);
}

/* ---- kernels by time ---- */

enum { MOST_ROWS = 10, FEWEST_ROWS = 3 };
#define BEHIND_ROWS 56.0 /* points for the notes of the table and the state of the GPU, which belong on the first page, too */

static const struct rl_family *family_at(const struct rl_report *report, size_t gpu, size_t rank)
{
    const struct rl_kernel_blocks *blocks = rl_kernel_blocks_of(report, gpu);
    return rank < blocks->count ? blocks->family[rank] : NULL;
}

/* How many kernels of the GPU have a row: those with a part of the time that matters, and the first few. */
static size_t rows_of(const struct rl_report *report, size_t gpu)
{
    const double least_s = RL_LEAST_SHARE * rl_kernel_blocks_of(report, gpu)->total_ns * 1e-9;
    size_t count = 0;
    for (const struct rl_family *family; count < MOST_ROWS && (family = family_at(report, gpu, count)) && family->gpu_s > 0;
         count++)
        if (count >= FEWEST_ROWS && family->gpu_s < least_s)
            break;
    return count;
}

/* "6 more kernels with 0.07 % of the time", and what a time in brackets behind a name is. */
static void note_others(struct rl_report *report, size_t gpu, size_t shown)
{
    double rest_s = 0, total_s = rl_kernel_blocks_of(report, gpu)->total_ns * 1e-9;
    size_t others = 0, kinds = 0;
    for (size_t i = shown; family_at(report, gpu, i); i++, others++)
        rest_s += family_at(report, gpu, i)->gpu_s;
    for (size_t i = 0; i < shown; i++)
        kinds += report->capture->kernels[family_at(report, gpu, i)->kernel].population.total > 1;
    const char *rest = others ? rl_words(report->doc, "%s with %s of the time, listed after these under Kernels.",
                                         rl_words_count(report->doc, others, "more kernel", "more kernels"),
                                         rl_cover_share_text(report, rest_s, total_s))
                              : "";
    if (others || kinds)
        rl_layout_textf(report->doc->layout, RL_STYLE_NOTE, "%s%s%s", rest, others && kinds ? " " : "",
                        kinds ? "Time in brackets: mean of a population, launches of one configuration that do the same work."
                              : "");
}

/* "tensor cores 29.8 ±0.1": the limiter's roof, or the nearest one. */
static const char *roof_text(struct rl_report *report, const struct rl_family *family)
{
    const struct rl_kernel_result *result = &report->analysis->kernels[family->kernel];
    enum rl_resource nearest = result->limits.limiter < RL_RESOURCE_COUNT ? result->limits.limiter : result->limits.first;
    struct rl_buf text = RL_BUF_IN(report->doc->arena);
    const char *kept = NULL;
    const struct rl_limit of_family = {.share = family->figures ? rl_family_nearest(family->figures, &nearest) : rl_value_of(0)};
    if (family->figures && nearest < RL_RESOURCE_COUNT) {
        view_share_format(&text, &of_family, NULL);
        kept = rl_words(report->doc, "%s %s", rl_resources[nearest].label, text.data);
    }
    if (nearest < RL_RESOURCE_COUNT && rl_present(result->limits.of[nearest].share) && !result->wrong && !family->figures) {
        view_share_format(&text, &result->limits.of[nearest], result->limits.sampled);
        kept = rl_words(report->doc, "%s %s", rl_resources[nearest].label, text.data);
    }
    return kept;
}

/* A kernel, of the GPU that the page is about. */
struct cover_row {
    const struct rl_family *family;
    const char *kernel, *limit, *roof;
    struct rl_value share;
    size_t limiter, target;
};

static struct view_cell time_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_family *family = ((const struct cover_row *)row)->family;
    struct view_cell cell = view_cell_in(rl_value_of(family->gpu_s), RL_UNIT_SECOND);
    cell.sign = rl_time_state_sign(family->time.state);
    return cell;
}

static const struct view_field cover_fields[] = {
    {.id = "kernel", VIEW_AT(struct cover_row, kernel), .look = VIEW_LOOK_CODE, .columns = 60},
    {.id = "gpu_s", .head = "GPU time", VIEW_GET(NUMBER, time_cell), .unit_of_row = true, .digits = 3},
    {.id = "share", VIEW_AT(struct cover_row, share), .unit = RL_UNIT_FRACTION, .digits = 3, .bar = true},
    {.id = "limit", .head = "limited by", VIEW_AT(struct cover_row, limit)},
    {.id = "roof", .head = "nearest roof, %, 95 % CI", VIEW_AT(struct cover_row, roof)},
    {.id = "page", VIEW_AT(struct cover_row, limit), .numeral = true},
};

static void dress_kernel(void *to, const struct view_field *field, const void *row, struct rl_grid_cell *cell)
{
    const struct cover_row *of = row;
    const bool is_page = field == &cover_fields[RL_COUNT(cover_fields) - 1];
    if (field->bar)
        cell->share_tone = rl_words_tone(of->limiter);
    if (field == &cover_fields[0] || is_page)
        cell->target = of->target;
    if (is_page) {
        cell->text = "";
        cell->page_number = of->target != RL_NO_TARGET;
    }
}

void rl_cover_kernels_draw(struct rl_report *report, size_t gpu)
{
    const double total_s = rl_kernel_blocks_of(report, gpu)->total_ns * 1e-9;
    const size_t count = rows_of(report, gpu);
    struct cover_row rows[MOST_ROWS];
    for (size_t i = 0; i < count; i++) {
        const struct rl_family *family = family_at(report, gpu, i);
        rows[i] = (struct cover_row){.family = family,
                                     .kernel = rl_family_label(report, family, 120),
                                     .limit = rl_family_limited_by(report->analysis, family),
                                     .share = rl_value_of(family->gpu_s / total_s),
                                     .roof = roof_text(report, family),
                                     .limiter = rl_family_limiter(report->analysis, family),
                                     .target = rl_kernel_target(report, family->kernel)};
    }
    size_t shown = count;
    rl_layout_skip(report->doc->layout, 6);
    rl_view_table(report->doc->layout, &report->view,
                  &(struct rl_view_table){RL_TABLE(cover_fields, rows, count), .title = "Kernels by time", .dress = dress_kernel,
                                          .reserve = rl_layout_has_pages(report->doc->layout) ? BEHIND_ROWS : 0,
                                          .rest_elsewhere = true, .shown = &shown});
    note_others(report, gpu, shown);
}

/* ---- the state of the GPU ---- */

void rl_cover_health_add(struct rl_report *report, struct rl_box *cell, size_t gpu)
{
    struct rl_detail *checks = rl_arena_alloc(report->doc->arena, rl_health_count * sizeof *checks);
    for (size_t i = 0; i < rl_health_count; i++) {
        const struct rl_health health = rl_health_check(report, gpu, i);
        checks[i] = (struct rl_detail){.what = health.title, .text = health.text, .mark = health.mark};
    }
    rl_box_text(cell, RL_STYLE_SUBSECTION, "Health of the GPU");
    rl_details_add(cell, checks, rl_health_count);
}

void rl_cover_health_draw(struct rl_report *report, size_t gpu)
{
    struct rl_buf bad = RL_BUF_IN(report->doc->arena);
    size_t good = 0, unknown = 0;
    for (size_t i = 0; i < rl_health_count; i++) {
        const struct rl_health health = rl_health_check(report, gpu, i);
        if (health.mark == RL_MARK_ATTENTION)
            rl_buf_addf(&bad, "%s%s: %s", bad.len ? "; " : "", health.title, health.text);
        good += health.mark == RL_MARK_GOOD;
        unknown += health.mark == RL_MARK_QUIET;
    }
    struct rl_box *box = rl_flow_begin(report->doc->layout);
    struct rl_para para = {0};
    rl_para_add(report->doc->layout, &para, RL_STYLE_STRONG,
                report->capture->gpu_count > 1 ? rl_words(report->doc, "Health of GPU %d: ", report->capture->gpus[gpu].index)
                                               : "Health of the GPU: ");
    rl_para_addf(report->doc->layout, &para, RL_STYLE_BODY, "%s%s%zu of %zu checks passed%s.", bad.len ? bad.data : "",
                 bad.len ? "; " : "", good, rl_health_count, unknown ? rl_words(report->doc, ", %zu without data", unknown) : "");
    rl_box_gap(box, 6);
    rl_box_entry(box, bad.len ? RL_MARK_ATTENTION : RL_MARK_GOOD, &para, rl_gpu_target(report, RL_PAGE_device, gpu));
    rl_flow_end(box);
}
