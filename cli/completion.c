/* completion.c - what shells complete. */
#include "completion.h"

#include <assert.h>
#include <string.h>

/* What an option takes. */
static bool takes_file(const struct cli_option *row)
{
    return row->kind == CLI_INPUT || row->kind == CLI_OUTPUT || row->kind == CLI_GROWING || row->kind == CLI_FOLDER;
}

static bool takes_nothing(const struct cli_option *row)
{
    return row->kind == CLI_FLAG || row->kind == CLI_SELECT;
}

/* Calls `each` with the command's own rows, then those of every command. */
static void for_rows(const struct cli_command *command,
                     void (*each)(const struct cli_command *, const struct cli_option *, struct rl_buf *), struct rl_buf *out)
{
    const struct cli_option *const tables[] = {command->body->options, cli_common_options};
    for (size_t i = 0; i < 2; i++)
        for (const struct cli_option *row = tables[i]; row->name; row++)
            each(command, row, out);
}

static void add_words(const char *const *words, struct rl_buf *out)
{
    for (size_t i = 0; words[i]; i++)
        rl_buf_addf(out, "%s%s", i ? " " : "", words[i]);
}

static void add_names(const struct cli_command *commands, size_t count, struct rl_buf *out)
{
    for (size_t i = 0; i < count; i++)
        rl_buf_addf(out, "%s ", commands[i].name);
    rl_buf_adds(out, "help");
}

/* The text up to its first mark, without what the quotes of a shell or `awkward` end at. */
static void add_gist(const char *text, const char *awkward, struct rl_buf *out)
{
    const size_t len = strcspn(text, ":;(");
    for (size_t i = 0; i < len; i++)
        if (text[i] != '\'' && !strchr(awkward, text[i]))
            rl_buf_addch(out, text[i]);
}

/* ---- bash ---- */

/* "show:--claims) words='auto all' ;;": what follows an option. Values of --NAME[=VALUE] follow "=" alone. */
static void bash_values(const struct cli_command *command, const struct cli_option *row, struct rl_buf *out)
{
    if (takes_nothing(row))
        return;
    rl_buf_addf(out, "    %s:--%s=", command->name, row->name);
    if (row->kind != CLI_MAYBE)
        rl_buf_addf(out, " | %s:--%s", command->name, row->name);
    if (row->letter)
        rl_buf_addf(out, " | %s:-%c", command->name, row->letter);
    rl_buf_adds(out, ") ");
    if (row->choices) {
        rl_buf_adds(out, "words='");
        add_words(row->choices, out);
        rl_buf_adds(out, "' ;;\n");
    } else {
        rl_buf_adds(out, takes_file(row) ? "return ;;\n" : "words=none ;;\n");
    }
}

static void bash_option(const struct cli_command *command, const struct cli_option *row, struct rl_buf *out)
{
    (void)command;
    rl_buf_addf(out, " --%s", row->name);
}

static void bash_command(const struct cli_command *command, struct rl_buf *out)
{
    rl_buf_addf(out, "    %s:-*) words='", command->name);
    for_rows(command, bash_option, out);
    rl_buf_adds(out, "' ;;\n");
    if (command->body->operand_choices) {
        rl_buf_addf(out, "    %s:*) words='", command->name);
        add_words(command->body->operand_choices, out);
        rl_buf_adds(out, "' ;;\n");
    }
}

void cli_complete_bash(const struct cli_command *commands, size_t count, struct rl_buf *out)
{
    rl_buf_adds(out, "# Completion of rooflight in bash, by 'rooflight completion bash'.\n"
                     "_rooflight() {\n"
                     "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command= words= i\n"
                     "  COMPREPLY=()\n"
                     "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
                     "    case ${COMP_WORDS[i]} in\n"
                     "    --) return ;;\n"
                     "    -*) ;;\n"
                     "    *) [[ $command ]] || command=${COMP_WORDS[i]} ;;\n"
                     "    esac\n"
                     "  done\n"
                     "  if [[ $current == = ]]; then\n"
                     "    current= previous+==\n"
                     "  elif [[ $previous == = ]]; then\n"
                     "    previous=${COMP_WORDS[COMP_CWORD - 2]}=\n"
                     "  fi\n"
                     "  case $command:${previous%=} in\n"
                     "  *:-*)\n"
                     "    case $command:$previous in\n");
    for (size_t i = 0; i < count; i++)
        for_rows(&commands[i], bash_values, out);
    rl_buf_adds(out, "    esac ;;\n  esac\n  [[ $words ]] || case $command:$current in\n    help:*) words='");
    add_names(commands, count, out);
    rl_buf_adds(out, "' ;;\n    :-*) words='--quiet --verbose --help --version' ;;\n    :*) words='");
    add_names(commands, count, out);
    rl_buf_adds(out, "' ;;\n");
    for (size_t i = 0; i < count; i++)
        bash_command(&commands[i], out);
    rl_buf_adds(out, "  esac\n"
                     "  [[ $words == none ]] && return\n"
                     "  [[ $words ]] && COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
                     "  return 0\n"
                     "}\n"
                     "complete -o bashdefault -o default -F _rooflight rooflight\n");
}

/* ---- zsh ---- */

