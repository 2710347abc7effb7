/* pages.c - which pages a report has (see page.h and pages.def). */
#include <assert.h>
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
    const size_t earlier = rl_has_ranks(report->capture) ? gpu : 0;
    for (size_t before = 0; before < earlier; before++)
        if (!is_hidden(report, before) && rl_cards_alike(report->analysis, before, gpu))
            return false;
    return is_there(report, gpu);
}

static bool was_measured(const struct rl_report *report, size_t gpu)
{
    const struct rl_capture *capture = report->capture;

    for (size_t i = 0; i < capture->kernel_count; i++)
        if (capture->kernels[i].gpu == gpu)
            return true;
    for (size_t i = 0; i < capture->variant_count; i++)
        if (capture->variants[i].gpu == gpu)
            return true;
    return false;
}

static bool has_variants(const struct rl_capture *capture, size_t experiment, size_t gpu)
{
    for (size_t i = 0; i < capture->variant_count; i++)
        if (capture->variants[i].experiment == experiment && capture->variants[i].gpu == gpu)
            return true;
    return false;
}

/* Finds the `instance`-th pair of experiment and GPU that has variants, and counts all of them. */
static size_t experiments(const struct rl_capture *capture, size_t instance, struct rl_experiment_key *key)
{
    size_t count = 0;
    for (size_t gpu = 0; gpu < capture->gpu_count; gpu++)
        for (size_t e = 0; e < capture->experiment_count; e++)
            if (has_variants(capture, e, gpu) && count++ == instance)
                *key = (struct rl_experiment_key){e, gpu};
    return count;
}

static size_t experiments_on(const struct rl_capture *capture, size_t gpu)
{
    size_t count = 0;
    for (size_t e = 0; e < capture->experiment_count; e++)
        count += has_variants(capture, e, gpu);
    return count;
}

/* One experiment alone needs no table of contents. */
static bool has_overview(const struct rl_report *report, size_t gpu)
{
    return experiments_on(report->capture, gpu) > 1;
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
    size_t count = 0;
    if (rl_report_short(report) && rl_kernel_blocks_of(report, gpu)->pages > 0)
        return false;
    for (size_t i = 0; i < report->capture->kernel_count; i++) {
        const struct rl_kernel_result *kernel = &report->analysis->kernels[i];
        if (report->capture->kernels[i].gpu == gpu && !kernel->wrong &&
            rl_present(kernel->metric[RL_METRIC_instructions_per_second]))
            count++;
    }
    return count > 1;
}

/* One precision alone, without matrix units, needs no page, nor do few kernels: their roofs are on the first page. */
static bool has_precisions(const struct rl_report *report, size_t gpu)
{
    static const enum rl_metric flop[] = {RL_METRIC_flop_fp64, RL_METRIC_flop_fp32, RL_METRIC_flop_fp16,
                                          RL_METRIC_tensor_instructions};
    bool used[RL_COUNT(flop)] = {false};
    int kinds = 0;
    if (rl_report_short(report))
        return false;
    for (size_t i = 0; i < report->capture->kernel_count; i++) {
        const struct rl_kernel_result *kernel = &report->analysis->kernels[i];
        for (size_t f = 0; f < RL_COUNT(flop) && report->capture->kernels[i].gpu == gpu; f++)
            used[f] |= rl_present(kernel->metric[flop[f]]) && kernel->metric[flop[f]].v > 0;
    }
    for (size_t f = 0; f < RL_COUNT(flop); f++)
        kinds += used[f];
    return kinds > 1 || used[RL_COUNT(flop) - 1];
}

