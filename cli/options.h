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
#pragma once

#include "core/core.h"

enum cli_option_kind {
    CLI_FLAG,   /* bool: set */
    CLI_SELECT, /* int: set to `low`; options with the same member exclude each other */
    CLI_TEXT,   /* const char *: the argument, which must not be empty */
    /* Names of files, as CLI_TEXT; checked before the command runs (files.c). */
    CLI_INPUT,   /* the file is read */
    CLI_OUTPUT,  /* the file is written as a whole; "-" is standard output; with `ending` there is a default */
    CLI_GROWING, /* a capture, written as NAME.partial until it is complete; the name may have placeholders (core/launcher.h) */
    CLI_FOLDER,  /* a folder; files with one of the `ending`s are written into it */
    CLI_INT,     /* int: digits only, low..high */
    CLI_UINT64,  /* uint64_t: digits only, low..high */
    CLI_MAYBE,   /* int: an optional argument. "--NAME" is -1, "--NAME=NUMBER" the number (digits only, low..high); with `choices`,
                  * "--NAME=CHOICE" as CLI_CHOICE. Long name only */
    CLI_CHOICE,  /* int: position of the argument in `choices` */
    CLI_COUNT,   /* int: digits only, low..high; "all" is INT_MAX, "none" is -1; 0 means that the option was not given */
};

/* A format of an output, chosen by the ending of the file's name. */
struct cli_format {
    const char *ending; /* ".json"; NULL ends the table. The first row also applies to names without an ending */
    const char *select; /* the CLI_SELECT option with the same meaning, or NULL */
    const char *bytes;  /* for a binary format, its name ("a PDF"), refused on a terminal; NULL for text */
};

struct cli_option {
    char letter;      /* 0: long name only */
    const char *name; /* NULL ends the table */
    enum cli_option_kind kind;
    size_t offset;        /* of the member that receives the value */
    const char *argument; /* "FILE"; NULL for CLI_FLAG and CLI_SELECT */
    const char *help;     /* one line: begins with a verb in lower case, no full stop; the man page has the details */
    const char *group;    /* heading of the help text, set on the first option of a group; NULL: same group as the previous row */
    uint64_t low, high;
    bool percent;               /* CLI_COUNT: the number may be followed by "%" */
    const char *const *choices; /* ends with NULL */
    /* CLI_FOLDER: a list, each preceded by a blank: " .svg .png". CLI_OUTPUT: the default is the first operand's name, in the
     * current folder, with this ending in place of `replaces` ("": any ending); NULL: no default. */
    const char *ending, *replaces;
    const struct cli_format *formats; /* CLI_OUTPUT and CLI_GROWING: other endings are refused; NULL allows any name */
};

struct cli_common {
    bool quiet, verbose, help, version;
    const char *dashes; /* the "--" in argv that ended the options, or NULL */
    bool by_default;    /* the name of the output is the default */
};
extern const struct cli_option cli_common_options[];
/* Options of the program itself, given before a command. */
extern const struct cli_option cli_program_options[];

/* Parses argv[1..argc-1] into `values`, which the caller has zeroed and filled with defaults. Options and operands may be mixed;
 * "--" ends the options, and with `stop_at_operand` so does the first operand. Long names may be abbreviated if unique. argv is
 * permuted so that the operands are argv[*first .. argc-1]. RL_USAGE for an unknown option or an invalid argument. */
enum rl_status cli_options_parse(const struct cli_option *options, bool stop_at_operand, int argc, char **argv, void *values,
                                 int *first, struct rl_err *err);

/* Parses a number of digits only (no sign, blank or suffix) within low..high; false otherwise. */
bool cli_parse_number(const char *text, uint64_t low, uint64_t high, uint64_t *number);

/* Appends an entry of a help text: the head at column `lead`, the text from column `column` on, on the next line if the head is too
 * long. */
void cli_help_entry(const char *head, size_t lead, const char *text, size_t column, size_t width, struct rl_buf *out);
/* Appends the options of a help text under their headings, common options last, wrapped at `width` columns. */
void cli_options_help(const struct cli_option *options, size_t width, struct rl_buf *out);
