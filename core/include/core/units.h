/* units.h - units of values, and printing with SI prefixes.
 *
 * One row in units.def adds a unit. Values are always in the base unit (s, B, Hz, FLOP, fractions 0..1); printing picks an SI
 * prefix (k = 10^3, never 1024; sizes of memories have binary ones, "48 KiB"), percent for fractions, and groups of three digits
 * for counts. Between number and unit is a no-break space (U+00A0), between groups of digits a narrow no-break space (U+202F); both
 * are in DejaVu and Roboto, sans and mono. Nothing here depends on the locale.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "core/buf.h"
#include "core/value.h"

/* Characters beyond ASCII in texts of the program, as string literals in UTF-8. */

#define RL_NO_BREAK_SPACE        "\xC2\xA0"
#define RL_NARROW_NO_BREAK_SPACE "\xE2\x80\xAF" /* between groups of digits */
#define RL_EN_DASH               "\xE2\x80\x93" /* for a missing value; between the ends of an interval */
#define RL_MINUS                 "\xE2\x88\x92"
#define RL_SIGN_AT_MOST          "\xE2\x89\xA4" /* before a value that is an upper bound */
#define RL_SIGN_AT_LEAST         "\xE2\x89\xA5"
#define RL_SIGN_ESTIMATE         "~"
#define RL_MICRO                 "\xC2\xB5"

enum rl_unit {
#define UNIT(id, json, symbol, scaling) RL_UNIT_##id,
#include "core/units.def"
    RL_UNIT_COUNT_
};

/* Scale of a column or an axis: the shown value is value * factor, the head has `symbol`. */
struct rl_scale {
    double factor;
    char symbol[24]; /* "GB/s", "µs", "%", "" */
};

/* Unit as written in JSON and captures ("B/s"; "1" for plain numbers). */
const char *rl_unit_json(enum rl_unit unit);
/* Scale that shows `magnitude` (any sign; 0 and non-finite allowed) with 1 to 3 digits before the point. */
struct rl_scale rl_unit_scale(enum rl_unit unit, double magnitude);
/* "1.17 TB/s", "71.1 %", "16 777 216", "9.144 ms": number, U+00A0, unit. `digits` significant digits (1 to 17; 3 or 4 are
 * usual); the prefix is chosen after rounding, so that 999.96 B is "1.00 kB". Counts below 10^15 that are whole print exactly;
 * others are rounded to `digits` digits, but never more coarsely than to a whole number. Numbers without a prefix have groups of
 * three digits from 10 000 on. NaN and infinities give "nan", "inf". */
void rl_unit_format(struct rl_buf *out, enum rl_unit unit, double value, int digits);
/* That text, as long as the block around it: an argument of rl_buf_addf. */
#define RL_UNIT_TEXT(unit, value, digits) rl_unit_text_((char[RL_UNIT_TEXT_SIZE]){0}, "", unit, value, digits)
/* The same behind RL_SIGN_ESTIMATE, "~71.1 %", if it is an estimate. */
#define RL_ESTIMATE_TEXT(estimated, unit, value, digits)                                                                           \
    rl_unit_text_((char[RL_UNIT_TEXT_SIZE]){0}, (estimated) ? RL_SIGN_ESTIMATE : "", unit, value, digits)
enum { RL_UNIT_TEXT_SIZE = 96 };
/* Called by these two only. */
const char *rl_unit_text_(char text[RL_UNIT_TEXT_SIZE], const char *sign, enum rl_unit unit, double value, int digits);
/* The same with ASCII only (u for micro, a plain space, no grouping): for CSV notes, logs and error texts. */
void rl_unit_format_ascii(struct rl_buf *out, enum rl_unit unit, double value, int digits);
/* A value with its state: an en dash when missing. */
void rl_value_format(struct rl_buf *out, enum rl_unit unit, struct rl_value value, int digits);
/* A number with `digits` significant digits (1 to 17), never in exponent form between 1e-4 and 1e15, '.' as decimal point in any
 * locale: "0.711", "12300", "1.23e-5". */
void rl_number_format(struct rl_buf *out, double value, int digits);
/* A number that reads back to the same double ("0.1", "1e300"): shortest of %.15g, %.16g, %.17g; '.' in any locale. */
void rl_number_exact(struct rl_buf *out, double value);
/* Parses all `len` bytes as a decimal number: digits with an optional sign, '.' and exponent, in any locale. False for anything
 * else (empty, spaces, hexadecimal, "inf", "nan", too large for a double); `*value` is then unchanged. */
bool rl_number_parse(const char *text, size_t len, double *value);
