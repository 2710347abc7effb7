/* limits_decide.c - the limiter, or what there is in its place (see limits.h). */
#include "limits_decide.h"

/* Where the shortest time of a kernel was not measured: a launch that is shorter is not limited by what it does on any GPU. */
static const double launch_floor_s = 2e-6;

/* Share of the warps' time in which they wait for latency, and for nothing else most of it. */
static const double most_of_time = 0.5;

/* Theoretical occupancy below which registers, shared memory or block slots are to blame. */
static const double roomy = 0.5;

/* ---- the largest shares ---- */

/* The greater of two; if they are equal, the one with the lesser id, wherever their rows are. */
static bool before(const struct rl_limiting *limits, size_t a, size_t b)
{
    const double x = limits->of[a].share.v, y = limits->of[b].share.v;

    return x != y ? x > y : strcmp(rl_resources[a].id, rl_resources[b].id) < 0;
}

static enum rl_resource greatest(const struct rl_limiting *limits, size_t but)
{
    size_t best = RL_RESOURCE_COUNT;

    for (size_t i = 0; i < RL_RESOURCE_COUNT; i++)
        if (i != but && rl_positive(limits->of[i].share) && (best == RL_RESOURCE_COUNT || before(limits, i, best)))
            best = i;
    return (enum rl_resource)best;
}

/* The whole interval of an estimate must be at RL_BOUND_SHARE or more. */
static bool is_sure(const struct rl_limiting *limits, size_t resource)
{
    const struct rl_limit *limit = &limits->of[resource];
    return rl_present(limit->share) && (limits->sampled ? limit->low : limit->share.v) >= RL_BOUND_SHARE;
}

/* Whether an estimate leaves open if the resource limits: RL_BOUND_SHARE is in its interval. */
static bool is_open(const struct rl_limiting *limits, size_t resource)
{
    const struct rl_limit *limit = &limits->of[resource];
    return limits->sampled && rl_present(limit->share) && limit->low < RL_BOUND_SHARE && limit->high >= RL_BOUND_SHARE;
}

/* The resource that limits; RL_RESOURCE_COUNT: none does for sure. */
static enum rl_resource limiting(const struct rl_limiting *limits)
{
    size_t best = RL_RESOURCE_COUNT;

    for (size_t i = 0; i < RL_RESOURCE_COUNT; i++)
        if (is_sure(limits, i) && (best == RL_RESOURCE_COUNT || before(limits, i, best)))
            best = i;
    return (enum rl_resource)best;
}

/* Whether both measure one unit, as the cycles of a pipe and the operations that it does. */
static bool is_one_unit(size_t a, size_t b)
{
    const char *x = rl_resources[a].unit, *y = rl_resources[b].unit;
    return a == b || (x && y && strcmp(x, y) == 0);
}

/* Whether it cannot be distinguished from the limiter: it limits or may, too, and the intervals overlap. */
static bool is_level(const struct rl_limiting *limits, size_t resource)
{
    const struct rl_limit *limit = &limits->of[resource];
    return (is_sure(limits, resource) || is_open(limits, resource)) && !is_one_unit(resource, limits->limiter) &&
           limit->high >= limits->of[limits->limiter].low;
}

/* The largest of a set, without which it leaves the set; RL_RESOURCE_COUNT: it is empty. */
static size_t take_largest(const struct rl_limiting *limits, uint64_t *set)
{
    size_t best = RL_RESOURCE_COUNT;
    for (size_t i = 0; i < RL_RESOURCE_COUNT; i++)
        if (*set >> i & 1 && (best == RL_RESOURCE_COUNT || before(limits, i, best)))
            best = i;
    *set &= best < RL_RESOURCE_COUNT ? ~(UINT64_C(1) << best) : 0;
    return best;
}

static const char *limited_by(struct rl_analysis *analysis, const struct rl_limiting *limits)
{
    const char *label = rl_limiter_label(rl_limiter_of(limits->limiter, limits->bound));
    for (uint64_t left = limits->tied; left;) {
        const size_t next = take_largest(limits, &left);
        label = rl_arena_printf(&analysis->arena, "%s%s%s", label, left ? ", " : " and ", rl_resources[next].label);
    }
    return label;
}

/* ---- parallelism ---- */

static bool is_low(struct rl_value value)
{
    return rl_present(value) && value.v < RL_BOUND_SHARE;
}

