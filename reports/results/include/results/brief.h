/* brief.h - a short summary of a capture, for people and for programs that optimise kernels. The subject is a struct view_subject.
 *
 * Without a choice of kernels it is an overview: the kernels with the most GPU time, a line each, and the first findings. With a
 * choice it has one kernel: time, limiter, share of each roof, stalls, findings, and unknowns with the option that collects them.
 * If several match, it is the one with the most GPU time, and the others have a line each. As text or JSON an overview has at most
 * 8 kB, a kernel 6 kB: lists end after a few rows with the number of the others, and long texts are shortened.
 */
#pragma once

#include <regex.h>

#include "results/subject.h"

enum {
    VIEW_BRIEF_KERNELS = 10, /* of an overview; half of it where there are cases */
    VIEW_BRIEF_CASES = 4,
    VIEW_BRIEF_OTHERS = 4,    /* that match as well as the one in detail */
    VIEW_BRIEF_RESOURCES = 8, /* of a kernel: the ones it uses most */
    VIEW_BRIEF_STALLS = 3,
    VIEW_BRIEF_FINDINGS = 3, /* of the whole, and of a kernel */
    VIEW_BRIEF_UNKNOWN = 4,  /* unknowns of a kernel, or of all */
};

struct view_brief;
/* Chooses the rows; they live as long as the subject. `only`: kernels of which the name, the label or the id matches; NULL: an
 * overview of all. */
struct view_brief *view_brief_new(struct view_subject *subject, const regex_t *only);
/* With every kernel, for the list of unknowns. */
struct view_brief *view_brief_of_all(struct view_subject *subject);
/* The number of kernels: those that match, or all. */
size_t view_brief_count(const struct view_brief *brief);

struct view_brief_kernel;
/* A kernel in detail: its limiter, resources, stalls, findings and unknowns. It lives as long as the subject; `ranked` (all
 * findings, rl_findings_rank) must, too. */
const struct view_brief_kernel *view_brief_kernel_new(struct view_subject *subject, const struct rl_family *family,
                                                      const struct rl_ranked_finding *ranked, size_t count);
/* The result that its limiter and resources are of: of a family that of its counted shape with the most time. NULL: none. */
const struct rl_kernel_result *view_brief_kernel_result(const struct view_brief_kernel *kernel);
/* A row is a struct view_brief_kernel. */
extern const struct view_record view_record_brief_kernel;
/* How a kernel differs between GPUs that are alike: a template of that record, where `gpus` is present. */
#define VIEW_BRIEF_GPUS "{gpus} that are alike[, medians {gpus_low_s} to {gpus_high_s}][, {gpus_roof}]; below: GPU {gpu}"

/* Appends the evidence for a limiter; for a class without counters only "not counted", because its reason is printed elsewhere. */
void view_why_format(struct rl_buf *out, const struct rl_limiting *limits);
#define VIEW_TIED_HELP                                                                                                             \
    "ids of other resources at 60 % or more whose intervals overlap that of the limiter, so that any of them may have the "        \
    "largest share; absent: none"
#define VIEW_LIMITERS_HELP "limiters of the configurations, that of most of the time first; absent: one configuration"
/* "collect --metrics topstalls counts them": the option that would decide an unknown limiter; NULL: none, or not needed. */
const char *view_how_to_decide(const struct view *view, const struct rl_limiting *limits);

/* Appends what was found, and on how many more GPUs like that one. */
void view_finding_text(const struct rl_ranked_finding *ranked, struct rl_buf *out);
/* Marks those of a list whose action an earlier one has (`repeats`): their texts end with a reference to it. */
void view_findings_once(struct rl_ranked_finding *findings, size_t count);
/* A finding: a row is a struct rl_ranked_finding. */
extern const struct view_record view_record_brief_finding;

/* A row is a struct view_brief. */
extern const struct view_record view_record_brief;
