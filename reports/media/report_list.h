/* report_list.h - which sections the report of a capture has. */
#ifndef RL_REPORTS_REPORT_LIST_H
#define RL_REPORTS_REPORT_LIST_H

#include "page.h"

/* Reports of captures: their subject is a `struct rl_report`. */
extern const struct rl_document_kind rl_report_kind;

/* Adds the sections that there are of those wanted, once the kernels with a block are chosen. */
void rl_report_list(struct rl_report *report);

#endif
