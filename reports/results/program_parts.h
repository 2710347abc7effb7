/* program_parts.h - what an observed program is made of (private to reports/results/). */
#pragma once

#include "results/view.h"

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