static struct rl_value sms_or_blocks(struct rl_eval *eval, const struct rl_kernel_result *result)
{
    const struct rl_value active = rl_sms_with_work(result);

    return rl_present(active)
               ? active
               : rl_value_div(rl_eval_name(eval, RL_NAME_launch_blocks), rl_eval_fact(eval, RL_FACT_sm_count), "no SMs");
}

/* Registers, shared memory or block slots leave room for less than half of the warps. */
static bool is_cramped(const struct rl_kernel_result *result)
{
    const struct rl_occupancy *occupancy = &result->occupancy;

    return rl_present(occupancy->fraction) && occupancy->fraction.v < roomy &&
           (occupancy->limiters & (RL_LIMIT_BLOCKS | RL_LIMIT_REGISTERS | RL_LIMIT_SHARED)) != 0;
}

/* That more warps would help is known only where the stalls say that warps wait for what they would hide: for most of their time,
 * or for as long as one stall reason that tells. */
static bool waits_for_latency(struct rl_eval *eval, double most)
{
    const struct rl_value share = rl_eval_name(eval, RL_NAME_launch_latency_share);

    return rl_present(share) && share.v > most;
}

/* That the last wave leaves SMs empty is known only where SMs have no work for some of the time: blocks that differ fill it. */
static bool are_sms_empty(const struct rl_kernel_result *result)
{
    static const double all = 0.95;
    const struct rl_value sms = rl_sms_with_work(result);

    return rl_present(sms) && sms.v < all;
}

/* The buffers that bulk copies fill, not the warps that wait for them, say how much is in flight. */
static bool waits_for_warps(struct rl_eval *eval, const struct rl_kernel_result *result)
{
    return waits_for_latency(eval, most_of_time) && !rl_copies_in_bulk(result);
}

static bool lacks_parallelism(struct rl_eval *eval, const struct rl_kernel_result *result, struct rl_limiting *limits)
{
    const struct rl_value waves = rl_eval_name(eval, RL_NAME_launch_waves),
                          tail = rl_eval_name(eval, RL_NAME_launch_wave_efficiency), sms = sms_or_blocks(eval, result);
    const struct rl_value resident = rl_value_div(rl_known_metric(result, RL_METRIC_achieved_occupancy),
                                                  result->metric[RL_METRIC_theoretical_occupancy], "no warps");
    /* Where there are fewer blocks than SMs the others are empty, whatever warps wait for. */
    const struct rl_value blocks =
        rl_value_div(rl_eval_name(eval, RL_NAME_launch_blocks), rl_eval_fact(eval, RL_FACT_sm_count), "no SMs");
    const bool several = rl_present(waves) && waves.v > 1;
    const struct {
        bool holds;
        struct rl_value used;
    } kinds[] = {
        [RL_IDLE_SMS] = {is_low(sms), sms},
        [RL_IDLE_TAIL] = {several && is_low(tail) && are_sms_empty(result), tail},
        [RL_IDLE_GRID] = {is_low(waves) && (is_low(blocks) || waits_for_latency(eval, RL_TELLING_STALL)), waves},
        [RL_IDLE_RESOURCES] = {is_cramped(result) && waits_for_warps(eval, result), result->occupancy.fraction},
        [RL_IDLE_RESIDENT] = {is_low(resident) && waits_for_warps(eval, result), resident},
    };

    for (size_t i = 0; i < RL_COUNT(kinds); i++)
        if (kinds[i].holds) {
            limits->idle = (enum rl_idle)i;
            limits->used = kinds[i].used.v;
            return true;
        }
    return false;
}

/* ---- deciding ---- */

/* Work too little to tell what it is limits nothing. */
static bool is_missed(const struct rl_limiting *limits, size_t resource)
{
    const struct rl_limit *limit = &limits->of[resource];

    return (rl_resources[resource].wanted || limit->unjudged) && !rl_present(limit->share) && !limit->too_little;
}

/* The first resource share that is missing: without it only that some resource limits is known. NULL: none is missing. */
static const struct rl_value *what_is_missing(const struct rl_limiting *limits)
{
    const size_t at = RL_FIRST(i, RL_RESOURCE_COUNT, is_missed(limits, i));
    return at < RL_RESOURCE_COUNT ? &limits->of[at].share : NULL;
}

double rl_shortest_launch_s(const struct rl_gpu_result *card)
{
    const struct rl_stats *launches = &card->ceiling[RL_CEILING_launch].measured;

    return launches->n > 0 && launches->median > 0 ? 1 / launches->median : 0;
}

