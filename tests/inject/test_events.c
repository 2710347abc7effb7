/* The back end `event` in a process with the stand-in driver and the stand-in CUPTI 11.8 (stand_in_events.c), on a card of compute
 * capability 6.0: windows of every mode, several passes, refusals, overflows. Expected values are from the stand-in's events, of
 * which number n counts 4 * (w + n) for a kernel of work w. */
#include "rl_test.h"

#include <math.h>
#include <stdlib.h>

#include "collector/collector.h"
#include "core/mem.h"
#include "event_api.h"
#include "host.h"
#include "range.h"
#include "stand_in.h"
#include "windows.h"

enum { SMS = 132 };
#define OF(w, n) (4.0 * ((w) + (n)))

/* Counters, and what they come to for work w. */
static double cycles(double w)
{
    return OF(w, 0) / SMS;
}
static double warps(double w)
{
    return 100 * OF(w, 2) / OF(w, 0) / 64;
}
static double issued(double w)
{
    return OF(w, 3);
}
static double executed(double w)
{
    return OF(w, 4);
}
static double threads(double w)
{
    return OF(w, 5);
}
static double branches(double w)
{
    return OF(w, 7);
}
static double uniform(double w)
{
    return OF(w, 7) - OF(w, 8);
}
static double shared(double w)
{
    return OF(w, 9) + OF(w, 10);
}
static double dram_read(double w)
{
    return 32 * (OF(w, 13) + OF(w, 14));
}
static double additions(double w)
{
    return OF(w, 17);
}
static double fused(double w)
{
    return OF(w, 19);
}
static const struct {
    const char *name;
    double (*value)(double w); /* NULL: the card does not have it */
} expected[] = {
    {"sm__cycles_active.avg", cycles},
    {"l1tex__t_bytes.sum", NULL},
    {"sm__warps_active.avg.pct_of_peak_sustained_active", warps},
    {"smsp__issue_active.sum", issued},
    {"smsp__sass_inst_executed.sum", executed},
    {"smsp__sass_thread_inst_executed.sum", threads},
    {"smsp__sass_branch_targets.sum", branches},
    {"smsp__sass_branch_targets_threads_uniform.sum", uniform},
    {"smsp__sass_inst_executed_op_shared.sum", shared},
    {"dram__bytes_read.sum", dram_read},
    {"lts__t_sectors_srcunit_tex.sum", NULL}, /* a row, but this card has no such metric */
    {"smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", additions},
    {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", fused},
};
static const char *names[RL_COUNT(expected)];
static const struct rl_collect_configuration all = {.name = "all", .counters = names, .counter_count = RL_COUNT(expected)};

static double expect(const char *name, double w)
{
    for (size_t i = 0; i < RL_COUNT(expected); i++)
        if (strcmp(expected[i].name, name) == 0 && expected[i].value)
            return expected[i].value(w);
    fail_msg("%s was not to be had", name);
    return NAN;
}

static int start(void **state)
{
    (void)state;
    for (size_t i = 0; i < RL_COUNT(expected); i++)
        names[i] = expected[i].name;
    setenv("ROOFLIGHT_CUPTI_DIR", STAND_INS, 1);
    setenv("RL_CC", "60", 1);
    return cuInit(0) != CUDA_SUCCESS || cuCtxCreate_v2(&context, 0, 0) != CUDA_SUCCESS || rl_cupti_open(NULL, NULL) != RL_OK ||
           rl_backend_choose(60, NULL, NULL) != RL_OK;
}

/* ---- steps ---- */

static void check_values(const struct rl_config *config, const struct rl_value *values, double w)
{
    for (size_t i = 0; i < config->counter_count; i++)
        if (!rl_present(values[i]) || fabs(values[i].v - expect(config->counters[i], w)) > 1e-9 * fabs(values[i].v))
            fail_msg("%s for work %g: %g, not %g (%s)", config->counters[i], w, values[i].v, expect(config->counters[i], w),
                     rl_value_reason(values[i]) ? rl_value_reason(values[i]) : "");
}

/* Everything from names to values; the profiler is closed. */
static enum rl_status count_all(struct rl_value *values, size_t *passes, struct rl_err *err)
{
    struct rl_range_profiler profiler = opened();
    struct rl_config config;
    enum rl_status status = rl_host_join(profiler.chip, profiler.availability, &all, &config, err);
    if (status == RL_OK && config.counter_count != RL_COUNT(expected) - 2)
        status = rl_err_set(err, RL_UNSUPPORTED, "%zu counters", config.counter_count);
    if (status == RL_OK)
        status = count_launches(&profiler, &config, 2, values, passes, err);
    for (size_t i = 0; i < config.counter_count && status == RL_OK; i++)
        if (!rl_present(values[i]))
            status = rl_err_set(err, RL_FAILED, "%s: %s", config.counters[i], rl_value_reason(values[i]));
    rl_config_release(&config);
    rl_range_close(&profiler);
    return status;
}

/* ---- tests ---- */

static void it_is_the_one_that_serves_the_card(void **state)
{
    (void)state;
    struct rl_err err = RL_ERR_INIT;
    assert_int_equal(rl_backend()->id, RL_BACKEND_event);
    assert_int_equal(rl_backend_choose(60, "profiler", &err), RL_UNSUPPORTED);
    assert_non_null(strstr(err.text, "CUPTI 11.8 does not have it"));
    assert_int_equal(rl_backend_choose(75, NULL, &err), RL_UNSUPPORTED);
    assert_non_null(strstr(err.text, "event: it serves compute capability 3.0 to 7.2"));
    assert_int_equal(rl_backend_choose(60, "event", NULL), RL_OK);
    struct rl_range_profiler profiler = opened();
    assert_string_equal(profiler.chip, "GP100");
    rl_range_close(&profiler);
}

static void launches_are_ranges_in_several_passes(void **state)
{
    (void)state;
    struct rl_range_profiler profiler = opened();
    struct rl_config config;
    struct rl_err err = RL_ERR_INIT;
    struct rl_value values[2 * RL_COUNT(expected)];
    size_t passes = 0;
    if (rl_host_join(profiler.chip, profiler.availability, &all, &config, &err) != RL_OK)
        fail_msg("%s", err.text);
    assert_int_equal(config.counter_count, RL_COUNT(expected) - 2);
    for (int times = 0; times < 2; times++) { /* the second finds everything as the first did */
        if (count_launches(&profiler, &config, 2, values, &passes, &err) != RL_OK)
            fail_msg("%s", err.text);
        assert_int_equal(passes, rl_host_passes(profiler.chip, profiler.availability, config.counters, config.counter_count));
        assert_int_equal(passes, 3); /* ten events of the SMs, four at a time */
        check_values(&config, values, 1000);
        check_values(&config, values + config.counter_count, 2000);
    }
    rl_config_release(&config);
    rl_range_close(&profiler);
}

/* What runs in another context is not of this window. */
static void another_context_is_not_counted(void **state)
{
    (void)state;
    static const char *const counters[] = {"smsp__sass_inst_executed.sum"};
    struct rl_range_profiler profiler = opened();
    struct rl_config config;
    struct rl_value value;
    CUcontext other;
    const struct rl_collect_configuration wanted = {.name = "one", .counters = counters, .counter_count = 1};
    assert_int_equal(rl_host_join(profiler.chip, profiler.availability, &wanted, &config, NULL), RL_OK);
    assert_int_equal(rl_range_begin(&profiler, &config, 1, RL_RANGE_LAUNCHES, NULL), RL_OK);
    assert_int_equal(cuCtxCreate_v2(&other, 0, 0), CUDA_SUCCESS);
    launch(1);
    assert_int_equal(cuCtxDestroy(other), CUDA_SUCCESS);
    launch(0);
    assert_int_equal(rl_range_end(&profiler, &value, NULL), RL_OK);
    check_values(&config, &value, 1000);
    rl_config_release(&config);
    rl_range_close(&profiler);
}

static void marked_launches_are_counted_and_no_others(void **state)
{
    (void)state;
    static const char *const counters[] = {"smsp__sass_inst_executed.sum", "dram__bytes_read.sum"};
    struct rl_range_profiler profiler = opened();
    struct rl_config config = config_of(&profiler, counters, 2);
    struct rl_value values[6];
    assert_int_equal(rl_range_begin(&profiler, &config, 3, RL_RANGE_MARKED, NULL), RL_OK);
    for (size_t range = 0; range < 3; range += 2) { /* the one in the middle is not made */
        assert_int_equal(rl_range_push(&profiler, range, NULL), RL_OK);
        launch(range / 2);
        assert_int_equal(cuCtxSynchronize(), CUDA_SUCCESS);
        assert_int_equal(rl_range_pop(&profiler, NULL), RL_OK);
        launch(1);
        assert_int_equal(cuCtxSynchronize(), CUDA_SUCCESS);
    }
    assert_int_equal(rl_range_end(&profiler, values, NULL), RL_OK);
    check_values(&config, values, 1000);
    assert_int_equal(rl_value_state(values[2]), RL_VALUE_FAILED);
    check_values(&config, values + 4, 2000);
    rl_config_release(&config);
    rl_range_close(&profiler);
}

static void marked_launches_need_a_single_pass(void **state)
{
    (void)state;
    struct rl_range_profiler profiler = opened();
    struct rl_config config;
    struct rl_err err = RL_ERR_INIT;
    assert_int_equal(rl_host_join(profiler.chip, profiler.availability, &all, &config, NULL), RL_OK);
    assert_int_equal(rl_range_begin(&profiler, &config, 1, RL_RANGE_MARKED, &err), RL_UNSUPPORTED);
    assert_non_null(strstr(err.text, "takes 3 passes"));
    rl_config_release(&config);
    rl_range_close(&profiler);
}

static void packing_finds_single_passes(void **state)
{
    (void)state;
    struct rl_range_profiler profiler = opened();
    struct rl_config *configs = NULL;
    struct rl_err err = RL_ERR_INIT;
    bool available[RL_COUNT(expected)];
    size_t count = 0, counters = 0;
    if (rl_host_pack(profiler.chip, profiler.availability, &all, available, &configs, &count, &err) != RL_OK)
        fail_msg("%s", err.text);
    for (size_t i = 0; i < count; i++) {
        counters += configs[i].counter_count;
        assert_int_equal(rl_host_passes(profiler.chip, profiler.availability, configs[i].counters, configs[i].counter_count), 1);
        rl_config_release(&configs[i]);
    }
    for (size_t i = 0; i < RL_COUNT(expected); i++)
        assert_int_equal(available[i], expected[i].value != NULL);
    assert_int_equal(counters, RL_COUNT(expected) - 2);
    assert_int_equal(count, 3);
    free(configs);
    rl_range_close(&profiler);
}

static void kernel_replay_takes_all_passes_of_one_launch(void **state)
{
    (void)state;
    struct rl_range_profiler profiler = opened();
    struct rl_config config;
    struct rl_err err = RL_ERR_INIT;
    struct rl_value values[RL_COUNT(expected)];
    assert_int_equal(rl_host_join(profiler.chip, profiler.availability, &all, &config, NULL), RL_OK);
    if (rl_range_begin(&profiler, &config, 1, RL_RANGE_REPLAYED, &err) != RL_OK)
        fail_msg("%s", err.text);
    launch(1);
    assert_int_equal(cuCtxSynchronize(), CUDA_SUCCESS);
    if (rl_range_end(&profiler, values, &err) != RL_OK)
        fail_msg("%s", err.text);
    check_values(&config, values, 2000);
    assert_int_equal(rl_event.cuptiSetEventCollectionMode(context, RL_EVENT_MODE_KERNEL), 0); /* replay is over */
    rl_config_release(&config);
    rl_range_close(&profiler);
}

static void what_is_missing_is_said(void **state)
{
    (void)state;
    struct rl_range_profiler profiler = opened();
    struct rl_config config;
    struct rl_err err = RL_ERR_INIT;
    struct rl_value values[2 * RL_COUNT(expected)];
    bool again;
    size_t passes;
    assert_int_equal(rl_host_join(profiler.chip, profiler.availability, &all, &config, NULL), RL_OK);
    assert_int_equal(rl_range_begin(&profiler, &config, 2, RL_RANGE_LAUNCHES, NULL), RL_OK);
    launch(0);
    assert_int_equal(rl_range_next(&profiler, &again, NULL), RL_OK);
    assert_true(again);
    assert_int_equal(rl_range_end(&profiler, values, &err), RL_FAILED);
    assert_non_null(strstr(err.text, "needs more passes"));
    assert_int_equal(count_launches(&profiler, &config, 1, values, &passes, &err), RL_FAILED);
    assert_non_null(strstr(err.text, "3 launches were dropped"));
    assert_int_equal(rl_host_knows("GP100", NULL, &err), RL_UNSUPPORTED);
    assert_int_equal(rl_host_passes("GP100", NULL, names, 1), 0);
    rl_config_release(&config);
    rl_range_close(&profiler);
}

static void reasons_and_differences_are_told(void **state)
{
    (void)state;
    struct rl_range_profiler profiler = opened();
    const uint8_t *device = profiler.availability;
    assert_non_null(strstr(rl_host_why_not(device, "l1tex__t_bytes.sum"), "transactions of several sizes"));
    assert_non_null(strstr(rl_host_why_not(device, "lts__t_sectors_srcunit_tex.sum"), "this card does not have the events"));
    assert_non_null(strstr(rl_host_why_not(device, "sm__inst_executed_pipe_tensor.sum"), "no tensor cores"));
    assert_non_null(strstr(rl_host_why_not(device, "fe__unheard_of.sum"), "no event or metric"));
    assert_non_null(strstr(rl_host_differs(device, "smsp__sass_branch_targets.sum"), "branch instructions"));
    assert_null(rl_host_differs(device, "smsp__sass_inst_executed.sum"));
    rl_range_close(&profiler);
}

static void an_overflow_is_no_value(void **state)
{
    (void)state;
    static const char *const counters[] = {"smsp__sass_inst_executed.sum", "smsp__sass_thread_inst_executed.sum",
                                           "dram__bytes_read.sum", "smsp__sass_branch_targets_threads_uniform.sum"};
    static const char *const over[] = {"inst_executed", "thread_inst_executed", "fb_subp1_read_sectors", "divergent_branch"};
    struct rl_range_profiler profiler = opened();
    struct rl_config config = config_of(&profiler, counters, RL_COUNT(counters));
    struct rl_value values[2 * RL_COUNT(counters)];
    size_t passes;
    for (size_t o = 0; o < RL_COUNT(over); o++) {
        setenv("RL_OVERFLOW", over[o], 1);
        assert_int_equal(count_launches(&profiler, &config, 2, values, &passes, NULL), RL_OK);
        for (size_t i = 0; i < RL_COUNT(counters); i++) {
            assert_int_equal(rl_present(values[i]), i != o);
            assert_true(i != o || (rl_value_state(values[i]) == RL_VALUE_FAILED && strstr(rl_value_reason(values[i]), "ran over")));
        }
    }
    unsetenv("RL_OVERFLOW");
    rl_config_release(&config);
    rl_range_close(&profiler);
}

/* Each function fails once with a code that names its cure: nothing is counted then, nothing stays behind, and it is said why. */
static void every_function_may_fail(void **state)
{
    (void)state;
    static const char *const functions[] = {
#define EVENT_FUNCTION(name, parameters) #name,
#include "event_api.def"
#undef EVENT_FUNCTION
        "cuptiSubscribe", "cuptiEnableCallback"};
    static const char *const not_needed[] = {"cuptiEnableKernelReplayMode", "cuptiDisableKernelReplayMode", /* of launches */
                                             "cuptiEventGroupSetsDestroy"}; /* too late to say anything */
    struct rl_value values[2 * RL_COUNT(expected)];
    size_t passes, failed = 0;
    setenv("RL_REFUSE_CODE", "35", 1);
    for (size_t f = 0; f < RL_COUNT(functions); f++) {
        bool needed = true;
        struct rl_err err = RL_ERR_INIT;
        for (size_t i = 0; i < RL_COUNT(not_needed); i++)
            needed = needed && strcmp(functions[f], not_needed[i]) != 0;
        setenv("RL_REFUSE", functions[f], 1);
        const enum rl_status status = count_all(values, &passes, &err);
        unsetenv("RL_REFUSE");
        if ((status == RL_OK) == needed)
            fail_msg("with %s refused: %d, %s", functions[f], (int)status, err.text);
        failed += status == RL_PERMISSION && strstr(err.text, "ERR_NVGPUCTRPERM") && strstr(err.text, functions[f]);
        if (count_all(values, &passes, &err) != RL_OK)
            fail_msg("after %s was refused: %s", functions[f], err.text);
    }
    assert_int_equal(failed, 9); /* of the functions that are called when a window is opened or in it */
    unsetenv("RL_REFUSE_CODE");
}

static void kernel_replay_may_be_refused(void **state)
{
    (void)state;
    static const char *const counters[] = {"smsp__sass_inst_executed.sum"};
    struct rl_range_profiler profiler = opened();
    struct rl_config config = config_of(&profiler, counters, 1);
    struct rl_err err = RL_ERR_INIT;
    setenv("RL_REFUSE", "cuptiEnableKernelReplayMode", 1);
    setenv("RL_REFUSE_CODE", "7", 1);
    assert_int_equal(rl_range_begin(&profiler, &config, 1, RL_RANGE_REPLAYED, &err), RL_FAILED);
    assert_non_null(strstr(err.text, "cuptiEnableKernelReplayMode"));
    unsetenv("RL_REFUSE");
    unsetenv("RL_REFUSE_CODE");
    rl_config_release(&config);
    rl_range_close(&profiler);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_the_one_that_serves_the_card),
        cmocka_unit_test(launches_are_ranges_in_several_passes),
        cmocka_unit_test(another_context_is_not_counted),
        cmocka_unit_test(marked_launches_are_counted_and_no_others),
        cmocka_unit_test(marked_launches_need_a_single_pass),
        cmocka_unit_test(packing_finds_single_passes),
        cmocka_unit_test(kernel_replay_takes_all_passes_of_one_launch),
        cmocka_unit_test(what_is_missing_is_said),
        cmocka_unit_test(reasons_and_differences_are_told),
        cmocka_unit_test(an_overflow_is_no_value),
        cmocka_unit_test(every_function_may_fail),
        cmocka_unit_test(kernel_replay_may_be_refused),
    };
    return cmocka_run_group_tests(tests, start, NULL);
}
