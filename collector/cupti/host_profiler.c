/* host_profiler.c - scheduling counters with NVIDIA's host library (NVPW_*), for the back end `profiler`. Needs no GPU.
 *
 * A counter's name stands for raw counters, of which a configuration image is made and, apart from it, the prefix of the counter
 * image. What evaluates values needs the name's number and the counter image. */
#include "host_profiler.h"

/* ---- names ---- */

/* Translates names into numbers and raw counters: one for a chip, or a device. */
struct evaluator {
    void *object;
    uint8_t *scratch;
};

static void close_evaluator(struct evaluator *evaluator)
{
    RL_PROFILER_PARAMS(NVPW_MetricsEvaluator_Destroy, params, .pMetricsEvaluator = evaluator->object);
    if (evaluator->object)
        (void)rl_profiler.NVPW_MetricsEvaluator_Destroy(&params);
    free(evaluator->scratch);
    *evaluator = (struct evaluator){0};
}

static enum rl_status open_evaluator(const char *chip, const uint8_t *availability, struct evaluator *evaluator, struct rl_err *err)
{
    *evaluator = (struct evaluator){0};
    RL_TRY(rl_profiler_open(err));
    RL_PROFILER_PARAMS(NVPW_CUDA_MetricsEvaluator_CalculateScratchBufferSize, size, .pChipName = chip,
                       .pCounterAvailabilityImage = availability);
    if (RL_PROFILER(err, NVPW_CUDA_MetricsEvaluator_CalculateScratchBufferSize, &size) != RL_OK)
        return rl_err_context(err, RL_UNSUPPORTED, "chip '%s'", chip);
    evaluator->scratch = rl_calloc(size.scratchBufferSize, 1);
    RL_PROFILER_PARAMS(NVPW_CUDA_MetricsEvaluator_Initialize, params, .pScratchBuffer = evaluator->scratch,
                       .scratchBufferSize = size.scratchBufferSize, .pChipName = chip, .pCounterAvailabilityImage = availability);
    enum rl_status status = RL_PROFILER(err, NVPW_CUDA_MetricsEvaluator_Initialize, &params);
    evaluator->object = params.pMetricsEvaluator;
    if (status != RL_OK)
        close_evaluator(evaluator);
    return status == RL_OK ? RL_OK : rl_err_context(err, RL_UNSUPPORTED, "chip '%s'", chip);
}

static enum rl_status request_of(const struct evaluator *evaluator, const char *name, struct rl_profiler_request *request,
                                 struct rl_err *err)
{
    RL_PROFILER_PARAMS(NVPW_MetricsEvaluator_ConvertMetricNameToMetricEvalRequest, params, .pMetricsEvaluator = evaluator->object,
                       .pMetricName = name, .pMetricEvalRequest = request, .metricEvalRequestStructSize = RL_PROFILER_REQUEST_SIZE);
    enum rl_status status = RL_PROFILER(err, NVPW_MetricsEvaluator_ConvertMetricNameToMetricEvalRequest, &params);
    return status == RL_OK ? RL_OK : rl_err_context(err, RL_UNSUPPORTED, "%s", name);
}

struct raw {
    struct rl_profiler_raw *list; /* names belong to the evaluator */
    size_t count, cap;
};

/* Adds those that values of the request cannot do without. */
static enum rl_status add_raw(const struct evaluator *evaluator, const struct rl_profiler_request *request, struct raw *raw,
                              struct rl_err *err)
{
    RL_PROFILER_PARAMS(NVPW_MetricsEvaluator_GetMetricRawDependencies, params, .pMetricsEvaluator = evaluator->object,
                       .pMetricEvalRequests = request, .numMetricEvalRequests = 1,
                       .metricEvalRequestStructSize = RL_PROFILER_REQUEST_SIZE, .metricEvalRequestStrideSize = sizeof *request);
    RL_TRY(RL_PROFILER(err, NVPW_MetricsEvaluator_GetMetricRawDependencies, &params));
    const char **names = rl_calloc(params.numRawDependencies + 1, sizeof *names);
    params.ppRawDependencies = names;
    params.numOptionalRawDependencies = 0;
    enum rl_status status = RL_PROFILER(err, NVPW_MetricsEvaluator_GetMetricRawDependencies, &params);
    for (size_t i = 0; i < params.numRawDependencies && status == RL_OK; i++) {
        RL_APPEND(raw->list, raw->count, raw->cap,
                  (struct rl_profiler_raw){
                      .structSize = RL_PROFILER_RAW_SIZE, .pMetricName = names[i], .isolated = 1, .keepInstances = 1});
    }
    free(names);
    return status;
}

/* ---- configurations ---- */

