/* report.c - the report of one capture, from the list of pages to the bytes (see reports/report.h). */
#include "reports/report.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/ranks.h"
#include "core/mem.h"
#include "document.h"
#include "export.h"
#include "kernels.h"
#include "page.h"

#define CAPTURE_TYPE "application/vnd.sqlite3"

/* ---- planning ---- */

struct rl_chart *rl_report_chart(struct rl_report *report, struct rl_section *section, enum rl_chart_kind kind)
{
    RL_GROW(report->charts, report->chart_count + 1, report->chart_cap);
    struct rl_chart *chart = &report->charts[report->chart_count++];
    *chart = (struct rl_chart){.kind = kind, .width = rl_layout_columns(report->layout, 0, 12).width};
    assert(section->first_chart + section->chart_count == report->chart_count - 1);
    section->chart_count++;
    return chart;
}

const struct rl_chart_result *rl_report_result(const struct rl_report *report, const struct rl_section *section, size_t index)
{
    assert(index < section->chart_count);
    return &report->results[section->first_chart + index];
}

static void add_section(struct rl_report *report, enum rl_page_id id, size_t instance)
{
    struct rl_buf title = RL_BUF_INIT;
    RL_GROW(report->sections, report->section_count + 1, report->section_cap);
    struct rl_section *section = &report->sections[report->section_count++];
    *section = (struct rl_section){.id = id, .instance = instance, .target = rl_layout_target(report->layout)};
    if (rl_pages[id]->title)
        rl_pages[id]->title(report, section, &title);
    else
        rl_page_title(report, section, &title);
    section->title = rl_arena_strdup(report->arena, title.data);
    rl_buf_release(&title);
}

/* Which pages were asked for: names between commas. */
static enum rl_status choose_pages(const char *only, bool wanted[RL_PAGE_COUNT], struct rl_err *err)
{
    for (int id = 0; id < RL_PAGE_COUNT; id++)
        wanted[id] = !only;
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
        wanted[id] = true;
    }
    return RL_OK;
}

static enum rl_status plan(struct rl_report *report, struct rl_err *err)
{
    bool wanted[RL_PAGE_COUNT];
    enum rl_status status = choose_pages(report->options->only, wanted, err);
    if (status != RL_OK)
        return status;
    rl_kernels_choose(report);
    rl_pages_find(report);
    for (int id = 0; id < RL_PAGE_COUNT; id++) {
        const size_t count = wanted[id] ? rl_page_count(report, (enum rl_page_id)id) : 0;
        report->pages[id].first = report->section_count;
        for (size_t i = 0; i < count; i++)
            add_section(report, (enum rl_page_id)id, i);
        report->pages[id].count = count;
    }
    if (report->section_count == 0)
        return rl_err_set(err, RL_USAGE, "the capture has nothing for the sections '%s'", report->options->only);
    for (size_t i = 0; i < report->section_count; i++) {
        struct rl_section *section = &report->sections[i];
        section->first_chart = report->chart_count;
        if (rl_pages[section->id]->plan)
            rl_pages[section->id]->plan(report, section);
    }
    return RL_OK;
}

/* ---- drawing ---- */

/* Above what goes on below another page; less in short documents, where much does. */
#define BETWEEN_PAGES 20.0
#define BETWEEN_SHORT 4.0

/* Free points with which a page goes on below the one before; 0: it does not. */
static double joins_at(const struct rl_report *report, const struct rl_page *page)
{
    if (!rl_report_short(report))
        return page->joins;
    return page->room > 0 ? page->room : RL_SHORT_ROOM;
}

/* Pages about one GPU each stand below each other where they are short: the next takes about as much room as the one before,
 * `taken`. */
static bool joins_its_like(const struct rl_report *report, size_t index, double taken)
{
    const struct rl_section *section = &report->sections[index];
    return section->id == section[-1].id && !rl_pages[section->id]->title &&
           rl_layout_room(report->layout) >= taken + 2 * BETWEEN_PAGES;
}

static void begin_section(struct rl_report *report, size_t index, double taken)
{
    const struct rl_page *page = rl_pages[report->sections[index].id];
    double joins = joins_at(report, page), between = rl_report_short(report) ? BETWEEN_SHORT : BETWEEN_PAGES;
    const bool room = index > 0 && joins > 0 && rl_layout_room(report->layout) >= joins + between;
    if (index == 0 || !(room || joins_its_like(report, index, taken))) {
        rl_layout_page(report->layout);
    } else {
        rl_layout_set_frame(report->layout, rl_layout_columns(report->layout, 0, 12));
        rl_layout_skip(report->layout, between);
    }
}

/* Draws a section; returns the room that it took, infinite if more than a page. */
static double draw_section(struct rl_report *report, struct rl_section *section, size_t group)
{
    const size_t pages = rl_pdf_page_count(rl_layout_pdf(report->layout));
    const double top = rl_layout_y(report->layout);
    section->bookmark = rl_layout_bookmark(report->layout, group, section->title);
    rl_layout_bind(report->layout, section->target);
    rl_pages[section->id]->draw(report, section);
    rl_layout_notes(report->layout); /* those that a page has left open */
    return rl_pdf_page_count(rl_layout_pdf(report->layout)) == pages ? top - rl_layout_y(report->layout) : INFINITY;
}

