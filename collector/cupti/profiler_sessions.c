/* profiler_sessions.c - windows of the back end `profiler`: one of CUPTI's profiling sessions each. The order of the calls is that
 * of the samples that come with CUPTI 11.8 and 12.4: session, configuration, then per pass begin, enable, launches, disable, end;
 * then flush. */
#include "host_profiler.h"

enum { LONGEST_NAME = 24 }; /* of a range, with its end: a number */

/* The open session (profiler->object), and how far it has come. */
struct session {
    uint8_t *scratch;
    size_t scratch_size;
    bool begun, configured, in_pass, enabled;
};

static enum rl_status read_availability(struct rl_range_profiler *profiler, struct rl_err *err)
{
    RL_PROFILER_PARAMS(cuptiProfilerGetCounterAvailability, params, .ctx = profiler->context);
    enum rl_status status = RL_PROFILER(err, cuptiProfilerGetCounterAvailability, &params);
    if (status == RL_FAILED) { /* a driver for CUDA 13.0 answers CUPTI 12.4 with CUPTI_ERROR_UNKNOWN */
        struct rl_err said = err ? *err : (struct rl_err)RL_ERR_INIT;
        return rl_err_set(err, RL_FAILED,
                          "%s; a driver newer than this CUPTI may refuse it: name the folder of a newer one in ROOFLIGHT_CUPTI_DIR",
                          said.text);
    }
    if (status != RL_OK)
        return status;
    free(profiler->availability);
    params.pCounterAvailabilityImage = profiler->availability = rl_calloc(params.counterAvailabilityImageSize, 1);
    return RL_PROFILER(err, cuptiProfilerGetCounterAvailability, &params);
}

enum rl_status rl_sessions_open(struct rl_range_profiler *profiler, struct rl_err *err)
{
    enum rl_status status = rl_profiler_open(err);
    RL_PROFILER_PARAMS(cuptiProfilerInitialize, initialize);
    RL_CUPTI_PARAMS(CUpti_Device_GetChipName_Params, chip); /* the same in all versions */
    chip.deviceIndex = (size_t)profiler->device;
    RL_THEN(status, RL_PROFILER(err, cuptiProfilerInitialize, &initialize));
    RL_THEN(status, RL_CUPTI(err, cuptiDeviceGetChipName, &chip));
    if (status != RL_OK)
        return status;
    free(profiler->chip);
    profiler->chip = rl_strdup(chip.pChipName);
    return read_availability(profiler, err);
}

static enum rl_status begin_pass(struct rl_range_profiler *profiler, struct rl_err *err)
{
    struct session *session = profiler->object;
    assert(session->configured && !session->in_pass);
    RL_PROFILER_PARAMS(cuptiProfilerBeginPass, begin);
    RL_PROFILER_PARAMS(cuptiProfilerEnableProfiling, enable);
    begin.ctx = enable.ctx = profiler->context;
    enum rl_status status = RL_PROFILER(err, cuptiProfilerBeginPass, &begin);
    session->in_pass = status == RL_OK;
    RL_THEN(status, RL_PROFILER(err, cuptiProfilerEnableProfiling, &enable));
    session->enabled = status == RL_OK;
    return status;
}

/* `last`: all passes of the configuration have been made. */
static enum rl_status end_pass(struct rl_range_profiler *profiler, bool *last, struct rl_err *err)
{
    struct session *session = profiler->object;
    RL_PROFILER_PARAMS(cuptiProfilerDisableProfiling, disable);
    RL_PROFILER_PARAMS(cuptiProfilerEndPass, end);
    disable.ctx = end.ctx = profiler->context;
    enum rl_status status = session->enabled ? RL_PROFILER(err, cuptiProfilerDisableProfiling, &disable) : RL_OK;
    session->enabled = false;
    if (status == RL_OK && session->in_pass)
        status = RL_PROFILER(err, cuptiProfilerEndPass, &end);
    session->in_pass = false;
    *last = end.allPassesSubmitted != 0;
    return status;
}

/* ---- a window ---- */

