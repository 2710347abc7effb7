/* compare_report.c - the document of a comparison, from the list of its sections to the bytes (see media/report.h). */

#include "compare_doc.h"

/* ---- when a section is shown ---- */

static size_t when_notes(const struct rl_document *doc)
{
    return doc->options->notes != NULL;
}

static size_t each_other(const struct rl_document *doc)
{
    return rl_compare_what(doc)->count - 1;
}

static size_t each_change(const struct rl_document *doc)
{
    return rl_compare_what(doc)->options.columns ? 0 : rl_compare_what(doc)->count - 1;
}

static size_t each_with_cases(const struct rl_document *doc)
{
    const struct view_compare *what = rl_compare_what(doc);
    bool any = false;
    for (size_t i = 1; i < what->count; i++)
        any |= what->parts[i].comparison->cases != NULL;
    return any ? what->count - 1 : 0;
}

static size_t when_cards(const struct rl_document *doc)
{
    return rl_compare_lineup(doc) != NULL;
}

/* Columns with a kernel of the base. */
static size_t when_common(const struct rl_document *doc)
{
    const struct rl_columns *columns = rl_compare_what(doc)->options.columns;
    bool any = false;
    for (size_t c = 1; columns && c < columns->count; c++)
        any |= columns->columns[c].comparison->pair_count > 0;
    return any;
}

static size_t when_speedups(const struct rl_document *doc)
{
    const struct rl_lineup *lineup = rl_compare_lineup(doc);
    bool any = false;
    for (size_t c = 1; lineup && c < lineup->count; c++)
        any |= lineup->all.on[c].kernels > 0;
    return any;
}

static size_t each_projection(const struct rl_document *doc)
{
    return rl_compare_what(doc)->options.projection_count;
}

static size_t (*const whens[RL_COMPARE_PAGE_COUNT])(const struct rl_document *doc) = {
#define PAGE(id, title, when, usually, review) [RL_COMPARE_PAGE_##id] = when,
#include "compare_pages.def"
};

/* ---- whether it is shown by default ---- */

/* Pages about one projected GPU each: of many on request. */
static bool if_few(const struct view_compare *what)
{
    enum { FEW = 2 };
    return what->options.projection_count <= FEW;
}

/* A table of all kernels that is longer than a page is an appendix on request: the captures in the document have it all. */
static bool if_short(const struct view_compare *what)
{
    for (size_t i = 1; i < what->count; i++)
        if (what->parts[i].comparison->pair_count > RL_COMPARE_SHORT)
            return false;
    return true;
}

/* Where each kernel has its own by name and shape, there is nothing to tell. */
static bool if_unmatched(const struct view_compare *what)
{
    for (size_t i = 1; i < what->count; i++) {
        const struct rl_comparison *comparison = what->parts[i].comparison;
        if (comparison->removed_count + comparison->added_count > 0 || comparison->matched[RL_MATCH_EXACT] < comparison->pair_count)
            return true;
    }
    return false;
}

/* Counters of what changed or that moved, work that is other, source lines whose samples changed. */
static bool if_explained(const struct view_compare *what)
{
    for (size_t i = 1; i < what->count; i++) {
        const struct rl_comparison *comparison = what->parts[i].comparison;
        for (size_t p = 0; p < comparison->pair_count; p++) {
            const struct rl_pair *pair = &comparison->pairs[p];
            const bool changed = pair->change.verdict == RL_FASTER || pair->change.verdict == RL_SLOWER;
            if (pair->moved_count || pair->work_text || (changed && pair->tally_count))
                return true;
        }
        if (what->parts[i].line_count)
            return true;
    }
    return false;
}

/* A change of one program, two captures. */
static bool is_review(const struct view_compare *what)
{
    return what->count == 2 && !what->options.columns && what->options.projection_count == 0;
}

/* The first page of a review has a few, fewer where kernels are explained there. */
static bool if_many_cases(const struct view_compare *what)
{
    enum { FEW = 18, FEW_WITH_KERNELS = 10 };
    bool many = !is_review(what);
    for (size_t i = 1; i < what->count; i++) {
        const struct rl_comparison *comparison = what->parts[i].comparison;
        many |= comparison->cases && comparison->cases->pair_count > (comparison->pair_count ? FEW_WITH_KERNELS : FEW);
    }
    return many;
}

