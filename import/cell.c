#include "cell.h"

/* ---- units ---- */

static const struct spelling {
    const char *text;
    enum rl_dimension dimension;
    int thousands;
    double factor;
} spellings[] = {
#define UNIT(spelling, dimension, thousands, factor) {spelling, RL_DIMENSION_##dimension, thousands, factor},
#include "units.def"
#undef UNIT
};

static const struct {
    enum rl_dimension above, below, result;
} quotients[] = {
#define QUOTIENT(above, below, result) {RL_DIMENSION_##above, RL_DIMENSION_##below, RL_DIMENSION_##result},
#include "quotients.def"
#undef QUOTIENT
};

static struct rl_printed_unit one_unit(struct rl_text text, enum rl_prefixes prefixes)
{
    for (size_t i = 0; i < RL_COUNT(spellings); i++) {
        const struct spelling *row = &spellings[i];
        if (rl_text_is(text, row->text)) {
            const double base = prefixes == RL_BINARY && row->dimension == RL_DIMENSION_BYTE ? 1024 : 1000;
            return (struct rl_printed_unit){row->dimension, row->factor * pow(base, row->thousands)};
        }
    }
    return (struct rl_printed_unit){RL_DIMENSION_UNKNOWN, 1};
}

static enum rl_dimension quotient_of(enum rl_dimension above, enum rl_dimension below)
{
    if (above == RL_DIMENSION_UNKNOWN || below == RL_DIMENSION_UNKNOWN)
        return RL_DIMENSION_UNKNOWN;
    const size_t at = RL_FIRST(i, RL_COUNT(quotients), quotients[i].above == above && quotients[i].below == below);
    return at < RL_COUNT(quotients) ? quotients[at].result : RL_DIMENSION_RATIO;
}

struct rl_printed_unit rl_unit_read(struct rl_text spelling, enum rl_prefixes prefixes)
{
    const size_t slash = rl_text_find(spelling, "/");
    struct rl_printed_unit above, below;

    if (spelling.len == 0)
        return (struct rl_printed_unit){RL_DIMENSION_NONE, 1};
    above = one_unit((struct rl_text){spelling.at, slash}, prefixes);
    if (slash == spelling.len)
        return above;
    below = one_unit(rl_text_from(spelling, slash + 1), prefixes);
    above.dimension = quotient_of(above.dimension, below.dimension);
    above.factor = above.dimension == RL_DIMENSION_UNKNOWN ? 1 : above.factor / below.factor;
    return above;
}

/* ---- numbers ---- */

enum { MOST_GROUPS = 16 };

/* A number that is being read: its digits without what groups them. */
struct digits {
    char text[64];
    size_t len;
    size_t used; /* bytes of the cell */
    bool bad;    /* too long, or groups that are none */
};

static void keep(struct digits *digits, char c)
{
    if (digits->len == sizeof digits->text)
        digits->bad = true;
    else
        digits->text[digits->len++] = c;
    digits->used++;
}

/* Bytes of what separates two groups at the start of `text`; 0: nothing. Blanks and apostrophes only where three digits follow, and
 * no fourth one. */
static size_t separator_of(struct rl_text text, enum rl_notation notation)
{
    static const char *const marks[] = {" ", "'", "\xE2\x80\x99" /* right quotation mark */, "\xC2\xA0" /* no-break blank */,
                                        "\xE2\x80\xAF" /* the same, narrow */};

    if (rl_text_begins(text, notation == RL_COMMA ? "." : ","))
        return 1;
    for (size_t i = 0; i < RL_COUNT(marks); i++) {
        const struct rl_text group = rl_text_from(text, strlen(marks[i]));
        if (rl_text_begins(text, marks[i]) && group.len >= 3 && rl_is_digit(group.at[0]) && rl_is_digit(group.at[1]) &&
            rl_is_digit(group.at[2]) && (group.len == 3 || !rl_is_digit(group.at[3])))
            return strlen(marks[i]);
    }
    return 0;
}

