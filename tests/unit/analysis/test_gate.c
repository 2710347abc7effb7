/* The gate: every condition on both sides of its edge, none that passes because nothing was compared. */
#include "rl_test.h"

#include <string.h>

#include "analysis/gate.h"
#include "core/mem.h"
#include "fixtures/capture.h"
#include "fixtures/sides.h"

/* The gate of two sides by rules as they are typed; free with rl_gate_free, before the sides. */
static struct rl_gate *ask(struct sides *sides, const char *list)
{
    struct rl_gate_rules rules = rl_gate_standard();
    if (!sides->comparison)
        (void)sides_compare(sides);
    assert_int_equal(rl_gate_parse("fail-on", list, &rules, NULL), RL_OK);
    return rl_gate_new(sides->comparison, &rules);
}

static const struct rl_gate_answer *answer_of(const struct rl_gate *gate, enum rl_gate_condition condition)
{
    for (size_t i = 0; i < gate->count; i++)
        if (gate->answers[i].condition == condition)
            return &gate->answers[i];
    fail_msg("%s was not asked", rl_gate_conditions[condition].id);
    return NULL;
}

/* The gate is in a state by these rules, and the answer in one line. */
static void assert_gate(struct sides *sides, const char *list, enum rl_gate_state state, const char *text)
{
    struct rl_gate *gate = ask(sides, list);
    struct rl_buf said = RL_BUF_INIT;
    rl_gate_text(gate, &said);
    assert_string_equal(said.data, text);
    assert_int_equal(gate->state, state);
    rl_buf_release(&said);
    rl_gate_free(gate);
}

static const char *const names[] = {"a(int)", "b(int)", "c(int)", "d(int)", "e(int)",
                                    "f(int)", "g(int)", "h(int)", "i(int)", "j(int)"};

static void add_all(struct sides *sides, size_t side, size_t count)
{
    for (size_t i = 0; i < count; i++)
        sides_add(sides, side, names[i], 10, NULL, 1000000);
}

static void unchanged_code_passes(void **state)
{
    (void)state;
    struct sides sides = sides_new();
    add_all(&sides, 0, 10);
    add_all(&sides, 1, 10);
    assert_gate(&sides, "default", RL_GATE_HOLDS, "holds: 11 conditions asked");
    assert_gate(&sides, "work=off", RL_GATE_HOLDS, "holds: 10 conditions asked; not asked: work");
    sides_free(&sides);
}

/* What is left is unchanged: that says nothing about what is not there any more. */
static void most_kernels_removed_fails(void **state)
{
    (void)state;
    struct sides sides = sides_new();
    add_all(&sides, 0, 10);
    add_all(&sides, 1, 2);
    assert_gate(&sides, "regression=3%", RL_GATE_FAILS, "fails: missing (8); cannot decide: matched (1)");
    assert_gate(&sides, "missing=off", RL_GATE_CANNOT_DECIDE, "cannot decide: matched (1); not asked: missing");
    struct rl_gate *gate = ask(&sides, "default");
    const struct rl_gate_answer *missing = answer_of(gate, RL_GATE_missing);
    assert_string_equal(missing->breaches[0].label, "c");
    assert_string_equal(missing->breaches[0].text, "not in the candidate; 10.0\u00a0% of the baseline's time");
    assert_true(missing->breaches[7].pair == RL_NONE);
    assert_string_equal(answer_of(gate, RL_GATE_matched)->breaches[0].text,
                        "20.0\u00a0% of its time has a partner in the other capture");
    assert_string_equal(answer_of(gate, RL_GATE_matched)->words,
                        "less than 90.0\u00a0% of a capture's time in kernels that the other one has");
    rl_gate_free(gate);
    sides_free(&sides);
}

