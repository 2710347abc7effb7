/* page_cases.c - cases: work with parameters, its rate against size below its roof, and every case in a table. */
#include "core/intern.h"
#include "page.h"
#include "results/results.h"
#include "view_table.h"

enum { MOST_CHARTS = 4, MOST_SERIES = 5, MOST_ROWS = 60, LABEL_COLUMNS = 24 };
#define GAP          10.0
#define CHART_HEIGHT 190.0
#define WIDE_RANGE   8.0  /* of sizes: logarithmic from there on */
#define WIDE_RATES   20.0 /* the same of rates */

static const enum rl_tone tones[MOST_SERIES] = {RL_TONE_INK, RL_TONE_SQUARE, RL_TONE_UP, RL_TONE_DOWN, RL_TONE_GREY};

/* ---- series: cases that differ in nothing but what goes with the axis ---- */

struct place {
    double x;
    const struct rl_case *of;
};

RL_COMPARATOR(by_x, struct place, rl_ascending(x->x, y->x));

static double x_of(const struct rl_case *of, const char *axis)
{
    const struct rl_case_parameter *parameter = rl_case_parameter_of(of, axis);
    return parameter && rl_present(parameter->number) ? parameter->number.v : NAN;
}

static const char *value_of(const struct rl_case *of, const char *key)
{
    const struct rl_case_parameter *parameter = rl_case_parameter_of(of, key);
    return parameter ? parameter->value : "";
}

/* Whether each size has one value of the key: then the axis implies it. `places` ascend. */
static bool goes_with_axis(const struct place *places, size_t count, const char *key)
{
    for (size_t i = 1; i < count; i++)
        if (places[i].x <= places[i - 1].x && strcmp(value_of(places[i].of, key), value_of(places[i - 1].of, key)) != 0)
            return false;
    return true;
}

/* The keys that tell series apart, of all cases of a group; returns how many. */
static size_t telling_keys(const struct place *places, size_t count, const char *axis, const char *keys[RL_CASE_PARAMETERS])
{
    size_t found = 0;
    for (size_t i = 0; i < places->of->name.count; i++) {
        const char *key = places->of->name.parameters[i].key;
        if (strcmp(key, axis) != 0 && !goes_with_axis(places, count, key))
            keys[found++] = key;
    }
    return found;
}

/* "N=64, dtype=bf16" */
static const char *series_of(struct rl_report *report, const struct rl_case *of, const char *const *keys, size_t count)
{
    struct rl_buf text = RL_BUF_IN(report->doc->arena);
    for (size_t i = 0; i < count; i++) {
        const char *value = value_of(of, keys[i]);
        rl_buf_addf(&text, "%s%s%s%s", text.len ? ", " : "", keys[i], *value ? "=" : "", value);
    }
    return rl_words(report->doc, "%s", text.len ? text.data : "");
}

/* ---- a chart ---- */

struct plan {
    const struct rl_case_group *group;
    bool rates; /* not times */
    enum rl_unit unit;
    struct place *places;
    size_t *series; /* of each place */
    const char **labels;
    size_t count, series_count;
};

static const char *work_of(const struct rl_case *of)
{
    return of->rate_of ? of->rate_of : "work";
}

static double y_of(const struct plan *plan, const struct rl_case *of, double seconds)
{
    return plan->rates ? of->work.v / seconds : seconds;
}

static bool is_drawn(const struct rl_cases *cases, const struct rl_case_group *group)
{
    size_t timed = RL_SUM(size_t, i, group->count, cases->at[group->first + i].n > 0);
    return group->axis && timed > 1;
}

static void find_series(struct rl_report *report, struct plan *plan)
{
    struct rl_intern names = {0};
    bool is_new;
    const char *keys[RL_CASE_PARAMETERS];
    const size_t key_count = telling_keys(plan->places, plan->count, plan->group->axis, keys);
    plan->series = rl_arena_alloc(report->doc->arena, plan->count * sizeof *plan->series);
    plan->labels = rl_arena_alloc(report->doc->arena, plan->count * sizeof *plan->labels);
    for (size_t i = 0; i < plan->count; i++) {
        const char *label = series_of(report, plan->places[i].of, keys, key_count);
        plan->series[i] = rl_intern(&names, 0, label, &is_new);
        plan->labels[plan->series[i]] = label;
    }
    plan->series_count = names.count;
    rl_intern_release(&names);
}

