/* compare_match.c - which kernel of one capture is which of the other.
 *
 * Each way of matching is a key: items of both sides whose keys are equal belong together, one after the other. Keys are compared
 * as sorted lists, so that 10,000 kernels take no time. */
#include "compare_internal.h"

const struct rl_match_info rl_matches[RL_MATCH_COUNT] = {
#define MATCH(id_, ...) {.id = #id_, __VA_ARGS__},
#include "analysis/matches.def"
};

/* ---- keys ---- */

/* Appends an item's key; false: this way does not apply to the item. */
typedef bool (*add_key)(const struct rl_item *item, struct rl_buf *key);

/* Parts are kept apart by a byte that no string of a capture holds. */
static void add_part(struct rl_buf *key, const char *text)
{
    rl_buf_add(key, text, strlen(text) + 1);
}

static bool is_whole(const struct rl_item *item)
{
    return item->kernel == RL_NONE;
}

static bool key_name_shape_path(const struct rl_item *item, struct rl_buf *key)
{
    add_part(key, item->name);
    add_part(key, item->shape);
    add_part(key, item->path);
    return true;
}

/* A case has one meaning on both sides, whatever grids do. */
static bool key_case_name_shape(const struct rl_item *item, struct rl_buf *key)
{
    add_part(key, item->name);
    add_part(key, item->shape);
    add_part(key, item->of_case ? item->of_case : "");
    return item->of_case;
}

static bool key_case_short(const struct rl_item *item, struct rl_buf *key)
{
    add_part(key, item->short_name);
    add_part(key, item->of_case ? item->of_case : "");
    return item->of_case;
}

static bool key_name_shape(const struct rl_item *item, struct rl_buf *key)
{
    add_part(key, item->name);
    add_part(key, item->shape);
    return !is_whole(item);
}

static bool key_short_shape_path(const struct rl_item *item, struct rl_buf *key)
{
    add_part(key, item->short_name);
    add_part(key, item->shape);
    add_part(key, item->path);
    return !is_whole(item);
}

static bool key_short_path(const struct rl_item *item, struct rl_buf *key)
{
    add_part(key, item->short_name);
    add_part(key, item->path);
    return !is_whole(item);
}

static bool key_path(const struct rl_item *item, struct rl_buf *key)
{
    add_part(key, is_whole(item) ? "whole" : "kernel");
    add_part(key, item->path);
    return *item->path != '\0';
}

/* In order. `alike` asks for as many on both sides: with fewer, which one is missing would be a guess. */
static const struct way {
    enum rl_match match;
    add_key key;
    bool alike;
} ways[] = {
    {RL_MATCH_EXACT, key_case_name_shape, true},
    {RL_MATCH_CASE, key_case_short, true},
    {RL_MATCH_EXACT, key_name_shape_path, false},
    {RL_MATCH_EXACT, key_name_shape, true},
    {RL_MATCH_SHORT, key_short_shape_path, true},
    {RL_MATCH_SHORT, key_short_path, true},
    {RL_MATCH_NVTX, key_path, true},
};

/* ---- lists of keys ---- */

struct keyed {
    char *key;
    size_t len, item;
};

struct matching {
    struct rl_comparison *comparison;
    size_t *partner; /* of each item of the base: an item of the new side, or RL_NONE */
    enum rl_match *match;
    const struct rl_likeness **likeness; /* of those that were matched by it */
    bool *taken;                         /* of each item of the new side */
};

static int compare_keys(const struct keyed *x, const struct keyed *y)
{
    const int order = memcmp(x->key, y->key, x->len < y->len ? x->len : y->len);
    return order ? order : rl_ascending(x->len, y->len);
}

RL_COMPARATOR(by_key, struct keyed, compare_keys(x, y) ?: rl_ascending(x->item, y->item));

static bool is_free(const struct matching *matching, bool base, size_t item)
{
    return base ? matching->partner[item] == RL_NONE : !matching->taken[item];
}