static size_t kernels_on(const struct rl_report *report, size_t gpu)
{
    size_t count = 0;
    for (size_t i = 0; i < report->capture->kernel_count; i++)
        count += report->capture->kernels[i].gpu == gpu;
    return count;
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
    struct rl_experiment_key key;
    return experiments(report->capture, RL_NONE, &key);
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

size_t rl_page_count(const struct rl_report *report, enum rl_page_id id)
{
    size_t count = 0;

    assert(id < RL_PAGE_COUNT);
    if (when_empty(report) && !report->options->only && id != RL_PAGE_nothing && id != RL_PAGE_notes)
        return 0; /* one page says all, unless the reader asks for others */
    if (whens[id].count)
        return whens[id].count(report);
    for (size_t gpu = 0; gpu < report->capture->gpu_count; gpu++)
        count += !is_hidden(report, gpu) && whens[id].gpu(report, gpu);
    return count;
}

/* ---- what an instance is about ---- */

struct rl_experiment_key rl_experiment_key_of(const struct rl_report *report, size_t instance)
{
    struct rl_experiment_key key = {RL_NONE, RL_NONE};
    experiments(report->capture, instance, &key);
    assert(key.experiment != RL_NONE);
    return key;
}

size_t rl_page_gpu(const struct rl_report *report, enum rl_page_id id, size_t instance)
{
    if (id == RL_PAGE_experiment)
        return rl_experiment_key_of(report, instance).gpu;
    bool (*const shown)(const struct rl_report *, size_t) = whens[id].gpu ? whens[id].gpu : was_measured;
    for (size_t gpu = 0; gpu < report->capture->gpu_count; gpu++)
        if (!is_hidden(report, gpu) && shown(report, gpu) && instance-- == 0)
            return gpu;
    return 0;
}

void rl_page_title(const struct rl_report *report, const struct rl_section *section, struct rl_buf *out)
{
    const struct rl_capture *capture = report->capture;

    rl_buf_adds(out, rl_page_titles[section->id]);
    if (!whens[section->id].gpu || capture->gpu_count < 2)
        return;
    const size_t gpu = rl_page_gpu(report, section->id, section->instance);
    const char *rank = rl_rank_of_gpu(capture, gpu);
    if (!rl_has_ranks(capture))
        rl_buf_addf(out, ", GPU %d", capture->gpus[gpu].index);
    if (!rl_has_ranks(capture) || !rank)
        return;
    struct rl_buf others = RL_BUF_INIT;
    for (size_t i = gpu + 1; i < capture->gpu_count && section->id == RL_PAGE_device; i++)
        if (rl_page_tells_of(report, gpu, i) && rl_rank_of_gpu(capture, i) && strcmp(rl_rank_of_gpu(capture, i), rank) != 0)
            rl_buf_addf(&others, ", %.12s", rl_rank_of_gpu(capture, i));
    rl_buf_addf(out, ", rank%s %.12s%s", others.len ? "s" : "", rank, others.data);
    rl_buf_release(&others);
}

bool rl_page_tells_of(const struct rl_report *report, size_t gpu, size_t other)
{
    return rl_has_ranks(report->capture) && !is_hidden(report, other) && other > gpu &&
           rl_cards_alike(report->analysis, gpu, other);
}

void rl_page_heading(struct rl_report *report, const struct rl_section *section, size_t gpu)
{
    const bool several = report->capture->gpu_count > 1 && !rl_has_ranks(report->capture);

    rl_layout_section(report->layout,
                      several ? rl_words(report, "%s: %s", section->title, rl_words_card(report, gpu)) : section->title);
}

size_t rl_experiment_target(const struct rl_report *report, size_t experiment, size_t gpu)
{
    for (size_t i = 0; i < report->section_count; i++) {
        if (report->sections[i].id != RL_PAGE_experiment)
            continue;
        struct rl_experiment_key key = rl_experiment_key_of(report, report->sections[i].instance);
        if (key.experiment == experiment && key.gpu == gpu)
            return report->sections[i].target;
    }
    return RL_NO_TARGET;
}

size_t rl_gpu_target(const struct rl_report *report, enum rl_page_id id, size_t gpu)
{
    for (size_t i = 0; i < report->section_count; i++)
        if (report->sections[i].id == id && rl_page_gpu(report, id, report->sections[i].instance) == gpu)
            return report->sections[i].target;
    return RL_NO_TARGET;
}

size_t rl_page_target(const struct rl_report *report, enum rl_page_id id)
{
    for (size_t i = 0; i < report->section_count; i++)
        if (report->sections[i].id == id)
            return report->sections[i].target;
    return RL_NO_TARGET;
}