static enum rl_status make_counter_image(struct rl_range_profiler *profiler, const struct rl_profiler_evaluation *evaluation,
                                         struct rl_err *err)
{
    const struct rl_profiler_image_options options = {
        .structSize = RL_PROFILER_OPTIONS_SIZE,
        .pCounterDataPrefix = evaluation->prefix,
        .counterDataPrefixSize = evaluation->prefix_size,
        .maxNumRanges = (uint32_t)profiler->max_ranges,
        .maxNumRangeTreeNodes = (uint32_t)profiler->max_ranges,
        .maxRangeNameLength = LONGEST_NAME,
    };
    RL_PROFILER_PARAMS(cuptiProfilerCounterDataImageCalculateSize, size, .sizeofCounterDataImageOptions = RL_PROFILER_OPTIONS_SIZE,
                       .pOptions = &options);
    RL_TRY(RL_PROFILER(err, cuptiProfilerCounterDataImageCalculateSize, &size));
    RL_PROFILER_PARAMS(cuptiProfilerCounterDataImageInitialize, initialize,
                       .sizeofCounterDataImageOptions = RL_PROFILER_OPTIONS_SIZE, .pOptions = &options);
    initialize.counterDataImageSize = profiler->image_size = size.counterDataImageSize;
    initialize.pCounterDataImage = profiler->image = rl_calloc(size.counterDataImageSize, 1);
    return RL_PROFILER(err, cuptiProfilerCounterDataImageInitialize, &initialize);
}

static enum rl_status make_scratch(struct rl_range_profiler *profiler, struct rl_err *err)
{
    struct session *session = profiler->object;
    RL_PROFILER_PARAMS(cuptiProfilerCounterDataImageCalculateScratchBufferSize, size, .counterDataImageSize = profiler->image_size,
                       .pCounterDataImage = profiler->image);
    RL_TRY(RL_PROFILER(err, cuptiProfilerCounterDataImageCalculateScratchBufferSize, &size));
    RL_PROFILER_PARAMS(cuptiProfilerCounterDataImageInitializeScratchBuffer, initialize,
                       .counterDataImageSize = profiler->image_size, .pCounterDataImage = profiler->image);
    initialize.counterDataScratchBufferSize = session->scratch_size = size.counterDataScratchBufferSize;
    initialize.pCounterDataScratchBuffer = session->scratch = rl_calloc(size.counterDataScratchBufferSize, 1);
    return RL_PROFILER(err, cuptiProfilerCounterDataImageInitializeScratchBuffer, &initialize);
}

enum rl_status rl_sessions_begin(struct rl_range_profiler *profiler, enum rl_range_mode mode, struct rl_err *err)
{
    assert(!profiler->object && !profiler->image && profiler->max_ranges <= UINT32_MAX);
    profiler->object = rl_calloc(1, sizeof(struct session));
    enum rl_status status = make_counter_image(profiler, profiler->config->host, err);
    RL_THEN(status, make_scratch(profiler, err));
    if (status == RL_OK) {
        struct session *session = profiler->object;
        const struct rl_range_kind kind = rl_range_kind(mode);
        RL_PROFILER_PARAMS(cuptiProfilerBeginSession, params, .ctx = profiler->context,
                           .counterDataImageSize = profiler->image_size, .pCounterDataImage = profiler->image,
                           .counterDataScratchBufferSize = session->scratch_size, .pCounterDataScratchBuffer = session->scratch,
                           .range = kind.range, .replayMode = kind.replay);
        params.maxRangesPerPass = params.maxLaunchesPerPass = profiler->max_ranges;
        status = RL_PROFILER(err, cuptiProfilerBeginSession, &params);
        session->begun = status == RL_OK;
    }
    if (status == RL_OK) {
        struct session *session = profiler->object;
        RL_PROFILER_PARAMS(cuptiProfilerSetConfig, params, .ctx = profiler->context, .pConfig = profiler->config->image,
                           .configSize = profiler->config->image_size);
        params.minNestingLevel = params.numNestingLevels = params.targetNestingLevel = 1;
        status = RL_PROFILER(err, cuptiProfilerSetConfig, &params);
        session->configured = status == RL_OK;
    }
    return status == RL_OK ? begin_pass(profiler, err) : status;
}

enum rl_status rl_sessions_push(struct rl_range_profiler *profiler, const char *name, struct rl_err *err)
{
    assert(strlen(name) < LONGEST_NAME);
    RL_PROFILER_PARAMS(cuptiProfilerPushRange, params, .ctx = profiler->context, .pRangeName = name);
    return RL_PROFILER(err, cuptiProfilerPushRange, &params);
}

enum rl_status rl_sessions_pop(struct rl_range_profiler *profiler, struct rl_err *err)
{
    RL_PROFILER_PARAMS(cuptiProfilerPopRange, params, .ctx = profiler->context);
    return RL_PROFILER(err, cuptiProfilerPopRange, &params);
}

enum rl_status rl_sessions_next(struct rl_range_profiler *profiler, bool *again, struct rl_err *err)
{
    bool last = true;
    enum rl_status status = end_pass(profiler, &last, err);
    *again = status == RL_OK && !last;
    return *again ? begin_pass(profiler, err) : status;
}

/* ---- values ---- */

