/* reader.h - one file: finds its tables among what programs print, and hands their rows on (private to import/). */
#pragma once

#include "core/core.h"
#include "lines.h"
#include "model.h"

enum rl_column {
    RL_COLUMN_id,
    RL_COLUMN_process,
    RL_COLUMN_host,
    RL_COLUMN_kernel,
    RL_COLUMN_device,
    RL_COLUMN_capability,
    RL_COLUMN_grid,
    RL_COLUMN_block,
    RL_COLUMN_grid_x,
    RL_COLUMN_grid_y,
    RL_COLUMN_grid_z,
    RL_COLUMN_block_x,
    RL_COLUMN_block_y,
    RL_COLUMN_block_z,
    RL_COLUMN_registers,
    RL_COLUMN_static_shared,
    RL_COLUMN_dynamic_shared,
    RL_COLUMN_section,
    RL_COLUMN_metric,
    RL_COLUMN_unit,
    RL_COLUMN_value,
    RL_COLUMN_least,
    RL_COLUMN_greatest,
    RL_COLUMN_launches,
    RL_COLUMN_type,
    RL_COLUMN_time,
    RL_COLUMN_start,
    RL_COLUMN_duration,
    RL_COLUMN_card,
    RL_COLUMN_experiment,
    RL_COLUMN_variant,
    RL_COLUMN_quantity,
    RL_COLUMN_figure,
    RL_COLUMN_figure_unit,
    RL_COLUMN_source,
    RL_COLUMN_share,
    RL_COLUMN_ignored,
    RL_COLUMN_COUNT,
};

enum rl_form { RL_FORM_CSV, RL_FORM_PRINTED };

struct rl_reader;
/* Takes the row in reader->record. False when it is none: then the line is something else that was printed between the rows. */
typedef bool (*rl_row_function)(struct rl_reader *reader);

struct rl_table_kind {
    enum rl_tool tool;
    const char *label;
    enum rl_form form;
    const char *needs, *lacks;
    rl_row_function row; /* NULL: skip */
};

/* A column that is a metric. */
struct rl_metric_column {
    size_t index;
    struct rl_text name;
    size_t target; /* RL_NONE: not looked up yet */
};

/* A row that waits: the launch that it is of, and where it is. Millions of them wait. */
struct rl_held {
    uint64_t launch; /* run and number */
    uint64_t at;     /* rl_lines_place; RL_HELD_TEXT and more: number of a text in the table */
};
static const uint64_t RL_HELD_TEXT = UINT64_C(1) << 63;

struct rl_table {
    const struct rl_table_kind *kind; /* NULL: none is open */
    size_t column_count;
    size_t at[RL_COLUMN_COUNT];         /* RL_NONE: the table has no such column */
    struct rl_text *heads;              /* of each column */
    struct rl_text *units;              /* the same, from the row of units */
    struct rl_printed_unit *read_units; /* the same, looked up */
    struct rl_metric_column *metrics;
    size_t metric_count;
    enum rl_prefixes prefixes;
    uint64_t rows;           /* taken so far, beyond the row of units */
    char separator;          /* of CSV */
    bool indexed;            /* the first column numbers the rows: pandas writes that */
    struct rl_text rule;     /* of a printed table of nsys: dashes below the heads, as wide as the columns; len 0: none */
    bool units_due;          /* the next row may be the row of units */
    bool typed;              /* a printed summary whose rows may begin with a type */
    struct rl_pool launches; /* scanning: that have rows, and */
    uint32_t launch;         /* the one of the last row */
    struct rl_held *held;    /* rows that wait until the table ends */
    size_t held_count, held_cap;
    struct rl_text *texts; /* of those that go over several lines, or are otherwise not in the file as they are read */
    size_t text_count, text_cap;
    struct rl_arena arena;
};

/* Nsight Compute's details page or summary as text: what stands above the rows in hand. */
enum { RL_PAGE_NAME, RL_PAGE_UNIT, RL_PAGE_VALUES, RL_PAGE_SUMMARY = 5 /* columns: minimum, maximum, average */ };
struct rl_page {
    struct rl_buf kernel, section;
    size_t card;
    uint32_t run, grid[3], block[3];
    uint64_t launches;                                           /* that a summary is of; 0: a details page */
    bool shaped, begun;                                          /* `begun`: a row of the launch was read */
    size_t from[RL_PAGE_SUMMARY], end[RL_PAGE_SUMMARY], columns; /* 0: no table */
};

