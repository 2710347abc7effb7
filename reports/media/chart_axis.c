#include "chart_kind.h"

#define SHORTEST 1e-4 /* length of a linear axis, of its largest value: tick labels have six digits */

bool rl_axis_usable(bool log, double value)
{
    return isfinite(value) && fabs(value) <= RL_AXIS_HUGE && (!log || value >= RL_AXIS_TINY);
}

void rl_range_include(struct rl_range *range, bool log, double value)
{
    if (!rl_axis_usable(log, value))
        return;
    range->low = range->any ? fmin(range->low, value) : value;
    range->high = range->any ? fmax(range->high, value) : value;
    range->any = true;
}

bool rl_axis_is_log(const struct rl_axis *axis)
{
    return axis->ticks >= RL_TICKS_DECADES;
}

enum rl_ticks rl_axis_log_ticks(enum rl_unit unit)
{
    bool large = rl_unit_scale(unit, 1e9).factor<1, small = rl_unit_scale(unit, 1e-9).factor> rl_unit_scale(unit, 1).factor;
    return large || small ? RL_TICKS_SI : RL_TICKS_DECADES;
}

double rl_axis_at(const struct rl_axis *axis, double value)
{
    assert(axis->min < axis->max && axis->from < axis->to);
    double share =
        rl_axis_is_log(axis) ? log(value / axis->min) / log(axis->max / axis->min) : (value - axis->min) / (axis->max - axis->min);
    return axis->from + share * (axis->to - axis->from);
}

/* The nearest of 1, 2, 5 times a power of ten at or below (above) `value` > 0; a value that is one stays. */
static double round_number(double value, bool up)
{
    static const double steps[] = {1, 2, 5, 10};
    assert(value > 0 && isfinite(value));
    const double slack = 1e-9;
    double power = pow(10, floor(log10(value) + slack)), mantissa = value / power;
    double found = up ? 10 : 1;
    for (size_t i = 0; i < RL_COUNT(steps); i++) {
        double step = steps[up ? RL_COUNT(steps) - 1 - i : i];
        if (up ? step >= mantissa - slack : step <= mantissa + slack)
            found = step;
    }
    return found * power;
}

void rl_axis_enclose_log(struct rl_axis *axis, double low, double high, double decades)
{
    assert(low > 0 && low <= high);
    double missing = decades - log10(high / low);
    if (missing > 0) {
        low *= pow(10, -missing / 2);
        high *= pow(10, missing / 2);
    }
    axis->min = round_number(low, false);
    axis->max = round_number(high, true);
}

struct rl_scale rl_axis_enclose_linear(struct rl_axis *axis, enum rl_unit unit, double low, double high)
{
    const double largest = fmax(fabs(low), fabs(high));
    const struct rl_scale scale = rl_unit_scale(unit, largest);
    const double missing = largest * SHORTEST * scale.factor - (high - low) * scale.factor;
    axis->ticks = RL_TICKS_LINEAR;
    axis->min = low * scale.factor - fmax(missing / 2, 0);
    axis->max = high * scale.factor + fmax(missing / 2, 0);
    if (axis->max - axis->min < RL_AXIS_TINY)
        axis->max = axis->min + 1;
    return scale;
}

void rl_axis_choose_step(struct rl_axis *axis, double room)
{
    double length = axis->to - axis->from;
    assert(room > 0 && length > 0 && axis->max > axis->min);
    if (axis->ticks == RL_TICKS_LINEAR) {
        axis->step = round_number(room / length * (axis->max - axis->min), true);
        return;
    }
    double units = axis->ticks == RL_TICKS_BINARY ? log2(axis->max / axis->min) : log10(axis->max / axis->min);
    axis->step = fmax(ceil(room * units / length), 1);
    if (axis->ticks != RL_TICKS_BINARY && axis->step > 1)
        axis->step = ceil(axis->step / 3) * 3; /* one label an SI prefix */
    axis->between = length / units >= 80 ? 2 : length / units >= 28 ? 1 : 0;
    axis->fine = axis->ticks != RL_TICKS_BINARY && units <= 2.2 && length / units >= 3 * room;
}