static enum rl_status range_number(const struct rl_range_profiler *profiler, size_t index, size_t *number, struct rl_err *err)
{
    const char *names[2] = {NULL, NULL};
    RL_PROFILER_PARAMS(NVPW_Profiler_CounterData_GetRangeDescriptions, params, .pCounterDataImage = profiler->image,
                       .rangeIndex = index);
    enum rl_status status = RL_PROFILER(err, NVPW_Profiler_CounterData_GetRangeDescriptions, &params);
    if (status == RL_OK && params.numDescriptions != 1)
        return rl_range_number(profiler, "", number, err); /* nested: not one of ours */
    params.ppDescriptions = names;
    RL_THEN(status, RL_PROFILER(err, NVPW_Profiler_CounterData_GetRangeDescriptions, &params));
    return status == RL_OK ? rl_range_number(profiler, names[0], number, err) : status;
}

static enum rl_status evaluate_range(struct rl_range_profiler *profiler, size_t index, struct rl_value *values, struct rl_err *err)
{
    const struct rl_profiler_evaluation *evaluation = profiler->config->host;
    const size_t count = profiler->config->counter_count;
    size_t number = 0;
    RL_TRY(range_number(profiler, index, &number, err));
    RL_FREED double *raw = rl_calloc(count, sizeof *raw);
    RL_PROFILER_PARAMS(NVPW_MetricsEvaluator_EvaluateToGpuValues, params, .pMetricsEvaluator = evaluation->evaluator,
                       .pMetricEvalRequests = evaluation->requests, .numMetricEvalRequests = count,
                       .metricEvalRequestStructSize = RL_PROFILER_REQUEST_SIZE,
                       .metricEvalRequestStrideSize = sizeof *evaluation->requests, .pCounterDataImage = profiler->image,
                       .counterDataImageSize = profiler->image_size, .rangeIndex = index, .isolated = 1, .pMetricValues = raw);
    enum rl_status status = RL_PROFILER(err, NVPW_MetricsEvaluator_EvaluateToGpuValues, &params);
    for (size_t c = 0; c < count && status == RL_OK; c++)
        values[number * count + c] = rl_value_of(raw[c]);
    return status;
}

/* Leaves the session as far as it was entered. */
static void leave(struct rl_range_profiler *profiler)
{
    struct session *session = profiler->object;
    bool last;
    RL_PROFILER_PARAMS(cuptiProfilerUnsetConfig, unset);
    RL_PROFILER_PARAMS(cuptiProfilerEndSession, end);
    unset.ctx = end.ctx = profiler->context;
    if (session->in_pass)
        (void)end_pass(profiler, &last, NULL);
    if (session->configured)
        (void)rl_profiler.cuptiProfilerUnsetConfig(&unset);
    if (session->begun)
        (void)rl_profiler.cuptiProfilerEndSession(&end);
    RL_FREE(session->scratch, session);
    profiler->object = NULL;
}

enum rl_status rl_sessions_end(struct rl_range_profiler *profiler, struct rl_value *values, struct rl_err *err)
{
    bool last = true;
    struct session *session = profiler->object;
    RL_PROFILER_PARAMS(cuptiProfilerFlushCounterData, flush, .ctx = profiler->context);
    enum rl_status status = session->in_pass ? end_pass(profiler, &last, err) : RL_OK;
    if (status == RL_OK && !last)
        status = rl_err_set(err, RL_FAILED, "counter group '%s' needs more passes than were made", profiler->config->name);
    RL_THEN(status, RL_PROFILER(err, cuptiProfilerFlushCounterData, &flush));
    leave(profiler); /* the counter image is whole only then */
    if (status == RL_OK) {
        const struct rl_profiler_evaluation *evaluation = profiler->config->host;
        RL_PROFILER_PARAMS(NVPW_MetricsEvaluator_SetDeviceAttributes, attributes, .pMetricsEvaluator = evaluation->evaluator,
                           .pCounterDataImage = profiler->image, .counterDataImageSize = profiler->image_size);
        RL_PROFILER_PARAMS(NVPW_CounterData_GetNumRanges, ranges, .pCounterDataImage = profiler->image);
        status = RL_PROFILER(err, NVPW_MetricsEvaluator_SetDeviceAttributes, &attributes);
        RL_THEN(status, RL_PROFILER(err, NVPW_CounterData_GetNumRanges, &ranges));
        for (size_t i = 0; i < ranges.numRanges && status == RL_OK; i++)
            status = evaluate_range(profiler, i, values, err);
    }
    if (status == RL_OK && flush.numRangesDropped)
        status = rl_err_set(err, RL_FAILED, "CUPTI dropped the counters of %zu launches", flush.numRangesDropped);
    return status;
}

void rl_sessions_drop(struct rl_range_profiler *profiler)
{
    if (profiler->object)
        leave(profiler);
}
