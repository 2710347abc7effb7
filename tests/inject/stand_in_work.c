/* stand_in_work.c - the stand-in driver: launches, copies, streams, events. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stand_in.h"

#include <cupti_driver_cbid.h>

#define API STAND_IN_API

/* ---- operations ---- */

CUstream stand_in_stream_of(const struct stand_in_call *call, CUstream stream)
{
    const bool of_context = !stream || stream == CU_STREAM_LEGACY || stream == CU_STREAM_PER_THREAD;
    return of_context ? call->context->stream : stream;
}

static void read_argument(void **arguments, size_t i, void *value, size_t size)
{
    memcpy(value, arguments[i], size);
}

/* Where the arguments of a kernel lie, by what it does; returns how many there are. */
static size_t arguments_of(enum stand_in_does does, size_t offsets[4], size_t bytes[4])
{
    static const struct {
        size_t count, offsets[4], bytes[4];
    } kinds[] = {
        [STAND_IN_COUNTS] = {0},
        [STAND_IN_WORKS] = {1, {0}, {8}},
        [STAND_IN_WAITS] = {2, {0, 8}, {8, 4}},
        [STAND_IN_DELAYS] = {4, {0, 8, 16, 24}, {8, 4, 8, 8}},
        [STAND_IN_STORES] = {2, {0, 8}, {8, 4}},
        [STAND_IN_PERSISTS] = {2, {0, 8}, {8, 8}},
    };
    memcpy(offsets, kinds[does].offsets, sizeof kinds[does].offsets);
    memcpy(bytes, kinds[does].bytes, sizeof kinds[does].bytes);
    return kinds[does].count;
}

API CUresult cuFuncGetParamInfo(CUfunction f, size_t index, size_t *offset, size_t *size)
{
    size_t offsets[4], bytes[4];
    const size_t count = arguments_of(((const struct stand_in_kernel *)(void *)f)->does, offsets, bytes);
    if (index >= count)
        return CUDA_ERROR_INVALID_VALUE;
    *offset = offsets[index];
    *size = bytes[index];
    return CUDA_SUCCESS;
}

API CUresult cuKernelGetParamInfo(CUkernel kernel, size_t index, size_t *offset, size_t *size)
{
    return cuFuncGetParamInfo((CUfunction)(void *)kernel, index, offset, size);
}

API CUresult cuFuncGetName(const char **name, CUfunction f)
{
    *name = ((const struct stand_in_kernel *)(void *)f)->name;
    return CUDA_SUCCESS;
}

API CUresult cuKernelGetName(const char **name, CUkernel kernel)
{
    return cuFuncGetName(name, (CUfunction)(void *)kernel);
}

void stand_in_keep_arguments(const struct stand_in_kernel *kernel, void **arguments, struct stand_in_arguments *kept)
{
    size_t offsets[4], bytes[4];
    const size_t count = arguments_of(kernel->does, offsets, bytes);
    memset(kept, 0, sizeof *kept);
    for (size_t i = 0; i < count; i++) {
        memcpy(kept->bytes + offsets[i], arguments[i], bytes[i]);
        kept->at[i] = kept->bytes + offsets[i];
    }
}

/* Of module kernels; others have none. */
static void read_arguments(struct stand_in_op *op, void **arguments)
{
    switch (op->launch.kernel.does) {
    case STAND_IN_COUNTS:
        break;
    case STAND_IN_WORKS:
        read_argument(arguments, 0, &op->launch.kernel.duration_ns, sizeof op->launch.kernel.duration_ns);
        break;
    case STAND_IN_DELAYS:
        read_argument(arguments, 2, &op->limit_ns, sizeof op->limit_ns);
        read_argument(arguments, 3, &op->second, sizeof op->second);
        /* fall through */
    case STAND_IN_WAITS:
    case STAND_IN_STORES:
        read_argument(arguments, 0, &op->word, sizeof op->word);
        read_argument(arguments, 1, &op->value, sizeof op->value);
        break;
    case STAND_IN_PERSISTS:
        read_argument(arguments, 0, &op->word, sizeof op->word);
        read_argument(arguments, 1, &op->second, sizeof op->second);
        break;
    }
}

/* ---- kernels whose code is loaded at their first launch: those named lazy ---- */

