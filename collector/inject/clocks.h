/* clocks.h - conversion from CLOCK_MONOTONIC to the clock of activity records. Private to inject; protected by `lock`. */
#pragma once

#include "core/core.h"

/* Measures the offset between the clocks. */
void clocks_look(void);
/* Keeps the current offset from now on: activity records may get another clock. */
void clocks_keep(void);
/* Whether the offset is known. */
bool clocks_known(void);
/* Converts a time of now_ns() to the clock of activity records, if the offset is known; 0 stays 0. */
uint64_t clocks_theirs(uint64_t ns);
