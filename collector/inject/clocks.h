/* clocks.h - our clock and that of activities. Private to inject; under `lock`. */
#pragma once

#include "core/core.h"

/* Looks how far the clocks are apart now. */
void clocks_look(void);
/* From now on nothing is looked at any more: activities may get another clock. */
void clocks_keep(void);
/* Whether that is known. */
bool clocks_known(void);
/* A time of now_ns by the clock of activities, as far as that is known; 0 stays 0. */
uint64_t clocks_theirs(uint64_t ns);
