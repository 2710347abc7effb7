/* program_moments.c - samples of the whole GPU by moment: what they counted in each bin of a timeline, and how much of the bin they
 * covered (program_builder.h). */
#include "program_builder.h"
#include "sampling.h"

enum { MOST_TIMELINES = 8 }; /* of a GPU that many processes use, each says the same again */

struct placing {
    const struct rl_sampling *sampling;
    const struct rl_timeline *timeline;
    uint64_t start_ns; /* of the timeline, by the clock of samples */
    uint64_t done_ns;  /* up to here moments have been sampled */
    uint64_t *covered_ns;
    double *values; /* of each bin one for each counter */
};

static uint64_t later(uint64_t a_ns, uint64_t b_ns)
{
    return a_ns > b_ns ? a_ns : b_ns;
}

/* The first sample of a window may begin a little before the last one of the window before has ended (40 ns on an H200): a moment
 * is of the sample that came first. */
static void add_sample(struct placing *placing, size_t sample)
{
    const struct rl_timeline *timeline = placing->timeline;
    const struct rl_pm_samples *samples = &placing->sampling->samples;
    const uint64_t start_ns = later(samples->start_ns[sample], placing->done_ns), end_ns = samples->end_ns[sample];
    const uint64_t behind_ns = placing->start_ns + timeline->width_ns * timeline->bins;
    if (end_ns <= start_ns || rl_sampling_is_stretched(placing->sampling, sample))
        return;
    placing->done_ns = end_ns;
    const uint64_t to_ns = end_ns < behind_ns ? end_ns : behind_ns;
    for (uint64_t at = later(start_ns, placing->start_ns); at < to_ns;) {
        const uint64_t next = placing->start_ns + ((at - placing->start_ns) / timeline->width_ns + 1) * timeline->width_ns;
        const uint64_t until = next < to_ns ? next : to_ns;
        /* Adds the part of a sample of `length_ns` that is in a bin. */
        uint64_t length_ns = end_ns - start_ns;
        const size_t counters = placing->sampling->counter_count, bin = (at - placing->start_ns) / placing->timeline->width_ns;
        const double part = (double)(until - at) / (double)length_ns;
        assert(at < until && bin < placing->timeline->bins);
        placing->covered_ns[bin] += until - at;
        for (size_t c = 0; c < counters; c++)
            placing->values[bin * counters + c] += part * samples->values[sample * counters + c];
        at = until;
    }
}

static void add_lane(struct rl_capture *capture, const struct placing *placing, enum rl_sampled_counter word, size_t counter)
{
    struct rl_sampled_lane *lane = rl_capture_add_sampled_lane(capture);
    *lane = (struct rl_sampled_lane){.timeline = capture->timeline_count - 1, .counter = word};
    for (uint32_t i = 0; i < placing->timeline->bins; i++) {
        const double total = placing->values[i * placing->sampling->counter_count + counter];
        if (!placing->covered_ns[i])
            continue;
        lane->covered_ns += placing->covered_ns[i];
        lane->total += total;
        *rl_capture_add_sampled_bin(capture) = (struct rl_sampled_bin){
            .lane = capture->sampled_lane_count - 1, .bin = i, .covered_ns = placing->covered_ns[i], .total = total};
    }
}

/* Whether the last timeline is of the sampled GPU, and none of too many. */
static bool is_wanted(const struct rl_capture *capture)
{
    const size_t last = capture->timeline_count - 1;
    size_t same = RL_SUM(size_t, i, last, capture->timelines[i].gpu == capture->timelines[last].gpu);
    return capture->timelines[last].gpu == capture->samplings[capture->sampling_count - 1].gpu && same < MOST_TIMELINES;
}

void rl_builder_add_moments(struct builder *b, uint64_t start_ns)
{
    struct rl_capture *capture = b->capture;
    if (!b->clocks_known || !is_wanted(capture))
        return;
    const struct rl_gpu_sampling *row = &capture->samplings[capture->sampling_count - 1];
    const struct rl_timeline *timeline = &capture->timelines[capture->timeline_count - 1];
    const struct rl_sampling *sampling = b->facts->sampling;
    struct placing placing = {.sampling = sampling,
                              .timeline = timeline,
                              .start_ns = start_ns + (uint64_t)(int64_t)row->shift_ns,
                              .covered_ns = rl_calloc(timeline->bins, sizeof *placing.covered_ns),
                              .values = rl_calloc(timeline->bins * sampling->counter_count, sizeof *placing.values)};
    for (size_t s = 0; s < sampling->samples.count; s++)
        add_sample(&placing, s);
    /* In the order of the words of the capture. */
    for (unsigned word = 0; word < RL_SAMPLED_COUNT; word++)
        for (size_t c = 0; c < placing.sampling->counter_count; c++)
            if (rl_builder_sampled(placing.sampling->counters[c]) == word &&
                (rl_sampled_of_what((enum rl_sampled_counter)word) & RL_SAMPLED_OF_MOMENTS))
                add_lane(capture, &placing, (enum rl_sampled_counter)word, c);
    RL_FREE(placing.covered_ns, placing.values);
}
