/* attribution.c - samples shared out to the classes that ran meanwhile (attribution.h). */
#include "attribution.h"

#include <assert.h>
#include <stdlib.h>

#include "attribution_bound.h"
#include "attribution_parts.h"
#include "attribution_samples.h"
#include "attribution_split.h"
#include "core/mem.h"

static const double LEAST_CORRELATION = 0.5;
static const double QUIET_NS = 50e3; /* so long after our last kernel nothing of it arrives any more */
enum { LEAST_IDLE = 16 };            /* samples without kernels, to tell whether another process ran some */

static enum rl_status too_little(const struct rl_sampled *sampled, struct rl_err *err)
{
    assert(sampled->counter_count > 0 && sampled->busy_counter < sampled->counter_count);
    if (sampled->sample_count < RL_ATTRIBUTION_LEAST_SAMPLES)
        return rl_err_set(err, RL_ABSENT, "%zu samples are too few to tell kernels apart, %d are needed", sampled->sample_count,
                          RL_ATTRIBUTION_LEAST_SAMPLES);
    const uint64_t first_ns = sampled->start_ns[0], last_ns = sampled->end_ns[sampled->sample_count - 1];
    for (size_t i = 0; i < sampled->launch_count; i++)
        if (sampled->launches[i].end_ns >= first_ns && sampled->launches[i].start_ns <= last_ns)
            return RL_OK;
    return rl_err_set(err, RL_ABSENT, "no kernel of the program ran while samples were taken");
}

/* Samples in and shortly before which none of our kernels ran, and those of them in which another one did. */
static void count_foreign(const struct rl_sampled *sampled, double shift_ns, struct rl_attribution *attribution)
{
    size_t next = 0;
    double last_end = -1e300;
    for (size_t s = 0; s < sampled->sample_count; s++) {
        const double from = (double)sampled->start_ns[s] - shift_ns, to = (double)sampled->end_ns[s] - shift_ns;
        for (; next < sampled->launch_count && (double)sampled->launches[next].start_ns < to + QUIET_NS; next++)
            if ((double)sampled->launches[next].end_ns > last_end)
                last_end = (double)sampled->launches[next].end_ns;
        if (last_end + QUIET_NS > from)
            continue;
        attribution->idle_samples++;
        attribution->foreign_samples += sampled->values[s * sampled->counter_count + sampled->busy_counter] > 0;
    }
    attribution->foreign_known = attribution->idle_samples >= LEAST_IDLE;
}

/* What no kernel explains, of all that was counted. */
static double unexplained(const struct rl_sampled *sampled, const struct rl_shares *shares, size_t counter)
{
    const size_t n = shares->columns, idle = counter * n + n - 1;
    double all = 0;
    for (size_t s = 0; s < sampled->sample_count; s++)
        all += sampled->values[s * sampled->counter_count + counter];
    return all > 0 && shares->value[idle] > 0 ? shares->value[idle] * shares->weight[idle] / all : 0;
}

static double rest_of(const struct rl_cut_plan *plan)
{
    double all = 0, rest = 0;
    for (size_t k = 0; k < plan->class_count; k++) {
        all += plan->ns[k];
        rest += plan->level[k] == RL_CUT_REST ? plan->ns[k] : 0;
    }
    return all > 0 ? rest / all : 0;
}

static void fill(struct rl_attributing *at, const struct rl_arrival_found *arrivals, const struct rl_shares *shares,
                 struct rl_attribution *attribution)
{
    const struct rl_sampled *sampled = at->sampled;
    for (size_t c = 0; c < sampled->counter_count; c++) {
        attribution->delay_ns[c] = (arrivals[c].best.begin_ns + arrivals[c].best.end_ns) / 2;
        attribution->tail_ns[c] = arrivals[c].best.tail_ns;
        attribution->unexplained[c] = unexplained(sampled, shares, c);
        rl_tell_apart(at, &arrivals[c], shares, c, attribution->of);
    }
    for (size_t k = 0; k < at->plan->class_count; k++)
        attribution->launches[k] = at->plan->launches[k];
    attribution->columns = at->columns.count;
    attribution->rest = rest_of(at->plan);
    count_foreign(sampled, attribution->shift_ns, attribution);
}

