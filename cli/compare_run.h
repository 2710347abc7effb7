/* compare_run.h - `rooflight compare --run`: two programs are measured in turn, and then compared. */
#ifndef RL_CLI_COMPARE_RUN_H
#define RL_CLI_COMPARE_RUN_H

#include "compare_open.h"

/* Options of it, in a struct of options that has this member. */
/* clang-format off */
#define COMPARE_RUN_OPTIONS(options, member)                                                                                       \
    {0, "run", CLI_FLAG, offsetof(struct options, member.wanted),                                                                  \
     .help = "measure both sides: run the two programs behind -- in turn, each session in processes of its own, and compare"},     \
    {0, "captures", CLI_FOLDER, offsetof(struct options, member.captures), "DIR",                                                  \
     .help = "with --run: put the captures into the folder DIR as base-N.rlcap and new-N.rlcap, and unless -o names another "      \
             "place the document as compare.pdf (default: compare-DATE-TIME)",                                                     \
     .ending = " .rlcap"},                                                                                                         \
    {0, "time", CLI_TEXT, offsetof(struct options, member.time), "DURATION",                                                       \
     .help = "with --run: start no session that would outlast DURATION: 90s, 10m or 2h (default: no limit)"},                      \
    {0, "sessions", CLI_INT, offsetof(struct options, member.sessions), "N", .low = 1, .high = 500,                                \
     .help = "with --run: at most N sessions of each side (default: 16)"},                                                         \
    {0, "warm-up", CLI_COUNT, offsetof(struct options, member.warm_up), "N", .low = 1, .high = 100,                                \
     .help = "with --run: run each program N times before the first session, without keeping what is measured (default: 1); "      \
             "none: not at all"}
/* clang-format on */

/* RL_USAGE when options of --run are there without it. */
enum rl_status compare_run_options_alone(const struct compare_run_options *options, struct rl_err *err);

/* Measures the programs in the operands as the options say, and hands the captures on to `finish`. RL_FAILED when a session fails
 * or its program does; captures of sessions before it stay. */
enum rl_status compare_run(const struct cli_call *call, compare_finish *finish, struct rl_err *err);

#endif
