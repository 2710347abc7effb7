#include "chart_kind.h"

enum rl_roofline_style { RL_ROOF_OTHER_DASHED, RL_ROOF_OTHER_SOLID, RL_ROOF_MAIN_DASHED, RL_ROOF_MAIN_SOLID, RL_ROOF_STYLES };

/* The envelope that matters, and what the axes must enclose. */
struct rl_roofline_roofs {
    double main_slanted, main_flat; /* highest of their kind among the main ones, or of all; 0: none */
    double top_slanted, top_flat;
    double ridge;                         /* FLOP/B where the main ones meet; 0: they do not */
    bool measured_slanted, measured_flat; /* a main one of this kind is measured */
};

struct rl_roofline_state {
    struct rl_roofline_roofs roofs;
    struct rl_mark *marks;
    size_t mark_count;
};

/* A line in data coordinates. */
struct rl_roofline_line {
    double x0, y0, x1, y1;
    enum rl_roofline_style style;
    bool shown;
};

/* How a roof is drawn. */
enum rl_roofline_style rl_roofline_style_of(const struct rl_roofline_roofs *r, const struct rl_chart_roof *roof, bool main);

static bool roofline_usable(const struct rl_chart_roof *roof);
static bool roofline_has_interval(const struct rl_chart_point *p);
static void roofline_lines(const struct rl_chart_work *work, const struct rl_roofline_roofs *r, const struct rl_chart_roof *roof,
                           struct rl_roofline_line parts[2]);
static bool roofline_ridge_shown(const struct rl_chart_work *work, const struct rl_roofline_roofs *r);
static bool roofline_is_joined(const struct rl_chart_roofline *chart, size_t point);
static const char *roofline_y_title(const struct rl_chart_roofline *chart);
static double roofline_key_row(struct rl_chart_work *work, const struct rl_chart_roofline *chart);

#define SMALL_CHART 300.0 /* narrower charts have shorter labels */

static struct rl_segment on_paper(const struct rl_chart_work *work, const struct rl_roofline_line *line)
{
    return (struct rl_segment){rl_axis_at(&work->x, line->x0), rl_axis_at(&work->y, line->y0), rl_axis_at(&work->x, line->x1),
                               rl_axis_at(&work->y, line->y1)};
}

/* A roof's name runs along its longer part: slanted ones are read from the left, flat ones end at the right. "FP32 66.1 TFLOP/s, 98
 * % of peak" becomes "FP32 66.1 TFLOP/s" where the roof is short, and "FP32" in a crowd. */
static void add_roof_label(struct rl_labels *labels, const struct rl_roofline_roofs *r, const struct rl_chart_roof *roof,
                           const struct rl_segment parts[2])
{
    bool strong = roof->main && rl_roofline_style_of(r, roof, true) == RL_ROOF_MAIN_SOLID;
    struct rl_segment lines[2];
    /* The lines that a roof's label may run along: of a flat roof, which is one line in two colours, the whole. */
    lines[0] = parts[0];
    lines[1] = parts[1];
    if (!roof->slanted && rl_segment_length(&parts[0]) > 0 && rl_segment_length(&parts[1]) > 0) {
        lines[0].x0 = fmin(parts[0].x0, parts[1].x0);
        lines[0].x1 = fmax(parts[0].x1, parts[1].x1);
        lines[1] = parts[0];
    }
    double room = fmax(rl_segment_length(&lines[0]), rl_segment_length(&lines[1]));
    struct rl_placed label = {.colour = strong ? rl_ink : rl_ink_soft, .size = RL_LABEL_SIZE, .bold = strong};
    const char *const texts[] = {roof->label, roof->figure, roof->name}; /* never cut: a rate with fewer digits is another rate */
    struct rl_fitted *next = &label.text;                                /* those that fit: the text, then its tags */
    for (size_t i = 0; i < RL_COUNT(texts); i++) {
        const struct rl_fitted fitted =
            texts[i] ? rl_work_fit(labels->work, texts[i], label.size, label.bold, INFINITY) : label.text;
        if (texts[i] && fitted.width <= room) {
            *next = fitted;
            next = next == &label.text ? &label.tags[0] : next + 1;
        }
    }
    if (label.text.len > 0)
        rl_labels_along(labels, label, roof->main ? 2000 : 1000, lines, roof->slanted ? 0.3 : 1);
}

