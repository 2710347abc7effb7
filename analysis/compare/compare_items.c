/* compare_items.c - what there is to compare in one capture. */
#include "compare_internal.h"

static double *seconds_of(const struct rl_kernel *kernel, struct rl_arena *arena)
{
    double *seconds = rl_arena_alloc(arena, (kernel->duration_count + 1) * sizeof *seconds);
    for (size_t i = 0; i < kernel->duration_count; i++)
        seconds[i] = (double)kernel->duration_ns[i] / 1e9;
    return seconds;
}

static const char *path_of(const struct rl_capture *capture, const struct rl_kernel *kernel, size_t variant, struct rl_arena *arena)
{
    if (kernel && kernel->nvtx)
        return kernel->nvtx;
    if (variant == RL_NONE)
        return "";
    const struct rl_variant *of = &capture->variants[variant];
    return rl_arena_printf(arena, "%s/%s", capture->experiments[of->experiment].name, of->name);
}

/* Counted operations; those of the work model where none were counted. */
static struct rl_value flop_of(struct rl_value counted, const struct rl_variant *variant)
{
    return rl_present(counted) || !variant ? counted : variant->model_flop;
}

static struct rl_value stored_of(const struct rl_kernel *kernel)
{
    const struct rl_counter *counter = rl_kernel_counter(kernel, "smsp__sass_data_bytes_mem_global_op_st.sum");
    return counter ? counter->value : rl_value_missing(RL_NOT_COLLECTED, NULL);
}

/* As in a launch; of a class that was taken apart also which of how many kinds of launches. */
static const char *shape_of(const struct rl_kernel *kernel, struct rl_arena *arena)
{
    const uint32_t *grid = kernel->grid, *block = kernel->block;
    const char *shape = rl_arena_printf(arena, "<<<(%u, %u, %u), (%u, %u, %u), %llu>>>", grid[0], grid[1], grid[2], block[0],
                                        block[1], block[2], (unsigned long long)kernel->dynamic_shared_bytes);
    const struct rl_population *population = &kernel->population;
    return population->total ? rl_arena_printf(arena, "%s, %u of %u by time", shape, population->number, population->total) : shape;
}

static struct rl_item kernel_item(const struct rl_analysis *analysis, size_t index, struct rl_arena *arena)
{
    const struct rl_capture *capture = analysis->capture;
    const struct rl_kernel *kernel = &capture->kernels[index];
    const struct rl_kernel_result *result = &analysis->kernels[index];
    const struct rl_variant *variant = kernel->variant == RL_NONE ? NULL : &capture->variants[kernel->variant];
    const uint32_t *grid = kernel->grid;
    struct rl_item item = {
        .kernel = index,
        .variant = kernel->variant,
        .gpu = kernel->gpu,
        .label = result->label,
        .name = kernel->name,
        .short_name = result->short_name,
        .shape = shape_of(kernel, arena),
        .no_grid = grid[0] == 0 && grid[1] == 0 && grid[2] == 0,
        .path = path_of(capture, kernel, kernel->variant, arena),
        .times = {.seconds = seconds_of(kernel, arena),
                  .n = kernel->duration_count,
                  .shuffled = !rl_samples_in_order(capture, index),
                  .resolution_s = result->clock_step_s,
                  .sm_clock_hz = result->metric[RL_METRIC_sm_clock_hz]},
        .not_compared = variant ? analysis->variants[kernel->variant].why_not : NULL,
        .flop = flop_of(result->metric[RL_METRIC_flop_total], result->siblings == 1 ? variant : NULL),
        .stored = stored_of(kernel),
        .launches = variant ? kernel->launches_per_run : kernel->launches,
        .bound = result->bound,
        .limiter = result->limits.limiter,
        .limited_by = result->bound != RL_BOUND_UNKNOWN ? result->limits.limited_by : NULL,
        .nearest = rl_present(result->roof_share) ? result->limits.first : RL_RESOURCE_COUNT,
        .roof_time_s = result->roof_time_s,
        .roof_share = result->roof_share,
        .metric = result->metric,
        .occupancy = &result->occupancy,
    };
    if (result->limits.sampled) {
        /* Estimates are not compared. */
        item.bound = RL_BOUND_UNKNOWN;
        item.limiter = item.nearest = RL_RESOURCE_COUNT;
        item.limited_by = NULL;
        item.roof_time_s = item.roof_share = rl_value_missing(RL_NOT_COLLECTED, "sampled, not counted");
    }
    return item;
}

