/* Several ranks of one program, worked out by hand. */
#include "rl_test.h"

#include "analysis/analysis.h"
#include "analysis/program.h"
#include "analysis/ranks.h"
#include "core/mem.h"
#include "fixtures/ranks.h"

/* These ranks in one capture, as they come. */
static struct rl_capture *captures_of(const struct sample_rank *ranks, size_t count)
{
    struct rl_capture **captures = rl_calloc(count, sizeof(struct rl_capture *));
    for (size_t i = 0; i < count; i++)
        captures[i] = sample_rank_capture(&ranks[i]);
    struct rl_capture *merged = rl_capture_merge(captures, count);
    for (size_t i = 0; i < count; i++)
        rl_capture_free(captures[i]);
    free(captures);
    return merged;
}

static bool remarks(const struct rl_ranks *ranks, const char *part)
{
    for (size_t i = 0; i < ranks->remark_count; i++)
        if (strstr(ranks->remarks[i], part))
            return true;
    return false;
}

static void assert_remarks(const struct rl_ranks *ranks, const char *part)
{
    if (!remarks(ranks, part))
        fail_msg("'%s' is not remarked but '%s'", part, ranks->remark_count ? ranks->remarks[0] : "nothing");
}

/* Own kernels of 10, 12 and 14 ms: the mean is 12, the greatest 14: 16.7 % above it. */
static void imbalance_by_hand(void **state)
{
    (void)state;
    const struct sample_rank of[] = {{0, 6, 4, 5, 20}, {1, 8, 4, 3, 20}, {2, 10, 4, 1, 25}};
    struct rl_capture *capture = captures_of(of, 3);
    struct rl_ranks *ranks = rl_ranks_new(capture);
    const struct rl_rank *first = &ranks->ranks[0];
    assert_true(rl_has_ranks(capture));
    assert_int_equal(ranks->count, 3);
    assert_close(first->own_s, 10e-3, 1e-9);
    assert_close(first->collective_s, 5e-3, 1e-9);
    assert_close(first->copies_s, 0.5e-3, 1e-9);
    assert_close(first->wall_s, 20e-3, 1e-9);
    assert_close(first->idle.v, 1 - 15.5 / 20, 1e-9);
    assert_close(first->coverage.v, 10.0 / 15, 1e-9);
    assert_close(ranks->mean_own_s, 12e-3, 1e-9);
    assert_close(ranks->imbalance.v, 14.0 / 12 - 1, 1e-9);
    assert_true(ranks->slowest == 2 && ranks->median == 1 && ranks->fastest == 0);
    assert_int_equal(ranks->hosts, 1);
    assert_int_equal(ranks->remark_count, 0);
    rl_ranks_free(ranks);
    rl_capture_free(capture);
}

/* One launch more in ten was counted and not timed: the busy time is without it, and what of that was copies stays the same. */
static void copies_are_what_was_timed_less_kernels_that_were(void **state)
{
    (void)state;
    const struct sample_rank of[] = {{0, 6, 4, 5, 20}, {1, 8, 4, 3, 20}};
    struct rl_capture *capture = captures_of(of, 2);
    for (size_t i = 0; i < capture->kernel_count; i++)
        capture->kernels[i].launches += capture->kernels[i].launches / 10;
    struct rl_ranks *ranks = rl_ranks_new(capture);
    assert_close(ranks->ranks[0].own_s, 11e-3, 1e-9);
    assert_close(ranks->ranks[0].collective_s, 5.5e-3, 1e-9);
    assert_close(ranks->ranks[0].copies_s, 0.5e-3, 1e-9);
    assert_close(ranks->ranks[1].copies_s, 0.5e-3, 1e-9);
    rl_ranks_free(ranks);
    rl_capture_free(capture);
}

