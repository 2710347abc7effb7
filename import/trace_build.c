/* trace_build.c - from a timeline to the tables that a program has which rooflight itself observed (trace.h). */
#include "build.h"
#include "core/kernel_names.h"
#include "trace.h"

/* A timeline does not say which launches of a class do different work; tables of counters do. Where they have as many
 * launches of the class as the timeline, launches are the same ones by their order. */

enum { MOST_KINDS = 8 }; /* as in kinds.c */

/* A launch with a number, of a class that has kinds. */
struct counted {
    uint64_t number;
    uint32_t shape, class_number;
};

/* How a class of the timeline is divided into kinds. */
struct plan {
    const struct counted *counted; /* its launches by number; NULL: it stays whole */
    size_t count, next;
    uint32_t process;
    uint32_t kind[MOST_KINDS + 1]; /* its class for each kind; RL_TRACE_NO_RANGE: none yet */
};

RL_COMPARATOR(by_number, struct counted, rl_ascending(x->shape, y->shape) ?: rl_ascending(x->number, y->number));

/* Gives the class of the timeline that these launches are of a plan, if it has as many. */
static void plan_class(const struct rl_trace *trace, const struct rl_pool *keys, const size_t *classes, struct plan *plans,
                       const struct counted *counted, size_t count)
{
    const struct rl_class *class = &trace->model->classes[counted->class_number];
    const size_t found = rl_class_in_timeline(trace->model, class, 0, keys);
    if (found == RL_NONE)
        return;
    const struct rl_trace_class *whole = &trace->classes[classes[found]];
    struct plan *plan = &plans[classes[found]];
    if (plan->counted || whole->launches != count || (whole->graph && whole->graph != whole->launches))
        return;
    *plan = (struct plan){.counted = counted, .count = count, .process = RL_TRACE_NO_PROCESS};
    for (size_t i = 0; i < RL_COUNT(plan->kind); i++)
        plan->kind[i] = RL_TRACE_NO_RANGE;
}

/* The order of launches of several processes says nothing. */
static void drop_plans(const struct rl_trace *trace, struct plan *plans)
{
    for (size_t i = 0; i < trace->activity_count; i++) {
        const struct rl_trace_activity *activity = &trace->activities[i];
        struct plan *plan = activity->what & RL_TRACE_IS_COPY ? NULL : &plans[activity->what];
        if (!plan || !plan->counted)
            continue;
        if (plan->process != RL_TRACE_NO_PROCESS && plan->process != activity->process)
            plan->counted = NULL;
        plan->process = activity->process;
    }
}

/* The class of the timeline for launches of this kind: the whole one for the first kind that is seen, then new ones. */
static uint32_t class_of_kind(struct rl_trace *trace, struct plan *plan, uint32_t whole, const struct rl_population *population)
{
    uint32_t *kind = &plan->kind[population->number];
    if (*kind != RL_TRACE_NO_RANGE)
        return *kind;
    *kind = whole;
    if (plan->next > 0) {
        RL_GROW(trace->classes, trace->class_count + 1, trace->class_cap);
        trace->classes[trace->class_count] = trace->classes[whole];
        *kind = (uint32_t)trace->class_count++;
    }
    trace->classes[*kind].launches = 0;
    trace->classes[*kind].kind = population->number;
    trace->classes[*kind].kinds = population->total;
    return *kind;
}

/* The numbered launches of classes with kinds, by class and number; free() them. */
static struct counted *counted_launches(const struct rl_model *model, size_t *count)
{
    struct counted *rows = NULL;
    size_t cap = 0;
    *count = 0;
    for (size_t i = 0; i < model->record_of.size; i++) {
        const struct rl_mapped_ *place = &model->record_of.slots[i];
        if (!place->key || model->records[place->number].class_number == UINT32_MAX)
            continue;
        const size_t number = rl_class_final(model, model->records[place->number].class_number);
        if (model->classes[number].population.total < 2)
            continue;
        RL_APPEND(rows, *count, cap, (struct counted){place->key >> 18, model->classes[number].shape, (uint32_t)number});
    }
    rl_sort(rows, *count, sizeof *rows, by_number);
    return rows;
}