/* Sorted keys of what is left on one side. */
static struct keyed *list_keys(const struct matching *matching, bool base, add_key key, size_t *count)
{
    const struct rl_compare_side *side = base ? &matching->comparison->base : &matching->comparison->new;
    struct keyed *list = rl_calloc(side->count, sizeof *list);
    *count = 0;
    for (size_t i = 0; i < side->count; i++) {
        RL_SCRATCH text = RL_BUF_INIT;
        rl_buf_addf(&text, "%zu", side->items[i].gpu);
        rl_buf_addch(&text, '\0');
        if (is_free(matching, base, i) && key(&side->items[i], &text)) {
            list[*count].item = i;
            list[*count].key = rl_buf_detach(&text, &list[*count].len);
            ++*count;
        }
    }
    rl_sort(list, *count, sizeof *list, by_key);
    return list;
}

static void free_keys(struct keyed *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(list[i].key);
    free(list);
}

/* Length of the run of equal keys that begins at `first`. */
static size_t run_length(const struct keyed *list, size_t count, size_t first)
{
    assert(first < count);
    size_t end = first + 1;
    while (end < count && compare_keys(&list[first], &list[end]) == 0)
        end++;
    return end - first;
}

static void take(struct matching *matching, size_t base, size_t new, enum rl_match match)
{
    assert(matching->partner[base] == RL_NONE && !matching->taken[new]);
    matching->partner[base] = new;
    matching->match[base] = match;
    matching->taken[new] = true;
}

/* In rounds: once a pair is matched, others may be the only ones of their like. */
static void match_alike(struct matching *matching)
{
    enum { MOST_ROUNDS = 8 };
    struct rl_comparison *comparison = matching->comparison;
    RL_FREED struct rl_alike *found = rl_calloc(comparison->base.count, sizeof *found);
    for (size_t round = 0, count = 1; round < MOST_ROUNDS && count; round++) {
        count = rl_comparison_find_alike(comparison, matching->partner, matching->taken, found);
        for (size_t i = 0; i < count; i++) {
            struct rl_likeness *kept = rl_arena_alloc(&comparison->arena, sizeof *kept);
            *kept = found[i].likeness;
            take(matching, found[i].base, found[i].new, RL_MATCH_LIKE);
            matching->likeness[found[i].base] = kept;
        }
    }
}

/* ---- the map ---- */

static bool is_called(const struct rl_item *item, const char *name)
{
    return strcmp(item->label, name) == 0 || strcmp(item->name, name) == 0 || strcmp(item->short_name, name) == 0 ||
           strcmp(item->path, name) == 0;
}

/* Free items called `name`, up to `most` of them; returns how many there are. */
static size_t find_called(const struct matching *matching, bool base, const char *name, size_t *found, size_t most)
{
    const struct rl_compare_side *side = base ? &matching->comparison->base : &matching->comparison->new;
    size_t count = 0;
    for (size_t i = 0; i < side->count; i++)
        if (is_free(matching, base, i) && is_called(&side->items[i], name)) {
            if (count < most)
                found[count] = i;
            count++;
        }
    return count;
}

static enum rl_status apply_entry(struct matching *matching, const struct rl_map_entry *entry, struct rl_err *err)
{
    enum { MOST = 256 };
    size_t a[MOST], b[MOST];
    const size_t count_a = find_called(matching, true, entry->base, a, MOST);
    const size_t count_b = find_called(matching, false, entry->new, b, MOST);
    if (count_a == 0 || count_b == 0)
        return rl_err_set(err, RL_FAILED, "line %zu of the map: no kernel of the %s is called '%s'", entry->line,
                          count_a ? "candidate" : "baseline", count_a ? entry->new : entry->base);
    if (count_a != count_b || count_a > MOST)
        return rl_err_set(
            err, RL_FAILED,
            "line %zu of the map: '%s' names %zu kernels of the baseline and '%s' %zu of the candidate: use longer names",
            entry->line, entry->base, count_a, entry->new, count_b);
    for (size_t i = 0; i < count_a; i++)
        take(matching, a[i], b[i], RL_MATCH_MAP);
    return RL_OK;
}

/* ---- all ---- */

