/* range_profiler.c - windows of CUPTI's range profiler, for the back end `range`. The order of the calls is the one that works with
 * CUPTI 13.0: the counter image is initialised directly after its size was asked for, and the profiler is enabled anew for each
 * configuration, because one that is set after another one on the same enabled profiler evaluates to NaN. Passes of one
 * configuration follow each other on the enabled profiler, round and round, whatever pass is asked for after the first. */
#include "range_profiler.h"

static rl_availability_known known_image;

void rl_range_know(rl_availability_known known)
{
    known_image = known;
}

/* The image that is known; false: none is. */
static bool take_known(struct rl_range_profiler *profiler)
{
    const uint8_t *image = known_image ? known_image(profiler->chip, profiler->device, &profiler->availability_size) : NULL;
    if (!image)
        return false;
    free(profiler->availability);
    profiler->availability = rl_calloc(profiler->availability_size, 1);
    memcpy(profiler->availability, image, profiler->availability_size);
    return true;
}

enum rl_status rl_range_profiler_open(struct rl_range_profiler *profiler, struct rl_err *err)
{
    RL_CUPTI_PARAMS(CUpti_Profiler_Initialize_Params, initialize);
    RL_TRY(RL_CUPTI(err, cuptiProfilerInitialize, &initialize));
    RL_CUPTI_PARAMS(CUpti_Device_GetChipName_Params, chip, .deviceIndex = (size_t)profiler->device);
    RL_TRY(RL_CUPTI(err, cuptiDeviceGetChipName, &chip));
    free(profiler->chip);
    profiler->chip = rl_strdup(chip.pChipName);
    profiler->asked = !take_known(profiler);
    if (!profiler->asked)
        return RL_OK;
    RL_CUPTI_PARAMS(CUpti_Profiler_GetCounterAvailability_Params, params, .ctx = profiler->context);
    RL_TRY(RL_CUPTI(err, cuptiProfilerGetCounterAvailability, &params));
    free(profiler->availability);
    profiler->availability = rl_calloc(params.counterAvailabilityImageSize, 1);
    profiler->availability_size = params.counterAvailabilityImageSize;
    params.pCounterAvailabilityImage = profiler->availability;
    return RL_CUPTI(err, cuptiProfilerGetCounterAvailability, &params);
}

void rl_range_profiler_drop(struct rl_range_profiler *profiler)
{
    if (!profiler->object)
        return;
    RL_CUPTI_PARAMS(CUpti_RangeProfiler_Disable_Params, params, .pRangeProfilerObject = profiler->object);
    (void)rl_cupti.cuptiRangeProfilerDisable(&params);
    profiler->object = NULL;
    for (size_t i = 0; i < profiler->blank_count; i++)
        free(profiler->blanks[i].image);
    free(profiler->blanks);
    profiler->blanks = NULL;
    profiler->blank_count = profiler->blank_cap = 0;
}

/* The configuration for CUPTI: the joint image of which the window's configuration is a pass, or its own. */
static const struct rl_config *scheduled(const struct rl_range_profiler *profiler)
{
    const struct rl_config *config = profiler->config;
    return config->joint && profiler->marked ? &config->joint->all : config;
}

/* A window has room for the counters of its own pass and of its like, whatever else the image that CUPTI is configured with has: a
 * range of all of them takes 1.1 MB, one of the default hardware counters 0.13 MB, because every SM has its own (H200, CUPTI 13.0).
 */
static const struct rl_config *data_of(const struct rl_range_profiler *profiler)
{
    const struct rl_config *config = profiler->config;
    return config->data && profiler->marked ? config->data : config;
}

static enum rl_status ask_image_size(const struct rl_range_profiler *profiler, size_t *bytes, struct rl_err *err)
{
    RL_CUPTI_PARAMS(CUpti_RangeProfiler_GetCounterDataSize_Params, size, .pRangeProfilerObject = profiler->object,
                    .pMetricNames = data_of(profiler)->counters, .numMetrics = data_of(profiler)->counter_count,
                    .maxNumOfRanges = profiler->max_ranges, .maxNumRangeTreeNodes = (uint32_t)profiler->max_ranges);
    const enum rl_status status = RL_CUPTI(err, cuptiRangeProfilerGetCounterDataSize, &size);
    *bytes = size.counterDataSize;
    return status;
}

/* Megabytes, which the program's limits may not allow. */
static enum rl_status allocate_image(const struct rl_range_profiler *profiler, size_t size, uint8_t **image, struct rl_err *err)
{
    *image = rl_try_calloc(size, 1);
    return *image ? RL_OK : rl_err_set(err, RL_FAILED, "no memory left for the counters of %zu launches", profiler->max_ranges);
}

