/* compare_report.c - the document of a comparison, from the list of its sections to the bytes (see reports/compare.h). */
#include "reports/compare.h"

#include <assert.h>
#include <string.h>

#include "compare_doc.h"
#include "core/mem.h"

/* ---- when a section is shown ---- */

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

static size_t (*const whens[RL_COMPARE_PAGE_COUNT])(const struct rl_compare_report *what) = {
#define PAGE(id, title, when) [RL_COMPARE_PAGE_##id] = when,
#include "compare_pages.def"
#undef PAGE
};

static size_t instances(const struct rl_document *doc, size_t id)
{
    return whens[id](rl_compare_what(doc));
}

/* ---- the list ---- */

#define PAGE(id, title, when) extern const struct rl_page rl_compare_page_##id;
#include "compare_pages.def"
#undef PAGE

static const struct rl_section_kind sections[RL_COMPARE_PAGE_COUNT] = {
#define PAGE(id, title, when) [RL_COMPARE_PAGE_##id] = {#id, title, &rl_compare_page_##id},
#include "compare_pages.def"
#undef PAGE
};

/* Of several captures there is one for each, about that capture. */
static void entitle(struct rl_document *doc, struct rl_section *section)
{
    const struct rl_compare_report *what = rl_compare_what(doc);
    const bool is_of_part = whens[section->id] == each_other || whens[section->id] == each_change;
    if (whens[section->id] == each_projection)
        section->title = rl_words(doc, "Projected to %s: calculated, not measured", what->projections[section->instance]->card->id);
    else if (is_of_part && what->count > 2)
        section->title =
            rl_words(doc, "%s: %s", section->title, rl_words_short(doc, what->parts[rl_compare_part(section)].name, 50));
    section->heading = section == doc->sections ? NULL : section->title; /* the first page has its own head */
}

#define BETWEEN 24.0

/* A section goes on where what it begins with, its first chart or a dozen rows, finds room below the one before. */
static double room(const struct rl_document *doc, const struct rl_section *section)
{
    enum { HEAD = 90 };
    if (section->page->joins <= 0)
        return 0;
    if (section->chart_count > 0)
        return HEAD + rl_document_result(doc, section, 0)->drawing.height - BETWEEN;
    if (section->id == RL_COMPARE_PAGE_causes)
        return HEAD + rl_compare_causes_height(rl_compare_of(doc, section)) - BETWEEN;
    return HEAD + section->page->joins - BETWEEN;
}

static const struct rl_document_kind kind = {
    .sections = sections,
    .count = RL_COMPARE_PAGE_COUNT,
    .instances = instances,
    .entitle = entitle,
    .room = room,
    .between = BETWEEN,
};

/* ---- the whole ---- */

static size_t **order_of(struct rl_document *doc, const struct rl_compare_report *what)
{
    size_t **order = rl_arena_alloc(doc->arena, what->count * sizeof *order);
    for (size_t i = 1; i < what->count; i++) {
        const struct rl_comparison *comparison = what->parts[i].comparison;
        order[i] = rl_arena_alloc(doc->arena, (comparison->pair_count + 1) * sizeof **order);
        rl_comparison_sort(comparison, order[i]);
    }
    return order;
}

static const char *newest(const struct rl_compare_report *what)
{
    const char *latest = "";
    for (size_t i = 0; i < what->count; i++)
        if (strcmp(what->parts[i].analysis->capture->session.started, latest) > 0)
            latest = what->parts[i].analysis->capture->session.started;
    return latest;
}

static void attach(struct rl_document *doc, const struct rl_compare_report *what)
{
    for (size_t i = 0; i < what->count; i++) {
        const struct rl_compare_part *part = &what->parts[i];
        if (part->bytes)
            rl_document_attach(doc, rl_words(doc, "%02zu-%s", i + 1, rl_words_short(doc, part->name, 60)),
                               i ? "A capture that was compared with the base" : "The capture that is the base", part->bytes,
                               part->len);
    }
}

static enum rl_status finish(struct rl_document *doc, const struct rl_compare_report *what, struct rl_buf *out, struct rl_err *err)
{
    const char *version = doc->options->tool_version;
    const char *title = what->columns ? "Cards compared" : what->count == 1 ? "Projected to other cards" : "Before and after";
    const char *names = rl_words_short(doc, what->parts[0].name, 40);
    for (size_t i = 1; i < what->count && i < 4; i++)
        names = rl_words(doc, "%s · %s", names, rl_words_short(doc, what->parts[i].name, 40));
    const struct rl_running running = {.head_left = rl_words(doc, "%s · summary on page 1", title),
                                       .head_right = names,
                                       .foot = rl_words(doc, "%s · rooflight %s%s",
                                                        rl_words_count(doc, what->count, "capture", "captures"), version,
                                                        doc->options->redacted ? " · redacted" : "")};
    const struct rl_pdf_info info = {.title = rl_words(doc, "%s: %s", title, names),
                                     .subject = "Kernels of several captures compared",
                                     .keywords = "GPU, CUDA, comparison, regression, roofline",
                                     .creator = rl_words(doc, "rooflight %s", version),
                                     .created = newest(what)};
    attach(doc, what);
    return rl_document_finish(doc, &running, &info, out, err);
}

enum rl_status rl_compare_report_make(const struct rl_compare_report *compare, const struct rl_report_options *options,
                                      struct rl_buf *out, struct rl_err *err)
{
    assert(compare->count > 1 || (compare->count == 1 && compare->projection_count > 0));
    assert(options->tool_version);
    struct rl_compare_subject subject = {.what = compare};
    struct rl_document doc;
    enum rl_status status = rl_document_open(&doc, &kind, &subject, options, err);
    if (status == RL_OK) {
        subject.order = order_of(&doc, compare);
        rl_document_list(&doc);
        status = rl_document_lay(&doc, err);
    }
    if (status == RL_OK)
        status = finish(&doc, compare, out, err);
    rl_document_close(&doc);
    return status;
}