enum { MOST_LAZY = 4, LOADING = 1000000 }; /* what loading adds to the counters of a launch */
static struct lazy {
    _Atomic(const struct stand_in_kernel *) kernel;
    atomic_bool in_context, loaded;
} lazy[MOST_LAZY];

/* NULL: it is no such kernel. */
static struct lazy *lazy_of(const struct stand_in_kernel *kernel)
{
    size_t at = 0;
    if (!strstr(kernel->name, "lazy"))
        return NULL;
    for (const struct stand_in_kernel *none = NULL; at + 1 < MOST_LAZY; at++, none = NULL)
        if (atomic_compare_exchange_strong(&lazy[at].kernel, &none, kernel) || none == kernel)
            break;
    return &lazy[at];
}

API CUresult cuKernelGetFunction(CUfunction *function, CUkernel kernel)
{
    struct lazy *of = lazy_of((const void *)kernel);
    *function = (CUfunction)kernel;
    if (of)
        atomic_store(&of->in_context, true);
    return CUDA_SUCCESS;
}

static atomic_uint loads;

STAND_IN_API unsigned stand_in_loads(void)
{
    return atomic_load(&loads);
}

/* It is the handle of a kernel of no context until it is asked for that of this one. */
API CUresult cuFuncLoad(CUfunction function)
{
    struct lazy *of = lazy_of((const void *)function);
    atomic_fetch_add(&loads, 1);
    if (of && !atomic_load(&of->in_context))
        return CUDA_ERROR_INVALID_HANDLE;
    if (of)
        atomic_store(&of->loaded, true);
    return CUDA_SUCCESS;
}

struct stand_in_op stand_in_kernel_op(const struct stand_in_kernel *kernel, const uint32_t shape[7], void **arguments)
{
    struct stand_in_op op = {.kind = OP_KERNEL, .launch = {.kernel = *kernel, .function = kernel}};
    memcpy(op.launch.shape, shape, sizeof op.launch.shape);
    struct lazy *of = lazy_of(kernel);
    if (of && !atomic_exchange(&of->loaded, true))
        op.launch.kernel.work += LOADING;
    op.ahead = kernel->does == STAND_IN_COUNTS;
    read_arguments(&op, arguments);
    stand_in_keep_arguments(kernel, arguments, &op.arguments);
    return op;
}

CUresult stand_in_submit(const struct stand_in_call *call, CUstream stream, struct stand_in_op *op)
{
    const struct stand_in_hooks *hooks = stand_in_hooks();
    op->launch.context = call->context;
    op->launch.correlation = call->correlation;
    op->launch.device = (uint32_t)call->context->device;
    op->launch.stream = stream->id;
    op->submitted_ns = stand_in_now_ns();
    if (op->kind == OP_KERNEL)
        atomic_store(&stream->collective, strstr(op->launch.kernel.name, "ncclDevKernel") != NULL);
    bool wait = op->kind == OP_KERNEL && hooks && hooks->submitted(&op->launch);
    return stand_in_enqueue(stream, op, wait);
}

/* What is enqueued by a call, or becomes part of the graph that the stream is captured into. */
static CUresult enqueue(const struct stand_in_call *call, CUstream handle, struct stand_in_op *op)
{
    CUstream stream = stand_in_stream_of(call, handle);
    CUgraph graph = atomic_load(&stream->capturing);
    CUresult result = CUDA_SUCCESS;
    if (graph)
        stand_in_graph_add(graph, op);
    else
        result = stand_in_submit(call, stream, op);
    return stand_in_leave(call, result);
}

/* ---- launches; parameters in the order of the prototypes, as CUPTI hands them out ---- */

struct launch_params {
    CUfunction f;
    unsigned shape[7];
    CUstream stream;
    void **kernel_params, **extra;
};

#define LAUNCH(function)                                                                                                           \
    API CUresult function(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,              \
                          unsigned shared, CUstream stream, void **kernel_params, void **extra)                                    \
    {                                                                                                                              \
        const struct launch_params params = {f, {gx, gy, gz, bx, by, bz, shared}, stream, kernel_params, extra};                   \
        const struct stand_in_kernel *kernel = (const struct stand_in_kernel *)(void *)f;                                          \
        STAND_IN_ENTER(function, &params, kernel->name);                                                                           \
        struct stand_in_op op = stand_in_kernel_op(kernel, params.shape, kernel_params);                                           \
        return enqueue(&call, stream, &op);                                                                                        \
    }
