/* show_ranks.c - several ranks of a program: as text, and as a member of the JSON. */
#include "show.h"
#include "view_json.h"
#include "view_text.h"
#include "views/ranks.h"
#include "views/subject.h"

void show_ranks(const struct show *show, struct cli_doc *doc)
{
    struct view view = view_subject_view(show->subject, &view_record_ranks, show->subject->ranks);
    const struct cli_view_options options = {.more = "--verbose lists all"};
    view.all = show->verbose;
    cli_view_text(&view, &options, doc);
}

void show_ranks_json(const struct show *show, struct rl_json *json)
{
    const struct view view = view_subject_view(show->subject, &view_record_ranks, show->subject->ranks);
    if (!show->subject->ranks)
        return;
    rl_json_object(json, "ranks");
    cli_view_json(&view, CLI_JSON_OLD, json);
    rl_json_end(json);
}
