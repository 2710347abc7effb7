/* sort.c - a merge sort: runs of a few items are sorted by insertion, then pairs of neighbours are merged. */
#include "core/sort.h"

#include "core/core.h"

enum { RUN = 8 };

struct sorting {
    size_t size;
    int (*compare)(const void *, const void *, void *);
    void *context;
};

static void insert(const struct sorting *s, char *items, size_t count)
{
    for (size_t i = 1; i < count; i++)
        for (char *at = items + i * s->size; at > items && s->compare(at - s->size, at, s->context) > 0; at -= s->size) {
            char *a = at - s->size;
            for (size_t j = 0; j < s->size; j++) {
                const char kept = a[j];
                a[j] = at[j];
                at[j] = kept;
            }
        }
}

/* Two sorted neighbours of `left` and `right` items into `out`; of equal ones the left one first. */
static void merge(const struct sorting *s, const char *items, size_t left, size_t right, char *out)
{
    const char *a = items, *b = items + left * s->size, *const a_end = b, *const b_end = b + right * s->size;
    while (a < a_end && b < b_end) {
        const char **from = s->compare(a, b, s->context) <= 0 ? &a : &b;
        memcpy(out, *from, s->size);
        *from += s->size;
        out += s->size;
    }
    memcpy(out, a, (size_t)(a_end - a));
    memcpy(out + (a_end - a), b, (size_t)(b_end - b));
}

/* The result of a walk through sorted things often is. */
static bool in_order(const struct sorting *s, const char *items, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (s->compare(items + (i - 1) * s->size, items + i * s->size, s->context) > 0)
            return false;
    return true;
}

void rl_sort_with(void *items, size_t count, size_t size, int (*compare)(const void *a, const void *b, void *context),
                  void *context)
{
    const struct sorting s = {size, compare, context};
    assert(size > 0 && compare && (items || count == 0));
    if (in_order(&s, items, count))
        return;
    for (size_t at = 0; at < count; at += RUN)
        insert(&s, (char *)items + at * size, count - at < RUN ? count - at : RUN);
    if (count <= RUN)
        return;
    char *spare = rl_calloc(count, size), *from = items, *to = spare;
    for (size_t run = RUN; run < count; run *= 2) {
        /* One pass over all pairs of neighbouring runs. */
        for (size_t at = 0; at < count; at += 2 * run) {
            const size_t left = count - at < run ? count - at : run, right = count - at - left < run ? count - at - left : run;
            merge(&s, from + at * s.size, left, right, to + at * s.size);
        }
        char *const other = from;
        from = to;
        to = other;
    }
    if (from != items)
        memcpy(items, from, count * size);
    free(spare);
}

/* A comparator without a context. */
struct plain {
    int (*compare)(const void *, const void *);
};

static int compare_plain(const void *a, const void *b, void *context)
{
    const struct plain *plain = context;
    return plain->compare(a, b);
}

void rl_sort(void *items, size_t count, size_t size, int (*compare)(const void *a, const void *b))
{
    struct plain plain = {compare};
    rl_sort_with(items, count, size, compare_plain, &plain);
}

int rl_by_text(const void *a, const void *b)
{
    return rl_ascending_text(*(const char *const *)a, *(const char *const *)b);
}

RL_COMPARATOR(by_value, double, rl_ascending(*x, *y));

void rl_sort_doubles(double *numbers, size_t count)
{
    rl_sort(numbers, count, sizeof *numbers, by_value);
}
