#include "internal.h"

#include <assert.h>
#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Passes "6kernel"; the length of "kernel", with `*at` behind it, or 0 where the text ends before. */
static size_t pass_identifier(const char **at)
{
    enum { LONGEST = 1 << 20 };
    size_t len = 0;
    assert(is_digit(**at));
    for (; is_digit(**at); ++*at)
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
    if (is_digit(c))
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
            ok = is_digit(*at) && add_identifier(&at, out);
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
        is_mangled = is_digit(*at) && add_identifier(&at, &text);
    }
    if (is_mangled)
        rl_buf_add(out, text.data, text.len);
    return is_mangled;
}
