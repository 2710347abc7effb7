/* bins.c - time bins, whose width doubles when the program outlasts them: as many however long it runs. */
#include "lanes.h"

void bins_reach(struct bins *bins, uint64_t start_ns, uint64_t end_ns)
{
    if (!bins->width_ns) {
        bins->start_ns = start_ns;
        bins->width_ns = FIRST_WIDTH_NS;
    }
    while (end_ns > bins->start_ns && (end_ns - bins->start_ns - 1) / bins->width_ns >= RL_STREAM_LANE_BINS) {
        for (size_t lane = 0; lane < LANES; lane++) {
            uint64_t *ns = bins->lanes[lane].ns;
            if (!bins->lanes[lane].used)
                continue;
            for (size_t i = 0; i < RL_STREAM_LANE_BINS / 2; i++)
                ns[i] = ns[2 * i] + ns[2 * i + 1];
            for (size_t i = RL_STREAM_LANE_BINS / 2; i < RL_STREAM_LANE_BINS; i++)
                ns[i] = 0;
            bins->lanes[lane].changed = true;
        }
        bins->width_ns *= 2;
    }
}

void bins_add(struct bins *bins, size_t lane, uint64_t from_ns, uint64_t to_ns)
{
    struct bin_lane *to = &bins->lanes[lane];
    from_ns = from_ns < bins->start_ns ? bins->start_ns : from_ns;
    if (to_ns <= from_ns)
        return;
    assume((to_ns - bins->start_ns - 1) / bins->width_ns < RL_STREAM_LANE_BINS);
    to->total_ns += to_ns - from_ns;
    to->used = to->changed = true;
    for (size_t bin = (from_ns - bins->start_ns) / bins->width_ns; from_ns < to_ns && bin < RL_STREAM_LANE_BINS; bin++) {
        const uint64_t behind_ns = bins->start_ns + (bin + 1) * bins->width_ns, end_ns = behind_ns < to_ns ? behind_ns : to_ns;
        to->ns[bin] += end_ns - from_ns;
        from_ns = end_ns;
    }
}

/* Moves the time of the lane to that of all others. */
static void give_up_lane(struct bins *bins, struct bin_lane *lane, size_t to)
{
    struct bin_lane *others = &bins->lanes[to];
    for (size_t i = 0; i < RL_STREAM_LANE_BINS; i++)
        others->ns[i] += lane->ns[i];
    others->total_ns += lane->total_ns;
    others->used = others->changed = true;
    *lane = (struct bin_lane){.used = true, .changed = true};
}

size_t bins_lane_of(struct bins *bins, struct class *class)
{
    size_t least = RL_LANE_COUNT;
    if (!class)
        return RL_LANE_OTHER_CLASSES;
    for (size_t lane = RL_LANE_COUNT; lane < BEHIND_CLASSES; lane++) {
        if (bins->lanes[lane].class == class)
            return lane;
        if (!bins->lanes[lane].class) {
            bins->lanes[lane].class = class;
            return lane;
        }
        if (bins->lanes[lane].total_ns < bins->lanes[least].total_ns)
            least = lane;
    }
    if (class->total_ns <= 2 * bins->lanes[least].total_ns)
        return RL_LANE_OTHER_CLASSES;
    give_up_lane(bins, &bins->lanes[least], RL_LANE_OTHER_CLASSES);
    bins->lanes[least].class = class;
    return least;
}

size_t bins_range_of(struct bins *bins, int32_t range, uint64_t total_ns)
{
    size_t least = FIRST_RANGE;
    if (range == RL_STREAM_NO_RANGE)
        return NO_RANGE;
    for (size_t at = FIRST_RANGE; at < LANES; at++) {
        struct bin_lane *lane = &bins->lanes[at];
        if (!lane->taken) {
            lane->taken = true;
            lane->range = range;
        }
        if (lane->range == range)
            return at;
        if (lane->total_ns < bins->lanes[least].total_ns)
            least = at;
    }
    if (total_ns <= 2 * bins->lanes[least].total_ns)
        return OTHER_RANGES;
    give_up_lane(bins, &bins->lanes[least], OTHER_RANGES);
    bins->lanes[least].taken = true;
    bins->lanes[least].range = range;
    return least;
}

static uint32_t kind_of(size_t slot)
{
    if (slot < BEHIND_CLASSES)
        return slot < RL_LANE_COUNT ? (uint32_t)slot : RL_LANE_CLASS;
    return slot == OTHER_RANGES ? RL_STREAM_IDLE_OTHERS : slot == NO_RANGE ? RL_STREAM_IDLE_NO_RANGE : RL_STREAM_IDLE_RANGE;
}

void bins_tell(struct bins *bins, uint32_t gpu)
{
    static struct {
        struct rl_record_lane record;
        uint64_t ns[RL_STREAM_LANE_BINS];
    } told;
    for (uint32_t slot = 0; slot < LANES; slot++) {
        struct bin_lane *lane = &bins->lanes[slot];
        if (!lane->changed)
            continue;
        uint32_t count = 0;
        for (uint32_t i = 0; i < RL_STREAM_LANE_BINS; i++) {
            told.ns[i] = lane->ns[i];
            count = lane->ns[i] ? i + 1 : count;
        }
        told.record = (struct rl_record_lane){.gpu = gpu,
                                              .slot = slot,
                                              .lane = kind_of(slot),
                                              .class_id = lane->class ? lane->class->id : RL_STREAM_NO_CLASS,
                                              .bin_count = count,
                                              .range = lane->taken ? lane->range : RL_STREAM_NO_RANGE,
                                              .start_ns = bins->start_ns,
                                              .width_ns = bins->width_ns};
        out_add(RL_RECORD_lane, &told, sizeof told.record + count * sizeof *told.ns, NULL, 0);
        lane->changed = false;
    }
}
