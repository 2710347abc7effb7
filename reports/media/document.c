/* document.c - from the list of sections to pages (see document.h). */
#include "document.h"

#include "web.h"
#include "words.h"

#define CAPTURE_TYPE "application/vnd.sqlite3"

struct paper {
    double width, height;
};
static const struct paper papers[] = {[RL_PAPER_A4] = {595.276, 841.890}, [RL_PAPER_LETTER] = {612, 792}};

/* ---- charts ---- */

static double chart_text_width(void *context, const char *text, size_t len, double size, int bold)
{
    return rl_pdf_text_width(context, bold ? RL_FACE_BOLD : RL_FACE_REGULAR, size, text, len);
}

struct rl_chart *rl_document_chart(struct rl_document *doc, struct rl_section *section, enum rl_chart_kind kind)
{
    RL_GROW(doc->charts, doc->chart_count + 1, doc->chart_cap);
    struct rl_chart *chart = &doc->charts[doc->chart_count++];
    *chart =
        (struct rl_chart){.kind = kind, .width = rl_layout_width(doc->layout, RL_ALL_COLUMNS), .whole_names = doc->web != NULL};
    assert(section->first_chart + section->chart_count == doc->chart_count - 1);
    section->chart_count++;
    return chart;
}

const struct rl_chart_result *rl_document_result(const struct rl_document *doc, const struct rl_section *section, size_t index)
{
    assert(index < section->chart_count);
    return &doc->results[section->first_chart + index];
}

/* ---- sections ---- */

/* Names between commas, or all. */
static enum rl_status choose_sections(struct rl_document *doc, struct rl_err *err)
{
    const struct rl_document_kind *kind = doc->kind;
    const char *only = doc->options->only;
    doc->listed = rl_arena_alloc(doc->arena, kind->count * sizeof *doc->listed);
    for (size_t id = 0; id < kind->count; id++)
        doc->listed[id] = (struct rl_listed){.wanted = !only};
    for (const char *at = only; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        const size_t len = strcspn(at, ",");
        size_t id = 0;
        while (id < kind->count && (strncmp(kind->sections[id].id, at, len) != 0 || kind->sections[id].id[len]))
            id++;
        if (id == kind->count) {
            struct rl_buf names = RL_BUF_IN(doc->arena);
            for (id = 0; id < kind->count; id++)
                rl_buf_addf(&names, "%s%s", id ? ", " : "", kind->sections[id].id);
            rl_err_set(err, RL_USAGE, "no section is called '%.*s'; there are %s", (int)len, at, names.data);
            return RL_USAGE;
        }
        doc->listed[id].wanted = true;
    }
    return RL_OK;
}

static void list_sections(struct rl_document *doc)
{
    for (size_t id = 0; id < doc->kind->count; id++) {
        doc->listed[id].first = doc->section_count;
        doc->listed[id].count = doc->listed[id].wanted ? doc->kind->instances(doc, id) : 0;
        for (size_t i = 0; i < doc->listed[id].count; i++) {
            const struct rl_section_kind *kind = &doc->kind->sections[id];
            RL_GROW(doc->sections, doc->section_count + 1, doc->section_cap);
            struct rl_section *section = &doc->sections[doc->section_count++];
            *section = (struct rl_section){.id = id, .instance = i, .page = kind->page, .title = kind->title};
            section->heading = kind->title;
            section->target = rl_layout_target(doc->layout);
            if (doc->kind->entitle)
                doc->kind->entitle(doc, section);
            if (kind->page->title) {
                struct rl_buf title = RL_BUF_IN(doc->arena);
                kind->page->title(doc, section, &title);
                section->title = section->heading = title.data;
            }
        }
    }
}

size_t rl_document_target(const struct rl_document *doc, size_t id, size_t instance)
{
    assert(id < doc->kind->count);
    const struct rl_listed *listed = &doc->listed[id];
    return instance < listed->count ? doc->sections[listed->first + instance].target : RL_NO_TARGET;
}

