/* show_parts.h - what a capture as a whole is made of (private to reports/results/). */
#pragma once

#include "analysis/timeline.h"
#include "results/brief.h"
#include "results/results.h"
#include "results/show.h"

/* Names of kernels are shortened to so many columns for people, wherever they stand. */
enum { VIEW_NAME_COLUMNS = 44 };

/* The subject of the views of a capture. */
static inline const struct view_subject *view_subject_of(const struct view *view)
{
    return view->subject;
}

/* A line of a table of kernels: a kernel class, a family of classes, or a run of a variant as a whole. */
struct view_kernel {
    const struct rl_variant *variant;      /* NULL: not of the suite */
    const struct rl_kernel *kernel;        /* NULL: a run as a whole */
    const struct rl_kernel_result *result; /* NULL with `kernel` */
    const struct rl_variant_result *whole; /* of the variant; NULL with it */
    const struct rl_program_class *class;  /* NULL with `kernel` */
    const struct rl_family *family;        /* with figures: the row is of all its classes; NULL: of one */
    struct rl_value allowed;               /* present where the row may show performance; otherwise missing with the reason */
    struct rl_value median_s;
    const struct rl_stats *duration; /* s; NULL: `median_s` says why there is none */
    struct view_metrics metrics;
    bool part; /* a kernel of the run that a row above is of */
};
/* A class alone. */
struct view_kernel view_kernel_of_class(const struct view_subject *subject, size_t kernel);
/* A variant as a whole. */
struct view_kernel view_kernel_of_run(const struct view_subject *subject, size_t variant);
/* A family as one row. In the subject's arena: its duration. */
struct view_kernel view_kernel_of_family(struct view_subject *subject, const struct rl_family *family);

/* Whether its share of the roof rests on estimates from samples. */
bool view_kernel_roof_is_estimate(const struct view_kernel *row);

/* Rows: struct rl_capture, struct rl_experiment, struct rl_finding. */
extern const struct view_record view_record_session, view_record_experiment, view_record_finding;
/* A row is a struct rl_claim_result. */
extern const struct view_record view_record_claim;
/* A row is a struct rl_sampled_value. */
extern const struct view_record view_record_sampled;
/* Those of a kernel of the capture. */
struct view_rows view_sampled_of(const struct rl_capture *capture, size_t kernel);
/* Stalls of a kernel as a whole, from samples of its instructions: a row is a struct rl_sampled_stall. */
extern const struct view_record view_record_sampled_stall;
/* A field's function: that of a row of kernels; absent where no function of it was sampled. */
struct view_cell view_sampled_stall_cell(const struct view *view, const struct view_field *field, const void *row);
/* Occupancy that the resources of a launch allow: a row is a struct rl_occupancy. */
extern const struct view_record view_record_occupancy, view_record_clock;
/* A counter that was asked for by name: a row is a struct rl_counter. */
extern const struct view_record view_record_counter;
/* A field's function: those of a row of kernels, in the arena of the view; silently absent where none was asked for. */
struct view_cell view_counters_cell(const struct view *view, const struct view_field *field, const void *row);

/* ---- an observed program ---- */

/* Rows: struct rl_process, struct rl_program_gpu, struct rl_range's place in the tree (struct rl_program_range), struct
 * rl_transfer. */
extern const struct view_record view_record_process, view_record_program_gpu, view_record_range, view_record_transfer;
/* Rows: struct rl_program_class, struct rl_family (alone or of many shapes), struct rl_uncounted_reason. */
extern const struct view_record view_record_program_class, view_record_program_kernel, view_record_uncounted;

/* actions.c. Rows: GPU time of what one thing limits; struct rl_library_time; struct rl_action. */
extern const struct view_record view_record_limiter, view_record_library, view_record_action;
/* A field's function: those of all GPUs. */
struct view_cell view_limiters_cell(const struct view *view, const struct view_field *field, const void *row);
/* The same of libraries whose kernels ran. */
struct view_cell view_libraries_cell(const struct view *view, const struct view_field *field, const void *row);
/* The libraries with their shares in one text, "cuBLAS 43.2 %, NCCL 25.5 %". */
struct view_cell view_libraries_text_cell(const struct view *view, const struct view_field *field, const void *row);
/* The same of actions. */
struct view_cell view_actions_cell(const struct view *view, const struct view_field *field, const void *row);

/* Whether it is of a GPU that is shown. */
bool view_transfer_is_shown(const struct view *view, const void *row);
enum { VIEW_MOST_TIMELESS = 10, VIEW_MOST_REASONS = 5 };
struct rl_family;
struct view_subject;

/* The kernels with the most time, at most `most` (0: all) and VIEW_MOST_TIMELESS without a time. */
struct view_rows view_choose_kernels(const struct view *view, struct view_rows rows, size_t most);

