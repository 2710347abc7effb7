/* report.c - the report of one capture, from the list of pages to the bytes (see media/report.h). */
#include "media/report.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/ranks.h"
#include "core/mem.h"
#include "cover.h"
#include "export.h"
#include "kernels.h"
#include "report_list.h"

/* ---- the sections ---- */

/* Which pages were asked for: names between commas. */
static enum rl_status choose_pages(struct rl_report *report, const char *only, struct rl_err *err)
{
    for (int id = 0; id < RL_PAGE_COUNT; id++)
        report->pages[id].wanted = !only;
    for (const char *p = only; p; p = strchr(p, ',') ? strchr(p, ',') + 1 : NULL) {
        int len = (int)strcspn(p, ","), id = 0;
        while (id < RL_PAGE_COUNT && (strncmp(rl_page_ids[id], p, (size_t)len) != 0 || rl_page_ids[id][len]))
            id++;
        if (id == RL_PAGE_COUNT) {
            struct rl_buf names = RL_BUF_INIT;
            for (id = 0; id < RL_PAGE_COUNT; id++)
                rl_buf_addf(&names, "%s%s", id ? ", " : "", rl_page_ids[id]);
            rl_err_set(err, RL_USAGE, "no section is called '%.*s'; there are %s", len, p, names.data);
            rl_buf_release(&names);
            return RL_USAGE;
        }
        report->pages[id].wanted = true;
    }
    return RL_OK;
}

static enum rl_status list_sections(struct rl_report *report, struct rl_err *err)
{
    const char *only = report->doc->options->only;
    enum rl_status status = choose_pages(report, only, err);
    if (status != RL_OK)
        return status;
    rl_kernels_choose(report);
    rl_report_list(report);
    return report->doc->section_count > 0 ? RL_OK
                                          : rl_err_set(err, RL_USAGE, "the capture has nothing for the sections '%s'", only);
}

/* ---- heads and foot ---- */

static const char *foot_text(struct rl_report *report)
{
    const struct rl_capture *capture = report->capture;
    const char *hash = capture->sha256.hex[0] ? rl_words(report->doc, " · capture %.12s", capture->sha256.hex) : "";
    const char *date = capture->session.started && *capture->session.started
                           ? rl_words(report->doc, "measured %s · ", rl_words_date(report->doc, &capture->session))
                           : "";
    return rl_words(report->doc, "%srooflight %s%s%s", date, report->doc->options->tool_version, hash,
                    report->doc->options->redacted ? " · redacted" : "");
}

/* What the document is about: the program, where one was observed. */
static const char *name_of(struct rl_report *report)
{
    const struct rl_capture *capture = report->capture;
    if (rl_cover_is_of_benchmark(report))
        return "Cases of a benchmark";
    return capture->gpu_count && rl_cover_is_of_program(report, 0) ? rl_cover_program_name(report) : "GPU roofline report";
}

/* What stands above and below all pages. */
static struct rl_running running_of(struct rl_report *report, const char *card)
{
    struct rl_document *doc = report->doc;
    const struct rl_report_options *options = doc->options;
    const char *given = options->title ? rl_words_short(doc, options->title, 100) : "";
    const char *title = *given ? given : name_of(report);
    const bool summary = doc->sections[0].id == RL_PAGE_cover;
    return (struct rl_running){
        .first_title = *given ? given : NULL,
        .first_author = options->author ? rl_words_short(doc, options->author, 100) : NULL,
        .head_left = rl_words(doc, "%s%s", title, summary ? " · summary on page 1" : ""),
        .head_right = card,
        .foot = foot_text(report),
    };
}

