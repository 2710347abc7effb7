/* host.h - counter configurations of the active back end (backend.h). Private to the collector. */
#pragma once

#include "collector/collector.h"
#include "cupti_api.h"

struct rl_joint;

/* Counters that are collected in one pass, prepared for the range profiler. */
struct rl_config {
    char *name;            /* "hardware", "sass"; "hardware 2" where the set was split */
    const char **counters; /* names; borrowed from the caller's plan */
    size_t counter_count;
    const struct rl_configuration *wanted; /* the requested configuration that this is part of */
    uint8_t *image;                        /* CUPTI's configuration image */
    size_t image_size;
    void *host;                     /* owned by the back end; evaluates counter values of this configuration */
    const struct rl_joint *joint;   /* the image that this is a pass of; NULL: a separate configuration */
    size_t pass;                    /* index among the passes of `joint` */
    const struct rl_config *data;   /* the configuration whose counter data this shares; NULL: separate counter data */
    struct rl_config *const *parts; /* its passes in order; NULL: CUPTI assigns counters to passes */
    size_t part_count;
};

/* Whether the configuration contains the counter. */
static inline bool rl_config_has(const struct rl_config *config, const char *counter)
{
    for (size_t i = 0; i < config->counter_count; i++)
        if (strcmp(config->counters[i], counter) == 0)
            return true;
    return false;
}

/* Configurations combined as passes of one image. The profiler stays enabled between their windows, which saves 0.17 s per window
 * (H200, CUPTI 13.0). Separate configurations cannot be switched on an enabled profiler: the second one returns no values. */
struct rl_joint {
    struct rl_config all;     /* the union of all counters */
    struct rl_config alike;   /* the counters of the parts that share counter data; has no image and no host object */
    struct rl_config **parts; /* its passes; borrowed */
    size_t passes;
};

/* RL_OK if the back end supports the chip. `availability` is the device's counter availability image, or NULL. */
enum rl_status rl_host_knows(const char *chip, const uint8_t *availability, struct rl_err *err);

/* Number of passes that `counters` need on `chip`; 0 if they cannot be scheduled: the chip lacks one, or they cannot be combined.
 * Takes about 1 ms. */
size_t rl_host_passes(const char *chip, const uint8_t *availability, const char *const *counters, size_t count);
/* Marks the counters that exist on the chip, by base name ("dram__bytes" of "dram__bytes.sum"). One call serves all; scheduling
 * each counter would take 1 ms. Returns false if CUPTI cannot list them. */
bool rl_host_list(const char *chip, const uint8_t *availability, const char *const *counters, size_t count, bool *available);

/* Packs the counters of `wanted` into single-pass configurations (pack.c) and verifies that each needs one pass. `available[i]` is
 * set if the chip supports counter i in a single pass. `configs` receives an array of `*count` (at least 1) elements: release each
 * with rl_config_release, the array with free. `wanted` must outlive them. */
enum rl_status rl_host_pack(const char *chip, const uint8_t *availability, const struct rl_configuration *wanted, bool *available,
                            struct rl_config **configs, size_t *count, struct rl_err *err);
/* Opens a host object for the configuration, which later evaluates its values, and builds its image. RL_UNSUPPORTED if it needs
 * more than one pass. */
enum rl_status rl_host_finish(struct rl_config *config, const char *chip, const uint8_t *availability, struct rl_err *err);
/* Builds one configuration of all supported counters with as many passes as necessary, for replay. Release `config` on success and
 * on failure. */
enum rl_status rl_host_join(const char *chip, const uint8_t *availability, const struct rl_configuration *wanted,
                            struct rl_config *config, struct rl_err *err);
/* Combines `count` configurations as passes of one image, in this order, if the back end and the chip support it. A configuration
 * that instruments code must be last, as in CUPTI's order. The first `alike` configurations have few counters each and share
 * counter data, which takes 5 ms to create (H200, CUPTI 13.0). All must outlive `*joint`; release it with rl_joint_free. `*joint`
 * is NULL if they stay separate. */
void rl_host_unite(struct rl_config *const *configs, size_t count, size_t alike, const char *chip, const uint8_t *availability,
                   struct rl_joint **joint);
/* Accepts NULL. */
void rl_joint_free(struct rl_joint *joint);
/* Closes the host object, frees the image and zeroes `config`. Accepts a zeroed one. */
void rl_config_release(struct rl_config *config);

/* ---- host_range.c: CUPTI's host library for other kinds of profiling than ranges, such as PM sampling ---- */

/* Opens a host object for a kind of profiling and a chip. `availability` is the device's counter availability image, or NULL. */
enum rl_status rl_host_open_for(CUpti_ProfilerType type, const char *chip, const uint8_t *availability,
                                CUpti_Profiler_Host_Object **host, struct rl_err *err);
/* Builds the configuration image of `counters` on an open host object, and counts its passes. Free `*image`. */
enum rl_status rl_host_image(CUpti_Profiler_Host_Object *host, const char *const *counters, size_t count, uint8_t **image,
                             size_t *image_size, size_t *passes, struct rl_err *err);
/* Accepts NULL. */
void rl_host_close(CUpti_Profiler_Host_Object *host);
