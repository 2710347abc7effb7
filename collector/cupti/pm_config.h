/* pm_config.h - what one pass of PM sampling can count on a chip, found by CUPTI's host library. Needs no GPU. Private to the
 * collector. */
#ifndef RL_COLLECTOR_PM_CONFIG_H
#define RL_COLLECTOR_PM_CONFIG_H

#include "host_range.h"

enum rl_pm_counter {
#define PM_COUNTER(id, ...) RL_PM_##id,
#include "pm_counters.def"
#undef PM_COUNTER
    RL_PM_COUNTERS,
    RL_PM_FIRST_BESIDE = RL_PM_sm_elapsed,
    RL_PM_FIRST_LINK = RL_PM_nvlink_received
};

/* Counters that one pass samples together. */
struct rl_pm_config {
    size_t count;
    enum rl_pm_counter counter[RL_PM_COUNTERS];
    char *metrics[RL_PM_COUNTERS]; /* CUPTI's names: "TPC.TriageCompute.sm__cycles_active.sum" */
    uint8_t *image;
    size_t image_size;
    CUpti_Profiler_Host_Object *host; /* evaluates samples */
};
/* Packs as many counters as one pass takes, in the order of the rows; `availability` (may be NULL) is what the device says of its
 * counters; of the first `most` rows. RL_UNSUPPORTED: the chip has no PM sampling, or not even the counter that tells when a kernel
 * runs and one beside it. Release `config` in every case. */
enum rl_status rl_pm_config_make(const char *chip, const uint8_t *availability, size_t most, struct rl_pm_config *config,
                                 struct rl_err *err);
/* Closes its host object and frees it; of a zeroed one, too, and zeroes it. */
void rl_pm_config_release(struct rl_pm_config *config);

#endif
