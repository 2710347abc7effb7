/* placement.h - where the arrays of the suite lie. */
#ifndef RL_KERNELS_PLACEMENT_H
#define RL_KERNELS_PLACEMENT_H

#include <stddef.h>

#include "core/err.h"

/* Takes so much memory of the current device until the process ends, so that what is allocated afterwards lies elsewhere than in a
 * process that took another amount; 0: none. */
enum rl_status rl_device_displace(size_t bytes, struct rl_err *err);

#endif
