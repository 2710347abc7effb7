/* pm_sampler.c - windows of PM sampling (pm_sampler.h). */
#include "pm_sampler.h"

#include <poll.h>

enum { WINDOW_SAMPLES = 2000, LEAST_WINDOW_SAMPLES = 64, TRIAL_SAMPLES = 50, LOOK_SAMPLES = 64 };
static const size_t HARDWARE_BYTES = (size_t)128 << 20; /* H100: 64 MB hold 80 ms of samples of 13 counters, taken every 20 us */
static const double CYCLES_PER_NS = 1.5;                /* of a system clock, where samples are taken by its cycles */

void rl_pm_samples_release(struct rl_pm_samples *samples)
{
    RL_FREE(samples->start_ns, samples->end_ns, samples->values);
    *samples = (struct rl_pm_samples){0};
}

bool rl_pm_pause(uint64_t ns, int stop)
{
    const struct timespec moment = {.tv_sec = (time_t)(ns / 1000000000u), .tv_nsec = (long)(ns % 1000000000u)};
    struct pollfd look = {.fd = stop, .events = POLLIN};
    return ppoll(&look, 1, &moment, NULL) > 0;
}

/* ---- opening ---- */

/* Older libraries lack these functions. */
static bool has_functions(void)
{
    return rl_cupti.cuptiPmSamplingEnable && rl_cupti.cuptiPmSamplingDisable && rl_cupti.cuptiPmSamplingSetConfig &&
           rl_cupti.cuptiPmSamplingStart && rl_cupti.cuptiPmSamplingStop && rl_cupti.cuptiPmSamplingDecodeData &&
           rl_cupti.cuptiPmSamplingGetCounterAvailability && rl_cupti.cuptiPmSamplingGetCounterDataSize &&
           rl_cupti.cuptiPmSamplingCounterDataImageInitialize && rl_cupti.cuptiPmSamplingGetCounterDataInfo &&
           rl_cupti.cuptiPmSamplingCounterDataGetSampleInfo;
}

static enum rl_status read_availability(size_t device, uint8_t **image, struct rl_err *err)
{
    RL_CUPTI_PARAMS(CUpti_PmSampling_GetCounterAvailability_Params, params, .deviceIndex = device);
    RL_TRY(RL_CUPTI(err, cuptiPmSamplingGetCounterAvailability, &params));
    *image = rl_calloc(params.counterAvailabilityImageSize, 1);
    params.pCounterAvailabilityImage = *image;
    return RL_CUPTI(err, cuptiPmSamplingGetCounterAvailability, &params);
}

/* `ask`: read the device's list of available counters, after it has refused the configuration. That takes longer than all else
 * (0.4 s), and the list is mostly that of its chip. */
static enum rl_status make_config(struct rl_pm_sampler *sampler, bool ask, struct rl_err *err)
{
    RL_FREED uint8_t *availability = NULL;
    rl_pm_config_release(&sampler->config);
    RL_CUPTI_PARAMS(CUpti_Profiler_Initialize_Params, initialize);
    RL_CUPTI_PARAMS(CUpti_Device_GetChipName_Params, chip, .deviceIndex = sampler->device);
    enum rl_status status = RL_CUPTI(err, cuptiProfilerInitialize, &initialize);
    RL_THEN(status, RL_CUPTI(err, cuptiDeviceGetChipName, &chip));
    if (status == RL_OK && ask)
        status = read_availability(sampler->device, &availability, err);
    RL_THEN(status, rl_pm_config_make(chip.pChipName, availability, sampler->most, &sampler->config, err));
    return status;
}

static CUptiResult set_config(struct rl_pm_sampler *sampler, bool by_clock)
{
    RL_CUPTI_PARAMS(CUpti_PmSampling_SetConfig_Params, params, .pPmSamplingObject = sampler->object,
                    .configSize = sampler->config.image_size, .pConfig = sampler->config.image,
                    .hardwareBufferSize = HARDWARE_BYTES,
                    .samplingInterval = by_clock ? (uint64_t)((double)sampler->interval_ns * CYCLES_PER_NS) : sampler->interval_ns);
    params.triggerMode =
        by_clock ? CUPTI_PM_SAMPLING_TRIGGER_MODE_GPU_SYSCLK_INTERVAL : CUPTI_PM_SAMPLING_TRIGGER_MODE_GPU_TIME_INTERVAL;
    params.hwBufferAppendMode = CUPTI_PM_SAMPLING_HARDWARE_BUFFER_APPEND_MODE_KEEP_OLDEST;
    return rl_cupti.cuptiPmSamplingSetConfig(&params);
}

