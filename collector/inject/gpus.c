/* gpus.c - the GPUs that the process uses, queried from the driver that it has loaded. */
#include <dlfcn.h>

#include "collector/collector.h"
#include "inject.h"

/* Device attributes that the capture stores as facts; see facts.c of the collecting process. */
static const CUdevice_attribute attributes[] = {
    CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT,
    CU_DEVICE_ATTRIBUTE_WARP_SIZE,
    CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR,
    CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR,
    CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK,
    CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR,
    CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK,
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR,
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK,
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN,
    CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK,
    CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE,
    CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH,
    CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE,
    CU_DEVICE_ATTRIBUTE_CLOCK_RATE,
    CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH,
};
_Static_assert(RL_COUNT(attributes) <= RL_STREAM_MOST_ATTRIBUTES, "room in the record");

enum { MOST_CONTEXTS = 256, MOST_WAIT_NS = 500000000 };
/* Lock-free: a slot is reserved first, and its context is written last. */
static struct {
    _Atomic(CUcontext) context;
    uint32_t gpu;
} contexts[MOST_CONTEXTS];
static atomic_size_t context_count;
static atomic_int told[MOST_GPUS]; /* of enum telling */
static atomic_int sm_counts[MOST_GPUS];
enum telling { NOT_TOLD, BEING_TOLD, TOLD };

void *driver_function(const char *name)
{
    void *driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
    void *function = driver ? dlsym(driver, name) : NULL;
    if (driver)
        dlclose(driver);
    return function;
}

/* Calls a driver function by name: CU(cuDeviceGet, &device, ordinal); an error if the driver lacks it. */
#define CU(function, ...)                                                                                                          \
    (driver_function(#function) ? ((__typeof__(&function))driver_function(#function))(__VA_ARGS__) : CUDA_ERROR_NOT_FOUND)

static void tell_gpu(uint32_t ordinal)
{
    assume(ordinal < MOST_GPUS);
    CUdevice device = 0;
    char name[256] = "unknown GPU";
    const char *texts[] = {name};
    CUuuid uuid = {{0}};
    size_t memory = 0;
    int driver = 0, number = 0;
    struct rl_record_gpu record = {.gpu = ordinal};
    if (CU(cuDeviceGet, &device, (int)ordinal) != CUDA_SUCCESS)
        return;
    (void)CU(cuDeviceGetName, name, (int)sizeof name, device);
    (void)CU(cuDeviceGetUuid_v2, &uuid, device);
    (void)CU(cuDeviceTotalMem_v2, &memory, device);
    (void)CU(cuDriverGetVersion, &driver);
    memcpy(record.uuid, uuid.bytes, sizeof record.uuid);
    record.memory_bytes = memory;
    record.driver_version = driver;
    if (CU(cuDeviceGetAttribute, &number, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device) == CUDA_SUCCESS)
        record.cc_major = (uint32_t)number;
    if (CU(cuDeviceGetAttribute, &number, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device) == CUDA_SUCCESS)
        record.cc_minor = (uint32_t)number;
    for (size_t i = 0; i < RL_COUNT(attributes); i++)
        if (CU(cuDeviceGetAttribute, &number, attributes[i], device) == CUDA_SUCCESS) {
            record.attributes[record.attribute_count].attribute = (int32_t)attributes[i];
            record.attributes[record.attribute_count++].value = number;
            if (attributes[i] == CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)
                atomic_store(&sm_counts[ordinal], number);
        }
    if (!hold())
        return;
    out_add(RL_RECORD_gpu, &record, sizeof record, texts, RL_COUNT(texts));
    let_go();
}

int gpu_sm_count(uint32_t gpu)
{
    assume(gpu < MOST_GPUS);
    return atomic_load(&sm_counts[gpu]);
}

static void tell_chip(uint32_t gpu)
{
    RL_CUPTI_PARAMS(CUpti_Device_GetChipName_Params, params);
    struct rl_record_chip record = {.gpu = gpu};
    uint32_t version = 0;
    params.deviceIndex = gpu;
    if (rl_cupti.cuptiDeviceGetChipName(&params) != CUPTI_SUCCESS || !params.pChipName)
        return;
    (void)rl_cupti.cuptiGetVersion(&version);
    const char *texts[] = {params.pChipName, rl_cupti_version()};
    if (!hold())
        return;
    out_add(RL_RECORD_chip, &record, sizeof record, texts, RL_COUNT(texts));
    let_go();
}

/* Another thread is querying the driver about the GPU. Nothing of a GPU may be reported before the GPU itself: its records would
 * refer to nothing if the process were killed in between. The wait is bounded. */
static void wait_until_told(uint32_t gpu)
{
    const struct timespec moment = {.tv_nsec = 100000};
    const uint64_t begin_ns = now_ns();
    while (atomic_load(&told[gpu]) != TOLD && atomic_load(&alive) && now_ns() - begin_ns < MOST_WAIT_NS)
        (void)nanosleep(&moment, NULL);
}

bool gpu_seen(uint32_t gpu)
{
    int state = NOT_TOLD;
    if (gpu >= MOST_GPUS)
        return false;
    if (atomic_load(&told[gpu]) == TOLD)
        return true;
    if (!atomic_compare_exchange_strong(&told[gpu], &state, BEING_TOLD)) {
        if (!is_held()) /* reporting it needs the lock */
            wait_until_told(gpu);
        return true;
    }
    tell_gpu(gpu);
    atomic_store(&told[gpu], TOLD);
    tell_chip(gpu);
    return true;
}

bool gpu_of_context(CUcontext context, uint32_t *gpu)
{
    const size_t count = atomic_load(&context_count);
    for (size_t i = 0; i < count && i < MOST_CONTEXTS; i++)
        if (atomic_load(&contexts[i].context) == context) {
            *gpu = contexts[i].gpu;
            return gpu_seen(*gpu);
        }
    if (rl_cupti.cuptiGetDeviceId(context, gpu) != CUPTI_SUCCESS)
        return false;
    const size_t place = atomic_fetch_add(&context_count, 1);
    if (place < MOST_CONTEXTS) {
        contexts[place].gpu = *gpu;
        atomic_store(&contexts[place].context, context);
    }
    return gpu_seen(*gpu);
}

void gpu_context_gone(CUcontext context)
{
    const size_t count = atomic_load(&context_count);
    for (size_t i = 0; i < count && i < MOST_CONTEXTS; i++)
        if (atomic_load(&contexts[i].context) == context)
            atomic_store(&contexts[i].context, NULL);
}