/* "13.6 FLOP/B" at the foot of the line under the ridge. */
static void add_ridge(struct rl_labels *labels, const struct rl_roofline_roofs *r)
{
    struct rl_chart_work *work = labels->work;
    if (!roofline_ridge_shown(work, r))
        return;
    const char *text =
        rl_arena_printf(&work->result->drawing.texts, "ridge %s", rl_work_value(work, RL_UNIT_FLOP_PER_BYTE, r->ridge));
    struct rl_placed label = {.colour = rl_ink_soft, .size = RL_LABEL_SIZE};
    label.text = rl_work_fit(work, text, label.size, false, 100);
    size_t index = rl_labels_add(labels, label, 500, RL_PLACE_NO_MARK);
    double x = rl_axis_at(&work->x, r->ridge), width = rl_placed_width(&label), height = rl_work_line_height(work, label.size);
    for (int i = 0; i < 8; i++) {
        double aside = (i % 2 == 0 ? 1 : -1) * (width / 2 + 1.5), y = work->y.from + 2 + height / 2 + (i / 2) * height;
        rl_place_candidate(&labels->place, index,
                           (struct rl_place_candidate){.box = {x + aside, y, width, height, 0}, .cost = 0.5 * i});
    }
    rl_place_line(&labels->place, x, work->y.from, x, rl_axis_at(&work->y, r->main_flat));
}

/* Marks come first: their labels, roofs and whiskers must know all of them. */
static void add_points(struct rl_labels *labels, const struct rl_chart_roofline *chart, const struct rl_roofline_state *state)
{
    const struct rl_chart_work *work = labels->work;
    double widest = work->chart->width * (work->chart->width < SMALL_CHART ? 0.4 : 0.32);
    rl_labels_add_marks(labels, chart->points, state->marks, state->mark_count, widest);
    for (size_t i = 0; i < state->mark_count; i++) {
        const struct rl_chart_point *point = &chart->points[state->marks[i].point];
        double x = rl_axis_at(&work->x, state->marks[i].x);
        if (roofline_has_interval(point))
            rl_place_line(&labels->place, x, rl_axis_at(&work->y, point->low), x, rl_axis_at(&work->y, point->high));
        if (roofline_is_joined(chart, state->marks[i].point))
            rl_place_line(&labels->place, rl_axis_at(&work->x, point[-1].x), rl_axis_at(&work->y, point[-1].y), x,
                          rl_axis_at(&work->y, point->y));
    }
}

