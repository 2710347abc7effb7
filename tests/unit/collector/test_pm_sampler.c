/* What is sampled on every chip that CUPTI knows, and windows of samples against a device that is made up here. */
#include "rl_test.h"

#include "collector/collector.h"
#include "pm_sampler.h"

enum { MOST_CHIPS = 64, INTERVAL = 1000 };

static void need_cupti(void)
{
    if (rl_cupti_open(NULL, NULL) != RL_OK)
        skip();
}

static bool has(const struct rl_pm_config *config, enum rl_pm_counter counter)
{
    for (size_t i = 0; i < config->count; i++)
        if (config->counter[i] == counter)
            return true;
    return false;
}

/* Volta has no PM sampling. Chips of a module without memory of its own have no counters of it. */
static void every_chip_is_one_pass(void **state)
{
    (void)state;
    need_cupti();
    const char *chips[MOST_CHIPS];
    const size_t count = rl_cupti_chips(chips, MOST_CHIPS);
    assert_true(count > 20);
    for (size_t i = 0; i < count; i++) {
        struct rl_pm_config config;
        struct rl_err err = RL_ERR_INIT;
        const enum rl_status status = rl_pm_config_make(chips[i], NULL, &config, &err);
        print_message("%s: %zu counters%s%s\n", chips[i], config.count, status == RL_OK ? "" : ", ", err.text);
        if (strncmp(chips[i], "GV", 2) == 0) {
            assert_int_equal(status, RL_UNSUPPORTED);
            assert_non_null(strstr(err.text, chips[i]));
        } else {
            assert_int_equal(status, RL_OK);
            assert_true(config.image_size > 0 && config.host);
            assert_int_equal(config.counter[0], RL_PM_sm_active);
            assert_true(has(&config, RL_PM_l2) && has(&config, RL_PM_instructions));
            const bool module = strcmp(chips[i] + strlen(chips[i]) - 1, "B") == 0;
            assert_int_equal(has(&config, RL_PM_dram_read) && has(&config, RL_PM_dram_write), !module);
            assert_int_equal(
                rl_host_passes_for(CUPTI_PROFILER_TYPE_PM_SAMPLING, chips[i], (const char *const *)config.metrics, config.count),
                1);
        }
        rl_pm_config_release(&config);
    }
}

/* ---- a device ---- */

static struct {
    size_t left;            /* samples in its buffer */
    size_t room;            /* samples in an image */
    size_t in_image, first; /* of the image */
    size_t per_window;
    bool refuses_time, overflows, is_broken;
    size_t enabled, disabled, started;
    size_t without_counter; /* this sample lacks one; SIZE_MAX: none */
    uint64_t interval;
    CUpti_PmSampling_TriggerMode trigger;
} device;

