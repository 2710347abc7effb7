/* show_brief.c - a capture in few lines. */
#include "captures.h"
#include "command.h"
#include "expression.h"
#include "results/brief.h"
#include "show.h"
#include "view_json.h"
#include "view_text.h"

static void print(const struct show *show, const struct view_brief *brief, struct cli_doc *doc, struct rl_buf *out)
{
    const struct view view = view_subject_view(show->subject, &view_record_brief, brief);
    if (doc)
        cli_view_text(&view, &(struct cli_view_options){.document = true}, doc);
    else
        cli_view_document(&view, &(struct cli_view_document){0}, out);
}

enum rl_status show_brief(const struct show *show, const char *only, const char *typed, struct cli_doc *doc, struct rl_buf *out,
                          struct rl_err *err)
{
    regex_t regex;
    enum rl_status status = only ? cli_expression("--kernel", only, &regex, err) : RL_OK;
    if (status != RL_OK)
        return status;
    const struct view_brief *brief = view_brief_new(show->subject, only ? &regex : NULL);
    if (only && view_brief_count(brief) == 0)
        status = rl_err_set(err, RL_USAGE, "no kernel of %s matches '%s'; 'rooflight show --brief' lists the kernels", show->path,
                            typed);
    else
        print(show, brief, doc, out);
    if (only)
        regfree(&regex);
    return status;
}

enum rl_status show_brief_of(const struct cli_call *call, const char *path, struct rl_err *err)
{
    struct rl_capture *capture = NULL;
    struct rl_buf bytes = RL_BUF_INIT;
    enum rl_status status = cli_read_capture(path, &bytes, &capture, err);
    rl_buf_release(&bytes);
    if (status != RL_OK)
        return status;
    struct cli_doc doc = {.out = call->out, .style = CLI_DOC_TERMINAL, .width = call->terminal.width, .bold = call->terminal.bold};
    struct show show;
    show_init(&show, path, capture, false);
    status = show_brief(&show, NULL, NULL, &doc, call->out, err);
    show_release(&show);
    rl_capture_free(capture);
    return status;
}
