/* compare_like.c - kernels that have another name in the other capture: which is which, by a score (likeness.def).
 *
 * What is left on both sides is sorted by name behind mangling and without template arguments. Names with the longest beginning in
 * common are neighbours then, so that a kernel is compared with a few neighbours only, and 10,000 of them take no time. */
#include "compare_internal.h"
#include "core/core.h"
#include "internal.h"

/* ---- names as the compiler writes them into a cubin ---- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Passes "6kernel"; the length of "kernel", with `*at` behind it, or 0 where the text ends before. */
static size_t pass_identifier(const char **at)
{
    enum { LONGEST = 1 << 20 };
    size_t len = 0;
    assert(is_digit(**at));
    for (; is_digit(**at); ++*at)
        if (len < LONGEST)
            len = len * 10 + (size_t)(**at - '0');
    if (strnlen(*at, len) < len)
        return 0;
    *at += len;
    return len;
}

/* How long "S0_", "T_", "A16_" or "St" is, whose digits are no length of what follows. */
static size_t numbered_length(const char *at)
{
    const size_t number = strspn(at + 1, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ");
    return at[1 + number] == '_' ? number + 2 : 1;
}

/* Passes one item of template arguments; returns by how many more they are open behind it. False: an identifier does not end. */
static bool pass_argument(const char **at, int *open)
{
    const char c = **at;
    assert(c);
    if (is_digit(c))
        return pass_identifier(at) > 0;
    if (c == 'L' && (*at)[1] != '_') { /* a value, "Li4E" */
        *at += strcspn(*at, "E");
        *at += **at == 'E';
    } else if (strchr("STA", c)) {
        *at += numbered_length(*at);
    } else {
        *open += (strchr("INXJFL", c) != NULL) - (c == 'E');
        ++*at;
    }
    return true;
}

/* Passes "IfLi4EE"; false: it does not end. */
static bool pass_arguments(const char **at)
{
    int open = 0;
    assert(**at == 'I');
    do
        if (!**at || !pass_argument(at, &open))
            return false;
    while (open > 0);
    return true;
}

static bool add_identifier(const char **at, struct rl_buf *out)
{
    const size_t len = pass_identifier(at);
    rl_buf_adds(out, out->len ? "::" : "");
    rl_buf_add(out, *at - len, len);
    return len > 0;
}

/* "2ns6kernelIfEE", up to its end. */
static bool add_nested(const char *at, struct rl_buf *out)
{
    bool ok = true;
    at += strspn(at, "rVK");
    while (ok && *at && *at != 'E') {
        at += *at == 'L'; /* of one file alone */
        if (*at == 'I' && out->len)
            ok = pass_arguments(&at);
        else
            ok = is_digit(*at) && add_identifier(&at, out);
    }
    return ok && *at == 'E' && out->len;
}

bool rl_unmangle(const char *name, struct rl_buf *out)
{
    RL_SCRATCH text = RL_BUF_INIT;
    bool is_mangled = strncmp(name, "_Z", 2) == 0;
    const char *at = is_mangled ? name + 2 : name;
    if (is_mangled && *at == 'N') {
        is_mangled = add_nested(at + 1, &text);
    } else if (is_mangled) {
        at += *at == 'L';
        is_mangled = is_digit(*at) && add_identifier(&at, &text);
    }
    if (is_mangled)
        rl_buf_add(out, text.data, text.len);
    return is_mangled;
}

const struct rl_likeness_info rl_likeness_parts[RL_LIKENESS_COUNT] = {
#define LIKENESS(id_, ...) [RL_LIKENESS_##id_] = {.id = #id_, __VA_ARGS__},
#include "analysis/likeness.def"
#undef LIKENESS
};

#define LEAST_NAME 0.5 /* shape and order alone tell no kernel from another */
enum { NEIGHBOURS = 8, UNKNOWN = -1 };

struct left {
    size_t item, gpu;
    char *name;   /* behind mangling, without template arguments */
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

static char *name_of(const struct rl_item *item)
{
    struct rl_buf name = RL_BUF_INIT;
    size_t len;
    if (!rl_unmangle(item->name, &name))
        rl_buf_adds(&name, item->short_name);
    return rl_buf_detach(&name, &len);
}

static struct side_left left_of(const struct rl_compare_side *side, const size_t *partner, const bool *taken)
{
    struct side_left left = {
        .side = side, .left = rl_calloc(side->count, sizeof *left.left), .best = rl_calloc(side->count, sizeof *left.best)};
    for (size_t i = 0; i < side->count; i++)
        /* Kernels of the suite are identified by their variants: another variant is another kernel. */
        if (side->items[i].kernel != RL_NONE && side->items[i].variant == RL_NONE && (partner ? partner[i] == RL_NONE : !taken[i]))
            left.left[left.count++] = (struct left){.item = i, .gpu = side->items[i].gpu, .name = name_of(&side->items[i])};
    for (size_t i = 0; i < left.count; i++) {
        left.left[i].place = left.count > 1 ? (double)i / (double)(left.count - 1) : 0;
        left.best[i].other = RL_NONE;
    }
    rl_sort(left.left, left.count, sizeof *left.left, by_name);
    return left;
}

static void release(struct side_left *left)
{
    for (size_t i = 0; i < left->count; i++)
        free(left->left[i].name);
    RL_FREE(left->left, left->best);
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
    release(&base);
    release(&new);
    return count;
}
