/* finding_words.c - what stands for the names in the words of a rule (see limits_decide.h). */
#include "analysis/timeline.h"
#include "limits_decide.h"

/* Why a kernel of the GPU has no counters, as far as the capture says; "": it has some, or the reason is unknown. */
static const char *reason_of(const struct rl_look *look, size_t index)
{
    const struct rl_kernel *kernel = &look->analysis->capture->kernels[index];
    const struct rl_kernel_use *use = rl_kernel_use_of(look->analysis->capture, index);

    if (!rl_lacks_counters(look->eval, kernel))
        return "";
    if (use && use->uncounted)
        return use->uncounted;
    const char *reason = kernel->counter_count ? rl_value_reason(kernel->counters[0].value) : "";
    return strcmp(reason, rl_state_reason(RL_NOT_COLLECTED)) == 0 ? "" : reason; /* that is no reason */
}

/* The commonest reason of the classes, and for how many it holds; "": none is known. */
static const char *commonest_reason(const struct rl_look *look, size_t *most)
{
    const size_t *kernels, count = rl_group(&look->analysis->index.kernels_of_gpu, look->eval->gpu, &kernels);
    const char **reasons = rl_calloc(count, sizeof *reasons), *commonest = "";

    *most = 0;
    for (size_t i = 0; i < count; i++)
        reasons[i] = reason_of(look, kernels[i]);
    rl_sort(reasons, count, sizeof *reasons, rl_by_text);
    for (size_t i = 0, run = 0; i < count; i++) {
        run = i > 0 && strcmp(reasons[i], reasons[i - 1]) == 0 ? run + 1 : 1;
        if (*reasons[i] && run > *most) {
            *most = run;
            commonest = reasons[i];
        }
    }
    free(reasons);
    return commonest;
}

/* Why the session has no counters at all; NULL: it has some, or its classes lack them for different reasons. */
static const char *reason_of_session(const struct rl_look *look)
{
    const struct rl_capture *capture = look->analysis->capture;
    bool own = false;

    for (size_t i = 0; i < capture->use_count && !own; i++)
        own = capture->uses[i].uncounted && strcmp(capture->uses[i].uncounted, capture->session.counters) != 0;
    return rl_session_counted(&capture->session) || own ? NULL : capture->session.counters;
}

/* ": why", and for how many classes where it is not for all; nothing when none is known. */
static void say_counters(const struct rl_look *look, struct rl_buf *out)
{
    size_t most = 0;
    const char *of_session = reason_of_session(look), *reason = of_session ? of_session : commonest_reason(look, &most);

    if (*reason)
        rl_buf_addf(out, ": %s", reason);
    if (most > 0 && (double)most < look->value.v)
        rl_buf_addf(out, " (%zu of them)", most);
}

static void say_clocks(const struct rl_look *look, struct rl_buf *out)
{
    const struct rl_stats *clock = &look->analysis->gpus[look->eval->gpu].sm_clock;

    rl_buf_addf(out, "%s to %s", RL_UNIT_TEXT(RL_UNIT_HERTZ, clock->min, 4), RL_UNIT_TEXT(RL_UNIT_HERTZ, clock->max, 4));
}

static void say_throttle_reasons(const struct rl_look *look, struct rl_buf *out)
{
    rl_throttle_reasons_text(rl_clock_lowered_by(look->analysis, look->eval->gpu), out);
}

struct seen {
    size_t lowered, asked;
};

static void count_reading(struct seen *seen, struct rl_value reasons)
{
    seen->asked += rl_present(reasons);
    seen->lowered += rl_clock_throttled(reasons);
}

/* "1 of 29 readings of the GPU and 52 of 148 runs of roofs": the configurations of a sweep share what was read in it. */
static void say_throttle_seen(const struct rl_look *look, struct rl_buf *out)
{
    const struct rl_capture *capture = look->analysis->capture;
    const struct rl_gpu *gpu = &capture->gpus[look->eval->gpu];
    const size_t *ceilings, count = rl_group(&look->analysis->index.ceilings_of_gpu, look->eval->gpu, &ceilings);
    struct seen readings = {0}, runs = {0};

    for (size_t i = 0; i < gpu->moment_count; i++)
        count_reading(&readings, gpu->moments[i].reading[RL_READING_throttle_reasons]);
    for (size_t i = 0; i < count; i++)
        count_reading(&runs, capture->ceilings[ceilings[i]].throttle_reasons);
    if (readings.asked)
        rl_buf_addf(out, "%zu of %zu reading%s of the GPU", readings.lowered, readings.asked, readings.asked == 1 ? "" : "s");
    if (runs.asked)
        rl_buf_addf(out, "%s%zu of %zu run%s of roofs", readings.asked ? " and " : "", runs.lowered, runs.asked,
                    runs.asked == 1 ? "" : "s");
}