void rl_roofline_label(struct rl_chart_work *work)
{
    assert(work->chart->kind == RL_CHART_ROOFLINE);
    const struct rl_chart_roofline *chart = &work->chart->roofline;
    const struct rl_roofline_state *state = work->state;
    double key_y = work->y.to + 6 + roofline_key_row(work, chart);
    rl_work_y_title(work, roofline_y_title(chart));
    rl_work_x_title(work, chart->x_title != NULL ? chart->x_title : "Arithmetic intensity, FLOP per byte of DRAM traffic");
    rl_work_key(work, chart->points, chart->point_count, work->x.to, key_y, true);
    if (roofline_ridge_shown(work, &state->roofs)) {
        struct rl_draw_op *dot = rl_drawing_add(&work->result->drawing, RL_DRAW_CIRCLE);
        dot->x = rl_axis_at(&work->x, state->roofs.ridge);
        dot->y = rl_axis_at(&work->y, state->roofs.main_flat);
        dot->radius = 1.6;
        dot->fill = rl_ink;
    }
    struct rl_labels labels;
    rl_labels_init(&labels, work, work->x.from + 1.5, work->y.from + 1.5, work->x.to, work->y.to);
    add_points(&labels, chart, state);
    struct rl_roofline_line lines[2];
    for (size_t i = 0; i < chart->roof_count; i++) {
        struct rl_segment parts[2] = {{0}};
        if (!roofline_usable(&chart->roofs[i]))
            continue;
        roofline_lines(labels.work, &state->roofs, &chart->roofs[i], lines);
        for (int k = 0; k < 2; k++) {
            if (!lines[k].shown)
                continue;
            parts[k] = on_paper(labels.work, &lines[k]);
            rl_place_line(&labels.place, parts[k].x0, parts[k].y0, parts[k].x1, parts[k].y1);
        }
        if (chart->roofs[i].label != NULL && (lines[0].shown || lines[1].shown))
            add_roof_label(&labels, &state->roofs, &chart->roofs[i], parts);
    }
    add_ridge(&labels, &state->roofs);
    rl_labels_draw(&labels);
}

#define LEFT_ROOM   37.0 /* tick labels: "100 G" */
#define RIGHT_ROOM  13.0
#define TITLE_ROOM  18.0  /* title of the y axis, key */
#define RANGE_PAD   1.6   /* factor between the outermost values and the ends of an axis */
#define NAMES_PAD   4.0   /* the same above the highest roof: its name stands there */
#define SMALL_CHART 300.0 /* narrower charts have shorter labels */

static const char *const style_blocks[RL_ROOF_STYLES] = {"other_dashed", "other_solid", "main_dashed", "main_solid"};

/* Title of the y axis. */
static const char *roofline_y_title(const struct rl_chart_roofline *chart)
{
    return chart->y_title != NULL ? chart->y_title : "Performance, FLOP/s";
}

/* Height of a second row above the frame: needed when title and key do not fit side by side. */
static double roofline_key_row(struct rl_chart_work *work, const struct rl_chart_roofline *chart)
{
    double key = rl_work_key(work, chart->points, chart->point_count, 0, 0, false), width = work->chart->width - RIGHT_ROOM;
    double title = rl_work_fit(work, roofline_y_title(chart), RL_TITLE_SIZE, false, width).width;
    return key > 0 && key + title + 12 > width ? RL_TITLE_SIZE + 3 : 0;
}

double rl_roofline_natural_height(const struct rl_chart *chart)
{
    return fmin(fmax(chart->width * 0.6, 190), 290);
}

/* Whether a roof can be drawn. */
static bool roofline_usable(const struct rl_chart_roof *roof)
{
    return rl_axis_usable(true, roof->value);
}

/* The main roofs are those drawn solid: measured ones where there are any. */
static void note_highest(struct rl_roofline_roofs *r, const struct rl_chart_roof *roof)
{
    if (!roofline_usable(roof))
        return;
    double *top = roof->slanted ? &r->top_slanted : &r->top_flat, *main = roof->slanted ? &r->main_slanted : &r->main_flat;
    bool measured = roof->slanted ? r->measured_slanted : r->measured_flat;
    *top = fmax(*top, roof->value);
    if (roof->main && (roof->measured || !measured))
        *main = fmax(*main, roof->value);
}

enum rl_roofline_style rl_roofline_style_of(const struct rl_roofline_roofs *r, const struct rl_chart_roof *roof, bool main)
{
    bool alone = !(roof->slanted ? r->measured_slanted : r->measured_flat);
    if (main)
        return roof->measured || alone ? RL_ROOF_MAIN_SOLID : RL_ROOF_MAIN_DASHED;
    return roof->measured ? RL_ROOF_OTHER_SOLID : RL_ROOF_OTHER_DASHED;
}

/* ---- ranges ---- */

