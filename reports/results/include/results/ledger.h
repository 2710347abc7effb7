/* ledger.h - what became of the values of imported files: rows are a struct rl_ledger_row (capture/ledger.h). */
#ifndef RL_RESULTS_LEDGER_H
#define RL_RESULTS_LEDGER_H

#include "capture/capture.h"
#include "results/view.h"

extern const struct view_record view_record_ledger_row;

/* The rows of a capture in the order for people: contradicted ones first, those that are kept under their own names last; `brief`:
 * of the latter, and of columns, but one row that counts them. Valid as long as capture and arena are. */
struct view_rows view_ledger_rows(const struct rl_capture *capture, bool brief, struct rl_arena *arena);

#endif
