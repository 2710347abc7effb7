#include "core/utf8.h"

#include "core/core.h"

struct range {
    uint32_t first, last;
};

#define ZERO(first, last) {first, last},
#define WIDE(first, last)
static const struct range zero_width[] = {
#include "utf8_width.def"
};
#undef ZERO
#undef WIDE
#define ZERO(first, last)
#define WIDE(first, last) {first, last},
static const struct range double_width[] = {
#include "utf8_width.def"
};
#undef ZERO
#undef WIDE

/* Control characters, separators of lines and paragraphs, annotations, and Default_Ignorable_Code_Point of Unicode 14.0. */
static const struct range hidden[] = {
    {0x0000, 0x001F}, {0x007F, 0x009F},   {0x00AD, 0x00AD},   {0x034F, 0x034F},   {0x061C, 0x061C},
    {0x115F, 0x1160}, {0x17B4, 0x17B5},   {0x180B, 0x180F},   {0x200B, 0x200F},   {0x2028, 0x202E},
    {0x2060, 0x206F}, {0x3164, 0x3164},   {0xFE00, 0xFE0F},   {0xFEFF, 0xFEFF},   {0xFFA0, 0xFFA0},
    {0xFFF0, 0xFFFB}, {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF},
};

/* White_Space of Unicode 14.0 but what is hidden: some runners take it off the beginning of a line. */
static const struct range blank[] = {
    {0x0009, 0x000A}, {0x000D, 0x000D}, {0x0020, 0x0020}, {0x00A0, 0x00A0}, {0x1680, 0x1680},
    {0x2000, 0x200A}, {0x202F, 0x202F}, {0x205F, 0x205F}, {0x3000, 0x3000},
};

static int compare_range(const void *key, const void *element)
{
    uint32_t codepoint = *(const uint32_t *)key;
    const struct range *range = element;
    return codepoint < range->first ? -1 : codepoint > range->last;
}

static bool in_ranges(uint32_t codepoint, const struct range *ranges, size_t count)
{
    return bsearch(&codepoint, ranges, count, sizeof *ranges, compare_range) != NULL;
}

/* Bytes of the sequence that `lead` begins, 0 when it begins none. */
static size_t sequence_length(unsigned char lead)
{
    if (lead < 0x80)
        return 1;
    if (lead < 0xC2 || lead > 0xF4) /* continuation, overlong two-byte form, above U+10FFFF */
        return 0;
    return lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
}

size_t rl_utf8_decode(const char *text, size_t len, uint32_t *codepoint)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    static const unsigned char lead_bits[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    const unsigned char *bytes = (const unsigned char *)text;
    assert(len > 0);
    size_t count = sequence_length(bytes[0]);
    *codepoint = RL_UTF8_REPLACEMENT;
    if (!count || count > len)
        return 1;
    uint32_t value = bytes[0] & lead_bits[count];
    for (size_t i = 1; i < count; i++) {
        if ((bytes[i] & 0xC0) != 0x80)
            return 1;
        value = value << 6 | (bytes[i] & 0x3F);
    }
    if (value < least[count] || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF))
        return 1;
    *codepoint = value;
    return count;
}

void rl_utf8_encode(struct rl_buf *out, uint32_t codepoint)
{
    if (codepoint > 0x10FFFF || (codepoint >= 0xD800 && codepoint <= 0xDFFF))
        codepoint = RL_UTF8_REPLACEMENT;
    if (codepoint < 0x80) {
        rl_buf_addch(out, (char)codepoint);
        return;
    }
    static const unsigned char lead[] = {0, 0, 0xC0, 0xE0, 0xF0};
    size_t count = codepoint < 0x800 ? 2 : codepoint < 0x10000 ? 3 : 4;
    char bytes[4];
    for (size_t i = count; i-- > 1; codepoint >>= 6)
        bytes[i] = (char)(0x80 | (codepoint & 0x3F));
    bytes[0] = (char)(lead[count] | codepoint);
    rl_buf_add(out, bytes, count);
}

bool rl_utf8_valid(const char *text, size_t len)
{
    uint32_t codepoint;
    for (size_t at = 0, used; at < len; at += used) {
        used = rl_utf8_decode(text + at, len - at, &codepoint);
        if (codepoint == RL_UTF8_REPLACEMENT && used == 1)
            return false;
    }
    return true;
}

