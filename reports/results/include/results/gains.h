/* gains.h - predicted gains of rules and measured ones (analysis/gains.h). The subject is a struct view_subject.
 */
#ifndef RL_RESULTS_GAINS_H
#define RL_RESULTS_GAINS_H

#include "results/subject.h"
#include "results/view.h"

/* A prediction: a row is a struct rl_gain_record. */
extern const struct view_record view_record_gain;
/* All of a capture: a row is a struct view_subject. */
extern const struct view_record view_record_gains;
/* The records of the capture. */
struct view_rows view_gains(const struct view_subject *subject);

#endif
