/* sampler.c - the program waits a moment for whoever is to sample its GPU. To begin to sample takes a third of a second, which a
 * short program does not last: it would be over, and nothing known of what limits its kernels. Most of the wait is before the
 * program has anything on the GPU, and before it looks at a clock; what is left for its first launch is until a window is open.
 * To decode that takes a tenth of a second, in which a program that has made ready, and then computes for a moment, may be over:
 * where it goes on after a pause it waits once more. None of this is time of the GPU: it is not said to have been idle then. */
#include "sampler.h"

#include <stdio.h>
#include <time.h>

#include "capture/capture.h"
#include "counting.h"
#include "waits.h"

static const uint64_t MOST_NS = 400000000, MOST_FOR_WINDOW_NS = 60000000, MOST_FOR_NEXT_NS = 150000000;
static const uint64_t PAUSE_NS = 20000000; /* the first window is closed by then */

static atomic_bool at_beginning, at_launch, at_pause;
static atomic_ullong launched_ns; /* the last launch, between the first and the second window */

static bool is_ready(void)
{
    return rl_ring_sampler(&ring) <= RL_RING_SAMPLER_READY;
}

static bool is_open(void)
{
    return rl_ring_sampler(&ring) == RL_RING_SAMPLER_NONE;
}

static bool is_open_again(void)
{
    return rl_ring_windows(&ring) > 1;
}

/* Until that is so, as long as it may take. */
static void wait_until(enum wait which, bool (*is_so)(void), uint64_t most_ns)
{
    const struct timespec moment = {.tv_nsec = 500000};
    const uint64_t begin_ns = now_ns();
    waits_begin(which, begin_ns);
    while (!is_so() && atomic_load(&alive) && !atomic_load(&ending) && now_ns() - begin_ns < most_ns)
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
        wait_until(WAIT_READY, is_ready, MOST_NS);
}

static void tell_wait(const char *when, uint64_t ns)
{
    char text[100];
    snprintf(text, sizeof text, "%sthe program waited %.3f s until its GPU was sampled", when, (double)ns * 1e-9);
    say(RL_LOG_NOTE, RL_OK, text);
}

/* Between the first and the second window: a launch after a pause, once. */
static void await_after_pause(void)
{
    if (atomic_load(&at_pause) || rl_ring_windows(&ring) == 0)
        return;
    const uint64_t at_ns = now_ns(), last_ns = atomic_exchange(&launched_ns, at_ns);
    const bool decodes = !is_open_again();
    if ((decodes && (!last_ns || at_ns < last_ns + PAUSE_NS)) || atomic_exchange(&at_pause, true) || !decodes)
        return;
    rl_ring_hold(&ring, true);
    wait_until(WAIT_NEXT, is_open_again, MOST_FOR_NEXT_NS);
    rl_ring_hold(&ring, false);
    tell_wait("after a pause ", waits_lasted(WAIT_NEXT));
}

void sampler_await_window(CUcontext context)
{
    uint32_t gpu;
    if (atomic_load(&at_launch)) {
        await_after_pause();
        return;
    }
    if (!gpu_of_context(context, &gpu) || atomic_exchange(&at_launch, true))
        return;
    if (rl_ring_sampler(&ring) != RL_RING_SAMPLER_NONE && tell_all()) {
        rl_ring_hold(&ring, true);
        wait_until(WAIT_WINDOW, is_open, waits_lasted(WAIT_READY) ? MOST_FOR_WINDOW_NS : MOST_NS);
        rl_ring_hold(&ring, false);
    }
    const uint64_t waited_ns = waits_lasted(WAIT_READY) + waits_lasted(WAIT_WINDOW);
    if (waited_ns)
        tell_wait("", waited_ns);
}