/* "DRAM copy 3.1 TB/s, 77.0 % of 4.03 TB/s (source)" for each ceiling that is beyond the rule's threshold. */
static void say_published(const struct rl_look *look, struct rl_buf *out)
{
    const struct rl_rule_info *rule = &rl_rules[look->rule];
    const char *comma = "";

    for (size_t i = 0; i < RL_CEILING_COUNT; i++) {
        const struct rl_ceiling *ceiling = &look->analysis->gpus[look->eval->gpu].ceiling[i];
        if (!rl_ceiling_listed(ceiling, (enum rl_ceiling_id)i) ||
            !rl_exceeds(ceiling->published_share, rule->relation, rule->threshold))
            continue;
        rl_buf_addf(out, "%s%s %s, %s of %s (%s)", comma, rl_ceilings[i].label,
                    RL_UNIT_TEXT(rl_ceilings[i].unit, ceiling->measured.median, 3),
                    RL_UNIT_TEXT(RL_UNIT_FRACTION, ceiling->published_share.v, 3),
                    RL_UNIT_TEXT(rl_ceilings[i].unit, ceiling->published->value, 3), ceiling->published->source);
        comma = "; ";
    }
}

static void say_refused(const struct rl_look *look, struct rl_buf *out)
{
    const char *comma = "";

    for (size_t i = 0; i < RL_CEILING_COUNT; i++) {
        const struct rl_ceiling *ceiling = &look->analysis->gpus[look->eval->gpu].ceiling[i];
        if (!ceiling->refused || !rl_ceiling_listed(ceiling, (enum rl_ceiling_id)i))
            continue;
        rl_buf_addf(out, "%s%s, %s", comma, rl_ceilings[i].label, ceiling->refused);
        comma = "; ";
    }
}

/* Those that fell below the rule's threshold. */
static void say_sustained(const struct rl_look *look, struct rl_buf *out)
{
    const struct rl_rule_info *rule = &rl_rules[look->rule];
    const char *comma = "";

    for (size_t i = 0; i < RL_CEILING_COUNT; i++) {
        const struct rl_ceiling *ceiling = &look->analysis->gpus[look->eval->gpu].ceiling[i];
        if (!ceiling->sustained.n || !rl_exceeds(ceiling->sustained_share, rule->relation, rule->threshold) ||
            !rl_ceiling_listed(ceiling, (enum rl_ceiling_id)i))
            continue;
        rl_buf_addf(out, "%s%s %s instead of %s (%s)", comma, rl_ceilings[i].label,
                    RL_UNIT_TEXT(rl_ceilings[i].unit, ceiling->sustained.median, 3),
                    RL_UNIT_TEXT(rl_ceilings[i].unit, ceiling->measured.median, 3),
                    RL_UNIT_TEXT(RL_UNIT_FRACTION, ceiling->sustained_share.v, 3));
        comma = ", ";
    }
}

static const struct rl_limiting *limits_of(const struct rl_look *look)
{
    return &look->analysis->kernels[look->eval->kernel].limits;
}

/* The limiter that is no resource, or why it is unknown. */
static void say_limited_by(const struct rl_look *look, struct rl_buf *out)
{
    const struct rl_limiting *limits = limits_of(look);

    if (limits->bound == RL_BOUND_UNKNOWN)
        rl_buf_adds(out, "The limiter is unknown: ");
    else
        rl_buf_addf(out, "It is limited by %s: ", rl_limiter_label(rl_limiter_of(limits->limiter, limits->bound)));
    rl_limiting_say(limits, out);
    rl_buf_adds(out, ".");
}

static void say_sampled_share(const struct rl_look *look, struct rl_buf *out)
{
    rl_sampled_stall_add_share(out, &limits_of(look)->sampled_stall);
}

