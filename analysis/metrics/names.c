/* names.c - the functions behind the rows of names.def. */
#include "analysis/links.h"
#include "analysis/timeline.h"
#include "limits_decide.h"

/* ---- which FP16 instructions are arithmetic ---- */

/* FP16 instructions below this share of the thread instructions are taken for what compilers make of them in code without any FP16
 * arithmetic: HFMA2 to load a constant, HADD2 to convert to FP32. nvcc 13.0 does the former for compute capability 8.0, 9.0, 10.0
 * and 12.0: 1 to 5 % of the instructions of plain FP32 kernels, up to 13 % of those that only store constants. A kernel that loads
 * 16 bytes and makes four packed FMAs of them has 18 %, a loop of packed FMAs well over half. */
static const double fp16_arithmetic_share = 0.15;

/* HFMA2 of the FMA pipe below this share of all are the rounding of a difference of two passes. */
static const double fma_pipe_share = 0.05;

static struct rl_value truth(bool yes)
{
    return rl_value_of(yes ? 1 : 0);
}

/* Chips with HFMA2 on the tensor pipe (GA100, GH100) load constants there and nowhere else, while the compiler deals packed FMAs
 * out to that pipe and the FMA pipe in turn: one of them on the FMA pipe is arithmetic, however few there are. */
static bool has_fma_pipe_hfma2(struct rl_eval *eval, struct rl_value width)
{
    const struct rl_value threads = eval->ask->counter(eval, "smsp__sass_thread_inst_executed_op_hfma_pred_on.sum");
    const struct rl_value warps = eval->ask->counter(eval, "sm__inst_executed_pipe_tensor_op_hmma_type_hfma2.sum");

    return rl_present(threads) && rl_present(warps) && rl_present(width) &&
           threads.v - width.v * warps.v > fma_pipe_share * threads.v;
}

/* 1 where they are taken for arithmetic: at least 15 % of the thread instructions, or packed FMAs ran on the FMA pipe of a chip
 * that loads constants on the tensor pipe; else 0. Missing where they were not counted. */
static struct rl_value fp16_arithmetic(struct rl_eval *eval, struct rl_value width)
{
    const struct rl_value fp16 = eval->ask->metric(eval, RL_METRIC_fp16_instructions);
    const struct rl_value all = eval->ask->metric(eval, RL_METRIC_thread_instructions);

    if (!rl_present(fp16) || fp16.v == 0)
        return rl_present(fp16) ? truth(false) : fp16;
    return rl_present(all) ? truth(fp16.v >= fp16_arithmetic_share * all.v || has_fma_pipe_hfma2(eval, width)) : all;
}

/* 1 where that is sure: it is 1, there are none, or all are packed FMAs that ran on the tensor pipe of such a chip, where packed
 * FMAs that are arithmetic would be dealt out to both. Otherwise unknown: additions and multiplications may be conversions. */
static struct rl_value fp16_told(struct rl_eval *eval, struct rl_value width)
{
    const struct rl_value fp16 = eval->ask->metric(eval, RL_METRIC_fp16_instructions), arithmetic = fp16_arithmetic(eval, width);
    const struct rl_value fma = eval->ask->counter(eval, "smsp__sass_thread_inst_executed_op_hfma_pred_on.sum");
    const bool has_pipe = rl_present(eval->ask->counter(eval, "sm__inst_executed_pipe_tensor_op_hmma_type_hfma2.sum"));

    if (!rl_present(fp16) || !rl_present(arithmetic))
        return rl_present(fp16) ? arithmetic : fp16;
    if (arithmetic.v > 0 || fp16.v == 0 || (has_pipe && rl_present(fma) && fma.v == fp16.v))
        return truth(true);
    return rl_value_missing(RL_UNDEFINED, "too few FP16 instructions to tell arithmetic from constants and conversions");
}

/* Matrix instructions below this share of the tensor pipe's instructions are the rounding of a difference of two counters. */
static const double tensor_share = 1e-3;

/* The function of a name whose value is one expression. */
#define VALUE(id, ...)                                                                                                             \
    static struct rl_value value_##id(struct rl_eval *eval)                                                                        \
    {                                                                                                                              \
        return __VA_ARGS__;                                                                                                        \
    }

static const struct rl_kernel *kernel_of(const struct rl_eval *eval)
{
    return &eval->capture->kernels[eval->kernel];
}

static const struct rl_kernel_result *result_of(const struct rl_eval *eval)
{
    return &eval->analysis->kernels[eval->kernel];
}

