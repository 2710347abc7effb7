/* Every rule on a subject that triggers it and on one that just does not. */
#include "rl_test.h"

#include "analysis/analysis.h"
#include "analysis/families.h"
#include "core/formula.h"
#include "core/mem.h"
#include "fixtures/capture.h"
#include "fixtures/timelines.h"

/* A healthy launch on a healthy card: coalesced, no conflicts, full warps, 9 waves of 60 blocks, 75 % of the DRAM roof. */
static struct rl_capture *healthy(void)
{
    static const struct {
        const char *name;
        double value;
    } good[] = {
        {"sm__warps_active.avg.pct_of_peak_sustained_active", 90},
        {"smsp__sass_branch_targets_threads_uniform.sum", 80},
        {"smsp__sass_thread_inst_executed.sum", 32000},
        {"dram__bytes_read.sum", 40000},
        {"dram__bytes_write.sum", 8000},
        {"smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared.sum", 200},
        {"smsp__sass_data_bytes_mem_global_op_ld.sum", 10240},
        {"smsp__sass_data_bytes_mem_global_op_st.sum", 2560},
        {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_local_op_ld.sum", 0},
        {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_local_op_st.sum", 0},
        {"smsp__sass_thread_inst_executed_op_hfma_pred_on.sum", 0},
    };
    struct rl_capture *capture = sample_new(SAMPLE_CHIP, SAMPLE_CC);
    const size_t kernel = sample_full_kernel(capture, "void good_kernel<int>(int)");
    struct rl_gpu_moment *moment = rl_capture_add_moment(capture, 0);

    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        sample_set(capture, kernel, good[i].name, rl_value_of(good[i].value));
    capture->kernels[kernel].grid[0] = 540; /* 6 blocks on each of 10 SMs: 9 whole waves */
    moment->moment = rl_capture_text(capture, "before");
    moment->reading[RL_READING_throttle_reasons] = rl_value_of(0x1);
    moment->reading[RL_READING_process_count] = rl_value_of(1);
    capture->gpus[0].fact[RL_FACT_ecc_errors_uncorrected] = rl_value_of(0);
    capture->gpus[0].fact[RL_FACT_mig_enabled] = rl_value_of(0);
    capture->session.counters = rl_capture_text(capture, "collected");
    return capture;
}

static const struct rl_finding *find(const struct rl_finding *findings, size_t count, const char *id)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(findings[i].id, id) == 0)
            return &findings[i];
    return NULL;
}

static const struct rl_finding *found(const struct rl_analysis *analysis, const char *id)
{
    const struct rl_finding *of_session = find(analysis->findings, analysis->finding_count, id);

    for (size_t i = 0; i < analysis->capture->kernel_count && !of_session; i++)
        of_session = find(analysis->kernels[i].findings, analysis->kernels[i].finding_count, id);
    return of_session;
}

/* ---- changes to the healthy capture ---- */

static void set(struct rl_capture *capture, const char *counter, double value)
{
    sample_set(capture, 0, counter, rl_value_of(value));
}

static void loads(struct rl_capture *c, double bytes)
{
    set(c, "smsp__sass_data_bytes_mem_global_op_ld.sum", bytes);
}
static void stores(struct rl_capture *c, double bytes)
{
    set(c, "smsp__sass_data_bytes_mem_global_op_st.sum", bytes);
}
/* One word of each sector is used. */
static void load_sectors(struct rl_capture *c, double sectors)
{
    set(c, "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ld.sum", sectors);
    loads(c, 4 * sectors);
}
static void store_sectors(struct rl_capture *c, double sectors)
{
    set(c, "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_st.sum", sectors);
    stores(c, 4 * sectors);
}
static void wavefronts(struct rl_capture *c, double n)
{
    set(c, "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared.sum", n);
}
/* As many wavefronts as are too many, some of which tensor cores may have caused. */
static void matrix_wavefronts(struct rl_capture *c, double instructions)
{
    wavefronts(c, 442);
    set(c, "sm__inst_executed_pipe_tensor.sum", instructions);
}
static void local_bytes(struct rl_capture *c, double bytes)
{
    set(c, "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_local_op_ld.sum", bytes / 32);
}

/* 4 x DRAM bytes = percent of the roof: 64 kB at 32 GB/s take 2 us. */
static void roof_percent(struct rl_capture *c, double percent)
{
    set(c, "dram__bytes_read.sum", 640 * percent - 8000);
}

/* Of the 48 x 90 % warps that are on each of 10 SMs for 100 cycles. */
static void waiting(struct rl_capture *c, const char *reason, double percent)
{
    char name[96];

    snprintf(name, sizeof name, "smsp__warps_issue_stalled_%s.sum", reason);
    set(c, name, percent / 100 * 0.9 * 48 * 10 * 100);
}

/* For memory, and for nothing else. */
static void waiting_for_memory(struct rl_capture *c, double percent)
{
    waiting(c, "long_scoreboard", percent);
    waiting(c, "barrier", 0);
    waiting(c, "wait", 0);
}

static void registers(struct rl_capture *c, double count)
{
    roof_percent(c, 30);
    waiting_for_memory(c, 60);
    c->kernels[0].registers_per_thread = rl_value_of(count);
}

static void shared(struct rl_capture *c, double bytes)
{
    roof_percent(c, 30);
    waiting_for_memory(c, 60);
    c->kernels[0].dynamic_shared_bytes = (uint64_t)bytes;
}

static void small_blocks(struct rl_capture *c, double threads)
{
    roof_percent(c, 30);
    waiting_for_memory(c, 60);
    c->kernels[0].block[0] = (uint32_t)threads;
}

static void achieved(struct rl_capture *c, double percent)
{
    roof_percent(c, 30);
    waiting_for_memory(c, 60);
    set(c, "sm__warps_active.avg.pct_of_peak_sustained_active", percent);
}

static void active_threads(struct rl_capture *c, double threads)
{
    set(c, "smsp__sass_branch_targets_threads_uniform.sum", 60);
    set(c, "smsp__sass_thread_inst_executed.sum", threads);
}

/* In blocks of 16 threads half of the lanes have none. */
static void lanes_without_threads(struct rl_capture *c, double threads)
{
    active_threads(c, threads);
    c->kernels[0].block[0] = 16;
}

/* 15 samples of 2000 ns, then 15 of `ns`. */
static void second_half(struct rl_capture *c, double ns)
{
    uint64_t samples[30];

    for (size_t i = 0; i < 30; i++)
        samples[i] = i < 15 ? 2000 : (uint64_t)ns;
    sample_times(c, 0, samples, 30);
}

/* Sectors looked up in L1 by two passes: 400 in the first. */
static void second_pass(struct rl_capture *c, double sectors)
{
    struct rl_counter *again;

    for (size_t i = 0; i < 2; i++)
        rl_capture_add_pass(c)->configuration = rl_capture_text(c, "hardware");
    for (size_t i = 0; i < c->kernels[0].counter_count; i++)
        c->kernels[0].counters[i].pass = 0;
    again = sample_value(c, 0, RL_COUNTER, "l1tex__t_sectors.sum", rl_value_of(sectors));
    again->pass = 1;
}

static void block(struct rl_capture *c, double threads)
{
    c->kernels[0].block[0] = (uint32_t)threads;
}
static void grid(struct rl_capture *c, double blocks)
{
    c->kernels[0].grid[0] = (uint32_t)blocks;
}

static void compute_grid(struct rl_capture *c, double blocks)
{
    roof_percent(c, 30);
    grid(c, blocks);
    set(c, "sm__cycles_active.avg", 94); /* of 125, in 2.5 us where it takes 2 */
}

/* Two durations, half the samples each, so that the interval of the median reaches from one to the other. */
/* Under a clock with steps of 8 ns, as another kernel shows. */
static void spread(struct rl_capture *c, double extra)
{
    const size_t other = sample_kernel(c, "other");
    uint64_t ns[20];

    for (size_t i = 0; i < 20; i++)
        ns[i] = i % 2 ? 2000 : 2000 + (uint64_t)extra;
    sample_times(c, 0, ns, 20);
    for (size_t i = 0; i < 20; i++)
        ns[i] = 90000 + 8 * i;
    sample_times(c, other, ns, 20);
}

static void second_clock(struct rl_capture *c, double hz)
{
    const size_t kernel = sample_kernel(c, "other");

    sample_counter(c, kernel, "sm__cycles_elapsed.avg.per_second", hz);
}

static void reasons(struct rl_capture *c, double bits)
{
    c->gpus[0].moments[0].reading[RL_READING_throttle_reasons] = rl_value_of(bits);
}

static void processes(struct rl_capture *c, double count)
{
    c->gpus[0].moments[0].reading[RL_READING_process_count] = rl_value_of(count);
}

/* Of a program that uses the card from the first to the 1000th microsecond. */
static void busy(struct rl_capture *c, double us)
{
    rl_capture_add_process(c);
    *rl_capture_add_process_gpu(c, 0) = (struct rl_process_gpu){0, 1000000, (uint64_t)(us * 1e3), 0};
}

static void add_transfer(struct rl_capture *c, const char *direction, const char *memory, size_t gpu, double us)
{
    struct rl_transfer *transfer = rl_capture_add_transfer(c);
    transfer->direction = rl_capture_text(c, direction);
    transfer->memory = rl_capture_text(c, memory);
    transfer->gpu = gpu;
    transfer->total_ns = (uint64_t)(us * 1e3);
}

/* Of 1000 us that the GPU is busy. */
static void pageable(struct rl_capture *c, double us)
{
    busy(c, 1000);
    add_transfer(c, "to device", "pageable", 0, us);
}

/* Of 1000 ns of wall time of a process that is there. */
static void no_kernel(struct rl_capture *c, enum rl_lane cause, double ns)
{
    c->processes[0].gpus[0] = (struct rl_process_gpu){0, 1000, 999, 0};
    sample_timeline(c, 0, 0, 10);
    sample_lane(c, RL_LANE_KERNELS, RL_NONE, (const uint64_t[]){(uint64_t)(1000 - ns)}, 1);
    sample_lane(c, cause, RL_NONE, (const uint64_t[]){0, (uint64_t)ns}, 2);
    sample_gap(c, cause, RL_NONE, 3, (uint64_t)ns / 2);
}
static void no_kernel_host(struct rl_capture *c, double ns)
{
    busy(c, 999);
    sample_range(c, 0, RL_NONE, NULL, "run", 1);
    sample_range(c, 0, 0, NULL, "step", 1);
    no_kernel(c, RL_LANE_IDLE_HOST, ns);
    sample_gap(c, RL_LANE_IDLE_HOST, 1, 3, (uint64_t)ns / 2 + 1);
}
static void no_kernel_wait(struct rl_capture *c, double ns)
{
    busy(c, 999);
    no_kernel(c, RL_LANE_IDLE_WAIT, ns);
}
static void no_kernel_launch(struct rl_capture *c, double ns)
{
    busy(c, 999);
    sample_range(c, 0, RL_NONE, NULL, "run", 1);
    no_kernel(c, RL_LANE_IDLE_LAUNCH, ns);
}
static void no_kernel_copy(struct rl_capture *c, double ns)
{
    busy(c, 999);
    no_kernel(c, RL_LANE_IDLE_COPY, ns);
}

static void ecc(struct rl_capture *c, double errors)
{
    c->gpus[0].fact[RL_FACT_ecc_errors_uncorrected] = rl_value_of(errors);
}
static void mig(struct rl_capture *c, double on)
{
    c->gpus[0].fact[RL_FACT_mig_enabled] = rl_value_of(on);
}

static void uncounted(struct rl_capture *c, double yes)
{
    const size_t kernel = sample_kernel(c, "other");

    c->session.counters = rl_capture_text(c, "the driver lets only administrators read them");
    sample_value(c, kernel, RL_COUNTER, "l1tex__t_bytes.sum", yes > 0 ? rl_value_missing(RL_NOT_PERMITTED, NULL) : rl_value_of(0));
    sample_value(c, kernel, RL_METRIC_VALUE, "theoretical_occupancy", rl_value_of(0.5)); /* printed, but no counter */
}

/* Thirty equal samples of a micro-benchmark at 1 GHz. */
static void ceiling(struct rl_capture *c, const char *id, double rate)
{
    sample_ceiling(c, 0, id, RL_UNIT_BYTE_PER_SECOND, rate, 0, 30)->sm_clock_hz = rl_value_of(1e9);
}

