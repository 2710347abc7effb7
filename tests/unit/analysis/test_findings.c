/* Every rule on a subject that triggers it and on one that just does not. */
#include "analysis/families.h"
#include "core/formula.h"
#include "core/mem.h"
#include "sample.h"

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
/* As many wavefronts as are too many, some of which matrix units may have caused. */
static void matrix_wavefronts(struct rl_capture *c, double instructions)
{
    wavefronts(c, 302);
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

static void registers(struct rl_capture *c, double count)
{
    roof_percent(c, 30);
    c->kernels[0].registers_per_thread = rl_value_of(count);
}

static void shared(struct rl_capture *c, double bytes)
{
    roof_percent(c, 30);
    c->kernels[0].dynamic_shared_bytes = (uint64_t)bytes;
}

static void small_blocks(struct rl_capture *c, double threads)
{
    roof_percent(c, 30);
    c->kernels[0].block[0] = (uint32_t)threads;
}

static void achieved(struct rl_capture *c, double percent)
{
    roof_percent(c, 30);
    set(c, "sm__warps_active.avg.pct_of_peak_sustained_active", percent);
}

static void active_threads(struct rl_capture *c, double threads)
{
    set(c, "smsp__sass_branch_targets_threads_uniform.sum", 60);
    set(c, "smsp__sass_thread_inst_executed.sum", threads);
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

/* Of 1000 us that the GPU is busy. */
static void pageable(struct rl_capture *c, double us)
{
    busy(c, 1000);
    struct rl_transfer *transfer = rl_capture_add_transfer(c);
    transfer->direction = rl_capture_text(c, "to device");
    transfer->memory = rl_capture_text(c, "pageable");
    transfer->total_ns = (uint64_t)(us * 1e3);
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
    struct rl_ceiling_run *run = rl_capture_add_ceiling(c);

    run->gpu = 0;
    run->id = rl_capture_text(c, id);
    run->unit = RL_UNIT_BYTE_PER_SECOND;
    run->configuration = rl_capture_text(c, "of the test");
    run->sm_clock_hz = rl_value_of(1e9);
    run->samples = rl_arena_alloc(&c->arena, 30 * sizeof *run->samples);
    run->sample_count = 30;
    for (size_t i = 0; i < 30; i++)
        run->samples[i] = rate;
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
    struct rl_experiment *experiment = rl_capture_add_experiment(c);
    struct rl_variant *variant;

    experiment->name = rl_capture_text(c, "e");
    variant = rl_capture_add_variant(c);
    variant->experiment = 0;
    variant->gpu = 0;
    variant->name = rl_capture_text(c, "v");
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
    set(c, "dram__bytes_read.sum", 1000);
}

static void fp64_operations(struct rl_capture *c, double n)
{
    set(c, "smsp__sass_thread_inst_executed_op_dadd_pred_on.sum", n);
    set(c, "smsp__sass_thread_inst_executed_op_dmul_pred_on.sum", 0);
    set(c, "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum", 0);
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

/* Timed: 20 us. */
static void pass_time(struct rl_capture *c, double ns)
{
    sample_time(c, 0, 20000);
    set(c, "gpu__time_duration.sum", ns);
}

/* Counting doubles the time. */
static void doubled_time(struct rl_capture *c, double ns)
{
    sample_time(c, 0, (uint64_t)ns);
    set(c, "gpu__time_duration.sum", 2 * ns);
}

static void persistence(struct rl_capture *c, double on)
{
    c->gpus[0].fact[RL_FACT_persistence_enabled] = rl_value_of(on);
}

/* For each rule: what triggers it, what just does not, the text, the gain (0: none). */
static const struct {
    const char *id;
    void (*change)(struct rl_capture *capture, double value);
    double triggers, does_not;
    const char *says; /* a part of the text */
    double gain;
} cases[] = {
    {"wrong_result", result, 1, 0, "element 17: 3.5, expected 4.25", 0},
    /* 320 load and 80 store sectors: (320 + 80) / (5119 / 32 + 80) */
    {"uncoalesced_loads", loads, 5119, 5120, "8.00 sectors per load", 400.0 / (5119.0 / 32 + 80)},
    {"uncoalesced_stores", stores, 1279, 1280, "4.00 sectors per store", 400.0 / (320 + 1279.0 / 32)},
    {"uncoalesced_loads", load_sectors, 41, 40, "1.02 sectors per load", 121 / (164.0 / 32 + 80)}, /* of 40 loads */
    {"uncoalesced_stores", store_sectors, 21, 20, "1.05 sectors per store",
     341 / (320 + 84.0 / 32)},                                                       /* of 20; below one is nothing */
    {"bank_conflicts", wavefronts, 302, 300, "1.51 times the wavefronts", 1 / 0.75}, /* of 200; at 75 % of the roof */
    {"bank_conflicts", matrix_wavefronts, 0, 1, "1.51 times the wavefronts", 1 / 0.75},
    {"spills", local_bytes, 674, 673, "5.00", 0}, /* of 12800 + 674 */
    {"excess_traffic", model_bytes, 31990, 32010, "went through device memory where 32.0", 48000.0 / 31990},
    {"atomics", atomic_instructions, 48, 47, "Combine values in a warp", 0},  /* and 3 of 1000 */
    {"occupancy_registers", registers, 81, 80, "81 registers per thread", 3}, /* 88: 5 warps a quarter, 2 blocks of 6 */
    {"occupancy_shared", shared, 33 * 1024, 32 * 1024, "shared memory allows no more", 3}, /* 34 KiB: 2 of 6 blocks; 33: 3 */
    {"occupancy_blocks", small_blocks, 64, 96, "blocks of 64 threads", 1.5},               /* 16 x 2 of 48 warps, 16 x 3 */
    {"occupancy_not_reached", achieved, 79.9, 80, "79.9", 1 / 0.799},
    {"divergence", active_threads, 23999, 24000, "Let the threads of a warp take the same path", 1 / 0.75},
    {"few_fma", multiply_adds, 0.799e6, 0.801e6, "the others take an instruction each", 2 - 2 * 0.799e6 / 3.2e6},
    {"slow_precision", fp64_operations, 1010, 990, "look for literals without f", 0}, /* of 9000 and as many */
    {"partial_warps", block, 255, 256, "Blocks of 255 threads", 0},
    {"grid_too_small", grid, 9, 10, "fewer blocks (9) than the card has SMs (10)", 10.0 / 9},
    {"partial_wave", compute_grid, 95, 96, "1.58 waves", 120.0 / 95}, /* 95 / 60 of 2 */
    {"below_roof", roof_percent_of_longer, 59.9, 60, "instead of 4.00", 1 / 0.599},
    {"below_roof", all_times, 2001, 2000, "instead of 2.00", 2001 / 1187.5}, /* 38 kB at 32 GB/s; then the launch itself */
    {"above_roof", roof_percent, 101.1, 100.9, "DRAM ceiling", 0},
    {"short_launch", all_times, 1999, 2000, "less than the host takes to launch a kernel", 0},
    {"pass_slower", pass_time, 30001, 29999, "took 1.50 times as long", 0},
    {"pass_slower", doubled_time, 10001, 10000, "took 2.00 times as long", 0}, /* then counting alone explains it */
    {"wide_interval", spread, 74, 73, "is known to", 0},                       /* 41 / 2037 = 2.01 %, 40.5 / 2036.5 = 1.99 % */
    {"drift", second_half, 2041, 2039, "at least 2.05", 0},                    /* 41 and 39 of 2000; no noise at all */
    {"passes_disagree", second_pass, 391.9, 392.1, "l1tex__t_sectors.sum 400 and 391.9", 0}, /* 2 % of 400 are 8 */
    {"clock_spread", second_clock, 0.97e9, 0.9705e9, "970", 0},
    {"throttled", reasons, 0x24, 0x103, "power limit, temperature (software)): in 1 of 1 reading of the card", 0},
    {"ceiling_low", published_card, 79.9, 80.1, "(whatsupjones/gpu-roofline, README (2026))", 0},
    {"ceiling_high", published_card, 130.1, 129.9, "DRAM copy 5.24", 0},
    {"ceiling_refused", refused, 101.1, 100.9, " was measured, 101.1", 0},
    {"sustained_drop", sustained, 94.9, 95.1, " instead of 1.00", 0},
    {"no_persistence", persistence, 0, 1, "Persistence mode is off", 0},
    {"gpu_idle", busy, 799, 801, "idle for 20.1", 1 / 0.799},
    {"pageable_copies", pageable, 10.1, 10, "pageable host memory took 1.01", 0},
    {"card_shared", processes, 2, 1, "2 processes", 0},
    {"memory_errors", ecc, 1, 0, "started: 1.", 0},
    {"mig", mig, 1, 0, "MIG is on", 0},
    {"counters_missing", uncounted, 1, 0, "1 of 2 kernel classes have no counters: the driver lets only administrators read them",
     0},
    {"incomplete", incomplete, 1, 0, "did not run to its end", 0},
};

enum { CASES = sizeof cases / sizeof cases[0] };

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
    if (!strstr(finding->text, cases[i].says))
        fail_msg("%s says '%s', which has no '%s' in it", cases[i].id, finding->text, cases[i].says);
    if (strpbrk(finding->text, "{}"))
        fail_msg("%s says '%s': a name was not filled in", cases[i].id, finding->text);
    assert_int_equal(rl_present(finding->gain), cases[i].gain > 0);
    if (cases[i].gain > 0)
        assert_close(finding->gain.v, cases[i].gain, 1e-9);
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
static void less_traffic_leaves_the_arithmetic(void **state)
{
    struct rl_capture *capture = healthy();

    (void)state;
    multiply_adds(capture, 0.8e6);
    set(capture, "dram__bytes_read.sum", 40000);
    model_bytes(capture, 480);
    struct rl_analysis *analysis = rl_analysis_new(capture);
    const struct rl_finding *finding = found(analysis, "excess_traffic");
    assert_non_null(finding);
    assert_close(finding->gain.v, 1.6, 1e-9);
    assert_close(analysis->kernels[0].arithmetic_time_s.v, 1.25e-6, 1e-15);
    assert_close(analysis->kernels[0].roof_time_s.v, 1.5e-6, 1e-15);
    rl_analysis_free(analysis);
    rl_capture_free(capture);
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

/* At 0.5 us at the roof, what no launch takes less than, there is nothing to gain; the time is 4 us. */
static void little_work_has_no_roof(void **state)
{
    static const struct {
        double percent;
        const char *says;
        bool gain;
    } rows[] = {{12.6, "At the roof the launch would take 504", true},
                {12.4, "too little for any roof to limit it: at the roof it would take 496", false}};

    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct rl_capture *capture = healthy();
        multiply_adds(capture, 0);
        set(capture, "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", 0);
        roof_percent_of_longer(capture, rows[i].percent);
        struct rl_analysis *analysis = rl_analysis_new(capture);
        const struct rl_finding *finding = found(analysis, "below_roof");
        assert_non_null(finding);
        if (!strstr(finding->text, rows[i].says))
            fail_msg("'%s' has no '%s' in it", finding->text, rows[i].says);
        assert_int_equal(rl_present(finding->gain), rows[i].gain);
        rl_analysis_free(analysis);
        rl_capture_free(capture);
    }
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
            set(capture, "smsp__issue_active.sum", 2400); /* 60 % */
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

/* Its kernels are made to be extreme, but whether they were measured well is told. */
static void the_self_check_gets_no_advice(void **state)
{
    (void)state;
    for (int self_check = 0; self_check <= 1; self_check++) {
        struct rl_capture *capture = healthy();
        loads(capture, 1000);
        second_half(capture, 3000);
        result(capture, 0);
        capture->experiments[0].name = rl_capture_text(capture, self_check ? RL_SELF_CHECK : "e");
        struct rl_analysis *analysis = rl_analysis_new(capture);
        assert_int_equal(found(analysis, "uncoalesced_loads") == NULL, self_check);
        assert_int_equal(analysis->kernels[0].judgement[RL_RULE_uncoalesced_loads].verdict,
                         self_check ? RL_NOT_JUDGED : RL_RULE_SPOKE);
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
static void classes_without_counters_say_why(void **state)
{
    static const struct {
        const char *why[3];
        const char *says;
    } rows[] = {
        {{NULL, NULL, NULL}, "3 of 4 kernel classes have no counters."},
        {{"it waits for its peers", "it waits for its peers", "it waits for its peers"},
         "3 of 4 kernel classes have no counters: it waits for its peers."},
        {{"it is short", "it waits for its peers", "it waits for its peers"},
         "3 of 4 kernel classes have no counters: it waits for its peers (2 of them)."},
        {{NULL, "it is short", NULL}, "3 of 4 kernel classes have no counters: it is short (1 of them)."},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct rl_capture *capture = healthy();
        for (size_t k = 0; k < 3; k++)
            uncounted_class(capture, "void other(int)", rows[i].why[k]);
        struct rl_analysis *analysis = rl_analysis_new(capture);
        assert_string_equal(found(analysis, "counters_missing")->text, rows[i].says);
        rl_analysis_free(analysis);
        rl_capture_free(capture);
    }
}

/* ---- the order ---- */

/* Wrong results, then session and cards, then doubts, then kernel by kernel: the one that could save the most time, not the one
 * with the greatest gain. */
static void findings_are_ranked_by_what_they_could_save(void **state)
{
    static struct rl_finding first[] = {{.rule = RL_RULE_below_roof, .gain = {.v = 10}}, {.rule = RL_RULE_above_roof}},
                             second[] = {{.rule = RL_RULE_spills, .gain = {.state = RL_UNDEFINED}},
                                         {.rule = RL_RULE_divergence, .gain = {.v = 1.5}},
                                         {.rule = RL_RULE_below_roof, .gain = {.v = 2}}},
                             third[] = {{.rule = RL_RULE_grid_too_small, .gain = {.v = 0.5}},
                                        {.rule = RL_RULE_wrong_result, .gain = {.state = RL_UNDEFINED}}},
                             card[] = {{.rule = RL_RULE_throttled}};
    static const struct {
        size_t kernel;
        enum rl_rule rule;
    } expected[] = {{2, RL_RULE_wrong_result}, {RL_NONE, RL_RULE_throttled}, {0, RL_RULE_above_roof}, {1, RL_RULE_below_roof},
                    {1, RL_RULE_divergence},   {1, RL_RULE_spills},          {0, RL_RULE_below_roof}, {2, RL_RULE_grid_too_small}};
    struct rl_kernel kernels[] = {{.total_ns = 1000}, {.total_ns = 100000}, {.total_ns = 1000000}};
    struct rl_kernel_result results[] = {
        {.findings = first, .finding_count = 2}, {.findings = second, .finding_count = 3}, {.findings = third, .finding_count = 2}};
    struct rl_capture capture = {.kernels = kernels, .kernel_count = 3};
    struct rl_analysis analysis = {.capture = &capture, .kernels = results, .findings = card, .finding_count = 1};
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
        assert_true(strlen(rule->title) > 2 && strlen(rule->source) > 2 && strlen(rule->words) > 20);
        assert_true(parses(rule->value) && (!rule->gain || parses(rule->gain)));
        assert_true(isfinite(rule->threshold));
        for (size_t j = 0; j < i; j++) {
            assert_string_not_equal(rule->id, rl_rules[j].id);
            assert_string_not_equal(rule->title, rl_rules[j].title);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(healthy_capture_has_no_findings),
        cmocka_unit_test(every_rule_speaks_and_is_silent),
        cmocka_unit_test(less_traffic_leaves_the_arithmetic),
        cmocka_unit_test(every_rule_has_a_case),
        cmocka_unit_test(little_work_has_no_roof),
        cmocka_unit_test(low_occupancy_alone_is_no_fault),
        cmocka_unit_test(nothing_is_said_about_the_speed_of_wrong_results),
        cmocka_unit_test(the_self_check_gets_no_advice),
        cmocka_unit_test(classes_without_counters_say_why),
        cmocka_unit_test(samples_without_order_do_not_drift),
        cmocka_unit_test(cards_are_named_when_there_are_several),
        cmocka_unit_test(findings_are_ranked_by_what_they_could_save),
        cmocka_unit_test(rows_are_whole_and_unique),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
