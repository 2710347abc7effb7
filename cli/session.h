/* session.h - one session of a program that another command than collect measures. */
#ifndef RL_CLI_SESSION_H
#define RL_CLI_SESSION_H

#include "command.h"

struct session_program {
    const char **words; /* the program and its arguments; ends with NULL */
    size_t count;
};
/* The words stay where they are; free with session_program_release. */
struct session_program session_program_new(const char *const *words, size_t count);
/* Frees the list, not the words; zeroed is allowed. */
void session_program_release(struct session_program *program);

/* Observes the program as 'rooflight collect -o OUTPUT -- PROGRAM' does, without input, its output on standard error: standard
 * output is the comparison's. `times_only`: no counters. RL_FAILED, with what happened, when the program ends with another status
 * than 0, or when a signal came meanwhile that asks for an end, which the call's outcome tells. */
enum rl_status session_measure(const struct cli_call *call, const struct session_program *program, const char *output,
                               bool times_only, struct rl_err *err);

#endif