/* Makes classes of launches that the counters of the model distinguish. Activities are in the order of their starts. */
static void trace_split(struct rl_trace *trace)
{
    size_t count, *classes;
    RL_FREED struct counted *counted = counted_launches(trace->model, &count);
    struct plan *plans;
    RL_AT_END(rl_pool_release) struct rl_pool keys = {.count = 0};

    if (count && trace->class_count + (size_t)MOST_KINDS * trace->class_count < RL_TRACE_IS_COPY) {
        classes = rl_calloc(trace->class_count, sizeof *classes);
        plans = rl_calloc(trace->class_count, sizeof *plans);
        /* Classes of the timeline by their keys; the first of each. */
        RL_SCRATCH key = RL_BUF_INIT;

        for (size_t i = 0; i < trace->class_count; i++) {
            const struct rl_trace_kernel *is = &trace->classes[i].is;
            const size_t known = keys.count;
            rl_kernel_key(is->card, rl_pool_text(&trace->texts, is->name).at, is->grid, is->block, is->dynamic_shared, 0, &key);
            if (rl_pool_add(&keys, (struct rl_text){key.data, key.len}) == known)
                classes[known] = i;
        }
        for (size_t first = 0, end; first < count; first = end) {
            for (end = first + 1; end < count && counted[end].shape == counted[first].shape;)
                end++;
            plan_class(trace, &keys, classes, plans, counted + first, end - first);
        }
        drop_plans(trace, plans);
        for (size_t i = 0; i < trace->activity_count; i++) {
            struct rl_trace_activity *activity = &trace->activities[i];
            struct plan *plan = activity->what & RL_TRACE_IS_COPY ? NULL : &plans[activity->what];
            if (!plan || !plan->counted)
                continue;
            assert(plan->next < plan->count);
            const struct rl_class *class = &trace->model->classes[plan->counted[plan->next].class_number];
            activity->what = class_of_kind(trace, plan, activity->what, &class->population);
            trace->classes[activity->what].launches++;
            plan->next++;
        }
        for (size_t i = 0; i < trace->class_count; i++)
            trace->classes[i].graph =
                trace->classes[i].graph && trace->classes[i].kinds ? trace->classes[i].launches : trace->classes[i].graph;
        RL_FREE(classes, plans);
    }
}

enum { BINS = 512, FIRST_WIDTH_NS = 1 << 16, CLASS_LANES = 10, RANGE_LANES = 8 };
/* Rows of bins: one of each lane up to RL_LANE_CLASS, then classes and all others, then ranges, all others and none. */
enum {
    FIRST_CLASS = RL_LANE_CLASS,
    OTHER_CLASSES = FIRST_CLASS + CLASS_LANES,
    FIRST_RANGE,
    OTHER_RANGES = FIRST_RANGE + RANGE_LANES,
    NO_RANGE,
    ROWS
};
enum { IDLE_LANES = RL_LANE_UNWATCHED - RL_LANE_IDLE_COPY };
enum { MOST_TIMELINES = 1024, MOST_GAPS = 1000000 }; /* what a capture can hold; more processes have totals only */

/* Times of a class. */
struct times {
    uint64_t total_ns, min_ns, max_ns, seen, taken;
    double mean_ns, squares; /* Welford's sums, in the order of starts */
    struct sample {
        int64_t start_ns;
        uint64_t duration_ns;
    } * samples;
    uint64_t random;  /* state */
    size_t kernel;    /* in the capture */
    uint64_t here_ns; /* on the timeline in hand; */
    size_t row;       /* its lane there */
};

/* Idle time before launches from one range, by cause. */
struct idle {
    struct {
        uint64_t count, total_ns, longest_ns;
    } of[IDLE_LANES];
    uint64_t total_ns;
    size_t row; /* of bins */
    bool used;
};

struct making {
    struct rl_trace *trace;
    struct rl_capture *capture;
    struct times *times; /* of each class */
    uint64_t *launches;  /* of each node of the ranges: directly in it, */
    uint64_t *gpu_ns;    /* and their time */
    struct idle *idle;   /* of each node + 1; the first of none */
    uint32_t *used;      /* those that the timeline in hand has */
    size_t used_count;
    uint32_t *here; /* classes on it */
    size_t here_count;
    /* the timeline in hand */
    int64_t start_ns;
    uint64_t width_ns;
    uint32_t bins;
    bool placing; /* the second time round: into bins */
    uint64_t (*ns)[BINS];
};

static uint64_t length_of(const struct rl_trace_activity *activity)
{
    return (uint64_t)(activity->end_ns - activity->start_ns);
}