/* New kernels that take time are not in any comparison. */
static void new_time_without_a_base_cannot_be_decided(void **state)
{
    (void)state;
    struct sides sides = sides_new();
    add_all(&sides, 0, 4);
    add_all(&sides, 1, 5);
    assert_gate(&sides, "default", RL_GATE_CANNOT_DECIDE, "cannot decide: matched (1)");
    assert_gate(&sides, "matched<0.8", RL_GATE_HOLDS, "holds: 11 conditions asked");
    sides_free(&sides);
}

static void nothing_to_compare_is_never_a_pass(void **state)
{
    (void)state;
    struct sides none = sides_new(), strangers = sides_new();
    sides_add(&none, 1, "a(int)", 10, NULL, 1000000);
    assert_gate(&none, "default", RL_GATE_CANNOT_DECIDE, "cannot decide: undecided (1), matched (2)");
    sides_add(&strangers, 0, "a(int)", 10, NULL, 1000000);
    sides_add(&strangers, 1, "b(int)", 20, NULL, 1000000);
    assert_gate(&strangers, "missing=off,matched=off", RL_GATE_CANNOT_DECIDE,
                "cannot decide: undecided (1); not asked: missing, matched");
    sides_free(&none);
    sides_free(&strangers);
}

/* 30 % slower, by an interval of about 1 %. */
static void a_regression_fails_by_its_whole_interval(void **state)
{
    (void)state;
    struct sides sides = sides_new();
    sides_add(&sides, 0, "a(int)", 10, NULL, 1000000);
    sides_add(&sides, 1, "a(int)", 10, NULL, 1300000);
    assert_gate(&sides, "default", RL_GATE_FAILS, "fails: regression (1)");
    assert_gate(&sides, "regression=29%", RL_GATE_FAILS, "fails: regression (1)");
    assert_gate(&sides, "regression=30%", RL_GATE_CANNOT_DECIDE, "cannot decide: undecided (1)");
    assert_gate(&sides, "regression=31%", RL_GATE_HOLDS, "holds: 11 conditions asked");
    struct rl_gate *gate = ask(&sides, "default");
    const struct rl_gate_breach *breach = answer_of(gate, RL_GATE_regression)->breaches;
    assert_int_equal(breach->pair, 0);
    assert_memory_equal(breach->text, "+30.0 % (+29.", 13);
    rl_gate_free(gate);
    sides_free(&sides);
}

/* Whatever the size of what is open: only its share of the base's time counts. */
static void what_is_open_counts_by_its_time(void **state)
{
    (void)state;
    struct sides sides = sides_new();
    add_all(&sides, 0, 10);
    add_all(&sides, 1, 10);
    sides.capture[1]->kernels[3].duration_count = 2; /* too few for an interval: 10 % of the time */
    assert_gate(&sides, "undecided=10.1%", RL_GATE_HOLDS, "holds: 11 conditions asked");
    assert_gate(&sides, "undecided=9.9%", RL_GATE_CANNOT_DECIDE, "cannot decide: undecided (1)");
    struct rl_gate *gate = ask(&sides, "undecided=0");
    const struct rl_gate_answer *answer = answer_of(gate, RL_GATE_undecided);
    assert_close(answer->found, 0.1, 1e-3);
    assert_non_null(strstr(answer->breaches[0].text, "too few for an interval"));
    rl_gate_free(gate);
    sides_free(&sides);
}

static void incomplete_captures_cannot_decide(void **state)
{
    (void)state;
    for (size_t side = 0; side < 2; side++) {
        struct sides sides = sides_new();
        add_all(&sides, 0, 2);
        add_all(&sides, 1, 2);
        sides.capture[side]->session.complete = false;
        assert_gate(&sides, "default", RL_GATE_CANNOT_DECIDE, "cannot decide: incomplete (1)");
        struct rl_gate *gate = ask(&sides, "default");
        assert_string_equal(answer_of(gate, RL_GATE_incomplete)->breaches[0].label, side ? "candidate" : "baseline");
        rl_gate_free(gate);
        sides_free(&sides);
    }
}

