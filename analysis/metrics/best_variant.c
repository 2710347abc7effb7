/* best_variant.c - the quantity by which variants are compared, and the best of an experiment (see analysis.h). */
#include "internal.h"

enum { PER_OPERATION, BANDWIDTH, TIME };

/* In the order in which they are taken when claims speak of several. */
static const struct rl_criterion quantities[] = {
    [PER_OPERATION] = {"time_per_operation_s", "Median time per operation", RL_UNIT_SECOND, false, false},
    [BANDWIDTH] = {"useful_bytes_per_second", "Useful bandwidth", RL_UNIT_BYTE_PER_SECOND, true, false},
    [TIME] = {"time_s", "Median time", RL_UNIT_SECOND, false, false},
    {"theoretical_occupancy", "Theoretical occupancy", RL_UNIT_FRACTION, true, true},
};

struct rl_value rl_criterion_value(const struct rl_variant_result *run, const struct rl_criterion *quantity)
{
    if (run->why_not)
        return rl_value_missing(RL_UNDEFINED, run->why_not);
    const size_t i = (size_t)(quantity - quantities);
    assert(i < RL_COUNT(quantities));
    return i == PER_OPERATION ? run->time_per_operation_s
           : i == BANDWIDTH   ? run->useful_bytes_per_second
           : i == TIME        ? run->time_s
                              : run->metric[RL_METRIC_theoretical_occupancy];
}

/* The variants of an experiment on a GPU. */
struct runs {
    const struct rl_analysis *analysis;
    const struct rl_experiment *experiment;
    const size_t *at;
    size_t count;
};

static const struct rl_variant_result *run_at(const struct runs *runs, size_t i)
{
    return &runs->analysis->variants[runs->at[i]];
}

static const struct rl_variant *variant_at(const struct runs *runs, size_t i)
{
    return &runs->analysis->capture->variants[runs->at[i]];
}

/* A quantity that follows from the code must be that of the first claim: then the experiment asks for it. */
static bool claims_speak_of(const struct rl_experiment *experiment, const struct rl_criterion *quantity)
{
    const size_t most = quantity->is_static && experiment->claim_count > 1 ? 1 : experiment->claim_count;
    return RL_ANY(i, most, strcmp(experiment->claims[i].quantity, quantity->id) == 0);
}

/* True when every variant that was timed has the quantity, and it is positive. */
static bool is_complete(const struct runs *runs, const struct rl_criterion *quantity)
{
    size_t timed = 0;
    for (size_t i = 0; i < runs->count; i++) {
        const struct rl_value value = rl_criterion_value(run_at(runs, i), quantity);
        if (!rl_present(rl_criterion_value(run_at(runs, i), &quantities[TIME])))
            continue;
        timed++;
        if (!rl_positive(value))
            return false;
    }
    return timed > 0;
}

static const struct rl_criterion *choose_quantity(const struct runs *runs)
{
    for (size_t q = 0; q < RL_COUNT(quantities); q++)
        if (claims_speak_of(runs->experiment, &quantities[q]) && is_complete(runs, &quantities[q]))
            return &quantities[q];
    return is_complete(runs, &quantities[BANDWIDTH]) ? &quantities[BANDWIDTH] : &quantities[TIME];
}

static bool are_alike(struct rl_value a, struct rl_value b)
{
    if (!rl_present(a) || !rl_present(b))
        return rl_present(a) == rl_present(b);
    return fabs(a.v - b.v) <= 0.01 * fmax(fabs(a.v), fabs(b.v));
}

/* Times can be compared when the variants do the same: as many operations or at least as many bytes. Variants with unknown work may
 * be other functions altogether. Bandwidths can be compared when the variants do the same with each byte. */
static bool do_the_same(const struct runs *runs, const struct rl_criterion *quantity)
{
    const struct rl_variant *a = variant_at(runs, 0);
    for (size_t i = 1; i < runs->count; i++) {
        const struct rl_variant *b = variant_at(runs, i);
        if (quantity == &quantities[BANDWIDTH]
                ? !are_alike(rl_value_div(a->model_flop, a->useful_bytes, "no bytes"),
                             rl_value_div(b->model_flop, b->useful_bytes, "no bytes"))
                : a->size != b->size || !rl_present(a->model_flop) || !are_alike(a->model_flop, b->model_flop) ||
                      !are_alike(a->model_bytes, b->model_bytes))
            return false;
    }
    return true;
}

static bool are_comparable(const struct runs *runs, const struct rl_criterion *quantity)
{
    if (runs->count && rl_is_of_self_check(runs->analysis->capture, runs->at[0]))
        return false; /* each kernel has another thing to be counted */
    return quantity == &quantities[PER_OPERATION] || quantity->is_static || do_the_same(runs, quantity);
}

struct rl_best_variant rl_best_variant_of(const struct rl_analysis *analysis, size_t experiment, size_t gpu)
{
    struct runs runs = {.analysis = analysis, .experiment = &analysis->capture->experiments[experiment]};
    struct rl_best_variant found = {.best = RL_NONE, .worst = RL_NONE};
    struct rl_value best = {0}, worst = {0};
    size_t known = 0;
    runs.count = rl_variants_on(&analysis->index, analysis->capture, experiment, gpu, &runs.at);
    found.quantity = choose_quantity(&runs);
    found.comparable = are_comparable(&runs, found.quantity);
    for (size_t i = 0; i < runs.count; i++) {
        const struct rl_value value = rl_criterion_value(run_at(&runs, i), found.quantity);
        const double sign = found.quantity->more_is_better ? 1 : -1;
        if (!rl_present(value))
            continue;
        if (known == 0 || sign * value.v > sign * best.v) {
            best = value;
            found.best = runs.at[i];
        }
        if (known == 0 || sign * value.v <= sign * worst.v) { /* of equals the last one */
            worst = value;
            found.worst = runs.at[i];
        }
        known++;
    }
    if (known < 2)
        found.best = found.worst = RL_NONE;
    return found;
}