static void say_sampled_where(const struct rl_look *look, struct rl_buf *out)
{
    rl_sampled_stall_add_where(out, look->analysis->capture, &limits_of(look)->sampled_stall);
}

/* Also where rates are over the mean. */
static void say_median(const struct rl_look *look, struct rl_buf *out)
{
    rl_unit_format(out, RL_UNIT_SECOND, look->analysis->kernels[look->eval->kernel].duration.median, 3);
}

/* Nothing where the capture itself has the latency. */
static void say_latency_from(const struct rl_look *look, struct rl_buf *out)
{
    const char *from = limits_of(look)->in_flight.from;

    if (from)
        rl_buf_addf(out, " (measured on another GPU of this model: %s)", from);
}

static enum rl_lane cause_of(const struct rl_look *look)
{
    for (unsigned lane = RL_LANE_IDLE_COPY; lane < RL_LANE_UNWATCHED; lane++) {
        const struct rl_gap_cause *cause = rl_gap_cause_of((enum rl_lane)lane);
        if (cause->rule && strcmp(cause->rule, rl_rules[look->rule].id) == 0)
            return cause->lane;
    }
    return RL_LANE_UNWATCHED;
}

/* " 123 ms of it was before launches in request > decode." Where there are no ranges it says how to learn more. */
static void say_gap_where(const struct rl_look *look, struct rl_buf *out)
{
    enum { WIDEST = 80 };
    const struct rl_capture *capture = look->analysis->capture;
    const struct rl_gap *gap = rl_greatest_gap(look->analysis, look->eval->gpu, cause_of(look));
    RL_SCRATCH path = RL_BUF_INIT;

    if (!gap)
        return;
    if (capture->range_count)
        rl_buf_addf(out, " %s", RL_UNIT_TEXT(RL_UNIT_SECOND, gap->total_s, 3));
    if (gap->range != RL_NONE) {
        rl_range_path(capture, gap->range, &path);
        rl_buf_adds(out, " of it was before launches in ");
        rl_utf8_abbreviate(out, path.data, WIDEST);
        rl_buf_adds(out, ".");
    } else {
        rl_buf_adds(out, capture->range_count ? " of it was before launches outside all NVTX ranges."
                                              : " Add NVTX ranges to see in which part of the program.");
    }
    /* " The longest one took 4.43 s." where one time is a large part of many, which is another thing to fix. */
    static const double large = 0.25;

    if (gap->count >= 2 && gap->longest_s >= large * gap->total_s)
        rl_buf_addf(out, " The longest one took %s.", RL_UNIT_TEXT(RL_UNIT_SECOND, gap->longest_s, 3));
}

/* The text of a name about a GPU or the session; NULL: the name is another one. */
static const char *words_of_session(const struct rl_look *look, const char *name)
{
    if (strcmp(name, "gap_advice") == 0)
        return rl_gap_cause_of(cause_of(look))->advice;
    if (strcmp(name, "counters_advice") == 0) {
        /* A session without any counters lacks something that doctor finds; one with some left these kernels out, or could not
         * serialise them. */
        const struct rl_session *session = &look->analysis->capture->session;
        const bool collected = strcmp(session->source, "collect") == 0;

        return collected && reason_of_session(look)        ? "Run rooflight doctor on that machine: it reports what is missing."
               : collected && !rl_session_counted(session) ? "Count them in a second run of the program: collect --replay kernel."
                                                           : "Judge those by their times alone.";
    }
    return NULL;
}

/* Advice for a launch that is far from its roofs, by what limits it instead. */
static const char *below_advice(const struct rl_limiting *limits)
{
    static const char *const advice[RL_BOUND_COUNT] = {
        [RL_BOUND_UNKNOWN] = "See where its warps stall (collect --pc-sampling, then show --source).",
        [RL_BOUND_LATENCY] = "See where its warps stall (collect --pc-sampling, then show --source).",
        [RL_BOUND_DISPATCH] = "Launch fewer blocks that each do more.",
        [RL_BOUND_PARALLELISM] = "Split the work into more blocks, or run launches concurrently.",
        [RL_BOUND_LAUNCH] = "Give each launch more to do, or launch from a CUDA graph.",
        [RL_BOUND_FIXED] = "Give each launch or each block more to do, or run launches concurrently.",
        [RL_BOUND_HOST] = "Move less between host and device, or copy while kernels run.",
    };
    if (limits->bound == RL_BOUND_PARALLELISM && limits->idle == RL_IDLE_RESOURCES)
        return "Raise occupancy (fewer registers, less shared memory), or let each warp have more in flight.";
    return advice[limits->bound] ? advice[limits->bound] : "Look at its limiter first.";
}