static enum rl_status make_blank(struct rl_range_profiler *profiler, struct rl_blank *blank, struct rl_err *err)
{
    free(blank->image);
    *blank = (struct rl_blank){.of = blank->of};
    enum rl_status status = ask_image_size(profiler, &blank->size, err);
    RL_THEN(status, allocate_image(profiler, blank->size, &blank->image, err));
    if (status != RL_OK)
        return status;
    RL_CUPTI_PARAMS(CUpti_RangeProfiler_CounterDataImage_Initialize_Params, initialize, .pRangeProfilerObject = profiler->object,
                    .counterDataSize = blank->size, .pCounterData = blank->image);
    status = RL_CUPTI(err, cuptiRangeProfilerCounterDataImageInitialize, &initialize);
    blank->ranges = status == RL_OK ? profiler->max_ranges : 0;
    return status;
}

/* Later windows get a copy of the first one's counter data, in memory that has been used before where that is large enough. */
static enum rl_status make_counter_image(struct rl_range_profiler *profiler, struct rl_err *err)
{
    assert(profiler->object && profiler->config && !profiler->image);
    size_t at = 0;
    while (at < profiler->blank_count && profiler->blanks[at].of != data_of(profiler))
        at++;
    if (at == profiler->blank_count) {
        RL_GROW(profiler->blanks, at + 1, profiler->blank_cap);
        profiler->blanks[profiler->blank_count++] = (struct rl_blank){.of = data_of(profiler)};
    }
    struct rl_blank *blank = &profiler->blanks[at];
    RL_TRY(blank->ranges == profiler->max_ranges ? RL_OK : make_blank(profiler, blank, err));
    enum rl_status status = RL_OK;
    profiler->image_size = blank->size;
    if (profiler->spare && profiler->spare_size >= blank->size) {
        profiler->image = profiler->spare;
        profiler->image_room = profiler->spare_size;
        profiler->spare = NULL;
    } else {
        status = allocate_image(profiler, blank->size, &profiler->image, err);
        profiler->image_room = blank->size;
    }
    if (status == RL_OK)
        memcpy(profiler->image, blank->image, blank->size);
    return status;
}

static enum rl_status set_config(struct rl_range_profiler *profiler, enum rl_range_mode mode, struct rl_err *err)
{
    assert(profiler->image);
    const struct rl_range_kind kind = rl_range_kind(mode);
    RL_CUPTI_PARAMS(CUpti_RangeProfiler_SetConfig_Params, params, .pRangeProfilerObject = profiler->object,
                    .configSize = scheduled(profiler)->image_size, .pConfig = scheduled(profiler)->image,
                    .counterDataImageSize = profiler->image_size, .pCounterDataImage = profiler->image, .range = kind.range,
                    .replayMode = kind.replay, .maxRangesPerPass = profiler->max_ranges, .numNestingLevels = 1,
                    .minNestingLevel = 1, .passIndex = scheduled(profiler) == profiler->config ? 0 : profiler->config->pass,
                    .targetNestingLevel = 1);
    return RL_CUPTI(err, cuptiRangeProfilerSetConfig, &params);
}

static enum rl_status start(const struct rl_range_profiler *profiler, struct rl_err *err)
{
    RL_CUPTI_PARAMS(CUpti_RangeProfiler_Start_Params, params, .pRangeProfilerObject = profiler->object);
    return RL_CUPTI(err, cuptiRangeProfilerStart, &params);
}

static enum rl_status stop(const struct rl_range_profiler *profiler, struct rl_err *err)
{
    RL_CUPTI_PARAMS(CUpti_RangeProfiler_Stop_Params, params, .pRangeProfilerObject = profiler->object);
    return RL_CUPTI(err, cuptiRangeProfilerStop, &params);
}

static enum rl_status enable(struct rl_range_profiler *profiler, struct rl_err *err)
{
    RL_CUPTI_PARAMS(CUpti_RangeProfiler_Enable_Params, params, .ctx = profiler->context);
    const enum rl_status status = RL_CUPTI(err, cuptiRangeProfilerEnable, &params);
    profiler->object = status == RL_OK ? params.pRangeProfilerObject : NULL;
    profiler->next_pass = profiler->config->pass;
    return status;
}

/* Passes before the one that is wanted go by without ranges. */
static enum rl_status skip_passes(struct rl_range_profiler *profiler, struct rl_err *err)
{
    const struct rl_config *config = profiler->config;
    enum rl_status status = RL_OK;
    while (profiler->joint && profiler->next_pass != config->pass && status == RL_OK) {
        if ((status = start(profiler, err)) == RL_OK)
            status = stop(profiler, err);
        profiler->next_pass = (profiler->next_pass + 1) % profiler->joint->passes;
    }
    return status;
}

