/* cell.h - the content of a cell: a number with or without a unit, a missing one, words (private to import/). */
#pragma once

#include "text.h"

/* The quantity that a number measures. */
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

/* The factor of prefixes of bytes (units.def has the evidence). Prefixes of seconds and hertz are always powers of 1000. */
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
    RL_CELL_MISSING, /* "n/a", "nan", 2^64 - 1: the tool has none */
    RL_CELL_WORDS,   /* "CachePreferNone", or a number of another notation ("1.234,5") */
};
struct rl_cell {
    enum rl_cell_kind kind;
    double number;       /* as printed, always finite */
    struct rl_text unit; /* attached to the number: "KB/s" in "517.3KB/s"; part of the cell's text */
    size_t missing;      /* RL_CELL_MISSING: why, for rl_missing_value */
};
/* Which character is the decimal point; the other one stands between groups of three digits, or of four with RL_FOURS, which has
 * the point. Blanks and apostrophes between groups mean the same in all. A file has one notation: rl_notation_of returns the
 * evidence of a cell. */
enum rl_notation { RL_POINT, RL_COMMA, RL_FOURS };
/* Evidence about a file's notation from the number at the start of a cell. */
enum rl_evidence {
    RL_EVIDENCE_NONE,         /* no number, or one without either character */
    RL_EVIDENCE_POINT,        /* "2,000.00", "65.77": read with RL_POINT only */
    RL_EVIDENCE_COMMA,        /* "27.595.520", "65,77": read with RL_COMMA only; "3,7084" also with RL_FOURS */
    RL_EVIDENCE_FOURS,        /* "3,7084.1" */
    RL_EVIDENCE_EITHER_POINT, /* "117.344": 117344 with RL_COMMA */
    RL_EVIDENCE_EITHER_COMMA, /* "1,200": 1.2 with RL_COMMA */
    RL_EVIDENCE_COUNT,
};
/* The evidence of a cell; RL_EVIDENCE_NONE where it holds no number. */
enum rl_evidence rl_notation_of(struct rl_text text);
/* Numbers may have an exponent. "Low (2)" is 2 (nvprof's levels from 0 to 10), "5 (1; 2;
 * 2)" is 5 (instances behind the total). */
struct rl_cell rl_cell_read(struct rl_text text, enum rl_notation notation);

/* A number that a tool stored rather than printed; where the tool prints none, missing with the reason. */
struct rl_cell rl_cell_of(double number);

/* Numbers that no measurement gives, as reasons for rl_missing_value. */
enum { RL_MISSING_OVERFLOW, RL_MISSING_NEGATIVE };
/* Why a value is missing: a row of a table in cell.c. */
struct rl_value rl_missing_value(size_t missing);

/* "(64, 64, 1)" or "(20 10 1)": three whole numbers. False otherwise; `extent` is then not changed. */
bool rl_extent_read(struct rl_text text, unsigned extent[3]);
/* A whole number up to 2^53: false otherwise. */
bool rl_whole_read(struct rl_text text, enum rl_notation notation, unsigned long long *number);
