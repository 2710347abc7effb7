/* device.cu - CUDA devices, checked calls, launches. */
#include "device.cuh"

#include <assert.h>
#include <math.h>
#include <time.h>

extern "C" {
#include "core/clock.h"
#include "kernels/driver.h"
}

struct advice {
    cudaError_t code;
    enum rl_status status;
    const char *what_to_do;
};

/* Codes that the user can do something about; the others are RL_FAILED. */
static const struct advice advices[] = {
    {cudaErrorNoDevice, RL_ABSENT, "check that nvidia-smi lists a GPU and that CUDA_VISIBLE_DEVICES does not hide it"},
    {cudaErrorInsufficientDriver, RL_ABSENT, "install an NVIDIA driver, or a newer one"}, /* rl_device_count says which */
    {cudaErrorStubLibrary, RL_ABSENT, "libcuda.so is the toolkit's stub: install an NVIDIA driver"},
    {cudaErrorInvalidDevice, RL_ABSENT, "choose a GPU that nvidia-smi lists"},
    {cudaErrorSystemDriverMismatch, RL_ABSENT, "kernel module and libraries of the driver differ: reboot"},
    {cudaErrorSystemNotReady, RL_ABSENT, "start the system's GPU services (nvidia-fabricmanager on NVSwitch systems)"},
    {cudaErrorDevicesUnavailable, RL_FAILED, "another process holds the GPU exclusively: wait for it, or choose another GPU"},
    {cudaErrorNoKernelImageForDevice, RL_UNSUPPORTED, "build with the GPU's compute capability in CMAKE_CUDA_ARCHITECTURES"},
    {cudaErrorUnsupportedPtxVersion, RL_UNSUPPORTED,
     "install a newer driver, or build with the GPU's compute capability in "
     "CMAKE_CUDA_ARCHITECTURES"},
    {cudaErrorMemoryAllocation, RL_UNSUPPORTED, "choose a smaller size, or a GPU with more free memory"},
};

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

enum rl_status rl_cuda_check(cudaError_t code, const char *expression, const char *file, int line, struct rl_err *err)
{
    if (code == cudaSuccess)
        return RL_OK;
    (void)cudaGetLastError(); /* an error that is reported now must not be found again by a later call */
    for (const struct advice &advice : advices)
        if (advice.code == code)
            return rl_err_set(err, advice.status, "%s: %s, %s (%s:%d); %s", expression, cudaGetErrorName(code),
                              cudaGetErrorString(code), file_name(file), line, advice.what_to_do);
    return rl_err_set(err, RL_FAILED, "%s: %s, %s (%s:%d)", expression, cudaGetErrorName(code), cudaGetErrorString(code),
                      file_name(file), line);
}

/* ---- devices ---- */

/* Never runs: stands for all the code of the program when the runtime is asked what it holds for a device. */
__global__ void probe_kernel() {}

/* No driver and one that is too old are the same code. */
static enum rl_status check_driver(struct rl_err *err)
{
    const struct rl_driver_check check = rl_driver_check(rl_driver_version(), CUDART_VERSION);
    return rl_driver_err(&check, err);
}

enum rl_status rl_device_count(int *count, struct rl_err *err)
{
    *count = 0;
    const cudaError_t code = cudaGetDeviceCount(count);
    if (code == cudaErrorInsufficientDriver)
        RL_TRY(check_driver(err));
    return rl_cuda_check(code, "cudaGetDeviceCount(count)", __FILE__, __LINE__, err);
}

static enum rl_status check_code(int index, struct rl_err *err)
{
    cudaFuncAttributes attributes;
    cudaDeviceProp properties;
    const cudaError_t code = cudaFuncGetAttributes(&attributes, probe_kernel);
    if (code != cudaErrorNoKernelImageForDevice && code != cudaErrorInvalidDeviceFunction)
        return rl_cuda_check(code, "cudaFuncGetAttributes(probe_kernel)", __FILE__, __LINE__, err);
    (void)cudaGetLastError(); /* reported below, with the remedy */
    RL_TRY(RL_CUDA(err, cudaGetDeviceProperties(&properties, index)));
    return rl_err_set(
        err, RL_UNSUPPORTED,
        "this program holds no code for GPU %d (%s, compute capability %d.%d): build it with %d%d in CMAKE_CUDA_ARCHITECTURES",
        index, properties.name, properties.major, properties.minor, properties.major, properties.minor);
}