static void enclose(struct rl_axis *axis, struct rl_range range, double pad_low, double pad_high, double decades)
{
    if (!range.any)
        range = (struct rl_range){1, 1, true};
    rl_axis_enclose_log(axis, fmax(range.low / pad_low, RL_AXIS_TINY), fmin(range.high * pad_high, RL_AXIS_HUGE), decades);
}

static bool point_usable(const struct rl_chart_point *p)
{
    return rl_axis_usable(true, p->x) && rl_axis_usable(true, p->y);
}

/* Whether a point has whiskers. */
static bool roofline_has_interval(const struct rl_chart_point *p)
{
    return rl_axis_usable(true, p->low) && rl_axis_usable(true, p->high);
}

static void choose_y_range(struct rl_axis *axis, const struct rl_chart_roofline *chart, const struct rl_roofline_roofs *r,
                           double x_min)
{
    struct rl_range range = {0};
    for (size_t i = 0; i < chart->point_count; i++) {
        if (!point_usable(&chart->points[i]))
            continue;
        rl_range_include(&range, true, chart->points[i].y / RANGE_PAD);
        rl_range_include(&range, true, chart->points[i].y);
        if (roofline_has_interval(&chart->points[i])) {
            rl_range_include(&range, true, chart->points[i].low);
            rl_range_include(&range, true, chart->points[i].high);
        }
    }
    rl_range_include(&range, true, r->top_flat);
    rl_range_include(&range, true, r->main_flat);
    double start = r->main_slanted * x_min; /* the main roof starts in the corner, or above it */
    if (r->top_flat > 0 ? start < r->top_flat : true)
        rl_range_include(&range, true, start);
    enclose(axis, range, 1, NAMES_PAD, 1.5);
}

/* ---- roofs as lines, in data coordinates ---- */

static struct rl_roofline_line slanted_line(const struct rl_chart_work *work, double bandwidth, double from, double to,
                                            enum rl_roofline_style style)
{
    from = fmax(fmax(from, work->x.min), work->y.min / bandwidth);
    to = fmin(fmin(to, work->x.max), work->y.max / bandwidth);
    return (struct rl_roofline_line){from, from * bandwidth, to, to * bandwidth, style, from < to};
}

static struct rl_roofline_line flat_line(const struct rl_chart_work *work, double rate, double from, double to,
                                         enum rl_roofline_style style)
{
    from = fmax(from, work->x.min);
    to = fmin(to, work->x.max);
    return (struct rl_roofline_line){from, rate, to, rate, style, from < to && rate >= work->y.min && rate <= work->y.max};
}

/* A slanted roof ends at the highest flat one, a flat one starts at the highest slanted one; a main roof is dark where it bounds
 * what can be reached (parts[0]) and an ordinary one beyond (parts[1]). Every flat roof reaches as far right as the axis. */
static void roofline_lines(const struct rl_chart_work *work, const struct rl_roofline_roofs *r, const struct rl_chart_roof *roof,
                           struct rl_roofline_line parts[2])
{
    enum rl_roofline_style dark = rl_roofline_style_of(r, roof, true), grey = rl_roofline_style_of(r, roof, false);
    double value = roof->value;
    if (roof->slanted) {
        double end = r->top_flat > 0 ? r->top_flat / value : work->x.max, bend = r->main_flat > 0 ? r->main_flat / value : end;
        parts[0] = slanted_line(work, value, 0, roof->main ? bend : end, roof->main ? dark : grey);
        parts[1] = slanted_line(work, value, bend, roof->main ? end : 0, grey);
        return;
    }
    double start = r->top_slanted > 0 ? value / r->top_slanted : 0, bend = r->main_slanted > 0 ? value / r->main_slanted : start;
    parts[0] = flat_line(work, value, roof->main ? bend : start, work->x.max, roof->main ? dark : grey);
    parts[1] = flat_line(work, value, start, roof->main ? bend : 0, grey);
}