/* The card of which a DRAM copy of 4.028 TB/s was published, with a pin rate of 8 TB/s. */
static void published_card(struct rl_capture *c, double percent)
{
    c->gpus[0].name = rl_capture_text(c, "NVIDIA H200");
    set(c, "dram__bytes.sum.peak_sustained", 16000);
    roof_percent(c, 75 * 250); /* still at 75 % */
    ceiling(c, "dram_copy", 4.028e10 * percent);
}

static void refused(struct rl_capture *c, double percent)
{
    ceiling(c, "l2_read", 5.12e9 * percent);
}

static void sustained(struct rl_capture *c, double percent)
{
    ceiling(c, "l1_read", 1e12);
    ceiling(c, "l1_read_sustained", 1e10 * percent);
}

static void incomplete(struct rl_capture *c, double yes)
{
    c->session.complete = yes == 0;
}

static void result(struct rl_capture *c, double wrong)
{
    sample_experiment(c, "e");
    struct rl_variant *variant = sample_variant(c, 0, 0, "v", NULL);
    variant->result = wrong > 0 ? RL_RESULT_WRONG : RL_RESULT_OK;
    variant->result_text = rl_capture_text(c, "element 17: 3.5, expected 4.25");
    c->kernels[0].variant = 0;
}

/* 48 kB of traffic; the work model speaks of that many bytes. */
static void model_bytes(struct rl_capture *c, double bytes)
{
    result(c, 0);
    c->variants[0].model_bytes = rl_value_of(bytes);
    c->variants[0].status = RL_VARIANT_DONE;
}

static void atomic_instructions(struct rl_capture *c, double n)
{
    roof_percent(c, 30);
    set(c, "smsp__sass_inst_executed_op_global_red.sum", n);
}

/* Compute-bound by FP32 alone: 5 GFLOP in 2 us are 97.7 % of 2.56 TFLOP/s. */
static void multiply_adds(struct rl_capture *c, double n)
{
    set(c, "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", n);
    set(c, "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", 3.2e6 - 2 * n); /* at 2.56 TFLOP/s 1.25 us of 2 */
    set(c, "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum", 0);
    set(c, "smsp__sass_thread_inst_executed_op_dadd_pred_on.sum", 0);
    set(c, "smsp__sass_thread_inst_executed_op_dmul_pred_on.sum", 0);
    set(c, "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum", 0);
    set(c, "smsp__sass_thread_inst_executed_pred_on.sum", 3.3e6);
    set(c, "smsp__sass_thread_inst_executed.sum", 3.3e6);
    set(c, "smsp__sass_inst_executed.sum", 104e3);
    set(c, "dram__bytes_read.sum", 1000);
}

/* FP64 takes a cycle for 2 of an SM's operations: 30,000 take 1.5 of the 2 us. */
static void fp64_operations(struct rl_capture *c, double n)
{
    set(c, "smsp__sass_thread_inst_executed_op_dadd_pred_on.sum", n);
    set(c, "smsp__sass_thread_inst_executed_op_dmul_pred_on.sum", 0);
    set(c, "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum", 0);
    set(c, "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", 270000);
    set(c, "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum", 0);
    set(c, "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", 0);
    set(c, "smsp__sass_thread_inst_executed.sum", 320000);
    set(c, "smsp__sass_thread_inst_executed_pred_on.sum", 320000);
    set(c, "smsp__sass_inst_executed.sum", 10000);
    set(c, "dram__bytes_read.sum", 1000);
}
/* 10.1 % of FP64, and so much traffic that DRAM limits, or not: from 48,480 bytes on. */
static void fp64_behind_dram(struct rl_capture *c, double read)
{
    fp64_operations(c, 30300);
    set(c, "dram__bytes_read.sum", read);
}

static void all_times(struct rl_capture *c, double ns)
{
    sample_time(c, 0, (uint64_t)ns);
    set(c, "dram__bytes_read.sum", 30000);
}

/* The same at twice the time: 128 kB take 4 us. */
static void roof_percent_of_longer(struct rl_capture *c, double percent)
{
    sample_time(c, 0, 4000);
    set(c, "dram__bytes_read.sum", 1280 * percent - 8000);
}

/* SMs work for so long, in a range of ten times that. */
static void pass_cycles(struct rl_capture *c, double ns)
{
    set(c, "sm__cycles_active.avg", ns);
    set(c, "sm__cycles_elapsed.max", ns);
    set(c, "gpu__time_duration.sum", 10 * ns);
}
/* Timed: 20 us. */
static void pass_time(struct rl_capture *c, double ns)
{
    sample_time(c, 0, 20000);
    pass_cycles(c, ns);
}

/* Counting doubles the time. */
static void doubled_time(struct rl_capture *c, double ns)
{
    sample_time(c, 0, (uint64_t)ns);
    pass_cycles(c, 2 * ns);
}

static void persistence(struct rl_capture *c, double on)
{
    c->gpus[0].fact[RL_FACT_persistence_enabled] = rl_value_of(on);
}

/* ---- launches of 100 us that no resource limits: DRAM is at 30 % ---- */

static void dram_percent(struct rl_capture *c, double percent)
{
    set(c, "dram__bytes_read.sum", percent / 100 * 32e9 * 100e-6 - 8000);
}

static void idle(struct rl_capture *c)
{
    sample_time(c, 0, 100000);
    dram_percent(c, 30);
}

/* Of 40,000, which 40 schedulers had at 1,000 moments. */
static void by_samples(struct rl_capture *c, double waiting)
{
    idle(c);
    sample_stall(c, 0, 31, RL_STALL_long_scoreboard, (uint64_t)waiting);
    sample_stall(c, 0, 32, RL_STALL_selected, 40000 - (uint64_t)waiting);
}
/* The same without lines or counters, and two classes share them. */
static void by_samples_alone(struct rl_capture *c, double waiting)
{
    idle(c);
    sample_stall(c, 0, 0, RL_STALL_barrier, (uint64_t)waiting);
    sample_stall(c, 0, 0, RL_STALL_not_selected, 40000 - (uint64_t)waiting);
    sample_set(c, 0, "dram__bytes_read.sum", rl_value_missing(RL_NOT_PERMITTED, NULL));
    sample_kernel(c, c->kernels[0].name);
}
/* One block of eight warps fits on an SM. */
static void roof_percent_of_cramped(struct rl_capture *c, double percent)
{
    roof_percent_of_longer(c, percent);
    waiting_for_memory(c, 60);
    c->kernels[0].registers_per_thread = rl_value_of(168);
}
static void few_blocks(struct rl_capture *c, double blocks)
{
    idle(c);
    waiting_for_memory(c, 60);
    grid(c, blocks);
}
static void active_cycles(struct rl_capture *c, double cycles)
{
    idle(c);
    set(c, "sm__cycles_active.avg", cycles);
}
/* Counted in so many times the time of the launch, in which SMs had work for 72 % of what was counted. */
static void counted_for_longer(struct rl_capture *c, double times)
{
    active_cycles(c, 90);
    struct rl_analysis *analysis = rl_analysis_new(c);
    set(c, "gpu__time_duration.sum", 1e9 * times * analysis->kernels[0].rate_time_s.v);
    rl_analysis_free(analysis);
}
static void at_barriers(struct rl_capture *c, double percent)
{
    idle(c);
    waiting(c, "barrier", percent);
}
static void at_fences(struct rl_capture *c, double percent)
{
    idle(c);
    waiting(c, "membar", percent);
}
static void for_the_queue(struct rl_capture *c, double percent)
{
    idle(c);
    waiting(c, "lg_throttle", percent);
}
static void for_shared_memory(struct rl_capture *c, double percent)
{
    idle(c);
    waiting(c, "short_scoreboard", percent - 10);
    waiting(c, "mio_throttle", 10);
}
static void hits_in_l1(struct rl_capture *c, double sectors)
{
    set(c, "l1tex__t_sectors_lookup_hit.sum", sectors);
}
static void for_code(struct rl_capture *c, double percent)
{
    idle(c);
    waiting(c, "no_instruction", percent);
}

/* Half of the time goes to waiting for memory, and 1000 loads that wait for one another take 400 us in 8 MB, of which L2 holds 1.
 */
static void for_memory(struct rl_capture *c, double percent)
{
    static char key[] = "footprint_bytes";
    static struct rl_setting footprint = {.key = key, .unit = RL_UNIT_BYTE};
    const size_t chain = sample_kernel(c, "chain");

    idle(c);
    dram_percent(c, percent);
    set(c, "lts__t_sectors_srcunit_tex.sum", 60e3);
    set(c, "lts__t_tag_requests_miss.sum", 60e3);
    set(c, "l1tex__t_bytes.sum", 32 * 60e3);
    waiting(c, "long_scoreboard", 50);
    footprint.number = rl_value_of(8e6);
    c->gpus[0].fact[RL_FACT_l2_bytes] = rl_value_of(1e6);
    sample_experiment(c, "e");
    struct rl_variant *variant = sample_variant(c, 0, 0, "v", NULL);
    variant->settings = &footprint;
    variant->setting_count = 1;
    variant->operations = rl_value_of(1000);
    c->kernels[chain].variant = 0;
    sample_time(c, chain, 400000);
}

/* Each of 20 loads and 3 atomics waits so many cycles of 1 ns. */
static void loads_waiting(struct rl_capture *c, double cycles)
{
    for_memory(c, 59);
    set(c, "smsp__sass_inst_executed_op_global_ld.sum", 20);
    set(c, "smsp__warps_issue_stalled_long_scoreboard.sum", 23 * cycles);
}

/* ---- units and caches ---- */

/* At a rate of 1 GHz, one in three cycles of the slice. */
static void one_word(struct rl_capture *c, double percent)
{
    idle(c);
    set(c, "smsp__sass_inst_executed_op_global_red.sum", 40);
    set(c, "lts__d_atomic_input_cycles_active.max", 1e3 * percent);
    set(c, "lts__cycles_elapsed.avg.per_second", 3e9);
    sample_ceiling(c, 0, "l2_atomic_same_fp32", RL_UNIT_OP_PER_SECOND, 1e9, 0, 30);
}

static void special_functions(struct rl_capture *c, double percent)
{
    set(c, "sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_active", percent);
}
static void integers(struct rl_capture *c, double percent)
{
    set(c, "sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active", percent);
}

/* L2 at 90 % of its 512 GB/s; so many of 400 sectors were in L1. */
static void l1_hits(struct rl_capture *c, double sectors)
{
    roof_percent(c, 30);
    set(c, "lts__t_sectors_srcunit_tex_op_read.sum", 0.9 * 512e9 * 2e-6 / 32);
    set(c, "l1tex__t_sectors_lookup_hit.sum", sectors);
}

/* Half as much again as the model says goes through DRAM. */
static void l2_hits(struct rl_capture *c, double percent)
{
    model_bytes(c, 32000);
    set(c, "lts__t_tag_requests_hit.sum", percent);
    set(c, "lts__t_tag_requests_miss.sum", 100 - percent);
}
static void host_sectors(struct rl_capture *c, double sectors)
{
    set(c, "lts__t_sectors_aperture_sysmem.sum", sectors);
}

/* STARTS: the 540 blocks of a healthy launch take 0.54 us to start, beside 1.5 us of DRAM: hypot(1.5, 0.54) before, over
 * hypot(what is left, 0.54) afterwards.
 *
 * For each rule: what triggers it, what just does not, the text, the gain but for the launch floor (0: none). */
