/* experiment_curve.c - the chart of an experiment whose variants are one parameter in rising order. */
#include "experiment.h"

/* ---- the parameter, when the variants are one in rising order ---- */

/* The line that a variant stands on: the text of a setting; "" where there is but one line. */
static const char *line_of(const struct rl_report *report, const struct rl_view *view, size_t i)
{
    const char *key = view->experiment->form.series;
    const struct rl_setting *setting = key ? rl_view_setting(report, view, i, key) : NULL;
    return setting && setting->text ? setting->text : "";
}

/* True when the experiment is drawn as lines: its variants stand on the axis in rising order, line after line, three of them or
 * more. Those that do not stand on it (NAN) are in the tables alone. */
static bool ordered(const struct rl_report *report, const struct rl_view *view, double *numbers)
{
    const struct rl_experiment_form *form = &view->experiment->form;
    const char *line = "";
    double last = -INFINITY;
    size_t points = 0;
    const bool drawn = form->form == RL_CHART_FORM_LINE || form->form == RL_CHART_FORM_STAGES;
    for (size_t i = 0; i < view->count && drawn; i++) {
        const struct rl_setting *setting = rl_view_setting(report, view, i, form->axis);
        numbers[i] = setting && rl_present(setting->number) ? setting->number.v : NAN;
        if (isnan(numbers[i]))
            continue;
        if (strcmp(line, line_of(report, view, i)) != 0) {
            line = line_of(report, view, i);
            last = -INFINITY;
        }
        if (numbers[i] <= last)
            return false;
        last = numbers[i];
        points++;
    }
    return drawn && points >= 3 && view->best != RL_NONE;
}

static bool powers_of_two(const double *numbers, size_t count)
{
    return !RL_ANY(i, count, !isnan(numbers[i]) && (numbers[i] <= 0 || fabs(log2(numbers[i]) - round(log2(numbers[i]))) > 1e-9));
}

/* ---- the chart ---- */

#define LINES_HEIGHT 170.0

size_t rl_view_roof_lines(struct rl_report *report, const struct rl_view *view, struct rl_chart_reference **references)
{
    return view->quantity->unit == RL_UNIT_BYTE_PER_SECOND
               ? rl_roofs_dram_references(report->doc, report->analysis, view->key.gpu, references)
               : 0;
}

/* One line of the chart, of variant `first` and those behind it that stand on the same. */
static struct rl_chart_series make_line(struct rl_report *report, const struct rl_view *view, const double *numbers, size_t first)
{
    const char *line = line_of(report, view, first);
    double *columns[4]; /* x, y, low, high */
    struct rl_chart_series series = {.tone = RL_TONE_INK};
    for (size_t c = 0; c < RL_COUNT(columns); c++)
        columns[c] = rl_arena_alloc(report->doc->arena, view->count * sizeof(double));
    for (size_t i = first; i < view->count; i++) {
        struct rl_view_figure figure = rl_view_figure(report, view, i);
        if (!rl_present(figure.value) || isnan(numbers[i]) || strcmp(line, line_of(report, view, i)) != 0)
            continue;
        columns[0][series.count] = numbers[i];
        columns[1][series.count] = figure.value.v;
        columns[2][series.count] = figure.low;
        columns[3][series.count++] = figure.high;
    }
    series.x = columns[0];
    series.y = columns[1];
    series.low = columns[2];
    series.high = columns[3];
    return series;
}

/* The lines, labelled where there are several; those beyond the first in other tones. */
static size_t make_series(struct rl_report *report, const struct rl_view *view, const double *numbers,
                          struct rl_chart_series **series)
{
    static const enum rl_tone tones[] = {RL_TONE_INK, RL_TONE_SQUARE, RL_TONE_UP};
    size_t count = 0;
    *series = rl_arena_alloc(report->doc->arena, RL_COUNT(tones) * sizeof **series);
    for (size_t i = 0; i < view->count && count < RL_COUNT(tones); i++) {
        bool drawn = isnan(numbers[i]);
        for (size_t j = 0; j < i && !drawn; j++)
            drawn = !isnan(numbers[j]) && strcmp(line_of(report, view, i), line_of(report, view, j)) == 0;
        if (drawn)
            continue;
        (*series)[count] = make_line(report, view, numbers, i);
        (*series)[count].label = *line_of(report, view, i) ? rl_words_short(report->doc, line_of(report, view, i), 24) : NULL;
        (*series)[count].tone = tones[count];
        count++;
    }
    if (count == 1)
        (*series)->label = NULL;
    return count;
}

static struct rl_chart *plan_lines(struct rl_report *report, struct rl_section *section, const struct rl_view *view,
                                   const double *numbers)
{
    struct rl_chart_reference *references = NULL;
    struct rl_chart_series *series;
    const size_t series_count = make_series(report, view, numbers, &series);
    struct rl_chart *chart = rl_document_chart(report->doc, section, RL_CHART_LINES);
    chart->height = LINES_HEIGHT;
    chart->lines = (struct rl_chart_lines){
        .x_unit = view->experiment->form.axis_unit,
        .y_unit = view->quantity->unit,
        .x_scale = powers_of_two(numbers, view->count) ? RL_SCALE_LOG2 : RL_SCALE_LINEAR,
        .y_scale = rl_view_range(report, view) > 20 ? RL_SCALE_LOG10 : RL_SCALE_LINEAR,
        .x_title = rl_words_short(report->doc, view->experiment->form.axis_title, 40),
        .y_title = view->quantity->title,
        .show_values = true,
        .series = series,
        .series_count = series_count,
        .reference_count = rl_view_roof_lines(report, view, &references),
    };
    chart->lines.references = references;
    return chart;
}

struct rl_chart *rl_view_plan_curve(struct rl_report *report, struct rl_section *section, const struct rl_view *view)
{
    double *numbers = rl_arena_alloc(report->doc->arena, (view->count + 1) * sizeof *numbers);
    return ordered(report, view, numbers) ? plan_lines(report, section, view, numbers) : NULL;
}
