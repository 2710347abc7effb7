/* tables.c - tables of kernels for people: one for each experiment and GPU, and one for the kernels on a GPU that belong to none.
 */
#include <stdlib.h>
#include <string.h>

#include "core/intern.h"
#include "core/utf8.h"
#include "show_parts.h"

/* ---- records ---- */

static struct view_cell note_cell(const struct view *view, const struct view_field *field, const void *row)
{
    return view_cell_text(*(const char *const *)row);
}

static const struct view_field note_fields[] = {
    {.id = "text", .type = VIEW_TYPE_TEXT, .get = note_cell, .help = "what is to be said of a row"}};
static const struct view_record note_record = {
    .id = "table_note", .title = "", .help = "a note below a table", VIEW_FIELDS(note_fields), .plain = true};

static const struct view_field table_fields[] = {
    {.id = "heading", VIEW_AT(struct view_table, heading), .help = "what stands above it"},
    {.id = "rows", VIEW_AT_ROWS(struct view_table, rows, count, &view_record_kernel), .help = "its rows"},
    {.id = "notes", VIEW_AT_ROWS(struct view_table, notes, note_count, &note_record), .help = "what stands below it"},
};

#define FIGURES                                                                                                                    \
    "duration_s.median,half_width,useful_bytes_per_second,metrics.dram_bytes_per_second,metrics.flop_per_second,roof_share,"       \
    "metrics.achieved_occupancy,metrics.theoretical_occupancy,bound_word"
static const struct view_block experiment_blocks[] = {
    {.kind = VIEW_BLOCK_TABLE, .field = "rows", .columns = "line," FIGURES ",state"},
    {.kind = VIEW_BLOCK_NOTES, .field = "notes", .text = "{text}"},
};
const struct view_record view_record_experiment_table = {.id = "experiment_table",
                                                         .title = "{heading}",
                                                         .help = "an experiment on a GPU",
                                                         VIEW_FIELDS(table_fields),
                                                         VIEW_BLOCKS(experiment_blocks)};

static const struct view_block kernel_blocks[] = {
    {.kind = VIEW_BLOCK_TABLE, .field = "rows", .columns = "label,launches,gpu_s," FIGURES},
};
const struct view_record view_record_kernel_table = {.id = "kernel_table",
                                                     .title = "{heading}",
                                                     .help = "kernels on a GPU that belong to no experiment",
                                                     VIEW_FIELDS(table_fields),
                                                     VIEW_BLOCKS(kernel_blocks)};

/* ---- notes of rows ---- */

/* What the time of a whole run is. */
static const char *whole_run_text(const struct view_kernel *row)
{
    if (row->whole->untimed)
        return row->whole->untimed;
    if (strcmp(row->variant->measure, "wall") == 0)
        return "a whole run, by the host's clock, without roof and occupancy";
    return strcmp(row->variant->measure, "span") == 0
               ? "a whole run, from its first start to its last end on the GPU, without roof and occupancy"
               : "all kernels of a run together, without roof and occupancy";
}

/* A variant as a whole that has figures: a note says what they are of. */
static bool is_whole_run(const struct view_kernel *row)
{
    return row->variant && !row->kernel && view_kernel_is_measured(row);
}

/* Why a row has no figures; NULL: it has some. */
static const char *row_note(const struct view *view, const struct view_kernel *row)
{
    const struct rl_variant *variant = row->variant;
    if (row->part || !variant) /* the run's row has said it */
        return NULL;
    if (variant->result == RL_RESULT_WRONG)
        return rl_arena_printf(view->arena, "%s: WRONG result, so no figures: %s", variant->name,
                               variant->result_text ? variant->result_text : "no details");
    if (!row->kernel && variant->status != RL_VARIANT_DONE)
        return rl_arena_printf(view->arena, "%s: %s: %s", variant->name, rl_variant_status_name(variant->status), variant->reason);
    return NULL;
}

/* Names of the runs that need the same said of them, "launches, graph", by text. */
struct runs {
    struct rl_intern texts;
    struct rl_buf *names;
    size_t cap;
};

static struct runs find_runs(const struct view_table *table)
{
    struct runs runs = {0};
    for (size_t i = 0; i < table->count; i++) {
        bool is_new;
        if (!is_whole_run(&table->rows[i]))
            continue;
        const size_t text = rl_intern(&runs.texts, 0, whole_run_text(&table->rows[i]), &is_new);
        RL_GROW(runs.names, text + 1, runs.cap);
        if (is_new)
            runs.names[text] = (struct rl_buf)RL_BUF_INIT;
        rl_buf_addf(&runs.names[text], "%s%s", runs.names[text].len ? ", " : "", table->rows[i].variant->name);
    }
    return runs;
}

/* "launches, graph: a whole run, by the host's clock": where the first of them is. */
static const char *run_note(const struct view *view, struct runs *runs, const struct view_kernel *row)
{
    bool is_new;
    const size_t text = rl_intern(&runs->texts, 0, whole_run_text(row), &is_new);
    const char *note = NULL;
    if (runs->names[text].len)
        note = rl_arena_printf(view->arena, "%s: %s", runs->names[text].data, whole_run_text(row));
    rl_buf_reset(&runs->names[text]);
    return note;
}

