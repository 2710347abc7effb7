#include "show.h"

#include "analysis/plan.h"
#include "captures.h"
#include "command.h"
#include "results/brief.h"
#include "results/results.h"
#include "results/source.h"
#include "view_media.h"

/* Prints a result in the form that was asked for; as CSV the rows of one of its lists. */
static void print(const struct show *show, const struct view *view, const struct view_record *record, struct view_rows rows)
{
    struct cli_doc doc = show->doc;
    if (show->format == SHOW_JSON)
        cli_view_document(view, &(struct cli_view_document){0}, doc.out);
    else if (show->format == SHOW_CSV)
        cli_view_csv(view, record, &rows, NULL, NULL, doc.out);
    else
        cli_view_text(view, &(struct cli_view_options){.document = true, .more = "--verbose lists all"}, &doc);
}

static struct view view_of(const struct show *show, const struct view_record *record, const void *row)
{
    struct view view = view_subject_view(show->subject, record, row);
    view.all = show->all;
    return view;
}

/* The value of a counter that was asked for by name; a family of classes has none. */
static void counter_cell(const void *context, const void *row, size_t column, struct rl_buf *out)
{
    const struct rl_analysis *analysis = context;
    const struct rl_counter *counter = view_show_counter(row, analysis->counters[column]);
    if (counter && rl_present(counter->value))
        rl_number_exact(out, counter->value.v);
}

/* Heads of such columns: "dram__bytes_read.sum [B]". Free each, and the array, with free(). */
static char **counter_heads(const struct rl_analysis *analysis)
{
    char **heads = rl_calloc(analysis->counter_count, sizeof *heads);
    for (size_t i = 0; i < analysis->counter_count; i++) {
        struct rl_buf head = RL_BUF_INIT, unit = RL_BUF_INIT;
        rl_counter_unit(analysis->counters[i], &unit);
        rl_buf_addf(&head, "%s%s%s%s", analysis->counters[i], unit.len ? " [" : "", unit.len ? unit.data : "", unit.len ? "]" : "");
        heads[i] = rl_buf_detach(&head, NULL);
        rl_buf_release(&unit);
    }
    return heads;
}

void show_whole(const struct show *show, const struct view_choice *choice, const struct view_told_options *told)
{
    struct cli_doc doc = show->doc;
    if (show->format != SHOW_JSON && show->format != SHOW_CSV && !choice) {
        struct view_told *page = view_told_new(show->subject, told);
        struct view view = view_of(show, &view_record_told, page);
        view.has_said = view_told_has_said;
        const size_t start = doc.out->len;
        cli_view_text(&view, &(struct cli_view_options){.document = true, .more = "--verbose lists them"}, &doc);
        if (!show->whole && doc.style == CLI_DOC_TERMINAL)
            cli_view_shorten(&doc, start);
        view_told_free(page);
        return;
    }
    struct view_show *data = view_show_new(show->subject);
    const struct view view = view_subject_view(show->subject, &view_record_show, data);
    if (show->format == SHOW_JSON) {
        cli_view_document(&view, &(struct cli_view_document){.choice = choice, .chosen = &view_record_kernel}, doc.out);
        return;
    }
    const struct view_rows rows = view_choice_rows(choice, &view, view_show_kernels(data));
    if (show->format == SHOW_CSV) {
        /* Columns that were chosen, all columns, or those that people ask for most; but for the first, counters by name, too. */
        const struct rl_analysis *analysis = show->subject->analysis;
        char **heads = counter_heads(analysis);
        const struct cli_csv_beside beside = {(const char *const *)heads, analysis->counter_count, counter_cell, analysis};
        const bool chosen = view_choice_has_columns(choice);
        struct view_choice *usual = NULL;
        struct rl_err err = RL_ERR_INIT;
        if (!chosen && !show->all_columns) {
            const enum rl_status status =
                view_choice_new(&view_record_kernel, &(struct view_choice_texts){.columns = view_kernel_csv_columns}, &usual, &err);
            assert(status == RL_OK); /* a text of ours */
        }
        cli_view_csv(&view, &view_record_kernel, &rows, chosen ? choice : usual, chosen ? NULL : &beside, show->doc.out);
        view_choice_free(usual);
        for (size_t i = 0; i < beside.count; i++)
            free(heads[i]);
        free(heads);
    } else if (rows.count)
        cli_view_table(&view, &view_record_kernel, &rows, choice, &doc);
    else
        cli_doc_note(&doc, "no kernel fulfils the conditions");
}

static enum rl_status no_match(const struct show *show, const char *typed, struct rl_err *err)
{
    return rl_err_set(err, RL_USAGE, "no kernel of %s matches '%s'; 'rooflight show --brief' lists the kernels",
                      show->subject->name, typed);
}

enum rl_status show_brief(const struct show *show, const char *only, const char *typed, struct rl_err *err)
{
    regex_t regex;
    RL_TRY(only ? cli_expression("--kernel", only, &regex, err) : RL_OK);
    enum rl_status status = RL_OK;
    const struct view_brief *brief = view_brief_new(show->subject, only ? &regex : NULL);
    const struct view view = view_subject_view(show->subject, &view_record_brief, brief);
    if (only && view_brief_count(brief) == 0)
        status = no_match(show, typed, err);
    else
        print(show, &view, NULL, (struct view_rows){0});
    if (only)
        regfree(&regex);
    return status;
}

enum rl_status show_source(const struct show *show, const char *only, struct rl_err *err)
{
    regex_t regex;
    RL_TRY(cli_expression("--source", only, &regex, err));
    enum rl_status status = RL_OK;
    const struct view_source *source = view_source_new(show->subject, &regex);
    const struct view view = view_of(show, &view_record_source, source);
    if (view_source_matching(source) == 0)
        status = no_match(show, only, err);
    else
        print(show, &view, &view_record_source_line, view_source_lines(source));
    regfree(&regex);
    return status;
}

void show_timeline(const struct show *show, bool gaps)
{
    const struct view view = view_of(show, gaps ? &view_record_gaps : &view_record_timeline, show->subject);
    const bool lists = show->format == SHOW_CSV;
    print(show, &view, gaps ? &view_record_gap : &view_record_timeline_bin,
          !lists ? (struct view_rows){0}
          : gaps ? view_gaps(&view)
                 : view_timeline_bins(&view));
}

void show_cases(const struct show *show)
{
    const struct view view = view_of(show, &view_record_cases, show->subject->cases);
    print(show, &view, &view_record_case, view_cases(&view));
}

enum rl_status show_brief_of(const struct cli_call *call, const char *path, const char *only, struct rl_err *err)
{
    struct rl_capture *capture = NULL;
    struct rl_analysis *analysis;
    RL_SCRATCH bytes = RL_BUF_INIT;
    RL_TRY(cli_read_capture(path, &bytes, &capture, err));
    const struct show show = {
        .subject = view_subject_analyse(path, capture, RL_FOLD_ALIKE, &analysis),
        .doc = {.out = call->out, .style = CLI_DOC_TERMINAL, .width = call->terminal.width, .bold = call->terminal.bold}};
    enum rl_status status = show_brief(&show, only, only, err);
    view_subject_free(show.subject);
    rl_analysis_free(analysis);
    rl_capture_free(capture);
    return status;
}