static const struct {
    const char *id;
    void (*change)(struct rl_capture *capture, double value);
    double triggers, does_not;
    const char *says;
    double gain;
} cases[] = {
    {"wrong_result", result, 1, 0,
     "The result is wrong: element 17: 3.5, expected 4.25. No performance is shown. Correct the kernel, then measure it again.", 0},
    /* Sectors: 320 of loads, 80 of stores. */
    {"uncoalesced_loads", loads, 5119, 5120,
     "Global loads use 50.0\u00a0% of the bytes in the sectors they touch (threshold 50\u00a0%), at 8.00 sectors per request. "
     "Let the threads of a warp read neighbouring words.",
     1.1035201840645426}, /* 10240 - 5119 of 48,000 bytes were read for nothing: DRAM takes 1.34 of 1.5 us, blocks 0.54 (STARTS) */
    {"uncoalesced_stores", stores, 1279, 1280,
     "Global stores use 50.0\u00a0% of the bytes in the sectors they touch (threshold 50\u00a0%), at 4.00 sectors per request. "
     "Let the threads of a warp write neighbouring words.",
     1.0758357251650597}, /* 2560 - 1279 written, 2560 read to fill them: 1.38 us (STARTS) */
    {"uncoalesced_loads", load_sectors, 41, 40,
     "Global loads use 12.5\u00a0% of the bytes in the sectors they touch (threshold 50\u00a0%), at 1.02 sectors per request. "
     "Let the threads of a warp read neighbouring words.",
     0}, /* of 40 loads; 1148 of 48,000 bytes */
    {"uncoalesced_stores", store_sectors, 21, 20,
     "Global stores use 12.5\u00a0% of the bytes in the sectors they touch (threshold 50\u00a0%), at 1.05 sectors per request. "
     "Let the threads of a warp write neighbouring words.",
     0}, /* of 20; below one is nothing */
    {"bank_conflicts", wavefronts, 442, 440,
     "Shared-memory accesses take 2.21 times as many wavefronts as they need (threshold 2.2). Pad the rows or change the layout "
     "so that the threads of a warp access different banks.",
     0}, /* of 200; DRAM limits, at 75 % */
    {"bank_conflicts", matrix_wavefronts, 0, 1,
     "Shared-memory accesses take 2.21 times as many wavefronts as they need (threshold 2.2). Pad the rows or change the layout "
     "so that the threads of a warp access different banks.",
     0},
    {"spills", local_bytes, 674, 673,
     "5.00\u00a0% of the requested bytes go to local memory (threshold 5.0\u00a0%), 674\u00a0B in all: at 32 registers per "
     "thread registers are spilled, or an array is indexed in a way that keeps it out of registers. Allow more registers, keep "
     "fewer values live, or index arrays with constants.",
     0}, /* of 12800 + 674 */
    {"excess_traffic", model_bytes, 31990, 32010,
     "48.0\u00a0kB of DRAM traffic, 1.50 times the 32.0\u00a0kB that the work needs (threshold 1.5). Keep data that is used "
     "again in registers, shared memory or a cache, and use every byte of each sector that is read.",
     1.4031195261305318}, /* 31,990 of 48,000 bytes (STARTS) */
    {"atomics", atomic_instructions, 48, 47,
     "5.10\u00a0% of the instructions are atomic operations on global memory (threshold 5.0\u00a0%), 51 in all. Combine values "
     "within a warp or a block first.",
     0}, /* and 3 of 1000 */
    {"one_word_atomics", one_word, 97.1, 96.9,
     "All 43 atomic instructions target one word of global memory and are serialised: they run at the GPU's rate for "
     "floating-point additions to one word. Launch as many blocks as fit at once, let each thread add up many numbers and "
     "each block add once.",
     3.2367102443589673}, /* 40 and 3; hypot(97.1, 0.54) us, then hypot(30, 0.06): DRAM, and nine waves of blocks become one */
    {"occupancy_registers", registers, 81, 80,
     "No resource reaches 60 % of its roof, warps stall on latency for 60.0\u00a0% of their time, and 81 registers per thread "
     "limit theoretical occupancy to 33.3\u00a0% (threshold 50\u00a0%). Limit them (__launch_bounds__) or split the kernel.",
     0}, /* 88: 5 warps a quarter, 2 blocks of 6 */
    {"occupancy_shared", shared, 33 * 1024, 32 * 1024,
     "No resource reaches 60 % of its roof, warps stall on latency for 60.0\u00a0% of their time, and shared memory per block "
     "limits theoretical occupancy to 33.3\u00a0% (threshold 50\u00a0%). Use smaller tiles, or raise the shared-memory carveout.",
     0}, /* 34 KiB: 2 of 6 blocks; 33: 3 */
    {"occupancy_blocks", small_blocks, 64, 96,
     "No resource reaches 60 % of its roof, warps stall on latency for 60.0\u00a0% of their time, and blocks of 64 threads use "
     "up the block slots of an SM, which limits theoretical occupancy to 66.7\u00a0% (threshold 75\u00a0%). Use larger blocks.",
     0}, /* 16 x 2 of 48 warps, 16 x 3 */
    {"occupancy_not_reached", achieved, 79.9, 80,
     "Achieved occupancy is 79.9\u00a0%, 79.9\u00a0% of the theoretical 100\u00a0% (threshold 80\u00a0%): blocks end at "
     "different times, or too few follow. Give all blocks as much to do, and launch more of them.",
     0},
    {"divergence", lanes_without_threads, 11999, 12000,
     "On average 37.5\u00a0% of the threads of a warp are active in an instruction (threshold 75\u00a0%): branches or loops "
     "diverge, and their paths run one after the other. Let the threads of a warp take the same path.",
     0},
    {"divergence", active_threads, 23999, 24000,
     "On average 75.0\u00a0% of the threads of a warp are active in an instruction (threshold 75\u00a0%): branches or loops "
     "diverge, and their paths run one after the other. Let the threads of a warp take the same path.",
     0}, /* DRAM limits */
    {"few_fma", multiply_adds, 0.799e6, 0.801e6,
     "Arithmetic limits the kernel, and 49.9\u00a0% of its FP32 operations are in fused multiply-adds (threshold 50\u00a0%): the "
     "others take an instruction each. Let the compiler fuse them (-fmad, fmaf).",
     1.4335233182852332}, /* 2.401e6 instructions take 1.876 us, 1.600e6 take 1.25 (STARTS) */
    {"slow_precision", fp64_operations, 30300, 29700,
     "The FP64 pipe limits the launch, and 10.1\u00a0% of its operations are FP64 (threshold 10\u00a0%), which this chip "
     "executes at a fraction of its FP32 rate. Use FP32 where its precision suffices, and look for literals without an f suffix.",
     2.641625914833477}, /* 1.515 us become 0.235, and DRAM takes 0.281 (STARTS) */
    {"slow_precision", fp64_behind_dram, 40000, 41000,
     "The FP64 pipe limits the launch, and 10.1\u00a0% of its operations are FP64 (threshold 10\u00a0%), which this chip "
     "executes at a fraction of its FP32 rate. Use FP32 where its precision suffices, and look for literals without an f suffix.",
     0}, /* with 8000 written, which take 1.5 us: nothing is gained */
    {"partial_warps", block, 255, 256,
     "Blocks of 255 threads leave the last warp partly empty: 99.6\u00a0% of the lanes are used. Make the block a multiple of 32 "
     "threads.",
     0},
    {"grid_too_small", grid, 8, 9,
     "Only 80.0\u00a0% of the SMs have a block (8 for 10, threshold 90\u00a0%). Split the work into more blocks, or "
     "run several such launches concurrently.",
     10.0 / 8},
    {"partial_wave", compute_grid, 95, 96,
     "The grid has 1.58 waves per SM: the last one leaves SMs idle, and 79.2\u00a0% of the block slots are used (threshold "
     "80\u00a0%). Make blocks smaller, or launch as many blocks as fit at once and let them loop over the work.",
     120.0 / 95}, /* 95 / 60 of 2 */
    {"few_blocks_per_sm", few_blocks, 35, 36,
     "The grid of 35 blocks is 58.3\u00a0% of what the GPU holds at once (threshold 60\u00a0%): when the few blocks of an SM "
     "wait, at a barrier or for memory, nothing else runs there. Split the work into more blocks.",
     0}, /* of 60 */
    {"uneven_sms", active_cycles, 99, 100,
     "On average an SM has work for 79.2\u00a0% of the launch (threshold 80\u00a0%), although there are blocks for all of them: "
     "some blocks take much longer than others. Give blocks equal shares, start the longest first, or let blocks fetch their "
     "next piece of work from a counter.",
     0}, /* of 125 */
    {"uneven_sms", counted_for_longer, 1.1, 1.12,
     "On average an SM has work for 79.2\u00a0% of the launch (threshold 80\u00a0%), although there are blocks for all of them: "
     "some blocks take much longer than others. Give blocks equal shares, start the longest first, or let blocks fetch their "
     "next piece of work from a counter.",
     0}, /* 90 of 125, 1.1 times */
    {"waits_barrier", at_barriers, 30.1, 29.9,
     "Warps spend 30.1\u00a0% of their time at barriers (threshold 30\u00a0%), and no resource reaches 60 % of its roof. Use "
     "smaller blocks, so that others work meanwhile, do more between barriers, or let warps wait only for those that they need.",
     0},
    {"waits_fence", at_fences, 30.1, 29.9,
     "Warps spend 30.1\u00a0% of their time at memory fences (threshold 30\u00a0%), and no resource reaches 60 % of its "
     "roof. Combine within a block first and fence once for it, and use a block-wide fence where a grid-wide one is not needed.",
     0},
    {"waits_queue", for_the_queue, 30.1, 29.9,
     "Warps spend 30.1\u00a0% of their time waiting for room in the load/store queue (threshold 30\u00a0%), and no resource "
     "reaches 60 % of its roof. Access whole sectors, move 16 bytes per instruction, and keep reused values in registers.",
     0},
    {"waits_shared", for_shared_memory, 30.1, 29.9,
     "Warps spend 30.1\u00a0% of their time waiting for shared memory or special functions (threshold 30\u00a0%), and no "
     "resource reaches 60 % of its roof. Load wider words from shared memory, keep reused values in registers, and exchange data "
     "with shuffles.",
     0},
    {"waits_code", for_code, 30.1, 29.9,
     "Warps spend 30.1\u00a0% of their time waiting for instructions (threshold 30\u00a0%), and no "
     "resource reaches 60 % of its roof. The code is larger than the instruction cache, or jumps far: unroll less, and do not "
     "inline rare paths.",
     0},
    {"waits_sampled", by_samples, 13176, 13120,
     "32.9\u00a0% (30.1\u00a0% to 35.9\u00a0%) of its warps' samples have one stall reason, long scoreboard (memory) (threshold "
     "30\u00a0% for the lower end). The hottest line is k.cu:32 with 67.1\u00a0% (64.1\u00a0% to 69.9\u00a0%) of all. No "
     "resource reaches 60 % of its roof. Issue several loads before the first result is needed, load 16 bytes at a time, or keep "
     "more warps resident.",
     0}, /* Wilson for 1,000 draws */
    {"waits_sampled", by_samples_alone, 13176, 13120,
     "32.9\u00a0% (30.1\u00a0% to 35.9\u00a0%) of its warps' samples have one stall reason, barrier (threshold 30\u00a0% for the "
     "lower end). Its module has no line numbers: compile with nvcc -lineinfo to get them. All 2 configurations of this name are "
     "in these samples. Its resources were not all counted, so one may be the limiter. Use smaller blocks, so that others work "
     "meanwhile, do more between barriers, or let warps wait only for those that they need.",
     0},
    {"few_bytes_in_flight", for_memory, 59.9, 60.1,
     "Warps wait 502\u00a0ns for a load and have 59.9\u00a0% of the 12.8\u00a0kB in flight that the roof of DRAM needs "
     "(threshold 60\u00a0%). Issue several loads before the first result is needed, load 16 bytes at a time, or keep more warps "
     "resident.",
     1 / 0.599}, /* of 32 GB/s x 400 ns */
    {"queue_saturated", loads_waiting, 804, 800,
     "Warps wait 804\u00a0ns for a load, 2.01 times the 400\u00a0ns that one alone takes (threshold 2.0): loads queue; the unit "
     "is unknown, because no counted resource reaches 60 % of its roof. Send fewer requests: let the threads of a warp read "
     "whole sectors, and keep data that is used again in registers, shared memory or L1.",
     0},
    {"special_functions", special_functions, 80.1, 79.9,
     "The XU pipe (special functions) is busy for 80.1\u00a0% of the time (threshold 80\u00a0%); its rate is a fraction of that "
     "of other pipes. Multiply by the reciprocal instead of dividing, move conversions out of loops, and compute some of the "
     "functions with multiply-adds.",
     0},
    {"integer_work", integers, 80.1, 79.9,
     "The ALU pipe is busy for 80.1\u00a0% of the time (threshold 80\u00a0%). It executes integer and logic operations, "
     "comparisons and selections. Move address arithmetic out of loops, increment pointers, and divide by powers of two.",
     0},
    {"low_l1_hits", l1_hits, 131, 133,
     "L2 bandwidth limits the launch, and the L1 hit rate is 29.8\u00a0% (threshold 30\u00a0%). Let a block reuse what it has "
     "loaded, with tiles in shared memory or a more local order of work, or leave L1 more of the SM's memory.",
     0},
    {"many_small_blocks", grid, 1600, 1200,
     "The GPU starts blocks at 80.0\u00a0% of its block launch rate (threshold 60\u00a0%): 1\u202f600 blocks of 256 threads do "
     "too little each. Let each thread do the work of several, in blocks of 256 threads or more.",
     1.4127457741598943}, /* hypot(1.5, 1.6) us over hypot(1.5, 0.4) */
    {"low_l2_hits", l2_hits, 29.9, 30.1,
     "DRAM bandwidth limits the launch, its 48.0\u00a0kB are more than the 32.0\u00a0kB of the work and unused parts of sectors "
     "explain, and the L2 hit rate is 29.9\u00a0% (threshold 30\u00a0%): data is evicted before it is reused. Let blocks that "
     "run at the same time use the same data.",
     0},
    {"host_memory", host_sectors, 62501, 62500,
     "97.7\u00a0% of the traffic beyond L2 went over the link to host memory (threshold 5.0\u00a0%), 2.00\u00a0MB in all. Copy "
     "data that is used more than once to the device.",
     0}, /* 2,000,032 bytes, and 48,000 of DRAM */
    {"below_roof", roof_percent_of_longer, 59.9, 60,
     "No resource reaches 60\u00a0% of its roof: the nearest is DRAM bandwidth, at 59.9\u00a0%. The limiter is unknown: no roof "
     "for atomic throughput (address); undecided without pipes, stall reasons. See where its warps stall (collect --pc-sampling, "
     "then show --source).",
     0},
    {"below_roof", roof_percent_of_cramped, 59.9, 60,
     "No resource reaches 60\u00a0% of its roof: the nearest is DRAM bandwidth, at 59.9\u00a0%. It is limited by parallelism: "
     "16.7\u00a0% theoretical occupancy: registers, shared memory or block slots limit it. Raise occupancy (fewer registers, "
     "less shared memory), or let each warp have more in flight.",
     0},
    {"below_roof", all_times, 2001, 2000,
     "No resource reaches 60\u00a0% of its roof: the nearest is DRAM bandwidth, at 59.3\u00a0%. The limiter is unknown: no roof "
     "for atomic throughput (address); undecided without pipes, stall reasons. See where its warps stall (collect --pc-sampling, "
     "then show --source).",
     0}, /* 38 kB at 32 GB/s; then the launch itself */
    {"above_roof", roof_percent, 101.1, 100.9,
     "1.01 times the DRAM bandwidth roof: the cause is unknown. Compare it by its time, not by its share of that roof.", 0},
    {"short_launch", all_times, 1999, 2000,
     "A launch takes 2.00\u00a0µs (threshold 2.0\u00a0µs), less than the few microseconds that the host needs to launch a "
     "kernel. Give it more work, fuse it with its neighbours, or launch it from a CUDA graph.",
     0},
    {"pass_slower", pass_time, 30001, 29999,
     "The counted launch took 1.50 times as long as the timed ones (threshold 1.5): cache, clock or work differed, and its "
     "counters may not describe the timed launches. Collect again with the clock locked (nvidia-smi -lgc; for the suite "
     "--lock-clocks).",
     0},
    {"pass_slower", doubled_time, 10001, 10000,
     "The counted launch took 2.00 times as long as the timed ones (threshold 1.5): cache, clock or work differed, and its "
     "counters may not describe the timed launches. Collect again with the clock locked (nvidia-smi -lgc; for the suite "
     "--lock-clocks).",
     0}, /* then counting alone explains it */
    {"wide_interval", spread, 74, 73,
     "The 95 % CI of the median duration, 2.04\u00a0µs, is ±2.01\u00a0% (threshold 2.0\u00a0%): smaller differences are not "
     "significant. Measure longer, on an idle GPU with its clock locked (nvidia-smi -lgc; for the suite --lock-clocks).",
     0}, /* 41 / 2037 = 2.01 %, 40.5 / 2036.5 = 1.99 % */
    {"drift", second_half, 2041, 2039,
     "The time drifted while it was measured: from the first to the second half of the samples the median changed by at least "
     "2.05\u00a0% (threshold 2.0\u00a0%), so that it mixes several states of the GPU. Check clock, temperature and power, and "
     "measure again.",
     0}, /* 41 and 39 of 2000; no noise at all */
    {"contradiction", hits_in_l1, 441, 440,
     "Counters contradict each other: 441 sectors hit in L1, and 440 were looked up. They are not used. Rely on the time and on "
     "the other resources.",
     0},
    {"passes_disagree", second_pass, 431.1, 431.3,
     "Passes or launches did different work: 2.02\u00a0% (threshold 2.0\u00a0%) between l1tex__t_sectors.sum 440 and 431.1. "
     "Metrics that combine several passes are not shown. Make the work the same at every run (input, seed, order), and collect "
     "again.",
     0}, /* 2 % of 440 are 8.8 */
    {"clock_spread", second_clock, 0.97e9, 0.9705e9,
     "The SM clock differs by 3.05\u00a0% between passes (threshold 3.0\u00a0%), 970.0\u00a0MHz to 1.000\u00a0GHz: the kernels' "
     "rates were not measured at one clock. Lock the clock (nvidia-smi -lgc; for the suite --lock-clocks), or compare clock "
     "cycles.",
     0},
    {"throttled", reasons, 0x24, 0x103,
     "The driver lowered the clock (power limit, temperature (software)) in 1 of 1 reading of the GPU. Check power limit, cooling "
     "and other load.",
     0},
    {"ceiling_low", published_card, 79.9, 80.1,
     "A roof is lower than published measurements of this GPU (threshold 80\u00a0%): DRAM copy 3.22\u00a0TB/s, 79.9\u00a0% of "
     "4.03\u00a0TB/s (whatsupjones/gpu-roofline, README (2026)). Look for another process, a lowered clock or power limit, or a "
     "faulty GPU.",
     0},
    {"ceiling_high", published_card, 130.1, 129.9,
     "A roof is higher than anything published for this GPU (threshold 130\u00a0%): DRAM copy 5.24\u00a0TB/s, 130\u00a0% of "
     "4.03\u00a0TB/s (whatsupjones/gpu-roofline, README (2026)). Check the measurement before relying on it.",
     0},
    {"ceiling_refused", refused, 101.1, 100.9,
     "A measured rate above the peak is not used as a roof: L2, 517.6\u00a0GB/s was measured, 101.1\u00a0% of what the GPU can "
     "do at the clock of that run: either the clock or a rate of the GPU is not what the tables and the driver say, or the "
     "benchmark did less than it should. Measure the roofs again on an otherwise idle GPU (collect --ceilings full).",
     0},
    {"sustained_drop", sustained, 94.9, 95.1,
     "The GPU is slower under long load (threshold 95\u00a0%): L1 949\u00a0GB/s instead of 1.00\u00a0TB/s (94.9\u00a0%). Expect "
     "these rates, not those of short benchmarks, in long programs.",
     0},
    {"no_persistence", persistence, 0, 1,
     "Persistence mode is off: the driver unloads between programs, and the next one waits for it to load. Turn it on (nvidia-smi "
     "-pm 1, or nvidia-persistenced).",
     0},
    {"gpu_idle", busy, 799, 801,
     "The GPU was idle for 20.1\u00a0% of the wall time (threshold 20\u00a0%). Give each launch more to do, use CUDA graphs, or "
     "overlap the host's work.",
     0},
    {"gap_host", no_kernel_host, 51, 49,
     "No kernel ran for 5.10\u00a0% of the wall time while the host did other work before the next launch (threshold "
     "5.0\u00a0%). 26.0\u00a0ns of it was before launches in run > step. The longest one took 13.0\u00a0ns. Launch ahead: move "
     "this work behind the launches or to another thread, or record the launches of a step as a CUDA graph.",
     0},
    {"gap_wait", no_kernel_wait, 51, 49,
     "No kernel ran for 5.10\u00a0% of the wall time while the host waited for the GPU before the next launch (threshold "
     "5.0\u00a0%). Add NVTX ranges to see in which part of the program. The longest one took 12.0\u00a0ns. Wait less often: keep "
     "results on the device, and launch the next step before the results of this one are read.",
     0},
    {"gap_launch", no_kernel_launch, 51, 49,
     "No kernel ran for 5.10\u00a0% of the wall time between a launch call and the start of its kernel (threshold 5.0\u00a0%). "
     "25.0\u00a0ns of it was before launches outside all NVTX ranges. The longest one took 12.0\u00a0ns. Give each launch more "
     "to do, and launch the kernels of a step as one CUDA graph unless they are in one; check whether a stream waits for an "
     "event of another one.",
     0},
    {"gap_copy", no_kernel_copy, 51, 49,
     "No kernel ran for 5.10\u00a0% of the wall time while memcpys or memsets ran (threshold 5.0\u00a0%). Add NVTX ranges to see "
     "in which part of the program. The longest one took 12.0\u00a0ns. Copy from pinned (page-locked) memory on a separate "
     "stream while kernels run, or keep the data on the device.",
     0},
    {"pageable_copies", pageable, 10.1, 10,
     "Memcpys between the device and pageable host memory took 1.01\u00a0% of the time in which the GPU was busy (threshold "
     "1.0\u00a0%). Use pinned (page-locked) memory, which is copied without staging while the host continues.",
     0},
    {"card_shared", processes, 2, 1,
     "2 processes used the GPU: times and memory traffic include theirs. Measure on an otherwise "
     "idle GPU.",
     0},
    {"memory_errors", ecc, 1, 0,
     "The GPU has had 1 uncorrected memory errors since it was started. Do not trust its results; run "
     "the vendor's memory diagnosis.",
     0},
    {"mig", mig, 1, 0,
     "MIG is on: roofs and the counters of shared units may describe the whole chip rather than this slice. Compare only with "
     "captures of such a slice, or measure with MIG off.",
     0},
    {"counters_missing", uncounted, 1, 0,
     "1 of 2 launch configurations have no counters: the driver lets only administrators read them. Run rooflight doctor on that "
     "machine: it reports what is missing.",
     0},
    {"incomplete", incomplete, 1, 0,
     "The session did not run to its end: the capture has the finished part. Collect again for the rest.", 0},
};

