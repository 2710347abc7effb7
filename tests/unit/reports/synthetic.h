/* synthetic.h - a capture that no card ever made, for tests of the report: "SYNTHETIC TEST CARD".
 *
 * Experiments, variants, claims and work models are those of the suite; times and counters are made up, so that they look like
 * those of a big card: every variant has a row in `shapes`, or the default one.
 */
#ifndef RL_TEST_REPORTS_SYNTHETIC_H
#define RL_TEST_REPORTS_SYNTHETIC_H

#include "rl_test.h"

#include "capture/capture.h"
#include "core/mem.h"
#include "kernels/suite.h"

#define SYNTHETIC_CARD "SYNTHETIC TEST CARD"
enum { SYNTHETIC_SMS = 132, SYNTHETIC_SAMPLES = 31 };
#define SYNTHETIC_CLOCK 1.755e9
#define SYNTHETIC_DRAM  4.9152e12 /* B/s: 1536 B per cycle at 3.2 GHz */

struct synthetic_shape {
    const char *variant;
    double waste;  /* DRAM bytes over the model's bytes */
    double time_s; /* 0: DRAM bytes over 92 % of the DRAM rate */
    double sectors_load, sectors_store, conflict, bytes_per_load;
    int registers;
    double warp_efficiency, branch_efficiency;
};
static const struct synthetic_shape synthetic_shapes[] = {
    {"stride_1", 1, 0, 4, 4, 0, 128, 16, 1, 0},
    {"stride_2", 2, 0, 8, 8, 0, 128, 16, 1, 0},
    {"stride_4", 4, 0, 16, 16, 0, 128, 16, 1, 0},
    {"stride_8", 8, 0, 32, 32, 0, 128, 16, 1, 0},
    {"stride_16", 8, 0, 32, 32, 0, 128, 16, 1, 0},
    {"stride_32", 8, 0, 32, 32, 0, 128, 16, 1, 0},
    {"copy", 1.01, 0, 4, 4, 0, 128, 20, 1, 0},
    {"naive", 1.6, 0.000131, 4, 32, 0, 128, 22, 1, 0},
    {"tiled", 1.02, 0.0000612, 4, 4, 16.5, 128, 24, 1, 0},
    {"tiled_padded", 1.01, 0.0000331, 4, 4, 1, 128, 24, 1, 0},
    {"coherent", 4, 0.0056980, 1, 1, 0, 4, 18, 1, 0.998},
    {"divergent", 4, 0.0113970, 1, 1, 0, 4, 22, 0.51, 0.502},
    {"arithmetic_divergent", 1, 0.000664, 4, 4, 0, 128, 26, 0.505, 0.667},
    {"arithmetic_by_warp", 1, 0.000334, 4, 4, 0, 128, 26, 0.997, 1},
    {"serial", 1, 0.0128312, 4, 4, 0, 128, 16, 1, 1},
    {"unrolled4", 1, 0.0034231, 4, 4, 0, 128, 24, 1, 1},
    {"vector4", 1, 0.0033010, 16, 16, 0, 512, 22, 1, 1},
    {"lean", 1, 0, 4, 4, 0, 128, 10, 1, 0},
    {"volatile16", 1, 0.0000412, 4, 4, 0, 128, 26, 1, 0},
    {"array100", 1, 0.0000874, 4, 4, 0, 128, 12, 1, 0},
    {"live128", 1, 0.000911, 4, 4, 0, 128, 96, 1, 1},
    {"live128_bounded", 1, 0.001437, 4, 4, 0, 128, 32, 1, 1},
    {NULL, 1, 0, 4, 4, 0, 128, 32, 1, 1},
};

static inline const struct synthetic_shape *synthetic_shape_of(const char *variant)
{
    const struct synthetic_shape *shape = synthetic_shapes;
    while (shape->variant && strcmp(shape->variant, variant) != 0)
        shape++;
    return shape;
}

static inline void synthetic_counter(struct rl_capture *capture, size_t kernel, size_t pass, const char *name, double value)
{
    struct rl_counter *counter = rl_capture_add_counter(capture, kernel);
    counter->kind = RL_COUNTER;
    counter->name = rl_capture_text(capture, name);
    counter->value = rl_value_of(value);
    counter->pass = pass;
}

/* What a kernel did, from which its counters follow. */
struct synthetic_work {
    double dram_bytes, flop, elements, time_s;
    const struct synthetic_shape *shape;
};

