/* pages.c - which pages a report has (see page.h and pages.def). */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/links.h"
#include "analysis/program.h"
#include "analysis/ranks.h"
#include "ceilings_table.h"
#include "core/mem.h"
#include "kernels.h"
#include "page.h"

/* ---- when a page is shown ---- */

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
    return report->options->notes != NULL;
}

bool rl_report_short(const struct rl_report *report)
{
    enum { FEW = 3 };
    const struct rl_capture *capture = report->capture;
    return !report->options->only && capture->gpu_count == 1 && capture->kernel_count <= FEW && capture->variant_count <= FEW;
}

static bool is_hidden(const struct rl_report *report, size_t gpu)
{
    return report->hidden && report->hidden[gpu];
}

/* What is between cards says nothing of each. */
static bool is_there(const struct rl_report *report, size_t gpu)
{
    return gpu < report->capture->gpu_count && !rl_links_only(report->capture);
}

/* The card of a rank has a page only where it differs from those before. */
static bool has_own_card(const struct rl_report *report, size_t gpu)
{
    return (!report->analysis->index.has_ranks || report->stands[gpu]) && is_there(report, gpu);
}

static bool was_measured(const struct rl_report *report, size_t gpu)
{
    const size_t *at;

    return rl_group(&report->analysis->index.kernels_of_gpu, gpu, &at) > 0 ||
           rl_group(&report->analysis->index.variants_of_gpu, gpu, &at) > 0;
}

static int by_gpu(const void *a, const void *b)
{
    const struct rl_experiment_key *x = a, *y = b;
    const int gpu = (x->gpu > y->gpu) - (x->gpu < y->gpu);

    return gpu ? gpu : (x->experiment > y->experiment) - (x->experiment < y->experiment);
}

