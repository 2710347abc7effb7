/* launches.c - callbacks of the driver around each launch. They say in which NVTX range it was made and whether the filters select
 * it; the activity record, which comes later, finds that by the correlation id. Ids count up, and a record comes long before RING
 * further calls have been made, so a ring is enough: what does not fit any more counts as launched outside of all ranges. */
#include <string.h>

#include "core/collectives.h"
#include "core/mem.h"
#include "inject.h"

enum { RING = 1 << 18 };

static struct slot {
    atomic_uint correlation;
    int32_t range;
    bool selected, counted;
} ring[RING];
static CUpti_SubscriberHandle subscriber;
static atomic_bool watched;
atomic_ullong launches_untimed;

/* What this thread has to undo when the launch returns. */
static __thread struct {
    bool entered, counted;
    struct launch launch; /* its name belongs to CUPTI and lives until the call returns */
} inside;

/* ---- parameters of the driver's functions, in the order of their prototypes (cuda.h); CUPTI's own header of them does not compile
 * with cuda.h of today ---- */

typedef struct {
    CUfunction f;
    unsigned gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes;
    CUstream hStream;
} cuLaunchKernel_params;
typedef struct {
    const CUlaunchConfig *config;
} cuLaunchKernelEx_params;

static void from_launch_kernel(const void *params, struct launch *launch)
{
    const cuLaunchKernel_params *p = params; /* the cooperative one and those for per-thread streams begin alike */
    launch->stream = p->hStream;
    launch->shape.dynamic_shared_bytes = p->sharedMemBytes;
    memcpy(launch->shape.grid, (uint32_t[]){p->gridDimX, p->gridDimY, p->gridDimZ}, sizeof launch->shape.grid);
    memcpy(launch->shape.block, (uint32_t[]){p->blockDimX, p->blockDimY, p->blockDimZ}, sizeof launch->shape.block);
}

static void from_launch_kernel_ex(const void *params, struct launch *launch)
{
    const CUlaunchConfig *c = ((const cuLaunchKernelEx_params *)params)->config;
    launch->stream = c->hStream;
    launch->shape.dynamic_shared_bytes = c->sharedMemBytes;
    memcpy(launch->shape.grid, (uint32_t[]){c->gridDimX, c->gridDimY, c->gridDimZ}, sizeof launch->shape.grid);
    memcpy(launch->shape.block, (uint32_t[]){c->blockDimX, c->blockDimY, c->blockDimZ}, sizeof launch->shape.block);
}

/* ---- what happens at each call ---- */

static void remember(uint32_t correlation, int32_t range, bool selected, bool counted)
{
    struct slot *slot = &ring[correlation % RING];
    slot->range = range;
    slot->selected = selected;
    slot->counted = counted;
    atomic_store_explicit(&slot->correlation, correlation, memory_order_release);
}

bool launch_origin(uint32_t correlation, struct origin *origin)
{
    const struct slot *slot = &ring[correlation % RING];
    if (!correlation || atomic_load_explicit(&slot->correlation, memory_order_acquire) != correlation)
        return false;
    *origin = (struct origin){slot->range, slot->selected, slot->counted};
    return true;
}

/* Skip and count go by launches of kernels that pass by name. */
static bool passes_by_name(const struct launch *launch)
{
    if (!(settings.skip || settings.count) || !(settings.kernel || settings.kernel_exclude))
        return true; /* the class says it when the time arrives */
    pthread_mutex_lock(&lock);
    const struct class *class = class_of(launch->name, &launch->shape);
    bool passes = class && !class->excluded;
    pthread_mutex_unlock(&lock);
    return passes;
}

static int32_t innermost(struct place *place)
{
    place->depth = 0;
    if (ranges_used())
        ranges_place(place);
    return place->depth ? place->nodes[place->depth - 1] : RL_STREAM_NO_RANGE;
}

static void enter_launch(const CUpti_CallbackData *data, void (*read)(const void *, struct launch *))
{
    struct place place;
    struct launch launch = {.context = data->context, .name = data->symbolName ? data->symbolName : ""};
    if (!gpu_of_context(data->context, &launch.gpu))
        return;
    read(data->functionParams, &launch);
    launch.shape.gpu = launch.gpu;
    int32_t range = innermost(&place);
    launch.selected = select_launch(&place, passes_by_name(&launch));
    inside.counted = counts_enter(&launch);
    inside.entered = true;
    inside.launch = launch;
    remember(data->correlationId, range, launch.selected, inside.counted);
}

static void leave_launch(const CUpti_CallbackData *data, void (*read)(const void *, struct launch *))
{
    (void)data, (void)read;
    if (!inside.entered)
        return;
    inside.entered = false;
    counts_leave(inside.counted);
    if (!inside.counted && settings.counters && rl_is_collective_name(inside.launch.name))
        counts_collective(&inside.launch);
}

