/* The back end `profiler` in a process with the stand-in driver and the stand-ins of CUPTI 12.4 and its host library
 * (stand_in_sessions.c, stand_in_nvperf.c): windows of every mode, two passes, wrong orders, buffers that are too small, refusals.
 * The stand-in's counter number i of a kernel of work w is w + i. */
#include "rl_test.h"

#include <stdlib.h>

#include "collector/collector.h"
#include "core/mem.h"
#include "profiler_api.h"
#include "windows.h"

/* One of hardware, one of instructions: a pass each. */
static const char *counters[] = {"sm__cycles_active.avg", "smsp__sass_inst_executed.sum", "dram__bytes_read.sum"};
enum { COUNTERS = RL_COUNT(counters), REFUSED = 35, REFUSED_BY_HOST = 17 }; /* both: administrators only */

static int start(void **state)
{
    (void)state;
    setenv("ROOFLIGHT_CUPTI_DIR", STAND_INS, 1);
    setenv("RL_CC", "90", 1);
    return cuInit(0) != CUDA_SUCCESS || cuCtxCreate_v2(&context, 0, 0) != CUDA_SUCCESS || rl_cupti_open(NULL, NULL) != RL_OK ||
           rl_backend_choose(90, NULL, NULL) != RL_OK;
}

static void check_values(const struct rl_value *values, double w)
{
    for (size_t i = 0; i < COUNTERS; i++)
        if (!rl_present(values[i]) || values[i].v != w + (double)i)
            fail_msg("%s for work %g: %g (%s)", counters[i], w, values[i].v, rl_value_reason(values[i]));
}

/* Everything from the device to values; nothing is open afterwards. */
static enum rl_status count_all(struct rl_value *values, size_t *passes, struct rl_err *err)
{
    const struct rl_configuration wanted = {.name = "all", .counters = counters, .counter_count = COUNTERS};
    struct rl_range_profiler profiler;
    struct rl_config config = {0};
    enum rl_status status = rl_range_open(&profiler, context, 0, err);
    if (status == RL_OK)
        status = rl_host_join(profiler.chip, profiler.availability, &wanted, &config, err);
    if (status == RL_OK && config.counter_count != COUNTERS)
        status = rl_err_set(err, RL_UNSUPPORTED, "%zu counters", config.counter_count);
    if (status == RL_OK)
        status = count_launches(&profiler, &config, 2, values, passes, err);
    rl_config_release(&config);
    rl_range_close(&profiler);
    return status;
}

/* A call by which the order is told: its code. */
#define ORDER(function) rl_profiler.function(&(struct rl_##function){.structSize = rl_##function##_SIZE, .ctx = context})

/* ---- what is counted ---- */

static void it_is_the_one_that_serves_the_card(void **state)
{
    (void)state;
    struct rl_err err = RL_ERR_INIT;
    assert_int_equal(rl_backend()->id, RL_BACKEND_profiler);
    assert_int_equal(rl_backend_choose(90, "range", &err), RL_UNSUPPORTED);
    assert_non_null(strstr(err.text, "CUPTI 12.4 does not have it"));
    assert_int_equal(rl_backend_choose(60, NULL, &err), RL_UNSUPPORTED);
    assert_non_null(strstr(err.text, "profiler: it serves compute capability 7.0 and newer"));
    assert_int_equal(rl_backend_choose(90, "profiler", NULL), RL_OK);
}

static void launches_are_ranges_in_two_passes(void **state)
{
    (void)state;
    for (int times = 0; times < 2; times++) { /* the second finds everything as the first did */
        struct rl_value values[2 * COUNTERS];
        struct rl_err err = RL_ERR_INIT;
        size_t passes = 0;
        if (count_all(values, &passes, &err) != RL_OK)
            fail_msg("%s", err.text);
        assert_int_equal(passes, 2);
        check_values(values, 1000);
        check_values(values + COUNTERS, 2000);
    }
}