static size_t card_of(const struct rl_trace *trace, const struct rl_trace_activity *activity)
{
    return activity->what & RL_TRACE_IS_COPY ? trace->transfers[activity->what & ~RL_TRACE_IS_COPY].card
                                             : trace->classes[activity->what].is.card;
}

/* ---- times of classes ---- */

RL_COMPARATOR(by_start, struct sample, rl_ascending(x->start_ns, y->start_ns) ?: rl_ascending(x->duration_ns, y->duration_ns));

/* splitmix64: the same numbers at every run. */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static void count_all(struct making *making)
{
    const struct rl_trace *trace = making->trace;
    const uint64_t most = trace->kernels <= RL_TRACE_KEPT ? RL_TRACE_SAMPLES : RL_TRACE_FEW_SAMPLES;
    for (size_t i = 0; i < trace->activity_count; i++) {
        const struct rl_trace_activity *activity = &trace->activities[i];
        const uint32_t range = activity->call == RL_TRACE_UNKNOWN ? RL_TRACE_NO_RANGE : trace->calls[activity->call].range;
        if (activity->what & RL_TRACE_IS_COPY)
            continue;
        /* Each launch of a class has the same chance to be a sample (Knuth, Algorithm S). */
        struct times *times = &making->times[activity->what];
        const uint64_t launches = trace->classes[activity->what].launches;
        const uint64_t ns = length_of(activity), wanted = launches < most ? launches : most;
        const double before = times->mean_ns;

        if (!times->samples)
            times->samples = rl_calloc(wanted, sizeof *times->samples);
        if (next_random(&times->random) % (launches - times->seen) < wanted - times->taken)
            times->samples[times->taken++] = (struct sample){activity->start_ns, ns};
        times->total_ns = rl_trace_sum(times->total_ns, ns);
        times->min_ns = times->seen && times->min_ns < ns ? times->min_ns : ns;
        times->max_ns = times->max_ns > ns ? times->max_ns : ns;
        times->seen++;
        times->mean_ns += ((double)ns - before) / (double)times->seen;
        times->squares += ((double)ns - before) * ((double)ns - times->mean_ns);
        if (range != RL_TRACE_NO_RANGE && trace->nodes[range].process == activity->process) {
            making->launches[range]++;
            making->gpu_ns[range] = rl_trace_sum(making->gpu_ns[range], length_of(activity));
        }
    }
}

static int by_time(const void *a, const void *b, void *context)
{
    const struct making *making = context;
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return rl_descending(making->times[x].total_ns, making->times[y].total_ns)
               ?: rl_ascending(rl_pool_text(&making->trace->texts, making->trace->classes[x].is.name).at,
                               rl_pool_text(&making->trace->texts, making->trace->classes[y].is.name).at);
}

static char *text_of(const struct making *making, uint32_t text)
{
    return text ? rl_capture_text(making->capture, rl_pool_text(&making->trace->texts, text).at) : NULL;
}

static struct rl_value known(uint64_t number, const char *why_not)
{
    return number != RL_TRACE_UNKNOWN ? rl_value_of((double)number) : rl_value_missing(RL_NOT_COLLECTED, why_not);
}

static void add_kernel(struct making *making, uint32_t number, char *timing, char *uncounted)
{
    const struct rl_trace_class *class = &making->trace->classes[number];
    struct times *times = &making->times[number];
    struct rl_kernel *kernel = rl_capture_add_kernel(making->capture);
    struct rl_kernel_use *use = rl_capture_add_use(making->capture);
    const char *absent = rl_capture_text(making->capture, "not in the timeline");
    times->kernel = making->capture->kernel_count - 1;
    kernel->gpu = class->is.card;
    kernel->name = text_of(making, class->is.name);
    kernel->mangled = text_of(making, class->is.mangled);
    memcpy(kernel->grid, class->is.grid, sizeof kernel->grid);
    memcpy(kernel->block, class->is.block, sizeof kernel->block);
    kernel->dynamic_shared_bytes = class->is.dynamic_shared;
    kernel->static_shared_bytes = known(class->is.static_shared, absent);
    kernel->registers_per_thread = known(class->is.registers, absent);
    kernel->local_bytes_per_thread = known(class->is.local_bytes, absent);
    if (class->kinds)
        kernel->population = (struct rl_population){class->kind, class->kinds, times->min_ns, times->max_ns + 1};
    kernel->launches = class->launches;
    kernel->total_ns = times->total_ns;
    kernel->timing = timing;
    kernel->duration_count = times->taken;
    kernel->duration_ns = rl_arena_alloc(&making->capture->arena, times->taken * sizeof *kernel->duration_ns);
    rl_sort(times->samples, times->taken, sizeof *times->samples, by_start);
    for (size_t i = 0; i < times->taken; i++)
        kernel->duration_ns[i] = times->samples[i].duration_ns;
    *use = (struct rl_kernel_use){.kernel = times->kernel,
                                  .timed = class->launches,
                                  .min_ns = times->min_ns,
                                  .max_ns = times->max_ns,
                                  .deviation_ns = times->seen > 1 ? sqrt(times->squares / (double)(times->seen - 1)) : 0,
                                  .graph = class->graph,
                                  .uncounted = uncounted};
    memcpy(use->cluster, class->is.cluster, sizeof use->cluster);
}

