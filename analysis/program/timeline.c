/* timeline.c - what each GPU did over time, from the bins of a capture (see timeline.h). */
#include "analysis/timeline.h"

#include "internal.h"

/* clang-format off */
static const struct rl_gap_cause causes[RL_GAP_CAUSE_COUNT] = {
#define GAP_CAUSE(symbol, ...) [RL_LANE_##symbol - RL_LANE_IDLE_COPY] = {RL_LANE_##symbol, __VA_ARGS__},
#include "analysis/gap_causes.def"
#undef GAP_CAUSE
};
const struct rl_overlap_row rl_overlaps[RL_OVERLAP_COUNT] = {
#define OVERLAP(symbol, id, label, whole, help) [RL_OVERLAP_##symbol] = {id, label, whole, help},
#include "analysis/overlaps.def"
};
/* clang-format on */

const struct rl_gap_cause *rl_gap_cause_of(enum rl_lane lane)
{
    assert(lane >= RL_LANE_IDLE_COPY && lane <= RL_LANE_UNWATCHED);
    return &causes[lane - RL_LANE_IDLE_COPY];
}

void rl_lane_add_to(const struct rl_timeline_bin *bins, size_t count, size_t lane, double *ns)
{
    for (size_t i = RL_FIRST_FROM(bins, count, lane, lane); i < count && bins[i].lane == lane; i++)
        ns[bins[i].bin] += (double)bins[i].ns;
}

void rl_range_lane_label(const struct rl_capture *capture, const struct rl_range_lane *lane, struct rl_buf *out)
{
    assert((lane->place == RL_IDLE_RANGE) == (lane->range != RL_NONE));
    if (lane->place == RL_IDLE_RANGE)
        rl_range_path(capture, lane->range, out);
    else
        rl_buf_adds(out, lane->place == RL_IDLE_OTHER_RANGES ? "other NVTX ranges" : "outside of all NVTX ranges");
}

/* Whether both are of one class, which may have been divided into populations. */
static bool is_of_class(const struct rl_kernel *a, const struct rl_kernel *b)
{
    return a->gpu == b->gpu && a->dynamic_shared_bytes == b->dynamic_shared_bytes && strcmp(a->name, b->name) == 0 &&
           memcmp(a->grid, b->grid, sizeof a->grid) == 0 && memcmp(a->block, b->block, sizeof a->block) == 0;
}

/* The lane of a kernel class of the GPU; that of classes without one comes last. NULL: none. */
static const struct rl_timeline_lane *lane_of(const struct rl_capture *capture, const struct rl_over_time *over,
                                              const struct rl_kernel *kernel)
{
    const struct rl_timeline_lane *first = &capture->timeline_lanes[over->first_lane], *rest = NULL;
    for (const struct rl_timeline_lane *lane = first; lane < first + over->lane_count; lane++) {
        if (lane->lane == RL_LANE_CLASS && is_of_class(&capture->kernels[lane->kernel], kernel))
            return lane;
        rest = lane->lane == RL_LANE_OTHER_CLASSES ? lane : rest;
    }
    return rest;
}

struct rl_class_time rl_lane_time_of(const struct rl_capture *capture, const struct rl_over_time *over,
                                     const struct rl_timeline_lane *lane)
{
    struct rl_class_time sum = {.state = RL_TIME_NONE};
    const bool has_classes = (lane->lane == RL_LANE_CLASS || lane->lane == RL_LANE_OTHER_CLASSES) && !over->is_shared;
    for (size_t i = 0; i < capture->kernel_count && has_classes; i++)
        if (capture->kernels[i].gpu == over->timeline->gpu && lane_of(capture, over, &capture->kernels[i]) == lane) {
            const struct rl_class_time time = rl_class_time_of(capture, i);
            rl_class_time_add(&sum, &time);
        }
    return sum.ns > 0 ? sum : (struct rl_class_time){.state = RL_TIME_WHOLE, .ns = (double)lane->total_ns};
}

/* Unions of one timeline, bin by bin. */
static const enum rl_lane unions[] = {RL_LANE_BUSY, RL_LANE_KERNELS, RL_LANE_COMPUTE, RL_LANE_COLLECTIVES, RL_LANE_COPIES};
enum { UNIONS = RL_COUNT(unions) };

static double between(double value, double low, double high)
{
    return fmin(fmax(value, low), high);
}

static void add_overlap(struct rl_overlap_time *overlap, double whole, double low, double high)
{
    assert(whole >= 0);
    const double most = between(high, 0, whole);
    overlap->whole_s += whole;
    overlap->high_s += most;
    overlap->low_s += between(low, 0, most);
}

/* Whole nanoseconds, whose sums are exact, until all bins are there. Copies that overlap all kernels are known, and so is what they
 * have in common with compute unless collectives run there, too: at least what computing and copying lack in the union of
 * everything, at most the copies that overlap any kernel. */