static void kernel_replay_takes_all_passes_of_one_launch(void **state)
{
    (void)state;
    struct rl_range_profiler profiler = opened();
    struct rl_config config = config_of(&profiler, counters, COUNTERS);
    struct rl_value values[COUNTERS];
    struct rl_err err = RL_ERR_INIT;
    if (rl_range_begin(&profiler, &config, 1, RL_RANGE_REPLAYED, &err) != RL_OK)
        fail_msg("%s", err.text);
    launch(1);
    assert_int_equal(cuCtxSynchronize(), CUDA_SUCCESS);
    if (rl_range_end(&profiler, values, &err) != RL_OK)
        fail_msg("%s", err.text);
    check_values(values, 2000);
    rl_config_release(&config);
    rl_range_close(&profiler);
}

static void marked_launches_are_counted_and_no_others(void **state)
{
    (void)state;
    struct rl_range_profiler profiler = opened();
    struct rl_config config = config_of(&profiler, counters, 1);
    struct rl_value values[3];
    assert_int_equal(rl_range_begin(&profiler, &config, 3, RL_RANGE_MARKED, NULL), RL_OK);
    for (size_t range = 0; range < 2; range++) {
        assert_int_equal(rl_range_push(&profiler, range + 1, NULL), RL_OK);
        launch(range);
        assert_int_equal(cuCtxSynchronize(), CUDA_SUCCESS);
        assert_int_equal(rl_range_pop(&profiler, NULL), RL_OK);
        launch(1);
        assert_int_equal(cuCtxSynchronize(), CUDA_SUCCESS);
    }
    assert_int_equal(rl_range_end(&profiler, values, NULL), RL_OK);
    assert_int_equal(values[0].state, RL_VALUE_FAILED); /* the first is not made */
    assert_true(values[1].v == 1000 && values[2].v == 2000);
    rl_config_release(&config);
    rl_range_close(&profiler);
}

static void what_is_missing_is_said(void **state)
{
    (void)state;
    struct rl_range_profiler profiler = opened();
    struct rl_config config = config_of(&profiler, counters, COUNTERS);
    struct rl_err err = RL_ERR_INIT;
    struct rl_value values[COUNTERS];
    bool again;
    size_t passes;
    assert_int_equal(rl_range_begin(&profiler, &config, 1, RL_RANGE_LAUNCHES, NULL), RL_OK);
    launch(0);
    assert_int_equal(cuCtxSynchronize(), CUDA_SUCCESS);
    assert_int_equal(rl_range_next(&profiler, &again, NULL), RL_OK);
    assert_true(again);
    rl_range_close(&profiler); /* in the middle of it */
    profiler = opened();
    assert_int_equal(rl_range_begin(&profiler, &config, 1, RL_RANGE_LAUNCHES, NULL), RL_OK);
    launch(0);
    assert_int_equal(cuCtxSynchronize(), CUDA_SUCCESS);
    assert_int_equal(rl_range_end(&profiler, values, &err), RL_FAILED);
    assert_non_null(strstr(err.text, "needs more passes"));
    assert_int_equal(count_launches(&profiler, &config, 1, values, &passes, &err), RL_FAILED);
    assert_non_null(strstr(err.text, "dropped the counters of 1 launches"));
    assert_int_equal(rl_host_knows("GX999", NULL, &err), RL_UNSUPPORTED);
    assert_non_null(strstr(err.text, "this host library does not serve the GPU"));
    assert_int_equal(rl_host_passes("GH100", NULL, (const char *const[]){"sm__no_such_counter.avg"}, 1), 0);
    rl_config_release(&config);
    rl_range_close(&profiler);
}

/* ---- what is refused ---- */

