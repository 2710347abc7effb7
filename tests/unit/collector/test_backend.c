/* Which back end serves a card with which CUPTI, and that the two which ask a host library for counters get the same answers. */
#include "rl_test.h"

#include <stdlib.h>

#include "analysis/plan.h"
#include "backend.h"
#include "collector/collector.h"
#include "core/mem.h"
#include "host.h"

#define NONE    RL_BACKEND_COUNT
#define ALL     .has = {true, true}
#define OLD     .has = {[RL_BACKEND_profiler] = true}
#define SERVED  .cc_served = RL_CC_SERVED
#define REFUSED .cc_served = RL_CC_NOT_SERVED

/* Versions of CUPTI as their libraries are, and cards. */
static const struct {
    struct rl_backend_library library;
    int cc;
    const char *forced;
    enum rl_backend_id picked;
    const char *says; /* the error has this in it; NULL: there is none */
} rows[] = {
    {{130001, ALL, SERVED}, 90, NULL, RL_BACKEND_range, NULL},
    {{130001, ALL, SERVED}, 90, "profiler", RL_BACKEND_profiler, NULL},
    {{130001, ALL, REFUSED}, 70, NULL, NONE, "CUPTI 13.0.1 does not serve compute capability 7.0"},
    {{130001, ALL, REFUSED}, 70, "range", NONE, "back end 'range' cannot count here: CUPTI 13.0.1 does not serve"},
    {{28, ALL, SERVED}, 70, NULL, RL_BACKEND_range, NULL},
    {{22, OLD, SERVED}, 70, NULL, RL_BACKEND_profiler, NULL},
    {{22, OLD, SERVED}, 80, NULL, RL_BACKEND_profiler, NULL},
    {{22, OLD, SERVED}, 80, "range", NONE, "CUPTI 12.4 does not have it"},
    {{22, OLD, SERVED}, 60, "profiler", NONE, "it serves compute capability 7.0 and newer"},
    {{22, OLD, REFUSED}, 100, NULL, NONE, "CUPTI 12.4 does not serve compute capability 10.0"},
    {{18, OLD, SERVED}, 75, NULL, RL_BACKEND_profiler, NULL},
    {{15, OLD, SERVED}, 80, NULL, NONE, "CUPTI 11.2 to 11.4 does not have it"},
    {{22, ALL, SERVED}, 80, NULL, RL_BACKEND_profiler, NULL}, /* functions of a version that is not to have them */
    {{130001, ALL, RL_CC_UNASKED}, 0, NULL, RL_BACKEND_range, NULL},
    {{22, OLD, RL_CC_UNASKED}, 0, NULL, RL_BACKEND_profiler, NULL},
    {{130001, .has = {false}, SERVED}, 90, NULL, NONE, "range: CUPTI 13.0.1 does not have it; profiler: "},
    {{22, OLD, SERVED}, 61, NULL, NONE, "profiler: it serves compute capability 7.0 and newer"},
    {{18, OLD, SERVED}, 72, NULL, RL_BACKEND_profiler, NULL},
    {{28, ALL, SERVED}, 61, NULL, NONE, "range: it serves compute capability 7.0 and newer"},
    {{130001, ALL, SERVED}, 90, "ncu", NONE, "there is no back end 'ncu'"},
};

static void test_picks_what_serves_the_card(void **state)
{
    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct rl_err err = RL_ERR_INIT;
        enum rl_backend_id id;
        const enum rl_status status = rl_backend_pick(&rows[i].library, rows[i].cc, rows[i].forced, &id, &err);
        if ((status == RL_OK) != (rows[i].says == NULL) || (status == RL_OK && id != rows[i].picked))
            fail_msg("row %zu: %d, back end %d: %s", i, (int)status, (int)id, err.text);
        if (rows[i].says && !strstr(err.text, rows[i].says))
            fail_msg("row %zu says: %s", i, err.text);
    }
}

/* What `doctor` says of each GPU. */
static void test_all_back_ends_are_told_of(void **state)
{
    static const struct {
        struct rl_backend_library library;
        int cc;
        enum rl_status status;
        const char *words;
    } known[] = {
        {{130001, ALL, SERVED}, 90, RL_OK, "range, CUPTI's range profiler and host library; profiler: would serve it, too"},
        {{22, OLD, SERVED},
         80,
         RL_OK,
         "profiler, CUPTI's profiling sessions, with counters by NVIDIA's host library; range: CUPTI 12.4 does not have it"},
        {{18, OLD, SERVED},
         60,
         RL_UNSUPPORTED,
         "none; range: CUPTI 11.8 does not have it; profiler: it serves compute capability 7.0 and newer"},
        {{130001, ALL, REFUSED},
         70,
         RL_UNSUPPORTED,
         "none; range: CUPTI 13.0.1 does not serve compute capability 7.0; profiler: CUPTI 13.0.1 does not serve compute "
         "capability 7.0"},
    };
    (void)state;
    for (size_t i = 0; i < RL_COUNT(known); i++) {
        struct rl_buf text = RL_BUF_INIT;
        assert_int_equal(rl_backend_tell(&known[i].library, known[i].cc, &text), known[i].status);
        assert_string_equal(text.data, known[i].words);
        rl_buf_release(&text);
    }
}

