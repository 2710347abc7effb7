/* program.h - an observed program: where the GPU's time went.
 *
 * Everything here is sums and shares of what the capture has; nothing is estimated but the time of launches that were counted and
 * not timed (while counters were taken), which are taken to last as long as the timed ones of their class.
 */
#ifndef RL_ANALYSIS_PROGRAM_H
#define RL_ANALYSIS_PROGRAM_H

#include "capture/capture.h"

/* Short, stable name of a kernel class for cross-references, the same in every capture: "k" and five letters or digits of a hash of
 * (mangled) name and launch shape. */
enum { RL_KERNEL_ID = 8 };
void rl_kernel_id(const struct rl_kernel *kernel, char id[RL_KERNEL_ID]);

/* What the capture knows of a kernel class besides its row; NULL: nothing. */
const struct rl_kernel_use *rl_kernel_use_of(const struct rl_capture *capture, size_t kernel);
/* Whether the samples of a kernel class stand in the order of measuring. False for a part of the launches of an observed program in
 * captures that do not say so: then neither drift nor dependence can be told. */
bool rl_samples_in_order(const struct rl_capture *capture, size_t kernel);

/* What all launches of a kernel class took, in nanoseconds; 0 when none was timed. Where some were not, total_ns * launches /
 * timed. */
double rl_kernel_gpu_ns(const struct rl_capture *capture, size_t kernel);

/* Of several ranks: the classes of one id, put together. */
struct rl_program_class {
    size_t kernel;                   /* index in the capture; of several: the one with the most time */
    const struct rl_kernel_use *use; /* NULL: the capture has none; of several: of all, but for shape, reason and median */
    size_t count;                    /* of classes of the capture: 1, or more when it has ranks */
    uint64_t launches;
    char id[RL_KERNEL_ID];
    bool timed;   /* a launch was; otherwise gpu_s and share are 0 for want of a time: print what rl_class_gpu_s and _share give */
    double gpu_s; /* as rl_kernel_gpu_ns */
    double share; /* of the GPU time of all classes; 0..1 */
};
/* Both as above; missing when no launch was timed. */
struct rl_value rl_class_gpu_s(const struct rl_program_class *class);
struct rl_value rl_class_share(const struct rl_program_class *class);

/* A range with everything inside it. */
struct rl_program_range {
    size_t range; /* index in the capture */
    size_t depth; /* 0: outermost */
    double gpu_s, host_s;
    uint64_t launches;
    double share; /* of the GPU time of all timed kernels of its process, those outside of all ranges included; 0..1 */
};
struct rl_program_gpu {
    double kernel_s, busy_s, span_s;
    double busy_ns;        /* busy_s as a sum of whole nanoseconds */
    struct rl_value idle; /* 1 - busy/span, 0..1; missing when several processes used the GPU, or none was timed */
};
struct rl_program {
    const struct rl_capture *capture;
    struct rl_program_class *classes; /* the greatest share first */
    size_t class_count;
    struct rl_program_range *ranges; /* depth first, siblings by GPU time, the greatest first */
    size_t range_count;
    struct rl_program_gpu *gpus; /* one per GPU of the capture */
    double gpu_s;                /* of all classes */
    uint64_t launches, untimed, lost, unselected;
    double unselected_s;
    struct rl_value coverage; /* share of gpu_s of the classes with counters, 0..1; missing when there is no time */
    uint64_t counted;         /* launches of them whose counters were read */
    size_t counted_classes;
    struct rl_kernel_use *joined; /* what `use` of classes that were put together points into */
};

/* The time of each GPU of the capture, in all processes that used it: `gpus` has gpu_count elements. */
void rl_program_gpus(const struct rl_capture *capture, struct rl_program_gpu *gpus);

/* Whether the capture is of an observed program. */
bool rl_is_program(const struct rl_capture *capture);
/* Never fails on a validated capture. Free with rl_program_free, before the capture. */
struct rl_program *rl_program_new(const struct rl_capture *capture);
void rl_program_free(struct rl_program *program);

#endif
