/* checklist.h - the optimisation checklist, ticked by evidence: good, attention or not measured, for a kernel and for a session.
 *
 * An item is a row of checklist.def. Where it rests on a rule of findings.def, value, threshold and verdict are the rule's, so that
 * checklist and findings never disagree.
 */
#ifndef RL_ANALYSIS_CHECKLIST_H
#define RL_ANALYSIS_CHECKLIST_H

#include "analysis/analysis.h"

enum rl_check_kind { RL_CHECK_RULE, RL_CHECK_KNOWN, RL_CHECK_UNMEASURED };

enum rl_check_id {
#define CHECK(id, ...) RL_CHECK_##id,
#include "analysis/checklist.def"
#undef CHECK
    RL_CHECK_COUNT
};
struct rl_check_info {
    const char *id, *group, *label;
    enum rl_check_kind kind;
    const char *by;      /* rule, or metric, or "" */
    const char *why_not; /* "" unless the kind is RL_CHECK_UNMEASURED */
};
extern const struct rl_check_info rl_checks[RL_CHECK_COUNT];
/* The rule that an item rests on; RL_RULE_COUNT: none. */
enum rl_rule rl_check_rule(enum rl_check_id id);

enum rl_check_state { RL_CHECK_NOT_MEASURED, RL_CHECK_GOOD, RL_CHECK_ATTENTION };
const char *rl_check_state_name(enum rl_check_state state); /* "not measured", "good", "attention" */

/* An item for one kernel; not measured where it rests on a rule about the card. */
struct rl_check {
    enum rl_check_state state;
    struct rl_value value; /* the figure, in the rule's unit; missing with the reason when not measured */
    struct rl_value gain;  /* upper bound of the speed-up; missing when there is none or none is known */
};
/* The checklist item for a kernel from the result of a rule of findings.def, of LAUNCH. */
struct rl_check rl_check_of_rule(const struct rl_kernel_result *kernel, enum rl_rule rule);
/* Whether of two kernels that a rule speaks of the first one shows more what it is about: the greater gain, any before none; of
 * equals the value further beyond the threshold. */
bool rl_check_outweighs(enum rl_rule rule, const struct rl_check *a, const struct rl_check *b);
/* The item for kernel number `kernel` of the capture. */
struct rl_check rl_check_kernel(const struct rl_analysis *analysis, size_t kernel, enum rl_check_id id);

/* An item for all kernels of a GPU but those of the self check: attention when some kernel needs it, good when none does and some
 * was judged. One that rests on a rule about the card is that rule's verdict, without kernels. */
struct rl_check_summary {
    enum rl_check_state state;
    size_t good, attention, not_measured; /* kernels */
    size_t foremost;                      /* of those that need it the one that outweighs the others; RL_NONE when none does */
    struct rl_value value, gain;          /* of the foremost; without one the reason of the first that was not measured */
};
/* The item for GPU number `gpu` of the capture. */
struct rl_check_summary rl_check_session(const struct rl_analysis *analysis, size_t gpu, enum rl_check_id id);

#endif