/* What is wrong with a session after the first is no less wrong. */
static void further_sessions_are_asked_too(void **state)
{
    (void)state;
    struct sides sides = sides_new(), further = sides_new();
    add_all(&sides, 0, 2);
    add_all(&sides, 1, 2);
    add_all(&further, 0, 1);
    further.capture[0]->session.complete = false;
    struct rl_analysis *analysis = rl_analysis_new(further.capture[0]);
    const struct rl_compare_session session = {analysis, "c"};
    const struct rl_compare_options options = {.base_name = "a", .new_name = "b", .more = {NULL, &session}, .more_count = {0, 1}};
    assert_int_equal(sides_compare_with(&sides, &options, NULL), RL_OK);
    struct rl_gate *gate = ask(&sides, "default");
    const struct rl_gate_answer *answer = answer_of(gate, RL_GATE_incomplete);
    assert_int_equal(answer->count, 1);
    assert_int_equal(answer->state, RL_GATE_CANNOT_DECIDE);
    assert_string_equal(answer->breaches[0].text, "session 2 is incomplete: what it did not reach is unknown");
    assert_int_equal(answer_of(gate, RL_GATE_wrong)->state, RL_GATE_HOLDS);
    rl_gate_free(gate);
    sides.comparison->new.items[0].wrong_later = true;
    gate = ask(&sides, "default");
    assert_int_equal(answer_of(gate, RL_GATE_wrong)->state, RL_GATE_FAILS);
    rl_gate_free(gate);
    rl_analysis_free(analysis);
    sides_free(&further);
    sides_free(&sides);
}

static void add_process(struct sides *sides, size_t side, uint64_t pid, uint64_t parent, const char *end, int status)
{
    struct rl_process *process = sample_process(sides->capture[side], &(struct sample_process){.pid = pid, .command = "./app"});
    process->parent_pid = parent;
    process->end = rl_capture_text(sides->capture[side], end);
    process->status = status;
}

/* A program that failed is no evidence, also where it fails alike on both sides; what its children ended with is its affair. */
static void programs_that_failed_cannot_decide(void **state)
{
    (void)state;
    static const struct {
        const char *end;
        int status;
        const char *text; /* NULL: it holds */
    } rows[] = {{"exited", 0, NULL},
                {"unknown", 0, NULL},
                {"exited", 3, "its program ended with status 3"},
                {"killed", 11, "its program was ended by signal 11"}};
    for (size_t i = 0; i < 2 * RL_COUNT(rows); i++) {
        struct sides sides = sides_new();
        const size_t side = i % 2;
        add_all(&sides, 0, 2);
        add_all(&sides, 1, 2);
        add_process(&sides, side, 11, 10, "killed", 15);
        add_process(&sides, side, 10, 1, rows[i / 2].end, rows[i / 2].status);
        const char *text = rows[i / 2].text;
        assert_gate(&sides, "default", text ? RL_GATE_CANNOT_DECIDE : RL_GATE_HOLDS,
                    text ? "cannot decide: crashed (1)" : "holds: 11 conditions asked");
        struct rl_gate *gate = ask(&sides, "default");
        const struct rl_gate_answer *answer = answer_of(gate, RL_GATE_crashed);
        assert_int_equal(answer->count, text != NULL);
        assert_int_equal(sides.comparison->note_count, text != NULL);
        if (text) {
            assert_string_equal(answer->breaches[0].text, text);
            assert_string_equal(answer->breaches[0].label, side ? "candidate" : "baseline");
        }
        rl_gate_free(gate);
        sides_free(&sides);
    }
}

