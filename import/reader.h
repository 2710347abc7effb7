/* reader.h - reads one file: finds the tables in the output of a program, and passes on their rows (private to import/). */
#pragma once

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
/* Reads the row in reader->record. False: it is no row, but a line printed between rows. */
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

/* A row that is kept until its table ends. */
struct rl_held {
    uint64_t launch; /* run and number */
    struct rl_text row;
};

struct rl_table {
    const struct rl_table_kind *kind; /* NULL: none is open */
    size_t column_count;
    size_t at[RL_COLUMN_COUNT];         /* RL_NONE: the table has no such column */
    struct rl_text *heads;              /* one for each column */
    struct rl_text *units;              /* one for each column, from the row of units */
    struct rl_printed_unit *read_units; /* the units, parsed */
    struct rl_metric_column *metrics;
    size_t metric_count;
    enum rl_prefixes prefixes;
    uint64_t rows;           /* read so far, without the row of units */
    char separator;          /* of CSV */
    bool indexed;            /* the first column is a row number, as pandas writes it */
    struct rl_text rule;     /* printed table of nsys: the dashes below the heads, one run per column; len 0: none */
    bool units_due;          /* the next row may be the row of units */
    bool typed;              /* a printed summary whose rows may begin with a type */
    struct rl_pool launches; /* scanning: launches that have rows */
    uint32_t launch;         /* launch of the last row, in `launches` */
    struct rl_held *held;    /* rows kept until the table ends */
    size_t held_count, held_cap;
    struct rl_arena arena;
};

/* Nsight Compute's details page or summary as text: the headings above the current rows. */
enum { RL_PAGE_NAME, RL_PAGE_UNIT, RL_PAGE_VALUES, RL_PAGE_SUMMARY = 5 /* columns: minimum, maximum, average */ };
struct rl_page {
    struct rl_buf kernel, section;
    size_t card;
    uint32_t run, grid[3], block[3];
    uint64_t launches;  /* number that a summary covers; 0: a details page */
    bool shaped, begun; /* shaped: grid and block are known; begun: a row of the launch was read */
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
    size_t evidence[RL_EVIDENCE_COUNT], scaled[RL_EVIDENCE_COUNT]; /* scaled: those with a prefixed unit, or in percent */
    char doubtful[2][32];                                          /* the first cell of each kind that is valid in both notations */
    bool shuffled; /* rows of a launch are not adjacent, because the file was sorted differently */
    struct rl_table table;
    struct rl_page page;
    struct rl_buf pending;        /* a record that continues in the next line */
    struct rl_buf device, kernel; /* printed metrics: from the lines above the rows */
    struct rl_buf type;           /* printed summary: from the line above the rows */
    struct rl_buf identity;       /* Nsight Compute: launch of the previous row */
    uint32_t run;                 /* nvprof: the process whose tables follow */
    bool calls;                   /* below "API calls:" */
    bool saw_table, nothing_profiled;
    const char *instead; /* output of a profiler that is no table, with the command that prints one; NULL: none */
    size_t messages, logged;
    struct rl_err said;    /* first error that the tool printed */
    struct rl_buf version; /* of Nsight Compute, if the file has it */
};

/* The format of a file with this beginning, with the command that exports a readable file; NULL: it is readable. Zero bytes may
 * have been replaced by '?'. */
const char *rl_other_format(struct rl_text start);
/* Reads all of `lines`. RL_FORMAT: they contain no measurement; the message says what they are. */
enum rl_status rl_read_lines(struct rl_reader *reader, struct rl_lines *lines, struct rl_err *err);

/* The cell of a column in the current row; empty if the table or the row has none. */
struct rl_text rl_row_cell(const struct rl_reader *reader, enum rl_column column);
/* Its number in base units, by the unit in the cell or of the column; false: it has none. */
bool rl_row_number(const struct rl_reader *reader, enum rl_column column, double *number);
/* Adds the value in a column, of the metric that the row names, to the current launch. */
void rl_row_value(struct rl_reader *reader, enum rl_column column, enum rl_merge merge);
/* Adds the values of all metric columns of the row to the current launch. */
void rl_row_metrics(struct rl_reader *reader);
/* Sets grid and block from their columns if the row has both. */
void rl_row_shape(const struct rl_reader *reader, struct rl_launch *launch);
/* table.c: records whether the row is not adjacent to the others of its launch. */
void rl_table_scan_order(struct rl_reader *reader);
/* Counts the evidence of a cell with that unit about the file's notation. */
void rl_row_scan_cell(struct rl_reader *reader, struct rl_text text, struct rl_text unit);
/* Counts the evidence of all numbers of the row. */
void rl_row_scan(struct rl_reader *reader);
/* Counts an incomplete row. Returns true, so that a row function can end with `return rl_row_damaged(reader)`. */
bool rl_row_damaged(struct rl_reader *reader);

/* ---- rows (ncu.c, nvprof.c and published.c) ---- */
/* An rl_row_function: one metric of one launch per row (Nsight Compute's summary, details and metrics). */
bool rl_row_ncu_rows(struct rl_reader *reader);
/* An rl_row_function: one launch per row, with a column for each metric (Nsight Compute's raw page). */
bool rl_row_ncu_wide(struct rl_reader *reader);
/* Reads a line of Nsight Compute's details page or summary as text; other lines are ignored. */
void rl_ncu_page_line(struct rl_reader *reader, struct rl_text line);
/* An rl_row_function: a metric or event of a kernel, averaged (nvprof). */
bool rl_row_nvprof_metric(struct rl_reader *reader);
/* An rl_row_function: the times of a kernel, summed up (nvprof). */
bool rl_row_nvprof_summary(struct rl_reader *reader);
/* An rl_row_function: one launch (nvprof). */
bool rl_row_nvprof_trace(struct rl_reader *reader);
/* An rl_row_function: a published figure. */
bool rl_row_published(struct rl_reader *reader);

/* table.c: opens the table whose head is in reader->record, read with that separator. False: it is no head. */
bool rl_table_begin(struct rl_reader *reader, enum rl_form form, char separator);
/* Closes the open table, if any, and reads the rows that were kept. */
void rl_table_end(struct rl_reader *reader);
/* Keeps the row in reader->record, with its line, until the table ends, when rows are read launch by launch. False: it is no row.
 */
bool rl_table_hold(struct rl_reader *reader, struct rl_text line);
/* Reads the line below the heads of a printed table. True: it is one, with a run of dashes for each column. */
bool rl_table_takes_rule(struct rl_reader *reader, struct rl_text line);
/* Reads the row of units. True: it was due, and this is it. */
bool rl_table_takes_units(struct rl_reader *reader);