/* The difference between the slowest and the median rank, kernel by kernel; time in collectives is the other way round. */
static void kernels_of_the_slowest(void **state)
{
    (void)state;
    const struct sample_rank of[] = {{0, 6, 4, 5, 20}, {1, 8, 4, 3, 20}, {2, 10, 4.5, 1, 25}};
    struct rl_capture *capture = captures_of(of, 3);
    struct rl_ranks *ranks = rl_ranks_new(capture);
    assert_int_equal(ranks->kernel_count, 3);
    const struct rl_rank_kernel *kernels = ranks->kernels;
    assert_close(kernels[0].slowest_s, 10e-3, 1e-9);
    assert_close(kernels[0].median_s, 8e-3, 1e-9);
    assert_int_equal(kernels[0].slowest_launches, 100);
    assert_true(kernels[2].collective && !kernels[0].collective); /* last, whatever its difference */
    assert_close(kernels[2].slowest_s, 1e-3, 1e-9);
    assert_close(kernels[2].median_s, 3e-3, 1e-9);
    assert_close(kernels[1].slowest_s - kernels[1].median_s, 0.5e-3, 1e-6);
    rl_ranks_free(ranks);
    rl_capture_free(capture);
}

/* A kernel that only the slowest rank runs, and one of another shape, count under their names. */
static void kernels_of_other_shapes_are_the_same(void **state)
{
    (void)state;
    const struct sample_rank of[] = {{0, 6, 4, 1, 20}, {1, 6, 4, 1, 20}};
    struct rl_capture *capture = captures_of(of, 2);
    capture->kernels[3].grid[0] = 7; /* rank 1's product */
    capture->kernels[3].total_ns += 2000000;
    capture->kernels[4].name = rl_capture_text(capture, "extra()");
    struct rl_ranks *ranks = rl_ranks_new(capture);
    assert_true(ranks->slowest == 1 && ranks->median == 1); /* of two the slower one is the middle */
    assert_int_equal(ranks->kernel_count, 0);
    rl_ranks_free(ranks);
    rl_capture_free(capture);
    const struct sample_rank three[] = {{0, 6, 4, 1, 20}, {1, 6, 4, 1, 20}, {2, 5, 4, 1, 20}};
    capture = captures_of(three, 3);
    capture->kernels[3].grid[0] = 7;
    capture->kernels[3].total_ns += 2000000;
    ranks = rl_ranks_new(capture);
    assert_int_equal(ranks->slowest, 1);
    assert_close(ranks->kernels[0].slowest_s - ranks->kernels[0].median_s, 2e-3, 1e-9);
    assert_int_equal(ranks->kernel_count, 3);
    rl_ranks_free(ranks);
    rl_capture_free(capture);
}

static void what_is_missing_or_mixed_is_said(void **state)
{
    (void)state;
    const struct sample_rank of[] = {{7, 6, 4, 5, 20}, {0, 8, 4, 3, 20}, {3, 10, 4, 1, 20}, {3, 10, 4, 1, 20}};
    struct rl_capture *capture = captures_of(of, 4);
    capture->processes[1].command = rl_capture_text(capture, "./other input.txt");
    capture->gpus[2].name = rl_capture_text(capture, "ANOTHER CARD");
    capture->processes[0].end = rl_capture_text(capture, "killed");
    capture->processes[0].status = 9;
    struct rl_ranks *ranks = rl_ranks_new(capture);
    assert_int_equal(ranks->count, 3);
    assert_string_equal(ranks->ranks[0].name, "0"); /* by number, whatever the order of the files */
    assert_remarks(ranks, "different programs: rank 0 './other', rank 3 './solver' and 1 more");
    assert_remarks(ranks, "5 of the ranks 0 to 7 are missing: 1, 2, 4, 5, 6");
    assert_remarks(ranks, "rank 3 is there twice (process 4003): the same file given twice counts once");
    assert_remarks(ranks, "different GPUs: rank 0 SYNTHETIC TEST CARD, rank 3 ANOTHER CARD");
    assert_remarks(ranks, "rank 7 was ended by signal 9");
    assert_close(ranks->ranks[1].own_s, 14e-3, 1e-9); /* once */
    rl_ranks_free(ranks);
    rl_capture_free(capture);
}

/* "0" and "00" are two names of one number. */
static void ranks_of_one_number_leave_none_out(void **state)
{
    (void)state;
    const struct sample_rank of[] = {{0, 6, 4, 5, 20}, {1, 8, 4, 3, 20}, {2, 8, 4, 3, 20}};
    struct rl_capture *capture = captures_of(of, 3);
    capture->processes[1].rank = rl_capture_text(capture, "00");
    struct rl_ranks *ranks = rl_ranks_new(capture);
    assert_int_equal(ranks->count, 3);
    assert_remarks(ranks, "1 of the ranks 0 to 2 is missing: 1");
    rl_ranks_free(ranks);
    rl_capture_free(capture);
}