/* A session that ended before its first kernel, on another driver and another card. */
static void a_session_that_is_not_like_the_others_is_named(void **state)
{
    (void)state;
    struct sides sides = sides_new(), further = sides_new();
    add_all(&sides, 0, 2);
    add_all(&sides, 1, 2);
    for (size_t side = 0; side < 2; side++) {
        sides.capture[side]->session.driver = rl_capture_text(sides.capture[side], "1.0");
        sides.capture[side]->session.tool_version = rl_capture_text(sides.capture[side], "");
        further.capture[side]->session.driver = rl_capture_text(further.capture[side], side ? "2.0" : "1.0");
        further.capture[side]->gpus[0].uuid = rl_capture_text(further.capture[side], side ? "GPU-2" : "GPU-1");
    }
    add_all(&further, 1, 0);
    add_all(&further, 0, 2);
    struct rl_analysis *analyses[] = {rl_analysis_new(further.capture[0]), rl_analysis_new(further.capture[1])};
    const struct rl_compare_session more[] = {{analyses[0], "c"}, {analyses[1], "d"}};
    const struct rl_compare_options options = {.base_name = "a", .new_name = "b", .more = {NULL, more}, .more_count = {0, 2}};
    assert_int_equal(sides_compare_with(&sides, &options, NULL), RL_OK);
    struct rl_gate *gate = ask(&sides, "default");
    assert_string_equal(answer_of(gate, RL_GATE_crashed)->breaches[0].text, "session 3: it has none of the kernels of its side");
    assert_string_equal(answer_of(gate, RL_GATE_driver)->breaches[0].text,
                        "the driver is not the same in all sessions: 1.0 in the baseline, 1.0, 2.0 in the candidate");
    assert_int_equal(answer_of(gate, RL_GATE_card)->state, RL_GATE_HOLDS); /* 3 % are allowed for */
    assert_int_equal(sides.comparison->relation, RL_ONE_MODEL);
    assert_true(sides.comparison->rules.session_effect > 0.02);
    rl_gate_free(gate);
    for (size_t i = 0; i < 2; i++)
        rl_analysis_free(analyses[i]);
    sides_free(&further);
    sides_free(&sides);
}

/* A faster card, or another driver, hides what the change does. */
static void other_cards_and_drivers_cannot_decide(void **state)
{
    (void)state;
    struct sides sides = sides_new(), drivers = sides_new();
    for (size_t side = 0; side < 2; side++) {
        add_all(&sides, side, 2);
        add_all(&drivers, side, 2);
        drivers.capture[side]->session.driver = rl_capture_text(drivers.capture[side], side ? "2.0" : "1.0");
    }
    sides.capture[1]->gpus[0].name = rl_capture_text(sides.capture[1], "Faster GPU");
    assert_gate(&sides, "default", RL_GATE_CANNOT_DECIDE, "cannot decide: card (1)");
    assert_gate(&sides, "card=off", RL_GATE_HOLDS, "holds: 10 conditions asked; not asked: card");
    assert_gate(&drivers, "default", RL_GATE_CANNOT_DECIDE, "cannot decide: driver (1)");
    struct rl_gate *gate = ask(&drivers, "default");
    assert_string_equal(answer_of(gate, RL_GATE_driver)->breaches[0].text, "the driver changed from 1.0 to 2.0");
    rl_gate_free(gate);
    gate = ask(&sides, "default");
    assert_string_equal(answer_of(gate, RL_GATE_card)->breaches[0].text,
                        "Faster GPU instead of NVIDIA Test Card: the other GPU hides what the change does");
    assert_string_equal(answer_of(gate, RL_GATE_card)->breaches[0].label, "candidate");
    rl_gate_free(gate);
    sides_free(&drivers);
    sides_free(&sides);
}

