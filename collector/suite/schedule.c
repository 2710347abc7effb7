/* schedule.c - what can be collected on a chip, asked of CUPTI's host library: needs no GPU. */
#include "host.h"

size_t rl_cupti_chips(const char **names, size_t max)
{
    return rl_cupti_open(NULL, NULL) == RL_OK ? rl_backend()->chips(names, max) : 0;
}

static enum rl_status check_chip(const char *chip, struct rl_err *err)
{
    enum rl_status status = rl_cupti_open(NULL, err);
    return status == RL_OK ? rl_host_knows(chip, NULL, err) : status;
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
    assert(config->wanted);
    const char *const *witness = config->wanted->witnesses;
    for (; witness && *witness; witness++)
        for (size_t i = 0; i < config->counter_count; i++)
            if (strcmp(config->counters[i], *witness) == 0)
                return true;
    return false;
}

enum rl_status rl_cupti_schedule(const char *chip, const struct rl_configuration *wanted, struct rl_schedule *schedule,
                                 struct rl_err *err)
{
    *schedule = (struct rl_schedule){0};
    RL_TRY(check_chip(chip, err));
    RL_FREED struct rl_config *configs = NULL;
    size_t count = 0;
    schedule->available = rl_calloc(wanted->counter_count, sizeof *schedule->available);
    enum rl_status status = rl_host_pack(chip, NULL, wanted, schedule->available, &configs, &count, err);
    for (size_t i = 0; i < count; i++) {
        schedule->passes += configs[i].counter_count > 0;
        schedule->witnessed += has_witness(&configs[i]);
        rl_config_release(&configs[i]);
    }
    return status;
}

void rl_schedule_release(struct rl_schedule *schedule)
{
    free(schedule->available);
    *schedule = (struct rl_schedule){0};
}