static void assert_all_remarks(const struct rl_ranks *ranks, const char *const *wanted, size_t count)
{
    for (size_t i = 0; i < ranks->remark_count && i < count; i++)
        assert_string_equal(ranks->remarks[i], wanted[i]);
    assert_int_equal(ranks->remark_count, count);
}

/* Everything that may be wrong with two ranks at once: each is said of the first, and how many more there are. */
static void remarks_of_two_in_whole_sentences(void **state)
{
    static const char *const wanted[] = {
        "different programs: rank 1 './solver', rank 3 './other'",
        "2 of the ranks 0 to 3 are missing: 0, 2",
        "rank 3 has 2 processes, added up: captures of two runs, or processes that a rank has started",
        "different GPUs: rank 1 SYNTHETIC TEST CARD, rank 3 ANOTHER CARD: their times differ by that alone",
        "1 process without a rank is left out of the ranks",
        "rank 3 ended with status 2, rank 1 was not seen to end",
    };
    (void)state;
    const struct sample_rank of[] = {{3, 6, 4, 5, 20}, {1, 8, 4, 3, 20}, {3, 10, 4, 1, 20}, {9, 10, 4, 1, 20}};
    struct rl_capture *capture = captures_of(of, 4);
    capture->processes[2].pid = 7;
    capture->processes[0].command = capture->processes[2].command = rl_capture_text(capture, "./other x");
    capture->gpus[0].name = capture->gpus[2].name = rl_capture_text(capture, "ANOTHER CARD");
    capture->processes[3].rank = NULL;
    capture->processes[0].status = 2;
    capture->processes[1].end = rl_capture_text(capture, "unknown");
    struct rl_ranks *ranks = rl_ranks_new(capture);
    assert_all_remarks(ranks, wanted, RL_COUNT(wanted));
    rl_ranks_free(ranks);
    rl_capture_free(capture);
}

static void remarks_of_many_in_whole_sentences(void **state)
{
    static const char *const wanted[] = {
        "different programs: rank 0 './a', rank 20 './solver' and 10 more",
        "19 of the ranks 0 to 30 are missing: 1, 2, 3, 4, 5, 6, 7, 8 and 11 more",
        "rank 20 is there twice (process 4020): the same file given twice counts once; so are 1 more",
        "different GPUs: rank 0 B, rank 20 SYNTHETIC TEST CARD and 10 more: their times differ by that alone",
        "2 processes without a rank are left out of the ranks",
        "rank 0 was ended by signal 9, rank 20 was ended by signal 9, rank 21 was ended by signal 9, rank 22 was ended by signal "
        "9, "
        "rank 23 was ended by signal 9, rank 24 was ended by signal 9, rank 25 was ended by signal 9, rank 26 was ended by signal "
        "9 "
        "and 4 more",
    };
    enum { RANKS = 12, ALL = RANKS + 4 };
    struct sample_rank of[ALL];
    (void)state;
    for (int i = 0; i < ALL; i++)
        of[i] = (struct sample_rank){i == 0          ? 0
                                     : i < RANKS     ? 19 + i
                                     : i < RANKS + 2 ? 8 + i
                                                     : 99,
                                     6, 4, 5, 20}; /* 20 and 21 again */
    struct rl_capture *capture = captures_of(of, ALL);
    capture->processes[0].command = rl_capture_text(capture, "./a");
    capture->gpus[0].name = rl_capture_text(capture, "B");
    for (size_t i = 0; i < ALL; i++) {
        capture->processes[i].host = rl_capture_text(capture, "host");
        if (i >= RANKS + 2)
            capture->processes[i].rank = NULL;
        if (i >= RANKS)
            continue;
        capture->processes[i].end = rl_capture_text(capture, "killed");
        capture->processes[i].status = 9;
    }
    struct rl_ranks *ranks = rl_ranks_new(capture);
    assert_int_equal(ranks->count, RANKS);
    assert_int_equal(ranks->hosts, 1);
    assert_all_remarks(ranks, wanted, RL_COUNT(wanted));
    rl_ranks_free(ranks);
    rl_capture_free(capture);
}

