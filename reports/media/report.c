/* report.c - the report of one capture, from the list of pages to the bytes (see media/report.h). */
#include "media/report.h"

#include <ctype.h>

#include "cover.h"
#include "experiment.h"

/* ---- the list ---- */

#define PAGE(id, title) extern const struct rl_page rl_page_##id;
#include "pages.def"

const struct rl_section_kind rl_pages[RL_PAGE_COUNT] = {
#define PAGE(id, title) [RL_PAGE_##id] = {#id, title, &rl_page_##id},
#include "pages.def"
};

/* Whether the block of a kernel has everything that a roofline of all would show. */
static bool has_one_kernel(const struct rl_report *report)
{
    size_t most = 0;
    for (size_t gpu = 0; gpu < report->capture->gpu_count; gpu++)
        most = rl_kernel_blocks_of(report, gpu)->count > most ? rl_kernel_blocks_of(report, gpu)->count : most;
    return most == 1;
}

/* Pages without a decision, which only the whole report of a program has; of a suite, whose variants are slow on purpose, findings
 * about them are no advice. */
static bool is_left_out(const struct rl_report *report, enum rl_page_id id)
{
    static const bool of_program[RL_PAGE_COUNT] = {[RL_PAGE_device] = true,
                                                   [RL_PAGE_ceilings] = true,
                                                   [RL_PAGE_findings] = true,
                                                   [RL_PAGE_method] = true,
                                                   [RL_PAGE_glossary] = true};
    if (rl_report_is_of_program(report))
        return of_program[id] || (id == RL_PAGE_roofline && has_one_kernel(report)) ||
               (id == RL_PAGE_program && rl_timelines_shown(report) > 0);
    return rl_report_is_of_suite(report) && (id == RL_PAGE_findings || id == RL_PAGE_kernels);
}

static size_t instances(const struct rl_document *doc, size_t id)
{
    const struct rl_report *report = doc->subject;
    if (rl_page_nothing.count(doc) && !doc->options->only && id != RL_PAGE_nothing && id != RL_PAGE_notes)
        return 0; /* one page says all, unless the reader asks for others */
    const struct rl_page *page = rl_pages[id].page;
    if (rl_report_is_of_published(report) && id != RL_PAGE_published && id != RL_PAGE_notes)
        return 0;
    if (is_left_out(report, (enum rl_page_id)id))
        return 0;
    return page->each_gpu ? report->pages[id].gpu_count : page->count ? page->count(doc) : 1;
}

/* ---- what they are called ---- */

/* Sections about a GPU with the rank behind it, where the capture has ranks, or the GPU's number, where it has several; their
 * headings then with the GPU's name. */
static void entitle(struct rl_document *doc, struct rl_section *section)
{
    const struct rl_report *report = doc->subject;
    const struct rl_capture *capture = report->capture;
    if (!section->page->each_gpu || capture->gpu_count < 2)
        return;
    const size_t gpu = rl_page_gpu(report, section->id, section->instance);
    const struct rl_index *index = &report->analysis->index;
    struct rl_buf title = RL_BUF_IN(doc->arena);
    rl_buf_adds(&title, section->title);
    if (!index->has_ranks)
        rl_buf_addf(&title, ", GPU %d", capture->gpus[gpu].index);
    else if (index->rank_of_gpu[gpu]) {
        /* ", rank 3": whose GPU a section is about; of a GPU like those of other ranks all of these. */
        const char *const *ranks = report->analysis->index.rank_of_gpu, *last = NULL;
        struct rl_buf names = RL_BUF_IN(report->doc->arena);
        size_t count = 0;
        for (size_t i = 0; i < report->capture->gpu_count; i++) {
            if (!ranks[i] || (last && strcmp(ranks[i], last) == 0) ||
                !(section->id == RL_PAGE_device ? rl_page_covers_gpu(report, gpu, i) : i == gpu))
                continue;
            last = ranks[i];
            rl_buf_addf(&names, "%s%.12s", count++ ? ", " : "", last);
        }
        rl_buf_addf(&title, ", rank%s %s", count > 1 ? "s" : "", names.data);
    }
    section->title = section->heading = title.data;
    if (!index->has_ranks && section->id != RL_PAGE_device) /* which says below what GPU it is */
        section->heading = rl_words(doc, "%s: %s", section->title, rl_words_card(capture, gpu));
}