static void enter_capture(const CUpti_CallbackData *data, void (*read)(const void *, struct launch *))
{
    (void)data, (void)read;
    counts_close(NULL); /* waiting for the GPU would spoil the capture */
    counts_capture(1);
}

static void leave_capture(const CUpti_CallbackData *data, void (*read)(const void *, struct launch *))
{
    (void)data, (void)read;
    counts_capture(-1);
}

/* A capture that could not begin has none to end. */
static void begun_capture(const CUpti_CallbackData *data, void (*read)(const void *, struct launch *))
{
    if (!data->functionReturnValue || *(const CUresult *)data->functionReturnValue != CUDA_SUCCESS)
        leave_capture(data, read);
}

/* The kernels of a graph carry the correlation id of its launch. */
static void enter_graph(const CUpti_CallbackData *data, void (*read)(const void *, struct launch *))
{
    (void)read;
    struct place place;
    int32_t range = innermost(&place);
    counts_close(data->context);
    remember(data->correlationId, range, select_launch(&place, true), false);
}

static void profiler_started(const CUpti_CallbackData *data, void (*read)(const void *, struct launch *))
{
    (void)data, (void)read;
    select_profiler(true);
}

static void profiler_stopped(const CUpti_CallbackData *data, void (*read)(const void *, struct launch *))
{
    (void)data, (void)read;
    select_profiler(false);
}

static const struct call {
    CUpti_CallbackId id;
    void (*enter)(const CUpti_CallbackData *, void (*)(const void *, struct launch *));
    void (*leave)(const CUpti_CallbackData *, void (*)(const void *, struct launch *));
    void (*read)(const void *, struct launch *);
} calls[] = {
    {CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel, enter_launch, leave_launch, from_launch_kernel},
    {CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz, enter_launch, leave_launch, from_launch_kernel},
    {CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel, enter_launch, leave_launch, from_launch_kernel},
    {CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz, enter_launch, leave_launch, from_launch_kernel},
    {CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx, enter_launch, leave_launch, from_launch_kernel_ex},
    {CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz, enter_launch, leave_launch, from_launch_kernel_ex},
    {CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch, enter_graph, NULL, NULL},
    {CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz, enter_graph, NULL, NULL},
    {CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture, enter_capture, begun_capture, NULL},
    {CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_ptsz, enter_capture, begun_capture, NULL},
    {CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_v2, enter_capture, begun_capture, NULL},
    {CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_v2_ptsz, enter_capture, begun_capture, NULL},
    {CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCaptureToGraph, enter_capture, begun_capture, NULL},
    {CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCaptureToGraph_ptsz, enter_capture, begun_capture, NULL},
    {CUPTI_DRIVER_TRACE_CBID_cuStreamEndCapture, NULL, leave_capture, NULL},
    {CUPTI_DRIVER_TRACE_CBID_cuStreamEndCapture_ptsz, NULL, leave_capture, NULL},
    {CUPTI_DRIVER_TRACE_CBID_cuProfilerStart, profiler_started, NULL, NULL},
    {CUPTI_DRIVER_TRACE_CBID_cuProfilerStop, NULL, profiler_stopped, NULL},
};

static void on_call(CUpti_CallbackId id, const CUpti_CallbackData *data)
{
    for (size_t i = 0; i < RL_COUNT(calls); i++) {
        if (calls[i].id != id)
            continue;
        void (*act)(const CUpti_CallbackData *, void (*)(const void *, struct launch *)) =
            data->callbackSite == CUPTI_API_ENTER ? calls[i].enter : calls[i].leave;
        if (act)
            act(data, calls[i].read);
        return;
    }
}

static void CUPTIAPI on_callback(void *unused, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void *data)
{
    (void)unused;
    if (!atomic_load(&alive))
        return;
    if (domain == CUPTI_CB_DOMAIN_DRIVER_API)
        on_call(id, data);
    else if (domain == CUPTI_CB_DOMAIN_RESOURCE && id == CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING) {
        CUcontext context = ((const CUpti_ResourceData *)data)->context;
        counts_forget_context(context);
        gpu_context_gone(context);
    }
}

enum rl_status launches_start(struct rl_err *err)
{
    enum rl_status status = RL_CUPTI(err, cuptiSubscribe, &subscriber, on_callback, NULL);
    for (size_t i = 0; i < RL_COUNT(calls) && status == RL_OK; i++)
        status = RL_CUPTI(err, cuptiEnableCallback, 1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API, calls[i].id);
    if (status == RL_OK)
        status = RL_CUPTI(err, cuptiEnableCallback, 1, subscriber, CUPTI_CB_DOMAIN_RESOURCE,
                          CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING);
    atomic_store(&watched, status == RL_OK);
    return status;
}

bool launches_watched(void)
{
    return atomic_load(&watched);
}
