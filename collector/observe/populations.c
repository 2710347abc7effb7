/* populations.c - kinds of launches of a class (populations.h). */
#include "populations.h"

static const double LEAST_SHARE = 0.02; /* of the launches, or of the time */
static const double APART = 1.1;        /* ratio of means */
static const double TICKS_NS = 96;      /* GPUs tell times in steps of 32 ns */
static const double VALLEY = 0.25;      /* most launches between two kinds, of those at the lower peak */
static const double WIDE = 1.25;        /* ratio of times within one kind */
static const double PIECE = 1.19;       /* of a kind that changes slowly: a quarter of an octave */
static const double SAME_WORK = 1.02;   /* ratio of values of a counter */
static const double OVERHEAD_NS = 1e3;  /* of a launch's time, before the first and after the last block */
static const double CLEAR = 0.5;        /* logarithmic distance to a kind, of that to the next one */
static const double FAR = 0.4;          /* from every kind: half as long again */
enum { LEAST_LAUNCHES = 5 };

/* Bins [from, to) of a class. */
struct part {
    size_t from, to;
};
struct sums {
    double count, total_ns, peak;
};
struct times {
    const struct rl_stream_bin *bins;
    struct sums all;
};

static struct sums sum(const struct times *times, struct part part)
{
    struct sums sums = {0};
    for (size_t i = part.from; i < part.to; i++) {
        /* Launches in a bin and the one above it, if it is its neighbour: a tick of the clock may leave every other bin empty. */
        const struct rl_stream_bin *bin = &times->bins[i];
        const bool neighbour = i + 1 < part.to && bin[1].bin <= bin->bin + 2;
        const double here = (double)bin->count + (neighbour ? (double)bin[1].count : 0);
        sums.count += (double)times->bins[i].count;
        sums.total_ns += (double)times->bins[i].total_ns;
        sums.peak = here > sums.peak ? here : sums.peak;
    }
    return sums;
}

static bool is_a_kind(const struct times *times, const struct sums *sums)
{
    return sums->count >= LEAST_LAUNCHES &&
           (sums->count >= LEAST_SHARE * times->all.count || sums->total_ns >= LEAST_SHARE * times->all.total_ns);
}

/* Launches around the border of bin i - 1 and bin i: none where there is a gap. */
static double valley_at(const struct times *times, size_t i)
{
    const uint32_t low = times->bins[i - 1].bin, high = times->bins[i].bin;
    const bool gap = rl_stream_bin_from(high) - rl_stream_bin_from(low + 1) >= (uint64_t)TICKS_NS && high > low + 2;
    return gap ? 0 : (double)(times->bins[i - 1].count + times->bins[i].count);
}

static bool may_cut(const struct times *times, struct part part, size_t at, double *depth)
{
    const struct sums low = sum(times, (struct part){part.from, at}), high = sum(times, (struct part){at, part.to});
    const double low_ns = low.count > 0 ? low.total_ns / low.count : 0, high_ns = high.count > 0 ? high.total_ns / high.count : 0,
                 peak = low.peak < high.peak ? low.peak : high.peak;
    *depth = peak > 0 ? valley_at(times, at) / peak : 1;
    return is_a_kind(times, &low) && is_a_kind(times, &high) && high_ns >= APART * low_ns && high_ns - low_ns >= TICKS_NS &&
           *depth <= VALLEY;
}

/* Whether counted launches lie so far apart in it: each among others that are alike. */
static bool changes_slowly(const struct times *times, struct part part, const struct rl_counted_launch *launches, size_t count)
{
    const uint64_t from = rl_stream_bin_from(times->bins[part.from].bin),
                   before = rl_stream_bin_from(times->bins[part.to - 1].bin + 1);
    uint64_t low = before, high = from;
    for (size_t i = 0; i < count; i++) {
        const uint64_t ns = launches[i].near_ns;
        if (ns >= from && ns < before) {
            low = ns < low ? ns : low;
            high = ns > high ? ns : high;
        }
    }
    return (double)high > WIDE * (double)low && (double)(high - low) >= TICKS_NS;
}

