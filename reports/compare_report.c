/* compare_report.c - the document of a comparison, from the list of its pages to the bytes (see reports/compare.h). */
#include "reports/compare.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "compare_doc.h"
#include "core/mem.h"

#define CAPTURE_TYPE "application/vnd.sqlite3"

/* ---- when a page is shown ---- */

static size_t always(const struct rl_compare_report *what)
{
    (void)what;
    return 1;
}

static size_t each_other(const struct rl_compare_report *what)
{
    return what->count - 1;
}

static size_t each_change(const struct rl_compare_report *what)
{
    return what->columns ? 0 : what->count - 1;
}

static size_t when_cards(const struct rl_compare_report *what)
{
    return what->columns != NULL;
}

static size_t when_projected(const struct rl_compare_report *what)
{
    return what->projection_count > 0;
}

static size_t each_projection(const struct rl_compare_report *what)
{
    return what->projection_count;
}

/* ---- the table ---- */

#define PAGE(id, title, when) extern const struct rl_compare_page rl_compare_page_##id;
#include "compare_pages.def"
#undef PAGE

static const struct {
    const struct rl_compare_page *page;
    const char *title;
    size_t (*when)(const struct rl_compare_report *what);
} pages[RL_COMPARE_PAGE_COUNT] = {
#define PAGE(id, title, when) [RL_COMPARE_PAGE_##id] = {&rl_compare_page_##id, title, when},
#include "compare_pages.def"
#undef PAGE
};

/* Pages of several captures: one for each, about that capture. */
static bool is_of_parts(enum rl_compare_page_id id)
{
    return pages[id].when == each_other || pages[id].when == each_change;
}

/* ---- planning ---- */

struct rl_chart *rl_compare_chart(struct rl_compare_doc *doc, struct rl_compare_section *section, enum rl_chart_kind kind)
{
    RL_GROW(doc->charts, doc->chart_count + 1, doc->chart_cap);
    struct rl_chart *chart = &doc->charts[doc->chart_count++];
    *chart = (struct rl_chart){.kind = kind, .width = rl_layout_columns(doc->layout, 0, 12).width};
    section->chart_count++;
    return chart;
}

const struct rl_chart_result *rl_compare_result(const struct rl_compare_doc *doc, const struct rl_compare_section *section,
                                                size_t index)
{
    assert(index < section->chart_count);
    return &doc->results[section->first_chart + index];
}

const struct rl_comparison *rl_compare_of(const struct rl_compare_doc *doc, const struct rl_compare_section *section)
{
    assert(section->part > 0);
    return doc->what->parts[section->part].comparison;
}

void *rl_compare_alloc(struct rl_compare_doc *doc, size_t size)
{
    return rl_arena_alloc(doc->words.arena, size);
}

static const char *title_of(struct rl_compare_doc *doc, enum rl_compare_page_id id, size_t part)
{
    if (pages[id].when == each_projection)
        return rl_words(&doc->words, "Projected to %s: calculated, not measured", doc->what->projections[part]->card->id);
    if (is_of_parts(id) && doc->what->count > 2)
        return rl_words(&doc->words, "%s: %s", pages[id].title, rl_words_short(&doc->words, doc->what->parts[part].name, 50));
    return pages[id].title;
}

static void add_section(struct rl_compare_doc *doc, enum rl_compare_page_id id, size_t instance)
{
    const size_t part = is_of_parts(id) ? instance + 1 : instance;
    RL_GROW(doc->sections, doc->section_count + 1, doc->section_cap);
    struct rl_compare_section *section = &doc->sections[doc->section_count++];
    *section = (struct rl_compare_section){.id = id, .part = part, .target = rl_layout_target(doc->layout)};
    section->title = title_of(doc, id, part);
    section->first_chart = doc->chart_count;
    if (pages[id].page->plan)
        pages[id].page->plan(doc, section);
}

static void plan(struct rl_compare_doc *doc)
{
    doc->order = rl_compare_alloc(doc, doc->what->count * sizeof *doc->order);
    for (size_t i = 1; i < doc->what->count; i++) {
        const struct rl_comparison *comparison = doc->what->parts[i].comparison;
        doc->order[i] = rl_compare_alloc(doc, (comparison->pair_count + 1) * sizeof **doc->order);
        rl_comparison_rank(comparison, doc->order[i]);
    }
    for (int id = 0; id < RL_COMPARE_PAGE_COUNT; id++)
        for (size_t i = 0, count = pages[id].when(doc->what); i < count; i++)
            add_section(doc, (enum rl_compare_page_id)id, i);
}

/* ---- drawing ---- */

/* Causes have high rows, of which the first three stay with the head of their table. */
static double causes_height(const struct rl_comparison *comparison)
{
    enum { TEXT = 80, ROW = 90, TOGETHER = 3 };
    const size_t changed = comparison->verdicts[RL_FASTER] + comparison->verdicts[RL_SLOWER] + comparison->unequal[RL_FASTER] +
                           comparison->unequal[RL_SLOWER];
    return TEXT + ROW * (double)(changed < TOGETHER ? changed : TOGETHER);
}

