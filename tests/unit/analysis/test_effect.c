/* What a change does to the whole: known answers, worked out by hand, and the sentences that tell them. */
#include "rl_test.h"

#include "analysis/compare.h"
#include "core/mem.h"
#include "core/units.h"
#include "fixtures/capture.h"
#include "fixtures/sides.h"

/* A kernel of both sides: launched so often, with 31 times about `base_ns` and `new_ns`. */
static void add(struct sides *sides, const char *name, uint64_t launches, uint64_t base_ns, uint64_t new_ns)
{
    sides_add(sides, 0, name, 10, NULL, base_ns)->launches = launches;
    sides_add(sides, 1, name, 10, NULL, new_ns)->launches = launches;
}

/* The median of 31 times that sides_add makes of `ns`: ns + 15 ns / 31000. */
static double median_ns(uint64_t ns)
{
    return (double)(ns + 15 * ns / 31000);
}

static const char *said(struct rl_buf *text, void (*say)(const struct rl_comparison *, struct rl_buf *),
                        const struct rl_comparison *comparison)
{
    rl_buf_reset(text);
    say(comparison, text);
    size_t kept = 0;
    for (size_t i = 0; i < text->len; i++, kept++) { /* a no-break space is a space here */
        const bool space = strncmp(text->data + i, RL_NO_BREAK_SPACE, 2) == 0;
        text->data[kept] = space ? ' ' : text->data[i];
        i += space;
    }
    rl_buf_truncate(text, kept);
    return text->len ? text->data : "";
}

/* a: 10 launches of 1 ms, 20 % faster; b: 5 of 2 ms, the same; c: 30 of 1 ms, 10 % slower. Of 50 ms that is 10, 10 and 30:
 * 10 / 50 * 0.8 + 10 / 50 * 1 + 30 / 50 * 1.1 = 0.16 + 0.2 + 0.66 = 1.02. */
static void every_kernel_counts_by_its_time(void **state)
{
    (void)state;
    struct sides sides = sides_new();
    add(&sides, "a(int)", 10, 1000000, 800000);
    add(&sides, "b(int)", 5, 2000000, 2000000);
    add(&sides, "c(int)", 30, 1000000, 1100000);
    const struct rl_comparison *comparison = sides_compare(&sides);
    const struct rl_effect *effect = &comparison->effect;
    assert_true(effect->time.present && effect->time.has_interval);
    assert_close(effect->time.estimate, 1.02, 1e-6);
    assert_close(pair_of(comparison, 0)->share, 0.2, 1e-6);
    assert_close(pair_of(comparison, 2)->share, 0.6, 1e-6);
    assert_close(rl_pair_contribution(comparison, pair_of(comparison, 0)), 0.2 * -0.2, 1e-5);
    assert_close(rl_pair_contribution(comparison, pair_of(comparison, 2)), 0.6 * 0.1, 1e-5);
    assert_int_equal(effect->of.kernels, 3);
    assert_close(effect->of.share, 1, 1e-9);
    assert_close(effect->with[RL_FASTER].share, 0.2, 1e-6);
    assert_close(effect->with[RL_SLOWER].share, 0.6, 1e-6);
    assert_int_equal(effect->with[RL_SAME].kernels, 1);
    assert_int_equal(effect->verdict, RL_SLOWER);
    sides_free(&sides);
}

/* The ends are the weighted sums of the kernels' ends: no error averages out. */
static void the_interval_is_that_of_the_sums(void **state)
{
    (void)state;
    struct sides sides = sides_new();
    add(&sides, "a(int)", 1, 3000000, 2700000);
    add(&sides, "b(int)", 1, 1000000, 1000000);
    const struct rl_comparison *comparison = sides_compare(&sides);
    const struct rl_ratio *a = &pair_of(comparison, 0)->change.time, *b = &pair_of(comparison, 1)->change.time;
    const double whole = median_ns(3000000) + median_ns(1000000), share = median_ns(3000000) / whole;
    assert_close(comparison->effect.time.low, share * a->low + (1 - share) * b->low, 1e-12);
    assert_close(comparison->effect.time.high, share * a->high + (1 - share) * b->high, 1e-12);
    assert_true(comparison->effect.time.low < 0.925 && comparison->effect.time.high > 0.925);
    sides_free(&sides);
}

