/* launches.c - callbacks of the driver around each launch. They say in which NVTX range it was made and whether the filters select
 * it (origins.c). */
#include "counting.h"
#include "graphs.h"
#include "guest.h"
#include "pc.h"
#include "ranges.h"
#include "times.h"

/* State to undo on this thread when the launch returns; NULL launch name: none. */
struct inside {
    struct launch launch; /* its name belongs to CUPTI and is valid until the call returns */
    enum counting counting;
    bool entered;
    bool made; /* the driver made it, and the call is about to return */
};
static __thread struct inside inside;
static __thread bool loading; /* this thread loads code before its launch, by a call of ours */

/* A driver function, with the actions at its call and return. */
struct call {
    CUpti_CallbackId id;
    void (*enter)(const CUpti_CallbackData *);
    void (*leave)(const CUpti_CallbackData *);
    void (*read)(const void *params, struct launch *); /* a launch, which enter_launch handles */
    bool of_thread;                                    /* the default stream is per thread: several threads launch side by side */
};

/* When this thread last waited for the GPU in a call. */
static __thread uint64_t waiting_since_ns, waited_from_ns, waited_to_ns;

/* ---- parameters of the driver's functions, in the order of their prototypes (cuda.h); CUPTI's own header of them does not compile
 * with cuda.h of today ---- */

typedef struct {
    CUfunction f;
    unsigned gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes;
    CUstream hStream;
} cuLaunchKernel_params;
typedef struct {
    const CUlaunchConfig *config;
    CUfunction f;
} cuLaunchKernelEx_params;

typedef struct {
    CUgraphExec executable;
    CUstream stream;
} cuGraphLaunch_params;
static void from_launch_kernel(const void *params, struct launch *launch)
{
    const cuLaunchKernel_params *p = params; /* parameters of the cooperative launch and of per-thread streams begin alike */
    launch->function = p->f;
    launch->stream = p->hStream;
    launch->shape.dynamic_shared_bytes = p->sharedMemBytes;
    memcpy(launch->shape.grid, (uint32_t[]){p->gridDimX, p->gridDimY, p->gridDimZ}, sizeof launch->shape.grid);
    memcpy(launch->shape.block, (uint32_t[]){p->blockDimX, p->blockDimY, p->blockDimZ}, sizeof launch->shape.block);
}

static void from_launch_kernel_ex(const void *params, struct launch *launch)
{
    const cuLaunchKernelEx_params *p = params;
    const CUlaunchConfig *c = p->config;
    launch->function = p->f;
    launch->stream = c->hStream;
    launch->shape.dynamic_shared_bytes = c->sharedMemBytes;
    for (unsigned i = 0; i < c->numAttrs; i++)
        launch->overlaps |= c->attrs[i].id == CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION ||
                            c->attrs[i].id == CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT;
    memcpy(launch->shape.grid, (uint32_t[]){c->gridDimX, c->gridDimY, c->gridDimZ}, sizeof launch->shape.grid);
    memcpy(launch->shape.block, (uint32_t[]){c->blockDimX, c->blockDimY, c->blockDimZ}, sizeof launch->shape.block);
}

/* ---- what happens at each call ---- */

static int32_t innermost(struct place *place)
{
    place->depth = 0;
    place->instance = NO_INSTANCE;
    place->assumed = false;
    if (ranges_used())
        ranges_place(place);
    return place->depth ? place->nodes[place->depth - 1] : RL_STREAM_NO_RANGE;
}

/* Reports a new class at once, and each of its launches, so that their number is known whatever happens to the process. No class is
 * launched before it has been reported. */
static void note_launch(struct class *class)
{
    atomic_fetch_add(class->launched, 1);
    if (atomic_load(&class->told) || !hold())
        return;
    class_tell(class);
    out_flush();
    let_go();
}

/* A call in progress. */
static struct call_times call_now(void)
{
    return (struct call_times){now_ns(), waited_from_ns, waited_to_ns};
}

/* CUDA loads the code of a kernel at its first launch, which takes some milliseconds (8 ms in PyTorch). They would be part of what
 * is counted, and of the cost of counting; so the code is loaded before. The program and the sampling of instructions see the
 * module. */
