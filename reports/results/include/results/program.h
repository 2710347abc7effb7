/* program.h - an observed program (analysis/program.h): rows are a struct rl_program and what it is made of. The subject is a
 * struct view_subject that has a program. */
#ifndef RL_RESULTS_PROGRAM_H
#define RL_RESULTS_PROGRAM_H

#include "results/view.h"

extern const struct view_record view_record_program;

#endif
