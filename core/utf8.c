#include "core/utf8.h"

#include <utf8proc.h>

#include "core/core.h"

/* Control characters, separators of lines and paragraphs, annotations, and Default_Ignorable_Code_Point of Unicode 14.0, those that
 * are reserved for it included, which utf8proc does not know. */
static const struct {
    uint32_t first, last;
} hidden[] = {
    {0x0000, 0x001F}, {0x007F, 0x009F},   {0x00AD, 0x00AD},   {0x034F, 0x034F},   {0x061C, 0x061C},
    {0x115F, 0x1160}, {0x17B4, 0x17B5},   {0x180B, 0x180F},   {0x200B, 0x200F},   {0x2028, 0x202E},
    {0x2060, 0x206F}, {0x3164, 0x3164},   {0xFE00, 0xFE0F},   {0xFEFF, 0xFEFF},   {0xFFA0, 0xFFA0},
    {0xFFF0, 0xFFFB}, {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF},
};

/* Some runners take these off the beginning of a line. */
static bool is_blank(uint32_t codepoint)
{
    return codepoint == '\t' || codepoint == '\n' || codepoint == '\r' ||
           utf8proc_category((utf8proc_int32_t)codepoint) == UTF8PROC_CATEGORY_ZS;
}

size_t rl_utf8_decode(const char *text, size_t len, uint32_t *codepoint)
{
    utf8proc_int32_t character;
    assert(len > 0);
    const utf8proc_ssize_t used = utf8proc_iterate((const utf8proc_uint8_t *)text, (utf8proc_ssize_t)len, &character);
    *codepoint = used > 0 ? (uint32_t)character : RL_UTF8_REPLACEMENT;
    return used > 0 ? (size_t)used : 1;
}

void rl_utf8_encode(struct rl_buf *out, uint32_t codepoint)
{
    utf8proc_uint8_t bytes[4];
    const bool valid = codepoint <= 0x10FFFF && utf8proc_codepoint_valid((utf8proc_int32_t)codepoint);
    const utf8proc_int32_t character = (utf8proc_int32_t)(valid ? codepoint : RL_UTF8_REPLACEMENT);
    rl_buf_add(out, (const char *)bytes, (size_t)utf8proc_encode_char(character, bytes));
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
    return len - at >= 2 && text[at] == ':' && text[at + 1] == ':' && (at == 0 || is_blank(character_before(text, at)));
}

bool rl_utf8_is_hidden(const char *text, size_t len, size_t at, uint32_t codepoint)
{
    if (codepoint == '#' || codepoint == ':')
        return begins_command(text, len, at);
    return RL_ANY(i, RL_COUNT(hidden), hidden[i].first <= codepoint && codepoint <= hidden[i].last);
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
    const int width = codepoint < 0x300 ? 1 : utf8proc_charwidth((utf8proc_int32_t)codepoint);
    return width > 0 ? (size_t)width : 0;
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
