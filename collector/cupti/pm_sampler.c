/* pm_sampler.c - windows of PM sampling (pm_sampler.h). */
#include "pm_sampler.h"

#include <assert.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/clock.h"
#include "core/mem.h"
#include "pm_device.h"

enum { WINDOW_SAMPLES = 2000, LEAST_WINDOW_SAMPLES = 64, TRIAL_SAMPLES = 50, SHORT_WINDOW_SAMPLES = 800 };
static const int64_t LOOK_NS = 1000000;
static const size_t HARDWARE_BYTES = (size_t)128 << 20; /* H100: 64 MB hold 80 ms of samples of 13 counters, taken every 20 us */
static const double CYCLES_PER_NS = 1.5;                /* of a system clock, where samples are taken by its cycles */

void rl_pm_samples_release(struct rl_pm_samples *samples)
{
    free(samples->start_ns);
    free(samples->end_ns);
    free(samples->values);
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
    RL_CUPTI_PARAMS(CUpti_PmSampling_GetCounterAvailability_Params, params);
    params.deviceIndex = device;
    enum rl_status status = RL_CUPTI(err, cuptiPmSamplingGetCounterAvailability, &params);
    if (status != RL_OK)
        return status;
    *image = rl_calloc(params.counterAvailabilityImageSize, 1);
    params.pCounterAvailabilityImage = *image;
    return RL_CUPTI(err, cuptiPmSamplingGetCounterAvailability, &params);
}

/* What the device says of its counters takes longer to read than all else (0.4 s), and is mostly that it has those of its chip:
 * it is asked only where it has refused the configuration. */
static enum rl_status make_config(struct rl_pm_sampler *sampler, bool ask, struct rl_err *err)
{
    uint8_t *availability = NULL;
    rl_pm_config_release(&sampler->config);
    RL_CUPTI_PARAMS(CUpti_Profiler_Initialize_Params, initialize);
    RL_CUPTI_PARAMS(CUpti_Device_GetChipName_Params, chip);
    chip.deviceIndex = sampler->device;
    enum rl_status status = RL_CUPTI(err, cuptiProfilerInitialize, &initialize);
    if (status == RL_OK)
        status = RL_CUPTI(err, cuptiDeviceGetChipName, &chip);
    if (status == RL_OK && ask)
        status = read_availability(sampler->device, &availability, err);
    if (status == RL_OK)
        status = rl_pm_config_make(chip.pChipName, availability, sampler->most, &sampler->config, err);
    free(availability);
    return status;
}

static CUptiResult set_config(struct rl_pm_sampler *sampler, bool by_clock)
{
    RL_CUPTI_PARAMS(CUpti_PmSampling_SetConfig_Params, params);
    params.pPmSamplingObject = sampler->object;
    params.configSize = sampler->config.image_size;
    params.pConfig = sampler->config.image;
    params.hardwareBufferSize = HARDWARE_BYTES;
    params.samplingInterval = by_clock ? (uint64_t)((double)sampler->interval_ns * CYCLES_PER_NS) : sampler->interval_ns;
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
    RL_CUPTI_PARAMS(CUpti_PmSampling_GetCounterDataSize_Params, params);
    params.pPmSamplingObject = sampler->object;
    params.pMetricNames = (const char **)sampler->config.metrics;
    params.numMetrics = sampler->config.count;
    params.maxSamples = (uint32_t)samples;
    const enum rl_status status = RL_CUPTI(err, cuptiPmSamplingGetCounterDataSize, &params);
    if (status != RL_OK)
        return status;
    sampler->image_size = params.counterDataSize;
    if (sampler->image_size <= sampler->image_cap)
        return RL_OK;
    free(sampler->image);
    sampler->image_cap = sampler->image_size;
    sampler->image = rl_calloc(sampler->image_cap, 1);
    sampler->empty_for = 0;
    return RL_OK;
}

/* Makes the image, of which nothing is left, empty, with room for so many samples at least. That takes as long as it is large
 * (20 us a sample), and memory that was never written costs nothing: so it has room for the longest window, and each window uses
 * what it needs. What does not fit is lost, though CUPTI says that it would come with the next image. */