/* The character before text[at]; 0: there is none. */
static uint32_t character_before(const char *text, size_t at)
{
    uint32_t codepoint = 0;
    size_t from = at;
    while (from > 0 && at - from < 4 && (from == at || ((unsigned char)text[from] & 0xC0) == 0x80))
        from--;
    if (from < at)
        (void)rl_utf8_decode(text + from, at - from, &codepoint);
    return codepoint;
}

/* Commands that runners of continuous integration obey: Azure and GitHub wherever it stands in a line, GitHub's newer form where
 * one begins, which is behind each blank, as lines are wrapped there. */
static bool begins_command(const char *text, size_t len, size_t at)
{
    static const char *const anywhere[] = {"##vso[", "##teamcity[", "##["};
    for (size_t i = 0; i < RL_COUNT(anywhere); i++)
        if (len - at >= strlen(anywhere[i]) && memcmp(text + at, anywhere[i], strlen(anywhere[i])) == 0)
            return true;
    return len - at >= 2 && text[at] == ':' && text[at + 1] == ':' &&
           (at == 0 || in_ranges(character_before(text, at), blank, RL_COUNT(blank)));
}

bool rl_utf8_is_hidden(const char *text, size_t len, size_t at, uint32_t codepoint)
{
    if (codepoint == '#' || codepoint == ':')
        return begins_command(text, len, at);
    return in_ranges(codepoint, hidden, RL_COUNT(hidden));
}

size_t rl_utf8_plain(const char *text, size_t len)
{
    size_t plain = 0;
    while (plain < len && text[plain] >= 0x20 && text[plain] < 0x7F &&
           !((text[plain] == '#' || text[plain] == ':') && begins_command(text, len, plain)))
        plain++;
    return plain;
}

void rl_utf8_printable(struct rl_buf *out, const char *text, size_t len)
{
    uint32_t codepoint;
    for (size_t at = 0, used; at < len; at += used) {
        used = rl_utf8_plain(text + at, len - at);
        rl_buf_add(out, text + at, used);
        at += used;
        if (at == len)
            break;
        used = rl_utf8_decode(text + at, len - at, &codepoint);
        if (codepoint == '\r' && at + 1 < len && text[at + 1] == '\n')
            continue; /* one line break, one space */
        if (codepoint == '\t' || codepoint == '\n' || codepoint == '\r')
            codepoint = ' ';
        rl_utf8_encode(out, codepoint != ' ' && rl_utf8_is_hidden(text, len, at, codepoint) ? RL_UTF8_REPLACEMENT : codepoint);
    }
}

static size_t codepoint_width(uint32_t codepoint)
{
    if (codepoint < 0x300)
        return 1;
    if (in_ranges(codepoint, zero_width, RL_COUNT(zero_width)))
        return 0;
    return in_ranges(codepoint, double_width, RL_COUNT(double_width)) ? 2 : 1;
}

size_t rl_utf8_width(const char *text, size_t len)
{
    const size_t plain = rl_utf8_plain(text, len);
    size_t width = plain;
    uint32_t codepoint;
    for (size_t at = plain; at < len;) {
        at += rl_utf8_decode(text + at, len - at, &codepoint);
        width += codepoint_width(codepoint);
    }
    return width;
}

/* Where the longest ending begins that takes at most `columns` columns and does not begin with a combining mark. */
static size_t tail_within(const char *text, size_t len, size_t columns)
{
    size_t left = rl_utf8_width(text, len), at = 0;
    uint32_t codepoint;
    while (at < len) {
        size_t used = rl_utf8_decode(text + at, len - at, &codepoint), width = codepoint_width(codepoint);
        if (left <= columns && width > 0)
            break;
        left -= width;
        at += used;
    }
    return at;
}

/* A character of any script, with its marks, takes less for a column; what piles up more of them is cut, too. */
enum { MOST_BYTES_OF_A_COLUMN = 16 };

static bool continues(char byte)
{
    return ((unsigned char)byte & 0xC0) == 0x80;
}

size_t rl_utf8_head(const char *text, size_t len, size_t columns)
{
    size_t width = 0, at = 0;
    uint32_t codepoint;
    while (at < len) {
        size_t used = rl_utf8_decode(text + at, len - at, &codepoint);
        width += codepoint_width(codepoint);
        if (width > columns)
            break;
        at += used;
    }
    return at;
}

static bool is_digit(char byte)
{
    return rl_is_digit(byte) || byte == '.';
}

