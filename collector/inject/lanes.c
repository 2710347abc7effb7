/* lanes.c - timeline of each GPU. Activities arrive roughly in order, a buffer at a time: the latest ones are kept sorted by start,
 * and the oldest half is processed when there is no more room. Time already processed counts in no union again. */

#include "lanes.h"
#include "guest.h"

enum { WAITING = 1024, AT_ONCE = WAITING / 2 };
static const uint64_t LEAST_PAUSE_NS = 1000000000;

enum covering { COVER_BUSY, COVER_KERNELS, COVER_COMPUTE, COVER_COLLECTIVES, COVER_COPIES, COVERS };
static const enum rl_lane cover_lanes[COVERS] = {RL_LANE_BUSY, RL_LANE_KERNELS, RL_LANE_COMPUTE, RL_LANE_COLLECTIVES,
                                                 RL_LANE_COPIES};

static struct line {
    struct waiting {
        struct activity is;
        bool cut;
    } waiting[WAITING];
    size_t count;
    uint64_t covered_ns[COVERS]; /* end of the reported union; 0: empty */
    uint64_t first_ns, told_ns;
    bool cut;
    struct bins bins;
    struct idle idle;
} * lines[MOST_GPUS];

static bool is_kernel(const struct activity *activity)
{
    return activity->lane == RL_LANE_COMPUTE || activity->lane == RL_LANE_COLLECTIVES;
}

uint64_t lanes_lag(const struct activity *kernel)
{
    const uint64_t called_ns = clocks_theirs(kernel->call.called_ns), now = clocks_theirs(now_ns());
    const uint64_t end_ns = kernel->end_ns < now ? kernel->end_ns : now;
    return clocks_known() && called_ns && end_ns > called_ns ? end_ns - called_ns : 0;
}

static struct idle_end end_of(const struct waiting *waiting)
{
    struct idle_end end = {.range = waiting->is.range, .cut = waiting->cut};
    if (clocks_known())
        end.call = (struct call_times){clocks_theirs(waiting->is.call.called_ns), clocks_theirs(waiting->is.call.waited_from_ns),
                                       clocks_theirs(waiting->is.call.waited_to_ns)};
    return end;
}

static void cover(struct line *line, enum covering what, const struct activity *activity)
{
    uint64_t *covered = &line->covered_ns[what];
    bins_add(&line->bins, cover_lanes[what], activity->start_ns > *covered ? activity->start_ns : *covered, activity->end_ns);
    *covered = activity->end_ns > *covered ? activity->end_ns : *covered;
}

/* Too many memcpys between two kernels: the time before this one is closed without knowing the next launch. */
static void make_room(struct line *line, uint64_t start_ns)
{
    const struct idle_end unknown = {.range = RL_STREAM_NO_RANGE};
    uint64_t *kernels = &line->covered_ns[COVER_KERNELS];
    if (line->idle.piece_count < MOST_PIECES || start_ns <= *kernels)
        return;
    idle_close(&line->idle, &line->bins, *kernels, start_ns, &unknown);
    *kernels = start_ns;
}

static void go_through(struct line *line, size_t count)
{
    assume(count <= line->count);
    for (size_t i = 0; i < count; i++) {
        const struct waiting *waiting = &line->waiting[i];
        const uint64_t anything = line->covered_ns[COVER_BUSY] ? line->covered_ns[COVER_BUSY] : UINT64_MAX;
        bins_reach(&line->bins, waiting->is.start_ns, waiting->is.end_ns);
        cover(line, COVER_BUSY, &waiting->is);
        if (is_kernel(&waiting->is)) {
            const struct activity *kernel = &waiting->is;
            const uint64_t before = line->covered_ns[COVER_KERNELS];
            const struct idle_end end = end_of(waiting);
            if (before && kernel->start_ns > before)
                idle_close(&line->idle, &line->bins, before, kernel->start_ns, &end);
            else if (!before && end.cut && kernel->start_ns > anything)
                idle_close(&line->idle, &line->bins, anything, kernel->start_ns, &end);
            bins_add(&line->bins, bins_lane_of(&line->bins, kernel->class), kernel->start_ns, kernel->end_ns);
            cover(line, COVER_KERNELS, kernel);
            cover(line, kernel->lane == RL_LANE_COLLECTIVES ? COVER_COLLECTIVES : COVER_COMPUTE, kernel);
        } else {
            const struct activity *copy = &waiting->is;
            make_room(line, copy->start_ns);
            const uint64_t kernels = line->covered_ns[COVER_KERNELS], from = copy->start_ns > kernels ? copy->start_ns : kernels;
            if (kernels && copy->end_ns > from && line->idle.piece_count < MOST_PIECES)
                idle_copy(&line->idle, from, copy->end_ns);
            bins_add(&line->bins, copy->lane, copy->start_ns, copy->end_ns);
            cover(line, COVER_COPIES, copy);
        }
    }
    line->count -= count;
    memmove(line->waiting, line->waiting + count, line->count * sizeof *line->waiting);
}

static struct line *line_of(uint32_t gpu)
{
    if (gpu < MOST_GPUS && !lines[gpu])
        lines[gpu] = keep(sizeof *lines[gpu]);
    return gpu < MOST_GPUS ? lines[gpu] : NULL;
}

void lanes_add(const struct activity *activity)
{
    struct line *line = activity->start_ns && activity->start_ns < activity->end_ns ? line_of(activity->gpu) : NULL;
    if (!line)
        return; /* CUPTI reports 0 for an unknown time */
    if (line->count == WAITING)
        go_through(line, AT_ONCE);
    size_t at = line->count++;
    for (; at > 0 && line->waiting[at - 1].is.start_ns > activity->start_ns; at--)
        line->waiting[at] = line->waiting[at - 1];
    line->waiting[at] = (struct waiting){*activity, line->cut && is_kernel(activity)};
    line->cut = line->cut && !is_kernel(activity);
}

void lanes_cut(void)
{
    assume(is_held());
    for (size_t i = 0; i < MOST_GPUS; i++)
        if (lines[i])
            lines[i]->cut = true;
}

/* Rare, because 60 lanes are 240 KiB. A program that is killed loses an eighth of its time. */
void lanes_flush(bool all)
{
    assume(is_held());
    const uint64_t now = now_ns();
    for (uint32_t gpu = 0; gpu < MOST_GPUS; gpu++) {
        struct line *line = lines[gpu];
        if (!line)
            continue;
        line->first_ns = line->first_ns ? line->first_ns : now;
        const uint64_t pause = (line->told_ns - line->first_ns) / 8;
        if (!all && line->told_ns && now - line->told_ns < (pause > LEAST_PAUSE_NS ? pause : LEAST_PAUSE_NS))
            continue;
        clocks_look();
        go_through(line, all ? line->count : line->count / 2);
        bins_tell(&line->bins, gpu);
        idle_tell(&line->idle, gpu);
        line->told_ns = now;
    }
}

uint64_t lanes_bin(uint32_t gpu, enum rl_lane lane, size_t bin)
{
    uint64_t ns = 0;
    assume(gpu < MOST_GPUS && lines[gpu] && bin < RL_STREAM_LANE_BINS);
    if (lane != RL_LANE_CLASS)
        return lines[gpu]->bins.lanes[lane].ns[bin];
    for (size_t i = RL_LANE_COUNT; i < BEHIND_CLASSES; i++)
        ns += lines[gpu]->bins.lanes[i].ns[bin];
    return ns;
}

uint64_t lanes_width(uint32_t gpu)
{
    assume(gpu < MOST_GPUS && lines[gpu]);
    return lines[gpu]->bins.width_ns;
}