/* A change that is far from 1 in a kernel that takes no time comes behind a small one in one that takes all of it. */
static void the_largest_effect_on_the_whole_is_first(void **state)
{
    (void)state;
    struct sides sides = sides_new();
    size_t order[3];
    add(&sides, "tiny(int)", 1, 1000000, 500000);
    add(&sides, "still(int)", 1, 1000000, 1000000);
    add(&sides, "huge(int)", 1000, 1000000, 950000);
    const struct rl_comparison *comparison = sides_compare(&sides);
    assert_int_equal(rl_comparison_changed(comparison, order), 2);
    assert_int_equal(comparison->pairs[order[0]].base, 2);
    assert_int_equal(comparison->pairs[order[1]].base, 0);
    assert_int_equal(comparison->pairs[order[2]].base, 1);
    sides_free(&sides);
}

/* 1 of 4 ms has no partner, 2 new ms are as much as half of the baseline's time, and what can be compared is 3 of 4 ms. */
static void what_one_side_has_alone_is_counted_apart(void **state)
{
    (void)state;
    struct sides sides = sides_new();
    struct rl_buf text = RL_BUF_INIT;
    add(&sides, "a(int)", 1, 3000000, 3000000);
    sides_add(&sides, 0, "gone(int)", 10, NULL, 1000000)->launches = 1;
    sides_add(&sides, 1, "fresh(float)", 77, NULL, 2000000)->launches = 1;
    const struct rl_comparison *comparison = sides_compare(&sides);
    assert_close(comparison->effect.of.share, 0.75, 1e-6);
    assert_close(comparison->effect.removed.share, 0.25, 1e-6);
    assert_close(comparison->effect.added.share, 0.5, 1e-6);
    assert_string_equal(said(&text, rl_effect_unmatched_text, comparison),
                        "1 kernel, 25.0 % of the baseline's time, is in the baseline only. 1 kernel is new and takes "
                        "as much as 50.0 % of "
                        "the baseline's time.");
    assert_non_null(
        strstr(said(&text, rl_effect_text, comparison), "over the 75.0 % of the baseline's time that can be compared, measured "));
    rl_buf_release(&text);
    sides_free(&sides);
}

/* Twice the operations in twice the time: 1 of 2 ms takes 2, so all take half as much again, and the other one as much as before.
 */
static void other_work_counts_and_the_rest_is_told_alone(void **state)
{
    (void)state;
    struct sides sides = sides_new();
    struct rl_buf text = RL_BUF_INIT;
    add(&sides, "a(int)", 1, 1000000, 2000000);
    add(&sides, "b(int)", 1, 1000000, 1000000);
    for (size_t side = 0; side < 2; side++) {
        sides_flop(&sides, side, 0, side ? 2e9 : 1e9);
        sides_flop(&sides, side, 1, 1e9);
    }
    const struct rl_comparison *comparison = sides_compare(&sides);
    assert_close(comparison->effect.time.estimate, 1.5, 1e-6);
    assert_int_equal(comparison->effect.unequal.kernels, 1);
    assert_close(comparison->effect.like_for_like.estimate, 1, 1e-9);
    assert_non_null(strstr(said(&text, rl_effect_unequal_text, comparison),
                           "1 kernel, 50.0 % of the baseline's time, does different work; the others take "
                           "as much time"));
    rl_buf_release(&text);
    sides_free(&sides);
}

