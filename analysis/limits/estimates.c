/* estimates.c - metrics of kernel classes that were sampled and not counted (analysis/sampled.h). */
#include "limits_decide.h"

static struct rl_value value_as(const struct rl_eval *eval, const struct rl_sampled_values *values, const struct rl_sampled_as *row)
{
    static const char idle[] = "the SMs were never active";
    struct rl_value value = values->value[row->of];
    if (row->per_sm)
        value = rl_value_div(value, rl_eval_fact(eval, RL_FACT_sm_count), "no SMs");
    if (row->per_active)
        value = rl_value_div(value, values->value[RL_SAMPLED_sm_active], idle);
    if (row->per_warps)
        value = rl_value_div(
            value, rl_value_div(rl_eval_fact(eval, RL_FACT_max_threads_per_sm), rl_eval_fact(eval, RL_FACT_warp_size), "no warps"),
            "no warps");
    return value;
}

bool rl_estimates_focus(struct rl_eval *eval, size_t kernel, const struct rl_sampled_values *values, size_t step)
{
    struct rl_sampled_values moved = *values;
    if (step > RL_ESTIMATE_STEPS)
        return false;
    if (step > 0) {
        const size_t counter = (step - 1) / 2;
        const double by = step % 2 ? values->half_width[counter] : -values->half_width[counter];
        if (rl_present(moved.value[counter]))
            moved.value[counter] = rl_value_of(fmax(0, moved.value[counter].v + by));
    }
    /* Where nothing else is known. */
    rl_eval_focus(eval, RL_NONE, kernel);
    for (size_t i = 0; i < rl_sampled_as_count; i++)
        rl_eval_offer(eval, rl_sampled_as[i].name, value_as(eval, &moved, &rl_sampled_as[i]));
    return true;
}

void rl_estimate_widen(struct rl_moves *moves, size_t step, struct rl_value at, struct rl_value moved)
{
    assert(step > 0 && step <= RL_ESTIMATE_STEPS);
    if (!rl_present(at))
        return;
    const double by = rl_present(moved) ? fabs(moved.v - at.v) : fabs(at.v); /* a counter that may be 0 makes it undefined */
    if (step % 2) {
        moves->last = by;
    } else {
        moves->sum += fmax(moves->last, by);
    }
}

void rl_kernel_estimates(struct rl_analysis *analysis, struct rl_eval *eval, struct rl_kernel_result *result)
{
    if (!rl_is_sampled(analysis->capture, result->kernel))
        return;
    struct rl_sampled_values values;
    struct rl_estimate *estimates = rl_arena_alloc(&analysis->arena, RL_METRIC_COUNT * sizeof *estimates);
    struct rl_moves moves[RL_METRIC_COUNT] = {{0}};
    rl_sampled_values(analysis->capture, result->kernel, &values);
    for (size_t step = 0; rl_estimates_focus(eval, result->kernel, &values, step); step++)
        for (size_t m = 0; m < RL_METRIC_COUNT; m++) {
            if (rl_present(result->metric[m])) { /* what is exact stays */
                estimates[m] = (struct rl_estimate){.value = result->metric[m]};
                continue;
            }
            const struct rl_value value = rl_eval_metric(eval, (enum rl_metric)m);
            if (step == 0)
                estimates[m] = (struct rl_estimate){.value = value};
            else
                rl_estimate_widen(&moves[m], step, estimates[m].value, value);
        }
    for (size_t m = 0; m < RL_METRIC_COUNT; m++) {
        estimates[m].half_width = moves[m].sum;
        if (rl_present(estimates[m].value) && moves[m].sum > RL_SAMPLED_WIDEST * fabs(estimates[m].value.v))
            estimates[m].value = rl_value_missing(RL_UNDEFINED, "the interval of its sampled value is too wide");
    }
    result->estimate = estimates;
}
