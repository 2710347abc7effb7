/* show_program.c - an observed program and its families of shapes, as text. */
#include "results/program.h"
#include "show.h"
#include "view_text.h"

void show_program(const struct show *show, struct cli_doc *doc)
{
    struct view view = view_subject_view(show->subject, &view_record_program, show->subject->program);
    const struct cli_view_options options = {.more = "--verbose lists them"};
    view.all = show->verbose;
    cli_view_text(&view, &options, doc);
}