enum { CASES = sizeof cases / sizeof cases[0] };

/* Problem, evidence, action: none is missing, and the action is one sentence, which the text ends with. */
static void check_parts(const struct rl_finding *finding)
{
    const size_t text = strlen(finding->text), action = strlen(finding->action);

    assert_true(strlen(rl_rules[finding->rule].problem) > 0);
    if (action == 0 || text < action + 2 || strcmp(finding->text + text - action, finding->action) != 0)
        fail_msg("%s: '%s' is not the evidence and then the action '%s'", finding->id, finding->text, finding->action);
    if (finding->text[text - action - 2] != '.' || finding->text[text - 1] != '.' || strstr(finding->action, ". "))
        fail_msg("%s: evidence and action are not sentences: '%s'", finding->id, finding->text);
    if (finding->action[0] < 'A' || finding->action[0] > 'Z')
        fail_msg("%s: the action is no sentence of its own: '%s'", finding->id, finding->action);
}

/* Without a measurement 0.5 us of a launch stay, whatever is gained in the rest of it. */
static double gain_above_floor(const struct rl_kernel *kernel, double gain)
{
    const double time_s = 1e-9 * (double)kernel->duration_ns[0], floor_s = 0.5e-6;
    return time_s / (floor_s + (time_s - floor_s) / gain);
}

