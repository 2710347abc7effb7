/* compare_like.c - kernels that have another name in the other capture: which is which, by a score (likeness.def).
 *
 * What is left on both sides is sorted by name without template arguments. Names with the longest beginning in
 * common are neighbours then, so that a kernel is compared with a few neighbours only, and 10,000 of them take no time. */
#include "compare_internal.h"
#include "internal.h"

const struct rl_likeness_info rl_likeness_parts[RL_LIKENESS_COUNT] = {
#define LIKENESS(id_, ...) [RL_LIKENESS_##id_] = {.id = #id_, __VA_ARGS__},
#include "analysis/likeness.def"
};

#define LEAST_NAME 0.5 /* shape and order alone tell no kernel from another */
enum { NEIGHBOURS = 8, UNKNOWN = -1 };

struct left {
    size_t item, gpu;
    const char *name; /* without template arguments */
    double place; /* among those that are left: 0 to 1 */
};

struct best {
    size_t other; /* RL_NONE: none */
    struct rl_likeness likeness;
    double second; /* the next score */
};

struct side_left {
    const struct rl_compare_side *side;
    struct left *left;
    struct best *best;
    size_t count;
};

RL_COMPARATOR(by_name, struct left, rl_ascending(x->gpu, y->gpu) ?: strcmp(x->name, y->name) ?: rl_ascending(x->item, y->item));

static struct side_left left_of(const struct rl_compare_side *side, const size_t *partner, const bool *taken)
{
    struct side_left left = {
        .side = side, .left = rl_calloc(side->count, sizeof *left.left), .best = rl_calloc(side->count, sizeof *left.best)};
    for (size_t i = 0; i < side->count; i++)
        /* Kernels of the suite are identified by their variants: another variant is another kernel. */
        if (side->items[i].kernel != RL_NONE && side->items[i].variant == RL_NONE && (partner ? partner[i] == RL_NONE : !taken[i]))
            left.left[left.count++] = (struct left){.item = i, .gpu = side->items[i].gpu, .name = side->items[i].short_name};
    for (size_t i = 0; i < left.count; i++) {
        left.left[i].place = left.count > 1 ? (double)i / (double)(left.count - 1) : 0;
        left.best[i].other = RL_NONE;
    }
    rl_sort(left.left, left.count, sizeof *left.left, by_name);
    return left;
}

static double ratio(double a, double b)
{
    return a > 0 && b > 0 ? fmin(a, b) / fmax(a, b) : a == b;
}

/* "kernel" of "ns::kernel" */
static const char *last_of(const char *name)
{
    const char *last = name;
    for (const char *at = strstr(name, "::"); at; at = strstr(last, "::"))
        last = at + 2;
    return last;
}

static double like_words(const char *a, const char *b)
{
    enum { LEAST_BEGINNING = 3 };
    const size_t len_a = strlen(a), len_b = strlen(b), least = len_a < len_b ? len_a : len_b, most = len_a + len_b - least;
    size_t first = 0, last = 0;
    while (first < least && a[first] == b[first])
        first++;
    while (last < least - first && a[len_a - 1 - last] == b[len_b - 1 - last])
        last++;
    const double shared = most ? (double)(first + last) / (double)most : 1;
    return first == least && least >= LEAST_BEGINNING ? fmax(shared, 0.75) : shared;
}

static double like_extent(const uint32_t a[3], const uint32_t b[3])
{
    const double size_a = (double)a[0] * a[1] * a[2], size_b = (double)b[0] * b[1] * b[2];
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2] ? 1 : ratio(size_a, size_b) / 2;
}

static double like_counts(const struct rl_comparison *comparison, size_t base, size_t new)
{
    struct rl_tally tallies[RL_TALLY_COUNT];
    const size_t count = rl_items_count_work(comparison, base, new, tallies);
    size_t exact = 0;
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        if (rl_tallies[tallies[i].id].scatter == 0) {
            sum += ratio(tallies[i].base, tallies[i].new);
            exact++;
        }
    return exact ? sum / (double)exact : UNKNOWN;
}

