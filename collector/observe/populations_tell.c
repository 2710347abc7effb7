/* populations_tell.c - which kind of launches of its class a counted launch is (populations.h). */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "populations.h"

static const double UNMET = 0.05;      /* chance of having met one kind of launches only when there are others */
static const double OVERHEAD_NS = 1e3; /* of a launch's time, before the first and after the last block */
static const double UNLIKE = 1.5;      /* ratio of times of which launches that do the same work are not suspected */
static const double CLEAR = 0.5;       /* distance to a kind, of that to the next one */
static const double FAR = 0.4;         /* from every kind: half as long again */
static const double WITHIN = 0.75;     /* of a kind of work that lies in the share of a kind of times */

/* Share of the launches that each kind has, and its mean time, from 1. */
struct kind_times {
    size_t count;
    double part[RL_MOST_POPULATIONS + 1], mean_ns[RL_MOST_POPULATIONS + 1];
};

static struct kind_times times_of(const struct rl_populations *kinds, const struct rl_stream_bin *bins, size_t bin_count)
{
    struct kind_times times = {.count = kinds->count};
    double all = 0;
    for (size_t i = 0; i < bin_count; i++) {
        const uint8_t kind = rl_populations_which(kinds, rl_stream_bin_from(bins[i].bin));
        times.part[kind] += (double)bins[i].count;
        times.mean_ns[kind] += (double)bins[i].total_ns;
        all += (double)bins[i].count;
    }
    for (size_t k = 1; k <= kinds->count; k++) {
        times.mean_ns[k] = times.part[k] > 0 ? times.mean_ns[k] / times.part[k] : 0;
        times.part[k] = all > 0 ? times.part[k] / all : 0;
    }
    return times;
}

/* ---- by how long the SMs were active ---- */

/* The kind whose launches last that long, 0 when that is not clear. */
static uint8_t kind_by_activity(const struct kind_times *times, double active_ns)
{
    double nearest = INFINITY, next = INFINITY;
    size_t best = 0;
    for (size_t k = 1; k <= times->count && active_ns > 0; k++) {
        const double apart = times->mean_ns[k] > 0 ? fabs(log((active_ns + OVERHEAD_NS) / times->mean_ns[k])) : INFINITY;
        next = fmin(next, fmax(nearest, apart));
        best = apart < nearest ? k : best;
        nearest = fmin(nearest, apart);
    }
    return nearest < FAR && nearest <= CLEAR * next ? (uint8_t)best : 0;
}

/* ---- by work, counter by counter: launches under several configurations may have one, and are held against one another then ----
 */

enum { MOST_WORKS = 16 };

struct counted {
    struct rl_counted_launch *of;
    size_t count;
};

static bool has_counter(const struct rl_counted_launch *launch, const char *counter)
{
    return strcmp(launch->counter, counter) == 0;
}

static bool is_first_of(const struct counted *launches, size_t i)
{
    for (size_t before = 0; before < i; before++)
        if (has_counter(&launches->of[before], launches->of[i].counter))
            return false;
    return true;
}

/* Fills in `work` of the launches of a counter; returns how many kinds there are, 0 when it has no witness. */
static size_t group_by_work(const struct counted *launches, const char *counter)
{
    double *values = rl_calloc(launches->count, sizeof *values);
    uint8_t *group = rl_calloc(launches->count, sizeof *group);
    size_t count = 0, next = 0;
    for (size_t i = 0; i < launches->count; i++)
        if (has_counter(&launches->of[i], counter) && isfinite(launches->of[i].witness))
            values[count++] = launches->of[i].witness;
    const size_t groups = rl_populations_of_work(values, count, group);
    for (size_t i = 0; i < launches->count; i++)
        if (has_counter(&launches->of[i], counter) && isfinite(launches->of[i].witness))
            launches->of[i].work = group[next++];
    assert(next == count);
    free(values);
    free(group);
    return groups;
}

static bool is_known_by_itself(const struct rl_counted_launch *launch)
{
    return launch->kind && (launch->near_ns || launch->active_ns > 0);
}

/* The kind that is known of another launch of the same work. */
static uint8_t kind_of_same_work(const struct counted *launches, const struct rl_counted_launch *launch)
{
    for (size_t k = 0; k < launches->count; k++) {
        const struct rl_counted_launch *other = &launches->of[k];
        if (is_known_by_itself(other) && other->work == launch->work && has_counter(other, launch->counter))
            return other->kind;
    }
    return 0;
}

/* Of `count` launches of the same work: the most frequent kind where they are all of another one with a small chance only; any kind
 * where they are too many to be of one. 0 otherwise. */
static uint8_t kind_by_chance(const struct kind_times *times, size_t count)
{
    size_t most = 1;
    double all = 0;
    for (size_t k = 1; k <= times->count; k++) {
        most = times->part[k] > times->part[most] ? k : most;
        all += pow(times->part[k], (double)count);
    }
    if (all < UNMET)
        return RL_ANY_KIND;
    return 1 - pow(times->part[most], (double)count) / all < UNMET ? (uint8_t)most : 0;
}

