/* kernels.c - which kernel classes have a block (see kernels.h). */
#include "kernels.h"

double rl_kernel_total_ns(const struct rl_report *report, size_t kernel)
{
    assert(kernel < report->capture->kernel_count);
    const struct rl_kernel *k = &report->capture->kernels[kernel];
    const struct rl_stats *duration = &report->analysis->kernels[kernel].duration;
    if (k->total_ns > 0)
        return rl_kernel_gpu_ns(report->capture, kernel);
    return duration->n > 0 ? duration->median * 1e9 * (double)(k->launches > 0 ? k->launches : 1) : 0;
}

struct timed {
    const struct rl_family *family;
    double ns;
};

/* As in the capture. */
RL_COMPARATOR(by_time, struct timed, rl_descending(x->ns, y->ns) ?: rl_ascending(x->family->kernel, y->family->kernel));

#define PAGE_SHARE      0.15 /* of GPU time, from which on a kernel has a page */
#define HALF_PAGE_SHARE 0.01 /* and half of one */
#define ALWAYS_SHARE    0.05 /* from which on it has that however many there are */
enum { KERNEL_PAGES = 5 };   /* of a program; more only for those */

/* How many halves of a page the first `shown` take. */
static size_t halves_of(const struct timed *timed, const struct rl_kernel_blocks *blocks, size_t shown)
{
    size_t halves = shown;
    for (size_t i = 0; i < shown; i++)
        halves += timed[i].ns >= PAGE_SHARE * blocks->total_ns;
    return halves;
}

/* How many have a block. Those without a time have nothing that one could show. */
static size_t shown_of(const struct rl_report *report, const struct timed *timed, const struct rl_kernel_blocks *blocks)
{
    const size_t most = report->doc->options->top ? report->doc->options->top : RL_REPORT_TOP;
    size_t shown = blocks->count < most ? blocks->count : most;
    if (!rl_is_program(report->capture) || report->doc->options->top)
        return shown;
    for (; shown > 1; shown--) {
        const double share = blocks->total_ns > 0 ? timed[shown - 1].ns / blocks->total_ns : 0;
        const bool fits = share >= ALWAYS_SHARE || halves_of(timed, blocks, shown) <= 2 * KERNEL_PAGES;
        if (share >= HALF_PAGE_SHARE && fits)
            break;
    }
    return shown;
}

/* A class alone has the whole document. */
static size_t pages_of(const struct rl_report *report, const struct timed *timed, const struct rl_kernel_blocks *blocks)
{
    size_t pages = 0;
    if (!rl_is_program(report->capture) || report->capture->kernel_count < 2)
        return 0;
    while (pages < blocks->shown && timed[pages].ns >= PAGE_SHARE * blocks->total_ns)
        pages++;
    return pages;
}

double rl_family_total_ns(const struct rl_report *report, const struct rl_family *family)
{
    return family->figures || family->gpus > 1 ? family->time.ns : rl_kernel_total_ns(report, family->kernel);
}

static size_t gpu_of_row(const void *context, size_t row)
{
    const struct rl_report *report = context;
    return report->families->at[row].gpu;
}

static size_t row_of_ranked(const void *context, size_t i)
{
    const struct rl_report *report = context;
    const size_t kernel = report->ranked[i].kernel;
    return kernel == RL_NONE ? RL_NONE : report->families->of_kernel[kernel];
}

void rl_kernels_choose(struct rl_report *report)
{
    size_t gpus = report->capture->gpu_count;
    report->ranked_count = rl_findings_rank(report->analysis, report->families, &report->ranked);
    rl_groups_make(&report->rows_of_gpu, gpus, report->families->count, gpu_of_row, report);
    rl_groups_make(&report->ranked_of_row, report->families->count, report->ranked_count, row_of_ranked, report);
    report->blocks = rl_arena_alloc(report->doc->arena, (gpus + 1) * sizeof *report->blocks);
    for (size_t gpu = 0; gpu < gpus; gpu++) {
        struct rl_kernel_blocks *blocks = &report->blocks[gpu];
        const size_t *rows, count = rl_group(&report->rows_of_gpu, gpu, &rows);
        struct timed *timed = rl_calloc(count + 1, sizeof *timed);
        for (; blocks->count < count; blocks->count++) {
            const struct rl_family *family = &report->families->at[rows[blocks->count]];
            timed[blocks->count] = (struct timed){family, rl_family_total_ns(report, family)};
            blocks->classes += family->shapes;
        }
        rl_sort(timed, blocks->count, sizeof *timed, by_time);
        blocks->family = rl_arena_alloc(report->doc->arena, (blocks->count + 1) * sizeof(const struct rl_family *));
        for (size_t i = 0; i < blocks->count; i++) {
            blocks->family[i] = timed[i].family;
            blocks->total_ns += timed[i].ns;
        }
        blocks->shown = shown_of(report, timed, blocks);
        blocks->pages = pages_of(report, timed, blocks);
        free(timed);
    }
}

const char *rl_family_label(struct rl_report *report, const struct rl_family *family, size_t columns)
{
    return family->figures
               ? rl_words(report->doc, "%s, %zu configs", rl_words_short(report->doc, family->label, columns - 13), family->shapes)
               : rl_words_short(report->doc, family->label, columns);
}

const struct rl_kernel_blocks *rl_kernel_blocks_of(const struct rl_report *report, size_t gpu)
{
    assert(report->blocks && gpu < report->capture->gpu_count);
    return &report->blocks[gpu];
}

size_t rl_kernel_target(const struct rl_report *report, size_t kernel)
{
    assert(kernel < report->capture->kernel_count);
    return report->kernel_targets ? report->kernel_targets[kernel] : RL_NO_TARGET;
}
