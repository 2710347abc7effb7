/* program.h - a profiled program: GPU time by kernel class, NVTX range and GPU.
 *
 * Shares, coverage and order refer to the GPU time of all launches, timed or not. Launches without a time are estimated from the
 * timed ones of their class if there are enough; otherwise they are left out, and the time is marked as a bound (struct
 * rl_class_time). All output of such times uses these functions.
 */
#pragma once

#include "capture/capture.h"

/* Short, stable name of a kernel class for cross-references, the same in every capture: "k" and five letters or digits of a hash of
 * (mangled) name and launch shape. */
enum { RL_KERNEL_ID = 8 };
/* Writes the id of the class, terminated. */
void rl_kernel_id(const struct rl_kernel *kernel, char id[RL_KERNEL_ID]);

/* The use of a kernel class in the profiled program; NULL: the capture has none. */
const struct rl_kernel_use *rl_kernel_use_of(const struct rl_capture *capture, size_t kernel);
/* Whether the samples of a kernel class are in the order of measuring. False for samples of a program in captures that do not state
 * it; drift and dependence cannot be tested then. */
bool rl_samples_in_order(const struct rl_capture *capture, size_t kernel);

/* How the GPU time of all launches of a class is known. */
enum rl_time_state {
    RL_TIME_NONE,      /* unknown: no launch was timed */
    RL_TIME_AT_LEAST,  /* too few launches were timed to estimate the others: a lower bound, the time of the timed ones */
    RL_TIME_ESTIMATED, /* launches without a time are taken to last as long as the mean of the timed ones */
    RL_TIME_WHOLE,     /* every launch was timed */
    RL_TIME_STATE_COUNT
};
enum { RL_LEAST_TIMED = 5 }; /* timed launches from which the others of their class are estimated */
/* "none", "at least", "estimated", "whole": stable. */
const char *rl_time_state_name(enum rl_time_state state);
/* Its meaning, in words; "" for a whole time. */
const char *rl_time_state_reason(enum rl_time_state state);
/* Prefix of a printed time: "≥" for a bound, "~" for an estimate, otherwise "". */
const char *rl_time_state_sign(enum rl_time_state state);

/* The GPU time of launches, all of one class or of several. */
struct rl_class_time {
    enum rl_time_state state;
    double ns;       /* total_ns * launches / timed; of a bound total_ns; 0: none */
    double error_ns; /* half of the 95 % CI of an estimate, were the timed launches drawn at random; otherwise 0 */
    uint64_t launches, timed;
};
/* The GPU time of a kernel class. In a capture without data on single launches (of the suite, imported) it is total_ns, whole. */
struct rl_class_time rl_class_time_of(const struct rl_capture *capture, size_t kernel);
/* Adds the time of another class. The sum is a bound if a part is unknown or a bound, otherwise an estimate if a part is. */
void rl_class_time_add(struct rl_class_time *sum, const struct rl_class_time *other);
/* Nanoseconds of rl_class_time_of: 0 when no launch was timed. */
double rl_kernel_gpu_ns(const struct rl_capture *capture, size_t kernel);

/* The classes of one id on several ranks, or GPUs that are alike, put together. */
struct rl_program_class {
    size_t kernel;                   /* index in the capture; of several: the one with the most time */
    const struct rl_kernel_use *use; /* NULL: the capture has none; of several: of all, but for shape, reason and median */
    size_t count;                    /* of classes of the capture: 1, or of several GPUs */
    uint64_t launches;
    char id[RL_KERNEL_ID];
    struct rl_class_time time;
    double gpu_s; /* time.ns in seconds, 0 without a time; print rl_class_gpu_s and rl_class_share instead */
    double share; /* of the GPU time of all classes; 0..1 */
    bool sampled; /* no launch was counted, and it has values from samples of the whole GPU; of several: one of them has */
};
/* GPU time in seconds; missing when no launch was timed. */
struct rl_value rl_class_gpu_s(const struct rl_program_class *class);
/* Share of the GPU time of all classes, 0..1; missing when no launch was timed. */
struct rl_value rl_class_share(const struct rl_program_class *class);
/* The classes of one GPU of the capture (RL_NONE: of all), with shares of their sum; the largest time first, then those without a
 * time, the most launches first. Allocated, to be freed by the caller; ranks are not put together. */
