#include "show_columns.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/intern.h"
#include "core/mem.h"
#include "core/parts.h"
#include "core/units.h"
#include "show_figures.h"
#include "view_text.h"

#define PART "\xE2\x94\x94 " /* U+2514, before the kernels of a run */

/* What a table of kernels is made of: fields of the result before and behind the measured figures. */
struct lines {
    const struct show_rows *rows;
    struct view view;
    struct view_listing before, after;
    struct show_figures figures;
};

/* A listing without columns where none are named. */
static void make_listing(struct view_listing *listing, const struct view *view, const struct view_rows *rows, const char *columns)
{
    *listing = (struct view_listing){.view = view, .record = view->record, .rows = *rows};
    if (columns)
        view_listing_make(listing, view, view->record, *rows, NULL, columns);
}

static void make_lines(struct lines *lines, const struct show_rows *rows, struct view_subject *subject,
                       const struct view_kernel_columns *columns)
{
    const struct rl_capture *capture = subject->capture;
    struct view_kernel_line *line = rl_calloc(rows->count, sizeof *line);
    for (size_t i = 0; i < rows->count; i++) {
        const struct show_row *row = &rows->row[i];
        line[i].kernel = row->kernel ? (size_t)(row->kernel - capture->kernels) : RL_NONE;
        line[i].variant = row->variant ? (size_t)(row->variant - capture->variants) : RL_NONE;
    }
    const struct view_rows shown = view_show_lines(subject, line, rows->count);
    free(line);
    lines->rows = rows;
    lines->view = view_subject_view(subject, &view_record_kernel, NULL);
    make_listing(&lines->before, &lines->view, &shown, columns->before);
    make_listing(&lines->after, &lines->view, &shown, columns->after);
    show_figures_make(&lines->figures, rows);
}

static void release_lines(struct lines *lines)
{
    show_figures_release(&lines->figures);
    view_listing_release(&lines->before);
    view_listing_release(&lines->after);
}

static void add_heads(struct rl_table *table, const char *head, const struct lines *lines)
{
    rl_table_column(table, head, RL_LEFT);
    cli_view_heads(table, &lines->before);
    for (size_t i = 0; i < SHOW_COLUMNS; i++) {
        const struct show_look *look = &lines->figures.looks[i];
        struct rl_buf text = RL_BUF_INIT;
        const bool bare = show_columns[i].bare;
        if (!look->shown)
            continue;
        rl_buf_addf(&text, "%s%s%s", bare ? "" : show_columns[i].name, bare ? "" : " ", look->scale.symbol);
        rl_table_column(table, text.data, RL_RIGHT);
        rl_buf_release(&text);
    }
    cli_view_heads(table, &lines->after);
}

/* The same lines for a thread of its own: fields may take memory from the arena of their view. */
static void share_lines(const struct lines *lines, struct rl_arena *arena, struct lines *shared)
{
    *shared = *lines;
    shared->view.arena = arena;
    shared->before.view = shared->after.view = &shared->view;
}

/* An rl_table_function. */
static void add_rows(void *context, struct rl_table *table, size_t first, size_t end)
{
    struct lines lines;
    struct rl_arena arena = RL_ARENA_INIT;
    struct rl_buf cell = RL_BUF_INIT;
    share_lines(context, &arena, &lines);
    for (size_t i = first; i < end; i++) {
        rl_table_row(table);
        rl_table_cellf(table, "%s%s", lines.rows->part[i] ? PART : "", lines.rows->label[i]);
        cli_view_cells(table, &lines.before, i, &cell);
        for (size_t j = 0; j < SHOW_COLUMNS; j++) {
            rl_buf_reset(&cell);
            if (lines.figures.looks[j].shown) {
                show_figures_add(&lines.figures, i, (enum show_column)j, &cell);
                rl_table_cell_bytes(table, cell.data, cell.len);
            }
        }
        cli_view_cells(table, &lines.after, i, &cell);
    }
    rl_buf_release(&cell);
    rl_arena_release(&arena);
}

