#include "chart_kind.h"

const struct rl_colour rl_ink = {0x22, 0x22, 0x22, 255}, rl_ink_soft = {0x55, 0x55, 0x55, 255},
                       rl_ink_pale = {0x9A, 0x9A, 0x9A, 255};

/* Okabe and Ito's colours (Color Universal Design, 2008); texts are darker for contrast on white. tests/unit/media/test_palette.c
 * has the distances. */
const struct rl_tone_info rl_tones[RL_TONE_COUNT] = {
    [RL_TONE_UNKNOWN] = {"unknown", {0x76, 0x76, 0x76, 255}, {0x50, 0x50, 0x50, 255}, 7, true, {0xFF, 0xFF, 0xFF, 255}},
    [RL_TONE_DRAM] = {"DRAM", {0x00, 0x72, 0xB2, 255}, {0x00, 0x58, 0x8A, 255}, 7, false},
    [RL_TONE_L2] = {"L2", {0x56, 0xB4, 0xE9, 255}, {0x1B, 0x6A, 0x99, 255}, 5, false},
    [RL_TONE_L1] = {"L1, shared memory", {0x00, 0x9E, 0x73, 255}, {0x00, 0x6C, 0x4F, 255}, 9, false},
    [RL_TONE_COMPUTE] = {"issue, pipes", {0xD5, 0x5E, 0x00, 255}, {0xA0, 0x46, 0x00, 255}, 13, false},
    [RL_TONE_LATENCY] = {"latency", {0xCC, 0x79, 0xA7, 255}, {0x8E, 0x42, 0x6D, 255}, 11, false},
    [RL_TONE_FILL] = {"parallelism, launch", {0xE6, 0x9F, 0x00, 255}, {0x86, 0x5C, 0x00, 255}, 15, false},
    [RL_TONE_LINK] = {"PCIe, NVLink", {0x88, 0x22, 0x55, 255}, {0x88, 0x22, 0x55, 255}, 3, false},
    [RL_TONE_IDLE] = {NULL, {0xD9, 0xD9, 0xD9, 255}, {0x50, 0x50, 0x50, 255}, 5, false},
    [RL_TONE_COUNTED] = {NULL, {0x76, 0x76, 0x76, 255}, {0x50, 0x50, 0x50, 255}, 5, true, {0xD9, 0xD9, 0xD9, 255}},
    [RL_TONE_INK] = {NULL, {0x22, 0x22, 0x22, 255}, {0x22, 0x22, 0x22, 255}, 7, false},
    [RL_TONE_SQUARE] = {NULL, {0x55, 0x55, 0x55, 255}, {0x22, 0x22, 0x22, 255}, 5, false},
    [RL_TONE_UP] = {NULL, {0x80, 0x80, 0x80, 255}, {0x50, 0x50, 0x50, 255}, 9, false},
    [RL_TONE_DOWN] = {NULL, {0xA8, 0xA8, 0xA8, 255}, {0x50, 0x50, 0x50, 255}, 11, false},
    [RL_TONE_GREY] = {NULL, {0xA3, 0xA3, 0xA3, 255}, {0x50, 0x50, 0x50, 255}, 13, false},
};

void *rl_work_alloc(struct rl_chart_work *work, size_t size)
{
    return rl_arena_alloc(&work->result->drawing.texts, size);
}

static double width_of(const struct rl_chart_work *work, const char *text, size_t len, double size, bool bold)
{
    return len == 0 ? 0 : work->metrics->width(work->metrics->context, text, len, size, bold);
}

