#include "place_field.h"

#include <math.h>

/* Of few marks all are looked at: cells would cost more than they spare. */
enum { COLUMNS = 48, ROWS = 32, FEW = 500 };

static size_t step(double value, double from, double to, size_t steps)
{
    const double share = to > from ? (value - from) / (to - from) : 0;
    return (size_t)fmin(fmax(share * (double)steps, 0), (double)steps - 1);
}

static size_t column_of(const struct rl_place *place, double x)
{
    return step(x, place->x0, place->x1, place->mark_count > FEW ? COLUMNS : 1);
}

static size_t row_of(const struct rl_place *place, double y)
{
    return step(y, place->y0, place->y1, place->mark_count > FEW ? ROWS : 1);
}

static size_t cell_of(const void *context, size_t mark)
{
    const struct rl_place *place = context;
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

bool rl_place_near(const struct rl_place_field *field, struct rl_bounds bounds, bool (*look)(void *context, size_t mark),
                   void *context)
{
    const struct rl_place *place = field->place;
    const size_t left = column_of(place, bounds.x0 - field->radius), right = column_of(place, bounds.x1 + field->radius);
    const size_t low = row_of(place, bounds.y0 - field->radius), high = row_of(place, bounds.y1 + field->radius);
    for (size_t row = low; row <= high; row++)
        for (size_t column = left; column <= right; column++) {
            const size_t *marks, count = rl_group(&field->cells, row * COLUMNS + column, &marks);
            for (size_t i = 0; i < count; i++)
                if (look(context, marks[i]))
                    return true;
        }
    return false;
}
