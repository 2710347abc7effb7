/* chart_rows.c - rows of charts on categories (see chart_rows.h). */
#include "chart_rows.h"

#define WHOLE_SHARE 0.5 /* for names that are not shortened */

double rl_rows_axis_room(const char *title)
{
    return RL_TICK_ROOM + (title != NULL ? 14 : 2);
}

double rl_rows_natural_height(size_t count, double row_height, const char *title, double above)
{
    return fmax(row_height * (double)count + rl_rows_axis_room(title) + above, 60);
}

struct rl_rows rl_rows_new(struct rl_chart_work *work, size_t count, double name_share, double note_share)
{
    return (struct rl_rows){.at = rl_work_alloc(work, (count + 1) * sizeof(struct rl_row)),
                            .count = count,
                            .name_share = work->chart->whole_names ? fmax(name_share, WHOLE_SHARE) : name_share,
                            .note_share = note_share};
}

void rl_rows_fit(struct rl_chart_work *work, struct rl_rows *rows, size_t row, const char *name, const char *note, bool strong)
{
    assert(row < rows->count);
    const double width = work->chart->width;
    struct rl_row *to = &rows->at[row];
    to->strong = strong;
    to->name = rl_work_fit(work, name ? name : "", RL_LABEL_SIZE, strong, rows->name_share * width);
    to->note = rl_work_fit(work, note ? note : "", RL_LABEL_SIZE, strong, rows->note_share * width);
    rows->names = fmax(rows->names, to->name.width);
    rows->notes = fmax(rows->notes, to->note.width);
}

double rl_rows_divide(struct rl_chart_work *work, struct rl_rows *rows)
{
    const double height = (work->y.to - work->y.from) / fmax((double)rows->count, 1);
    for (size_t i = 0; i < rows->count; i++) {
        rows->at[i].height = height;
        rows->at[i].y = work->y.to - height * ((double)i + 0.5);
    }
    return height;
}

void rl_rows_write_lines(struct rl_chart_work *work, const struct rl_rows *rows)
{
    struct rl_block block;
    rl_block_begin(&block, work->program, "rows");
    for (size_t i = 0; i < rows->count; i++)
        rl_block_line(&block, work->x.min, rows->at[i].y, work->x.max, rows->at[i].y);
    rl_block_end(&block);
}

void rl_rows_label(struct rl_chart_work *work, const struct rl_rows *rows, size_t row, double gap, double right)
{
    assert(row < rows->count);
    const struct rl_row *of = &rows->at[row];
    const double base = rl_work_centred(work, of->y);
    const struct rl_colour colour = of->faint ? rl_ink_soft : rl_ink;
    if (of->name.len)
        rl_work_text(work, work->x.from - gap, base, RL_DRAW_RIGHT, RL_LABEL_SIZE, colour, of->name)->bold = of->strong;
    if (!isnan(right))
        rl_work_text(work, right, base, RL_DRAW_RIGHT, RL_LABEL_SIZE, colour, of->note)->bold = of->strong;
}