static enum rl_status empty_image(struct rl_pm_sampler *sampler, uint64_t samples, struct rl_err *err)
{
    assert(sampler->taken == sampler->held);
    if (sampler->empty_for >= samples)
        return RL_OK;
    enum rl_status status = size_image(sampler, samples, err);
    if (status != RL_OK)
        return status;
    RL_CUPTI_PARAMS(CUpti_PmSampling_CounterDataImage_Initialize_Params, params);
    params.pPmSamplingObject = sampler->object;
    params.counterDataSize = sampler->image_size;
    params.pCounterData = sampler->image;
    status = RL_CUPTI(err, cuptiPmSamplingCounterDataImageInitialize, &params);
    sampler->empty_for = status == RL_OK ? samples : 0;
    return status;
}

static void disable(struct rl_pm_sampler *sampler)
{
    RL_CUPTI_PARAMS(CUpti_PmSampling_Disable_Params, params);
    params.pPmSamplingObject = sampler->object;
    if (sampler->object)
        (void)rl_cupti.cuptiPmSamplingDisable(&params);
    sampler->object = NULL;
}

static enum rl_status enable(struct rl_pm_sampler *sampler, struct rl_err *err)
{
    RL_CUPTI_PARAMS(CUpti_PmSampling_Enable_Params, params);
    params.deviceIndex = sampler->device;
    enum rl_status status = RL_CUPTI(err, cuptiPmSamplingEnable, &params);
    if (status != RL_OK)
        return status;
    sampler->object = params.pPmSamplingObject;
    sampler->empty_for = 0;
    status = configure(sampler, err);
    return status == RL_OK ? size_image(sampler, 2 * sampler->window_samples, err) : status;
}

enum rl_status rl_pm_prepare(struct rl_pm_sampler *sampler, size_t device, uint64_t interval_ns, struct rl_err *err)
{
    assert(interval_ns > 0);
    *sampler = (struct rl_pm_sampler){.device = device, .interval_ns = interval_ns, .window_samples = WINDOW_SAMPLES};
    enum rl_status status = rl_cupti_open(NULL, err);
    if (status == RL_OK && !has_functions())
        status = rl_err_set(err, RL_UNSUPPORTED, "this CUPTI has no PM sampling: CUDA 12.6 or newer has it");
    if (status == RL_OK)
        status = rl_pm_begin(err);
    if (status == RL_OK) {
        rl_cupti_load_host();
        sampler->most = rl_pm_is_only_device() ? RL_PM_FIRST_LINK : RL_PM_COUNTERS;
        status = make_config(sampler, false, err);
    }
    return status;
}

enum rl_status rl_pm_open(struct rl_pm_sampler *sampler, size_t device, uint64_t interval_ns, struct rl_err *err)
{
    const enum rl_status status = rl_pm_prepare(sampler, device, interval_ns, err);
    return status == RL_OK ? rl_pm_enable(sampler, err) : status;
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
    RL_CUPTI_PARAMS(CUpti_PmSampling_CounterData_GetSampleInfo_Params, info);
    info.pPmSamplingObject = sampler->object;
    info.pCounterDataImage = sampler->image;
    info.counterDataImageSize = sampler->image_size;
    info.sampleIndex = index;
    enum rl_status status = RL_CUPTI(err, cuptiPmSamplingCounterDataGetSampleInfo, &info);
    if (status != RL_OK)
        return status;
    RL_GROW(samples->start_ns, at + 1, samples->start_cap);
    RL_GROW(samples->end_ns, at + 1, samples->end_cap);
    RL_GROW(samples->values, (at + 1) * counters, samples->value_cap);
    RL_CUPTI_PARAMS(CUpti_Profiler_Host_EvaluateToGpuValues_Params, params);
    params.pHostObject = sampler->config.host;
    params.pCounterDataImage = sampler->image;
    params.counterDataImageSize = sampler->image_size;
    params.rangeIndex = index;
    params.ppMetricNames = (const char **)sampler->config.metrics;
    params.numMetrics = counters;
    params.pMetricValues = &samples->values[at * counters];
    status = RL_CUPTI(err, cuptiProfilerHostEvaluateToGpuValues, &params);
    bool good = status == RL_OK && info.endTimestamp > info.startTimestamp;
    for (size_t c = 0; c < counters && good; c++)
        good = params.pMetricValues[c] >= 0; /* false for NaN: a sample that lacks a counter is none */
    samples->start_ns[at] = info.startTimestamp;
    samples->end_ns[at] = info.endTimestamp;
    samples->count += good;
    return status;
}