static const struct {
    bool (*usually)(const struct view_compare *what);
    bool review;
} choices[RL_COMPARE_PAGE_COUNT] = {
#define PAGE(id, title, when, usually, review) [RL_COMPARE_PAGE_##id] = {usually, review},
#include "compare_pages.def"
};

static size_t instances(const struct rl_document *doc, size_t id)
{
    const struct view_compare *what = rl_compare_what(doc);
    const bool usual = (!choices[id].usually || choices[id].usually(what)) && (choices[id].review || !is_review(what));
    return !usual && !doc->options->only && !doc->options->full ? 0 : whens[id] ? whens[id](doc) : 1;
}

/* ---- the list ---- */

#define PAGE(id, title, when, usually, review) extern const struct rl_page rl_compare_page_##id;
#include "compare_pages.def"

static const struct rl_section_kind sections[RL_COMPARE_PAGE_COUNT] = {
#define PAGE(id, title, when, usually, review) [RL_COMPARE_PAGE_##id] = {#id, title, &rl_compare_page_##id},
#include "compare_pages.def"
};

/* Several captures have a section each. */
static void entitle(struct rl_document *doc, struct rl_section *section)
{
    const struct view_compare *what = rl_compare_what(doc);
    const bool is_of_part = whens[section->id] == each_other || whens[section->id] == each_change;
    if (whens[section->id] == each_projection)
        section->title =
            rl_words(doc, "Projected to %s: modelled, not measured", what->options.projections[section->instance]->card->id);
    else if (is_of_part && what->count > 2)
        section->title =
            rl_words(doc, "%s: %s", section->title, rl_words_short(doc, what->parts[rl_compare_part(section)].name, 50));
    section->heading = section->title;
}

#define BETWEEN 24.0

/* A section goes on where its heading and what it begins with, its first chart with the caption or a dozen rows, find room below
 * the one before. */
static double room(const struct rl_document *doc, const struct rl_section *section)
{
    enum { HEADING = 42, CAPTION = 76 }; /* of six lines */
    if (section->page->joins <= 0)
        return 0;
    if (section->chart_count > 0)
        return fmax(section->page->joins, HEADING + rl_document_result(doc, section, 0)->drawing.height + CAPTION);
    return HEADING + section->page->joins;
}

/* ---- the whole ---- */

static const char *newest(const struct view_compare *what)
{
    const char *latest = "";
    for (size_t i = 0; i < what->count; i++)
        if (strcmp(what->parts[i].analysis->capture->session.started, latest) > 0)
            latest = what->parts[i].analysis->capture->session.started;
    return latest;
}

static struct rl_imprint imprint(struct rl_document *doc)
{
    const struct view_compare *what = rl_compare_what(doc);
    const char *names = rl_words_short(doc, what->parts[0].name, 40);
    for (size_t i = 1; i < what->count && i < 4; i++)
        names = rl_words(doc, "%s · %s", names, rl_words_short(doc, what->parts[i].name, 40));
    for (size_t i = 0; i < what->count; i++) {
        const struct view_part *part = &what->parts[i];
        if (part->bytes)
            rl_document_attach(doc, rl_words(doc, "%02zu-%s", i + 1, rl_words_short(doc, part->name, 60)),
                               i ? "A capture compared with the baseline" : "The baseline", part->bytes, part->len);
    }
    return (struct rl_imprint){.title = what->options.lineup    ? rl_words_short(doc, rl_compare_words_cards(doc), 70)
                                        : what->options.columns ? "GPUs compared"
                                        : what->count == 1      ? "Projected to other GPUs"
                                                                : "Before and after",
                               .about = names,
                               .before = rl_words_count(doc, what->count, "capture", "captures"),
                               .subject = "Kernels of several captures compared",
                               .keywords = "GPU, CUDA, comparison, regression, roofline",
                               .created = newest(what),
                               .summary = !doc->options->only};
}

static const struct rl_document_kind kind = {
    .sections = sections,
    .count = RL_COMPARE_PAGE_COUNT,
    .instances = instances,
    .entitle = entitle,
    .room = room,
    .imprint = imprint,
    .between = BETWEEN,
};

enum rl_status rl_compare_report_make(const struct view_compare *compare, const struct rl_report_options *options,
                                      struct rl_buf *out, struct rl_err *err)
{
    assert(compare->count > 1 || compare->options.projection_count > 0);
    assert(options->tool_version);
    return rl_document_make(&kind, (void *)compare, options, out, err);
}