/* By time; where the chip cannot (Turing, GA100), by cycles of its system clock. */
static CUptiResult set_either(struct rl_pm_sampler *sampler)
{
    const CUptiResult result = set_config(sampler, sampler->by_clock);
    if (result == CUPTI_SUCCESS || sampler->by_clock || set_config(sampler, true) != CUPTI_SUCCESS)
        return result;
    sampler->by_clock = true;
    return CUPTI_SUCCESS;
}

static enum rl_status configure(struct rl_pm_sampler *sampler, struct rl_err *err)
{
    if (set_either(sampler) == CUPTI_SUCCESS)
        return RL_OK;
    const enum rl_status status = make_config(sampler, true, err);
    return status == RL_OK ? rl_cupti_check(set_either(sampler), "cuptiPmSamplingSetConfig", err) : status;
}

/* For so many samples. */
static enum rl_status size_image(struct rl_pm_sampler *sampler, uint64_t samples, struct rl_err *err)
{
    RL_CUPTI_PARAMS(CUpti_PmSampling_GetCounterDataSize_Params, params, .pPmSamplingObject = sampler->object,
                    .pMetricNames = (const char **)sampler->config.metrics, .numMetrics = sampler->config.count,
                    .maxSamples = (uint32_t)samples);
    RL_TRY(RL_CUPTI(err, cuptiPmSamplingGetCounterDataSize, &params));
    sampler->image_size = params.counterDataSize;
    if (sampler->image_size <= sampler->image_cap)
        return RL_OK;
    free(sampler->image);
    sampler->image_cap = sampler->image_size;
    sampler->image = rl_calloc(sampler->image_cap, 1);
    return RL_OK;
}

/* Makes the image empty, with room for so many samples. That takes as long as it is large (20 us a sample), and memory that was
 * never written costs nothing: so it has room for the longest window, and each window uses what it needs. What does not fit is
 * lost, though CUPTI says that it would come with the next image. */
static enum rl_status empty_image(struct rl_pm_sampler *sampler, uint64_t samples, struct rl_err *err)
{
    RL_TRY(size_image(sampler, samples, err));
    RL_CUPTI_PARAMS(CUpti_PmSampling_CounterDataImage_Initialize_Params, params, .pPmSamplingObject = sampler->object,
                    .counterDataSize = sampler->image_size, .pCounterData = sampler->image);
    return RL_CUPTI(err, cuptiPmSamplingCounterDataImageInitialize, &params);
}

static void disable(struct rl_pm_sampler *sampler)
{
    RL_CUPTI_PARAMS(CUpti_PmSampling_Disable_Params, params, .pPmSamplingObject = sampler->object);
    if (sampler->object)
        (void)rl_cupti.cuptiPmSamplingDisable(&params);
    sampler->object = NULL;
}

static enum rl_status enable(struct rl_pm_sampler *sampler, struct rl_err *err)
{
    RL_CUPTI_PARAMS(CUpti_PmSampling_Enable_Params, params, .deviceIndex = sampler->device);
    RL_TRY(RL_CUPTI(err, cuptiPmSamplingEnable, &params));
    sampler->object = params.pPmSamplingObject;
    enum rl_status status = configure(sampler, err);
    return status == RL_OK ? size_image(sampler, 2 * sampler->window_samples, err) : status;
}

enum rl_status rl_pm_prepare(struct rl_pm_sampler *sampler, size_t device, uint64_t interval_ns, struct rl_err *err)
{
    assert(interval_ns > 0);
    *sampler = (struct rl_pm_sampler){.device = device, .interval_ns = interval_ns, .window_samples = WINDOW_SAMPLES};
    enum rl_status status = rl_cupti_open(NULL, err);
    if (status == RL_OK && !has_functions())
        status = rl_err_set(err, RL_UNSUPPORTED, "this CUPTI has no PM sampling: CUDA 12.6 or newer has it");
    RL_THEN(status, rl_pm_begin(err));
    if (status == RL_OK) {
        rl_cupti_load_host();
        sampler->most = rl_pm_is_only_device() ? RL_PM_FIRST_LINK : RL_PM_COUNTERS;
        status = make_config(sampler, false, err);
    }
    return status;
}

void rl_pm_close(struct rl_pm_sampler *sampler)
{
    disable(sampler);
    free(sampler->image);
    rl_pm_config_release(&sampler->config);
    *sampler = (struct rl_pm_sampler){0};
}

