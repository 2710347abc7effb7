/* limits.c - time at every resource (see limits.h). What follows from it: limits_decide.c. */
#include "analysis/limits.h"

#include "limits_decide.h"

/* ---- roofs ---- */

/* A roof and its 95 % CI; `figure` is missing where there is none. */
struct roof {
    struct rl_value figure;
    double low, high; /* over the figure */
    bool measured;
};

static struct roof no_roof(struct rl_value why)
{
    return (struct roof){.figure = why, .low = 1, .high = 1};
}

/* Interval of a measured figure as shares of its median. */
static void spread(const struct rl_stats *measured, struct roof *roof)
{
    roof->measured = true;
    if (measured->has_interval && measured->median > 0) {
        roof->low = measured->low / measured->median;
        roof->high = measured->high / measured->median;
    }
}

/* The roof at the clock at which the launch was counted, where it goes with the clock. The evaluator points at the launch. */
static struct roof roof_of(struct rl_eval *eval, const struct rl_gpu_result *card, enum rl_ceiling_id id)
{
    const struct rl_ceiling *ceiling = &card->ceiling[id];
    const struct rl_value own = rl_eval_ceiling(eval, id);
    struct roof roof = no_roof(ceiling->measured.n || !rl_present(own) ? rl_ceiling_figure(ceiling) : own);
    if (ceiling->measured.n) {
        spread(&ceiling->measured, &roof);
        if (ceiling->by_clock && rl_present(ceiling->share) && rl_present(own))
            roof.figure = rl_value_mul(ceiling->share, own);
    }
    return roof;
}

/* Measured mixes of DRAM traffic, by the share of it that is read. */
const struct rl_roof_at rl_dram_mixes[] = {
    {0, RL_CEILING_dram_write},       {0.25, RL_CEILING_dram_mix_1_3}, {0.5, RL_CEILING_dram_copy},
    {2.0 / 3, RL_CEILING_dram_triad}, {0.75, RL_CEILING_dram_mix_3_1}, {1, RL_CEILING_dram},
};
const size_t rl_dram_mix_count = RL_COUNT(rl_dram_mixes);

/* Between the two mixes that were measured and are nearest on either side, the rate is taken to go in a straight line. */
static struct roof mixed_roof(struct rl_eval *eval, const struct rl_gpu_result *card)
{
    const struct rl_value read = rl_value_div(rl_eval_metric(eval, RL_METRIC_dram_read_bytes),
                                              rl_eval_metric(eval, RL_METRIC_dram_bytes), "no DRAM traffic");
    struct roof roof = roof_of(eval, card, RL_CEILING_dram);
    size_t below = RL_COUNT(rl_dram_mixes), above = RL_COUNT(rl_dram_mixes);
    for (size_t i = 0; i < RL_COUNT(rl_dram_mixes) && rl_present(read); i++) {
        if (card->ceiling[rl_dram_mixes[i].ceiling].measured.n == 0)
            continue;
        if (rl_dram_mixes[i].at <= read.v)
            below = i;
        if (rl_dram_mixes[i].at >= read.v && above == RL_COUNT(rl_dram_mixes))
            above = i;
    }
    if (below == RL_COUNT(rl_dram_mixes) || above == RL_COUNT(rl_dram_mixes))
        return roof;
    const struct rl_roof_at *low = &rl_dram_mixes[below], *high = &rl_dram_mixes[above];
    const struct roof less = roof_of(eval, card, low->ceiling), more = roof_of(eval, card, high->ceiling);
    const double span = high->at - low->at, at = span > 0 ? (read.v - low->at) / span : 0;
    roof.figure = rl_value_of(less.figure.v + at * (more.figure.v - less.figure.v));
    roof.low = fmin(less.low, more.low);
    roof.high = fmax(less.high, more.high);
    roof.measured = true;
    return roof;
}