/* Adds the rest, until that time or all of it. */
static enum rl_status take_rest(struct rl_pm_sampler *sampler, int64_t until_ns, struct rl_pm_samples *samples, struct rl_err *err)
{
    enum rl_status status = RL_OK;
    while (sampler->taken < sampler->held && status == RL_OK && rl_monotonic_ns() < until_ns)
        status = add_sample(sampler, sampler->taken++, samples, err);
    return status;
}

bool rl_pm_has_rest(const struct rl_pm_sampler *sampler)
{
    return sampler->taken < sampler->held;
}

/* Work that ends some time after `stop` has become readable. */
struct term {
    int stop;
    int64_t due_ns; /* when it has to end; 0: not known yet */
};

static bool is_due(struct term *term)
{
    if (!term->due_ns && rl_pm_pause(0, term->stop))
        term->due_ns = rl_monotonic_ns() + RL_PM_DECODE_NS;
    return term->due_ns && rl_monotonic_ns() >= term->due_ns;
}

/* Adds all of the rest, as far as there is time. */
static enum rl_status take_all(struct rl_pm_sampler *sampler, struct term *term, struct rl_pm_samples *samples, struct rl_err *err)
{
    enum rl_status status = RL_OK;
    while (rl_pm_has_rest(sampler) && status == RL_OK && !is_due(term))
        status = take_rest(sampler, rl_monotonic_ns() + LOOK_NS, samples, err);
    samples->cut += status == RL_OK ? sampler->held - sampler->taken : 0;
    sampler->held = sampler->taken = 0;
    return status;
}

/* A window that is being taken. */
struct window {
    const struct rl_pm_open *open;
    struct term term;
    uint64_t open_ns; /* how long it was open */
    uint64_t most_ns; /* the same with starting and stopping it */
    bool more, overflow;
};

/* The most that it can have had; where samples are taken by a clock that is faster than was thought there are more. */
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
    assert(!rl_pm_has_rest(sampler));
    window->more = false;
    enum rl_status status = empty_image(sampler, most_samples(sampler, window), err);
    if (status != RL_OK)
        return status;
    sampler->empty_for = 0;
    decode.pPmSamplingObject = sampler->object;
    info.pCounterDataImage = decode.pCounterDataImage = sampler->image;
    info.counterDataImageSize = decode.counterDataImageSize = sampler->image_size;
    const CUptiResult result = rl_cupti.cuptiPmSamplingDecodeData(&decode);
    window->overflow = window->overflow || decode.overflow || result == CUPTI_ERROR_OUT_OF_MEMORY;
    if (result != CUPTI_SUCCESS && result != CUPTI_ERROR_OUT_OF_MEMORY)
        return rl_cupti_check(result, "cuptiPmSamplingDecodeData", err);
    status = RL_CUPTI(err, cuptiPmSamplingGetCounterDataInfo, &info);
    sampler->held = status == RL_OK ? info.numCompletedSamples : 0;
    sampler->taken = 0;
    window->more = result == CUPTI_SUCCESS && decode.decodeStopReason == CUPTI_PM_SAMPLING_DECODE_STOP_REASON_COUNTER_DATA_FULL &&
                   sampler->held > 0;
    return status;
}

/* How long the window is to be open. */
static int64_t length_ns(const struct rl_pm_sampler *sampler, const struct rl_pm_open *open)
{
    const uint64_t samples = open->samples && open->samples < sampler->window_samples ? open->samples : sampler->window_samples;
    return (int64_t)(sampler->interval_ns * samples);
}

static int64_t earlier(int64_t a_ns, int64_t b_ns)
{
    return a_ns < b_ns ? a_ns : b_ns;
}

