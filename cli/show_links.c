/* show_links.c - the links of a machine, as text. */
#include "results/links.h"
#include "show.h"
#include "view_text.h"

void show_links(const struct show *show, struct cli_doc *doc)
{
    const struct view view = view_subject_view(show->subject, &view_record_links, show->subject->links);
    const struct cli_view_options options = {.more = "--verbose lists them"};
    cli_view_text(&view, &options, doc);
}