/* A table, and what stands below it. */
struct printing {
    struct lines lines;
    const char *head;
    struct cli_doc *doc, below;
};

static void print_table(void *context)
{
    struct printing *printing = context;
    struct rl_table table;
    rl_table_init(&table);
    add_heads(&table, printing->head, &printing->lines);
    rl_table_rows(&table, printing->lines.rows->count, add_rows, &printing->lines);
    cli_doc_table(printing->doc, &table);
    rl_table_release(&table);
}

/* ---- notes ---- */

/* A reason, and which rows lack which figure for it. Notes with the same reason and rows are one. */
struct note {
    const char *reason;
    struct rl_buf names;
    bool *rows;
};
/* At most MOST_NOTES, so that a capture with a reason of its own in every row does not fill the memory. */
enum { MOST_NOTES = 32 };
struct notes {
    struct note list[MOST_NOTES];
    size_t count;
    size_t measured; /* rows with figures: the others have a note of their own */
    bool more;       /* reasons than there is room for */
};

static bool can_be_measured(const struct show_row *row)
{
    return row->result ? !row->result->wrong : row->variant->result != RL_RESULT_WRONG && row->variant->status == RL_VARIANT_DONE;
}

/* The note with that reason from `from` on, added if need be; NULL when there is no room. */
static struct note *note_of(struct notes *notes, size_t from, const char *reason, size_t row_count)
{
    for (size_t i = from; i < notes->count; i++) {
        if (strcmp(notes->list[i].reason, reason) == 0)
            return &notes->list[i];
    }
    if (notes->count == MOST_NOTES) {
        notes->more = true;
        return NULL;
    }
    notes->list[notes->count] = (struct note){.reason = reason, .names = RL_BUF_INIT, .rows = rl_calloc(row_count, sizeof(bool))};
    return &notes->list[notes->count++];
}

static void note_release(struct note *note)
{
    rl_buf_release(&note->names);
    free(note->rows);
}

/* Joins note `index` to an earlier one that says the same of the same rows. */
static void merge_note(struct notes *notes, size_t index, size_t row_count)
{
    assert(index < notes->count);
    struct note *note = &notes->list[index];
    for (size_t i = 0; i < index; i++) {
        struct note *earlier = &notes->list[i];
        if (strcmp(earlier->reason, note->reason) == 0 && memcmp(earlier->rows, note->rows, row_count * sizeof(bool)) == 0) {
            rl_buf_addf(&earlier->names, ", %s", note->names.data);
            note_release(note);
            notes->list[index] = notes->list[--notes->count];
            return;
        }
    }
}

/* What bounds what has no value is a figure, too. */
static bool is_missing(const struct show_row *row, const struct show_column_info *column, const struct show_figure *figure,
                       bool beside)
{
    if (rl_present(figure->value) && !beside)
        return false;
    return !(rl_present(figure->other) && (beside || column->most)) && !(column->single && !row->kernel) && can_be_measured(row);
}

/* Of the values of a column, or of those beside them. */
static void note_figure(struct notes *notes, const struct show_figures *figures, size_t column, bool beside)
{
    const struct show_rows *rows = figures->rows;
    const struct show_column_info *info = &show_columns[column];
    size_t from = notes->count;
    for (size_t i = 0; i < rows->count; i++) {
        const struct show_figure *figure = &figures->of[i * SHOW_COLUMNS + column];
        const struct rl_value value = beside ? figure->other : figure->value;
        bool missing = is_missing(&rows->row[i], info, figure, beside);
        struct note *note = missing ? note_of(notes, from, rl_value_reason(value), rows->count) : NULL;
        if (note)
            note->rows[i] = true;
    }
    for (size_t i = from; i < notes->count; i++)
        rl_buf_adds(&notes->list[i].names, beside ? info->beside_name : info->name);
    for (size_t i = notes->count; i-- > from;)
        merge_note(notes, i, rows->count);
}

