/* expression.h - regular expressions on the command line. */
#ifndef RL_CLI_EXPRESSION_H
#define RL_CLI_EXPRESSION_H

#include <regex.h>

#include "core/core.h"

/* Compiles an extended regular expression, in front of which "regex:" may stand, as others write it: every expression is one here.
 * RL_USAGE, with the option's name ("--kernel"), when it is none. Free with regfree. */
enum rl_status cli_expression(const char *option, const char *text, regex_t *expression, struct rl_err *err);

/* The name of a kernel as Nsight Compute takes it, NAME or regex:REGEX, as an expression that demangled names match, in place of
 * `*expression`, which must be NULL then; `text` is what holds it. Nothing for a NULL name. RL_USAGE when both are there. */
enum rl_status cli_kernel_named(const char *name, const char **expression, struct rl_buf *text, struct rl_err *err);

/* "3" and "3%": 3. False when it is neither (rl_number_parse). */
bool cli_parse_percent(const char *text, double *percent);

#endif