static const struct rl_variant *variant_of(const struct rl_eval *eval)
{
    const size_t variant = kernel_of(eval)->variant;

    return variant == RL_NONE ? NULL : &eval->capture->variants[variant];
}

/* ---- of a launch ---- */

struct rl_value rl_eval_fact(const struct rl_eval *eval, enum rl_fact_id fact)
{
    const struct rl_gpu *gpu = eval->gpu == RL_NONE ? NULL : &eval->capture->gpus[eval->gpu];

    if (!gpu)
        return rl_value_missing(RL_NOT_COLLECTED, NULL);
    if (!rl_present(gpu->fact[fact]) && fact == RL_FACT_warp_size) {
        const struct rl_sm_limits *limits = rl_sm_limits_of(gpu->cc_major * 10 + gpu->cc_minor);
        if (limits)
            return rl_value_of(limits->warp_size);
    }
    return gpu->fact[fact];
}

VALUE(time_s, result_of(eval)->rate_time_s)

static struct rl_value value_time_half_width(struct rl_eval *eval)
{
    const double width = rl_stats_relative_half_width(&result_of(eval)->duration);

    return isfinite(width) ? rl_value_of(width) : rl_value_missing(RL_UNDEFINED, "too few samples for an interval");
}

static struct rl_value value_time_drift(struct rl_eval *eval)
{
    const struct rl_kernel *kernel = kernel_of(eval);

    if (!rl_samples_in_order(eval->capture, eval->kernel))
        return rl_value_missing(RL_NOT_COLLECTED, "the samples are not in the order in which they were measured");
    RL_FREED double *seconds = rl_seconds_of(kernel->duration_ns, kernel->duration_count);
    struct rl_ratio drift = rl_stats_drift(seconds, kernel->duration_count);
    if (!drift.present || !drift.has_interval)
        return rl_value_missing(RL_UNDEFINED, "too few samples to detect drift");
    return rl_value_of(drift.low > 1 ? drift.low - 1 : drift.high < 1 ? 1 - drift.high : 0);
}

/* Captures that others made may not know the shape: then it is 0. */
static struct rl_value count_of(const uint32_t extent[3], const char *unknown)
{
    const double count = (double)extent[0] * extent[1] * extent[2];

    return count > 0 ? rl_value_of(count) : rl_value_missing(RL_NOT_COLLECTED, unknown);
}

VALUE(launch_blocks, count_of(kernel_of(eval)->grid, "grid unknown"))
VALUE(launch_block_threads, count_of(kernel_of(eval)->block, "block size unknown"))

static struct rl_value value_launch_warp_fill(struct rl_eval *eval)
{
    const struct rl_value threads = value_launch_block_threads(eval), warp = rl_eval_fact(eval, RL_FACT_warp_size);

    if (!rl_positive(warp))
        return rl_present(warp) ? rl_value_missing(RL_UNDEFINED, "no warp size") : warp;
    if (!rl_present(threads))
        return threads;
    return rl_value_div(threads, rl_value_of(ceil(threads.v / warp.v) * warp.v), "no threads");
}

VALUE(launch_registers_per_thread, kernel_of(eval)->registers_per_thread)
VALUE(launch_theoretical_occupancy, result_of(eval)->occupancy.fraction)

/* Whether `resource` is what keeps an SM from holding more. At full occupancy nothing is. */
static struct rl_value limited_by(struct rl_eval *eval, unsigned resource)
{
    assert(resource != 0 && (resource & (resource - 1)) == 0); /* one bit */
    const struct rl_occupancy *occupancy = &result_of(eval)->occupancy;

    if (!rl_present(occupancy->fraction))
        return occupancy->fraction;
    return truth((occupancy->limiters & resource) && !(occupancy->limiters & RL_LIMIT_WARPS));
}

VALUE(launch_limited_by_registers, limited_by(eval, RL_LIMIT_REGISTERS))
VALUE(launch_limited_by_shared, limited_by(eval, RL_LIMIT_SHARED))
VALUE(launch_limited_by_blocks, limited_by(eval, RL_LIMIT_BLOCKS))

static struct rl_value value_launch_waves(struct rl_eval *eval)
{
    const struct rl_occupancy *occupancy = &result_of(eval)->occupancy;
    const struct rl_value slots = rl_value_mul(rl_value_of(occupancy->blocks_per_sm), rl_eval_fact(eval, RL_FACT_sm_count));

    if (!rl_present(occupancy->fraction))
        return occupancy->fraction;
    return rl_value_div(value_launch_blocks(eval), slots, "no SMs");
}

static struct rl_value value_launch_wave_efficiency(struct rl_eval *eval)
{
    const struct rl_value waves = eval->ask->name(eval, RL_NAME_launch_waves);

