/* show_csv.c - one row per kernel class, or per family of classes, which has no shape but their number in a column that is there
 * only then; column names are ids with their unit and never change, values are in SI base units, an empty cell is a missing value.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "core/mem.h"
#include "core/units.h"
#include "show.h"

/* What a column name of that unit says at its end, unless the id says it already. */
static const char *const suffixes[RL_UNIT_COUNT_] = {
    [RL_UNIT_FRACTION] = "fraction",
    [RL_UNIT_SECOND] = "s",
    [RL_UNIT_BYTE] = "bytes",
    [RL_UNIT_BYTE_PER_SECOND] = "bytes_per_second",
    [RL_UNIT_FLOP] = "flop",
    [RL_UNIT_FLOP_PER_SECOND] = "flop_per_second",
    [RL_UNIT_FLOP_PER_BYTE] = "flop_per_byte",
    [RL_UNIT_OP_PER_SECOND] = "op_per_second",
    [RL_UNIT_INSTRUCTION_PER_SECOND] = "instructions_per_second",
    [RL_UNIT_HERTZ] = "hz",
    [RL_UNIT_WATT] = "w",
    [RL_UNIT_JOULE] = "j",
    [RL_UNIT_CELSIUS] = "c",
};

/* The word occurs in the id, between underscores or ends. */
static bool says(const char *id, const char *word)
{
    size_t len = strlen(word);
    for (const char *at = strstr(id, word); at; at = strstr(at + 1, word)) {
        if ((at == id || at[-1] == '_') && (at[len] == 0 || at[len] == '_'))
            return true;
    }
    return false;
}

static void add_metric_heads(struct rl_table *table, const struct rl_analysis *analysis)
{
    for (int i = 0; i < RL_METRIC_COUNT; i++) {
        if (!rl_metric_listed(analysis, (enum rl_metric)i))
            continue;
        struct rl_buf head = RL_BUF_INIT;
        const char *suffix = suffixes[rl_metrics[i].unit];
        rl_buf_adds(&head, rl_metrics[i].id);
        if (suffix && !says(rl_metrics[i].id, suffix))
            rl_buf_addf(&head, "_%s", suffix);
        rl_table_column(table, head.data, RL_RIGHT);
        rl_buf_release(&head);
    }
}

static void add_heads(struct rl_table *table, const struct show *show)
{
    static const char *const heads[] = {
        "gpu",
        "gpu_name",
        "experiment",
        "variant",
        "name",
        "grid_x",
        "grid_y",
        "grid_z",
        "block_x",
        "block_y",
        "block_z",
        "dynamic_shared_bytes",
        "static_shared_bytes",
        "registers_per_thread",
        "launches",
        "total_ns",
        "result",
        "duration_ns_median",
        "duration_ns_low",
        "duration_ns_high",
        "duration_ns_min",
        "duration_ns_max",
        "duration_n",
        "useful_bytes_per_second",
        "roof_share_fraction",
        "bound",
    };
    for (size_t i = 0; i < RL_COUNT(heads); i++)
        rl_table_column(table, heads[i], RL_LEFT);
    add_metric_heads(table, show->analysis);
    if (show->families->folded)
        rl_table_column(table, "shapes", RL_LEFT);
}

static void add_value(struct rl_table *table, struct rl_value value)
{
    struct rl_buf text = RL_BUF_INIT;
    if (rl_present(value))
        rl_number_exact(&text, value.v);
    rl_table_cell(table, text.data);
    rl_buf_release(&text);
}

static void add_text(struct rl_table *table, const char *text)
{
    rl_table_cell(table, text ? text : "");
}

static void add_shape(struct rl_table *table, const uint32_t shape[3], bool family)
{
    for (int i = 0; i < 3; i++)
        if (shape[0] && !family)
            rl_table_cellf(table, "%lu", (unsigned long)shape[i]);
        else /* no threads: not known */
            rl_table_cell(table, "");
}

/* The times of timed launches; of a family that of all, with what is taken of others. */
static void add_total(struct rl_table *table, const struct show_row *row)
{
    const double family_ns = row->family->figures ? row->family->time.ns : 0;
    if (family_ns > 0)
        add_value(table, rl_value_of(round(family_ns)));
    else if (row->kernel->total_ns)
        rl_table_cellf(table, "%llu", (unsigned long long)row->kernel->total_ns);
    else
        rl_table_cell(table, "");
}

static void add_duration(struct rl_table *table, const struct rl_stats *stats)
{
    struct rl_value none = rl_value_missing(RL_NOT_COLLECTED, NULL);
    const double values[] = {stats->median, stats->low, stats->high, stats->min, stats->max};
    for (size_t i = 0; i < RL_COUNT(values); i++) {
        bool interval_end = i == 1 || i == 2;
        add_value(table, stats->n == 0 || (interval_end && !stats->has_interval) ? none : rl_value_of(values[i]));
    }
    rl_table_cellf(table, "%zu", stats->n);
}

static void add_row(struct rl_table *table, const struct show *show, size_t index)
{
    struct show_row row = show_row_of_kernel(show, index);
    const struct rl_kernel *kernel = row.kernel;
    const struct rl_gpu *gpu = &show->capture->gpus[kernel->gpu];
    struct rl_stats duration = show_duration_ns(&row);
    rl_table_row(table);
    rl_table_cellf(table, "%d", gpu->index);
    add_text(table, gpu->name);
    add_text(table, row.variant ? show->capture->experiments[row.variant->experiment].name : NULL);
    add_text(table, row.variant ? row.variant->name : NULL);
    add_text(table, kernel->name);
    const bool family = row.family->figures != NULL;
    add_shape(table, kernel->grid, family);
    add_shape(table, kernel->block, family);
    add_value(table, family ? rl_value_missing(RL_UNDEFINED, NULL) : rl_value_of((double)kernel->dynamic_shared_bytes));
    add_value(table, kernel->static_shared_bytes);
    add_value(table, kernel->registers_per_thread);
    rl_table_cellf(table, "%llu", (unsigned long long)row.family->time.launches);
    add_total(table, &row);
    add_text(table, show_result(&row));
    add_duration(table, &duration);
    add_value(table, show_useful(&row));
    add_value(table, show_roof_share(&row));
    add_text(table, show_bound(&row));
    for (int i = 0; i < RL_METRIC_COUNT; i++)
        if (rl_metric_listed(show->analysis, (enum rl_metric)i))
            add_value(table, show_metric(&row, (enum rl_metric)i));
    if (show->families->folded)
        rl_table_cellf(table, "%zu", row.family->shapes);
}

void show_csv(const struct show *show, struct rl_buf *out)
{
    struct rl_table table;
    rl_table_init(&table);
    add_heads(&table, show);
    for (size_t i = 0; i < show->capture->kernel_count; i++)
        if (!show_is_folded(show, i))
            add_row(&table, show, i);
    assert(table.cell_count == table.row_count * table.column_count);
    rl_table_print(&table, out, RL_TABLE_CSV, 0);
    rl_table_release(&table);
}