static void test_names(void **state)
{
    (void)state;
    assert_int_equal(rl_backend_find("profiler"), RL_BACKEND_profiler);
    assert_int_equal(rl_backend_find("profile"), NONE);
    assert_string_equal(rl_backend_name(RL_BACKEND_range), "range");
}

static void test_versions(void **state)
{
    (void)state;
    char words[RL_CUPTI_VERSION_SIZE];
    rl_cupti_version_words(22, words);
    assert_string_equal(words, "12.4");
    rl_cupti_version_words(130102, words);
    assert_string_equal(words, "13.1.2");
    rl_cupti_version_words(25, words); /* between those of 12.6 and 12.8, and of none */
    assert_string_equal(words, "API 25");
}

/* ---- both ways of asking the host library of the build ---- */

enum { MAX_CHIPS = 64, MAX_COUNTERS = 256 };

/* What a back end says of a configuration: counters that the chip has, passes of all of them together. */
struct answer {
    bool available[MAX_COUNTERS];
    size_t alone[MAX_COUNTERS], together;
};

static void ask(const char *backend, const char *chip, const struct rl_configuration *wanted, struct answer *answer)
{
    const char *there[MAX_COUNTERS];
    size_t count = 0;
    *answer = (struct answer){0};
    assert_true(wanted->counter_count <= MAX_COUNTERS);
    assert_int_equal(rl_backend_choose(0, backend, NULL), RL_OK);
    assert_true(rl_host_list(chip, NULL, wanted->counters, wanted->counter_count, answer->available));
    for (size_t i = 0; i < wanted->counter_count; i++) {
        answer->alone[i] = rl_host_passes(chip, NULL, &wanted->counters[i], 1);
        if (answer->alone[i] && i < wanted->fixed) /* behind these the schedulers differ by a pass (GA100) */
            there[count++] = wanted->counters[i];
    }
    answer->together = rl_host_passes(chip, NULL, there, count);
}

static void compare(const char *chip, const struct rl_configuration *wanted)
{
    struct answer range, profiler;
    ask("range", chip, wanted, &range);
    ask("profiler", chip, wanted, &profiler);
    assert_true(range.together > 0);
    for (size_t i = 0; i < wanted->counter_count; i++)
        if (range.available[i] != profiler.available[i] || range.alone[i] != profiler.alone[i])
            fail_msg("%s, %s: listed %d and %d, passes %zu and %zu", chip, wanted->counters[i], range.available[i],
                     profiler.available[i], range.alone[i], profiler.alone[i]);
    if (range.together != profiler.together)
        fail_msg("%s, %s: %zu and %zu passes", chip, wanted->name, range.together, profiler.together);
}

static void test_both_host_libraries_schedule_alike(void **state)
{
    (void)state;
    const char *chips[MAX_CHIPS];
    if (rl_cupti_open(NULL, NULL) != RL_OK || rl_backend_choose(0, "range", NULL) != RL_OK)
        skip();
    const size_t count = rl_cupti_chips(chips, MAX_CHIPS);
    for (size_t i = 0; i < count; i++) {
        struct rl_plan plan;
        rl_plan_make(chips[i], 1u << RL_SET_CORE, &plan);
        for (size_t c = 0; c < 2; c++)
            compare(chips[i], &plan.configurations[c]);
        rl_plan_release(&plan);
    }
}

/* Images of one pass, what else a window needs, and that a name which is not there spoils it. */
static void test_profiler_makes_configurations(void **state)
{
    (void)state;
    static const char *counters[] = {"sm__cycles_active.avg", "dram__bytes_read.sum", "sm__no_such_counter.sum"};
    const struct rl_configuration wanted = {.name = "hardware", .counters = counters, .counter_count = 3};
    struct rl_config config = {0};
    struct rl_err err = RL_ERR_INIT;
    if (rl_cupti_open(NULL, NULL) != RL_OK || rl_backend_choose(0, "profiler", NULL) != RL_OK)
        skip();
    assert_int_equal(rl_host_join("GV100", NULL, &wanted, &config, &err), RL_OK);
    assert_int_equal(config.counter_count, 2);
    assert_true(config.image_size > 100 && config.host);
    rl_config_release(&config);
    config = (struct rl_config){.name = rl_strdup("bad"), .counters = rl_calloc(1, sizeof(char *)), .counter_count = 1};
    config.counters[0] = counters[2];
    assert_int_equal(rl_host_finish(&config, "GV100", NULL, &err), RL_UNSUPPORTED);
    assert_non_null(strstr(err.text, counters[2]));
    rl_config_release(&config);
    assert_int_equal(rl_host_knows("GX999", NULL, &err), RL_UNSUPPORTED);
    assert_non_null(strstr(err.text, "GX999"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_picks_what_serves_the_card),
        cmocka_unit_test(test_all_back_ends_are_told_of),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_versions),
        cmocka_unit_test(test_both_host_libraries_schedule_alike),
        cmocka_unit_test(test_profiler_makes_configurations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