/* The end of the piece that begins at `from`; a rest that is too small for a kind belongs to it. */
static size_t end_of_piece(const struct times *times, struct part part)
{
    const double low = (double)rl_stream_bin_from(times->bins[part.from].bin);
    for (size_t at = part.from + 1; at < part.to; at++) {
        const struct sums piece = sum(times, (struct part){part.from, at}), rest = sum(times, (struct part){at, part.to});
        if ((double)rl_stream_bin_from(times->bins[at].bin) > PIECE * low && is_a_kind(times, &piece))
            return is_a_kind(times, &rest) ? at : part.to;
    }
    return part.to;
}

uint8_t rl_populations_which(const struct rl_populations *populations, uint64_t duration_ns)
{
    assert(populations->count > 0);
    size_t i = 0;
    while (i + 1 < populations->count && duration_ns >= populations->before_ns[i])
        i++;
    return (uint8_t)(i + 1);
}

/* The kind whose launches last as long as the busiest SM was active, 0 when that is not clear. */
static uint8_t kind_by_activity(const double mean_ns[RL_MOST_POPULATIONS], size_t kinds, double busy_ns)
{
    double nearest = INFINITY, next = INFINITY;
    size_t best = 0;
    for (size_t k = 0; k < kinds && busy_ns > 0; k++) {
        const double apart = fabs(log((busy_ns + OVERHEAD_NS) / mean_ns[k]));
        next = fmin(next, fmax(nearest, apart));
        best = apart < nearest ? k + 1 : best;
        nearest = fmin(nearest, apart);
    }
    return nearest < FAR && nearest <= CLEAR * next ? (uint8_t)best : 0;
}

static uint8_t kind_of(const struct rl_populations *found, const double mean_ns[RL_MOST_POPULATIONS],
                       const struct rl_counted_launch *launch)
{
    const uint8_t own = kind_by_activity(mean_ns, found->count, launch->busy_ns);
    if (own || !launch->near_ns)
        return own;
    const uint8_t near = rl_populations_which(found, launch->near_ns);
    const double ratio = launch->busy_ns > 0 ? (launch->busy_ns + OVERHEAD_NS) / mean_ns[near - 1] : 1;
    return ratio <= WIDE && ratio >= 1 / WIDE ? near : 0;
}

static int by_work(const void *a, const void *b)
{
    const struct rl_counted_launch *const *x = a, *const *y = b;
    return rl_ascending((*x)->counter, (*y)->counter) ?: rl_ascending((*x)->witness, (*y)->witness);
}

static bool same_counter(const struct rl_counted_launch *a, const struct rl_counted_launch *b)
{
    return strcmp(a->counter, b->counter) == 0;
}

static bool same_work(const struct rl_counted_launch *less, const struct rl_counted_launch *more)
{
    return same_counter(less, more) && more->witness <= SAME_WORK * less->witness;
}

/* The launches that have a witness, by counter and work; free() them. */
static struct rl_counted_launch **sort_by_work(struct rl_counted_launch *launches, size_t count, size_t *found)
{
    struct rl_counted_launch **sorted = rl_calloc(count, sizeof *sorted);
    *found = 0;
    for (size_t i = 0; i < count; i++)
        if (isfinite(launches[i].witness))
            sorted[(*found)++] = &launches[i];
    rl_sort(sorted, *found, sizeof *sorted, by_work);
    return sorted;
}

static bool does_work_differ(struct rl_counted_launch *const *sorted, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (same_counter(sorted[i - 1], sorted[i]) && !same_work(sorted[i - 1], sorted[i]))
            return true;
    return false;
}