/* Measured rates of starting blocks, by their threads. */
const struct rl_roof_at rl_block_sizes[] = {
    {32, RL_CEILING_dispatch_32},   {64, RL_CEILING_dispatch_64},   {128, RL_CEILING_dispatch_128},
    {256, RL_CEILING_dispatch_256}, {512, RL_CEILING_dispatch_512}, {1024, RL_CEILING_dispatch_1024},
};
const size_t rl_block_size_count = RL_COUNT(rl_block_sizes);

/* The measured sizes that are nearest to `threads` on either side; both the same at one of them and beyond all. False: there is
 * none. */
static bool nearest_sizes(const struct rl_gpu_result *card, double threads, size_t *below, size_t *above)
{
    *below = *above = RL_COUNT(rl_block_sizes);
    for (size_t i = 0; i < RL_COUNT(rl_block_sizes); i++) {
        if (card->ceiling[rl_block_sizes[i].ceiling].measured.n == 0)
            continue;
        if (rl_block_sizes[i].at <= threads || *below == RL_COUNT(rl_block_sizes))
            *below = i;
        if (rl_block_sizes[i].at >= threads && *above == RL_COUNT(rl_block_sizes))
            *above = i;
    }
    if (*above == RL_COUNT(rl_block_sizes) || rl_block_sizes[*below].at > threads)
        *above = *below;
    return *below < RL_COUNT(rl_block_sizes);
}

/* Between two measured sizes the time of a block is taken to go in a straight line. Missing where none was measured. */
static struct roof sized_roof(struct rl_eval *eval, const struct rl_gpu_result *card)
{
    const struct rl_value threads = rl_eval_name(eval, RL_NAME_launch_block_threads);
    size_t below, above;
    if (!rl_present(threads) || !nearest_sizes(card, threads.v, &below, &above))
        return no_roof(rl_value_missing(RL_NOT_COLLECTED, "no roof was measured"));
    struct roof roof = roof_of(eval, card, rl_block_sizes[below].ceiling);
    const struct roof more = roof_of(eval, card, rl_block_sizes[above].ceiling);
    if (below == above || !rl_present(roof.figure) || !rl_present(more.figure) || roof.figure.v <= 0 || more.figure.v <= 0)
        return roof;
    const double at = (threads.v - rl_block_sizes[below].at) / (rl_block_sizes[above].at - rl_block_sizes[below].at);
    roof.figure = rl_value_of(1 / (1 / roof.figure.v + at * (1 / more.figure.v - 1 / roof.figure.v)));
    roof.low = fmin(roof.low, more.low);
    roof.high = fmax(roof.high, more.high);
    return roof;
}

/* The most that a unit takes, so far as what was measured of it came up to that. */
static struct roof attained_roof(struct rl_eval *eval, const struct rl_gpu_result *card, size_t demand)
{
    const struct rl_ceiling *ceiling = &card->ceiling[rl_demands[demand].roof];
    struct roof roof = no_roof(rl_eval_formula(eval, eval->formulas.rate[demand], NULL));
    if (ceiling->measured.n && rl_present(ceiling->share) && rl_present(roof.figure)) {
        spread(&ceiling->measured, &roof);
        roof.figure = rl_value_mul(roof.figure, ceiling->share);
    }
    return roof;
}

static struct roof roof_of_demand(struct rl_eval *eval, const struct rl_gpu_result *card, size_t demand)
{
    const struct rl_demand_info *row = &rl_demands[demand];
    if (row->mixed)
        return mixed_roof(eval, card);
    const struct roof sized = row->sized ? sized_roof(eval, card) : no_roof(rl_value_missing(RL_NOT_COLLECTED, NULL));
    if (rl_present(sized.figure))
        return sized;
    if (row->roof < RL_CEILING_COUNT)
        return row->rate ? attained_roof(eval, card, demand) : roof_of(eval, card, (enum rl_ceiling_id)row->roof);
    return no_roof(eval->formulas.rate[demand] ? rl_eval_formula(eval, eval->formulas.rate[demand], NULL)
                                               : rl_value_missing(RL_NOT_COLLECTED, "no roof was measured"));
}

