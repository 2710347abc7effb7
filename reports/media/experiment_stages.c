/* experiment_stages.c - pipelines of several depths against the published model (see experiment.h).
 *
 * The experiment names three keys of settings: the axis (stages of a pipeline), the series (an amount of work per byte, a panel for
 * each) and the way (taking turns, a pipeline). A claim that a variant with a number on the axis is *about* so many times as fast
 * as another one of its series is a value of the model. A panel has a line for the variants that are like the model's in everything
 * but the number on the axis: the base's time over that of each, and the model's value as a reference.
 */
#include "core/core.h"
#include "experiment.h"

enum { MOST_GROUPS = 6, MOST_DEPTHS = 16, LEAST_DEPTHS = 3 };
#define PANEL_HEIGHT 112.0

/* ---- what is drawn ---- */

/* One line: the speedup over the base at each depth, and the model's value. */
struct group {
    const struct rl_claim *claim;
    size_t base, model; /* variants of the claim, in the view */
    double model_depth;
    double depth[MOST_DEPTHS], ratio[MOST_DEPTHS], low[MOST_DEPTHS], high[MOST_DEPTHS];
    size_t count;
};
struct stages {
    struct group groups[MOST_GROUPS];
    size_t count;
};

static size_t find_variant(const struct rl_report *report, const struct rl_view *view, const char *name)
{
    for (size_t i = 0; i < view->count; i++)
        if (strcmp(rl_view_variant(report, view, i)->name, name) == 0)
            return i;
    return RL_NONE;
}

/* Where a variant stands on the axis; false: nowhere. */
static bool depth_of(const struct rl_report *report, const struct rl_view *view, size_t i, double *depth)
{
    const struct rl_setting *setting = rl_view_setting(report, view, i, view->experiment->form.axis);
    *depth = setting ? setting->number.v : NAN;
    return setting && rl_present(setting->number);
}

static bool same_setting(const struct rl_report *report, const struct rl_view *view, size_t a, size_t b, const char *key)
{
    const struct rl_setting *x = rl_view_setting(report, view, a, key), *y = rl_view_setting(report, view, b, key);
    return x && y && rl_setting_same_value(x, y);
}

/* Whether the claim is a value of the model, and of which variants. */
static bool is_model(const struct rl_report *report, const struct rl_view *view, struct group *group)
{
    const struct rl_claim *claim = group->claim;
    if (strcmp(claim->quantity, "time_s") != 0 || strcmp(claim->relation, "about") != 0 || !claim->baseline)
        return false;
    group->base = find_variant(report, view, claim->subject);
    group->model = find_variant(report, view, claim->baseline);
    return group->base != RL_NONE && group->model != RL_NONE && depth_of(report, view, group->model, &group->model_depth) &&
           same_setting(report, view, group->base, group->model, view->experiment->form.series);
}

static void add_depth(struct group *group, double depth, struct rl_ratio ratio)
{
    if (!ratio.present || group->count == MOST_DEPTHS)
        return;
    group->depth[group->count] = depth;
    group->ratio[group->count] = ratio.estimate;
    group->low[group->count] = ratio.has_interval ? ratio.low : NAN;
    group->high[group->count++] = ratio.has_interval ? ratio.high : NAN;
}

static void fill(const struct rl_report *report, const struct rl_view *view, struct group *group)
{
    const struct rl_experiment_form *form = &view->experiment->form;
    for (size_t i = 0; i < view->count && view->entries[group->base].shows; i++) {
        double depth;
        if (view->entries[i].shows && depth_of(report, view, i, &depth) &&
            same_setting(report, view, i, group->model, form->series) && same_setting(report, view, i, group->model, form->way))
            add_depth(group, depth, rl_variant_ratio(view->entries[group->base].run, view->entries[i].run));
    }
}

/* The groups that the model speaks of. False: there is no line to draw. */
static bool find_stages(const struct rl_report *report, const struct rl_view *view, struct stages *stages)
{
    const bool staged = view->experiment->form.form == RL_CHART_FORM_STAGES;
    bool lines = false;
    stages->count = 0;
    for (size_t i = 0; i < view->experiment->claim_count && stages->count < MOST_GROUPS && staged; i++) {
        struct group group = {.claim = &view->experiment->claims[i]};
        if (!is_model(report, view, &group))
            continue;
        fill(report, view, &group);
        lines |= group.count >= LEAST_DEPTHS;
        if (group.count > 0)
            stages->groups[stages->count++] = group;
    }
    return lines;
}

/* ---- the charts ---- */

static double *copied(struct rl_report *report, const double *values, size_t count)
{
    double *copy = rl_arena_alloc(report->doc->arena, count * sizeof *copy);
    memcpy(copy, values, count * sizeof *copy);
    return copy;
}

static struct rl_chart_series *make_series(struct rl_report *report, const struct group *group)
{
    struct rl_chart_series *series = rl_arena_alloc(report->doc->arena, sizeof *series);
    assert(group->count > 0);
    *series = (struct rl_chart_series){.tone = RL_TONE_INK,
                                       .count = group->count,
                                       .x = copied(report, group->depth, group->count),
                                       .y = copied(report, group->ratio, group->count),
                                       .low = copied(report, group->low, group->count),
                                       .high = copied(report, group->high, group->count)};
    return series;
}

