/* sass.c - instructions without names (pcs.h). SASS is written in capitals: opcodes, registers, modifiers. The few words in small
 * letters are known; names of the program stand in parentheses, or are anything else. */
#include "capture/pcs.h"

#include <ctype.h>

static const char symbol[] = "[symbol]";
static const char *const small[] = {"reuse", "c", "cx", "desc", "gdesc", "idesc", "tmem", "a", "lo", "hi", "srel", "rel"};

/* Between two dots: capitals and digits, as BAR or R12; a special register, as SR_CgaCtaId. */
static bool is_part(const char *part, size_t length)
{
    if (RL_ANY(i, sizeof small / sizeof small[0], strlen(small[i]) == length && strncmp(part, small[i], length) == 0) ||
        (length > 3 && strncmp(part, "SR_", 3) == 0))
        return true;
    return !RL_ANY(i, length, !isupper((unsigned char)part[i]) && !isdigit((unsigned char)part[i]) && (part[i] != '_' || i == 0));
}

static bool is_word(const char *word, size_t length)
{
    size_t from = 0;
    for (size_t i = 0; i <= length; i++)
        if (i == length || word[i] == '.') {
            if (!is_part(word + from, i - from))
                return false;
            from = i + 1;
        }
    return true;
}

/* 12, 0x3f, -1.5e+10: begins with a digit. */
static bool is_number(const char *word, size_t length)
{
    size_t hexadecimal = length > 2 && word[0] == '0' && word[1] == 'x' ? 2 : 0;
    for (size_t i = hexadecimal; i < length; i++)
        if (!isxdigit((unsigned char)word[i]) && word[i] != '.')
            return false;
    return true;
}

/* ".L_x_12", a place in the function. */
static bool is_label(const char *text, size_t length)
{
    static const char start[] = ".L_x_";
    const size_t begun = sizeof start - 1;
    return length > begun && strncmp(text, start, begun) == 0 && strspn(text + begun, "0123456789") == length - begun;
}

static bool in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '.';
}

/* One token; returns how long it is. */
static size_t add_token(const char *text, size_t length, bool blank, struct rl_buf *out)
{
    const bool is_symbol = length >= sizeof symbol - 1 && strncmp(text, symbol, sizeof symbol - 1) == 0;
    rl_buf_adds(out, blank ? " " : "");
    if (is_symbol)
        rl_buf_adds(out, symbol);
    else if (in_word(*text)) {
        size_t end = 0;
        while (end < length && in_word(text[end]))
            end++;
        const bool good = isdigit((unsigned char)text[0]) ? is_number(text, end) : is_word(text, end);
        rl_buf_add(out, good ? text : symbol, good ? end : sizeof symbol - 1);
        return end;
    } else if (*text == '(') {
        /* Skips parentheses, from the opening one on, which may never be closed; `end`: their length, bytes. */
        size_t depth = 0, end = 0;
        do {
            depth += text[end] == '(';
            depth -= text[end] == ')';
            end++;
        } while (end < length && depth > 0);
        const bool label = depth == 0 && is_label(text + 1, end - 2);
        rl_buf_addf(out, "(%.*s)", label ? (int)(end - 2) : (int)(sizeof symbol - 1), label ? text + 1 : symbol);
        return end;
    } else
        rl_buf_add(out, text, 1);
    return is_symbol ? sizeof symbol - 1 : 1;
}

void rl_sass_clean(const char *text, size_t length, struct rl_buf *out)
{
    const size_t before = out->len;
    bool blank = false;
    for (size_t i = 0; i < length;) {
        const size_t had = out->len;
        /* Blanks, and what is none of SASS, part words. */
        char c = text[i];
        static const char marks[] = ",[]+-*|!@~?&=`<>:{}/(";
        if (!in_word(c) && (!c || !strchr(marks, c))) {
            blank = had > before;
            i++;
            continue;
        }
        i += add_token(text + i, length - i, blank, out);
        if (out->len - before > RL_SASS_MOST) {
            out->len = had; /* the rest are whole words */
            out->data[had] = 0;
            return;
        }
        blank = false;
    }
}
