/* ceilings_table.h - the ceilings of a GPU as a table: theory, and what the micro-benchmarks reached of it. */
#ifndef RL_REPORTS_CEILINGS_TABLE_H
#define RL_REPORTS_CEILINGS_TABLE_H

#include "page.h"

/* All ceilings in the order in which people look for them: by level, roofs before other benchmarks of it. */
void rl_ceilings_in_order(enum rl_ceiling_id order[RL_CEILING_COUNT]);

/* True when a micro-benchmark of the GPU was measured, even where its figure is refused. */
bool rl_ceilings_any_measured(const struct rl_report *report, size_t gpu);
/* True when a measured figure is above what the card can do. */
bool rl_ceilings_any_refused(const struct rl_report *report, size_t gpu);

/* How many ceilings the tables leave out, as no kernel of a short document works below them. */
size_t rl_ceilings_left_out(const struct rl_report *report, size_t gpu);

/* Theory alone, with definitions, under `lead`: for sessions that measured no ceiling. */
void rl_ceilings_draw_theory(struct rl_report *report, size_t gpu, const char *lead);
/* Theory at the clock of each measurement, what was measured with its interval and spread, shares of theory and of the best
 * published figure. */
void rl_ceilings_draw_measured(struct rl_report *report, size_t gpu);
/* How many rows that table has: of a whole suite the first page has the others. */
size_t rl_ceilings_left(const struct rl_report *report, size_t gpu);
/* The rates after long load beside those of the first second; a sentence (nothing in short documents) when there are none. */
void rl_ceilings_draw_sustained(struct rl_report *report, size_t gpu);
/* What each ceiling is, and the configuration that reached it. */
void rl_ceilings_draw_definitions(struct rl_report *report, size_t gpu);

/* Those of the first page: each roof against theory at the clock of its measurement, the data sheet, and itself after long load. */
void rl_ceilings_draw_first(struct rl_report *report, size_t gpu);

#endif
