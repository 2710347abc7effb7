/* options.h - command-line options from a table.
 *
 * One table per command gives the parser and the help text. Values are stored in a struct of the command's own,
 * whose first member is a `struct cli_common`; rows name the members by offset:
 *
 *     struct show_options { struct cli_common common; int format; };
 *     static const struct cli_option options[] = {
 *         {.name = "json", .kind = CLI_SELECT, .offset = offsetof(struct show_options, format), .low = SHOW_JSON, .help = "..."},
 *         {0},
 *     };
 *
 * Every command has the common options -q, -v and -h besides its own.
 */
#ifndef RL_CLI_OPTIONS_H
#define RL_CLI_OPTIONS_H

#include "core/core.h"

enum cli_option_kind {
    CLI_FLAG,   /* bool: set */
    CLI_SELECT, /* int: set to `low`; two different rows of the same member exclude each other */
    CLI_TEXT,   /* const char *: the argument, which must not be empty */
    /* The same, of files: compared and checked before the command runs (files.c). */
    CLI_INPUT,   /* it is read */
    CLI_OUTPUT,  /* it is written as a whole, "-": to standard output; with `ending` there is a default */
    CLI_GROWING, /* a capture that is written as it grows, NAME.partial next to it; its name may have places (core/launcher.h) */
    CLI_FOLDER,  /* files whose names have one of the `ending`s are written into it */
    CLI_INT,     /* int: digits only, low..high */
    CLI_UINT64,  /* uint64_t: digits only, low..high */
    CLI_MAYBE,   /* int: -1, or with "--NAME=NUMBER" the number: digits only, low..high; with `choices`, "--NAME=CHOICE" and as
                  * CLI_CHOICE. Long name only */
    CLI_CHOICE,  /* int: position of the argument in `choices` */
    CLI_COUNT,   /* int: how many, digits only, low..high; "all": INT_MAX; "none": -1, so that 0 stays "not said" */
};

/* A format of an output: what the ending of the file's name stands for. */
struct cli_format {
    const char *ending; /* ".json"; NULL ends the table, whose first row is also that of names without an ending */
    const char *select; /* the CLI_SELECT option that means the same; NULL: there is none */
    const char *bytes;  /* "a PDF": not for a terminal; NULL: text */
};

struct cli_option {
    char letter;      /* 0: long name only */
    const char *name; /* NULL ends the table */
    enum cli_option_kind kind;
    size_t offset;        /* of the member that gets the value */
    const char *argument; /* "FILE"; NULL for CLI_FLAG and CLI_SELECT */
    const char *help;     /* a line that begins with a verb, lower case, no final stop; the manual explains */
    const char *group;    /* a heading of the help text, of the first of its options; NULL: in the group of the one before */
    uint64_t low, high;
    bool percent;               /* of CLI_COUNT: "%" may stand behind the number */
    const char *const *choices; /* ends with NULL */
    /* CLI_FOLDER: each behind a blank, " .svg .png". CLI_OUTPUT: the default is the first operand's name in the current folder with
     * this ending in place of `replaces` ("": of whatever ending it has); NULL: no default. */
    const char *ending, *replaces;
    const struct cli_format *formats; /* of CLI_OUTPUT and CLI_GROWING: other endings are refused; NULL: any name */
};

struct cli_common {
    bool quiet, verbose, help, version;
    const char *dashes; /* the "--" of argv that ended the options; NULL when none did */
    bool by_default;    /* the output has no name */
};
extern const struct cli_option cli_common_options[];
/* Those of the program, before the name of a command. */
extern const struct cli_option cli_program_options[];

/* Parses argv[1..argc-1] into `values` (zeroed by the caller, which also holds the defaults). Options and operands may be mixed,
 * "--" ends the options, long names may be shortened while they stay unique; with `stop_at_operand` the first operand ends the
 * options too. argv is permuted so that the operands are argv[*first .. argc-1]. RL_USAGE with one line otherwise. */
enum rl_status cli_options_parse(const struct cli_option *options, bool stop_at_operand, int argc, char **argv, void *values,
                                 int *first, struct rl_err *err);

/* Digits only (no sign, no blank, no suffix), within low..high. */
bool cli_parse_number(const char *text, uint64_t low, uint64_t high, uint64_t *number);

/* An entry of a help text: a head that begins in column `lead`, then the text from column `column` on, below the head where there
 * is little room. */
void cli_help_entry(const char *head, size_t lead, const char *text, size_t column, size_t width, struct rl_buf *out);
/* The option list of a help text below headings, common options last, wrapped at `width` columns. */
void cli_options_help(const struct cli_option *options, size_t width, struct rl_buf *out);

#endif