static void digits_only(struct digits *digits, struct rl_text text)
{
    while (digits->used < text.len && rl_is_digit(text.at[digits->used]))
        keep(digits, text.at[digits->used]);
}

/* Digits of the last group where these are the sizes of the groups of a whole number: 3, also behind groups of two (India), or 4
 * (East Asia). 0: they are no groups. */
static size_t grouping_of(const uint8_t *groups, size_t count)
{
    const size_t last = groups[count - 1], inner = count > 2 ? groups[1] : last;

    for (size_t i = 1; i + 1 < count; i++)
        if (groups[i] != inner)
            return 0;
    return (last == 3 || last == 4) && (inner == last || (inner == 2 && last == 3)) ? last : 0;
}

/* 'e' begins an exponent only with digits behind it. */
static void exponent(struct digits *digits, struct rl_text text)
{
    const struct rl_text rest = rl_text_from(text, digits->used);
    const size_t sign = rest.len > 1 && (rest.at[1] == '+' || rest.at[1] == '-');

    if (rest.len <= 1 + sign || (rest.at[0] != 'e' && rest.at[0] != 'E') || !rl_is_digit(rest.at[1 + sign]))
        return;
    for (size_t i = 0; i < 1 + sign; i++)
        keep(digits, rest.at[i]);
    digits_only(digits, text);
}

