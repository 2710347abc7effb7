#include <assert.h>
#include <string.h>

#include "completion.h"
#include "core/mem.h"
#include "core/suggest.h"

struct completion_options {
    struct cli_common common;
};

static const struct cli_option options[] = {{0}};

enum { SHELLS = 3 };
static const char *const shells[SHELLS + 1] = {"bash", "zsh", "fish", NULL};

static enum rl_status run(const struct cli_call *call, struct rl_err *err)
{
    assert(call->operand_count > 0);
    static void (*const writers[SHELLS])(const struct cli_command *, size_t,
                                         struct rl_buf *) = {cli_complete_bash, cli_complete_zsh, cli_complete_fish};
    const char *shell = call->operands[0];
    for (size_t i = 0; i < SHELLS; i++)
        if (strcmp(shells[i], shell) == 0) {
            writers[i](call->commands, call->count_of_commands, call->out);
            return RL_OK;
        }
    const char *nearest = rl_suggest_nearest(shell, shells, SHELLS);
    if (nearest)
        return rl_err_set(err, RL_USAGE, "there is no completion for '%s', did you mean '%s'?", shell, nearest);
    return rl_err_set(err, RL_USAGE, "there is no completion for '%s', only for bash, zsh and fish", shell);
}

const struct cli_command_body cmd_completion = {
    .operands = "bash|zsh|fish",
    .operand_choices = shells,
    .least = 1,
    .most = 1,
    .about =
        "Prints a script that makes the shell complete commands, options and their values. It is installed with the program; for "
        "one that is not: 'source <(rooflight completion bash)', the same in zsh behind compinit, and 'rooflight completion fish "
        "| source'.",
    .options = options,
    .options_size = sizeof(struct completion_options),
    .run = run,
};
