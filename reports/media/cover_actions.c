/* cover_actions.c - the second half of a program's first page: what to do first, its kernels by time, the state of the card in a
 * line (see cover.h). Everything is of one GPU. */
#include <assert.h>

#include "analysis/actions.h"
#include "analysis/sampled.h"
#include "cover.h"
#include "health.h"
#include "roofline_entries.h"

/* ---- what to do first ---- */

#define ENTRY_GAP 3.0

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

/* "GPU idle: no more than 323 ms to save." */
static void add_action(struct rl_report *report, struct rl_box *box, size_t number, const struct rl_action *action)
{
    struct rl_layout *layout = report->doc->layout;
    const struct rl_rule_info *rule = &rl_rules[action->found.finding->rule];
    struct rl_para para = RL_PARA_INIT;
    const size_t target = target_of(report, action), kernel = action->found.kernel;
    const char *of = kernel == RL_NONE
                         ? ""
                         : rl_words(report->doc, " in %s",
                                    rl_family_label(report, &report->families->at[report->families->of_kernel[kernel]], 44));
    rl_para_addf(layout, &para, RL_STYLE_STRONG, "%zu  %s%s: ", number, rl_words_sentence(report->doc, rule->problem), of);
    if (rl_present(action->saving_s))
        rl_para_addf(layout, &para, RL_STYLE_STRONG, rule->at_most ? "at most %s to save. " : "saves up to %s. ",
                     rl_words_seconds(report->doc, action->saving_s.v));
    else
        rl_para_addf(layout, &para, RL_STYLE_STRONG, "saving unknown, because %s; concerns %s. ", rl_value_reason(action->saving_s),
                     rl_words_seconds(report->doc, action->concerns_s));
    rl_para_coded(layout, &para, RL_STYLE_BODY, RL_STYLE_CODE, action->found.finding->text);
    if (kernel != RL_NONE && action->found.shapes > 1)
        rl_para_addf(layout, &para, RL_STYLE_BODY, " (%zu of its %zu shapes.)", action->found.shapes,
                     report->families->at[report->families->of_kernel[kernel]].shapes);
    para.max_lines = 4;
    rl_box_entry(box, RL_MARK_ATTENTION, &para, target);
    rl_box_gap(box, ENTRY_GAP);
}

/* Why nobody knows what limits a kernel. */
static const char *why_unknown(struct rl_report *report, const struct rl_family *family)
{
    const struct rl_kernel_result *result = &report->analysis->kernels[family->kernel];
    const char *above = family->figures ? family->figures->above_roof : result->above_roof;
    if (!rl_session_counted(&report->capture->session) && !rl_is_sampled(report->capture, family->kernel))
        return rl_words(report->doc, "there are no counters: %s",
                        rl_words_short(report->doc, report->capture->session.counters, 160));
    if (above)
        return rl_words(report->doc, "it lies above the %s, so the roof or the counters are in doubt", above);
    return result->limits.why ? result->limits.why : "none of its launches was counted";
}

/* The kernel with the most time of which nobody knows what limits it, and why. */
static void add_unknown(struct rl_report *report, struct rl_box *box, size_t gpu)
{
    const struct rl_kernel_blocks *blocks = rl_kernel_blocks_of(report, gpu);
    const struct rl_family *first = NULL;
    for (size_t i = 0; i < blocks->count && !first; i++)
        first = rl_family_bound(report->analysis, blocks->family[i]) == RL_BOUND_UNKNOWN ? blocks->family[i] : NULL;
    if (!first || first->gpu_s < RL_LEAST_SHARE * blocks->total_ns * 1e-9)
        return;
    const char *why = why_unknown(report, first);
    struct rl_para para = RL_PARA_INIT;
    rl_para_addf(report->doc->layout, &para, RL_STYLE_QUIET, "Not known: what limits ");
    rl_para_link(report->doc->layout, &para, RL_STYLE_CODE, rl_family_label(report, first, 50),
                 rl_kernel_target(report, first->kernel));
    rl_para_addf(report->doc->layout, &para, RL_STYLE_QUIET, " (%s). %s.", rl_words_seconds(report->doc, first->gpu_s),
                 rl_words_sentence(report->doc, why));
    para.max_lines = 3;
    rl_box_item(box, RL_MARK_QUIET, &para);
}

