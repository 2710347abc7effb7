/* report_list.c - which sections the report of a capture has, and what they are called (see report_list.h and pages.def). */
#include "report_list.h"

#include <assert.h>
#include <string.h>

#include "analysis/links.h"
#include "analysis/program.h"
#include "analysis/ranks.h"
#include "ceilings_table.h"
#include "core/mem.h"
#include "cover.h"
#include "kernels.h"
#include "time_lanes.h"

/* ---- when a section is shown ---- */

static size_t always(const struct rl_report *report)
{
    (void)report;
    return 1;
}

static size_t when_links(const struct rl_report *report)
{
    return report->capture->link_count > 0;
}

static bool has_no_kernel(const struct rl_report *report)
{
    for (size_t i = 0; i < report->capture->variant_count; i++)
        if (report->capture->variants[i].duration_count > 0) /* runs that were timed as wholes may have no kernel of their own */
            return false;
    return report->capture->kernel_count == 0;
}
static size_t when_empty(const struct rl_report *report)
{
    return has_no_kernel(report) && !when_links(report);
}
static size_t when_measured(const struct rl_report *report)
{
    return !has_no_kernel(report);
}
static size_t when_program(const struct rl_report *report)
{
    return rl_is_program(report->capture);
}
static size_t when_ranks(const struct rl_report *report)
{
    return rl_has_ranks(report->capture);
}
static size_t when_noted(const struct rl_report *report)
{
    return report->doc->options->notes != NULL;
}

/* Whether the document is a short one: of so few kernels of one GPU that each thing is said once, without sections that gather what
 * kernels have in common, and without what concerns none of them. Who asks for sections (--only) gets them in full. */
static bool is_short(const struct rl_report *report)
{
    enum { FEW = 3 };
    const struct rl_capture *capture = report->capture;
    return !report->doc->options->only && capture->gpu_count == 1 && capture->kernel_count <= FEW && capture->variant_count <= FEW;
}

static bool is_hidden(const struct rl_report *report, size_t gpu)
{
    assert(gpu < report->capture->gpu_count);
    return report->hidden && report->hidden[gpu];
}

/* What is between cards says nothing of each. */
static bool is_there(const struct rl_report *report, size_t gpu)
{
    return gpu < report->capture->gpu_count && !rl_capture_has_only_links(report->capture);
}

/* The card of a rank has a page only where it differs from those before. */
static bool has_own_card(const struct rl_report *report, size_t gpu)
{
    assert(gpu < report->capture->gpu_count);
    return (!report->analysis->index.has_ranks || report->stands[gpu]) && is_there(report, gpu);
}

static bool was_measured(const struct rl_report *report, size_t gpu)
{
    const size_t *at;

    return rl_group(&report->analysis->index.kernels_of_gpu, gpu, &at) > 0 ||
           rl_group(&report->analysis->index.variants_of_gpu, gpu, &at) > 0;
}

/* One experiment alone needs no table of contents. */
static bool has_overview(const struct rl_report *report, size_t gpu)
{
    const size_t *at, count = rl_group(&report->analysis->index.variants_of_gpu, gpu, &at);

    for (size_t i = 1; i < count; i++)
        if (report->capture->variants[at[i]].experiment != report->capture->variants[at[0]].experiment)
            return true;
    return false;
}

static bool has_ceilings(const struct rl_report *report, size_t gpu)
{
    return rl_ceilings_any_measured(report, gpu);
}

/* The first page of a short document shows the same points, unless it is about a program. */
static bool has_roofline(const struct rl_report *report, size_t gpu)
{
    return was_measured(report, gpu) && (!report->doc->is_short || rl_cover_is_of_program(report, gpu));
}

/* Of one kernel alone the DRAM roofline says enough; a few of a program have the chart on their pages. */
static bool has_levels(const struct rl_report *report, size_t gpu)
{
    const size_t *at, all = rl_group(&report->analysis->index.kernels_of_gpu, gpu, &at);
    size_t count = 0;
    if (report->doc->is_short && rl_kernel_blocks_of(report, gpu)->pages > 0)
        return false;
    for (size_t i = 0; i < all; i++) {
        const struct rl_kernel_result *kernel = &report->analysis->kernels[at[i]];
        count += !kernel->wrong && rl_present(kernel->metric[RL_METRIC_instructions_per_second]);
    }
    return count > 1;
}

