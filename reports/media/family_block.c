/* family_block.c - what a kernel of many shapes has in its block (see kernels.h): how far its shapes agree, a few of them, and
 * their times by the size of the grid. */
#include <math.h>
#include <stdlib.h>

#include "core/mem.h"
#include "core/sort.h"
#include "core/stats.h"
#include "kernels.h"
#include "results/families.h"
#include "view_table.h"

/* ---- the head ---- */

static double blocks_of(const struct rl_kernel *kernel)
{
    return (double)kernel->grid[0] * (double)kernel->grid[1] * (double)kernel->grid[2];
}

static const char *extent_text(struct rl_report *report, const uint32_t extent[3])
{
    return rl_words(report->doc, "%u × %u × %u", extent[0], extent[1], extent[2]);
}

const char *rl_family_launch_text(struct rl_report *report, const struct rl_family *family)
{
    const struct rl_family_figures *figures = family->figures;
    const struct rl_kernel *kernel = &report->capture->kernels[family->kernel];
    const char *block =
        figures->one_block ? rl_words(report->doc, "block %s", extent_text(report, kernel->block)) : "several blocks";
    const char *registers =
        rl_present(kernel->registers_per_thread)
            ? rl_words(report->doc, "%s registers", rl_words_value(report->doc, RL_UNIT_COUNT, kernel->registers_per_thread, 3))
            : "registers unknown";
    return rl_words(report->doc, "grids of %.0f to %.0f blocks, median %.0f · %s · %s · %s", figures->blocks.least,
                    figures->blocks.greatest, figures->blocks.median, block, registers,
                    rl_words_count(report->doc, (size_t)family->time.launches, "launch", "launches"));
}

/* ---- a few shapes ---- */

enum { MOST_TIME = 2, MOST_SHAPES = MOST_TIME + 3 };

struct choice {
    size_t class; /* of the family */
    const char *why;
};

static size_t class_of(const struct rl_family *family, size_t kernel)
{
    size_t class = 0;
    while (family->classes[class].kernel != kernel)
        class ++;
    return class;
}

/* A shape may be there for several reasons. */
static void add_choice(struct rl_report *report, struct choice *choices, size_t *count, size_t class, const char *why)
{
    for (size_t i = 0; i < *count; i++)
        if (choices[i].class == class) {
            choices[i].why = rl_words(report->doc, "%s, %s", choices[i].why, why);
            return;
        }
    choices[(*count)++] = (struct choice){class, why};
}

static size_t choose(struct rl_report *report, const struct rl_family *family, struct choice choices[MOST_SHAPES])
{
    const struct rl_family_figures *figures = family->figures;
    size_t count = 0;
    for (size_t i = 0; i < MOST_TIME && i < family->shapes; i++)
        add_choice(report, choices, &count, i, i == 0 ? "most time" : "adjacent to it");
    add_choice(report, choices, &count, class_of(family, figures->least), "fewest blocks");
    add_choice(report, choices, &count, class_of(family, figures->middle), "median blocks");
    add_choice(report, choices, &count, class_of(family, figures->greatest), "most blocks");
    return count;
}

/* Mean time of its launches, s. */
static struct rl_value mean_of(const struct rl_program_class *class)
{
    const uint64_t launches = class->time.state == RL_TIME_AT_LEAST ? class->time.timed : class->time.launches;
    return rl_value_div(rl_class_gpu_s(class), rl_value_of((double)launches), NULL);
}