/* ":FILE:_files", "::HOW:(first only)" behind a row of _arguments. */
static void zsh_value(const struct cli_option *row, struct rl_buf *out)
{
    if (takes_nothing(row))
        return;
    rl_buf_adds(out, row->kind == CLI_MAYBE ? "::" : ":");
    add_gist(row->argument, "[]\\", out);
    rl_buf_adds(out, ":");
    if (row->choices) {
        rl_buf_addch(out, '(');
        add_words(row->choices, out);
        rl_buf_addch(out, ')');
    } else if (takes_file(row)) {
        rl_buf_adds(out, "_files");
    }
}

static void zsh_spelling(const struct cli_option *row, const char *dashes, const char *name, size_t len, struct rl_buf *out)
{
    rl_buf_addf(out, " \\\n      '%s%.*s%s[", dashes, (int)len, name,
                row->kind == CLI_MAYBE      ? "=-"
                : takes_nothing(row)        ? ""
                : strcmp(dashes, "--") == 0 ? "="
                                            : "+");
    add_gist(row->help, "[]\\", out);
    rl_buf_addch(out, ']');
    zsh_value(row, out);
    rl_buf_addch(out, '\'');
}

static void zsh_option(const struct cli_command *command, const struct cli_option *row, struct rl_buf *out)
{
    (void)command;
    zsh_spelling(row, "--", row->name, strlen(row->name), out);
    if (row->letter)
        zsh_spelling(row, "-", &row->letter, 1, out);
}

static void zsh_command(const struct cli_command *command, struct rl_buf *out)
{
    rl_buf_addf(out, "    %s) _arguments -s", command->name);
    for_rows(command, zsh_option, out);
    if (command->body->operand_choices) {
        rl_buf_adds(out, " \\\n      '1: :(");
        add_words(command->body->operand_choices, out);
        rl_buf_adds(out, ")'");
    } else if (*command->body->operands) {
        rl_buf_adds(out, " \\\n      '*: :_files'");
    }
    rl_buf_adds(out, " ;;\n");
}

void cli_complete_zsh(const struct cli_command *commands, size_t count, struct rl_buf *out)
{
    rl_buf_adds(out, "#compdef rooflight\n"
                     "# Completion of rooflight in zsh, by 'rooflight completion zsh'.\n"
                     "_rooflight() {\n"
                     "  local -a commands\n"
                     "  local curcontext=$curcontext state line\n"
                     "  typeset -A opt_args\n"
                     "  commands=(\n");
    for (size_t i = 0; i < count; i++) {
        rl_buf_addf(out, "    '%s:", commands[i].name);
        add_gist(commands[i].summary, "\\", out);
        rl_buf_adds(out, "'\n");
    }
    rl_buf_adds(out, "    'help:Print the help of a command'\n  )\n"
                     "  _arguments -C '1: :->command' '*:: :->rest'\n"
                     "  case $state in\n"
                     "  command) _describe command commands ;;\n"
                     "  rest)\n"
                     "    case $words[1] in\n"
                     "    help) _describe command commands ;;\n");
    for (size_t i = 0; i < count; i++)
        zsh_command(&commands[i], out);
    rl_buf_adds(out, "    esac ;;\n"
                     "  esac\n"
                     "}\n"
                     "if [[ $funcstack[1] == _rooflight ]]; then\n"
                     "  _rooflight \"$@\"\n"
                     "else\n"
                     "  compdef _rooflight rooflight\n"
                     "fi\n");
}

/* ---- fish ---- */

static void fish_option(const struct cli_command *command, const struct cli_option *row, struct rl_buf *out)
{
    rl_buf_addf(out, "complete -c rooflight -n '__fish_seen_subcommand_from %s' -l %s", command->name, row->name);
    if (row->letter)
        rl_buf_addf(out, " -s %c", row->letter);
    if (takes_file(row))
        rl_buf_adds(out, " -r -F");
    else if (row->choices) {
        rl_buf_adds(out, row->kind == CLI_MAYBE ? " -a '" : " -x -a '");
        add_words(row->choices, out);
        rl_buf_addch(out, '\'');
    } else if (!takes_nothing(row) && row->kind != CLI_MAYBE)
        rl_buf_adds(out, " -x");
    rl_buf_adds(out, " -d '");
    add_gist(row->help, "\\", out);
    rl_buf_adds(out, "'\n");
}

static void fish_command(const struct cli_command *command, struct rl_buf *out)
{
    rl_buf_addf(out, "complete -c rooflight -n __fish_use_subcommand -a %s -d '", command->name);
    add_gist(command->summary, "\\", out);
    rl_buf_adds(out, "'\n");
    for_rows(command, fish_option, out);
    if (!*command->body->operands)
        return;
    rl_buf_addf(out, "complete -c rooflight -n '__fish_seen_subcommand_from %s'", command->name);
    if (command->body->operand_choices) {
        rl_buf_adds(out, " -a '");
        add_words(command->body->operand_choices, out);
        rl_buf_adds(out, "'\n");
    } else {
        rl_buf_adds(out, " -F\n");
    }
}

void cli_complete_fish(const struct cli_command *commands, size_t count, struct rl_buf *out)
{
    assert(count > 0);
    rl_buf_adds(out, "# Completion of rooflight in fish, by 'rooflight completion fish'.\n"
                     "complete -c rooflight -f\n");
    for (size_t i = 0; i < count; i++)
        fish_command(&commands[i], out);
    rl_buf_adds(out, "complete -c rooflight -n __fish_use_subcommand -a help -d 'Print the help of a command'\n"
                     "complete -c rooflight -n '__fish_seen_subcommand_from help' -a '");
    add_names(commands, count, out);
    rl_buf_adds(out, "'\n");
}