    return rl_present(waves) ? rl_value_div(waves, rl_value_of(ceil(waves.v)), "no blocks") : waves;
}

/* The work model speaks of a whole variant: it is the kernel's only when the variant has no other. */
static bool has_model(const struct rl_eval *eval)
{
    return result_of(eval)->siblings == 1;
}

static struct rl_value no_model(const struct rl_eval *eval)
{
    return rl_value_missing(RL_UNDEFINED, variant_of(eval) ? "the work model is of several kernels together" : "no work model");
}

VALUE(launch_flop, has_model(eval) ? variant_of(eval)->model_flop : no_model(eval))
VALUE(launch_bytes, has_model(eval) ? variant_of(eval)->model_bytes : no_model(eval))
VALUE(launch_useful_bytes, has_model(eval) ? variant_of(eval)->useful_bytes : no_model(eval))
VALUE(launch_fp16_arithmetic, fp16_arithmetic(eval, rl_eval_fact(eval, RL_FACT_warp_size)))
VALUE(launch_fp16_told, fp16_told(eval, rl_eval_fact(eval, RL_FACT_warp_size)))

static struct rl_value value_launch_shared_most(struct rl_eval *eval)
{
    const struct rl_value stage = eval->ask->metric(eval, RL_METRIC_l1_wavefronts);

    return rl_present(stage) ? stage : eval->ask->metric(eval, RL_METRIC_shared_wavefronts);
}

static struct rl_value value_launch_flop_fp16(struct rl_eval *eval)
{
    const struct rl_value counted = eval->ask->metric(eval, RL_METRIC_flop_fp16);

    return counted.state == RL_UNDEFINED ? rl_value_of(0) : counted;
}

static struct rl_value value_launch_flop_tensor(struct rl_eval *eval)
{
    const struct rl_value matrix = eval->ask->metric(eval, RL_METRIC_tensor_instructions);
    const struct rl_value pipe = eval->ask->counter(eval, "sm__inst_executed_pipe_tensor.sum");

    if (eval->chip && eval->chip->tensor_fp16_flop_per_sm_cycle == 0)
        return rl_value_of(0);
    if (!rl_present(matrix))
        return matrix;
    if (matrix.v <= 0 || (rl_present(pipe) && matrix.v < tensor_share * pipe.v))
        return rl_value_of(0);
    return rl_tensor_operations(eval);
}

/* "Not on this chip" for the formulas, so that `else` takes the alternative. */
static struct rl_value printed_peak(const struct rl_eval *eval, const char *name)
{
    const struct rl_counter *peak = rl_kernel_counter(kernel_of(eval), name);

    return peak ? peak->value : rl_value_missing(RL_NOT_ON_CHIP, NULL);
}

VALUE(launch_dram_peak, printed_peak(eval, "dram_peak_bytes_per_second"))
VALUE(launch_l2_peak, printed_peak(eval, "l2_peak_bytes_per_second"))
VALUE(pass_disagreement, result_of(eval)->disagreement)

static struct rl_value value_launch_contradictions(struct rl_eval *eval)
{
    return rl_value_of((double)result_of(eval)->contradictions);
}

VALUE(launch_wrong, truth(result_of(eval)->wrong))

/* No rule concludes from estimates. */
static struct rl_value of_counted(const struct rl_kernel_result *result, struct rl_value value)
{
    return result->limits.sampled ? rl_value_missing(RL_NOT_COLLECTED, "sampled, not counted") : value;
}

VALUE(launch_sms_with_work, of_counted(result_of(eval), rl_sms_with_work(result_of(eval))))
VALUE(roof_share, of_counted(result_of(eval), result_of(eval)->roof_share))
VALUE(roof_time_s, of_counted(result_of(eval), result_of(eval)->roof_time_s))

/* Where the types of matrix operations decide and were not counted, no rule may conclude from the bound. */
static struct rl_value of_types(const struct rl_kernel_result *result, struct rl_value value)
{
    return result->types_matter ? rl_value_missing(RL_NOT_COLLECTED, "matrix operations not counted by type")
                                : of_counted(result, value);
}

VALUE(bound_memory, of_types(result_of(eval), truth(result_of(eval)->bound == RL_BOUND_MEMORY)))
VALUE(bound_compute, of_types(result_of(eval), truth(result_of(eval)->bound == RL_BOUND_COMPUTE)))

static struct rl_value value_no_limiter(struct rl_eval *eval)
{
    const struct rl_kernel_result *result = result_of(eval);
    const struct rl_value share = result->roof_share;
    return of_types(result, rl_present(share) ? truth(result->limits.limiter == RL_RESOURCE_COUNT) : share);
}