/* Median time of the launches on the timeline of the variant's run, where only the run as a whole was timed and all of them are
 * there; 0 otherwise. */
static double in_run_s(const struct rl_capture *capture, const struct rl_kernel_result *result)
{
    const struct rl_kernel *kernel = &capture->kernels[result->kernel];
    const struct rl_variant *variant = kernel->variant == RL_NONE ? NULL : &capture->variants[kernel->variant];
    size_t count = 0;

    if (!variant || result->siblings != 1)
        return 0;
    RL_FREED double *times = rl_calloc(variant->event_count, sizeof *times);
    for (size_t i = 0; i < variant->event_count; i++)
        if (variant->events[i].kind == RL_EVENT_KERNEL)
            times[count++] = 1e-9 * (double)(variant->events[i].end_ns - variant->events[i].start_ns);
    rl_sort_doubles(times, count);
    return count > 0 && count == kernel->launches_per_run ? rl_stats_quantile_sorted(times, count, 0.5) : 0;
}

static enum rl_bound bound_of(const struct rl_analysis *analysis, struct rl_eval *eval, const struct rl_kernel_result *result,
                              struct rl_limiting *limits)
{
    const struct rl_gpu_result *card = &analysis->gpus[analysis->capture->kernels[result->kernel].gpu];
    const int stall = rl_counted_stall(result);
    const bool counted = !what_is_missing(limits);

    limits->limiter = limiting(limits);
    if (limits->limiter < RL_RESOURCE_COUNT)
        return rl_resources[limits->limiter].bound;
    limits->launch_s = result->duration.n > 0 ? result->duration.median : in_run_s(analysis->capture, result);
    /* Like a resource, it limits a launch of which it is the greater part. What the launch does has the rest of the time, so that
     * this needs no counters; without a measurement of the start it takes a launch that is shorter still. */
    double time_s = limits->launch_s;
    const double shortest = rl_shortest_launch_s(card), floor_s = counted ? launch_floor_s : launch_floor_s * RL_BOUND_SHARE;
    if (time_s > 0 && time_s < (shortest > 0 ? shortest / RL_BOUND_SHARE : floor_s)) {
        limits->start_s = rl_shortest_launch_s(card);
        return RL_BOUND_LAUNCH;
    }
    if (result->duration.n == 0 || !counted || RL_ANY(i, RL_RESOURCE_COUNT, is_open(limits, i)))
        return RL_BOUND_UNKNOWN;
    if (limits->fixed)
        return RL_BOUND_FIXED;
    if (lacks_parallelism(eval, result, limits))
        return RL_BOUND_PARALLELISM;
    if (stall >= 0 && (result->metric[stall].v >= RL_TELLING_STALL || waits_for_latency(eval, most_of_time)))
        limits->stall = stall;
    limits->stall_is_sampled = stall < 0 && rl_sampled_stall_tells(&limits->sampled_stall);
    return limits->stall >= 0 || limits->stall_is_sampled ? RL_BOUND_LATENCY : RL_BOUND_UNKNOWN;
}

/* Seconds of matrix operations whose type was not counted, at the roof of FP16. */
static double untyped_seconds(const struct rl_analysis *analysis, const struct rl_kernel_result *result)
{
    const struct rl_gpu_result *card = &analysis->gpus[analysis->capture->kernels[result->kernel].gpu];

    for (size_t i = 0; i < RL_ARITHMETICS; i++) {
        const struct rl_value work = rl_arithmetic_work(result->metric, i),
                              roof = rl_ceiling_figure(&card->ceiling[rl_arithmetics[i].roof]);
        if (rl_arithmetics[i].untyped)
            return rl_present(work) && rl_positive(roof) ? work.v / roof.v : 0;
    }
    return 0;
}

/* The limiter if those operations took as many seconds more. */
static enum rl_resource limiter_with(const struct rl_kernel_result *result, double more_s)
{
    struct rl_limiting other = result->limits;

    other.of[RL_RESOURCE_tensor].share.v += more_s / result->rate_time_s.v;
    return limiting(&other);
}

