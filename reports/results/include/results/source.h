/* source.h - PC samples of kernels by stall reason, source line and instruction (analysis/pc.h). */
#pragma once

#include <regex.h>

#include "results/subject.h"

/* Largest number of kernels shown; the others are counted. */
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

/* Whether the text of any instruction is known. */
bool view_source_has_sass(const struct source_kernel *source);

/* Kernels whose name, label or id matches the expression, those with the most samples first. Lives as long as the subject.
 */
struct view_source *view_source_new(struct view_subject *subject, const regex_t *only);
/* How many match. */
size_t view_source_matching(const struct view_source *source);
/* All lines of the kernels that are shown. */
struct view_rows view_source_lines(const struct view_source *source);
