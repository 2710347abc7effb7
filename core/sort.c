/* sort.c - the C library sorts pointers to the items, equal ones by their place. */
#include "core/sort.h"

#include "core/core.h"

struct sorting {
    int (*compare)(const void *, const void *, void *);
    void *context;
};

static int by_item(const void *a, const void *b, void *sorting)
{
    const struct sorting *s = sorting;
    const char *const *x = a, *const *y = b;
    const int order = s->compare(*x, *y, s->context);
    return order ? order : (*x > *y) - (*x < *y);
}

void rl_sort_with(void *items, size_t count, size_t size, int (*compare)(const void *a, const void *b, void *context),
                  void *context)
{
    char *const first = items;
    assert(size > 0 && compare && (items || count == 0));
    /* The result of a walk through sorted things often is in order. */
    if (count < 2 || !RL_ANY(i, count - 1, compare(first + i * size, first + (i + 1) * size, context) > 0))
        return;
    RL_FREED const char **at = rl_calloc(count, sizeof *at);
    RL_FREED char *sorted = rl_calloc(count, size);
    for (size_t i = 0; i < count; i++)
        at[i] = first + i * size;
    qsort_r(at, count, sizeof *at, by_item, &(struct sorting){compare, context});
    for (size_t i = 0; i < count; i++)
        memcpy(sorted + i * size, at[i], size);
    memcpy(items, sorted, count * size);
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
    if (count > 0)
        qsort(numbers, count, sizeof *numbers, by_value);
}