/* The same rank and process on another host, with another number of launches, or without a rank is not the same file again. */
static void what_looks_like_twice_but_is_not(void **state)
{
    (void)state;
    for (int change = 0; change < 4; change++) {
        const struct sample_rank of[] = {{0, 6, 4, 5, 20}, {1, 8, 4, 3, 20}, {1, 8, 4, 3, 20}};
        struct rl_capture *capture = captures_of(of, 3);
        if (change == 1)
            capture->processes[2].host = rl_capture_text(capture, "elsewhere");
        if (change == 2)
            capture->processes[2].launches++;
        if (change == 3)
            capture->processes[2].pid++;
        struct rl_ranks *ranks = rl_ranks_new(capture);
        assert_int_equal(remarks(ranks, "is there twice"), change == 0);
        assert_int_equal(ranks->ranks[1].processes, change == 0 ? 1 : 2);
        assert_int_equal(ranks->hosts, 1);
        rl_ranks_free(ranks);
        rl_capture_free(capture);
    }
}

static void processes_of_a_rank_are_added_up(void **state)
{
    (void)state;
    const struct sample_rank of[] = {{0, 6, 4, 5, 20}, {1, 8, 4, 3, 20}, {1, 2, 1, 0.5, 10}};
    struct rl_capture *capture = captures_of(of, 3);
    capture->processes[2].pid = 9999;
    for (size_t i = 0; i < 3; i++)
        capture->processes[i].host = NULL;
    struct rl_ranks *ranks = rl_ranks_new(capture);
    assert_int_equal(ranks->count, 2);
    assert_int_equal(ranks->hosts, 0); /* a redacted capture says none */
    assert_close(ranks->ranks[1].own_s, 15e-3, 1e-9);
    assert_int_equal(ranks->ranks[1].gpus, 2);
    assert_remarks(ranks, "rank 1 has 2 processes, added up");
    rl_ranks_free(ranks);
    rl_capture_free(capture);
}

/* One capture of two ranks that used one GPU: their kernels cannot be told apart, and nothing is made up. */
static void ranks_may_share_a_gpu(void **state)
{
    (void)state;
    const struct sample_rank of[] = {{0, 6, 4, 5, 20}, {1, 8, 4, 3, 20}};
    struct rl_capture *capture = captures_of(of, 2);
    capture->processes[1].gpus[0].gpu = 0;
    struct rl_ranks *ranks = rl_ranks_new(capture);
    assert_remarks(ranks, "used by several ranks");
    assert_int_equal(ranks->imbalance.state, RL_UNDEFINED);
    rl_ranks_free(ranks);
    rl_capture_free(capture);
}

static void one_rank_or_none_is_no_comparison(void **state)
{
    (void)state;
    const struct sample_rank of[] = {{4, 6, 4, 5, 20}, {4, 8, 4, 3, 20}};
    struct rl_capture *capture = captures_of(of, 2);
    assert_false(rl_has_ranks(capture));
    capture->processes[0].rank = capture->processes[1].rank = NULL;
    assert_false(rl_has_ranks(capture));
    assert_null(rl_ranks_omitted(capture));
    rl_capture_free(capture);
}

/* Of 100 ranks 12 rows: 6 slowest, 3 about the median, 3 fastest, none twice. */
static void a_choice_is_bounded(void **state)
{
    (void)state;
    enum { MANY = 100, ROWS = 12 };
    struct sample_rank of[MANY];
    size_t chosen[ROWS], count;
    for (int i = 0; i < MANY; i++)
        of[i] = (struct sample_rank){i, 6 + 0.01 * i, 4, 1, 20};
    struct rl_capture *capture = captures_of(of, MANY);
    struct rl_ranks *ranks = rl_ranks_new(capture);
    count = rl_ranks_representatives(ranks, ROWS, chosen);
    assert_int_equal(count, ROWS);
    assert_int_equal(chosen[0], 99);
    assert_int_equal(chosen[ROWS - 1], 0);
    for (size_t i = 1; i < count; i++)
        assert_true(chosen[i] < chosen[i - 1]);
    static const size_t wanted[ROWS] = {99, 98, 97, 96, 95, 94, 51, 50, 49, 2, 1, 0}; /* the median is 50, the slower of two */
    for (size_t i = 0; i < ROWS; i++)
        assert_int_equal(chosen[i], wanted[i]);
    for (size_t most = 99; most <= 100; most++) { /* all that there is room for */
        size_t all[MANY];
        count = rl_ranks_representatives(ranks, most, all);
        assert_int_equal(count, most == MANY ? MANY : count);
        for (size_t i = 1; i < count; i++)
            assert_true(most == MANY ? all[i] > all[i - 1] : all[i] < all[i - 1]); /* all in their own order */
    }
    bool *hidden = rl_ranks_omitted(capture);
    size_t shown = 0;
    for (size_t i = 0; i < capture->gpu_count; i++)
        shown += !hidden[i];
    assert_int_equal(shown, 2);
    free(hidden);
    rl_ranks_free(ranks);
    rl_capture_free(capture);
}

