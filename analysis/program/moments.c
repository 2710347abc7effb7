/* moments.c - what samples of a whole GPU say of each moment (internal.h). */
#include "analysis/timeline.h"

#include "analysis/links.h"
#include "internal.h"

enum scale { SCALE_NONE, SCALE_ROOF, SCALE_ALL, SCALE_TENSOR, SCALE_PCIE };
static const enum scale scales[RL_MOMENT_COUNT] = {
#define MOMENT(counter, unit, scale, ...) SCALE_##scale,
#include "analysis/moments.def"
};
const struct rl_moment_row rl_moments[RL_MOMENT_COUNT] = {
#define MOMENT(counter, unit, scale, label, meaning) {RL_SAMPLED_##counter, RL_UNIT_##unit, label, meaning},
#include "analysis/moments.def"
};

/* The first bin of a lane that is not before `bin`, or of a lane behind it. */
static size_t first_bin(const struct rl_capture *capture, size_t lane, uint32_t bin)
{
    const struct rl_sampled_bin *all = capture->sampled_bins;
    return RL_BISECT(i, capture->sampled_bin_count, all[i].lane < lane || (all[i].lane == lane && all[i].bin < bin));
}

/* The bins of a lane of samples of the capture, in the order of time: `*count` of them. */
static const struct rl_sampled_bin *sampled_lane_bins(const struct rl_capture *capture, size_t lane, size_t *count)
{
    const size_t first = first_bin(capture, lane, 0);
    *count = first_bin(capture, lane + 1, 0) - first;
    return *count ? &capture->sampled_bins[first] : NULL;
}

struct sums {
    double covered_s, total;
};

static struct sums sum_between(const struct rl_capture *capture, size_t lane, uint32_t from, uint32_t to)
{
    struct sums sums = {0};
    for (size_t i = first_bin(capture, lane, from); i < capture->sampled_bin_count; i++) {
        const struct rl_sampled_bin *bin = &capture->sampled_bins[i];
        if (bin->lane != lane || bin->bin >= to)
            break;
        sums.covered_s += (double)bin->covered_ns * 1e-9;
        sums.total += bin->total;
    }
    return sums;
}

double rl_moment_covered_s(const struct rl_capture *capture, const struct rl_moment_lane *of, uint32_t from, uint32_t to)
{
    return sum_between(capture, of->lane, from, to).covered_s;
}

struct rl_value rl_moment_between(const struct rl_capture *capture, const struct rl_moment_lane *of, uint32_t from, uint32_t to)
{
    const struct sums own = sum_between(capture, of->lane, from, to);
    if (!rl_present(of->mean))
        return of->mean;
    if (own.covered_s <= 0)
        return rl_value_missing(RL_NOT_COLLECTED, "no sample was taken");
    const double whole = of->whole == RL_NONE ? own.covered_s : of->factor * sum_between(capture, of->whole, from, to).total;
    return rl_value_div(rl_value_of(own.total), rl_value_of(whole), "no cycle went by");
}

static size_t find_lane(const struct rl_capture *capture, size_t timeline, enum rl_sampled_counter counter)
{
    const struct rl_sampled_lane *all = capture->sampled_lanes;
    const size_t lane = RL_BISECT(i, capture->sampled_lane_count,
                                  all[i].timeline < timeline || (all[i].timeline == timeline && all[i].counter < counter));
    const bool found = lane < capture->sampled_lane_count && all[lane].timeline == timeline && all[lane].counter == counter;
    return found ? lane : RL_NONE;
}

/* The denominator of a lane, and why that is unknown. */
static struct rl_value whole_of(const struct rl_analysis *analysis, size_t timeline, struct rl_moment_lane *lane)
{
    const struct rl_capture *capture = analysis->capture;
    const enum scale scale = scales[lane->moment];
    const struct rl_chip *chip = rl_chip_find(capture->gpus[capture->timelines[timeline].gpu].chip);
    lane->whole = RL_NONE;
    lane->factor = 1;
    if (scale != SCALE_ALL && scale != SCALE_TENSOR)
        return rl_value_of(1);
    lane->whole = find_lane(capture, timeline, RL_SAMPLED_sm_elapsed);
    if (lane->whole == RL_NONE)
        return rl_value_missing(RL_NOT_COLLECTED, "the cycles of the SMs were not sampled");
    if (scale == SCALE_TENSOR && (!chip || !chip->sampled_tensor_per_sm))
        return rl_value_missing(RL_UNDEFINED, "how many tensor cycles an SM of this chip has at once is unknown");
    lane->factor = scale == SCALE_TENSOR ? chip->sampled_tensor_per_sm : 1;
    return rl_value_of(1);
}