enum rl_status rl_range_profiler_begin(struct rl_range_profiler *profiler, enum rl_range_mode mode, struct rl_err *err)
{
    const struct rl_joint *joint = mode == RL_RANGE_MARKED ? profiler->config->joint : NULL;
    enum rl_status status = RL_OK;
    if (profiler->object && (!joint || joint != profiler->joint)) {
        rl_range_profiler_drop(profiler);
        profiler->joint = NULL;
    }
    if (!profiler->object)
        status = enable(profiler, err);
    if (status == RL_OK && (status = make_counter_image(profiler, err)) == RL_OK &&
        (status = set_config(profiler, mode, err)) == RL_OK)
        status = skip_passes(profiler, err);
    free(profiler->spare);
    profiler->spare = profiler->spent;
    profiler->spare_size = profiler->spent_size;
    profiler->spent = NULL;
    return status == RL_OK ? start(profiler, err) : status;
}

enum rl_status rl_range_profiler_push(struct rl_range_profiler *profiler, const char *name, struct rl_err *err)
{
    RL_CUPTI_PARAMS(CUpti_RangeProfiler_PushRange_Params, params, .pRangeProfilerObject = profiler->object, .pRangeName = name);
    return RL_CUPTI(err, cuptiRangeProfilerPushRange, &params);
}

enum rl_status rl_range_profiler_pop(struct rl_range_profiler *profiler, struct rl_err *err)
{
    RL_CUPTI_PARAMS(CUpti_RangeProfiler_PopRange_Params, params, .pRangeProfilerObject = profiler->object);
    return RL_CUPTI(err, cuptiRangeProfilerPopRange, &params);
}

enum rl_status rl_range_profiler_next(struct rl_range_profiler *profiler, bool *again, struct rl_err *err)
{
    (void)profiler, (void)err;
    *again = false; /* its configurations take one pass, or are replayed by CUPTI */
    return RL_OK;
}

/* Which range of the window the decoded range `index` is. */
static enum rl_status range_number(const struct rl_range_profiler *profiler, size_t index, size_t *number, struct rl_err *err)
{
    RL_CUPTI_PARAMS(CUpti_Profiler_Host_GetRangeName_Params, params, .pCounterDataImage = profiler->image,
                    .counterDataImageSize = profiler->image_size, .rangeIndex = index, .delimiter = "/");
    RL_TRY(RL_CUPTI(err, cuptiProfilerHostGetRangeName, &params));
    enum rl_status status = rl_range_number(profiler, params.pRangeName, number, err);
    free((char *)params.pRangeName);
    return status;
}

static enum rl_status evaluate_range(struct rl_range_profiler *profiler, size_t index, struct rl_value *values, struct rl_err *err)
{
    size_t count = profiler->config->counter_count, number = 0;
    RL_TRY(range_number(profiler, index, &number, err));
    assert(number < profiler->max_ranges);
    RL_FREED double *raw = rl_calloc(count, sizeof *raw);
    RL_CUPTI_PARAMS(CUpti_Profiler_Host_EvaluateToGpuValues_Params, params, .pHostObject = scheduled(profiler)->host,
                    .pCounterDataImage = profiler->image, .counterDataImageSize = profiler->image_size, .rangeIndex = index,
                    .ppMetricNames = profiler->config->counters, .numMetrics = count, .pMetricValues = raw);
    enum rl_status status = RL_CUPTI(err, cuptiProfilerHostEvaluateToGpuValues, &params);
    for (size_t c = 0; c < count && status == RL_OK; c++)
        values[number * count + c] = rl_value_of(raw[c]);
    return status;
}

enum rl_status rl_range_profiler_end(struct rl_range_profiler *profiler, struct rl_value *values, struct rl_err *err)
{
    RL_CUPTI_PARAMS(CUpti_RangeProfiler_DecodeData_Params, decode, .pRangeProfilerObject = profiler->object);
    RL_CUPTI_PARAMS(CUpti_RangeProfiler_GetCounterDataInfo_Params, info, .pCounterDataImage = profiler->image,
                    .counterDataImageSize = profiler->image_size);

    enum rl_status status = stop(profiler, err);
    RL_THEN(status, RL_CUPTI(err, cuptiRangeProfilerDecodeData, &decode));
    RL_THEN(status, RL_CUPTI(err, cuptiRangeProfilerGetCounterDataInfo, &info));
    for (size_t i = 0; i < info.numTotalRanges && status == RL_OK; i++)
        status = evaluate_range(profiler, i, values, err);
    if (status == RL_OK && decode.numOfRangeDropped)
        status = rl_err_set(err, RL_FAILED, "CUPTI dropped the counters of %zu launches", decode.numOfRangeDropped);
    return status;
}
