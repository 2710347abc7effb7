/* When a window of samples is opened, and which classes are waited for. */
#include "rl_test.h"

#include <string.h>

#include "core/mem.h"
#include "coverage.h"
#include "follow.h"

enum { MS = 1000000 };

/* All times in milliseconds; 0: never. */
struct row {
    const char *name;
    long now, first, launched, wanted;
    bool under_way;
    long window, cost, credit;
    size_t room;
    enum rl_follow choice;
    long least_ms, most_ms; /* until the next look */
};

static const struct row rows[] = {
    /* No kernel runs. */
    {"nothing was launched", 100, 0, 0, 0, false, 0, 0, 40, 9999, RL_FOLLOW_IDLE, 1, 2},
    {"it ended long ago", 8000, 10, 20, 20, false, 50, 10, 500, 9999, RL_FOLLOW_IDLE, 1, 2},
    {"a pause between bursts", 1000, 10, 994, 994, false, 900, 10, 500, 9999, RL_FOLLOW_IDLE, 1, 2},
    {"perhaps it has ended: the window had just begun then", 1000, 10, 890, 890, true, 950, 100, 500, 9999, RL_FOLLOW_IDLE, 1, 2},
    /* One does. */
    {"it would be known if it had ended", 1000, 10, 690, 690, true, 850, 100, 500, 9999, RL_FOLLOW_OPEN, 0, 0},
    {"launched since the last window, which could not be paid until now", 1000, 10, 960, 960, true, 950, 100, 500, 9999,
     RL_FOLLOW_OPEN, 0, 0},
    {"the first launch, after eight seconds", 8000, 8000, 8000, 0, false, 0, 0, 500, 9999, RL_FOLLOW_OPEN, 0, 0},
    {"the first launch at once, with an empty purse", 1, 1, 1, 0, false, 0, 0, 0, 9999, RL_FOLLOW_OPEN, 0, 0},
    {"a launch a moment ago", 1000, 10, 996, 996, false, 500, 100, 0, 9999, RL_FOLLOW_OPEN, 0, 0},
    {"a kernel that lasts", 60000, 10, 10, 0, true, 59500, 100, 500, 9999, RL_FOLLOW_SPREAD, 10, 10},
    {"a kernel that lasts, later", 60000, 10, 10, 0, true, 59000, 100, 500, 9999, RL_FOLLOW_OPEN, 0, 0},
    /* The processor's time. */
    {"it has worked ahead", 1000, 10, 1000, 1000, false, 900, 100, -1, 9999, RL_FOLLOW_PURSE, 1, 3},
    {"far ahead", 1000, 10, 1000, 1000, false, 900, 100, -400, 9999, RL_FOLLOW_PURSE, 10, 10},
    {"classes that have samples leave enough for one window", 1000, 10, 1000, 0, false, 900, 100, 99, 9999, RL_FOLLOW_PURSE, 1, 3},
    {"and no more", 1000, 10, 1000, 0, false, 900, 100, 100, 9999, RL_FOLLOW_OPEN, 0, 0},
    {"a class without samples does not wait for that", 1000, 10, 1000, 950, false, 900, 100, 0, 9999, RL_FOLLOW_OPEN, 0, 0},
    {"one that ran before does", 1000, 10, 1000, 800, false, 900, 100, 0, 9999, RL_FOLLOW_PURSE, 10, 10},
    {"a window that costs more than the purse holds", 9000, 10, 9000, 0, false, 5000, 900, 500, 9999, RL_FOLLOW_OPEN, 0, 0},
    /* Spread over the run. */
    {"not a hundredth of the run after the last", 100000, 0, 100000, 0, false, 99100, 10, 500, 9999, RL_FOLLOW_SPREAD, 10, 10},
    {"a hundredth after it", 100000, 0, 100000, 0, false, 99000, 10, 500, 9999, RL_FOLLOW_OPEN, 0, 0},
    {"a class without samples does not wait for that either", 100000, 0, 100000, 99990, false, 99990, 10, 500, 9999, RL_FOLLOW_OPEN,
     0, 0},
    /* What is kept. */
    {"no room for a window", 1000, 10, 1000, 1000, false, 0, 0, 500, 1999, RL_FOLLOW_FULL, 1000, 1000},
    {"room for one", 1000, 10, 1000, 1000, false, 0, 0, 500, 2000, RL_FOLLOW_OPEN, 0, 0},
};

