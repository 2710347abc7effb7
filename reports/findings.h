/* findings.h - what was found, in the order of what matters. */
#ifndef RL_REPORTS_FINDINGS_H
#define RL_REPORTS_FINDINGS_H

#include "page.h"

/* Lays the list into the frame, as far as there is room on the page: wrong results, the state of session and card, claims that did
 * not hold, kernels by the time that they could save, claims that held, claims that could not be decided. Each line leads to its
 * page. */
void rl_findings_draw(struct rl_report *report, size_t gpu);

#endif