/* The pairs of experiment and GPU that have variants. */
static void find_experiments(struct rl_report *report)
{
    const struct rl_capture *capture = report->capture;
    const size_t *at = report->analysis->index.variants_of_experiment.at;

    report->experiments = rl_arena_alloc(report->arena, (capture->variant_count + 1) * sizeof *report->experiments);
    for (size_t i = 0; i < capture->variant_count; i++) {
        const struct rl_experiment_key key = {capture->variants[at[i]].experiment, capture->variants[at[i]].gpu};
        if (i == 0 || by_gpu(&report->experiments[report->experiment_count - 1], &key) != 0)
            report->experiments[report->experiment_count++] = key;
    }
    qsort(report->experiments, report->experiment_count, sizeof *report->experiments, by_gpu);
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

/* The first page of a short document shows the same points. */
static bool has_roofline(const struct rl_report *report, size_t gpu)
{
    return was_measured(report, gpu) && !rl_report_short(report);
}

/* Of one kernel alone the DRAM roofline says enough; a few of a program have the chart on their pages. */
static bool has_levels(const struct rl_report *report, size_t gpu)
{
    const size_t *at, all = rl_group(&report->analysis->index.kernels_of_gpu, gpu, &at);
    size_t count = 0;
    if (rl_report_short(report) && rl_kernel_blocks_of(report, gpu)->pages > 0)
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
    if (rl_report_short(report))
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

/* What was found about few kernels stands on the first page and in their blocks. */
static bool has_many_kernels(const struct rl_report *report, size_t gpu)
{
    return kernels_on(report, gpu) > 1 && !rl_report_short(report);
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

/* ---- the table ---- */

#define PAGE(id, title, when) extern const struct rl_page rl_page_##id;
#include "pages.def"
#undef PAGE

const struct rl_page *const rl_pages[RL_PAGE_COUNT] = {
#define PAGE(id, title, when) [RL_PAGE_##id] = &rl_page_##id,
#include "pages.def"
#undef PAGE
};

const char *const rl_page_titles[RL_PAGE_COUNT] = {
#define PAGE(id, title, when) [RL_PAGE_##id] = title,
#include "pages.def"
#undef PAGE
};

const char *const rl_page_ids[RL_PAGE_COUNT] = {
#define PAGE(id, title, when) [RL_PAGE_##id] = #id,
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

void rl_pages_find(struct rl_report *report)
{
    find_experiments(report);
    for (int id = 0; id < RL_PAGE_COUNT; id++) {
        struct rl_page_list *list = &report->pages[id];
        bool (*const shown)(const struct rl_report *, size_t) = whens[id].gpu ? whens[id].gpu : was_measured;
        list->gpus = rl_arena_alloc(report->arena, (report->capture->gpu_count + 1) * sizeof *list->gpus);
        for (size_t gpu = 0; gpu < report->capture->gpu_count; gpu++)
            if (!is_hidden(report, gpu) && shown(report, gpu))
                list->gpus[list->gpu_count++] = gpu;
    }
}

size_t rl_page_count(const struct rl_report *report, enum rl_page_id id)
{
    assert(id < RL_PAGE_COUNT);
    if (when_empty(report) && !report->options->only && id != RL_PAGE_nothing && id != RL_PAGE_notes)
        return 0; /* one page says all, unless the reader asks for others */
    return whens[id].count ? whens[id].count(report) : report->pages[id].gpu_count;
}

/* ---- what an instance is about ---- */

struct rl_experiment_key rl_experiment_key_of(const struct rl_report *report, size_t instance)
{
    assert(instance < report->experiment_count);
    return report->experiments[instance];
}

/* How many of the pages about experiments are of GPUs below this one. */
static size_t experiments_below(const struct rl_report *report, size_t gpu)
{
    size_t low = 0, high = report->experiment_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (report->experiments[middle].gpu < gpu)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

size_t rl_experiments_on(const struct rl_report *report, size_t gpu, size_t *first)
{
    *first = experiments_below(report, gpu);
    return experiments_below(report, gpu + 1) - *first;
}

size_t rl_page_gpu(const struct rl_report *report, enum rl_page_id id, size_t instance)
{
    if (id == RL_PAGE_experiment)
        return rl_experiment_key_of(report, instance).gpu;
    return instance < report->pages[id].gpu_count ? report->pages[id].gpus[instance] : 0;
}

void rl_page_title(const struct rl_report *report, const struct rl_section *section, struct rl_buf *out)
{
    const struct rl_capture *capture = report->capture;

    rl_buf_adds(out, rl_page_titles[section->id]);
    if (!whens[section->id].gpu || capture->gpu_count < 2)
        return;
    const size_t gpu = rl_page_gpu(report, section->id, section->instance);
    const struct rl_index *index = &report->analysis->index;
    const char *rank = index->rank_of_gpu[gpu];
    if (!index->has_ranks)
        rl_buf_addf(out, ", GPU %d", capture->gpus[gpu].index);
    if (!index->has_ranks || !rank)
        return;
    struct rl_buf others = RL_BUF_INIT;
    for (size_t i = gpu + 1; i < capture->gpu_count && section->id == RL_PAGE_device && report->stands[gpu] > 1; i++)
        if (rl_page_tells_of(report, gpu, i) && index->rank_of_gpu[i] && strcmp(index->rank_of_gpu[i], rank) != 0)
            rl_buf_addf(&others, ", %.12s", index->rank_of_gpu[i]);
    rl_buf_addf(out, ", rank%s %.12s%s", others.len ? "s" : "", rank, others.data);
    rl_buf_release(&others);
}

bool rl_page_tells_of(const struct rl_report *report, size_t gpu, size_t other)
{
    return report->analysis->index.has_ranks && !is_hidden(report, other) && other > gpu &&
           rl_cards_alike(report->analysis, gpu, other);
}

void rl_page_heading(struct rl_report *report, const struct rl_section *section, size_t gpu)
{
    const bool several = report->capture->gpu_count > 1 && !report->analysis->index.has_ranks;

    rl_layout_section(report->layout,
                      several ? rl_words(report, "%s: %s", section->title, rl_words_card(report, gpu)) : section->title);
}

/* Target of an instance of a page; RL_NO_TARGET when it is not shown. */
static size_t target_of(const struct rl_report *report, enum rl_page_id id, size_t instance)
{
    const struct rl_page_list *list = &report->pages[id];
    return instance < list->count ? report->sections[list->first + instance].target : RL_NO_TARGET;
}

static int compare_gpus(const void *a, const void *b)
{
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

size_t rl_experiment_target(const struct rl_report *report, size_t experiment, size_t gpu)
{
    const struct rl_experiment_key key = {experiment, gpu};
    const struct rl_experiment_key *found =
        report->experiment_count ? bsearch(&key, report->experiments, report->experiment_count, sizeof key, by_gpu) : NULL;
    return found ? target_of(report, RL_PAGE_experiment, (size_t)(found - report->experiments)) : RL_NO_TARGET;
}

size_t rl_gpu_target(const struct rl_report *report, enum rl_page_id id, size_t gpu)
{
    const struct rl_page_list *list = &report->pages[id];
    size_t first;
    if (id == RL_PAGE_experiment)
        return rl_experiments_on(report, gpu, &first) ? target_of(report, id, first) : RL_NO_TARGET;
    const size_t *found = list->gpu_count ? bsearch(&gpu, list->gpus, list->gpu_count, sizeof gpu, compare_gpus) : NULL;
    return found ? target_of(report, id, (size_t)(found - list->gpus)) : RL_NO_TARGET;
}

size_t rl_page_target(const struct rl_report *report, enum rl_page_id id)
{
    return target_of(report, id, 0);
}
