/* stand_in.h - what the two stand-ins know of each other: libcuda.so.1 and libcupti.so.13 for machines without a GPU.
 *
 *     stand_in_cuda.c    the driver: process, devices, contexts, memory, modules, callbacks' beginning and end
 *     stand_in_gpu.c     the GPU: streams, one after another in each, on a thread of its own
 *     stand_in_work.c    the driver: launches, copies, streams, events
 *     stand_in_graph.c   the driver: capture, graphs
 *     stand_in_cupti.c   CUPTI: subscribers, activity buffers and the thread that delivers them
 *     stand_in_pm.c      CUPTI: samples of the whole GPU
 *     stand_in_pcs.c     CUPTI: samples of instructions
 *     stand_in_ranges.c  CUPTI: range profiler objects and their counter images
 *     stand_in_guests.c  CUPTI: what programs call and rooflight does not
 *     stand_in_sessions.c, stand_in_nvperf.c
 *                        CUPTI 12.4: profiling sessions in the place of those, and the host library that names their counters
 *
 * Nothing is measured through them: kernels have a name, a duration and a number that stands for all their counters. What a program
 * can notice is as on a card: launches are asynchronous, a kernel may wait for the host, and who waits for such a kernel on the
 * thread that should release it hangs. When that is the injected part, it is said on standard error and the program is aborted.
 *
 * Locks: `stand_in_lock` of the GPU, then none. No function of the other library, nor a callback, is called with a lock held. */
#ifndef RL_TEST_STAND_IN_H
#define RL_TEST_STAND_IN_H

#include <cuda.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* What a kernel does; of a module's kernels its name says it (stand_in_cuda.c). */
enum stand_in_does {
    STAND_IN_COUNTS,  /* nothing: it ends when it begins, and its times are on a clock that runs ahead; for programs with many */
    STAND_IN_WORKS,   /* work*(ns): takes so long */
    STAND_IN_WAITS,   /* wait_flag(word *, value): until the word has the value */
    STAND_IN_DELAYS,  /* delay(word *, value, ns, word *late): the same, but not longer; says in *late that it was late */
    STAND_IN_STORES,  /* store(word *, value) */
    STAND_IN_PERSISTS /* persistent(word *in, word *out): repeats *in in *out until it is ~0 */
};

/* What a CUfunction of the stand-in points to. */
struct stand_in_kernel {
    const char *name;
    uint64_t duration_ns;
    double work; /* counter number i of a launch has the value work + i */
    enum stand_in_does does;
};

/* A launch of a kernel, from the call to the end of the kernel. */
struct stand_in_launch {
    struct stand_in_kernel kernel; /* as it was when it was launched */
    const struct stand_in_kernel *function;
    uint32_t shape[7]; /* grid, block, dynamic shared memory */
    uint32_t correlation, device, graph, stream;
    uint64_t node; /* of the graph */
    CUcontext context;
    bool recorded; /* the Activity API was on */
    bool serial;   /* and recorded kernels one after another */
    uint64_t start_ns, end_ns;
};

/* What CUPTI sees of the driver; every function may be called from any thread. */
struct stand_in_hooks {
    void (*call)(int enter, uint32_t id, const void *params, const char *symbol, uint32_t correlation, CUcontext context,
                 CUresult *result);
    /* On the launching thread, before the kernel runs; true: the call may not return before the kernel has ended. */
    bool (*submitted)(struct stand_in_launch *launch);
    void (*ended)(const struct stand_in_launch *launch);
    void (*copied)(int kind, int source, int target, uint64_t bytes, uint32_t correlation, uint32_t device, uint64_t start_ns,
                   uint64_t end_ns);
    void (*context)(CUcontext context, bool created);
};

/* ---- exported by libcuda.so.1 to libcupti.so.13 ---- */

void stand_in_attach(const struct stand_in_hooks *hooks);
uint32_t stand_in_device_of(CUcontext context);
/* Waits until nothing runs in the context, as CUPTI does when counters begin or end; `who` is named if that hangs. */
void stand_in_wait_idle(CUcontext context, const char *who);
uint64_t stand_in_now_ns(void);
/* Calls of cuFuncLoad, for the program of the tests. */
unsigned stand_in_loads(void);

/* ---- within libcuda.so.1 ---- */

struct CUctx_st {
    int device, retained;
    atomic_bool destroyed;
    CUstream stream; /* the default one, also where a program has asked for one for each thread */
    CUcontext next;
};

/* Arguments of a kernel as they were given; `at` points into `bytes` only where the structure has not moved since. */
struct stand_in_arguments {
    char bytes[32];
    void *at[4];
};

