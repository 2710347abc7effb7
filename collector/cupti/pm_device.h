/* pm_device.h - the driver in a process that samples: begun without a context. Private to the collector. */
#ifndef RL_COLLECTOR_PM_DEVICE_H
#define RL_COLLECTOR_PM_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/err.h"

/* Begins CUDA in this process, on no device. RL_ABSENT: there is no driver, or it cannot be used. */
enum rl_status rl_pm_begin(struct rl_err *err);
/* Whether this process sees one device only, which is the program's then; CUDA has begun. */
bool rl_pm_is_only_device(void);
/* CUDA ordinal in this process of the device with this UUID; begins CUDA. RL_ABSENT: it is not visible here. */
enum rl_status rl_pm_find_device(const uint8_t uuid[16], size_t *device, struct rl_err *err);

#endif
