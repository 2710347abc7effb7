/* host.h - counter configurations, made by CUPTI's host library. Private to the collector. */
#ifndef RL_COLLECTOR_HOST_H
#define RL_COLLECTOR_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cupti_api.h"

/* A set of counters that one pass can collect, ready for the range profiler. */
struct rl_config {
    char *name;            /* "hardware", "sass"; "hardware 2" when the set had to be split */
    const char **counters; /* names, not owned: they belong to the caller's plan */
    size_t counter_count;
    uint8_t *image; /* CUPTI's configuration image */
    size_t image_size;
    CUpti_Profiler_Host_Object *host; /* evaluates values of this configuration */
};

/* A host object for a chip; `availability` (may be NULL) is what the device at hand says of its counters. */
enum rl_status rl_host_open(const char *chip, const uint8_t *availability, CUpti_Profiler_Host_Object **host, struct rl_err *err);
void rl_host_close(CUpti_Profiler_Host_Object *host);

/* Packs counters into single-pass configurations, in order and greedily: a counter that would need a second pass opens the next
 * configuration. `available[i]` says whether the chip has counter i. Every configuration is verified to take one pass.
 * `configs` gets `*count` elements; release each with rl_config_release and the array with free. */
enum rl_status rl_host_pack(const char *chip, const uint8_t *availability, const char *name, const char *const *counters,
                            size_t counter_count, bool *available, struct rl_config **configs, size_t *count, struct rl_err *err);
void rl_config_release(struct rl_config *config);

#endif
