#include "kernels/compare.h"

#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

#include "core/buf.h"
#include "core/units.h"
#include "kernels/run.h"

enum {
    MAX_THREADS = 32,
    MIN_SLICE = 1 << 16, /* elements: below that a thread costs more than it saves */
    ELEMENT_BYTES = 4,   /* of either kind */
};

struct slice {
    struct rl_comparison comparison;
    const void *values;
    uint64_t start;
    size_t count;
};

/* Either kind of element is exact in float64. */
static double value_at(const struct slice *slice, size_t i)
{
    const bool words = slice->comparison.words;

    return words ? (double)((const uint32_t *)slice->values)[i] : (double)((const float *)slice->values)[i];
}

static void note_wrong(struct rl_comparison *comparison, uint64_t index, double value)
{
    if (comparison->wrong++ == 0) {
        comparison->first_wrong = index;
        comparison->first_value = value;
    }
}

static void *compare_slice(void *argument)
{
    struct slice *slice = argument;
    struct rl_comparison *comparison = &slice->comparison;
    const struct rl_reference *reference = &comparison->reference;

    for (size_t i = 0; i < slice->count; i++) {
        const double expected = reference->expected(reference->context, slice->start + i);
        const double value = value_at(slice, i), error = fabs(value - expected);

        if (!(error <= reference->tolerance * fmax(1, fabs(expected)))) /* also when the value is NaN */
            note_wrong(comparison, slice->start + i, value);
        else if (error > comparison->largest_error)
            comparison->largest_error = error;
    }
    comparison->compared = slice->count;
    return NULL;
}

static void merge(struct rl_comparison *total, const struct rl_comparison *part)
{
    if (part->wrong > 0 && (total->wrong == 0 || part->first_wrong < total->first_wrong)) {
        total->first_wrong = part->first_wrong;
        total->first_value = part->first_value;
    }
    total->compared += part->compared;
    total->wrong += part->wrong;
    total->largest_error = fmax(total->largest_error, part->largest_error);
}

/* Threads worth using for `count` elements on the processors that this process may use. */
static size_t thread_count(size_t count)
{
    cpu_set_t allowed;
    size_t threads = 1;

    if (sched_getaffinity(0, sizeof(allowed), &allowed) == 0)
        threads = (size_t)CPU_COUNT(&allowed);
    if (threads > MAX_THREADS)
        threads = MAX_THREADS;
    if (threads > count / MIN_SLICE)
        threads = count / MIN_SLICE;
    return threads > 0 ? threads : 1;
}

void rl_compare(struct rl_comparison *comparison, const void *values, uint64_t start, size_t count)
{
    struct slice slices[MAX_THREADS];
    pthread_t threads[MAX_THREADS];
    bool running[MAX_THREADS] = {false};
    const size_t n = thread_count(count);

    assert(comparison->reference.expected != NULL && comparison->reference.tolerance >= 0);
    for (size_t t = 0; t < n; t++) {
        const size_t from = count / n * t, to = t + 1 < n ? count / n * (t + 1) : count;

        slices[t] = (struct slice){
            .comparison = {.reference = comparison->reference, .words = comparison->words},
            .values = (const char *)values + from * ELEMENT_BYTES,
            .start = start + from,
            .count = to - from,
        };
        running[t] = t + 1 < n && pthread_create(&threads[t], NULL, compare_slice, &slices[t]) == 0;
        if (!running[t]) /* the last slice, and any that got no thread, are this thread's */
            compare_slice(&slices[t]);
    }
    for (size_t t = 0; t < n; t++) {
        if (running[t])
            pthread_join(threads[t], NULL);
        merge(comparison, &slices[t].comparison);
    }
}

static void describe_wrong(const struct rl_comparison *comparison, struct rl_buf *text)
{
    const struct rl_reference *reference = &comparison->reference;

    rl_buf_addf(text, "element %llu: ", (unsigned long long)comparison->first_wrong);
    if (isfinite(comparison->first_value))
        rl_number_exact(text, comparison->first_value);
    else
        rl_buf_adds(text, isnan(comparison->first_value) ? "NaN (what outputs hold before the run)" : "infinite");
    rl_buf_adds(text, ", expected ");
    rl_number_exact(text, reference->expected(reference->context, comparison->first_wrong));
    rl_buf_addf(text, "; %llu of %llu elements wrong", (unsigned long long)comparison->wrong,
                (unsigned long long)comparison->compared);
}

void rl_comparison_finish(const struct rl_comparison *comparison, struct rl_suite_check *check)
{
    struct rl_buf text = RL_BUF_INIT;

    check->correct = comparison->wrong == 0 && comparison->compared > 0;
    check->largest_error = comparison->largest_error;
    if (comparison->wrong > 0) {
        describe_wrong(comparison, &text);
    } else {
        rl_buf_addf(&text, "%llu elements, largest error ", (unsigned long long)comparison->compared);
        rl_number_format(&text, comparison->largest_error, 2);
    }
    snprintf(check->text, sizeof(check->text), "%s", text.data);
    rl_buf_release(&text);
}