/* ---- windows ---- */

static enum rl_status add_sample(struct rl_pm_sampler *sampler, size_t index, struct rl_pm_samples *samples, struct rl_err *err)
{
    const size_t counters = sampler->config.count, at = samples->count;
    RL_CUPTI_PARAMS(CUpti_PmSampling_CounterData_GetSampleInfo_Params, info, .pPmSamplingObject = sampler->object,
                    .pCounterDataImage = sampler->image, .counterDataImageSize = sampler->image_size, .sampleIndex = index);
    RL_TRY(RL_CUPTI(err, cuptiPmSamplingCounterDataGetSampleInfo, &info));
    RL_GROW(samples->start_ns, at + 1, samples->start_cap);
    RL_GROW(samples->end_ns, at + 1, samples->end_cap);
    RL_GROW(samples->values, (at + 1) * counters, samples->value_cap);
    RL_CUPTI_PARAMS(CUpti_Profiler_Host_EvaluateToGpuValues_Params, params, .pHostObject = sampler->config.host,
                    .pCounterDataImage = sampler->image, .counterDataImageSize = sampler->image_size, .rangeIndex = index,
                    .ppMetricNames = (const char **)sampler->config.metrics, .numMetrics = counters,
                    .pMetricValues = &samples->values[at * counters]);
    enum rl_status status = RL_CUPTI(err, cuptiProfilerHostEvaluateToGpuValues, &params);
    bool good = status == RL_OK && info.endTimestamp > info.startTimestamp;
    for (size_t c = 0; c < counters && good; c++)
        good = params.pMetricValues[c] >= 0; /* false for NaN: a sample that lacks a counter is none */
    samples->start_ns[at] = info.startTimestamp;
    samples->end_ns[at] = info.endTimestamp;
    samples->count += good;
    return status;
}

/* A window that is being taken. */
struct window {
    int stop;         /* when it becomes readable the end is near */
    int64_t due_ns;   /* when decoding has to end; 0: unknown yet */
    uint64_t open_ns; /* how long it was open */
    uint64_t most_ns; /* the same with starting and stopping it */
    size_t held;      /* samples in the image */
    bool more, overflow;
};

static bool is_due(struct window *window)
{
    if (!window->due_ns && rl_pm_pause(0, window->stop))
        window->due_ns = rl_monotonic_ns() + RL_PM_DECODE_NS;
    return window->due_ns && rl_monotonic_ns() >= window->due_ns;
}

/* The most samples that it can have had; where they are taken by a clock that is faster than was thought there are more. */
static uint64_t most_samples(const struct rl_pm_sampler *sampler, const struct window *window)
{
    enum { SPARE = 32, SPARE_PART = 16, SPARE_PART_BY_CLOCK = 2 };
    const uint64_t samples = window->most_ns / sampler->interval_ns;
    return samples + samples / (sampler->by_clock ? SPARE_PART_BY_CLOCK : SPARE_PART) + SPARE;
}

/* Empties the hardware buffer into the image once. */
static enum rl_status decode_some(struct rl_pm_sampler *sampler, struct window *window, struct rl_err *err)
{
    RL_CUPTI_PARAMS(CUpti_PmSampling_DecodeData_Params, decode);
    RL_CUPTI_PARAMS(CUpti_PmSampling_GetCounterDataInfo_Params, info);
    window->more = false;
    window->held = 0;
    RL_TRY(empty_image(sampler, most_samples(sampler, window), err));
    decode.pPmSamplingObject = sampler->object;
    info.pCounterDataImage = decode.pCounterDataImage = sampler->image;
    info.counterDataImageSize = decode.counterDataImageSize = sampler->image_size;
    const CUptiResult result = rl_cupti.cuptiPmSamplingDecodeData(&decode);
    window->overflow = window->overflow || decode.overflow || result == CUPTI_ERROR_OUT_OF_MEMORY;
    if (result != CUPTI_SUCCESS && result != CUPTI_ERROR_OUT_OF_MEMORY)
        return rl_cupti_check(result, "cuptiPmSamplingDecodeData", err);
    enum rl_status status = RL_CUPTI(err, cuptiPmSamplingGetCounterDataInfo, &info);
    window->held = status == RL_OK ? info.numCompletedSamples : 0;
    window->more = result == CUPTI_SUCCESS && decode.decodeStopReason == CUPTI_PM_SAMPLING_DECODE_STOP_REASON_COUNTER_DATA_FULL &&
                   window->held > 0;
    return status;
}