/* Whether another type of the matrix operations than FP16 would make another limiter. */
static bool types_matter(const struct rl_analysis *analysis, const struct rl_kernel_result *result)
{
    const struct rl_gpu_result *card = &analysis->gpus[analysis->capture->kernels[result->kernel].gpu];
    const double untyped = untyped_seconds(analysis, result);
    double slowest, fastest;

    if (untyped <= 0 || !rl_present(result->limits.of[RL_RESOURCE_tensor].share))
        return false;
    rl_types_spread(card, &slowest, &fastest);
    return limiter_with(result, untyped / slowest - untyped) != limiter_with(result, untyped / fastest - untyped);
}

/* ---- short of the roof ---- */

/* Whether both count the same work, as a pipe and the instructions that go to it: their shares explain nothing of each other. */
static bool is_alike(enum rl_resource a, enum rl_resource b)
{
    const struct rl_resource_info *x = &rl_resources[a], *y = &rl_resources[b];
    const bool between = (a == RL_RESOURCE_dram) != (b == RL_RESOURCE_dram);

    return x->bound == y->bound && (x->bound != RL_BOUND_MEMORY || (x->in_sm == y->in_sm && !between));
}

/* Whether the share would be near 1 if only `part` of the time counted. */
static bool explains(double share, struct rl_value part)
{
    return rl_positive(part) && part.v < 1 && share / part.v >= RL_NEAR_ROOF;
}

static enum rl_shortfall shortfall_of(struct rl_eval *eval, const struct rl_kernel_result *result, struct rl_limiting *limits)
{
    const struct rl_limit *limit = limits->limiter < RL_RESOURCE_COUNT ? &limits->of[limits->limiter] : NULL;
    const double share = limit ? limit->share.v : 1;
    const struct rl_value waves = rl_eval_name(eval, RL_NAME_launch_waves);
    const int stall = rl_counted_stall(result);

    limits->also = RL_RESOURCE_COUNT;
    if ((limit && limits->sampled ? limit->high : share) >= RL_NEAR_ROOF)
        return RL_SHORTFALL_NONE;
    size_t best = RL_RESOURCE_COUNT;

    for (size_t i = 0; i < RL_RESOURCE_COUNT; i++)
        if (rl_present(limits->of[i].share) && limits->of[i].share.v >= RL_BOUND_SHARE &&
            !is_alike((enum rl_resource)i, limits->limiter) && (best == RL_RESOURCE_COUNT || before(limits, i, best)))
            best = i;
    limits->also = (enum rl_resource)best;
    if (limits->also < RL_RESOURCE_COUNT)
        return RL_SHORTFALL_SECOND;
    if (rl_present(waves) && waves.v > 1 && are_sms_empty(result) &&
        explains(share, rl_eval_name(eval, RL_NAME_launch_wave_efficiency)))
        return RL_SHORTFALL_TAIL;
    if (explains(share, rl_sms_with_work(result)))
        return RL_SHORTFALL_SMS;
    return stall >= 0 && result->metric[stall].v >= RL_TELLING_STALL ? RL_SHORTFALL_STALL : RL_SHORTFALL_UNKNOWN;
}

/* ---- words ---- */

/* "85.9 % of its theoretical roof", of another resource than a limiter alone with its name: "DRAM bandwidth at ...". */
static void add_share(struct rl_buf *text, const struct rl_limiting *limits, enum rl_resource resource)
{
    if (resource != limits->limiter || limits->tied)
        rl_buf_addf(text, "%s at ", rl_resources[resource].label);
    rl_buf_addf(text, "%s of its %s roof", RL_ESTIMATE_TEXT(limits->sampled, RL_UNIT_FRACTION, limits->of[resource].share.v, 3),
                limits->of[resource].measured ? "measured" : "theoretical");
    if (limits->sampled)
        rl_buf_addf(text, ", by samples of the whole GPU: %s to %s", RL_UNIT_TEXT(RL_UNIT_FRACTION, limits->of[resource].low, 3),
                    RL_UNIT_TEXT(RL_UNIT_FRACTION, limits->of[resource].high, 3));
}

