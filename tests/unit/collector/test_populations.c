/* Kinds of launches by their times, and kinds of work by a counter. */
#include "rl_test.h"

#include <math.h>

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

/* ---- which of them a counted launch is ---- */

enum { MANY = 24 };

/* Launches of two kinds, 10 µs and 20 µs, `share` of them the shorter; `bins` and `count` are left filled in. */
static struct rl_populations two_kinds_of(double share, uint64_t longer_ns, size_t *count)
{
    clear();
    add_launches((size_t)(10000 * share), 10000, 10200);
    add_launches((size_t)(10000 * (1 - share)), longer_ns, longer_ns + longer_ns / 50);
    const struct rl_populations found = find(NULL, 0);
    assert_int_equal(found.count, 2);
    *count = 0;
    for (uint32_t i = 0; i < MOST; i++)
        *count += counts[i] > 0;
    return found;
}

static struct rl_populations two_kinds(double share, size_t *count)
{
    return two_kinds_of(share, 20000, count);
}

static size_t fill(struct rl_counted_launch *launches, size_t at, const char *counter, size_t count, struct rl_counted_launch like)
{
    for (size_t i = 0; i < count; i++) {
        launches[at + i] = like;
        launches[at + i].counter = counter;
    }
    return at + count;
}

static void the_same_work_whatever_the_time_is_one_class(void **state)
{
    (void)state;
    struct rl_counted_launch launches[MANY];
    size_t bin_count;
    const struct rl_populations kinds = two_kinds(0.5, &bin_count);
    const struct rl_counted_launch any = {.witness = 100};
    /* Three with each of two counters are all of one kind with a chance of 1 in 16, with three of 1 in 64; six with one of 1 in
     * 32. */
    size_t count = fill(launches, fill(launches, 0, "a", 3, any), "b", 3, any);
    assert_true(rl_populations_tell_apart(&kinds, bins, bin_count, launches, count));
    assert_int_equal(launches[0].kind, 0);
    count = fill(launches, count, "c", 3, any);
    assert_false(rl_populations_tell_apart(&kinds, bins, bin_count, launches, count));
    count = fill(launches, 0, "a", 6, any);
    assert_false(rl_populations_tell_apart(&kinds, bins, bin_count, launches, count));
    /* Launches that ran beside others took as long as that let them: few are no proof of two kinds, but other work is. */
    struct rl_populations overlapped = kinds;
    overlapped.overlapped = true;
    count = fill(launches, 0, "a", 1, any);
    assert_true(rl_populations_tell_apart(&kinds, bins, bin_count, launches, count));
    assert_false(rl_populations_tell_apart(&overlapped, bins, bin_count, launches, count));
    count = fill(launches, count, "a", 1, (struct rl_counted_launch){.witness = 200});
    assert_true(rl_populations_tell_apart(&overlapped, bins, bin_count, launches, count));
    /* One launch of each kind of time is proof. */
    count = fill(launches, fill(launches, 0, "a", 1, (struct rl_counted_launch){.witness = 100, .near_ns = 10100}), "a", 1,
                 (struct rl_counted_launch){.witness = 100, .near_ns = 20100});
    assert_false(rl_populations_tell_apart(&kinds, bins, bin_count, launches, count));
    /* Launches whose neighbours were alike are no proof, however many: they may all be of one part of the program. */
    count = fill(launches, 0, "a", MANY, (struct rl_counted_launch){.witness = 100, .near_ns = 10100});
    assert_true(rl_populations_tell_apart(&kinds, bins, bin_count, launches, count));
    assert_int_equal(launches[0].kind, 1);
}

static void times_that_differ_little_do_not_cost_the_counters(void **state)
{
    (void)state;
    struct rl_counted_launch launches[MANY];
    size_t bin_count;
    struct rl_populations kinds = two_kinds_of(0.5, 14000, &bin_count);
    const size_t count = fill(launches, 0, "a", 3, (struct rl_counted_launch){.witness = 100});
    assert_false(rl_populations_tell_apart(&kinds, bins, bin_count, launches, count));
    kinds = two_kinds_of(0.5, 16000, &bin_count);
    assert_true(rl_populations_tell_apart(&kinds, bins, bin_count, launches, count));
    kinds = two_kinds_of(0.5, 14000, &bin_count);
    launches[2].witness = 120;
    assert_true(rl_populations_tell_apart(&kinds, bins, bin_count, launches, count));
}

static void a_rare_kind_takes_no_counters_from_the_frequent_one(void **state)
{
    (void)state;
    struct rl_counted_launch launches[MANY];
    size_t bin_count;
    const struct rl_populations kinds = two_kinds(0.1, &bin_count);
    const size_t count = fill(launches, 0, "a", 3, (struct rl_counted_launch){.witness = 100});
    assert_true(rl_populations_tell_apart(&kinds, bins, bin_count, launches, count));
    for (size_t i = 0; i < count; i++)
        assert_int_equal(launches[i].kind, 2);
}