static void load_code(const struct launch *launch)
{
    if (!launch->class || atomic_load(launch->class->launched))
        return;
    CUresult (*load)(CUfunction) = DRIVER(cuFuncLoad); /* CUDA 12.4 */
    CUresult (*of_kernel)(CUfunction *, CUkernel) = DRIVER(cuKernelGetFunction);
    CUfunction function = launch->function;
    loading = true;
    /* Kernels of the runtime belong to no context. If nothing can be loaded, the launch shows why. */
    if (load && load(function) == CUDA_ERROR_INVALID_HANDLE && of_kernel &&
        of_kernel(&function, (CUkernel)launch->function) == CUDA_SUCCESS)
        (void)load(function);
    loading = false;
}

static void enter_launch(const CUpti_CallbackData *data, const struct call *by)
{
    struct place place;
    struct launch launch = {.context = data->context, .name = data->symbolName ? data->symbolName : ""};
    inside.entered = inside.made = false;
    if (!gpu_of_context(data->context, &launch.gpu))
        return;
    by->read(data->functionParams, &launch);
    launch.overlaps |= by->of_thread;
    if (counts_is_capturing(launch.stream))
        return;
    const struct call_times call = call_now(); /* before it may be delayed */
    launch.shape.gpu = launch.gpu;
    launch.class = class_of_launch(launch.name, &launch.shape);
    launch.range = innermost(&place);
    launch.instance = place.instance;
    launch.selected = select_launch(&place, !launch.class || !launch.class->excluded);
    if (launch.selected && counts_allowed() && !counts_captures()) /* a call of ours might spoil a capture */
        load_code(&launch);
    inside.launch = launch;
    inside.counting = counts_enter(&launch);
    inside.entered = true;
    atomic_fetch_add(out_made(), 1);
    if (launch.class && launch.selected) {
        note_launch(launch.class);
        instance_launched(launch.instance, false);
        if (place.assumed)
            instance_assumed(launch.instance);
    }
    const bool counted = inside.counting == COUNT_UNTIMED || inside.counting == COUNT_SKIPPED || inside.counting == COUNT_MARKED;
    origin_note(data->correlationId, (struct origin){launch.class, launch.range, launch.selected, counted, launch.instance, call});
}

/* Takes back a refused launch. */
static void take_back(const struct launch *launch)
{
    atomic_fetch_sub(out_made(), 1);
    if (!launch->class || !launch->selected)
        return;
    atomic_fetch_sub(launch->class->launched, 1);
    instance_launched(launch->instance, true);
    if (hold()) { /* it may have been reported as running */
        launch->class->changed = true;
        let_go();
    }
}

static void leave_launch(const CUpti_CallbackData *data)
{
    if (!inside.entered)
        return;
    inside.entered = false;
    const bool made = call_succeeded(data);
    if (!made)
        take_back(&inside.launch);
    counts_leave(inside.counting, &inside.launch, made);
    if (inside.counting == COUNT_NOTHING && inside.launch.class && inside.launch.class->collective)
        counts_collective(&inside.launch);
    if (atomic_load(&ending))
        times_publish(); /* no other record will show that it existed */
}

void launches_let_go(bool untimed)
{
    const enum counting counting = inside.counting;
    if (!inside.entered)
        return;
    untimed |= counting == COUNT_MARKED || counting == COUNT_TIMED || counting == COUNT_UNTIMED || counting == COUNT_SKIPPED;
    inside.counting = untimed && !inside.made ? COUNT_UNTIMED : COUNT_NOTHING;
    counts_leave(counting, &inside.launch, inside.made);
}

static void enter_capture(const CUpti_CallbackData *data)
{
    (void)data;
    counts_capture_enter();
}

static void leave_capture(const CUpti_CallbackData *data)
{
    (void)data;
    counts_capture_leave();
}

/* A failed capture has no end. */
static void begun_capture(const CUpti_CallbackData *data)
{
    if (!call_succeeded(data))
        leave_capture(data);
}

static void enter_fence(const CUpti_CallbackData *data)
{
    counts_fence_enter(data->context);
}

/* Code is loaded or unloaded, which may be instrumented while counters are collected. */
static void enter_module(const CUpti_CallbackData *data)
{
    (void)data;
    counts_module_enter();
}

