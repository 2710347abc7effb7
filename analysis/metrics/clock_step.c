#include "clock_step.h"

#include "core/core.h"

/* Time stamps scatter by up to two nanoseconds about the clock's steps, their differences by twice that. */
static const double SCATTER_NS = 4.5;
/* Smaller steps would be lost in the scatter. */
enum { LEAST_STEP_NS = 20 };
/* Differences of so many steps are looked at; longer ones multiply the error of the step. */
static const double MOST_STEPS = 4.5;

/* Where the run of times ends that begins at `first`, each within the scatter of the one before. */
static size_t end_of_level(const double *sorted, size_t n, size_t first)
{
    assert(first < n);
    size_t end = first + 1;
    while (end < n && sorted[end] - sorted[end - 1] <= SCATTER_NS)
        end++;
    return end;
}

/* Whether times fill what would be a step between two levels. */
static bool is_fine(const double *sorted, size_t n)
{
    for (size_t first = 0, end; first < n; first = end) {
        end = end_of_level(sorted, n, first);
        if (sorted[end - 1] - sorted[first] >= LEAST_STEP_NS)
            return true;
    }
    return false;
}

/* A level is taken at the middle of its times. Where times fill the steps there are none: the space between them counts. */
void rl_clock_gaps_add(struct rl_gaps *gaps, const double *seconds, size_t n)
{
    double *sorted = rl_calloc(n, sizeof *sorted), last = NAN;
    for (size_t i = 0; i < n; i++)
        sorted[i] = seconds[i] * 1e9;
    rl_sort_doubles(sorted, n);
    const bool fine = is_fine(sorted, n);
    gaps->fine |= fine;
    for (size_t first = 0, end; first < n; first = end) {
        end = end_of_level(sorted, n, first);
        const double middle = (sorted[first] + sorted[end - 1]) / 2;
        if (first > 0) {
            const double gap_ns = (fine ? sorted[first] : middle) - last;
            if (gaps->least_s == 0 || gap_ns * 1e-9 < gaps->least_s)
                gaps->least_s = gap_ns * 1e-9;
            if (gap_ns < RL_GAP_BINS - 1)
                gaps->count[lround(gap_ns)]++;
        }
        last = fine ? sorted[end - 1] : middle;
    }
    free(sorted);
}

/* How many differences are shorter than so many nanoseconds: of any stretch of them in one step. */
struct sums {
    size_t below[RL_GAP_BINS + 1];
};

/* Of the differences from `first` to before `end`, which may lie beyond the longest. */
static size_t count_between(const struct sums *sums, size_t first, size_t end)
{
    end = end < RL_GAP_BINS ? end : RL_GAP_BINS;
    return first < end ? sums->below[end] - sums->below[first] : 0;
}

/* The middle one of the differences from `least` to what the scatter allows above it, and how many there are. */
static size_t middle_from(const struct rl_gaps *gaps, const struct sums *sums, size_t least, size_t *count)
{
    size_t before = 0, at = least;
    *count = count_between(sums, least, least + (size_t)(2 * SCATTER_NS) + 1);
    while ((before += gaps->count[at]) * 2 < *count)
        at++;
    return at;
}

/* A fifth of the differences are the step itself, which of all multiples is the most frequent, and two thirds are multiples. */
static bool is_step(const struct sums *sums, size_t step, size_t once)
{
    const size_t allowed = (size_t)fmin(SCATTER_NS, (double)step / 8), end = (size_t)ceil(MOST_STEPS * (double)step);
    const size_t all = count_between(sums, 1, end);
    size_t multiples = 0;
    for (size_t whole = step; whole < end; whole += step)
        multiples += count_between(sums, whole - allowed, whole + allowed + 1);
    return 5 * once >= all && 3 * multiples >= 2 * all;
}

double rl_clock_gaps_step(const struct rl_gaps *gaps)
{
    struct sums sums;
    sums.below[0] = 0;
    for (size_t i = 0; i < RL_GAP_BINS; i++)
        sums.below[i + 1] = sums.below[i] + gaps->count[i];
    for (size_t least = LEAST_STEP_NS; least < RL_GAP_BINS; least++) {
        size_t once = 0;
        const size_t step = gaps->count[least] ? middle_from(gaps, &sums, least, &once) : 0;
        if (step && is_step(&sums, step, once))
            return (double)step * 1e-9;
    }
    return gaps->fine ? SCATTER_NS * 1e-9 : gaps->least_s;
}