/* ---- time at them ---- */

/* Sums over the demands on a resource, at the roofs and at both ends of their intervals. */
struct sum {
    struct rl_value time_s;
    double least_s, most_s;
    bool measured, no_roof, too_little;
    bool others; /* some of the work was counted of other launches than those that gave the time */
};

static void add_time(struct sum *sum, struct rl_value work, const struct roof *roof)
{
    if (!rl_positive(work)) {
        sum->too_little |= work.state == RL_UNDEFINED;
        sum->time_s = rl_present(work) ? sum->time_s : rl_present(sum->time_s) ? work : sum->time_s;
        return;
    }
    const struct rl_value time = rl_value_div(work, roof->figure, "no roof");
    sum->no_roof |= !rl_present(time);
    sum->time_s = rl_value_add(sum->time_s, time);
    sum->measured &= roof->measured;
    sum->least_s += rl_present(time) ? time.v / roof->high : 0;
    sum->most_s += rl_present(time) ? time.v / roof->low : 0;
}

/* The work, or what stands for it where it was not counted. */
static const struct rl_formula *formula_of_work(struct rl_eval *eval, size_t demand)
{
    const struct rl_formula *instead = eval->formulas.instead[demand];
    return !instead || rl_present(rl_eval_formula(eval, eval->formulas.work[demand], NULL)) ? eval->formulas.work[demand] : instead;
}

static struct rl_value work_of(struct rl_eval *eval, size_t demand)
{
    return rl_eval_formula(eval, formula_of_work(eval, demand), NULL);
}

/* The work of a resource with one demand. */
static struct rl_value work_at(struct rl_eval *eval, enum rl_resource resource)
{
    size_t demand = 0;
    while (rl_demands[demand].resource != resource)
        demand++;
    return work_of(eval, demand);
}

/* Share of the median time; what is a billion times as much as there is says that a counter or a roof is wrong. */
static struct rl_value share_of(struct rl_value time_s, struct rl_value duration_s)
{
    static const double most = 1e9;
    const struct rl_value share = rl_value_div(time_s, duration_s, "no duration");
    return rl_present(share) && share.v > most ? rl_value_missing(RL_VALUE_FAILED, "a billion times its roof") : share;
}

/* No launch exceeds its roofs: an interval reaches past them no farther than the share itself, which rl_kernel_above_roof judges.
 */
static void end_at_roof(struct rl_limit *limit)
{
    if (rl_present(limit->share))
        limit->high = fmin(limit->high, fmax(limit->share.v, 1));
}

static struct rl_limit of_sum(const struct sum *sum, const struct rl_kernel_result *result)
{
    struct rl_limit limit = {.time_s = sum->time_s, .measured = sum->measured && rl_present(sum->time_s), .no_roof = sum->no_roof};
    const struct rl_stats *duration = &result->duration;
    limit.too_little = sum->too_little && !rl_present(limit.time_s) && limit.time_s.state == RL_UNDEFINED;
    if (result->unlike && rl_present(limit.time_s))
        limit.time_s = rl_value_missing(RL_DISAGREES, NULL);
    limit.share = share_of(limit.time_s, result->rate_time_s);
    limit.low = limit.high = rl_present(limit.share) ? limit.share.v : 0;
    if (!rl_present(limit.share))
        return limit;
    if (result->disagrees) {
        /* Launches that did different work. How much they differ is known of one counter, and taken for that of any but those of
         * the pass that has timed its launches. A share whose range, with that difference, reaches the smallest that limits is
         * unknown.
         */
        const bool own = result->own_pass != RL_NONE && !sum->others;
        const double least = own ? 1 : 1 - result->disagreement.v;
        limit.low = fmin(limit.share.v, sum->least_s * least / result->rate_time_s.v);
        limit.high = least > 0 ? fmax(limit.share.v, sum->most_s / (least * result->rate_time_s.v)) : INFINITY;
        if (!own && limit.low < RL_BOUND_SHARE && limit.high >= RL_BOUND_SHARE) {
            limit.time_s = rl_value_missing(RL_DISAGREES, NULL);
            limit.share = limit.time_s;
            limit.low = limit.high = 0;
        }
    } else if (duration->has_interval && duration->low > 0) {
        limit.low = fmin(limit.share.v, sum->least_s / duration->high);
        limit.high = fmax(limit.share.v, sum->most_s / duration->low);
    }
    end_at_roof(&limit);
    return limit;
}

