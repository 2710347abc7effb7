/* ceilings_table.h - the ceilings of a GPU as a table: theory, and the share of it that the micro-benchmarks reached. */
#pragma once

#include "page.h"

/* True when a micro-benchmark of the GPU was measured, even where its figure is refused. */
bool rl_ceilings_any_measured(const struct rl_report *report, size_t gpu);
/* True when a measured figure is above what the GPU can do. */
bool rl_ceilings_any_refused(const struct rl_report *report, size_t gpu);

/* How many rows the table of measured ceilings has: of a whole suite the first page has the others. */
size_t rl_ceilings_left(const struct rl_report *report, size_t gpu);

enum rl_ceilings_table {
    RL_CEILINGS_FIRST,       /* of the first page: measured roofs against theory and data sheet, in the burst and after long load */
    RL_CEILINGS_MEASURED,    /* the same against the best published figures, without those of the first page */
    RL_CEILINGS_SUSTAINED,   /* rates after long load next to those of the first second */
    RL_CEILINGS_THEORY,      /* theory alone, with definitions: for sessions that measured no ceiling */
    RL_CEILINGS_DEFINITIONS, /* what each ceiling is, and the configuration that reached it */
};
/* Lays a table; false where it would be empty. */
bool rl_ceilings_draw(struct rl_report *report, size_t gpu, enum rl_ceilings_table table);
