/* host_range.c - scheduling counters with CUPTI's host library, for the back end `range`, and for samples (host.h). Needs no
 * GPU. */

#include "range_profiler.h"

enum rl_status rl_host_open_for(CUpti_ProfilerType type, const char *chip, const uint8_t *availability,
                                CUpti_Profiler_Host_Object **host, struct rl_err *err)
{
    assert(chip && host);
    RL_CUPTI_PARAMS(CUpti_Profiler_Host_Initialize_Params, params, .profilerType = type, .pChipName = chip,
                    .pCounterAvailabilityImage = availability);
    rl_cupti_load_host();
    enum rl_status status = RL_CUPTI(err, cuptiProfilerHostInitialize, &params);
    if (status != RL_OK)
        return rl_err_context(err, RL_UNSUPPORTED, "chip '%s'", chip);
    *host = params.pHostObject;
    return RL_OK;
}

static enum rl_status open_host(const char *chip, const uint8_t *availability, CUpti_Profiler_Host_Object **host,
                                struct rl_err *err)
{
    return rl_host_open_for(CUPTI_PROFILER_TYPE_RANGE_PROFILER, chip, availability, host, err);
}

void rl_host_close(CUpti_Profiler_Host_Object *host)
{
    if (!host)
        return;
    RL_CUPTI_PARAMS(CUpti_Profiler_Host_Deinitialize_Params, params, .pHostObject = host);
    (void)rl_cupti.cuptiProfilerHostDeinitialize(&params);
}

/* One call is one group of passes: no counter of it shares a pass with one of another call. */
static enum rl_status add_counters(CUpti_Profiler_Host_Object *host, const char *const *counters, size_t count, struct rl_err *err)
{
    assert(host && count > 0);
    RL_CUPTI_PARAMS(CUpti_Profiler_Host_ConfigAddMetrics_Params, add, .pHostObject = host, .ppMetricNames = (const char **)counters,
                    .numMetrics = count);
    return RL_CUPTI(err, cuptiProfilerHostConfigAddMetrics, &add);
}

/* The image of what has been added. */
static enum rl_status make_image(CUpti_Profiler_Host_Object *host, uint8_t **image, size_t *image_size, size_t *passes,
                                 struct rl_err *err)
{
    RL_CUPTI_PARAMS(CUpti_Profiler_Host_GetConfigImageSize_Params, size, .pHostObject = host);
    RL_TRY(RL_CUPTI(err, cuptiProfilerHostGetConfigImageSize, &size));
    enum rl_status status = RL_OK;

    uint8_t *bytes = rl_calloc(size.configImageSize, 1);
    RL_CUPTI_PARAMS(CUpti_Profiler_Host_GetConfigImage_Params, get, .pHostObject = host, .configImageSize = size.configImageSize,
                    .pConfigImage = bytes);
    RL_CUPTI_PARAMS(CUpti_Profiler_Host_GetNumOfPasses_Params, number, .configImageSize = size.configImageSize,
                    .pConfigImage = bytes);
    if ((status = RL_CUPTI(err, cuptiProfilerHostGetConfigImage, &get)) != RL_OK ||
        (status = RL_CUPTI(err, cuptiProfilerHostGetNumOfPasses, &number)) != RL_OK) {
        free(bytes);
        return status;
    }
    *image = bytes;
    *image_size = size.configImageSize;
    *passes = number.numOfPasses;
    return RL_OK;
}

enum rl_status rl_host_image(CUpti_Profiler_Host_Object *host, const char *const *counters, size_t count, uint8_t **image,
                             size_t *image_size, size_t *passes, struct rl_err *err)
{
    const enum rl_status status = add_counters(host, counters, count, err);
    return status == RL_OK ? make_image(host, image, image_size, passes, err) : status;
}