static void wrong_order_is_refused(void **state)
{
    (void)state;
    struct rl_range_profiler profiler = opened(), second = opened();
    struct rl_config config = config_of(&profiler, counters, 1);
    struct rl_value values[1];
    struct rl_err err = RL_ERR_INIT;
    assert_int_equal(ORDER(cuptiProfilerBeginPass), CUPTI_ERROR_INVALID_OPERATION);
    assert_int_equal(ORDER(cuptiProfilerEndSession), CUPTI_ERROR_INVALID_OPERATION);
    assert_int_equal(rl_range_begin(&profiler, &config, 1, RL_RANGE_LAUNCHES, NULL), RL_OK);
    assert_int_equal(rl_range_begin(&second, &config, 1, RL_RANGE_LAUNCHES, &err), RL_FAILED); /* one for a context */
    assert_non_null(strstr(err.text, "cuptiProfilerBeginSession"));
    assert_int_equal(ORDER(cuptiProfilerBeginPass), CUPTI_ERROR_INVALID_OPERATION);
    assert_int_equal(ORDER(cuptiProfilerEnableProfiling), CUPTI_ERROR_INVALID_OPERATION);
    assert_int_equal(ORDER(cuptiProfilerEndPass), CUPTI_ERROR_INVALID_OPERATION);
    assert_int_equal(ORDER(cuptiProfilerFlushCounterData), CUPTI_ERROR_INVALID_OPERATION);
    assert_int_equal(ORDER(cuptiProfilerUnsetConfig), CUPTI_ERROR_INVALID_OPERATION);
    assert_int_equal(ORDER(cuptiProfilerEndSession), CUPTI_ERROR_INVALID_OPERATION);
    assert_int_equal(ORDER(cuptiProfilerPopRange), CUPTI_ERROR_INVALID_OPERATION);
    launch(0);
    assert_int_equal(cuCtxSynchronize(), CUDA_SUCCESS);
    assert_int_equal(rl_range_end(&profiler, values, &err), RL_OK);
    assert_true(values[0].v == 1000);
    rl_config_release(&config);
    rl_range_close(&second);
    rl_range_close(&profiler);
}

static void small_buffers_are_refused(void **state)
{
    (void)state;
    struct rl_range_profiler profiler = opened();
    struct rl_config config = config_of(&profiler, counters, 1);
    struct rl_config cut = config;
    struct rl_err err = RL_ERR_INIT;
    uint8_t room[1];
    RL_PROFILER_PARAMS(cuptiProfilerGetCounterAvailability, availability);
    availability.ctx = context;
    availability.pCounterAvailabilityImage = room;
    availability.counterAvailabilityImageSize = sizeof room;
    assert_int_equal(rl_profiler.cuptiProfilerGetCounterAvailability(&availability), CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT);
    RL_PROFILER_PARAMS(cuptiProfilerCounterDataImageInitializeScratchBuffer, scratch);
    scratch.pCounterDataScratchBuffer = room;
    scratch.counterDataScratchBufferSize = sizeof room;
    assert_int_equal(rl_profiler.cuptiProfilerCounterDataImageInitializeScratchBuffer(&scratch), CUPTI_ERROR_INVALID_PARAMETER);
    cut.image_size--;
    assert_int_equal(rl_range_begin(&profiler, &cut, 1, RL_RANGE_LAUNCHES, &err), RL_FAILED);
    assert_non_null(strstr(err.text, "cuptiProfilerSetConfig"));
    assert_int_equal(ORDER(cuptiProfilerEndSession), CUPTI_ERROR_INVALID_OPERATION); /* it has been left */
    rl_config_release(&config);
    rl_range_close(&profiler);
}

static const struct {
    const char *name;
    bool of_host;
} functions[] = {
#define CUPTI_IS                       false
#define HOST_IS                        true
#define PARAMS(library, function, ...) {#function, library##_IS},
#include "profiler_api.def"
#undef PARAMS
};

/* Which calls a window of launches does not stand or fall with. */
static bool is_needed(const char *function)
{
    static const char *const not_needed[] = {
        "NVPW_InitializeHost",                                                /* was called */
        "NVPW_GetSupportedChipNames", "NVPW_MetricsEvaluator_GetMetricNames", /* the stand-in does not list them */
        "cuptiProfilerPushRange",     "cuptiProfilerPopRange",
    };
    for (size_t i = 0; i < RL_COUNT(not_needed); i++)
        if (strcmp(function, not_needed[i]) == 0)
            return false;
    return true;
}

static bool leaves(const char *function)
{
    return strstr(function, "Destroy") || strcmp(function, "cuptiProfilerUnsetConfig") == 0 ||
           strcmp(function, "cuptiProfilerEndSession") == 0;
}

static enum rl_status count_refused(const char *function, int code, struct rl_err *err)
{
    struct rl_value values[2 * COUNTERS];
    char text[12];
    size_t passes;
    snprintf(text, sizeof text, "%d", code);
    setenv("RL_REFUSE", function, 1);
    setenv("RL_REFUSE_CODE", text, 1);
    const enum rl_status status = count_all(values, &passes, err);
    unsetenv("RL_REFUSE");
    unsetenv("RL_REFUSE_CODE");
    (void)ORDER(cuptiProfilerDisableProfiling); /* a session that the refused call was to leave */
    (void)ORDER(cuptiProfilerEndPass);
    (void)ORDER(cuptiProfilerUnsetConfig);
    (void)ORDER(cuptiProfilerEndSession);
    return status;
}