static void windows_follow_the_launches(void **state)
{
    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        const struct row *row = &rows[i];
        const struct rl_follow_seen seen = {.now_ns = row->now * MS,
                                            .first_ns = row->first * MS,
                                            .launched_ns = row->launched * MS,
                                            .wanted_ns = row->wanted * MS,
                                            .under_way = row->under_way,
                                            .window_ns = row->window * MS,
                                            .cost_ns = (uint64_t)row->cost * MS,
                                            .credit_ns = row->credit * MS,
                                            .room = row->room,
                                            .window = 2000};
        const struct rl_follow_choice choice = rl_follow_choose(&seen);
        if (choice.choice != row->choice)
            fail_msg("%s: %d, not %d", row->name, (int)choice.choice, (int)row->choice);
        if (choice.wait_ns < (uint64_t)row->least_ms * MS || choice.wait_ns > (uint64_t)row->most_ms * MS)
            fail_msg("%s: another look in %.1f ms", row->name, (double)choice.wait_ns / MS);
    }
}

static void the_purse_fills_with_time_and_is_bounded(void **state)
{
    (void)state;
    struct rl_follow_purse purse = {.at_ns = 5000};
    rl_follow_earn(&purse, 5000 + 100 * MS);
    assert_int_equal(purse.credit_ns, 40 * MS);
    rl_follow_spend(&purse, 90 * MS);
    assert_int_equal(purse.credit_ns, -50 * MS);
    rl_follow_earn(&purse, 5000 + 200 * MS);
    assert_int_equal(purse.credit_ns, -10 * MS);
    rl_follow_earn(&purse, (int64_t)3600 * 1000 * MS); /* an hour without kernels is no licence for half an hour's work */
    assert_int_equal(purse.credit_ns, 500 * MS);
}

/* A program of ten minutes whose kernels run all the time, at windows that cost what they cost on a card. */
static void the_duty_cycle_goes_on(void **state)
{
    (void)state;
    const int64_t window_ns = 40 * MS, cost_ns = 120 * MS, run_ns = (int64_t)600 * 1000 * MS;
    struct rl_follow_purse purse = {.at_ns = 1};
    struct rl_follow_seen seen = {.now_ns = 1, .first_ns = 1, .room = 4000000, .window = 2000};
    size_t windows = 0, late = 0;
    int64_t worked_ns = 0, longest_ns = 0;
    while (seen.now_ns < run_ns) {
        rl_follow_earn(&purse, seen.now_ns);
        seen.credit_ns = purse.credit_ns;
        seen.launched_ns = seen.now_ns;
        const struct rl_follow_choice choice = rl_follow_choose(&seen);
        seen.now_ns += (int64_t)choice.wait_ns;
        if (choice.choice != RL_FOLLOW_OPEN)
            continue;
        longest_ns = seen.window_ns && seen.now_ns - seen.window_ns > longest_ns ? seen.now_ns - seen.window_ns : longest_ns;
        windows++;
        late += seen.now_ns > run_ns / 2;
        seen.now_ns += window_ns + cost_ns;
        seen.window_ns = seen.now_ns;
        seen.cost_ns = (uint64_t)cost_ns;
        seen.room -= 2000;
        worked_ns += cost_ns;
        rl_follow_spend(&purse, (uint64_t)cost_ns);
    }
    assert_true(windows > 200 && windows < 1000);
    assert_true(late > 40); /* also in the second half */
    assert_true((double)worked_ns < 0.4 * (double)run_ns);
    assert_true((double)longest_ns < 0.011 * (double)run_ns);
}

/* A program makes ready for 3 ms, pauses until `pause_ms`, and computes until `end_ms`; to decode a window takes seven times as
 * long as it was open, as the first one did on an H100. How many ms of what it computes are in windows. */
static int64_t met_in_first_moments(int64_t pause_ms, int64_t end_ms)
{
    struct rl_follow_purse purse = {.credit_ns = RL_FOLLOW_FIRST_NS};
    struct rl_follow_seen seen = {.first_ns = 1 * MS, .room = 4000000, .window = 2000};
    int64_t opened_ms = 0, ready_ms = 0, met_ms = 0;
    for (int64_t ms = 1; ms < end_ms; ms++) {
        const bool computes = ms >= pause_ms;
        seen.now_ns = ms * MS;
        seen.launched_ns = ms <= 3 || computes ? seen.now_ns : seen.launched_ns;
        met_ms += opened_ms && computes;
        if (opened_ms && (rl_follow_is_over(&seen, opened_ms * MS) || ms - opened_ms >= 10)) {
            ready_ms = ms + 7 * (ms - opened_ms);
            seen.window_ns = ready_ms * MS;
            seen.cost_ns = (uint64_t)(7 * (ms - opened_ms) * MS);
            rl_follow_spend(&purse, seen.cost_ns);
            opened_ms = 0;
        }
        rl_follow_earn(&purse, seen.now_ns);
        seen.credit_ns = purse.credit_ns;
        if (!opened_ms && ms > ready_ms && rl_follow_choose(&seen).choice == RL_FOLLOW_OPEN)
            opened_ms = ms;
    }
    return met_ms;
}

