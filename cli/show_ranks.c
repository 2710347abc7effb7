/* show_ranks.c - several ranks of a program: as text. */
#include "results/ranks.h"
#include "results/subject.h"
#include "show.h"
#include "view_text.h"

void show_ranks(const struct show *show, struct cli_doc *doc)
{
    struct view view = view_subject_view(show->subject, &view_record_ranks, show->subject->ranks);
    const struct cli_view_options options = {.more = "--verbose lists all"};
    view.all = show->verbose;
    cli_view_text(&view, &options, doc);
}