/* ---- processes, copies, ranges ---- */

static void add_processes(struct making *making)
{
    const struct rl_trace *trace = making->trace;
    for (size_t i = 0; i < trace->process_count; i++) {
        const struct rl_trace_process *from = &trace->processes[i];
        struct rl_process *to = rl_capture_add_process(making->capture);
        to->pid = from->pid;
        to->host = text_of(making, from->host);
        to->rank = text_of(making, from->rank);
        to->command = from->command ? text_of(making, from->command) : rl_capture_text(making->capture, "unknown");
        to->end = rl_capture_text(making->capture, "unknown");
        to->phases = rl_capture_text(making->capture, "another tool's timeline: times only, no counters");
    }
    for (size_t i = 0; i < trace->activity_count; i++)
        if (!(trace->activities[i].what & RL_TRACE_IS_COPY))
            making->capture->processes[trace->activities[i].process].launches++;
}

static void add_transfers(struct making *making)
{
    for (size_t i = 0; i < making->trace->transfer_count; i++) {
        const struct rl_trace_transfer *from = &making->trace->transfers[i];
        const struct rl_transfer of = {
            .process = from->process, .gpu = from->card, .count = from->count, .bytes = from->bytes, .total_ns = from->total_ns};
        rl_capture_add_transfer_of(making->capture, &of, from->direction, from->memory, from->slowest, from->fastest);
    }
}

/* ---- one timeline ---- */

static void add_bins(struct making *making, size_t row, int64_t from_ns, int64_t to_ns)
{
    assert(from_ns >= making->start_ns);
    for (uint64_t from = (uint64_t)(from_ns - making->start_ns), to = (uint64_t)(to_ns - making->start_ns); from < to;) {
        const uint64_t bin = from / making->width_ns, behind = (bin + 1) * making->width_ns, until = behind < to ? behind : to;
        assert(bin < making->bins);
        making->ns[row][bin] = rl_trace_sum(making->ns[row][bin], until - from);
        from = until;
    }
}

/* Time between kernels with one cause, before a launch from one range. */
static uint64_t spend(struct making *making, struct idle *idle, enum rl_lane lane, int64_t from_ns, int64_t to_ns)
{
    if (from_ns >= to_ns)
        return 0;
    if (making->placing) {
        add_bins(making, lane, from_ns, to_ns);
        add_bins(making, idle->row, from_ns, to_ns);
    }
    return (uint64_t)(to_ns - from_ns);
}

static int64_t within(int64_t ns, int64_t from_ns, int64_t to_ns)
{
    return ns < from_ns ? from_ns : ns > to_ns ? to_ns : ns;
}

/* A stretch that had copies going, or none, as it goes through a gap. */
struct gap {
    struct idle *idle;
    const struct rl_trace_call *call; /* NULL: unknown */
    uint64_t spent_ns[IDLE_LANES];
};

static void spend_as(struct making *making, struct gap *gap, enum rl_lane lane, int64_t from_ns, int64_t to_ns)
{
    gap->spent_ns[lane - RL_LANE_IDLE_COPY] += spend(making, gap->idle, lane, from_ns, to_ns);
}