static enum rl_status start_and_stop(struct rl_pm_sampler *sampler, uint64_t length, struct window *window, struct rl_err *err)
{
    RL_CUPTI_PARAMS(CUpti_PmSampling_Start_Params, start);
    RL_CUPTI_PARAMS(CUpti_PmSampling_Stop_Params, stop);
    start.pPmSamplingObject = stop.pPmSamplingObject = sampler->object;
    const int64_t before_ns = rl_monotonic_ns();
    RL_TRY(RL_CUPTI(err, cuptiPmSamplingStart, &start));
    const int64_t opened_ns = rl_monotonic_ns();
    (void)rl_pm_pause(sampler->interval_ns * length, window->stop);
    window->open_ns = (uint64_t)(rl_monotonic_ns() - opened_ns);
    enum rl_status status = RL_CUPTI(err, cuptiPmSamplingStop, &stop);
    window->most_ns = (uint64_t)(rl_monotonic_ns() - before_ns);
    return status;
}

/* Takes one and decodes it, as far as there is time. */
static enum rl_status take_window(struct rl_pm_sampler *sampler, uint64_t length, struct window *window,
                                  struct rl_pm_samples *samples, struct rl_err *err)
{
    enum rl_status status = start_and_stop(sampler, length, window, err);
    for (bool first = true; status == RL_OK && (first || window->more); first = false) {
        if (is_due(window)) {
            samples->cut += first ? (size_t)(window->open_ns / sampler->interval_ns) : 0;
            break;
        }
        status = decode_some(sampler, window, err);
        for (size_t i = 0; i < window->held && status == RL_OK; i++) {
            if (i % LOOK_SAMPLES == 0 && is_due(window)) {
                samples->cut += window->held - i;
                break;
            }
            status = add_sample(sampler, i, samples, err);
        }
    }
    samples->windows++;
    samples->overflows += window->overflow;
    return status;
}

/* ---- what the GPU counts ---- */

/* Whether samples come, and have all counters. */
static enum rl_status try_window(struct rl_pm_sampler *sampler, bool *good, struct rl_err *err)
{
    struct window window = {.stop = -1};
    struct rl_pm_samples samples = {0};
    const enum rl_status status = take_window(sampler, TRIAL_SAMPLES, &window, &samples, err);
    *good = samples.count > 0;
    rl_pm_samples_release(&samples);
    return status;
}

/* Leaves out the last counter that is of no kernel. */
static enum rl_status leave_out(struct rl_pm_sampler *sampler, struct rl_err *err)
{
    assert(sampler->most > RL_PM_FIRST_BESIDE);
    sampler->most = sampler->most > RL_PM_FIRST_LINK ? RL_PM_FIRST_LINK : RL_PM_FIRST_BESIDE;
    disable(sampler);
    const enum rl_status status = make_config(sampler, false, err);
    return status == RL_OK ? enable(sampler, err) : status;
}

enum rl_status rl_pm_enable(struct rl_pm_sampler *sampler, struct rl_err *err)
{
    enum rl_status status = enable(sampler, err);
    while (status == RL_OK && !sampler->tried) {
        bool good = false;
        status = try_window(sampler, &good, err);
        sampler->tried = good || sampler->most <= RL_PM_FIRST_BESIDE;
        if (status == RL_OK && !sampler->tried)
            status = leave_out(sampler, err);
    }
    return status;
}

/* After an overflow nothing can be decoded any more until the sampler is enabled anew. */
static enum rl_status start_anew(struct rl_pm_sampler *sampler, struct rl_err *err)
{
    if (sampler->window_samples / 2 < LEAST_WINDOW_SAMPLES)
        return rl_err_set(err, RL_FAILED, "the hardware buffer does not hold %d samples", LEAST_WINDOW_SAMPLES);
    sampler->window_samples /= 2;
    disable(sampler);
    return enable(sampler, err);
}

enum rl_status rl_pm_window(struct rl_pm_sampler *sampler, uint64_t length, int stop, struct rl_pm_samples *samples,
                            struct rl_err *err)
{
    assert(sampler->object && sampler->image);
    struct window window = {.stop = stop};
    const uint64_t most = sampler->window_samples;
    const enum rl_status status = take_window(sampler, length && length < most ? length : most, &window, samples, err);
    return status == RL_OK && window.overflow ? start_anew(sampler, err) : status;
}