struct rl_reader {
    struct rl_model *model;     /* not owned */
    struct rl_capture *capture; /* for its log; not owned */
    struct rl_lines *lines;     /* of the file; not owned */
    const char *label;          /* of the file */
    uint32_t file;              /* its number */
    struct rl_record *record;
    enum rl_notation notation;
    /* A file is read twice: the first time to find its notation. */
    bool scanning;
    size_t evidence[RL_EVIDENCE_COUNT], scaled[RL_EVIDENCE_COUNT]; /* `scaled`: of those, in a unit with a prefix, or in percent */
    char doubtful[2][32];                                          /* the first cell of either kind that reads in both */
    bool shuffled; /* rows of a launch are not neighbours, because somebody sorted them otherwise */
    struct rl_table table;
    struct rl_page page;
    struct rl_buf pending;        /* a record that goes on in the next line */
    struct rl_buf device, kernel; /* printed metrics: the lines above the rows say them once */
    struct rl_buf type;           /* printed summary: the same */
    struct rl_buf identity;       /* Nsight Compute: the launch of the row before */
    uint32_t run;                 /* nvprof: of the process whose tables follow */
    bool calls;                   /* below "API calls:" */
    bool saw_table, nothing_profiled;
    const char *instead; /* text of a profiler that is no table, and how to get one; NULL: none */
    size_t messages, logged;
    struct rl_err said;    /* the first error that the tool printed */
    struct rl_buf version; /* of Nsight Compute, where the file says it */
};

/* The format of a file that begins like this, and the command that exports what can be read; NULL: it may be read. Bytes of
 * value 0 may be '?'. */
const char *rl_other_format(struct rl_text start);
/* Reads all of `lines`. RL_FORMAT when there is no measurement in them, with what there is instead. */
enum rl_status rl_read_lines(struct rl_reader *reader, struct rl_lines *lines, struct rl_err *err);

/* The cell of a column in the present row; empty when the table or the row has none. */
struct rl_text rl_row_cell(const struct rl_reader *reader, enum rl_column column);
/* A number in it, in base units by its own unit or that of the column; false when there is none. */
bool rl_row_number(const struct rl_reader *reader, enum rl_column column, double *number);
/* The value in a column of the metric that the row names, to the launch that is being read. */
void rl_row_value(struct rl_reader *reader, enum rl_column column, enum rl_merge merge);
/* The values of all metric columns of the row, to the launch that is being read. */
void rl_row_metrics(struct rl_reader *reader);
/* Grid and block from their columns, when the row has both. */
void rl_row_shape(const struct rl_reader *reader, struct rl_launch *launch);
/* table.c: notes whether the row is apart from others of its launch. */
void rl_table_scan_order(struct rl_reader *reader);
/* Counts what a cell with that unit says of the file's notation. */
void rl_row_scan_cell(struct rl_reader *reader, struct rl_text text, struct rl_text unit);
/* Counts what the numbers of the row say of the file's notation. */
void rl_row_scan(struct rl_reader *reader);
/* A row that is not whole. Returns true, so that a row function can say `return rl_row_damaged(reader)`. */
bool rl_row_damaged(struct rl_reader *reader);

/* ---- rows (ncu.c, nvprof.c and published.c) ---- */
/* An rl_row_function: a row that is one metric of one launch (Nsight Compute's summary, details and metrics). */
bool rl_row_ncu_rows(struct rl_reader *reader);
/* An rl_row_function: a row that is one launch, with a column for each metric (Nsight Compute's raw page). */
bool rl_row_ncu_wide(struct rl_reader *reader);
/* Takes a line of Nsight Compute's details page or summary as text, if it is one. */
void rl_ncu_page_line(struct rl_reader *reader, struct rl_text line);
/* An rl_row_function: a metric or event of a kernel, averaged (nvprof). */
bool rl_row_nvprof_metric(struct rl_reader *reader);
/* An rl_row_function: the times of a kernel, summed up (nvprof). */
bool rl_row_nvprof_summary(struct rl_reader *reader);
/* An rl_row_function: one launch (nvprof). */
bool rl_row_nvprof_trace(struct rl_reader *reader);
/* An rl_row_function: rates at one number of operations a byte (mixbench), as roofs. */
bool rl_row_mixbench(struct rl_reader *reader);
/* An rl_row_function: a published figure. */
bool rl_row_published(struct rl_reader *reader);

/* table.c: opens the table whose head is in reader->record, read with that separator. False when it is no head. */
bool rl_table_begin(struct rl_reader *reader, enum rl_form form, char separator);
/* Closes the table that is open, if any, and takes the rows that were held. */
void rl_table_end(struct rl_reader *reader);
/* Keeps the row in reader->record, whose line this is, until the table ends: then rows come launch by launch. False when it is
 * none. */
bool rl_table_hold(struct rl_reader *reader, struct rl_text line);
/* Takes the line below the heads of a printed table, if this is one with a run of dashes for each column. */
bool rl_table_takes_rule(struct rl_reader *reader, struct rl_text line);
/* Takes the row of units when it is due and this is it. */
bool rl_table_takes_units(struct rl_reader *reader);