static CUptiResult enable(CUpti_PmSampling_Enable_Params *params)
{
    device.enabled++;
    device.is_broken = false;
    params->pPmSamplingObject = (CUpti_PmSampling_Object *)&device;
    return CUPTI_SUCCESS;
}
static CUptiResult disable(CUpti_PmSampling_Disable_Params *params)
{
    assert_ptr_equal(params->pPmSamplingObject, &device);
    device.disabled++;
    return CUPTI_SUCCESS;
}
static CUptiResult set_config(CUpti_PmSampling_SetConfig_Params *params)
{
    if (device.refuses_time && params->triggerMode == CUPTI_PM_SAMPLING_TRIGGER_MODE_GPU_TIME_INTERVAL)
        return CUPTI_ERROR_NOT_SUPPORTED;
    device.trigger = params->triggerMode;
    device.interval = params->samplingInterval;
    return CUPTI_SUCCESS;
}
static CUptiResult start(CUpti_PmSampling_Start_Params *params)
{
    (void)params;
    device.started++;
    device.left = device.per_window;
    return CUPTI_SUCCESS;
}
static CUptiResult stop(CUpti_PmSampling_Stop_Params *params)
{
    (void)params;
    return CUPTI_SUCCESS;
}
static CUptiResult decode(CUpti_PmSampling_DecodeData_Params *params)
{
    if (device.is_broken)
        return CUPTI_ERROR_OUT_OF_MEMORY;
    device.in_image = device.left < device.room ? device.left : device.room;
    device.left -= device.in_image;
    params->decodeStopReason =
        device.left ? CUPTI_PM_SAMPLING_DECODE_STOP_REASON_COUNTER_DATA_FULL : CUPTI_PM_SAMPLING_DECODE_STOP_REASON_END_OF_RECORDS;
    params->overflow = device.overflows && !device.left;
    device.is_broken = params->overflow;
    return CUPTI_SUCCESS;
}
static CUptiResult availability(CUpti_PmSampling_GetCounterAvailability_Params *params)
{
    (void)params;
    return CUPTI_ERROR_INSUFFICIENT_PRIVILEGES;
}
static CUptiResult data_size(CUpti_PmSampling_GetCounterDataSize_Params *params)
{
    params->counterDataSize = params->maxSamples;
    return CUPTI_SUCCESS;
}
static CUptiResult empty(CUpti_PmSampling_CounterDataImage_Initialize_Params *params)
{
    (void)params;
    device.first += device.in_image;
    device.in_image = 0;
    return CUPTI_SUCCESS;
}
static CUptiResult info(CUpti_PmSampling_GetCounterDataInfo_Params *params)
{
    params->numCompletedSamples = device.in_image;
    return CUPTI_SUCCESS;
}
static CUptiResult sample_info(CUpti_PmSampling_CounterData_GetSampleInfo_Params *params)
{
    params->startTimestamp = 1000 + (device.first + params->sampleIndex) * INTERVAL;
    params->endTimestamp = params->startTimestamp + INTERVAL;
    return CUPTI_SUCCESS;
}
static CUptiResult evaluate(CUpti_Profiler_Host_EvaluateToGpuValues_Params *params)
{
    for (size_t c = 0; c < params->numMetrics; c++)
        params->pMetricValues[c] = (double)(device.first + params->rangeIndex) + 0.25 * (double)c;
    if (device.first + params->rangeIndex == device.without_counter)
        params->pMetricValues[0] = NAN;
    return CUPTI_SUCCESS;
}
static CUptiResult result_string(CUptiResult result, const char **text)
{
    (void)result;
    *text = "made up";
    return CUPTI_SUCCESS;
}

/* A sampler of two counters on the device above. */
static void make_sampler(struct rl_pm_sampler *sampler)
{
    static const char *const names[] = {"one", "two"};
    memset(&device, 0, sizeof device);
    device.room = 100;
    device.without_counter = SIZE_MAX;
    rl_cupti.cuptiGetResultString = result_string;
    rl_cupti.cuptiPmSamplingEnable = enable;
    rl_cupti.cuptiPmSamplingDisable = disable;
    rl_cupti.cuptiPmSamplingSetConfig = set_config;
    rl_cupti.cuptiPmSamplingStart = start;
    rl_cupti.cuptiPmSamplingStop = stop;
    rl_cupti.cuptiPmSamplingDecodeData = decode;
    rl_cupti.cuptiPmSamplingGetCounterAvailability = availability;
    rl_cupti.cuptiPmSamplingGetCounterDataSize = data_size;
    rl_cupti.cuptiPmSamplingCounterDataImageInitialize = empty;
    rl_cupti.cuptiPmSamplingGetCounterDataInfo = info;
    rl_cupti.cuptiPmSamplingCounterDataGetSampleInfo = sample_info;
    rl_cupti.cuptiProfilerHostEvaluateToGpuValues = evaluate;
    *sampler = (struct rl_pm_sampler){.interval_ns = INTERVAL, .window_samples = 400};
    sampler->config.count = 2;
    for (size_t i = 0; i < 2; i++)
        sampler->config.metrics[i] = strdup(names[i]);
}

