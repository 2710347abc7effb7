/* pm_config.c - what one pass of PM sampling can count (pm_sampler.h). */
#include "pm_sampler.h"

enum { MOST_NAMES = 4 };

static const struct {
    const char *bases[MOST_NAMES + 1];
} rows[] = {
#define PM_COUNTER(id, ...) {{__VA_ARGS__}},
#include "pm_counters.def"
};

/* CUPTI's list, and the counters that are being packed. */
struct packing {
    const char *chip;
    const uint8_t *availability;
    CUpti_Profiler_Host_Object *host;
    const char **listed; /* CUPTI's, while the host object lives */
    size_t listed_count;
    size_t most; /* rows */
    struct rl_pm_config *config;
};

static enum rl_status open_host(const struct packing *packing, CUpti_Profiler_Host_Object **host, struct rl_err *err)
{
    return rl_host_open_for(CUPTI_PROFILER_TYPE_PM_SAMPLING, packing->chip, packing->availability, host, err);
}

static enum rl_status list_names(struct packing *packing, struct rl_err *err)
{
    RL_CUPTI_PARAMS(CUpti_Profiler_Host_GetBaseMetrics_Params, params, .pHostObject = packing->host,
                    .metricType = CUPTI_METRIC_TYPE_COUNTER);
    const enum rl_status status = RL_CUPTI(err, cuptiProfilerHostGetBaseMetrics, &params);
    packing->listed = params.ppMetricNames;
    packing->listed_count = status == RL_OK ? params.numMetrics : 0;
    return status;
}

/* Whether all counters so far take one pass; the image is kept when `config` is to be finished. */
static enum rl_status try_pass(const struct packing *packing, bool finish, struct rl_err *err)
{
    struct rl_pm_config *config = packing->config;
    CUpti_Profiler_Host_Object *host = NULL;
    uint8_t *image = NULL;
    size_t image_size = 0, passes = 0;
    enum rl_status status = open_host(packing, &host, err);
    RL_THEN(status, rl_host_image(host, (const char *const *)config->metrics, config->count, &image, &image_size, &passes, err));
    if (status == RL_OK && passes != 1)
        status =
            rl_err_set(err, RL_UNSUPPORTED, "samples of %zu counters take %zu passes on %s", config->count, passes, packing->chip);
    if (status == RL_OK && finish) {
        config->host = host;
        config->image = image;
        config->image_size = image_size;
        return RL_OK;
    }
    free(image);
    rl_host_close(host);
    return status;
}

/* Whether CUPTI's name is the base name, or that of a unit's group: "SM_A.TriageCompute." and the base name. */
static bool is_named(const char *listed, const char *base)
{
    const char *dot = strrchr(listed, '.');
    return strcmp(dot ? dot + 1 : listed, base) == 0;
}

static void push(struct rl_pm_config *config, enum rl_pm_counter counter, const char *listed)
{
    RL_SCRATCH metric = RL_BUF_INIT;
    assert(config->count < RL_PM_COUNTERS);
    rl_buf_addf(&metric, "%s.sum", listed);
    config->counter[config->count] = counter;
    config->metrics[config->count++] = rl_strdup(metric.data);
}

static void pop(struct rl_pm_config *config)
{
    assert(config->count > 0);
    config->count--;
    free(config->metrics[config->count]);
    config->metrics[config->count] = NULL;
}

/* Adds the counter under the first of CUPTI's names for `base` that fits into the pass. */
static bool add_named(const struct packing *packing, enum rl_pm_counter counter, const char *base)
{
    for (size_t i = 0; i < packing->listed_count; i++) {
        if (!is_named(packing->listed[i], base))
            continue;
        push(packing->config, counter, packing->listed[i]);
        if (try_pass(packing, false, NULL) == RL_OK)
            return true;
        pop(packing->config);
    }
    return false;
}

/* Adds the counter under the first of its names that is listed, whether it fits or not. */
static void add_first(const struct packing *packing, enum rl_pm_counter counter)
{
    for (size_t b = 0; rows[counter].bases[b]; b++)
        for (size_t i = 0; i < packing->listed_count; i++)
            if (is_named(packing->listed[i], rows[counter].bases[b])) {
                push(packing->config, counter, packing->listed[i]);
                return;
            }
}

/* All counters at once: a try for each takes several times as long, and on many chips nothing else comes of it. */
static bool add_all(const struct packing *packing)
{
    for (size_t i = 0; i < packing->most; i++)
        add_first(packing, (enum rl_pm_counter)i);
    if (packing->config->count > 1 && packing->config->counter[0] == 0 && try_pass(packing, true, NULL) == RL_OK)
        return true;
    while (packing->config->count)
        pop(packing->config);
    return false;
}

static bool add(const struct packing *packing, enum rl_pm_counter counter)
{
    bool added = false;
    assert(packing->config->count < RL_PM_COUNTERS);
    for (size_t i = 0; rows[counter].bases[i] && !added; i++)
        added = add_named(packing, counter, rows[counter].bases[i]);
    return added;
}

enum rl_status rl_pm_config_make(const char *chip, const uint8_t *availability, size_t most, struct rl_pm_config *config,
                                 struct rl_err *err)
{
    struct packing packing = {.chip = chip, .availability = availability, .most = most, .config = config};
    assert(most > 1 && most <= RL_PM_COUNTERS);
    *config = (struct rl_pm_config){0};
    enum rl_status status = open_host(&packing, &packing.host, err);
    RL_THEN(status, list_names(&packing, err));
    if (status == RL_OK && add_all(&packing)) {
        rl_host_close(packing.host);
        return RL_OK;
    }
    bool busy = status == RL_OK && add(&packing, 0);
    for (size_t i = 1; busy && i < most; i++)
        (void)add(&packing, (enum rl_pm_counter)i);
    rl_host_close(packing.host);
    if (status == RL_OK && config->count < 2)
        status = rl_err_set(err, RL_UNSUPPORTED, "chip '%s' has too few counters that can be sampled", chip);
    return status == RL_OK ? try_pass(&packing, true, err) : status;
}

void rl_pm_config_release(struct rl_pm_config *config)
{
    rl_host_close(config->host);
    free(config->image);
    for (size_t i = 0; i < config->count; i++)
        free(config->metrics[i]);
    *config = (struct rl_pm_config){0};
}