/* ---- the program ---- */

void rl_program_number(struct rl_buf *program, const char *name, double value)
{
    assert(isfinite(value));
    rl_buf_addf(program, "rl_%s = ", name);
    rl_number_exact(program, value);
    rl_buf_addch(program, '\n');
}

void rl_block_begin(struct rl_block *block, struct rl_buf *program, const char *name)
{
    *block = (struct rl_block){.program = program, .name = name};
    rl_buf_addf(program, "$%s << END\n", name);
}

void rl_block_row(struct rl_block *block, const double *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        assert(isfinite(values[i]));
        rl_buf_adds(block->program, i > 0 ? " " : "");
        rl_number_exact(block->program, values[i]);
    }
    rl_buf_addch(block->program, '\n');
    block->rows++;
}

void rl_block_line(struct rl_block *block, double x0, double y0, double x1, double y1)
{
    rl_block_row(block, (const double[]){x0, y0}, 2);
    rl_block_row(block, (const double[]){x1, y1}, 2);
    rl_block_gap(block, 1);
}

void rl_block_gap(struct rl_block *block, int blank)
{
    rl_buf_fill(block->program, '\n', (size_t)blank);
}

void rl_block_end(struct rl_block *block)
{
    rl_buf_adds(block->program, "END\n");
    rl_program_number(block->program, block->name, (double)block->rows);
}

double rl_program_colour(struct rl_colour colour)
{
    return colour.r * 65536.0 + colour.g * 256.0 + colour.b;
}

static void write_axis(struct rl_buf *program, char name, const struct rl_axis *axis)
{
    bool binary = axis->ticks == RL_TICKS_BINARY;
    double first = 0, last = 0, slack = 1e-9;
    if (rl_axis_is_log(axis)) {
        first = ceil((binary ? log2(axis->min) : log10(axis->min)) - slack) + 0.0; /* never "-0" */
        last = floor((binary ? log2(axis->max) : log10(axis->max)) + slack) + 0.0;
    }
    const struct {
        const char *name;
        double value;
    } settings[] = {
        {"ticks", axis->ticks}, {"min", axis->min},         {"max", axis->max}, {"step", axis->step},
        {"fine", axis->fine},   {"between", axis->between}, {"first", first},   {"last", last},
    };
    for (size_t i = 0; i < RL_COUNT(settings); i++) {
        char full[16];
        (void)snprintf(full, sizeof full, "%c_%s", name, settings[i].name);
        assert(strlen(full) + 1 < sizeof full);
        rl_program_number(program, full, settings[i].value);
    }
}

/* The terminal counts in hundredths of a point: ends of axes on whole ones make our positions and gnuplot's the same. */
static void settle(struct rl_axis *axis, double limit)
{
    (void)limit; /* read by the assertion alone */
    axis->from = round(axis->from * 100) / 100;
    axis->to = round(axis->to * 100) / 100;
    assert(axis->from >= 0 && axis->from < axis->to && axis->to <= limit + 0.005);
    if (axis->ticks == RL_TICKS_NONE) {
        axis->min = axis->from;
        axis->max = axis->to;
    }
}

void rl_work_write_axes(struct rl_chart_work *work)
{
    struct rl_axis *x = &work->x, *y = &work->y;
    double width = work->result->drawing.width, height = work->result->drawing.height;
    settle(x, width);
    settle(y, height);
    rl_program_number(work->program, "left", x->from / width);
    rl_program_number(work->program, "right", x->to / width);
    rl_program_number(work->program, "bottom", y->from / height);
    rl_program_number(work->program, "top", y->to / height);
    write_axis(work->program, 'x', x);
    write_axis(work->program, 'y', y);
}