static void add_notes(const struct view *view, struct view_table *table)
{
    struct runs runs = find_runs(table);
    table->notes = rl_arena_alloc(view->arena, table->count * sizeof *table->notes);
    for (size_t i = 0; i < table->count; i++) {
        const struct view_kernel *row = &table->rows[i];
        const char *note = is_whole_run(row) ? run_note(view, &runs, row) : row_note(view, row);
        if (note)
            table->notes[table->note_count++] = note;
    }
    for (size_t i = 0; i < runs.texts.count; i++)
        rl_buf_release(&runs.names[i]);
    rl_intern_release(&runs.texts);
    free(runs.names);
}

/* ---- experiments ---- */

/* Whether a run of the variant is exactly one launch of one kernel, so that the kernel's row says all. */
static bool is_one_kernel(const struct view_subject *subject, size_t variant)
{
    const size_t *kernels;
    return rl_group(&subject->analysis->index.kernels_of_variant, variant, &kernels) == 1 &&
           subject->capture->variants[variant].duration_count == 0 && subject->capture->kernels[kernels[0]].launches_per_run <= 1;
}

/* Whether a kernel was launched in runs that were timed as wholes, and never by itself: nothing was measured of it alone. */
static bool only_in_runs(const struct rl_kernel *kernel)
{
    return kernel->launches == 0 && kernel->duration_count == 0;
}

/* One row for a variant that is one kernel; otherwise a row for the whole run, and below it one for each of its kernels. */
static void add_variant(const struct view_subject *subject, size_t variant, struct view_table *table)
{
    const size_t *kernels, count = rl_group(&subject->analysis->index.kernels_of_variant, variant, &kernels);
    const bool one = is_one_kernel(subject, variant);
    if (!one)
        table->rows[table->count++] = view_kernel_of_run(subject, variant);
    for (size_t i = 0; i < count; i++) {
        if (!one && only_in_runs(&subject->capture->kernels[kernels[i]]))
            continue;
        table->rows[table->count] = view_kernel_of_class(subject, kernels[i]);
        table->rows[table->count++].part = !one;
    }
}

/* The table of one experiment on one GPU, whose variants are `at`. */
static struct view_table experiment_table(const struct view *view, const size_t *at, size_t count)
{
    const struct view_subject *subject = view_subject_of(view);
    const struct rl_capture *capture = subject->capture;
    const struct rl_variant *first = &capture->variants[at[0]];
    const struct rl_experiment *experiment = &capture->experiments[first->experiment];
    struct view_table table = {0};
    struct rl_buf heading = RL_BUF_INIT;
    size_t most = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t *kernels;
        most += 1 + rl_group(&subject->analysis->index.kernels_of_variant, at[i], &kernels);
    }
    table.rows = rl_arena_alloc(view->arena, most * sizeof *table.rows);
    for (size_t i = 0; i < count; i++)
        add_variant(subject, at[i], &table);
    rl_utf8_short(&heading, experiment->name, VIEW_NAME_COLUMNS);
    rl_buf_addf(&heading, ": %s", experiment->question);
    if (capture->gpu_count > 1)
        rl_buf_addf(&heading, " (GPU %d)", capture->gpus[first->gpu].index);
    table.heading = rl_arena_strdup(view->arena, heading.data);
    rl_buf_release(&heading);
    add_notes(view, &table);
    return table;
}

struct view_rows view_experiment_tables(const struct view *view)
{
    const struct rl_capture *capture = view_subject_of(view)->capture;
    const size_t *at = view_subject_of(view)->analysis->index.variants_of_experiment.at;
    struct view_table *tables = rl_arena_alloc(view->arena, capture->variant_count * sizeof *tables);
    size_t count = 0;
    for (size_t from = 0, to; from < capture->variant_count; from = to) {
        const struct rl_variant *first = &capture->variants[at[from]];
        for (to = from + 1; to < capture->variant_count; to++)
            if (capture->variants[at[to]].experiment != first->experiment || capture->variants[at[to]].gpu != first->gpu)
                break;
        tables[count++] = experiment_table(view, at + from, to - from);
    }
    return (struct view_rows){tables, sizeof *tables, count, NULL};
}

/* ---- kernels of no experiment ---- */

static const char *kernels_heading(const struct view *view, size_t gpu)
{
    const struct view_subject *subject = view_subject_of(view);
    const struct rl_index *index = &subject->analysis->index;
    const char *rank = index->has_ranks ? index->rank_of_gpu[gpu] : NULL; /* GPUs of several machines have the same numbers */
    return rl_arena_printf(view->arena, "Kernels on GPU %d%s%s", subject->capture->gpus[gpu].index, rank ? ", rank " : "",
                           rank ? rank : "");
}

struct view_rows view_kernel_tables(const struct view *view)
{
    const struct view_show *show = view->row;
    const struct view_subject *subject = show->subject;
    const struct rl_capture *capture = subject->capture;
    struct view_table *tables = rl_arena_alloc(view->arena, capture->gpu_count * sizeof *tables);
    size_t count = 0;
    for (size_t gpu = 0; gpu < capture->gpu_count; gpu++) {
        struct view_table table = {0};
        const size_t *at, all = rl_group(&subject->analysis->index.kernels_of_gpu, gpu, &at);
        if (subject->hidden && subject->hidden[gpu])
            continue;
        table.rows = rl_arena_alloc(view->arena, all * sizeof *table.rows);
        for (size_t i = 0; i < all; i++)
            if (capture->kernels[at[i]].variant == RL_NONE && show->place[at[i]] != RL_NONE)
                table.rows[table.count++] = show->kernels[show->place[at[i]]];
        table.heading = kernels_heading(view, gpu);
        if (table.count)
            tables[count++] = table;
    }
    return (struct view_rows){tables, sizeof *tables, count, NULL};
}
