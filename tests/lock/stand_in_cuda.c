/* stand_in_cuda.c - a libcuda.so.1 with one card that can be named but not used. The process that keeps the clocks asks for its
 * UUID; the process that measures needs more than that, and fails, hangs ($STAND_IN_CUDA=hang) or crashes (crash) when it asks for
 * it. $STAND_IN_CUDA_VERSION is the CUDA that it supports, as cuDriverGetVersion has it; else 13000. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define API __attribute__((visibility("default")))

enum { SUCCESS = 0, INVALID_DEVICE = 101, NOT_SUPPORTED = 801 };

API int cuInit(unsigned flags);
API int cuDriverGetVersion(int *version);
API int cuDeviceGet(int *device, int ordinal);
API int cuDeviceGetUuid_v2(unsigned char uuid[16], int device);
API int cuGetExportTable(const void **table, const void *id);
API int cuGetProcAddress(const char *name, void **function, int version, unsigned long long flags);
API int cuGetProcAddress_v2(const char *name, void **function, int version, unsigned long long flags, void *found);

int cuInit(unsigned flags)
{
    (void)flags;
    return SUCCESS;
}

int cuDriverGetVersion(int *version)
{
    const char *set = getenv("STAND_IN_CUDA_VERSION");
    *version = set ? (int)strtol(set, NULL, 10) : 13000;
    return SUCCESS;
}

int cuDeviceGet(int *device, int ordinal)
{
    *device = ordinal;
    return ordinal == 0 ? SUCCESS : INVALID_DEVICE;
}

int cuDeviceGetUuid_v2(unsigned char uuid[16], int device)
{
    (void)device;
    for (int i = 0; i < 16; i++)
        uuid[i] = (unsigned char)i;
    return SUCCESS;
}

/* Only the CUDA runtime calls this. */
static int misbehave(void)
{
    const char *how = getenv("STAND_IN_CUDA");
    if (how && strcmp(how, "crash") == 0)
        abort();
    while (how && strcmp(how, "hang") == 0)
        pause();
    return NOT_SUPPORTED;
}

int cuGetExportTable(const void **table, const void *id)
{
    (void)id;
    *table = NULL;
    return misbehave();
}

int cuGetProcAddress(const char *name, void **function, int version, unsigned long long flags)
{
    (void)name, (void)version, (void)flags;
    *function = NULL;
    return misbehave();
}

int cuGetProcAddress_v2(const char *name, void **function, int version, unsigned long long flags, void *found)
{
    (void)found;
    return cuGetProcAddress(name, function, version, flags);
}