/* "; 94.1 % of the block slots are used: ..." */
static void add_shortfall(struct rl_buf *text, struct rl_eval *eval, const struct rl_kernel_result *result)
{
    const struct rl_limiting *limits = &result->limits;
    const struct rl_value wave = rl_eval_name(eval, RL_NAME_launch_wave_efficiency), sms = rl_sms_with_work(result);
    const int stall = rl_counted_stall(result);

    switch (limits->shortfall) {
    case RL_SHORTFALL_NONE:
        return;
    case RL_SHORTFALL_SECOND:
        if (limits->tied >> limits->also & 1)
            return;
        rl_buf_adds(text, "; ");
        add_share(text, limits, limits->also);
        return;
    case RL_SHORTFALL_TAIL:
        rl_buf_addf(text, "; %s of the block slots are used: the last wave leaves the others empty",
                    RL_UNIT_TEXT(RL_UNIT_FRACTION, wave.v, 3));
        return;
    case RL_SHORTFALL_SMS:
        rl_buf_addf(text, "; %s of the SMs have work on average", RL_ESTIMATE_TEXT(limits->sampled, RL_UNIT_FRACTION, sms.v, 3));
        return;
    case RL_SHORTFALL_STALL:
        rl_buf_addf(text, "; %s", RL_UNIT_TEXT(RL_UNIT_FRACTION, result->metric[stall].v, 3));
        rl_buf_addf(text, " of the warps' time is one stall reason: %s", rl_metrics[stall].label);
        return;
    case RL_SHORTFALL_UNKNOWN:
        if (stall < 0 && rl_sampled_stall_tells(&limits->sampled_stall)) {
            rl_buf_adds(text, "; ");
            rl_sampled_stall_say(text, &limits->sampled_stall);
            return;
        }
        rl_buf_adds(text, stall < 0 && !limits->sampled_stall.samples
                              ? "; the cause of the rest is unknown without stall reasons"
                              : "; the cause of the rest is unknown: no stall reason stands out");
    }
}

static const char *const idle_words[] = {
    [RL_IDLE_SMS] = "of the SMs have work on average",
    [RL_IDLE_TAIL] = "of the block slots are used: the last wave leaves the others empty",
    [RL_IDLE_GRID] = "of the GPU's block slots have a block: the grid is too small",
    [RL_IDLE_RESOURCES] = "theoretical occupancy: registers, shared memory or block slots limit it",
    [RL_IDLE_RESIDENT] = "of theoretical occupancy is achieved",
};

/* "no roof of L2 writes, atomics": the labels of the resources of that kind; nothing where there are none. Links are counted of
 * launches for which DRAM does not account for what L2 moved, and limit no other (plan.def). */
static void add_list(struct rl_buf *text, const char *head, struct rl_limiting *limits, bool no_roof)
{
    const char *last = NULL;

    for (size_t i = 0; i < RL_RESOURCE_COUNT; i++) {
        const struct rl_limit *limit = &limits->of[i];
        const char *name = rl_resources[i].group && !no_roof ? rl_resources[i].group : rl_resources[i].label;
        if (rl_present(limit->time_s) || limit->no_roof != no_roof || limit->too_little || limit->time_s.state == RL_NOT_ON_CHIP ||
            (!no_roof && rl_resources[i].kind == RL_KIND_LINK))
            continue;
        limits->wanted |= no_roof ? 0 : UINT64_C(1) << i;
        if (last && strcmp(last, name) == 0)
            continue;
        rl_buf_addf(text, "%s%s", last ? ", " : head, name);
        last = name;
    }
}

/* " wait 23.2 %, long scoreboard 23.1 %, short scoreboard 22 %": the largest. */
static void add_stalls(struct rl_buf *text, const struct rl_kernel_result *result)
{
    enum { MOST = 3 };
    double below = INFINITY;

    for (int n = 0; n < MOST; n++) {
        int next = -1;
        for (int i = 0; i < RL_METRIC_COUNT; i++)
            if (rl_metric_is_stall((enum rl_metric)i) && rl_positive(result->metric[i]) && result->metric[i].v < below &&
                (next < 0 || result->metric[i].v > result->metric[next].v))
                next = i;
        if (next < 0)
            return;
        below = result->metric[next].v;
        rl_buf_addf(text, "%s %s %s", n ? "," : "", rl_metrics[next].label, RL_UNIT_TEXT(RL_UNIT_FRACTION, below, 3));
    }
}

/* "DRAM bandwidth at ~62.0 % of its measured roof, by samples of the whole GPU: 55.1 % to 68.9 %, an interval that contains 60 %".
 */
static void add_open(struct rl_buf *text, struct rl_limiting *limits)
{
    uint64_t open = 0;
    for (size_t i = 0; i < RL_RESOURCE_COUNT; i++)
        open |= (uint64_t)is_open(limits, i) << i;
    limits->wanted |= open;
    while (open) {
        rl_buf_adds(text, text->len ? "; " : "");
        add_share(text, limits, take_largest(limits, &open));
        rl_buf_adds(text, ", an interval that contains 60 %");
    }
}

