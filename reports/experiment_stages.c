/* experiment_stages.c - pipelines of several depths against the published model (see experiment.h).
 *
 * Variants are called WAY_GROUP ("sync_balanced", "pipeline_4_balanced"), where a group is an amount of work per byte. A claim that
 * a variant PIPELINE_DEPTH_GROUP is *about* so many times as fast as BASE_GROUP is a value of the model. The chart has a line for
 * each group of the model, BASE's time over that of each depth, and the model's values as hollow marks.
 */
#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "experiment.h"

enum { MOST_GROUPS = 6, MOST_DEPTHS = 16, LEAST_DEPTHS = 3 };
#define PANEL_HEIGHT 112.0

/* "pipeline_4_balanced" in its parts. */
struct staged {
    const char *name;
    size_t way;        /* length of "pipeline" */
    double depth;      /* 4 */
    const char *group; /* "balanced" */
};

static bool split(const char *name, struct staged *staged)
{
    const char *group = strrchr(name, '_'), *digits = group;
    while (digits && digits > name && isdigit((unsigned char)digits[-1]))
        digits--;
    if (!group || digits == group || group - digits > 6 || digits - name < 2 || digits[-1] != '_')
        return false;
    *staged = (struct staged){name, (size_t)(digits - 1 - name), strtod(digits, NULL), group + 1};
    return staged->group[0] != 0;
}

/* A value of the model: a claim on the ratio of the times of BASE_GROUP and PIPELINE_DEPTH_GROUP. */
static bool is_model(const struct rl_claim *claim, struct staged *staged)
{
    if (strcmp(claim->quantity, "time_s") != 0 || strcmp(claim->relation, "about") != 0 || !claim->baseline ||
        !split(claim->baseline, staged))
        return false;
    const char *group = strrchr(claim->subject, '_');
    return group && strcmp(group + 1, staged->group) == 0;
}

/* ---- what is drawn ---- */

/* One line: the speed-up over the base at each depth, and the model's value. */
struct group {
    const struct rl_claim *claim;
    struct staged model;
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
            return view->spots[i].shows ? i : RL_NONE;
    return RL_NONE;
}

static bool same_line(const struct staged *a, const struct staged *b)
{
    return a->way == b->way && strncmp(a->name, b->name, a->way) == 0 && strcmp(a->group, b->group) == 0;
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
    size_t base = find_variant(report, view, group->claim->subject);
    for (size_t i = 0; i < view->count && base != RL_NONE; i++) {
        const struct rl_variant_result *slow = view->spots[base].run, *fast = view->spots[i].run;
        struct staged staged;
        if (view->spots[i].shows && split(rl_view_variant(report, view, i)->name, &staged) && same_line(&staged, &group->model))
            add_depth(group, staged.depth, rl_variant_ratio(slow, fast));
    }
}

/* The groups that the model speaks of. False: there is no line to draw. */
static bool find_stages(const struct rl_report *report, const struct rl_view *view, struct stages *stages)
{
    bool lines = false;
    stages->count = 0;
    for (size_t i = 0; i < view->experiment->claim_count && stages->count < MOST_GROUPS; i++) {
        struct group group = {.claim = &view->experiment->claims[i]};
        if (!is_model(group.claim, &group.model))
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
    *series = (struct rl_chart_series){.tone = RL_TONE_MEMORY,
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
    struct rl_buf out = RL_BUF_INIT;
    rl_number_exact(&out, group->claim->value);
    const char *text = rl_words(report->doc, "%s", out.data);
    rl_buf_release(&out);
    return text;
}

static struct rl_chart_reference *make_reference(struct rl_report *report, const struct group *group)
{
    struct rl_chart_reference *reference = rl_arena_alloc(report->doc->arena, sizeof *reference);
    *reference =
        (struct rl_chart_reference){group->claim->value, false, rl_words(report->doc, "model %s", model_text(report, group))};
    return reference;
}

/* "sync" from "sync_balanced". */
static const char *base_name(struct rl_report *report, const struct group *group)
{
    const char *name = group->claim->subject;
    return rl_words_short(report->doc, rl_words(report->doc, "%.*s", (int)fmin((double)(strrchr(name, '_') - name), 200), name),
                          40);
}

static void plan_panel(struct rl_report *report, struct rl_section *section, const struct group *group)
{
    struct rl_chart *chart = rl_document_chart(report->doc, section, RL_CHART_LINES);
    chart->width = rl_layout_width(report->doc->layout, 6);
    chart->height = PANEL_HEIGHT;
    chart->lines = (struct rl_chart_lines){
        .x_unit = RL_UNIT_NONE,
        .y_unit = RL_UNIT_NONE,
        .x_scale = RL_SCALE_LOG2,
        .y_scale = RL_SCALE_LINEAR,
        .x_title = "Stages of the pipeline",
        .y_title = rl_words(report->doc, "%s: times as fast as %s", rl_words_short(report->doc, group->model.group, 30),
                            base_name(report, group)),
        .show_values = true,
        .series = make_series(report, group),
        .series_count = 1,
        .references = make_reference(report, group),
        .reference_count = 1,
        .y_top = 1.2 * group->claim->value, /* the model's name stands above its line */
    };
}

bool rl_view_plan_stages(struct rl_report *report, struct rl_section *section, const struct rl_view *view)
{
    struct stages stages;
    if (!find_stages(report, view, &stages))
        return false;
    for (size_t g = 0; g < stages.count; g++)
        plan_panel(report, section, &stages.groups[g]);
    return true;
}

/* ---- in words ---- */

/* What was measured where the model has its value; missing when that depth was not. */
static struct rl_value at_model(const struct group *group)
{
    for (size_t i = 0; i < group->count; i++)
        if (group->depth[i] == group->model.depth)
            return rl_value_of(group->ratio[i]);
    return rl_value_missing(RL_NOT_COLLECTED, NULL);
}

static const char *caption(struct rl_report *report, const struct stages *stages)
{
    struct rl_buf out = RL_BUF_INIT;
    rl_buf_addf(&out, "How many times as fast as `%s`, with the model's value in brackets:", base_name(report, &stages->groups[0]));
    for (size_t g = 0; g < stages->count; g++) {
        const struct group *group = &stages->groups[g];
        rl_buf_addf(&out, "%s %s %s (%s)", g ? "," : "", rl_words_short(report->doc, group->model.group, 30),
                    rl_words_value(report->doc, RL_UNIT_NONE, at_model(group), 3), model_text(report, group));
    }
    rl_buf_addf(&out, " with %g stages.", stages->groups[0].model.depth);
    const char *text = rl_words(report->doc, "%s", out.data);
    rl_buf_release(&out);
    return text;
}

bool rl_view_draw_stages(struct rl_report *report, const struct rl_section *section, const struct rl_view *view)
{
    static const char method[] =
        "Ratio of the median times; whiskers: 95 % interval. Dashed: the published model, by which a pipeline takes "
        "the greater of memory and arithmetic for each tile, and taking turns takes their sum.";
    struct stages stages;
    if (!find_stages(report, view, &stages))
        return false;
    const char *text = caption(report, &stages);
    struct rl_box *box = rl_flow_begin(report->doc->layout), *row = NULL;
    for (size_t i = 0; i < stages.count; i++) { /* two beside each other */
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