static void check_trigger(size_t i)
{
    struct rl_capture *capture = healthy();
    struct rl_analysis *analysis;
    const struct rl_finding *finding;

    cases[i].change(capture, cases[i].triggers);
    analysis = rl_analysis_new(capture);
    finding = found(analysis, cases[i].id);
    if (!finding)
        fail_msg("%s does not speak where it should", cases[i].id);
    print_message("%s: %s [%.3g]\n", finding->id, finding->text, rl_present(finding->gain) ? finding->gain.v : 0.0);
    assert_string_equal(finding->text, cases[i].says);
    check_parts(finding);
    assert_int_equal(rl_present(finding->gain), cases[i].gain > 0);
    if (cases[i].gain > 0)
        assert_close(finding->gain.v, gain_above_floor(&capture->kernels[0], cases[i].gain), 1e-9);
    assert_string_equal(rl_rules[finding->rule].id, finding->id);
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

static void check_silence(size_t i)
{
    struct rl_capture *capture = healthy();
    struct rl_analysis *analysis;

    cases[i].change(capture, cases[i].does_not);
    analysis = rl_analysis_new(capture);
    if (found(analysis, cases[i].id))
        fail_msg("%s speaks where it just should not: %s", cases[i].id, found(analysis, cases[i].id)->text);
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

static void every_rule_speaks_and_is_silent(void **state)
{
    (void)state;
    for (size_t i = 0; i < CASES; i++) {
        check_trigger(i);
        check_silence(i);
    }
}

/* A hundredth of the bytes would do, but then arithmetic takes 1.25 of the 2 us. */
/* ---- other causes ---- */

/* Launches with a figure over the threshold of a rule for another cause than its sentence gives, and the same without that. */
static void long_range(struct rl_capture *c, double active_ns)
{
    pass_time(c, active_ns);
    set(c, "gpu__time_duration.sum", 120000);
}
/* 16 bytes for each thread, the same for half of them: two wavefronts for an instruction and 128 bytes. */
static void wide_loads(struct rl_capture *c, double wavefronts_each)
{
    set(c, "smsp__sass_inst_executed_op_shared.sum", 200);
    set(c, "smsp__sass_data_bytes_mem_shared.sum", 128 * 200);
    wavefronts(c, 200 * wavefronts_each);
}
/* By addresses twice as many as the stage had. */
static void written_by_copies(struct rl_capture *c, double stage)
{
    wavefronts(c, 880);
    set(c, "l1tex__t_sectors.sum", 800);
    set(c, "l1tex__data_pipe_lsu_wavefronts.sum", stage);
}
/* All sectors that L1 looked up, of which loads and stores have 400. */
static void others_wait(struct rl_capture *c, double sectors, void (*cause)(struct rl_capture *, double), double value)
{
    cause(c, value);
    set(c, "smsp__sass_inst_executed_op_global_red.sum", 0);
    set(c, "smsp__sass_inst_executed_op_global_atom.sum", 0);
    set(c, "l1tex__t_sectors.sum", sectors);
}
static void loads_and_copies_queue(struct rl_capture *c, double sectors)
{
    others_wait(c, sectors, loads_waiting, 1000);
}
static void loads_and_copies_wait(struct rl_capture *c, double sectors)
{
    others_wait(c, sectors, for_memory, 59);
}
/* L1 looks up 100 sectors: L2 is asked for more by bulk copies alone. */
static void copies_in_bulk(struct rl_capture *c, double sectors, void (*cause)(struct rl_capture *, double), double value)
{
    cause(c, value);
    set(c, "l1tex__t_bytes.sum", 3200);
    set(c, "lts__t_sectors_srcunit_tex.sum", sectors);
    sample_counter(c, 0, "sm__inst_executed_pipe_tma.avg.pct_of_peak_sustained_active", 0.1);
}
static void many_registers_and_copies(struct rl_capture *c, double sectors)
{
    copies_in_bulk(c, sectors, registers, 81);
}
static void much_shared_and_copies(struct rl_capture *c, double sectors)
{
    copies_in_bulk(c, sectors, shared, 33 * 1024);
}
static void small_blocks_and_copies(struct rl_capture *c, double sectors)
{
    copies_in_bulk(c, sectors, small_blocks, 64);
}
static void few_resident_and_copies(struct rl_capture *c, double sectors)
{
    copies_in_bulk(c, sectors, achieved, 79.9);
}
/* 2,000,032 bytes of whatever the GPU has fetched from the host in so many ns. */
static void host_sectors_of_long(struct rl_capture *c, double ns)
{
    host_sectors(c, 62501);
    set(c, "gpu__time_duration.sum", ns);
}
/* Nothing is used again: DRAM moves what the model says, and little of it is in L2. */
static void stream(struct rl_capture *c, double model)
{
    l2_hits(c, 10);
    model_bytes(c, model);
}
/* The same traffic as in l2_hits, of which so much was asked for. */
static void parts_of_sectors(struct rl_capture *c, double bytes)
{
    l2_hits(c, 10);
    loads(c, bytes);
}
/* The grid's last wave is half empty by its numbers, and SMs have work for so many of 125 cycles. */
static void uneven_blocks(struct rl_capture *c, double cycles)
{
    compute_grid(c, 90);
    set(c, "sm__cycles_active.avg", cycles);
}

/* A resource limits, or warps wait for something else. */
static void shared_memory_near_roof(struct rl_capture *c, double percent)
{
    shared(c, 33 * 1024);
    roof_percent(c, percent);
}
static void shared_memory_waiting(struct rl_capture *c, double percent)
{
    shared(c, 33 * 1024);
    waiting_for_memory(c, percent);
}
static void few_threads_near_roof(struct rl_capture *c, double percent)
{
    small_blocks(c, 64);
    roof_percent(c, percent);
}
static void few_threads_waiting(struct rl_capture *c, double percent)
{
    small_blocks(c, 64);
    waiting_for_memory(c, percent);
}
static void few_resident_near_roof(struct rl_capture *c, double percent)
{
    achieved(c, 79.9);
    roof_percent(c, percent);
}
static void few_resident_waiting(struct rl_capture *c, double percent)
{
    achieved(c, 79.9);
    waiting_for_memory(c, percent);
}
static void at_barriers_near_roof(struct rl_capture *c, double percent)
{
    at_barriers(c, 40);
    dram_percent(c, percent);
}
static void at_fences_near_roof(struct rl_capture *c, double percent)
{
    at_fences(c, 40);
    dram_percent(c, percent);
}
static void for_the_queue_near_roof(struct rl_capture *c, double percent)
{
    for_the_queue(c, 40);
    dram_percent(c, percent);
}
static void for_shared_memory_near_roof(struct rl_capture *c, double percent)
{
    for_shared_memory(c, 40);
    dram_percent(c, percent);
}
static void for_code_near_roof(struct rl_capture *c, double percent)
{
    for_code(c, 40);
    dram_percent(c, percent);
}

/* Arithmetic limits: FP32 takes so much of the time that DRAM's share, 75 %, does not matter, or leaves it the limiter. */
static void arithmetic(struct rl_capture *c, double percent)
{
    set(c, "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", percent / 100 * 2.56e6);
    set(c, "smsp__sass_thread_inst_executed_pred_on.sum", 3.3e6);
    set(c, "smsp__sass_thread_inst_executed.sum", 3.3e6);
    set(c, "smsp__sass_inst_executed.sum", 104e3);
}
static void loads_beside_arithmetic(struct rl_capture *c, double percent)
{
    arithmetic(c, percent);
    loads(c, 5119);
}
static void stores_beside_arithmetic(struct rl_capture *c, double percent)
{
    arithmetic(c, percent);
    stores(c, 1279);
}
static void traffic_beside_arithmetic(struct rl_capture *c, double percent)
{
    arithmetic(c, percent);
    model_bytes(c, 31990);
}
static void unfused_behind_dram(struct rl_capture *c, double read)
{
    multiply_adds(c, 0.799e6);
    set(c, "dram__bytes_read.sum", read);
}
static void few_blocks_near_roof(struct rl_capture *c, double percent)
{
    few_blocks(c, 35);
    dram_percent(c, percent);
}
static void few_blocks_waiting(struct rl_capture *c, double percent)
{
    few_blocks(c, 35);
    waiting_for_memory(c, percent);
}
static void few_blocks_for(struct rl_capture *c, double ns)
{
    few_blocks(c, 35);
    sample_time(c, 0, (uint64_t)ns);
    set(c, "dram__bytes_read.sum", 0.3 * 32 * ns - 8000);
}
static void uneven_sms_of(struct rl_capture *c, double blocks)
{
    active_cycles(c, 90);
    grid(c, blocks);
}
static void uneven_sms_for(struct rl_capture *c, double ns)
{
    active_cycles(c, 90);
    sample_time(c, 0, (uint64_t)ns);
    set(c, "dram__bytes_read.sum", 0.3 * 32 * ns - 8000);
}
/* What the chip's rate is next to that of FP32 is in the table of chips. */
static void fp64_on_chip(struct rl_capture *c, double is_known)
{
    fp64_operations(c, 30300);
    if (is_known == 0)
        c->gpus[0].chip = rl_capture_text(c, "GX999");
}
/* One block on each SM: those for nine fill nine tenths of the slots. */
static void uneven_sms_alone(struct rl_capture *c, double blocks)
{
    uneven_sms_of(c, blocks);
    c->kernels[0].dynamic_shared_bytes = 60 * 1024;
}
static void queue_for(struct rl_capture *c, double ns)
{
    loads_waiting(c, 4000);
    set(c, "lts__t_sectors_srcunit_tex.sum", 600);
    set(c, "lts__t_tag_requests_miss.sum", 600);
    set(c, "l1tex__t_bytes.sum", 32 * 600);
    sample_time(c, 0, (uint64_t)ns);
    set(c, "dram__bytes_read.sum", 0.3 * 32 * ns - 8000);
}
/* 60 KiB let one block on an SM, 81 registers two. */
static void registers_below_shared(struct rl_capture *c, double bytes)
{
    registers(c, 81);
    c->kernels[0].dynamic_shared_bytes = (uint64_t)bytes;
}
/* 128 registers let eight blocks of 64 threads on an SM, which has slots for 16. */
static void few_threads_of_registers(struct rl_capture *c, double count)
{
    small_blocks(c, 64);
    c->kernels[0].registers_per_thread = rl_value_of(count);
}
static void queue_near_roof(struct rl_capture *c, double percent)
{
    loads_waiting(c, 1000);
    dram_percent(c, percent);
}
static void queue_of_blocks(struct rl_capture *c, double blocks)
{
    loads_waiting(c, 1000);
    grid(c, blocks);
}
static void queue_of_spills(struct rl_capture *c, double bytes)
{
    loads_waiting(c, 1000);
    local_bytes(c, bytes);
}
static void in_flight_of_blocks(struct rl_capture *c, double blocks)
{
    for_memory(c, 59);
    grid(c, blocks);
}
static void in_flight_waiting(struct rl_capture *c, double percent)
{
    for_memory(c, 59);
    waiting(c, "long_scoreboard", percent);
}
static void small_blocks_above_roof(struct rl_capture *c, double percent)
{
    grid(c, 1600);
    roof_percent(c, percent);
}

/* Launches of so many ns of which warps wait as in `cause`, and DRAM is at 30 %. */
static void short_and(struct rl_capture *c, double ns, void (*cause)(struct rl_capture *, double))
{
    cause(c, 40);
    sample_time(c, 0, (uint64_t)ns);
    set(c, "dram__bytes_read.sum", 0.3 * 32 * ns - 8000);
}
static void barriers_for(struct rl_capture *c, double ns)
{
    short_and(c, ns, at_barriers);
}
static void fences_for(struct rl_capture *c, double ns)
{
    short_and(c, ns, at_fences);
}
static void the_queue_for(struct rl_capture *c, double ns)
{
    short_and(c, ns, for_the_queue);
}
static void shared_memory_for(struct rl_capture *c, double ns)
{
    short_and(c, ns, for_shared_memory);
}
static void code_for(struct rl_capture *c, double ns)
{
    short_and(c, ns, for_code);
}
/* All blocks are resident at once, or not. */
static void shared_memory_of_blocks(struct rl_capture *c, double blocks)
{
    shared(c, 33 * 1024);
    grid(c, blocks);
}
static void few_threads_of_blocks(struct rl_capture *c, double blocks)
{
    small_blocks(c, 64);
    grid(c, blocks);
}
static void few_resident_of_blocks(struct rl_capture *c, double blocks)
{
    achieved(c, 79.9);
    grid(c, blocks);
}
/* Each load and each of 3 atomics waits 1,000 cycles. */
static void queue_waiting(struct rl_capture *c, double percent)
{
    loads_waiting(c, 1000);
    waiting(c, "long_scoreboard", percent);
    set(c, "smsp__sass_inst_executed_op_global_ld.sum", percent / 100 * 43.2e3 / 1000 - 3);
}

/* 442 wavefronts, of which a cycle of an SM has so many. */
static void conflicts_for(struct rl_capture *c, double cycles)
{
    wavefronts(c, 442);
    set(c, "sm__cycles_active.avg", cycles);
}
static void atomics_beside_arithmetic(struct rl_capture *c, double percent)
{
    arithmetic(c, percent);
    roof_percent(c, 30);
    set(c, "smsp__sass_inst_executed_op_global_red.sum", 6000);
}
static void atomics_near_roof(struct rl_capture *c, double percent)
{
    atomic_instructions(c, 48);
    roof_percent(c, percent);
}
static void lanes_without_branches(struct rl_capture *c, double uniform)
{
    active_threads(c, 23999);
    set(c, "smsp__sass_branch_targets_threads_uniform.sum", uniform);
}
static void unfused_beside_halves(struct rl_capture *c, double halves)
{
    multiply_adds(c, 0.799e6);
    set(c, "smsp__sass_thread_inst_executed_op_hfma_pred_on.sum", halves);
}
static void unfused_among_others(struct rl_capture *c, double instructions)
{
    multiply_adds(c, 0.799e6);
    set(c, "smsp__sass_thread_inst_executed_pred_on.sum", instructions);
    set(c, "smsp__sass_thread_inst_executed.sum", instructions);
    set(c, "smsp__sass_inst_executed.sum", instructions / 31);
}
static void partial_wave_near_roof(struct rl_capture *c, double percent)
{
    compute_grid(c, 95);
    roof_percent(c, percent);
}
static void samples_near_roof(struct rl_capture *c, double percent)
{
    by_samples(c, 13176);
    dram_percent(c, percent);
    set(c, "lts__t_sectors_srcunit_tex.sum", 80e3);
    set(c, "lts__t_tag_requests_miss.sum", 80e3);
    set(c, "l1tex__t_bytes.sum", 32 * 80e3);
}
static void samples_for(struct rl_capture *c, double ns)
{
    by_samples(c, 13176);
    sample_time(c, 0, (uint64_t)ns);
    set(c, "dram__bytes_read.sum", 0.3 * 32 * ns - 8000);
}
static void in_flight_and_queued(struct rl_capture *c, double cycles)
{
    loads_waiting(c, cycles);
}
/* A roof is exceeded, and so many of 440 sectors hit. */
static void broken_above_roof(struct rl_capture *c, double sectors)
{
    roof_percent(c, 101.1);
    hits_in_l1(c, sectors);
}
/* A third of the traffic is more than the work's, at so many percent of DRAM's roof. */
static void evicted_at(struct rl_capture *c, double percent)
{
    l2_hits(c, 10);
    roof_percent(c, percent);
    model_bytes(c, 640 * percent / 1.5);
}

static const struct {
    const char *id;
    void (*change)(struct rl_capture *capture, double value);
    double other, own; /* the other cause explains it, and does not */
} others[] = {
    {"pass_slower", long_range, 20000, 31000},
    {"bank_conflicts", wide_loads, 2, 4},
    {"bank_conflicts", written_by_copies, 440, 600},
    {"queue_saturated", loads_and_copies_queue, 421, 419},
    {"few_bytes_in_flight", loads_and_copies_wait, 421, 419},
    {"occupancy_registers", many_registers_and_copies, 106, 104},
    {"occupancy_shared", much_shared_and_copies, 106, 104},
    {"occupancy_blocks", small_blocks_and_copies, 106, 104},
    {"occupancy_not_reached", few_resident_and_copies, 106, 104},
    {"host_memory", host_sectors_of_long, 2.01e6, 1.99e6},
    {"low_l2_hits", stream, 48000, 32000},
    {"low_l2_hits", parts_of_sectors, 6000, 10240},
    {"partial_wave", uneven_blocks, 100, 90},
    {"divergence", lanes_without_threads, 12000, 11999},
    {"occupancy_shared", shared_memory_near_roof, 75, 30},
    {"occupancy_shared", shared_memory_waiting, 49, 60},
    {"occupancy_blocks", few_threads_near_roof, 75, 30},
    {"occupancy_blocks", few_threads_waiting, 49, 60},
    {"occupancy_not_reached", few_resident_near_roof, 75, 30},
    {"occupancy_not_reached", few_resident_waiting, 44, 60}, /* of fewer warps: 49.6 % */
    {"waits_barrier", at_barriers_near_roof, 75, 30},
    {"waits_fence", at_fences_near_roof, 75, 30},
    {"waits_queue", for_the_queue_near_roof, 75, 30},
    {"waits_shared", for_shared_memory_near_roof, 75, 30},
    {"waits_code", for_code_near_roof, 75, 30},
    {"uncoalesced_loads", loads_beside_arithmetic, 90, 30},
    {"uncoalesced_stores", stores_beside_arithmetic, 90, 30},
    {"excess_traffic", traffic_beside_arithmetic, 90, 30},
    {"few_fma", unfused_behind_dram, 60000, 1000},
    {"few_blocks_per_sm", few_blocks, 9, 10},
    {"few_blocks_per_sm", few_blocks_near_roof, 75, 30},
    {"few_blocks_per_sm", few_blocks_waiting, 49, 60},
    {"few_blocks_per_sm", few_blocks_for, 9900, 10100},
    {"uneven_sms", uneven_sms_of, 70, 540},
    {"uneven_sms", uneven_sms_of, 9, 540},
    {"uneven_sms", uneven_sms_for, 49900, 50100},
    {"slow_precision", fp64_on_chip, 0, 1},
    {"uneven_sms", uneven_sms_alone, 9, 10},
    {"queue_saturated", queue_for, 1990, 2010},
    {"occupancy_registers", registers_below_shared, 60 * 1024, 1024},
    {"occupancy_blocks", few_threads_of_registers, 128, 32},
    {"queue_saturated", queue_near_roof, 75, 59},
    {"queue_saturated", queue_of_blocks, 9, 10},
    {"queue_saturated", queue_of_spills, 800, 0},
    {"few_bytes_in_flight", in_flight_of_blocks, 9, 10},
    {"few_bytes_in_flight", in_flight_waiting, 29, 50},
    {"waits_barrier", barriers_for, 1990, 2010},
    {"many_small_blocks", small_blocks_above_roof, 101.1, 75},
    {"waits_fence", fences_for, 1990, 2010},
    {"waits_queue", the_queue_for, 1990, 2010},
    {"waits_shared", shared_memory_for, 1990, 2010},
    {"waits_code", code_for, 1990, 2010},
    {"occupancy_shared", shared_memory_of_blocks, 20, 540},
    {"occupancy_blocks", few_threads_of_blocks, 160, 540},
    {"occupancy_not_reached", few_resident_of_blocks, 60, 540},
    {"queue_saturated", queue_waiting, 29, 31},
    {"bank_conflicts", conflicts_for, 450, 100},
    {"atomics", atomics_beside_arithmetic, 90, 30},
    {"atomics", atomics_near_roof, 90, 30},
    {"divergence", lanes_without_branches, 80, 60},
    {"few_fma", unfused_beside_halves, 2e6, 0},
    {"few_fma", unfused_among_others, 5e6, 3.3e6},
    {"partial_wave", partial_wave_near_roof, 90, 30},
    {"waits_sampled", samples_near_roof, 75, 30},
    {"waits_sampled", samples_for, 1990, 2010},
    {"few_bytes_in_flight", in_flight_and_queued, 900, 700},
    {"above_roof", broken_above_roof, 441, 440},
    {"low_l2_hits", evicted_at, 50, 75},
};

static void rules_are_silent_where_another_cause_explains(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        for (int own = 0; own < 2; own++) {
            struct rl_capture *capture = healthy();
            others[i].change(capture, own ? others[i].own : others[i].other);
            struct rl_analysis *analysis = rl_analysis_new(capture);
            if ((found(analysis, others[i].id) != NULL) != own)
                fail_msg("%s, row %zu: %s", others[i].id, i, own ? "is silent" : "speaks for another cause");
            rl_analysis_free(analysis);
            rl_capture_free(capture);
        }
}

static void less_traffic_leaves_the_arithmetic(void **state)
{
    struct rl_capture *capture = healthy();

    (void)state;
    multiply_adds(capture, 1.6e6);
    set(capture, "dram__bytes_read.sum", 40000);
    model_bytes(capture, 480);
    struct rl_analysis *analysis = rl_analysis_new(capture);
    const struct rl_finding *finding = found(analysis, "excess_traffic");
    assert_non_null(finding);
    /* Blocks take 0.54 us to start. */
    assert_close(finding->gain.v, gain_above_floor(&capture->kernels[0], hypot(1.5, 0.54) / hypot(1.25, 0.54)), 1e-9);
    assert_close(analysis->kernels[0].roof_time_s.v, 1.5e-6, 1e-15);
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

/* Without another warp on its scheduler a warp that does both parts of a branch takes twice as long, whatever else there is. */
static void a_warp_alone_gains_what_it_does_in_turn(void **state)
{
    static const struct {
        double blocks, threads, gain;
    } shapes[] = {{10, 128, 2}, {11, 128, 0}, {10, 129, 0}}; /* on 10 SMs of 4 schedulers */
    (void)state;
    for (size_t i = 0; i < RL_COUNT(shapes); i++) {
        struct rl_capture *capture = healthy();
        idle(capture);
        active_threads(capture, 16000);
        grid(capture, shapes[i].blocks);
        block(capture, shapes[i].threads);
        struct rl_analysis *analysis = rl_analysis_new(capture);
        const struct rl_finding *finding = found(analysis, "divergence");
        assert_non_null(finding);
        assert_int_equal(rl_present(finding->gain), shapes[i].gain > 0);
        if (shapes[i].gain > 0)
            assert_close(finding->gain.v, gain_above_floor(&capture->kernels[0], shapes[i].gain), 1e-9);
        rl_analysis_free(analysis);
        rl_capture_free(capture);
    }
}

/* 1 ms from the first activity to the last. Copies of 1 MB at 2 and 4 GB/s where the link has 20 and 10 save 850 us, if no kernel
 * runs meanwhile: for 300 us none does. */
static void page_locked_copies_save_what_no_kernel_hides(void **state)
{
    (void)state;
    for (int measured = 0; measured < 2; measured++) {
        struct rl_capture *capture = healthy();
        busy(capture, 999);
        sample_timeline(capture, 0, 0, 10000);
        sample_lane(capture, RL_LANE_KERNELS, RL_NONE, (const uint64_t[]){700000}, 1);
        sample_lane(capture, RL_LANE_IDLE_COPY, RL_NONE, (const uint64_t[]){0, 300000}, 2);
        add_transfer(capture, "to device", "pageable", 0, 500);
        add_transfer(capture, "to host", "pageable", 0, 250);
        add_transfer(capture, "to host", "pinned", 0, 100);
        for (size_t i = 0; i < capture->transfer_count; i++)
            capture->transfers[i].bytes = 1000000;
        sample_ceiling(capture, 0, "pcie_d2h", RL_UNIT_BYTE_PER_SECOND, 10e9, 0, 30);
        if (measured)
            sample_ceiling(capture, 0, "pcie_h2d", RL_UNIT_BYTE_PER_SECOND, 20e9, 0, 30);
        struct rl_analysis *analysis = rl_analysis_new(capture);
        const struct rl_finding *finding = found(analysis, "pageable_copies");
        assert_non_null(finding);
        assert_int_equal(rl_present(finding->gain), measured);
        if (measured)
            assert_close(finding->gain.v, 1.0 / 0.7, 1e-9);
        rl_analysis_free(analysis);
        rl_capture_free(capture);
    }
}

static void every_rule_has_a_case(void **state)
{
    (void)state;
    for (size_t rule = 0; rule < RL_RULE_COUNT; rule++) {
        size_t i = 0;
        while (i < CASES && strcmp(cases[i].id, rl_rules[rule].id) != 0)
            i++;
        if (i == CASES)
            fail_msg("rule %s has no pair of captures in test_findings.c", rl_rules[rule].id);
    }
}

static void healthy_capture_has_no_findings(void **state)
{
    struct rl_capture *capture = healthy();
    struct rl_analysis *analysis = rl_analysis_new(capture);
    (void)state;

    for (size_t i = 0; i < analysis->finding_count; i++)
        print_message("%s\n", analysis->findings[i].text);
    for (size_t i = 0; i < analysis->kernels[0].finding_count; i++)
        print_message("%s\n", analysis->kernels[0].findings[i].text);
    assert_int_equal(analysis->finding_count, 0);
    assert_int_equal(analysis->kernels[0].finding_count, 0);
    assert_int_equal(analysis->kernels[0].bound, RL_BOUND_MEMORY);
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

/* Low occupancy is a fault only where the launch waits: not near a roof, not where the schedulers are busy, not where all blocks
 * are resident at once, not where the limit is another one. */
static void low_occupancy_alone_is_no_fault(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        struct rl_capture *capture = healthy();
        struct rl_analysis *analysis;
        registers(capture, 128);
        if (i == 0)
            roof_percent(capture, 75);
        else if (i == 1)
            waiting_for_memory(capture, 49);
        else if (i == 2)
            grid(capture, 10); /* one for each SM */
        analysis = rl_analysis_new(capture);
        assert_int_equal(found(analysis, "occupancy_registers") != NULL, i == 3);
        assert_null(found(analysis, "occupancy_shared"));
        rl_analysis_free(analysis);
        rl_capture_free(capture);
    }
}

static void nothing_is_said_about_the_speed_of_wrong_results(void **state)
{
    struct rl_capture *capture = healthy();
    struct rl_analysis *analysis;
    (void)state;

    loads(capture, 1000);
    registers(capture, 128);
    result(capture, 1);
    analysis = rl_analysis_new(capture);
    assert_true(analysis->kernels[0].wrong);
    assert_int_equal(analysis->kernels[0].finding_count, 1);
    assert_string_equal(analysis->kernels[0].findings[0].id, "wrong_result");
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

/* Readings of the card and runs of ceilings are counted apart, those of other cards not at all. */
static void lowered_clocks_are_counted(void **state)
{
    static const struct {
        double readings[3], runs[2]; /* -1: not asked */
        const char *says;
    } rows[] = {
        {{4, 0, 1},
         {-1, -1},
         "The driver lowered the clock (power limit) in 1 of 3 readings of the GPU. Check power limit, "
         "cooling and other load."},
        {{4, 0x20, -1},
         {-1, -1},
         "The driver lowered the clock (power limit, temperature (software)) in 2 of 2 readings of the GPU. Check power limit, "
         "cooling and other load."},
        {{4, -1, -1},
         {0, -1},
         "The driver lowered the clock (power limit) in 1 of 1 reading of the GPU and 0 of 1 run of roofs. Check power limit, "
         "cooling and other load."},
        {{0, -1, -1},
         {4, 4},
         "The driver lowered the clock (power limit) in 0 of 1 reading of the GPU and 2 of 2 runs of roofs. Check power limit, "
         "cooling and other load."},
        {{-1, -1, -1},
         {4, 0},
         "The driver lowered the clock (power limit) in 1 of 2 runs of roofs. Check power limit, cooling "
         "and other load."},
    };
    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct rl_capture *capture = healthy();
        for (size_t k = 0; k < 3; k++) {
            struct rl_gpu_moment *moment = k ? rl_capture_add_moment(capture, 0) : &capture->gpus[0].moments[0];
            moment->moment = rl_capture_text(capture, "during");
            moment->reading[RL_READING_throttle_reasons] =
                rows[i].readings[k] < 0 ? rl_value_missing(RL_NOT_COLLECTED, NULL) : rl_value_of(rows[i].readings[k]);
        }
        for (size_t k = 0; k < 2; k++) {
            ceiling(capture, "l1_read", 1e12);
            capture->ceilings[k].throttle_reasons =
                rows[i].runs[k] < 0 ? rl_value_missing(RL_NOT_COLLECTED, NULL) : rl_value_of(rows[i].runs[k]);
        }
        struct rl_analysis *analysis = rl_analysis_new(capture);
        const struct rl_finding *finding = found(analysis, "throttled");
        assert_non_null(finding);
        assert_string_equal(finding->text, rows[i].says);
        rl_analysis_free(analysis);
        rl_capture_free(capture);
    }
}

/* Neither runs of ceilings that were not lowered nor those on another card make a finding of this one. */
static void clocks_of_other_cards_are_theirs(void **state)
{
    (void)state;
    struct rl_capture *capture = healthy();
    rl_capture_add_gpu(capture)->name = rl_capture_text(capture, "NVIDIA Test Card");
    ceiling(capture, "l1_read", 1e12);
    ceiling(capture, "l1_read", 1e12);
    capture->ceilings[0].throttle_reasons = rl_value_of(1);
    capture->ceilings[1].throttle_reasons = rl_value_of(4);
    capture->ceilings[1].gpu = 1;
    struct rl_analysis *analysis = rl_analysis_new(capture);
    size_t count = 0;
    for (size_t i = 0; i < analysis->finding_count; i++)
        if (strcmp(analysis->findings[i].id, "throttled") == 0) {
            count++;
            assert_non_null(strstr(analysis->findings[i].text, "in 1 of 1 run of roofs"));
        }
    assert_int_equal(count, 1);
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

static struct rl_capture *uncoalesced_and_drifting(void)
{
    struct rl_capture *capture = healthy();
    loads(capture, 1000);
    second_half(capture, 3000);
    result(capture, 0);
    return capture;
}

/* Its kernels are made to be extreme, or to wait, but whether they were measured well is told. */
static void what_measures_the_card_gets_no_advice(void **state)
{
    (void)state;
    static const struct {
        const char *experiment;
        bool measures;
    } rows[] = {{"e", false}, {RL_SELF_CHECK, true}, {"latency", true}, {"working_set", false}};
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct rl_capture *capture = uncoalesced_and_drifting();
        capture->experiments[0].name = rl_capture_text(capture, rows[i].experiment);
        struct rl_analysis *analysis = rl_analysis_new(capture);
        assert_int_equal(found(analysis, "uncoalesced_loads") == NULL, rows[i].measures);
        assert_int_equal(analysis->kernels[0].judgement[RL_RULE_uncoalesced_loads].verdict,
                         rows[i].measures ? RL_NOT_JUDGED : RL_RULE_SPOKE);
        assert_non_null(found(analysis, "drift"));
        rl_analysis_free(analysis);
        rl_capture_free(capture);
    }
}

/* Who calls a library does not write its kernels; what is up to the call, and how well it was measured, is told. */
static void kernels_of_libraries_get_no_advice_on_their_code(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool library;
    } rows[] = {{"k", false}, {"void cutlass::Kernel2<cutlass_80_simt_sgemm>(Params)", true}};
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct rl_capture *capture = uncoalesced_and_drifting();
        capture->kernels[0].name = rl_capture_text(capture, rows[i].name);
        struct rl_analysis *analysis = rl_analysis_new(capture);
        assert_int_equal(found(analysis, "uncoalesced_loads") == NULL, rows[i].library);
        assert_int_equal(analysis->kernels[0].judgement[RL_RULE_uncoalesced_loads].verdict,
                         rows[i].library ? RL_NOT_JUDGED : RL_RULE_SPOKE);
        assert_int_not_equal(analysis->kernels[0].judgement[RL_RULE_short_launch].verdict, RL_NOT_JUDGED);
        assert_non_null(found(analysis, "drift"));
        rl_analysis_free(analysis);
        rl_capture_free(capture);
    }
}

/* Of an observed program: 2000 and more launches than samples. Without order a drift is neither found nor excluded. */
static void samples_without_order_do_not_drift(void **state)
{
    (void)state;
    static const struct {
        const char *timing;
        uint64_t timed;
        bool judged;
    } rows[] = {{"activity", 0, true}, {"activity", 2000, false}, {RL_TIMING_IN_ORDER, 2000, true}};
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct rl_capture *capture = healthy();
        second_half(capture, 3000);
        capture->kernels[0].timing = rl_capture_text(capture, rows[i].timing);
        *rl_capture_add_use(capture) = (struct rl_kernel_use){.timed = rows[i].timed};
        struct rl_analysis *analysis = rl_analysis_new(capture);
        assert_int_equal(found(analysis, "drift") != NULL, rows[i].judged);
        assert_int_equal(analysis->kernels[0].judgement[RL_RULE_drift].verdict, rows[i].judged ? RL_RULE_SPOKE : RL_NOT_JUDGED);
        rl_analysis_free(analysis);
        rl_capture_free(capture);
    }
}

