/* relaunch.c - the reference of the clock for kernels of any program: an injected library (CUDA_INJECTION64_PATH) that launches
 * each kernel of the program again, many times back to back, and times the whole by events. Nothing records activities or counts.
 *
 *     RELAUNCH_OUT=FILE RELAUNCH_CUPTI=.../libcupti.so CUDA_INJECTION64_PATH=.../librelaunch.so PROGRAM
 *
 * Behind the first, the fourth and the sixteenth launch of every class (function, grid, block) it queues a few launches, then four
 * times as many, behind a gate that opens when all of them are queued. The slope is the time from one launch to the next: the
 * kernel and the gap between two launches. It is taken twice: back to back, and with a kernel between each two that only waits 4
 * us, less the slope of that one; then nothing that the launch before still wrote is under way. Where the launches of a queue do
 * other work than the program's (a kernel that changes its own input), the slopes of the three places differ. FILE gets a line for
 * each: launch, slope back to back in ns, slope apart, grid, block, name; the first line is an empty kernel's. What the program
 * computes is not what it computes alone. */
#include <cuda.h>
#include <cupti.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CLASSES = 4096, REPEATS = 5, MOST = 40 };
static const double ALL_NS = 3e6, LONGEST_NS = 5e7;

struct launch {
    CUfunction function;
    unsigned grid[3], block[3], shared;
    CUstream stream;
    void **arguments, **extra;
    const CUlaunchConfig *config; /* NULL: none */
    bool cooperative;
};

static struct {
    CUfunction function;
    unsigned grid[3], block[3];
    unsigned long launches;
} classes[CLASSES];
static FILE *out;
static volatile unsigned *gate;
static CUdeviceptr gate_on_device;
static CUevent begin, end;
static struct launch wait_kernel;
static double wait_ns; /* its slope */
static __thread bool inside;

static CUresult again(const struct launch *l)
{
    if (l->config)
        return cuLaunchKernelEx(l->config, l->function, l->arguments, l->extra);
    if (l->cooperative)
        return cuLaunchCooperativeKernel(l->function, l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1], l->block[2],
                                         l->shared, l->stream, l->arguments);
    return cuLaunchKernel(l->function, l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1], l->block[2], l->shared,
                          l->stream, l->arguments, l->extra);
}

/* The time of `count` launches, each with `between` (may be NULL) behind it, ns; below 0: it could not be had. */
static double queue_ns(const struct launch *l, const struct launch *between, unsigned count)
{
    float ms = 0;
    *gate = 0;
    if (cuStreamWaitValue32(l->stream, gate_on_device, 1, CU_STREAM_WAIT_VALUE_GEQ) != CUDA_SUCCESS)
        return -1;
    bool fine = cuEventRecord(begin, l->stream) == CUDA_SUCCESS;
    for (unsigned i = 0; i < count && fine; i++) {
        fine = again(l) == CUDA_SUCCESS;
        if (between && fine)
            fine = cuLaunchKernel(between->function, 1, 1, 1, 32, 1, 1, 0, l->stream, NULL, NULL) == CUDA_SUCCESS;
    }
    fine = cuEventRecord(end, l->stream) == CUDA_SUCCESS && fine;
    *gate = 1;
    fine = cuStreamSynchronize(l->stream) == CUDA_SUCCESS && fine;
    return fine && cuEventElapsedTime(&ms, begin, end) == CUDA_SUCCESS ? (double)ms * 1e6 : -1;
}