static void say_unknown(struct rl_buf *text, const struct rl_eval *eval, struct rl_kernel_result *result)
{
    struct rl_limiting *limits = &result->limits;
    const struct rl_value *missing = what_is_missing(limits);

    if (result->duration.n == 0) {
        rl_buf_adds(text, "not timed");
        return;
    }
    if (limits->types_matter) {
        rl_buf_adds(text, "matrix operations were not counted by type, and the type decides");
        return;
    }
    add_open(text, limits);
    const bool is_left_open = text->len > 0;
    if (missing) {
        rl_buf_adds(text, is_left_open ? "; " : "");
        /* "DRAM, tensor": what is wanted and missing for the reason of the first of them; of a class without counters that is all.
         */
        const struct rl_kernel_use *use = rl_kernel_use_of(eval->capture, result->kernel);
        limits->lacking = rl_value_reason(*missing);
        limits->countless = use && use->uncounted && rl_lacks_counters(eval, &eval->capture->kernels[result->kernel]);
        limits->uncounted = limits->countless || (use && use->uncounted && strcmp(use->uncounted, limits->lacking) == 0);
        const char *next = "";
        for (size_t i = 0; i < RL_RESOURCE_COUNT; i++)
            if (is_missed(limits, i) && strcmp(rl_value_reason(limits->of[i].share), limits->lacking) == 0) {
                if (!limits->countless)
                    rl_buf_addf(text, "%s%s", next, rl_resources[i].label);
                next = ", ";
                limits->wanted |= UINT64_C(1) << i;
            }
        rl_buf_adds(text, limits->countless ? "not counted" : limits->uncounted ? " not counted" : "");
        return;
    }
    if (is_left_open)
        return;
    add_list(text, "no roof for ", limits, true);
    add_list(text, text->len ? "; undecided without " : "undecided without ", limits, false);
    const char *before = text->len ? "; " : "";
    if (rl_counted_stall(result) < 0) {
        limits->wants_stalls = true;
        if (limits->sampled_stall.samples)
            rl_sampled_stall_say_unknown(text, before, &limits->sampled_stall);
        else
            rl_buf_addf(text, "%sstall reasons", limits->wanted ? ", " : *before ? "; undecided without " : "undecided without ");
        return;
    }
    rl_buf_addf(text, "%sno resource reaches 60 %% of its roof, and warps stall for several reasons:", before);
    add_stalls(text, result);
}

/* "; a load takes 5.98 us, unloaded 345 ns: the queue is saturated", where warps wait for memory. */
static void add_wait(struct rl_buf *text, const struct rl_kernel_result *result)
{
    const struct rl_in_flight *flight = &result->limits.in_flight;

    if (result->limits.stall != RL_METRIC_stall_long_scoreboard || !rl_present(flight->wait_s))
        return;
    if (!rl_present(flight->unloaded_s)) {
        rl_buf_addf(text, "; whether a queue is saturated is unknown, because %s", rl_value_reason(flight->unloaded_s));
        return;
    }
    rl_buf_addf(text, "; a load takes %s", RL_UNIT_TEXT(RL_UNIT_SECOND, flight->wait_s.v, 3));
    if (!flight->queued)
        return;
    rl_buf_addf(text, ", unloaded %s", RL_UNIT_TEXT(RL_UNIT_SECOND, flight->unloaded_s.v, 3));
    if (flight->from)
        rl_buf_addf(text, " (measured on another GPU of this model: %s)", flight->from);
    rl_buf_adds(text, ": the queue is saturated");
}

/* "51.1 % to 83.6 % of the time is start and drain: 2.19 to 4.00 times the work takes the same kernel 6.71 us". */
static void add_fixed(struct rl_buf *text, const struct rl_analysis *analysis, const struct rl_fixed *fixed)
{
    rl_unit_format(text, RL_UNIT_FRACTION, fixed->low, 3);
    rl_buf_adds(text, " to ");
    rl_unit_format(text, RL_UNIT_FRACTION, fixed->high, 3);
    rl_buf_adds(text, " of the time is start and drain: ");
    rl_unit_format(text, RL_UNIT_NONE, fixed->least, 3);
    rl_buf_adds(text, " to ");
    rl_unit_format(text, RL_UNIT_NONE, fixed->most, 3);
    rl_buf_adds(text, " times the work takes the same kernel ");
    rl_unit_format(text, RL_UNIT_SECOND, analysis->kernels[fixed->longer].duration.median, 3);
}

