#include <string.h>

#include "command.h"

enum { HELP_WIDTH = 80, SUMMARY_COLUMN = 13 };

void cli_help_command(const struct cli_command *command, struct rl_buf *out)
{
    const struct cli_command_body *body = command->body;
    struct rl_buf synopsis = RL_BUF_INIT;
    rl_buf_addf(&synopsis, "Usage: rooflight %s", command->name);
    cli_options_synopsis(body->options, &synopsis);
    if (*body->operands)
        rl_buf_addf(&synopsis, " %s", body->operands);
    cli_wrap(out, synopsis.data, 0, strlen("Usage: "), HELP_WIDTH);
    rl_buf_addf(out, "\n\n%s.\n\n", command->summary);
    cli_wrap(out, body->about, 0, 0, HELP_WIDTH);
    rl_buf_adds(out, "\n\nOptions:\n");
    cli_options_help(body->options, HELP_WIDTH, out);
    rl_buf_release(&synopsis);
}

void cli_help_program(struct rl_buf *out)
{
    rl_buf_adds(out, "Usage: rooflight COMMAND [OPTION ...] [ARGUMENT ...]\n"
                     "       rooflight help COMMAND\n\n"
                     "Measures CUDA kernels, places them on the rooflines of the card that ran them,\n"
                     "and prints the evidence.\n\nCommands:\n");
    for (size_t i = 0; i < cli_command_count; i++)
        rl_buf_addf(out, "  %-*s%s\n", SUMMARY_COLUMN - 2, cli_commands[i].name, cli_commands[i].summary);
    rl_buf_adds(out, "\nOptions:\n");
    cli_options_help(NULL, HELP_WIDTH, out);
    rl_buf_adds(out, "\nExit status: 0 done, 1 failed, 2 wrong usage, 3 compare found a\n"
                     "regression or an outlier, 4 the gate of compare cannot decide.\n");
}
