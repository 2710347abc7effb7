/* fleet.h - the parts of `rooflight compare --fleet`: many captures, one answer. */
#ifndef RL_CLI_FLEET_H
#define RL_CLI_FLEET_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/fleet.h"
#include "captures.h"
#include "command.h"

enum cli_fleet_format { CLI_FLEET_TEXT, CLI_FLEET_JSON, CLI_FLEET_CSV, CLI_FLEET_MARKDOWN };

struct cli_fleet_options {
    const char *output; /* NULL: none */
    bool document;      /* it is a PDF; otherwise what would be printed */
    enum cli_fleet_format format;
    int paper;              /* enum rl_paper */
    double least;           /* the smallest difference that matters, as a share; 0: the default */
    bool redact;            /* numbers in place of names of hosts, files and GPUs */
    const char *pseudonyms; /* key of rl_redaction, for names of kernels, too; NULL: none */
    bool fail_on_outlier;   /* RL_REGRESSION when a GPU is slower than the others */
};

/* The whole command; operands are files and folders. */
enum rl_status cli_fleet_run(const struct cli_call *call, const struct cli_fleet_options *options, struct rl_err *err);

#endif