void rl_cover_actions_draw(struct rl_report *report, size_t gpu)
{
    struct rl_box *box = rl_flow_begin(report->doc->layout);
    struct rl_action actions[RL_MOST_ACTIONS];
    const size_t count = rl_actions_of(report->analysis, report->families, gpu, actions, RL_MOST_ACTIONS);
    rl_box_text(box, RL_STYLE_SUBSECTION, "What to do first");
    rl_box_gap(box, ENTRY_GAP);
    for (size_t i = 0; i < count; i++)
        add_action(report, box, i + 1, &actions[i]);
    if (count == 0)
        rl_box_text(box, RL_STYLE_BODY, "No rule found anything that costs time.");
    add_unknown(report, box, gpu);
    rl_flow_end(box);
}

/* ---- kernels by time ---- */

enum { MOST_ROWS = 8 };

static const struct rl_family *family_at(const struct rl_report *report, size_t gpu, size_t rank)
{
    const struct rl_kernel_blocks *blocks = rl_kernel_blocks_of(report, gpu);
    return rank < blocks->count ? blocks->family[rank] : NULL;
}

/* How many kernels of the GPU have a row: those with a part of the time that matters. */
static size_t rows_of(const struct rl_report *report, size_t gpu)
{
    const double least_s = RL_LEAST_SHARE * rl_kernel_blocks_of(report, gpu)->total_ns * 1e-9;
    size_t count = 0;
    while (count < MOST_ROWS && family_at(report, gpu, count) && family_at(report, gpu, count)->gpu_s >= least_s)
        count++;
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
    const char *rest = others ? rl_words(report->doc, "%s with %s of the time: all of them are listed under The program.",
                                         rl_words_count(report->doc, others, "more kernel", "more kernels"),
                                         rl_cover_share_text(report, rest_s, total_s))
                              : "";
    if (others || kinds)
        rl_layout_textf(report->doc->layout, RL_STYLE_NOTE, "%s%s%s", rest, others && kinds ? " " : "",
                        kinds ? "In brackets: the mean time of each kind of launches of one class." : "");
}

static const char *limit_text(struct rl_report *report, const struct rl_family *family)
{
    const struct rl_limiting *limits = &report->analysis->kernels[family->kernel].limits;
    const enum rl_resource limiter = family->figures ? family->figures->limiter : limits->limiter;
    return limiter < RL_RESOURCE_COUNT ? rl_resources[limiter].label
                                       : rl_cover_limiter_name(rl_family_bound(report->analysis, family));
}

static struct rl_value median_of(const struct rl_report *report, const struct rl_family *family)
{
    const struct rl_stats *times = &report->analysis->kernels[family->kernel].duration;
    return family->figures ? family->figures->median_s
           : times->n      ? rl_value_of(times->median)
                           : rl_value_missing(RL_NOT_COLLECTED, "no launch was timed");
}