/* What only one capture says is compared with nothing. */
static void what_one_capture_lacks_cannot_decide(void **state)
{
    (void)state;
    for (size_t side = 0; side < 2; side++) {
        struct sides sides = sides_new(), drivers = sides_new(), other = sides_new();
        for (size_t i = 0; i < 2; i++) {
            add_all(&sides, i, 2);
            add_all(&drivers, i, 2);
            add_all(&other, i, 2);
        }
        sides.capture[side]->gpus[0].name = rl_capture_text(sides.capture[side], "");
        other.capture[side]->gpus[0].cc_major++;
        drivers.capture[side]->session.driver = rl_capture_text(drivers.capture[side], "1.0");
        assert_gate(&sides, "default", RL_GATE_CANNOT_DECIDE, "cannot decide: card (1)");
        assert_gate(&other, "default", RL_GATE_CANNOT_DECIDE, "cannot decide: card (1)");
        assert_gate(&drivers, "default", RL_GATE_CANNOT_DECIDE, "cannot decide: driver (1)");
        struct rl_gate *gate = ask(&sides, "default");
        assert_string_equal(answer_of(gate, RL_GATE_card)->breaches[0].label, side ? "candidate" : "baseline");
        rl_gate_free(gate);
        sides_free(&sides);
        sides = sides_new();
        sides.capture[side]->gpu_count = 0; /* as of a benchmark */
        gate = ask(&sides, "default");
        assert_string_equal(answer_of(gate, RL_GATE_card)->breaches[0].text, "it does not name its GPU, the other capture does");
        rl_gate_free(gate);
        sides.capture[side]->gpu_count = 1;
        sides_free(&sides);
        sides_free(&drivers);
        sides_free(&other);
    }
}

/* Kernel 0 of ten has counted work in one capture only, kernel 1 a result that is not checked any more: a tenth of the time each.
 */
static void work_and_results_of_one_capture_cannot_decide(void **state)
{
    (void)state;
    for (size_t side = 0; side < 2; side++) {
        struct sides work = sides_new(), results = sides_new(), launches = sides_new();
        for (size_t i = 0; i < 2; i++) {
            add_all(&work, i, 10);
            add_all(&results, i, 10);
            add_all(&launches, i, 10);
            sample_experiment(results.capture[i], "e");
            sample_variant(results.capture[i], 0, 0, "v", NULL)->result = i == side ? RL_RESULT_OK : RL_RESULT_NOT_CHECKED;
            results.capture[i]->kernels[1].variant = 0;
        }
        sides_flop(&work, side, 0, 1000);
        launches.capture[side]->kernels[0].launches = 0;
        assert_gate(&work, "unknown=9.9%", RL_GATE_CANNOT_DECIDE, "cannot decide: unknown (1)");
        assert_gate(&work, "unknown=10.1%", RL_GATE_HOLDS, "holds: 11 conditions asked");
        assert_int_equal(work.comparison->pairs[0].work, RL_WORK_UNKNOWN);
        assert_int_equal(work.comparison->pairs[1].work, RL_WORK_EQUAL);
        assert_gate(&launches, "unknown=0", RL_GATE_CANNOT_DECIDE, "cannot decide: unknown (1)");
        /* One that is checked now was compared with its reference. */
        assert_gate(&results, "unknown=0", side ? RL_GATE_HOLDS : RL_GATE_CANNOT_DECIDE,
                    side ? "holds: 11 conditions asked" : "cannot decide: unknown (1)");
        sides_free(&work);
        sides_free(&results);
        sides_free(&launches);
    }
}

static void fewer_launches_fail(void **state)
{
    (void)state;
    struct sides sides = sides_new();
    add_all(&sides, 0, 2);
    add_all(&sides, 1, 2);
    sides.capture[0]->kernels[1].launches = 100;
    sides.capture[1]->kernels[1].launches = 50;
    assert_gate(&sides, "default", RL_GATE_FAILS, "fails: work (1)");
    assert_gate(&sides, "work=off", RL_GATE_HOLDS, "holds: 10 conditions asked; not asked: work");
    struct rl_gate *gate = ask(&sides, "default");
    assert_string_equal(answer_of(gate, RL_GATE_work)->breaches[0].text, "50 launches instead of 100");
    rl_gate_free(gate);
    sides_free(&sides);
}

