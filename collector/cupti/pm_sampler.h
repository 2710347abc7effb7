/* pm_sampler.h - hardware counters of a whole GPU every few microseconds, taken from the collecting process. Private to the
 * collector.
 *
 *     rl_pm_prepare -> rl_pm_enable -> { rl_pm_window } ... -> rl_pm_close
 *
 * Sampling needs no context of the observed program and does not stop its kernels. It is taken in windows that fit the hardware
 * buffer, and decoded between them: decoding in the observed program would hold up its launches. */
#pragma once

#include "core/core.h"
#include "host.h"

/* ---- pm_config.c: what one pass can sample on a chip, found by CUPTI's host library; needs no GPU ---- */

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
 * counters; of the first `most` rows. RL_UNSUPPORTED: the chip has no PM sampling, or not even the counter that shows when a kernel
 * runs and one more. Release `config` in every case. */
enum rl_status rl_pm_config_make(const char *chip, const uint8_t *availability, size_t most, struct rl_pm_config *config,
                                 struct rl_err *err);
/* Closes its host object and frees it; of a zeroed one, too, and zeroes it. */
void rl_pm_config_release(struct rl_pm_config *config);

/* Samples of all windows, in the order in which they were taken; times are the GPU's. */
struct rl_pm_samples {
    uint64_t *start_ns, *end_ns;
    double *values; /* a row of the configuration's counters for each sample */
    size_t count, start_cap, end_cap, value_cap;
    size_t windows, overflows; /* windows taken; those in which the hardware buffer was too small, whose end is missing */
    size_t cut;                /* samples taken, and dropped because the end was due before they were decoded */
};
/* Frees times and values; zeroes it. */
void rl_pm_samples_release(struct rl_pm_samples *samples);

struct rl_pm_sampler {
    struct rl_pm_config config;
    CUpti_PmSampling_Object *object;
    uint8_t *image;               /* counter data */
    size_t image_size, image_cap; /* as the last window needed it; of the longest window */
    size_t device;
    uint64_t interval_ns;    /* between samples, as asked for */
    uint64_t window_samples; /* that a window is sized for; halved after an overflow */
    size_t most;             /* rows of pm_counters.def that are asked for */
    bool tried;              /* samples with all of these were seen, or nothing more can be left out */
    bool by_clock;           /* the chip counts cycles of its system clock instead of time: samples say how long they are */
};
/* Gives the GPU's counters back and frees everything; of one that could not be opened, too, and zeroes it. */
void rl_pm_close(struct rl_pm_sampler *sampler);
/* Makes the configuration of CUDA device `device` and begins CUDA in this process, without a context: the slow part, which disturbs
 * no process. RL_PERMISSION, RL_BUSY and RL_UNSUPPORTED carry the cure. Close it in every case. */
enum rl_status rl_pm_prepare(struct rl_pm_sampler *sampler, size_t device, uint64_t interval_ns, struct rl_err *err);
/* Takes the device's sampling for `sampler`, whose configuration is made, and gets ready to start; errors as before. The first
 * time a short window is tried: where a card does not count what is of no kernel, not one sample comes, and `config` is made
 * anew without it. */
enum rl_status rl_pm_enable(struct rl_pm_sampler *sampler, struct rl_err *err);
/* Samples for the time of so many samples (0: those that a window is sized for), decodes them and adds them to `samples`. When
 * `stop` becomes readable (-1: nothing does) the window ends at once, and decoding RL_PM_DECODE_NS later: what is left then is
 * `cut`. An overflow is no failure: what was sampled before it is kept, and the next window is shorter. */
enum rl_status rl_pm_window(struct rl_pm_sampler *sampler, uint64_t length, int stop, struct rl_pm_samples *samples,
                            struct rl_err *err);
enum { RL_PM_DECODE_NS = 150000000 };
/* Waits, but no longer than until `stop` (-1: nothing) is readable: true. A signal may end it early. */
bool rl_pm_pause(uint64_t ns, int stop);

/* ---- pm_device.c: the driver in a process that samples: begun without a context ---- */

/* Begins CUDA in this process, on no device. RL_ABSENT: there is no driver, or it cannot be used. */
enum rl_status rl_pm_begin(struct rl_err *err);
/* Whether this process sees one device only, which is the program's then; CUDA has begun. */
bool rl_pm_is_only_device(void);
/* CUDA ordinal in this process of the device with this UUID; begins CUDA. RL_ABSENT: it is not visible here. */
enum rl_status rl_pm_find_device(const uint8_t uuid[16], size_t *device, struct rl_err *err);
