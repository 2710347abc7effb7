/* fleet.c - `rooflight compare --fleet`, from the files to the exit status (see fleet.h). */
#include "fleet.h"

#include "core/fs.h"
#include "output.h"
#include "parts.h"
#include "results/fleet.h"
#include "view_csv.h"
#include "view_json.h"
#include "view_text.h"

static void print(const struct cli_call *call, const struct rl_fleet *fleet, const struct cli_fleet_options *options)
{
    const enum cli_fleet_format format = options->format;
    const bool markdown = format == CLI_FLEET_MARKDOWN;
    const struct view_fleet subject = {.fleet = fleet, .times = call->verbose};
    struct rl_arena arena = RL_ARENA_INIT;
    const struct view view = view_fleet_view(&subject, &arena);
    if (format == CLI_FLEET_JSON) {
        cli_view_document(&view, &(struct cli_view_document){0}, call->out);
    } else if (format == CLI_FLEET_CSV) {
        const struct view_rows rows = view_fleet_tickets(&view);
        cli_view_csv(&view, &view_record_fleet_ticket, &rows, NULL, NULL, call->out);
    } else if (format == CLI_FLEET_VALUES) {
        const struct view_rows rows = view_fleet_values(&view);
        cli_view_csv(&view, &view_record_fleet_value, &rows, NULL, NULL, call->out);
    } else {
        struct cli_doc doc = {.out = call->out,
                              .style = markdown ? CLI_DOC_MARKDOWN : CLI_DOC_TERMINAL,
                              .width = markdown ? 0 : call->terminal.width,
                              .bold = call->terminal.bold};
        cli_view_text(&view, &(struct cli_view_options){.document = true}, &doc);
    }
    rl_arena_release(&arena);
}

static enum rl_status make_document(const struct cli_call *call, const struct rl_fleet *fleet,
                                    const struct cli_fleet_options *options, struct rl_err *err)
{
    struct rl_report_options make = {.medium = cli_is_html(options->output) ? RL_MEDIUM_HTML : RL_MEDIUM_PDF,
                                     .paper = (enum rl_paper)options->paper,
                                     .tool_version = CLI_VERSION,
                                     .redacted = options->redact};
    struct rl_buf pdf = RL_BUF_INIT;
    enum rl_status status = cli_reports->make_fleet(fleet, &make, &pdf, err);
    if (status == RL_OK)
        status = cli_write_output(call, options->output, &pdf, NULL, err);
    rl_buf_release(&pdf);
    return status;
}

static enum rl_status judge(const struct rl_fleet *fleet, const struct cli_fleet_options *options, struct rl_err *err)
{
    struct rl_buf answer = RL_BUF_INIT;
    enum rl_status status = RL_OK;
    rl_fleet_summary_text(fleet, &answer);
    if (options->fail_on_outlier && fleet->slower_count > 0)
        status = rl_err_set(err, RL_REGRESSION, "%s", answer.data);
    rl_buf_release(&answer);
    return status;
}

static enum rl_status make_all(const struct cli_call *call, const struct cli_fleet_options *options, const struct cli_files *files,
                               const struct rl_fleet *fleet, struct rl_err *err)
{
    enum rl_status status = RL_OK;
    if (fleet->compared + fleet->links == 0)
        return rl_err_set(err, RL_FAILED, "nothing to compare in %zu file(s)%s%s", files->count, fleet->unread_count ? ": " : "",
                          fleet->unread_count ? fleet->unread[0].why : "");
    if (!cli_stdout_is_taken(call))
        print(call, fleet, options);
    status = options->document ? make_document(call, fleet, options, err) : cli_redirect_result(call, options->output, err);
    return status == RL_OK ? judge(fleet, options, err) : status;
}

static enum rl_status run(const struct cli_call *call, const struct cli_fleet_options *options, const struct cli_files *files,
                          struct rl_err *err)
{
    struct rl_fleet_options rules = {.least = options->least};
    struct rl_fleet *fleet = rl_fleet_new(&rules);
    struct cli_redaction redaction;
    if (options->redact) { /* one key for all captures, made of the first; where it cannot be read there is nothing to tell of it */
        struct rl_buf bytes = RL_BUF_INIT;
        (void)rl_read_file(files->paths[0], RL_CAPTURE_MAX_BYTES, &bytes, NULL);
        cli_redaction_init(&redaction, options->pseudonyms, &bytes);
        rl_buf_release(&bytes);
    }
    cli_fleet_read(call, files, options->redact ? &redaction : NULL, fleet);
    if (options->redact)
        rl_fleet_redact(fleet);
    rl_fleet_finish(fleet);
    for (size_t i = 0; i < fleet->unread_count; i++)
        cli_detail(call, "not read: %s", fleet->unread[i].why);
    const enum rl_status status = make_all(call, options, files, fleet, err);
    rl_fleet_free(fleet);
    return status;
}

enum rl_status cli_fleet_run(const struct cli_call *call, const struct cli_fleet_options *options, struct rl_err *err)
{
    struct cli_files files = {0};
    enum rl_status status = RL_OK;
    if (options->document && !cli_reports) /* before the long work */
        status = rl_err_set(err, RL_UNSUPPORTED, "%s", cli_no_reports);
    if (status == RL_OK)
        status = cli_files_find(call->operands, call->operand_count, &files, err);
    if (status == RL_OK)
        status = cli_declare_files(call, (const char *const *)files.paths, files.count, err);
    if (status == RL_OK)
        status = run(call, options, &files, err);
    cli_files_release(&files);
    return status;
}
