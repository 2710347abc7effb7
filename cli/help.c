#include <string.h>

#include "command.h"
#include "terminal.h"

enum { MOST_WIDTH = 80, SUMMARY_COLUMN = 14 };

static size_t help_width(size_t width)
{
    return width < MOST_WIDTH ? width : MOST_WIDTH;
}

static void add_paragraph(const char *text, size_t indent, size_t width, struct rl_buf *out)
{
    cli_wrap_whole(out, text, 0, indent, width);
    rl_buf_adds(out, "\n");
}

void cli_help_command(const struct cli_command *command, size_t width, struct rl_buf *out)
{
    const struct cli_command_body *body = command->body;
    struct rl_buf synopsis = RL_BUF_INIT, summary = RL_BUF_INIT;
    width = help_width(width);
    rl_buf_addf(&synopsis, "Usage: rooflight %s", command->name);
    rl_buf_addf(&synopsis, " [OPTION ...]%s%s", *body->operands ? " " : "", body->operands);
    rl_buf_addf(&summary, "%s.", command->summary);
    add_paragraph(synopsis.data, strlen("Usage: "), width, out);
    rl_buf_addch(out, '\n');
    add_paragraph(summary.data, 0, width, out);
    rl_buf_addch(out, '\n');
    add_paragraph(body->about, 0, width, out);
    rl_buf_addch(out, '\n');
    cli_options_help(body->options, width, out);
    rl_buf_release(&synopsis);
    rl_buf_release(&summary);
}

void cli_help_program(size_t width, struct rl_buf *out)
{
    width = help_width(width);
    add_paragraph("Usage: rooflight COMMAND [OPTION ...] [ARGUMENT ...]\nrooflight help COMMAND", strlen("Usage: "), width, out);
    rl_buf_addch(out, '\n');
    add_paragraph("Measures CUDA kernels, places them on the rooflines of the card that ran them, and prints the evidence.", 0,
                  width, out);
    rl_buf_adds(out, "\nCommands:\n");
    for (size_t i = 0; i < cli_command_count; i++)
        cli_help_entry(cli_commands[i].name, 2, cli_commands[i].summary, SUMMARY_COLUMN, width, out);
    rl_buf_addch(out, '\n');
    cli_options_help(cli_program_options, width, out);
    rl_buf_addch(out, '\n');
    add_paragraph("Exit status: 0 done, 1 failed, 2 wrong usage, 3 compare found a regression or an outlier, 4 the gate of compare "
                  "cannot decide.",
                  0, width, out);
}