/* As long as the window is to be, or until it may end; the rest of the one before is taken meanwhile. */
static enum rl_status hold_open(struct rl_pm_sampler *sampler, const struct rl_pm_open *open, struct rl_pm_samples *samples,
                                struct rl_err *err)
{
    const int64_t due_ns = rl_monotonic_ns() + length_ns(sampler, open);
    enum rl_status status = RL_OK;
    for (bool over = false; !over && status == RL_OK;) {
        const int64_t left_ns = due_ns - rl_monotonic_ns(), look_ns = earlier(left_ns > 0 ? left_ns : 0, LOOK_NS);
        const bool rest = rl_pm_has_rest(sampler);
        if (rest)
            status = take_rest(sampler, rl_monotonic_ns() + look_ns, samples, err);
        const int64_t pause_ns = rest ? 0 : open->is_over ? look_ns : left_ns > 0 ? left_ns : 0;
        over = rl_pm_pause((uint64_t)pause_ns, open->stop) || rl_monotonic_ns() >= due_ns ||
               (open->is_over && open->is_over(open->context));
    }
    return status;
}

static enum rl_status start_and_stop(struct rl_pm_sampler *sampler, struct window *window, struct rl_pm_samples *samples,
                                     struct rl_err *err)
{
    RL_CUPTI_PARAMS(CUpti_PmSampling_Start_Params, start);
    RL_CUPTI_PARAMS(CUpti_PmSampling_Stop_Params, stop);
    start.pPmSamplingObject = stop.pPmSamplingObject = sampler->object;
    const int64_t before_ns = rl_monotonic_ns();
    enum rl_status status = RL_CUPTI(err, cuptiPmSamplingStart, &start);
    if (status != RL_OK)
        return status;
    const int64_t opened_ns = rl_monotonic_ns();
    status = hold_open(sampler, window->open, samples, err);
    window->open_ns = (uint64_t)(rl_monotonic_ns() - opened_ns);
    if (status == RL_OK)
        status = RL_CUPTI(err, cuptiPmSamplingStop, &stop);
    window->most_ns = (uint64_t)(rl_monotonic_ns() - before_ns);
    return status;
}

/* What it held is the rest; where the image was too small, or the buffer, less than that. */
static enum rl_status take_window(struct rl_pm_sampler *sampler, struct window *window, struct rl_pm_samples *samples,
                                  struct rl_err *err)
{
    enum rl_status status = start_and_stop(sampler, window, samples, err);
    for (bool first = true; status == RL_OK && window->more; first = false) {
        status = take_all(sampler, &window->term, samples, err);
        if (is_due(&window->term)) {
            samples->cut += first ? (size_t)(window->open_ns / sampler->interval_ns) : 0;
            break;
        }
        if (status == RL_OK)
            status = decode_some(sampler, window, err);
    }
    samples->windows++;
    samples->overflows += window->overflow;
    return status;
}

/* ---- what the card counts ---- */

/* Whether samples come, and have all counters. */
static enum rl_status try_window(struct rl_pm_sampler *sampler, bool *good, struct rl_err *err)
{
    const struct rl_pm_open open = {.samples = TRIAL_SAMPLES, .stop = -1};
    struct window window = {.open = &open, .term = {.stop = -1}, .more = true};
    struct rl_pm_samples samples = {0};
    enum rl_status status = take_window(sampler, &window, &samples, err);
    if (status == RL_OK)
        status = rl_pm_finish(sampler, -1, &samples, err);
    *good = samples.count > 0;
    rl_pm_samples_release(&samples);
    return status;
}

/* Leaves out the last of what is told of no kernel. */
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

enum rl_status rl_pm_get_ready(struct rl_pm_sampler *sampler, struct rl_pm_samples *samples, struct rl_err *err)
{
    assert(sampler->object);
    if (rl_pm_has_rest(sampler))
        return take_rest(sampler, rl_monotonic_ns() + LOOK_NS, samples, err);
    return empty_image(sampler, SHORT_WINDOW_SAMPLES, err);
}

enum rl_status rl_pm_finish(struct rl_pm_sampler *sampler, int stop, struct rl_pm_samples *samples, struct rl_err *err)
{
    struct term term = {.stop = stop};
    return take_all(sampler, &term, samples, err);
}

enum rl_status rl_pm_window(struct rl_pm_sampler *sampler, const struct rl_pm_open *open, struct rl_pm_samples *samples,
                            struct rl_err *err)
{
    assert(sampler->object && sampler->image && open);
    struct window window = {.open = open, .term = {.stop = open->stop}, .more = true};
    enum rl_status status = take_window(sampler, &window, samples, err);
    if (status == RL_OK && window.overflow)
        status = take_all(sampler, &window.term, samples, err);
    return status == RL_OK && window.overflow ? start_anew(sampler, err) : status;
}
