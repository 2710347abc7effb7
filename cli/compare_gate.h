/* compare_gate.h - the gate of `rooflight compare`: what is asked, and the answer as a status and as a file for other programs. */
#ifndef RL_CLI_COMPARE_GATE_H
#define RL_CLI_COMPARE_GATE_H

#include "command.h"
#include "compare.h"
#include "options.h"

extern const struct cli_format compare_junit_formats[];
/* Options of the gate, in a struct of options that has this member. */
struct compare_gate_options {
    const char *fail_on, *junit; /* --fail-on LIST, --junit FILE */
};
/* clang-format off */
#define COMPARE_GATE_OPTIONS(options, member)                                                                                      \
    {0, "fail-on", CLI_TEXT, offsetof(struct options, member.fail_on), "LIST",                                                     \
     .help = "a gate: exit with status 3 when it fails and 4 when it cannot decide. LIST is 'default', or conditions with other "  \
             "bounds, or off: regression=3%,wrong,missing,work,incomplete,undecided=10%,matched<0.9 is the default, and what is "  \
             "not named stays in force. For --fleet LIST is 'outlier'"},                                                           \
    {0, "junit", CLI_OUTPUT, offsetof(struct options, member.junit), "FILE",                                                       \
     .help = "with a gate: its answer as JUnit XML, a test for each kernel and condition",                                         \
     .formats = compare_junit_formats}
/* clang-format on */

/* The rules that the options say; `compare->gated` stays false where none does. RL_USAGE for what does not parse. */
enum rl_status compare_gate_rules(const struct compare_gate_options *options, struct compare *compare, struct rl_err *err);
/* The option that was given, without its dashes; NULL: none. */
const char *compare_gate_option(const struct compare_gate_options *options);
/* Holds every comparison against the rules; nothing where there is no gate. */
void compare_gate_run(struct compare *compare);
/* Writes the file that --junit names. */
enum rl_status compare_gate_write(const struct cli_call *call, const struct compare_gate_options *options,
                                  const struct compare *compare, struct rl_err *err);
/* RL_OK when all gates hold, RL_REGRESSION when one fails, RL_OPEN when one cannot decide; the text names the conditions. */
enum rl_status compare_gate_status(const struct compare *compare, struct rl_err *err);

/* Appends the answers of all gates as JUnit XML (compare_junit.c). */
void compare_gate_junit(const struct compare *compare, struct rl_buf *out);

#endif