/* Wrong on both sides is not a pass either; a kernel without a partner may be wrong, too. */
static void wrong_results_fail(void **state)
{
    (void)state;
    struct sides sides = sides_new();
    for (size_t side = 0; side < 2; side++) {
        sample_experiment(sides.capture[side], "e");
        for (size_t i = 0; i < 1 + side; i++) {
            struct rl_variant *variant = sample_variant(sides.capture[side], 0, 0, i ? "more" : "v", NULL);
            variant->result = RL_RESULT_WRONG;
            variant->measure = rl_capture_text(sides.capture[side], "kernel");
            sides_add(&sides, side, names[i], 10, NULL, 1000000)->variant = i;
        }
    }
    struct rl_gate *gate = ask(&sides, "default");
    const struct rl_gate_answer *answer = answer_of(gate, RL_GATE_wrong);
    assert_int_equal(gate->state, RL_GATE_FAILS);
    assert_int_equal(answer->count, 2);
    assert_int_equal(answer->breaches[0].pair, 0);
    assert_true(answer->breaches[1].pair == RL_NONE);
    rl_gate_free(gate);
    sides_free(&sides);
}

/* ---- as it is typed ---- */

static void bounds_are_read(void **state)
{
    (void)state;
    struct rl_gate_rules rules = rl_gate_standard();
    assert_int_equal(rl_gate_parse("x", "regression=5%,matched<0.5,undecided>25%,work=off", &rules, NULL), RL_OK);
    assert_close(rules.bound[RL_GATE_regression], 0.05, 1e-12);
    assert_close(rules.bound[RL_GATE_matched], 0.5, 1e-12);
    assert_close(rules.bound[RL_GATE_undecided], 0.25, 1e-12);
    assert_true(rules.off[RL_GATE_work]);
    assert_int_equal(rl_gate_parse("x", "work,regression", &rules, NULL), RL_OK);
    assert_false(rules.off[RL_GATE_work]); /* asked for again */
    assert_close(rules.bound[RL_GATE_regression], 0.05, 1e-12);
}

static void what_is_no_condition_is_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {"",
                                      "regresion=3%",
                                      "regression=3",
                                      "regression=",
                                      "regression<3%",
                                      "matched>0.9",
                                      "missing=3%",
                                      "regression=-1%",
                                      "matched=1.1",
                                      "regression=nan",
                                      "regression=3%,",
                                      "matched=101%",
                                      ("regression=off,wrong=off,missing=off,work=off,incomplete=off,crashed=off,card=off,"
                                       "driver=off,undecided=off,unknown=off,matched=off")};
    for (size_t i = 0; i < RL_COUNT(bad); i++) {
        struct rl_gate_rules rules = rl_gate_standard();
        struct rl_err err = RL_ERR_INIT;
        if (rl_gate_parse("fail-on", bad[i], &rules, &err) != RL_USAGE)
            fail_msg("'%s' was taken", bad[i]);
        assert_memory_equal(err.text, "--fail-on: ", 11);
    }
}

/* The first cards are of one model, those of a pair are not. */
static void cards_of_a_pair_are_held_against_each_other(void **state)
{
    (void)state;
    struct sides sides = sides_new();
    add_all(&sides, 0, 2);
    add_all(&sides, 1, 2);
    for (size_t side = 0; side < 2; side++) {
        (void)sample_gpu(sides.capture[side], side ? "C" : "B", NULL, SAMPLE_CHIP, SAMPLE_CC);
        sides.capture[side]->kernels[1].gpu = 1;
    }
    struct rl_gate *gate = ask(&sides, "default");
    assert_int_equal(sides.comparison->pair_count, 2);
    assert_int_equal(answer_of(gate, RL_GATE_card)->count, 1);
    assert_string_equal(answer_of(gate, RL_GATE_card)->breaches[0].text,
                        "C instead of B: the other GPU hides what the change does");
    rl_gate_free(gate);
    sides_free(&sides);
}

