/* The child that samples for an observed program: what it sends arrives, and whatever happens to it is one line. */
#include "rl_test.h"

#include <signal.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/mem.h"
#include "made_up_pm.h"
#include "sampling.h"

static const uint8_t uuid[16] = {1, 2, 3};

static enum rl_status opens(struct rl_pm_sampler *sampler, const uint8_t of[16], uint64_t interval_ns, struct rl_err *err)
{
    if (!of) { /* not told yet */
        sampler->interval_ns = interval_ns;
        return RL_OK;
    }
    if (sampler->interval_ns != interval_ns)
        return rl_err_set(err, RL_USAGE, "it was not got ready");
    if (memcmp(of, uuid, sizeof uuid) != 0 || interval_ns != INTERVAL)
        return rl_err_set(err, RL_USAGE, "another device");
    make_sampler(sampler);
    device.per_window = 250;
    return rl_pm_enable(sampler, err);
}
static enum rl_status is_refused(struct rl_pm_sampler *sampler, const uint8_t of[16], uint64_t interval_ns, struct rl_err *err)
{
    (void)sampler, (void)of, (void)interval_ns;
    return rl_err_set(err, RL_PERMISSION, "counters are not permitted");
}
static enum rl_status overflows(struct rl_pm_sampler *sampler, const uint8_t of[16], uint64_t interval_ns, struct rl_err *err)
{
    const enum rl_status status = opens(sampler, of, interval_ns, err);
    device.overflows = of != NULL;
    return status;
}
static enum rl_status crashes(struct rl_pm_sampler *sampler, const uint8_t of[16], uint64_t interval_ns, struct rl_err *err)
{
    (void)sampler, (void)interval_ns, (void)err;
    if (of)
        raise(SIGKILL);
    return RL_OK;
}
static enum rl_status babbles(struct rl_pm_sampler *sampler, const uint8_t of[16], uint64_t interval_ns, struct rl_err *err)
{
    const enum rl_status status = opens(sampler, of, interval_ns, err);
    if (of)
        sampler->config.counter[1] = RL_PM_COUNTERS;
    return status;
}

static void wait_for_windows(struct rl_sampling *sampling, size_t windows)
{
    const int64_t begun_ns = rl_monotonic_ns();
    while (sampling->samples.windows < windows && rl_seconds_since(begun_ns) < 60) {
        rl_sampling_take(sampling);
        (void)rl_pm_pause(1000000, -1);
    }
}

static void samples_arrive(void **state)
{
    (void)state;
    struct rl_sampling sampling;
    struct rl_err err = RL_ERR_INIT;
    assert_int_equal(rl_sampling_start(&sampling, INTERVAL, opens, &err), RL_OK);
    rl_sampling_tell(&sampling, uuid);
    wait_for_windows(&sampling, 3);
    rl_sampling_stop(&sampling);
    assert_int_equal(sampling.status, RL_OK);
    assert_int_equal(sampling.counter_count, 2);
    assert_true(sampling.samples.windows >= 3);
    assert_int_equal(sampling.samples.count, 250 * sampling.samples.windows);
    for (size_t s = 0; s < sampling.samples.count; s++) {
        assert_int_equal(sampling.samples.start_ns[s], 1000 + s * INTERVAL);
        assert_int_equal(sampling.samples.end_ns[s], 1000 + (s + 1) * INTERVAL);
        assert_close(sampling.samples.values[2 * s + 1], (double)s + 0.25, 0);
    }
    rl_sampling_release(&sampling);
}

/* What is beyond the bound is counted. */
static void samples_are_bounded(void **state)
{
    (void)state;
    struct rl_sampling sampling;
    assert_int_equal(rl_sampling_start(&sampling, INTERVAL, opens, NULL), RL_OK);
    rl_sampling_tell(&sampling, uuid);
    assert_true(sampling.most >= 1000000);
    sampling.most = 600;
    wait_for_windows(&sampling, 4);
    rl_sampling_stop(&sampling);
    assert_int_equal(sampling.status, RL_OK);
    assert_in_range(sampling.samples.count, 351, 600); /* a window or a part of it is kept or dropped */
    assert_int_equal(sampling.samples.count + sampling.dropped, 250 * sampling.samples.windows);
    rl_sampling_release(&sampling);
}

/* Also while the child is in a pause, and when nobody has taken anything. */
static void it_ends_at_once(void **state)
{
    (void)state;
    struct rl_sampling sampling;
    const int64_t begun_ns = rl_monotonic_ns();
    assert_int_equal(rl_sampling_start(&sampling, INTERVAL, opens, NULL), RL_OK);
    rl_sampling_tell(&sampling, uuid);
    rl_sampling_release(&sampling);
    assert_true(sampling.status == RL_OK || sampling.status == RL_ABSENT);
    assert_true(rl_seconds_since(begun_ns) < 1);
}

