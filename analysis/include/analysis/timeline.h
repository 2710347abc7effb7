/* timeline.h - the activity of each GPU of a profiled program over time, from the bins of the capture: busy time by activity,
 * overlap, causes of time without a kernel, and phases.
 *
 * It needs only the times of kernels, memcpys and memsets. Shares are of the wall time: from the first activity to the last,
 * without counter collection.
 */
#pragma once

#include "analysis/analysis.h"

/* PM samples over time (capture/program.h): rates of memory and links, and activity of the SMs, of all processes on the GPU.
 * Samples are taken in windows: times without samples are unknown, and a mean is over the sampled time. */

enum rl_moment {
#define MOMENT(counter, ...) RL_MOMENT_##counter,
#include "analysis/moments.def"
    RL_MOMENT_COUNT
};
struct rl_moment_row {
    enum rl_sampled_counter counter;
    enum rl_unit unit;
    const char *label, *meaning;
};
extern const struct rl_moment_row rl_moments[RL_MOMENT_COUNT];

/* One of them on one timeline. */
struct rl_moment_lane {
    enum rl_moment moment;
    size_t lane;                    /* in the capture */
    size_t whole;                   /* the lane of elapsed cycles, if it is a share of these; RL_NONE: it is a rate */
    double factor;                  /* of such a cycle */
    struct rl_value mean, greatest; /* over all time with samples; of a bin; missing: a share of what is unknown */
    struct rl_value roof, share;    /* its maximum; the mean over it */
};
/* Those of a timeline, in the order of the rows above, and when samples were taken. */
struct rl_moments {
    struct rl_moment_lane at[RL_MOMENT_COUNT];
    size_t count;            /* 0: it has none */
    double covered_s;        /* with samples */
    struct rl_value covered; /* of the time axis; missing without samples */
    struct rl_value from_s,
        to_s; /* the longest time of bins without a sample, from the beginning of the axis; missing: there is none */
};

/* The rate, or the share, between two bins, the latter left out: missing where there is no sample. */
struct rl_value rl_moment_between(const struct rl_capture *capture, const struct rl_moment_lane *of, uint32_t from, uint32_t to);
/* How much of the time between two bins has samples, s. */
double rl_moment_covered_s(const struct rl_capture *capture, const struct rl_moment_lane *of, uint32_t from, uint32_t to);

/* ---- why no kernel ran ---- */

struct rl_gap_cause {
    enum rl_lane lane;
    const char *label, *phrase; /* a noun; "while ...", "after ..." */
    const char *action;         /* what to do, in few words; "": no advice */
    const char *advice;         /* the same in a sentence, or why there is none */
    const char *rule;           /* its rule in findings.def; NULL: none */
};
enum { RL_GAP_CAUSE_COUNT = RL_LANE_UNWATCHED - RL_LANE_IDLE_COPY + 1 };
/* The cause that a lane of times between kernels stands for. */
const struct rl_gap_cause *rl_gap_cause_of(enum rl_lane lane);

/* Times without a kernel that have one cause and ended with a launch from one range. */
struct rl_gap {
    size_t over_time; /* index in the analysis */
    enum rl_lane cause;
    size_t range; /* RL_NONE: none, or unknown */
    uint64_t count;
    double total_s, longest_s;
    struct rl_value share; /* of the wall time; missing for counter collection */
};

/* ---- what overlapped ---- */

enum rl_overlap {
#define OVERLAP(symbol, ...) RL_OVERLAP_##symbol,
#include "analysis/overlaps.def"
    RL_OVERLAP_COUNT
};
struct rl_overlap_row {
    const char *id, *label;
    enum rl_lane whole;
    const char *help;
};
extern const struct rl_overlap_row rl_overlaps[RL_OVERLAP_COUNT];
/* Bounds of the overlap, s. Equal if unions of intervals give it exactly; different if collectives overlap memcpys. */
struct rl_overlap_time {
    double whole_s, low_s, high_s;
    struct rl_value low, high; /* shares of the whole; missing where there is nothing of it */
};

/* ---- phases ---- */

