/* choice.h - the options of commands that print a table of which users choose columns and rows. */
#ifndef RL_CLI_CHOICE_H
#define RL_CLI_CHOICE_H

#include "options.h"
#include "results/listing.h"

/* Rows of an option table; `member` of the command's options is a struct view_choice_texts. */
#define CLI_CHOICE_OPTIONS(type, member)                                                                                           \
    {0,        "columns",                                                                                                          \
     CLI_TEXT, offsetof(struct type, member.columns),                                                                              \
     "ID,...", .help = "show these columns of the table, by the names that CSV and JSON have for them"},                           \
        {0,        "sort",                                                                                                         \
         CLI_TEXT, offsetof(struct type, member.sort),                                                                             \
         "ID",     .help = "sort the table by a column: the largest first, text from a to z; with - before it in reverse"},        \
    {                                                                                                                              \
        0, "where", CLI_TEXT, offsetof(struct type, member.where), "CONDITION,...",                                                \
            .help = "show only rows that fulfil this: ID, then = != < <= > or >= and a number in SI base units, = or != "          \
                    "and a pattern of text, or ~ or !~ and an extended regular expression without commas"                          \
    }

#endif