static void as_many_ranks_as_are_told_one_by_one(void **state)
{
    (void)state;
    static const struct sample_rank of[] = {
        {0, 6, 4, 1, 20}, {1, 7, 4, 1, 20}, {2, 8, 4, 1, 20}, {3, 9, 4, 1, 20}, {4, 5, 4, 1, 20}};
    struct rl_capture *capture = captures_of(of, RL_RANKS_WHOLE);
    assert_null(rl_ranks_omitted(capture));
    rl_capture_free(capture);
    capture = captures_of(of, RL_RANKS_WHOLE + 1);
    bool *hidden = rl_ranks_omitted(capture);
    assert_non_null(hidden);
    free(hidden);
    rl_capture_free(capture);
}

/* A class of many ranks is one row of the program; coverage and sums stay what they are. */
static void classes_of_ranks_are_put_together(void **state)
{
    (void)state;
    const struct sample_rank of[] = {{0, 6, 4, 5, 20}, {1, 8, 4, 3, 20}, {2, 10, 4, 1, 20}};
    struct rl_capture *capture = captures_of(of, 3);
    struct rl_program *program = rl_program_new(capture);
    assert_int_equal(program->class_count, 3);
    assert_close(program->gpu_s, 45e-3, 1e-9);
    assert_close(program->classes[0].gpu_s, 24e-3, 1e-9);
    assert_close(program->classes[0].share, 24.0 / 45, 1e-9);
    assert_int_equal(program->classes[0].kernel, 6); /* of rank 2, which has the most of it */
    assert_int_equal(program->classes[0].launches, 300);
    assert_int_equal(program->classes[0].use->counted, 9);
    assert_int_equal(program->classes[0].use->min_ns, 60000);
    assert_int_equal(program->classes[0].use->max_ns, 100006);
    assert_int_equal(program->launches, 750);
    assert_close(program->coverage.share.v, 36.0 / 45, 1e-9);
    rl_program_free(program);
    rl_capture_free(capture);
}

static void collectives_are_known_by_name(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool collective;
    } rows[] = {{"ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)", true},
                {"void nvshmemi_barrier<(int)4>(int)", true},
                {"_Z20ncclDevKernel_Reducev", true},
                {"my_ncclDevKernel()", false},
                {"product(float*)", false}};
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        const struct rl_kernel kernel = {.name = (char *)rows[i].name};
        assert_true(rl_is_collective(&kernel) == rows[i].collective);
    }
}

static const char *label_for(const struct rl_ranks *ranks, const char *name)
{
    for (size_t i = 0; i < ranks->kernel_count; i++)
        if (strcmp(ranks->capture->kernels[ranks->kernels[i].kernel].name, name) == 0)
            return ranks->kernels[i].label;
    fail_msg("no kernel '%s'", name);
    return NULL;
}

/* Kernels whose short names are alike have their template arguments, and where these are too long, or there are none, their ids. */
static void kernels_of_one_short_name_are_told_apart(void **state)
{
    static const char *const names[] = {"void gemm<float, 64>(float*)",
                                        "void gemm<double, 64>(double*)",
                                        "reduce(float*)",
                                        "reduce(double*)",
                                        "void scan<a_policy_with_a_name_of_many_letters, 1>()",
                                        "void scan<a_policy_with_a_name_of_many_letters, 2>()"};
    struct rl_capture *captures[3], *merged;
    (void)state;
    for (int i = 0; i < 3; i++) {
        const struct sample_rank of = sample_rank_of(i, 1);
        captures[i] = sample_rank_capture(&of);
        for (size_t k = 0; k < RL_COUNT(names); k++)
            sample_rank_kernel(captures[i], names[k], 1 + 0.1 * i + 0.01 * i * (double)(k % 2), 10, 0); /* namesakes stand apart */
    }
    merged = rl_capture_merge(captures, RL_COUNT(captures));
    struct rl_ranks *ranks = rl_ranks_new(merged);
    assert_string_equal(label_for(ranks, names[0]), "gemm<float, 64>");
    assert_string_equal(label_for(ranks, names[1]), "gemm<double, 64>");
    assert_string_equal(label_for(ranks, "stencil(float*, float const*, int)"), "stencil");
    for (size_t k = 2; k < RL_COUNT(names); k++) {
        const char *base = k < 4 ? "reduce …" : "scan …";
        assert_memory_equal(label_for(ranks, names[k]), base, strlen(base));
        assert_string_not_equal(label_for(ranks, names[k]), label_for(ranks, names[k ^ 1]));
    }
    rl_ranks_free(ranks);
    rl_capture_free(merged);
    for (size_t i = 0; i < RL_COUNT(captures); i++)
        rl_capture_free(captures[i]);
}

