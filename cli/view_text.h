/* view_text.h - any result for people: on a terminal or as Markdown. */
#ifndef RL_CLI_VIEW_TEXT_H
#define RL_CLI_VIEW_TEXT_H

#include "doc.h"
#include "results/listing.h"

struct cli_view_options {
    bool all;                         /* rows of tables, however many */
    const struct view_choice *choice; /* of columns and rows of the list `chosen`; NULL: none */
    const struct view_record *chosen; /* the record whose tables the choice is about */
    bool document;                    /* the title of the view's record is that of the whole document */
    const char *more;                 /* behind the note about rows left out: "--verbose lists all"; NULL: nothing */
};

/* Prints the blocks of the view's row: below its title, as a heading, where it has one. */
void cli_view_text(const struct view *view, const struct cli_view_options *options, struct cli_doc *doc);
/* Prints a list as a table with its notes. */
void cli_view_table(const struct view *view, const struct view_record *record, const struct view_rows *rows,
                    const struct view_choice *choice, struct cli_doc *doc);

#endif
