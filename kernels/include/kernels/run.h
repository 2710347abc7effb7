/* run.h - running a variant of the suite on a device (CUDA builds only).
 *
 * Life of a run: rl_device_open -> setup -> verify -> launch, any number of times -> teardown. `launch` enqueues exactly the work
 * that is timed and counted, on run->stream, and does not synchronise. All launches of a .cu file use rl_enqueue (device.cuh),
 * which records their shape and resources in run->launches while `recording` is set. Launches of a library are not recorded: such a
 * variant is timed by span, and its kernels are not counted. Only runs timed by wall clock may use other streams and graphs, and
 * wait; their work must end before work that is enqueued on run->stream after `launch` returns.
 */
#pragma once

#include "core/err.h"
#include "core/setting.h"
#include "kernels/suite.h"

enum {
    RL_MAX_LAUNCHES = 16,  /* different ones in one run */
    RL_MAX_SEQUENCE = 4096 /* in all */
};

/* Injected faults, for tests that checks detect them. */
enum rl_fault {
    RL_FAULT_NONE,
    RL_FAULT_NO_LAUNCH, /* `launch` records its kernels but runs none of them */
    RL_FAULT_ELEMENT,   /* `verify` changes one element of the output before it compares */
};

/* Shape and resources of one kernel launch, as the CUDA runtime reports them. */
struct rl_launch {
    const char *name; /* mangled; owned by the runtime */
    uint32_t grid[3], block[3];
    uint64_t dynamic_shared_bytes;
    int registers_per_thread;
    uint64_t static_shared_bytes, local_bytes_per_thread;
    size_t count; /* in one run of the variant */
};

struct rl_suite_run {
    const struct rl_suite_experiment *experiment;
    const struct rl_suite_variant *variant;
    uint64_t size;
    uint64_t seed; /* of the random input */
    void *stream;  /* cudaStream_t */
    int sm_count;
    bool recording;
    struct rl_launch launches[RL_MAX_LAUNCHES]; /* different ones, in the order of their first appearance */
    size_t launch_count;
    uint8_t sequence[RL_MAX_SEQUENCE]; /* all launches of a run in order: indices into launches */
    size_t sequence_count;
    size_t
        skipped; /* launches at the start of a run that rl_enqueue does not make (rl_suite_repeats); 0 unless counters are taken */
    size_t enqueued;     /* launches of the current run so far, while some are skipped */
    void *state;         /* of the .cu file, between setup and teardown */
    enum rl_fault fault; /* RL_FAULT_NONE outside tests */
};

/* Result of the comparison with the CPU reference. All zero: not compared yet. */
struct rl_suite_check {
    bool correct;
    struct rl_deviation deviation; /* where elements were compared */
    char text[160];                /* for readers: "134217728 elements, largest error 0", "element 17: 3.5, expected 4.25" */
};

/* Number of launches at the start of a run that need not be counted because the last ones repeat them: all but the last 16, which
 * warm the caches, if each kernel of the run is among those; otherwise 0. Only the last launch of each kernel is counted, and
 * profiling a launch takes hundreds of times as long as an empty one. */
size_t rl_suite_repeats(const struct rl_suite_run *run);

struct rl_suite_ops {
    /* Allocates and fills the inputs (random, never all zero). RL_UNSUPPORTED with the reason if the device does not support it,
     * e.g. "needs 1.0 GiB of device memory, 0.3 GiB is free", or the experiment does not support the size; RL_USAGE for size 0. On
     * failure nothing stays allocated. */
    enum rl_status (*setup)(struct rl_suite_run *run, struct rl_err *err);
    enum rl_status (*launch)(struct rl_suite_run *run, struct rl_err *err);
    /* Poisons the outputs, restores the inputs, launches once and compares with a CPU reference. The device data can be used for
     * further launches. */
    enum rl_status (*verify)(struct rl_suite_run *run, struct rl_suite_check *check, struct rl_err *err);
    /* Frees the memory of setup; no effect if setup failed. */
    void (*teardown)(struct rl_suite_run *run);
};

/* Makes CUDA device `index` current for this thread and creates a stream. RL_ABSENT: no such device, or no driver;
 * RL_UNSUPPORTED: the driver is too old, or the program holds no code for this device. `sm_count` may be NULL. */
enum rl_status rl_device_open(int index, void **stream, int *sm_count, struct rl_err *err);
/* Destroys the stream; NULL is allowed. The context stays. */
void rl_device_close(void *stream);
/* Waits for the stream; a kernel fault is reported here. RL_TIMEOUT when it is still busy after the time limit: then the device is
 * lost to this process. */
enum rl_status rl_device_wait(void *stream, struct rl_err *err);
/* Time limit of rl_device_wait in seconds; 60 at first. */
void rl_device_set_time_limit(double seconds);
/* False when a fault has made the device unusable for this process. */
bool rl_device_usable(void);
/* Number of devices; RL_ABSENT with the reason when CUDA cannot be used, RL_UNSUPPORTED when the driver is too old for this
 * program. */
enum rl_status rl_device_count(int *count, struct rl_err *err);

/* Times one `launch` with CUDA events, in nanoseconds: the fallback where the Activity API is not available. */
enum rl_status rl_device_time_events(struct rl_suite_run *run, const struct rl_suite_ops *ops, uint64_t *duration_ns,
                                     struct rl_err *err);

/* ---- back-to-back launches: the reference for every other clock ----
 *
 * All launches are queued behind a kernel that waits for the host, so that none waits for the processor. The difference of the
 * times of two numbers of launches gives the time from one launch to the next, without the overhead of events. The waiting kernel
 * gives up after 5 ms, so launching must not take longer. */

/* Event time in ns of `runs` calls of `launch`, one after another. */
enum rl_status rl_device_time_queue(struct rl_suite_run *run, const struct rl_suite_ops *ops, unsigned runs, double *elapsed_ns,
                                    struct rl_err *err);
/* The same for a kernel of one warp that lasts `spin_ns` by the GPU's global timer; 0: an empty one. */
enum rl_status rl_device_time_spins(void *stream, uint64_t spin_ns, unsigned runs, double *elapsed_ns, struct rl_err *err);
/* Launches that kernel `runs` times and waits for it. */
enum rl_status rl_device_spin(void *stream, uint64_t spin_ns, unsigned runs, struct rl_err *err);
/* Launches an empty kernel, and does not wait. */
enum rl_status rl_device_launch_empty(void *stream, unsigned blocks, unsigned threads, struct rl_err *err);

/* Allocates `bytes` of the current device until the process ends, so that later allocations are at other addresses than in a
 * process with another amount; 0: none. */
enum rl_status rl_device_displace(size_t bytes, struct rl_err *err);