static inline void synthetic_hardware(struct rl_capture *capture, size_t kernel, const struct synthetic_work *w, double clock)
{
    double cycles = w->time_s * clock;
    const struct {
        const char *name;
        double value;
    } rows[] = {
        {"dram__bytes_read.sum", w->dram_bytes / 2},
        {"dram__bytes_write.sum", w->dram_bytes / 2},
        {"dram__bytes.sum.peak_sustained", 1536},
        {"dram__cycles_elapsed.avg.per_second", 3.2e9},
        {"gpu__time_duration.sum", w->time_s * 1.02e9},
        {"l1tex__t_bytes.sum", w->dram_bytes * 1.3},
        {"l1tex__data_pipe_lsu_wavefronts.sum.peak_sustained", SYNTHETIC_SMS},
        {"l1tex__t_sectors.sum", w->dram_bytes / 32 * 1.3},
        {"l1tex__t_sectors_lookup_hit.sum", w->dram_bytes / 32 * 0.3},
        {"lts__cycles_elapsed.avg.per_second", 1.6e9},
        {"lts__lts2xbar_cycles_active.sum.peak_sustained", 96},
        {"lts__t_sectors_srcunit_tex.sum", w->dram_bytes / 32},
        {"lts__t_tag_requests_hit.sum", w->dram_bytes / 128 * 0.5},
        {"lts__t_tag_requests_miss.sum", w->dram_bytes / 128 * 0.5},
        {"sm__cycles_active.avg", cycles * 0.97},
        {"sm__cycles_elapsed.avg.per_second", clock},
        {"sm__cycles_elapsed.max", cycles},
        {"sm__inst_executed_pipe_tensor.sum", 0},
        {"sm__inst_executed_pipe_tensor_op_hmma_type_hfma2.sum", 0},
        {"sm__warps_active.avg.pct_of_peak_sustained_active", w->shape->registers > 64 ? 29.4 : 88.7},
    };
    for (size_t i = 0; i < RL_COUNT(rows); i++)
        synthetic_counter(capture, kernel, 0, rows[i].name, rows[i].value);
}

