#include "kernels/inputs.h"

#include "core/core.h"
#include "kernels/run.h"

enum {
    BLOCK = 1024, /* elements that a thread works out and compares at a time: they stay in its first cache */
    LANES = 8,    /* largest errors kept side by side, so that the compiler may compare several elements at once */
};

/* The finding of one thread, on a separate cache line. */
struct part {
    _Alignas(64) struct rl_comparison found;
};

struct comparing {
    const struct rl_comparison *all;
    const void *values;
    uint64_t start;
    struct part parts[RL_PARALLEL_MOST];
};

/* Not right also when the value is NaN. */
static bool is_right(double value, double expected, double tolerance)
{
    const double magnitude = fabs(expected);
    return fabs(value - expected) <= tolerance * (magnitude > 1 ? magnitude : 1);
}

/* Number of wrong elements in a block; `largest` gets the errors of those that are right. */
static size_t judge(const double *values, const double *expected, size_t count, double tolerance, double *largest)
{
    assert(tolerance >= 0);
    double lanes[LANES] = {0};
    size_t right = 0, i = 0;
    for (; i + LANES <= count; i += LANES)
        for (size_t lane = 0; lane < LANES; lane++) {
            const bool good = is_right(values[i + lane], expected[i + lane], tolerance);
            const double error = good ? fabs(values[i + lane] - expected[i + lane]) : 0;
            right += good;
            lanes[lane] = error > lanes[lane] ? error : lanes[lane];
        }
    for (; i < count; i++)
        if (is_right(values[i], expected[i], tolerance)) {
            right++;
            lanes[0] = fmax(lanes[0], fabs(values[i] - expected[i]));
        }
    for (size_t lane = 0; lane < LANES; lane++)
        *largest = fmax(*largest, lanes[lane]);
    return count - right;
}

static void note_wrong(struct rl_comparison *found, size_t wrong, uint64_t index, double value)
{
    assert(wrong > 0);
    if (found->wrong == 0 || index < found->first_wrong) {
        found->first_wrong = index;
        found->first_value = value;
    }
    found->wrong += wrong;
}

/* The lowest index of a block at which a right element is as far off as `error`. */
static size_t place_of(const double *values, const double *expected, size_t count, double tolerance, double error)
{
    size_t i = 0;
    while (i < count && !(is_right(values[i], expected[i], tolerance) && fabs(values[i] - expected[i]) >= error))
        i++;
    assert(i < count);
    return i;
}

/* Takes the largest error of some elements: the same error in one of a lower index counts. */
static void note_largest(struct rl_comparison *found, double error, uint64_t index)
{
    if (error > found->largest_error || (error == found->largest_error && index < found->largest_place)) {
        found->largest_error = error;
        found->largest_place = index;
    }
}

static void compare_piece(void *context, size_t first, size_t count, size_t thread)
{
    struct comparing *comparing = context;
    const struct rl_reference *reference = &comparing->all->reference;
    struct rl_comparison *found = &comparing->parts[thread].found;
    const uint64_t start = comparing->start + first;
    double values[BLOCK], expected[BLOCK], largest = 0;
    assert(count <= BLOCK);
    /* Either kind of element is exact in float64. */
    assert(count <= BLOCK);
    if (comparing->all->words)
        for (size_t i = 0; i < count; i++)
            values[i] = ((const uint32_t *)comparing->values)[first + i];
    else
        for (size_t i = 0; i < count; i++)
            values[i] = (double)((const float *)comparing->values)[first + i];
    reference->expected(reference->context, start, count, expected);
    const size_t wrong = judge(values, expected, count, reference->tolerance, &largest);
    if (largest > 0 && largest >= found->largest_error)
        note_largest(found, largest, start + place_of(values, expected, count, reference->tolerance, largest));
    for (size_t i = 0; i < count && wrong > 0; i++)
        if (!is_right(values[i], expected[i], reference->tolerance)) {
            note_wrong(found, wrong, start + i, values[i]);
            break;
        }
    found->compared += count;
}

void rl_compare(struct rl_comparison *comparison, const void *values, uint64_t start, size_t count)
{
    struct comparing comparing = {.all = comparison, .values = values, .start = start};
    assert(comparison->reference.expected != NULL && comparison->reference.tolerance >= 0);
    rl_parallel_for(comparison->threads ? comparison->threads : rl_parallel_width(), count, BLOCK, compare_piece, &comparing);
    for (size_t t = 0; t < RL_PARALLEL_MOST; t++) {
        const struct rl_comparison *part = &comparing.parts[t].found;
        if (part->wrong > 0)
            note_wrong(comparison, part->wrong, part->first_wrong, part->first_value);
        comparison->compared += part->compared;
        if (part->largest_error > 0)
            note_largest(comparison, part->largest_error, part->largest_place);
    }
}

static struct rl_deviation deviation_of(const struct rl_comparison *comparison)
{
    const bool exact = comparison->wrong == 0 && !(comparison->largest_error > 0);
    const uint64_t element = comparison->wrong > 0 ? comparison->first_wrong : comparison->largest_place;
    if (comparison->compared == 0)
        return (struct rl_deviation){.kind = RL_DEVIATION_NONE};
    return (struct rl_deviation){.kind = RL_DEVIATION_ABSOLUTE,
                                 .largest = comparison->largest_error,
                                 .tolerance = rl_value_of(comparison->reference.tolerance),
                                 .element =
                                     exact ? rl_value_missing(RL_UNDEFINED, "no element is off") : rl_value_of((double)element),
                                 .compared = comparison->compared,
                                 .wrong = comparison->wrong};
}

void rl_comparison_finish(const struct rl_comparison *comparison, struct rl_suite_check *check)
{
    RL_SCRATCH text = RL_BUF_INIT;
    check->correct = comparison->wrong == 0 && comparison->compared > 0;
    check->deviation = deviation_of(comparison);
    if (comparison->wrong > 0) {
        const struct rl_reference *reference = &comparison->reference;
        double expected = 0;
        rl_buf_addf(&text, "element %llu: ", (unsigned long long)comparison->first_wrong);
        if (isfinite(comparison->first_value))
            rl_number_exact(&text, comparison->first_value);
        else
            rl_buf_adds(&text, isnan(comparison->first_value) ? "NaN (what outputs hold before the run)" : "infinite");
        rl_buf_adds(&text, ", expected ");
        reference->expected(reference->context, comparison->first_wrong, 1, &expected);
        rl_number_exact(&text, expected);
        rl_buf_addf(&text, "; %llu of %llu elements wrong", (unsigned long long)comparison->wrong,
                    (unsigned long long)comparison->compared);
    } else {
        rl_buf_addf(&text, "%llu elements, largest error ", (unsigned long long)comparison->compared);
        rl_number_format(&text, comparison->largest_error, 2);
    }
    snprintf(check->text, sizeof(check->text), "%s", text.data);
}