static void say(struct rl_buf *text, struct rl_eval *eval, struct rl_kernel_result *result)
{
    const struct rl_limiting *limits = &result->limits;

    if (limits->limiter < RL_RESOURCE_COUNT) {
        add_share(text, limits, limits->limiter);
        for (uint64_t left = limits->tied; left;) {
            rl_buf_adds(text, "; ");
            add_share(text, limits, (enum rl_resource)take_largest(limits, &left));
        }
        add_shortfall(text, eval, result);
    } else if (limits->bound == RL_BOUND_FIXED) {
        add_fixed(text, eval->analysis, limits->fixed);
    } else if (limits->bound == RL_BOUND_PARALLELISM) {
        rl_buf_addf(text, "%s %s", RL_UNIT_TEXT(RL_UNIT_FRACTION, limits->used, 3), idle_words[limits->idle]);
    } else if (limits->stall_is_sampled) {
        rl_sampled_stall_say(text, &limits->sampled_stall);
    } else if (limits->bound == RL_BOUND_LATENCY) {
        if (result->metric[limits->stall].v >= RL_TELLING_STALL) {
            rl_unit_format(text, RL_UNIT_FRACTION, result->metric[limits->stall].v, 3);
            rl_buf_addf(text, " of the warps' time is one stall reason: %s", rl_metrics[limits->stall].label);
        } else {
            rl_unit_format(text, RL_UNIT_FRACTION, rl_eval_name(eval, RL_NAME_launch_latency_share).v, 3);
            rl_buf_adds(text, " of the warps' time goes to latency of several kinds:");
            add_stalls(text, result);
        }
        add_wait(text, result);
    } else if (limits->bound == RL_BOUND_LAUNCH) {
        rl_unit_format(text, RL_UNIT_SECOND, limits->launch_s, 3);
        rl_buf_adds(text, result->duration.n > 0 ? "" : " on the timeline of a run");
        rl_buf_adds(text, limits->start_s <= 0                 ? " is less than it takes to start a kernel"
                          : limits->launch_s > limits->start_s ? ", of which an empty kernel takes "
                                                               : ", no more than an empty kernel, which takes ");
        if (limits->start_s > 0)
            rl_unit_format(text, RL_UNIT_SECOND, limits->start_s, 3);
    } else {
        say_unknown(text, eval, result);
    }
}

/* The members that the rest of the analysis reads. */
static void place(struct rl_kernel_result *result)
{
    const struct rl_limiting *limits = &result->limits;
    const struct rl_value *missing = what_is_missing(limits);
    const bool known = limits->first < RL_RESOURCE_COUNT;

    result->bound = limits->bound;
    result->types_matter = limits->types_matter;
    if (missing && limits->limiter == RL_RESOURCE_COUNT) {
        result->roof_share = *missing;
        result->roof_time_s = *missing;
        return;
    }
    result->roof_share = known ? limits->of[limits->first].share : rl_value_of(0);
    result->roof_time_s = known ? limits->of[limits->first].time_s : rl_value_of(0);
}

void rl_limiting_say(const struct rl_limiting *limits, struct rl_buf *out)
{
    rl_buf_addf(out, "%s%s%s", limits->why, limits->lacking ? ": " : "", limits->lacking ? limits->lacking : "");
}