static void cards_are_named_when_there_are_several(void **state)
{
    struct rl_capture *capture = healthy();
    struct rl_gpu *gpu = rl_capture_add_gpu(capture);
    struct rl_analysis *analysis;
    (void)state;

    gpu->index = 7;
    gpu->name = rl_capture_text(capture, "NVIDIA Other");
    gpu->fact[RL_FACT_mig_enabled] = rl_value_of(1);
    analysis = rl_analysis_new(capture);
    assert_int_equal(analysis->finding_count, 1);
    assert_int_equal(analysis->findings[0].gpu, 1);
    assert_true(strncmp(analysis->findings[0].text, "GPU 7: MIG is on", 16) == 0);
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

/* Kernel `name` without counters; why, for people. */
static void uncounted_class(struct rl_capture *c, const char *name, const char *why)
{
    const size_t kernel = sample_kernel(c, name);

    if (why)
        *rl_capture_add_use(c) = (struct rl_kernel_use){.kernel = kernel, .uncounted = rl_capture_text(c, why)};
}

/* "collected" is no reason why some classes have no counters: theirs is, the commonest one. */
/* The evidence; the action follows. */
static void assert_said_first(const char *text, const char *evidence)
{
    if (strncmp(text, evidence, strlen(evidence)) != 0 || text[strlen(evidence)] != ' ')
        fail_msg("'%s' does not begin with '%s'", text, evidence);
}

static void classes_without_counters_say_why(void **state)
{
    static const struct {
        const char *why[3];
        const char *says;
    } rows[] = {
        {{NULL, NULL, NULL}, "3 of 4 launch configurations have no counters."},
        {{"it waits for its peers", "it waits for its peers", "it waits for its peers"},
         "3 of 4 launch configurations have no counters: it waits for its peers."},
        {{"it is short", "it waits for its peers", "it waits for its peers"},
         "3 of 4 launch configurations have no counters: it waits for its peers (2 of them)."},
        {{NULL, "it is short", NULL}, "3 of 4 launch configurations have no counters: it is short (1 of them)."},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct rl_capture *capture = healthy();
        for (size_t k = 0; k < 3; k++)
            uncounted_class(capture, "void other(int)", rows[i].why[k]);
        struct rl_analysis *analysis = rl_analysis_new(capture);
        assert_said_first(found(analysis, "counters_missing")->text, rows[i].says);
        rl_analysis_free(analysis);
        rl_capture_free(capture);
    }
}

/* A program without exact counters is no fault of the machine, samples stand for counters, and what takes hardly any time is left
 * out on purpose. */
static void programs_without_counters_are_told_what_helps(void **state)
{
    (void)state;
    struct rl_capture *capture = healthy();
    struct rl_analysis *analysis;
    uncounted_class(capture, "void other(int)", "the program ended before that");
    const size_t kernel = capture->kernel_count - 1;
    capture->session.counters = rl_capture_text(capture, "no launch could be counted");
    analysis = rl_analysis_new(capture);
    assert_string_equal(
        found(analysis, "counters_missing")->text,
        "1 of 2 launch configurations have no counters: the program ended before that. Count them in a second run of the "
        "program: collect --replay kernel.");
    rl_analysis_free(analysis);
    capture->kernels[0].total_ns = 99000;
    capture->kernels[kernel].total_ns = 1000; /* 1 % */
    analysis = rl_analysis_new(capture);
    assert_null(found(analysis, "counters_missing"));
    rl_analysis_free(analysis);
    capture->kernels[kernel].total_ns = 1001;
    analysis = rl_analysis_new(capture);
    assert_non_null(found(analysis, "counters_missing"));
    rl_analysis_free(analysis);
    rl_capture_add_sampling(capture)->gpu = 0;
    *rl_capture_add_sampled(capture) =
        (struct rl_sampled_value){.kernel = kernel, .per_launch = rl_value_of(1), .half_width = rl_value_of(0)};
    analysis = rl_analysis_new(capture);
    assert_null(found(analysis, "counters_missing"));
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

/* ---- the order ---- */

/* Wrong results, then session and cards, then doubts, then kernel by kernel: the one that could save the most time, not the one
 * with the greatest gain. */
static void findings_are_ranked_by_what_they_could_save(void **state)
{
    static struct rl_finding first[] = {{.rule = RL_RULE_below_roof, .gain = {.v = 10}}, {.rule = RL_RULE_above_roof}},
                             second[] = {{.rule = RL_RULE_spills, .gain = RL_VALUE_OF_TEXT},
                                         {.rule = RL_RULE_divergence, .gain = {.v = 1.5}},
                                         {.rule = RL_RULE_below_roof, .gain = {.v = 2}}},
                             third[] = {{.rule = RL_RULE_grid_too_small, .gain = {.v = 0.5}},
                                        {.rule = RL_RULE_wrong_result, .gain = RL_VALUE_OF_TEXT}},
                             card[] = {{.rule = RL_RULE_throttled}, {.rule = RL_RULE_mig}};
    static const struct {
        size_t kernel;
        enum rl_rule rule;
    } expected[] = {{2, RL_RULE_wrong_result}, {RL_NONE, RL_RULE_throttled}, {RL_NONE, RL_RULE_mig},
                    {0, RL_RULE_above_roof},   {1, RL_RULE_below_roof},      {1, RL_RULE_divergence},
                    {1, RL_RULE_spills},       {0, RL_RULE_below_roof},      {2, RL_RULE_grid_too_small}};
    struct rl_kernel kernels[] = {{.total_ns = 1000}, {.total_ns = 100000}, {.total_ns = 1000000}};
    struct rl_kernel_result results[] = {
        {.findings = first, .finding_count = 2}, {.findings = second, .finding_count = 3}, {.findings = third, .finding_count = 2}};
    struct rl_capture capture = {.kernels = kernels, .kernel_count = 3};
    struct rl_analysis analysis = {.capture = &capture, .kernels = results, .findings = card, .finding_count = 2};
    struct rl_ranked_finding *ranked;
    (void)state;

    assert_int_equal(rl_findings_rank(&analysis, NULL, &ranked), RL_COUNT(expected));
    for (size_t i = 0; i < RL_COUNT(expected); i++) {
        assert_int_equal(ranked[i].kernel, expected[i].kernel);
        assert_int_equal(ranked[i].finding->rule, expected[i].rule);
    }
    free(ranked);
    analysis.finding_count = capture.kernel_count = 0;
    assert_int_equal(rl_findings_rank(&analysis, NULL, &ranked), 0);
    assert_null(ranked);
}

/* ---- the table ---- */

static bool parses(const char *text)
{
    struct rl_formula *formula;
    struct rl_err err = RL_ERR_INIT;
    const bool ok = rl_formula_parse(text, &formula, &err) == RL_OK;

    rl_formula_free(formula);
    return ok;
}

static void rows_are_whole_and_unique(void **state)
{
    (void)state;
    for (size_t i = 0; i < RL_RULE_COUNT; i++) {
        const struct rl_rule_info *rule = &rl_rules[i];
        assert_true(strlen(rule->title) > 2 && strlen(rule->problem) > 5 && strcmp(rule->title, rule->problem) != 0);
        assert_true(strlen(rule->source) > 2 && strlen(rule->words) > 20);
        assert_true(parses(rule->value) && (!rule->gain || parses(rule->gain)));
        assert_true(isfinite(rule->threshold));
        assert_false(rule->at_most && (rule->gain || rule->unit != RL_UNIT_FRACTION || rule->relation != RL_ABOVE));
        for (size_t j = 0; j < i; j++) {
            assert_string_not_equal(rule->id, rl_rules[j].id);
            assert_string_not_equal(rule->title, rl_rules[j].title);
            assert_string_not_equal(rule->problem, rl_rules[j].problem);
        }
    }
}

/* ---- what is judged ---- */

/* 15 samples of 2000 ns, and 15 that are 5 % off: half a resolution step on either side of both medians takes little of it. */
static void drift_is_judged_both_ways(void **state)
{
    static const struct {
        double ns, drift;
    } rows[] = {{2100, 0.05}, {1900, 0.05}, {2000, 0}};
    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct rl_capture *capture = healthy();
        second_half(capture, rows[i].ns);
        struct rl_analysis *analysis = rl_analysis_new(capture);
        const struct rl_judgement *judged = &analysis->kernels[0].judgement[RL_RULE_drift];
        assert_int_equal(judged->verdict, rows[i].drift > 0 ? RL_RULE_SPOKE : RL_RULE_SILENT);
        if (fabs(judged->value.v - rows[i].drift) > 0.002)
            fail_msg("row %zu: %g", i, judged->value.v);
        rl_analysis_free(analysis);
        rl_capture_free(capture);
    }
}

/* 48 threads fill three quarters of two warps, and the gain is 4/3; without the size of a warp nobody can say. */
static void whole_warps_need_the_size_of_a_warp(void **state)
{
    const struct {
        struct rl_value warp;
        enum rl_verdict_on_rule verdict;
        enum rl_state state;
    } rows[] = {{rl_value_of(32), RL_RULE_SPOKE, RL_PRESENT},
                {rl_value_of(0), RL_NOT_JUDGED, RL_UNDEFINED},
                {rl_value_missing(RL_NOT_COLLECTED, "not told"), RL_NOT_JUDGED, RL_NOT_COLLECTED}};
    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct rl_capture *capture = healthy();
        capture->kernels[0].block[0] = 48;
        capture->gpus[0].fact[RL_FACT_warp_size] = rows[i].warp;
        if (i == 2)
            capture->gpus[0].cc_major = capture->gpus[0].cc_minor = 0; /* by which it is known otherwise */
        struct rl_analysis *analysis = rl_analysis_new(capture);
        const struct rl_judgement *judged = &analysis->kernels[0].judgement[RL_RULE_partial_warps];
        assert_int_equal(judged->verdict, rows[i].verdict);
        assert_int_equal(judged->value.state, rows[i].state);
        if (i == 0)
            assert_close(judged->value.v, 0.75, 1e-12);
        rl_analysis_free(analysis);
        rl_capture_free(capture);
    }
}

