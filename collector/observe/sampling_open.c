/* sampling_open.c - the child that samples opens its sampler, as early as it can (sampling.h). */
#include "pm_sampler.h"
#include "sampling.h"

enum rl_status rl_sampling_open(struct rl_pm_sampler *sampler, const uint8_t uuid[16], uint64_t interval_ns, struct rl_err *err)
{
    size_t device = 0;
    if (!uuid) {
        const enum rl_status prepared = rl_pm_prepare(sampler, device, interval_ns, err);
        return prepared == RL_OK && rl_pm_is_only_device() ? rl_pm_enable(sampler, err) : prepared;
    }
    enum rl_status status = rl_pm_find_device(uuid, &device, err);
    if (status == RL_OK && sampler->image && sampler->device == device)
        return RL_OK;
    if (status == RL_OK && !(sampler->config.image && !sampler->object && sampler->device == device)) {
        rl_pm_close(sampler);
        status = rl_pm_prepare(sampler, device, interval_ns, err);
    }
    return status == RL_OK ? rl_pm_enable(sampler, err) : status;
}
