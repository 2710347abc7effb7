/* host.c - scheduling counters with CUPTI's host library. Needs no GPU. */
#include "host.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"

enum rl_status rl_host_open(const char *chip, const uint8_t *availability, CUpti_Profiler_Host_Object **host, struct rl_err *err)
{
    RL_CUPTI_PARAMS(CUpti_Profiler_Host_Initialize_Params, params);
    params.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
    params.pChipName = chip;
    params.pCounterAvailabilityImage = availability;
    rl_cupti_load_host();
    enum rl_status status = RL_CUPTI(err, cuptiProfilerHostInitialize, &params);
    if (status != RL_OK)
        return rl_err_context(err, RL_UNSUPPORTED, "chip '%s'", chip);
    *host = params.pHostObject;
    return RL_OK;
}

void rl_host_close(CUpti_Profiler_Host_Object *host)
{
    if (!host)
        return;
    RL_CUPTI_PARAMS(CUpti_Profiler_Host_Deinitialize_Params, params);
    params.pHostObject = host;
    (void)rl_cupti.cuptiProfilerHostDeinitialize(&params);
}

/* Makes the configuration image of `counters` on an open host object; frees nothing on failure but its own. */
static enum rl_status make_image(CUpti_Profiler_Host_Object *host, const char *const *counters, size_t count, uint8_t **image,
                                 size_t *image_size, size_t *passes, struct rl_err *err)
{
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

size_t rl_host_passes(const char *chip, const uint8_t *availability, const char *const *counters, size_t count)
{
    CUpti_Profiler_Host_Object *host = NULL;
    uint8_t *image = NULL;
    size_t image_size = 0, passes = 0;
    if (rl_host_open(chip, availability, &host, NULL) != RL_OK)
        return 0;
    if (make_image(host, counters, count, &image, &image_size, &passes, NULL) != RL_OK)
        passes = 0;
    free(image);
    rl_host_close(host);
    return passes;
}

bool rl_host_list(const char *chip, const uint8_t *availability, const char *const *counters, size_t count, bool *available)
{
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
    size_t passes = 0;
    enum rl_status status = rl_host_open(chip, availability, &config->host, err);
    if (status == RL_OK)
        status =
            make_image(config->host, config->counters, config->counter_count, &config->image, &config->image_size, &passes, err);
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

size_t rl_cupti_chips(const char **names, size_t max)
{
    RL_CUPTI_PARAMS(CUpti_Profiler_Host_GetSupportedChips_Params, params);
    if (rl_cupti_open(NULL, NULL) != RL_OK)
        return 0;
    rl_cupti_load_host();
    if (rl_cupti.cuptiProfilerHostGetSupportedChips(&params) != CUPTI_SUCCESS)
        return 0;
    size_t count = 0;
    for (size_t i = 0; i < params.numChips; i++) {
        CUpti_Profiler_Host_Object *host = NULL;
        if (rl_host_open(params.ppChipNames[i], NULL, &host, NULL) != RL_OK)
            continue; /* listed but not usable, such as GV11B in CUPTI 13.0 */
        rl_host_close(host);
        if (count < max)
            names[count] = params.ppChipNames[i];
        count++;
    }
    return count;
}

/* Whether the library is there and knows the chip. */
static enum rl_status check_chip(const char *chip, struct rl_err *err)
{
    CUpti_Profiler_Host_Object *host = NULL;
    enum rl_status status = rl_cupti_open(NULL, err);
    if (status == RL_OK)
        status = rl_host_open(chip, NULL, &host, err);
    rl_host_close(host);
    return status;
}

enum rl_status rl_cupti_available(const char *chip, const char *const *counters, size_t counter_count, bool *available,
                                  struct rl_err *err)
{
    enum rl_status status = check_chip(chip, err);
    for (size_t i = 0; i < counter_count && status == RL_OK; i++)
        available[i] = rl_host_passes(chip, NULL, &counters[i], 1) == 1;
    return status;
}

static bool has_witness(const struct rl_config *config)
{
    const char *const *witness = config->wanted->witnesses;
    for (; witness && *witness; witness++)
        for (size_t i = 0; i < config->counter_count; i++)
            if (strcmp(config->counters[i], *witness) == 0)
                return true;
    return false;
}

enum rl_status rl_cupti_schedule(const char *chip, const struct rl_collect_configuration *wanted, struct rl_schedule *schedule,
                                 struct rl_err *err)
{
    *schedule = (struct rl_schedule){0};
    enum rl_status status = check_chip(chip, err);
    if (status != RL_OK)
        return status;
    struct rl_config *configs = NULL;
    size_t count = 0;
    schedule->available = rl_calloc(wanted->counter_count, sizeof *schedule->available);
    status = rl_host_pack(chip, NULL, wanted, schedule->available, &configs, &count, err);
    for (size_t i = 0; i < count; i++) {
        schedule->passes += configs[i].counter_count > 0;
        schedule->witnessed += has_witness(&configs[i]);
        rl_config_release(&configs[i]);
    }
    free(configs);
    return status;
}

void rl_schedule_release(struct rl_schedule *schedule)
{
    free(schedule->available);
    *schedule = (struct rl_schedule){0};
}
