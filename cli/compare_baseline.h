/* compare_baseline.h - `rooflight compare --baseline`: new captures against a folder of accepted ones. */
#ifndef RL_CLI_COMPARE_BASELINE_H
#define RL_CLI_COMPARE_BASELINE_H

#include "compare_open.h"

/* Options of it, in a struct of options that has this member. */
/* clang-format off */
#define COMPARE_BASELINE_OPTIONS(options, member)                                                                                  \
    {0, "baseline", CLI_INPUT, offsetof(struct options, member.folder), "DIR",                                                     \
     .help = "compare the captures, which are sessions of one program, with the last ones accepted into the folder DIR for "       \
             "this card and driver, and say what drifts over all of them"},                                                        \
    {0, "accept", CLI_FLAG, offsetof(struct options, member.accept),                                                               \
     .help = "with --baseline: add the captures to DIR, unless a gate fails or cannot decide; also the first ones"},               \
    {0, "commit", CLI_TEXT, offsetof(struct options, member.commit), "NAME",                                                       \
     .help = "with --accept: what was measured, such as a commit; part of the entry's name"}
/* clang-format on */

/* Compares the captures in the operands with the last fitting entry, hands that on to `finish`, and accepts them where that is
 * asked for and nothing is against it. RL_USAGE, RL_FAILED where there is nothing to compare with, RL_IO, what `finish` returns. */
enum rl_status compare_baseline(const struct cli_call *call, compare_finish *finish, struct rl_err *err);

#endif
