/* commands.c - the table of commands. */
#include <string.h>

#include "command.h"
#include "core/mem.h"

#define COMMAND(name, body, needs, summary) extern const struct cli_command_body body;
#include "commands.def"
#undef COMMAND

const struct cli_command cli_commands[] = {
#define COMMAND(name, body, needs, summary) {name, &body, needs, summary},
#include "commands.def"
#undef COMMAND
};
const size_t cli_command_count = RL_COUNT(cli_commands);

const struct cli_command *cli_command_find(const char *name)
{
    return RL_FIND(i, cli_commands, cli_command_count, strcmp(cli_commands[i].name, name) == 0);
}
