/* compare_counts.c - what kernels of a pair count: exact evidence of the work they do, whatever their times can tell. */
#include "compare_internal.h"

const struct rl_tally_info rl_tallies[RL_TALLY_COUNT] = {
#define TALLY(id_, ...) [RL_TALLY_##id_] = {.id = #id_, __VA_ARGS__},
#include "analysis/deterministic.def"
};

static const struct rl_kernel *kernel_of(const struct rl_compare_side *side, const struct rl_item *item)
{
    return item->kernel == RL_NONE ? NULL : &side->analysis->capture->kernels[item->kernel];
}

/* Which launches of a class that was taken apart were counted depends on their times. */
static bool is_of_all(const struct rl_kernel *kernel)
{
    return !kernel || kernel->population.total == 0;
}

static struct rl_value counter_of(const struct rl_kernel *kernel, const char *name)
{
    const struct rl_counter *counter = rl_kernel_counter(kernel, name);
    return counter ? counter->value : rl_value_missing(RL_NOT_COLLECTED, NULL);
}

/* Both values of the first counter in the list that both kernels have. */
static bool find_counter(const char *names, const struct rl_kernel *base, const struct rl_kernel *new, struct rl_tally *found)
{
    char name[96];
    for (const char *at = names; base && new &&*at; at += strspn(at, " ")) {
        const size_t len = strcspn(at, " ");
        assert(len > 0 && len < sizeof name);
        memcpy(name, at, len);
        name[len] = '\0';
        at += len;
        const struct rl_value a = counter_of(base, name), b = counter_of(new, name);
        if (rl_present(a) && rl_present(b)) {
            found->base = a.v;
            found->new = b.v;
            return true;
        }
    }
    return false;
}

static bool find_metric(enum rl_metric metric, const struct rl_item *base, const struct rl_item *new, struct rl_tally *found)
{
    if (metric == RL_METRIC_COUNT || !rl_present(base->metric[metric]) || !rl_present(new->metric[metric]))
        return false;
    found->base = base->metric[metric].v;
    found->new = new->metric[metric].v;
    return true;
}

size_t rl_items_count_work(const struct rl_comparison *comparison, size_t base_item, size_t new_item, struct rl_tally *found)
{
    const struct rl_item *base = &comparison->base.items[base_item], *new = &comparison->new.items[new_item];
    const struct rl_kernel *base_kernel = kernel_of(&comparison->base, base), *new_kernel = kernel_of(&comparison->new, new);
    size_t count = 0;
    if (!is_of_all(base_kernel) || !is_of_all(new_kernel))
        return 0;
    for (size_t i = 0; i < RL_TALLY_COUNT; i++) {
        struct rl_tally tally = {.id = (enum rl_tally_id)i};
        if (!find_metric(rl_tallies[i].metric, base, new, &tally) &&
            !find_counter(rl_tallies[i].counters, base_kernel, new_kernel, &tally))
            continue;
        const struct rl_tally_info *info = &rl_tallies[i];
        assert(info->scatter >= 0 && info->scatter < 1);
        const double of_arithmetic = 1e-12; /* counts of several launches are averages */
        const double scatter = fmax(info->scatter, of_arithmetic);
        tally.is_equal = fabs(tally.new - tally.base) <= scatter * fmax(fabs(tally.base), fabs(tally.new));
        if (tally.base >= 0 && tally.new >= 0 && tally.base + tally.new > 0) /* what neither does is no work */
            found[count++] = tally;
    }
    return count;
}

void rl_pair_count_work(struct rl_comparison *comparison, struct rl_pair *pair)
{
    struct rl_tally found[RL_TALLY_COUNT];
    if (pair->not_compared)
        return;
    const size_t count = rl_items_count_work(comparison, pair->base, pair->new, found);
    pair->tallies = rl_arena_alloc(&comparison->arena, (count + 1) * sizeof *pair->tallies);
    memcpy(pair->tallies, found, count * sizeof *found);
    pair->tally_count = count;
}

/* "32.0 % fewer sectors", "no local-memory bytes any more"; a percentage of more than MOST_TIMES is none. */
void rl_tally_difference_text(const struct rl_tally *tally, struct rl_buf *out)
{
    static const double MOST_TIMES = 1e6;
    const char *words = rl_tallies[tally->id].words;
    assert(!tally->is_equal);
    rl_buf_adds(out, out->len ? ", " : "");
    if (tally->new == 0) {
        rl_buf_addf(out, "no %s any more", words);
    } else if (tally->base == 0) {
        rl_buf_addf(out, "%s %s where there were none", RL_UNIT_TEXT(RL_UNIT_COUNT, tally->new, 3), words);
    } else if (tally->new > MOST_TIMES * tally->base) {
        rl_buf_addf(out, "%s %s where there were %s", RL_UNIT_TEXT(RL_UNIT_COUNT, tally->new, 3), words,
                    RL_UNIT_TEXT(RL_UNIT_COUNT, tally->base, 3));
    } else {
        rl_unit_format(out, RL_UNIT_FRACTION, fabs(tally->new / tally->base - 1), 3);
        rl_buf_addf(out, tally->new < tally->base ? " fewer %s" : " more %s", words);
    }
}

/* Counts that scatter are never called the same, only not different. */
static bool is_same(const struct rl_tally *tally)
{
    return tally->is_equal && rl_tallies[tally->id].scatter == 0;
}

bool rl_pair_counts_tell(const struct rl_pair *pair)
{
    return RL_ANY(i, pair->tally_count, !pair->tallies[i].is_equal || is_same(&pair->tallies[i]));
}

bool rl_pair_counts_differ(const struct rl_pair *pair)
{
    return RL_ANY(i, pair->tally_count, !pair->tallies[i].is_equal);
}

void rl_pair_counts_text(const struct rl_pair *pair, struct rl_buf *out)
{
    enum { MOST_EQUAL = 4 };
    RL_SCRATCH text = RL_BUF_INIT;
    size_t equal = 0;
    for (size_t i = 0; i < pair->tally_count; i++)
        if (!pair->tallies[i].is_equal)
            rl_tally_difference_text(&pair->tallies[i], &text);
    for (size_t i = 0; i < pair->tally_count && equal < MOST_EQUAL; i++)
        if (is_same(&pair->tallies[i]))
            rl_buf_addf(&text, "%s%s", equal++ ? ", " : text.len ? "; same " : "same ", rl_tallies[pair->tallies[i].id].words);
    rl_buf_add(out, text.data, text.len);
}