static void verdicts_are_said_in_words(void **state)
{
    (void)state;
    static const struct {
        uint64_t new_ns;
        const char *headline, *text;
    } rows[] = {
        {800000, "FASTER", "The same launches take 20.0 % less time (CI "},
        {1250000, "SLOWER", "The same launches take 25.0 % more time (CI "},
        {1000000, "NO CHANGE", "The same launches take as much time (CI "},
        {1010000, "UNDECIDED", "The same launches take between 0."},
    };
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct sides sides = sides_new();
        struct rl_buf text = RL_BUF_INIT;
        add(&sides, "a(int)", 1, 1000000, rows[i].new_ns);
        const struct rl_comparison *comparison = sides_compare(&sides);
        assert_string_equal(rl_effect_headline(comparison), rows[i].headline);
        if (strncmp(said(&text, rl_effect_text, comparison), rows[i].text, strlen(rows[i].text)) != 0)
            fail_msg("%s", text.data);
        rl_buf_release(&text);
        sides_free(&sides);
    }
}

/* One session each, on the edge of what matters: what decides is named, once. */
static void what_would_decide_is_said_once(void **state)
{
    (void)state;
    struct sides sides = sides_new();
    struct rl_buf text = RL_BUF_INIT;
    add(&sides, "a(int)", 1, 1000000, 1010000);
    add(&sides, "b(int)", 1, 1000000, 1010000);
    add(&sides, "c(int)", 2, 1000000, 1000000);
    const struct rl_comparison *comparison = sides_compare(&sides);
    assert_string_equal(said(&text, rl_effect_undecided_text, comparison),
                        "2 kernels, 50.0 % of the baseline's time, could not be decided. Measure 5 sessions or more on each side: "
                        "rooflight collect --sessions 5.");
    assert_string_equal(said(&text, rl_effect_same_text, comparison),
                        "1 kernel, 50.0 % of the baseline's time, takes the same time within 1.0 %.");
    rl_buf_release(&text);
    sides_free(&sides);
}

/* Six samples are too few for an interval of a ratio; with others beside them that have one, they are left out. */
static void few_samples_are_left_out_where_others_have_intervals(void **state)
{
    (void)state;
    for (int alone = 0; alone < 2; alone++) {
        struct sides sides = sides_new();
        struct rl_buf text = RL_BUF_INIT;
        add(&sides, "few(int)", 1, 1000000, 500000);
        for (size_t side = 0; side < 2; side++)
            sides.capture[side]->kernels[0].duration_count = 3;
        if (!alone)
            add(&sides, "many(int)", 1, 1000000, 1000000);
        const struct rl_comparison *comparison = sides_compare(&sides);
        assert_int_equal(comparison->effect.of.kernels, 1);
        assert_int_equal(comparison->effect.time.has_interval, !alone);
        assert_close(comparison->effect.time.estimate, alone ? 0.5 : 1, 1e-3);
        assert_close(comparison->effect.of.share, alone ? 1 : 0.5, 1e-3);
        if (alone)
            assert_string_equal(
                said(&text, rl_effect_text, comparison),
                "The same launches take 50.0 % less time (too few samples for an interval), measured in 1 session "
                "on each side: rooflight collect --sessions 5 measures several, for both sides in turn, on one GPU.");
        rl_buf_release(&text);
        sides_free(&sides);
    }
}

enum { SESSIONS = 5 };

