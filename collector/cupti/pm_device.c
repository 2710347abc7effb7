/* pm_device.c - the driver in a process that samples. */
#include "pm_sampler.h"

#include <dlfcn.h>

#include "session.h"

static struct {
    CUresult (*init)(unsigned);
    CUresult (*count)(int *);
    CUresult (*get)(CUdevice *, int);
    CUresult (*uuid)(CUuuid *, CUdevice);
} driver;

static void look_up(void *library, const char *name, void *function)
{
    void *found = dlsym(library, name);
    memcpy(function, &found, sizeof found);
}

enum rl_status rl_pm_begin(struct rl_err *err)
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return rl_err_set(err, RL_ABSENT, "the sampling process finds no driver (libcuda.so.1)");
    look_up(library, "cuInit", &driver.init);
    look_up(library, "cuDeviceGetCount", &driver.count);
    look_up(library, "cuDeviceGet", &driver.get);
    look_up(library, "cuDeviceGetUuid_v2", &driver.uuid);
    if (!driver.init || !driver.count || !driver.get || !driver.uuid)
        return rl_err_set(err, RL_UNSUPPORTED, "the driver is too old for sampling");
    const CUresult result = driver.init(0);
    return result == CUDA_SUCCESS
               ? RL_OK
               : rl_err_set(err, RL_ABSENT, "CUDA cannot be used in the sampling process (error %d)", (int)result);
}

bool rl_pm_is_only_device(void)
{
    int count = 0;
    assert(driver.count);
    return driver.count(&count) == CUDA_SUCCESS && count == 1;
}

enum rl_status rl_pm_find_device(const uint8_t uuid[16], size_t *device, struct rl_err *err)
{
    enum rl_status status = rl_pm_begin(err);
    int count = 0;
    if (status != RL_OK)
        return status;
    assert(driver.count && driver.get && driver.uuid);
    if (driver.count(&count) != CUDA_SUCCESS)
        count = 0;
    for (int i = 0; i < count; i++) {
        CUdevice handle = 0;
        CUuuid found;
        if (driver.get(&handle, i) == CUDA_SUCCESS && driver.uuid(&found, handle) == CUDA_SUCCESS &&
            memcmp(found.bytes, uuid, sizeof found.bytes) == 0) {
            *device = (size_t)i;
            return RL_OK;
        }
    }
    char text[RL_UUID_TEXT];
    return rl_err_set(err, RL_ABSENT, "the program's GPU (%s) is not visible to the sampling process", rl_facts_uuid(uuid, text));
}
