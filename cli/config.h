/* config.h - defaults of options from files: rooflight.toml in the current folder, and the user's own in $XDG_CONFIG_HOME/rooflight
 * or ~/.config/rooflight.
 *
 * A section is a command, a key the long name of one of its options: the tables of options say what there is. The file in the
 * current folder comes with a program and may be anybody's: it names no files, and sets nothing of what the table calls `personal`.
 * No file says where something is written. The command line goes before the current folder, which goes before the user's own file.
 */
#ifndef RL_CLI_CONFIG_H
#define RL_CLI_CONFIG_H

#include "command.h"

struct cli_config;

/* Reads the files that are there; names of sections and keys are checked against all commands. RL_FORMAT, RL_IO or RL_USAGE, with
 * file and line. In every case free `*config` with cli_config_free. */
enum rl_status cli_config_read(const struct cli_command *commands, size_t count, struct cli_config **config, struct rl_err *err);
/* Frees it with the values that options point to; NULL is allowed. */
void cli_config_free(struct cli_config *config);

/* The files that were read, ends with NULL; as long as `config`. */
const char *const *cli_config_files(const struct cli_config *config);

/* Stores what the files say of the command into its options. RL_USAGE, with file and line, for a value that the option refuses. */
enum rl_status cli_config_apply(struct cli_config *config, const struct cli_command *command, void *options, struct rl_err *err);

/* Adds to the text of an error of that command what the files have set, with file and line: for RL_USAGE all of it, otherwise the
 * files that were named. */
void cli_config_explain(const struct cli_config *config, enum rl_status status, struct rl_err *err);

/* "rooflight.toml: show.brief in line 2; ..." of all files; which are looked for, when none is there. */
void cli_config_describe(const struct cli_config *config, struct rl_buf *out);

#endif