static void write_roofs(struct rl_chart_work *work, const struct rl_chart_roofline *chart, const struct rl_roofline_roofs *r)
{
    struct rl_roofline_line parts[2];
    for (int style = 0; style < RL_ROOF_STYLES; style++) {
        struct rl_block block;
        rl_block_begin(&block, work->program, style_blocks[style]);
        for (size_t i = 0; i < chart->roof_count; i++) {
            if (!roofline_usable(&chart->roofs[i]))
                continue;
            roofline_lines(work, r, &chart->roofs[i], parts);
            for (int k = 0; k < 2; k++)
                if (parts[k].shown && (int)parts[k].style == style)
                    rl_block_line(&block, parts[k].x0, parts[k].y0, parts[k].x1, parts[k].y1);
        }
        rl_block_end(&block);
    }
}

/* The spread of a measured roof along a line of it: four corners. */
static void write_band(struct rl_chart_work *work, struct rl_block *block, const struct rl_chart_roof *roof,
                       const struct rl_roofline_line *line)
{
    double by_low = roof->low / roof->value, by_high = roof->high / roof->value;
    const double corners[][2] = {{line->x0, line->y0 * by_low},
                                 {line->x1, line->y1 * by_low},
                                 {line->x1, line->y1 * by_high},
                                 {line->x0, line->y0 * by_high}};
    for (size_t i = 0; i < RL_COUNT(corners); i++)
        rl_block_row(block, (const double[]){corners[i][0], fmin(fmax(corners[i][1], work->y.min), work->y.max)}, 2);
    rl_block_gap(block, 1);
}

static bool has_band(const struct rl_chart_roof *roof)
{
    return roofline_usable(roof) && roof->measured && rl_axis_usable(true, roof->low) && rl_axis_usable(true, roof->high) &&
           roof->low <= roof->value && roof->value <= roof->high;
}

static bool roofline_ridge_shown(const struct rl_chart_work *work, const struct rl_roofline_roofs *r)
{
    return !work->chart->roofline.no_ridge && r->ridge > work->x.min && r->ridge < work->x.max && r->main_flat > work->y.min &&
           r->main_flat <= work->y.max;
}

static void write_points(struct rl_chart_work *work, const struct rl_chart_roofline *chart, struct rl_roofline_state *state)
{
    struct rl_block whiskers;
    state->marks = rl_work_alloc(work, chart->point_count * sizeof *state->marks);
    rl_block_begin(&whiskers, work->program, "whiskers");
    for (size_t i = 0; i < chart->point_count; i++) {
        const struct rl_chart_point *p = &chart->points[i];
        if (!point_usable(p)) {
            work->result->skipped++;
            continue;
        }
        double radius = rl_mark_radius(p);
        state->marks[state->mark_count++] = (struct rl_mark){i, p->x, p->y, radius};
        if (roofline_has_interval(p))
            rl_block_line(&whiskers, p->x, p->low, p->x, p->high);
    }
    rl_block_end(&whiskers);
    rl_work_write_marks(work, chart->points, state->marks, state->mark_count);
}

/* Whether a point is joined with the one before. */
static bool roofline_is_joined(const struct rl_chart_roofline *chart, size_t point)
{
    return point > 0 && chart->points[point].joined && point_usable(&chart->points[point]) &&
           point_usable(&chart->points[point - 1]);
}

static void write_joins(struct rl_chart_work *work, const struct rl_chart_roofline *chart)
{
    struct rl_block block;
    rl_block_begin(&block, work->program, "joins");
    for (size_t i = 0; i < chart->point_count; i++) {
        const struct rl_chart_point *p = &chart->points[i];
        if (roofline_is_joined(chart, i))
            rl_block_line(&block, p[-1].x, p[-1].y, p->x, p->y);
    }
    rl_block_end(&block);
}

