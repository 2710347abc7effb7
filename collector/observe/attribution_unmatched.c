/* attribution_unmatched.c - in which way samples and launches do not go together (attribution_parts.h). */
#include <assert.h>
#include <stdlib.h>

#include "attribution_parts.h"
#include "core/mem.h"

static const uint64_t NEAR_NS = 20000;  /* clocks are not further apart (attribution_shift.c) */
static const double ALL_THE_TIME = 0.9; /* of the samples: busy in so many, a GPU was never idle for long */

/* Samples, and those that a launch or the busy counter is in. */
struct meeting {
    size_t samples, busy;
    size_t met, met_busy; /* in or near which a launch ran; and of them those that are busy */
};

static struct meeting meet(const struct rl_sampled *sampled)
{
    struct meeting meeting = {.samples = sampled->sample_count};
    uint64_t last_end_ns = 0;
    for (size_t s = 0, next = 0; s < sampled->sample_count; s++) {
        for (; next < sampled->launch_count && sampled->launches[next].start_ns < sampled->end_ns[s] + NEAR_NS; next++)
            if (sampled->launches[next].end_ns > last_end_ns)
                last_end_ns = sampled->launches[next].end_ns;
        const bool met = last_end_ns + NEAR_NS > sampled->start_ns[s];
        const bool busy = sampled->values[s * sampled->counter_count + sampled->busy_counter] > 0;
        meeting.busy += busy;
        meeting.met += met;
        meeting.met_busy += met && busy;
    }
    return meeting;
}

static enum rl_unmatched way_of(const struct meeting *meeting)
{
    const double most = ALL_THE_TIME * (double)meeting->samples;
    if (meeting->met == 0)
        return RL_UNMATCHED_APART;
    if (meeting->met_busy == 0)
        return RL_UNMATCHED_IDLE;
    return (double)meeting->met_busy >= most ? RL_UNMATCHED_EVEN : RL_UNMATCHED_CLOCK;
}

enum rl_status rl_unmatched(const struct rl_sampled *sampled, double correlation, enum rl_unmatched *how, struct rl_err *err)
{
    const struct meeting meeting = meet(sampled);
    *how = way_of(&meeting);
    assert(meeting.met_busy <= meeting.met && meeting.met <= meeting.samples);
    switch (*how) {
    case RL_UNMATCHED_APART:
        return rl_err_set(err, RL_ABSENT,
                          "none of %zu samples was taken while a kernel with a known time ran; the GPU was busy in %zu of them",
                          meeting.samples, meeting.busy);
    case RL_UNMATCHED_IDLE:
        return rl_err_set(err, RL_ABSENT,
                          "nothing was counted in the %zu samples in which kernels of the program ran: samples of another GPU",
                          meeting.met);
    case RL_UNMATCHED_EVEN:
        return rl_err_set(err, RL_ABSENT,
                          "the GPU was busy in %zu of %zu samples, which are too alike to tell which kernels ran in them",
                          meeting.met_busy, meeting.samples);
    default:
        return rl_err_set(err, RL_ABSENT,
                          "the clocks of samples and launches could not be matched (correlation %.2f): kernels ran in %zu "
                          "of %zu samples, the GPU was busy in %zu",
                          correlation, meeting.met, meeting.samples, meeting.busy);
    }
}
