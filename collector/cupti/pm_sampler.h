/* pm_sampler.h - PM sampling: hardware counters of a whole GPU every few microseconds, read by the collecting process. Private to
 * the collector.
 *
 *     rl_pm_prepare -> rl_pm_enable -> { rl_pm_window } ... -> rl_pm_close
 *
 * Sampling needs no context of the profiled program and does not stop its kernels. Sampling windows are sized for the hardware
 * buffer and decoded in between, in the collecting process: decoding in the program would delay its launches. */
#pragma once

#include "host.h"

/* ---- pm_config.c: the counters that one pass can sample on a chip, from CUPTI's host library; needs no GPU ---- */

enum rl_pm_counter {
#define PM_COUNTER(id, ...) RL_PM_##id,
#include "pm_counters.def"
    RL_PM_COUNTERS,
    RL_PM_FIRST_BESIDE = RL_PM_sm_elapsed,
    RL_PM_FIRST_LINK = RL_PM_nvlink_received
};

/* Counters that are sampled together in one pass. */
struct rl_pm_config {
    size_t count;
    enum rl_pm_counter counter[RL_PM_COUNTERS];
    char *metrics[RL_PM_COUNTERS]; /* CUPTI's names: "TPC.TriageCompute.sm__cycles_active.sum" */
    uint8_t *image;
    size_t image_size;
    CUpti_Profiler_Host_Object *host; /* evaluates samples */
};
/* Packs as many of the first `most` rows of pm_counters.def, in their order, as one pass can sample. `availability` is the device's
 * counter availability image, or NULL. RL_UNSUPPORTED: the chip has no PM sampling, or cannot sample kernel activity and at least
 * one more counter. Release `config` on success and on failure. */
enum rl_status rl_pm_config_make(const char *chip, const uint8_t *availability, size_t most, struct rl_pm_config *config,
                                 struct rl_err *err);
/* Closes the host object, frees the image and zeroes `config`. Accepts a zeroed one. */
void rl_pm_config_release(struct rl_pm_config *config);

/* Samples of all windows in the order in which they were taken, with the GPU's timestamps. */
struct rl_pm_samples {
    uint64_t *start_ns, *end_ns;
    double *values; /* one row per sample: the counters of the configuration */
    size_t count, start_cap, end_cap, value_cap;
    size_t windows, overflows; /* windows taken; windows whose end is missing because the hardware buffer overflowed */
    size_t cut;                /* samples taken but dropped because sampling ended before they were decoded */
};
/* Frees the arrays and zeroes `samples`. */
void rl_pm_samples_release(struct rl_pm_samples *samples);

struct rl_pm_sampler {
    struct rl_pm_config config;
    CUpti_PmSampling_Object *object;
    uint8_t *image;               /* CUPTI's counter data */
    size_t image_size, image_cap; /* size in use for the last window; allocated for the longest window */
    size_t device;
    uint64_t interval_ns;    /* requested time between samples */
    uint64_t window_samples; /* samples per window; halved after an overflow */
    size_t most;             /* number of rows of pm_counters.def that are requested */
    bool tried;              /* samples with all these counters arrived, or no counter can be left out */
    bool by_clock;           /* the chip counts system clock cycles instead of time; samples carry their length */
};
/* Releases the GPU's counters, frees everything and zeroes `sampler`. Accepts one that failed to open. */
void rl_pm_close(struct rl_pm_sampler *sampler);
/* Prepares the configuration of CUDA device `device` and initialises CUDA in this process, without a context. This is slow but
 * disturbs no other process. Errors RL_PERMISSION, RL_BUSY and RL_UNSUPPORTED include the remedy. Call rl_pm_close on success and
 * on failure. */
enum rl_status rl_pm_prepare(struct rl_pm_sampler *sampler, size_t device, uint64_t interval_ns, struct rl_err *err);
/* Acquires PM sampling of the device for `sampler`, whose configuration is prepared; errors as above. The first call tries a short
 * window: a GPU that cannot sample the counters outside kernels returns no samples at all, and `config` is then rebuilt without
 * them. */
enum rl_status rl_pm_enable(struct rl_pm_sampler *sampler, struct rl_err *err);
/* Samples for `length` samples (0: the default length of a window), decodes them and appends them to `samples`. When `stop` (-1:
 * none) becomes readable the window ends at once, and decoding ends RL_PM_DECODE_NS later; samples not yet decoded are counted in
 * `cut`. An overflow is not an error: earlier samples are kept and the next window is shorter. */
enum rl_status rl_pm_window(struct rl_pm_sampler *sampler, uint64_t length, int stop, struct rl_pm_samples *samples,
                            struct rl_err *err);
enum { RL_PM_DECODE_NS = 150000000 };
/* Waits for `ns`, or until `stop` (-1: none) is readable; true if it is. A signal may end the wait early. */
bool rl_pm_pause(uint64_t ns, int stop);

/* ---- pm_device.c: CUDA in the sampling process, initialised without a context ---- */

/* Initialises CUDA in this process without a context. RL_ABSENT: there is no usable driver. */
enum rl_status rl_pm_begin(struct rl_err *err);
/* Whether this process sees exactly one device, which must then be the program's. Requires rl_pm_begin. */
bool rl_pm_is_only_device(void);
/* Finds the CUDA ordinal in this process of the device with this UUID; initialises CUDA. RL_ABSENT: the device is not visible here.
 */
enum rl_status rl_pm_find_device(const uint8_t uuid[16], size_t *device, struct rl_err *err);