/* Each function fails with a code that names its cure: it is said which and why, and the next window finds nothing of it. */
static void every_function_may_fail(void **state)
{
    (void)state;
    size_t said = 0;
    for (size_t f = 0; f < RL_COUNT(functions); f++) {
        const char *name = functions[f].name;
        struct rl_err err = RL_ERR_INIT;
        struct rl_value values[2 * COUNTERS];
        size_t passes;
        if (leaves(name)) /* too late to say anything */
            continue;
        const enum rl_status status = count_refused(name, functions[f].of_host ? REFUSED_BY_HOST : REFUSED, &err);
        if ((status != RL_OK) != is_needed(name))
            fail_msg("with %s refused: %d, %s", name, (int)status, err.text);
        if (status != RL_OK && (!strstr(err.text, "ERR_NVGPUCTRPERM") || !strstr(err.text, name)))
            fail_msg("with %s refused: %s", name, err.text);
        said += status != RL_OK;
        if (count_all(values, &passes, &err) != RL_OK)
            fail_msg("after %s was refused: %s", name, err.text);
    }
    assert_int_equal(said, 32);
}

static void codes_have_their_meaning(void **state)
{
    (void)state;
    static const struct {
        const char *function;
        int code;
        enum rl_status status;
        const char *words;
    } known[] = {
        {"cuptiProfilerGetCounterAvailability", CUPTI_ERROR_UNKNOWN, RL_FAILED, "a driver newer than this CUPTI may refuse it"},
        {"cuptiProfilerGetCounterAvailability", CUPTI_ERROR_INSUFFICIENT_PRIVILEGES, RL_PERMISSION, "administrators"},
        {"cuptiProfilerInitialize", CUPTI_ERROR_NOT_INITIALIZED, RL_UNSUPPORTED, "CUPTI could not start"},
        {"cuptiProfilerBeginSession", CUPTI_ERROR_HARDWARE_BUSY, RL_BUSY, "another tool holds the GPU's counters"},
        {"cuptiProfilerBeginSession", CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED, RL_UNSUPPORTED, "virtual GPU"},
        {"cuptiProfilerBeginSession", CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED, RL_UNSUPPORTED, "MIG"},
        {"cuptiProfilerSetConfig", CUPTI_ERROR_OUT_OF_MEMORY, RL_FAILED, "no memory left for the counters"},
        {"cuptiProfilerSetConfig", CUPTI_ERROR_INVALID_PARAMETER, RL_FAILED, "cuptiProfilerSetConfig failed"},
        {"NVPW_CUDA_RawMetricsConfig_Create_V2", 15, RL_UNSUPPORTED, "the driver is older than this toolkit needs"},
        {"NVPW_RawMetricsConfig_AddMetrics", 6, RL_UNSUPPORTED, "these counters cannot be collected together"},
        {"NVPW_RawMetricsConfig_GetConfigImage", 99, RL_FAILED, "NVPW_RawMetricsConfig_GetConfigImage failed (error 99)"},
    };
    for (size_t i = 0; i < RL_COUNT(known); i++) {
        struct rl_err err = RL_ERR_INIT;
        const enum rl_status status = count_refused(known[i].function, known[i].code, &err);
        if (status != known[i].status || !strstr(err.text, known[i].words))
            fail_msg("%s, code %d: %d, %s", known[i].function, known[i].code, (int)status, err.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_the_one_that_serves_the_card),
        cmocka_unit_test(launches_are_ranges_in_two_passes),
        cmocka_unit_test(kernel_replay_takes_all_passes_of_one_launch),
        cmocka_unit_test(marked_launches_are_counted_and_no_others),
        cmocka_unit_test(what_is_missing_is_said),
        cmocka_unit_test(wrong_order_is_refused),
        cmocka_unit_test(small_buffers_are_refused),
        cmocka_unit_test(every_function_may_fail),
        cmocka_unit_test(codes_have_their_meaning),
    };
    return cmocka_run_group_tests(tests, start, NULL);
}