/* The most columns (of rl_utf8_ellipsis) that fit: columns have different widths, so it is searched by halving. */
static size_t columns_that_fit(const struct rl_chart_work *work, const struct rl_buf *text, double size, bool bold,
                               double max_width)
{
    size_t low = 0, high = rl_utf8_width(text->data, text->len);
    struct rl_buf attempt = RL_BUF_IN(&work->result->drawing.texts);
    while (low < high) {
        size_t middle = low + (high - low + 1) / 2;
        rl_buf_reset(&attempt);
        rl_utf8_ellipsis(&attempt, text->data, text->len, middle);
        if (width_of(work, attempt.data, attempt.len, size, bold) <= max_width)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

struct rl_fitted rl_work_fit(struct rl_chart_work *work, const char *text, double size, bool bold, double max_width)
{
    enum { LONGEST = 4096 }; /* bytes looked at: no chart shows more */
    assert(text != NULL && size > 0);
    struct rl_buf printable = RL_BUF_IN(&work->result->drawing.texts), shown = RL_BUF_IN(&work->result->drawing.texts);
    rl_utf8_printable(&printable, text, strnlen(text, LONGEST));
    struct rl_fitted fitted = {.width = width_of(work, printable.data, printable.len, size, bold)};
    if (fitted.width > max_width) {
        rl_utf8_ellipsis(&shown, printable.data, printable.len, columns_that_fit(work, &printable, size, bold, max_width));
        fitted.width = width_of(work, shown.data, shown.len, size, bold);
    } else {
        rl_buf_add(&shown, printable.data, printable.len);
    }
    fitted.text = shown.data;
    fitted.len = shown.len;
    return fitted;
}

struct rl_draw_op *rl_work_text(struct rl_chart_work *work, double x, double y, enum rl_draw_align align, double size,
                                struct rl_colour colour, struct rl_fitted text)
{
    struct rl_draw_op *op = rl_drawing_text(&work->result->drawing, x, y, align, size, text.text, text.len);
    op->colour = colour;
    return op;
}

double rl_work_line_height(const struct rl_chart_work *work, double size)
{
    return (work->metrics->ascent + work->metrics->descent) * size + 0.4;
}

double rl_work_centred(const struct rl_chart_work *work, double y)
{
    return y - work->metrics->cap_height * RL_LABEL_SIZE / 2;
}

void rl_work_line(struct rl_chart_work *work, struct rl_segment s, double line_width, struct rl_colour colour)
{
    struct rl_draw_op *op = rl_drawing_path(&work->result->drawing, (struct rl_vertex[]){{s.x0, s.y0}, {s.x1, s.y1}}, 2, false);
    op->stroke = colour;
    op->line_width = line_width;
}

void rl_work_hatch(struct rl_chart_work *work, double x0, double y0, double x1, double y1, struct rl_colour colour)
{
    static const double step = RL_HATCH_STEP;
    const double height = y1 - y0;
    const struct rl_vertex corners[] = {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}};
    struct rl_draw_op *edge = rl_drawing_path(&work->result->drawing, corners, RL_COUNT(corners), true);
    edge->stroke = colour;
    edge->line_width = 0.6;
    for (double x = x0 - height + step; x < x1; x += step) { /* each rises to the right */
        const double from = fmax(x, x0), to = fmin(x + height, x1);
        rl_work_line(work, (struct rl_segment){from, y0 + (from - x), to, y0 + (to - x)}, 0.5, colour);
    }
}

struct rl_colour rl_tone_area(enum rl_tone tone)
{
    return rl_tones[tone].hatched ? rl_tones[tone].area : rl_tones[tone].mark;
}

void rl_work_swatch(struct rl_chart_work *work, double x, double y, double size, enum rl_tone tone)
{
    const double low = y - size / 2, high = y + size / 2;
    const struct rl_vertex corners[] = {{x, low}, {x + size, low}, {x + size, high}, {x, high}};
    rl_drawing_path(&work->result->drawing, corners, RL_COUNT(corners), true)->fill = rl_tone_area(tone);
    if (rl_tones[tone].hatched)
        rl_work_hatch(work, x, low, x + size, high, rl_tones[tone].mark);
}

const char *rl_work_value(struct rl_chart_work *work, enum rl_unit unit, double value)
{
    struct rl_buf text = RL_BUF_IN(&work->result->drawing.texts);
    rl_buf_adds(&text, value < 0 ? "\xE2\x88\x92" : "");
    rl_unit_format(&text, unit, fabs(value), 3);
    return text.data;
}

void rl_work_plate(struct rl_chart_work *work, const struct rl_box *box)
{
    double turn = box->angle * (M_PI / 180), c = cos(turn), s = sin(turn);
    struct rl_vertex corners[4];
    for (int i = 0; i < 4; i++) {
        double x = (i == 1 || i == 2 ? 0.5 : -0.5) * box->width, y = (i >= 2 ? 0.5 : -0.5) * box->height;
        corners[i] = (struct rl_vertex){box->cx + x * c - y * s, box->cy + x * s + y * c};
    }
    rl_drawing_path(&work->result->drawing, corners, 4, true)->fill = (struct rl_colour){255, 255, 255, 225};
}

/* ---- titles ---- */

void rl_work_x_title(struct rl_chart_work *work, const char *title)
{
    if (title == NULL)
        return;
    struct rl_fitted text = rl_work_fit(work, title, RL_TITLE_SIZE, false, work->result->drawing.width - 4);
    double middle = (work->x.from + work->x.to) / 2, half = text.width / 2;
    middle = fmin(fmax(middle, half), work->result->drawing.width - half);
    double base = work->y.from - RL_TICK_ROOM - 3 - work->metrics->ascent * RL_TITLE_SIZE;
    rl_work_text(work, middle, base, RL_DRAW_CENTRE, RL_TITLE_SIZE, rl_ink_soft, text);
}

void rl_work_y_title(struct rl_chart_work *work, const char *title)
{
    if (title == NULL)
        return;
    struct rl_fitted text = rl_work_fit(work, title, RL_TITLE_SIZE, false, work->result->drawing.width - 4);
    rl_work_text(work, 0, work->y.to + 6, RL_DRAW_LEFT, RL_TITLE_SIZE, rl_ink_soft, text);
}

const char *rl_work_with_unit(struct rl_chart_work *work, const char *title, const char *unit)
{
    if (title == NULL || unit[0] == '\0')
        return title;
    return rl_arena_printf(&work->result->drawing.texts, "%s, %s", title, unit);
}

/* ---- labels that a solver places ---- */

#define SIDE_AIR  1.0  /* on both sides of a label */
#define LINE_GAP  1.2  /* between a line and the label along it */
#define TAG_COST  30.0 /* the shortest tag is taken only where nothing longer fits, */
#define LESS_COST 4.0  /* a longer one rather than a text across a line */

void rl_labels_init(struct rl_labels *labels, struct rl_chart_work *work, double x0, double y0, double x1, double y1)
{
    *labels = (struct rl_labels){.work = work};
    rl_place_init(&labels->place, x0, y0, x1, y1);
}

double rl_placed_width(const struct rl_placed *label)
{
    return label->text.width + 2 * SIDE_AIR;
}

size_t rl_labels_add(struct rl_labels *labels, struct rl_placed label, double priority, size_t own_mark)
{
    assert(label.size > 0 && (label.text.text != NULL || label.tags[0].text != NULL));
    size_t index = rl_place_label(&labels->place, priority, own_mark);
    RL_GROW(labels->labels, index + 1, labels->cap);
    for (int i = 0; i < RL_TAGS; i++)
        label.first_tag[i] = RL_PLACE_DROPPED;
    labels->labels[index] = label;
    return index;
}

void rl_labels_around(struct rl_labels *labels, struct rl_placed label, size_t own_mark)
{
    const size_t index = rl_labels_add(labels, label, 0, own_mark);
    const double height = rl_work_line_height(labels->work, label.size);
    rl_place_around(&labels->place, index, rl_placed_width(&label), height);
    if (label.tags[0].len == 0)
        return;
    const size_t first = labels->labels[index].first_tag[0] = labels->place.labels[index].count;
    rl_place_around(&labels->place, index, label.tags[0].width + 2 * SIDE_AIR, height);
    for (size_t i = first; i < labels->place.labels[index].count; i++)
        labels->place.labels[index].candidates[i].cost += TAG_COST;
}

#define AWAY      4.0
#define AWAY_COST 2.0

void rl_labels_along(struct rl_labels *labels, struct rl_placed label, double priority, const struct rl_segment lines[2],
                     double where)
{
    const struct rl_segment *longer = rl_segment_length(&lines[1]) > rl_segment_length(&lines[0]) ? &lines[1] : &lines[0];
    size_t index = rl_labels_add(labels, label, priority, RL_PLACE_NO_MARK);
    double height = rl_work_line_height(labels->work, label.size);
    rl_place_along(&labels->place, index, *longer, rl_placed_width(&label), height, LINE_GAP, where);
    struct rl_place_label *placed = &labels->place.labels[index];
    size_t close = placed->count; /* a little away is better than short: marks often lie on the line */
    rl_place_along(&labels->place, index, *longer, rl_placed_width(&label), height, LINE_GAP + AWAY, where);
    for (placed = &labels->place.labels[index]; close < placed->count; close++)
        placed->candidates[close].cost += AWAY_COST;
    for (int tag = 0; tag < RL_TAGS; tag++) {
        const size_t first = labels->labels[index].first_tag[tag] = labels->place.labels[index].count;
        for (int i = 0; i < 2 && label.tags[tag].len > 0; i++)
            if (rl_segment_length(&lines[i]) > 0)
                rl_place_along(&labels->place, index, lines[i], label.tags[tag].width + 2 * SIDE_AIR, height, LINE_GAP, where);
        placed = &labels->place.labels[index];
        for (size_t i = first; i < placed->count; i++)
            placed->candidates[i].cost += tag + 1 < RL_TAGS && label.tags[tag + 1].len > 0 ? LESS_COST : TAG_COST;
    }
}

void rl_labels_draw(struct rl_labels *labels)
{
    size_t count = labels->place.label_count;
    size_t *chosen = rl_calloc(count, sizeof *chosen);
    rl_place_solve(&labels->place, chosen);
    for (size_t i = 0; i < count; i++) {
        const struct rl_placed *label = &labels->labels[i];
        struct rl_fitted text = label->text;
        for (int tag = 0; tag < RL_TAGS; tag++)
            if (chosen[i] != RL_PLACE_DROPPED && chosen[i] >= label->first_tag[tag])
                text = label->tags[tag];
        if (chosen[i] != RL_PLACE_DROPPED) {
            /* The base line runs so that the letters' reach up and down fills the box. */
            const struct rl_place_candidate *at = &labels->place.labels[i].candidates[chosen[i]];
            const struct rl_box *box = &at->box;
            rl_work_plate(labels->work, box);
            if (at->leader)
                rl_work_line(labels->work, at->line, 0.4, rl_ink_pale);
            double turn = box->angle * (M_PI / 180),
                   drop = (labels->work->metrics->ascent - labels->work->metrics->descent) * label->size / 2;
            struct rl_draw_op *op = rl_work_text(labels->work, box->cx + drop * sin(turn), box->cy - drop * cos(turn),
                                                 RL_DRAW_CENTRE, label->size, label->colour, text);
            op->bold = label->bold;
            op->angle = box->angle;
        }
        labels->work->result->bare += label->of_point && chosen[i] == RL_PLACE_DROPPED;
    }
    free(chosen);
    free(labels->labels);
    rl_place_release(&labels->place);
}
