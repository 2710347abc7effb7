/* stand_in_cuda.c - a libcuda.so.1 without a GPU: a stand-in for machines that have none. It loads what CUDA_INJECTION64_PATH
 * names, as the driver does, and launches kernels onto a clock of its own, one after another on each device. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "stand_in.h"

#include <cupti_driver_cbid.h>

#define API __attribute__((visibility("default")))

struct CUctx_st {
    int device;
};
struct CUstream_st {
    int capturing;
};

static struct stand_in_hooks hooks;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t correlation;
static uint64_t clock_ns[2];
static __thread CUcontext current;

API void stand_in_attach(const struct stand_in_hooks *given)
{
    hooks = *given;
}

API uint32_t stand_in_device_of(CUcontext context)
{
    return (uint32_t)context->device;
}

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* When the device is free, for so long. */
static uint64_t occupy(int device, uint64_t duration_ns)
{
    uint64_t now = now_ns();
    pthread_mutex_lock(&lock);
    uint64_t start = clock_ns[device] > now ? clock_ns[device] : now;
    clock_ns[device] = start + duration_ns;
    pthread_mutex_unlock(&lock);
    return start;
}

static uint32_t enter(uint32_t id, const void *params, const char *symbol)
{
    uint32_t number = __atomic_add_fetch(&correlation, 1, __ATOMIC_RELAXED);
    if (hooks.call)
        hooks.call(1, id, params, symbol, number, current, CUDA_SUCCESS);
    return number;
}

static CUresult leave(uint32_t id, const void *params, const char *symbol, uint32_t number, CUresult result)
{
    if (hooks.call)
        hooks.call(0, id, params, symbol, number, current, result);
    return result;
}

/* ---- process and devices ---- */

static void inject(void)
{
    const char *path = getenv("CUDA_INJECTION64_PATH");
    void *library = path ? dlopen(path, RTLD_NOW) : NULL;
    if (path && !library) {
        fprintf(stderr, "stand-in: %s\n", dlerror());
        abort();
    }
    void *symbol = library ? dlsym(library, "InitializeInjection") : NULL;
    int (*initialize)(void);
    memcpy(&initialize, &symbol, sizeof symbol);
    if (initialize)
        initialize();
}

API CUresult cuInit(unsigned flags)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)flags;
    pthread_once(&once, inject);
    return CUDA_SUCCESS;
}

API CUresult cuDriverGetVersion(int *version)
{
    *version = 13000;
    return CUDA_SUCCESS;
}

API CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
    *device = ordinal;
    return ordinal < 2 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

API CUresult cuDeviceGetName(char *name, int len, CUdevice device)
{
    snprintf(name, (size_t)len, "Stand-in %d", device);
    return CUDA_SUCCESS;
}

API CUresult cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice device)
{
    memset(uuid, 0x10 + device, sizeof *uuid);
    return CUDA_SUCCESS;
}

API CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice device)
{
    (void)device;
    *bytes = (size_t)1 << 34;
    return CUDA_SUCCESS;
}

API CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device)
{
    (void)device;
    *value = attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR   ? 9
             : attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR ? 0
             : attribute == CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT     ? 132
             : attribute == CU_DEVICE_ATTRIBUTE_WARP_SIZE                ? 32
                                                                         : -1;
    return *value < 0 ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

API CUresult cuCtxCreate_v2(CUcontext *context, unsigned flags, CUdevice device)
{
    (void)flags;
    *context = current = calloc(1, sizeof **context);
    current->device = device;
    return CUDA_SUCCESS;
}

API CUresult cuCtxSetCurrent(CUcontext context)
{
    current = context;
    return CUDA_SUCCESS;
}

API CUresult cuCtxGetCurrent(CUcontext *context)
{
    *context = current;
    return CUDA_SUCCESS;
}

API CUresult cuCtxDestroy_v2(CUcontext context)
{
    if (hooks.context_destroyed)
        hooks.context_destroyed(context);
    current = NULL;
    free(context);
    return CUDA_SUCCESS;
}

API CUresult cuCtxSynchronize(void)
{
    return CUDA_SUCCESS;
}

/* ---- streams, events ---- */

API CUresult cuStreamCreate(CUstream *stream, unsigned flags)
{
    (void)flags;
    *stream = calloc(1, sizeof **stream);
    return CUDA_SUCCESS;
}

API CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus *status)
{
    *status = stream && stream->capturing ? CU_STREAM_CAPTURE_STATUS_ACTIVE : CU_STREAM_CAPTURE_STATUS_NONE;
    return CUDA_SUCCESS;
}

API CUresult cuStreamBeginCapture_v2(CUstream stream, CUstreamCaptureMode mode)
{
    uint32_t number = enter(CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_v2, NULL, NULL);
    (void)mode;
    stream->capturing = 1;
    return leave(CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_v2, NULL, NULL, number, CUDA_SUCCESS);
}

