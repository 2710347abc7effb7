/* finding_rank.c - findings in the order of what matters (see analysis.h). */
#include <stdlib.h>

#include "core/mem.h"
#include "internal.h"

enum rank { RANK_WRONG, RANK_STATE, RANK_DOUBT, RANK_KERNEL };
/* Rules about kernels that are not ranked as what they could save. */
static const struct {
    enum rl_rule rule;
    enum rank rank;
} ranks[] = {{RL_RULE_wrong_result, RANK_WRONG}, {RL_RULE_above_roof, RANK_DOUBT}, {RL_RULE_passes_disagree, RANK_DOUBT}};

struct item {
    enum rank rank;
    double of_kernel_s, own_s; /* what the kernel's findings could save, and what this one could */
    size_t order;              /* in the capture */
    struct rl_ranked_finding ranked;
};
struct items {
    struct item *at;
    size_t count, cap;
};

double rl_finding_saving_s(const struct rl_kernel *kernel, const struct rl_finding *finding)
{
    const bool known = rl_present(finding->gain) && finding->gain.v > 1;

    return known ? (double)kernel->total_ns * 1e-9 * (1 - 1 / finding->gain.v) : 0;
}

static enum rank rank_of(enum rl_rule rule)
{
    for (size_t i = 0; i < RL_COUNT(ranks); i++)
        if (ranks[i].rule == rule)
            return ranks[i].rank;
    return RANK_KERNEL;
}

static void add_item(struct items *items, struct item item)
{
    RL_GROW(items->at, items->count + 1, items->cap);
    item.order = items->count;
    items->at[items->count++] = item;
}

static void add_kernel(struct items *items, const struct rl_analysis *analysis, size_t index)
{
    const struct rl_kernel *kernel = &analysis->capture->kernels[index];
    const struct rl_kernel_result *result = &analysis->kernels[index];
    double most_s = 0;

    for (size_t i = 0; i < result->finding_count; i++) {
        const double saving_s = rl_finding_saving_s(kernel, &result->findings[i]);
        most_s = saving_s > most_s ? saving_s : most_s;
    }
    for (size_t i = 0; i < result->finding_count; i++) {
        const struct rl_finding *finding = &result->findings[i];
        add_item(items, (struct item){.rank = rank_of(finding->rule),
                                      .of_kernel_s = most_s,
                                      .own_s = rl_finding_saving_s(kernel, finding),
                                      .ranked = {finding, index}});
    }
}

static int greater_first(double a, double b)
{
    return (a < b) - (a > b);
}

/* Kernels whose findings could save the same stay together, because the capture's order decides before what each could save. */
static int compare_items(const void *a, const void *b)
{
    const struct item *x = a, *y = b;
    const int by_kernel = greater_first(x->of_kernel_s, y->of_kernel_s);

    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (by_kernel)
        return by_kernel;
    if (x->ranked.kernel != y->ranked.kernel)
        return x->ranked.kernel < y->ranked.kernel ? -1 : 1;
    return x->own_s != y->own_s ? greater_first(x->own_s, y->own_s) : (x->order > y->order) - (x->order < y->order);
}

size_t rl_findings_rank(const struct rl_analysis *analysis, struct rl_ranked_finding **ranked)
{
    struct items items = {0};

    for (size_t i = 0; i < analysis->finding_count; i++)
        add_item(&items, (struct item){.rank = RANK_STATE, .ranked = {&analysis->findings[i], RL_NONE}});
    for (size_t i = 0; i < analysis->capture->kernel_count; i++)
        add_kernel(&items, analysis, i);
    if (items.count)
        qsort(items.at, items.count, sizeof *items.at, compare_items);
    *ranked = items.count ? rl_calloc(items.count, sizeof **ranked) : NULL;
    for (size_t i = 0; i < items.count; i++)
        (*ranked)[i] = items.at[i].ranked;
    free(items.at);
    return items.count;
}
