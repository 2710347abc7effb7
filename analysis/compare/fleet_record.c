/* fleet_record.c - what a fleet needs of one GPU in one capture (see analysis/fleet.h). */
#include "analysis/robust.h"
#include "fleet_internal.h"

/* ---- node and rack from the name of a host (see analysis/fleet.h) ---- */

/* Where the digits, or what is none, before `end` begin. */
static size_t skip_back(const char *name, size_t end, bool digits)
{
    while (end > 0 && rl_is_digit(name[end - 1]) == digits)
        end--;
    return end;
}

/* Length of the cabinet in a name such as x1000c0s3b0n1 (cabinet, chassis, slot, board, node); 0: it is none. */
static size_t cabinet(const char *name, size_t len)
{
    static const char letters[] = "xcsbn";
    size_t at = 0, first = 0;
    for (size_t i = 0; i < strlen(letters); i++) {
        if (at >= len || name[at++] != letters[i] || at >= len || !rl_is_digit(name[at]))
            return 0;
        while (at < len && rl_is_digit(name[at]))
            at++;
        first = i == 0 ? at : first;
    }
    return at == len ? first : 0;
}

void rl_fleet_parse_host(const char *host, struct rl_buf *node, struct rl_buf *rack)
{
    size_t len = strcspn(host, ".");
    rl_buf_add(node, host, len);
    size_t rack_len = cabinet(host, len);
    if (rack_len == 0)
        rack_len = skip_back(host, skip_back(host, skip_back(host, len, false), true), false);
    rl_buf_add(rack, host, rack_len);
}

const struct rl_evidence_info rl_evidences[RL_FLEET_EVIDENCE_COUNT] = {
#define EVIDENCE(id, unit, label, source, argument) {#id, RL_UNIT_##unit, label},
#include "analysis/fleet_evidence.def"
};

const struct rl_fleet_part_info rl_fleet_parts[RL_PART_COUNT] = {
#define PART(id, label, plural) {#id, label, plural},
#include "analysis/fleet_parts.def"
};

/* ---- measures ---- */

/* Which part of a GPU a ceiling speaks of. */
static const enum rl_fleet_part part_of_level[] = {
    [RL_LEVEL_DRAM] = RL_PART_dram, [RL_LEVEL_L2] = RL_PART_l2,          [RL_LEVEL_L1] = RL_PART_sm,
    [RL_LEVEL_SHARED] = RL_PART_sm, [RL_LEVEL_FP64] = RL_PART_sm,        [RL_LEVEL_FP32] = RL_PART_sm,
    [RL_LEVEL_FP16] = RL_PART_sm,   [RL_LEVEL_TENSOR] = RL_PART_sm,      [RL_LEVEL_ISSUE] = RL_PART_sm,
    [RL_LEVEL_ATOMIC] = RL_PART_l2, [RL_LEVEL_DISPATCH] = RL_PART_other, [RL_LEVEL_LINK] = RL_PART_link,
};
_Static_assert(RL_COUNT(part_of_level) == RL_LEVEL_LINK + 1, "every level has its part");
static const enum rl_fleet_part part_of_bound[] = {
    [RL_BOUND_UNKNOWN] = RL_PART_other, [RL_BOUND_MEMORY] = RL_PART_dram, [RL_BOUND_COMPUTE] = RL_PART_sm,
    [RL_BOUND_LATENCY] = RL_PART_other, [RL_BOUND_DISPATCH] = RL_PART_sm, [RL_BOUND_PARALLELISM] = RL_PART_other,
    [RL_BOUND_LAUNCH] = RL_PART_other,  [RL_BOUND_FIXED] = RL_PART_other, [RL_BOUND_HOST] = RL_PART_link,
};
_Static_assert(RL_COUNT(part_of_bound) == RL_BOUND_COUNT, "every bound has its part");

/* Which part of the GPU the time of a launch speaks of: memory that is not DRAM is in L2 or in the SMs. */
static enum rl_fleet_part part_of_launch(const struct rl_limiting *limits)
{
    switch (limits->limiter) {
    case RL_RESOURCE_l2_read:
    case RL_RESOURCE_l2_write:
    case RL_RESOURCE_atomics:
        return RL_PART_l2;
    case RL_RESOURCE_l1:
    case RL_RESOURCE_shared:
        return RL_PART_sm;
    default:
        return part_of_bound[limits->bound];
    }
}

