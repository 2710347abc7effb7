/* show_links.c - the links of a machine: as text, and as members of the JSON. */
#include "show.h"
#include "view_json.h"
#include "view_text.h"
#include "views/links.h"

void show_links(const struct show *show, struct cli_doc *doc)
{
    const struct view view = view_subject_view(show->subject, &view_record_links, show->subject->links);
    const struct cli_view_options options = {.more = "--verbose lists them"};
    cli_view_text(&view, &options, doc);
}

void show_links_json(const struct show *show, struct rl_json *json)
{
    const struct view view = view_subject_view(show->subject, &view_record_links, show->subject->links);
    if (show->subject->links)
        cli_view_json(&view, CLI_JSON_OLD, json);
}
