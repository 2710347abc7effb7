/* source.h - where the warps of a kernel stood, and why: by reason, source line and instruction (analysis/pc.h). */
#ifndef RL_RESULTS_SOURCE_H
#define RL_RESULTS_SOURCE_H

#include <regex.h>

#include "results/subject.h"

/* Kernels at most, so that the result stays readable; what is left out is counted. */
enum { VIEW_SOURCE_KERNELS = 8 };

struct view_source;
extern const struct view_record view_record_source;
/* A line of one kernel; a row is one of view_source_lines. */
extern const struct view_record view_record_source_line;

/* A kernel: a row is what view_source_of_kernel returns. */
extern const struct view_record view_record_source_kernel;
struct source_kernel;

/* Sampled instructions of a kernel or a family; NULL: there are none. Lives as long as the subject. */
const struct source_kernel *view_source_of_kernel(struct view_subject *subject, const struct rl_family *family);

/* Whether it is known of an instruction what it says. */
bool view_source_has_sass(const struct source_kernel *source);

/* Kernels whose name, label or id matches the expression, those with the most samples first. Lives as long as the subject.
 */
struct view_source *view_source_new(struct view_subject *subject, const regex_t *only);
/* How many match. */
size_t view_source_matching(const struct view_source *source);
/* All lines of the kernels that are shown. */
struct view_rows view_source_lines(const struct view_source *source);

#endif