static enum rl_status create_config(const char *chip, const uint8_t *availability, void **config, struct rl_err *err)
{
    RL_PROFILER_PARAMS(NVPW_CUDA_RawMetricsConfig_Create_V2, params, .activityKind = RL_PROFILER_ACTIVITY, .pChipName = chip,
                       .pCounterAvailabilityImage = availability);
    enum rl_status status = RL_PROFILER(err, NVPW_CUDA_RawMetricsConfig_Create_V2, &params);
    *config = params.pRawMetricsConfig;
    RL_PROFILER_PARAMS(NVPW_RawMetricsConfig_SetCounterAvailability, set, .pRawMetricsConfig = *config,
                       .pCounterAvailabilityImage = availability);
    if (status == RL_OK && availability)
        status = RL_PROFILER(err, NVPW_RawMetricsConfig_SetCounterAvailability, &set);
    return status;
}

/* Puts the raw counters into the configuration; `passes` gets how many it takes. */
static enum rl_status fill_config(void *config, const struct raw *raw, size_t *passes, struct rl_err *err)
{
    RL_PROFILER_PARAMS(NVPW_RawMetricsConfig_BeginPassGroup, begin);
    RL_PROFILER_PARAMS(NVPW_RawMetricsConfig_AddMetrics, add);
    RL_PROFILER_PARAMS(NVPW_RawMetricsConfig_EndPassGroup, end);
    RL_PROFILER_PARAMS(NVPW_RawMetricsConfig_GenerateConfigImage, generate);
    RL_PROFILER_PARAMS(NVPW_RawMetricsConfig_GetNumPasses, number);
    begin.pRawMetricsConfig = add.pRawMetricsConfig = end.pRawMetricsConfig = generate.pRawMetricsConfig = config;
    number.pRawMetricsConfig = config;
    add.pRawMetricRequests = raw->list;
    add.numMetricRequests = raw->count;
    enum rl_status status = RL_PROFILER(err, NVPW_RawMetricsConfig_BeginPassGroup, &begin);
    RL_THEN(status, RL_PROFILER(err, NVPW_RawMetricsConfig_AddMetrics, &add));
    RL_THEN(status, RL_PROFILER(err, NVPW_RawMetricsConfig_EndPassGroup, &end));
    RL_THEN(status, RL_PROFILER(err, NVPW_RawMetricsConfig_GenerateConfigImage, &generate));
    RL_THEN(status, RL_PROFILER(err, NVPW_RawMetricsConfig_GetNumPasses, &number));
    *passes = number.numPipelinedPasses + number.numIsolatedPasses; /* of one nesting level */
    return status;
}

static enum rl_status copy_prefix(void *builder, const struct raw *raw, struct rl_profiler_evaluation *to, struct rl_err *err)
{
    RL_PROFILER_PARAMS(NVPW_CounterDataBuilder_AddMetrics, add, .pCounterDataBuilder = builder, .pRawMetricRequests = raw->list,
                       .numMetricRequests = raw->count);
    RL_TRY(RL_PROFILER(err, NVPW_CounterDataBuilder_AddMetrics, &add));
    RL_PROFILER_PARAMS(NVPW_CounterDataBuilder_GetCounterDataPrefix, get, .pCounterDataBuilder = builder);
    RL_TRY(RL_PROFILER(err, NVPW_CounterDataBuilder_GetCounterDataPrefix, &get));
    get.bytesAllocated = to->prefix_size = get.bytesCopied;
    get.pBuffer = to->prefix = rl_calloc(get.bytesCopied, 1);
    return RL_PROFILER(err, NVPW_CounterDataBuilder_GetCounterDataPrefix, &get);
}

static enum rl_status make_prefix(const char *chip, const uint8_t *availability, const struct raw *raw,
                                  struct rl_profiler_evaluation *to, struct rl_err *err)
{
    RL_PROFILER_PARAMS(NVPW_CUDA_CounterDataBuilder_Create, create, .pChipName = chip, .pCounterAvailabilityImage = availability);
    RL_TRY(RL_PROFILER(err, NVPW_CUDA_CounterDataBuilder_Create, &create));
    enum rl_status status = copy_prefix(create.pCounterDataBuilder, raw, to, err);
    RL_PROFILER_PARAMS(NVPW_CounterDataBuilder_Destroy, destroy, .pCounterDataBuilder = create.pCounterDataBuilder);
    (void)rl_profiler.NVPW_CounterDataBuilder_Destroy(&destroy);
    return status;
}

/* ---- what host.h asks for ---- */

static enum rl_status knows(const char *chip, const uint8_t *availability, struct rl_err *err)
{
    struct evaluator evaluator;
    enum rl_status status = open_evaluator(chip, availability, &evaluator, err);
    close_evaluator(&evaluator);
    return status;
}

