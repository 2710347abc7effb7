/* show_timeline.c - what the GPUs of a program did over time, and why no kernel ran. */
#include "results/timeline.h"
#include "show.h"
#include "view_csv.h"
#include "view_json.h"
#include "view_text.h"

static void write_rows(const struct view *view, const struct view_over_time *over, bool gaps, struct rl_buf *out)
{
    const struct view_rows rows = gaps ? view_gaps(over) : view_timeline_bins(view, over);
    cli_view_csv(view, gaps ? &view_record_gap : &view_record_timeline_bin, &rows, NULL, NULL, out);
}

void show_timeline(const struct show *show, bool gaps, bool csv, struct cli_doc *doc, struct rl_buf *out)
{
    const struct view_over_time *over = view_over_time_new(show->subject);
    struct view view = view_subject_view(show->subject, gaps ? &view_record_gaps : &view_record_timeline, over);
    view.all = show->verbose;
    if (doc)
        cli_view_text(&view, &(struct cli_view_options){.document = true, .more = "--verbose lists all"}, doc);
    else if (csv)
        write_rows(&view, over, gaps, out);
    else
        cli_view_document(&view, &(struct cli_view_document){0}, out);
}