static inline void synthetic_sass(struct rl_capture *capture, size_t kernel, const struct synthetic_work *w)
{
    const struct synthetic_shape *s = w->shape;
    double loads = w->elements * 4 / s->bytes_per_load, stores = loads, instructions = 12 * loads + w->flop / 64,
           branches = s->branch_efficiency > 0 ? instructions / 20 : 0;
    double spilled = s->registers == 32 && s->time_s > 0 ? w->elements * 640 : 0;
    double shared = s->conflict > 0 ? loads * 2 : 0, per_thread = 32 * instructions * s->warp_efficiency;
    const struct {
        const char *name;
        double value;
    } rows[] = {
        {"smsp__sass_branch_targets.sum", branches},
        {"smsp__sass_branch_targets_threads_uniform.sum", branches * s->branch_efficiency},
        {"smsp__sass_data_bytes_mem_global_op_ld.sum", loads * s->bytes_per_load},
        {"smsp__sass_data_bytes_mem_global_op_st.sum", stores * s->bytes_per_load},
        {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_local_op_ld.sum", spilled / 64},
        {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_local_op_st.sum", spilled / 64},
        {"smsp__sass_data_bytes_mem_shared.sum", shared * 128},
        {"smsp__sass_inst_executed.sum", instructions},
        {"smsp__sass_inst_executed_op_global_atom.sum", 0},
        {"smsp__sass_inst_executed_op_global_red.sum", 0},
        {"smsp__sass_inst_executed_op_global_ld.sum", loads},
        {"smsp__sass_inst_executed_op_global_st.sum", stores},
        {"smsp__sass_inst_executed_op_shared.sum", shared},
        {"smsp__sass_inst_executed_op_shared_ld.sum", shared / 2},
        {"smsp__sass_inst_executed_op_shared_st.sum", shared / 2},
        {"smsp__sass_inst_executed_op_shared_atom.sum", 0},
        {"smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared.sum", shared * s->conflict},
        {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ld.sum", loads * s->sectors_load},
        {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_st.sum", stores * s->sectors_store},
        {"smsp__sass_thread_inst_executed.sum", per_thread},
        {"smsp__sass_thread_inst_executed_pred_on.sum", per_thread},
        {"smsp__sass_thread_inst_executed_op_dadd_pred_on.sum", 0},
        {"smsp__sass_thread_inst_executed_op_dmul_pred_on.sum", 0},
        {"smsp__sass_thread_inst_executed_op_dfma_pred_on.sum", 0},
        {"smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", 0},
        {"smsp__sass_thread_inst_executed_op_fmul_pred_on.sum", w->flop},
        {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", 0},
        {"smsp__sass_thread_inst_executed_op_hadd_pred_on.sum", 0},
        {"smsp__sass_thread_inst_executed_op_hmul_pred_on.sum", 0},
        {"smsp__sass_thread_inst_executed_op_hfma_pred_on.sum", 0},
        {"smsp__sass_thread_inst_executed_op_dfma_pred_on.sum.peak_sustained", 64.0 * SYNTHETIC_SMS},
        {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum.peak_sustained", 128.0 * SYNTHETIC_SMS},
        {"smsp__sass_thread_inst_executed_op_hfma_pred_on.sum.peak_sustained", 128.0 * SYNTHETIC_SMS},
    };
    for (size_t i = 0; i < RL_COUNT(rows); i++)
        synthetic_counter(capture, kernel, 1, rows[i].name, rows[i].value);
    const char *const absent[] = {"smsp__sass_thread_inst_executed_op_fadd2_pred_on.sum",
                                  "smsp__sass_thread_inst_executed_op_fmul2_pred_on.sum",
                                  "smsp__sass_thread_inst_executed_op_ffma2_pred_on.sum", "smsp__sass_inst_executed_op_utcmma.sum"};
    for (size_t i = 0; i < RL_COUNT(absent); i++) {
        synthetic_counter(capture, kernel, 1, absent[i], 0);
        capture->kernels[kernel].counters[capture->kernels[kernel].counter_count - 1].value =
            rl_value_missing(RL_NOT_ON_CHIP, NULL);
    }
}

/* Samples around a time, all different, the same in every run. */
static inline uint64_t *synthetic_samples(struct rl_capture *capture, double seconds)
{
    uint64_t *samples = rl_arena_alloc(&capture->arena, SYNTHETIC_SAMPLES * sizeof *samples);
    for (size_t i = 0; i < SYNTHETIC_SAMPLES; i++) {
        double wobble = ((double)(i * 7 % SYNTHETIC_SAMPLES) - SYNTHETIC_SAMPLES / 2.0) / SYNTHETIC_SAMPLES * 0.006;
        samples[i] = (uint64_t)llround(seconds * (1 + wobble) * 1e9);
    }
    return samples;
}

static inline void synthetic_times(struct rl_capture *capture, struct rl_kernel *kernel, double seconds)
{
    kernel->timing = rl_capture_text(capture, "activity");
    kernel->duration_count = SYNTHETIC_SAMPLES;
    kernel->duration_ns = synthetic_samples(capture, seconds);
    for (size_t i = 0; i < SYNTHETIC_SAMPLES; i++)
        kernel->total_ns += kernel->duration_ns[i];
    kernel->launches = SYNTHETIC_SAMPLES;
    kernel->launches_per_run = kernel->variant == RL_NONE ? 0 : 1;
}

/* Times of whole runs, for variants that are not measured by kernel. */
static inline void synthetic_runs(struct rl_capture *capture, struct rl_variant *variant, double seconds)
{
    variant->duration_count = SYNTHETIC_SAMPLES;
    variant->duration_ns = synthetic_samples(capture, seconds);
}

static inline size_t synthetic_kernel(struct rl_capture *capture, size_t gpu, size_t variant, const char *name,
                                      const struct synthetic_work *work)
{
    size_t index = capture->kernel_count;
    struct rl_kernel *kernel = rl_capture_add_kernel(capture);
    kernel->gpu = gpu;
    kernel->variant = variant;
    kernel->name = rl_capture_text(capture, name);
    kernel->grid[0] = (uint32_t)fmax(1, fmin(work->elements / 256, 1e6));
    kernel->grid[1] = kernel->grid[2] = 1;
    kernel->block[0] = 256;
    kernel->block[1] = kernel->block[2] = 1;
    kernel->static_shared_bytes = rl_value_of(work->shape->conflict > 0 ? 4224 : 0);
    kernel->registers_per_thread = rl_value_of(work->shape->registers);
    kernel->local_bytes_per_thread = rl_value_of(0);
    synthetic_times(capture, kernel, work->time_s);
    synthetic_hardware(capture, index, work, SYNTHETIC_CLOCK * (1 - 0.0004 * (double)(index % 5)));
    synthetic_sass(capture, index, work);
    return index;
}

static inline void synthetic_claim(struct rl_capture *capture, size_t experiment, const struct rl_suite_claim *c,
                                   const char *source)
{
    static const char *const relations[] = {"about", "at_least", "at_most"};
    struct rl_claim *claim = rl_capture_add_claim(capture, experiment);
    claim->id = rl_capture_text(capture, c->id);
    claim->text = rl_capture_text(capture, c->text);
    claim->quantity = rl_capture_text(capture, c->quantity);
    claim->subject = rl_capture_text(capture, c->subject);
    claim->baseline = rl_capture_text(capture, c->baseline);
    claim->relation = rl_capture_text(capture, relations[c->relation]);
    claim->value = c->value;
    claim->tolerance = c->tolerance;
    claim->card = rl_capture_text(capture, c->card);
    claim->card_specific = c->card_specific;
    claim->source = rl_capture_text(capture, source);
}

/* A timeline: the data go to the card in `pieces` over `streams`, a kernel works on each, each comes back. A piece takes `piece_ns`
 * for each of the three; the two directions of copying and the kernels go on side by side, each one thing at a time. */
static inline void synthetic_timeline(struct rl_capture *capture, struct rl_variant *variant, size_t streams, size_t pieces,
                                      int64_t piece_ns)
{
    static const enum rl_event_kind kinds[] = {RL_EVENT_COPY_TO_DEVICE, RL_EVENT_KERNEL, RL_EVENT_COPY_TO_HOST};
    int64_t engine_free[RL_COUNT(kinds)] = {0}, stream_free[16] = {0};
    assert_in_range(streams, 1, RL_COUNT(stream_free));
    variant->events = rl_arena_alloc(&capture->arena, pieces * RL_COUNT(kinds) * sizeof *variant->events);
    for (size_t i = 0; i < pieces; i++) {
        for (size_t k = 0; k < RL_COUNT(kinds); k++) {
            int64_t *engine = &engine_free[k], *stream = &stream_free[i % streams], start = *engine > *stream ? *engine : *stream;
            *engine = *stream = start + piece_ns;
            variant->events[variant->event_count++] =
                (struct rl_event){kinds[k], (uint32_t)(7 + i % streams), start, *engine, k == 1 ? 0 : 1u << 20};
        }
    }
}

/* What the variant of that index does: as its shape says, else at one of several distances from the roof. */
static inline struct synthetic_work synthetic_work_of(const struct rl_variant *variant, size_t index)
{
    struct synthetic_work work = {.shape = synthetic_shape_of(variant->name), .flop = variant->model_flop.v};
    double slower = work.shape->variant ? 1 : 1 + 0.45 * (double)(index * 5 % 7);
    work.dram_bytes = variant->model_bytes.v * work.shape->waste;
    work.elements = variant->model_bytes.v / 8;
    work.time_s = work.shape->time_s > 0 ? work.shape->time_s
                                         : slower * fmax(work.dram_bytes / (0.92 * SYNTHETIC_DRAM), work.flop / 5e13) + 2e-6;
    return work;
}

/* The kernels of a run: one; two, of which the second is launched twice; or none, as when the host's clock timed it. */
static inline void synthetic_run(struct rl_capture *capture, size_t index, enum rl_measure measure)
{
    struct rl_variant *variant = &capture->variants[index];
    struct synthetic_work work = synthetic_work_of(variant, index);
    size_t parts = measure == RL_BY_KERNEL ? 1 : measure == RL_BY_SPAN ? 2 : 0;
    for (size_t i = 0; i < parts; i++) {
        struct synthetic_work part = work;
        struct rl_buf name = RL_BUF_INIT;
        double share = parts == 1 ? 1 : 1.0 / 3;
        part.dram_bytes *= share;
        part.flop *= share;
        part.elements *= share;
        part.time_s *= share;
        rl_buf_addf(&name, "void %s%s_kernel<float>(float*, float const*, unsigned long)", i ? "second_" : "", variant->name);
        size_t kernel = synthetic_kernel(capture, variant->gpu, index, name.data, &part);
        capture->kernels[kernel].launches_per_run = 1 + i;
        rl_buf_release(&name);
    }
    if (measure != RL_BY_KERNEL)
        synthetic_runs(capture, variant, work.time_s * 1.08 + 4e-6);
}

static inline struct rl_setting *synthetic_settings(struct rl_capture *capture, const struct rl_setting *settings, size_t count)
{
    struct rl_setting *copy = rl_arena_alloc(&capture->arena, count * sizeof *copy);
    for (size_t i = 0; i < count; i++)
        copy[i] = settings[i];
    return copy;
}

static inline void synthetic_variant(struct rl_capture *capture, size_t experiment, size_t gpu,
                                     const struct rl_suite_experiment *suite, const struct rl_suite_variant *v)
{
    struct rl_variant *variant = rl_capture_add_variant(capture);
    variant->experiment = experiment;
    variant->gpu = gpu;
    variant->name = rl_capture_text(capture, v->name);
    variant->description = rl_capture_text(capture, v->description);
    variant->status = RL_VARIANT_DONE;
    variant->result = RL_RESULT_OK;
    variant->measure = rl_capture_text(capture, rl_measure_names[v->measure]);
    variant->size = suite->default_size;
    variant->size_unit = rl_capture_text(capture, suite->size_unit);
    variant->model_flop = rl_suite_model(v, v->flop, suite->default_size);
    variant->model_bytes = rl_suite_model(v, v->bytes, suite->default_size);
    variant->useful_bytes = rl_suite_model(v, v->useful_bytes, suite->default_size);
    variant->operations = rl_suite_model(v, v->operations, suite->default_size);
    while (v->settings && v->settings[variant->setting_count].key)
        variant->setting_count++;
    variant->settings = synthetic_settings(capture, v->settings, variant->setting_count);
    synthetic_run(capture, capture->variant_count - 1, v->measure);
}

/* What the tables and the chart of an experiment are made by. */
static inline void synthetic_declarations(struct rl_capture *capture, struct rl_experiment *e,
                                          const struct rl_suite_experiment *suite)
{
    e->form = (struct rl_experiment_form){.form = suite->form,
                                          .axis = rl_capture_text(capture, suite->axis.key),
                                          .axis_title = rl_capture_text(capture, suite->axis.title),
                                          .axis_unit = suite->axis.unit,
                                          .series = rl_capture_text(capture, suite->series),
                                          .way = rl_capture_text(capture, suite->way)};
    while (suite->columns && suite->columns[e->column_count])
        e->column_count++;
    e->columns = rl_arena_alloc(&capture->arena, e->column_count * sizeof *e->columns);
    for (size_t i = 0; i < e->column_count; i++)
        e->columns[i] = rl_capture_text(capture, suite->columns[i]);
}

static inline void synthetic_experiment(struct rl_capture *capture, size_t gpu, const struct rl_suite_experiment *suite)
{
    size_t index = capture->experiment_count;
    struct rl_experiment *e = rl_capture_add_experiment(capture);
    e->name = rl_capture_text(capture, suite->name);
    e->topic = rl_capture_text(capture, suite->topic);
    e->question = rl_capture_text(capture, suite->question);
    e->explanation = rl_capture_text(capture, suite->explanation);
    e->source = rl_capture_text(capture, suite->source);
    synthetic_declarations(capture, e, suite);
    for (const struct rl_suite_claim *c = suite->claims; c->id; c++)
        synthetic_claim(capture, index, c, suite->source);
    for (const struct rl_suite_variant *v = suite->variants; v->name; v++)
        synthetic_variant(capture, index, gpu, suite, v);
}

/* The `index`-th experiment that no suite has, with `count` variants (at most 6). */
static inline void synthetic_filler(struct rl_capture *capture, size_t index, size_t count)
{
    static const char *const topics[] = {"memory access", "compute", "synchronisation and fusion", "concurrency"};
    static const struct rl_suite_variant ways[] = {
        {.name = "plain", .parameter = {1}},       {.name = "unrolled", .parameter = {8}},
        {.name = "vectorised", .parameter = {64}}, {.name = "staged_async", .parameter = {3}},
        {.name = "fused", .parameter = {20}},      {.name = "cooperative", .parameter = {200}}};
    static const struct rl_suite_claim claims[] = {{.id = "gain",
                                                    .text = "Unrolling makes it at least 1.3 times as fast.",
                                                    .quantity = "time_s",
                                                    .subject = "plain",
                                                    .baseline = "unrolled",
                                                    .relation = RL_AT_LEAST,
                                                    .value = 1.3},
                                                   {.id = NULL}};
    char name[32];
    struct rl_suite_variant variants[RL_COUNT(ways) + 1] = {{0}};
    snprintf(name, sizeof name, "invented_%zu", index);
    for (size_t i = 0; i < count && i < RL_COUNT(ways); i++) {
        variants[i] = ways[i];
        variants[i].description = "One way to do it.";
        variants[i].flop = index % 3 == 0 ? "0" : "n * p";
        variants[i].bytes = variants[i].useful_bytes = "8 * n";
        variants[i].measure = index % 4 == 3 ? RL_BY_WALL : index % 4 == 2 ? RL_BY_SPAN : RL_BY_KERNEL;
    }
    struct rl_suite_experiment suite = {.name = name,
                                        .topic = topics[index % RL_COUNT(topics)],
                                        .question = "Which way of doing it is the fastest?",
                                        .explanation = "Compare the counters.",
                                        .source = "Invented for tests",
                                        .default_size = 1000000 * (index + 1),
                                        .size_unit = "elements",
                                        .variants = variants,
                                        .claims = claims};
    synthetic_experiment(capture, 0, &suite);
}

static inline void synthetic_moment(struct rl_capture *capture, size_t gpu, const char *name, int64_t at_ns, double temperature)
{
    const struct {
        enum rl_reading_id id;
        double value;
    } rows[] = {
        {RL_READING_sm_clock_hz, SYNTHETIC_CLOCK},
        {RL_READING_memory_clock_hz, 3.2e9},
        {RL_READING_temperature_c, temperature},
        {RL_READING_power_w, 10 * temperature},
        {RL_READING_throttle_reasons, 0},
        {RL_READING_performance_state, 0},
        {RL_READING_utilization, 0.02},
        {RL_READING_memory_used_bytes, 2e9},
        {RL_READING_process_count, 1},
    };
    struct rl_gpu_moment *moment = rl_capture_add_moment(capture, gpu);
    moment->moment = rl_capture_text(capture, name);
    moment->at_ns = at_ns;
    for (size_t i = 0; i < RL_COUNT(rows); i++)
        moment->reading[rows[i].id] = rl_value_of(rows[i].value);
}

static inline size_t synthetic_gpu(struct rl_capture *capture, const char *name)
{
    const struct {
        enum rl_fact_id id;
        double value;
    } rows[] = {
        {RL_FACT_sm_count, SYNTHETIC_SMS},
        {RL_FACT_warp_size, 32},
        {RL_FACT_max_threads_per_sm, 2048},
        {RL_FACT_max_blocks_per_sm, 32},
        {RL_FACT_max_threads_per_block, 1024},
        {RL_FACT_registers_per_sm, 65536},
        {RL_FACT_registers_per_block, 65536},
        {RL_FACT_shared_bytes_per_sm, 233472},
        {RL_FACT_shared_bytes_per_block, 49152},
        {RL_FACT_shared_bytes_per_block_optin, 232448},
        {RL_FACT_shared_bytes_reserved_per_block, 1024},
        {RL_FACT_l2_bytes, 62914560},
        {RL_FACT_memory_bytes, 150e9},
        {RL_FACT_memory_bus_bits, 6144},
        {RL_FACT_memory_clock_max_hz, 3.2e9},
        {RL_FACT_sm_clock_max_hz, 1.98e9},
        {RL_FACT_power_limit_w, 700},
        {RL_FACT_ecc_enabled, 1},
        {RL_FACT_ecc_errors_uncorrected, 0},
        {RL_FACT_mig_enabled, 0},
        {RL_FACT_persistence_enabled, 1},
        {RL_FACT_pcie_generation, 5},
        {RL_FACT_pcie_width, 16},
        {RL_FACT_cooperative_launch, 1},
        {RL_FACT_counters_admin_only, 0},
    };
    size_t index = capture->gpu_count;
    struct rl_gpu *gpu = rl_capture_add_gpu(capture);
    gpu->index = (int)index;
    gpu->name = rl_capture_text(capture, name);
    gpu->uuid = rl_capture_text(capture, "GPU-00000000-0000-0000-0000-000000000000");
    gpu->chip = rl_capture_text(capture, "GH100");
    gpu->cc_major = 9;
    for (size_t i = 0; i < RL_COUNT(rows); i++)
        gpu->fact[rows[i].id] = rl_value_of(rows[i].value);
    synthetic_moment(capture, index, "before", 120000000, 34);
    synthetic_moment(capture, index, "after", 48300000000, 51);
    return index;
}

static inline void synthetic_session(struct rl_capture *capture)
{
    static const char *const command[] = {"rooflight", "collect", "-o", "synthetic capture.rlcap"};
    struct rl_session *session = &capture->session;
    session->started = rl_capture_text(capture, "2026-11-21T10:30:40Z");
    session->tool_version = rl_capture_text(capture, "0.1.0");
    session->source = rl_capture_text(capture, "collect");
    session->host = rl_capture_text(capture, "node-17");
    session->os = rl_capture_text(capture, "Linux 6.1.0, x86_64");
    session->driver = rl_capture_text(capture, "000.00 (made up)");
    session->cuda_driver = rl_capture_text(capture, "13.0");
    session->cuda_runtime = rl_capture_text(capture, "13.0");
    session->cupti = rl_capture_text(capture, "13.0.1");
    session->counters = rl_capture_text(capture, "collected");
    session->complete = true;
    session->command_count = RL_COUNT(command);
    session->command = rl_arena_alloc(&capture->arena, sizeof command);
    for (size_t i = 0; i < RL_COUNT(command); i++)
        session->command[i] = rl_capture_text(capture, command[i]);
}

static inline void synthetic_passes(struct rl_capture *capture, size_t gpu)
{
    static const char *const names[] = {"hardware", "sass"};
    for (size_t i = 0; i < RL_COUNT(names); i++) {
        struct rl_pass *pass = rl_capture_add_pass(capture);
        pass->gpu = gpu;
        pass->configuration = rl_capture_text(capture, names[i]);
        pass->mode = rl_capture_text(capture, "user replay");
        pass->cache = rl_capture_text(capture, "warm");
    }
}

/* A session and a card, no kernel yet. */
static inline struct rl_capture *synthetic_empty(void)
{
    struct rl_capture *capture = rl_capture_new();
    synthetic_session(capture);
    size_t gpu = synthetic_gpu(capture, SYNTHETIC_CARD);
    synthetic_passes(capture, gpu);
    capture->sha256 = rl_sha256_of(SYNTHETIC_CARD, strlen(SYNTHETIC_CARD));
    return capture;
}

/* The whole suite on one card. */
static inline struct rl_capture *synthetic_suite(void)
{
    struct rl_capture *capture = synthetic_empty();
    for (size_t i = 0; i < rl_suite_count; i++)
        synthetic_experiment(capture, 0, &rl_suite[i]);
    rl_capture_log(capture, 150000000, RL_LOG_NOTE, "%s", "warm-up done");
    rl_capture_log(capture, 48200000000, RL_LOG_WARNING, "%s", "interval of ilp / serial is wider than 1 % after 2 s of measuring");
    return capture;
}

/* Settings of a configuration and how many they are, for synthetic_ceiling. */
#define SYNTHETIC_SETTINGS(...)                                                                                                    \
    (const struct rl_setting[]){__VA_ARGS__}, sizeof((const struct rl_setting[]){__VA_ARGS__}) / sizeof(struct rl_setting)
#define SYNTHETIC_STREAM(kernel, threads, vectors)                                                                                 \
    SYNTHETIC_SETTINGS(RL_TEXT_SETTING("kernel", kernel), RL_NUMBER_SETTING("data_bytes", BYTE, 0x1p32),                           \
                       RL_NUMBER_SETTING("threads_per_block", COUNT, threads),                                                     \
                       RL_NUMBER_SETTING("vectors_per_thread", COUNT, vectors))
#define SYNTHETIC_FMA(blocks, chains)                                                                                              \
    SYNTHETIC_SETTINGS(RL_TEXT_SETTING("kernel", "FFMA"), RL_NUMBER_SETTING("blocks_per_sm", COUNT, blocks),                       \
                       RL_NUMBER_SETTING("threads_per_block", COUNT, 256), RL_NUMBER_SETTING("chains_per_thread", COUNT, chains))
#define SYNTHETIC_MATRIX                                                                                                           \
    SYNTHETIC_SETTINGS(RL_TEXT_SETTING("kernel", "wgmma bf16"), RL_NUMBER_SETTING("blocks_per_sm", COUNT, 1),                      \
                       RL_NUMBER_SETTING("threads_per_block", COUNT, 256))

/* A run of a micro-benchmark with these settings: `samples` launches around a rate, the first at it. */
static inline void synthetic_ceiling(struct rl_capture *capture, const char *id, enum rl_unit unit, double rate, size_t samples,
                                     const struct rl_setting *settings, size_t setting_count)
{
    struct rl_ceiling_run *run = rl_capture_add_ceiling(capture);
    struct rl_buf words = RL_BUF_INIT;
    rl_settings_text(settings, setting_count, &words);
    run->gpu = 0;
    run->id = rl_capture_text(capture, id);
    run->unit = unit;
    run->configuration = rl_capture_text(capture, words.len ? words.data : "");
    run->settings = synthetic_settings(capture, settings, setting_count);
    run->setting_count = setting_count;
    run->sm_clock_hz = rl_value_of(SYNTHETIC_CLOCK);
    run->memory_clock_hz = rl_value_of(3.2e9);
    run->throttle_reasons = rl_value_of(0);
    run->sample_count = samples;
    run->samples = rl_arena_alloc(&capture->arena, samples * sizeof *run->samples);
    for (size_t i = 0; i < samples; i++)
        run->samples[i] = rate * (1 + 0.001 * ((double)(i * 7 % samples) - (double)(samples / 2)) / (double)samples);
    rl_buf_release(&words);
}

/* Kernels of variants called `tensor` run matrix instructions. */
static inline void synthetic_matrix_units(struct rl_capture *capture)
{
    for (size_t k = 0; k < capture->kernel_count; k++) {
        struct rl_kernel *kernel = &capture->kernels[k];
        if (strcmp(capture->variants[kernel->variant].name, "tensor") != 0)
            continue;
        for (size_t i = 0; i < kernel->counter_count; i++)
            if (strcmp(kernel->counters[i].name, "sm__inst_executed_pipe_tensor.sum") == 0)
                kernel->counters[i].value = rl_value_of(1e9);
    }
}

/* DRAM and FP32 measured in several configurations, L2 above theory, tensor BF16 lower after long load. */
static inline void synthetic_ceilings(struct rl_capture *capture)
{
    synthetic_ceiling(capture, "dram_read", RL_UNIT_BYTE_PER_SECOND, 4.31e12, 5, SYNTHETIC_STREAM("read", 256, 2));
    synthetic_ceiling(capture, "dram_read", RL_UNIT_BYTE_PER_SECOND, 4.51e12, 45, SYNTHETIC_STREAM("read", 512, 4));
    synthetic_ceiling(capture, "dram_read", RL_UNIT_BYTE_PER_SECOND, 4.4e12, 5, SYNTHETIC_STREAM("read once", 512, 8));
    synthetic_ceiling(capture, "dram_copy", RL_UNIT_BYTE_PER_SECOND, 4.1e12, 45, SYNTHETIC_STREAM("copy", 512, 1));
    synthetic_ceiling(capture, "fp32", RL_UNIT_FLOP_PER_SECOND, 5.88e13, 5, SYNTHETIC_FMA(8, 8));
    synthetic_ceiling(capture, "fp32", RL_UNIT_FLOP_PER_SECOND, 5.9e13, 45, SYNTHETIC_FMA(4, 16));
    synthetic_ceiling(capture, "l2_read", RL_UNIT_BYTE_PER_SECOND, 5.4e12, 45,
                      SYNTHETIC_SETTINGS(RL_TEXT_SETTING("kernel", "L2"), RL_NUMBER_SETTING("data_bytes", BYTE, 24 * 0x1p20),
                                         RL_NUMBER_SETTING("blocks_per_sm", COUNT, 4),
                                         RL_NUMBER_SETTING("threads_per_block", COUNT, 512)));
    synthetic_ceiling(capture, "tensor_bf16", RL_UNIT_FLOP_PER_SECOND, 9.1e14, 45, SYNTHETIC_MATRIX);
    synthetic_ceiling(capture, "tensor_bf16_sustained", RL_UNIT_FLOP_PER_SECOND, 7.28e14, 45, SYNTHETIC_MATRIX);
    capture->ceilings[capture->ceiling_count - 1].throttle_reasons = rl_value_of(4);
    capture->ceilings[capture->ceiling_count - 1].sm_clock_hz = rl_value_of(1.41e9);
}

/* The suite with matrix instructions and these ceilings. */
static inline struct rl_capture *synthetic_measured(void)
{
    struct rl_capture *capture = synthetic_suite();
    synthetic_matrix_units(capture);
    synthetic_ceilings(capture);
    return capture;
}

/* As long as the suite may become: 27 experiments with 112 variants, those of the suite first. */
enum { SYNTHETIC_EXPERIMENTS = 27, SYNTHETIC_VARIANTS = 112 };
static inline struct rl_capture *synthetic_long_suite(void)
{
    struct rl_capture *capture = synthetic_suite();
    while (capture->experiment_count < SYNTHETIC_EXPERIMENTS) {
        size_t left = SYNTHETIC_EXPERIMENTS - capture->experiment_count, missing = 2 * left;
        if (capture->variant_count + missing < SYNTHETIC_VARIANTS)
            missing = SYNTHETIC_VARIANTS - capture->variant_count;
        synthetic_filler(capture, capture->experiment_count, left > 1 ? missing / left : missing);
    }
    return capture;
}

/* A program's capture: `count` kernels that belong to no experiment. */
static inline struct rl_capture *synthetic_program(size_t count)
{
    struct rl_capture *capture = synthetic_empty();
    for (size_t i = 0; i < count; i++) {
        double bytes = 1e6 * (double)(1 + i * 37 % 991), intensity = pow(10, (double)(i % 41) / 10 - 1.5);
        struct synthetic_work work = {bytes, bytes * intensity, bytes / 8, 0,
                                      &synthetic_shapes[i % (RL_COUNT(synthetic_shapes) - 1)]};
        work.time_s = fmax(bytes / (0.7 * SYNTHETIC_DRAM), work.flop / 2e13) * (1 + (double)(i % 7)) + 3e-6;
        struct rl_buf name = RL_BUF_INIT;
        rl_buf_addf(&name, "void solver::stage_%zu<float, %zu>(float*, int)", i, i % 9);
        synthetic_kernel(capture, 0, RL_NONE, name.data, &work);
        rl_buf_release(&name);
    }
    return capture;
}

/* Another run of the SASS pass has executed twice as much: the launches of the kernel have done different work. */
static inline void synthetic_differs(struct rl_capture *capture, size_t kernel)
{
    static const char witness[] = "smsp__sass_inst_executed.sum";
    for (size_t i = 0; i < capture->kernels[kernel].counter_count; i++)
        if (strcmp(capture->kernels[kernel].counters[i].name, witness) == 0) {
            synthetic_counter(capture, kernel, 1, witness, 2 * capture->kernels[kernel].counters[i].value.v);
            return;
        }
    fail_msg("kernel %zu has no %s", kernel, witness);
}

/* One kernel whose name is a template of so many characters. */
static inline struct rl_capture *synthetic_long_name(size_t length)
{
    struct rl_capture *capture = synthetic_program(1);
    struct rl_buf name = RL_BUF_INIT;
    rl_buf_adds(&name, "void outer<");
    for (size_t i = 0; name.len < length; i++)
        rl_buf_addf(&name, "inner_%zu<float, std::integral_constant<int, %zu>>, ", i, i);
    rl_buf_truncate(&name, length - 9);
    rl_buf_adds(&name, ">(float*)");
    capture->kernels[0].name = rl_capture_text(capture, name.data);
    rl_buf_release(&name);
    return capture;
}

#endif
