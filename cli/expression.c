#include "expression.h"

#include <assert.h>
#include <string.h>

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
    return rl_err_set(err, RL_USAGE, "option '%s': '%s' is no regular expression: %s", option, pattern, why);
}
