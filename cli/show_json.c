/* show_json.c - a capture as JSON, its kernels as CSV and as one table. */
#include "show.h"
#include "view_csv.h"
#include "view_json.h"
#include "view_text.h"
#include "views/show.h"

void show_json(const struct show *show, struct rl_buf *out)
{
    struct view_show *all = view_show_new(show->subject); /* what data has and text does not */
    const struct view view = view_subject_view(show->subject, &view_record_show, all);
    cli_view_document(
        &view, &(struct cli_view_document){.version = show->version, .choice = show->choice, .chosen = &view_record_kernel}, out);
}

void show_csv(const struct show *show, struct rl_buf *out)
{
    struct view_show *all = view_show_new(show->subject); /* what data has and text does not */
    const struct view view = view_subject_view(show->subject, &view_record_show, all);
    const struct view_rows rows = view_choice_rows(show->choice, &view, view_show_kernels(all));
    cli_view_csv(&view, &view_record_kernel, &rows, show->choice, out);
}

void show_chosen(const struct show *show, struct cli_doc *doc)
{
    struct view_show *all = view_show_new(show->subject); /* what data has and text does not */
    const struct view view = view_subject_view(show->subject, &view_record_show, all);
    const struct view_rows rows = view_choice_rows(show->choice, &view, view_show_kernels(all));
    if (rows.count)
        cli_view_table(&view, &view_record_kernel, &rows, show->choice, doc);
    else
        cli_doc_note(doc, "no kernel fulfils the conditions");
}
