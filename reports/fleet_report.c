/* fleet_report.c - the document about a fleet, from its charts to the bytes (see reports/fleet.h). */
#include "reports/fleet.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "fleet_doc.h"

/* ---- words ---- */

static const char *keep(struct rl_fleet_doc *doc, struct rl_buf *text)
{
    const char *kept = rl_words(&doc->words, "%s", text->data);
    rl_buf_release(text);
    return kept;
}

const char *rl_fleet_words_share(struct rl_fleet_doc *doc, double deviation)
{
    const char *share = rl_words_value(&doc->words, RL_UNIT_FRACTION, rl_value_of(fabs(rl_fleet_share(deviation))), 2);
    return rl_words(&doc->words, "%s %s", share, deviation > 0 ? "slower" : "faster");
}

const char *rl_fleet_words_who(struct rl_fleet_doc *doc, size_t record)
{
    struct rl_buf text = RL_BUF_INIT;
    rl_fleet_who(doc->fleet->records[record], &text);
    return keep(doc, &text);
}

const char *rl_fleet_words_what(struct rl_fleet_doc *doc, const struct rl_fleet_suspect *suspect)
{
    struct rl_buf text = RL_BUF_INIT;
    rl_fleet_what(doc->fleet, suspect, &text);
    return keep(doc, &text);
}

const char *rl_fleet_words_why(struct rl_fleet_doc *doc, const struct rl_fleet_suspect *suspect)
{
    struct rl_buf text = RL_BUF_INIT;
    rl_fleet_why(doc->fleet, suspect, &text);
    return keep(doc, &text);
}

const char *rl_fleet_words_answer(struct rl_fleet_doc *doc)
{
    struct rl_buf text = RL_BUF_INIT;
    rl_fleet_answer(doc->fleet, &text);
    return keep(doc, &text);
}

const char *rl_fleet_words_of(struct rl_fleet_doc *doc)
{
    const struct rl_fleet *fleet = doc->fleet;
    const char *gpus = rl_words_count(&doc->words, fleet->compared, "GPU", "GPUs");
    const char *links = rl_words_count(&doc->words, fleet->links, "link", "links");
    if (!fleet->compared)
        return links;
    return fleet->links ? rl_words(&doc->words, "%s and %s", gpus, links) : gpus;
}

void rl_fleet_section(struct rl_fleet_doc *doc, size_t target, const char *title)
{
    rl_layout_notes(doc->layout);
    rl_layout_page(doc->layout);
    rl_layout_bookmark(doc->layout, RL_PDF_NO_PARENT, title);
    rl_layout_bind(doc->layout, target);
    rl_layout_section(doc->layout, title);
}

/* ---- the document ---- */

/* Files that were given. Records are sorted by path; of a file with several, what is said of it is not counted again. */
static size_t count_files(const struct rl_fleet *fleet)
{
    size_t count = 0, record = 0;
    for (size_t i = 0; i < fleet->record_count; i++)
        count += i == 0 || strcmp(fleet->records[i]->path, fleet->records[i - 1]->path) != 0;
    for (size_t i = 0; i < fleet->unread_count; i++) {
        const char *path = fleet->unread[i].path;
        while (record < fleet->record_count && strcmp(fleet->records[record]->path, path) < 0)
            record++;
        bool known = record < fleet->record_count && strcmp(fleet->records[record]->path, path) == 0;
        count += !known && (i == 0 || strcmp(fleet->unread[i - 1].path, path) != 0);
    }
    return count;
}

static const char *newest(const struct rl_fleet *fleet)
{
    const char *latest = "";
    for (size_t i = 0; i < fleet->record_count; i++)
        if (strcmp(fleet->records[i]->started, latest) > 0)
            latest = fleet->records[i]->started;
    return latest;
}

static void finish(struct rl_fleet_doc *doc, size_t home)
{
    const struct rl_fleet *fleet = doc->fleet;
    const char *version = doc->document.options->tool_version;
    const char *title = rl_words(&doc->words, "Fleet of %s", rl_fleet_words_of(doc));
    struct rl_running running = {
        "GPU fleet report · summary on page 1", title,
        rl_words(&doc->words, "%s · rooflight %s%s",
                 rl_words_count(&doc->words, count_files(fleet), "capture", "captures"), version,
                 doc->document.options->redacted ? " · redacted" : "")};
    struct rl_pdf_info info = {
        .title = rl_words(&doc->words, "GPU fleet report: %s", title),
        .subject = rl_fleet_words_answer(doc),
        .keywords = "GPU, CUDA, fleet, acceptance, outliers",
        .creator = rl_words(&doc->words, "rooflight %s", version),
        .created = newest(fleet)};
    rl_layout_finish(doc->layout, &running, home);
    rl_pdf_set_info(doc->document.pdf, &info);
}

static void draw_pages(struct rl_fleet_doc *doc)
{
    size_t *const targets[] = {&doc->tickets, &doc->ceilings, &doc->times, &doc->groups, &doc->captures, &doc->method};
    size_t home = rl_layout_target(doc->layout);
    for (size_t i = 0; i < RL_COUNT(targets); i++)
        *targets[i] = rl_layout_target(doc->layout);
    rl_layout_page(doc->layout);
    rl_layout_bookmark(doc->layout, RL_PDF_NO_PARENT, "Summary");
    rl_layout_bind(doc->layout, home);
    rl_fleet_draw_cover(doc);
    if (doc->fleet->suspect_count)
        rl_fleet_draw_tickets(doc);
    rl_fleet_draw_figures(doc);
    rl_fleet_draw_groups(doc);
    rl_fleet_draw_captures(doc);
    rl_fleet_draw_method(doc);
    rl_layout_notes(doc->layout);
    finish(doc, home);
}

enum rl_status rl_fleet_report_make(const struct rl_fleet *fleet, const struct rl_report_options *options, struct rl_buf *out,
                                    struct rl_err *err)
{
    assert(fleet->compared + fleet->links > 0 && options->tool_version);
    struct rl_fleet_doc doc = {.fleet = fleet};
    enum rl_status status = rl_document_open(&doc.document, options, err);
    if (status != RL_OK)
        goto done;
    doc.layout = doc.document.layout;
    doc.words = (struct rl_report){.options = options, .layout = doc.layout, .arena = rl_layout_arena(doc.layout)};
    rl_fleet_plan(&doc);
    status = rl_document_draw(&doc.document, doc.charts, doc.chart_count, &doc.results, err);
    if (status != RL_OK)
        goto done;
    draw_pages(&doc);
    status = rl_pdf_finish(doc.document.pdf, out, err);
done:
    rl_document_release_charts(doc.results, doc.chart_count);
    free(doc.charts);
    free(doc.shown);
    rl_document_close(&doc.document);
    return status;
}
