/* driver.h - checks whether the NVIDIA driver supports the CUDA runtime of this program. Plain C, in every build. */
#pragma once

#include "core/err.h"

struct rl_driver_check {
    enum rl_status status; /* RL_OK; RL_ABSENT: there is none; RL_UNSUPPORTED: too old */
    char found[64];        /* "the NVIDIA driver supports CUDA 12.2" */
    char advice[96];       /* what to do; "" with RL_OK */
};

/* The newest CUDA version that the driver's libcuda.so.1 supports; 0: no driver. (The CUDA runtime does not report the version of a
 * driver that it cannot use.) */
int rl_driver_version(void);
/* A function of the driver's libcuda.so.1, by dlsym; NULL: no driver, or no such function. For functions that are newer than the
 * oldest supported toolkit. */
void *rl_driver_function(const char *name);
/* Versions as CUDA numbers them, 1000 * major + 10 * minor. `driver` is the newest CUDA that the driver supports (0: no driver),
 * `runtime` the CUDA runtime that the program holds: a driver serves all runtimes of the same major version and of older ones (CUDA
 * Compatibility, section "Minor Version Compatibility"). */
struct rl_driver_check rl_driver_check(int driver, int runtime);
/* The check as an error, "no NVIDIA driver (libcuda.so.1 not found); install ..."; RL_OK leaves `err` unchanged. */
enum rl_status rl_driver_err(const struct rl_driver_check *check, struct rl_err *err);
