/* stand_in_cuda.c - a libcuda.so.1 without a GPU: the process, devices, contexts, memory, modules. It loads what
 * CUDA_INJECTION64_PATH names when it is initialised, as the driver does, and says nothing when that is not there. */
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stand_in.h"

#include <cupti_driver_cbid.h>

#define API STAND_IN_API

enum { DEVICES = 2, MOST_DEPTH = 8 };
static _Atomic(const struct stand_in_hooks *) hooks;
static atomic_bool initialised, forked, gone;
static atomic_uint correlation;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static CUcontext contexts, primary[DEVICES];
static __thread struct {
    CUcontext contexts[MOST_DEPTH];
    int depth;
} stack;
__thread int stand_in_calling_back;
static __thread uint32_t outer; /* correlation of the call in whose callback this thread is */

API void stand_in_attach(const struct stand_in_hooks *given)
{
    atomic_store(&hooks, given);
}

const struct stand_in_hooks *stand_in_hooks(void)
{
    return atomic_load(&hooks);
}

API uint32_t stand_in_device_of(CUcontext context)
{
    return (uint32_t)context->device;
}

API void stand_in_wait_idle(CUcontext context, const char *who)
{
    stand_in_wait_for(context, NULL, who, NULL);
}

static CUcontext current(void)
{
    return stack.depth ? stack.contexts[stack.depth - 1] : NULL;
}

/* ---- calls ---- */

static CUresult refusal(void)
{
    return atomic_load(&gone)                                   ? CUDA_ERROR_DEINITIALIZED
           : atomic_load(&forked) || !atomic_load(&initialised) ? CUDA_ERROR_NOT_INITIALIZED
                                                                : CUDA_SUCCESS;
}

static void call_back(const struct stand_in_call *call, int entering, CUresult *result)
{
    const struct stand_in_hooks *of = stand_in_hooks();
    if (!of)
        return;
    const uint32_t before = outer;
    stand_in_calling_back++;
    outer = call->correlation;
    of->call(entering, call->id, call->params, call->symbol, call->correlation, call->context, result);
    outer = before;
    stand_in_calling_back--;
}

struct stand_in_call stand_in_enter(uint32_t id, const void *params, const char *symbol)
{
    CUresult none = CUDA_SUCCESS;
    struct stand_in_call call = {.refused = refusal(), .id = id, .params = params, .symbol = symbol, .context = current()};
    if (call.refused != CUDA_SUCCESS)
        return call;
    call.correlation = outer ? outer : atomic_fetch_add(&correlation, 1) + 1; /* out of a callback: that of the outer call */
    call_back(&call, 1, &none);
    if (!call.context)
        call.refused = CUDA_ERROR_INVALID_CONTEXT;
    else if (atomic_load(&call.context->destroyed))
        call.refused = CUDA_ERROR_CONTEXT_IS_DESTROYED;
    return call;
}

CUresult stand_in_leave(const struct stand_in_call *call, CUresult result)
{
    if (call->correlation)
        call_back(call, 0, &result);
    return result;
}

/* ---- process and devices ---- */

static void inject(void)
{
    const char *path = getenv("CUDA_INJECTION64_PATH");
    void *library = path ? dlopen(path, RTLD_NOW) : NULL;
    void *symbol = library ? dlsym(library, "InitializeInjection") : NULL;
    int (*initialize)(void);
    memcpy(&initialize, &symbol, sizeof symbol);
    if (initialize)
        initialize();
}

static void after_fork(void)
{
    if (atomic_load(&initialised))
        atomic_store(&forked, true);
}

static void initialise(void)
{
    pthread_atfork(NULL, NULL, after_fork);
    inject();
    atomic_store(&initialised, true);
}

/* After the exit handlers of the program. */
__attribute__((destructor)) static void leave(void)
{
    atomic_store(&gone, true);
}

API CUresult cuInit(unsigned flags)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)flags;
    pthread_once(&once, initialise);
    return refusal();
}

API CUresult cuDriverGetVersion(int *version)
{
    *version = 13000;
    return CUDA_SUCCESS;
}

API CUresult cuDeviceGetCount(int *count)
{
    *count = getenv("RL_ONE_DEVICE") ? 1 : DEVICES;
    return refusal();
}

API CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
    *device = ordinal;
    return ordinal < DEVICES ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

API CUresult cuDeviceGetName(char *name, int len, CUdevice device)
{
    const char *slow_ms = getenv("RL_SLOW_NAME_MS"); /* as where other threads keep the driver busy */
    if (slow_ms)
        usleep((useconds_t)strtoul(slow_ms, NULL, 10) * 1000);
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

/* Compute capability x 10; $RL_CC: of an older card. */
static int compute_capability(void)
{
    const char *cc = getenv("RL_CC");
    return cc ? (int)strtol(cc, NULL, 10) : 90;
}

API CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device)
{
    (void)device;
    *value = attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR   ? compute_capability() / 10
             : attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR ? compute_capability() % 10
             : attribute == CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT     ? 132
             : attribute == CU_DEVICE_ATTRIBUTE_WARP_SIZE                ? 32
                                                                         : -1;
    return *value < 0 ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

/* ---- contexts; never freed, because a handle may be used after its end ---- */

static CUcontext make_context(CUdevice device)
{
    CUcontext context = calloc(1, sizeof *context);
    context->device = device;
    context->stream = stand_in_stream_new(context);
    if (!context->stream) {
        free(context);
        return NULL;
    }
    pthread_mutex_lock(&lock);
    context->next = contexts;
    contexts = context;
    pthread_mutex_unlock(&lock);
    if (stand_in_hooks())
        stand_in_hooks()->context(context, true);
    return context;
}

/* Nothing more is taken, and work that is under way ends first. */
static void destroy_context(CUcontext context)
{
    if (atomic_exchange(&context->destroyed, true))
        return;
    stand_in_wait_for(context, NULL, NULL, NULL);
    if (stand_in_hooks())
        stand_in_hooks()->context(context, false);
}

static CUresult push(CUcontext context)
{
    if (stack.depth == MOST_DEPTH)
        return CUDA_ERROR_INVALID_CONTEXT;
    stack.contexts[stack.depth++] = context;
    return CUDA_SUCCESS;
}

API CUresult cuCtxCreate_v2(CUcontext *context, unsigned flags, CUdevice device)
{
    (void)flags;
    if (refusal() != CUDA_SUCCESS)
        return refusal();
    *context = make_context(device);
    return *context ? push(*context) : CUDA_ERROR_OUT_OF_MEMORY;
}

API CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
    if (refusal() != CUDA_SUCCESS)
        return refusal();
    pthread_mutex_lock(&lock);
    CUcontext found = primary[device];
    if (found)
        found->retained++;
    pthread_mutex_unlock(&lock);
    if (!found && (found = make_context(device))) { /* programs of the tests retain it on one thread first */
        found->retained = 1;
        pthread_mutex_lock(&lock);
        primary[device] = found;
        pthread_mutex_unlock(&lock);
    }
    *context = found;
    return found ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

API CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device)
{
    pthread_mutex_lock(&lock);
    CUcontext context = primary[device];
    bool last = context && --context->retained == 0;
    if (last)
        primary[device] = NULL;
    pthread_mutex_unlock(&lock);
    if (last)
        destroy_context(context);
    return context ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

API CUresult cuCtxSetCurrent(CUcontext context)
{
    if (refusal() != CUDA_SUCCESS)
        return refusal();
    stack.depth -= stack.depth > 0;
    return context ? push(context) : CUDA_SUCCESS;
}

API CUresult cuCtxPushCurrent_v2(CUcontext context)
{
    return refusal() == CUDA_SUCCESS ? push(context) : refusal();
}

API CUresult cuCtxPopCurrent_v2(CUcontext *context)
{
    if (!stack.depth)
        return CUDA_ERROR_INVALID_CONTEXT;
    CUcontext top = stack.contexts[--stack.depth];
    if (context)
        *context = top;
    return CUDA_SUCCESS;
}

API CUresult cuCtxGetCurrent(CUcontext *context)
{
    *context = current();
    return refusal();
}

API CUresult cuStreamGetCtx(CUstream stream, CUcontext *context)
{
    const bool of_context = !stream || stream == CU_STREAM_LEGACY || stream == CU_STREAM_PER_THREAD;
    *context = of_context ? current() : stream->context;
    return CUDA_SUCCESS;
}

/* Nothing is known of an address. */
API CUresult cuPointerGetAttribute(void *value, CUpointer_attribute attribute, CUdeviceptr address)
{
    (void)value, (void)attribute, (void)address;
    return CUDA_ERROR_INVALID_VALUE;
}

API CUresult cuCtxGetDevice(CUdevice *device)
{
    *device = current() ? current()->device : 0;
    return current() ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

API CUresult cuCtxDestroy_v2(CUcontext context)
{
    if (refusal() != CUDA_SUCCESS)
        return refusal();
    if (atomic_load(&context->destroyed))
        return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    destroy_context(context);
    if (current() == context)
        stack.depth--;
    return CUDA_SUCCESS;
}

API CUresult cuCtxSynchronize(void)
{
    STAND_IN_ENTER(cuCtxSynchronize, NULL, NULL);
    stand_in_wait_for(call.context, NULL, NULL, __builtin_return_address(0));
    return stand_in_leave(&call, CUDA_SUCCESS);
}

/* ---- memory: the host's ---- */

/* $RL_FREE_MB: what is left of 100 GB. */
API CUresult cuMemGetInfo(size_t *left, size_t *total)
{
    const char *megabytes = getenv("RL_FREE_MB");
    *total = (size_t)100 * 1000 * 1000 * 1000;
    *left = megabytes ? (size_t)strtoul(megabytes, NULL, 10) * 1000 * 1000 : *total;
    return CUDA_SUCCESS;
}

API CUresult cuMemHostAlloc(void **address, size_t bytes, unsigned flags)
{
    (void)flags;
    *address = calloc(1, bytes);
    return *address ? refusal() : CUDA_ERROR_OUT_OF_MEMORY;
}

API CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *device, void *host, unsigned flags)
{
    (void)flags;
    *device = (CUdeviceptr)host;
    return refusal();
}

API CUresult cuMemFreeHost(void *address)
{
    free(address);
    return refusal();
}

API CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t bytes)
{
    STAND_IN_ENTER(cuMemAlloc_v2, NULL, NULL);
    *address = (CUdeviceptr)malloc(bytes);
    return stand_in_leave(&call, *address ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY);
}