static void make_notes(struct notes *notes, const struct show_figures *figures)
{
    for (size_t i = 0; i < figures->rows->count; i++)
        notes->measured += can_be_measured(&figures->rows->row[i]);
    for (size_t i = 0; i < SHOW_COLUMNS; i++) {
        if (!figures->looks[i].shown)
            continue;
        note_figure(notes, figures, i, false);
        if (show_columns[i].beside)
            note_figure(notes, figures, i, true);
    }
}

/* " (stride_1, stride_2)", or the number of rows when they are many; nothing when the note is about all. */
static void add_note_rows(struct rl_buf *text, const struct note *note, const struct show_rows *rows, size_t measured)
{
    enum { MOST_NAMES = 8 };
    size_t count = 0;
    struct rl_buf names = RL_BUF_INIT;
    for (size_t i = 0; i < rows->count; i++) {
        if (note->rows[i] && ++count <= MOST_NAMES)
            rl_buf_addf(&names, "%s%s", names.len ? ", " : "", rows->label[i]);
    }
    if (count > MOST_NAMES && count < measured)
        rl_buf_addf(text, " (%zu of %zu)", count, measured);
    else if (count < measured)
        rl_buf_addf(text, " (%s)", names.data);
    rl_buf_release(&names);
}

/* What the time of a whole run is. */
static const char *whole_run_text(const struct show_row *row)
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
static bool is_whole_run(const struct show_row *row)
{
    return row->variant && !row->kernel && row->variant->result != RL_RESULT_WRONG && row->variant->status == RL_VARIANT_DONE;
}

/* Rows that need the same said of their runs. */
struct whole_runs {
    struct rl_intern texts;
    size_t *text;        /* of each row */
    size_t *first;       /* of each text: the first row */
    struct rl_buf *rows; /* of each text: "launches, graph" */
};

static struct whole_runs find_whole_runs(const struct show_rows *rows)
{
    struct whole_runs runs = {.text = rl_calloc(rows->count, sizeof *runs.text),
                              .first = rl_calloc(rows->count, sizeof *runs.first),
                              .rows = rl_calloc(rows->count, sizeof *runs.rows)};
    bool is_new;
    for (size_t i = 0; i < rows->count; i++) {
        if (!is_whole_run(&rows->row[i]))
            continue;
        runs.text[i] = rl_intern(&runs.texts, 0, whole_run_text(&rows->row[i]), &is_new);
        struct rl_buf *names = &runs.rows[runs.text[i]];
        if (is_new) {
            *names = (struct rl_buf)RL_BUF_INIT;
            runs.first[runs.text[i]] = i;
        }
        rl_buf_addf(names, "%s%s", names->len ? ", " : "", rows->label[i]);
    }
    return runs;
}

/* "launches, graph: a whole run, by the host's clock": of all rows that need the same said, where the first of them is. */
static void print_whole_run(struct whole_runs *runs, size_t row, struct cli_doc *doc)
{
    struct rl_buf *names = &runs->rows[runs->text[row]];
    if (runs->first[runs->text[row]] != row)
        return;
    rl_buf_addf(names, ": %s", runs->texts.entries[runs->text[row]].text);
    cli_doc_note(doc, names->data);
    rl_buf_release(names);
}

static void release_whole_runs(struct whole_runs *runs)
{
    rl_intern_release(&runs->texts);
    free(runs->text);
    free(runs->first);
    free(runs->rows);
}

/* Why a row has no figures. */
static void print_row_note(const struct show_row *row, const char *label, struct cli_doc *doc)
{
    struct rl_buf text = RL_BUF_INIT;
    const struct rl_variant *variant = row->variant;
    if (variant && variant->result == RL_RESULT_WRONG)
        rl_buf_addf(&text, "%s: WRONG result, so no figures: %s", label,
                    variant->result_text ? variant->result_text : "no details");
    else if (variant && !row->kernel && variant->status != RL_VARIANT_DONE)
        rl_buf_addf(&text, "%s: %s: %s", label, rl_variant_status_name(variant->status), variant->reason);
    if (text.len)
        cli_doc_note(doc, text.data);
    rl_buf_release(&text);
}