/* A section begins a page where what it begins with, its first chart or a dozen rows, finds no room below the one before. */
static bool begins_page(const struct rl_compare_doc *doc, size_t index)
{
    enum { HEAD = 90, ROWS = 180, METHOD = 330 };
    const struct rl_compare_section *section = &doc->sections[index];
    const double rows = section->id == RL_COMPARE_PAGE_method   ? METHOD
                        : section->id == RL_COMPARE_PAGE_causes ? causes_height(rl_compare_of(doc, section))
                                                                : ROWS;
    const double need = HEAD + (section->chart_count ? doc->results[section->first_chart].drawing.height : rows);
    return index == 0 || section->id == RL_COMPARE_PAGE_changes || section->id == RL_COMPARE_PAGE_projected ||
           section->id == RL_COMPARE_PAGE_projection || rl_layout_room(doc->layout) < need;
}

/* The first page, and that of every change, has its own head. */
static void draw_section(struct rl_compare_doc *doc, size_t index)
{
    struct rl_compare_section *section = &doc->sections[index];
    if (begins_page(doc, index))
        rl_layout_page(doc->layout);
    else
        rl_layout_skip(doc->layout, 24);
    rl_layout_bookmark(doc->layout, RL_PDF_NO_PARENT, section->title);
    rl_layout_bind(doc->layout, section->target);
    if (index && section->id != RL_COMPARE_PAGE_changes)
        rl_layout_section(doc->layout, section->title);
    pages[section->id].page->draw(doc, section);
    rl_layout_notes(doc->layout);
}

static const char *newest(const struct rl_compare_report *what)
{
    const char *latest = "";
    for (size_t i = 0; i < what->count; i++)
        if (strcmp(what->parts[i].analysis->capture->session.started, latest) > 0)
            latest = what->parts[i].analysis->capture->session.started;
    return latest;
}

static void attach(struct rl_compare_doc *doc)
{
    for (size_t i = 0; i < doc->what->count; i++) {
        const struct rl_compare_part *part = &doc->what->parts[i];
        if (part->bytes)
            rl_pdf_attach(doc->document.pdf, rl_words(&doc->words, "%02zu-%s", i + 1, rl_words_short(&doc->words, part->name, 60)),
                          i ? "A capture that was compared with the base" : "The capture that is the base", CAPTURE_TYPE,
                          part->bytes, part->len);
    }
}

static void finish(struct rl_compare_doc *doc)
{
    const char *version = doc->document.options->tool_version;
    const char *what = doc->what->columns      ? "Cards compared"
                       : doc->what->count == 1 ? "Projected to other cards"
                                               : "Before and after";
    const char *names = rl_words_short(&doc->words, doc->what->parts[0].name, 40);
    for (size_t i = 1; i < doc->what->count && i < 4; i++)
        names = rl_words(&doc->words, "%s · %s", names, rl_words_short(&doc->words, doc->what->parts[i].name, 40));
    struct rl_running running = {rl_words(&doc->words, "%s · summary on page 1", what), names,
                                 rl_words(&doc->words, "%s · rooflight %s%s",
                                          rl_words_count(&doc->words, doc->what->count, "capture", "captures"), version,
                                          doc->document.options->redacted ? " · redacted" : "")};
    struct rl_pdf_info info = {.title = rl_words(&doc->words, "%s: %s", what, names),
                               .subject = "Kernels of several captures compared",
                               .keywords = "GPU, CUDA, comparison, regression, roofline",
                               .creator = rl_words(&doc->words, "rooflight %s", version),
                               .created = newest(doc->what)};
    rl_layout_finish(doc->layout, &running, doc->sections[0].target);
    rl_pdf_set_info(doc->document.pdf, &info);
    attach(doc);
}

enum rl_status rl_compare_report_make(const struct rl_compare_report *compare, const struct rl_report_options *options,
                                      struct rl_buf *out, struct rl_err *err)
{
    assert(compare->count > 1 || (compare->count == 1 && compare->projection_count > 0));
    assert(options->tool_version);
    struct rl_compare_doc doc = {.what = compare};
    enum rl_status status = rl_document_open(&doc.document, options, err);
    if (status != RL_OK)
        goto done;
    doc.layout = doc.document.layout;
    doc.words = (struct rl_report){.options = options, .layout = doc.layout, .arena = rl_layout_arena(doc.layout)};
    plan(&doc);
    status = rl_document_draw(&doc.document, doc.charts, doc.chart_count, &doc.results, err);
    if (status != RL_OK)
        goto done;
    for (size_t i = 0; i < doc.section_count; i++)
        draw_section(&doc, i);
    finish(&doc);
    status = rl_pdf_finish(doc.document.pdf, out, err);
done:
    rl_document_release_charts(doc.results, doc.chart_count);
    free(doc.charts);
    free(doc.sections);
    rl_document_close(&doc.document);
    return status;
}
