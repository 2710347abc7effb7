/* driver.c - an NVIDIA driver that is missing or too old. */
#include "kernels/driver.h"

#include <dlfcn.h>

#include "core/core.h"

void *rl_driver_function(const char *name)
{
    void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL); /* stays open: it does not like to be closed */
    return driver ? dlsym(driver, name) : NULL;
}

int rl_driver_version(void)
{
    int version = 0, (*get)(int *) = NULL;
    void *symbol = rl_driver_function("cuDriverGetVersion");
    memcpy(&get, &symbol, sizeof get);
    return get && get(&version) == 0 ? version : 0;
}

/* The oldest branch of drivers for each major version of CUDA on Linux (CUDA Toolkit release notes, "Minimum Required Driver
 * Version for CUDA Minor Version Compatibility"). */
static const struct {
    int major;
    const char *branch;
} oldest[] = {{11, "450"}, {12, "525"}, {13, "580"}};

static const char *branch_for(int major)
{
    const size_t at = RL_FIRST(i, RL_COUNT(oldest), oldest[i].major == major);
    return at < RL_COUNT(oldest) ? oldest[at].branch : NULL;
}

struct rl_driver_check rl_driver_check(int driver, int runtime)
{
    struct rl_driver_check check = {.status = RL_OK};
    if (driver <= 0) {
        check.status = RL_ABSENT;
        snprintf(check.found, sizeof check.found, "no NVIDIA driver (libcuda.so.1 not found)");
        snprintf(check.advice, sizeof check.advice, "install NVIDIA's driver to measure; reports of captures work without");
        return check;
    }
    snprintf(check.found, sizeof check.found, "the NVIDIA driver supports CUDA %d.%d", driver / 1000, driver % 1000 / 10);
    if (driver / 1000 < runtime / 1000) {
        check.status = RL_UNSUPPORTED;
        const int major = runtime / 1000;
        const char *branch = branch_for(major);
        snprintf(check.advice, sizeof check.advice, "measuring needs CUDA %d.0: update the driver%s%s%s", major,
                 branch ? " to " : "", branch ? branch : "", branch ? " or newer" : "");
    }
    return check;
}

enum rl_status rl_driver_err(const struct rl_driver_check *check, struct rl_err *err)
{
    return check->status == RL_OK ? RL_OK : rl_err_set(err, check->status, "%s; %s", check->found, check->advice);
}