/* A part in which no copy ran: what is after the call is the launch's latency, what is in the thread's last wait is the wait's. */
static void spend_alone(struct making *making, struct gap *gap, int64_t from_ns, int64_t to_ns)
{
    if (!gap->call) {
        spend_as(making, gap, RL_LANE_IDLE_UNKNOWN, from_ns, to_ns);
        return;
    }
    const int64_t called = within(gap->call->called_ns, from_ns, to_ns), wait = within(gap->call->waited_from_ns, from_ns, called),
                  awake = within(gap->call->waited_to_ns, wait, called);
    spend_as(making, gap, RL_LANE_IDLE_HOST, from_ns, wait);
    spend_as(making, gap, RL_LANE_IDLE_WAIT, wait, awake);
    spend_as(making, gap, RL_LANE_IDLE_HOST, awake, called);
    spend_as(making, gap, RL_LANE_IDLE_LAUNCH, called, to_ns);
}

static struct idle *idle_of(struct making *making, const struct rl_trace_activity *kernel, const struct rl_trace_call *call)
{
    const bool ours = call && call->range != RL_TRACE_NO_RANGE && making->trace->nodes[call->range].process == kernel->process;
    const uint32_t number = ours ? call->range + 1 : 0;
    if (!making->idle[number].used) {
        making->idle[number] = (struct idle){.used = true, .row = number ? OTHER_RANGES : NO_RANGE};
        making->used[making->used_count++] = number;
    }
    return &making->idle[number];
}

/* Copies since the last kernel has ended, as disjoint stretches. */
struct pieces {
    struct piece {
        int64_t from_ns, to_ns;
    } * all;
    size_t count, cap;
};

static void add_piece(struct pieces *pieces, int64_t from_ns, int64_t to_ns)
{
    struct piece *last = pieces->count ? &pieces->all[pieces->count - 1] : NULL;
    if (last && from_ns <= last->to_ns) {
        last->to_ns = to_ns > last->to_ns ? to_ns : last->to_ns;
        return;
    }
    RL_APPEND(pieces->all, pieces->count, pieces->cap, (struct piece){from_ns, to_ns});
}

/* No kernel ran from `from_ns` until this one began. */
static void close_gap(struct making *making, const struct pieces *pieces, int64_t from_ns, const struct rl_trace_activity *kernel)
{
    const struct rl_trace_call *call = kernel->call == RL_TRACE_UNKNOWN ? NULL : &making->trace->calls[kernel->call];
    struct gap gap = {.idle = idle_of(making, kernel, call), .call = call};
    for (size_t i = 0; i < pieces->count; i++) {
        const int64_t begin = within(pieces->all[i].from_ns, from_ns, kernel->start_ns),
                      end = within(pieces->all[i].to_ns, from_ns, kernel->start_ns);
        spend_alone(making, &gap, from_ns, begin);
        spend_as(making, &gap, RL_LANE_IDLE_COPY, begin, end);
        from_ns = end;
    }
    spend_alone(making, &gap, from_ns, kernel->start_ns);
    for (size_t i = 0; i < IDLE_LANES && !making->placing; i++) {
        if (!gap.spent_ns[i])
            continue;
        gap.idle->of[i].count++;
        gap.idle->of[i].total_ns = rl_trace_sum(gap.idle->of[i].total_ns, gap.spent_ns[i]);
        gap.idle->of[i].longest_ns = gap.spent_ns[i] > gap.idle->of[i].longest_ns ? gap.spent_ns[i] : gap.idle->of[i].longest_ns;
        gap.idle->total_ns = rl_trace_sum(gap.idle->total_ns, gap.spent_ns[i]);
    }
}

/* Adds what is new of an activity to a lane that has each moment once; `end_ns`: how far that has come. Returns how much that is.
 */
static uint64_t unite(struct making *making, enum rl_lane lane, const struct rl_trace_activity *activity, int64_t *end_ns)
{
    const int64_t from = activity->start_ns > *end_ns ? activity->start_ns : *end_ns;
    if (activity->end_ns <= from)
        return 0;
    *end_ns = activity->end_ns;
    if (making->placing)
        add_bins(making, lane, from, activity->end_ns);
    return (uint64_t)(activity->end_ns - from);
}

static enum rl_lane lane_of(const struct rl_trace *trace, const struct rl_trace_activity *activity)
{
    static const enum rl_lane lanes[] = {
        [RL_TRACE_TO_DEVICE] = RL_LANE_TO_DEVICE, [RL_TRACE_TO_HOST] = RL_LANE_TO_HOST, [RL_TRACE_ON_DEVICE] = RL_LANE_ON_DEVICE,
        [RL_TRACE_PEER] = RL_LANE_PEER,           [RL_TRACE_ON_HOST] = RL_LANE_ON_HOST, [RL_TRACE_SET] = RL_LANE_SET};

