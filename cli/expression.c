#include "command.h"

enum rl_status cli_expression(const char *option, const char *text, regex_t *expression, struct rl_err *err)
{
    static const char prefix[] = "regex:";
    char why[256];
    assert(text && *text);
    const char *pattern = strncmp(text, prefix, sizeof prefix - 1) == 0 ? text + sizeof prefix - 1 : text;
    const int code = regcomp(expression, pattern, REG_EXTENDED | REG_NOSUB);
    if (code == 0)
        return RL_OK;
    (void)regerror(code, expression, why, sizeof why);
    return rl_err_set(err, RL_USAGE, "option '%s': '%s' is not a regular expression: %s", option, pattern, why);
}

/* Namespaces and the return type stand before the name, template arguments or parameters behind it. */
static void add_exact(struct rl_buf *out, const char *name)
{
    rl_buf_adds(out, "^((\\(anonymous namespace\\)|[^<(])*[ :*&])?");
    for (; *name; name++)
        rl_buf_addf(out, strchr("\\^$.[]|()?*+{}", *name) ? "\\%c" : "%c", *name);
    rl_buf_adds(out, "([<(]|$)");
}

enum rl_status cli_kernel_named(const char *name, const char **expression, struct rl_buf *text, struct rl_err *err)
{
    assert(expression && text->len == 0);
    if (!name)
        return RL_OK;
    if (*expression)
        return rl_err_set(err, RL_USAGE, "options '--kernel' and '--kernel-name' exclude each other");
    if (strncmp(name, "regex:", strlen("regex:")) == 0)
        rl_buf_adds(text, name);
    else
        add_exact(text, name);
    *expression = text->data;
    return RL_OK;
}

bool cli_parse_percent(const char *text, double *percent)
{
    const size_t len = strlen(text);
    return rl_number_parse(text, len && text[len - 1] == '%' ? len - 1 : len, percent);
}
