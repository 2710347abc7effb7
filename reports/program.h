/* program.h - tables of the page about an observed program (private to reports/). */
#ifndef RL_REPORTS_PROGRAM_H
#define RL_REPORTS_PROGRAM_H

#include "analysis/program.h"
#include "page.h"

/* Lay tables of the NVTX ranges, of copies and sets, and of the processes, where there are any. */
void rl_program_draw_ranges(struct rl_report *report, const struct rl_program *program);
/* Copies and sets. */
void rl_program_draw_transfers(struct rl_report *report);
/* Processes. */
void rl_program_draw_processes(struct rl_report *report);
/* How a process ended: "exit status 0". */
const char *rl_program_end_text(struct rl_report *report, const struct rl_process *process);

#endif