/* Another stream than the default one, or a graph: kernels may overlap. */
static void enter_overlap(const CUpti_CallbackData *data)
{
    (void)data;
    counts_overlap();
}

static void leave_fence(const CUpti_CallbackData *data)
{
    (void)data;
    counts_fence_leave();
}

static void enter_wait(const CUpti_CallbackData *data)
{
    (void)data;
    budget_settle();
    waiting_since_ns = now_ns();
}

/* A memcpy between host and device may wait for earlier work. */
static void leave_copy(const CUpti_CallbackData *data)
{
    (void)data;
    counts_settle();
    waited_from_ns = waiting_since_ns;
    waited_to_ns = now_ns();
}

/* The program has waited for the GPU: collects finished records, because this may be its last call. */
static void leave_wait(const CUpti_CallbackData *data)
{
    leave_copy(data);
    times_gather();
}

/* Kernels of a graph carry the correlation id of its launch; those of a graph taken apart have been launched by then, and the
 * program launches an empty one. */
static void enter_graph_in(const CUpti_CallbackData *data, CUstream stream)
{
    cuGraphLaunch_params *params = (void *)(uintptr_t)data->functionParams; /* CUPTI passes on what is in them then */
    struct place place;
    counts_overlap();
    atomic_fetch_add(out_graphs(), 1);
    counts_record_on();
    const int32_t range = innermost(&place);
    if (graphs_take_apart(data->context, params->executable, stream)) {
        instance_launched(place.instance, false); /* its kernels are tallied, not timed */
        params->executable = graph_empty();
        return;
    }
    counts_fence_enter(NULL); /* kernels have no times in a window of any context */
    const struct call_times call = call_now();
    times_graph_launched(call.called_ns);
    origin_note(data->correlationId, (struct origin){NULL, range, select_launch(&place, true), false, place.instance, call});
}

static void enter_graph(const CUpti_CallbackData *data)
{
    enter_graph_in(data, ((const cuGraphLaunch_params *)data->functionParams)->stream);
}

/* For per-thread default streams. */
static void enter_graph_of_thread(const CUpti_CallbackData *data)
{
    const CUstream stream = ((const cuGraphLaunch_params *)data->functionParams)->stream;
    enter_graph_in(data, stream ? stream : CU_STREAM_PER_THREAD);
}

static void profiler_started(const CUpti_CallbackData *data)
{
    (void)data;
    select_profiler(true);
}

static void profiler_stopped(const CUpti_CallbackData *data)
{
    (void)data;
    select_profiler(false);
}

