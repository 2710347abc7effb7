/* sampler.c - the program waits a moment for whoever is to sample its GPU. To begin to sample takes a third of a second, which a
 * short program does not last: it would be over, and nothing known of what limits its kernels. Most of the wait is before the
 * program has anything on the GPU, and before it looks at a clock; what is left for its first launch is until a window is open.
 * Neither is time of the GPU: it is not said to have been idle then. */
#include "sampler.h"

#include <stdio.h>
#include <time.h>

#include "capture/capture.h"
#include "counting.h"
#include "waits.h"

static const uint64_t MOST_NS = 400000000, MOST_FOR_WINDOW_NS = 60000000;

static atomic_bool at_beginning, at_launch;

/* Until it has come so far, as long as that may take. */
static void wait_for(enum wait which, enum rl_ring_sampler far, uint64_t most_ns)
{
    const struct timespec moment = {.tv_nsec = 500000};
    const uint64_t begin_ns = now_ns();
    waits_begin(which, begin_ns);
    while (rl_ring_sampler(&ring) > far && atomic_load(&alive) && !atomic_load(&ending) && now_ns() - begin_ns < most_ns)
        (void)nanosleep(&moment, NULL);
    const uint64_t end_ns = now_ns();
    waits_end(which, end_ns);
    budget_spend_held(end_ns - begin_ns);
}

static bool tell_all(void)
{
    if (!hold())
        return false;
    out_flush(); /* which GPU it is */
    let_go();
    return true;
}

void sampler_await_ready(CUcontext context)
{
    uint32_t gpu;
    if (atomic_load(&at_beginning) || !context || rl_ring_sampler(&ring) != RL_RING_SAMPLER_COMES || !gpu_of_context(context, &gpu))
        return;
    if (!atomic_exchange(&at_beginning, true) && tell_all())
        wait_for(WAIT_READY, RL_RING_SAMPLER_READY, MOST_NS);
}

static void tell_wait(uint64_t ns)
{
    char text[80];
    snprintf(text, sizeof text, "the program waited %.3f s until its GPU was sampled", (double)ns * 1e-9);
    say(RL_LOG_NOTE, RL_OK, text);
}

void sampler_await_window(CUcontext context)
{
    uint32_t gpu;
    if (atomic_load(&at_launch) || !gpu_of_context(context, &gpu) || atomic_exchange(&at_launch, true))
        return;
    if (rl_ring_sampler(&ring) != RL_RING_SAMPLER_NONE && tell_all()) {
        rl_ring_hold(&ring, true);
        wait_for(WAIT_WINDOW, RL_RING_SAMPLER_NONE, waits_lasted(WAIT_READY) ? MOST_FOR_WINDOW_NS : MOST_NS);
        rl_ring_hold(&ring, false);
    }
    const uint64_t waited_ns = waits_lasted(WAIT_READY) + waits_lasted(WAIT_WINDOW);
    if (waited_ns)
        tell_wait(waited_ns);
}