static struct rl_value roof_of(const struct rl_analysis *analysis, size_t gpu, enum scale scale)
{
    const struct rl_value *fact = analysis->capture->gpus[gpu].fact;
    switch (scale) {
    case SCALE_ROOF:
        return rl_ceiling_figure(&analysis->gpus[gpu].ceiling[RL_CEILING_dram]);
    case SCALE_ALL:
    case SCALE_TENSOR:
        return rl_value_of(1);
    case SCALE_PCIE:
        return rl_pcie_bytes_per_second(fact[RL_FACT_pcie_generation], fact[RL_FACT_pcie_width]);
    case SCALE_NONE:
        break;
    }
    return rl_value_missing(RL_UNDEFINED, "how fast all links together can be is unknown");
}

static void add_lane(const struct rl_analysis *analysis, size_t timeline, enum rl_moment moment, size_t index,
                     struct rl_moments *moments)
{
    const struct rl_capture *capture = analysis->capture;
    const uint32_t bins = capture->timelines[timeline].bins;
    struct rl_moment_lane *lane = &moments->at[moments->count++];
    *lane = (struct rl_moment_lane){.moment = moment, .lane = index};
    lane->mean = whole_of(analysis, timeline, lane); /* any number, for the next line */
    lane->mean = lane->greatest = rl_moment_between(capture, lane, 0, bins);
    size_t count;
    const struct rl_sampled_bin *own = sampled_lane_bins(capture, index, &count);
    for (size_t i = 0; i < count && rl_present(lane->mean); i++) {
        const struct rl_value value = rl_moment_between(capture, lane, own[i].bin, own[i].bin + 1);
        if (rl_present(value) && value.v > lane->greatest.v)
            lane->greatest = value;
    }
    lane->roof = roof_of(analysis, capture->timelines[timeline].gpu, scales[moment]);
    lane->share = rl_value_div(lane->mean, lane->roof, "no roof");
}

void rl_step_moments(struct rl_analysis *analysis)
{
    for (size_t i = 0; i < analysis->over_time_count; i++) {
        struct rl_moments *moments = &analysis->over_time[i].moments;
        moments->count = 0;
        moments->covered_s = 0;
        moments->covered = rl_value_missing(RL_NOT_COLLECTED, "no samples");
        moments->from_s = moments->to_s = rl_value_missing(RL_UNDEFINED, "");
        for (unsigned moment = 0; moment < RL_MOMENT_COUNT; moment++) {
            const size_t lane = find_lane(analysis->capture, i, rl_moments[moment].counter);
            if (lane != RL_NONE)
                add_lane(analysis, i, (enum rl_moment)moment, lane, moments);
        }
        if (moments->count) {
            /* Bins of one lane: samples have all counters. */
            const struct rl_capture *capture = analysis->capture;
            const double width_s = (double)capture->timelines[i].width_ns * 1e-9;
            const uint32_t bins = capture->timelines[i].bins;
            size_t count;
            const struct rl_sampled_bin *bin = sampled_lane_bins(capture, moments->at[0].lane, &count);
            uint32_t behind = 0, from = 0, longest = 0;
            for (size_t j = 0; j <= count; j++) {
                const uint32_t next = j < count ? bin[j].bin : bins;
                if (next > behind && next - behind > longest) {
                    from = behind;
                    longest = next - behind;
                }
                behind = next + 1;
                moments->covered_s += j < count ? (double)bin[j].covered_ns * 1e-9 : 0;
            }
            if (longest) {
                moments->from_s = rl_value_of(width_s * from);
                moments->to_s = rl_value_of(width_s * (from + longest));
            }
            moments->covered = rl_value_of(moments->covered_s / (width_s * bins));
        }
    }
}