/* One precision alone, without matrix units, needs no page, nor do few kernels: their roofs are on the first page. */
static bool has_precisions(const struct rl_report *report, size_t gpu)
{
    static const enum rl_metric flop[] = {RL_METRIC_flop_fp64, RL_METRIC_flop_fp32, RL_METRIC_flop_fp16,
                                          RL_METRIC_tensor_instructions};
    const size_t *at, all = rl_group(&report->analysis->index.kernels_of_gpu, gpu, &at);
    bool used[RL_COUNT(flop)] = {false};
    int kinds = 0;
    if (report->doc->is_short)
        return false;
    for (size_t i = 0; i < all; i++) {
        const struct rl_kernel_result *kernel = &report->analysis->kernels[at[i]];
        for (size_t f = 0; f < RL_COUNT(flop); f++)
            used[f] |= rl_present(kernel->metric[flop[f]]) && kernel->metric[flop[f]].v > 0;
    }
    for (size_t f = 0; f < RL_COUNT(flop); f++)
        kinds += used[f];
    return kinds > 1 || used[RL_COUNT(flop) - 1];
}

static size_t kernels_on(const struct rl_report *report, size_t gpu)
{
    const size_t *at;
    return rl_group(&report->analysis->index.kernels_of_gpu, gpu, &at);
}

static bool has_kernels(const struct rl_report *report, size_t gpu)
{
    return kernels_on(report, gpu) > 0;
}

/* Most kernels of a suite are slow on purpose: what is to be mended there is what the experiments show. Who wants to see it asks.
 */
static bool has_checklist(const struct rl_report *report, size_t gpu)
{
    return has_kernels(report, gpu) &&
           (report->capture->experiment_count == 0 || report->doc->is_short || rl_report_is_full(report));
}

/* What was found about few kernels stands on the first page and in their blocks. */
static bool has_many_kernels(const struct rl_report *report, size_t gpu)
{
    return kernels_on(report, gpu) > 1 && !report->doc->is_short;
}

/* Something has a place under the roofs that can be explained. */
static size_t when_placed(const struct rl_report *report)
{
    return report->pages[RL_PAGE_roofline].gpu_count > 0 && !report->doc->is_short;
}

static size_t when_names_are_long(const struct rl_report *report)
{
    for (size_t gpu = 0; gpu < report->capture->gpu_count; gpu++) {
        if (is_hidden(report, gpu))
            continue;
        const struct rl_kernel_blocks *blocks = rl_kernel_blocks_of(report, gpu);
        for (size_t i = 0; i < blocks->shown; i++)
            if (rl_name_is_long(report, blocks->at[i]))
                return 1;
    }
    return 0;
}

static size_t each_experiment(const struct rl_report *report)
{
    return report->experiment_count;
}

static size_t each_listing(const struct rl_report *report)
{
    return report->listing_count;
}

/* ---- the list ---- */

#define PAGE(id, title, when) extern const struct rl_page rl_page_##id;
#include "pages.def"
#undef PAGE

static const struct rl_section_kind sections[RL_PAGE_COUNT] = {
#define PAGE(id, title, when) [RL_PAGE_##id] = {#id, title, &rl_page_##id},
#include "pages.def"
#undef PAGE
};

/* One of the two: how many there are, or whether a GPU has one. */
static const struct {
    size_t (*count)(const struct rl_report *report);
    bool (*gpu)(const struct rl_report *report, size_t gpu);
} whens[RL_PAGE_COUNT] = {
#define COUNTED(function)                                                                                                          \
    {                                                                                                                              \
        .count = function                                                                                                          \
    }
#define EACH_GPU(function)                                                                                                         \
    {                                                                                                                              \
        .gpu = function                                                                                                            \
    }
#define PAGE(id, title, when) [RL_PAGE_##id] = when,
#include "pages.def"
#undef PAGE
#undef EACH_GPU
#undef COUNTED
};

static size_t instances(const struct rl_document *doc, size_t id)
{
    assert(id < RL_PAGE_COUNT);
    const struct rl_report *report = doc->subject;
    if (!report->pages[id].wanted)
        return 0;
    if (when_empty(report) && !doc->options->only && id != RL_PAGE_nothing && id != RL_PAGE_notes)
        return 0; /* one page says all, unless the reader asks for others */
    return whens[id].count ? whens[id].count(report) : report->pages[id].gpu_count;
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
    if (!whens[section->id].gpu || capture->gpu_count < 2)
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

#define SHORT_ROOM 76.0

static double room(const struct rl_document *doc, const struct rl_section *section)
{
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
    rl_listings_find(report);
    for (int id = 0; id < RL_PAGE_COUNT; id++) {
        struct rl_page_list *list = &report->pages[id];
        bool (*const shown)(const struct rl_report *, size_t) = whens[id].gpu ? whens[id].gpu : was_measured;
        list->gpus = rl_arena_alloc(report->doc->arena, (report->capture->gpu_count + 1) * sizeof *list->gpus);
        for (size_t gpu = 0; gpu < report->capture->gpu_count; gpu++)
            if (!is_hidden(report, gpu) && shown(report, gpu))
                list->gpus[list->gpu_count++] = gpu;
    }
    rl_document_list(report->doc);
}
