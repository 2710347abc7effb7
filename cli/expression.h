/* expression.h - regular expressions on the command line. */
#pragma once

#include <regex.h>

#include "core/core.h"

/* Compiles an extended regular expression into `expression`; free it with regfree. A prefix "regex:", as Nsight Compute has it, is
 * skipped. RL_USAGE, naming the option ("--kernel"), when the expression is invalid. */
enum rl_status cli_expression(const char *option, const char *text, regex_t *expression, struct rl_err *err);

/* Converts a kernel name in the form of Nsight Compute, NAME or regex:REGEX, to a regular expression for demangled names, and
 * points `*expression` to it; `text` holds it. Does nothing for a NULL name. RL_USAGE when `*expression` is already set. */
enum rl_status cli_kernel_named(const char *name, const char **expression, struct rl_buf *text, struct rl_err *err);

/* Parses "3" or "3%" as 3. False for any other text (rl_number_parse). */
bool cli_parse_percent(const char *text, double *percent);