static struct rl_limit limit_of(struct rl_eval *eval, const struct rl_gpu_result *card, const struct rl_kernel_result *result,
                                enum rl_resource resource)
{
    struct sum sum = {.time_s = rl_value_of(0), .measured = true};
    for (size_t i = 0; i < RL_DEMAND_COUNT; i++) {
        if (rl_demands[i].resource != resource)
            continue;
        if (rl_demands[i].matrices) {
            /* Types of matrix operands share the pipe. */
            for (size_t j = 0; j < RL_ARITHMETICS; j++) {
                if (!rl_arithmetics[j].matrix)
                    continue;
                struct roof roof = roof_of(eval, card, rl_arithmetics[j].roof);
                if (roof.figure.state == RL_NOT_ON_CHIP)
                    roof.figure = rl_value_missing(RL_NOT_COLLECTED, "no roof for a type of its matrix operations");
                add_time(&sum, rl_arithmetic_work(result->metric, j), &roof);
            }
            sum.others = true; /* other passes count them */
            continue;
        }
        const struct roof roof = roof_of_demand(eval, card, i);
        add_time(&sum, work_of(eval, i), &roof);
        sum.others |= result->own_pass != RL_NONE && !rl_eval_is_of_pass(eval, formula_of_work(eval, i), result->own_pass);
    }
    return of_sum(&sum, result);
}

/* The atomic unit of the busiest L2 slice takes one operation a cycle. Where it has about as many cycles as all of the launch has
 * atomic instructions, or more, they all meet in one slice, as they do on one word. */
static struct rl_value on_one_word(struct rl_eval *eval)
{
    static const double nearly_all = 0.9;
    const struct rl_value atomics = rl_eval_metric(eval, RL_METRIC_global_atomics);
    const struct rl_value operations = work_at(eval, RL_RESOURCE_atomic_unit);
    return rl_present(operations) && rl_positive(atomics) && operations.v >= nearly_all * atomics.v
               ? operations
               : rl_value_missing(RL_UNDEFINED, "they do not meet on one word");
}

/* Additions of floating-point numbers to one word are slower than what the atomic unit takes, and nothing counts of which kind
 * operations are: a launch that runs at their measured rate is taken to consist of them, with any other the atomic unit speaks. */
static void limit_one_word(struct rl_eval *eval, const struct rl_gpu_result *card, const struct rl_kernel_result *result,
                           struct rl_limit *limit)
{
    static const double at_rate = 0.97, above = 1.01;
    const struct roof roof = roof_of(eval, card, RL_CEILING_l2_atomic_same_fp32);
    struct sum sum = {.time_s = rl_value_of(0), .measured = true};
    add_time(&sum, on_one_word(eval), &roof);
    const struct rl_value share = rl_value_div(sum.time_s, result->rate_time_s, "no duration");
    if (rl_present(share) && share.v >= at_rate && share.v <= above && !result->disagrees)
        *limit = of_sum(&sum, result);
}

