#include "show_figures.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "core/mem.h"
#include "core/parts.h"

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
static void find_looks(struct show_figures *figures)
{
    double most[SHOW_COLUMNS] = {0}, least[SHOW_COLUMNS];

    for (size_t j = 0; j < SHOW_COLUMNS; j++)
        least[j] = INFINITY;
    for (size_t i = 0; i < figures->rows->count; i++)
        for (size_t j = 0; j < SHOW_COLUMNS; j++) {
            const struct rl_value value = figures->of[i * SHOW_COLUMNS + j].value;
            if (rl_present(value) && value.v != 0) {
                most[j] = fmax(most[j], fabs(value.v));
                least[j] = fmin(least[j], fabs(value.v));
            }
        }
    for (size_t j = 0; j < SHOW_COLUMNS; j++) {
        const double shown = fmax(fmin(least[j], most[j]), most[j] / 1e3);
        figures->looks[j] =
            (struct show_look){!show_columns[j].optional || most[j] > 0, rl_unit_scale(show_columns[j].unit, shown)};
    }
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

void show_figures_add(const struct show_figures *figures, size_t row, enum show_column of, struct rl_buf *text)
{
    assert(row < figures->rows->count && of < SHOW_COLUMNS);
    const struct show_column_info *column = &show_columns[of];
    const struct show_figure *figure = &figures->of[row * SHOW_COLUMNS + of];
    const double factor = figures->looks[of].scale.factor;

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
}

void show_figures_make(struct show_figures *figures, const struct show_rows *rows)
{
    *figures = (struct show_figures){.rows = rows, .of = rl_calloc(rows->count * SHOW_COLUMNS, sizeof *figures->of)};
    rl_parts_run(rl_parts_of(rows->count, RL_LEAST_ROWS), rows->count, work_out, figures);
    find_looks(figures);
}

void show_figures_release(struct show_figures *figures)
{
    free(figures->of);
    *figures = (struct show_figures){0};
}
