/* host.c - counter configurations, by whichever back end is in force. Needs no GPU, unless that does. */
#include "host.h"

enum rl_status rl_host_knows(const char *chip, const uint8_t *availability, struct rl_err *err)
{
    assert(chip);
    return rl_backend()->knows(chip, availability, err);
}

size_t rl_host_passes(const char *chip, const uint8_t *availability, const char *const *counters, size_t count)
{
    return rl_backend()->passes(chip, availability, counters, count);
}

bool rl_host_list(const char *chip, const uint8_t *availability, const char *const *counters, size_t count, bool *available)
{
    assert(counters && available);
    return rl_backend()->list(chip, availability, counters, count, available);
}

enum rl_status rl_host_finish(struct rl_config *config, const char *chip, const uint8_t *availability, struct rl_err *err)
{
    return rl_backend()->finish(config, chip, availability, 1, err);
}

enum rl_status rl_host_join(const char *chip, const uint8_t *availability, const struct rl_configuration *wanted,
                            struct rl_config *config, struct rl_err *err)
{
    *config = (struct rl_config){
        .name = rl_strdup(wanted->name), .wanted = wanted, .counters = rl_calloc(wanted->counter_count, sizeof(char *))};
    for (size_t i = 0; i < wanted->counter_count; i++)
        if (rl_host_passes(chip, availability, &wanted->counters[i], 1) > 0)
            config->counters[config->counter_count++] = wanted->counters[i];
    assert(config->counter_count <= wanted->counter_count);
    if (wanted->counter_count == 0)
        return rl_err_set(err, RL_UNSUPPORTED, "no counters are wanted of chip '%s'", chip);
    const bool none = config->counter_count == 0;
    if (none) /* the first says why */
        config->counters[config->counter_count++] = wanted->counters[0];
    const enum rl_status status = rl_backend()->finish(config, chip, availability, SIZE_MAX, err);
    return none && status != RL_OK ? rl_err_context(err, status, "chip '%s' has none of the counters", chip) : status;
}

void rl_config_release(struct rl_config *config)
{
    if (config->host)
        rl_backend()->release(config);
    RL_FREE(config->image, config->counters, config->name);
    *config = (struct rl_config){0};
}

/* The counters of all of them, each once. */
static void collect_counters(struct rl_config *const *configs, size_t count, struct rl_config *all)
{
    const size_t most = RL_SUM(size_t, c, count, configs[c]->counter_count);
    all->counters = rl_calloc(most, sizeof(char *));
    for (size_t c = 0; c < count; c++)
        for (size_t i = 0; i < configs[c]->counter_count; i++)
            if (!rl_config_has(all, configs[c]->counters[i]))
                all->counters[all->counter_count++] = configs[c]->counters[i];
}

void rl_host_unite(struct rl_config *const *configs, size_t count, size_t alike, const char *chip, const uint8_t *availability,
                   struct rl_joint **joint)
{
    *joint = NULL;
    if (rl_backend()->id != RL_BACKEND_range || count < 2)
        return;
    assert(alike <= count);
    struct rl_joint *made = rl_calloc(1, sizeof *made);
    made->passes = count;
    made->parts = rl_calloc(count, sizeof(struct rl_config *));
    memcpy(made->parts, configs, count * sizeof(struct rl_config *));
    made->all = (struct rl_config){.name = rl_strdup("joint"), .parts = made->parts, .part_count = count};
    collect_counters(configs, count, &made->all);
    collect_counters(configs, alike, &made->alike);
    if (rl_backend()->finish(&made->all, chip, availability, count, NULL) != RL_OK) {
        rl_joint_free(made);
        return;
    }
    for (size_t c = 0; c < count; c++) {
        configs[c]->joint = made;
        configs[c]->pass = c;
        configs[c]->data = c < alike ? &made->alike : NULL;
    }
    *joint = made;
}

void rl_joint_free(struct rl_joint *joint)
{
    if (!joint)
        return;
    rl_config_release(&joint->all);
    rl_config_release(&joint->alike);
    RL_FREE(joint->parts, joint);
}