static void a_program_of_a_moment_is_met(void **state)
{
    (void)state;
    assert_true(met_in_first_moments(4, 60) >= 7);
    assert_true(met_in_first_moments(80, 110) >= 8);
    assert_true(met_in_first_moments(100, 130) >= 8);
    assert_true(met_in_first_moments(400, 430) >= 8);
}

/* Bursts of `lasts` ms that begin at these moments, launches 2 ms apart. */
static void hear_bursts(struct rl_follow_rhythm *rhythm, const int64_t *begin, size_t count, int64_t lasts)
{
    *rhythm = (struct rl_follow_rhythm){0};
    for (size_t i = 0; i < count; i++)
        for (int64_t at = begin[i]; at <= begin[i] + lasts; at += 2)
            rl_follow_hear(rhythm, at * MS);
}

static bool expects(const int64_t *begin, size_t count, int64_t lasts, int64_t now)
{
    struct rl_follow_rhythm rhythm;
    hear_bursts(&rhythm, begin, count, lasts);
    return rl_follow_expects(&rhythm, now * MS);
}

static void steady_short_bursts_are_expected(void **state)
{
    (void)state;
    const int64_t steady[] = {100, 350, 602, 852}, wild[] = {100, 350, 700, 810}, slow[] = {1000, 11000, 22000};
    assert_false(expects(steady, 0, 4, 1100)); /* nothing was launched */
    assert_false(expects(steady, 1, 4, 350));  /* one burst has no period */
    assert_false(expects(steady, 2, 4, 600));  /* nor is one period steady */
    assert_true(expects(steady, 4, 4, 1100));
    assert_true(expects(steady, 4, 4, 1096));
    assert_false(expects(steady, 4, 4, 1090)); /* too early */
    assert_false(expects(steady, 4, 4, 1106)); /* it did not come */
    assert_false(expects(wild, 4, 4, 920));
    assert_false(expects(steady, 4, 40, 1100)); /* bursts that last are met without that */
    assert_false(expects(slow, 3, 4, 33000));   /* a second beside the last is no moment */
    const int64_t often[] = {100, 108, 116, 124};
    assert_true(expects(often, 4, 0, 128)); /* a window after one of them would be over before the next */
}

static void a_window_is_opened_before_an_expected_burst(void **state)
{
    (void)state;
    struct rl_follow_seen seen = {.now_ns = 1096 * MS,
                                  .first_ns = 100 * MS,
                                  .launched_ns = 856 * MS,
                                  .wanted_ns = 856 * MS,
                                  .burst_ns = 852 * MS,
                                  .window_ns = 900 * MS,
                                  .cost_ns = 100 * MS,
                                  .credit_ns = 1 * MS,
                                  .room = 9999,
                                  .window = 2000};
    assert_int_equal(rl_follow_choose(&seen).choice, RL_FOLLOW_IDLE);
    seen.expected = true;
    assert_int_equal(rl_follow_choose(&seen).choice, RL_FOLLOW_OPEN);
    seen.wanted_ns = 602 * MS; /* its classes have samples: then there has to be enough for another one */
    assert_int_equal(rl_follow_choose(&seen).choice, RL_FOLLOW_PURSE);
    seen.credit_ns = 100 * MS;
    assert_int_equal(rl_follow_choose(&seen).choice, RL_FOLLOW_OPEN);
}

static void windows_end_when_nothing_is_launched_any_more(void **state)
{
    (void)state;
    struct rl_follow_seen seen = {.now_ns = 1005 * MS, .launched_ns = 998 * MS, .window_ns = 900 * MS};
    assert_false(rl_follow_is_over(&seen, 1000 * MS)); /* it has only just been opened */
    seen.now_ns = 1006 * MS;
    assert_true(rl_follow_is_over(&seen, 1000 * MS));
    seen.launched_ns = 1001 * MS;
    assert_false(rl_follow_is_over(&seen, 1000 * MS));
    seen.launched_ns = 900 * MS;
    seen.under_way = true; /* perhaps it has ended, and that has not been heard of yet */
    assert_true(rl_follow_is_over(&seen, 1000 * MS));
    seen.launched_ns = 850 * MS; /* a kernel runs */
    assert_false(rl_follow_is_over(&seen, 1000 * MS));
    seen.under_way = false;
    seen.expected = true; /* what the window was opened for has not come yet */
    assert_false(rl_follow_is_over(&seen, 1000 * MS));
    seen.launched_ns = 1001 * MS;
    seen.now_ns = 1007 * MS; /* it came, and has ended */
    assert_true(rl_follow_is_over(&seen, 1000 * MS));
}

