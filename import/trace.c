/* trace.c - activities of timelines as they come: classes, kinds of copies, ranges around calls (trace.h). */
#include "trace.h"

static const int64_t latest_ns = (INT64_C(1) << 62) - 1; /* that a capture can hold */

void rl_trace_init(struct rl_trace *trace, struct rl_model *model, struct rl_capture *capture)
{
    *trace = (struct rl_trace){.model = model, .capture = capture};
    rl_pool_add(&trace->texts, rl_text_of(""));
}

void rl_trace_release(struct rl_trace *trace)
{
    struct rl_pool *const pools[] = {&trace->texts, &trace->class_keys, &trace->node_keys, &trace->transfer_keys,
                                     &trace->thread_keys};

    for (size_t i = 0; i < RL_COUNT(pools); i++)
        rl_pool_release(pools[i]);
    RL_FREE(trace->activities, trace->hosts, trace->calls, trace->classes, trace->transfers, trace->nodes, trace->processes,
            trace->threads, trace->uuids);
}

uint32_t rl_trace_text(struct rl_trace *trace, const char *text, size_t len)
{
    const size_t most = len < RL_CAPTURE_MAX_TEXT ? len : RL_CAPTURE_MAX_TEXT;

    return rl_pool_add(&trace->texts, (struct rl_text){text, strnlen(text, most)});
}

uint32_t rl_trace_process(struct rl_trace *trace, uint64_t pid, uint32_t host, uint32_t rank)
{
    for (size_t i = trace->process_count; i-- > 0;) {
        const struct rl_trace_process *known = &trace->processes[i];
        if (known->pid == pid && known->host == host && known->rank == rank)
            return (uint32_t)i;
    }
    if (trace->process_count == RL_TRACE_MAX_PROCESSES) {
        rl_notes_add(&trace->model->notes, RL_NOTE_too_many_processes, rl_text_of(""));
        return RL_TRACE_MAX_PROCESSES - 1;
    }
    RL_GROW(trace->processes, trace->process_count + 1, trace->process_cap);
    trace->processes[trace->process_count] = (struct rl_trace_process){.pid = pid, .host = host, .rank = rank};
    return (uint32_t)trace->process_count++;
}

uint32_t rl_trace_thread(struct rl_trace *trace, uint32_t process, uint64_t tid)
{
    const uint64_t key[] = {process, trace->thread_count < RL_TRACE_MAX_THREADS ? tid : 0};
    const uint32_t number = rl_pool_add(&trace->thread_keys, (struct rl_text){(const char *)key, sizeof key});

    assert(process < trace->process_count);
    if (number == trace->thread_count) {
        RL_GROW(trace->threads, trace->thread_count + 1, trace->thread_cap);
        trace->threads[trace->thread_count++].process = process;
    }
    return number;
}

bool rl_trace_call_kind(struct rl_text function, enum rl_trace_host_kind *kind)
{
    static const struct {
        const char *part;
        enum rl_trace_host_kind kind;
    } parts[] = {{"Launch", RL_TRACE_LAUNCH}, {"Synchronize", RL_TRACE_WAIT}, {"Memcpy", RL_TRACE_WAIT}};

    for (size_t i = 0; i < RL_COUNT(parts); i++)
        if (rl_text_find(function, parts[i].part) < function.len) {
            *kind = parts[i].kind;
            return true;
        }
    return false;
}

void rl_trace_uuid(struct rl_trace *trace, size_t card, uint32_t uuid)
{
    while (trace->uuid_count <= card) {
        RL_APPEND(trace->uuids, trace->uuid_count, trace->uuid_cap, 0);
    }
    trace->uuids[card] = uuid;
}

/* Whether one more may be taken, at this time. */
static bool may_take(struct rl_trace *trace, int64_t start_ns, int64_t end_ns)
{
    const bool timed = start_ns >= 0 && end_ns >= start_ns && end_ns <= latest_ns;

    if (!timed)
        rl_notes_add(&trace->model->notes, RL_NOTE_impossible_time, rl_text_of(""));
    else if (trace->events >= RL_TRACE_MAX_EVENTS)
        rl_notes_add(&trace->model->notes, RL_NOTE_too_many_events, rl_text_of(""));
    trace->events += timed;
    return timed && trace->events <= RL_TRACE_MAX_EVENTS;
}