/* As it was published. */
static const char *model_text(struct rl_report *report, const struct group *group)
{
    struct rl_buf out = RL_BUF_IN(report->doc->arena);
    rl_number_exact(&out, group->claim->value);
    return out.data;
}

static struct rl_chart_reference *make_reference(struct rl_report *report, const struct group *group)
{
    struct rl_chart_reference *reference = rl_arena_alloc(report->doc->arena, sizeof *reference);
    *reference =
        (struct rl_chart_reference){group->claim->value, false, rl_words(report->doc, "model %s", model_text(report, group))};
    return reference;
}

/* The value of a variant's setting in words: "balanced", "sync"; its name where it has none. */
static const char *setting_text(struct rl_report *report, const struct rl_view *view, size_t i, const char *key, size_t columns)
{
    const struct rl_setting *setting = rl_view_setting(report, view, i, key);
    struct rl_buf out = RL_BUF_IN(report->doc->arena);
    if (!setting)
        return rl_words_short(report->doc, rl_view_variant(report, view, i)->name, columns);
    rl_setting_value_text(setting, &out);
    return rl_words_short(report->doc, out.data, columns);
}

static const char *base_name(struct rl_report *report, const struct rl_view *view, const struct group *group)
{
    return setting_text(report, view, group->base, view->experiment->form.way, 40);
}

static const char *group_name(struct rl_report *report, const struct rl_view *view, const struct group *group)
{
    return setting_text(report, view, group->model, view->experiment->form.series, 30);
}

bool rl_view_plan_stages(struct rl_report *report, struct rl_section *section, const struct rl_view *view)
{
    struct stages stages;
    if (!find_stages(report, view, &stages))
        return false;
    for (size_t g = 0; g < stages.count; g++) {
        const struct group *group = &stages.groups[g];
        struct rl_chart *chart = rl_document_chart(report->doc, section, RL_CHART_LINES);
        const char *of_group = group_name(report, view, group), *of_base = base_name(report, view, group);
        chart->width = rl_layout_width(report->doc->layout, 6);
        chart->height = PANEL_HEIGHT;
        chart->lines = (struct rl_chart_lines){
            .x_unit = view->experiment->form.axis_unit,
            .y_unit = RL_UNIT_NONE,
            .x_scale = RL_SCALE_LOG2,
            .y_scale = RL_SCALE_LINEAR,
            .x_title = rl_words_short(report->doc, view->experiment->form.axis_title, 40),
            .y_title = rl_words(report->doc, "%s: speedup over %s", of_group, of_base),
            .show_values = true,
            .series = make_series(report, group),
            .series_count = 1,
            .references = make_reference(report, group),
            .reference_count = 1,
            .y_top = 1.2 * group->claim->value, /* the model's name stands above its line */
        };
    }
    return true;
}

/* ---- in words ---- */

/* The measured value at the depth of the model; missing when that depth was not measured. */
static struct rl_value at_model(const struct group *group)
{
    for (size_t i = 0; i < group->count; i++)
        if (group->depth[i] == group->model_depth)
            return rl_value_of(group->ratio[i]);
    return rl_value_missing(RL_NOT_COLLECTED, NULL);
}

double rl_view_rows_of_stages(struct rl_report *report, const struct rl_view *view)
{
    struct stages stages;
    return find_stages(report, view, &stages) ? (double)((stages.count + 1) / 2) : 0;
}

bool rl_view_draw_stages(struct rl_report *report, const struct rl_section *section, const struct rl_view *view)
{
    static const char method[] =
        "Ratio of the median times; whiskers: 95 % CI. Dashed: the published model, in which a pipeline takes the larger of "
        "memory and arithmetic time per tile, and taking turns takes their sum.";
    struct stages stages;
    if (!find_stages(report, view, &stages))
        return false;
    struct rl_buf out = RL_BUF_IN(report->doc->arena);
    rl_buf_addf(&out, "Speedup over `%s`, with the model's value in brackets:", base_name(report, view, &stages.groups[0]));
    for (size_t g = 0; g < stages.count; g++) {
        const struct group *group = &stages.groups[g];
        rl_buf_addf(&out, "%s %s %s (%s)", g ? "," : "", group_name(report, view, group),
                    rl_words_value(report->doc, RL_UNIT_NONE, at_model(group), 3), model_text(report, group));
    }
    rl_buf_addf(&out, " with %g stages.", stages.groups[0].model_depth);
    const char *text = out.data;
    struct rl_box *box = rl_flow_begin(report->doc->layout), *row = NULL;
    for (size_t i = 0; i < stages.count; i++) { /* two in a row */
        const struct rl_chart *chart = &report->doc->charts[section->first_chart + i];
        if (i % 2 == 0)
            row = rl_box_row(box);
        rl_box_drawing(rl_box_cell(row, RL_ALL_COLUMNS / 2), &rl_document_result(report->doc, section, i)->drawing,
                       chart->lines.y_title);
        if (i % 2 != 0 || i + 1 == stages.count)
            rl_box_gap(box, 8);
    }
    rl_box_caption(box, text, method);
    rl_flow_together(box);
    return true;
}