/* ---- a timeline ---- */

/* One cause on all GPUs. */
struct view_gap_cause {
    bool is_unwatched;
    const char *cause, *label, *phrase, *advice, *range_path; /* range_path: of the longest gap; NULL: in none */
    uint64_t count;
    double time_s;
    struct rl_value share, most;
};
extern const struct view_record view_record_gap_cause;
/* Those with any time, the largest first, counter collection last. In the arena of the view. */
struct view_rows view_gap_causes(const struct view *view);

/* A field's function: why nothing is known over time; absent where something is. */
struct view_cell view_unknown_timelines(const struct view *view, const struct view_field *field, const void *row);

/* Lists of a struct rl_over_time: each kind of lanes, what overlapped, phases. */
extern const struct view_record view_record_timeline_lane, view_record_range_lane, view_record_moment, view_record_overlap,
    view_record_phase;
/* Seconds of one bin. */
extern const struct view_record view_record_bin_time;
enum view_lanes { VIEW_LANES_OF_TIME, VIEW_LANES_OF_RANGES, VIEW_LANES_OF_SAMPLES };
/* Functions of fields of a struct rl_over_time: lanes of the kind `key`; */
struct view_cell view_lanes_cell(const struct view *view, const struct view_field *field, const void *row);
/* seconds of each bin in which samples were taken; */
struct view_cell view_covered_cell(const struct view *view, const struct view_field *field, const void *row);
/* overlaps of which there is something; */
struct view_cell view_overlaps_cell(const struct view *view, const struct view_field *field, const void *row);
/* its phases; */
struct view_cell view_phases_cell(const struct view *view, const struct view_field *field, const void *row);
/* its times without a kernel. */
struct view_cell view_gaps_cell(const struct view *view, const struct view_field *field, const void *row);
/* Lanes of time that are shown: kernels first, then copies, then why none ran. */
struct view_rows view_choose_lanes(const struct view *view, struct view_rows rows, size_t most);
/* Whether a lane has any time. */
bool view_lane_has_time(const struct view *view, const void *row);
/* Steps of the picture of a lane. */
uint32_t view_steps(const struct rl_timeline *timeline);
/* The path of a range, in the arena of the view; NULL for RL_NONE. */
const char *view_range_path(const struct view *view, size_t range);

/* ---- a brief ---- */

/* A kernel: a class alone, or a family. */
struct view_brief_kernel {
    struct view_kernel kernel;
    const struct rl_family *family;
    const struct rl_kernel_result *told; /* whose limits and metrics are shown: its own, of a family those of the counted shape with
                                            the most time; NULL: none was counted */
    const struct rl_ranked_finding *findings; /* the first of its findings */
    size_t finding_count;
    bool detailed; /* with limits, findings and unknowns */
};
struct view_brief {
    struct view_subject *subject;
    bool chosen;     /* kernels were asked for */
    bool all;        /* every kernel is in `kernels` */
    size_t matching; /* kernels that match, or all */
    struct view_brief_kernel *kernels;
    size_t kernel_count;
    struct view_brief_kernel *others; /* where kernels were asked for: those that match and have less GPU time */
    size_t other_count;
    struct rl_ranked_finding *findings; /* of an overview: those that matter most */
    size_t finding_count;
    double told_share; /* of the GPU time: that of `kernels` and `others` */
};

/* An unknown: its reason, and the option that collects it. */
struct view_unknown {
    const char *what, *reason, *how; /* how: a command, or that none helps; NULL: the reason has it */
    size_t order;
    bool is_option;   /* `how` is an option that collects it */
    bool decides;     /* without it a limiter is unknown */
    uint64_t kernels; /* of an overview: so many have the same, with this share of the GPU time */
    double share;
};
/* The unknowns of one kernel, at most VIEW_BRIEF_UNKNOWN. In the arena of the view. */
struct view_rows view_unknown_of_kernel(const struct view *view, const struct view_brief_kernel *kernel);
/* The unknowns of an overview: why its kernels have no counters, the most GPU time first. */
struct view_rows view_unknown_of_brief(const struct view *view, const struct view_brief *brief);
extern const struct view_record view_record_unknown;

/* The largest cause of times without a kernel, where they are more than 3 % of the time; otherwise NULL. In the arena of the view.
 */
const void *view_gap_of_brief(const struct view *view);
extern const struct view_record view_record_brief_gap;

/* In a line; a row is a struct view_brief_kernel. */
extern const struct view_record view_record_brief_other;

/* Texts of a capture are shortened to so many columns, in data, too. */
enum { VIEW_BRIEF_TEXT = 360 };
/* In the arena of the view; cut behind a clause or a word, a single long word in its middle. */
const char *view_brief_text(const struct view *view, const char *text);