/* Kinds of launches that nothing else is known of: `sorted` is all of one counter. */
static void learn_from_work(struct rl_counted_launch *const *sorted, size_t count, size_t kinds)
{
    size_t works = 1, work = 0;
    for (size_t i = 1; i < count; i++)
        works += !same_work(sorted[i - 1], sorted[i]);
    for (size_t from = 0, to = 0; from < count; from = to) {
        uint8_t kind = ++work && works == kinds ? (uint8_t)work : 0;
        do
            kind = kind ? kind : sorted[to]->kind;
        while (++to < count && same_work(sorted[to - 1], sorted[to]));
        for (size_t i = from; i < to; i++)
            sorted[i]->kind = sorted[i]->kind ? sorted[i]->kind : kind;
    }
}

/* Where the part falls in two best, `part.to` when nowhere. Of valleys equally deep the widest. */
static size_t best_cut(const struct times *times, struct part part)
{
    size_t best = part.to;
    double best_depth = 0, best_gap = 0;
    for (size_t at = part.from + 1; at < part.to; at++) {
        const double gap = (double)(times->bins[at].bin - times->bins[at - 1].bin);
        double depth;
        if (may_cut(times, part, at, &depth) &&
            (best == part.to || depth < best_depth || (depth <= best_depth && gap > best_gap))) {
            best = at;
            best_depth = depth;
            best_gap = gap;
        }
    }
    return best;
}

/* Cuts [0, count) in its valleys, the best ones first. */
static size_t cut_in_valleys(const struct times *times, size_t count, struct part parts[RL_MOST_POPULATIONS])
{
    size_t made = 1;
    parts[0] = (struct part){0, count};
    for (size_t p = 0; p < made;) {
        const size_t at = best_cut(times, parts[p]);
        if (at == parts[p].to || made == RL_MOST_POPULATIONS) {
            p++;
            continue;
        }
        memmove(&parts[p + 1], &parts[p], (made++ - p) * sizeof *parts);
        parts[p].to = parts[p + 1].from = at;
    }
    return made;
}

static void find_times(const struct times *times, size_t bin_count, const struct rl_counted_launch *launches, size_t count,
                       struct rl_populations *found)
{
    struct part parts[RL_MOST_POPULATIONS];
    const size_t kinds = cut_in_valleys(times, bin_count, parts);
    found->count = 0;
    for (size_t k = 0; k < kinds; k++) {
        struct part rest = parts[k];
        const bool slow = changes_slowly(times, rest, launches, count);
        while (slow && found->count + kinds - k < RL_MOST_POPULATIONS && (rest.from = end_of_piece(times, rest)) < rest.to)
            found->before_ns[found->count++] = rl_stream_bin_from(times->bins[rest.from].bin);
        found->before_ns[found->count++] = k + 1 < kinds ? rl_stream_bin_from(times->bins[parts[k].to].bin) : RL_POPULATIONS_END;
    }
}

bool rl_populations_find(const struct rl_stream_bin *bins, size_t bin_count, struct rl_counted_launch *launches, size_t count,
                         struct rl_populations *found)
{
    struct times times = {.bins = bins};
    double mean_ns[RL_MOST_POPULATIONS];
    size_t with_work;
    struct rl_counted_launch **sorted = sort_by_work(launches, count, &with_work);
    found->count = 0;
    if (bin_count && does_work_differ(sorted, with_work)) {
        times.all = sum(&times, (struct part){0, bin_count});
        find_times(&times, bin_count, launches, count, found);
        /* Mean time of each kind. */
        struct part part = {0, 0};
        for (size_t k = 0; k < found->count; k++, part.from = part.to) {
            while (part.to < bin_count && rl_stream_bin_from(times.bins[part.to].bin) < found->before_ns[k])
                part.to++;
            const struct sums sums = sum(&times, part);
            assert(sums.count > 0);
            mean_ns[k] = sums.total_ns / sums.count;
        }
    }
    for (size_t i = 0; i < count && found->count > 1; i++)
        launches[i].kind = kind_of(found, mean_ns, &launches[i]);
    for (size_t from = 0, to = 0; from < with_work && found->count > 1; from = to) {
        while (to < with_work && same_counter(sorted[from], sorted[to]))
            to++;
        learn_from_work(&sorted[from], to - from, found->count);
    }
    free(sorted);
    return found->count > 1;
}