    if (activity->what & RL_TRACE_IS_COPY)
        return lanes[trace->transfers[activity->what & ~RL_TRACE_IS_COPY].direction];
    return rl_is_collective_name(rl_pool_text(&trace->texts, trace->classes[activity->what].is.name).at) ? RL_LANE_COLLECTIVES
                                                                                                         : RL_LANE_COMPUTE;
}

/* Goes through the activities of one process on one GPU, in the order of their starts. */
static void sweep(struct making *making, const struct rl_trace_activity *all, size_t count, struct rl_process_gpu *gpu)
{
    const int64_t before = making->start_ns;
    int64_t busy = before, kernels = before, compute = before, collectives = before, copies = before, kernel_end = -1;
    struct pieces pieces = {.all = NULL};
    for (size_t i = 0; i < count; i++) {
        const struct rl_trace_activity *activity = &all[i];
        const enum rl_lane lane = lane_of(making->trace, activity);
        const bool copy = activity->what & RL_TRACE_IS_COPY;
        const uint64_t fresh = unite(making, RL_LANE_BUSY, activity, &busy);
        gpu->busy_ns += making->placing ? 0 : fresh;
        if (copy) {
            unite(making, RL_LANE_COPIES, activity, &copies);
            if (making->placing)
                add_bins(making, lane, activity->start_ns, activity->end_ns);
            if (activity->end_ns > kernel_end)
                add_piece(&pieces, activity->start_ns, activity->end_ns);
            continue;
        }
        if (kernel_end >= 0 && activity->start_ns > kernel_end)
            close_gap(making, &pieces, kernel_end, activity);
        kernel_end = activity->end_ns > kernel_end ? activity->end_ns : kernel_end;
        const bool goes_on = pieces.count && pieces.all[pieces.count - 1].to_ns > kernel_end;
        if (goes_on)
            pieces.all[0] = pieces.all[pieces.count - 1];
        pieces.count = goes_on;
        unite(making, RL_LANE_KERNELS, activity, &kernels);
        unite(making, lane, activity, lane == RL_LANE_COMPUTE ? &compute : &collectives);
        if (making->placing) {
            add_bins(making, making->times[activity->what].row, activity->start_ns, activity->end_ns);
        } else {
            gpu->kernel_ns = rl_trace_sum(gpu->kernel_ns, length_of(activity));
            struct times *times = &making->times[activity->what];
            if (!times->row)
                making->here[making->here_count++] = activity->what;
            times->row = OTHER_CLASSES;
            times->here_ns = rl_trace_sum(times->here_ns, length_of(activity));
        }
    }
    free(pieces.all);
}

/* ---- into the capture ---- */

static uint64_t add_row(struct making *making, struct rl_timeline_bin *(*add)(struct rl_capture *), size_t lane, size_t row)
{
    uint64_t total_ns = 0;
    for (uint32_t i = 0; i < making->bins; i++) {
        total_ns = rl_trace_sum(total_ns, making->ns[row][i]);
        if (making->ns[row][i])
            *add(making->capture) = (struct rl_timeline_bin){.lane = lane, .bin = i, .ns = making->ns[row][i]};
    }
    return total_ns;
}

static void add_lane(struct making *making, enum rl_lane lane, size_t kernel, size_t row)
{
    struct rl_capture *capture = making->capture;
    const uint64_t total_ns = add_row(making, rl_capture_add_timeline_bin, capture->timeline_lane_count, row);
    if (total_ns || lane == RL_LANE_OTHER_CLASSES)
        *rl_capture_add_timeline_lane(capture) =
            (struct rl_timeline_lane){capture->timeline_count - 1, .lane = lane, .kernel = kernel, .total_ns = total_ns};
}

static void add_range_lane(struct making *making, enum rl_idle_place place, size_t range, size_t row)
{
    struct rl_capture *capture = making->capture;
    const uint64_t total_ns = add_row(making, rl_capture_add_range_bin, capture->range_lane_count, row);
    *rl_capture_add_range_lane(capture) =
        (struct rl_range_lane){capture->timeline_count - 1, .place = place, .range = range, .total_ns = total_ns};
}

RL_COMPARATOR_AT(by_time_here, uint32_t, struct times, ((const struct making *)context)->times,
                 rl_descending(x->here_ns, y->here_ns) ?: rl_ascending(x->kernel, y->kernel));