const char *rl_item_shape(const struct rl_item *item)
{
    return item->no_grid ? "" : item->shape;
}

void rl_item_text(const struct rl_item *item, struct rl_buf *out)
{
    const char *shape = rl_item_shape(item);
    if (!*item->name)
        rl_buf_addf(out, "size %s", shape);
    else
        rl_buf_addf(out, *shape ? "%s %s" : "%s%s", item->name, shape);
}

static struct rl_item whole_item(const struct rl_analysis *analysis, size_t index, struct rl_arena *arena)
{
    const struct rl_capture *capture = analysis->capture;
    const struct rl_variant *variant = &capture->variants[index];
    const struct rl_variant_result *result = &analysis->variants[index];
    const struct rl_value none = rl_value_missing(RL_UNDEFINED, "a run is several launches");
    return (struct rl_item){
        .kernel = RL_NONE,
        .variant = index,
        .gpu = variant->gpu,
        .label = result->label,
        .name = "",
        .short_name = "",
        .shape = rl_arena_printf(arena, "%llu", (unsigned long long)variant->size),
        .path = path_of(capture, NULL, index, arena),
        .times = {.seconds = result->seconds,
                  .n = result->count,
                  .resolution_s = result->clock_step_s,
                  .sm_clock_hz = result->metric[RL_METRIC_sm_clock_hz]},
        .not_compared = result->why_not,
        .flop = flop_of(result->metric[RL_METRIC_flop_total], variant),
        .stored = none,
        .bound = RL_BOUND_UNKNOWN,
        .limiter = RL_RESOURCE_COUNT,
        .nearest = RL_RESOURCE_COUNT,
        .roof_time_s = none,
        .roof_share = none,
        .metric = result->metric,
    };
}

static bool timed_as_whole(const struct rl_variant *variant)
{
    return variant->duration_count > 0;
}

void rl_comparison_list_items(struct rl_compare_side *side, const struct rl_analysis *analysis, struct rl_arena *arena)
{
    const struct rl_capture *capture = analysis->capture;
    side->analysis = analysis;
    side->items = rl_arena_alloc(arena, (capture->kernel_count + capture->variant_count + 1) * sizeof *side->items);
    for (size_t i = 0; i < capture->variant_count; i++)
        if (timed_as_whole(&capture->variants[i]))
            side->items[side->count++] = whole_item(analysis, i, arena);
    for (size_t i = 0; i < capture->kernel_count; i++)
        /* A kernel of a variant that was timed as a whole, without separate times, has nothing to compare. */
        if (capture->kernels[i].duration_count > 0 || capture->kernels[i].variant == RL_NONE ||
            !timed_as_whole(&capture->variants[capture->kernels[i].variant]))
            side->items[side->count++] = kernel_item(analysis, i, arena);
}

void rl_compare_side_list(struct rl_compare_side *side, const struct rl_analysis *analysis, struct rl_arena *arena)
{
    *side = (struct rl_compare_side){.count = 0};
    rl_comparison_list_items(side, analysis, arena);
}

enum rl_result rl_side_result(const struct rl_compare_side *side, size_t item)
{
    assert(item < side->count);
    const size_t variant = side->items[item].variant;
    return variant == RL_NONE ? RL_RESULT_NOT_CHECKED : side->analysis->capture->variants[variant].result;
}

/* A kernel of a variant whose runs were timed as wholes: the time of the run has its own in it. */
static bool is_part_of_whole(const struct rl_compare_side *side, const struct rl_item *item)
{
    return item->kernel != RL_NONE && item->variant != RL_NONE &&
           side->analysis->capture->variants[item->variant].duration_count > 0;
}

double rl_compare_side_weigh(const struct rl_compare_side *side, double *weights)
{
    double all = 0;
    for (size_t i = 0; i < side->count; i++) {
        const struct rl_item *item = &side->items[i];
        const double launches = item->launches ? (double)item->launches : 1;
        const bool counts = item->times.n && !is_part_of_whole(side, item);
        weights[i] = counts ? rl_stats_of(item->times.seconds, item->times.n).median * launches : 0;
        all += weights[i];
    }
    for (size_t i = 0; i < side->count && all <= 0; i++)
        weights[i] = 1;
    return all > 0 ? all : (double)side->count;
}
