/* Kinds of launches by their times, and kinds of work by a counter. */
#include "rl_test.h"

#include "core/mem.h"
#include "populations.h"

enum { MOST = RL_STREAM_MOST_BINS };
static struct rl_stream_bin bins[MOST];
static uint64_t counts[MOST], totals[MOST];

static void clear(void)
{
    memset(counts, 0, sizeof counts);
    memset(totals, 0, sizeof totals);
}

/* Launches from `low` to `high`, evenly spread, in steps of a GPU's clock. */
static void add_launches(size_t count, uint64_t low_ns, uint64_t high_ns)
{
    for (size_t i = 0; i < count; i++) {
        const uint64_t ns = (low_ns + (high_ns - low_ns) * i / (count > 1 ? count - 1 : 1)) / 32 * 32;
        counts[rl_stream_bin(ns)]++;
        totals[rl_stream_bin(ns)] += ns;
    }
}

static struct rl_populations find(const uint64_t *near, size_t near_count)
{
    struct rl_populations found;
    size_t count = 0;
    for (uint32_t i = 0; i < MOST; i++)
        if (counts[i])
            bins[count++] = (struct rl_stream_bin){.bin = i, .count = counts[i], .total_ns = totals[i]};
    rl_populations_of_times(bins, count, near, near_count, &found);
    return found;
}

static void bins_are_narrow_and_whole(void **state)
{
    (void)state;
    for (uint64_t ns = 1; ns < (UINT64_C(1) << 62); ns += 1 + ns / 97) {
        const uint32_t bin = rl_stream_bin(ns);
        assert_true(bin < MOST && rl_stream_bin_from(bin) <= ns);
        assert_true(ns < rl_stream_bin_from(bin + 1));
        assert_true(ns < 32 || (double)(rl_stream_bin_from(bin + 1) - rl_stream_bin_from(bin)) <= 0.032 * (double)ns);
    }
}

static void launches_that_are_alike_are_one_kind(void **state)
{
    (void)state;
    static const uint64_t lengths_ns[] = {800, 1400, 4500, 30000, 2000000};
    for (size_t i = 0; i < RL_COUNT(lengths_ns); i++) {
        clear();
        add_launches(5000, lengths_ns[i], lengths_ns[i] + lengths_ns[i] / 12);
        add_launches(20, lengths_ns[i] * 2, lengths_ns[i] * 3); /* disturbed now and then: no kind */
        assert_int_equal(find(NULL, 0).count, 1);
    }
    clear();
    assert_int_equal(find(NULL, 0).count, 1);
}

static void two_amounts_of_work_are_two(void **state)
{
    (void)state;
    clear();
    add_launches(3000, 4300, 4600);
    add_launches(1500, 6800, 7400);
    struct rl_populations found = find(NULL, 0);
    assert_int_equal(found.count, 2);
    assert_true(found.before_ns[0] > 4600 && found.before_ns[0] <= 6800);
    assert_int_equal(rl_populations_which(&found, 4500), 1);
    assert_int_equal(rl_populations_which(&found, 7000), 2);
    assert_int_equal(rl_populations_which(&found, UINT64_MAX), 2);
    add_launches(40, 4600, 6800); /* a few between them */
    assert_int_equal(find(NULL, 0).count, 2);
    add_launches(4500, 4300, 7400); /* as many as anywhere */
    assert_int_equal(find(NULL, 0).count, 1);
}

/* A fiftieth of the launches, or a kind that is rare and long. */
static void a_rare_kind_counts_by_its_time(void **state)
{
    (void)state;
    clear();
    add_launches(10000, 2000, 2100);
    add_launches(20, 90000, 95000); /* 9 % of the time */
    assert_int_equal(find(NULL, 0).count, 2);
    add_launches(4, 900000, 950000); /* too few to speak of */
    assert_int_equal(find(NULL, 0).count, 2);
}

static void what_changes_slowly_is_cut_in_pieces(void **state)
{
    (void)state;
    const uint64_t near[] = {8600, 0, 15000};
    clear();
    add_launches(3200, 8192, 29000);
    assert_int_equal(find(NULL, 0).count, 1); /* from one launch to the next, for all that is known */
    struct rl_populations found = find(near, RL_COUNT(near));
    assert_true(found.count >= 6 && found.count <= RL_MOST_POPULATIONS);
    for (size_t i = 0; i + 2 < found.count; i++)
        assert_true((double)found.before_ns[i + 1] <= 1.25 * (double)found.before_ns[i]);
    assert_int_equal(rl_populations_which(&found, 8600), 1);
    assert_true(rl_populations_which(&found, 15000) > 1);
}

static void kinds_of_work(void **state)
{
    (void)state;
    static const double values[] = {1194028, 548136, 1194726, 0, 548136, 0};
    static const uint8_t expected[] = {3, 2, 3, 1, 2, 1};
    uint8_t group[RL_COUNT(values)];
    assert_int_equal(rl_populations_of_work(values, RL_COUNT(values), group), 3);
    assert_memory_equal(group, expected, sizeof expected);
    assert_int_equal(rl_populations_of_work(values, 1, group), 1);
    assert_int_equal(rl_populations_of_work(values, 0, group), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bins_are_narrow_and_whole),
        cmocka_unit_test(launches_that_are_alike_are_one_kind),
        cmocka_unit_test(two_amounts_of_work_are_two),
        cmocka_unit_test(a_rare_kind_counts_by_its_time),
        cmocka_unit_test(what_changes_slowly_is_cut_in_pieces),
        cmocka_unit_test(kinds_of_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
