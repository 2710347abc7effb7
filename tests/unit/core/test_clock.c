/* Clocks and the difference between two of their moments. */
#include "rl_test.h"

#include <errno.h>
#include <time.h>

#include "core/clock.h"
#include "core/mem.h"

static int64_t read_clock(clockid_t clock)
{
    struct timespec now;
    assert_int_equal(clock_gettime(clock, &now), 0);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void each_reads_its_own_clock(void **state)
{
    static const struct {
        int64_t (*read)(void);
        clockid_t clock;
    } rows[] = {{rl_monotonic_ns, CLOCK_MONOTONIC}, {rl_realtime_ns, CLOCK_REALTIME}, {rl_thread_cpu_ns, CLOCK_THREAD_CPUTIME_ID}};
    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        const int64_t before = read_clock(rows[i].clock), now = rows[i].read(), after = read_clock(rows[i].clock);
        assert_true(before <= now && now <= after);
        errno = ENOTTY;
        const int64_t again = rl_clock_ns(rows[i].clock);
        assert_int_equal(errno, ENOTTY);
        assert_true(after <= again && again <= read_clock(rows[i].clock));
    }
}

/* From moments that lie an hour back or ahead, so that a busy machine changes nothing. */
static void differences_are_in_seconds(void **state)
{
    (void)state;
    assert_close(rl_seconds_since(rl_monotonic_ns() - INT64_C(3600000000000)), 3600, 0.2);
    assert_close(rl_seconds_since(rl_monotonic_ns() + INT64_C(3600000000000)), -3600, 0.2);
    static const int64_t ahead[] = {0, 999999999, INT64_C(3600000000001)};
    for (size_t i = 0; i < RL_COUNT(ahead); i++) {
        const int64_t before = read_clock(CLOCK_REALTIME);
        const struct timespec at = rl_deadline_in(ahead[i]);
        const int64_t ns = (int64_t)at.tv_sec * 1000000000 + at.tv_nsec;
        assert_true(before + ahead[i] <= ns && ns <= read_clock(CLOCK_REALTIME) + ahead[i]);
        assert_true(at.tv_nsec >= 0 && at.tv_nsec < 1000000000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_reads_its_own_clock), cmocka_unit_test(differences_are_in_seconds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
