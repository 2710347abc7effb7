/* host.c - scheduling counters with CUPTI's host library. Needs no GPU. */
#include "host.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/collector.h"
#include "core/mem.h"

enum rl_status rl_host_open(const char *chip, const uint8_t *availability, CUpti_Profiler_Host_Object **host, struct rl_err *err)
{
    RL_CUPTI_PARAMS(CUpti_Profiler_Host_Initialize_Params, params);
    params.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
    params.pChipName = chip;
    params.pCounterAvailabilityImage = availability;
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

/* Passes that `counters` need together on `chip`; 0 when they cannot be scheduled (the chip lacks one, or they do not mix). */
static size_t passes_of(const char *chip, const uint8_t *availability, const char *const *counters, size_t count)
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

/* Marks which counters exist on the chip by their base names ("dram__bytes" of "dram__bytes.sum"): one call for all, where
 * scheduling each one costs a millisecond. False when CUPTI does not list them. */
static bool list_available(const char *chip, const uint8_t *availability, const char *const *counters, size_t count,
                           bool *available)
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

/* Opens the configuration's own host object (it evaluates values later) and makes its image. */
static enum rl_status finish_config(struct rl_config *config, const char *chip, const uint8_t *availability, struct rl_err *err)
{
    size_t passes = 0;
    enum rl_status status = rl_host_open(chip, availability, &config->host, err);
    if (status == RL_OK)
        status =
            make_image(config->host, config->counters, config->counter_count, &config->image, &config->image_size, &passes, err);
    if (status == RL_OK && passes != 1)
        status = rl_err_set(err, RL_UNSUPPORTED, "counter configuration '%s' takes %zu passes on %s", config->name, passes, chip);
    return status;
}

static struct rl_config *add_config(struct rl_config **configs, size_t *count, const char *name, size_t room)
{
    *configs = rl_realloc(*configs, *count + 1, sizeof **configs);
    struct rl_config *config = &(*configs)[(*count)++];
    char numbered[64];
    snprintf(numbered, sizeof numbered, *count == 1 ? "%s" : "%s %zu", name, *count);
    *config = (struct rl_config){.name = rl_strdup(numbered), .counters = rl_calloc(room, sizeof(char *))};
    return config;
}

/* Puts `counter` into the first configuration that still takes one pass with it, or into a new one. */
static void place_counter(const char *chip, const uint8_t *availability, const char *name, const char *counter, size_t room,
                          struct rl_config **configs, size_t *count)
{
    for (size_t c = 0; c < *count; c++) {
        struct rl_config *config = &(*configs)[c];
        config->counters[config->counter_count] = counter;
        if (passes_of(chip, availability, config->counters, config->counter_count + 1) == 1) {
            config->counter_count++;
            return;
        }
    }
    struct rl_config *fresh = add_config(configs, count, name, room);
    fresh->counters[fresh->counter_count++] = counter;
}

enum rl_status rl_host_pack(const char *chip, const uint8_t *availability, const char *name, const char *const *counters,
                            size_t counter_count, bool *available, struct rl_config **configs, size_t *count, struct rl_err *err)
{
    *configs = NULL;
    *count = 0;
    struct rl_config *all = add_config(configs, count, name, counter_count);
    for (size_t i = 0; i < counter_count; i++)
        available[i] = false;
    if (list_available(chip, availability, counters, counter_count, available))
        for (size_t i = 0; i < counter_count; i++)
            if (available[i])
                all->counters[all->counter_count++] = counters[i];
    /* The usual case is one pass for everything; only otherwise are the counters tried and placed one by one. */
    if (all->counter_count == 0 || passes_of(chip, availability, all->counters, all->counter_count) != 1) {
        all->counter_count = 0;
        for (size_t i = 0; i < counter_count; i++) {
            available[i] = passes_of(chip, availability, &counters[i], 1) == 1;
            if (available[i])
                place_counter(chip, availability, name, counters[i], counter_count, configs, count);
        }
    }
    for (size_t c = 0; c < *count; c++) {
        if ((*configs)[c].counter_count == 0)
            continue;
        enum rl_status status = finish_config(&(*configs)[c], chip, availability, err);
        if (status != RL_OK)
            return status;
    }
    return RL_OK;
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
    if (rl_cupti_open(NULL, NULL) != RL_OK || rl_cupti.cuptiProfilerHostGetSupportedChips(&params) != CUPTI_SUCCESS)
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

enum rl_status rl_cupti_schedule(const char *chip, const char *const *counters, size_t counter_count, struct rl_schedule *schedule,
                                 struct rl_err *err)
{
    *schedule = (struct rl_schedule){0};
    CUpti_Profiler_Host_Object *host = NULL;
    enum rl_status status = rl_cupti_open(NULL, err);
    if (status == RL_OK)
        status = rl_host_open(chip, NULL, &host, err);
    if (status != RL_OK)
        return status;
    rl_host_close(host);

    const char **present = rl_calloc(counter_count, sizeof *present);
    size_t present_count = 0;
    schedule->available = rl_calloc(counter_count, sizeof *schedule->available);
    for (size_t i = 0; i < counter_count; i++) {
        schedule->available[i] = passes_of(chip, NULL, &counters[i], 1) > 0;
        if (schedule->available[i])
            present[present_count++] = counters[i];
    }
    if (present_count)
        schedule->passes = passes_of(chip, NULL, present, present_count);
    free(present);
    return RL_OK;
}

void rl_schedule_release(struct rl_schedule *schedule)
{
    free(schedule->available);
    *schedule = (struct rl_schedule){0};
}