/* "~: estimated from samples of the whole GPU, DRAM within ±1.3 % (95 %) at most; --json has each interval". */
static void print_estimates(const struct show_figures *figures, struct cli_doc *doc)
{
    double widest = 0;
    bool any = false, bounded = false;
    for (size_t i = 0; i < figures->rows->count; i++) {
        const struct show_figure *of = &figures->of[i * SHOW_COLUMNS], *dram = &of[SHOW_DRAM];
        for (size_t j = 0; j < SHOW_COLUMNS; j++)
            any |= of[j].is_estimate;
        bounded |= rl_present(dram->other);
        if (dram->is_estimate && dram->value.v > 0)
            widest =
                fmax(widest, show_estimate_half_width(&figures->rows->row[i], RL_METRIC_dram_bytes_per_second) / dram->value.v);
    }
    struct rl_buf text = RL_BUF_INIT;
    rl_buf_adds(&text, "~: estimated from samples of the whole GPU, no counters; ");
    if (widest > 0) {
        rl_buf_adds(&text, "95 % intervals of DRAM are at most ±");
        rl_unit_format(&text, RL_UNIT_FRACTION, widest, 2);
        rl_buf_adds(&text, "; ");
    }
    if (bounded)
        rl_buf_adds(&text, "\xE2\x89\xA4: no more is known than the upper end of its interval; ");
    rl_buf_adds(&text, "--json has the interval of each value");
    if (any || bounded)
        cli_doc_note(doc, text.data);
    rl_buf_release(&text);
}

static void print_notes(const struct show_figures *figures, struct cli_doc *doc)
{
    const struct show_rows *rows = figures->rows;
    struct notes notes = {0};
    struct whole_runs runs = find_whole_runs(rows);
    make_notes(&notes, figures);
    for (size_t i = 0; i < notes.count; i++) {
        struct rl_buf text = RL_BUF_INIT;
        rl_buf_addf(&text, "%s: %s", notes.list[i].names.data, notes.list[i].reason);
        add_note_rows(&text, &notes.list[i], rows, notes.measured);
        cli_doc_note(doc, text.data);
        rl_buf_release(&text);
        note_release(&notes.list[i]);
    }
    print_estimates(figures, doc);
    if (notes.more)
        cli_doc_note(doc, "more values are missing for other reasons: --json has them all");
    for (size_t i = 0; i < rows->count; i++) {
        if (is_whole_run(&rows->row[i]))
            print_whole_run(&runs, i, doc);
        else if (!rows->part[i]) /* the run's row has said it */
            print_row_note(&rows->row[i], rows->label[i], doc);
    }
    release_whole_runs(&runs);
}

static void print_below(void *context)
{
    struct printing *printing = context;
    struct lines lines;
    struct rl_arena arena = RL_ARENA_INIT;
    share_lines(&printing->lines, &arena, &lines);
    cli_view_notes(&lines.before, &printing->below);
    print_notes(&lines.figures, &printing->below);
    cli_view_notes(&lines.after, &printing->below);
    rl_arena_release(&arena);
}

void show_columns_print(const struct show_rows *rows, const char *head, struct view_subject *subject,
                        const struct view_kernel_columns *columns, struct cli_doc *doc)
{
    struct rl_buf below = RL_BUF_INIT;
    struct printing printing = {.head = head, .doc = doc, .below = *doc};
    printing.below.out = &below;
    printing.below.heading_end = 0;
    make_lines(&printing.lines, rows, subject, columns);
    rl_parts_both(rows->count, RL_LEAST_ROWS, print_table, print_below, &printing);
    rl_buf_add(doc->out, below.data, below.len);
    rl_buf_release(&below);
    release_lines(&printing.lines);
}