enum rl_status rl_device_open(int index, void **stream, int *sm_count, struct rl_err *err)
{
    int count = 0, sms = 0;
    cudaStream_t made = NULL;
    *stream = NULL;
    RL_TRY(rl_device_count(&count, err));
    if (index < 0 || index >= count)
        return rl_err_set(err, RL_ABSENT, "there is no GPU %d: the CUDA runtime sees %d, counted from 0", index, count);
    RL_TRY(RL_CUDA(err, cudaSetDevice(index)));
    RL_TRY(check_code(index, err));
    RL_TRY(RL_CUDA(err, cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, index)));
    RL_TRY(RL_CUDA(err, cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking)));
    *stream = made;
    if (sm_count)
        *sm_count = sms;
    return RL_OK;
}

void rl_device_close(void *stream)
{
    if (stream)
        (void)cudaStreamDestroy((cudaStream_t)stream); /* nothing is left to be done about a failure */
}

static double wait_limit_s = 60;

void rl_device_set_time_limit(double seconds)
{
    wait_limit_s = seconds;
}

enum rl_status rl_device_wait(void *stream, struct rl_err *err)
{
    /* Short waits spin, because some runs are timed by the host's clock; long ones leave the processor to others. */
    static const double spin_s = 0.02;
    static const struct timespec nap = {0, 100000};
    const int64_t start_ns = rl_monotonic_ns();
    for (;;) {
        const cudaError_t code = cudaStreamQuery((cudaStream_t)stream);
        if (code != cudaErrorNotReady)
            return rl_cuda_check(code, "cudaStreamQuery(stream)", __FILE__, __LINE__, err);
        (void)cudaGetLastError(); /* "not ready" is no error */
        const double waited = rl_seconds_since(start_ns);
        if (waited > wait_limit_s)
            return rl_err_set(err, RL_TIMEOUT, "no end after %.0f s: the launch hangs", wait_limit_s);
        if (waited > spin_s)
            nanosleep(&nap, NULL);
    }
}

bool rl_device_usable(void)
{
    return cudaFree(NULL) == cudaSuccess; /* does nothing, but reports a sticky fault */
}

enum rl_status rl_device_time_events(struct rl_suite_run *run, const struct rl_suite_ops *ops, uint64_t *duration_ns,
                                     struct rl_err *err)
{
    return rl_time_events(
        run->stream, [&] { return ops->launch(run, err); }, duration_ns, err);
}

/* ---- back-to-back launches ---- */

static __device__ uint64_t global_ns()
{
    uint64_t ns;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns)::"memory");
    return ns;
}

__global__ void gate_kernel(const volatile int *open, uint64_t limit_ns)
{
    const uint64_t start = global_ns();
    while (!*open && global_ns() - start < limit_ns)
        continue;
}

__global__ void empty_probe_kernel() {}

__global__ void spin_probe_kernel(uint64_t ns)
{
    const uint64_t start = global_ns();
    while (global_ns() - start < ns)
        continue;
}

static enum rl_status launch_spins(void *stream, uint64_t spin_ns, unsigned runs, struct rl_err *err)
{
    for (unsigned i = 0; i < runs; i++) {
        if (spin_ns)
            spin_probe_kernel<<<1, 32, 0, (cudaStream_t)stream>>>(spin_ns);
        else
            empty_probe_kernel<<<1, 32, 0, (cudaStream_t)stream>>>();
        RL_TRY(RL_CUDA(err, cudaGetLastError()));
    }
    return RL_OK;
}

/* A flag in host memory that a kernel waits for. */
struct gate {
    int *open;
    cudaEvent_t start, stop;
};

static enum rl_status close_gate(struct gate *gate, cudaStream_t stream, struct rl_err *err)
{
    static const uint64_t limit_ns = 5000000;
    RL_TRY(RL_CUDA(err, cudaHostAlloc((void **)&gate->open, sizeof *gate->open, cudaHostAllocMapped)));
    *gate->open = 0;
    RL_TRY(RL_CUDA(err, cudaEventCreate(&gate->start)));
    RL_TRY(RL_CUDA(err, cudaEventCreate(&gate->stop)));
    gate_kernel<<<1, 1, 0, stream>>>(gate->open, limit_ns);
    return RL_CUDA(err, cudaGetLastError());
}