/* Cards are alike in all that is known of them, clocks within 1 %. */
static void cards_that_differ_in_anything_are_not_alike(void **state)
{
    (void)state;
    for (int change = 0; change < 5; change++) {
        const struct sample_rank of[] = {{0, 6, 4, 5, 20}, {1, 8, 4, 3, 20}};
        struct rl_capture *capture = captures_of(of, 2);
        struct rl_analysis *analysis;
        if (change == 1)
            capture->gpus[1].fact[RL_FACT_power_limit_w] = rl_value_of(600);
        else if (change == 2)
            capture->gpus[1].name = rl_capture_text(capture, "ANOTHER CARD");
        analysis = rl_analysis_new(capture);
        const double faster = change == 3 ? 0.009 : 0.011;
        for (size_t gpu = 0; gpu < 2 && change >= 3; gpu++)
            analysis->gpus[gpu].sm_clock = (struct rl_stats){.n = 3, .median = 1e9 * (1 + faster * (double)gpu)};
        size_t *represented = rl_cards_represented(analysis, NULL);
        assert_true((represented[0] == represented[1]) == (change == 0 || change == 3));
        free(represented);
        rl_analysis_free(analysis);
        rl_capture_free(capture);
    }
}

/* Launchers number their ranks; what has no number, or too long a one, stands behind, by name. */
static void ranks_by_number_then_by_name(void **state)
{
    static const char *const names[] = {"10", "b", "2", "a1", "1234567890"}, *const wanted[] = {"2", "10", "1234567890", "a1", "b"};
    static const long numbers[] = {2, 10, -1, -1, -1};
    struct sample_rank of[RL_COUNT(names)];
    (void)state;
    for (int i = 0; i < (int)RL_COUNT(names); i++)
        of[i] = sample_rank_of(i, 1);
    struct rl_capture *capture = captures_of(of, RL_COUNT(of));
    for (size_t i = 0; i < RL_COUNT(names); i++)
        capture->processes[i].rank = rl_capture_text(capture, names[i]);
    struct rl_ranks *ranks = rl_ranks_new(capture);
    assert_int_equal(ranks->count, RL_COUNT(names));
    for (size_t i = 0; i < RL_COUNT(names); i++) {
        assert_string_equal(ranks->ranks[i].name, wanted[i]);
        assert_int_equal(ranks->ranks[i].number, numbers[i]);
        assert_string_equal(rl_rank_of_gpu(capture, i), names[i]);
        assert_string_equal(ranks->ranks[ranks->rank_of_gpu[i]].name, names[i]);
    }
    (void)rl_capture_add_gpu(capture);
    assert_null(rl_rank_of_gpu(capture, RL_COUNT(names)));
    rl_ranks_free(ranks);
    rl_capture_free(capture);
}

/* Kernels that differ by as much stand as in the capture, whatever their names. */
static void equal_differences_keep_the_order_of_the_capture(void **state)
{
    static const char *const names[] = {"b()", "a()", "c()"};
    struct rl_capture *captures[3];
    (void)state;
    for (int i = 0; i < 3; i++) {
        captures[i] = sample_rank_capture(&(struct sample_rank){i, 6 + i, 4, 1, 30});
        for (size_t k = 0; k < RL_COUNT(names); k++)
            sample_rank_kernel(captures[i], names[k], 2 + 0.5 * i, 10, 0);
    }
    struct rl_capture *merged = rl_capture_merge(captures, RL_COUNT(captures));
    struct rl_ranks *ranks = rl_ranks_new(merged);
    for (size_t k = 0; k < RL_COUNT(names); k++)
        assert_string_equal(merged->kernels[ranks->kernels[1 + k].kernel].name, names[k]);
    rl_ranks_free(ranks);
    rl_capture_free(merged);
    for (size_t i = 0; i < RL_COUNT(captures); i++)
        rl_capture_free(captures[i]);
}