struct shape_row {
    const char *why, *grid, *block;
    uint64_t launches, counted;
    struct rl_value share, mean, per_block, occupancy, roof;
};
/* clang-format off */
static const struct view_field shape_fields[] = {
    {.id = "shape", VIEW_AT(struct shape_row, why)},
    {.id = "grid", VIEW_AT(struct shape_row, grid)},
    {.id = "block", VIEW_AT(struct shape_row, block)},
    {.id = "launches", VIEW_AT(struct shape_row, launches)},
    {.id = "share", .head = "of its time", VIEW_AT(struct shape_row, share), .unit = RL_UNIT_FRACTION, .digits = 3},
    {.id = "mean_s", .head = "mean time", VIEW_AT(struct shape_row, mean), .unit = RL_UNIT_SECOND, .digits = 3},
    {.id = "per_block_s", .head = "per block", VIEW_AT(struct shape_row, per_block), .unit = RL_UNIT_SECOND, .digits = 3},
    {.id = "occupancy", VIEW_AT(struct shape_row, occupancy), .unit = RL_UNIT_FRACTION, .digits = 3},
    {.id = "roof", .head = "of its roof", VIEW_AT(struct shape_row, roof), .unit = RL_UNIT_FRACTION, .digits = 3},
    {.id = "counted", VIEW_AT(struct shape_row, counted)},
};
/* clang-format on */

void rl_family_add(struct rl_report *report, const struct rl_family *family, struct rl_box *box)
{
    static const char text[] =
        "{timed_shapes} of {shapes} shapes were timed, {counted_shapes} counted[ ({counted_launches launch|launches}): the figures "
        "above are sums over those launches, and rates their ratios].[ Left out, because passes disagree: {disagreeing_shapes}.][ "
        "Time per block: {per_block}.][ Over the counted shapes: {traits}.]";
    const struct view view = view_subject_view(report->subject, &view_record_family, family);
    struct rl_para para = RL_PARA_INIT;
    rl_para_add(report->doc->layout, &para, RL_STYLE_NOTE_INK, rl_view_words(report->doc->layout, &view, text));
    rl_box_para(box, &para);
    rl_box_gap(box, 4);
    struct choice choices[MOST_SHAPES];
    struct shape_row rows[MOST_SHAPES];
    const size_t count = choose(report, family, choices);
    for (size_t i = 0; i < count; i++) {
        const struct rl_program_class *class = &family->classes[choices[i].class];
        const struct rl_kernel *kernel = &report->capture->kernels[class->kernel];
        const struct rl_kernel_result *result = &report->analysis->kernels[class->kernel];
        rows[i] = (struct shape_row){.why = choices[i].why,
                                     .grid = extent_text(report, kernel->grid),
                                     .block = extent_text(report, kernel->block),
                                     .launches = class->launches,
                                     .counted = class->use ? class->use->counted : 0,
                                     .share = rl_value_div(rl_class_gpu_s(class), rl_value_of(family->gpu_s), "no time"),
                                     .mean = mean_of(class),
                                     .per_block = rl_value_div(mean_of(class), rl_value_of(blocks_of(kernel)), "no blocks"),
                                     .occupancy = result->metric[RL_METRIC_achieved_occupancy],
                                     .roof = result->roof_share};
    }
    rl_view_table_add(box, &report->view,
                      &(struct rl_view_table){RL_TABLE(shape_fields, rows, count),
                                              .title = rl_words(report->doc, "%zu of its %zu shapes", count, family->shapes)});
    rl_box_gap(box, 4);
}

/* ---- the chart ---- */

enum { FEWEST_SIZES = 3, MOST_MARKS = 32 };
#define HEIGHT     180.0
#define MOST_RATIO 20.0 /* of the maximum to the minimum on a linear axis */

struct sized {
    double blocks, seconds;
};

static int by_size(const void *a, const void *b)
{
    const struct sized *x = a, *y = b;
    return rl_ascending(x->blocks, y->blocks) ?: rl_ascending(x->seconds, y->seconds);
}

static size_t take_sizes(const struct rl_report *report, const struct rl_family *family, struct sized *sized)
{
    size_t count = 0;
    for (size_t i = 0; i < family->shapes; i++) {
        const struct rl_value mean = mean_of(&family->classes[i]);
        const double blocks = blocks_of(&report->capture->kernels[family->classes[i].kernel]);
        if (rl_present(mean) && mean.v > 0 && blocks > 0)
            sized[count++] = (struct sized){blocks, mean.v};
    }
    if (count)
        rl_sort(sized, count, sizeof *sized, by_size);
    return count;
}

/* The marks of one curve: where many shapes have about as many blocks, one mark is all of them. */
struct marks {
    double *x, *y, *low, *high;
    size_t count;
};