/* Of ceilings after long load the one that fell furthest, in whatever order. */
static void the_least_of_several_ceilings_counts(void **state)
{
    (void)state;
    for (int l1_falls = 0; l1_falls < 2; l1_falls++) {
        struct rl_capture *capture = healthy();
        ceiling(capture, "l1_read", 1e12);
        ceiling(capture, "dram_read", 1e10);
        ceiling(capture, "l1_read_sustained", l1_falls ? 0.6e12 : 0.9e12);
        ceiling(capture, "dram_read_sustained", l1_falls ? 0.9e10 : 0.6e10);
        struct rl_analysis *analysis = rl_analysis_new(capture);
        const struct rl_judgement *judged = &analysis->gpus[0].judgement[RL_RULE_sustained_drop];
        assert_int_equal(judged->verdict, RL_RULE_SPOKE);
        assert_close(judged->value.v, 0.6, 1e-9);
        rl_analysis_free(analysis);
        rl_capture_free(capture);
    }
}

/* A profiler's output often has metrics and no counters: such a kernel is counted, but not by its occupancy, which follows from
 * the launch. */
static void printed_metrics_are_counters_too(void **state)
{
    static const char *const metrics[] = {"dram_bytes", "theoretical_occupancy"};
    (void)state;
    for (size_t i = 0; i < RL_COUNT(metrics); i++) {
        struct rl_capture *capture = healthy();
        const size_t kernel = sample_kernel(capture, "printed(int)");
        sample_value(capture, kernel, RL_METRIC_VALUE, metrics[i], rl_value_of(0.5));
        struct rl_analysis *analysis = rl_analysis_new(capture);
        assert_int_equal(found(analysis, "counters_missing") != NULL, i);
        rl_analysis_free(analysis);
        rl_capture_free(capture);
    }
}