/* Share of the launches with the counter, of those whose neighbours were unlike, that did less work than kind `work`. */
static double share_below(const struct counted *launches, const char *counter, size_t work)
{
    size_t count = 0, below = 0;
    for (size_t i = 0; i < launches->count; i++) {
        const struct rl_counted_launch *launch = &launches->of[i];
        const bool counts = has_counter(launch, counter) && launch->work && !launch->near_ns;
        count += counts;
        below += counts && launch->work < work;
    }
    return count ? (double)below / (double)count : 0;
}

/* The kind of times in whose share of the launches most of [from, to) lies, 0 when none has enough of it. */
static uint8_t kind_of_share(const struct kind_times *times, double from, double to)
{
    double begin = 0;
    for (size_t k = 1; k <= times->count; k++) {
        const double end = begin + times->part[k], common = fmin(to, end) - fmax(from, begin);
        if (to > from && common >= WITHIN * (to - from))
            return (uint8_t)k;
        begin = end;
    }
    return 0;
}

/* Which kind of times each kind of work is, by shares: all of them or none. */
static bool match_shares(const struct counted *launches, const char *counter, size_t groups, const struct kind_times *times,
                         uint8_t kind_of_work[MOST_WORKS + 1])
{
    bool all = groups > times->count && groups <= MOST_WORKS;
    for (size_t work = 1; work <= groups && all; work++) {
        kind_of_work[work] = kind_of_share(times, share_below(launches, counter, work), share_below(launches, counter, work + 1));
        all = kind_of_work[work] != 0;
    }
    return all;
}

static void learn_from_work(const struct counted *launches, const char *counter, size_t groups, size_t unlike,
                            const struct kind_times *times)
{
    uint8_t kind_of_work[MOST_WORKS + 1] = {0};
    const bool shares = match_shares(launches, counter, groups, times, kind_of_work);
    for (size_t i = 0; i < launches->count; i++) {
        struct rl_counted_launch *launch = &launches->of[i];
        if (launch->kind || !launch->work || !has_counter(launch, counter))
            continue;
        launch->kind = groups == times->count ? launch->work : kind_of_same_work(launches, launch);
        if (!launch->kind && groups == 1)
            launch->kind = kind_by_chance(times, unlike);
        else if (!launch->kind && shares)
            launch->kind = kind_of_work[launch->work];
    }
}

/* ---- whether there is anything to be taken apart ---- */

/* Launches with the counter whose neighbours were not alike: they are of any kind. */
static size_t count_unlike(const struct counted *launches, const char *counter)
{
    size_t count = 0;
    for (size_t i = 0; i < launches->count; i++)
        count += has_counter(&launches->of[i], counter) && launches->of[i].work && !launches->of[i].near_ns;
    return count;
}

/* Whether launches of every kind of times are known to have been counted with the counter. */
static bool has_met_all(const struct counted *launches, const char *counter, size_t kinds)
{
    bool met[RL_MOST_POPULATIONS + 1] = {false};
    size_t count = 0;
    for (size_t i = 0; i < launches->count; i++)
        if (has_counter(&launches->of[i], counter) && launches->of[i].work)
            met[launches->of[i].kind] = true;
    for (size_t k = 1; k <= RL_MOST_POPULATIONS; k++)
        count += met[k];
    return count == kinds;
}

/* Chance that `count` launches, each of any kind, are all of one. */
static double chance_of_one_kind(const struct kind_times *times, size_t count)
{
    double chance = 0;
    for (size_t k = 1; k <= times->count && count > 0; k++)
        chance += pow(times->part[k], (double)count);
    return count > 0 ? chance : 1;
}

/* By the times of the launches before them, or by how long they lasted. */
static void learn_from_times(const struct counted *launches, const struct rl_populations *kinds, const struct kind_times *times)
{
    for (size_t i = 0; i < launches->count; i++) {
        struct rl_counted_launch *launch = &launches->of[i];
        launch->work = 0;
        launch->kind = launch->near_ns ? rl_populations_which(kinds, launch->near_ns) : kind_by_activity(times, launch->active_ns);
    }
}

static bool is_any_known(const struct counted *launches)
{
    for (size_t i = 0; i < launches->count; i++)
        if (launches->of[i].kind)
            return true;
    return false;
}

bool rl_populations_tell_apart(const struct rl_populations *kinds, const struct rl_stream_bin *bins, size_t bin_count,
                               struct rl_counted_launch *launches, size_t count)
{
    const struct kind_times times = times_of(kinds, bins, bin_count);
    const struct counted all = {launches, count};
    bool same = true, met_all = false;
    double chance = 1; /* of what was met, were they of different work */
    learn_from_times(&all, kinds, &times);
    for (size_t i = 0; i < count; i++) {
        const char *counter = launches[i].counter;
        const size_t groups = is_first_of(&all, i) ? group_by_work(&all, counter) : 0;
        if (groups == 0)
            continue;
        const size_t unlike = count_unlike(&all, counter);
        same = same && groups == 1;
        met_all = met_all || (groups == 1 && has_met_all(&all, counter, kinds->count));
        chance *= chance_of_one_kind(&times, unlike);
        learn_from_work(&all, counter, groups, unlike, &times);
    }
    if (!same || kinds->overlapped)
        return !same;
    return !met_all && chance >= UNMET && (is_any_known(&all) || times.mean_ns[kinds->count] >= UNLIKE * times.mean_ns[1]);
}
