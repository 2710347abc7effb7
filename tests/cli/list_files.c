/* list_files.c - which options and operands of which command are files, from the tables of the program itself: a line for each,
 *
 *     COMMAND  reads|writes|grows|fills  OPTION  ENDING        OPTION "-": the operands
 *     COMMAND  needs  NUMBER                             of operands
 *
 * ENDING "-": none; "/": a folder is read.
 *
 * Exit status 1, with a line, for an option that is a file by its name or its help and not by its kind, or the other way round.
 * Linked from the program's objects, with main() by another name. */
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "core/mem.h"

static const struct {
    enum cli_option_kind kind;
    const char *does;
} kinds[] = {{CLI_INPUT, "reads"}, {CLI_OUTPUT, "writes"}, {CLI_GROWING, "grows"}, {CLI_FOLDER, "fills"}};

static bool list_option(const char *command, const struct cli_option *row)
{
    static const char *const files[] = {"FILE", "DIR", "PNG", "CAPTURE", "FOLDER", "PATH", "PDF", "REPORT"};
    char said[64]; /* "the private key in the file KEY" */
    snprintf(said, sizeof said, " file %s", row->argument ? row->argument : "?");
    bool known = false, looks = strstr(row->help, said) != NULL;
    for (size_t i = 0; i < RL_COUNT(kinds); i++)
        if (row->kind == kinds[i].kind) {
            const bool folder = row->kind == CLI_INPUT && strcmp(row->argument, "DIR") == 0;
            printf("%s %s --%s %s\n", command, kinds[i].does, row->name,
                   folder                          ? "/"
                   : row->ending && *row->ending ? row->ending
                                                   : "-");
            known = true;
        }
    for (size_t i = 0; i < RL_COUNT(files) && row->argument; i++)
        looks |= strcmp(row->argument, files[i]) == 0;
    if (looks != known)
        fprintf(stderr, "%s --%s %s: %s\n", command, row->name, row->argument,
                looks ? "a file, but not of the kind CLI_INPUT, CLI_OUTPUT, CLI_GROWING or CLI_FOLDER"
                      : "a file by its kind, but not by what it is called (FILE), nor by its help (\"the file KEY\")");
    return looks == known;
}

int main(void)
{
    bool good = true;
    for (size_t i = 0; i < cli_command_count; i++) {
        const struct cli_command_body *body = cli_commands[i].body;
        for (const struct cli_option *row = body->options; row->name; row++)
            good &= list_option(cli_commands[i].name, row);
        if (body->reads_operands)
            printf("%s reads - -\n", cli_commands[i].name);
        printf("%s needs %zu\n", cli_commands[i].name, body->least);
    }
    return good ? 0 : 1;
}
