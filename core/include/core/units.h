/* units.h - SI base units inside, scaled text outside.
 *
 * One row in units.def adds a unit. Values are always in the base unit (s, B, Hz, FLOP, fractions 0..1); printing picks an SI
 * prefix (k = 10^3, never 1024), percent for fractions, and digit grouping with a thin space (U+2009) for counts.
 */
#ifndef RL_CORE_UNITS_H
#define RL_CORE_UNITS_H

#include <stdbool.h>

#include "core/buf.h"
#include "core/value.h"

enum rl_unit {
#define UNIT(id, json, symbol, scaling) RL_UNIT_##id,
#include "core/units.def"
#undef UNIT
    RL_UNIT_COUNT_
};

/* How a column or an axis is scaled: value_shown = value * factor, head shows `symbol`. */
struct rl_scale {
    double factor;
    char symbol[24]; /* "GB/s", "µs", "%", "" */
};

/* Unit as written in JSON and captures ("B/s"; "1" for plain numbers), and back (false: unknown). */
const char *rl_unit_json(enum rl_unit unit);
bool rl_unit_from_json(const char *text, enum rl_unit *unit);
/* Scale that shows `magnitude` (any sign; 0 and non-finite allowed) with 1 to 3 digits before the point. */
struct rl_scale rl_unit_scale(enum rl_unit unit, double magnitude);
/* "1.17 TB/s", "71.1 %", "16 777 216", "9.144 ms": `digits` significant digits (3 or 4 are usual), the unit after a no-break
 * thin space... plain space in ASCII contexts: see rl_unit_format_ascii. Counts below 10^15 that are whole print exactly. */
void rl_unit_format(struct rl_buf *out, enum rl_unit unit, double value, int digits);
/* The same with ASCII only (u for micro, a plain space, no grouping): for CSV notes, logs and error texts. */
void rl_unit_format_ascii(struct rl_buf *out, enum rl_unit unit, double value, int digits);
/* A value with its state: an en dash when missing. */
void rl_value_format(struct rl_buf *out, enum rl_unit unit, struct rl_value value, int digits);
/* A number with `digits` significant digits, never in exponent form between 1e-4 and 1e15, '.' as decimal point in any locale. */
void rl_number_format(struct rl_buf *out, double value, int digits);
/* A number that reads back to the same double ("0.1", "1e300"): shortest of %.15g, %.16g, %.17g; '.' in any locale. */
void rl_number_exact(struct rl_buf *out, double value);

#endif
