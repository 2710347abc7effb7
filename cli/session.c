/* session.c - one session of a program. */
#include "session.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collect.h"
#include "core/mem.h"
#include "parts.h"

extern const struct cli_command_body cmd_collect; /* of cmd_collect.c: whose options a session has */

struct session_program session_program_new(const char *const *words, size_t count)
{
    struct session_program program = {rl_calloc(count + 1, sizeof *program.words), count};
    assert(count > 0);
    memcpy(program.words, words, count * sizeof *words);
    return program;
}

void session_program_release(struct session_program *program)
{
    free(program->words);
    *program = (struct session_program){0};
}

/* ---- streams ---- */

/* Standard input and output while the program runs; -1: nothing is to be restored. */
struct streams {
    int input, output;
};

static void restore(const struct streams *streams)
{
    if (streams->input >= 0) {
        (void)dup2(streams->input, STDIN_FILENO);
        close(streams->input);
    }
    if (streams->output >= 0) {
        (void)dup2(streams->output, STDOUT_FILENO);
        close(streams->output);
    }
}

static enum rl_status redirect(struct streams *streams, struct rl_err *err)
{
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    *streams = (struct streams){fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1),
                                fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)};
    const bool done = nothing >= 0 && streams->input >= 0 && streams->output >= 0 && dup2(nothing, STDIN_FILENO) >= 0 &&
                      dup2(STDERR_FILENO, STDOUT_FILENO) >= 0;
    const int error = errno;
    if (nothing >= 0)
        close(nothing);
    if (done)
        return RL_OK;
    restore(streams);
    return rl_err_set(err, RL_FAILED, "cannot redirect the program's input and output: %s", strerror(error));
}

/* ---- the session ---- */

/* "rooflight collect -o OUTPUT -- PROGRAM ...": what makes the same capture. */
static const char **command_of(const struct session_program *program, const char *output, size_t *count)
{
    const char *const front[] = {"rooflight", "collect", "-o", output, "--"};
    const char **words = rl_calloc(RL_COUNT(front) + program->count, sizeof *words);
    memcpy(words, front, sizeof front);
    memcpy(words + RL_COUNT(front), program->words, program->count * sizeof *words);
    *count = RL_COUNT(front) + program->count;
    return words;
}

static enum rl_status judge(const struct cli_outcome *outcome, struct rl_err *err)
{
    if (outcome->signal)
        return rl_err_set(err, RL_FAILED, "the program was ended by signal %d (%s)", outcome->signal, strsignal(outcome->signal));
    if (outcome->status)
        return rl_err_set(err, RL_FAILED, "the program ended with status %d", outcome->status);
    if (outcome->stop)
        return rl_err_set(err, RL_FAILED, "stopped by signal %d (%s)", outcome->stop, strsignal(outcome->stop));
    return RL_OK;
}

enum rl_status session_measure(const struct cli_call *call, const struct session_program *program, const char *output,
                               bool times_only, struct rl_err *err)
{
    struct cli_outcome outcome = {0};
    struct collect_options options = {.output = output, .replay = times_only ? RL_REPLAY_NONE : RL_REPLAY_ROTATE};
    struct streams streams;
    size_t command_count = 0;
    enum rl_status status = redirect(&streams, err);
    if (status != RL_OK)
        return status;
    const char **command = command_of(program, output, &command_count);
    options.common.dashes = command[command_count - program->count - 1];
    const struct cli_call of_one = {.body = &cmd_collect,
                                    .options = &options,
                                    .operands = program->words,
                                    .operand_count = program->count,
                                    .command = command,
                                    .command_count = command_count,
                                    .quiet = !call->verbose,
                                    .verbose = call->verbose,
                                    .terminal = call->terminal,
                                    .out = call->out,
                                    .outcome = &outcome};
    status = collect_program(&of_one, false, err);
    restore(&streams);
    free(command);
    call->outcome->stop = outcome.stop;
    return status == RL_OK ? judge(&outcome, err) : status;
}