/* Of five processes of a rank the last is the first again, whatever stands between them. */
static void twice_is_noticed_in_any_order(void **state)
{
    static const uint64_t pids[] = {5, 6, 7, 5, 8};
    const struct sample_rank of[] = {{0, 6, 4, 5, 20}, {0, 6, 4, 5, 20}, {0, 6, 4, 5, 20},
                                     {0, 6, 4, 5, 20}, {0, 6, 4, 5, 20}, {1, 8, 4, 3, 20}};
    (void)state;
    for (size_t turn = 0; turn < RL_COUNT(pids); turn++) {
        struct rl_capture *capture = captures_of(of, RL_COUNT(of));
        for (size_t i = 0; i < RL_COUNT(pids); i++)
            capture->processes[i].pid = pids[(i + turn) % RL_COUNT(pids)];
        struct rl_ranks *ranks = rl_ranks_new(capture);
        assert_remarks(ranks, "rank 0 is there twice (process 5)");
        assert_int_equal(ranks->ranks[0].processes, 4);
        rl_ranks_free(ranks);
        rl_capture_free(capture);
    }
}

/* Of several shapes of a kernel the one with the most time in the slowest rank, and its name only in the median one where the
 * slowest has none. */
static void a_kernel_stands_for_its_longest_class(void **state)
{
    static const double ms[3][2] = {{9, 9}, {1, 2}, {1, 4}}; /* the third rank is the slowest, the second the median */
    struct rl_capture *captures[3];
    (void)state;
    for (int i = 0; i < 3; i++) {
        captures[i] = sample_rank_capture(&(struct sample_rank){i, i == 0 ? 0.1 : 14 + 2 * i, 4, 1, 60});
        for (size_t k = 0; k < 2; k++) {
            sample_rank_kernel(captures[i], "shapes()", ms[i][k], 10, 0);
            captures[i]->kernels[captures[i]->kernel_count - 1].grid[0] = 5 + (uint32_t)k;
        }
    }
    struct rl_capture *merged = rl_capture_merge(captures, RL_COUNT(captures));
    struct rl_ranks *ranks = rl_ranks_new(merged);
    assert_int_equal(ranks->slowest, 2);
    assert_int_equal(ranks->median, 1);
    bool found = false;
    for (size_t k = 0; k < ranks->kernel_count; k++) {
        const struct rl_rank_kernel *kernel = &ranks->kernels[k];
        if (strcmp(merged->kernels[kernel->kernel].name, "shapes()") != 0)
            continue;
        found = true;
        assert_int_equal(ranks->rank_of_gpu[merged->kernels[kernel->kernel].gpu], 2);
        assert_int_equal(merged->kernels[kernel->kernel].grid[0], 6);
        assert_close(kernel->slowest_s, 5e-3, 1e-9);
        assert_close(kernel->median_s, 3e-3, 1e-9);
    }
    assert_true(found);
    rl_ranks_free(ranks);
    rl_capture_free(merged);
    for (size_t i = 0; i < RL_COUNT(captures); i++)
        rl_capture_free(captures[i]);
}

static void several_ranks_of_several_processes_are_counted(void **state)
{
    const struct sample_rank of[] = {{0, 6, 4, 5, 20}, {0, 6, 4, 5, 20}, {1, 8, 4, 3, 20}, {1, 8, 4, 3, 20}, {2, 8, 4, 3, 20}};
    (void)state;
    struct rl_capture *capture = captures_of(of, RL_COUNT(of));
    for (size_t i = 0; i < RL_COUNT(of); i++)
        capture->processes[i].pid = 100 + i;
    struct rl_ranks *ranks = rl_ranks_new(capture);
    assert_remarks(ranks, "rank 0 has 2 processes, added up; so have 1 more: captures of two runs");
    rl_ranks_free(ranks);
    rl_capture_free(capture);
}

