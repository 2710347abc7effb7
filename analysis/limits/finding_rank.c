/* finding_rank.c - findings in the order of what matters (see families.h). */
#include "analysis/families.h"

enum rank { RANK_WRONG, RANK_STATE, RANK_DOUBT, RANK_KERNEL };
/* Rules about kernels that are not ranked as what they could save. */
static const struct {
    enum rl_rule rule;
    enum rank rank;
} ranks[] = {{RL_RULE_wrong_result, RANK_WRONG},
             {RL_RULE_above_roof, RANK_DOUBT},
             {RL_RULE_passes_disagree, RANK_DOUBT},
             {RL_RULE_contradiction, RANK_DOUBT}};

struct item {
    enum rank rank;
    double of_kernel_s, own_s;  /* what the kernel's findings could save, and what this one could */
    double gpu_ns, of_group_ns; /* GPU time of the kernel, and of the kernel of the group that has most */
    size_t group;               /* the kernel, of a family the first of it; RL_NONE: none */
    bool joined;                /* another class stands for the kernel's: it is no further shape */
    size_t order;               /* in the capture */
    struct rl_ranked_finding ranked;
};
struct items {
    struct item *at;
    size_t count, cap;
};

/* Seconds that a finding about a kernel (index in the capture) could save in the session: the time of all its launches
 * (rl_kernel_gpu_ns), less what it would be with the gain; 0 where no gain is known. */
static double finding_saving_s(const struct rl_capture *capture, size_t kernel, const struct rl_finding *finding)
{
    const bool known = rl_present(finding->gain) && finding->gain.v > 1;

    return known ? rl_kernel_gpu_ns(capture, kernel) * 1e-9 * (1 - 1 / finding->gain.v) : 0;
}

static enum rank rank_of(enum rl_rule rule)
{
    const size_t at = RL_FIRST(i, RL_COUNT(ranks), ranks[i].rule == rule);
    return at < RL_COUNT(ranks) ? ranks[at].rank : RANK_KERNEL;
}

static void add_item(struct items *items, struct item item)
{
    RL_GROW(items->at, items->count + 1, items->cap);
    item.order = items->count;
    items->at[items->count++] = item;
}

static void add_kernel(struct items *items, const struct rl_analysis *analysis, const struct rl_families *families, size_t index)
{
    const struct rl_kernel_result *result = &analysis->kernels[index];
    if (!result->finding_count)
        return;

    const size_t row = families ? families->of_kernel[index] : RL_NONE;
    const double gpu_ns = rl_kernel_gpu_ns(analysis->capture, index);
    const size_t group = row != RL_NONE ? families->at[row].kernel : index;

    for (size_t i = 0; i < result->finding_count; i++) {
        const struct rl_finding *finding = &result->findings[i];
        add_item(items, (struct item){.rank = rank_of(finding->rule),
                                      .own_s = finding_saving_s(analysis->capture, index, finding),
                                      .gpu_ns = gpu_ns,
                                      .group = group,
                                      .joined = families && families->joined_into && families->joined_into[index] != index,
                                      .ranked = {finding, index, 1, 1}});
    }
}

/* Kernels whose findings could save the same go by their GPU time and stay together. */
RL_COMPARATOR(compare_items, struct item, rl_ascending(x->rank, y->rank) ?: rl_descending(x->of_kernel_s, y->of_kernel_s)
              ?: rl_descending(x->of_group_ns, y->of_group_ns) ?: rl_ascending(x->group, y->group)
              ?: rl_descending(x->own_s, y->own_s) ?: rl_ascending(x->order, y->order));

/* Findings of a rule about one kernel stand together: of classes that stand for others first, then by what they could save, then by
 * the time of the shape. */
RL_COMPARATOR(by_group, struct item, rl_ascending(x->group, y->group)
              ?: rl_ascending(x->ranked.finding->rule, y->ranked.finding->rule) ?: rl_ascending(x->joined, y->joined)
              ?: rl_descending(x->own_s, y->own_s) ?: rl_descending(x->gpu_ns, y->gpu_ns) ?: rl_ascending(x->order, y->order));

/* Where a rule found something of several shapes of a family, the first item stays, with what all could save. */
static void join_shapes(struct items *items)
{
    size_t kept = 0;

    for (size_t i = 0; i < items->count; i++) {
        struct item *last = kept ? &items->at[kept - 1] : NULL;
        const struct item *item = &items->at[i];
        if (last && item->group != RL_NONE && item->group == last->group && item->ranked.kernel != last->ranked.kernel &&
            item->ranked.finding->rule == last->ranked.finding->rule) {
            last->own_s += item->own_s;
            last->ranked.shapes += !item->joined;
        } else {
            items->at[kept++] = *item;
        }
    }
    items->count = kept;
}

bool rl_findings_are_one(const struct rl_families *families, const struct rl_finding *a, const struct rl_finding *b)
{
    return a == b || (families && a->rule == b->rule && a->gpu != RL_NONE && b->gpu != RL_NONE &&
                      rl_families_gpu(families, a->gpu) == rl_families_gpu(families, b->gpu));
}

/* Findings of a rule about GPUs that are alike are one item: that of the GPU which stands for them, where it is among them. */
static void add_card(struct items *items, const struct rl_families *families, const struct rl_finding *finding)
{
    const bool some_are_alike = families && families->represented && finding->gpu != RL_NONE;
    for (size_t i = 0; i < items->count && some_are_alike; i++) {
        struct rl_ranked_finding *ranked = &items->at[i].ranked;
        if (!rl_findings_are_one(families, ranked->finding, finding))
            continue;
        ranked->gpus++;
        if (families->represented[finding->gpu] == finding->gpu)
            ranked->finding = finding;
        return;
    }
    add_item(items, (struct item){.rank = RANK_STATE, .group = RL_NONE, .ranked = {finding, RL_NONE, 1, 1}});
}

size_t rl_findings_rank(const struct rl_analysis *analysis, const struct rl_families *families, struct rl_ranked_finding **ranked)
{
    struct items items = {0};

    for (size_t i = 0; i < analysis->finding_count; i++)
        add_card(&items, families, &analysis->findings[i]);
    for (size_t i = 0; i < analysis->capture->kernel_count; i++)
        add_kernel(&items, analysis, families, i);
    if (items.count) {
        rl_sort(items.at, items.count, sizeof *items.at, by_group);
        join_shapes(&items);
        /* A group could save as much as the finding of it that could save most: they overlap. Items are by groups. */
        for (size_t first = 0, end; first < items.count; first = end) {
            double most_s = 0, most_ns = 0;
            for (end = first; end < items.count && items.at[end].group == items.at[first].group; end++) {
                most_s = fmax(most_s, items.at[end].own_s);
                most_ns = fmax(most_ns, items.at[end].gpu_ns);
            }
            for (size_t i = first; i < end; i++) {
                items.at[i].of_kernel_s = items.at[i].group == RL_NONE ? 0 : most_s;
                items.at[i].of_group_ns = items.at[i].group == RL_NONE ? 0 : most_ns;
            }
        }
        rl_sort(items.at, items.count, sizeof *items.at, compare_items);
    }
    *ranked = items.count ? rl_calloc(items.count, sizeof **ranked) : NULL;
    for (size_t i = 0; i < items.count; i++) {
        (*ranked)[i] = items.at[i].ranked;
        (*ranked)[i].saving_s = items.at[i].own_s;
    }
    free(items.at);
    return items.count;
}