LAUNCH(cuLaunchKernel)
LAUNCH(cuLaunchKernel_ptsz)

API CUresult cuLaunchCooperativeKernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                                       unsigned shared, CUstream stream, void **kernel_params)
{
    const struct launch_params params = {f, {gx, gy, gz, bx, by, bz, shared}, stream, kernel_params, NULL};
    const struct stand_in_kernel *kernel = (const struct stand_in_kernel *)(void *)f;
    STAND_IN_ENTER(cuLaunchCooperativeKernel, &params, kernel->name);
    struct stand_in_op op = stand_in_kernel_op(kernel, params.shape, kernel_params);
    return enqueue(&call, stream, &op);
}

API CUresult cuLaunchKernelEx(const CUlaunchConfig *c, CUfunction f, void **kernel_params, void **extra)
{
    const struct {
        const CUlaunchConfig *config;
        CUfunction f;
        void **kernel_params, **extra;
    } params = {c, f, kernel_params, extra};
    const struct stand_in_kernel *kernel = (const struct stand_in_kernel *)(void *)f;
    const uint32_t shape[7] = {c->gridDimX, c->gridDimY, c->gridDimZ, c->blockDimX, c->blockDimY, c->blockDimZ, c->sharedMemBytes};
    STAND_IN_ENTER(cuLaunchKernelEx, &params, kernel->name);
    struct stand_in_op op = stand_in_kernel_op(kernel, shape, kernel_params);
    return enqueue(&call, c->hStream, &op);
}

API CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void *data)
{
    const struct {
        CUstream stream;
        CUhostFn function;
        void *data;
    } params = {stream, function, data};
    STAND_IN_ENTER(cuLaunchHostFunc, &params, NULL);
    struct stand_in_op op = {.kind = OP_HOST, .host = function, .data = data};
    return enqueue(&call, stream, &op);
}

/* ---- copies ---- */

API CUresult cuMemcpyHtoD_v2(CUdeviceptr target, const void *source, size_t bytes)
{
    STAND_IN_ENTER(cuMemcpyHtoD_v2, NULL, NULL);
    struct stand_in_op op = {.kind = OP_COPY, .ahead = true, .copy = {1, 1, 3, bytes}};
    CUresult result = stand_in_submit(&call, call.context->stream, &op);
    stand_in_wait_for(NULL, call.context->stream, NULL, __builtin_return_address(0));
    if (target)
        memcpy((void *)target, source, bytes);
    return stand_in_leave(&call, result);
}

API CUresult cuMemcpyDtoH_v2(void *target, CUdeviceptr source, size_t bytes)
{
    STAND_IN_ENTER(cuMemcpyDtoH_v2, NULL, NULL);
    struct stand_in_op op = {.kind = OP_COPY, .ahead = true, .copy = {2, 3, 1, bytes}};
    CUresult result = stand_in_submit(&call, call.context->stream, &op);
    stand_in_wait_for(NULL, call.context->stream, NULL, __builtin_return_address(0));
    memcpy(target, (const void *)source, bytes);
    return stand_in_leave(&call, result);
}

/* ---- streams ---- */

API CUresult cuStreamCreate(CUstream *stream, unsigned flags)
{
    (void)flags;
    STAND_IN_ENTER(cuStreamCreate, NULL, NULL);
    *stream = stand_in_stream_new(call.context);
    return stand_in_leave(&call, *stream ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY);
}

API CUresult cuStreamDestroy_v2(CUstream stream)
{
    STAND_IN_ENTER(cuStreamDestroy_v2, &stream, NULL);
    stand_in_stream_forget(stream);
    return stand_in_leave(&call, CUDA_SUCCESS);
}

API CUresult cuStreamSynchronize(CUstream stream)
{
    STAND_IN_ENTER(cuStreamSynchronize, &stream, NULL);
    stand_in_wait_for(NULL, stand_in_stream_of(&call, stream), NULL, __builtin_return_address(0));
    return stand_in_leave(&call, CUDA_SUCCESS);
}

