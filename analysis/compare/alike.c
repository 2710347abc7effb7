/* alike.c - whether two cards of a capture need two descriptions (see rl_cards_are_equivalent). */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "core/sort.h"
#include "internal.h"

static const double same_clock = 0.01; /* as a share */

static int compare_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) : (a != NULL) - (b != NULL);
}

static int compare_value(struct rl_value a, struct rl_value b)
{
    if (!rl_present(a) || !rl_present(b))
        return rl_present(a) - rl_present(b);
    return (a.v > b.v) - (a.v < b.v);
}

/* In all but the clock's frequency: 0 when they are the same. */
static int compare_cards(const struct rl_analysis *analysis, size_t a, size_t b)
{
    const struct rl_gpu *x = &analysis->capture->gpus[a], *y = &analysis->capture->gpus[b];
    int order = compare_text(x->name, y->name);
    order = order ? order : compare_text(x->chip, y->chip);
    order = order ? order : (x->cc_major - y->cc_major);
    order = order ? order : (x->cc_minor - y->cc_minor);
    for (size_t i = 0; i < RL_FACT_COUNT && !order; i++)
        order = compare_value(x->fact[i], y->fact[i]);
    return order ? order : (analysis->gpus[a].sm_clock.n > 0) - (analysis->gpus[b].sm_clock.n > 0);
}

static double clock_of(const struct rl_analysis *analysis, size_t gpu)
{
    assert(gpu < analysis->capture->gpu_count);
    return analysis->gpus[gpu].sm_clock.n > 0 ? analysis->gpus[gpu].sm_clock.median : 0;
}

static bool same_frequency(const struct rl_analysis *analysis, size_t a, size_t b)
{
    const double x = clock_of(analysis, a), y = clock_of(analysis, b);
    return a == b || fabs(x - y) <= same_clock * fmax(x, y); /* clocks of hostile counters are like nothing */
}

bool rl_cards_are_equivalent(const struct rl_analysis *analysis, size_t a, size_t b)
{
    return compare_cards(analysis, a, b) == 0 && same_frequency(analysis, a, b);
}

static int by_card(const void *a, const void *b, void *context)
{
    const struct rl_analysis *analysis = context;
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return compare_cards(analysis, x, y) ?: rl_ascending(clock_of(analysis, x), clock_of(analysis, y)) ?: rl_ascending(x, y);
}

/* Each of `count` cards, which are the same but for their clocks and ascend by them, has those that are alike to it in a row around
 * it, and both ends of that row ascend too. `queue` holds what may be the first card of a row to come: its indices ascend, and so
 * do the cards there. */
static void stand_for(const struct rl_analysis *analysis, const size_t *cards, size_t count, size_t *queue, size_t *stands)
{
    size_t from = 0, to = 0, head = 0, tail = 0;
    for (size_t i = 0; i < count; i++) {
        for (; to < count && same_frequency(analysis, cards[to], cards[i]); to++) {
            while (tail > head && cards[queue[tail - 1]] > cards[to])
                tail--;
            queue[tail++] = to;
        }
        while (!same_frequency(analysis, cards[from], cards[i]))
            from++;
        while (queue[head] < from)
            head++;
        stands[cards[i]] = cards[queue[head]] == cards[i] ? to - from : 0;
    }
}

size_t *rl_cards_count_equivalent(const struct rl_analysis *analysis, const bool *hidden)
{
    const size_t all = analysis->capture->gpu_count;
    size_t *stands = rl_calloc(all, sizeof *stands), *cards = rl_calloc(all, sizeof *cards), *queue = rl_calloc(all, sizeof *queue);
    size_t count = 0;
    for (size_t i = 0; i < all; i++)
        if (!hidden || !hidden[i])
            cards[count++] = i;
    if (count)
        rl_sort_with(cards, count, sizeof *cards, by_card, (void *)analysis); /* only read */
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && compare_cards(analysis, cards[first], cards[end]) == 0; end++)
            continue;
        stand_for(analysis, cards + first, end - first, queue, stands);
    }
    free(cards);
    free(queue);
    return stands;
}