/* Up to 15 digits without an exponent are exact: digits / 10^n, both exact in a double, is the nearest double. */
static bool short_number(const struct digits *digits, double *number)
{
    static const double powers[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    unsigned long long whole = 0;
    size_t point = digits->len;

    if (digits->len > 15)
        return false;
    for (size_t i = 0; i < digits->len; i++) {
        if (digits->text[i] == '.')
            point = i + 1;
        else if (rl_is_digit(digits->text[i]))
            whole = whole * 10 + (unsigned)(digits->text[i] - '0');
        else
            return false;
    }
    *number = (double)whole / powers[digits->len - point];
    return true;
}

/* Reads the number at the start of `text`; the bytes it takes, 0 when there is none. */
static size_t number_at_start(struct rl_text text, enum rl_notation notation, double *number)
{
    const char point = notation == RL_COMMA ? ',' : '.';
    struct digits digits = {.len = 0};

    if (text.len && (text.at[0] == '-' || text.at[0] == '+'))
        keep(&digits, text.at[0]);
    if (digits.used == text.len || !rl_is_digit(text.at[digits.used]))
        return 0;
    uint8_t groups[MOST_GROUPS]; /* digits in each */
    size_t count = 0, separator;
    do {
        const size_t before = digits.len;
        digits_only(&digits, text);
        groups[count++] = (uint8_t)(digits.len - before);
        separator = separator_of(rl_text_from(text, digits.used), notation);
        digits.used += separator;
    } while (separator && count < MOST_GROUPS);
    digits.bad |=
        separator || (count > 1 && (grouping_of(groups, count) != (notation == RL_FOURS ? 4 : 3) || groups[0] > groups[1]));
    if (digits.used + 1 < text.len && text.at[digits.used] == point && rl_is_digit(text.at[digits.used + 1])) {
        keep(&digits, '.');
        digits_only(&digits, text);
    }
    exponent(&digits, text);
    if (digits.bad || (!short_number(&digits, number) && !rl_number_parse(digits.text, digits.len, number)))
        return 0;
    return digits.used;
}

enum rl_evidence rl_notation_of(struct rl_text text)
{
    uint8_t groups[MOST_GROUPS]; /* digits between them */
    size_t points = 0, commas = 0, count = 1, whole = 0;
    char last = 0;

    text = rl_text_trim(text);
    if (text.len && (text.at[0] == '-' || text.at[0] == '+'))
        text = rl_text_from(text, 1);
    while (whole < text.len && rl_is_digit(text.at[whole]))
        whole++;
    if (whole == 0 || whole > UINT8_MAX || whole == text.len || (text.at[whole] != '.' && text.at[whole] != ','))
        return RL_EVIDENCE_NONE; /* most cells */
    memset(groups, 0, sizeof groups);
    groups[0] = (uint8_t)whole;
    for (size_t i = whole; i < text.len && (rl_is_digit(text.at[i]) || text.at[i] == '.' || text.at[i] == ','); i++) {
        if (rl_is_digit(text.at[i])) {
            groups[count - 1] += groups[count - 1] < UINT8_MAX;
            continue;
        }
        if (count == MOST_GROUPS)
            return RL_EVIDENCE_NONE;
        last = text.at[i];
        points += last == '.';
        commas += last == ',';
        count++;
    }
    const size_t behind = groups[count - 1];
    if (behind == 0)
        return RL_EVIDENCE_NONE;
    if (points && commas) { /* the last one is the decimal point, and there is one of it */
        const size_t group = grouping_of(groups, count - 1);
        return last == '.' && points == 1 && group        ? group == 4 ? RL_EVIDENCE_FOURS : RL_EVIDENCE_POINT
               : last == ',' && commas == 1 && group == 3 ? RL_EVIDENCE_COMMA
                                                          : RL_EVIDENCE_NONE;
    }
    if (points + commas > 1) {
        const size_t group = groups[0] > groups[1] ? 0 : grouping_of(groups, count);
        return group == 3 ? points ? RL_EVIDENCE_COMMA : RL_EVIDENCE_POINT : group && commas ? RL_EVIDENCE_FOURS : RL_EVIDENCE_NONE;
    }
    if (behind == 3 && groups[0] <= 3 && text.at[0] != '0')
        return points ? RL_EVIDENCE_EITHER_POINT : RL_EVIDENCE_EITHER_COMMA;
    return points ? RL_EVIDENCE_POINT : RL_EVIDENCE_COMMA;
}

/* ---- cells ---- */

static const struct {
    const char *words;
    enum rl_state state;
    const char *reason;
} missing_words[] = {
    [RL_MISSING_OVERFLOW] = {"", RL_VALUE_FAILED, "2^64 - 1 or 2^63 - 1 was printed, which no counter reaches"},
    [RL_MISSING_NEGATIVE] = {"", RL_VALUE_FAILED, "a negative number was printed"},
    {"n/a", RL_NOT_COLLECTED, "the tool printed 'n/a'"},
    {"N/A", RL_NOT_COLLECTED, "the tool printed 'n/a'"},
    {"(!) n/a", RL_NOT_COLLECTED, "the tool printed 'n/a'"},
    {"no data", RL_NOT_COLLECTED, "the tool printed 'no data'"},
    {"<INVALID>", RL_VALUE_FAILED, "the tool printed '<INVALID>'"},
    {"<OVERFLOW>", RL_VALUE_FAILED, "the counter overflowed"},
    {"nan", RL_UNDEFINED, "the tool printed 'nan'"},
    {"-nan", RL_UNDEFINED, "the tool printed 'nan'"},
    {"(!) nan", RL_UNDEFINED, "the tool printed 'nan'"},
    {"inf", RL_UNDEFINED, "the tool printed 'inf'"},
    {"-inf", RL_UNDEFINED, "the tool printed 'inf'"},
};

struct rl_value rl_missing_value(size_t missing)
{
    return rl_value_missing(missing_words[missing].state, missing_words[missing].reason);
}

static bool missing_cell(struct rl_text text, struct rl_cell *cell)
{
    for (size_t i = RL_MISSING_NEGATIVE + 1; i < RL_COUNT(missing_words); i++) {
        if (rl_text_is(text, missing_words[i].words)) {
            *cell = (struct rl_cell){.kind = RL_CELL_MISSING, .unit = rl_text_of(""), .missing = i};
            return true;
        }
    }
    return false;
}

/* nvprof's utilisation levels. */
static bool level_cell(struct rl_text text, enum rl_notation notation, struct rl_cell *cell)
{
    static const char *const levels[] = {"Idle (", "Low (", "Mid (", "High (", "Max ("};

    for (size_t i = 0; i < RL_COUNT(levels); i++) {
        const struct rl_text level = rl_text_from(text, strlen(levels[i]));
        const size_t used = rl_text_begins(text, levels[i]) ? number_at_start(level, notation, &cell->number) : 0;
        if (used && rl_text_is(rl_text_from(level, used), ")"))
            return true;
    }
    return false;
}

/* 2^64 - 1 or 2^63 - 1, or that over 10^3, 10^6 or 10^9 where the unit has a prefix. */
static bool is_overflow(double number)
{
    for (double factor = 1; factor <= 1e9; factor *= 1000)
        if (fabs(number * factor / 0x1p64 - 1) < 1e-9 || fabs(number * factor / 0x1p63 - 1) < 1e-9)
            return true;
    return false;
}

/* "1.234,5" is no 1.234 of the unit ",5". */
static bool is_end_of_number(struct rl_text rest)
{
    return rest.len == 0 || (!rl_is_digit(rest.at[0]) && !strchr(",.+-", rest.at[0]));
}

struct rl_cell rl_cell_read(struct rl_text text, enum rl_notation notation)
{
    struct rl_cell cell = {.kind = RL_CELL_NUMBER, .unit = rl_text_of("")};

    text = rl_text_trim(text);
    if (text.len == 0 || rl_text_is(text, "-"))
        return (struct rl_cell){.kind = RL_CELL_EMPTY, .unit = rl_text_of("")};
    size_t used = number_at_start(text, notation, &cell.number);
    if (used && is_end_of_number(rl_text_from(text, used))) {
        const struct rl_text rest = rl_text_from(text, used);
        if (!rl_text_begins(rest, " ("))
            cell.unit = rl_text_trim(rest);
        if (is_overflow(cell.number)) {
            cell.kind = RL_CELL_MISSING;
            cell.missing = RL_MISSING_OVERFLOW;
        }
        return cell;
    }
    if (missing_cell(text, &cell) || level_cell(text, notation, &cell))
        return cell;
    cell.kind = RL_CELL_WORDS;
    return cell;
}

struct rl_cell rl_cell_of(double number)
{
    struct rl_cell cell = {.kind = RL_CELL_NUMBER, .number = number, .unit = rl_text_of("")};

    if (!isfinite(number))
        return rl_cell_read(rl_text_of(isnan(number) ? "nan" : "inf"), RL_POINT);
    if (is_overflow(number) || number >= 0x1p64) {
        cell.kind = RL_CELL_MISSING;
        cell.missing = RL_MISSING_OVERFLOW;
    }
    return cell;
}

bool rl_whole_read(struct rl_text text, enum rl_notation notation, unsigned long long *number)
{
    double value;

    text = rl_text_trim(text);
    if (text.len == 0 || number_at_start(text, notation, &value) != text.len || value < 0 || value > 9007199254740992.0 ||
        value != floor(value))
        return false;
    *number = (unsigned long long)value;
    return true;
}

bool rl_extent_read(struct rl_text text, unsigned extent[3])
{
    unsigned read[3];

    text = rl_text_trim(text);
    if (rl_text_begins(text, "(") && text.len > 1 && text.at[text.len - 1] == ')')
        text = (struct rl_text){text.at + 1, text.len - 2};
    for (size_t i = 0; i < 3; i++) {
        unsigned long long number;
        size_t len = 0;
        text = rl_text_trim(text);
        while (len < text.len && rl_is_digit(text.at[len]))
            len++;
        if (!rl_whole_read((struct rl_text){text.at, len}, RL_POINT, &number) || number > UINT_MAX)
            return false;
        read[i] = (unsigned)number;
        text = rl_text_from(text, len);
        if (i < 2 && rl_text_begins(text, ","))
            text = rl_text_from(text, 1);
    }
    if (text.len)
        return false;
    memcpy(extent, read, sizeof read);
    return true;
}
