/* health.h - the state of the GPU while it was measured, check by check: good, to be looked at, or unknown. One row in health.c
 * adds a check. */
#pragma once

#include "page.h"

struct rl_health {
    const char *title, *text; /* "ECC", "on, 0 uncorrected errors" */
    enum rl_mark mark;        /* GOOD, ATTENTION, or QUIET: unknown */
};

extern const size_t rl_health_count;
/* The `index`-th check of a GPU; texts belong to the report's arena. */
struct rl_health rl_health_check(struct rl_report *report, size_t gpu, size_t index);
