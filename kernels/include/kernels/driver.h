/* driver.h - whether the NVIDIA driver serves the CUDA runtime of this program, in words. Plain C, in every build. */
#ifndef RL_KERNELS_DRIVER_H
#define RL_KERNELS_DRIVER_H

#include "core/err.h"

struct rl_driver_check {
    enum rl_status status; /* RL_OK; RL_ABSENT: there is none; RL_UNSUPPORTED: too old */
    char found[64];        /* "the NVIDIA driver supports CUDA 12.2" */
    char advice[96];       /* what to do; "" with RL_OK */
};

/* The newest CUDA that the driver's libcuda.so.1 supports; 0 when there is none. The CUDA runtime does not tell the version of a
 * driver that it cannot use. */
int rl_driver_version(void);
/* A function of the driver's libcuda.so.1, which is opened for that; NULL: there is no driver, or it has none of that name. For
 * those that are newer than the toolkit of some build. */
void *rl_driver_function(const char *name);
/* Versions as CUDA numbers them, 1000 * major + 10 * minor. `driver` is the newest CUDA that the driver supports (0: no driver),
 * `runtime` the CUDA runtime that the program holds: a driver serves all runtimes of the same major version and of older ones (CUDA
 * Compatibility, section "Minor Version Compatibility"). */
struct rl_driver_check rl_driver_check(int driver, int runtime);
/* "no NVIDIA driver (libcuda.so.1 not found); install ..." as an error; RL_OK leaves `err` alone. */
enum rl_status rl_driver_err(const struct rl_driver_check *check, struct rl_err *err);

#endif
