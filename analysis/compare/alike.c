/* alike.c - which GPUs of a capture need no description because another one stands for them (see rl_cards_represented). */
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
    return analysis->gpus[gpu].sm_clock.n > 0 ? analysis->gpus[gpu].sm_clock.median : 0;
}

static int by_card(const void *a, const void *b, void *context)
{
    const struct rl_analysis *analysis = context;
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return compare_cards(analysis, x, y) ?: rl_ascending(clock_of(analysis, x), clock_of(analysis, y)) ?: rl_ascending(x, y);
}

/* Kernel time of each GPU without collectives, whose time is waiting for others; zero where none was profiled. */
static double *own_times(const struct rl_capture *capture)
{
    double *own_ns = rl_calloc(capture->gpu_count, sizeof *own_ns);
    for (size_t i = 0; i < capture->kernel_count && rl_is_program(capture); i++)
        if (!rl_is_collective(&capture->kernels[i]))
            own_ns[capture->kernels[i].gpu] += rl_kernel_gpu_ns(capture, i);
    return own_ns;
}

size_t *rl_cards_represented(const struct rl_analysis *analysis, const bool *hidden)
{
    const size_t all = analysis->capture->gpu_count;
    size_t *represented = rl_calloc(all, sizeof *represented), *cards = rl_calloc(all, sizeof *cards), count = 0;
    double *own_ns = own_times(analysis->capture);
    for (size_t i = 0; i < all; i++) {
        represented[i] = RL_NONE;
        if (!hidden || !hidden[i])
            cards[count++] = i;
    }
    if (count)
        rl_sort_with(cards, count, sizeof *cards, by_card, (void *)analysis); /* only read */
    for (size_t first = 0, end; first < count; first = end) {
        size_t busiest = cards[first];
        const double most = clock_of(analysis, cards[first]) / (1 - same_clock);
        for (end = first; end < count && compare_cards(analysis, cards[first], cards[end]) == 0 &&
                          (end == first || clock_of(analysis, cards[end]) <= most);
             end++)
            if (own_ns[cards[end]] > own_ns[busiest] || (own_ns[cards[end]] == own_ns[busiest] && cards[end] < busiest))
                busiest = cards[end];
        for (size_t i = first; i < end; i++)
            represented[cards[i]] = busiest;
    }
    RL_FREE(own_ns, cards);
    return represented;
}

size_t rl_cards_count_represented(const size_t *represented, size_t count, size_t gpu)
{
    return RL_SUM(size_t, i, count, represented[i] == gpu);
}