static void add_bin(struct rl_over_time *over, const double *of)
{
    const double busy = of[0], kernels = of[1], compute = of[2], collectives = of[3], copies = of[4];
    const double least = compute + copies - busy, most = fmin(kernels + copies - busy, fmin(compute, copies)),
                 both = compute + collectives - kernels;
    add_overlap(&over->overlap[RL_OVERLAP_COPIES], copies, least, most);
    add_overlap(&over->overlap[RL_OVERLAP_COMPUTE], compute, least, most);
    add_overlap(&over->overlap[RL_OVERLAP_COLLECTIVES], collectives, both, both);
}

RL_COMPARATOR(by_time, struct rl_gap,
              rl_ascending(x->cause == RL_LANE_UNWATCHED, y->cause == RL_LANE_UNWATCHED) ?: rl_descending(x->total_s, y->total_s));

/* Those of the timeline, which stand together from `*next` on in the capture. */
static void add_gaps(struct rl_analysis *analysis, size_t index, size_t *next)
{
    const struct rl_capture *capture = analysis->capture;
    struct rl_over_time *over = &analysis->over_time[index];
    struct rl_gap *first = &analysis->gaps[analysis->gap_count];
    for (; *next < capture->timeline_gap_count && capture->timeline_gaps[*next].timeline == index; (*next)++) {
        const struct rl_timeline_gap *from = &capture->timeline_gaps[*next];
        struct rl_gap *gap = &first[over->gap_count];
        *gap = (struct rl_gap){.over_time = index,
                               .cause = from->lane,
                               .range = from->range,
                               .count = from->count,
                               .total_s = (double)from->total_ns * 1e-9,
                               .longest_s = (double)from->longest_ns * 1e-9,
                               .share = rl_value_missing(RL_UNDEFINED, "the wall time excludes it")};
        if (from->lane != RL_LANE_UNWATCHED)
            gap->share = rl_value_div(rl_value_of(gap->total_s), rl_value_of(over->wall_s), "no time between kernels");
        over->gap_count += gap->total_s > 0;
    }
    over->gaps = first;
    assert(analysis->gap_count + over->gap_count <= capture->timeline_gap_count);
    analysis->gap_count += over->gap_count;
    if (over->gap_count)
        rl_sort(first, over->gap_count, sizeof *first, by_time);
}

const struct rl_gap *rl_greatest_gap(const struct rl_analysis *analysis, size_t gpu, enum rl_lane cause)
{
    for (size_t i = 0; i < analysis->over_time_count; i++) {
        const struct rl_over_time *over = &analysis->over_time[i];
        for (size_t g = 0; g < over->gap_count && over->timeline->gpu == gpu && !over->is_shared; g++)
            if (over->gaps[g].cause == cause)
                return &over->gaps[g];
    }
    return NULL;
}

const struct rl_gap_cause *rl_greatest_gap_cause(const struct rl_over_time *over)
{
    const struct rl_gap_cause *most = NULL;
    for (unsigned lane = RL_LANE_IDLE_COPY; lane < RL_LANE_UNWATCHED; lane++)
        if (over->lane_s[lane] > (most ? over->lane_s[most->lane] : 0))
            most = rl_gap_cause_of((enum rl_lane)lane);
    return most;
}

double rl_gap_wall_s(const struct rl_analysis *analysis, size_t gpu)
{
    const size_t at = RL_FIRST(i, analysis->over_time_count, analysis->over_time[i].timeline->gpu == gpu);
    return at < analysis->over_time_count ? analysis->over_time[at].wall_s : 0;
}

struct rl_value rl_gap_share(const struct rl_analysis *analysis, size_t gpu, enum rl_lane cause)
{
    assert(cause >= RL_LANE_IDLE_COPY && cause <= RL_LANE_UNWATCHED && gpu < analysis->capture->gpu_count);
    struct rl_value share =
        rl_value_missing(RL_NOT_COLLECTED, rl_is_program(analysis->capture) ? "the capture does not say when kernels ran"
                                                                            : "no program was observed; the suite shows copies");
    for (size_t i = 0; i < analysis->over_time_count; i++) {
        const struct rl_over_time *over = &analysis->over_time[i];
        if (over->timeline->gpu != gpu)
            continue;
        if (over->is_shared)
            return rl_value_missing(RL_UNDEFINED, "several processes used the GPU");
        share = rl_value_div(rl_value_of(over->lane_s[cause]), rl_value_of(over->wall_s), "fewer than two kernels ran");
    }
    return share;
}

