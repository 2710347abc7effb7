/* idle.c - host activity while no kernel ran, attributed by the launch of the kernel that ended the idle time. The part after its
 * call is launch latency; the part within the thread's last wait for the GPU belongs to the wait; the rest was other host work, in
 * the range of the launch. Parts in which memcpys ran belong to these. */
#include "lanes.h"

void idle_copy(struct idle *idle, uint64_t from_ns, uint64_t to_ns)
{
    assume(idle->piece_count < MOST_PIECES && from_ns < to_ns);
    struct piece *last = idle->piece_count ? &idle->pieces[idle->piece_count - 1] : NULL;
    if (last && from_ns <= last->to_ns)
        last->to_ns = to_ns > last->to_ns ? to_ns : last->to_ns;
    else
        idle->pieces[idle->piece_count++] = (struct piece){from_ns, to_ns};
}

/* The slot of the lane and range, or a free one. */
static struct idle_sum *slot_of(struct idle *idle, enum rl_lane lane, int32_t range)
{
    assume(idle->sum_count < IDLE_SLOTS);
    size_t at = ((uint32_t)(range + 1) * 2654435761u + lane) % IDLE_SLOTS;
    while (idle->sums[at].used && (idle->sums[at].lane != lane || idle->sums[at].range != range))
        at = (at + 1) % IDLE_SLOTS;
    return &idle->sums[at];
}

/* The sums of a lane and range; with too many ranges, those of no range. */
static struct idle_sum *sum_of(struct idle *idle, enum rl_lane lane, int32_t range)
{
    const bool full = idle->sum_count > IDLE_SLOTS - 2 * RL_LANE_COUNT; /* reserves slots for sums of no range */
    struct idle_sum *sum = slot_of(idle, lane, range);
    if (!sum->used && full && range != RL_STREAM_NO_RANGE)
        sum = slot_of(idle, lane, range = RL_STREAM_NO_RANGE);
    if (!sum->used) {
        *sum = (struct idle_sum){.range = range, .lane = lane, .used = true};
        idle->sum_count++;
    }
    return sum;
}

/* An idle time between kernels while it is split. */
struct closing {
    struct bins *bins;
    const struct idle_end *end;
    size_t range_lane;
    uint64_t spent_ns[RL_LANE_COUNT];
};

static void spend(struct closing *closing, enum rl_lane lane, uint64_t from_ns, uint64_t to_ns)
{
    if (from_ns >= to_ns)
        return;
    bins_add(closing->bins, lane, from_ns, to_ns);
    if (lane != RL_LANE_UNWATCHED)
        bins_add(closing->bins, closing->range_lane, from_ns, to_ns);
    closing->spent_ns[lane] += to_ns - from_ns;
}

static uint64_t within(uint64_t ns, uint64_t from_ns, uint64_t to_ns)
{
    return ns < from_ns ? from_ns : ns > to_ns ? to_ns : ns;
}

/* Adds a part without memcpys. */
static void spend_alone(struct closing *closing, uint64_t from_ns, uint64_t to_ns)
{
    const struct call_times *call = &closing->end->call;
    if (from_ns >= to_ns)
        return;
    if (!call->called_ns) {
        spend(closing, RL_LANE_IDLE_UNKNOWN, from_ns, to_ns);
        return;
    }
    const uint64_t called = within(call->called_ns, from_ns, to_ns), wait = within(call->waited_from_ns, from_ns, called),
                   awake = within(call->waited_to_ns, wait, called);
    spend(closing, RL_LANE_IDLE_HOST, from_ns, wait);
    spend(closing, RL_LANE_IDLE_WAIT, wait, awake);
    spend(closing, RL_LANE_IDLE_HOST, awake, called);
    spend(closing, RL_LANE_IDLE_LAUNCH, called, to_ns);
}

static void spend_pieces(struct closing *closing, const struct idle *idle, uint64_t from_ns, uint64_t to_ns)
{
    for (size_t i = 0; i < idle->piece_count; i++) {
        const uint64_t begin = within(idle->pieces[i].from_ns, from_ns, to_ns), end = within(idle->pieces[i].to_ns, from_ns, to_ns);
        spend_alone(closing, from_ns, begin);
        spend(closing, RL_LANE_IDLE_COPY, begin, end);
        from_ns = end;
    }
    spend_alone(closing, from_ns, to_ns);
}

void idle_close(struct idle *idle, struct bins *bins, uint64_t from_ns, uint64_t to_ns, const struct idle_end *end)
{
    struct closing closing = {.bins = bins, .end = end};
    const struct piece last = idle->piece_count ? idle->pieces[idle->piece_count - 1] : (struct piece){0, 0};
    if (end->cut) {
        spend(&closing, RL_LANE_UNWATCHED, from_ns, to_ns);
    } else {
        /* Idle time of the GPU before launches from a range; 0: too many ranges. */
        uint64_t total_ns = 0;
        for (unsigned lane = RL_LANE_IDLE_COPY; lane < RL_LANE_UNWATCHED; lane++)
            total_ns += slot_of(idle, (enum rl_lane)lane, end->range)->total_ns;
        closing.range_lane = bins_range_of(bins, end->range, total_ns);
        spend_pieces(&closing, idle, from_ns, to_ns);
    }
    for (unsigned lane = 0; lane < RL_LANE_COUNT; lane++) {
        if (!closing.spent_ns[lane])
            continue;
        struct idle_sum *sum = sum_of(idle, (enum rl_lane)lane, end->range);
        sum->count++;
        sum->total_ns += closing.spent_ns[lane];
        sum->longest_ns = closing.spent_ns[lane] > sum->longest_ns ? closing.spent_ns[lane] : sum->longest_ns;
        sum->changed = true;
    }
    idle->piece_count = 0;
    if (last.to_ns > to_ns) /* it lasts while the kernel runs, and perhaps longer */
        idle_copy(idle, to_ns, last.to_ns);
}

void idle_tell(struct idle *idle, uint32_t gpu)
{
    for (size_t i = 0; i < IDLE_SLOTS; i++) {
        struct idle_sum *sum = &idle->sums[i];
        if (!sum->changed)
            continue;
        struct rl_record_idle record = {.gpu = gpu,
                                        .lane = sum->lane,
                                        .range = sum->range,
                                        .count = sum->count,
                                        .total_ns = sum->total_ns,
                                        .longest_ns = sum->longest_ns};
        out_add(RL_RECORD_idle, &record, sizeof record, NULL, 0);
        sum->changed = false;
    }
}
