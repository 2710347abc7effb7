/* pages.h - the rows of a capture straight from its pages, as far as these are as our own writing leaves them (private to
 * capture/).
 *
 * SQLite reads any database; a capture is a plain one: trees of tables alone, whose ids count up from 0, leaves filled without a
 * gap from their end, nothing free, nothing unused. Such a file is checked and read in one pass over its bytes, in a tenth of the
 * time. What is not like that is not refused here: `false` means that SQLite has to read the file, and to say what is wrong with
 * it, if anything is (guard.h). What is read here SQLite would let through and read alike; a test damages files and holds the two
 * against each other. The format: https://www.sqlite.org/fileformat2.html, sections 1.5, 1.6 and 2.1.
 */
#ifndef RL_CAPTURE_PAGES_H
#define RL_CAPTURE_PAGES_H

#include "core/buf.h"
#include "guard.h"

enum rl_cell_kind { RL_CELL_NULL, RL_CELL_INTEGER, RL_CELL_REAL, RL_CELL_TEXT /* bytes, too */ };
struct rl_cell {
    enum rl_cell_kind kind;
    int64_t integer;
    double real;
    const char *text; /* until the next row; never NULL of a text */
    size_t len;
};

/* The leaves of one table, in the order of ids. */
struct rl_leaves {
    uint32_t *pages;
    size_t count, cap;
    size_t rows; /* on all of them */
    int depth;   /* pages above a leaf; -1: none was met yet */
};

struct rl_pages {
    const unsigned char *bytes;
    size_t size;    /* of a page */
    uint32_t count; /* of all */
    bool *met;      /* count of them */
    uint32_t left;  /* that were not met yet */
    char *used;     /* size of them: bytes of the page that is looked at */
    struct rl_leaves of[RL_SCHEMA_COUNT];
};

/* Goes over everything but the leaves of a file whose header and schema have passed, and over the schema's own pages by SQLite;
 * counts rows, which is nothing to be believed before they have been read. Release with rl_pages_close in every case. */
bool rl_pages_open(struct rl_pages *pages, struct rl_guard *guard, const void *bytes, size_t len);
/* Frees what rl_pages_open took. */
void rl_pages_close(struct rl_pages *pages);
/* Whether every page belongs to something, once all rows of all tables have been read. */
bool rl_pages_all_met(const struct rl_pages *pages);

enum { RL_MOST_CELLS = 40 }; /* of a row, with the id; SQLite is told the same limit */

/* Reading one table. */
struct rl_rows {
    struct rl_pages *pages;
    const struct rl_leaves *leaves;
    bool real[RL_MOST_CELLS]; /* columns whose numbers are always read as real */
    size_t columns;           /* with the id */
    size_t leaf;              /* that comes next */
    const unsigned char *page;
    size_t cell, cells;  /* of this page: the next one, how many */
    size_t end;          /* where that cell ends */
    uint64_t id;         /* of the next row */
    struct rl_buf whole; /* a row that reaches over several pages */
};
/* Begins with the first row of a table. Release with rl_rows_close. */
void rl_rows_open(struct rl_rows *rows, struct rl_pages *pages, enum rl_schema_id id);
/* Frees what reading took. */
void rl_rows_close(struct rl_rows *rows);
/* The next row, as many cells as it has columns; `*row` says whether there is one. False: SQLite has to read it. */
bool rl_rows_next(struct rl_rows *rows, struct rl_cell *cells, bool *row);

#endif