static void add_case(struct sides *sides, size_t side, const char *name, double seconds, size_t n)
{
    struct rl_capture *capture = sides->capture[side];
    rl_capture_add_benchmark(capture)->name = rl_capture_text(capture, name);
    for (size_t i = 0; i < n; i++)
        *rl_capture_add_benchmark_sample(capture) =
            (struct rl_benchmark_sample){capture->benchmark_count - 1, seconds * (1 + 1e-5 * (double)(i * 7 % n))};
}

/* Captures of benchmarks have cases and no kernels; what fails names the case. */
static void cases_are_asked_for(void **state)
{
    (void)state;
    static const struct {
        double new_seconds;
        size_t n;
        const char *other, *text;
    } rows[] = {
        {1, 31, "gemm M=2", "holds: 11 conditions asked"},
        {1.2, 31, "gemm M=2", "fails: regression (1)"},
        {1, 2, "gemm M=2", "cannot decide: undecided (2)"},
        {1, 31, "gemm M=3", "fails: missing (1); cannot decide: matched (2)"},
    };
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct sides sides = sides_new();
        for (size_t side = 0; side < 2; side++) {
            add_case(&sides, side, "gemm M=1", side ? rows[i].new_seconds : 1, rows[i].n);
            add_case(&sides, side, side ? rows[i].other : "gemm M=2", 1, rows[i].n);
        }
        assert_gate(&sides, "default",
                    rows[i].text[0] == 'h'   ? RL_GATE_HOLDS
                    : rows[i].text[0] == 'f' ? RL_GATE_FAILS
                                             : RL_GATE_CANNOT_DECIDE,
                    rows[i].text);
        sides_free(&sides);
    }
}

/* A case is slower though its kernels are not. */
static void cases_and_kernels(void **state)
{
    (void)state;
    struct sides sides = sides_new();
    add_all(&sides, 0, 2);
    add_all(&sides, 1, 2);
    add_case(&sides, 0, "step B=8", 1, 31);
    add_case(&sides, 1, "step B=8", 1.2, 31);
    struct rl_gate *gate = ask(&sides, "default");
    const struct rl_gate_answer *answer = answer_of(gate, RL_GATE_regression);
    assert_true(gate->state == RL_GATE_FAILS && answer->count == 1);
    assert_string_equal(answer->breaches[0].label, "step B=8");
    assert_non_null(strstr(answer->breaches[0].text, "+20.0"));
    rl_gate_free(gate);
    sides_free(&sides);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unchanged_code_passes),
        cmocka_unit_test(most_kernels_removed_fails),
        cmocka_unit_test(new_time_without_a_base_cannot_be_decided),
        cmocka_unit_test(nothing_to_compare_is_never_a_pass),
        cmocka_unit_test(a_regression_fails_by_its_whole_interval),
        cmocka_unit_test(what_is_open_counts_by_its_time),
        cmocka_unit_test(incomplete_captures_cannot_decide),
        cmocka_unit_test(further_sessions_are_asked_too),
        cmocka_unit_test(programs_that_failed_cannot_decide),
        cmocka_unit_test(a_session_that_is_not_like_the_others_is_named),
        cmocka_unit_test(other_cards_and_drivers_cannot_decide),
        cmocka_unit_test(what_one_capture_lacks_cannot_decide),
        cmocka_unit_test(work_and_results_of_one_capture_cannot_decide),
        cmocka_unit_test(fewer_launches_fail),
        cmocka_unit_test(wrong_results_fail),
        cmocka_unit_test(bounds_are_read),
        cmocka_unit_test(what_is_no_condition_is_refused),
        cmocka_unit_test(cases_are_asked_for),
        cmocka_unit_test(cases_and_kernels),
        cmocka_unit_test(cards_of_a_pair_are_held_against_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