/* Another profiler's share of the DRAM's peak, where neither bytes nor the peak say it: what it prints by default. */
static void limit_as_printed(const struct rl_eval *eval, const struct rl_kernel_result *result, struct rl_limit *limit)
{
    static const char *const shares[] = {"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed",
                                         "dram__throughput.avg.pct_of_peak_sustained_elapsed",
                                         "dram__bytes.sum.pct_of_peak_sustained_elapsed"};
    for (size_t i = 0; i < RL_COUNT(shares); i++) {
        const struct rl_counter *counter = rl_kernel_counter(&eval->capture->kernels[eval->kernel], shares[i]);
        if (!counter || !rl_present(counter->value) || rl_present(limit->share) || result->disagrees)
            continue;
        *limit = (struct rl_limit){.time_s = rl_value_mul(counter->value, result->rate_time_s), .share = counter->value};
        limit->low = limit->high = counter->value.v;
    }
}

/* ---- from samples ---- */

static void limit_all(struct rl_eval *eval, const struct rl_gpu_result *card, const struct rl_kernel_result *result,
                      struct rl_limit *limits)
{
    for (size_t r = 0; r < RL_RESOURCE_COUNT; r++)
        limits[r] = limit_of(eval, card, result, (enum rl_resource)r);
    limit_one_word(eval, card, result, &limits[RL_RESOURCE_atomics]);
    limit_as_printed(eval, result, &limits[RL_RESOURCE_dram]);
}

/* A share that may or may not limit, because its interval is too wide, is unknown. */
static void widen(struct rl_limit *limit, double half_width)
{
    if (!rl_present(limit->share))
        return;
    limit->low = fmax(0, limit->low - half_width);
    limit->high += half_width;
    end_at_roof(limit);
    if (half_width <= RL_SAMPLED_WIDEST * limit->share.v || limit->high < RL_BOUND_SHARE)
        return;
    limit->time_s = rl_value_missing(RL_UNDEFINED, "the interval of its sampled value is too wide");
    limit->share = limit->time_s;
}

/* Whether that much work takes too little of the time for its resource to limit. */
static bool is_too_little(const struct roof *roof, double work, struct rl_value time_s)
{
    return rl_positive(roof->figure) && rl_present(time_s) && work / (roof->figure.v * roof->low) < RL_BOUND_SHARE * time_s.v;
}

/* Arithmetic that was not counted, and operations of a thread in one instruction: no launch does more of it than its instructions
 * could, or those of the pipe that alone does it on every chip. */
static const struct {
    enum rl_resource resource;
    enum rl_ceiling_id roof;
    double operations;
    enum rl_sampled_counter pipe; /* RL_SAMPLED_instructions: of any pipe; RL_SAMPLED_fp64: cycles */
    enum rl_resource cycles;      /* of that pipe; RL_RESOURCE_COUNT: it has none of its own on some chips */
} arithmetic[] = {
    {RL_RESOURCE_fp64, RL_CEILING_fp64, 2, RL_SAMPLED_fp64, RL_RESOURCE_pipe_fp64},
    {RL_RESOURCE_fp32, RL_CEILING_fp32, 4, RL_SAMPLED_fma, RL_RESOURCE_pipe_fma}, /* packed, where the chip has that */
    {RL_RESOURCE_fp16, RL_CEILING_fp16, 4, RL_SAMPLED_instructions, RL_RESOURCE_COUNT},
};

/* Work that is part of that of a unit whose cycles the hardware counts: wavefronts of shared memory pass the data stage of L1. */
static const struct {
    enum rl_resource resource;
    enum rl_ceiling_id roof;
    enum rl_resource cycles;
} parts[] = {
    {RL_RESOURCE_tensor, RL_CEILING_tensor_fp16, RL_RESOURCE_pipe_tensor},
    {RL_RESOURCE_shared, RL_CEILING_shared, RL_RESOURCE_l1_data},
};

/* The most that a launch asks of a roof, by the cycles of the unit that does the work; INFINITY: they were not counted. */
static double most_by_cycles(const struct rl_gpu_result *card, const struct rl_kernel_result *result, enum rl_resource pipe,
                             const struct roof *roof, enum rl_ceiling_id ceiling)
{
    const struct rl_value of_theory = card->ceiling[ceiling].share;
    if (pipe == RL_RESOURCE_COUNT || !rl_present(result->limits.of[pipe].share))
        return INFINITY;
    return result->limits.of[pipe].high / ((rl_present(of_theory) ? of_theory.v : 1) * roof->low);
}