static struct plan plan_of(struct rl_report *report, const struct rl_cases *cases, const struct rl_case_group *group)
{
    struct plan plan = {.group = group, .rates = true, .unit = RL_UNIT_SECOND};
    plan.places = rl_arena_alloc(report->doc->arena, group->count * sizeof *plan.places);
    for (size_t i = 0; i < group->count; i++) {
        const struct rl_case *of = &cases->at[group->first + i];
        if (of->n == 0)
            continue;
        plan.places[plan.count++] = (struct place){x_of(of, group->axis), of};
        plan.rates &= rl_present(of->rate) && strcmp(work_of(of), work_of(plan.places[0].of)) == 0;
    }
    rl_sort(plan.places, plan.count, sizeof *plan.places, by_x);
    if (plan.rates)
        plan.unit = plan.places[0].of->unit;
    find_series(report, &plan);
    return plan;
}

/* The cases of one series, which is its roof or its rates. */
static struct rl_chart_series line_of(struct rl_report *report, const struct plan *plan, size_t wanted, bool roof)
{
    double *numbers = rl_arena_alloc(report->doc->arena, 4 * plan->count * sizeof *numbers);
    struct rl_chart_series line = {.x = numbers, .y = numbers + plan->count, .bare = roof};
    double *x = numbers, *y = x + plan->count, *low = y + plan->count, *high = low + plan->count;
    for (size_t i = 0; i < plan->count; i++) {
        const struct rl_case *of = plan->places[i].of;
        if (plan->series[i] != wanted || (roof && !rl_present(of->roof_rate)))
            continue;
        x[line.count] = plan->places[i].x;
        y[line.count] = roof ? of->roof_rate.v : y_of(plan, of, of->time.median);
        low[line.count] = of->time.has_interval ? y_of(plan, of, plan->rates ? of->time.high : of->time.low) : NAN;
        high[line.count] = of->time.has_interval ? y_of(plan, of, plan->rates ? of->time.low : of->time.high) : NAN;
        line.count++;
    }
    line.low = roof ? NULL : low;
    line.high = roof ? NULL : high;
    return line;
}

static bool is_wide(const struct rl_chart_series *series, size_t count, bool of_x, double most)
{
    double lowest = INFINITY, highest = 0;
    for (size_t k = 0; k < count; k++)
        for (size_t i = 0; i < series[k].count; i++) {
            const double value = of_x ? series[k].x[i] : series[k].y[i];
            lowest = fmin(lowest, value);
            highest = fmax(highest, value);
        }
    return lowest > 0 && highest > most * lowest;
}

static void plan_chart(struct rl_report *report, struct rl_section *section, const struct plan *plan)
{
    struct rl_chart_series *lines = rl_arena_alloc(report->doc->arena, 2 * MOST_SERIES * sizeof *lines);
    const bool several = plan->series_count > 1;
    size_t count = 0;
    for (size_t k = 0; k < plan->series_count && k < MOST_SERIES; k++) {
        struct rl_chart_series roof = line_of(report, plan, k, true);
        lines[count] = line_of(report, plan, k, false);
        lines[count].tone = tones[k];
        lines[count++].label = several ? rl_words_short(report->doc, plan->labels[k], LABEL_COLUMNS) : NULL;
        if (!plan->rates || roof.count < 2)
            continue;
        roof.tone = several ? tones[k] : RL_TONE_GREY;
        roof.label = several ? NULL : "roof";
        lines[count++] = roof;
    }
    struct rl_chart *chart = rl_document_chart(report->doc, section, RL_CHART_LINES);
    chart->height = CHART_HEIGHT;
    chart->lines =
        (struct rl_chart_lines){.x_unit = RL_UNIT_COUNT,
                                .y_unit = plan->unit,
                                .x_scale = is_wide(lines, count, true, WIDE_RANGE) ? RL_SCALE_LOG2 : RL_SCALE_LINEAR,
                                .y_scale = is_wide(lines, count, false, WIDE_RATES) ? RL_SCALE_LOG10 : RL_SCALE_LINEAR,
                                .x_title = rl_words_short(report->doc, plan->group->axis, 40),
                                .y_title = plan->rates ? rl_words(report->doc, "Rate (%s)", work_of(plan->places[0].of)) : "Time",
                                .show_values = plan->count <= 16,
                                .series = lines,
                                .series_count = count};
}