static void collect_pairs(const struct matching *matching)
{
    struct rl_comparison *comparison = matching->comparison;
    const struct rl_compare_side *base = &comparison->base, *new = &comparison->new;
    comparison->pairs = rl_arena_alloc(&comparison->arena, (base->count + 1) * sizeof *comparison->pairs);
    comparison->removed = rl_arena_alloc(&comparison->arena, (base->count + 1) * sizeof *comparison->removed);
    comparison->added = rl_arena_alloc(&comparison->arena, (new->count + 1) * sizeof *comparison->added);
    for (size_t i = 0; i < base->count; i++)
        if (matching->partner[i] == RL_NONE) {
            comparison->removed[comparison->removed_count++] = i;
        } else {
            comparison->pairs[comparison->pair_count++] = (struct rl_pair){
                .base = i, .new = matching->partner[i], .match = matching->match[i], .likeness = matching->likeness[i]};
            comparison->matched[matching->match[i]]++;
        }
    for (size_t i = 0; i < new->count; i++)
        if (!matching->taken[i])
            comparison->added[comparison->added_count++] = i;
}

/* Notes of each kernel the one case that all of its timed launches are in. */
static void find_cases(struct rl_comparison *comparison, struct rl_compare_side *side)
{
    struct rl_cases *cases = rl_cases_new(side->analysis);
    const struct rl_capture *capture = side->analysis->capture;
    const char **of = rl_calloc(capture->kernel_count, sizeof *of);
    RL_FREED bool *shared = rl_calloc(capture->kernel_count, sizeof *shared);
    for (size_t c = 0; c < cases->count; c++)
        for (size_t k = 0; k < cases->at[c].kernel_count; k++) {
            const struct rl_case_kernel *kernel = &cases->at[c].kernels[k];
            shared[kernel->kernel] |= of[kernel->kernel] || kernel->others > 0;
            of[kernel->kernel] = cases->at[c].name.key;
        }
    for (size_t i = 0; i < side->count; i++) {
        const size_t kernel = side->items[i].kernel;
        side->items[i].of_case =
            kernel != RL_NONE && of[kernel] && !shared[kernel] ? rl_arena_strdup(&comparison->arena, of[kernel]) : NULL;
    }
    free(of);
    rl_cases_free(cases);
}

enum rl_status rl_comparison_match(struct rl_comparison *comparison, const struct rl_compare_options *options, struct rl_err *err)
{
    const size_t bases = comparison->base.count, news = comparison->new.count;
    struct matching matching = {comparison, rl_calloc(bases, sizeof(size_t)), rl_calloc(bases, sizeof(enum rl_match)),
                                rl_calloc(bases, sizeof(struct rl_likeness *)), rl_calloc(news, sizeof(bool))};
    enum rl_status status = RL_OK;
    find_cases(comparison, &comparison->base);
    find_cases(comparison, &comparison->new);
    for (size_t i = 0; i < bases; i++)
        matching.partner[i] = RL_NONE;
    for (size_t i = 0; options->map && i < options->map->count && status == RL_OK; i++)
        status = apply_entry(&matching, &options->map->entries[i], err);
    for (size_t i = 0; i < RL_COUNT(ways) && status == RL_OK; i++) {
        const struct way *way = &ways[i];
        size_t count_a, count_b;
        struct keyed *a = list_keys(&matching, true, way->key, &count_a), *b = list_keys(&matching, false, way->key, &count_b);
        for (size_t m = 0, j = 0; m < count_a && j < count_b;) {
            const int order = compare_keys(&a[m], &b[j]);
            const size_t run_a = run_length(a, count_a, m), run_b = run_length(b, count_b, j);
            if (order == 0 && (run_a == run_b || !way->alike))
                for (size_t k = 0; k < run_a && k < run_b; k++)
                    take(&matching, a[m + k].item, b[j + k].item, way->match);
            m += order <= 0 ? run_a : 0;
            j += order >= 0 ? run_b : 0;
        }
        free_keys(a, count_a);
        free_keys(b, count_b);
    }
    if (status == RL_OK && !options->never_by_likeness)
        match_alike(&matching);
    if (status == RL_OK)
        collect_pairs(&matching);
    RL_FREE(matching.partner, matching.match, matching.likeness, matching.taken);
    return status;
}