/* The same numbers on two hosts are two processes, also where one of them is there twice. */
static void twice_is_of_one_host(void **state)
{
    static const char *const hosts[] = {"a", "b", "a"};
    const struct sample_rank of[] = {{0, 6, 4, 5, 20}, {0, 6, 4, 5, 20}, {0, 6, 4, 5, 20}, {1, 8, 4, 3, 20}};
    (void)state;
    struct rl_capture *capture = captures_of(of, RL_COUNT(of));
    for (size_t i = 0; i < RL_COUNT(hosts); i++)
        capture->processes[i].host = rl_capture_text(capture, hosts[i]);
    struct rl_ranks *ranks = rl_ranks_new(capture);
    assert_remarks(ranks, "rank 0 is there twice");
    assert_int_equal(ranks->ranks[0].processes, 2);
    rl_ranks_free(ranks);
    rl_capture_free(capture);
}

/* Names of programs have 60 columns. */
static void long_programs_are_shortened(void **state)
{
    (void)state;
    const struct sample_rank of[] = {{0, 6, 4, 5, 20}, {1, 8, 4, 3, 20}};
    for (int len = 60; len <= 61; len++) {
        struct rl_capture *capture = captures_of(of, 2);
        char name[62], wanted[160];
        memset(name, 'x', sizeof name);
        name[len] = '\0';
        capture->processes[0].command = rl_capture_text(capture, name);
        snprintf(wanted, sizeof wanted, "different programs: rank 0 '%.*s%s%.*s', rank 1 './solver'", len == 60 ? 60 : 30, name,
                 len == 60 ? "" : "\u2026", len == 60 ? 0 : 29, name);
        struct rl_ranks *ranks = rl_ranks_new(capture);
        assert_remarks(ranks, wanted);
        rl_ranks_free(ranks);
        rl_capture_free(capture);
    }
}

/* Each program is held against that of the first rank. */
static void the_odd_one_may_be_the_first(void **state)
{
    (void)state;
    const struct sample_rank of[] = {{0, 6, 4, 5, 20}, {1, 8, 4, 3, 20}, {2, 8, 4, 3, 20}};
    struct rl_capture *capture = captures_of(of, 3);
    for (size_t i = 0; i < 3; i++)
        capture->processes[i].command = rl_capture_text(capture, i ? "./b" : "./a");
    struct rl_ranks *ranks = rl_ranks_new(capture);
    assert_remarks(ranks, "different programs: rank 0 './a', rank 1 './b' and 1 more");
    rl_ranks_free(ranks);
    rl_capture_free(capture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(imbalance_by_hand),
        cmocka_unit_test(copies_are_what_was_timed_less_kernels_that_were),
        cmocka_unit_test(kernels_of_the_slowest),
        cmocka_unit_test(kernels_of_other_shapes_are_the_same),
        cmocka_unit_test(what_is_missing_or_mixed_is_said),
        cmocka_unit_test(ranks_of_one_number_leave_none_out),
        cmocka_unit_test(remarks_of_two_in_whole_sentences),
        cmocka_unit_test(remarks_of_many_in_whole_sentences),
        cmocka_unit_test(what_looks_like_twice_but_is_not),
        cmocka_unit_test(processes_of_a_rank_are_added_up),
        cmocka_unit_test(ranks_may_share_a_gpu),
        cmocka_unit_test(one_rank_or_none_is_no_comparison),
        cmocka_unit_test(a_choice_is_bounded),
        cmocka_unit_test(as_many_ranks_as_are_told_one_by_one),
        cmocka_unit_test(classes_of_ranks_are_put_together),
        cmocka_unit_test(collectives_are_known_by_name),
        cmocka_unit_test(kernels_of_one_short_name_are_told_apart),
        cmocka_unit_test(cards_that_differ_in_anything_are_not_alike),
        cmocka_unit_test(ranks_by_number_then_by_name),
        cmocka_unit_test(equal_differences_keep_the_order_of_the_capture),
        cmocka_unit_test(twice_is_noticed_in_any_order),
        cmocka_unit_test(a_kernel_stands_for_its_longest_class),
        cmocka_unit_test(several_ranks_of_several_processes_are_counted),
        cmocka_unit_test(twice_is_of_one_host),
        cmocka_unit_test(long_programs_are_shortened),
        cmocka_unit_test(the_odd_one_may_be_the_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