/* How the first sentence ends for `count` sessions of each side, which began at these seconds, base and new in turn. */
static void assert_measured(size_t count, const int began[2 * SESSIONS], const char *other_card, bool is_program,
                            const char *expected)
{
    struct sides sides[SESSIONS];
    struct rl_compare_session more[2][SESSIONS];
    struct rl_buf text = RL_BUF_INIT;
    for (size_t i = 0; i < count; i++) {
        sides[i] = sides_new();
        add(&sides[i], "a(int)", 1, 1000000, 800000);
        for (size_t s = 0; s < 2; s++) {
            struct rl_capture *capture = sides[i].capture[s];
            char started[32];
            snprintf(started, sizeof started, "2026-11-21T10:%02d:%02dZ", began[2 * i + s] / 60, began[2 * i + s] % 60);
            capture->session.started = rl_capture_text(capture, started);
            snprintf(capture->sha256.hex, sizeof capture->sha256.hex, "%064zu", 2 * i + s);
            if (s == 1 && other_card)
                capture->gpus[0].uuid = rl_capture_text(capture, other_card);
            if (is_program)
                rl_capture_add_process(capture);
            if (i > 0) {
                sides[i].analysis[s] = rl_analysis_new(capture);
                more[s][i - 1] = (struct rl_compare_session){sides[i].analysis[s], "c"};
            }
        }
    }
    const struct rl_compare_options options = {
        .more = {more[0], more[1]}, .more_count = {count - 1, count - 1}, .base_name = "a", .new_name = "b"};
    assert_int_equal(sides_compare_with(&sides[0], &options, NULL), RL_OK);
    const char *end = strstr(said(&text, rl_effect_text, sides[0].comparison), "%)");
    assert_string_equal(end ? end + 2 : text.data, expected);
    rl_buf_release(&text);
    for (size_t i = 0; i < count; i++)
        sides_free(&sides[i]);
}

/* Five sessions of each side, in turn on one card, need no more words; whatever lacks is named, with the command that measures it,
 * and what the verdict takes for granted. */
static void weak_evidence_is_in_the_first_sentence(void **state)
{
    (void)state;
#define RUN     ": rooflight compare --run -- OLD -- NEW measures several of both, in turn, on one GPU."
#define COLLECT ": rooflight collect --sessions 5 measures several, for both sides in turn, on one GPU."
#define IF_LIKE " Verdicts hold if sessions of unchanged code differ by at most 1.0 % (as on H100)."
    static const int in_turn[] = {0, 10, 30, 20, 40, 50, 70, 60, 80, 90}, apart[] = {0, 50, 10, 60, 20, 70, 30, 80, 40, 90};
    assert_measured(5, in_turn, NULL, true, ".");
    assert_measured(5, apart, NULL, true, ", measured one side after the other" RUN IF_LIKE);
    assert_measured(5, apart, NULL, false, ", measured one side after the other" COLLECT IF_LIKE);
    assert_measured(3, in_turn, NULL, true, ", measured in 3 sessions on each side" RUN IF_LIKE);
    assert_measured(1, in_turn, NULL, true, ", measured in 1 session on each side" RUN IF_LIKE);
    assert_measured(1, in_turn, "GPU-2", true,
                    ", measured on two GPUs, in 1 session on each side" RUN
                    " Verdicts hold if sessions of unchanged code differ by at most 3.0 % (as two GPUs of one model do).");
}

static void nothing_in_common_is_nothing_to_compare(void **state)
{
    (void)state;
    struct sides sides = sides_new();
    struct rl_buf text = RL_BUF_INIT;
    sides_add(&sides, 0, "a(int)", 10, NULL, 1000000);
    sides_add(&sides, 1, "utterly_different(float, char)", 99, NULL, 1000000);
    const struct rl_comparison *comparison = sides_compare(&sides);
    assert_string_equal(rl_effect_headline(comparison), "NOTHING TO COMPARE");
    assert_string_equal(said(&text, rl_effect_text, comparison), "The captures have no kernel in common.");
    assert_int_equal(comparison->effect.time.present, false);
    rl_buf_release(&text);
    sides_free(&sides);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kernel_counts_by_its_time),
        cmocka_unit_test(the_interval_is_that_of_the_sums),
        cmocka_unit_test(the_largest_effect_on_the_whole_is_first),
        cmocka_unit_test(what_one_side_has_alone_is_counted_apart),
        cmocka_unit_test(other_work_counts_and_the_rest_is_told_alone),
        cmocka_unit_test(verdicts_are_said_in_words),
        cmocka_unit_test(what_would_decide_is_said_once),
        cmocka_unit_test(few_samples_are_left_out_where_others_have_intervals),
        cmocka_unit_test(weak_evidence_is_in_the_first_sentence),
        cmocka_unit_test(nothing_in_common_is_nothing_to_compare),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
