/* compare_why.c - did both do the same work, and what changed with the time? */
#include "compare_internal.h"

/* Counted operations of unchanged code are equal or, where data decides, nearly so. */
static const double work_tolerance = 0.005;

static void add_work(struct rl_buf *out, enum rl_unit unit, double base, double new, const char *words)
{
    rl_buf_addf(out, "%s%s%s instead of %s", out->len ? "; " : "", RL_UNIT_TEXT(unit, new, 4), words, RL_UNIT_TEXT(unit, base, 4));
}

/* Whether both are known, and are not the same. */
static bool differ_by(struct rl_value a, struct rl_value b, double tolerance)
{
    return rl_present(a) && rl_present(b) && fabs(a.v - b.v) > tolerance * fmax(fabs(a.v), fabs(b.v));
}

static bool differ(struct rl_value a, struct rl_value b)
{
    return differ_by(a, b, work_tolerance);
}

/* Work is that of a launch. How many launches there are says something of it only where nothing was counted: a profile may be of
 * some of them. */
void rl_pair_compare_work(struct rl_comparison *comparison, struct rl_pair *pair)
{
    const struct rl_item *base = &comparison->base.items[pair->base], *new = &comparison->new.items[pair->new];
    const struct rl_value base_bytes = base->metric[RL_METRIC_dram_bytes], new_bytes = new->metric[RL_METRIC_dram_bytes];
    const bool launches = base->launches && new->launches, flop = rl_present(base->flop) && rl_present(new->flop);
    const bool bytes = rl_present(base_bytes) && rl_present(new_bytes);
    RL_SCRATCH text = RL_BUF_INIT;
    if (differ(base->flop, new->flop))
        add_work(&text, RL_UNIT_FLOP, base->flop.v, new->flop.v, "");
    /* The work of kernels without operations is the bytes that they write; how much they read for that may change. */
    if (flop && base->flop.v == 0 && new->flop.v == 0 && differ(base->stored, new->stored))
        add_work(&text, RL_UNIT_BYTE, base->stored.v, new->stored.v, " stored");
    if (!flop && differ_by(base_bytes, new_bytes, rl_tallies[RL_TALLY_dram].scatter))
        add_work(&text, RL_UNIT_BYTE, base_bytes.v, new_bytes.v, " to and from DRAM");
    if (launches && !flop && !bytes && base->launches != new->launches)
        add_work(&text, RL_UNIT_COUNT, (double)base->launches, (double)new->launches, " launches");
    pair->work_lacks = !flop && !bytes &&
                       (rl_present(base->flop) || rl_present(new->flop) || rl_present(base_bytes) || rl_present(new_bytes) ||
                        !base->launches != !new->launches);
    pair->work = text.len ? RL_WORK_UNEQUAL : flop || bytes || (launches && !pair->work_lacks) ? RL_WORK_EQUAL : RL_WORK_UNKNOWN;
    pair->work_text = text.len ? rl_arena_strndup(&comparison->arena, text.data, text.len) : NULL;
}

enum more_is { MORE_IS_FASTER = RL_FASTER, MORE_IS_SLOWER = RL_SLOWER };

static const struct cause {
    enum rl_metric metric;
    enum more_is more_is;
    enum rl_bound bound;
    enum rl_metric whole;
} causes[] = {
#define CAUSE(metric, more_is, bound, whole) {RL_METRIC_##metric, MORE_IS_##more_is, RL_BOUND_##bound, RL_METRIC_##whole},
#include "analysis/causes.def"
#undef CAUSE
};

/* How much a counter may differ from capture to capture of the same code (docs/data/benchmarks.md: traffic up to 6 %, most under 2
 * %): relative, and for shares in points. */
static const double scatter = 0.03, scatter_points = 0.02;

/* |ln(new / base)|; what was or becomes nothing counts as a factor of e^3. */
static double weight_of(enum rl_metric metric, double base, double new)
{
    const double most = 3;
    if (rl_metrics[metric].unit == RL_UNIT_FRACTION && fabs(new - base) < scatter_points)
        return 0;
    if (base <= 0 || new <= 0)
        return base == new ? 0 : most;
    const double weight = fmin(fabs(log(new / base)), most);
    return weight < scatter ? 0 : weight;
}

/* Whether it is a part that counts, on the side where it is more. */
static bool counts(const struct cause *cause, const struct rl_item *base, const struct rl_item *new)
{
    const double least = 0.01;
    const struct rl_value part_base = base->metric[cause->metric], part_new = new->metric[cause->metric];
    const struct rl_value whole_base = base->metric[cause->whole], whole_new = new->metric[cause->whole];
    if (!rl_present(part_base) || !rl_present(part_new))
        return false;
    if (cause->whole == cause->metric || !rl_present(whole_base) || !rl_present(whole_new))
        return true;
    return part_base.v > least * whole_base.v || part_new.v > least * whole_new.v;
}

static bool explains(const struct cause *cause, const struct rl_moved *moved, enum rl_verdict verdict)
{
    const bool more = moved->new.v > moved->base.v;
    const enum rl_verdict effect = (more == (cause->more_is == MORE_IS_FASTER)) ? RL_FASTER : RL_SLOWER;
    return verdict == effect;
}

RL_COMPARATOR(by_weight, struct rl_moved, rl_descending(x->explains, y->explains) ?: rl_descending(x->weight, y->weight)
              ?: rl_ascending(x->metric, y->metric));

void rl_pair_find_causes(struct rl_comparison *comparison, struct rl_pair *pair)
{
    const struct rl_item *base = &comparison->base.items[pair->base], *new = &comparison->new.items[pair->new];
    struct rl_moved found[RL_COUNT(causes)];
    size_t count = 0;
    for (size_t i = 0; i < RL_COUNT(causes) && pair->change.verdict != RL_SAME && !pair->not_compared; i++) {
        const enum rl_metric metric = causes[i].metric;
        struct rl_moved moved = {.metric = metric, .base = base->metric[metric], .new = new->metric[metric]};
        if (!counts(&causes[i], base, new))
            continue;
        moved.weight = weight_of(metric, moved.base.v, moved.new.v) * (base->bound == causes[i].bound ? 2 : 1);
        moved.explains = explains(&causes[i], &moved, pair->change.verdict);
        if (moved.weight > 0)
            found[count++] = moved;
    }
    rl_sort(found, count, sizeof *found, by_weight);
    pair->moved = rl_arena_alloc(&comparison->arena, (count + 1) * sizeof *pair->moved);
    for (pair->moved_count = 0; pair->moved_count < count; pair->moved_count++)
        pair->moved[pair->moved_count] = found[pair->moved_count];
}

bool rl_pair_moved_alone(const struct rl_pair *pair)
{
    return !pair->not_compared && pair->change.verdict == RL_UNDECIDED && !pair->change.time.has_interval && pair->moved_count > 0;
}
