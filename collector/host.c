/* host.c - scheduling counters with CUPTI's host library. Needs no GPU. */
#include "host.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"

enum rl_status rl_host_open_for(CUpti_ProfilerType type, const char *chip, const uint8_t *availability,
                                CUpti_Profiler_Host_Object **host, struct rl_err *err)
{
    assert(chip && host);
    RL_CUPTI_PARAMS(CUpti_Profiler_Host_Initialize_Params, params);
    params.profilerType = type;
    params.pChipName = chip;
    params.pCounterAvailabilityImage = availability;
    rl_cupti_load_host();
    enum rl_status status = RL_CUPTI(err, cuptiProfilerHostInitialize, &params);
    if (status != RL_OK)
        return rl_err_context(err, RL_UNSUPPORTED, "chip '%s'", chip);
    *host = params.pHostObject;
    return RL_OK;
}

enum rl_status rl_host_open(const char *chip, const uint8_t *availability, CUpti_Profiler_Host_Object **host, struct rl_err *err)
{
    return rl_host_open_for(CUPTI_PROFILER_TYPE_RANGE_PROFILER, chip, availability, host, err);
}

void rl_host_close(CUpti_Profiler_Host_Object *host)
{
    if (!host)
        return;
    RL_CUPTI_PARAMS(CUpti_Profiler_Host_Deinitialize_Params, params);
    params.pHostObject = host;
    (void)rl_cupti.cuptiProfilerHostDeinitialize(&params);
}

enum rl_status rl_host_image(CUpti_Profiler_Host_Object *host, const char *const *counters, size_t count, uint8_t **image,
                             size_t *image_size, size_t *passes, struct rl_err *err)
{
    assert(host && count > 0);
    RL_CUPTI_PARAMS(CUpti_Profiler_Host_ConfigAddMetrics_Params, add);
    add.pHostObject = host;
    add.ppMetricNames = (const char **)counters;
    add.numMetrics = count;
    enum rl_status status = RL_CUPTI(err, cuptiProfilerHostConfigAddMetrics, &add);
    if (status != RL_OK)
        return status;
    RL_CUPTI_PARAMS(CUpti_Profiler_Host_GetConfigImageSize_Params, size);
    size.pHostObject = host;
    status = RL_CUPTI(err, cuptiProfilerHostGetConfigImageSize, &size);
    if (status != RL_OK)
        return status;

    uint8_t *bytes = rl_calloc(size.configImageSize, 1);
    RL_CUPTI_PARAMS(CUpti_Profiler_Host_GetConfigImage_Params, get);
    get.pHostObject = host;
    get.configImageSize = size.configImageSize;
    get.pConfigImage = bytes;
    RL_CUPTI_PARAMS(CUpti_Profiler_Host_GetNumOfPasses_Params, number);
    number.configImageSize = size.configImageSize;
    number.pConfigImage = bytes;
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

static size_t passes_for(CUpti_ProfilerType type, const char *chip, const uint8_t *availability, const char *const *counters,
                         size_t count)
{
    CUpti_Profiler_Host_Object *host = NULL;
    uint8_t *image = NULL;
    size_t image_size = 0, passes = 0;
    if (rl_host_open_for(type, chip, availability, &host, NULL) != RL_OK)
        return 0;
    if (rl_host_image(host, counters, count, &image, &image_size, &passes, NULL) != RL_OK)
        passes = 0;
    free(image);
    rl_host_close(host);
    return passes;
}

size_t rl_host_passes(const char *chip, const uint8_t *availability, const char *const *counters, size_t count)
{
    return passes_for(CUPTI_PROFILER_TYPE_RANGE_PROFILER, chip, availability, counters, count);
}

size_t rl_host_passes_for(CUpti_ProfilerType type, const char *chip, const char *const *counters, size_t count)
{
    return passes_for(type, chip, NULL, counters, count);
}

bool rl_host_list(const char *chip, const uint8_t *availability, const char *const *counters, size_t count, bool *available)
{
    assert(counters && available);
    CUpti_Profiler_Host_Object *host = NULL;
    if (rl_host_open(chip, availability, &host, NULL) != RL_OK)
        return false;
    bool listed = false;
    for (int type = 0; type < CUPTI_METRIC_TYPE__COUNT; type++) {
        RL_CUPTI_PARAMS(CUpti_Profiler_Host_GetBaseMetrics_Params, params);
        params.pHostObject = host;
        params.metricType = (CUpti_MetricType)type;
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
    size_t passes = 0;
    enum rl_status status = rl_host_open(chip, availability, &config->host, err);
    if (status == RL_OK)
        status =
            rl_host_image(config->host, config->counters, config->counter_count, &config->image, &config->image_size, &passes, err);
    if (status == RL_OK && (passes < 1 || passes > most))
        status = rl_err_set(err, RL_UNSUPPORTED, "counter configuration '%s' takes %zu passes on %s", config->name, passes, chip);
    return status;
}

enum rl_status rl_host_finish(struct rl_config *config, const char *chip, const uint8_t *availability, struct rl_err *err)
{
    return finish(config, chip, availability, 1, err);
}

enum rl_status rl_host_join(const char *chip, const uint8_t *availability, const struct rl_collect_configuration *wanted,
                            struct rl_config *config, struct rl_err *err)
{
    *config = (struct rl_config){.name = rl_strdup(wanted->name), .counters = rl_calloc(wanted->counter_count, sizeof(char *))};
    for (size_t i = 0; i < wanted->counter_count; i++)
        if (rl_host_passes(chip, availability, &wanted->counters[i], 1) > 0)
            config->counters[config->counter_count++] = wanted->counters[i];
    assert(config->counter_count <= wanted->counter_count);
    return config->counter_count ? finish(config, chip, availability, SIZE_MAX, err)
                                 : rl_err_set(err, RL_UNSUPPORTED, "chip '%s' has none of the counters", chip);
}

void rl_config_release(struct rl_config *config)
{
    rl_host_close(config->host);
    free(config->image);
    free(config->counters);
    free(config->name);
    *config = (struct rl_config){0};
}