static void release_gate(struct gate *gate)
{
    if (gate->stop)
        (void)cudaEventDestroy(gate->stop);
    if (gate->start)
        (void)cudaEventDestroy(gate->start);
    if (gate->open)
        (void)cudaFreeHost(gate->open);
}

/* Event time of what `body` enqueues while the gate is closed. */
template <class Body> static enum rl_status time_queue(void *stream, Body body, double *elapsed_ns, struct rl_err *err)
{
    struct gate gate = {};
    float milliseconds = 0;
    enum rl_status status = close_gate(&gate, (cudaStream_t)stream, err);
    RL_THEN(status, RL_CUDA(err, cudaEventRecord(gate.start, (cudaStream_t)stream)));
    RL_THEN(status, body());
    RL_THEN(status, RL_CUDA(err, cudaEventRecord(gate.stop, (cudaStream_t)stream)));
    if (gate.open)
        *(volatile int *)gate.open = 1;
    const enum rl_status waited = rl_device_wait(stream, status == RL_OK ? err : NULL);
    status = status == RL_OK ? waited : status;
    RL_THEN(status, RL_CUDA(err, cudaEventElapsedTime(&milliseconds, gate.start, gate.stop)));
    *elapsed_ns = 1e6 * (double)milliseconds;
    if (waited == RL_OK) /* otherwise the kernel may still look at the flag */
        release_gate(&gate);
    return status;
}

enum rl_status rl_device_time_queue(struct rl_suite_run *run, const struct rl_suite_ops *ops, unsigned runs, double *elapsed_ns,
                                    struct rl_err *err)
{
    return time_queue(
        run->stream,
        [&] {
            for (unsigned i = 0; i < runs; i++)
                RL_TRY(ops->launch(run, err));
            return RL_OK;
        },
        elapsed_ns, err);
}

enum rl_status rl_device_time_spins(void *stream, uint64_t spin_ns, unsigned runs, double *elapsed_ns, struct rl_err *err)
{
    return time_queue(
        stream, [&] { return launch_spins(stream, spin_ns, runs, err); }, elapsed_ns, err);
}

enum rl_status rl_device_launch_empty(void *stream, unsigned blocks, unsigned threads, struct rl_err *err)
{
    empty_probe_kernel<<<blocks, threads, 0, (cudaStream_t)stream>>>();
    return RL_CUDA(err, cudaGetLastError());
}

enum rl_status rl_device_spin(void *stream, uint64_t spin_ns, unsigned runs, struct rl_err *err)
{
    RL_TRY(launch_spins(stream, spin_ns, runs, err));
    return rl_device_wait(stream, err);
}

/* ---- launches ---- */

/* The mangled name of a kernel. Runtimes before CUDA 12.3 do not tell it: there the linker hands what each file registers with the
 * runtime, before main, to the function below first (CMakeLists.txt). */
#if CUDART_VERSION >= 12030
static enum rl_status name_of(const void *kernel, const char **name, struct rl_err *err)
{
    return RL_CUDA(err, cudaFuncGetName(name, kernel));
}
#else
static struct registered {
    const void *kernel;
    const char *name; /* of the file that registers it */
    struct registered *next;
} * registered;

extern "C" {
void __real___cudaRegisterFunction(void **, const char *, char *, const char *, int, uint3 *, uint3 *, dim3 *, dim3 *, int *);
void __wrap___cudaRegisterFunction(void **file, const char *kernel, char *device, const char *name, int threads, uint3 *thread,
                                   uint3 *block, dim3 *block_size, dim3 *grid_size, int *warp_size)
{
    struct registered *row = (struct registered *)rl_calloc(1, sizeof *row);
    *row = {kernel, name, registered};
    registered = row;
    __real___cudaRegisterFunction(file, kernel, device, name, threads, thread, block, block_size, grid_size, warp_size);
}
}

static enum rl_status name_of(const void *kernel, const char **name, struct rl_err *err)
{
    for (const struct registered *row = registered; row; row = row->next) {
        if (row->kernel == kernel) {
            *name = row->name;
            return RL_OK;
        }
    }
    return rl_err_set(err, RL_FAILED, "a kernel was launched that no file has registered");
}
#endif