#define TIMER_STEP_S 32e-9 /* resolution of the GPU's timestamps */

/* Standard error of a median, relative: a quarter of its 95 % CI, about. */
double rl_fleet_noise(const struct rl_stats *stats)
{
    return stats->has_interval ? (stats->high - stats->low) / 2 / 1.96 / stats->median : 0;
}

enum { MOST_MEASURES = UINT16_MAX };

void rl_fleet_add_measure(struct rl_fleet_record *record, struct rl_fleet_key key, double value, double noise)
{
    assert(key.part < RL_PART_COUNT);
    if (!(value > 0) || !isfinite(value) || record->measure_count == MOST_MEASURES)
        return;
    record->keys[record->measure_count] = key;
    record->measures[record->measure_count] = (struct rl_fleet_measure){.key = (uint32_t)record->measure_count,
                                                                        .position = (uint16_t)record->measure_count,
                                                                        .part = (uint16_t)key.part,
                                                                        .noise = (float)noise,
                                                                        .value = value};
    record->measure_count++;
}

static void add_time(struct rl_fleet_record *record, const char *name, const char *id, enum rl_fleet_part part,
                     const struct rl_stats *stats)
{
    struct rl_fleet_key key = {.name = rl_arena_strdup(&record->key_arena, name), .id = id, .unit = RL_UNIT_SECOND, .part = part};
    if (stats->n > 0 && stats->median > 0)
        rl_fleet_add_measure(record, key, stats->median, fmax(rl_fleet_noise(stats), TIMER_STEP_S / stats->median));
}

/* A run that is mostly copies between host and device speaks of the link. */
static bool is_copying(const struct rl_variant *variant)
{
    static const double mostly = 0.6;
    double copying = 0, last = 0;
    for (size_t i = 0; i < variant->event_count; i++) {
        const struct rl_event *event = &variant->events[i];
        if (event->kind == RL_EVENT_COPY_TO_DEVICE || event->kind == RL_EVENT_COPY_TO_HOST)
            copying += (double)(event->end_ns - event->start_ns);
        last = fmax(last, (double)event->end_ns);
    }
    return last > 0 && copying >= mostly * last;
}

static void add_variants(struct rl_fleet_record *record, const struct rl_analysis *analysis, size_t gpu)
{
    const struct rl_capture *capture = analysis->capture;
    const size_t *variants, count = rl_group(&analysis->index.variants_of_gpu, gpu, &variants);
    for (size_t i = 0; i < count; i++) {
        const struct rl_variant *variant = &capture->variants[variants[i]];
        const struct rl_variant_result *result = &analysis->variants[variants[i]];
        /* Times of the host's clock depend on the host and on what else ran there, unless they are mostly of copies. */
        if (result->why_not || result->untimed ||
            (variant->measure && strcmp(variant->measure, "wall") == 0 && !is_copying(variant)))
            continue;
        const struct rl_kernel_result *kernel = rl_analysis_of_variant(analysis, variants[i]);
        bool alone = kernel && kernel->siblings == 1 && variant->duration_count == 0;
        const char *id =
            rl_arena_printf(&record->key_arena, "variant %s/%s of %llu", capture->experiments[variant->experiment].name,
                            variant->name, (unsigned long long)variant->size);
        enum rl_fleet_part part = is_copying(variant) ? RL_PART_link : alone ? part_of_launch(&kernel->limits) : RL_PART_other;
        add_time(record, result->label, id, part, &result->duration);
    }
}

/* ---- evidence ---- */

enum source { FACT, HIGHEST, MIDDLE, REASON, CLOCK, DRIVER, LINK };
static const struct {
    enum source source;
    unsigned argument;
} sources[RL_FLEET_EVIDENCE_COUNT] = {
#define EVIDENCE(id, unit, label, source, argument) {source, argument},
#include "analysis/fleet_evidence.def"
};

