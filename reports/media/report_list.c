/* report_list.c - which sections the report of a capture has, and what they are called (see report_list.h and pages.def). */
#include "report_list.h"

#include <assert.h>
#include <string.h>

#include "core/mem.h"
#include "cover.h"
#include "experiment.h"
#include "time_lanes.h"

/* ---- when a section is shown ---- */

/* Whether the document is a short one: of so few kernels of one GPU that each thing is said once, without sections that gather what
 * kernels have in common, and without what concerns none of them. Who asks for sections (--only) gets them in full. */
static bool is_short(const struct rl_report *report)
{
    enum { FEW = 3 };
    const struct rl_capture *capture = report->capture;
    return !report->doc->options->only && !rl_report_is_of_program(report) && capture->gpu_count == 1 &&
           capture->kernel_count <= FEW && capture->variant_count <= FEW && !rl_cover_is_of_benchmark(report);
}

/* ---- the list ---- */

#define PAGE(id, title) extern const struct rl_page rl_page_##id;
#include "pages.def"
#undef PAGE

static const struct rl_section_kind sections[RL_PAGE_COUNT] = {
#define PAGE(id, title) [RL_PAGE_##id] = {#id, title, &rl_page_##id},
#include "pages.def"
#undef PAGE
};

/* Of the report of a program: pages without a decision, which the whole one has. */
static bool is_left_out(const struct rl_report *report, enum rl_page_id id)
{
    static const bool left_out[RL_PAGE_COUNT] = {[RL_PAGE_device] = true,
                                                 [RL_PAGE_ceilings] = true,
                                                 [RL_PAGE_findings] = true,
                                                 [RL_PAGE_method] = true,
                                                 [RL_PAGE_glossary] = true};
    return left_out[id] || (id == RL_PAGE_program && rl_timelines_shown(report) > 0);
}

/* The same of the whole suite: its variants are slow on purpose, so that findings about them are no advice. */
static bool is_left_out_of_suite(enum rl_page_id id)
{
    return id == RL_PAGE_findings || id == RL_PAGE_kernels;
}

static size_t instances(const struct rl_document *doc, size_t id)
{
    assert(id < RL_PAGE_COUNT);
    const struct rl_report *report = doc->subject;
    if (!report->pages[id].wanted)
        return 0;
    if (rl_page_nothing.count(doc) && !doc->options->only && id != RL_PAGE_nothing && id != RL_PAGE_notes)
        return 0; /* one page says all, unless the reader asks for others */
    const struct rl_page *page = sections[id].page;
    if (rl_report_is_of_published(report) && id != RL_PAGE_published && id != RL_PAGE_notes)
        return 0;
    if (rl_report_is_of_program(report) && is_left_out(report, (enum rl_page_id)id))
        return 0;
    if (rl_report_is_of_suite(report) && is_left_out_of_suite((enum rl_page_id)id))
        return 0;
    return page->each_gpu ? report->pages[id].gpu_count : page->count ? page->count(doc) : 1;
}

/* ---- what they are called ---- */

/* ", rank 3": whose card a section is about; of a card like those of other ranks all of these. */
static void add_ranks(const struct rl_report *report, const struct rl_section *section, size_t gpu, struct rl_buf *out)
{
    assert(gpu < report->capture->gpu_count);
    const struct rl_index *index = &report->analysis->index;
    const char *rank = index->rank_of_gpu[gpu];
    struct rl_buf others = RL_BUF_INIT;
    for (size_t i = gpu + 1; i < report->capture->gpu_count && section->id == RL_PAGE_device && report->stands[gpu] > 1; i++)
        if (rl_page_covers_gpu(report, gpu, i) && index->rank_of_gpu[i] && strcmp(index->rank_of_gpu[i], rank) != 0)
            rl_buf_addf(&others, ", %.12s", index->rank_of_gpu[i]);
    rl_buf_addf(out, ", rank%s %.12s%s", others.len ? "s" : "", rank, others.data);
    rl_buf_release(&others);
}

/* Sections about a GPU with the rank behind it, where the capture has ranks, or the GPU's number, where it has several; their
 * headings then with the card's name. */
static void entitle(struct rl_document *doc, struct rl_section *section)
{
    const struct rl_report *report = doc->subject;
    const struct rl_capture *capture = report->capture;
    if (!section->page->each_gpu || capture->gpu_count < 2)
        return;
    const size_t gpu = rl_page_gpu(report, section->id, section->instance);
    const struct rl_index *index = &report->analysis->index;
    struct rl_buf title = RL_BUF_INIT;
    rl_buf_adds(&title, section->title);
    if (!index->has_ranks)
        rl_buf_addf(&title, ", GPU %d", capture->gpus[gpu].index);
    else if (index->rank_of_gpu[gpu])
        add_ranks(report, section, gpu, &title);
    section->title = section->heading = rl_arena_strdup(doc->arena, title.data);
    if (!index->has_ranks && section->id != RL_PAGE_device) /* which says below what card it is */
        section->heading = rl_words(doc, "%s: %s", section->title, rl_words_card(capture, gpu));
    rl_buf_release(&title);
}

/* ---- where they stand ---- */

#define SHORT_ROOM  76.0
#define SUITE_CHART 88.0 /* the heading and the caption of a suite's roofline */

static double room(const struct rl_document *doc, const struct rl_section *section)
{
    if (section->id == RL_PAGE_experiment && rl_report_is_of_suite(doc->subject))
        return rl_experiment_room(doc, section);
    if (section->id == RL_PAGE_roofline && rl_report_is_of_suite(doc->subject))
        return SUITE_CHART + (section->chart_count ? rl_document_result(doc, section, 0)->drawing.height : 0);
    if (!doc->is_short)
        return section->page->joins;
    return section->page->room > 0 ? section->page->room : SHORT_ROOM;
}

const struct rl_document_kind rl_report_kind = {
    .sections = sections,
    .count = RL_PAGE_COUNT,
    .instances = instances,
    .entitle = entitle,
    .room = room,
    .between = 8,
    .between_short = 4,
    .stacks = true,
};

void rl_report_list(struct rl_report *report)
{
    report->doc->is_short = is_short(report);
    rl_experiments_find(report);
    for (int id = 0; id < RL_PAGE_COUNT; id++) {
        struct rl_page_list *list = &report->pages[id];
        bool (*const shown)(const struct rl_document *, size_t) =
            sections[id].page->each_gpu ? sections[id].page->each_gpu : rl_page_gpu_was_measured;
        list->gpus = rl_arena_alloc(report->doc->arena, (report->capture->gpu_count + 1) * sizeof *list->gpus);
        for (size_t gpu = 0; gpu < report->capture->gpu_count; gpu++)
            if (!rl_page_hides_gpu(report, gpu) && shown(report->doc, gpu))
                list->gpus[list->gpu_count++] = gpu;
    }
    rl_document_list(report->doc);
}