struct rl_program_class *rl_classes_of(const struct rl_capture *capture, size_t gpu, size_t *count);

/* Puts the classes of one kernel together that are of GPUs of one number (`of_gpu`; NULL: of all GPUs) and sorts them again: the
 * first stands for the others, of GPUs of one number that with counters. `joined` has room for `count`: what `use` points into
 * then. `into` (may be NULL) gets for each kernel of the capture the one of its class. Returns how many classes there are. */
size_t rl_classes_join(const struct rl_capture *capture, struct rl_program_class *classes, size_t count, const size_t *of_gpu,
                       struct rl_kernel_use *joined, size_t *into);

/* Coverage of the GPU time by times and counters. */
struct rl_coverage {
    struct rl_class_time time; /* of all launches */
    double covered_s;          /* part of it in classes with counters */
    struct rl_value share;     /* covered_s over the time, 0..1; missing without a time */
    uint64_t counted;          /* launches whose counters were read */
    size_t counted_classes;
    double sampled_s;                         /* of the time: classes without counters and with sampled values */
    size_t sampled_classes;                   /* which are so many */
    uint64_t estimated;                       /* launches without a time that were estimated */
    uint64_t bounded, timeless;               /* left out of the time: of classes with too few timed launches, with none */
    size_t bounded_classes, timeless_classes; /* of which there are so many */
};
/* Adds up the coverage of `count` classes. */
struct rl_coverage rl_coverage_of(const struct rl_program_class *classes, size_t count);
/* Appends how launches without a time are treated, in parts of a sentence: "~: 1115 others count as the mean of their class;
 * ≥: without 24 launches of 4 classes with under 5 timed; no share has 1 launch of 1 class without any time". Nothing when all
 * were timed. */
void rl_coverage_gaps_text(const struct rl_coverage *coverage, struct rl_buf *out);

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
    double busy_ns;       /* busy_s as a sum of whole nanoseconds */
    struct rl_value idle; /* 1 - busy/span, 0..1; missing when several processes used the GPU, or none was timed */
    double copy_s;        /* memcpys and memsets, added up */
    /* Overlap, s: kernels, memcpys and memsets added up, less the time in which any of them ran. Missing where idle is. */
    struct rl_value side_s;
    struct rl_value gap_s; /* idle time over the timed kernels, memcpys and memsets: from one to the next on average; missing where
                              idle is, and without any */
};
struct rl_program {
    const struct rl_capture *capture;
    struct rl_program_class *classes; /* the largest share first */
    size_t class_count;
    struct rl_program_range *ranges; /* depth first, siblings by GPU time, the largest first */
    size_t range_count;
    struct rl_program_gpu *gpus; /* one per GPU of the capture */
    double gpu_s;                /* of all classes: coverage.time in seconds */
    uint64_t launches, untimed, lost, unselected;
    double unselected_s;
    struct rl_coverage coverage;
    struct rl_kernel_use *joined; /* what `use` of classes that were put together points into */
};

/* The time of each GPU of the capture, in all processes that used it: `gpus` has gpu_count elements. */
void rl_program_gpus(const struct rl_capture *capture, struct rl_program_gpu *gpus);

/* Whether the capture is of a profiled program. */
bool rl_is_program(const struct rl_capture *capture);
/* Never fails on a validated capture. Free with rl_program_free, before the capture. */
struct rl_program *rl_program_new(const struct rl_capture *capture);
/* Frees it; NULL is allowed. */
void rl_program_free(struct rl_program *program);

/* A reason why classes have no counters, or fewer than asked for. */
struct rl_uncounted_reason {
    const char *reason;
    size_t classes;
    size_t first; /* index in program->classes: of these the one with the most time */
};
/* Each reason once: that of the most classes first, among equals that of the class with the most time. Allocated, to be freed by
 * the caller; the texts are the capture's. */
struct rl_uncounted_reason *rl_program_uncounted(const struct rl_program *program, size_t *count);
/* Why a class has no counters, or fewer than asked for, with the option that counts it; NULL: it has them. */
const char *rl_uncounted_reason(const struct rl_capture *capture, size_t kernel);
/* The option, where the reason is that of the whole session, which names none; otherwise NULL. */
const char *rl_uncounted_remedy(const struct rl_capture *capture, const char *reason);
/* The same of a session without any counters. */
const char *rl_remedy_of_session(const struct rl_capture *capture);