static void windows_are_decoded_image_by_image(void **state)
{
    (void)state;
    struct rl_pm_sampler sampler;
    struct rl_pm_samples samples = {0};
    struct rl_err err = RL_ERR_INIT;
    make_sampler(&sampler);
    device.per_window = 250; /* three images */
    device.without_counter = 120;
    assert_int_equal(rl_pm_enable(&sampler, &err), RL_OK);
    assert_false(sampler.by_clock);
    assert_int_equal(device.interval, INTERVAL);
    for (int i = 0; i < 2; i++)
        assert_int_equal(rl_pm_window(&sampler, &samples, NULL, &err), RL_OK);
    assert_int_equal(samples.windows, 2);
    assert_int_equal(samples.overflows, 0);
    assert_int_equal(samples.count, 499); /* one lacks a counter */
    assert_int_equal(samples.start_ns[119], 1000 + 119 * INTERVAL);
    assert_int_equal(samples.start_ns[120], 1000 + 121 * INTERVAL);
    assert_close(samples.values[498 * 2], 499.0, 0);
    assert_close(samples.values[498 * 2 + 1], 499.25, 0);
    rl_pm_samples_release(&samples);
    rl_pm_close(&sampler);
    assert_int_equal(device.enabled, device.disabled);
}

static void an_overflow_makes_windows_shorter(void **state)
{
    (void)state;
    struct rl_pm_sampler sampler;
    struct rl_pm_samples samples = {0};
    struct rl_err err = RL_ERR_INIT;
    make_sampler(&sampler);
    device.per_window = 150;
    device.overflows = true;
    assert_int_equal(rl_pm_enable(&sampler, &err), RL_OK);
    assert_int_equal(rl_pm_window(&sampler, &samples, NULL, &err), RL_OK);
    assert_int_equal(samples.count, 150); /* what came before it is kept */
    assert_int_equal(samples.overflows, 1);
    assert_int_equal(sampler.window_samples, 200);
    assert_int_equal(device.enabled, 2);
    assert_int_equal(rl_pm_window(&sampler, &samples, NULL, &err), RL_OK);
    assert_int_equal(rl_pm_window(&sampler, &samples, NULL, &err), RL_FAILED); /* no end to it */
    assert_non_null(strstr(err.text, "hardware buffer"));
    rl_pm_samples_release(&samples);
    rl_pm_close(&sampler);
}

static void chips_without_a_timer_count_cycles(void **state)
{
    (void)state;
    struct rl_pm_sampler sampler;
    struct rl_err err = RL_ERR_INIT;
    make_sampler(&sampler);
    device.refuses_time = true;
    assert_int_equal(rl_pm_enable(&sampler, &err), RL_OK);
    assert_true(sampler.by_clock);
    assert_int_equal(device.trigger, CUPTI_PM_SAMPLING_TRIGGER_MODE_GPU_SYSCLK_INTERVAL);
    assert_int_equal(device.interval, 1500);
    rl_pm_close(&sampler);
}

static void pauses_keep_the_sampler_small(void **state)
{
    (void)state;
    assert_int_equal(rl_pm_pause_ns(0, 1000), 0);
    assert_int_equal(rl_pm_pause_ns(400, 1000), 0); /* two fifths are allowed */
    assert_int_equal(rl_pm_pause_ns(800, 1000), 1000);
    assert_int_equal(rl_pm_pause_ns(1000, 1000), 1500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_chip_is_one_pass), /* first: the others replace functions of the library */
        cmocka_unit_test(windows_are_decoded_image_by_image),
        cmocka_unit_test(an_overflow_makes_windows_shorter),
        cmocka_unit_test(chips_without_a_timer_count_cycles),
        cmocka_unit_test(pauses_keep_the_sampler_small),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
