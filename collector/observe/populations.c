/* populations.c - kinds of launches (populations.h). */
#include "populations.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "core/sort.h"

static const double LEAST_SHARE = 0.02; /* of the launches, or of the time */
static const double APART = 1.1;        /* ratio of means */
static const double TICKS_NS = 96;      /* GPUs tell times in steps of 32 ns */
static const double VALLEY = 0.25;      /* most launches between two kinds, of those at the lower peak */
static const double WIDE = 1.25;        /* ratio of times within one kind */
static const double PIECE = 1.19;       /* of a kind that changes slowly: a quarter of an octave */
static const double SAME_WORK = 1.02;
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

/* Launches in a bin and the one above it, if it is its neighbour: a tick of the clock may leave every other bin empty. */
static double around(const struct times *times, const struct part *part, size_t i)
{
    const struct rl_stream_bin *bin = &times->bins[i];
    const bool neighbour = i + 1 < part->to && bin[1].bin <= bin->bin + 2;
    return (double)bin->count + (neighbour ? (double)bin[1].count : 0);
}

static struct sums sum(const struct times *times, struct part part)
{
    struct sums sums = {0};
    for (size_t i = part.from; i < part.to; i++) {
        const double here = around(times, &part, i);
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

/* ---- a kind that changes slowly ---- */

static uint64_t quantile(const struct times *times, struct part part, double q)
{
    const double count = sum(times, part).count;
    double passed = 0;
    for (size_t i = part.from; i < part.to; i++)
        if ((passed += (double)times->bins[i].count) >= q * count)
            return rl_stream_bin_from(times->bins[i].bin);
    return 0;
}

static bool holds(const struct times *times, struct part part, const uint64_t *near, size_t near_count)
{
    const uint64_t from = rl_stream_bin_from(times->bins[part.from].bin),
                   before = rl_stream_bin_from(times->bins[part.to - 1].bin + 1);
    for (size_t i = 0; i < near_count; i++)
        if (near[i] && near[i] >= from && near[i] < before)
            return true;
    return false;
}

static bool changes_slowly(const struct times *times, struct part part, const uint64_t *near, size_t near_count)
{
    const double low = (double)quantile(times, part, 0.05), high = (double)quantile(times, part, 0.95);
    return high > WIDE * low && high - low >= TICKS_NS && holds(times, part, near, near_count);
}

/* The end of the piece that begins at `from`; what is left behind it must be a kind of its own, or belongs to it. */
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

/* ---- all of it ---- */

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

static void add(struct rl_populations *found, uint64_t before_ns)
{
    if (found->count < RL_MOST_POPULATIONS)
        found->count++;
    found->before_ns[found->count - 1] = before_ns;
}

void rl_populations_of_times(const struct rl_stream_bin *bins, size_t count, const uint64_t *near, size_t near_count,
                             struct rl_populations *found)
{
    struct times times = {.bins = bins};
    struct part parts[RL_MOST_POPULATIONS];
    *found = (struct rl_populations){0};
    times.all = sum(&times, (struct part){0, count});
    const size_t kinds = count ? cut_in_valleys(&times, count, parts) : 0;
    for (size_t k = 0; k < kinds; k++) {
        struct part rest = parts[k];
        const bool slow = changes_slowly(&times, rest, near, near_count);
        while (slow && found->count + kinds - k < RL_MOST_POPULATIONS && (rest.from = end_of_piece(&times, rest)) < rest.to)
            add(found, rl_stream_bin_from(bins[rest.from].bin));
        if (k + 1 < kinds)
            add(found, rl_stream_bin_from(bins[parts[k].to].bin));
    }
    add(found, RL_POPULATIONS_END);
}

uint8_t rl_populations_which(const struct rl_populations *populations, uint64_t duration_ns)
{
    assert(populations->count > 0);
    size_t i = 0;
    while (i + 1 < populations->count && duration_ns >= populations->before_ns[i])
        i++;
    return (uint8_t)(i + 1);
}

size_t rl_populations_of_work(const double *values, size_t count, uint8_t *group)
{
    double *sorted = rl_calloc(count, sizeof *sorted);
    size_t groups = 0;
    if (count)
        memcpy(sorted, values, count * sizeof *sorted);
    rl_sort_doubles(sorted, count);
    for (size_t v = 0; v < count; v++) {
        uint8_t below = 0;
        for (size_t i = 0; i < count && sorted[i] <= values[v]; i++)
            below += (i == 0 || sorted[i] > SAME_WORK * sorted[i - 1]) && below < UINT8_MAX;
        group[v] = below;
        groups = below > groups ? below : groups;
    }
    free(sorted);
    return groups;
}