static void assert_judged(const struct rl_analysis *analysis, size_t gpu, enum rl_rule rule, double value)
{
    const struct rl_judgement *judged = &analysis->gpus[gpu].judgement[rule];
    if (!rl_present(judged->value) || fabs(judged->value.v - value) > 1e-9)
        fail_msg("%s: %g, not %g", rl_rules[rule].id, judged->value.v, value);
}

/* Two cards. The first: 1000 us busy, of which pageable copies took 120 both ways, others do not count; up to 5 processes at once;
 * clocks of 1.0, 1.1 and 1.3 GHz; two of three kernels without counters. */
static void figures_of_a_card_by_hand(void **state)
{
    static const double counts[] = {2, 5, 3}, clocks[] = {1.1e9, 1.3e9};
    (void)state;
    struct rl_capture *capture = healthy();
    rl_capture_add_gpu(capture)->name = rl_capture_text(capture, "NVIDIA Test Card");
    busy(capture, 1000);
    add_transfer(capture, "to device", "pageable", 0, 100);
    add_transfer(capture, "to host", "pageable", 0, 20);
    add_transfer(capture, "to host", "pinned", 0, 70);
    add_transfer(capture, "on device", "pageable", 0, 300);
    add_transfer(capture, "to device", "pageable", 1, 400);
    for (size_t i = 0; i < RL_COUNT(counts); i++) {
        struct rl_gpu_moment *moment = i ? rl_capture_add_moment(capture, 0) : &capture->gpus[0].moments[0];
        moment->moment = rl_capture_text(capture, "during");
        moment->reading[RL_READING_process_count] = rl_value_of(counts[i]);
    }
    for (size_t i = 0; i < RL_COUNT(clocks); i++)
        second_clock(capture, clocks[i]);
    for (size_t i = 0; i < 2; i++)
        (void)sample_kernel(capture, "uncounted");
    struct rl_analysis *analysis = rl_analysis_new(capture);
    assert_judged(analysis, 0, RL_RULE_pageable_copies, 0.12);
    assert_judged(analysis, 0, RL_RULE_card_shared, 5);
    assert_judged(analysis, 0, RL_RULE_clock_spread, 0.3 / 1.1);
    assert_judged(analysis, 0, RL_RULE_counters_missing, 2);
    assert_judged(analysis, 1, RL_RULE_counters_missing, 0);
    assert_false(rl_present(analysis->gpus[1].judgement[RL_RULE_card_shared].value));
    assert_false(rl_present(analysis->gpus[1].judgement[RL_RULE_clock_spread].value));
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

/* Copies while launches were counted are not in the time in which the GPU was watched. */
static void copies_take_at_most_all_of_the_time(void **state)
{
    (void)state;
    struct rl_capture *capture = healthy();
    busy(capture, 1000);
    add_transfer(capture, "to device", "pageable", 0, 2000);
    add_transfer(capture, "to host", "pinned", 0, 500);
    struct rl_analysis *analysis = rl_analysis_new(capture);
    assert_judged(analysis, 0, RL_RULE_pageable_copies, 0.8);
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

/* A kernel that was not timed, on a grid that is not known, on a card whose SMs are not. */
static void what_cannot_be_judged_says_why(void **state)
{
    static const struct {
        enum rl_rule rule;
        const char *why;
    } rows[] = {{RL_RULE_short_launch, "not timed"},
                {RL_RULE_wide_interval, "too few samples for an interval"},
                {RL_RULE_drift, "too few samples to detect drift"},
                {RL_RULE_partial_warps, "block size unknown"},
                {RL_RULE_grid_too_small, "grid unknown"}};
    (void)state;
    struct rl_capture *capture = healthy();
    struct rl_kernel *kernel = &capture->kernels[0];
    kernel->duration_count = 0;
    memset(kernel->grid, 0, sizeof kernel->grid);
    memset(kernel->block, 0, sizeof kernel->block);
    struct rl_analysis *analysis = rl_analysis_new(capture);
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        const struct rl_judgement *judged = &analysis->kernels[0].judgement[rows[i].rule];
        assert_int_equal(judged->verdict, RL_NOT_JUDGED);
        assert_string_equal(rl_value_reason(judged->value), rows[i].why);
    }
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(healthy_capture_has_no_findings),
        cmocka_unit_test(every_rule_speaks_and_is_silent),
        cmocka_unit_test(rules_are_silent_where_another_cause_explains),
        cmocka_unit_test(less_traffic_leaves_the_arithmetic),
        cmocka_unit_test(a_warp_alone_gains_what_it_does_in_turn),
        cmocka_unit_test(page_locked_copies_save_what_no_kernel_hides),
        cmocka_unit_test(every_rule_has_a_case),
        cmocka_unit_test(low_occupancy_alone_is_no_fault),
        cmocka_unit_test(nothing_is_said_about_the_speed_of_wrong_results),
        cmocka_unit_test(lowered_clocks_are_counted),
        cmocka_unit_test(clocks_of_other_cards_are_theirs),
        cmocka_unit_test(what_measures_the_card_gets_no_advice),
        cmocka_unit_test(kernels_of_libraries_get_no_advice_on_their_code),
        cmocka_unit_test(classes_without_counters_say_why),
        cmocka_unit_test(programs_without_counters_are_told_what_helps),
        cmocka_unit_test(samples_without_order_do_not_drift),
        cmocka_unit_test(cards_are_named_when_there_are_several),
        cmocka_unit_test(findings_are_ranked_by_what_they_could_save),
        cmocka_unit_test(rows_are_whole_and_unique),
        cmocka_unit_test(drift_is_judged_both_ways),
        cmocka_unit_test(whole_warps_need_the_size_of_a_warp),
        cmocka_unit_test(the_least_of_several_ceilings_counts),
        cmocka_unit_test(printed_metrics_are_counters_too),
        cmocka_unit_test(figures_of_a_card_by_hand),
        cmocka_unit_test(copies_take_at_most_all_of_the_time),
        cmocka_unit_test(what_cannot_be_judged_says_why),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
