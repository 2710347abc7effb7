/* made_up_pm.h - a device with PM sampling that is made up: its functions stand in the place of CUPTI's. Sample s of all lasts
 * INTERVAL ns, and its counter c has the value s + c / 4. */
#ifndef RL_TEST_MADE_UP_PM_H
#define RL_TEST_MADE_UP_PM_H

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "pm_sampler.h"
#include "rl_test.h"

enum { INTERVAL = 1000 };

static struct {
    size_t left;            /* samples in its buffer */
    size_t room;            /* samples in an image */
    size_t in_image, first; /* of the image */
    size_t per_window;
    bool refuses_time, refuses_all, overflows, is_broken;
    bool is_empty; /* the image: only then it takes samples */
    unsigned decoding_ms;
    size_t asked; /* which counters it has */
    size_t enabled, disabled, started;
    size_t without_counter; /* this sample lacks one; SIZE_MAX: none */
    size_t counters, most;  /* asked for; with more of them there is not one sample; 0: never */
    uint64_t interval;
    CUpti_PmSampling_TriggerMode trigger;
} device;

static CUptiResult enable(CUpti_PmSampling_Enable_Params *params)
{
    device.enabled++;
    device.is_broken = false;
    device.left = 0;
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
    if (device.refuses_all)
        return CUPTI_ERROR_NOT_SUPPORTED;
    if (device.refuses_time && params->triggerMode == CUPTI_PM_SAMPLING_TRIGGER_MODE_GPU_TIME_INTERVAL)
        return CUPTI_ERROR_NOT_SUPPORTED;
    device.trigger = params->triggerMode;
    device.interval = params->samplingInterval;
    return CUPTI_SUCCESS;
}
static CUptiResult start(CUpti_PmSampling_Start_Params *params)
{
    (void)params;
    if (device.left)
        return CUPTI_ERROR_UNKNOWN; /* as a card: H100, CUDA 13.0 */
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
    assert_true(device.is_empty);
    usleep(device.decoding_ms * 1000);
    device.is_empty = false;
    if (device.most && device.counters > device.most)
        device.left = 0;
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
    device.asked++;
    return CUPTI_ERROR_INSUFFICIENT_PRIVILEGES;
}
static CUptiResult initialize(CUpti_Profiler_Initialize_Params *params)
{
    (void)params;
    return CUPTI_SUCCESS;
}
static CUptiResult chip_name(CUpti_Device_GetChipName_Params *params)
{
    params->pChipName = "GH100";
    return CUPTI_SUCCESS;
}
static CUptiResult data_size(CUpti_PmSampling_GetCounterDataSize_Params *params)
{
    params->counterDataSize = params->maxSamples;
    device.counters = params->numMetrics;
    return CUPTI_SUCCESS;
}
static CUptiResult empty(CUpti_PmSampling_CounterDataImage_Initialize_Params *params)
{
    (void)params;
    device.first += device.in_image;
    device.in_image = 0;
    device.is_empty = true;
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
    rl_cupti.cuptiProfilerInitialize = initialize;
    rl_cupti.cuptiDeviceGetChipName = chip_name;
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
    *sampler = (struct rl_pm_sampler){.interval_ns = INTERVAL, .window_samples = 400, .tried = true};
    sampler->config.count = 2;
    for (size_t i = 0; i < 2; i++)
        sampler->config.metrics[i] = strdup(names[i]);
}

#endif
