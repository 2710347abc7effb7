/* cuda.c - the driver API, opened at run time; kernels as text that the driver compiles; what was launched, in a file that outlives
 * every end of the program. */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "torture.h"

struct cuda cuda;
static CUcontext context;
static CUfunction functions[KERNELS];
static _Atomic uint64_t unseen[KERNELS], *launched = unseen;

static const char head[] = ".version 6.3\n.target sm_75\n.address_size 64\n";
static const char work_text[] = ".visible .entry _Z4workILi%dEEvy(.param .u64 ns)\n"
                                "{ .reg .u64 %%b, %%e, %%n; .reg .pred %%p;\n"
                                "  ld.param.u64 %%n, [ns];\n  mov.u64 %%b, %%globaltimer;\n"
                                "again:\n  mov.u64 %%e, %%globaltimer;\n  sub.u64 %%e, %%e, %%b;\n"
                                "  setp.lt.u64 %%p, %%e, %%n;\n  @%%p bra again;\n  ret; }\n";
static const char others[] =
    ".visible .entry wait_flag(.param .u64 word, .param .u32 value)\n"
    "{ .reg .u64 %w; .reg .u32 %v, %x; .reg .pred %p;\n"
    "  ld.param.u64 %w, [word];\n  ld.param.u32 %v, [value];\n"
    "again:\n  ld.volatile.global.u32 %x, [%w];\n  setp.ne.u32 %p, %x, %v;\n  @%p bra again;\n  ret; }\n"
    ".visible .entry delay(.param .u64 word, .param .u32 value, .param .u64 ns, .param .u64 late)\n"
    "{ .reg .u64 %w, %l, %n, %b, %e; .reg .u32 %v, %x; .reg .pred %p;\n"
    "  ld.param.u64 %w, [word];\n  ld.param.u32 %v, [value];\n  ld.param.u64 %n, [ns];\n"
    "  ld.param.u64 %l, [late];\n  mov.u64 %b, %globaltimer;\n"
    "again:\n  ld.volatile.global.u32 %x, [%w];\n  setp.eq.u32 %p, %x, %v;\n  @%p bra done;\n"
    "  mov.u64 %e, %globaltimer;\n  sub.u64 %e, %e, %b;\n  setp.lt.u64 %p, %e, %n;\n  @%p bra again;\n"
    "  mov.u32 %x, 1;\n  st.volatile.global.u32 [%l], %x;\ndone:\n  ret; }\n"
    ".visible .entry store(.param .u64 word, .param .u32 value)\n"
    "{ .reg .u64 %w; .reg .u32 %v;\n"
    "  ld.param.u64 %w, [word];\n  ld.param.u32 %v, [value];\n  st.volatile.global.u32 [%w], %v;\n  ret; }\n"
    ".visible .entry persistent(.param .u64 in, .param .u64 out)\n"
    "{ .reg .u64 %i, %o; .reg .u32 %x; .reg .pred %p;\n"
    "  ld.param.u64 %i, [in];\n  ld.param.u64 %o, [out];\n"
    "again:\n  ld.volatile.global.u32 %x, [%i];\n  setp.eq.u32 %p, %x, 0xffffffff;\n  @%p bra done;\n"
    "  st.volatile.global.u32 [%o], %x;\n  bra again;\ndone:\n  ret; }\n";

void must(CUresult result, const char *what)
{
    if (result == CUDA_SUCCESS)
        return;
    fprintf(stderr, "%s: error %d\n", what, (int)result);
    _exit(90);
}

/* Shared with the children; the descriptor is closed, so that programs find theirs as they expect. */
static void map_truth(void)
{
    const char *path = getenv("TORTURE_TRUTH");
    int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    void *map = fd >= 0 ? mmap(NULL, sizeof unseen, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) : MAP_FAILED;
    if (map != MAP_FAILED)
        launched = map;
    if (fd >= 0)
        close(fd);
}

static void *find(void *library, const char *name)
{
    void *function = dlsym(library, name);
    if (!function) {
        fprintf(stderr, "the driver has no %s\n", name);
        _exit(77);
    }
    return function;
}

void cuda_open(void)
{
    if (cuda.cuInit)
        return;
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        _exit(77);
    }
    map_truth();
#define CUDA_FIND(function) cuda.function = (__typeof__(&(function)))find(library, #function);
    CUDA_FUNCTIONS(CUDA_FIND)
#undef CUDA_FIND
}

size_t cuda_text(char *text, size_t size)
{
    int len = snprintf(text, size, "%s", head);
    for (int i = 0; i < WORKS; i++)
        len += snprintf(text + len, size - (size_t)len, work_text, i);
    return (size_t)(len + snprintf(text + len, size - (size_t)len, "%s", others));
}

void cuda_load(void)
{
    static const char *const names[] = {
        [WAIT_FLAG] = "wait_flag", [DELAY] = "delay", [STORE] = "store", [PERSISTENT] = "persistent"};
    char text[CUDA_TEXT], name[40];
    CUmodule module;
    (void)cuda_text(text, sizeof text);
    MUST(cuModuleLoadData, &module, text);
    for (int i = 0; i < KERNELS; i++) {
        snprintf(name, sizeof name, "_Z4workILi%dEEvy", i);
        MUST(cuModuleGetFunction, &functions[i], module, i < WORKS ? name : names[i]);
    }
}

void cuda_start(void)
{
    CUdevice device;
    cuda_open();
    MUST(cuInit, 0);
    MUST(cuDeviceGet, &device, 0);
    MUST(cuDevicePrimaryCtxRetain, &context, device);
    cuda_join();
    cuda_load();
}

void cuda_join(void)
{
    MUST(cuCtxSetCurrent, context);
}

void count_launches(int kernel, uint64_t count)
{
    atomic_fetch_add(&launched[kernel], count);
}

CUresult launch_on(CUstream stream, int kernel, unsigned blocks, void **arguments)
{
    CUresult result = cuda.cuLaunchKernel(functions[kernel], blocks, 1, 1, 1, 1, 1, 0, stream, arguments, NULL);
    if (result == CUDA_SUCCESS)
        count_launches(kernel, 1);
    return result;
}

CUresult launch_in(CUstream stream, int kernel, uint64_t ns)
{
    return launch_on(stream, kernel, 1, (void *[]){&ns});
}

void launch(int kernel)
{
    must(launch_in(NULL, kernel, 2000), "cuLaunchKernel");
}

void launch_many(long count)
{
    for (long i = 0; i < count; i++)
        launch((int)(i % 3));
}

_Atomic uint32_t *word_new(CUdeviceptr *device)
{
    void *host = NULL;
    MUST(cuMemHostAlloc, &host, 64, CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_PORTABLE);
    memset(host, 0, 64);
    MUST(cuMemHostGetDevicePointer_v2, device, host, 0);
    return host;
}

void launch_wait(CUstream stream, CUdeviceptr word, uint32_t value)
{
    must(launch_on(stream, WAIT_FLAG, 1, (void *[]){&word, &value}), "cuLaunchKernel");
}

void launch_store(CUstream stream, CUdeviceptr word, uint32_t value)
{
    must(launch_on(stream, STORE, 1, (void *[]){&word, &value}), "cuLaunchKernel");
}