/* The median of a reading over all moments, or the largest. */
static struct rl_value from_readings(const struct rl_gpu *gpu, unsigned reading, bool highest)
{
    RL_FREED double *values = rl_calloc(gpu->moment_count, sizeof *values);
    size_t count = 0;
    for (size_t i = 0; i < gpu->moment_count; i++)
        if (rl_present(gpu->moments[i].reading[reading]))
            values[count++] = gpu->moments[i].reading[reading].v;
    const double median = count ? rl_robust_median(values, count) : 0; /* sorts */
    struct rl_value value = rl_value_missing(RL_NOT_COLLECTED, "not recorded");
    if (count)
        value = rl_value_of(highest ? values[count - 1] : median);
    return value;
}

static void count_reason(struct rl_value reasons, unsigned mask, size_t *with, size_t *all)
{
    *all += rl_present(reasons);
    *with += rl_present(reasons) && ((uint64_t)reasons.v & mask) != 0;
}

static struct rl_value evidence_of(const struct rl_analysis *analysis, size_t gpu, enum rl_fleet_evidence id)
{
    const struct rl_gpu *of = &analysis->capture->gpus[gpu];
    const struct rl_stats *clock = &analysis->gpus[gpu].sm_clock;
    const unsigned argument = sources[id].argument;
    switch (sources[id].source) {
    case FACT:
        return of->fact[argument];
    case HIGHEST:
    case MIDDLE:
        return from_readings(of, argument, sources[id].source == HIGHEST);
    case REASON: {
        /* The share of readings, and of runs of ceilings, in which the clock was lowered for a reason. */
        const struct rl_capture *capture = analysis->capture;
        const size_t *runs, count = rl_group(&analysis->index.ceilings_of_gpu, gpu, &runs);
        size_t with = 0, all = 0;
        for (size_t i = 0; i < capture->gpus[gpu].moment_count; i++)
            count_reason(capture->gpus[gpu].moments[i].reading[RL_READING_throttle_reasons], argument, &with, &all);
        for (size_t i = 0; i < count; i++)
            count_reason(capture->ceilings[runs[i]].throttle_reasons, argument, &with, &all);
        return all ? rl_value_of((double)with / (double)all) : rl_value_missing(RL_NOT_COLLECTED, "not recorded");
    }
    case CLOCK:
        return clock->n ? rl_value_of(clock->median) : from_readings(of, RL_READING_sm_clock_hz, false);
    case DRIVER: /* the fleet numbers the drivers when it knows all of them */
    case LINK:   /* of links, not of a GPU */
        break;
    }
    return rl_value_missing(RL_NOT_COLLECTED, "not recorded");
}

struct rl_value rl_fleet_kept(struct rl_value value)
{
    return rl_present(value) ? value : rl_value_missing(value.state, NULL);
}

/* ---- the record ---- */

void rl_fleet_describe(struct rl_fleet_record *record, const struct rl_capture *capture, size_t gpu, const char *path)
{
    assert(gpu < capture->gpu_count);
    const struct rl_session *session = &capture->session;
    const struct rl_gpu *of = &capture->gpus[gpu];
    struct rl_arena *arena = &record->arena;
    record->path = rl_arena_strdup(arena, path);
    record->group = record->of = RL_NONE;
    record->links = record->peer_uuid = "";
    RL_SCRATCH node = RL_BUF_INIT, rack = RL_BUF_INIT;
    record->host = rl_arena_strdup(arena, session->host ? session->host : "");
    rl_fleet_parse_host(record->host, &node, &rack);
    record->node = rl_arena_strdup(arena, node.data);
    record->rack = rl_arena_strdup(arena, rack.data);
    record->card = rl_arena_strdup(arena, of->name);
    record->uuid = rl_arena_strdup(arena, of->uuid ? of->uuid : "");
    record->driver = rl_arena_strdup(arena, session->driver ? session->driver : "unknown");
    record->tool_version = rl_arena_strdup(arena, session->tool_version);
    record->started = rl_arena_strdup(arena, session->started);
    record->source = rl_arena_strdup(arena, session->source);
    record->sha256 = capture->sha256;
    record->gpu = of->index;
    record->complete = session->complete;
    for (int i = 0; i < RL_FLEET_EVIDENCE_COUNT; i++)
        record->evidence[i] = rl_value_missing(RL_NOT_COLLECTED, NULL);
}

