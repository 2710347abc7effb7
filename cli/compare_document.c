/* compare_document.c - the document of `rooflight compare` (see compare.h). */
#include "compare.h"

#include "parts.h"

const char *compare_document_option(const struct compare_document_options *options)
{
    return options->title    ? "title"
           : options->author ? "author"
           : options->notes  ? "notes"
           : options->full   ? "full"
           : options->only   ? "only"
                             : NULL;
}

enum rl_status compare_document_prepare(const struct compare_document_options *options, struct compare *compare, struct rl_err *err)
{
    return options->notes ? rl_read_input(options->notes, CLI_MOST_NOTES, &compare->document_notes, err) : RL_OK;
}

static struct rl_report_options options_of(const struct compare_options *chosen, const struct compare *compare, const char *output)
{
    struct rl_report_options make = {.medium = cli_is_html(output) ? RL_MEDIUM_HTML : RL_MEDIUM_PDF,
                                     .paper = (enum rl_paper)chosen->paper,
                                     .title = chosen->document.title,
                                     .author = chosen->document.author,
                                     .full = chosen->document.full,
                                     .only = chosen->document.only,
                                     .tool_version = CLI_VERSION,
                                     .notes = chosen->document.notes ? compare->document_notes.data : NULL,
                                     .notes_len = compare->document_notes.len,
                                     .redacted = chosen->redact};
    return make;
}

enum rl_status compare_document_write(const struct cli_call *call, const struct compare *compare, const char *output,
                                      struct rl_err *err)
{
    assert(cli_reports);
    const struct rl_report_options make = options_of(call->options, compare, output);
    struct view_compare *subject = compare_subject(compare, &(struct compare_print){.form = COMPARE_JSON});
    RL_SCRATCH pdf = RL_BUF_INIT, size = RL_BUF_INIT;
    enum rl_status status = cli_reports->make_comparison(subject, &make, &pdf, err);
    rl_unit_format_ascii(&size, RL_UNIT_BYTE, (double)pdf.len, 3);
    RL_THEN(status, cli_write_output(call, output, &pdf, size.data, err));
    view_compare_free(subject);
    return status;
}

void compare_document_release(struct compare *compare)
{
    rl_buf_release(&compare->document_notes);
    rl_arena_release(&compare->arena);
}
