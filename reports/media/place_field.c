#include "place_field.h"

#include <assert.h>
#include <math.h>

/* Of few marks all are looked at: cells would cost more than they spare. */
enum { COLUMNS = 48, ROWS = 32, FEW = 500 };

static size_t step(double value, double from, double to, size_t steps)
{
    const double share = to > from ? (value - from) / (to - from) : 0;
    return (size_t)fmin(fmax(share * (double)steps, 0), (double)steps - 1);
}

static size_t columns_of(const struct rl_place *place)
{
    return place->mark_count > FEW ? COLUMNS : 1;
}

static size_t column_of(const struct rl_place *place, double x)
{
    return step(x, place->x0, place->x1, columns_of(place));
}

static size_t row_of(const struct rl_place *place, double y)
{
    return step(y, place->y0, place->y1, place->mark_count > FEW ? ROWS : 1);
}

static size_t cell_of(const void *context, size_t mark)
{
    const struct rl_place *place = context;
    assert(mark < place->mark_count);
    return row_of(place, place->marks[mark].y) * COLUMNS + column_of(place, place->marks[mark].x);
}

void rl_place_field_make(struct rl_place_field *field, const struct rl_place *place)
{
    *field = (struct rl_place_field){.place = place};
    for (size_t i = 0; i < place->mark_count; i++)
        field->radius = fmax(field->radius, place->marks[i].radius);
    rl_groups_make(&field->cells, COLUMNS * ROWS, place->mark_count, cell_of, place);
}

void rl_place_field_release(struct rl_place_field *field)
{
    rl_groups_release(&field->cells);
}

static bool look_at_cell(const struct rl_place_field *field, size_t row, size_t column, bool (*look)(void *context, size_t mark),
                         void *context)
{
    const size_t *marks, count = rl_group(&field->cells, row * COLUMNS + column, &marks);
    for (size_t i = 0; i < count; i++)
        if (look(context, marks[i]))
            return true;
    return false;
}

bool rl_place_near(const struct rl_place_field *field, struct rl_bounds bounds, bool (*look)(void *context, size_t mark),
                   void *context)
{
    const struct rl_place *place = field->place;
    const size_t left = column_of(place, bounds.x0 - field->radius), right = column_of(place, bounds.x1 + field->radius);
    const size_t low = row_of(place, bounds.y0 - field->radius), high = row_of(place, bounds.y1 + field->radius);
    for (size_t row = low; row <= high; row++)
        for (size_t column = left; column <= right; column++)
            if (look_at_cell(field, row, column, look, context))
                return true;
    return false;
}

/* Heights of the line between x0 and x1, which it passes. */
static void heights_between(const struct rl_segment *line, double x0, double x1, double *low, double *high)
{
    const double dx = line->x1 - line->x0, dy = line->y1 - line->y0;
    const double a = dx != 0 ? fmin(fmax((x0 - line->x0) / dx, 0), 1) : 0, b = dx != 0 ? fmin(fmax((x1 - line->x0) / dx, 0), 1) : 1;
    *low = fmin(line->y0 + a * dy, line->y0 + b * dy);
    *high = fmax(line->y0 + a * dy, line->y0 + b * dy);
}

/* Marks beyond the frame are in the cells at its edge. */
bool rl_place_near_line(const struct rl_place_field *field, const struct rl_segment *line, bool (*look)(void *context, size_t mark),
                        void *context)
{
    const struct rl_place *place = field->place;
    const size_t columns = columns_of(place);
    const double width = (place->x1 - place->x0) / (double)columns, radius = field->radius;
    const size_t left = column_of(place, fmin(line->x0, line->x1) - radius),
                 right = column_of(place, fmax(line->x0, line->x1) + radius);
    for (size_t column = left; column <= right; column++) {
        const double from = column > 0 ? place->x0 + (double)column * width - radius : -INFINITY;
        const double to = column + 1 < columns ? place->x0 + (double)(column + 1) * width + radius : INFINITY;
        double low, high;
        heights_between(line, from, to, &low, &high);
        const size_t last = row_of(place, high + radius);
        for (size_t row = row_of(place, low - radius); row <= last; row++)
            if (look_at_cell(field, row, column, look, context))
                return true;
    }
    return false;
}
