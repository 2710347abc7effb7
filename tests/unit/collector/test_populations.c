/* Kinds of launches: a counter shows different work, times divide it. */
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

/* Looks for kinds in what was added; false: one class. */
static bool find(struct rl_counted_launch *launches, size_t count, struct rl_populations *found)
{
    size_t bin_count = 0;
    for (uint32_t i = 0; i < MOST; i++)
        if (counts[i])
            bins[bin_count++] = (struct rl_stream_bin){.bin = i, .count = counts[i], .total_ns = totals[i]};
    for (size_t i = 0; i < count; i++)
        launches[i].kind = UINT8_MAX; /* to be filled in */
    return rl_populations_find(bins, bin_count, launches, count, found);
}

/* How many kinds the times are divided into, where two launches with nothing but different work were counted. */
static size_t kinds_of_times(struct rl_populations *found)
{
    struct rl_counted_launch launches[] = {{.counter = "work", .witness = 1}, {.counter = "work", .witness = 2}};
    return find(launches, RL_COUNT(launches), found) ? found->count : 1;
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
    struct rl_populations found;
    for (size_t i = 0; i < RL_COUNT(lengths_ns); i++) {
        clear();
        add_launches(5000, lengths_ns[i], lengths_ns[i] + lengths_ns[i] / 12);
        add_launches(20, lengths_ns[i] * 2, lengths_ns[i] * 3); /* disturbed now and then: no kind */
        assert_int_equal(kinds_of_times(&found), 1);
    }
    clear();
    assert_int_equal(kinds_of_times(&found), 1);
}

static void two_amounts_of_work_are_two(void **state)
{
    (void)state;
    struct rl_populations found;
    clear();
    add_launches(3000, 4300, 4600);
    add_launches(1500, 6800, 7400);
    assert_int_equal(kinds_of_times(&found), 2);
    assert_true(found.before_ns[0] > 4600 && found.before_ns[0] <= 6800);
    assert_true(found.before_ns[1] == RL_POPULATIONS_END);
    assert_int_equal(rl_populations_which(&found, 4500), 1);
    assert_int_equal(rl_populations_which(&found, 7000), 2);
    assert_int_equal(rl_populations_which(&found, UINT64_MAX), 2);
    add_launches(40, 4600, 6800); /* a few between them */
    assert_int_equal(kinds_of_times(&found), 2);
    add_launches(4500, 4300, 7400); /* as many as anywhere */
    assert_int_equal(kinds_of_times(&found), 1);
}

/* A fiftieth of the launches, or a kind that is rare and long. */
static void a_rare_kind_counts_by_its_time(void **state)
{
    (void)state;
    struct rl_populations found;
    clear();
    add_launches(10000, 2000, 2100);
    add_launches(20, 90000, 95000); /* 9 % of the time */
    assert_int_equal(kinds_of_times(&found), 2);
    add_launches(4, 900000, 950000); /* too few to speak of */
    assert_int_equal(kinds_of_times(&found), 2);
}

static void what_changes_slowly_is_cut_in_pieces(void **state)
{
    (void)state;
    struct rl_counted_launch launches[] = {{.counter = "work", .witness = 86, .near_ns = 8600},
                                           {.counter = "work", .witness = 110},
                                           {.counter = "work", .witness = 150, .near_ns = 15000}};
    struct rl_populations found;
    clear();
    add_launches(3200, 8192, 29000);
    assert_int_equal(kinds_of_times(&found), 1); /* from one launch to the next, for all that is known */
    assert_true(find(launches, RL_COUNT(launches), &found));
    assert_true(found.count >= 6 && found.count <= RL_MOST_POPULATIONS);
    for (size_t i = 0; i + 2 < found.count; i++)
        assert_true((double)found.before_ns[i + 1] <= 1.25 * (double)found.before_ns[i]);
    assert_int_equal(launches[0].kind, 1);
    assert_int_equal(launches[1].kind, 0);
    assert_true(launches[2].kind > 1 && launches[2].kind == rl_populations_which(&found, 15000));
    launches[2].near_ns = 10700; /* within a quarter */
    assert_false(find(launches, RL_COUNT(launches), &found));
}

/* ---- which of them a counted launch is ---- */

enum { MANY = 24 };

/* Launches of two kinds, 10 µs and 20 µs. */
static void add_two_kinds(void)
{
    clear();
    add_launches(5000, 10000, 10200);
    add_launches(5000, 20000, 20400);
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
    struct rl_populations found;
    add_two_kinds();
    /* Each with one counter; what different counters count differs. */
    size_t count = fill(launches, 0, "a", 3, (struct rl_counted_launch){.witness = 100, .near_ns = 10100});
    count = fill(launches, count, "b", 3, (struct rl_counted_launch){.witness = 200, .near_ns = 20100});
    assert_false(find(launches, count, &found));
    /* Steps of 2 %, however many. */
    count = fill(launches, count, "a", 1, (struct rl_counted_launch){.witness = 102});
    count = fill(launches, count, "a", 1, (struct rl_counted_launch){.witness = 104});
    assert_false(find(launches, count, &found));
    count = fill(launches, count, "a", 1, (struct rl_counted_launch){.witness = 106.1});
    assert_true(find(launches, count, &found));
    count = fill(launches, 0, "none", 5, (struct rl_counted_launch){.witness = NAN, .near_ns = 10100});
    assert_false(find(launches, count, &found));
    assert_false(find(launches, 0, &found));
}

