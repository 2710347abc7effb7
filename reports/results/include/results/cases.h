/* cases.h - cases: work with parameters, timed several times (analysis/cases.h), and how they changed. The subject of
 * view_record_cases is a struct view_subject, its row a struct rl_cases. */
#ifndef RL_RESULTS_CASES_H
#define RL_RESULTS_CASES_H

#include "analysis/cases.h"
#include "results/subject.h"

extern const struct view_record view_record_cases;
/* The same without their kernels, among the tables of a capture. */
extern const struct view_record view_record_told_cases;
/* A row is a struct rl_case. */
extern const struct view_record view_record_case;
/* The same in one line. */
extern const struct view_record view_record_brief_case;
/* Its label where it fits into so many columns; otherwise without the parameters that its neighbours share. */
const char *view_case_label(const struct rl_case *of, size_t columns);
/* The cases of a struct view_subject. */
struct view_rows view_cases(const struct view *view);

/* A case in both captures: a row is a struct rl_case_pair. It looks at nothing but its row. */
extern const struct view_record view_record_case_pair;
/* Columns of such a table for people. */
#define VIEW_CASE_PAIR_COLUMNS "shown,base_s,new_s,time_text,interval,verdict"

#endif
