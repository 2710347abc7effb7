/* record_cost_measure.c - what a serial activity record adds on this card (record_cost.h). */

#include "activity.h"
#include "core/stats.h"
#include "kernels/run.h"

enum { FEW = 10, MANY = 40, REPEATS = 7, RECORDS = 30 };
/* 0: an empty kernel. */
static const uint64_t lengths_ns[RL_RECORD_COST_POINTS] = {0, 2000, 6000, 10000, 15000, 20000, 40000, 100000};

/* From the start of one launch to the start of the next. */
static enum rl_status launch_to_launch(void *stream, uint64_t spin_ns, double *ns, struct rl_err *err)
{
    double each[REPEATS];
    enum rl_status status = RL_OK;
    for (size_t i = 0; i < REPEATS && status == RL_OK; i++) {
        double few_ns = 0, many_ns = 0;
        status = rl_device_time_spins(stream, spin_ns, FEW, &few_ns, err);
        if (status == RL_OK)
            status = rl_device_time_spins(stream, spin_ns, MANY, &many_ns, err);
        each[i] = (many_ns - few_ns) / (MANY - FEW);
    }
    if (status == RL_OK)
        *ns = rl_stats_of(each, REPEATS).median;
    return status;
}

static enum rl_status recorded(void *stream, enum rl_activity_clock clock, uint64_t spin_ns, double *ns, struct rl_err *err)
{
    const struct rl_activity *seen = NULL;
    size_t count = 0;
    double each[RECORDS];
    enum rl_status status = rl_activity_start(clock, err);
    if (status != RL_OK)
        return status;
    const enum rl_status launched = rl_device_spin(stream, spin_ns, RECORDS, err);
    status = rl_activity_stop(&seen, &count, launched == RL_OK ? err : NULL);
    if (launched != RL_OK || status != RL_OK)
        return launched != RL_OK ? launched : status;
    if (count != RECORDS)
        return rl_err_set(err, RL_FAILED, "the Activity API saw %zu of %d launches", count, RECORDS);
    for (size_t i = 0; i < RECORDS; i++)
        each[i] = (double)(seen[i].end_ns - seen[i].start_ns);
    *ns = rl_stats_of(each, RECORDS).median;
    return RL_OK;
}

static enum rl_status measure_gap(void *stream, double *gap_ns, struct rl_err *err)
{
    double apart_ns = 0, empty_ns = 0;
    enum rl_status status = recorded(stream, RL_ACTIVITY_TIMELINE, 0, &empty_ns, err);
    if (status == RL_OK)
        status = launch_to_launch(stream, 0, &apart_ns, err);
    *gap_ns = apart_ns - empty_ns;
    return status;
}

enum rl_status rl_record_cost_measure(void *stream, struct rl_record_cost *cost, struct rl_err *err)
{
    struct rl_record_cost found = {.count = RL_RECORD_COST_POINTS};
    *cost = (struct rl_record_cost){0};
    rl_activity_set_cost(NULL);
    enum rl_status status = rl_device_spin(stream, 0, FEW, err); /* loads the code */
    if (status == RL_OK)
        status = rl_device_spin(stream, lengths_ns[1], FEW, err);
    if (status == RL_OK)
        status = measure_gap(stream, &found.gap_ns, err);
    for (size_t i = 0; i < RL_RECORD_COST_POINTS && status == RL_OK; i++) {
        double apart_ns = 0;
        status = launch_to_launch(stream, lengths_ns[i], &apart_ns, err);
        if (status == RL_OK)
            status = recorded(stream, RL_ACTIVITY_SERIAL, lengths_ns[i], &found.at[i].recorded_ns, err);
        found.at[i].cost_ns = found.at[i].recorded_ns - (apart_ns - found.gap_ns);
    }
    if (status == RL_OK)
        *cost = found;
    return status;
}