/* Name and resources of a kernel, from the runtime. */
static enum rl_status describe_launch(struct rl_launch *launch, const void *kernel, dim3 grid, dim3 block, size_t shared_bytes,
                                      struct rl_err *err)
{
    cudaFuncAttributes attributes;
    const char *name = NULL;
    RL_TRY(RL_CUDA(err, cudaFuncGetAttributes(&attributes, kernel)));
    RL_TRY(name_of(kernel, &name, err));
    *launch = {};
    launch->name = name;
    launch->grid[0] = grid.x, launch->grid[1] = grid.y, launch->grid[2] = grid.z;
    launch->block[0] = block.x, launch->block[1] = block.y, launch->block[2] = block.z;
    launch->dynamic_shared_bytes = shared_bytes;
    launch->registers_per_thread = attributes.numRegs;
    launch->static_shared_bytes = attributes.sharedSizeBytes;
    launch->local_bytes_per_thread = attributes.localSizeBytes;
    return RL_OK;
}

static bool same_launch(const struct rl_launch *a, const struct rl_launch *b)
{
    return strcmp(a->name, b->name) == 0 && memcmp(a->grid, b->grid, sizeof a->grid) == 0 &&
           memcmp(a->block, b->block, sizeof a->block) == 0 && a->dynamic_shared_bytes == b->dynamic_shared_bytes;
}

static enum rl_status note_launch(struct rl_suite_run *run, const void *kernel, dim3 grid, dim3 block, size_t shared_bytes,
                                  struct rl_err *err)
{
    struct rl_launch launch;
    size_t i = 0;
    RL_TRY(describe_launch(&launch, kernel, grid, block, shared_bytes, err));
    while (i < run->launch_count && !same_launch(&run->launches[i], &launch))
        i++;
    if (i == RL_MAX_LAUNCHES || run->sequence_count == RL_MAX_SEQUENCE)
        return rl_err_set(err, RL_FAILED, "%s/%s enqueues more than %d different kernels or %d launches at a time",
                          run->experiment->name, run->variant->name, RL_MAX_LAUNCHES, RL_MAX_SEQUENCE);
    if (i == run->launch_count)
        run->launches[run->launch_count++] = launch;
    run->launches[i].count++;
    run->sequence[run->sequence_count++] = (uint8_t)i;
    return RL_OK;
}

enum rl_status rl_enqueue_kernel(struct rl_suite_run *run, enum rl_launch_kind kind, const void *kernel, dim3 grid, dim3 block,
                                 size_t shared_bytes, void **arguments, struct rl_err *err)
{
    const cudaStream_t stream = (cudaStream_t)run->stream;
    assert(grid.x > 0 && block.x > 0);
    if (run->recording)
        RL_TRY(note_launch(run, kernel, grid, block, shared_bytes, err));
    if (run->fault == RL_FAULT_NO_LAUNCH || (run->skipped > 0 && run->enqueued++ < run->skipped))
        return RL_OK;
    if (kind == RL_LAUNCH_COOPERATIVE)
        return RL_CUDA(err, cudaLaunchCooperativeKernel(kernel, grid, block, arguments, shared_bytes, stream));
    return RL_CUDA(err, cudaLaunchKernel(kernel, grid, block, arguments, shared_bytes, stream));
}

enum rl_status rl_allow_shared_bytes(const struct rl_suite_run *run, const void *kernel, size_t shared_bytes, struct rl_err *err)
{
    cudaFuncAttributes attributes;
    int device = 0, most = 0;
    RL_TRY(RL_CUDA(err, cudaGetDevice(&device)));
    RL_TRY(RL_CUDA(err, cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device)));
    RL_TRY(RL_CUDA(err, cudaFuncGetAttributes(&attributes, kernel)));
    const size_t needed = shared_bytes + attributes.sharedSizeBytes;
    if (needed > (size_t)most)
        return rl_err_set(err, RL_UNSUPPORTED, "%s/%s needs %.1f KiB of shared memory a block, this GPU has %.1f KiB",
                          run->experiment->name, run->variant->name, (double)needed / 1024, (double)most / 1024);
    return RL_CUDA(err, cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared_bytes));
}

enum rl_status rl_no_row(const struct rl_suite_run *run, struct rl_err *err)
{
    return rl_err_set(err, RL_FAILED, "%s has no kernel for its variant '%s'", run->experiment->name, run->variant->name);
}

enum rl_status rl_no_cub(struct rl_err *err)
{
    return rl_err_set(err, RL_UNSUPPORTED, "built with a CUDA toolkit without CUB: install the complete toolkit and build again");
}
