/* sort_doubles.c - numbers in a separate merge sort: without a call for each comparison it takes a fraction of the time. */

#include "core/core.h"

/* Runs that are sorted by insertion before runs are merged. */
enum { RUN = 16 };

static bool ascends(const double *numbers, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (numbers[i] < numbers[i - 1])
            return false;
    return true;
}

static void insert(double *numbers, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const double number = numbers[i];
        size_t at = i;
        for (; at > 0 && numbers[at - 1] > number; at--)
            numbers[at] = numbers[at - 1];
        numbers[at] = number;
    }
}

/* The runs [0, middle) and [middle, count) of `from`, as one. */
static void merge(const double *from, size_t middle, size_t count, double *to)
{
    size_t left = 0, right = middle;
    for (size_t i = 0; i < count; i++)
        to[i] = left < middle && (right == count || from[left] <= from[right]) ? from[left++] : from[right++];
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

void rl_sort_doubles(double *numbers, size_t count)
{
    /* Moves NaN behind all numbers. */
    size_t known = 0;
    for (size_t i = 0; i < count; i++) {
        const double number = numbers[i];
        if (number != number)
            continue;
        numbers[i] = numbers[known];
        numbers[known++] = number;
    }
    if (ascends(numbers, known))
        return;
    if (known <= RUN)
        insert(numbers, known);
    else {
        double *scratch = rl_realloc(NULL, known, sizeof *scratch), *from = numbers, *to = scratch;
        for (size_t first = 0; first < known; first += RUN)
            insert(numbers + first, least(RUN, known - first));
        for (size_t run = RUN; run < known; run *= 2) {
            for (size_t first = 0; first < known; first += 2 * run)
                merge(from + first, least(run, known - first), least(2 * run, known - first), to + first);
            double *sorted = to;
            to = from;
            from = sorted;
        }
        if (from != numbers)
            memcpy(numbers, from, known * sizeof *numbers);
        free(scratch);
    }
}