/* Sections about one thing each stand below each other where they are short: the next takes about as much room as the one before,
 * `taken`. */
static bool stacks(const struct rl_document *doc, const struct rl_section *section, double taken)
{
    return doc->kind->stacks && section->id == section[-1].id && !section->page->title &&
           rl_layout_room(doc->layout) >= taken + 2 * doc->kind->between;
}

/* Draws a section, its bookmark below `group`; returns the room that it took, infinite if more than a page. */
static double draw_section(struct rl_document *doc, struct rl_section *section, size_t group)
{
    const size_t pages = rl_pdf_page_count(doc->pdf);
    const double room = rl_layout_room(doc->layout);
    rl_pdf_begin(doc->pdf, RL_PDF_SECTION);
    if (doc->web)
        rl_web_section(doc->web);
    section->bookmark = rl_layout_bookmark(doc->layout, group, section->title);
    rl_layout_bind(doc->layout, section->target);
    if (section->heading && !section->page->own_heading)
        rl_layout_section(doc->layout, section->heading);
    section->page->draw(doc, section);
    rl_layout_notes(doc->layout);
    rl_pdf_end(doc->pdf);
    if (doc->web)
        rl_web_section_end(doc->web);
    for (size_t page = pages; page < rl_pdf_page_count(doc->pdf); page++) {
        RL_GROW(doc->continued, page + 1, doc->continued_cap);
        while (doc->continued_count <= page)
            doc->continued[doc->continued_count++] = NULL;
        doc->continued[page] = section->title;
    }
    return rl_pdf_page_count(doc->pdf) == pages ? room - rl_layout_room(doc->layout) : INFINITY;
}

static void draw_sections(struct rl_document *doc)
{
    size_t group = RL_PDF_NO_PARENT;
    double taken = INFINITY;
    for (size_t i = 0; i < doc->section_count; i++) {
        struct rl_section *section = &doc->sections[i];
        const double room = section > doc->sections && doc->kind->room ? doc->kind->room(doc, section) : 0;
        const double between = doc->kind->between;
        const bool joins = room > 0 && rl_layout_room(doc->layout) >= room + between;
        if (section == doc->sections || !(joins || stacks(doc, section, taken)))
            rl_layout_page(doc->layout);
        else
            rl_layout_skip(doc->layout, between);
        if (!section->page->title)
            group = RL_PDF_NO_PARENT;
        else if (section->instance == 0)
            group = rl_layout_bookmark(doc->layout, RL_PDF_NO_PARENT, doc->kind->sections[section->id].title);
        taken = draw_section(doc, section, group);
    }
}

/* ---- the whole ---- */

/* Fonts, and an empty document on the chosen paper. */
static enum rl_status open_document(struct rl_document *doc, const struct rl_document_kind *kind, void *subject,
                                    const struct rl_report_options *options, struct rl_err *err)
{
    struct paper paper = papers[options->paper];
    *doc = (struct rl_document){.options = options, .kind = kind, .subject = subject};
    enum rl_status status = rl_fonts_open(options->font_dir, &doc->fonts, err);
    if (status == RL_OK)
        status = rl_pdf_new(doc->fonts, paper.width, paper.height, &doc->pdf, err);
    if (status != RL_OK)
        return status;
    doc->layout = rl_layout_new(doc->pdf, doc->fonts, paper.width, paper.height);
    doc->arena = rl_layout_arena(doc->layout);
    if (options->medium == RL_MEDIUM_HTML) {
        doc->web = rl_web_new();
        rl_layout_to_web(doc->layout, doc->web);
    }
    return RL_OK;
}