API CUresult cuMemFree_v2(CUdeviceptr address)
{
    stand_in_wait_for(current(), NULL, NULL, __builtin_return_address(0));
    free((void *)address);
    return refusal();
}

/* ---- modules: the text is not compiled, but its kernels have names ---- */

/* By the first letters of the name, behind what the compiler puts before a C++ one. */
static struct stand_in_kernel kernel_named(const char *name)
{
    static const struct {
        const char *name;
        enum stand_in_does does;
    } rows[] = {{"work", STAND_IN_WORKS},
                {"wait_flag", STAND_IN_WAITS},
                {"delay", STAND_IN_DELAYS},
                {"store", STAND_IN_STORES},
                {"persistent", STAND_IN_PERSISTS}};
    const char *plain = name + (strncmp(name, "_Z", 2) == 0 ? 2 + strspn(name + 2, "0123456789") : 0);
    struct stand_in_kernel kernel = {.name = name, .work = 1000, .does = STAND_IN_COUNTS};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strncmp(plain, rows[i].name, strlen(rows[i].name)) == 0)
            kernel.does = rows[i].does;
    return kernel;
}

struct CUmod_st {
    char *text;
};

API CUresult cuModuleLoadData(CUmodule *module, const void *image)
{
    STAND_IN_ENTER(cuModuleLoadData, NULL, NULL);
    *module = malloc(sizeof **module);
    (*module)->text = strdup(image);
    return stand_in_leave(&call, CUDA_SUCCESS);
}

API CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
    char entry[256];
    snprintf(entry, sizeof entry, ".entry %s(", name);
    if (!strstr(module->text, entry))
        return CUDA_ERROR_NOT_FOUND;
    struct stand_in_kernel *kernel = malloc(sizeof *kernel);
    *kernel = kernel_named(strdup(name)); /* records refer to it to the end of the process */
    *function = (CUfunction)(void *)kernel;
    return refusal();
}