static void the_first_windows_are_short(void **state)
{
    (void)state;
    assert_int_equal(rl_follow_length(0, 2000), 500);
    assert_int_equal(rl_follow_length(1, 2000), 1000);
    assert_int_equal(rl_follow_length(3, 2000), 2000);
    assert_int_equal(rl_follow_length(1000000, 2000), 2000);
    assert_int_equal(rl_follow_length(0, 64), 16);
}

/* ---- classes ---- */

static const uint8_t uuid[16] = {7};

static void add_launch(struct rl_stream *stream, uint32_t class_id, uint64_t start_ns, uint64_t lasts_ns)
{
    struct rl_stream_launches *to = &stream->gpus[1].launches;
    RL_GROW(to->launches, to->launch_count + 1, to->launch_cap);
    to->launches[to->launch_count++] = rl_stream_launch_of(class_id, start_ns, lasts_ns);
    stream->classes[class_id].launched++;
}

static void classes_with_few_samples_are_waited_for(void **state)
{
    (void)state;
    struct rl_coverage coverage = {0};
    struct rl_stream stream;
    struct rl_stream *streams[] = {&stream};
    rl_stream_init(&stream, 1);
    RL_GROW(stream.classes, 3, stream.class_cap);
    memset(stream.classes, 0, 3 * sizeof *stream.classes);
    stream.class_count = 3;
    for (size_t i = 0; i < 3; i++)
        stream.classes[i].is.gpu = 1;
    stream.gpus[1].known = true;
    memcpy(stream.gpus[1].is.uuid, uuid, sizeof uuid);
    for (uint64_t i = 0; i < 100; i++) /* 0: in and between windows; 1: only between them; 2: too seldom */
        add_launch(&stream, i < 3 ? 2 : i % 2, 1000 + i * 100, 10);
    rl_coverage_take(&coverage, streams, 1, uuid);
    assert_int_equal(coverage.met, 0);
    assert_int_equal(coverage.wanted, 100);
    assert_int_equal(coverage.lacking, 2);
    for (uint64_t i = 0; i < 100; i += 2) /* only over the launches of class 0 */
        rl_coverage_add(&coverage, 1000 + i * 100 + 5, 1000 + i * 100 + 6);
    assert_int_equal(coverage.window_count, 1); /* so close to one another that they are one window */
    rl_coverage_release(&coverage);

    const uint64_t far_ns = 2000000;
    for (uint64_t i = 0; i < 80; i++) {
        rl_coverage_add(&coverage, 100000000 + i * far_ns, 100000000 + i * far_ns + 50);
        add_launch(&stream, 0, 100000000 + i * far_ns + 20, 100);
        add_launch(&stream, 1, 100000000 + i * far_ns + 500, 100); /* just after it */
        rl_coverage_take(&coverage, streams, 1, uuid);
        assert_int_equal(coverage.met, i + 1);
    }
    assert_int_equal(coverage.lacking, 1); /* class 1 */
    assert_int_equal(coverage.wanted, stream.classes[1].launched + 3);
    rl_coverage_add(&coverage, 900000000, 900000010);
    add_launch(&stream, 1, 900000020, 5); /* after the last window: nobody knows yet whether it is in the next */
    rl_coverage_take(&coverage, streams, 1, uuid);
    assert_int_equal(coverage.met, 80);
    rl_coverage_add(&coverage, 900000005, 900000030);
    rl_coverage_take(&coverage, streams, 1, uuid);
    assert_int_equal(coverage.met, 81);
    const uint8_t other[16] = {8};
    rl_coverage_take(&coverage, streams, 1, other); /* a GPU that the process does not use */
    assert_int_equal(coverage.wanted, 0);
    rl_coverage_release(&coverage);
    free(stream.classes);
    stream.classes = NULL;
    stream.class_count = 0;
    rl_stream_release(&stream);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steady_short_bursts_are_expected),
        cmocka_unit_test(a_window_is_opened_before_an_expected_burst),
        cmocka_unit_test(windows_end_when_nothing_is_launched_any_more),
        cmocka_unit_test(the_first_windows_are_short),
        cmocka_unit_test(windows_follow_the_launches),
        cmocka_unit_test(the_purse_fills_with_time_and_is_bounded),
        cmocka_unit_test(the_duty_cycle_goes_on),
        cmocka_unit_test(a_program_of_a_moment_is_met),
        cmocka_unit_test(classes_with_few_samples_are_waited_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