static void work_out(struct rl_attributing *at, const struct rl_sampled *with_classes, struct rl_attribution *attribution)
{
    const size_t counters = at->sampled->counter_count;
    struct rl_arrival_found *arrivals = rl_calloc(counters, sizeof *arrivals);
    struct rl_shares shares;
    double *several = rl_find_several(with_classes, at->sample_ns);
    at->several = several;
    rl_clock_samples(at->sampled, &at->clocked);
    rl_find_arrivals(at, attribution->shift_ns, arrivals);
    rl_share_out(at, arrivals, &shares);
    fill(at, arrivals, &shares, attribution);
    rl_find_beside(with_classes, attribution->beside);
    rl_find_mixed(at, &shares, with_classes, attribution);
    rl_shares_release(&shares);
    rl_arrivals_release(arrivals, counters);
    rl_clocked_release(&at->clocked);
    at->several = NULL;
    free(several);
    free(arrivals);
}

static void make_room(const struct rl_sampled *sampled, struct rl_attribution *attribution)
{
    *attribution = (struct rl_attribution){
        .delay_ns = rl_calloc(sampled->counter_count, sizeof(double)),
        .tail_ns = rl_calloc(sampled->counter_count, sizeof(double)),
        .unexplained = rl_calloc(sampled->counter_count, sizeof(double)),
        .launches = rl_calloc(sampled->class_count, sizeof(double)),
        .beside = rl_calloc(sampled->class_count, sizeof(double)),
        .of = rl_calloc(sampled->class_count * sampled->counter_count, sizeof *attribution->of),
    };
}

/* The samples are even, and a launch is in them. */
static enum rl_status attribute_even(const struct rl_sampled *sampled, uint64_t sample_ns, struct rl_attribution *attribution,
                                     struct rl_err *err)
{
    enum rl_status status = RL_OK;
    struct rl_split split;
    struct rl_even_samples probe;
    rl_split_make(sampled, sample_ns, &split);
    rl_telling_samples_make(&split.sampled,
                            rl_attribution_bound(sampled->work_ns, sampled->sample_count, sampled->launch_count).probes, &probe);
    struct rl_attributing at = {.sampled = &split.sampled,
                                .kinds = split.kinds,
                                .plan = &split.plan,
                                .sample_ns = sample_ns,
                                .made = sampled->made,
                                .probe = &probe.sampled};
    rl_columns_make(split.kinds, split.sampled.class_count, &at.columns);
    rl_nnls_init(&at.nnls, at.columns.count);
    const struct rl_shift_found shift = rl_find_shift(&at);
    attribution->shift_ns = shift.shift_ns;
    attribution->correlation = shift.correlation;
    if (shift.correlation < LEAST_CORRELATION)
        status = rl_unmatched(sampled, shift.correlation, &attribution->unmatched, err);
    else
        work_out(&at, sampled, attribution);
    rl_nnls_release(&at.nnls);
    rl_columns_release(&at.columns);
    rl_even_samples_release(&probe);
    rl_split_release(&split);
    return status;
}

enum rl_status rl_attribute(const struct rl_sampled *sampled, struct rl_attribution *attribution, struct rl_err *err)
{
    struct rl_even_samples even;
    make_room(sampled, attribution);
    rl_even_samples_make(sampled, rl_attribution_bound(sampled->work_ns, sampled->sample_count, sampled->launch_count).samples,
                         &even);
    attribution->stretched_samples = even.stretched;
    attribution->spared_samples = even.spared;
    enum rl_status status = too_little(&even.sampled, err);
    if (status == RL_OK)
        status = attribute_even(&even.sampled, even.typical_ns, attribution, err);
    rl_even_samples_release(&even);
    return status;
}

void rl_attribution_release(struct rl_attribution *attribution)
{
    free(attribution->delay_ns);
    free(attribution->tail_ns);
    free(attribution->unexplained);
    free(attribution->launches);
    free(attribution->beside);
    free(attribution->of);
    free(attribution->parts);
    free(attribution->part_values);
    *attribution = (struct rl_attribution){0};
}
