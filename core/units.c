#include "core/units.h"

#include <ctype.h>
#include <locale.h>

#include "core/core.h"

enum scaling { PLAIN, GROUPED, PERCENT, BINARY, SI, SI_UP, SI_DOWN };

static const struct {
    const char *json, *symbol;
    enum scaling scaling;
} units[] = {
#define UNIT(id, json, symbol, scaling) [RL_UNIT_##id] = {json, symbol, scaling},
#include "core/units.def"
};

/* Prefixes by power of 1000, from p; `UNITY` is the index of none. */
static const struct {
    const char *symbol, *ascii;
    double factor;
} prefixes[] = {
    {"p", "p", 1e12}, {"n", "n", 1e9},  {RL_MICRO, "u", 1e6}, {"m", "m", 1e3},   {"", "", 1},       {"k", "k", 1e-3},
    {"M", "M", 1e-6}, {"G", "G", 1e-9}, {"T", "T", 1e-12},    {"P", "P", 1e-15}, {"E", "E", 1e-18},
};
enum { UNITY = 4, MAX_DIGITS = 17 };

/* By power of 1024. */
static const char *const binary_prefixes[] = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};

/* A finite number as decimal digits: 0.d1d2d3... x 10^(point). */
struct decimal {
    bool negative;
    char digits[MAX_DIGITS + 1];
    int count, point;
};

/* Rounds once, correctly, in printf; only digits and the exponent are taken from its text, whatever the locale's point is. */
static struct decimal decimal_of(double value, int digits)
{
    assert(digits >= 1 && digits <= MAX_DIGITS && isfinite(value));
    struct decimal decimal = {.negative = value < 0};
    char text[64];
    snprintf(text, sizeof text, "%.*e", digits - 1, fabs(value));
    const char *p = text;
    for (; *p != 'e'; p++)
        if (*p >= '0' && *p <= '9')
            decimal.digits[decimal.count++] = *p;
    decimal.point = value == 0 ? 1 : (int)strtol(p + 1, NULL, 10) + 1;
    if (value == 0)
        decimal.count = 1;
    return decimal;
}

static char digit_at(const struct decimal *decimal, int place)
{
    return place >= 0 && place < decimal->count ? decimal->digits[place] : '0';
}

/* Plain notation; `group` (may be "") goes between groups of three digits before the point. */
static void add_decimal(struct rl_buf *out, const struct decimal *decimal, const char *group)
{
    if (decimal->negative)
        rl_buf_addch(out, '-');
    if (decimal->point <= 0)
        rl_buf_addch(out, '0');
    for (int place = 0; place < decimal->point; place++) {
        if (place > 0 && (decimal->point - place) % 3 == 0)
            rl_buf_adds(out, group);
        rl_buf_addch(out, digit_at(decimal, place));
    }
    if (decimal->count > decimal->point)
        rl_buf_addch(out, '.');
    for (int place = decimal->point; place < decimal->count; place++)
        rl_buf_addch(out, digit_at(decimal, place));
}

static void add_scientific(struct rl_buf *out, struct decimal decimal)
{
    int exponent = decimal.point - 1;
    decimal.point = 1;
    add_decimal(out, &decimal, "");
    rl_buf_addf(out, "e%d", exponent);
}

static bool add_non_finite(struct rl_buf *out, double value)
{
    if (isfinite(value))
        return false;
    rl_buf_adds(out, isnan(value) ? "nan" : value < 0 ? "-inf" : "inf");
    return true;
}

static void add_number(struct rl_buf *out, double value, int digits, const char *group)
{
    if (add_non_finite(out, value))
        return;
    struct decimal decimal = decimal_of(value, digits);
    if (decimal.point > 15 || decimal.point < -3)
        add_scientific(out, decimal);
    else
        add_decimal(out, &decimal, group);
}

/* A count: whole numbers exactly; nothing is rounded more coarsely than to a whole number. */
static void add_count(struct rl_buf *out, double value, int digits, const char *group)
{
    if (isfinite(value) && fabs(value) < 1e15) {
        int whole_digits = decimal_of(value, MAX_DIGITS).point;
        if (value == (double)(int64_t)value || digits < whole_digits)
            digits = whole_digits;
    }
    add_number(out, value, digits, group);
}

