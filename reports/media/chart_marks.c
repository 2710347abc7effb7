#include "chart_kind.h"

#define PLAIN_MARK 3.0

double rl_mark_radius(const struct rl_chart_point *point)
{
    return point->radius > 0 ? point->radius : PLAIN_MARK;
}

RL_COMPARATOR(larger_first, struct rl_mark, rl_descending(x->radius, y->radius) ?: rl_ascending(x->point, y->point));

void rl_work_write_marks(struct rl_chart_work *work, const struct rl_chart_point *points, const struct rl_mark *marks, size_t count)
{
    struct rl_mark *sorted = rl_calloc(count, sizeof *sorted);
    if (count > 0) {
        memcpy(sorted, marks, count * sizeof *sorted);
        rl_sort(sorted, count, sizeof *sorted, larger_first);
    }
    struct rl_block block;
    rl_block_begin(&block, work->program, "points");
    for (size_t i = 0; i < count; i++) {
        const struct rl_chart_point *point = &points[sorted[i].point];
        assert(point->tone < RL_TONE_COUNT);
        const struct rl_tone_info *tone = &rl_tones[point->tone];
        rl_block_row(&block,
                     (const double[]){sorted[i].x, sorted[i].y, sorted[i].radius, tone->shape - (point->hollow || tone->hatched),
                                      rl_program_colour(tone->mark)},
                     5);
    }
    rl_block_end(&block);
    free(sorted);
}

void rl_labels_add_marks(struct rl_labels *labels, const struct rl_chart_point *points, const struct rl_mark *marks, size_t count,
                         double widest)
{
    struct rl_chart_work *work = labels->work;
    size_t first = labels->place.mark_count;
    for (size_t i = 0; i < count; i++)
        rl_work_tip_point(work, &points[marks[i].point], &marks[i]);
    for (size_t i = 0; i < count; i++) {
        double reach = rl_drawing_mark_reach(rl_tones[points[marks[i].point].tone].shape);
        rl_place_mark(&labels->place, rl_axis_at(&work->x, marks[i].x), rl_axis_at(&work->y, marks[i].y), marks[i].radius * reach);
    }
    for (size_t i = 0; i < count; i++) {
        const struct rl_chart_point *point = &points[marks[i].point];
        struct rl_placed label = {.colour = rl_ink, .size = RL_LABEL_SIZE, .of_point = true};
        if (point->label == NULL)
            continue;
        label.text = rl_work_fit(work, point->label, label.size, false, work->chart->whole_names ? INFINITY : widest);
        if (label.text.width > widest)
            label.tags[0] = rl_work_fit(work, point->label, label.size, false, widest);
        if (label.text.len > 0)
            rl_labels_around(labels, label, first + i);
    }
}

/* ---- the key ---- */

#define KEY_GAP  9.0 /* between its entries */
#define KEY_MARK 2.3

struct key {
    bool tone[RL_TONE_COUNT];
};

static struct key key_of(const struct rl_chart_point *points, size_t count)
{
    struct key key = {0};
    size_t classes = 0;
    for (size_t i = 0; i < count; i++)
        if (isfinite(points[i].x)) /* else it has no place on the chart */
            key.tone[points[i].tone] = true;
    for (int i = 0; i < RL_TONE_COUNT; i++)
        classes += key.tone[i] && i != RL_TONE_UNKNOWN && rl_tones[i].name != NULL;
    if (classes == 0) /* nothing to distinguish */
        key.tone[RL_TONE_UNKNOWN] = false;
    return key;
}

/* One entry that ends at `right`: mark and name. Returns the width it takes. */
static double key_entry(struct rl_chart_work *work, const struct rl_tone_info *tone, double right, double y, bool draw)
{
    struct rl_fitted text = rl_work_fit(work, tone->name, RL_TICK_SIZE, false, 200);
    if (draw) {
        double middle = y + work->metrics->cap_height * RL_TICK_SIZE / 2;
        rl_work_text(work, right, y, RL_DRAW_RIGHT, RL_TICK_SIZE, tone->text, text);
        rl_drawing_mark(&work->result->drawing, right - text.width - 2.5 - KEY_MARK, middle, tone->shape - tone->hatched, KEY_MARK,
                        0.4, tone->mark);
    }
    return text.width + 2 * KEY_MARK + 2.5;
}

static double key_row(struct rl_chart_work *work, const struct key *key, double right, double y, bool draw)
{
    double width = 0;
    for (int i = RL_TONE_COUNT - 1; i >= 0; i--)
        if (key->tone[i] && rl_tones[i].name != NULL)
            width += key_entry(work, &rl_tones[i], right - width, y, draw) + KEY_GAP;
    return width > 0 ? width - KEY_GAP : 0;
}

double rl_work_key(struct rl_chart_work *work, const struct rl_chart_point *points, size_t count, double right, double y, bool draw)
{
    struct key key = key_of(points, count);
    if (key_row(work, &key, right, y, false) > work->chart->width - 4)
        return 0;
    return key_row(work, &key, right, y, draw);
}