API CUresult cuStreamQuery(CUstream stream)
{
    STAND_IN_ENTER(cuStreamQuery, &stream, NULL);
    bool empty = stand_in_is_empty(stand_in_stream_of(&call, stream));
    return stand_in_leave(&call, empty ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY);
}

struct value_params {
    CUstream stream;
    CUdeviceptr address;
    cuuint32_t value;
    unsigned flags;
};

API CUresult cuStreamWaitValue32_v2(CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned flags)
{
    const struct value_params params = {stream, address, value, flags};
    STAND_IN_ENTER(cuStreamWaitValue32_v2, &params, NULL);
    struct stand_in_op op = {.kind = OP_WAIT, .word = (_Atomic uint32_t *)address, .value = value, .flags = flags};
    return enqueue(&call, stream, &op);
}

API CUresult cuStreamWriteValue32_v2(CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned flags)
{
    const struct value_params params = {stream, address, value, flags};
    STAND_IN_ENTER(cuStreamWriteValue32_v2, &params, NULL);
    struct stand_in_op op = {.kind = OP_WRITE, .word = (_Atomic uint32_t *)address, .value = value};
    return enqueue(&call, stream, &op);
}

/* ---- events; without a context too, because nobody asks for one ---- */

API CUresult cuEventCreate(CUevent *event, unsigned flags)
{
    (void)flags;
    *event = calloc(1, sizeof **event);
    return CUDA_SUCCESS;
}

API CUresult cuEventDestroy_v2(CUevent event)
{
    free(event);
    return CUDA_SUCCESS;
}

/* Collective kernels wait for peers that the stand-in does not have: they end when they have been asked for $RL_PEERS times. */
API CUresult cuEventRecord(CUevent event, CUstream handle)
{
    STAND_IN_ENTER(cuEventRecord, NULL, NULL);
    CUstream stream = stand_in_stream_of(&call, handle);
    atomic_store(&event->asked, atomic_load(&stream->collective));
    struct stand_in_op op = {.kind = OP_RECORD, .ahead = true, .event = event, .turn = stand_in_event_turn(event)};
    return enqueue(&call, stream, &op);
}

/* As on a card it spoils what is being captured; the program, which does not look, would crash. What comes later counts, too, which
 * it does not on a card. */
API CUresult cuCtxRecordEvent(CUcontext context, CUevent event)
{
    if (stand_in_context_is_capturing(context)) {
        fputs("stand-in: cuCtxRecordEvent spoils a capture\n", stderr);
        abort();
    }
    atomic_store(&event->whole, context);
    return CUDA_SUCCESS;
}

API CUresult cuEventQuery(CUevent event)
{
    const CUcontext whole = atomic_load(&event->whole);
    if (whole)
        return stand_in_context_is_empty(whole) ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
    const char *peers = getenv("RL_PEERS");
    long asked = atomic_load(&event->asked);
    if (asked && (!peers || atomic_fetch_add(&event->asked, 1) < strtol(peers, NULL, 10)))
        return CUDA_ERROR_NOT_READY;
    return stand_in_event_done(event) ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}

API CUresult cuEventSynchronize(CUevent event)
{
    stand_in_event_wait(event);
    return CUDA_SUCCESS;
}

API CUresult cuEventElapsedTime_v2(float *ms, CUevent from, CUevent to)
{
    *ms = (float)(stand_in_event_time(to) - stand_in_event_time(from)) / 1e6f;
    return stand_in_event_done(to) ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}

API CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags)
{
    (void)flags;
    STAND_IN_ENTER(cuStreamWaitEvent, NULL, NULL);
    struct stand_in_op op = {.kind = OP_FOLLOW, .event = event, .turn = stand_in_event_latest(event)};
    return enqueue(&call, stream, &op);
}

/* ---- the program's marks for profilers ---- */

API CUresult cuProfilerStart(void)
{
    STAND_IN_ENTER(cuProfilerStart, NULL, NULL);
    return stand_in_leave(&call, CUDA_SUCCESS);
}

API CUresult cuProfilerStop(void)
{
    STAND_IN_ENTER(cuProfilerStop, NULL, NULL);
    return stand_in_leave(&call, CUDA_SUCCESS);
}