/* Instructions that an SM takes at most in one of what is sampled of a pipe: however the cycles of its parts are counted, it has no
 * more lanes than it has. */
static double most_in_one(const struct rl_eval *eval, enum rl_sampled_counter pipe, double warp_size)
{
    if (pipe != RL_SAMPLED_fp64)
        return 1;
    return eval->chip ? fmax(1, eval->chip->fp64_per_sm / warp_size) : INFINITY;
}

/* The most instructions that a pipe may have had. */
static double most_instructions(const struct rl_eval *eval, const struct rl_sampled_values *values, enum rl_sampled_counter pipe,
                                double warp_size)
{
    return fmin(values->most[RL_SAMPLED_instructions], values->most[pipe] * most_in_one(eval, pipe, warp_size));
}

static void bound_arithmetic(struct rl_eval *eval, const struct rl_gpu_result *card, struct rl_kernel_result *result,
                             const struct rl_sampled_values *values)
{
    const struct rl_value warp = rl_eval_fact(eval, RL_FACT_warp_size), time_s = result->rate_time_s;
    if (!rl_present(warp) || !rl_present(time_s))
        return;
    for (size_t i = 0; i < RL_COUNT(arithmetic); i++) {
        struct rl_limit *limit = &result->limits.of[arithmetic[i].resource];
        const struct roof roof = roof_of(eval, card, arithmetic[i].roof);
        const double most = most_instructions(eval, values, arithmetic[i].pipe, warp.v) * warp.v * arithmetic[i].operations;
        limit->too_little |= !rl_present(limit->share) && is_too_little(&roof, most, time_s);
    }
}

/* Operations that were not counted, from how long the pipes were busy that do them: as long as operations at the chip's full rate
 * would have kept them busy. Of matrix operations that is the rate of FP16, whatever their type. */
static const struct {
    enum rl_resource resource;
    enum rl_ceiling_id roof;
    enum rl_sampled_counter active; /* cycles */
} pipes[] = {
    {RL_RESOURCE_tensor, RL_CEILING_tensor_fp16, RL_SAMPLED_tensor},
    {RL_RESOURCE_fp64, RL_CEILING_fp64, RL_SAMPLED_fp64},
};

/* FLOP in a cycle of a busy pipe as PM sampling counts those; 0: unknown. */
static double flop_at_once(const struct rl_chip *chip, enum rl_sampled_counter active)
{
    static const int flop_per_fma = 2;
    const int per_sm = active == RL_SAMPLED_tensor ? chip->sampled_tensor_per_sm : chip->sampled_fp64_per_sm,
              rate = active == RL_SAMPLED_tensor ? chip->tensor_fp16_flop_per_sm_cycle : flop_per_fma * chip->fp64_per_sm;
    return per_sm ? (double)rate / per_sm : 0;
}

/* Samples of shared memory hold wavefronts of shuffles and of the data of stores: they bound what the launch asked of it. Where the
 * bound comes near the roof, whether shared memory limits is unknown. */
static void bound_shared(struct rl_eval *eval, const struct rl_gpu_result *card, struct rl_kernel_result *result,
                         const struct rl_sampled_values *values)
{
    static const double bytes_per_wavefront = 128;
    struct rl_limit *limit = &result->limits.of[RL_RESOURCE_shared];
    const struct roof roof = roof_of(eval, card, RL_CEILING_shared);
    const double most = values->most[RL_SAMPLED_shared] * bytes_per_wavefront;
    if (rl_present(limit->share) || !isfinite(most) || !rl_positive(roof.figure) || !rl_present(result->rate_time_s))
        return;
    limit->too_little = is_too_little(&roof, most, result->rate_time_s);
    limit->unjudged = !limit->too_little;
    limit->time_s = rl_value_missing(RL_UNDEFINED, "samples hold wavefronts of shuffles and of stores with it");
    limit->share = limit->time_s;
}

