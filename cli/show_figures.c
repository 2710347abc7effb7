#include "show_figures.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"

/* The metric, or the estimate in its place. */
static struct rl_value known(const struct show_row *row, enum rl_metric metric)
{
    const struct rl_value estimate = show_estimate(row, metric);
    return rl_present(estimate) ? estimate : show_metric(row, metric);
}

static struct rl_value dram(const struct show_row *row)
{
    return known(row, RL_METRIC_dram_bytes_per_second);
}

static bool dram_is_estimate(const struct show_row *row)
{
    return rl_present(show_estimate(row, RL_METRIC_dram_bytes_per_second));
}

static struct rl_value most_dram(const struct show_row *row)
{
    return show_most(row, RL_METRIC_dram_bytes_per_second);
}

static struct rl_value rate(const struct show_row *row)
{
    return show_metric(row, RL_METRIC_flop_per_second);
}

static struct rl_value achieved(const struct show_row *row)
{
    return known(row, RL_METRIC_achieved_occupancy);
}

static bool achieved_is_estimate(const struct show_row *row)
{
    return rl_present(show_estimate(row, RL_METRIC_achieved_occupancy));
}

static struct rl_value theoretical(const struct show_row *row)
{
    return show_metric(row, RL_METRIC_theoretical_occupancy);
}

const struct show_column_info show_columns[SHOW_COLUMNS] = {
    [SHOW_TIME] = {.name = "time", .unit = RL_UNIT_SECOND, .digits = 4, .value = show_median},
    [SHOW_INTERVAL] = {.name = "±", .unit = RL_UNIT_FRACTION, .digits = 2, .value = show_half_width},
    [SHOW_USEFUL] = {.name = "useful", .unit = RL_UNIT_BYTE_PER_SECOND, .digits = 4, .value = show_useful},
    [SHOW_DRAM] = {.name = "DRAM",
                   .unit = RL_UNIT_BYTE_PER_SECOND,
                   .digits = 4,
                   .value = dram,
                   .is_estimate = dram_is_estimate,
                   .most = most_dram},
    [SHOW_FLOP_RATE] =
        {.name = "FLOP/s", .bare = true, .unit = RL_UNIT_FLOP_PER_SECOND, .digits = 4, .optional = true, .value = rate},
    [SHOW_ROOF] = {.name = "roof",
                   .unit = RL_UNIT_FRACTION,
                   .digits = 3,
                   .single = true,
                   .value = show_roof_share,
                   .is_estimate = show_roof_is_estimate},
    [SHOW_OCCUPANCY] = {.name = "occup.",
                        .unit = RL_UNIT_FRACTION,
                        .digits = 3,
                        .single = true,
                        .value = achieved,
                        .is_estimate = achieved_is_estimate,
                        .beside = theoretical,
                        .beside_name = "theoretical occupancy"},
};

/* ---- figures ---- */

static struct show_figure figure_of(const struct show_column_info *column, const struct show_row *row)
{
    struct show_figure figure = {.value = column->value(row)};

    assert(!column->most || !column->beside);
    figure.other = column->most ? column->most(row) : column->beside ? column->beside(row) : figure.value;
    figure.is_estimate = column->is_estimate && column->is_estimate(row);
    return figure;
}

static void work_out(void *context, size_t part, size_t first, size_t end)
{
    struct show_figures *figures = context;

    (void)part;
    for (size_t i = first; i < end; i++)
        for (size_t j = 0; j < SHOW_COLUMNS; j++)
            figures->of[i * SHOW_COLUMNS + j] = figure_of(&show_columns[j], &figures->rows->row[i]);
}

/* The unit is chosen for the smallest figure, so that all have digits to show, unless the largest is more than 10^3 of it: nobody
 * reads long numbers. */
static struct show_look look_of(const struct show_figures *figures, size_t column)
{
    const struct show_column_info *info = &show_columns[column];
    double most = 0, least = INFINITY;

    for (size_t i = 0; i < figures->rows->count; i++) {
        const struct rl_value value = figures->of[i * SHOW_COLUMNS + column].value;
        if (rl_present(value) && value.v != 0) {
            most = fmax(most, fabs(value.v));
            least = fmin(least, fabs(value.v));
        }
    }
    return (struct show_look){!info->optional || most > 0, rl_unit_scale(info->unit, fmax(fmin(least, most), most / 1e3))};
}

/* ---- what cells say ---- */

/* Percentages under 0.01 are not spelled out: that they are next to nothing is what matters. */
static void add_number(struct rl_buf *out, const struct show_column_info *column, struct rl_value value, double factor)
{
    bool tiny = column->unit == RL_UNIT_FRACTION && value.v > 0 && value.v < 1e-4;
    if (!rl_present(value))
        rl_buf_adds(out, "–");
    else if (tiny)
        rl_buf_adds(out, "<0.01");
    else
        rl_number_format(out, value.v * factor, column->digits);
}

static void add_text(struct rl_buf *text, const struct show_column_info *column, const struct show_figure *figure, double factor)
{
    if (rl_present(figure->value) && figure->is_estimate)
        rl_buf_addch(text, '~');
    if (!rl_present(figure->value) && column->most && rl_present(figure->other)) {
        rl_buf_adds(text, "\xE2\x89\xA4"); /* U+2264, at most */
        rl_unit_format(text, column->unit, figure->other.v, 2);
    } else {
        add_number(text, column, figure->value, factor);
    }
    if (column->beside && (rl_present(figure->value) || rl_present(figure->other))) {
        rl_buf_addch(text, '/');
        add_number(text, column, figure->other, factor);
    }
    rl_buf_add(text, "", 1);
}

static void write_texts(void *context, size_t part, size_t first, size_t end)
{
    struct show_figures *figures = context;

    for (size_t i = first; i < end; i++)
        for (size_t j = 0; j < SHOW_COLUMNS; j++)
            if (figures->looks[j].shown)
                add_text(&figures->texts[part], &show_columns[j], &figures->of[i * SHOW_COLUMNS + j],
                         figures->looks[j].scale.factor);
}

void show_figures_make(struct show_figures *figures, const struct show_rows *rows)
{
    *figures = (struct show_figures){.rows = rows, .of = rl_calloc(rows->count * SHOW_COLUMNS, sizeof *figures->of)};
    figures->parts = rl_parts_of(rows->count, RL_LEAST_ROWS);
    for (size_t i = 0; i < figures->parts; i++)
        figures->texts[i] = (struct rl_buf)RL_BUF_INIT;
    rl_parts_run(figures->parts, rows->count, work_out, figures);
    for (size_t i = 0; i < SHOW_COLUMNS; i++)
        figures->looks[i] = look_of(figures, i);
    rl_parts_run(figures->parts, rows->count, write_texts, figures);
}

void show_figures_release(struct show_figures *figures)
{
    for (size_t i = 0; i < figures->parts; i++)
        rl_buf_release(&figures->texts[i]);
    free(figures->of);
    *figures = (struct show_figures){0};
}

const char *show_figures_text(const struct show_figures *figures, struct show_texts *texts)
{
    while (texts->part < figures->parts && texts->at >= figures->texts[texts->part].len)
        *texts = (struct show_texts){texts->part + 1, 0};
    assert(texts->part < figures->parts);
    const char *text = figures->texts[texts->part].data + texts->at;
    texts->at += strlen(text) + 1;
    return text;
}
