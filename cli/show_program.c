/* show_program.c - an observed program and its families of shapes: as text, and as members of the JSON. */
#include "show.h"
#include "view_json.h"
#include "view_text.h"
#include "views/families.h"
#include "views/program.h"

void show_program(const struct show *show, struct cli_doc *doc)
{
    struct view view = view_subject_view(show->subject, &view_record_program, show->subject->program);
    const struct cli_view_options options = {.more = "--verbose lists them"};
    view.all = show->verbose;
    cli_view_text(&view, &options, doc);
}

void show_program_json(const struct show *show, struct rl_json *json)
{
    const struct view view = view_subject_view(show->subject, &view_record_program, show->subject->program);
    if (!show->subject->program)
        return;
    rl_json_object(json, "program");
    cli_view_json(&view, CLI_JSON_OLD, json);
    rl_json_end(json);
}

void show_families_json(const struct show *show, struct rl_json *json)
{
    const struct rl_families *families = show->subject->families;
    if (show->loose_count == 0)
        return;
    rl_json_array(json, "families");
    for (size_t i = 0; i < families->count; i++) {
        if (!families->at[i].figures)
            continue;
        const struct view view = view_subject_view(show->subject, &view_record_family, &families->at[i]);
        rl_json_object(json, NULL);
        cli_view_json(&view, CLI_JSON_OLD, json);
        rl_json_end(json);
    }
    rl_json_end(json);
}