static int by_idle(const void *a, const void *b, void *context)
{
    const struct making *making = context;
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x == 0) - (y == 0) ?: rl_descending(making->idle[x].total_ns, making->idle[y].total_ns) ?: rl_ascending(x, y);
}

static void add_timeline(struct making *making, uint32_t process, size_t card)
{
    struct rl_capture *capture = making->capture;
    *rl_capture_add_timeline(capture) = (struct rl_timeline){.process = process,
                                                             .gpu = card,
                                                             .start_ns = (uint64_t)making->start_ns,
                                                             .width_ns = making->width_ns,
                                                             .bins = making->bins};
    for (unsigned lane = 0; lane < RL_LANE_CLASS; lane++)
        add_lane(making, (enum rl_lane)lane, RL_NONE, lane);
    for (size_t i = 0; i < making->here_count && i < CLASS_LANES; i++)
        add_lane(making, RL_LANE_CLASS, making->times[making->here[i]].kernel, FIRST_CLASS + i);
    add_lane(making, RL_LANE_OTHER_CLASSES, RL_NONE, OTHER_CLASSES);
    for (size_t i = 0; i < making->used_count; i++)
        for (size_t lane = 0; lane < IDLE_LANES; lane++) {
            const struct idle *idle = &making->idle[making->used[i]];
            if (idle->of[lane].count && capture->timeline_gap_count < MOST_GAPS)
                *rl_capture_add_timeline_gap(capture) =
                    (struct rl_timeline_gap){.timeline = capture->timeline_count - 1,
                                             .lane = (enum rl_lane)(RL_LANE_IDLE_COPY + lane),
                                             .range = making->used[i] ? making->used[i] - 1 : RL_NONE,
                                             .count = idle->of[lane].count,
                                             .total_ns = idle->of[lane].total_ns,
                                             .longest_ns = idle->of[lane].longest_ns};
        }
    if (!making->trace->node_count)
        return;
    for (size_t i = 0; i < making->used_count && i < RANGE_LANES && making->used[i]; i++)
        add_range_lane(making, RL_IDLE_RANGE, making->used[i] - 1, FIRST_RANGE + i);
    add_range_lane(making, RL_IDLE_OTHER_RANGES, RL_NONE, OTHER_RANGES);
    add_range_lane(making, RL_IDLE_NO_RANGE, RL_NONE, NO_RANGE);
}

static void make_timeline(struct making *making, const struct rl_trace_activity *all, size_t count)
{
    const uint32_t process = all[0].process;
    const size_t card = card_of(making->trace, &all[0]);
    struct rl_process_gpu *gpu = rl_capture_add_process_gpu(making->capture, process);
    int64_t end_ns = 0;
    for (size_t i = 0; i < count; i++)
        end_ns = all[i].end_ns > end_ns ? all[i].end_ns : end_ns;
    *gpu = (struct rl_process_gpu){.gpu = card, .span_ns = (uint64_t)(end_ns - all[0].start_ns)};
    making->start_ns = all[0].start_ns;
    making->placing = false;
    sweep(making, all, count, gpu);
    making->width_ns = FIRST_WIDTH_NS;
    while (gpu->span_ns > making->width_ns * BINS)
        making->width_ns *= 2;
    making->bins = (uint32_t)((gpu->span_ns + making->width_ns - 1) / making->width_ns);
    if (making->bins && making->capture->timeline_count < MOST_TIMELINES) {
        memset(making->ns, 0, ROWS * sizeof *making->ns);
        making->placing = true;
        if (making->here_count)
            rl_sort_with(making->here, making->here_count, sizeof *making->here, by_time_here, making);
        if (making->used_count)
            rl_sort_with(making->used, making->used_count, sizeof *making->used, by_idle, making);
        for (size_t i = 0; i < making->here_count && i < CLASS_LANES; i++)
            making->times[making->here[i]].row = FIRST_CLASS + i;
        for (size_t i = 0; i < making->used_count && i < RANGE_LANES && making->used[i]; i++)
            making->idle[making->used[i]].row = FIRST_RANGE + i;
        sweep(making, all, count, gpu);
        add_timeline(making, process, card);
    }
    for (size_t i = 0; i < making->here_count; i++)
        making->times[making->here[i]].row = making->times[making->here[i]].here_ns = 0;
    for (size_t i = 0; i < making->used_count; i++)
        making->idle[making->used[i]].used = false;
    making->here_count = making->used_count = 0;
}