VALUE(known_limiter, truth(result_of(eval)->limits.limiter < RL_RESOURCE_COUNT))

static struct rl_value is_limiter(struct rl_eval *eval, enum rl_resource resource)
{
    const struct rl_value none = value_no_limiter(eval);
    return rl_present(none) ? truth(result_of(eval)->limits.limiter == resource) : none;
}

static struct rl_value value_fp64_limits(struct rl_eval *eval)
{
    const struct rl_value flop = is_limiter(eval, RL_RESOURCE_fp64);
    return rl_positive(flop) ? flop : is_limiter(eval, RL_RESOURCE_pipe_fp64);
}

VALUE(dram_limits, is_limiter(eval, RL_RESOURCE_dram))
VALUE(l2_limits, is_limiter(eval, RL_RESOURCE_l2_read))
VALUE(dispatch_share, result_of(eval)->limits.of[RL_RESOURCE_dispatch].share)
VALUE(atomics_limit, is_limiter(eval, RL_RESOURCE_atomic_unit))
VALUE(one_word_limits, is_limiter(eval, RL_RESOURCE_atomics))
VALUE(launch_bytes_in_flight, of_counted(result_of(eval), result_of(eval)->limits.in_flight.bytes))
VALUE(launch_bytes_needed, of_counted(result_of(eval), result_of(eval)->limits.in_flight.needed))

/* Whether L1 looked up sectors that no load or store has: asynchronous copies and textures, for which warps wait, too. Those of
 * atomic operations are among them. */
static bool waits_for_others(struct rl_eval *eval)
{
    static const double most = 1.05;
    const struct rl_value looked_up = eval->ask->counter(eval, "l1tex__t_sectors.sum"),
                          atomics = eval->ask->metric(eval, RL_METRIC_global_atomics),
                          local = eval->ask->metric(eval, RL_METRIC_spill_bytes),
                          global = eval->ask->metric(eval, RL_METRIC_global_sectors);

    return rl_present(looked_up) && rl_present(global) && rl_present(local) && !(rl_positive(atomics)) &&
           looked_up.v > most * (global.v + local.v / 32);
}

static struct rl_value value_launch_wait_s(struct rl_eval *eval)
{
    if (waits_for_others(eval) || rl_copies_in_bulk(result_of(eval)))
        return rl_value_missing(RL_UNDEFINED, "warps wait for asynchronous copies or textures, too");
    const struct rl_value waits = eval->ask->counter(eval, "smsp__warps_issue_stalled_long_scoreboard.sum"),
                          loads = eval->ask->counter(eval, "smsp__sass_inst_executed_op_global_ld.sum"),
                          atomics = eval->ask->counter(eval, "smsp__sass_inst_executed_op_global_atom.sum"),
                          cycles = rl_value_div(waits, rl_value_add(loads, atomics), "no global loads");
    return rl_value_div(cycles, eval->ask->metric(eval, RL_METRIC_sm_clock_hz), "no clock");
}

VALUE(launch_unloaded_s, result_of(eval)->limits.in_flight.unloaded_s)

static struct rl_value value_launch_latency_share(struct rl_eval *eval)
{
    struct rl_value share = eval->ask->metric(eval, RL_METRIC_stall_long_scoreboard);
    share = rl_value_add(share, eval->ask->metric(eval, RL_METRIC_stall_barrier));
    share = rl_value_add(share, eval->ask->metric(eval, RL_METRIC_stall_wait));
    return rl_present(share) && result_of(eval)->limits.in_flight.queued ? rl_value_of(0) : share;
}

VALUE(sampled_stall_low, rl_sampled_stall_low(result_of(eval)))
VALUE(above_roof, rl_value_of(result_of(eval)->above_roof_ratio))

/* ---- of a GPU ---- */

static struct rl_value value_card_clock_spread(struct rl_eval *eval)
{
    const struct rl_stats *clock = &eval->analysis->gpus[eval->gpu].sm_clock;

    if (clock->n == 0 || clock->median <= 0)
        return rl_value_missing(RL_NOT_COLLECTED, "no clock was counted");
    return rl_value_of((clock->max - clock->min) / clock->median);
}

static struct rl_value value_card_throttled(struct rl_eval *eval)
{
    const struct rl_gpu *gpu = &eval->capture->gpus[eval->gpu];
    const size_t *runs, run_count = rl_group(&eval->analysis->index.ceilings_of_gpu, eval->gpu, &runs);