/* Makes the image of the counters, and with `to` what evaluates them, too. */
static enum rl_status schedule(const char *chip, const uint8_t *availability, const char *const *counters, size_t count,
                               size_t *passes, uint8_t **image, size_t *image_size, struct rl_profiler_evaluation *to,
                               struct rl_err *err)
{
    struct evaluator evaluator;
    struct raw raw = {0};
    void *config = NULL;
    struct rl_profiler_request *requests = rl_calloc(count, sizeof *requests);
    enum rl_status status = open_evaluator(chip, availability, &evaluator, err);
    if (status == RL_OK) {
        for (size_t i = 0; i < count && status == RL_OK; i++) {
            status = request_of(&evaluator, counters[i], &requests[i], err);
            RL_THEN(status, add_raw(&evaluator, &requests[i], &raw, err));
        }
    }
    RL_THEN(status, create_config(chip, availability, &config, err));
    RL_THEN(status, fill_config(config, &raw, passes, err));
    if (status == RL_OK && to) {
        RL_PROFILER_PARAMS(NVPW_RawMetricsConfig_GetConfigImage, params, .pRawMetricsConfig = config);
        RL_TRY(RL_PROFILER(err, NVPW_RawMetricsConfig_GetConfigImage, &params));
        params.bytesAllocated = *image_size = params.bytesCopied;
        params.pBuffer = *image = rl_calloc(params.bytesCopied, 1);
        status = RL_PROFILER(err, NVPW_RawMetricsConfig_GetConfigImage, &params);
    }
    if (status == RL_OK && to)
        status = make_prefix(chip, availability, &raw, to, err);
    RL_PROFILER_PARAMS(NVPW_RawMetricsConfig_Destroy, params, .pRawMetricsConfig = config);
    if (config)
        (void)rl_profiler.NVPW_RawMetricsConfig_Destroy(&params);
    free(raw.list);
    if (to) { /* released with the configuration */
        to->evaluator = evaluator.object;
        to->scratch = evaluator.scratch;
        to->requests = requests;
    } else {
        close_evaluator(&evaluator);
        free(requests);
    }
    return status;
}

static size_t passes_of(const char *chip, const uint8_t *availability, const char *const *counters, size_t count)
{
    size_t passes = 0;
    return schedule(chip, availability, counters, count, &passes, NULL, NULL, NULL, NULL) == RL_OK ? passes : 0;
}

static size_t chips(const char **names, size_t max)
{
    RL_PROFILER_PARAMS(NVPW_GetSupportedChipNames, params);
    size_t count = 0;
    if (rl_profiler_open(NULL) != RL_OK || rl_profiler.NVPW_GetSupportedChipNames(&params) != 0)
        return 0;
    for (size_t i = 0; i < params.numChipNames; i++) {
        static const char *const of_every_sm = "sm__cycles_active.avg";
        if (passes_of(params.ppChipNames[i], NULL, &of_every_sm, 1) == 0)
            continue; /* listed, but it counts nothing of their SMs: Maxwell in CUPTI 12.4 */
        if (count < max)
            names[count] = params.ppChipNames[i];
        count++;
    }
    return count;
}

static bool list(const char *chip, const uint8_t *availability, const char *const *counters, size_t count, bool *available)
{
    struct evaluator evaluator;
    bool listed = false;
    if (open_evaluator(chip, availability, &evaluator, NULL) != RL_OK)
        return false;
    for (uint8_t type = 0; type < RL_PROFILER_METRIC_TYPES; type++) {
        RL_PROFILER_PARAMS(NVPW_MetricsEvaluator_GetMetricNames, params, .pMetricsEvaluator = evaluator.object, .metricType = type);
        if (rl_profiler.NVPW_MetricsEvaluator_GetMetricNames(&params) != 0)
            continue;
        listed = true;
        for (size_t m = 0; m < params.numMetrics; m++) {
            const char *base = params.pMetricNames + params.pMetricNameBeginIndices[m];
            const size_t length = strlen(base);
            for (size_t i = 0; i < count; i++)
                if (strncmp(counters[i], base, length) == 0 && counters[i][length] == '.')
                    available[i] = true;
        }
    }
    close_evaluator(&evaluator);
    return listed;
}

static enum rl_status finish(struct rl_config *config, const char *chip, const uint8_t *availability, size_t most,
                             struct rl_err *err)
{
    assert(!config->host && !config->image && config->counter_count > 0);
    struct rl_profiler_evaluation *evaluation = rl_calloc(1, sizeof *evaluation);
    size_t passes = 0;
    config->host = evaluation;
    enum rl_status status = schedule(chip, availability, config->counters, config->counter_count, &passes, &config->image,
                                     &config->image_size, evaluation, err);
    if (status == RL_OK && (passes < 1 || passes > most))
        status = rl_err_set(err, RL_UNSUPPORTED, "counter group '%s' takes %zu passes on %s", config->name, passes, chip);
    return status;
}

static void release(struct rl_config *config)
{
    struct rl_profiler_evaluation *evaluation = config->host;
    struct evaluator evaluator = {evaluation->evaluator, evaluation->scratch};
    close_evaluator(&evaluator);
    RL_FREE(evaluation->prefix, evaluation->requests, evaluation);
}

const struct rl_backend rl_backend_profiler = {
    .id = RL_BACKEND_profiler,
    .chips = chips,
    .knows = knows,
    .passes = passes_of,
    .list = list,
    .finish = finish,
    .release = release,
    .open = rl_sessions_open,
    .begin = rl_sessions_begin,
    .push = rl_sessions_push,
    .pop = rl_sessions_pop,
    .next = rl_sessions_next,
    .end = rl_sessions_end,
    .drop = rl_sessions_drop,
};
