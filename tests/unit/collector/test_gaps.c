/* Times of which nothing is known: merged, and asked for, against every gap looked at. */
#include "rl_test.h"

#include "core/mem.h"
#include "fixtures/random.h"
#include "stream_read.h"

enum { MOST = 60, REACH = 1000 };

static bool meets_any(const struct rl_stream_gap *gaps, size_t count, uint64_t from_ns, uint64_t to_ns)
{
    for (size_t i = 0; i < count; i++)
        if (gaps[i].from_ns < to_ns && from_ns < gaps[i].to_ns)
            return true;
    return false;
}

static void merged_gaps_say_the_same(void **state)
{
    (void)state;
    struct random_source random = {7};
    size_t met = 0, merged = 0;
    for (size_t round = 0; round < 300; round++) {
        struct rl_stream_gap gaps[MOST], all[MOST];
        const size_t count = round % MOST;
        for (size_t i = 0; i < count; i++) {
            gaps[i].from_ns = (uint64_t)(random_next(&random) * REACH);
            gaps[i].to_ns = i == 7 ? UINT64_MAX : gaps[i].from_ns + 1 + (uint64_t)(random_next(&random) * 20);
        }
        memcpy(all, gaps, sizeof all);
        const size_t left = rl_gaps_merge(gaps, count);
        for (size_t i = 1; i < left; i++)
            assert_true(gaps[i - 1].to_ns < gaps[i].from_ns);
        merged += count - left;
        for (size_t i = 0; i < 50; i++) {
            const uint64_t from = (uint64_t)(random_next(&random) * REACH), to = from + 1 + (uint64_t)(random_next(&random) * 30);
            const bool any = meets_any(all, count, from, to);
            assert_int_equal(rl_gaps_meet(gaps, left, from, to), any);
            met += any;
        }
    }
    assert_true(merged > 500 && met > 1000 && met < 14000);
}

static void edges_are_outside(void **state)
{
    (void)state;
    struct rl_stream_gap gaps[] = {{30, 40}, {10, 20}, {20, 25}};
    assert_int_equal(rl_gaps_merge(gaps, 3), 2);
    assert_int_equal(gaps[0].to_ns, 25);
    assert_false(rl_gaps_meet(gaps, 2, 0, 10));
    assert_false(rl_gaps_meet(gaps, 2, 25, 30));
    assert_true(rl_gaps_meet(gaps, 2, 24, 30));
    assert_true(rl_gaps_meet(gaps, 2, 39, 90));
    assert_false(rl_gaps_meet(gaps, 2, 40, 90));
    assert_false(rl_gaps_meet(gaps, 0, 0, 90));
    assert_int_equal(rl_gaps_merge(NULL, 0), 0);
}

static void those_in_order_are_appended(void **state)
{
    (void)state;
    struct rl_stream_gap gaps[3];
    size_t count = rl_gaps_append(gaps, 0, (struct rl_stream_gap){10, 20}, 5);
    assert_int_equal(count = rl_gaps_append(gaps, count, (struct rl_stream_gap){25, 40}, 5), 1); /* just near enough */
    assert_int_equal(count = rl_gaps_append(gaps, count, (struct rl_stream_gap){30, 35}, 5), 1); /* within the last */
    assert_int_equal(gaps[0].from_ns, 10);
    assert_int_equal(gaps[0].to_ns, 40);
    assert_int_equal(count = rl_gaps_append(gaps, count, (struct rl_stream_gap){46, 50}, 5), 2); /* just too far */
    assert_int_equal(count = rl_gaps_append(gaps, count, (struct rl_stream_gap){50, 60}, 0), 2); /* they meet */
    assert_int_equal(gaps[1].from_ns, 46);
    assert_int_equal(gaps[1].to_ns, 60);
    assert_int_equal(rl_gaps_append(gaps, count, (struct rl_stream_gap){61, 70}, 0), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(merged_gaps_say_the_same),
        cmocka_unit_test(edges_are_outside),
        cmocka_unit_test(those_in_order_are_appended),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