/* A quick sweep has other configurations than a full one: they are not the same measure. */
static void add_ceilings(struct rl_fleet_record *record, const struct rl_analysis *analysis, size_t gpu)
{
    for (int id = 0; id < RL_CEILING_COUNT; id++) {
        const struct rl_ceiling *ceiling = &analysis->gpus[gpu].ceiling[id];
        const struct rl_ceiling_info *info = &rl_ceilings[id];
        if (!rl_ceiling_listed(ceiling, (enum rl_ceiling_id)id))
            continue;
        struct rl_fleet_key key = {.name = info->label, .ceiling = true, .unit = info->unit, .part = part_of_level[info->level]};
        const size_t *runs, all = rl_group(&analysis->index.ceilings_of_gpu, gpu, &runs);
        size_t count = RL_SUM(size_t, i, all, strcmp(analysis->capture->ceilings[runs[i]].id, info->measured) == 0);
        key.id = rl_arena_printf(&record->key_arena, "ceiling %s of %zu", info->id, count);
        if (ceiling->measured.n > 0)
            rl_fleet_add_measure(record, key, ceiling->measured.median, rl_fleet_noise(&ceiling->measured));
        key.id = rl_arena_printf(&record->key_arena, "ceiling %s sustained", info->id);
        key.name = rl_arena_printf(&record->key_arena, "%s, sustained", info->label);
        if (ceiling->sustained.n > 0)
            rl_fleet_add_measure(record, key, ceiling->sustained.median, rl_fleet_noise(&ceiling->sustained));
    }
}

struct rl_fleet_record *rl_fleet_record_new(const struct rl_analysis *analysis, size_t gpu, const char *path)
{
    const struct rl_capture *capture = analysis->capture;
    assert(gpu < capture->gpu_count);
    struct rl_fleet_record *record = rl_calloc(1, sizeof *record);
    const size_t *rows;
    size_t most = 2 * RL_CEILING_COUNT + rl_group(&analysis->index.variants_of_gpu, gpu, &rows) +
                  rl_group(&analysis->index.kernels_of_gpu, gpu, &rows);
    record->keys = rl_calloc(most, sizeof *record->keys);
    record->measures = rl_calloc(most, sizeof *record->measures);
    rl_fleet_describe(record, capture, gpu, path);
    for (int i = 0; i < RL_FLEET_EVIDENCE_COUNT; i++)
        record->evidence[i] = rl_fleet_kept(evidence_of(analysis, gpu, (enum rl_fleet_evidence)i));
    record->planned = rl_group(&analysis->index.variants_of_gpu, gpu, &rows);
    for (size_t i = 0; i < record->planned; i++) {
        record->wrong += capture->variants[rows[i]].result == RL_RESULT_WRONG;
        record->failed += capture->variants[rows[i]].status == RL_VARIANT_FAILED;
    }
    add_ceilings(record, analysis, gpu);
    add_variants(record, analysis, gpu);
    /* Kernels of programs. */
    const size_t *kernels, count = rl_group(&analysis->index.kernels_of_gpu, gpu, &kernels);
    for (size_t i = 0; i < count; i++) {
        const struct rl_kernel *kernel = &analysis->capture->kernels[kernels[i]];
        const struct rl_kernel_result *result = &analysis->kernels[kernels[i]];
        if (kernel->variant != RL_NONE)
            continue;
        const struct rl_population *population = &kernel->population;
        const char *id = rl_arena_printf(&record->key_arena, "kernel %s %u %u %u %u %u %u %llu", kernel->name, kernel->grid[0],
                                         kernel->grid[1], kernel->grid[2], kernel->block[0], kernel->block[1], kernel->block[2],
                                         (unsigned long long)kernel->dynamic_shared_bytes);
        if (population->total)
            id = rl_arena_printf(&record->key_arena, "%s, %u of %u", id, population->number, population->total);
        add_time(record, result->short_name, id, part_of_launch(&result->limits), &result->duration);
    }
    record->measures = rl_realloc(record->measures, record->measure_count + 1, sizeof *record->measures);
    return record;
}

void rl_fleet_record_free(struct rl_fleet_record *record)
{
    if (!record)
        return;
    RL_FREE(record->keys, record->measures);
    rl_arena_release(&record->arena);
    rl_arena_release(&record->key_arena);
    free(record);
}
