/* show_figures.h - the measured figures of the rows of a result table: each is worked out once, row by row. */
#ifndef RL_CLI_SHOW_FIGURES_H
#define RL_CLI_SHOW_FIGURES_H

#include "core/buf.h"
#include "core/units.h"
#include "show_rows.h"

enum show_column { SHOW_TIME, SHOW_INTERVAL, SHOW_USEFUL, SHOW_DRAM, SHOW_FLOP_RATE, SHOW_ROOF, SHOW_OCCUPANCY, SHOW_COLUMNS };

/* One figure of every row, and what may stand with it in the same cell. */
struct show_column_info {
    const char *name; /* in notes, and in the head before the unit */
    bool bare;        /* the head is the unit alone */
    enum rl_unit unit;
    int digits;    /* significant */
    bool optional; /* left out when no row has more than zero */
    bool single;   /* of single launches: a run of several has none, which needs no note */
    struct rl_value (*value)(const struct show_row *row);
    bool (*is_estimate)(const struct show_row *row);     /* NULL: never */
    struct rl_value (*most)(const struct show_row *row); /* instead of a value that is not known well; NULL: never */
    struct rl_value (*beside)(
        const struct show_row *row); /* a second one in the same cell; NULL: none. No column has it and `most` */
    const char *beside_name;
};
extern const struct show_column_info show_columns[SHOW_COLUMNS];

struct show_figure {
    struct rl_value value;
    struct rl_value other; /* what column->most or column->beside gives; without either the value */
    bool is_estimate;
};

/* How a column of a table is printed. */
struct show_look {
    bool shown;
    struct rl_scale scale;
};

struct show_figures {
    const struct show_rows *rows;
    struct show_figure *of; /* SHOW_COLUMNS of each row */
    struct show_look looks[SHOW_COLUMNS];
};
/* Works them out, by several threads where there are many; the rows are borrowed. */
void show_figures_make(struct show_figures *figures, const struct show_rows *rows);
/* Frees what show_figures_make made, not the rows. */
void show_figures_release(struct show_figures *figures);
/* Appends what the cell of a row says. */
void show_figures_add(const struct show_figures *figures, size_t row, enum show_column of, struct rl_buf *text);

#endif