/* ---- launches and copies ---- */

static uint32_t class_of(struct rl_trace *trace, const struct rl_trace_kernel *kernel)
{
    struct {
        uint64_t card, dynamic_shared;
        uint32_t name, grid[3], block[3], zero;
    } key = {kernel->card,
             kernel->dynamic_shared,
             kernel->name,
             {kernel->grid[0], kernel->grid[1], kernel->grid[2]},
             {kernel->block[0], kernel->block[1], kernel->block[2]},
             0};
    const struct rl_text text = {(const char *)&key, sizeof key};
    uint32_t number = 0;

    if (rl_pool_find(&trace->class_keys, text, &number))
        return number;
    if (trace->class_count == RL_TRACE_MAX_CLASSES) {
        rl_notes_add(&trace->model->notes, RL_NOTE_too_many_classes, rl_pool_text(&trace->texts, kernel->name));
        return RL_TRACE_MAX_CLASSES;
    }
    RL_APPEND(trace->classes, trace->class_count, trace->class_cap, (struct rl_trace_class){.is = *kernel});
    return rl_pool_add(&trace->class_keys, text);
}

static void add_activity(struct rl_trace *trace, const struct rl_trace_activity *activity)
{
    RL_APPEND(trace->activities, trace->activity_count, trace->activity_cap, *activity);
}

void rl_trace_add_kernel(struct rl_trace *trace, const struct rl_trace_kernel *kernel)
{
    if (!may_take(trace, kernel->start_ns, kernel->end_ns))
        return;
    const uint32_t number = class_of(trace, kernel);
    if (number == RL_TRACE_MAX_CLASSES)
        return;
    trace->classes[number].launches++;
    trace->classes[number].graph += kernel->graph;
    trace->kernels++;
    add_activity(trace,
                 &(struct rl_trace_activity){kernel->start_ns, kernel->end_ns, kernel->correlation, kernel->process, number});
}

static uint32_t transfer_of(struct rl_trace *trace, const struct rl_trace_copy *copy)
{
    const uint64_t key[] = {copy->process, copy->card, copy->direction, copy->memory,
                            copy->process == RL_TRACE_NO_PROCESS ? trace->first_activity : 0};
    const struct rl_text text = {(const char *)key, sizeof key};
    uint32_t number = 0;

    if (rl_pool_find(&trace->transfer_keys, text, &number))
        return number;
    if (trace->transfer_count == RL_TRACE_MAX_TRANSFERS)
        return RL_TRACE_MAX_TRANSFERS;
    RL_APPEND(trace->transfers, trace->transfer_count, trace->transfer_cap,
              (struct rl_trace_transfer){
                  .process = copy->process, .card = copy->card, .direction = copy->direction, .memory = copy->memory});
    return rl_pool_add(&trace->transfer_keys, text);
}

void rl_trace_add_copy(struct rl_trace *trace, const struct rl_trace_copy *copy)
{
    static const uint64_t large = 1 << 20; /* whose rate is one */
    if (!may_take(trace, copy->start_ns, copy->end_ns))
        return;
    const uint32_t number = transfer_of(trace, copy);
    const uint64_t ns = (uint64_t)(copy->end_ns - copy->start_ns);
    if (number == RL_TRACE_MAX_TRANSFERS)
        return;
    struct rl_trace_transfer *transfer = &trace->transfers[number];
    transfer->count++;
    transfer->total_ns = rl_trace_sum(transfer->total_ns, ns);
    if (copy->bytes != RL_TRACE_UNKNOWN)
        transfer->bytes = rl_trace_sum(transfer->bytes, copy->bytes);
    if (copy->bytes != RL_TRACE_UNKNOWN && copy->bytes >= large && ns > 0) {
        const double rate = (double)copy->bytes / ((double)ns * 1e-9);
        transfer->slowest = transfer->slowest > 0 && transfer->slowest < rate ? transfer->slowest : rate;
        transfer->fastest = transfer->fastest > rate ? transfer->fastest : rate;
    }
    trace->copies++;
    add_activity(trace, &(struct rl_trace_activity){copy->start_ns, copy->end_ns, RL_TRACE_UNKNOWN, copy->process,
                                                    RL_TRACE_IS_COPY | number});
}