API CUresult cuStreamEndCapture(CUstream stream, CUgraph *graph)
{
    uint32_t number = enter(CUPTI_DRIVER_TRACE_CBID_cuStreamEndCapture, NULL, NULL);
    (void)graph;
    stream->capturing = 0;
    return leave(CUPTI_DRIVER_TRACE_CBID_cuStreamEndCapture, NULL, NULL, number, CUDA_SUCCESS);
}

API CUresult cuEventCreate(CUevent *event, unsigned flags)
{
    (void)flags;
    *event = malloc(1);
    return CUDA_SUCCESS;
}

/* Collective kernels wait for peers that the stand-in does not have: they end when they have been asked for $RL_PEERS times. */
static _Atomic long asked;

API CUresult cuEventRecord(CUevent event, CUstream stream)
{
    (void)event, (void)stream;
    asked = 0;
    return CUDA_SUCCESS;
}

API CUresult cuEventQuery(CUevent event)
{
    const char *peers = getenv("RL_PEERS");
    (void)event;
    return peers && ++asked >= strtol(peers, NULL, 10) ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}

/* $RL_FREE_MB: what is left of 100 GB. */
API CUresult cuMemGetInfo(size_t *left, size_t *total)
{
    const char *megabytes = getenv("RL_FREE_MB");
    *total = (size_t)100 * 1000 * 1000 * 1000;
    *left = megabytes ? (size_t)strtoul(megabytes, NULL, 10) * 1000 * 1000 : *total;
    return CUDA_SUCCESS;
}

/* ---- work ---- */

static void run(const struct stand_in_kernel *kernel, const uint32_t shape[7], uint32_t number, uint32_t graph)
{
    uint64_t start = occupy(current->device, kernel->duration_ns);
    if (hooks.kernel)
        hooks.kernel(kernel, shape, number, (uint32_t)current->device, graph, start, start + kernel->duration_ns);
}

struct launch_params {
    CUfunction f;
    unsigned shape[7];
    CUstream stream;
};

static CUresult launch(uint32_t id, const void *params, CUfunction f, const uint32_t shape[7], CUstream stream)
{
    const struct stand_in_kernel *kernel = (const struct stand_in_kernel *)f;
    uint32_t number = enter(id, params, kernel->name);
    if (!stream || !stream->capturing)
        run(kernel, shape, number, 0);
    return leave(id, params, kernel->name, number, CUDA_SUCCESS);
}

API CUresult cuLaunchKernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                            unsigned shared, CUstream stream, void **kernel_params, void **extra)
{
    (void)kernel_params, (void)extra;
    struct launch_params params = {f, {gx, gy, gz, bx, by, bz, shared}, stream};
    return launch(CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel, &params, f, params.shape, stream);
}

/* What programs call that are built with a default stream for each thread. */
API CUresult cuLaunchKernel_ptsz(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                                 unsigned shared, CUstream stream, void **kernel_params, void **extra)
{
    (void)kernel_params, (void)extra;
    struct launch_params params = {f, {gx, gy, gz, bx, by, bz, shared}, stream};
    return launch(CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz, &params, f, params.shape, stream);
}

API CUresult cuLaunchKernelEx(const CUlaunchConfig *c, CUfunction f, void **kernel_params, void **extra)
{
    (void)kernel_params, (void)extra;
    const struct {
        const CUlaunchConfig *config;
    } params = {c};
    const uint32_t shape[7] = {c->gridDimX, c->gridDimY, c->gridDimZ, c->blockDimX, c->blockDimY, c->blockDimZ, c->sharedMemBytes};
    return launch(CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx, &params, f, shape, c->hStream);
}

API CUresult cuGraphLaunch(CUgraphExec graph, CUstream stream)
{
    const struct stand_in_graph *of = (const struct stand_in_graph *)graph;
    const uint32_t shape[7] = {64, 1, 1, 128, 1, 1, 0};
    uint32_t number = enter(CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch, NULL, NULL);
    (void)stream;
    for (unsigned i = 0; i < of->nodes; i++)
        run(of->kernel, shape, number, 1);
    return leave(CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch, NULL, NULL, number, CUDA_SUCCESS);
}

API CUresult cuMemcpyHtoD_v2(CUdeviceptr target, const void *source, size_t bytes)
{
    (void)target, (void)source;
    uint64_t duration_ns = bytes / 25, start = occupy(current->device, duration_ns); /* 25 GB/s */
    uint32_t number = __atomic_add_fetch(&correlation, 1, __ATOMIC_RELAXED);
    if (hooks.copy)
        hooks.copy(1, 1, 3, bytes, number, (uint32_t)current->device, start, start + duration_ns);
    return CUDA_SUCCESS;
}

static CUresult profiler(uint32_t id)
{
    return leave(id, NULL, NULL, enter(id, NULL, NULL), CUDA_SUCCESS);
}

API CUresult cuProfilerStart(void)
{
    return profiler(CUPTI_DRIVER_TRACE_CBID_cuProfilerStart);
}

API CUresult cuProfilerStop(void)
{
    return profiler(CUPTI_DRIVER_TRACE_CBID_cuProfilerStop);
}
