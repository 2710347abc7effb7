/* shortname.c - the part of a kernel's name that people call it by.
 *
 * One walk from left to right over a demangled C++ declaration, "void ns::kernel<int, (T)4>(float*) [clone .x]": template arguments
 * are left out or kept, a blank outside of brackets ends the return type, the parameter list ends the name. What does not look like
 * that (no parameter list, brackets that do not match, nothing left) is returned as it came. */
#include "internal.h"

enum { MAX_NESTING = 256 };

struct walk {
    const char *at;
    struct rl_buf name;
    bool whole;   /* template arguments are kept */
    bool spaced;  /* a blank outside of brackets was seen */
    bool done;    /* the parameter list was reached */
    bool foreign; /* this is no C++ */
};

static bool is_identifier(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' || (c & 0x80);
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static char closing(char opening)
{
    static const char pairs[] = "()<>[]{}";
    const char *at = opening ? strchr(pairs, opening) : NULL;
    return at && (at - pairs) % 2 == 0 ? at[1] : '\0';
}

/* Length of the bracketed group that begins at `text`, 0 when it does not end. What closes around angle brackets closes them. */
static size_t group_length(const char *text)
{
    char stack[MAX_NESTING];
    size_t depth = 0;
    assert(closing(text[0]));
    for (size_t i = 0; text[i]; i++) {
        if (closing(text[i])) {
            if (depth == MAX_NESTING)
                return 0;
            stack[depth++] = closing(text[i]);
            continue;
        }
        /* Whether something is closed here; `innermost` would close what was opened last. Angle brackets may be comparisons, and
         * "->" closes nothing. */
        const char innermost = stack[depth - 1];
        if (!strchr(")>]}", text[i]) || (text[i] == '>' && (innermost != '>' || text[i - 1] == '-')))
            continue;
        while (depth > 0 && stack[depth - 1] != text[i] && stack[depth - 1] == '>')
            depth--;
        if (depth == 0 || stack[--depth] != text[i])
            return 0;
        if (depth == 0)
            return i + 1;
    }
    return 0;
}

static const char *const operators[] = {
    "()", "[]", "<=>", "<<=", ">>=", "->*", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "++", "--", "+=", "-=", "*=", "/=",
    "%=", "^=", "&=",  "|=",  "->",  "+",   "-",  "*",  "/",  "%",  "^",  "&",  "|",  "~",  "!",  "=",  "<",  ">",  ",",
};

static void take(struct walk *walk, size_t len)
{
    rl_buf_add(&walk->name, walk->at, len);
    walk->at += len;
}

/* "operator+", "operator()", "operator new[]", "operator float*": the word and what belongs to it. */
static void take_operator(struct walk *walk)
{
    take(walk, strlen("operator"));
    for (size_t i = 0; i < RL_COUNT(operators); i++) {
        if (begins(walk->at, operators[i])) {
            take(walk, strlen(operators[i]));
            walk->at += begins(walk->at, " <") ? 1 : 0;
            if (*walk->at == '<') { /* template arguments, which no identifier in front gives away */
                walk->at += group_length(walk->at);
                walk->foreign |= *walk->at == '<';
            }
            return;
        }
    }
    take(walk, strcspn(walk->at, "(<"));
}

static bool ends_with_word(const struct walk *walk, const char *word)
{
    const size_t len = strlen(word), all = walk->name.len;
    return all >= len && memcmp(walk->name.data + all - len, word, len) == 0 &&
           (all == len || !is_identifier(walk->name.data[all - len - 1]));
}

static void name_of(const char *name, bool whole, struct rl_buf *out)
{
    struct walk walk = {.at = name, .name = RL_BUF_INIT, .whole = whole};
    while (*walk.at && !walk.done && !walk.foreign) {
        const char before = walk.name.len ? walk.name.data[walk.name.len - 1] : ' ';
        if (begins(walk.at, "operator") && !is_identifier(before) && !is_identifier(walk.at[strlen("operator")])) {
            take_operator(&walk);
        } else if (closing(*walk.at)) {
            /* A group in brackets: part of the name ("(anonymous namespace)", "<unnamed>", "{lambda(int)#1}"), template arguments,
             * the parameters of a function around ("f(int)::{lambda()#1}"), or the parameter list that ends the name. */
            const size_t len = group_length(walk.at);
            const bool after_name = walk.name.len && is_identifier(walk.name.data[walk.name.len - 1]);
            const bool inside = begins(walk.at + len, "::") || ends_with_word(&walk, "decltype"), angle = *walk.at == '<';
            const bool goes_on = angle || (*walk.at == '(' && inside); /* the name does, behind it */
            if (len == 0)
                walk.foreign = true;
            else if (*walk.at == '{' || (angle && walk.whole) || (goes_on && !after_name))
                take(&walk, len);
            else if (goes_on)
                walk.at += len;
            else
                walk.done = true;
        } else if (*walk.at == ' ') {
            walk.spaced = true;
            rl_buf_reset(&walk.name);
            walk.at++;
        } else {
            take(&walk, 1);
        }
    }
    if (walk.foreign || walk.name.len == 0 || (walk.spaced && !walk.done))
        rl_buf_adds(out, name);
    else
        rl_buf_add(out, walk.name.data, walk.name.len);
    rl_buf_release(&walk.name);
}

void rl_kernel_short_name(const char *name, struct rl_buf *out)
{
    name_of(name, false, out);
}

void rl_kernel_template_name(const char *name, struct rl_buf *out)
{
    name_of(name, true, out);
}