static void add_lanes(const struct rl_capture *capture, struct rl_over_time *over)
{
    for (size_t i = 0; i < over->lane_count; i++) {
        const struct rl_timeline_lane *lane = &capture->timeline_lanes[over->first_lane + i];
        over->lane_s[lane->lane] += (double)lane->total_ns * 1e-9;
    }
    /* The process's own record of the wall time, which has what lanes lack: idle time before the first kernel and after the last.
     * The axis beyond that, but for a bin that ends early, is counter collection; before the first kernel no lane may have it. */
    const struct rl_timeline *timeline = over->timeline;
    const struct rl_process *process = &capture->processes[timeline->process];
    const double bin_s = (double)timeline->width_ns * 1e-9;
    const double busy_s = fmax(over->lane_s[RL_LANE_BUSY], over->lane_s[RL_LANE_KERNELS] + over->lane_s[RL_LANE_IDLE_COPY]);
    double known_s = busy_s;
    for (unsigned lane = RL_LANE_IDLE_WAIT; lane < RL_LANE_UNWATCHED; lane++)
        known_s += over->lane_s[lane];
    over->wall_s = known_s;
    for (size_t i = 0; i < process->gpu_count; i++)
        if (process->gpus[i].gpu == timeline->gpu)
            over->wall_s = fmax(known_s, (double)process->gpus[i].span_ns * 1e-9);
    over->edge_s = over->wall_s - known_s;
    over->idle_s = over->wall_s - busy_s;
    over->no_kernel_s = over->wall_s - over->lane_s[RL_LANE_KERNELS];
    const double other_s = over->axis_s - over->wall_s - over->lane_s[RL_LANE_UNWATCHED];
    over->collection_s = over->lane_s[RL_LANE_UNWATCHED] + (other_s > bin_s ? other_s - bin_s / 2 : 0);
    double between_s = over->lane_s[RL_LANE_KERNELS];
    for (unsigned lane = RL_LANE_IDLE_COPY; lane < RL_LANE_UNWATCHED; lane++)
        between_s += over->lane_s[lane];
    over->no_kernel =
        between_s > 0 ? rl_value_of(over->no_kernel_s / over->wall_s) : rl_value_missing(RL_UNDEFINED, "no kernel ran");
    over->at_once = rl_value_div(rl_value_of(over->lane_s[RL_LANE_CLASS] + over->lane_s[RL_LANE_OTHER_CLASSES]),
                                 rl_value_of(over->lane_s[RL_LANE_KERNELS]), "no kernel ran");
}

/* How many processes used each GPU. */
static size_t *count_users(const struct rl_capture *capture)
{
    size_t *users = rl_calloc(capture->gpu_count + 1, sizeof *users);
    for (size_t p = 0; p < capture->process_count; p++)
        for (size_t g = 0; g < capture->processes[p].gpu_count; g++)
            users[capture->processes[p].gpus[g].gpu]++;
    return users;
}

static void find_overlaps(const struct rl_capture *capture, struct rl_over_time *over)
{
    RL_FREED double *of = rl_calloc((size_t)over->timeline->bins * UNIONS, sizeof *of);
    RL_FREED double *ns = rl_calloc(over->timeline->bins, sizeof *ns);
    for (size_t u = 0; u < UNIONS; u++) {
        for (size_t i = 0; i < over->timeline->bins; i++)
            ns[i] = 0;
        for (size_t i = 0; i < over->lane_count; i++)
            if (capture->timeline_lanes[over->first_lane + i].lane == unions[u])
                rl_lane_add_to(capture->timeline_bins, capture->timeline_bin_count, over->first_lane + i, ns);
        for (size_t i = 0; i < over->timeline->bins; i++)
            of[i * UNIONS + u] = ns[i];
    }
    for (size_t i = 0; i < over->timeline->bins; i++)
        add_bin(over, &of[i * UNIONS]);
    for (size_t i = 0; i < RL_OVERLAP_COUNT; i++) {
        struct rl_overlap_time *overlap = &over->overlap[i];
        overlap->whole_s *= 1e-9;
        overlap->low_s *= 1e-9;
        overlap->high_s *= 1e-9;
        const struct rl_value whole = rl_value_of(overlap->whole_s);
        overlap->low = rl_value_div(rl_value_of(overlap->low_s), whole, "there are none");
        overlap->high = rl_value_div(rl_value_of(overlap->high_s), whole, "there are none");
    }
}

void rl_step_over_time(struct rl_analysis *analysis)
{
    const struct rl_capture *capture = analysis->capture;
    size_t lane = 0, range_lane = 0, gap = 0, *users = count_users(capture);
    analysis->over_time = rl_arena_alloc(&analysis->arena, capture->timeline_count * sizeof *analysis->over_time);
    analysis->gaps = rl_arena_alloc(&analysis->arena, capture->timeline_gap_count * sizeof *analysis->gaps);
    for (size_t i = 0; i < capture->timeline_count; i++) {
        struct rl_over_time *over = &analysis->over_time[analysis->over_time_count++];
        *over = (struct rl_over_time){.timeline = &capture->timelines[i], .first_lane = lane, .first_range_lane = range_lane};
        for (; lane < capture->timeline_lane_count && capture->timeline_lanes[lane].timeline == i; lane++)
            over->lane_count++;
        for (; range_lane < capture->range_lane_count && capture->range_lanes[range_lane].timeline == i; range_lane++)
            over->range_lane_count++;
        over->axis_s = (double)over->timeline->width_ns * 1e-9 * over->timeline->bins;
        over->is_shared = users[over->timeline->gpu] > 1;
        add_lanes(capture, over);
        find_overlaps(capture, over);
        add_gaps(analysis, i, &gap);
    }
    free(users);
    rl_phases_find(analysis);
}