static enum rl_status finish_document(struct rl_report *report, struct rl_buf *out, struct rl_err *err)
{
    struct rl_document *doc = report->doc;
    const struct rl_capture *capture = report->capture;
    const struct rl_report_options *options = doc->options;
    const char *card = capture->gpu_count                 ? rl_words_short(doc, capture->gpus[0].name, 80)
                       : rl_cover_is_of_benchmark(report) ? "unknown card"
                                                          : "no GPU";
    const struct rl_running running = running_of(report, card);
    const struct rl_pdf_info info = {
        .title = options->title ? options->title : rl_words(doc, "%s: %s", name_of(report), card),
        .author = options->author,
        .subject = rl_words(doc, "%s measured on %s",
                            rl_cover_is_of_benchmark(report)
                                ? rl_words_count(doc, capture->benchmark_count, "case", "cases")
                                : rl_words_count(doc, capture->kernel_count, "kernel class", "kernel classes"),
                            card),
        .keywords = "GPU, CUDA, roofline, performance",
        .creator = rl_words(doc, "rooflight %s", options->tool_version),
        .created = options->created ? options->created : capture->session.started,
    };
    if (options->attachment)
        rl_document_attach(doc, options->attachment_name ? options->attachment_name : "capture.rlcap",
                           "The capture that this report was made from", options->attachment, options->attachment_len);
    return rl_document_finish(doc, &running, &info, out, err);
}

/* ---- the whole ---- */

static void release(struct rl_report *report)
{
    free(report->stands);
    rl_groups_release(&report->rows_of_gpu);
    rl_groups_release(&report->ranked_of_row);
    free(report->ranked);
    view_subject_free(report->subject);
}

static enum rl_status make(struct rl_report *report, struct rl_buf *out, struct rl_err *err)
{
    struct rl_document *doc = report->doc;
    const struct rl_report_options *options = doc->options;
    enum rl_status status = list_sections(report, err);
    if (status == RL_OK && options->logo)
        status = rl_document_image(doc, options->logo, options->logo_len, err);
    if (status == RL_OK)
        status = rl_document_lay(doc, err);
    if (status != RL_OK)
        return status;
    status = finish_document(report, out, err);
    if (status == RL_OK && options->charts_dir) /* only now is it known that every text had its width */
        status = rl_export_charts(report, err);
    return status;
}

enum rl_status rl_report_make(const struct rl_analysis *analysis, const struct rl_report_options *options, struct rl_buf *out,
                              struct rl_err *err)
{
    assert(analysis && options && options->tool_version && out);
    struct rl_document doc;
    struct rl_report report = {.analysis = analysis, .capture = analysis->capture, .doc = &doc};
    const size_t before = out->len;
    report.subject = view_subject_new("", report.capture, analysis, options->shapes ? RL_FOLD_NONE : RL_FOLD_EACH_GPU);
    report.view = view_subject_view(report.subject, NULL, NULL);
    report.families = report.subject->families;
    report.hidden = report.subject->hidden;
    report.stands = rl_cards_count_equivalent(analysis, report.hidden);
    enum rl_status status = rl_document_open(&doc, &rl_report_kind, &report, options, err);
    if (status == RL_OK)
        status = make(&report, out, err);
    if (status != RL_OK)
        rl_buf_truncate(out, before);
    release(&report);
    rl_document_close(&doc);
    return status;
}

/* ---- what a report needs ---- */

static void set_check(struct rl_report_check *check, const char *name, bool ok, const char *detail, const char *advice)
{
    check->name = name;
    check->ok = ok;
    snprintf(check->detail, sizeof check->detail, "%.255s", detail);
    snprintf(check->advice, sizeof check->advice, "%.255s", ok ? "" : advice);
}

void rl_report_probe(const struct rl_report_options *options, struct rl_report_check checks[RL_REPORT_CHECKS])
{
    struct rl_err err = RL_ERR_INIT;
    struct rl_buf version = RL_BUF_INIT;
    bool ok = rl_gnuplot_probe(options->gnuplot, &version, &err) == RL_OK;
    set_check(&checks[0], "gnuplot", ok, ok ? version.data : err.text, "install gnuplot-nox");
    rl_buf_release(&version);

    struct rl_fonts *fonts = NULL;
    struct rl_buf found = RL_BUF_INIT;
    ok = rl_fonts_open(options->font_dir, &fonts, &err) == RL_OK;
    if (ok)
        rl_buf_addf(&found, "%s, %s", rl_fonts_path(fonts, RL_FONT_REGULAR), rl_fonts_path(fonts, RL_FONT_WIDE));
    rl_fonts_free(fonts);
    set_check(&checks[1], "fonts", ok, ok ? found.data : err.text, "install fonts-roboto-unhinted and fonts-dejavu-core");
    rl_buf_release(&found);
}