/* An operation in a stream; freed by the GPU when it has ended. */
struct stand_in_op {
    struct stand_in_op *next;
    enum stand_in_kind { OP_KERNEL, OP_COPY, OP_WAIT, OP_WRITE, OP_HOST, OP_RECORD, OP_FOLLOW } kind;
    bool begun, ahead;                       /* ahead: takes no time, as STAND_IN_COUNTS */
    uint64_t submitted_ns, start_ns, end_ns; /* end_ns: 0 while nobody knows it */
    struct stand_in_launch launch;
    struct stand_in_arguments arguments; /* a kernel's */
    _Atomic uint32_t *word, *second;     /* a kernel's, or of wait and write */
    uint32_t value;
    unsigned flags;
    uint64_t limit_ns;
    void (*host)(void *);
    void *data;
    CUevent event;
    uint64_t turn; /* which recording of the event */
    struct {
        int kind, source, target;
        uint64_t bytes;
    } copy;
};
struct CUstream_st {
    CUcontext context;
    uint32_t id;
    bool dying, busy; /* busy: the GPU thread is at its head, without the lock */
    struct stand_in_op *head, *tail;
    _Atomic(CUgraph) capturing;
    atomic_bool collective;   /* its last kernel waits for peers */
    uint64_t free_ns;         /* when the last operation ended */
    uint64_t enqueued, ended; /* operations, ever */
    CUstream next;
};
struct CUevent_st {
    uint64_t turns, done; /* recordings asked for and reached */
    uint64_t time_ns;
    atomic_long asked;        /* behind a collective kernel: how often whether it has ended, and 1; else 0 */
    _Atomic(CUcontext) whole; /* reached when nothing is left in this context; NULL: as it was recorded in a stream */
};

/* stand_in_gpu.c: */
CUstream stand_in_stream_new(CUcontext context); /* NULL: no memory, or no thread for the GPU */
void stand_in_stream_forget(CUstream stream);    /* it goes when it is empty */
bool stand_in_is_empty(CUstream stream);
/* Of all streams of the context. */
bool stand_in_context_is_empty(CUcontext context);
bool stand_in_context_is_capturing(CUcontext context);
/* Appends a copy of the operation; `wait`: and waits for its end. */
CUresult stand_in_enqueue(CUstream stream, const struct stand_in_op *op, bool wait);
/* Waits for what is in the streams of the context, or in the one. Hanging there is reported when `who` is given, or when `caller`,
 * an address, is in the injected part. */
void stand_in_wait_for(CUcontext context, CUstream stream, const char *who, const void *caller);
uint64_t stand_in_event_turn(CUevent event);   /* another recording */
uint64_t stand_in_event_latest(CUevent event); /* the last one that was asked for */
bool stand_in_event_done(CUevent event);
uint64_t stand_in_event_time(CUevent event);
void stand_in_event_wait(CUevent event);

/* stand_in_cuda.c: a call of the driver, which CUPTI is told of before and after. */
struct stand_in_call {
    CUresult refused; /* by the state of the process: nothing is done */
    uint32_t id, correlation;
    const void *params;
    const char *symbol;
    CUcontext context;
};
struct stand_in_call stand_in_enter(uint32_t id, const void *params, const char *symbol);
CUresult stand_in_leave(const struct stand_in_call *call, CUresult result);
/* Whether CUPTI is inside of a callback, or not. */
extern __thread int stand_in_calling_back;
const struct stand_in_hooks *stand_in_hooks(void);

/* stand_in_work.c: the stream that a handle means; what is launched into it, or recorded where it is being captured. */
CUstream stand_in_stream_of(const struct stand_in_call *call, CUstream stream);
CUresult stand_in_submit(const struct stand_in_call *call, CUstream stream, struct stand_in_op *op);
void stand_in_keep_arguments(const struct stand_in_kernel *kernel, void **arguments, struct stand_in_arguments *kept);
struct stand_in_op stand_in_kernel_op(const struct stand_in_kernel *kernel, const uint32_t shape[7], void **arguments);
/* stand_in_graph.c: */
void stand_in_graph_add(CUgraph graph, const struct stand_in_op *op);

#define STAND_IN_API __attribute__((visibility("default")))
/* Begins a driver function: `call`, and returns when the process may not use CUDA. */
#define STAND_IN_ENTER(name, params, symbol)                                                                                       \
    const struct stand_in_call call = stand_in_enter(CUPTI_DRIVER_TRACE_CBID_##name, params, symbol);                              \
    if (call.refused != CUDA_SUCCESS)                                                                                              \
    return stand_in_leave(&call, call.refused)

/* The driver has them; today's cuda.h does not declare them, or elsewhere. */
CUresult cuCtxCreate_v2(CUcontext *context, unsigned flags, CUdevice device);
CUresult cuLaunchKernel_ptsz(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                             unsigned shared, CUstream stream, void **kernel_params, void **extra);
CUresult cuProfilerStart(void);
CUresult cuProfilerStop(void);

#endif