void rl_limiting_decide(struct rl_analysis *analysis, struct rl_eval *eval, struct rl_kernel_result *result)
{
    struct rl_limiting *limits = &result->limits;
    struct rl_buf text = RL_BUF_INIT;

    assert(eval->kernel == result->kernel);
    limits->limiter = RL_RESOURCE_COUNT;
    limits->stall = -1;
    limits->stall_is_sampled = limits->countless = limits->uncounted = limits->wants_stalls = false;
    limits->lacking = NULL;
    limits->wanted = 0;
    limits->used = 1;
    limits->first = greatest(limits, RL_RESOURCE_COUNT);
    limits->second = limits->first < RL_RESOURCE_COUNT ? greatest(limits, limits->first) : RL_RESOURCE_COUNT;
    limits->in_flight = rl_in_flight_of(analysis, eval, result);
    limits->types_matter = types_matter(analysis, result);
    limits->bound = limits->types_matter ? RL_BOUND_UNKNOWN : bound_of(analysis, eval, result, limits);
    /* Of each unit the largest. */
    uint64_t tied = 0;
    for (size_t i = 0; i < RL_RESOURCE_COUNT && limits->limiter < RL_RESOURCE_COUNT; i++)
        if (is_level(limits, i) &&
            !RL_ANY(k, RL_RESOURCE_COUNT, k != i && is_one_unit(i, k) && is_level(limits, k) && before(limits, k, i)))
            tied |= UINT64_C(1) << i;
    limits->tied = tied;
    limits->limited_by = limited_by(analysis, limits);
    limits->shortfall = shortfall_of(eval, result, limits);
    say(&text, eval, result);
    limits->why = rl_analysis_keep_text(analysis, &text);
    place(result);
}

/* Blocks start while others run, but an SM that waits for its next block has fewer warps meanwhile: the time is the root of the sum
 * of squares of the two. Of the suite's 45 launches of at most 256 threads a block of which both take 30 % or more it is 3.6 % off
 * in the median and 20 % at most, the greater of the two alone 16 and 39 % (samples/h100.rlcap, samples/h200.rlcap). */
static double time_with_starts(double work_s, double starts_s)
{
    return hypot(work_s, starts_s);
}

double rl_limits_relieved(const struct rl_limiting *limits, const double *factors)
{
    double now = 0, then = 0;

    for (size_t i = 0; i < RL_RESOURCE_COUNT; i++) {
        const struct rl_value time = limits->of[i].time_s;
        if (i == RL_RESOURCE_dispatch || !rl_present(time))
            continue;
        assert(factors[i] > 0);
        now = fmax(now, time.v);
        then = fmax(then, time.v / factors[i]);
    }
    const struct rl_value starts = limits->of[RL_RESOURCE_dispatch].time_s;
    if (rl_present(starts)) {
        now = time_with_starts(now, starts.v);
        then = time_with_starts(then, starts.v / factors[RL_RESOURCE_dispatch]);
    }
    return then > 0 ? now / then : 1;
}

size_t rl_kernel_limiter(const struct rl_kernel_result *result)
{
    return result->above_roof ? RL_LIMITER_UNKNOWN : rl_limiter_of(result->limits.limiter, result->bound);
}

const char *rl_kernel_limited_by(const struct rl_kernel_result *result)
{
    return result->above_roof ? rl_limiter_label(RL_LIMITER_UNKNOWN) : result->limits.limited_by;
}

/* The bound that all of them share, if it is no resource; RL_BOUND_UNKNOWN: they differ. */
static enum rl_bound shared_bound(const struct rl_limited_launch *launches, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (launches[i].result->bound != launches[0].result->bound || launches[i].result->limits.limiter < RL_RESOURCE_COUNT)
            return RL_BOUND_UNKNOWN;
    return count > 0 ? launches[0].result->bound : RL_BOUND_UNKNOWN;
}

struct rl_place rl_place_of_several(const struct rl_limited_launch *launches, size_t count, struct rl_value time_s)
{
    struct rl_place place = {.bound = RL_BOUND_UNKNOWN, .limiter = RL_RESOURCE_COUNT};
    struct rl_value at_roof = rl_value_of(0);
    double seconds[RL_RESOURCE_COUNT + 1] = {0};

    for (size_t i = 0; i < count; i++) {
        const struct rl_kernel_result *result = launches[i].result;
        const struct rl_value own = rl_value_mul(result->roof_time_s, rl_value_of(launches[i].launches));
        at_roof = rl_value_add(at_roof, own);
        place.types_matter |= result->types_matter;
        seconds[result->limits.first] += rl_present(own) ? own.v : 0;
    }
    place.roof_share = rl_value_div(at_roof, time_s, "no duration");
    if (place.types_matter)
        return place;
    if (!rl_present(place.roof_share) || place.roof_share.v < RL_BOUND_SHARE) {
        place.bound = shared_bound(launches, count);
        return place;
    }
    place.limiter = (enum rl_resource)0;
    for (size_t r = 1; r < RL_RESOURCE_COUNT; r++)
        if (seconds[r] > seconds[place.limiter])
            place.limiter = (enum rl_resource)r;
    place.bound = rl_resources[place.limiter].bound;
    return place;
}
