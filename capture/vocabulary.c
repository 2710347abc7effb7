#include "redact.h"

#include <ctype.h>
#include <strings.h>

enum { LONGEST_WORD = 200 };

static int by_text(const void *key, const void *row)
{
    return strcmp(key, *(const char *const *)row);
}

bool rl_is_vocabulary(const char *word, size_t len)
{
    char small[LONGEST_WORD + 1];
    if (len == 0 || len > LONGEST_WORD)
        return false;
    for (size_t i = 0; i < len; i++)
        small[i] = (char)tolower((unsigned char)word[i]);
    small[len] = 0;
    return bsearch(small, rl_vocabulary, rl_vocabulary_count, sizeof *rl_vocabulary, by_text) != NULL;
}

static size_t digits_at(const char *word, size_t len)
{
    return RL_FIRST(count, len, !isdigit((unsigned char)word[count]));
}

size_t rl_version_at(const char *word, size_t len)
{
    enum { MOST_DIGITS = 5, PARTS = 3 };
    size_t at = 0;
    for (int part = 0; part < PARTS; part++) {
        size_t digits = digits_at(word + at, len - at);
        at += digits;
        if (digits == 0 || digits > MOST_DIGITS || (part + 1 < PARTS && (at == len || word[at++] != '.')))
            return 0;
    }
    return at < len && !strchr("-+~_", word[at]) ? 0 : at;
}

static bool is_sign(char c)
{
    return c == '-' || c == '+';
}

/* Length of an exponent: "e-9"; 0: none. */
static size_t exponent_at(const char *word, size_t len)
{
    enum { MOST_DIGITS = 3 };
    if (len < 2 || (word[0] != 'e' && word[0] != 'E'))
        return 0;
    const size_t sign = is_sign(word[1]), digits = digits_at(word + 1 + sign, len - 1 - sign);
    return digits > 0 && digits <= MOST_DIGITS ? 1 + sign + digits : 0;
}

/* Length of a decimal number at the beginning, with a fraction and an exponent; 0: none, or one of so many digits that it may
 * identify a person. */
static size_t decimal_at(const char *word, size_t len)
{
    enum { MOST_DIGITS = 9 };
    size_t at = len > 0 && is_sign(word[0]), digits = digits_at(word + at, len - at);
    if (digits == 0 || digits > MOST_DIGITS)
        return 0;
    at += digits;
    if (at + 1 < len && word[at] == '.' && (digits = digits_at(word + at + 1, len - at - 1)) > 0) {
        if (digits > MOST_DIGITS)
            return 0;
        at += 1 + digits;
    }
    assert(at <= len);
    return at + exponent_at(word + at, len - at);
}

static bool is_unit(const char *text, size_t len)
{
    static const char *const units[] = {"%",   "b",   "k",   "m",  "g",  "kb", "mb", "gb", "tb", "kib", "mib", "gib", "tib", "hz",
                                        "khz", "mhz", "ghz", "ns", "us", "ms", "s",  "x",  "u",  "ul",  "w",   "c",   "bit", "th"};
    return RL_ANY(i, sizeof units / sizeof units[0], strlen(units[i]) == len && strncasecmp(text, units[i], len) == 0);
}

/* A number, or two with a sign between them: "92.5/100", "3-4"; three with an x: "32x32x8"; a unit may follow: "80GB", "5%". */
static bool is_number(const char *word, size_t len)
{
    size_t at = decimal_at(word, len);
    for (int more = 0; at > 0 && at + 1 < len && more < 2; more++) {
        const char sign = word[at];
        size_t next = (sign == 'x' || (more == 0 && (sign == '/' || sign == '-'))) && isdigit((unsigned char)word[at + 1])
                          ? decimal_at(word + at + 1, len - at - 1)
                          : 0;
        if (next == 0)
            break;
        at += 1 + next;
    }
    return at > 0 && (at == len || is_unit(word + at, len - at));
}

static bool is_compound(const char *word, size_t len, size_t level);

/* Part of a word behind `sign`, 0: the first. A number is one only behind some of the signs: "node-17" may be a host. */
static bool is_part(const char *part, size_t len, char sign, size_t level)
{
    enum { MOST_DIGITS = 6 };
    const bool number = sign == '/' || sign == '_' || sign == '=';
    if (rl_is_vocabulary(part, len) && (number || RL_ANY(i, len, isalpha((unsigned char)part[i]))))
        return true;
    return (number && len > 0 && len <= MOST_DIGITS && digits_at(part, len) == len) || is_compound(part, len, level + 1);
}

/* Words with signs between them, letters first: "coalescing/stride_1" is two that are divided by '/'. */
static bool is_compound(const char *word, size_t len, size_t level)
{
    static const char *const signs[] = {"/", "=", "-+", "_."};
    assert(level <= sizeof signs / sizeof signs[0]);
    if (level == sizeof signs / sizeof signs[0])
        return false;
    char sign = 0;
    for (size_t at = 0, end; at <= len; at = end + 1) {
        for (end = at; end < len && !strchr(signs[level], word[end]);)
            end++;
        bool doubled = at > 0 && end == at && end < len && sign == '_' && word[end] == '_'; /* sm__cycles_active */
        if (!doubled && !is_part(word + at, end - at, sign, level))
            return false;
        sign = end < len ? word[end] : 0;
    }
    return true;
}

bool rl_is_harmless(const char *word, size_t len)
{
    return rl_is_vocabulary(word, len) || is_number(word, len) || rl_version_at(word, len) == len || is_compound(word, len, 0);
}
