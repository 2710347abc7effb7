/* aside.c - suspends our use of CUPTI while the program counts or records by itself (guest.h). */

#include "counts.h"
#include "guest.h"
#include "times.h"

enum { MOST_SAID = 20 };
static const uint64_t LONGEST_NS = 2000 * MS; /* time that the program waits for preparations in progress or for other processes */

static const struct {
    const char *text, *effect;
} words[] = {
    [ASIDE_RECORDS] = {"recorded activities", "launches were timed, and none counted"},
    [ASIDE_COUNTERS] = {"used the GPU's counters", "launches were neither timed nor counted, and copies not recorded"},
};
static atomic_int going[RL_COUNT(words)];
static atomic_ullong since_ns[RL_COUNT(words)];
static uint64_t begun_ns; /* about the time when CUDA was initialised */
static atomic_uint said;

static void wait_until(bool (*is_so)(void))
{
    const struct timespec moment = {.tv_nsec = 200000};
    const uint64_t until_ns = now_ns() + LONGEST_NS;
    while (!is_so() && atomic_load(&alive) && now_ns() < until_ns)
        (void)nanosleep(&moment, NULL);
}

static bool is_prepared(void)
{
    return !atomic_load(&counts_preparing);
}

static void stop_counting(void)
{
    const bool entered = enter();
    launches_let_go(false);
    wait_until(is_prepared);
    (void)counts_give_way();
    if (entered)
        leave();
}

static void stop_recording(void)
{
    const bool entered = enter();
    launches_let_go(true);
    guest_take_counters(true); /* launches are marked untimed before timing stops */
    out_keep_counters(true);
    wait_until(counts_give_way);
    stretches_forget();
    times_leave();
    if (entered)
        leave();
    wait_until(out_may_count); /* asks a process that samples the GPU to release it */
}

static void say_gap(enum aside why, const char *still)
{
    char text[256];
    const uint64_t from_ns = atomic_load(&since_ns[why]);
    if (atomic_fetch_add(&said, 1) >= MOST_SAID)
        return;
    snprintf(text, sizeof text, "the program %s with CUPTI itself for %.3f s, from second %.3f on%s: %s meanwhile", words[why].text,
             1e-9 * (double)(now_ns() - from_ns), 1e-9 * (double)(from_ns - begun_ns), still, words[why].effect);
    say(RL_LOG_NOTE, RL_OK, text);
}

void aside_start(void)
{
    begun_ns = now_ns();
}

void aside_begin(enum aside why)
{
    const bool first = guest_works(1);
    if (atomic_fetch_add(&going[why], 1) == 0) {
        atomic_store(&since_ns[why], now_ns());
        if (first)
            stop_counting();
        if (why == ASIDE_COUNTERS)
            stop_recording();
    }
}

void aside_end(enum aside why, int times)
{
    if (times && atomic_fetch_sub(&going[why], times) == times) {
        say_gap(why, "");
        if (why == ASIDE_COUNTERS) {
            const bool entered = enter();
            times_return();
            guest_take_counters(false);
            out_keep_counters(false);
            out_counted();
            if (entered)
                leave();
        }
    }
    (void)guest_works(-times);
}

void aside_for_good(const char *why)
{
    (void)guest_works(1);
    stop_counting();
    const bool entered = enter();
    say(RL_LOG_WARNING, RL_OK, why);
    out_keep_counters(true);
    wait_until(counts_give_way);
    times_end();
    callbacks_close();
    if (entered)
        leave();
    wait_until(out_may_count);
}

void aside_finish(void)
{
    for (size_t i = 0; i < RL_COUNT(words); i++)
        if (atomic_load(&going[i]) > 0)
            say_gap((enum aside)i, " to its end");
}