void rl_trace_add_host(struct rl_trace *trace, const struct rl_trace_host *host)
{
    if (!may_take(trace, host->start_ns, host->end_ns))
        return;
    RL_APPEND(trace->hosts, trace->host_count, trace->host_cap, *host);
}

/* ---- ranges and calls, when a file ends ---- */

/* Thread by thread; what lies around others first. */
RL_COMPARATOR(by_thread, struct rl_trace_host, rl_ascending(x->thread, y->thread) ?: rl_ascending(x->start_ns, y->start_ns)
              ?: rl_ascending((int)x->kind, (int)y->kind) ?: rl_descending(x->end_ns, y->end_ns));

/* The node of a range in another one, which counts one more instance; that other one when there are too many. */
static uint32_t enter_range(struct rl_trace *trace, uint32_t process, uint32_t parent, const struct rl_trace_host *range)
{
    const uint64_t key[] = {(uint64_t)process << 32 | parent, range->what};
    const struct rl_text text = {(const char *)key, sizeof key};
    uint32_t number = 0;

    if (!rl_pool_find(&trace->node_keys, text, &number)) {
        if (trace->node_count == RL_TRACE_MAX_RANGES) {
            rl_notes_add(&trace->model->notes, RL_NOTE_too_many_ranges, rl_text_of(""));
            return parent;
        }
        RL_APPEND(
            trace->nodes, trace->node_count, trace->node_cap,
            (struct rl_trace_node){
                .process = process, .parent = parent, .name = (uint32_t)range->what, .domain = (uint32_t)(range->what >> 32)});
        number = rl_pool_add(&trace->node_keys, text);
    }
    trace->nodes[number].instances++;
    trace->nodes[number].host_ns = rl_trace_sum(trace->nodes[number].host_ns, (uint64_t)(range->end_ns - range->start_ns));
    return number;
}

/* A range that is open. */
struct open {
    int64_t end_ns;
    uint32_t node;
};

/* Goes through what one thread did. Ranges of no thread are kept in `loose`, which has room for them all. */
static size_t walk_thread(struct rl_trace *trace, size_t at, struct rl_trace_host *loose, size_t *loose_count)
{
    struct open open[RL_TRACE_MAX_DEPTH];
    const uint32_t thread = trace->hosts[at].thread, process = trace->threads[thread].process;
    const struct rl_trace_host *wait = NULL;
    size_t depth = 0;

    for (; at < trace->host_count && trace->hosts[at].thread == thread; at++) {
        const struct rl_trace_host *host = &trace->hosts[at];
        while (depth && open[depth - 1].end_ns <= host->start_ns)
            depth--;
        const uint32_t inner = depth ? open[depth - 1].node : RL_TRACE_NO_RANGE;
        if (host->kind == RL_TRACE_RANGE && depth == RL_TRACE_MAX_DEPTH) {
            rl_notes_add(&trace->model->notes, RL_NOTE_deep_ranges, rl_text_of(""));
        } else if (host->kind == RL_TRACE_RANGE) {
            open[depth++] = (struct open){host->end_ns, enter_range(trace, process, inner, host)};
        } else if (host->kind == RL_TRACE_FREE) {
            loose[*loose_count] = *host;
            loose[(*loose_count)++].thread = process;
        } else if (host->kind == RL_TRACE_WAIT) {
            wait = host;
        } else {
            RL_APPEND(trace->calls, trace->call_count, trace->call_cap,
                      (struct rl_trace_call){.correlation = host->what,
                                             .called_ns = host->start_ns,
                                             .waited_from_ns = wait ? wait->start_ns : 0,
                                             .waited_to_ns = wait ? wait->end_ns : 0,
                                             .process = process,
                                             .range = inner});
        }
    }
    return at;
}

RL_COMPARATOR(by_call, struct rl_trace_call, rl_ascending(x->process, y->process) ?: rl_ascending(x->called_ns, y->called_ns));

/* Calls of threads without a range are in the one of their process that was opened last; `loose` in the order of opening, by
 * process (in `thread`), as calls are. */
