/* finding.h - a rule of findings.def while it is judged (private to analysis/). */
#ifndef RL_ANALYSIS_FINDING_H
#define RL_ANALYSIS_FINDING_H

#include "internal.h"

/* A rule about one subject, while it is judged. */
struct rl_look {
    struct rl_analysis *analysis;
    struct rl_eval *eval; /* points at the subject */
    size_t rule;
    bool of_library; /* the subject is a kernel of a library */
    struct rl_value value, gain;
};

/* Whether the value is there, and on that side of the number. */
static inline bool rl_exceeds(struct rl_value value, enum rl_relation_to relation, double number)
{
    return rl_present(value) && (relation == RL_ABOVE ? value.v > number : value.v < number);
}

/* An rl_fill: appends what stands for a name in the rule's words; `context` is a struct rl_look (finding_words.c). */
void rl_finding_fill(void *context, const char *name, size_t len, struct rl_buf *out);

#endif
