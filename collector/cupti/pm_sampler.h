/* pm_sampler.h - hardware counters of a whole GPU every few microseconds, taken from the collecting process. Private to the
 * collector.
 *
 *     rl_pm_open, or rl_pm_prepare -> rl_pm_enable -> { rl_pm_window } ... -> rl_pm_finish -> rl_pm_close
 *
 * Sampling needs no context of the observed program and does not stop its kernels. It is taken in windows that fit the hardware
 * buffer, and decoded between them: decoding in the observed program would hold up its launches. */
#ifndef RL_COLLECTOR_PM_SAMPLER_H
#define RL_COLLECTOR_PM_SAMPLER_H

#include "pm_config.h"

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
    uint64_t empty_for;           /* samples that the image is empty for; 0: it holds some */
    size_t held, taken;           /* samples in the image, and how many of these have been taken over: the rest is */
    size_t device;
    uint64_t interval_ns;    /* between samples, as asked for */
    uint64_t window_samples; /* that a window is sized for; halved after an overflow */
    size_t most;             /* rows of pm_counters.def that are asked for */
    bool tried;              /* samples with all of these were seen, or nothing more can be left out */
    bool by_clock;           /* the chip counts cycles of its system clock instead of time: samples say how long they are */
};
/* Makes the sampler of CUDA device `device` ready and begins CUDA in this process, without a context. RL_PERMISSION, RL_BUSY and
 * RL_UNSUPPORTED carry the cure. Close it in every case. */
enum rl_status rl_pm_open(struct rl_pm_sampler *sampler, size_t device, uint64_t interval_ns, struct rl_err *err);
/* Gives the GPU's counters back and frees everything; of one that could not be opened, too, and zeroes it. */
void rl_pm_close(struct rl_pm_sampler *sampler);
/* The first half of rl_pm_open: what takes long, and disturbs nobody. */
enum rl_status rl_pm_prepare(struct rl_pm_sampler *sampler, size_t device, uint64_t interval_ns, struct rl_err *err);
/* The second half: takes the device's sampling for `sampler`, whose configuration is made, and gets ready to start. The first time
 * a short window is tried: where a card does not count what is told of no kernel, not one sample comes, and `config` is made anew
 * without it. */
enum rl_status rl_pm_enable(struct rl_pm_sampler *sampler, struct rl_err *err);
/* How long a window is open. */
struct rl_pm_open {
    uint64_t samples;               /* at most; 0: those that it is sized for */
    int stop;                       /* when it becomes readable the window ends at once, and RL_PM_DECODE_NS later what it does
                                       for the window before, too: what is left is `cut`. -1: nothing */
    bool (*is_over)(void *context); /* asked every millisecond: it may end now. NULL: nobody is asked */
    void *context;
};
enum { RL_PM_DECODE_NS = 150000000 };
/* Samples for the length of a window, then decodes. What the window held is the rest, which is added to `samples` by the next calls
 * of this, rl_pm_get_ready and rl_pm_finish: to evaluate it takes a third as long as decoding, and the next window may be open
 * then. An overflow is no failure: what was sampled before it is kept, and the next window is shorter. */
enum rl_status rl_pm_window(struct rl_pm_sampler *sampler, const struct rl_pm_open *open, struct rl_pm_samples *samples,
                            struct rl_err *err);
/* Whether some of the last window has not been added to samples yet. */
bool rl_pm_has_rest(const struct rl_pm_sampler *sampler);
/* To be called again and again when nothing is awaited: adds a millisecond's worth of the rest to `samples`; when nothing is left
 * does ahead what the next window would do before it is decoded, if it is short (10 ms, once). */
enum rl_status rl_pm_get_ready(struct rl_pm_sampler *sampler, struct rl_pm_samples *samples, struct rl_err *err);
/* Adds the rest to `samples`. When `stop` (-1: nothing) becomes readable it goes on for RL_PM_DECODE_NS at most; what is left then
 * is `cut`. */
enum rl_status rl_pm_finish(struct rl_pm_sampler *sampler, int stop, struct rl_pm_samples *samples, struct rl_err *err);
/* Waits, but no longer than until `stop` (-1: nothing) is readable: true. A signal may end it early. */
bool rl_pm_pause(uint64_t ns, int stop);

#endif