static enum rl_status is_slow(struct rl_pm_sampler *sampler, const uint8_t of[16], uint64_t interval_ns, struct rl_err *err)
{
    (void)sampler, (void)of, (void)interval_ns, (void)err;
    (void)rl_pm_pause(30000000000, -1);
    return RL_OK;
}

/* Nobody waits for one that has nothing to do. */
static void one_without_a_gpu_is_not_waited_for(void **state)
{
    (void)state;
    struct rl_sampling sampling;
    const int64_t begun_ns = rl_monotonic_ns();
    assert_int_equal(rl_sampling_start(&sampling, INTERVAL, is_slow, NULL), RL_OK);
    assert_false(rl_sampling_is_over(&sampling));
    rl_sampling_release(&sampling);
    assert_int_equal(sampling.status, RL_OK);
    assert_true(rl_seconds_since(begun_ns) < 1);
}

/* Whoever wants the counters asks, goes on, and knows when the child has let go of them: what it sampled stays. */
static void it_gives_way(void **state)
{
    (void)state;
    struct rl_sampling sampling;
    const int64_t begun_ns = rl_monotonic_ns();
    assert_int_equal(rl_sampling_start(&sampling, INTERVAL, opens, NULL), RL_OK);
    rl_sampling_tell(&sampling, uuid);
    wait_for_windows(&sampling, 2);
    assert_false(rl_sampling_is_over(&sampling));
    rl_sampling_ask(&sampling);
    rl_sampling_ask(&sampling);
    while (!rl_sampling_is_over(&sampling) && rl_seconds_since(begun_ns) < 60)
        rl_sampling_take(&sampling);
    assert_true(sampling.ended && sampling.silent);
    rl_sampling_stop(&sampling);
    assert_int_equal(sampling.status, RL_OK);
    assert_true(sampling.samples.windows >= 2);
    rl_sampling_release(&sampling);
}

/* One that does not let go is given up after a while, and then killed at once. */
static void one_that_hangs_is_over(void **state)
{
    (void)state;
    struct rl_sampling sampling;
    assert_int_equal(rl_sampling_start(&sampling, INTERVAL, is_slow, NULL), RL_OK);
    rl_sampling_tell(&sampling, uuid);
    rl_sampling_ask(&sampling);
    assert_false(rl_sampling_is_over(&sampling));
    const int64_t asked_ns = rl_monotonic_ns();
    while (!rl_sampling_is_over(&sampling) && rl_seconds_since(asked_ns) < 60)
        (void)rl_pm_pause(10000000, -1);
    const int64_t over_ns = rl_monotonic_ns();
    assert_true(rl_seconds_since(asked_ns) < 30);
    rl_sampling_stop(&sampling);
    assert_true(rl_seconds_since(over_ns) < 1);
    assert_int_equal(sampling.status, RL_TIMEOUT);
    assert_non_null(strstr(sampling.failure.text, "was killed"));
    rl_sampling_release(&sampling);
}

static void faults_are_one_line(void **state)
{
    (void)state;
    static const struct {
        rl_sampling_opens opens;
        enum rl_status status;
        const char *says;
        size_t windows; /* at least */
    } rows[] = {{is_refused, RL_PERMISSION, "counters are not permitted", 0},
                {crashes, RL_FAILED, "ended by signal 9", 0},
                {overflows, RL_FAILED, "hardware buffer", 1},
                {babbles, RL_FORMAT, "cannot be read", 0}};
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct rl_sampling sampling;
        const int64_t begun_ns = rl_monotonic_ns();
        assert_int_equal(rl_sampling_start(&sampling, INTERVAL, rows[i].opens, NULL), RL_OK);
        rl_sampling_tell(&sampling, uuid);
        while (sampling.status == RL_OK && !sampling.ended && rl_seconds_since(begun_ns) < 5 && i != 1) {
            rl_sampling_take(&sampling);
            (void)rl_pm_pause(1000000, -1);
        }
        (void)rl_pm_pause(i == 1 ? 100000000 : 0, -1);
        rl_sampling_stop(&sampling);
        assert_int_equal(sampling.status, rows[i].status);
        assert_non_null(strstr(sampling.failure.text, rows[i].says));
        assert_null(strchr(sampling.failure.text, '\n'));
        assert_true(sampling.samples.windows >= rows[i].windows);
        rl_sampling_release(&sampling);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_arrive),      cmocka_unit_test(samples_are_bounded),
        cmocka_unit_test(it_ends_at_once),     cmocka_unit_test(one_without_a_gpu_is_not_waited_for),
        cmocka_unit_test(it_gives_way),        cmocka_unit_test(one_that_hangs_is_over),
        cmocka_unit_test(faults_are_one_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
