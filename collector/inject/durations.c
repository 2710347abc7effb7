/* durations.c - durations of the launches of a class. All are counted in bins, from which the collector derives populations
 * (program_populations.c). Consecutive launches of equal duration are taken to do the same work, and counters are wanted for each
 * such kind. */

#include "classes.h"

enum {
    FEW_BINS = 4,
    MANY_BINS = 24,
    MOST_BINS = 128,
    MANY_LAUNCHES = 64,
    OUTLIERS = 20 /* a deviating launch among this many is ignored */
};
static const double ALIKE = 1.1, SAME_BAND = 1.15, SPREAD = 0.1; /* ratios; deviation over mean */
static const double TICKS_NS = 64;                               /* tolerance for equal times */

/* Bins are not freed on growth; there are at most three sizes. */
static bool grow(struct class *class)
{
    const uint32_t room = !class->bin_room ? FEW_BINS : class->bin_room == FEW_BINS ? MANY_BINS : MOST_BINS;
    struct rl_stream_bin *bins = class->bin_room == MOST_BINS ? NULL : keep(room * sizeof *bins);
    if (!bins)
        return false;
    if (class->bin_count)
        memcpy(bins, class->bins, class->bin_count * sizeof *bins);
    class->bins = bins;
    class->bin_room = room;
    return true;
}

static void add_to_bin(struct class *class, uint64_t duration_ns)
{
    const uint32_t bin = rl_stream_bin(duration_ns);
    uint32_t low = 0, high = class->bin_count;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (class->bins[middle].bin < bin)
            low = middle + 1;
        else
            high = middle;
    }
    uint32_t at = low;
    assume(at <= class->bin_count);
    const bool there = at < class->bin_count && class->bins[at].bin == bin;
    if (!there && (class->bin_count < class->bin_room || grow(class))) {
        memmove(&class->bins[at + 1], &class->bins[at], (class->bin_count++ - at) * sizeof *class->bins);
        class->bins[at] = (struct rl_stream_bin){.bin = bin};
    } else if (!there && at == class->bin_count) { /* no room: the next lower bin, or the lowest */
        at -= at > 0;
    }
    if (class->bin_count == 0)
        return;
    class->bins[at].count++;
    class->bins[at].total_ns += duration_ns;
}

void durations_tell(struct class *class, bool all)
{
    assume(is_held());
    if (class->bin_count < 2 || class->bins_told == class->timed || (!all && 4 * class->timed < 5 * class->bins_told))
        return;
    union {
        struct rl_record_durations record;
        char bytes[sizeof(struct rl_record_durations) + MOST_BINS * sizeof(struct rl_stream_bin)];
    } told = {.record = {.class_id = class->id, .bin_count = class->bin_count}};
    const size_t bytes = class->bin_count * sizeof *class->bins;
    memcpy(told.bytes + sizeof told.record, class->bins, bytes);
    out_add(RL_RECORD_durations, &told, sizeof told.record + bytes, NULL, 0);
    class->bins_told = class->timed;
}

/* Number of launches whose duration differs from that of the middle half. */
static uint64_t outliers(const struct class *class)
{
    uint64_t below = 0, near_count = 0;
    uint32_t middle = 0;
    while (middle + 1 < class->bin_count && 2 * (below + class->bins[middle].count) < class->timed)
        below += class->bins[middle++].count;
    if (middle >= class->bin_count)
        return 0;
    const double of_ns = (double)rl_stream_bin_from(class->bins[middle].bin);
    for (uint32_t i = 0; i < class->bin_count; i++) {
        const double ns = (double)rl_stream_bin_from(class->bins[i].bin);
        near_count += ns <= SAME_BAND * of_ns && SAME_BAND * ns >= of_ns ? class->bins[i].count : 0;
    }
    return class->timed - near_count;
}

/* First launches may have cold caches and do not count as spread. */
static bool is_spread(const struct class *class)
{
    return class->timed >= MANY_LAUNCHES &&
           class->squares > SPREAD * SPREAD * class->mean_ns * class->mean_ns * (double)class->timed &&
           OUTLIERS * outliers(class) > class->timed;
}

static double apart(uint64_t a, uint64_t b)
{
    assume(a > 0 && b > 0);
    return a > b ? (double)a / (double)b : (double)b / (double)a;
}

static atomic_ullong newest_ns, newest_gap_ns;

uint64_t durations_newest_ns(void)
{
    return atomic_load(&newest_ns);
}

uint64_t durations_newest_gap_ns(void)
{
    return atomic_load(&newest_gap_ns);
}

void durations_note_new(void)
{
    const uint64_t now = now_ns(), before_ns = atomic_exchange(&newest_ns, now);
    atomic_store(&newest_gap_ns, before_ns && now > before_ns ? now - before_ns : 0);
}

/* The band for launches of this duration; the nearest one if all are used. */
static uint32_t band_of(struct class *class, uint64_t near_ns)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < class->band_count && near_ns; i++)
        if (!best || apart(near_ns, class->bands[i].near_ns) < apart(near_ns, class->bands[best].near_ns))
            best = i;
    const bool found = !near_ns || (best && apart(near_ns, class->bands[best].near_ns) <= SAME_BAND);
    if (found || class->band_count == MOST_BANDS)
        return best;
    class->bands[class->band_count].near_ns = near_ns;
    durations_note_new();
    return class->band_count++;
}

void durations_note(struct class *class, uint64_t duration_ns)
{
    assume(is_held() && class->timed > 0);
    add_to_bin(class, duration_ns);
    class->recent_ns[class->timed % RECENT] = duration_ns;
    /* Mean of the latest launches if they took equally long, else 0. */
    uint64_t least = UINT64_MAX, most = 0, sum = 0;
    for (size_t i = 0; i < RECENT; i++) {
        least = class->recent_ns[i] < least ? class->recent_ns[i] : least;
        most = class->recent_ns[i] > most ? class->recent_ns[i] : most;
        sum += class->recent_ns[i];
    }
    const uint64_t near_ns = least && (double)most <= ALIKE * (double)least + TICKS_NS ? sum / RECENT : 0;
    atomic_store(&class->near_ns, near_ns);
    if (!class->band_count && is_spread(class) && (class->bands = keep(MOST_BANDS * sizeof *class->bands)))
        class->band_count = 1;
    if (class->band_count)
        atomic_store(&class->band, 1 + band_of(class, near_ns));
}

/* The band of the current launches; NULL: durations do not vary, or change from one launch to the next. */
static struct band *band_now(const struct class *class, bool *unlike)
{
    const uint32_t band = atomic_load(&class->band);
    *unlike = band == 1;
    return band > 1 ? &class->bands[band - 1] : NULL;
}

/* Launches counted before durations varied are in no band. */
size_t durations_missing(const struct class *class, size_t config, size_t samples, size_t unlike_times)
{
    assume(config < MOST_PASSES);
    bool unlike;
    const struct band *band = band_now(class, &unlike);
    const size_t wanted = unlike ? unlike_times * samples : samples,
                 counted = band ? band->counted[config] : class->counted[config];
    return counted < wanted && class->counted[config] < UINT8_MAX ? wanted - counted : 0;
}

void durations_counted(struct class *class, size_t config)
{
    assume(config < MOST_PASSES);
    bool unlike;
    struct band *band = band_now(class, &unlike);
    class->counted[config] += class->counted[config] < UINT8_MAX; /* the count saturates */
    if (band)
        band->counted[config] += band->counted[config] < UINT8_MAX;
}
