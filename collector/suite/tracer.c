/* tracer.c - instructions that recording adds to kernels (tracer.h). */
#include "tracer.h"

#include "activity.h"
#include "kernels/run.h"
#include "range.h"

enum { BLOCKS = 8192, THREADS = 256, WARPS = BLOCKS * THREADS / 32 };
/* The first launch of the empty kernel loads its code. */
enum { WARM_UP, EMPTY, TRIAL, MOST_LAUNCHES };
/* A warp's share below this is the launch's own, which does not grow with its warps. */
static const double LEAST_PER_WARP = 0.01;

/* Counters of SMs that are sampled (pm_counters.def), by the names that windows have for them; the samples' order. */
static const struct {
    enum rl_sampled_counter counter;
    const char *name;
} rows[RL_TRACER_MOST] = {
    {RL_SAMPLED_instructions, "smsp__inst_executed.sum"}, {RL_SAMPLED_shared, "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum"},
    {RL_SAMPLED_fma, "sm__inst_executed_pipe_fma.sum"},   {RL_SAMPLED_lsu, "l1tex__data_pipe_lsu_wavefronts.sum"},
    {RL_SAMPLED_alu, "sm__inst_executed_pipe_alu.sum"},   {RL_SAMPLED_xu, "sm__inst_executed_pipe_xu.sum"},
};

struct measuring {
    struct rl_range_profiler *profiler;
    void *stream;
    const struct rl_tracer_trial *trial;
    double counted[2][RL_TRACER_MOST][MOST_LAUNCHES]; /* while nothing, and while kernels are recorded; NAN: not counted */
};

static enum rl_status launch_all(const struct measuring *m, struct rl_err *err)
{
    enum rl_status status = rl_device_launch_empty(m->stream, BLOCKS, THREADS, err);
    RL_THEN(status, rl_device_launch_empty(m->stream, BLOCKS, THREADS, err));
    if (status == RL_OK && m->trial)
        status = m->trial->launch(m->trial->context, err);
    return status == RL_OK ? rl_device_wait(m->stream, err) : status;
}

static enum rl_status count(struct measuring *m, bool recorded, const struct rl_config *config, struct rl_err *err)
{
    const size_t launches = m->trial ? MOST_LAUNCHES : TRIAL;
    const struct rl_activity *seen = NULL;
    size_t seen_count = 0;
    RL_TRY(recorded ? rl_activity_start(RL_ACTIVITY_TIMELINE, err) : RL_OK);
    enum rl_status status = rl_range_begin(m->profiler, config, launches, RL_RANGE_LAUNCHES, err);
    if (status == RL_OK) {
        RL_FREED struct rl_value *values = rl_calloc(launches * config->counter_count, sizeof *values);
        enum rl_status launched = RL_OK;
        for (bool again = true; launched == RL_OK && again;) {
            launched = launch_all(m, err);
            RL_THEN(launched, rl_range_next(m->profiler, &again, err));
        }
        status = rl_range_end(m->profiler, values, launched == RL_OK ? err : NULL);
        status = launched != RL_OK ? launched : status;
        if (status == RL_OK) {
            for (size_t n = 0; n < config->counter_count; n++)
                for (size_t r = 0; r < RL_TRACER_MOST; r++)
                    for (size_t l = 0; strcmp(config->counters[n], rows[r].name) == 0 && l < launches; l++) {
                        const struct rl_value value = values[l * config->counter_count + n];
                        m->counted[recorded][r][l] = rl_present(value) ? value.v : NAN;
                    }
        }
    }
    const enum rl_status stopped = recorded ? rl_activity_stop(&seen, &seen_count, status == RL_OK ? err : NULL) : RL_OK;
    return status == RL_OK ? stopped : status;
}

static void evaluate(const struct measuring *m, struct rl_tracer *tracer)
{
    for (size_t r = 0; r < RL_TRACER_MOST; r++) {
        const double *plain = m->counted[false][r], *recorded = m->counted[true][r];
        const double per_warp = (recorded[EMPTY] - plain[EMPTY]) / WARPS;
        if (!isfinite(per_warp))
            continue;
        tracer->of[tracer->count].counter = rows[r].counter;
        tracer->of[tracer->count].per_warp = per_warp < LEAST_PER_WARP ? 0 : per_warp;
        tracer->of[tracer->count].residual =
            m->trial && plain[TRIAL] > 0 ? (recorded[TRIAL] - tracer->of[tracer->count].per_warp * m->trial->warps) / plain[TRIAL]
                                         : NAN;
        tracer->count++;
    }
}

enum rl_status rl_tracer_measure(struct rl_range_profiler *profiler, void *stream, const struct rl_tracer_trial *trial,
                                 struct rl_tracer *tracer, struct rl_err *err)
{
    struct measuring m = {.profiler = profiler, .stream = stream, .trial = trial};
    const char *names[RL_TRACER_MOST];
    RL_FREED struct rl_config *configs = NULL;
    size_t config_count = 0;
    for (size_t recorded = 0; recorded < 2; recorded++)
        for (size_t r = 0; r < RL_TRACER_MOST; r++)
            for (size_t l = 0; l < MOST_LAUNCHES; l++)
                m.counted[recorded][r][l] = NAN;
    *tracer = (struct rl_tracer){0};
    /* The counters that the chip has, as configurations of one pass. */
    bool available[RL_TRACER_MOST] = {0};
    for (size_t r = 0; r < RL_TRACER_MOST; r++)
        names[r] = rows[r].name;
    struct rl_configuration wanted = {.name = "tracer", .counters = names, .counter_count = RL_TRACER_MOST};
    enum rl_status status = rl_host_pack(profiler->chip, profiler->availability, &wanted, available, &configs, &config_count, err);
    for (size_t recorded = 0; recorded < 2 && status == RL_OK; recorded++)
        for (size_t c = 0; c < config_count && status == RL_OK; c++)
            if (configs[c].counter_count)
                status = count(&m, recorded == 1, &configs[c], err);
    if (status == RL_OK)
        evaluate(&m, tracer);
    rl_range_rest(profiler);
    for (size_t c = 0; c < config_count; c++)
        rl_config_release(&configs[c]);
    return status;
}

void rl_tracer_store(const struct rl_tracer *tracer, size_t gpu, struct rl_capture *capture)
{
    for (size_t i = 0; i < tracer->count; i++) {
        struct rl_tracer_row *row = rl_capture_add_tracer(capture);
        row->gpu = gpu;
        row->counter = tracer->of[i].counter;
        row->per_warp = tracer->of[i].per_warp;
        if (isfinite(tracer->of[i].residual))
            row->residual = rl_value_of(tracer->of[i].residual);
    }
}