/* Both entries, for a default stream of the process and of the thread. */
#define BOTH(name, enter, leave)                                                                                                   \
    {CUPTI_DRIVER_TRACE_CBID_##name, enter, leave},                                                                                \
    {                                                                                                                              \
        CUPTI_DRIVER_TRACE_CBID_##name##_ptsz, enter, leave                                                                        \
    }
#define LAUNCH(name, read)                                                                                                         \
    {CUPTI_DRIVER_TRACE_CBID_##name, NULL, leave_launch, read},                                                                    \
    {                                                                                                                              \
        CUPTI_DRIVER_TRACE_CBID_##name##_ptsz, NULL, leave_launch, read, true                                                      \
    }

static const struct call calls[] = {
    LAUNCH(cuLaunchKernel, from_launch_kernel),
    LAUNCH(cuLaunchCooperativeKernel, from_launch_kernel),
    LAUNCH(cuLaunchKernelEx, from_launch_kernel_ex),
    {CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch, enter_graph, leave_fence},
    {CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz, enter_graph_of_thread, leave_fence},
    BOTH(cuStreamBeginCapture, enter_capture, begun_capture),
    BOTH(cuStreamBeginCapture_v2, enter_capture, begun_capture),
    BOTH(cuStreamBeginCaptureToGraph, enter_capture, begun_capture),
    BOTH(cuStreamEndCapture, NULL, leave_capture),
    {CUPTI_DRIVER_TRACE_CBID_cuModuleLoad, enter_module, leave_fence},
    {CUPTI_DRIVER_TRACE_CBID_cuModuleLoadData, enter_module, leave_fence},
    {CUPTI_DRIVER_TRACE_CBID_cuModuleLoadDataEx, enter_module, leave_fence},
    {CUPTI_DRIVER_TRACE_CBID_cuModuleLoadFatBinary, enter_module, leave_fence},
    {CUPTI_DRIVER_TRACE_CBID_cuModuleUnload, enter_module, leave_fence},
    {CUPTI_DRIVER_TRACE_CBID_cuLibraryLoadData, enter_module, leave_fence},
    {CUPTI_DRIVER_TRACE_CBID_cuLibraryLoadFromFile, enter_module, leave_fence},
    {CUPTI_DRIVER_TRACE_CBID_cuLibraryUnload, enter_module, leave_fence},
    BOTH(cuLaunchHostFunc, enter_fence, leave_fence),
    BOTH(cuStreamWaitValue32, enter_fence, leave_fence),
    BOTH(cuStreamWaitValue64, enter_fence, leave_fence),
    BOTH(cuStreamBatchMemOp, enter_fence, leave_fence),
    BOTH(cuStreamWaitValue32_v2, enter_fence, leave_fence),
    BOTH(cuStreamWaitValue64_v2, enter_fence, leave_fence),
    BOTH(cuStreamBatchMemOp_v2, enter_fence, leave_fence),
    BOTH(cuStreamSynchronize, enter_wait, leave_wait),
    {CUPTI_DRIVER_TRACE_CBID_cuCtxSynchronize, enter_wait, leave_wait},
    {CUPTI_DRIVER_TRACE_CBID_cuEventSynchronize, enter_wait, leave_wait},
    {CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoH_v2, enter_wait, leave_copy},
    {CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoH_v2_ptds, enter_wait, leave_copy},
    {CUPTI_DRIVER_TRACE_CBID_cuMemcpyHtoD_v2, enter_wait, leave_copy},
    {CUPTI_DRIVER_TRACE_CBID_cuMemcpyHtoD_v2_ptds, enter_wait, leave_copy},
    BOTH(cuMemcpyDtoHAsync_v2, enter_wait, leave_copy),
    BOTH(cuMemcpyHtoDAsync_v2, enter_wait, leave_copy),
    {CUPTI_DRIVER_TRACE_CBID_cuStreamCreate, enter_overlap, NULL},
    {CUPTI_DRIVER_TRACE_CBID_cuStreamCreateWithPriority, enter_overlap, NULL},
    BOTH(cuGraphInstantiateWithParams, NULL, on_made_graph_with_params),
    {CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiate, NULL, on_made_graph},
    {CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiate_v2, NULL, on_made_graph},
    {CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiateWithFlags, NULL, on_made_graph_with_flags},
    {CUPTI_DRIVER_TRACE_CBID_cuGraphExecUpdate, NULL, on_updated_graph},
    {CUPTI_DRIVER_TRACE_CBID_cuGraphExecUpdate_v2, NULL, on_updated_graph},
    {CUPTI_DRIVER_TRACE_CBID_cuGraphExecKernelNodeSetParams, NULL, on_set_graph_kernel},
    {CUPTI_DRIVER_TRACE_CBID_cuGraphExecKernelNodeSetParams_v2, NULL, on_set_graph_kernel_v2},
    {CUPTI_DRIVER_TRACE_CBID_cuGraphExecNodeSetParams, NULL, on_changed_graph},
    {CUPTI_DRIVER_TRACE_CBID_cuGraphExecMemcpyNodeSetParams, NULL, on_set_graph_copy},
    {CUPTI_DRIVER_TRACE_CBID_cuGraphExecMemsetNodeSetParams, NULL, on_set_graph_set},
    {CUPTI_DRIVER_TRACE_CBID_cuGraphExecHostNodeSetParams, NULL, on_changed_graph},
    {CUPTI_DRIVER_TRACE_CBID_cuGraphExecChildGraphNodeSetParams, NULL, on_set_graph_child},
    {CUPTI_DRIVER_TRACE_CBID_cuGraphExecEventRecordNodeSetEvent, NULL, on_changed_graph},
    {CUPTI_DRIVER_TRACE_CBID_cuGraphExecEventWaitNodeSetEvent, NULL, on_changed_graph},
    {CUPTI_DRIVER_TRACE_CBID_cuGraphNodeSetEnabled, NULL, on_changed_graph},
    {CUPTI_DRIVER_TRACE_CBID_cuGraphExecDestroy, on_gone_graph, NULL},
    {CUPTI_DRIVER_TRACE_CBID_cuProfilerStart, profiler_started, NULL},
    {CUPTI_DRIVER_TRACE_CBID_cuProfilerStop, NULL, profiler_stopped},
};

static void on_call(CUpti_CallbackId id, const CUpti_CallbackData *data)
{
    for (size_t i = 0; i < RL_COUNT(calls); i++) {
        if (calls[i].id != id)
            continue;
        const bool enters = data->callbackSite == CUPTI_API_ENTER;
        void (*act)(const CUpti_CallbackData *) = enters ? calls[i].enter : calls[i].leave;
        if (enters && calls[i].read)
            enter_launch(data, &calls[i]);
        else if (act)
            act(data);
        return;
    }
}

static void on_context_made(const CUpti_ResourceData *data)
{
    if (settings.pc_sampling)
        pc_context_made(data->context);
    counts_context_made(data->context);
}

static void on_context_gone(const CUpti_ResourceData *data)
{
    counts_forget_context(data->context);
    pc_context_gone(data->context);
    gpu_context_gone(data->context);
}

static void on_module_loaded(const CUpti_ResourceData *data)
{
    const CUpti_ModuleResourceData *module = data->resourceDescriptor;
    pc_module_loaded(module->pCubin, module->cubinSize);
}

static void on_module_gone(const CUpti_ResourceData *data)
{
    (void)data;
    pc_module_gone();
}

static const struct {
    CUpti_CallbackIdResource id;
    void (*act)(const CUpti_ResourceData *data);
    bool of_pc; /* only with PC sampling */
} resources[] = {
    {CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING, on_context_gone, false},
    {CUPTI_CBID_RESOURCE_CONTEXT_CREATED, on_context_made, false},
    {CUPTI_CBID_RESOURCE_MODULE_LOADED, on_module_loaded, true},
    {CUPTI_CBID_RESOURCE_MODULE_UNLOAD_STARTING, on_module_gone, true},
};

static bool is_needed(size_t resource)
{
    return settings.pc_sampling || !resources[resource].of_pc;
}

static void on_own_callback(CUpti_CallbackDomain domain, CUpti_CallbackId id, const void *data)
{
    const bool nested = loading; /* inside a launch */
    if (!nested && !enter())
        return;
    if (domain == CUPTI_CB_DOMAIN_DRIVER_API) {
        on_call(id, data);
    } else if (domain == CUPTI_CB_DOMAIN_RESOURCE) {
        for (size_t i = 0; i < RL_COUNT(resources); i++)
            if ((CUpti_CallbackId)resources[i].id == id && is_needed(i))
                resources[i].act(data);
    }
    if (!nested)
        leave();
}

/* Calls the program's callback inside ours, so that what it measures of a call includes none of our work. Our own calls are hidden
 * from it. */
static void CUPTIAPI on_callback(void *unused, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void *data)
{
    (void)unused;
    const bool of_call = domain == CUPTI_CB_DOMAIN_DRIVER_API || domain == CUPTI_CB_DOMAIN_RUNTIME_API;
    const bool returns = of_call && ((const CUpti_CallbackData *)data)->callbackSite == CUPTI_API_EXIT;
    if (is_entered() && !(loading && domain == CUPTI_CB_DOMAIN_RESOURCE))
        return;
    if (of_call)
        guest_note_call(((const CUpti_CallbackData *)data)->correlationId);
    if (returns) {
        inside.made = inside.entered && call_succeeded(data);
        callbacks_tell_guest(domain, id, data);
    }
    on_own_callback(domain, id, data);
    if (!returns)
        callbacks_tell_guest(domain, id, data);
}

enum rl_status launches_start(struct rl_err *err)
{
    enum rl_status status = callbacks_open(on_callback, err);
    for (size_t i = 0; i < RL_COUNT(calls) && status == RL_OK; i++)
        status = callbacks_enable(CUPTI_CB_DOMAIN_DRIVER_API, calls[i].id, err);
    for (size_t i = 0; i < RL_COUNT(resources) && status == RL_OK; i++)
        if (is_needed(i))
            status = callbacks_enable(CUPTI_CB_DOMAIN_RESOURCE, (CUpti_CallbackId)resources[i].id, err);
    return status;
}