static void add_kernel(struct rl_report *report, struct rl_grid *grid, const struct rl_family *family, double total_s)
{
    const struct rl_kernel_result *result = &report->analysis->kernels[family->kernel];
    const struct rl_value nearest = family->figures ? family->figures->roof_share : result->roof_share;
    rl_grid_row(grid);
    rl_grid_cell(grid, RL_STYLE_CELL_NAME, rl_family_label(report, family, 120))->target = rl_kernel_target(report, family->kernel);
    rl_grid_cell(grid, RL_STYLE_CELL, rl_words_number(report->doc, family->time.launches));
    rl_grid_cell(
        grid, RL_STYLE_CELL,
        rl_words(report->doc, "%s%s", rl_time_state_sign(family->time.state), rl_words_seconds(report->doc, family->gpu_s)));
    struct rl_grid_cell *cell = rl_grid_value(grid, RL_STYLE_CELL, rl_value_of(family->gpu_s / total_s), 100, 3);
    cell->share = family->gpu_s / total_s;
    cell->share_colour = rl_tones[rl_cover_limiter_tone(rl_family_bound(report->analysis, family))].mark;
    rl_grid_cell(grid, RL_STYLE_CELL, rl_words_value(report->doc, RL_UNIT_SECOND, median_of(report, family), 3));
    rl_grid_cell(grid, RL_STYLE_CELL, limit_text(report, family));
    const struct rl_roofline_entry entry = rl_entry_of_family(report, family);
    rl_entry_add_percent(report, grid, &entry, nearest);
    struct rl_grid_cell *page = rl_grid_cell(grid, RL_STYLE_CELL_QUIET, "");
    page->target = rl_kernel_target(report, family->kernel);
    page->page_number = page->target != RL_NO_TARGET;
}

void rl_cover_kernels_draw(struct rl_report *report, size_t gpu)
{
    static const struct rl_grid_column columns[] = {
        {.head = "kernel"},
        {.head = "launches", .align = RL_GRID_RIGHT},
        {.head = "GPU time", .align = RL_GRID_RIGHT},
        {.head = "share", .unit = "%", .align = RL_GRID_DECIMAL, .share_width = 36},
        {.head = "median launch", .align = RL_GRID_RIGHT},
        {.head = "limited by", .whole = true},
        {.head = "nearest roof", .unit = "%", .align = RL_GRID_DECIMAL},
        {.head = "page", .align = RL_GRID_RIGHT},
    };
    const double total_s = rl_kernel_blocks_of(report, gpu)->total_ns * 1e-9;
    const size_t count = rows_of(report, gpu);
    struct rl_grid grid;
    rl_layout_skip(report->doc->layout, 6);
    rl_grid_begin(&grid, report->doc->layout, "Kernels by time", columns, RL_COUNT(columns));
    for (size_t i = 0; i < count; i++)
        add_kernel(report, &grid, family_at(report, gpu, i), total_s);
    rl_grid_end(&grid);
    note_others(report, gpu, count);
}

/* ---- the state of the card, in a line ---- */

void rl_cover_health_draw(struct rl_report *report, size_t gpu)
{
    struct rl_buf bad = RL_BUF_INIT;
    size_t good = 0, unknown = 0;
    for (size_t i = 0; i < rl_health_count; i++) {
        const struct rl_health health = rl_health_check(report, gpu, i);
        if (health.mark == RL_MARK_ATTENTION)
            rl_buf_addf(&bad, "%s%s: %s", bad.len ? "; " : "", health.title, health.text);
        good += health.mark == RL_MARK_GOOD;
        unknown += health.mark == RL_MARK_QUIET;
    }
    struct rl_box *box = rl_flow_begin(report->doc->layout);
    struct rl_para para = RL_PARA_INIT;
    rl_para_add(report->doc->layout, &para, RL_STYLE_STRONG, "Health of the card: ");
    rl_para_addf(report->doc->layout, &para, RL_STYLE_BODY, "%s%s%zu of %zu checks passed%s.", bad.len ? bad.data : "",
                 bad.len ? "; " : "", good, rl_health_count,
                 unknown ? rl_words(report->doc, ", %zu could not be made", unknown) : "");
    rl_box_gap(box, 6);
    rl_box_entry(box, bad.len ? RL_MARK_ATTENTION : RL_MARK_GOOD, &para, rl_gpu_target(report, RL_PAGE_device, gpu));
    rl_flow_end(box);
    rl_buf_release(&bad);
}