/* ---- the page ---- */

/* The groups with the most time that have a size, in their order; returns their number. */
static size_t drawn_groups(const struct rl_cases *cases, size_t groups[MOST_CHARTS])
{
    size_t count = 0;
    for (size_t i = 0; i < cases->group_count && count < MOST_CHARTS; i++)
        if (is_drawn(cases, &cases->groups[i]))
            groups[count++] = i;
    return count;
}

static void plan(struct rl_document *doc, struct rl_section *section)
{
    struct rl_report *report = doc->subject;
    const struct rl_cases *cases = report->subject->cases;
    size_t groups[MOST_CHARTS];
    const size_t count = drawn_groups(cases, groups);
    for (size_t i = 0; i < count; i++) {
        const struct plan plan = plan_of(report, cases, &cases->groups[groups[i]]);
        plan_chart(report, section, &plan);
    }
}

/* The case at the top of a chart, in a sentence. */
static const char *conclusion(struct rl_report *report, const struct plan *plan)
{
    const struct rl_case *best = plan->places[0].of;
    for (size_t i = 1; i < plan->count; i++)
        if (y_of(plan, plan->places[i].of, plan->places[i].of->time.median) * (plan->rates ? 1 : -1) >
            y_of(plan, best, best->time.median) * (plan->rates ? 1 : -1))
            best = plan->places[i].of;
    const char *figure = rl_words_value(report->doc, plan->unit, rl_value_of(y_of(plan, best, best->time.median)), 3);
    const char *share = rl_present(best->roof_share) ? rl_words(report->doc, ", %s of its roof",
                                                                rl_words_value(report->doc, RL_UNIT_FRACTION, best->roof_share, 3))
                                                     : "";
    const char *left =
        plan->series_count > MOST_SERIES
            ? rl_words(report->doc, " %zu further combinations of parameters are not drawn.", plan->series_count - MOST_SERIES)
            : "";
    return rl_words(report->doc, "%s: %s %s%s, at %s.%s",
                    *plan->group->name ? rl_words_short(report->doc, plan->group->name, 40) : "Cases",
                    plan->rates ? "up to" : "from", figure, share, rl_words_short(report->doc, best->label, 48), left);
}

static void draw(struct rl_document *doc, struct rl_section *section)
{
    struct rl_report *report = doc->subject;
    const struct rl_cases *cases = report->subject->cases;
    const struct view view = view_subject_view(report->subject, &view_record_cases, cases);
    rl_layout_text(report->doc->layout, RL_STYLE_LEAD,
                   rl_view_words(report->doc->layout, &view, "{count case|cases} of {names name|names}."));
    rl_layout_skip(report->doc->layout, 6);
    size_t groups[MOST_CHARTS];
    const size_t count = drawn_groups(cases, groups);
    for (size_t i = 0; i < count; i++) {
        const struct plan plan = plan_of(report, cases, &cases->groups[groups[i]]);
        rl_layout_figure(report->doc->layout, &rl_document_result(report->doc, section, i)->drawing, conclusion(report, &plan),
                         plan.rates ? "Medians over instances with 95 % CI; lines without marks: the rate at the roof of each case."
                                    : "Medians over instances with 95 % CI.");
        rl_layout_skip(report->doc->layout, GAP);
    }
    rl_view_table(report->doc->layout, &view, &(struct rl_view_table){.list = "cases", .title = "Every case", .most = MOST_ROWS});
    rl_layout_skip(report->doc->layout, GAP);
    rl_view_items(report->doc->layout, &view, "remarked", 0);
    rl_view_items(report->doc->layout, &view, "with_kernels", 0);
}

static size_t how_many(const struct rl_document *doc)
{
    const struct rl_report *report = doc->subject;
    return report->subject->cases->count > 0;
}

const struct rl_page rl_page_cases = {.count = how_many, .plan = plan, .draw = draw, .fills = 290};
