/* cell.h - what stands in a cell: a number with or without a unit, a missing one, words (private to import/). */
#ifndef RL_IMPORT_CELL_H
#define RL_IMPORT_CELL_H

#include "core/value.h"
#include "text.h"

/* What a number measures. */
enum rl_dimension {
    RL_DIMENSION_NONE, /* no unit is printed */
    RL_DIMENSION_SECOND,
    RL_DIMENSION_BYTE,
    RL_DIMENSION_BYTE_PER_SECOND,
    RL_DIMENSION_HERTZ,
    RL_DIMENSION_CYCLE,
    RL_DIMENSION_FRACTION,
    RL_DIMENSION_COUNT,
    RL_DIMENSION_RATIO,   /* anything over anything else */
    RL_DIMENSION_UNKNOWN, /* a unit without a row in units.def */
};

/* What the prefixes of bytes stand for (units.def has the evidence). Prefixes of seconds and hertz are always powers of 1000. */
enum rl_prefixes { RL_DECIMAL /* 1000 */, RL_BINARY /* 1024 */ };

struct rl_printed_unit {
    enum rl_dimension dimension;
    double factor; /* from the printed to the base unit */
};
/* An empty spelling is RL_DIMENSION_NONE with factor 1, an unknown one RL_DIMENSION_UNKNOWN with factor 1. */
struct rl_printed_unit rl_unit_read(struct rl_text spelling, enum rl_prefixes prefixes);

enum rl_cell_kind {
    RL_CELL_EMPTY,
    RL_CELL_NUMBER,
    RL_CELL_MISSING, /* "n/a", "nan", an overflow: the tool says that it has none */
    RL_CELL_WORDS,   /* "CachePreferNone", or a number of another notation ("1.234,5") */
};
struct rl_cell {
    enum rl_cell_kind kind;
    double number;       /* as printed, always finite */
    struct rl_text unit; /* attached to the number: "KB/s" in "517.3KB/s"; part of the cell's text */
    size_t missing;      /* RL_CELL_MISSING: why, for rl_missing_value */
};
/* Numbers may have commas between groups of three digits and an exponent. "Low (2)" is 2 (nvprof's levels from 0 to 10), "5 (1; 2;
 * 2)" is 5 (instances behind the total). */
struct rl_cell rl_cell_read(struct rl_text text);

/* Why a value is missing; index 0 is the first row of a table in cell.c. */
struct rl_value rl_missing_value(size_t missing);

/* "(64, 64, 1)" or "(20 10 1)": three whole numbers. False otherwise; `extent` is then not changed. */
bool rl_extent_read(struct rl_text text, unsigned extent[3]);
/* Digits with or without commas, up to 2^53: false otherwise. */
bool rl_whole_read(struct rl_text text, unsigned long long *number);

#endif