/* ---- where they stand ---- */

#define SUITE_CHART 88.0 /* the heading and the caption of a suite's roofline */

static double room(const struct rl_document *doc, const struct rl_section *section)
{
    if (section->id == RL_PAGE_experiment && rl_report_is_of_suite(doc->subject))
        return rl_experiment_room(doc, section);
    if (section->id == RL_PAGE_roofline && rl_report_is_of_suite(doc->subject))
        return SUITE_CHART + (section->chart_count ? rl_document_result(doc, section, 0)->drawing.height : 0);
    if (rl_report_is_of_program(doc->subject) && section->page->fills > 0 && !rl_layout_is_filled(doc->layout))
        return section->page->fills;
    return section->page->joins;
}

/* ---- charts as files ---- */

enum { LONGEST_NAME = 40 };

/* "experiment-coalescing": page, title unless it is the page's own, GPU when there are several. */
static void add_base(const struct rl_report *report, const struct rl_section *section, struct rl_buf *name)
{
    rl_buf_adds(name, rl_pages[section->id].id);
    if (section->page->title) {
        rl_buf_addch(name, '-');
        /* Letters and figures of a title, the rest as dashes: nothing of a capture decides where a file goes. */
        size_t start = name->len;
        for (const char *p = section->title; *p && name->len - start < LONGEST_NAME; p++) {
            bool plain = isalnum((unsigned char)*p) || *p == '_';
            if (plain)
                rl_buf_addch(name, (char)tolower((unsigned char)*p));
            else if (name->len > start && name->data[name->len - 1] != '-')
                rl_buf_addch(name, '-');
        }
        while (name->len > start && name->data[name->len - 1] == '-')
            rl_buf_truncate(name, name->len - 1);
    }
    if (report->capture->gpu_count > 1)
        rl_buf_addf(name, "-gpu%d", report->capture->gpus[rl_page_gpu(report, section->id, section->instance)].index);
}

static enum rl_status write_chart(const struct rl_document *doc, const struct rl_drawing *drawing, const char *name,
                                  struct rl_err *err)
{
    struct rl_buf file = RL_BUF_IN(doc->arena), svg = RL_BUF_IN(doc->arena);
    rl_buf_addf(&file, "%s.svg", name);
    char *path = rl_path_join(doc->options->charts_dir, file.data);
    rl_drawing_svg(drawing, rl_font_rows[RL_FONT_REGULAR].family, &svg);
    const enum rl_status status = rl_write_file_atomic(path, svg.data, svg.len, err);
    free(path);
    return status;
}

static enum rl_status write_section(const struct rl_report *report, const struct rl_section *section, struct rl_err *err)
{
    enum rl_status status = RL_OK;
    struct rl_buf name = RL_BUF_IN(report->doc->arena);
    /* The same, with the section's number where an earlier section has that name, too: titles may differ in what no file name
     * shows. */
    struct rl_buf other = RL_BUF_IN(report->doc->arena);
    bool taken = false;
    add_base(report, section, &name);
    for (const struct rl_section *s = report->doc->sections; s < section && !taken; s++) {
        rl_buf_reset(&other);
        add_base(report, s, &other);
        taken = strcmp(other.data, name.data) == 0;
    }
    if (taken)
        rl_buf_addf(&name, "-%zu", (size_t)(section - report->doc->sections) + 1);
    size_t base = name.len;
    for (size_t i = 0; i < section->chart_count && status == RL_OK; i++) {
        rl_buf_truncate(&name, base);
        rl_buf_addf(&name, "-%zu", i + 1);
        status = write_chart(report->doc, &rl_document_result(report->doc, section, i)->drawing, name.data, err);
    }
    return status;
}

/* Writes all charts, drawn already, into the folder options->charts_dir: "SECTION[-TITLE][-gpuN]-NUMBER.svg". RL_IO with the
 * reason; some may be there then. */
static enum rl_status export_charts(const struct rl_document *doc, struct rl_err *err)
{
    enum rl_status status = RL_OK;
    for (size_t s = 0; s < doc->section_count && doc->options->charts_dir && status == RL_OK; s++)
        status = write_section(doc->subject, &doc->sections[s], err);
    return status;
}