/* Mangled. The runtime launches handles of another kind. */
static const char *name_of(CUfunction function)
{
    const char *name = NULL;
    if (cuFuncGetName(&name, function) != CUDA_SUCCESS || !name)
        (void)cuKernelGetName(&name, (CUkernel)function);
    return name ? name : "?";
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* From one launch to the next, the median of some repeats, ns; below 0: it could not be had. */
static double slope_ns(const struct launch *l, const struct launch *between, unsigned many)
{
    double slopes[REPEATS];
    const unsigned few = many / 4;
    for (unsigned i = 0; i < REPEATS; i++) {
        const double few_ns = queue_ns(l, between, few), many_ns = queue_ns(l, between, many);
        if (few_ns < 0 || many_ns < 0)
            return -1;
        slopes[i] = (many_ns - few_ns) / (many - few);
    }
    qsort(slopes, REPEATS, sizeof(slopes[0]), by_size);
    return slopes[REPEATS / 2];
}

static void measure(const struct launch *l, unsigned long number)
{
    const double one = queue_ns(l, NULL, 1);
    if (one < 0 || one > LONGEST_NS)
        return;
    const double fit = ALL_NS / one;
    const unsigned many = fit < 8 ? 8 : fit > MOST ? MOST : (unsigned)fit;
    const double together = slope_ns(l, NULL, many), apart = slope_ns(l, &wait_kernel, many) - wait_ns;
    if (together < 0 || apart < 0)
        return;
    fprintf(out, "%lu\t%.1f\t%.1f\t%u,%u,%u\t%u,%u,%u\t%s\n", number, together, apart, l->grid[0], l->grid[1], l->grid[2],
            l->block[0], l->block[1], l->block[2], name_of(l->function));
    fflush(out);
}

static const char OWN[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
                          ".visible .entry relaunch_empty() { ret; }\n"
                          ".visible .entry relaunch_wait() {\n"
                          "  .reg .u64 %from, %now;\n  .reg .pred %more;\n  mov.u64 %from, %clock64;\n"
                          "again:\n  mov.u64 %now, %clock64;\n  sub.u64 %now, %now, %from;\n"
                          "  setp.lt.u64 %more, %now, 8000;\n  @%more bra again;\n  ret;\n}\n";

/* Makes the gate, the events and two kernels, once; false: they cannot be had. */
static bool prepared(void)
{
    static int state; /* 1: it is, -1: it cannot be had */
    void *host = NULL;
    CUmodule module;
    struct launch empty = {.grid = {1, 1, 1}, .block = {32, 1, 1}};
    if (state)
        return state > 0;
    state = -1;
    if (cuMemHostAlloc(&host, 64, CU_MEMHOSTALLOC_DEVICEMAP) != CUDA_SUCCESS ||
        cuMemHostGetDevicePointer(&gate_on_device, host, 0) != CUDA_SUCCESS ||
        cuEventCreate(&begin, CU_EVENT_DEFAULT) != CUDA_SUCCESS || cuEventCreate(&end, CU_EVENT_DEFAULT) != CUDA_SUCCESS)
        return false;
    gate = host;
    wait_kernel = empty;
    if (cuModuleLoadData(&module, OWN) != CUDA_SUCCESS ||
        cuModuleGetFunction(&empty.function, module, "relaunch_empty") != CUDA_SUCCESS ||
        cuModuleGetFunction(&wait_kernel.function, module, "relaunch_wait") != CUDA_SUCCESS)
        return false;
    wait_ns = slope_ns(&wait_kernel, NULL, MOST);
    if (wait_ns < 0)
        return false;
    state = 1;
    measure(&empty, 0);
    return true;
}

static void see(const struct launch *l)
{
    size_t i = 0;
    CUstreamCaptureStatus capturing = CU_STREAM_CAPTURE_STATUS_NONE;
    if (cuStreamIsCapturing(l->stream, &capturing) != CUDA_SUCCESS || capturing != CU_STREAM_CAPTURE_STATUS_NONE)
        return;
    while (i < CLASSES && classes[i].function &&
           (classes[i].function != l->function || memcmp(classes[i].grid, l->grid, sizeof(l->grid)) ||
            memcmp(classes[i].block, l->block, sizeof(l->block))))
        i++;
    if (i == CLASSES)
        return;
    classes[i].function = l->function;
    memcpy(classes[i].grid, l->grid, sizeof(l->grid));
    memcpy(classes[i].block, l->block, sizeof(l->block));
    const unsigned long number = ++classes[i].launches;
    if ((number == 1 || number == 4 || number == 16) && cuCtxSynchronize() == CUDA_SUCCESS && prepared())
        measure(l, number);
}

#define TAKE(type, cooperative_, extra_)                                                                                           \
    const type *p = call->functionParams;                                                                                          \
    l = (struct launch)                                                                                                            \
    {                                                                                                                              \
        p->f, {p->gridDimX, p->gridDimY, p->gridDimZ}, {p->blockDimX, p->blockDimY, p->blockDimZ}, p->sharedMemBytes, p->hStream,  \
            p->kernelParams, extra_, NULL, cooperative_                                                                            \
    }

static void CUPTIAPI at_call(void *data, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void *of_call)
{
    const CUpti_CallbackData *call = of_call;
    struct launch l;
    (void)data;
    if (inside || domain != CUPTI_CB_DOMAIN_DRIVER_API || call->callbackSite != CUPTI_API_EXIT ||
        *(const CUresult *)call->functionReturnValue != CUDA_SUCCESS)
        return;
    if (id == CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel || id == CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz) {
        TAKE(cuLaunchKernel_params, false, p->extra);
    } else if (id == CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel ||
               id == CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz) {
        TAKE(cuLaunchCooperativeKernel_params, true, NULL);
    } else if (id == CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx || id == CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz) {
        const cuLaunchKernelEx_params *p = call->functionParams;
        const CUlaunchConfig *c = p->config;
        l = (struct launch){p->f,
                            {c->gridDimX, c->gridDimY, c->gridDimZ},
                            {c->blockDimX, c->blockDimY, c->blockDimZ},
                            c->sharedMemBytes,
                            c->hStream,
                            p->kernelParams,
                            p->extra,
                            c,
                            false};
    } else
        return;
    inside = true;
    see(&l);
    inside = false;
}

__attribute__((visibility("default"))) int InitializeInjection(void);
int InitializeInjection(void)
{
    static const CUpti_CallbackId ids[] = {
        CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel,
        CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz,
        CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel,
        CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz,
        CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx,
        CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz,
    };
    CUpti_SubscriberHandle subscriber;
    const char *path = getenv("RELAUNCH_OUT"), *library = getenv("RELAUNCH_CUPTI");
    void *cupti = library ? dlopen(library, RTLD_NOW) : NULL;
    __typeof__(cuptiSubscribe) *subscribe = cupti ? (__typeof__(cuptiSubscribe) *)dlsym(cupti, "cuptiSubscribe") : NULL;
    __typeof__(cuptiEnableCallback) *enable = cupti ? (__typeof__(cuptiEnableCallback) *)dlsym(cupti, "cuptiEnableCallback") : NULL;
    out = path ? fopen(path, "w") : NULL;
    if (!out || !subscribe || !enable || subscribe(&subscriber, at_call, NULL) != CUPTI_SUCCESS)
        return 0;
    for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++)
        (void)enable(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API, ids[i]);
    return 1;
}
