/* sample.h - captures made in memory, for the tests of the analysis. */
#ifndef RL_TEST_SAMPLE_H
#define RL_TEST_SAMPLE_H

#include "analysis/analysis.h"
#include "capture/capture.h"
#include "rl_test.h"

/* A complete session on one card with 10 SMs. `chip` may be NULL. */
static inline struct rl_capture *sample_new(const char *chip, int cc)
{
    struct rl_capture *capture = rl_capture_new();
    struct rl_gpu *gpu = rl_capture_add_gpu(capture);

    capture->session.complete = true;
    gpu->name = rl_capture_text(capture, "NVIDIA Test Card");
    gpu->chip = rl_capture_text(capture, chip);
    gpu->cc_major = cc / 10;
    gpu->cc_minor = cc % 10;
    gpu->fact[RL_FACT_sm_count] = rl_value_of(10);
    gpu->fact[RL_FACT_warp_size] = rl_value_of(32);
    gpu->fact[RL_FACT_max_threads_per_sm] = rl_value_of(1536);
    return capture;
}

/* A kernel of 1000 blocks of 256 threads with 32 registers and no shared memory, not of the suite, not timed. */
static inline size_t sample_kernel(struct rl_capture *capture, const char *name)
{
    struct rl_kernel *kernel = rl_capture_add_kernel(capture);

    kernel->gpu = 0;
    kernel->variant = RL_NONE;
    kernel->name = rl_capture_text(capture, name);
    memcpy(kernel->grid, (uint32_t[3]){1000, 1, 1}, sizeof kernel->grid);
    memcpy(kernel->block, (uint32_t[3]){256, 1, 1}, sizeof kernel->block);
    kernel->registers_per_thread = rl_value_of(32);
    kernel->static_shared_bytes = rl_value_of(0);
    kernel->launches = 1;
    return capture->kernel_count - 1;
}

static inline void sample_times(struct rl_capture *capture, size_t kernel, const uint64_t *ns, size_t count)
{
    struct rl_kernel *k = &capture->kernels[kernel];

    k->duration_ns = rl_arena_alloc(&capture->arena, count * sizeof *ns);
    memcpy(k->duration_ns, ns, count * sizeof *ns);
    k->duration_count = count;
    k->timing = rl_capture_text(capture, "events");
}

/* Nine equal durations. */
static inline void sample_time(struct rl_capture *capture, size_t kernel, uint64_t ns)
{
    const uint64_t same[9] = {ns, ns, ns, ns, ns, ns, ns, ns, ns};

    sample_times(capture, kernel, same, 9);
}

static inline struct rl_counter *sample_value(struct rl_capture *capture, size_t kernel, enum rl_counter_kind kind,
                                              const char *name, struct rl_value value)
{
    struct rl_counter *counter = rl_capture_add_counter(capture, kernel);

    counter->kind = kind;
    counter->name = rl_capture_text(capture, name);
    counter->value = value;
    counter->pass = RL_NONE;
    return counter;
}

static inline void sample_counter(struct rl_capture *capture, size_t kernel, const char *name, double value)
{
    sample_value(capture, kernel, RL_COUNTER, name, rl_value_of(value));
}

/* Sets a counter or, for names without "__", a metric, whether it was there or not. */
static inline void sample_set(struct rl_capture *capture, size_t kernel, const char *name, struct rl_value value)
{
    struct rl_kernel *k = &capture->kernels[kernel];

    for (size_t i = 0; i < k->counter_count; i++) {
        if (strcmp(k->counters[i].name, name) == 0) {
            k->counters[i].value = value;
            return;
        }
    }
    sample_value(capture, kernel, strstr(name, "__") ? RL_COUNTER : RL_METRIC_VALUE, name, value);
}

