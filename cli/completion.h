/* completion.h - what shells complete: a script for each, from the tables of commands and options. */
#ifndef RL_CLI_COMPLETION_H
#define RL_CLI_COMPLETION_H

#include "command.h"

/* Append the script of a shell. */
void cli_complete_bash(const struct cli_command *commands, size_t count, struct rl_buf *out);
/* The same of zsh. */
void cli_complete_zsh(const struct cli_command *commands, size_t count, struct rl_buf *out);
/* The same of fish. */
void cli_complete_fish(const struct cli_command *commands, size_t count, struct rl_buf *out);

#endif