/* Power of 1000 of a number whose first digit stands `point` places before the point. */
static int prefix_for(int point, enum scaling scaling)
{
    int exponent = point - 1;
    const int prefix = UNITY + (exponent >= 0 ? exponent / 3 : -((2 - exponent) / 3));
    int least = scaling == SI_UP ? UNITY : 0, most = scaling == SI_DOWN ? UNITY : (int)RL_COUNT(prefixes) - 1;
    return prefix < least ? least : prefix > most ? most : prefix;
}

const char *rl_unit_json(enum rl_unit unit)
{
    assert((unsigned)unit < RL_UNIT_COUNT_);
    return units[unit].json;
}

/* Power of 1024 that leaves a number from 1 on. */
static int binary_prefix_for(double value)
{
    int prefix = 0;
    while (prefix + 1 < (int)RL_COUNT(binary_prefixes) && fabs(value) >= 1024)
        prefix++, value /= 1024;
    return prefix;
}

/* For one: by division, which is exact, and needs no library of mathematics where it is injected into a program. */
static double binary_factor(int prefix)
{
    double factor = 1;
    for (; prefix > 0; prefix--)
        factor /= 1024;
    return factor;
}

struct rl_scale rl_unit_scale(enum rl_unit unit, double magnitude)
{
    assert((unsigned)unit < RL_UNIT_COUNT_);
    struct rl_scale scale = {.factor = units[unit].scaling == PERCENT ? 100 : 1};
    const char *prefix = "";
    if (units[unit].scaling == BINARY && isfinite(magnitude)) {
        const int index = binary_prefix_for(magnitude);
        scale.factor = binary_factor(index);
        prefix = binary_prefixes[index];
    }
    if (units[unit].scaling >= SI && isfinite(magnitude) && magnitude != 0) {
        int index = prefix_for(decimal_of(magnitude, MAX_DIGITS).point, units[unit].scaling);
        scale.factor = prefixes[index].factor;
        prefix = prefixes[index].symbol;
    }
    snprintf(scale.symbol, sizeof scale.symbol, "%s%s", prefix, units[unit].symbol);
    return scale;
}

#define GROUPED_FROM 9999.5 /* "1234", "12 345": plain numbers */

struct marks {
    const char *space, *group;
    bool ascii;
};

static bool is_ascii(const char *text)
{
    while (*text && (unsigned char)*text < 0x80)
        text++;
    return *text == '\0';
}

static const char *prefix_text(enum scaling scaling, int prefix, const struct marks *marks)
{
    if (scaling == BINARY)
        return binary_prefixes[prefix];
    return marks->ascii ? prefixes[prefix].ascii : prefixes[prefix].symbol;
}

/* Whole multiples, of which sizes mostly are, exactly: "48 KiB". A division by a power of two rounds nothing. */
static int add_binary(struct rl_buf *out, double value, int digits)
{
    const int prefix = binary_prefix_for(value);
    add_count(out, value * binary_factor(prefix), digits, "");
    return prefix;
}

static void format_with(struct rl_buf *out, enum rl_unit unit, double value, int digits, const struct marks *marks)
{
    assert((unsigned)unit < RL_UNIT_COUNT_);
    enum scaling scaling = units[unit].scaling;
    int prefix = scaling == BINARY ? 0 : UNITY;
    if (scaling == GROUPED)
        add_count(out, value, digits, marks->group);
    else if (scaling == PLAIN || !isfinite(value))
        add_number(out, value, digits, fabs(value) >= GROUPED_FROM ? marks->group : "");
    else if (scaling == BINARY)
        prefix = add_binary(out, value, digits);
    else {
        /* The point is moved in the decimal digits, not by a multiplication, so that nothing is rounded twice. */
        struct decimal decimal = decimal_of(value, digits);
        prefix = UNITY;
        if (value != 0 && scaling == PERCENT) {
            decimal.point += 2;
        } else if (value != 0) {
            prefix = prefix_for(decimal.point, scaling);
            decimal.point -= 3 * (prefix - UNITY);
        }
        if (decimal.point > 15 || decimal.point < -3)
            add_scientific(out, decimal);
        else
            add_decimal(out, &decimal, "");
    }
    const char *symbol = units[unit].symbol;
    if (marks->ascii && !is_ascii(symbol))
        symbol = units[unit].json;
    if (*symbol == '\0')
        return;
    rl_buf_adds(out, marks->space);
    rl_buf_adds(out, prefix_text(units[unit].scaling, prefix, marks));
    rl_buf_adds(out, symbol);
}

