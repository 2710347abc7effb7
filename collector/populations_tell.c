/* populations_tell.c - which kind of launches of its class a counted launch is (populations.h). */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "populations.h"

static const double UNMET = 0.05;     /* chance of having met one kind of launches only when there are others */
static const double NEARER = 0.5;     /* of the distance to the next kind, as a ratio */
static const double LENGTHENED = 1.5; /* by counting, at most */

/* Launches and mean time of each kind, from 1. */
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

/* ---- by time ---- */

static double ratio_apart(double a, double b)
{
    return a > 0 && b > 0 ? fabs(log(a / b)) : INFINITY;
}

/* The kind whose mean is much nearer to the launch's own time than that of any other; 0: none is. */
static uint8_t kind_by_own_time(const struct kind_times *times, uint64_t own_ns)
{
    uint8_t best = 0;
    double nearest = INFINITY, next = INFINITY;
    for (size_t k = 1; k <= times->count; k++) {
        const double apart = ratio_apart((double)own_ns, times->mean_ns[k]);
        if (apart < nearest) {
            next = nearest;
            nearest = apart;
            best = (uint8_t)k;
        } else if (apart < next)
            next = apart;
    }
    return nearest <= log(LENGTHENED) && nearest <= NEARER * next ? best : 0;
}

/* ---- by work, configuration by configuration ---- */

struct counted {
    struct rl_counted_launch *of;
    size_t count;
};

static bool is_under(const struct rl_counted_launch *launch, const char *configuration)
{
    return strcmp(launch->configuration, configuration) == 0;
}

static bool is_first_of(const struct counted *launches, size_t i)
{
    for (size_t before = 0; before < i; before++)
        if (is_under(&launches->of[before], launches->of[i].configuration))
            return false;
    return true;
}

/* Fills in `work` of the launches of a configuration; returns how many kinds there are, 0 when it has no witness. */
static size_t group_by_work(const struct counted *launches, const char *configuration)
{
    double *values = rl_calloc(launches->count, sizeof *values);
    uint8_t *group = rl_calloc(launches->count, sizeof *group);
    size_t count = 0, next = 0;
    for (size_t i = 0; i < launches->count; i++)
        if (is_under(&launches->of[i], configuration) && isfinite(launches->of[i].witness))
            values[count++] = launches->of[i].witness;
    const size_t groups = rl_populations_of_work(values, count, group);
    for (size_t i = 0; i < launches->count; i++)
        if (is_under(&launches->of[i], configuration) && isfinite(launches->of[i].witness))
            launches->of[i].work = group[next++];
    assert(next == count);
    free(values);
    free(group);
    return groups;
}

/* The kind that is known of another launch of the same work. */
static uint8_t kind_of_same_work(const struct counted *launches, const struct rl_counted_launch *launch)
{
    for (size_t k = 0; k < launches->count; k++) {
        const struct rl_counted_launch *other = &launches->of[k];
        if ((other->near_ns || other->own_ns) && other->kind && other->work == launch->work &&
            is_under(other, launch->configuration))
            return other->kind;
    }
    return 0;
}

/* The most frequent kind where `count` launches of the same work are all of another one with a small chance only; 0 otherwise. */
static uint8_t kind_by_chance(const struct kind_times *times, size_t count)
{
    size_t most = 1;
    double all = 0;
    for (size_t k = 1; k <= times->count; k++) {
        most = times->part[k] > times->part[most] ? k : most;
        all += pow(times->part[k], (double)count);
    }
    const bool likely = all > 0 && 1 - pow(times->part[most], (double)count) / all < UNMET;
    return likely ? (uint8_t)most : 0;
}

static void learn_from_work(const struct counted *launches, const char *configuration, size_t groups, size_t unlike,
                            const struct kind_times *times)
{
    for (size_t i = 0; i < launches->count; i++) {
        struct rl_counted_launch *launch = &launches->of[i];
        if (launch->kind || !launch->work || !is_under(launch, configuration))
            continue;
        launch->kind = groups == times->count ? launch->work : kind_of_same_work(launches, launch);
        if (!launch->kind && groups == 1)
            launch->kind = kind_by_chance(times, unlike);
    }
}

/* ---- whether there is anything to be taken apart ---- */

/* Launches under the configuration whose neighbours were not alike: they are of any kind. */
static size_t count_unlike(const struct counted *launches, const char *configuration)
{
    size_t count = 0;
    for (size_t i = 0; i < launches->count; i++)
        count += is_under(&launches->of[i], configuration) && launches->of[i].work && !launches->of[i].near_ns;
    return count;
}

/* Whether launches of every kind of times are known to have been counted under the configuration. */
static bool has_met_all(const struct counted *launches, const char *configuration, size_t kinds)
{
    bool met[RL_MOST_POPULATIONS + 1] = {false};
    size_t count = 0;
    for (size_t i = 0; i < launches->count; i++)
        if (is_under(&launches->of[i], configuration) && launches->of[i].work)
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

/* By the launches' times alone. */
static void learn_from_times(const struct counted *launches, const struct rl_populations *kinds, const struct kind_times *times)
{
    for (size_t i = 0; i < launches->count; i++) {
        struct rl_counted_launch *launch = &launches->of[i];
        launch->work = 0;
        launch->kind = launch->near_ns  ? rl_populations_which(kinds, launch->near_ns)
                       : launch->own_ns ? kind_by_own_time(times, launch->own_ns)
                                        : 0;
    }
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
        const char *configuration = launches[i].configuration;
        const size_t groups = is_first_of(&all, i) ? group_by_work(&all, configuration) : 0;
        if (groups == 0)
            continue;
        const size_t unlike = count_unlike(&all, configuration);
        same = same && groups == 1;
        met_all = met_all || (groups == 1 && has_met_all(&all, configuration, kinds->count));
        chance *= chance_of_one_kind(&times, unlike);
        learn_from_work(&all, configuration, groups, unlike, &times);
    }
    return !same || !(met_all || chance < UNMET);
}
