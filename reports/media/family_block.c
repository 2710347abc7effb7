/* family_block.c - what a kernel of many shapes has in its block (see kernels.h): how far its shapes agree, and a few of
 * them. */
#include "kernels.h"
#include "results/results.h"
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
    const char *why, *grid, *block, *limit;
    uint64_t launches, counted;
    struct rl_value share, mean, per_block, occupancy, roof;
};
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
    {.id = "limit", .head = "limited by", VIEW_AT(struct shape_row, limit)},
};

void rl_family_add(struct rl_report *report, const struct rl_family *family, struct rl_box *box)
{
    static const char text[] =
        "{timed_shapes} of {shapes} configurations were timed, {counted_shapes} counted[ ({counted_launches launch|launches}): the "
        "figures "
        "above are sums over those launches, and rates their ratios].[ Left out, because passes disagree: {disagreeing_shapes}.][ "
        "Time per block: {per_block}.][ Over the counted configurations: {traits}.]";
    const struct view view = view_subject_view(report->subject, &view_record_family, family);
    struct rl_para para = {0};
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
                                     .roof = result->roof_share,
                                     .limit = rl_kernel_limited_by(result)};
    }
    rl_view_table_add(
        box, &report->view,
        &(struct rl_view_table){RL_TABLE(shape_fields, rows, count),
                                .title = rl_words(report->doc, "%zu of its %zu configurations", count, family->shapes)});
    rl_box_gap(box, 4);
}
