/* findings.h - what was found, in the order of what matters. */
#ifndef RL_REPORTS_FINDINGS_H
#define RL_REPORTS_FINDINGS_H

#include "page.h"

/* Adds the list to a column, as far as there is room on the page: five findings at most, those that matter most first (wrong
 * results, claims that did not hold, the state of session and card, the largest gains; then claims that held or could not be
 * decided), none of which crowds out all of another kind. Each leads to its page; a line says where the others are. `keep` points
 * of the page below are left free. */
void rl_findings_add(struct rl_report *report, struct rl_box *box, size_t gpu, double keep);

#endif