static enum rl_status lay(struct rl_document *doc, struct rl_err *err)
{
    for (size_t i = 0; i < doc->section_count; i++) {
        struct rl_section *section = &doc->sections[i];
        section->first_chart = doc->chart_count;
        if (section->page->plan)
            section->page->plan(doc, section);
    }
    const struct rl_report_options *options = doc->options;
    struct rl_font_heights heights = rl_fonts_heights(doc->fonts);
    struct rl_chart_env env = {
        .gnuplot = options->gnuplot,
        .keep_dir = options->keep_dir,
        .text = {chart_text_width, doc->pdf, heights.capital, heights.ascent, heights.descent},
    };
    for (size_t i = 0; i < doc->chart_count; i++)
        if (doc->charts[i].height <= 0)
            doc->charts[i].height = rl_chart_natural_height(&doc->charts[i]);
    doc->results = rl_calloc(doc->chart_count, sizeof *doc->results);
    enum rl_status status = rl_charts_draw(doc->charts, doc->chart_count, &env, doc->results, err);
    if (status == RL_OK)
        draw_sections(doc);
    return status;
}

void rl_document_attach(struct rl_document *doc, const char *name, const char *description, const void *bytes, size_t len)
{
    if (!doc->web)
        rl_pdf_attach(doc->pdf, name, description, CAPTURE_TYPE, bytes, len);
}

static enum rl_status finish(struct rl_document *doc, struct rl_buf *out, struct rl_err *err)
{
    const struct rl_report_options *options = doc->options;
    const struct rl_imprint imprint = doc->kind->imprint(doc);
    const char *given = options->title && *options->title ? rl_words_short(doc, options->title, 100) : NULL;
    const struct rl_running running = {
        .first_title = given,
        .first_author = options->author ? rl_words_short(doc, options->author, 100) : NULL,
        .head_left = rl_words(doc, "%s%s", given ? given : imprint.title, imprint.summary ? " · summary on page 1" : ""),
        .head_right = imprint.about,
        .continued = doc->continued,
        .continued_count = doc->continued_count,
        .foot = rl_words(doc, "%s%srooflight %s%s%s%s", imprint.before ? imprint.before : "", imprint.before ? " · " : "",
                         options->tool_version, imprint.after ? " · " : "", imprint.after ? imprint.after : "",
                         options->redacted ? " · redacted" : ""),
    };
    const struct rl_pdf_info info = {
        .title = given ? options->title : rl_words(doc, "%s: %s", imprint.title, imprint.about),
        .author = options->author,
        .subject = imprint.subject,
        .keywords = imprint.keywords,
        .creator = rl_words(doc, "rooflight %s", options->tool_version),
        .created = options->created ? options->created : imprint.created,
    };
    if (doc->web) {
        rl_web_finish(doc->web, &running, &info, out);
        return RL_OK;
    }
    rl_layout_finish(doc->layout, &running, doc->sections[0].target);
    rl_pdf_set_info(doc->pdf, &info);
    return rl_pdf_finish(doc->pdf, out, err);
}

static void close_document(struct rl_document *doc)
{
    for (size_t i = 0; i < doc->chart_count && doc->results; i++)
        rl_chart_result_release(&doc->results[i]);
    free(doc->results);
    free(doc->charts);
    free(doc->sections);
    free(doc->continued);
    rl_layout_free(doc->layout);
    rl_web_free(doc->web);
    rl_pdf_free(doc->pdf);
    rl_fonts_free(doc->fonts);
}

enum rl_status rl_document_make(const struct rl_document_kind *kind, void *subject, const struct rl_report_options *options,
                                struct rl_buf *out, struct rl_err *err)
{
    struct rl_document doc;
    const size_t before = out->len;
    enum rl_status status = open_document(&doc, kind, subject, options, err);
    if (status == RL_OK)
        status = choose_sections(&doc, err);
    if (status == RL_OK) {
        if (kind->begin)
            kind->begin(&doc);
        list_sections(&doc);
        if (doc.section_count == 0)
            status = rl_err_set(err, RL_USAGE, "the document has nothing for the sections '%s'", options->only);
    }
    if (status == RL_OK)
        status = lay(&doc, err);
    if (status == RL_OK)
        status = finish(&doc, out, err);
    if (status == RL_OK && kind->end) /* only now is it known that every text had its width */
        status = kind->end(&doc, err);
    if (status != RL_OK)
        rl_buf_truncate(out, before);
    close_document(&doc);
    return status;
}
