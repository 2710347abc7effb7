/* show_source.c - where the warps of chosen kernels stood, and why. */
#include "expression.h"
#include "results/source.h"
#include "show.h"
#include "view_csv.h"
#include "view_json.h"
#include "view_text.h"

static void print(const struct show *show, const struct view_source *source, struct cli_doc *doc)
{
    struct view view = view_subject_view(show->subject, &view_record_source, source);
    view.all = show->verbose;
    cli_view_text(&view, &(struct cli_view_options){.document = true, .more = "--verbose lists all"}, doc);
}

static void write(const struct show *show, const struct view_source *source, bool csv, struct rl_buf *out)
{
    const struct view view = view_subject_view(show->subject, &view_record_source, source);
    const struct view_rows lines = view_source_lines(source);
    if (csv)
        cli_view_csv(&view, &view_record_source_line, &lines, NULL, NULL, out);
    else
        cli_view_document(&view, &(struct cli_view_document){0}, out);
}

enum rl_status show_source(const struct show *show, const char *only, bool csv, struct cli_doc *doc, struct rl_buf *out,
                           struct rl_err *err)
{
    regex_t regex;
    enum rl_status status = cli_expression("--source", only, &regex, err);
    if (status != RL_OK)
        return status;
    const struct view_source *source = view_source_new(show->subject, &regex);
    if (view_source_matching(source) == 0)
        status =
            rl_err_set(err, RL_USAGE, "no kernel of %s matches '%s'; 'rooflight show --brief' lists the kernels", show->path, only);
    else if (doc)
        print(show, source, doc);
    else
        write(show, source, csv, out);
    regfree(&regex);
    return status;
}