/* Every counter that the hand-computed values need, for a chip that has them all but the alternatives. */
static const struct {
    const char *name;
    double value;
} sample_counters[] = {
    {"sm__warps_active.avg.pct_of_peak_sustained_active", 62.5},
    {"smsp__sass_branch_targets_threads_uniform.sum", 60},
    {"smsp__sass_branch_targets.sum", 80},
    {"smsp__sass_thread_inst_executed.sum", 24000},
    {"smsp__sass_inst_executed.sum", 1000},
    {"smsp__sass_thread_inst_executed_pred_on.sum", 12500},
    {"smsp__issue_active.sum", 1200},
    {"sm__cycles_active.avg", 100},
    {"dram__bytes_read.sum", 3000},
    {"dram__bytes_write.sum", 1000},
    {"lts__t_sectors_srcunit_tex.sum", 200},
    {"lts__t_tag_requests_hit.sum", 30},
    {"lts__t_tag_requests_miss.sum", 10},
    {"l1tex__t_bytes.sum", 12800},
    {"l1tex__t_sectors.sum", 400},
    {"l1tex__t_sectors_lookup_hit.sum", 100},
    {"smsp__sass_data_bytes_mem_shared.sum", 25600},
    {"smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared.sum", 800},
    {"smsp__sass_inst_executed_op_shared.sum", 100},
    {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ld.sum", 320},
    {"smsp__sass_inst_executed_op_global_ld.sum", 40},
    {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_st.sum", 80},
    {"smsp__sass_inst_executed_op_global_st.sum", 20},
    {"smsp__sass_data_bytes_mem_global_op_ld.sum", 5120},
    {"smsp__sass_data_bytes_mem_global_op_st.sum", 640},
    {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_local_op_ld.sum", 12},
    {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_local_op_st.sum", 8},
    {"smsp__sass_inst_executed_op_global_atom.sum", 3},
    {"smsp__sass_inst_executed_op_global_red.sum", 4},
    {"smsp__sass_inst_executed_op_shared_atom.sum", 5},
    {"smsp__sass_thread_inst_executed_op_dadd_pred_on.sum", 100},
    {"smsp__sass_thread_inst_executed_op_dmul_pred_on.sum", 200},
    {"smsp__sass_thread_inst_executed_op_dfma_pred_on.sum", 300},
    {"smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", 1000},
    {"smsp__sass_thread_inst_executed_op_fmul_pred_on.sum", 2000},
    {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", 3000},
    {"smsp__sass_thread_inst_executed_op_hadd_pred_on.sum", 500},
    {"smsp__sass_thread_inst_executed_op_hmul_pred_on.sum", 600},
    {"smsp__sass_thread_inst_executed_op_hfma_pred_on.sum", 900},
    {"sm__inst_executed_pipe_tensor.sum", 0},
    {"sm__cycles_elapsed.avg.per_second", 1e9},
    {"dram__cycles_elapsed.avg.per_second", 5e8},
    {"lts__cycles_elapsed.avg.per_second", 8e8},
    {"gpu__time_duration.sum", 2500},
    {"sm__cycles_elapsed.max", 125},
    {"dram__bytes.sum.peak_sustained", 64},
    {"lts__lts2xbar_cycles_active.sum.peak_sustained", 20},
    {"l1tex__data_pipe_lsu_wavefronts.sum.peak_sustained", 10},
    {"smsp__sass_thread_inst_executed_op_dfma_pred_on.sum.peak_sustained", 20},
    {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum.peak_sustained", 1280},
    {"smsp__sass_thread_inst_executed_op_hfma_pred_on.sum.peak_sustained", 1280},
};

/* A kernel with all of sample_counters, whose median duration is 2 us. */
static inline size_t sample_full_kernel(struct rl_capture *capture, const char *name)
{
    const size_t kernel = sample_kernel(capture, name);

    for (size_t i = 0; i < sizeof sample_counters / sizeof sample_counters[0]; i++)
        sample_counter(capture, kernel, sample_counters[i].name, sample_counters[i].value);
    sample_times(capture, kernel, (uint64_t[]){2000, 2010, 1990, 2005, 1995, 2000, 2002, 1998, 2000}, 9);
    return kernel;
}

/* Chips of the tests: GA102 has every counter of the plan that is no alternative. */
#define SAMPLE_CHIP "GA102"
#define SAMPLE_CC   86

#endif
