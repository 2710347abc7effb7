/* kernel_levels.c - what a kernel does at each level of memory: traffic, throughput, hits. Shares of roofs are those of its
 * resources. */

#include "show_parts.h"

static const struct level {
    const char *name;
    enum rl_metric bytes, rate, hit_rate, intensity; /* RL_METRIC_COUNT: there is none */
} levels[] = {
    {"DRAM", RL_METRIC_dram_bytes, RL_METRIC_dram_bytes_per_second, RL_METRIC_COUNT, RL_METRIC_intensity_dram},
    {"L2", RL_METRIC_l2_bytes, RL_METRIC_l2_bytes_per_second, RL_METRIC_l2_hit_rate, RL_METRIC_intensity_l2},
    {"L1", RL_METRIC_l1_bytes, RL_METRIC_l1_bytes_per_second, RL_METRIC_l1_hit_rate, RL_METRIC_intensity_l1},
    {"shared", RL_METRIC_shared_bytes, RL_METRIC_shared_bytes_per_second, RL_METRIC_COUNT, RL_METRIC_COUNT},
};
struct level_row {
    const struct view_kernel *kernel;
    const struct level *level;
};

static struct view_cell metric_cell(const struct level_row *row, enum rl_metric metric)
{
    return metric == RL_METRIC_COUNT ? view_cell_absent("") : view_metric_cell(&row->kernel->metrics, metric);
}

enum level_key { LEVEL_BYTES, LEVEL_RATE, LEVEL_HITS, LEVEL_INTENSITY };

static struct view_cell level_cell(const struct view *view, const struct view_field *field, const void *row)
{
    static const enum rl_unit units[] = {[LEVEL_BYTES] = RL_UNIT_BYTE,
                                         [LEVEL_RATE] = RL_UNIT_BYTE_PER_SECOND,
                                         [LEVEL_HITS] = RL_UNIT_FRACTION,
                                         [LEVEL_INTENSITY] = RL_UNIT_FLOP_PER_BYTE};
    const struct level_row *of = row;
    const enum level_key key = (enum level_key)field->key;
    struct view_cell cell = metric_cell(of, key == LEVEL_BYTES       ? of->level->bytes
                                            : key == LEVEL_HITS      ? of->level->hit_rate
                                            : key == LEVEL_INTENSITY ? of->level->intensity
                                                                     : of->level->rate);
    cell.unit = units[key];
    return cell;
}

/* Missing values are noted below all tables of the kernel. */
VIEW_WHEN(is_excused, void, true);

#define LEVEL(which) VIEW_GET(NUMBER, level_cell), .key = LEVEL_##which, .digits = 3, .unit_of_row = true, .excused = is_excused

static const struct view_field level_fields[] = {
    {.id = "level", VIEW_IN(struct level_row, level, name), .identifies = true, .help = "level of memory"},
    {.id = "bytes", .head = "traffic", LEVEL(BYTES), .help = "bytes of a launch"},
    {.id = "bytes_per_second", .head = "throughput", LEVEL(RATE), .help = "bytes over its time"},
    {.id = "hit_rate", .head = "hit rate", LEVEL(HITS), .help = "look-ups that hit"},
    {.id = "intensity", .head = "arithmetic intensity", LEVEL(INTENSITY), .help = "floating-point operations per byte"},
};
const struct view_record view_record_kernel_level = {
    .id = "kernel_level", .help = "what a kernel does at a level of memory", VIEW_FIELDS(level_fields)};

struct view_rows view_show_levels(const struct view *view, const struct view_kernel *kernel)
{
    struct level_row *rows = rl_arena_alloc(view->arena, RL_COUNT(levels) * sizeof *rows);
    bool any = false;
    for (size_t i = 0; i < RL_COUNT(levels); i++) {
        rows[i] = (struct level_row){kernel, &levels[i]};
        any |=
            metric_cell(&rows[i], levels[i].bytes).state == RL_PRESENT || metric_cell(&rows[i], levels[i].rate).state == RL_PRESENT;
    }
    return VIEW_ROWS(rows, any ? RL_COUNT(levels) : 0);
}