static size_t passes_of(const char *chip, const uint8_t *availability, const char *const *counters, size_t count)
{
    CUpti_Profiler_Host_Object *host = NULL;
    uint8_t *image = NULL;
    size_t image_size = 0, passes = 0;
    if (open_host(chip, availability, &host, NULL) != RL_OK)
        return 0;
    if (rl_host_image(host, counters, count, &image, &image_size, &passes, NULL) != RL_OK)
        passes = 0;
    free(image);
    rl_host_close(host);
    return passes;
}

static bool list(const char *chip, const uint8_t *availability, const char *const *counters, size_t count, bool *available)
{
    assert(counters && available);
    CUpti_Profiler_Host_Object *host = NULL;
    if (open_host(chip, availability, &host, NULL) != RL_OK)
        return false;
    bool listed = false;
    for (int type = 0; type < CUPTI_METRIC_TYPE__COUNT; type++) {
        RL_CUPTI_PARAMS(CUpti_Profiler_Host_GetBaseMetrics_Params, params, .pHostObject = host,
                        .metricType = (CUpti_MetricType)type);
        if (rl_cupti.cuptiProfilerHostGetBaseMetrics(&params) != CUPTI_SUCCESS)
            continue;
        listed = true;
        for (size_t m = 0; m < params.numMetrics; m++) {
            size_t length = strlen(params.ppMetricNames[m]);
            for (size_t i = 0; i < count; i++)
                if (strncmp(counters[i], params.ppMetricNames[m], length) == 0 && counters[i][length] == '.')
                    available[i] = true;
        }
    }
    rl_host_close(host);
    return listed;
}

static enum rl_status finish(struct rl_config *config, const char *chip, const uint8_t *availability, size_t most,
                             struct rl_err *err)
{
    assert(!config->host && !config->image && config->counter_count > 0);
    CUpti_Profiler_Host_Object *host = NULL;
    size_t passes = 0;
    enum rl_status status = open_host(chip, availability, &host, err);
    config->host = host;
    for (size_t p = 0; p < config->part_count && status == RL_OK; p++)
        status = add_counters(host, config->parts[p]->counters, config->parts[p]->counter_count, err);
    if (status == RL_OK && !config->part_count)
        status = add_counters(host, config->counters, config->counter_count, err);
    RL_THEN(status, make_image(host, &config->image, &config->image_size, &passes, err));
    if (status == RL_OK && (passes < 1 || passes > most || (config->part_count && passes != config->part_count)))
        status = rl_err_set(err, RL_UNSUPPORTED, "counter group '%s' takes %zu passes on %s", config->name, passes, chip);
    return status;
}

static void release(struct rl_config *config)
{
    rl_host_close(config->host);
}

static size_t chips(const char **names, size_t max)
{
    RL_CUPTI_PARAMS(CUpti_Profiler_Host_GetSupportedChips_Params, params);
    rl_cupti_load_host();
    if (rl_cupti.cuptiProfilerHostGetSupportedChips(&params) != CUPTI_SUCCESS)
        return 0;
    size_t count = 0;
    for (size_t i = 0; i < params.numChips; i++) {
        CUpti_Profiler_Host_Object *host = NULL;
        if (open_host(params.ppChipNames[i], NULL, &host, NULL) != RL_OK)
            continue; /* listed but not usable, such as GV11B in CUPTI 13.0 */
        rl_host_close(host);
        if (count < max)
            names[count] = params.ppChipNames[i];
        count++;
    }
    return count;
}

static enum rl_status knows(const char *chip, const uint8_t *availability, struct rl_err *err)
{
    CUpti_Profiler_Host_Object *host = NULL;
    enum rl_status status = open_host(chip, availability, &host, err);
    rl_host_close(host);
    return status;
}

const struct rl_backend rl_backend_range = {
    .id = RL_BACKEND_range,
    .chips = chips,
    .knows = knows,
    .passes = passes_of,
    .list = list,
    .finish = finish,
    .release = release,
    .open = rl_range_profiler_open,
    .begin = rl_range_profiler_begin,
    .push = rl_range_profiler_push,
    .pop = rl_range_profiler_pop,
    .next = rl_range_profiler_next,
    .end = rl_range_profiler_end,
    .drop = rl_range_profiler_drop,
};
