/* compare_projection.c - one card that is not at hand: its roofs, what is assumed, and every launch of the base under them. */
#include <math.h>

#include "compare_doc.h"
#include "core/mem.h"

enum { MOST_ROWS = 400 };

/* ---- one card: every kernel ---- */

/* "3.23–5.01 ms". */
static const char *range_text(struct rl_document *doc, struct rl_value low, struct rl_value high)
{
    if (!rl_present(low) || !rl_present(high))
        return rl_present(low) ? rl_words(doc, "from %s", rl_words_value(doc, RL_UNIT_SECOND, low, 3)) : "";
    const struct rl_scale scale = rl_unit_scale(RL_UNIT_SECOND, high.v);
    const char *range = rl_words_interval(doc, low.v, high.v, true, scale.factor, 3);
    return *range ? rl_words(doc, "%s %s", range, scale.symbol) : "";
}

static const char *limiter_text(struct rl_document *doc, const struct rl_occupancy *there)
{
    struct rl_buf limiter = RL_BUF_INIT;
    rl_occupancy_limiter_text(there, &limiter);
    const char *text = rl_words(doc, "%s", limiter.len ? limiter.data : "");
    rl_buf_release(&limiter);
    return text;
}

/* What is next to nothing is said to be. */
static const char *share_text(struct rl_document *doc, struct rl_value share)
{
    return rl_present(share) && share.v > 0 && share.v < 1e-4 ? "<0.01 %" : rl_words_value(doc, RL_UNIT_FRACTION, share, 3);
}

static void add_missing(struct rl_document *doc, struct rl_grid_cell *cell, struct rl_value value)
{
    if (!rl_present(value))
        cell->sign = rl_layout_note(doc->layout, rl_value_reason(value));
}

static void add_time(struct rl_document *doc, struct rl_grid *grid, struct rl_value time, const char *before)
{
    const char *text = rl_words_value(doc, RL_UNIT_SECOND, time, 3);
    add_missing(doc, rl_grid_cell(grid, RL_STYLE_CELL, rl_present(time) ? rl_words(doc, "%s%s", before, text) : "–"), time);
}

static void add_times(struct rl_document *doc, struct rl_grid *grid, const struct rl_projection *projection, size_t kernel)
{
    const struct rl_projected *projected = &projection->kernels[kernel];
    const bool bounded = rl_present(projected->bound_s);
    rl_grid_row(grid);
    rl_grid_cell(grid, RL_STYLE_CELL_NAME, rl_compare_words_kernel(doc, kernel));
    add_time(doc, grid, rl_compare_time_here(doc, kernel), "");
    rl_grid_cell(grid, RL_STYLE_CELL, share_text(doc, projected->share_here));
    add_time(doc, grid, projected->bound_s, "≥ ");
    rl_grid_cell(grid, RL_STYLE_SIDE, bounded ? range_text(doc, projected->bound_low_s, projected->bound_high_s) : "");
    rl_grid_cell(grid, RL_STYLE_CELL, bounded ? rl_ceilings[projected->binding].label : "");
    add_time(doc, grid, projected->estimate_s, "~ ");
}

static void begin_table(struct rl_document *doc, struct rl_grid *grid, const char *title, const struct rl_grid_column *columns,
                        size_t count)
{
    rl_grid_begin(grid, doc->layout, title, columns, count);
    rl_layout_skip(doc->layout, 8);
}

static void lay_times(struct rl_document *doc, const struct rl_projection *projection)
{
    static const struct rl_grid_column columns[] = {
        {.head = "kernel"},
        {.head = "measured here", .align = RL_GRID_RIGHT, .whole = true},
        {.head = "share here", .align = RL_GRID_RIGHT, .whole = true},
        {.head = "least time, projected", .align = RL_GRID_RIGHT, .whole = true},
        {.whole = true},
        {.head = "set by", .whole = true},
        {.head = "estimate, projected", .align = RL_GRID_RIGHT, .whole = true},
    };
    const size_t rows = rl_compare_what(doc)->parts[0].analysis->capture->kernel_count < MOST_ROWS
                            ? rl_compare_what(doc)->parts[0].analysis->capture->kernel_count
                            : MOST_ROWS;
    struct rl_grid grid;
    begin_table(doc, &grid, rl_words(doc, "Times, projected to the %s", projection->card->id), columns, RL_COUNT(columns));
    grid.columns[4].close = true; /* the interval, behind its value */
    for (size_t i = 0; i < rows; i++)
        add_times(doc, &grid, projection, i);
    if (rows)
        rl_grid_lay(&grid);
    else
        rl_layout_text(doc->layout, RL_STYLE_BODY, "The capture has no kernel.");
    rl_compare_lay_rest(doc, rl_compare_what(doc)->parts[0].analysis->capture->kernel_count - rows);
    rl_layout_notes(doc->layout);
    rl_grid_release(&grid);
}

static bool is_full(struct rl_value occupancy)
{
    return rl_present(occupancy) && occupancy.v >= 1;
}