/* The same of a name about a launch. */
static const char *words_of_launch(const struct rl_look *look, const char *name)
{
    const struct rl_kernel *kernel = &look->analysis->capture->kernels[look->eval->kernel];
    const struct rl_kernel_result *launch = &look->analysis->kernels[look->eval->kernel];
    const struct rl_limiting *limits = &launch->limits;
    if (strcmp(name, "result") == 0) {
        const char *text = kernel->variant == RL_NONE ? NULL : look->analysis->capture->variants[kernel->variant].result_text;
        return text ? text : "no details recorded";
    }
    if (strcmp(name, "above") == 0)
        return launch->above_roof ? launch->above_roof : "";
    if (strcmp(name, "disagrees") == 0)
        return launch->disagrees;
    if (strcmp(name, "contradicts") == 0)
        return launch->contradicts;
    if (strcmp(name, "nearest") == 0)
        return limits->first < RL_RESOURCE_COUNT ? rl_resources[limits->first].label : "none";
    if (strcmp(name, "below_advice") == 0)
        return below_advice(limits);
    if (strcmp(name, "level") == 0) /* of memory, that the launch uses most */
        return rl_chain_level_names[limits->in_flight.level];
    if (strcmp(name, "sampled_reason") == 0)
        return rl_stalls[limits->sampled_stall.reason].label;
    if (strcmp(name, "sampled_advice") == 0)
        return rl_sampled_stall_advice(&limits->sampled_stall);
    if (strcmp(name, "ruled_out") == 0) /* whether something else than waiting may limit */
        return rl_present(rl_eval_name(look->eval, RL_NAME_no_limiter))
                   ? "No resource reaches 60 % of its roof."
                   : "Its resources were not all counted, so one may be the limiter.";
    if (strcmp(name, "fewer_blocks") == 0) /* why fewer blocks were resident than would fit */
        return kernel->dynamic_shared_bytes > 0 || (rl_positive(kernel->static_shared_bytes))
                   ? "blocks end at different times, too few follow, or the carveout leaves them too little shared memory"
                   : "blocks end at different times, or too few follow";
    return NULL;
}

static const struct {
    const char *name;
    void (*say)(const struct rl_look *look, struct rl_buf *out);
} texts[] = {
    {"limited_by", say_limited_by},
    {"latency_from", say_latency_from},
    {"median", say_median},
    {"sampled_share", say_sampled_share},
    {"sampled_where", say_sampled_where},
    {"gap_where", say_gap_where},
    {"counters", say_counters},
    {"clocks", say_clocks},
    {"throttle_reasons", say_throttle_reasons},
    {"throttle_seen", say_throttle_seen},
    {"low_ceilings", say_published},
    {"high_ceilings", say_published},
    {"refused_ceilings", say_refused},
    {"sustained_ceilings", say_sustained},
};

static bool say_text(const struct rl_look *look, const char *name, struct rl_buf *out)
{
    const char *words = words_of_session(look, name);
    if (!words && look->eval->kernel != RL_NONE)
        words = words_of_launch(look, name);
    if (words) {
        rl_buf_adds(out, words);
        return true;
    }
    const size_t at = RL_FIRST(i, RL_COUNT(texts), strcmp(texts[i].name, name) == 0);
    if (at < RL_COUNT(texts))
        texts[at].say(look, out);
    return at < RL_COUNT(texts);
}

void rl_finding_fill(void *context, const char *name, size_t len, struct rl_buf *out)
{
    const struct rl_look *look = context;
    const struct rl_rule_info *rule = &rl_rules[look->rule];
    char id[64];

    assert(len < sizeof id);
    memcpy(id, name, len);
    id[len] = '\0';
    if (strcmp(id, "value") == 0)
        rl_value_format(out, rule->unit, look->value, 3);
    else if (strcmp(id, "threshold") == 0)
        rl_unit_format(out, rule->unit, rule->threshold, 2);
    else if (!say_text(look, id, out))
        rl_value_format(out, rl_eval_unit(id), rl_eval_text(look->eval, id), 3);
}
