/* grid.c - tables, filled row by row (see grid.h). They are measured in grid_measure.c and laid in grid_lay.c. */
#include "grid.h"

#include "grid_private.h"
#include "layout_private.h"

void rl_grid_release(struct rl_grid *grid)
{
    free(grid->columns);
    free(grid->cells);
    free(grid->group);
    *grid = (struct rl_grid){0};
}

void rl_grid_add_column(struct rl_grid *grid, const struct rl_grid_column *column)
{
    assert(grid->row_count == 0);
    RL_GROW(grid->columns, grid->column_count + 1, grid->column_cap);
    struct rl_grid_column *added = &grid->columns[grid->column_count++];
    *added = *column;
    added->head = rl_layout_copy(grid->layout, column->head ? column->head : "");
    added->unit = rl_layout_copy(grid->layout, column->unit ? column->unit : "");
}

void rl_grid_begin(struct rl_grid *grid, struct rl_layout *layout)
{
    *grid = (struct rl_grid){.layout = layout};
}

/* Fills the rest of the row. */
void rl_grid_complete(struct rl_grid *grid)
{
    while (grid->cell_count < grid->row_count * grid->column_count)
        rl_grid_cell(grid, RL_STYLE_CELL, "");
}

void rl_grid_row(struct rl_grid *grid)
{
    assert(grid->layout && grid->column_count > 0);
    rl_grid_complete(grid);
    RL_APPEND(grid->group, grid->row_count, grid->group_cap, false);
}

void rl_grid_group(struct rl_grid *grid)
{
    rl_grid_row(grid);
    grid->group[grid->row_count - 1] = grid->row_count > 1;
}

struct rl_grid_cell *rl_grid_cell(struct rl_grid *grid, enum rl_style style, const char *text)
{
    assert(grid->cell_count < grid->row_count * grid->column_count);
    RL_GROW(grid->cells, grid->cell_count + 1, grid->cell_cap);
    struct rl_grid_cell *cell = &grid->cells[grid->cell_count++];
    *cell = (struct rl_grid_cell){.text = rl_layout_copy(grid->layout, text),
                                  .sign = "",
                                  .style = style,
                                  .share = NAN,
                                  .target = RL_NO_TARGET,
                                  .anchor = RL_NO_TARGET};
    return cell;
}