void rl_unit_format(struct rl_buf *out, enum rl_unit unit, double value, int digits)
{
    format_with(out, unit, value, digits, &(struct marks){RL_NO_BREAK_SPACE, RL_NARROW_NO_BREAK_SPACE, false});
}

const char *rl_unit_text_(char text[RL_UNIT_TEXT_SIZE], const char *sign, enum rl_unit unit, double value, int digits)
{
    RL_SCRATCH out = RL_BUF_INIT;
    rl_unit_format(&out, unit, value, digits);
    snprintf(text, RL_UNIT_TEXT_SIZE, "%s%s", sign, out.data);
    return text;
}

void rl_unit_format_ascii(struct rl_buf *out, enum rl_unit unit, double value, int digits)
{
    format_with(out, unit, value, digits, &(struct marks){" ", "", true});
}

void rl_value_format(struct rl_buf *out, enum rl_unit unit, struct rl_value value, int digits)
{
    if (rl_present(value))
        rl_unit_format(out, unit, value.v, digits);
    else
        rl_buf_adds(out, RL_EN_DASH);
}

void rl_number_format(struct rl_buf *out, double value, int digits)
{
    add_number(out, value, digits, "");
}

void rl_number_exact(struct rl_buf *out, double value)
{
    char text[64];
    if (add_non_finite(out, value))
        return;
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    /* Copies printf's text with '.' for whatever the locale puts there, without '+' and leading zeros in the exponent. */
    bool point = false, exponent = false;
    for (const char *p = text; *p; p++) {
        if (*p == '-' || isdigit((unsigned char)*p)) {
            if (exponent && *p == '0' && p[1] && !isdigit((unsigned char)p[-1]))
                continue;
            rl_buf_addch(out, *p);
        } else if (*p == 'e') {
            exponent = true;
            rl_buf_addch(out, 'e');
        } else if (!exponent && !point) {
            point = true;
            rl_buf_addch(out, '.');
        }
    }
}

static size_t digits_at(const char *text, size_t len, size_t at)
{
    size_t count = 0;
    while (at + count < len && text[at + count] >= '0' && text[at + count] <= '9')
        count++;
    return count;
}

/* Bytes of the decimal number that `text` begins with, 0 when there is none. */
static size_t number_length(const char *text, size_t len)
{
    size_t at = len > 0 && (text[0] == '-' || text[0] == '+'), whole = digits_at(text, len, at), part = 0;
    at += whole;
    if (at < len && text[at] == '.') {
        part = digits_at(text, len, at + 1);
        at += 1 + part;
    }
    if (whole + part == 0)
        return 0;
    if (at < len && (text[at] == 'e' || text[at] == 'E')) {
        size_t sign = at + 1 < len && (text[at + 1] == '-' || text[at + 1] == '+');
        size_t power = digits_at(text, len, at + 1 + sign);
        if (power)
            at += 1 + sign + power;
    }
    return at;
}

bool rl_number_parse(const char *text, size_t len, double *value)
{
    if (len == 0 || number_length(text, len) != len)
        return false;
    char *copy = rl_strndup(text, len);
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    double number = c ? strtod_l(copy, NULL, c) : NAN;
    if (c)
        freelocale(c);
    free(copy);
    if (!isfinite(number))
        return false;
    *value = number;
    return true;
}