/* ---- the sections ---- */

/* Whose GPUs each page is about, once the kernels with a block are chosen. */
static void begin(struct rl_document *doc)
{
    struct rl_report *report = doc->subject;
    report->doc = doc;
    rl_kernels_choose(report);
    rl_experiments_find(report);
    for (int id = 0; id < RL_PAGE_COUNT; id++) {
        struct rl_page_list *list = &report->pages[id];
        bool (*const shown)(const struct rl_document *, size_t) =
            rl_pages[id].page->each_gpu ? rl_pages[id].page->each_gpu : rl_page_gpu_was_measured;
        list->gpus = rl_arena_alloc(doc->arena, (report->capture->gpu_count + 1) * sizeof *list->gpus);
        for (size_t gpu = 0; gpu < report->capture->gpu_count; gpu++)
            if (!rl_page_hides_gpu(report, gpu) && shown(doc, gpu))
                list->gpus[list->gpu_count++] = gpu;
    }
}

/* ---- heads and foot ---- */

/* The title: the program, where one was profiled. */
static const char *name_of(struct rl_report *report)
{
    const struct rl_capture *capture = report->capture;
    if (rl_cover_is_of_benchmark(report))
        return "Cases of a benchmark";
    const size_t gpu = rl_page_gpu(report, RL_PAGE_roofline, 0); /* that the first page is about */
    return capture->gpu_count && rl_cover_is_of_program(report, gpu) ? rl_cover_program_name(report) : "GPU roofline report";
}

static struct rl_imprint imprint(struct rl_document *doc)
{
    struct rl_report *report = doc->subject;
    const struct rl_report_options *options = doc->options;
    const struct rl_capture *capture = report->capture;
    const bool of_cases = rl_cover_is_of_benchmark(report);
    const char *card = capture->gpu_count ? rl_words_short(doc, capture->gpus[0].name, 80) : of_cases ? "unknown GPU" : "no GPU";
    if (options->attachment)
        rl_document_attach(doc, options->attachment_name ? options->attachment_name : "capture.rlcap",
                           "The capture that this report was made from", options->attachment, options->attachment_len);
    return (struct rl_imprint){
        .title = name_of(report),
        .about = card,
        .before = capture->session.started && *capture->session.started
                      ? rl_words(doc, "measured %s", rl_words_date(doc, &capture->session))
                      : NULL,
        .after = capture->sha256.hex[0] ? rl_words(doc, "capture %.12s", capture->sha256.hex) : NULL,
        .subject = rl_words(doc, "%s measured on %s",
                            of_cases ? rl_words_count(doc, capture->benchmark_count, "case", "cases")
                                     : rl_words_count(doc, capture->kernel_count, "launch configuration", "launch configurations"),
                            card),
        .keywords = "GPU, CUDA, roofline, performance",
        .created = capture->session.started,
        .summary = doc->sections[0].id == RL_PAGE_cover,
    };
}

/* ---- the whole ---- */

/* Reports of captures: their subject is a `struct rl_report`. */
static const struct rl_document_kind kind = {
    .sections = rl_pages,
    .count = RL_PAGE_COUNT,
    .begin = begin,
    .instances = instances,
    .entitle = entitle,
    .room = room,
    .imprint = imprint,
    .end = export_charts,
    .between = 8,
    .stacks = true,
};

enum rl_status rl_report_make(const struct rl_analysis *analysis, const struct rl_report_options *options, struct rl_buf *out,
                              struct rl_err *err)
{
    assert(analysis && options && options->tool_version && out);
    struct rl_report report = {.analysis = analysis, .capture = analysis->capture};
    report.subject = view_subject_new("", report.capture, analysis,
                                      options->shapes ? RL_FOLD_NONE
                                      : options->full ? RL_FOLD_EACH_GPU
                                                      : RL_FOLD_ALIKE);
    report.view = view_subject_view(report.subject, NULL, NULL);
    report.families = report.subject->families;
    report.hidden = report.subject->hidden;
    const enum rl_status status = rl_document_make(&kind, &report, options, out, err);
    rl_groups_release(&report.rows_of_gpu);
    rl_groups_release(&report.ranked_of_row);
    free(report.ranked);
    view_subject_free(report.subject);
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