static struct rl_roofline_roofs highest_roofs(const struct rl_chart_roofline *chart)
{
    struct rl_roofline_roofs r = {0};
    for (size_t i = 0; i < chart->roof_count; i++) {
        const struct rl_chart_roof *roof = &chart->roofs[i];
        if (roof->main && roof->measured && roofline_usable(roof))
            *(roof->slanted ? &r.measured_slanted : &r.measured_flat) = true;
    }
    for (size_t i = 0; i < chart->roof_count; i++)
        note_highest(&r, &chart->roofs[i]);
    r.main_slanted = r.main_slanted > 0 ? r.main_slanted : r.top_slanted;
    r.main_flat = r.main_flat > 0 ? r.main_flat : r.top_flat;
    r.ridge = r.main_slanted > 0 && r.main_flat > 0 ? r.main_flat / r.main_slanted : 0;
    return r;
}

static void write_bands(struct rl_chart_work *work, const struct rl_chart_roofline *chart, const struct rl_roofline_roofs *roofs)
{
    struct rl_roofline_line parts[2];
    struct rl_block block;
    rl_block_begin(&block, work->program, "bands");
    for (size_t i = 0; i < chart->roof_count; i++) {
        if (!has_band(&chart->roofs[i]))
            continue;
        roofline_lines(work, roofs, &chart->roofs[i], parts);
        for (int k = 0; k < 2; k++)
            if (parts[k].shown)
                write_band(work, &block, &chart->roofs[i], &parts[k]);
    }
    rl_block_end(&block);
}

void rl_roofline_write(struct rl_chart_work *work)
{
    assert(work->chart->kind == RL_CHART_ROOFLINE);
    const struct rl_chart_roofline *chart = &work->chart->roofline;
    struct rl_roofline_state *state = work->state = rl_work_alloc(work, sizeof *state);
    double width = work->chart->width, height = work->chart->height;
    state->roofs = highest_roofs(chart);
    for (size_t i = 0; i < chart->roof_count; i++)
        work->result->skipped += !roofline_usable(&chart->roofs[i]);
    work->x = (struct rl_axis){.ticks = RL_TICKS_DECADES, .from = LEFT_ROOM, .to = width - RIGHT_ROOM};
    work->y = (struct rl_axis){
        .ticks = RL_TICKS_SI, .from = RL_TICK_ROOM + 14, .to = height - TITLE_ROOM - roofline_key_row(work, chart)};
    bool small = width < SMALL_CHART;
    struct rl_range range = {0};
    for (size_t i = 0; i < chart->point_count; i++)
        if (point_usable(&chart->points[i]))
            rl_range_include(&range, true, chart->points[i].x);
    if (state->roofs.ridge > 0) { /* the bend and some way on both sides of it */
        rl_range_include(&range, true, state->roofs.ridge / 20);
        rl_range_include(&range, true, state->roofs.ridge * (small ? 30 : 10)); /* flat roofs need room for their names */
        if (small && state->roofs.top_slanted > 0)                              /* and the highest slanted one for its rate */
            rl_range_include(&range, true, state->roofs.top_flat / state->roofs.top_slanted / 25);
        if (!small)
            rl_range_include(&range, true, state->roofs.top_flat / state->roofs.main_slanted * 15);
    }
    enclose(&work->x, range, RANGE_PAD, RANGE_PAD, 2);
    choose_y_range(&work->y, chart, &state->roofs, work->x.min);
    rl_axis_choose_step(&work->x, 28);
    rl_axis_choose_step(&work->y, 15);
    rl_work_write_axes(work);
    write_bands(work, chart, &state->roofs);
    write_roofs(work, chart, &state->roofs);
    struct rl_block block;
    rl_block_begin(&block, work->program, "ridge");
    if (roofline_ridge_shown(work, &state->roofs))
        rl_block_line(&block, state->roofs.ridge, work->y.min, state->roofs.ridge, state->roofs.main_flat);
    rl_block_end(&block);
    write_joins(work, chart);
    write_points(work, chart, state);
}