/* Where at most half of the SMs have a block, what each SM has is at most at half of its peak. That leaves room for a
 * measured roof below it. */
static void bound_by_grid(struct rl_eval *eval, struct rl_kernel_result *result)
{
    static const double few = 0.5;
    const struct rl_value blocks = rl_eval_name(eval, RL_NAME_launch_blocks), sms = rl_eval_fact(eval, RL_FACT_sm_count);
    if (!rl_present(blocks) || !rl_present(sms) || blocks.v > few * sms.v)
        return;
    for (size_t r = 0; r < RL_RESOURCE_COUNT; r++)
        result->limits.of[r].too_little |= rl_resources[r].in_sm && !rl_present(result->limits.of[r].share);
}

static void limit_pipe(struct rl_eval *eval, const struct rl_gpu_result *card, struct rl_kernel_result *result,
                       const struct rl_sampled_values *values, size_t pipe)
{
    struct rl_limit *limit = &result->limits.of[pipes[pipe].resource];
    const struct rl_value busy = values->value[pipes[pipe].active];
    const struct roof roof = roof_of(eval, card, pipes[pipe].roof);
    const double at_once = eval->chip ? flop_at_once(eval->chip, pipes[pipe].active) : 0;
    if (rl_present(limit->share) || at_once <= 0 || !rl_positive(roof.figure))
        return;
    if (!rl_positive(busy)) {
        limit->too_little |= is_too_little(&roof, values->most[pipes[pipe].active] * at_once, result->rate_time_s);
        return;
    }
    const struct rl_value time_s = rl_value_of(busy.v * at_once / roof.figure.v), share = share_of(time_s, result->rate_time_s);
    *limit = (struct rl_limit){.time_s = time_s, .share = share, .measured = roof.measured};
    if (!rl_present(share))
        return;
    limit->low = limit->high = share.v;
    widen(limit, share.v * values->half_width[pipes[pipe].active] / busy.v);
}

static void limit_by_samples(const struct rl_analysis *analysis, struct rl_eval *eval, const struct rl_gpu_result *card,
                             struct rl_kernel_result *result)
{
    struct rl_sampled_values values;
    struct rl_limit moved[RL_RESOURCE_COUNT];
    struct rl_moves moves[RL_RESOURCE_COUNT] = {{0}};
    rl_sampled_values(analysis->capture, result->kernel, &values);
    (void)rl_estimates_focus(eval, result->kernel, &values, 0);
    limit_all(eval, card, result, result->limits.of);
    for (size_t step = 1; rl_estimates_focus(eval, result->kernel, &values, step); step++) {
        limit_all(eval, card, result, moved);
        for (size_t r = 0; r < RL_RESOURCE_COUNT; r++)
            rl_estimate_widen(&moves[r], step, result->limits.of[r].share, moved[r].share);
    }
    (void)rl_estimates_focus(eval, result->kernel, &values, 0);
    for (size_t r = 0; r < RL_RESOURCE_COUNT; r++)
        widen(&result->limits.of[r], moves[r].sum);
    bound_arithmetic(eval, card, result, &values);
    for (size_t pipe = 0; pipe < RL_COUNT(pipes); pipe++)
        limit_pipe(eval, card, result, &values, pipe);
    /* A pipe that was active in less than a hundredth of the cycles limits nothing. */
    static const double least = 0.01;
    for (size_t i = 0; i < RL_COUNT(pipes); i++) {
        struct rl_limit *limit = &result->limits.of[pipes[i].resource];
        limit->too_little |= !rl_present(limit->share) && rl_present(values.value[RL_SAMPLED_sm_active]) &&
                             values.most[pipes[i].active] < least * values.value[RL_SAMPLED_sm_active].v;
    }
    bound_shared(eval, card, result, &values);
    bound_by_grid(eval, result);
    result->limits.sampled = true;
}

