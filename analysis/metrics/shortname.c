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

/* ---- names as the compiler writes them into a cubin ---- */

/* Passes "6kernel"; the length of "kernel", with `*at` behind it, or 0 where the text ends before. */
static size_t pass_identifier(const char **at)
{
    enum { LONGEST = 1 << 20 };
    size_t len = 0;
    assert(rl_is_digit(**at));
    for (; rl_is_digit(**at); ++*at)
        if (len < LONGEST)
            len = len * 10 + (size_t)(**at - '0');
    if (strnlen(*at, len) < len)
        return 0;
    *at += len;
    return len;
}

/* How long "S0_", "T_", "A16_" or "St" is, whose digits are no length of what follows. */
static size_t numbered_length(const char *at)
{
    const size_t number = strspn(at + 1, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ");
    return at[1 + number] == '_' ? number + 2 : 1;
}

/* Passes one item of template arguments; returns by how many more they are open behind it. False: an identifier does not end. */
static bool pass_argument(const char **at, int *open)
{
    const char c = **at;
    assert(c);
    if (rl_is_digit(c))
        return pass_identifier(at) > 0;
    if (c == 'L' && (*at)[1] != '_') { /* a value, "Li4E" */
        *at += strcspn(*at, "E");
        *at += **at == 'E';
    } else if (strchr("STA", c)) {
        *at += numbered_length(*at);
    } else {
        *open += (strchr("INXJFL", c) != NULL) - (c == 'E');
        ++*at;
    }
    return true;
}

/* Passes "IfLi4EE"; false: it does not end. */
static bool pass_arguments(const char **at)
{
    int open = 0;
    assert(**at == 'I');
    do
        if (!**at || !pass_argument(at, &open))
            return false;
    while (open > 0);
    return true;
}

static bool add_identifier(const char **at, struct rl_buf *out)
{
    const size_t len = pass_identifier(at);
    rl_buf_adds(out, out->len ? "::" : "");
    rl_buf_add(out, *at - len, len);
    return len > 0;
}

/* "2ns6kernelIfEE", up to its end. */
static bool add_nested(const char *at, struct rl_buf *out)
{
    bool ok = true;
    at += strspn(at, "rVK");
    while (ok && *at && *at != 'E') {
        at += *at == 'L'; /* of one file alone */
        if (*at == 'I' && out->len)
            ok = pass_arguments(&at);
        else
            ok = rl_is_digit(*at) && add_identifier(&at, out);
    }
    return ok && *at == 'E' && out->len;
}

bool rl_unmangle(const char *name, struct rl_buf *out)
{
    RL_SCRATCH text = RL_BUF_INIT;
    bool is_mangled = strncmp(name, "_Z", 2) == 0;
    const char *at = is_mangled ? name + 2 : name;
    if (is_mangled && *at == 'N') {
        is_mangled = add_nested(at + 1, &text);
    } else if (is_mangled) {
        at += *at == 'L';
        is_mangled = rl_is_digit(*at) && add_identifier(&at, &text);
    }
    if (is_mangled)
        rl_buf_add(out, text.data, text.len);
    return is_mangled;
}