static void draw_pages(struct rl_report *report)
{
    size_t group = RL_PDF_NO_PARENT;
    double taken = INFINITY;
    for (size_t i = 0; i < report->section_count; i++) {
        const struct rl_section *section = &report->sections[i];
        begin_section(report, i, taken);
        if (!rl_pages[section->id]->title)
            group = RL_PDF_NO_PARENT;
        else if (section->instance == 0) /* these pages stand together below one bookmark */
            group = rl_layout_bookmark(report->layout, RL_PDF_NO_PARENT, rl_page_titles[section->id]);
        taken = draw_section(report, &report->sections[i], group);
    }
}

static const char *foot_text(struct rl_report *report)
{
    const struct rl_capture *capture = report->capture;
    const char *hash = capture->sha256.hex[0] ? rl_words(report, " · capture %.12s", capture->sha256.hex) : "";
    static const char *const signature[] = {[RL_UNSIGNED] = "", [RL_SIGNED] = " · signed", [RL_BROKEN] = " · signature BROKEN"};
    return rl_words(report, "measured %s · rooflight %s%s%s%s", rl_words_date(report), report->options->tool_version, hash,
                    signature[rl_capture_signed(capture)], report->options->redacted ? " · redacted" : "");
}

static void finish_document(struct rl_report *report)
{
    const struct rl_capture *capture = report->capture;
    const struct rl_report_options *options = report->options;
    const char *card = capture->gpu_count ? rl_words_short(report, capture->gpus[0].name, 80) : "no GPU";
    const char *title = options->title ? rl_words_short(report, options->title, 100) : "GPU roofline report";
    bool summary = report->sections[0].id == RL_PAGE_cover;
    const char *broken = rl_capture_signed(capture) == RL_BROKEN ? "SIGNATURE BROKEN" : "";
    const char *given = options->title ? title : "";
    struct rl_running running = {
        .first_title = *broken || *given ? rl_words(report, "%s%s%s", broken, *broken && *given ? " · " : "", given) : NULL,
        .first_author = options->author ? rl_words_short(report, options->author, 100) : NULL,
        .head_left = rl_words(report, "%s%s%s%s", broken, *broken ? " · " : "", title, summary ? " · summary on page 1" : ""),
        .head_right = card,
        .foot = foot_text(report),
    };
    rl_layout_finish(report->layout, &running, report->sections[0].target);
    struct rl_pdf_info info = {
        .title = options->title ? options->title : rl_words(report, "GPU roofline report: %s", card),
        .author = options->author,
        .subject = rl_words(report, "%s measured on %s",
                            rl_words_count(report, capture->kernel_count, "kernel class", "kernel classes"), card),
        .keywords = "GPU, CUDA, roofline, performance",
        .creator = rl_words(report, "rooflight %s", options->tool_version),
        .created = options->created ? options->created : capture->session.started,
    };
    rl_pdf_set_info(rl_layout_pdf(report->layout), &info);
    if (options->attachment)
        rl_pdf_attach(rl_layout_pdf(report->layout), options->attachment_name ? options->attachment_name : "capture.rlcap",
                      "The capture that this report was made from", CAPTURE_TYPE, options->attachment, options->attachment_len);
}

static void release(struct rl_report *report)
{
    rl_document_release_charts(report->results, report->chart_count);
    free(report->charts);
    free(report->sections);
    free(report->hidden);
    free(report->stands);
    rl_groups_release(&report->rows_of_gpu);
    rl_groups_release(&report->ranked_of_row);
    rl_families_free(report->families);
    free(report->ranked);
}

enum rl_status rl_report_make(const struct rl_analysis *analysis, const struct rl_report_options *options, struct rl_buf *out,
                              struct rl_err *err)
{
    assert(analysis && options && options->tool_version && out);
    struct rl_report report = {.analysis = analysis, .capture = analysis->capture, .options = options};
    struct rl_document document;
    const size_t before = out->len;
    report.hidden = rl_ranks_hidden(report.capture);
    report.stands = rl_cards_stand_for(analysis, report.hidden);
    enum rl_status status = rl_document_open(&document, options, err);
    if (status != RL_OK)
        goto done;
    report.layout = document.layout;
    report.arena = rl_layout_arena(report.layout);
    status = plan(&report, err);
    if (status == RL_OK)
        status = rl_document_draw(&document, report.charts, report.chart_count, &report.results, err);
    if (status == RL_OK && options->logo)
        status = rl_pdf_image_read(document.pdf, options->logo, options->logo_len, err);
    if (status != RL_OK)
        goto done;
    draw_pages(&report);
    finish_document(&report);
    status = rl_pdf_finish(document.pdf, out, err);
    if (status == RL_OK && options->charts_dir) /* only now is it known that every text had its width */
        status = rl_export_charts(&report, document.fonts, err);
    if (status != RL_OK)
        rl_buf_truncate(out, before);
done:
    release(&report);
    rl_document_close(&document);
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
    ok = rl_fonts_open(options->font_dir, &fonts, &err) == RL_OK;
    rl_fonts_free(fonts);
    set_check(&checks[1], "fonts", ok, ok ? "Roboto, DejaVu" : err.text, "install fonts-roboto-unhinted and fonts-dejavu-core");

    char *folder = rl_document_templates(options->template_dir);
    set_check(&checks[2], "templates", folder, folder ? folder : "the chart templates were not found",
              "reinstall rooflight, or run it from its build folder");
    free(folder);
}