static void work_identifies(void **state)
{
    (void)state;
    struct rl_counted_launch launches[MANY];
    struct rl_populations found;
    add_two_kinds();
    /* By rank, where there are as many kinds of work as of times. */
    size_t count = fill(launches, 0, "work", 2, (struct rl_counted_launch){.witness = 9});
    count = fill(launches, count, "work", 1, (struct rl_counted_launch){.witness = 0});
    count = fill(launches, count, "loads", 8, (struct rl_counted_launch){.witness = 5}); /* the same for both kinds */
    count = fill(launches, count, "none", 1, (struct rl_counted_launch){.witness = NAN});
    assert_true(find(launches, count, &found));
    static const uint8_t by_rank[] = {2, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    assert_int_equal(count, sizeof by_rank);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(launches[i].kind, by_rank[i]);
    /* By others of the same work, where there are more. */
    count = fill(launches, 0, "work", 1, (struct rl_counted_launch){.witness = 30});
    count = fill(launches, count, "work", 1, (struct rl_counted_launch){.witness = 20});
    count = fill(launches, count, "work", 1, (struct rl_counted_launch){.witness = 10});
    count = fill(launches, count, "work", 1, (struct rl_counted_launch){.witness = 20.1, .near_ns = 20100});
    count = fill(launches, count, "more", 1, (struct rl_counted_launch){.witness = 10, .near_ns = 20100}); /* another counter */
    assert_true(find(launches, count, &found));
    static const uint8_t by_others[] = {0, 2, 0, 2, 2};
    for (size_t i = 0; i < count; i++)
        assert_int_equal(launches[i].kind, by_others[i]);
}

static void how_long_the_busiest_sm_was_active_identifies(void **state)
{
    (void)state;
    struct rl_counted_launch launches[MANY];
    struct rl_populations found;
    add_two_kinds();
    /* Under "loads" all did the same work, under "work" the longer one did less: the activity identifies them under both. */
    size_t count = fill(launches, 0, "loads", 1, (struct rl_counted_launch){.witness = 5, .busy_ns = 9200});
    count = fill(launches, count, "loads", 1, (struct rl_counted_launch){.witness = 5, .busy_ns = 18700});
    count = fill(launches, count, "work", 1, (struct rl_counted_launch){.witness = 4, .busy_ns = 18700});
    count = fill(launches, count, "work", 1, (struct rl_counted_launch){.witness = 9, .busy_ns = 9200});
    count = fill(launches, count, "none", 1, (struct rl_counted_launch){.witness = NAN, .busy_ns = 13500}); /* between the two */
    count = fill(launches, count, "none", 1, (struct rl_counted_launch){.witness = NAN, .busy_ns = 60000}); /* far from both */
    /* It says more than the launches before: the first one after them may be of another kind. */
    count = fill(launches, count, "none", 1, (struct rl_counted_launch){.witness = NAN, .busy_ns = 9200, .near_ns = 20100});
    count = fill(launches, count, "none", 1, (struct rl_counted_launch){.witness = NAN, .busy_ns = 13500, .near_ns = 20100});
    assert_true(find(launches, count, &found));
    static const uint8_t expected[] = {1, 2, 2, 1, 0, 0, 1, 0};
    assert_int_equal(count, sizeof expected);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(launches[i].kind, expected[i]);
}

/* Between two kinds that are near each other those before it decide. */
static void the_launches_before_decide_between_two(void **state)
{
    (void)state;
    struct rl_counted_launch launches[MANY];
    struct rl_populations found;
    clear();
    add_launches(5000, 10000, 10100);
    add_launches(5000, 12000, 12100);
    size_t count = fill(launches, 0, "work", 1, (struct rl_counted_launch){.witness = 5, .busy_ns = 10000, .near_ns = 10050});
    count = fill(launches, count, "work", 1, (struct rl_counted_launch){.witness = 6, .busy_ns = 10000, .near_ns = 12050});
    count = fill(launches, count, "work", 1, (struct rl_counted_launch){.witness = 7, .busy_ns = 11000, .near_ns = 10050});
    assert_true(find(launches, count, &found));
    static const uint8_t expected[] = {1, 2, 2};
    for (size_t i = 0; i < count; i++)
        assert_int_equal(launches[i].kind, expected[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bins_are_narrow_and_whole),
        cmocka_unit_test(launches_that_are_alike_are_one_kind),
        cmocka_unit_test(two_amounts_of_work_are_two),
        cmocka_unit_test(a_rare_kind_counts_by_its_time),
        cmocka_unit_test(what_changes_slowly_is_cut_in_pieces),
        cmocka_unit_test(the_same_work_whatever_the_time_is_one_class),
        cmocka_unit_test(work_identifies),
        cmocka_unit_test(how_long_the_busiest_sm_was_active_identifies),
        cmocka_unit_test(the_launches_before_decide_between_two),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