static void place_loose(struct rl_trace *trace, const struct rl_trace_host *loose, size_t count)
{
    RL_FREED struct open *open = rl_calloc(count, sizeof *open);
    uint32_t process = RL_TRACE_NO_PROCESS;
    size_t depth = 0, next = 0;

    for (size_t i = trace->first_call; i < trace->call_count; i++) {
        struct rl_trace_call *call = &trace->calls[i];
        depth = call->process == process ? depth : 0;
        process = call->process;
        for (; next < count &&
               (loose[next].thread < process || (loose[next].thread == process && loose[next].start_ns <= call->called_ns));
             next++)
            if (loose[next].thread == process)
                open[depth++] = (struct open){loose[next].end_ns, (uint32_t)loose[next].what};
        while (depth && open[depth - 1].end_ns <= call->called_ns)
            depth--;
        if (call->range == RL_TRACE_NO_RANGE && depth)
            call->range = open[depth - 1].node;
    }
}

static int by_correlation(const void *a, const void *b, void *by_process)
{
    const struct rl_trace_call *x = a, *y = b;
    const int order = *(const bool *)by_process ? rl_ascending(x->process, y->process) : 0;

    return order ?: rl_ascending(x->correlation, y->correlation) ?: rl_ascending(x->called_ns, y->called_ns);
}

/* The first of the file's calls with that correlation. */
static uint64_t find_call(const struct rl_trace *trace, uint32_t process, uint64_t correlation, bool by_process)
{
    size_t from = trace->first_call, to = trace->call_count;

    while (from < to) {
        const size_t middle = from + (to - from) / 2;
        const struct rl_trace_call *call = &trace->calls[middle];
        const int order = by_process ? rl_ascending(call->process, process) : 0;
        if ((order ?: rl_ascending(call->correlation, correlation)) < 0)
            from = middle + 1;
        else
            to = middle;
    }
    const bool found = from < trace->call_count && trace->calls[from].correlation == correlation &&
                       (!by_process || trace->calls[from].process == process);
    return found ? from : RL_TRACE_UNKNOWN;
}

void rl_trace_end_file(struct rl_trace *trace, uint32_t process, bool by_process)
{
    RL_FREED struct rl_trace_host *loose = rl_calloc(trace->host_count, sizeof *loose);
    size_t loose_count = 0;

    if (trace->host_count)
        rl_sort(trace->hosts, trace->host_count, sizeof *trace->hosts, by_thread);
    for (size_t at = 0; at < trace->host_count;)
        at = walk_thread(trace, at, loose, &loose_count);
    if (loose_count)
        rl_sort(loose, loose_count, sizeof *loose, by_thread);
    for (size_t i = 0; i < loose_count; i++)
        loose[i].what = enter_range(trace, loose[i].thread, RL_TRACE_NO_RANGE, &loose[i]);
    const size_t calls = trace->call_count - trace->first_call;
    if (calls && loose_count) {
        rl_sort(trace->calls + trace->first_call, calls, sizeof *trace->calls, by_call);
        place_loose(trace, loose, loose_count);
    }
    if (calls)
        rl_sort_with(trace->calls + trace->first_call, calls, sizeof *trace->calls, by_correlation, &by_process);
    for (size_t i = trace->first_activity; i < trace->activity_count; i++) {
        struct rl_trace_activity *activity = &trace->activities[i];
        if (activity->call != RL_TRACE_UNKNOWN)
            activity->call = find_call(trace, activity->process, activity->call, by_process);
        if (activity->process == RL_TRACE_NO_PROCESS)
            activity->process = activity->call != RL_TRACE_UNKNOWN ? trace->calls[activity->call].process : process;
    }
    for (size_t i = trace->first_transfer; i < trace->transfer_count; i++)
        if (trace->transfers[i].process == RL_TRACE_NO_PROCESS)
            trace->transfers[i].process = process;
    free(trace->hosts);
    trace->hosts = NULL;
    trace->host_count = trace->host_cap = 0;
    trace->first_activity = trace->activity_count;
    trace->first_call = trace->call_count;
    trace->first_transfer = trace->transfer_count;
}