    double count = RL_SUM(double, i, gpu->moment_count, rl_clock_throttled(gpu->moments[i].reading[RL_READING_throttle_reasons]));
    for (size_t i = 0; i < run_count; i++)
        count += rl_clock_throttled(eval->capture->ceilings[runs[i]].throttle_reasons);
    return rl_value_of(count);
}

static struct rl_value value_card_processes(struct rl_eval *eval)
{
    const struct rl_gpu *gpu = &eval->capture->gpus[eval->gpu];
    struct rl_value most = rl_value_missing(RL_NOT_COLLECTED, NULL);

    for (size_t i = 0; i < gpu->moment_count; i++) {
        const struct rl_value seen = gpu->moments[i].reading[RL_READING_process_count];
        if (rl_present(seen) && (!rl_present(most) || seen.v > most.v))
            most = seen;
    }
    return most;
}

VALUE(card_idle, rl_card_idle(eval))
VALUE(card_gap_copy, rl_gap_share(eval->analysis, eval->gpu, RL_LANE_IDLE_COPY))
VALUE(card_gap_wait, rl_gap_share(eval->analysis, eval->gpu, RL_LANE_IDLE_WAIT))
VALUE(card_gap_launch, rl_gap_share(eval->analysis, eval->gpu, RL_LANE_IDLE_LAUNCH))
VALUE(card_gap_host, rl_gap_share(eval->analysis, eval->gpu, RL_LANE_IDLE_HOST))
VALUE(card_pageable_share, rl_card_pageable_share(eval))
VALUE(card_copy_gain, rl_card_copy_gain(eval))

/* PCI Express Base Specification: bytes per second and lane by generation, 8b/10b, from 3.0 on 128b/130b, 6.0 in 256-byte flits of
 * which 242 are packets. */
static struct rl_value value_card_link_bytes_per_second(struct rl_eval *eval)
{
    const struct rl_value *fact = eval->capture->gpus[eval->gpu].fact;

    return rl_pcie_bytes_per_second(fact[RL_FACT_pcie_generation], fact[RL_FACT_pcie_width]);
}

VALUE(card_matrix_share, rl_value_of(eval->card ? eval->card->matrix_share : 1))

/* The smallest (sign 1) or largest (sign -1) of a share over the GPU's ceilings. A roof and the benchmark that measures it have
 * the same one. */
static struct rl_value extreme_share(const struct rl_eval *eval, size_t offset, double sign)
{
    struct rl_value extreme = rl_value_missing(RL_NOT_COLLECTED, "nothing to compare with");

    for (size_t i = 0; i < RL_CEILING_COUNT; i++) {
        struct rl_value share;
        memcpy(&share, (const char *)&eval->analysis->gpus[eval->gpu].ceiling[i] + offset, sizeof share);
        if (rl_present(share) && (!rl_present(extreme) || sign * share.v < sign * extreme.v))
            extreme = share;
    }
    return extreme;
}

VALUE(card_ceiling_least, extreme_share(eval, offsetof(struct rl_ceiling, published_share), 1))
VALUE(card_ceiling_greatest, extreme_share(eval, offsetof(struct rl_ceiling, published_share), -1))
VALUE(card_sustained_least, extreme_share(eval, offsetof(struct rl_ceiling, sustained_share), 1))

static struct rl_value value_card_ceilings_refused(struct rl_eval *eval)
{
    double count = 0;

    for (size_t i = 0; i < RL_CEILING_COUNT; i++) {
        const struct rl_ceiling *ceiling = &eval->analysis->gpus[eval->gpu].ceiling[i];
        count += ceiling->refused && rl_ceiling_listed(ceiling, (enum rl_ceiling_id)i);
    }
    return rl_value_of(count);
}

VALUE(card_kernels, rl_kernels_to_count(eval, false))
VALUE(card_kernels_uncounted, rl_kernels_to_count(eval, true))
VALUE(session_incomplete, truth(!eval->capture->session.complete))

static struct rl_value (*const functions[RL_NAME_COUNT])(struct rl_eval *) = {
#define NAME(id, ...) [RL_NAME_##id] = value_##id,
#include "analysis/names.def"
};

struct rl_value rl_name_value(struct rl_eval *eval, enum rl_name name)
{
    assert(name < RL_NAME_COUNT);
    const bool there[] = {
        [RL_OF_LAUNCH] = eval->kernel != RL_NONE,
        [RL_OF_CARD] = eval->gpu != RL_NONE,
        [RL_OF_SESSION] = true,
    };

    return there[rl_names[name].subject] ? functions[name](eval) : rl_value_missing(RL_NOT_COLLECTED, NULL);
}