/* Score 0 where the names are not alike. */
static struct rl_likeness likeness_of(const struct rl_comparison *comparison, const struct left *base, const struct left *new)
{
    const struct rl_item *a = &comparison->base.items[base->item], *b = &comparison->new.items[new->item];
    struct rl_likeness likeness = {.score = 0};
    const char *const x = last_of(base->name), *const y = last_of(new->name);
    likeness.part[RL_LIKENESS_NAME] = strcmp(base->name, new->name) == 0 ? 1
                                      : strcmp(x, y) == 0                ? 0.95
                                                                         : fmin(like_words(x, y), 0.95);
    if (likeness.part[RL_LIKENESS_NAME] < LEAST_NAME || base->gpu != new->gpu)
        return likeness;
    const struct rl_kernel *j = &comparison->base.analysis->capture->kernels[a->kernel];
    const struct rl_kernel *k = &comparison->new.analysis->capture->kernels[b->kernel];
    likeness.part[RL_LIKENESS_SHAPE] =
        a->no_grid || b->no_grid ? UNKNOWN : (like_extent(j->grid, k->grid) + like_extent(j->block, k->block)) / 2;
    likeness.part[RL_LIKENESS_COUNTS] = like_counts(comparison, base->item, new->item);
    likeness.part[RL_LIKENESS_LAUNCHES] = a->launches && b->launches ? ratio((double)a->launches, (double)b->launches) : UNKNOWN;
    likeness.part[RL_LIKENESS_ORDER] = 1 - fabs(base->place - new->place);
    double sum = 0, weights = 0;
    for (size_t i = 0; i < RL_LIKENESS_COUNT; i++)
        if (likeness.part[i] >= 0) {
            sum += rl_likeness_parts[i].weight * likeness.part[i];
            weights += rl_likeness_parts[i].weight;
        }
    assert(weights > 0);
    likeness.score = sum / weights;
    return likeness;
}

static void note(struct best *best, size_t other, const struct rl_likeness *likeness)
{
    if (likeness->score > best->likeness.score) {
        best->second = best->likeness.score;
        best->likeness = *likeness;
        best->other = other;
    } else {
        best->second = fmax(best->second, likeness->score);
    }
}

static bool is_clear(const struct best *best)
{
    return best->other != RL_NONE && best->likeness.score >= RL_LIKENESS_LEAST &&
           best->likeness.score - best->second >= RL_LIKENESS_MARGIN;
}

size_t rl_comparison_find_alike(const struct rl_comparison *comparison, const size_t *partner, const bool *taken,
                                struct rl_alike *found)
{
    struct side_left base = left_of(&comparison->base, partner, NULL), new = left_of(&comparison->new, NULL, taken);
    size_t count = 0;
    /* Holds each kernel of the base against those of the new side whose names stand next to where its own would stand. */
    for (size_t i = 0, at = 0; i < base.count; i++) {
        const struct left *one = &base.left[i];
        while (at < new.count &&
               (new.left[at].gpu < one->gpu || (new.left[at].gpu == one->gpu &&strcmp(new.left[at].name, one->name) < 0)))
            at++;
        const size_t first = at > NEIGHBOURS ? at - NEIGHBOURS : 0;
        for (size_t j = first; j < new.count &&j < at + NEIGHBOURS; j++) {
            const struct rl_likeness likeness = likeness_of(comparison, one, &new.left[j]);
            note(&base.best[i], j, &likeness);
            note(&new.best[j], i, &likeness);
        }
    }
    for (size_t i = 0; i < base.count; i++) {
        const struct best *best = &base.best[i];
        if (is_clear(best) && is_clear(&new.best[best->other]) && new.best[best->other].other == i)
            found[count++] = (struct rl_alike){base.left[i].item, new.left[best->other].item, best->likeness};
    }
    RL_FREE(base.left, base.best, new.left, new.best);
    return count;
}