/* One mark for so many shapes. */
static void add_mark(struct marks *marks, const struct sized *sized, size_t count)
{
    double *seconds = rl_calloc(count, sizeof *seconds);
    for (size_t i = 0; i < count; i++)
        seconds[i] = sized[i].seconds;
    const struct rl_stats stats = rl_stats_of(seconds, count);
    marks->x[marks->count] = (sized[0].blocks + sized[count - 1].blocks) / 2;
    marks->y[marks->count] = stats.median;
    marks->low[marks->count] = stats.min;
    marks->high[marks->count++] = stats.max;
    free(seconds);
}

/* Steps of equal width on the axis. */
static size_t step_of(double blocks, double least, double greatest, bool logarithmic)
{
    const double place = logarithmic ? log(blocks / least) / log(greatest / least) : (blocks - least) / (greatest - least);
    return place >= 1 ? MOST_MARKS - 1 : (size_t)(place * MOST_MARKS);
}

static struct marks marks_of(struct rl_report *report, struct sized *sized, size_t count, bool logarithmic)
{
    struct marks marks = {0};
    double **const columns[] = {&marks.x, &marks.y, &marks.low, &marks.high};
    const double least = sized[0].blocks, greatest = sized[count - 1].blocks;
    for (size_t i = 0; i < RL_COUNT(columns); i++)
        *columns[i] = rl_arena_alloc(report->doc->arena, MOST_MARKS * sizeof(double));
    for (size_t first = 0, end; first < count; first = end) {
        const size_t step = step_of(sized[first].blocks, least, greatest, logarithmic);
        for (end = first + 1; end < count && step_of(sized[end].blocks, least, greatest, logarithmic) == step; end++)
            continue;
        add_mark(&marks, &sized[first], end - first);
    }
    return marks;
}

size_t rl_family_chart_plan(struct rl_report *report, struct rl_section *section, const struct rl_family *family)
{
    struct sized *sized = rl_arena_alloc(report->doc->arena, family->shapes * sizeof *sized);
    const size_t count = take_sizes(report, family, sized);
    if (count < FEWEST_SIZES || sized[0].blocks == sized[count - 1].blocks)
        return RL_NONE;
    const bool logarithmic = sized[count - 1].blocks > MOST_RATIO * sized[0].blocks;
    const struct marks marks = marks_of(report, sized, count, logarithmic);
    double least = INFINITY, greatest = 0;
    for (size_t i = 0; i < marks.count; i++) {
        least = fmin(least, marks.low[i]);
        greatest = fmax(greatest, marks.high[i]);
    }
    struct rl_chart_series *series = rl_arena_alloc(report->doc->arena, sizeof *series);
    *series = (struct rl_chart_series){
        .tone = RL_TONE_INK, .count = marks.count, .x = marks.x, .y = marks.y, .low = marks.low, .high = marks.high};
    struct rl_chart *chart = rl_document_chart(report->doc, section, RL_CHART_LINES);
    chart->width = RL_CHART_HALF;
    chart->height = HEIGHT;
    chart->lines = (struct rl_chart_lines){.x_unit = RL_UNIT_COUNT,
                                           .y_unit = RL_UNIT_SECOND,
                                           .x_scale = logarithmic ? RL_SCALE_LOG10 : RL_SCALE_LINEAR,
                                           .y_scale = greatest > MOST_RATIO * least ? RL_SCALE_LOG10 : RL_SCALE_LINEAR,
                                           .x_title = "Blocks of the grid",
                                           .y_title = "Mean time of a launch",
                                           .series = series,
                                           .series_count = 1};
    return section->chart_count - 1;
}

void rl_family_chart_add(struct rl_report *report, const struct rl_section *section, size_t index, struct rl_box *cell)
{
    rl_box_note(cell,
                "Mean time of a launch by the size of its grid: where the curve is nearly level, launching costs more than the "
                "work. A mark is the median of shapes with about the same number of blocks, with the least and the greatest.");
    rl_box_gap(cell, 4);
    rl_box_drawing(cell, &rl_document_result(report->doc, section, index)->drawing,
                   "Mean time of a launch over the number of blocks of its grid.");
}