static void work_tells(void **state)
{
    (void)state;
    struct rl_counted_launch launches[MANY];
    size_t bin_count;
    const struct rl_populations kinds = two_kinds(0.5, &bin_count);
    /* By rank, where there are as many kinds of work. */
    size_t count = fill(launches, fill(launches, 0, "work", 2, (struct rl_counted_launch){.witness = 9}), "work", 1,
                        (struct rl_counted_launch){.witness = 4});
    assert_true(rl_populations_tell_apart(&kinds, bins, bin_count, launches, count));
    assert_int_equal(launches[0].kind, 2);
    assert_int_equal(launches[2].kind, 1);
    /* Many of one work beside others of two: what was counted of them is the same for both kinds. */
    count = fill(launches, fill(launches, 0, "loads", 8, (struct rl_counted_launch){.witness = 5}), "work", 1,
                 (struct rl_counted_launch){.witness = 9});
    count = fill(launches, count, "work", 1, (struct rl_counted_launch){.witness = 4});
    assert_true(rl_populations_tell_apart(&kinds, bins, bin_count, launches, count));
    assert_int_equal(launches[0].kind, RL_ANY_KIND);
    assert_int_equal(launches[8].kind, 2);
    assert_int_equal(launches[9].kind, 1);
    /* No witness at all: nothing is known. */
    count = fill(launches, 0, "none", 5, (struct rl_counted_launch){.witness = NAN});
    assert_true(rl_populations_tell_apart(&kinds, bins, bin_count, launches, count));
    assert_int_equal(launches[0].kind, 0);
}

static void how_long_the_sms_were_active_tells(void **state)
{
    (void)state;
    struct rl_counted_launch launches[MANY];
    size_t bin_count;
    const struct rl_populations kinds = two_kinds(0.5, &bin_count);
    /* Under "loads" all did the same work, under "work" of two kinds: the activity tells them apart under both. */
    size_t count = fill(launches, 0, "loads", 4, (struct rl_counted_launch){.witness = 5, .active_ns = 9200});
    count = fill(launches, count, "loads", 4, (struct rl_counted_launch){.witness = 5, .active_ns = 18700});
    count = fill(launches, count, "loads", 1, (struct rl_counted_launch){.witness = 5, .active_ns = 13500}); /* between the two */
    count =
        fill(launches, count, "work", 1, (struct rl_counted_launch){.witness = 4, .active_ns = 18700}); /* the longer does less */
    count = fill(launches, count, "work", 1, (struct rl_counted_launch){.witness = 9, .active_ns = 9200});
    count = fill(launches, count, "far", 1, (struct rl_counted_launch){.witness = NAN, .active_ns = 60000});
    assert_true(rl_populations_tell_apart(&kinds, bins, bin_count, launches, count));
    const uint8_t told[] = {1, 1, 1, 1, 2, 2, 2, 2, 1, 2, 1, 0};
    assert_int_equal(count, sizeof told);
    for (size_t i = 0; i < count; i++)
        if (i != 8)
            assert_int_equal(launches[i].kind, told[i]);
}

static void shares_tell_where_there_are_more_kinds_of_work(void **state)
{
    (void)state;
    struct rl_counted_launch launches[MANY];
    size_t bin_count;
    struct rl_populations kinds = two_kinds(0.65, &bin_count);
    size_t count = fill(launches, 0, "work", 5, (struct rl_counted_launch){.witness = 30});
    count = fill(launches, count, "work", 4, (struct rl_counted_launch){.witness = 20});
    count = fill(launches, count, "work", 4, (struct rl_counted_launch){.witness = 10});
    assert_true(rl_populations_tell_apart(&kinds, bins, bin_count, launches, count));
    for (size_t i = 0; i < count; i++)
        assert_int_equal(launches[i].kind, i < 5 ? 2 : 1);
    /* Half of the kind of work in the middle would be of either. */
    kinds = two_kinds(0.5, &bin_count);
    assert_true(rl_populations_tell_apart(&kinds, bins, bin_count, launches, count));
    for (size_t i = 0; i < count; i++)
        assert_int_equal(launches[i].kind, 0);
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
        cmocka_unit_test(the_same_work_whatever_the_time_is_one_class),
        cmocka_unit_test(a_rare_kind_takes_no_counters_from_the_frequent_one),
        cmocka_unit_test(times_that_differ_little_do_not_cost_the_counters),
        cmocka_unit_test(work_tells),
        cmocka_unit_test(how_long_the_sms_were_active_tells),
        cmocka_unit_test(shares_tell_where_there_are_more_kinds_of_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
