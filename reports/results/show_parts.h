/* show_parts.h - what a capture as a whole is made of (private to reports/results/). */
#pragma once

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
