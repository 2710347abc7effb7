/* host.h - counter configurations, made by the back end in force (backend.h). Private to the collector. */
#pragma once

#include "collector/collector.h"
#include "core/core.h"
#include "cupti_api.h"

struct rl_joint;

/* A set of counters that one pass can collect, ready for the range profiler. */
struct rl_config {
    char *name;            /* "hardware", "sass"; "hardware 2" when the set had to be split */
    const char **counters; /* names, not owned: they belong to the caller's plan */
    size_t counter_count;
    const struct rl_collect_configuration *wanted; /* what it is a part of */
    uint8_t *image;                                /* CUPTI's configuration image */
    size_t image_size;
    void *host;                     /* the back end's: evaluates values of this configuration */
    const struct rl_joint *joint;   /* whose pass it is; NULL: it is by itself */
    size_t pass;                    /* which one */
    const struct rl_config *data;   /* of whose counters its counter data is; NULL: of its own */
    struct rl_config *const *parts; /* what its passes are, in order; NULL: CUPTI decides */
    size_t part_count;
};

/* Whether the counter is one of the configuration's. */
static inline bool rl_config_has(const struct rl_config *config, const char *counter)
{
    for (size_t i = 0; i < config->counter_count; i++)
        if (strcmp(config->counters[i], counter) == 0)
            return true;
    return false;
}

/* Configurations as the passes of one image. Between windows of them the profiler stays enabled, which makes a window 0.17 s
 * cheaper (H200, CUPTI 13.0); a configuration that follows another one on an enabled profiler by itself brings no values. */
struct rl_joint {
    struct rl_config all;     /* of the counters of all of them, each once */
    struct rl_config alike;   /* of those of the parts that share counter data: no image, and no host object */
    struct rl_config **parts; /* its passes, not owned */
    size_t passes;
};

/* RL_OK when the back end knows the chip; `availability` (may be NULL) is what the device at hand says of its counters. */
enum rl_status rl_host_knows(const char *chip, const uint8_t *availability, struct rl_err *err);

/* Passes that `counters` need together on `chip`; 0 when they cannot be scheduled (the chip lacks one, or they do not mix). Takes
 * about a millisecond. */
size_t rl_host_passes(const char *chip, const uint8_t *availability, const char *const *counters, size_t count);
/* Marks which counters exist on the chip by their base names ("dram__bytes" of "dram__bytes.sum"): one call for all, where
 * scheduling each one costs a millisecond. False when CUPTI does not list them. */
bool rl_host_list(const char *chip, const uint8_t *availability, const char *const *counters, size_t count, bool *available);

/* Packs the counters of `wanted` into single-pass configurations (pack.c). `available[i]` says whether the chip has counter i in
 * one pass. Every configuration is verified to take one pass. `configs` gets `*count` elements, at least one; release each with
 * rl_config_release and the array with free. `wanted` must outlive them. */
enum rl_status rl_host_pack(const char *chip, const uint8_t *availability, const struct rl_collect_configuration *wanted,
                            bool *available, struct rl_config **configs, size_t *count, struct rl_err *err);
/* Opens the configuration's own host object (it evaluates values later) and makes its image; RL_UNSUPPORTED when that takes more
 * than one pass. */
enum rl_status rl_host_finish(struct rl_config *config, const char *chip, const uint8_t *availability, struct rl_err *err);
/* The counters that the chip has as one configuration, of as many passes as it takes: for replay. Release `config` in every case.
 */
enum rl_status rl_host_join(const char *chip, const uint8_t *availability, const struct rl_collect_configuration *wanted,
                            struct rl_config *config, struct rl_err *err);
/* Makes `count` configurations passes of one image, in this order, if the back end and the chip have that. What instruments code
 * must be the last, as it is in CUPTI's order. The first `alike` of them have few counters each: they share counter data, which
 * takes 5 ms to make (H200, CUPTI 13.0). They must outlive `*joint`, which is NULL where they stay by themselves; release it with
 * rl_joint_free. */
void rl_host_unite(struct rl_config *const *configs, size_t count, size_t alike, const char *chip, const uint8_t *availability,
                   struct rl_joint **joint);
/* NULL is allowed. */
void rl_joint_free(struct rl_joint *joint);
/* Closes its host object and frees it; of a zeroed one, too, and zeroes it. */
void rl_config_release(struct rl_config *config);

/* ---- host_range.c: CUPTI's host library, for those who need more of it than configurations of ranges: samples of the whole GPU
 * ---- */

/* A host object for a kind of profiling and a chip; `availability` (may be NULL) is what the device at hand says of its counters.
 */
enum rl_status rl_host_open_for(CUpti_ProfilerType type, const char *chip, const uint8_t *availability,
                                CUpti_Profiler_Host_Object **host, struct rl_err *err);
/* The configuration image of `counters` on an open host object, to be freed, and the passes that it takes. */
enum rl_status rl_host_image(CUpti_Profiler_Host_Object *host, const char *const *counters, size_t count, uint8_t **image,
                             size_t *image_size, size_t *passes, struct rl_err *err);
/* NULL is allowed. */
void rl_host_close(CUpti_Profiler_Host_Object *host);