static int by_place(const void *a, const void *b, void *context)
{
    const struct rl_trace_activity *x = a, *y = b;
    return rl_ascending(x->process, y->process) ?: rl_ascending(card_of(context, x), card_of(context, y))
           ?: rl_ascending(x->start_ns, y->start_ns) ?: rl_ascending(x->end_ns, y->end_ns);
}

static void make_timelines(struct making *making)
{
    struct rl_trace *trace = making->trace;
    size_t first = 0;
    uint64_t begin_ns = UINT64_MAX;
    for (size_t i = 1; i <= trace->activity_count; i++) {
        const struct rl_trace_activity *a = &trace->activities[first], *b = &trace->activities[i];
        if (i < trace->activity_count && a->process == b->process && card_of(trace, a) == card_of(trace, b))
            continue;
        make_timeline(making, a, i - first);
        first = i;
    }
    for (size_t i = 0; i < making->capture->timeline_count; i++)
        begin_ns = making->capture->timelines[i].start_ns < begin_ns ? making->capture->timelines[i].start_ns : begin_ns;
    for (size_t i = 0; i < making->capture->timeline_count; i++)
        making->capture->timelines[i].start_ns -= begin_ns;
}

static void add_ranges(struct making *making)
{
    for (size_t i = 0; i < making->trace->node_count; i++) {
        const struct rl_trace_node *from = &making->trace->nodes[i];
        struct rl_range *to = rl_capture_add_range(making->capture);
        to->process = from->process;
        to->parent = from->parent == RL_TRACE_NO_RANGE ? RL_NONE : from->parent;
        to->domain = text_of(making, from->domain);
        to->name = rl_capture_text(making->capture, rl_pool_text(&making->trace->texts, from->name).at);
        to->instances = from->instances;
        to->host_ns = from->host_ns;
        to->launches = making->launches[i];
        to->gpu_ns = making->gpu_ns[i];
    }
}

void rl_trace_build(struct rl_trace *trace, const char *card)
{
    rl_sort_with(trace->activities, trace->activity_count, sizeof *trace->activities, by_place, trace);
    trace_split(trace);
    struct making making = {.trace = trace,
                            .capture = trace->capture,
                            .times = rl_calloc(trace->class_count, sizeof *making.times),
                            .launches = rl_calloc(trace->node_count, sizeof *making.launches),
                            .gpu_ns = rl_calloc(trace->node_count, sizeof *making.gpu_ns),
                            .idle = rl_calloc(trace->node_count + 1, sizeof *making.idle),
                            .used = rl_calloc(trace->node_count + 1, sizeof *making.used),
                            .here = rl_calloc(trace->class_count, sizeof *making.here),
                            .ns = rl_calloc(ROWS, sizeof *making.ns)};

    assert(trace->class_count > 0 && trace->process_count > 0);
    struct rl_session *session = &making.capture->session;
    session->source = rl_capture_text(making.capture, trace->source);
    session->counters =
        rl_arena_printf(&making.capture->arena, "a timeline of %s has no counters", rl_pool_text(&trace->texts, trace->tool).at);
    session->complete = !trace->incomplete;
    rl_cards_add(trace->model, card, making.capture);
    for (size_t i = 0; i < trace->uuid_count; i++)
        making.capture->gpus[i].uuid = text_of(&making, trace->uuids[i]);
    count_all(&making);
    const size_t count = making.trace->class_count;
    RL_FREED uint32_t *order = rl_calloc(count, sizeof *order);
    char *timing = rl_capture_text(making.capture, RL_TIMING_IN_ORDER);
    char *uncounted = rl_capture_text(making.capture, "a timeline has no counters");
    for (size_t i = 0; i < count; i++)
        order[i] = (uint32_t)i;
    rl_sort_with(order, count, sizeof *order, by_time, &making);
    for (size_t i = 0; i < count; i++)
        add_kernel(&making, order[i], timing, uncounted);
    add_processes(&making);
    add_transfers(&making);
    add_ranges(&making);
    make_timelines(&making);
    for (size_t i = 0; i < trace->class_count; i++)
        free(making.times[i].samples);
    RL_FREE(making.times, making.launches, making.gpu_ns, making.idle, making.used, making.here, making.ns);
}