enum rl_phase_kind {
    RL_PHASE_RANGE,   /* an outermost NVTX range */
    RL_PHASE_OUTSIDE, /* what was launched outside of all the others */
#define PHASE(symbol, ...) RL_PHASE_##symbol,
#include "analysis/phases.def"
    RL_PHASE_KIND_COUNT
};
/* "range", "outside", "prefill", ... */
const char *rl_phase_kind_name(enum rl_phase_kind kind);

/* A phase. If ranges are named after phases of inference, phases are these and the rest; otherwise the outermost ranges and the
 * launches outside of them. */
struct rl_phase {
    enum rl_phase_kind kind;
    size_t range; /* the first of its ranges; RL_NONE: outside */
    uint64_t instances, launches;
    struct rl_value gpu_s; /* its timed kernels, added up; missing where the process used several GPUs */
    double host_s;         /* between entering and leaving, by the host's clock */
    double no_kernel_s;    /* before its launches; without counter collection */
    double gap_s[RL_LANE_COUNT];
    enum rl_lane cause; /* the largest one of no_kernel_s; RL_LANE_COUNT: there is none */
};

/* ---- one GPU, as one process used it ---- */

struct rl_over_time {
    const struct rl_timeline *timeline;
    size_t first_lane, lane_count;             /* in the capture */
    size_t first_range_lane, range_lane_count; /* the same of idle time by range; none: the capture does not say */
    double axis_s;                             /* all bins */
    double lane_s[RL_LANE_COUNT];              /* of RL_LANE_CLASS: of all of them */
    double wall_s;                             /* from the first activity to the last, without counter collection */
    double collection_s;                       /* counter collection on the axis, before the first kernel too */
    double no_kernel_s;                        /* of the wall time: no kernel ran */
    double idle_s;                             /* of the wall time: nothing ran */
    double edge_s;                             /* of the idle time: before the first kernel or after the last */
    struct rl_value no_kernel;                 /* its share of the wall time; missing: no kernel ran */
    struct rl_value at_once;                   /* kernels at once on average, while any ran */
    struct rl_overlap_time overlap[RL_OVERLAP_COUNT];
    const struct rl_gap *gaps; /* the one with the most time first, what was not observed last; of the analysis' list of all */
    size_t gap_count;
    const struct rl_phase *phases; /* the one with the most time first */
    size_t phase_count;
    struct rl_moments moments; /* samples of the whole GPU */
    bool is_shared;            /* other processes also used the GPU; their activity is not included */
};

/* Share of the wall time in which no kernel ran for that cause. Missing where the capture does not say when
 * kernels ran, and where several processes used the GPU: one may have been busy while another one was not. */
struct rl_value rl_gap_share(const struct rl_analysis *analysis, size_t gpu, enum rl_lane cause);
/* The largest cause of time without a kernel, other than counter collection; NULL: none. */
const struct rl_gap_cause *rl_greatest_gap_cause(const struct rl_over_time *over);
/* The largest gap of a cause on a GPU that is not shared; NULL: there is none. */
const struct rl_gap *rl_greatest_gap(const struct rl_analysis *analysis, size_t gpu, enum rl_lane cause);

/* Wall time of a GPU, s; 0: unknown. */
double rl_gap_wall_s(const struct rl_analysis *analysis, size_t gpu);

/* "request > decode": a range and those around it, the outermost first, domains before an "@". */
void rl_range_path(const struct rl_capture *capture, size_t range, struct rl_buf *out);

/* GPU time of a lane of kernels, as tables of kernels have it: of all launches of its class, or of the classes without a lane. Of
 * other lanes, and where other processes used the GPU, too, it is the time of the bins. */
struct rl_class_time rl_lane_time_of(const struct rl_capture *capture, const struct rl_over_time *over,
                                     const struct rl_timeline_lane *lane);

/* Where the host was in a lane of idle time of the capture: the path of its range, "other NVTX ranges" or "outside
 * of all NVTX ranges". */
void rl_range_lane_label(const struct rl_capture *capture, const struct rl_range_lane *lane, struct rl_buf *out);
/* Adds the nanoseconds of each bin of a lane to `ns`, which has room for the bins of its timeline; of the capture's timeline_bins,
 * or of its range_bins. */
void rl_lane_add_to(const struct rl_timeline_bin *bins, size_t count, size_t lane, double *ns);
