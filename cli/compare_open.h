/* compare_open.h - reads the captures of a comparison and compares them. */
#ifndef RL_CLI_COMPARE_OPEN_H
#define RL_CLI_COMPARE_OPEN_H

#include "command.h"
#include "compare.h"
#include "compare_options.h"

/* The files of a comparison. */
struct compare_sides {
    const char *const *paths; /* the base's first */
    size_t count, behind;     /* of paths; how many of them, the last ones, are sessions of the new side; 0: a base and others */
    size_t look;              /* as rl_verdict_rules has it */
    const char *document;     /* where to write one when -o names no other; NULL: nowhere */
};
/* What follows when it is known which captures are compared: all that is printed, written and asked. */
typedef enum rl_status compare_finish(const struct cli_call *call, const struct compare_sides *sides, struct rl_err *err);

/* Reads the captures and compares them as the options of the call say. `compare` is to be closed in every case. */
enum rl_status compare_open(const struct cli_call *call, const struct compare_sides *sides, struct compare *compare,
                            struct rl_err *err);
/* What of that can be said before there is a capture. */
enum rl_status compare_check_options(const struct cli_call *call, struct rl_err *err);
/* Frees it. */
void compare_close(struct compare *compare);

/* A percentage as a fraction. RL_USAGE names the option `option`. */
enum rl_status compare_percent(const char *option, const char *text, double least, double most, double *fraction,
                               struct rl_err *err);

#endif