/* Traffic on the link to the host that may not be of the launch: where it is too little to limit the launch it is an upper
 * bound, otherwise nothing is known of the launch's own. */
static void leave_background(struct rl_kernel_result *result)
{
    static const struct {
        enum rl_resource resource;
        enum rl_metric bytes;
    } links[] = {{RL_RESOURCE_host_read, RL_METRIC_pcie_read_bytes}, {RL_RESOURCE_host_write, RL_METRIC_pcie_write_bytes}};
    for (size_t i = 0; i < RL_COUNT(links); i++) {
        struct rl_limit *limit = &result->limits.of[links[i].resource];
        if (!rl_present(limit->share) || limit->high < RL_BOUND_SHARE ||
            result->metric[links[i].bytes].v > RL_HOST_BACKGROUND_BYTES)
            continue;
        const struct rl_value why = rl_value_missing(RL_UNDEFINED, "no more traffic than launches show that access no host memory");
        *limit = (struct rl_limit){.time_s = why, .share = why, .unjudged = true};
    }
}

/* An rl_kernel_step: all that follows from the metrics of a kernel and its GPU, while its result is in the cache. */
static void limit_kernel(struct rl_analysis *analysis, struct rl_eval *eval, size_t kernel, void *context)
{
    struct rl_kernel_result *result = &analysis->kernels[kernel];
    const struct rl_gpu_result *card = &analysis->gpus[analysis->capture->kernels[kernel].gpu];
    (void)context;
    rl_kernel_estimates(analysis, eval, result);
    if (result->estimate) {
        limit_by_samples(analysis, eval, card, result);
    } else {
        rl_eval_focus(eval, RL_NONE, kernel);
        rl_kernel_invariants(analysis, eval, result);
        limit_all(eval, card, result, result->limits.of);
        /* Operations are counted by instrumented code or in passes by type, which not every launch gets. Without them the
         * hardware's counters bound the share of their roof: all instructions that were issued, and the cycles of their pipe. */
        struct rl_limit *of = result->limits.of;
        const struct rl_limit *issue = &of[RL_RESOURCE_issue];
        const struct rl_value warp = rl_eval_fact(eval, RL_FACT_warp_size), issued = work_at(eval, RL_RESOURCE_issue);
        const bool has_issue = rl_positive(issue->share) && rl_present(warp);
        for (size_t i = 0; i < RL_COUNT(arithmetic); i++) {
            struct rl_limit *limit = &of[arithmetic[i].resource];
            const struct roof roof = roof_of(eval, card, arithmetic[i].roof);
            if (rl_present(limit->share) || !rl_present(roof.figure))
                continue;
            const double most =
                has_issue ? issued.v * (issue->high / issue->share.v) * warp.v * arithmetic[i].operations : INFINITY;
            limit->too_little |= is_too_little(&roof, most, result->rate_time_s) ||
                                 most_by_cycles(card, result, arithmetic[i].cycles, &roof, arithmetic[i].roof) < RL_BOUND_SHARE;
        }
        for (size_t i = 0; i < RL_COUNT(parts); i++) {
            struct rl_limit *limit = &of[parts[i].resource];
            const struct roof roof = roof_of(eval, card, parts[i].roof);
            if (!rl_present(limit->share))
                limit->too_little |= most_by_cycles(card, result, parts[i].cycles, &roof, parts[i].roof) < RL_BOUND_SHARE;
        }
        leave_background(result);
        rl_invariants_unjudge(analysis, result);
        if (result->broken || rl_present(result->metric[RL_METRIC_achieved_occupancy]))
            bound_by_grid(eval, result);
    }
    rl_limiting_decide(analysis, eval, result);
    rl_kernel_above_roof(analysis, result);
}

void rl_step_limits(struct rl_analysis *analysis, struct rl_eval *eval)
{
    rl_latencies_measured(analysis);
    rl_stalls_sampled(analysis);
    rl_each_kernel(analysis, eval, limit_kernel, NULL);
    rl_fixed_times(analysis, eval);
}
