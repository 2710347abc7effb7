/* expression.h - regular expressions on the command line. */
#ifndef RL_CLI_EXPRESSION_H
#define RL_CLI_EXPRESSION_H

#include <regex.h>

#include "core/err.h"

/* Compiles an extended regular expression, in front of which "regex:" may stand, as others write it: every expression is one here.
 * RL_USAGE, with the option's name ("--kernel"), when it is none. Free with regfree. */
enum rl_status cli_expression(const char *option, const char *text, regex_t *expression, struct rl_err *err);

#endif