/* Whether a text that is divided at `at` has a number on both sides, which is no part of a name; then where it begins and ends. */
static bool divides_number(const char *text, size_t len, size_t at, size_t *first, size_t *end)
{
    if (at == 0 || at >= len || !is_digit(text[at - 1]) || !is_digit(text[at]))
        return false;
    for (*first = at; *first > 0 && is_digit(text[*first - 1]);)
        --*first;
    for (*end = at; *end < len && is_digit(text[*end]);)
        ++*end;
    const char before = *first ? text[*first - 1] : ' ';
    return before != '_' && !(before >= 'a' && before <= 'z') && !(before >= 'A' && before <= 'Z');
}

#define ELLIPSIS "\xE2\x80\xA6"

/* Where the text goes on behind its last ellipsis from `at` on; `at`: there is none. */
static size_t behind_ellipsis(const char *text, size_t len, size_t at)
{
    for (const char *next; (next = memmem(text + at, len - at, ELLIPSIS, strlen(ELLIPSIS)));)
        at = (size_t)(next - text) + strlen(ELLIPSIS);
    return at;
}

/* Where the first ellipsis of `len` bytes begins; `len`: there is none. */
static size_t before_ellipsis(const char *text, size_t len)
{
    const char *first = memmem(text, len, ELLIPSIS, strlen(ELLIPSIS));
    return first ? (size_t)(first - text) : len;
}

/* Where a figure in brackets at the end begins, " (~51.9 %)" or " (6.73 us)"; `len`: there is none. */
static size_t figure_at_end(const char *text, size_t len)
{
    size_t at = len;
    while (at > 0 && text[at - 1] != '(')
        at--;
    const size_t digit = at + (at < len && text[at] == '~');
    return at > 2 && text[len - 1] == ')' && text[at - 2] == ' ' && rl_is_digit(text[digit]) ? at - 2 : len;
}

void rl_utf8_ellipsis(struct rl_buf *out, const char *text, size_t len, size_t columns)
{
    enum { LEAST_NAME = 4 }; /* columns, next to a figure */
    if (rl_utf8_width(text, len) <= columns && len <= MOST_BYTES_OF_A_COLUMN * columns) {
        rl_buf_add(out, text, len);
        return;
    }
    if (columns == 0)
        return;
    const size_t figure = figure_at_end(text, len), needed = rl_utf8_width(text + figure, len - figure);
    if (figure < len) { /* whole, or left out */
        const bool has_room = columns >= needed + LEAST_NAME;
        rl_utf8_ellipsis(out, text, figure, columns - (has_room ? needed : 0));
        rl_buf_add(out, text + figure, has_room ? len - figure : 0);
        return;
    }
    size_t tail_columns = (columns - 1) / 2, head_columns = columns - 1 - tail_columns;
    size_t tail = tail_within(text, len, tail_columns), first, end;
    /* A number at the beginning of the tail stays whole in place of the end of the head; where it has no room it goes. */
    if (divides_number(text, len, tail, &first, &end)) {
        const size_t more = tail - first;
        const bool has_room = 2 * more <= head_columns;
        tail = has_room ? first : end;
        head_columns -= has_room ? more : 0;
        tail_columns += has_room ? more : 0;
    }
    /* A text that was shortened before keeps one ellipsis. */
    const size_t again = behind_ellipsis(text, len, tail);
    head_columns += rl_utf8_width(text + tail, again - tail);
    tail_columns -= rl_utf8_width(text + tail, again - tail);
    tail = again;
    size_t head = before_ellipsis(text, rl_utf8_head(text, len, head_columns));
    while (head > MOST_BYTES_OF_A_COLUMN * head_columns || (head < len && continues(text[head])))
        head--;
    while (len - tail > MOST_BYTES_OF_A_COLUMN * tail_columns || (tail < len && continues(text[tail])))
        tail++;
    if (divides_number(text, len, head, &first, &end))
        head = first;
    rl_buf_add(out, text, head);
    rl_utf8_encode(out, 0x2026);
    rl_buf_add(out, text + tail, len - tail);
}

void rl_utf8_abbreviate(struct rl_buf *out, const char *text, size_t columns)
{
    RL_SCRATCH safe = RL_BUF_INIT;
    rl_utf8_printable(&safe, text, strlen(text));
    rl_utf8_ellipsis(out, safe.data, safe.len, columns);
}