static void lay_occupancy(struct rl_document *doc, const struct rl_projection *projection)
{
    static const struct rl_grid_column columns[] = {
        {.head = "kernel"},
        {.head = "here", .align = RL_GRID_RIGHT, .whole = true},
        {.head = "there, projected", .align = RL_GRID_RIGHT, .whole = true},
        {.head = "what limits it there", .whole = true},
    };
    struct rl_grid grid;
    size_t full = 0, left_out = 0;
    begin_table(doc, &grid, rl_words(doc, "Static occupancy, projected to the %s", projection->card->id), columns,
                RL_COUNT(columns));
    for (size_t k = 0; k < rl_compare_what(doc)->parts[0].analysis->capture->kernel_count; k++) {
        const struct rl_occupancy *there = &projection->kernels[k].occupancy;
        const struct rl_value here = rl_compare_what(doc)->parts[0].analysis->kernels[k].occupancy.fraction;
        full += is_full(there->fraction) && is_full(here);
        left_out += grid.row_count >= MOST_ROWS;
        if ((is_full(there->fraction) && is_full(here)) || grid.row_count >= MOST_ROWS)
            continue;
        rl_grid_row(&grid);
        rl_grid_cell(&grid, RL_STYLE_CELL_NAME, rl_compare_words_kernel(doc, k));
        rl_grid_cell(&grid, RL_STYLE_CELL, rl_words_value(doc, RL_UNIT_FRACTION, here, 3));
        add_missing(doc, rl_grid_cell(&grid, RL_STYLE_CELL_STRONG, rl_words_value(doc, RL_UNIT_FRACTION, there->fraction, 3)),
                    there->fraction);
        rl_grid_cell(&grid, RL_STYLE_CELL, limiter_text(doc, there));
    }
    grid.foot = full ? rl_words(doc, "%s 100 %% here and there.",
                                grid.row_count ? rl_words_count(doc, full, "other kernel has", "other kernels have")
                                               : rl_words_count(doc, full, "kernel has", "kernels have"))
                     : NULL;
    if (grid.row_count)
        rl_grid_lay(&grid);
    else
        rl_layout_subsection(doc->layout, grid.title);
    if (grid.foot && !grid.row_count)
        rl_layout_text(doc->layout, RL_STYLE_BODY, grid.foot);
    rl_compare_lay_rest(doc, left_out);
    rl_layout_notes(doc->layout);
    rl_grid_release(&grid);
}

/* ---- one card: its roofs, and what is assumed ---- */

static void lay_roofs(struct rl_document *doc, const struct rl_projection *projection)
{
    struct rl_grid grid;
    static const struct rl_grid_column columns[] = {
        {.head = "roof", .align = RL_GRID_LEFT},
        {.head = "taken", .align = RL_GRID_RIGHT, .whole = true},
        {.head = "data sheet", .align = RL_GRID_RIGHT, .whole = true},
        {.head = "from", .align = RL_GRID_WRAP, .at_least = 150},
    };
    rl_grid_begin(&grid, doc->layout, rl_words(doc, "Roofs of the %s behind the projection", projection->card->id), columns,
                  RL_COUNT(columns));
    for (size_t i = 0; i < RL_CEILING_COUNT; i++) {
        const struct rl_card_ceiling *ceiling = &projection->ceiling[i];
        struct rl_buf origin = RL_BUF_INIT;
        if (!rl_projection_uses(projection, (enum rl_ceiling_id)i) || !rl_present(ceiling->figure))
            continue;
        rl_projection_origin_text(projection, (enum rl_ceiling_id)i, &origin);
        rl_grid_row(&grid);
        rl_grid_cell(&grid, RL_STYLE_CELL, rl_ceilings[i].label);
        rl_grid_cell(&grid, RL_STYLE_CELL_STRONG, rl_words_value(doc, rl_ceilings[i].unit, ceiling->figure, 4));
        rl_grid_cell(&grid, RL_STYLE_CELL, rl_words_value(doc, rl_ceilings[i].unit, ceiling->theoretical, 4));
        rl_grid_cell(&grid, RL_STYLE_CELL_QUIET, rl_words(doc, "%s", origin.data));
        rl_buf_release(&origin);
    }
    rl_layout_skip(doc->layout, 8);
    rl_grid_end(&grid);
}

static void lay_assumptions(struct rl_document *doc, const struct rl_projection *projection)
{
    rl_layout_skip(doc->layout, 8);
    rl_layout_subsection(doc->layout, "What is assumed");
    for (size_t i = 0; i < projection->assumption_count; i++) {
        struct rl_para para = RL_PARA_INIT;
        rl_para_add(doc->layout, &para, RL_STYLE_BODY, projection->assumptions[i]);
        rl_layout_item(doc->layout, RL_MARK_QUIET, &para);
        rl_para_release(&para);
    }
}

static void draw_projection(struct rl_document *doc, struct rl_section *section)
{
    const struct rl_projection *projection = rl_compare_what(doc)->options.projections[section->instance];
    rl_layout_textf(
        doc->layout, RL_STYLE_BODY,
        "The work that was counted on the %s, under the roofs of the %s. Share here: how much of the same bound the measured time "
        "reaches, under roofs of the same kind (measured by rooflight on both cards, else theoretical; for DRAM as measured by "
        "others). Least time: what the roofs allow, followed by the range from the roofs of the data sheet to the boldest "
        "assumption. Estimate: the least time over the share.",
        rl_compare_words_base_card(doc), projection->card->id);
    rl_layout_skip(doc->layout, 6);
    lay_roofs(doc, projection);
    lay_assumptions(doc, projection);
    lay_times(doc, projection);
    lay_occupancy(doc, projection);
}

const struct rl_page rl_compare_page_projection = {.draw = draw_projection};
