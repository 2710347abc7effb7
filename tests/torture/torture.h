/* torture.h - programs that are hard to observe. Each is a function, a row of a table in its file, and knows nothing of rooflight;
 * main.c runs the one that its first argument names. The driver is opened at run time, so the same programs run on a card and on
 * the stand-in of tests/inject.
 *
 *     cuda.c         the driver, kernels, what was launched
 *     ends.c         how a program ends: exit, signals, handlers
 *     processes.c    fork, exec, daemons, threads
 *     limits.c       descriptors, files, limits, rights, environment
 *     gpu.c          kernels that wait for the host, graphs, contexts
 *     select.c       launches inside of ranges, for the filters
 *     guests.c       CUPTI, used by the program itself
 *
 * What a program prints does not depend on time, nor on chance: it is compared with what it prints unobserved. */
#ifndef RL_TORTURE_H
#define RL_TORTURE_H

#include <cuda.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/* A program; the numbers are the next arguments, or 0. */
struct program {
    const char *name;
    void (*run)(long a, long b);
};
extern const struct program programs_ends[], programs_processes[], programs_limits[], programs_gpu[], programs_select[],
    programs_guests[];

/* ---- cuda.c ---- */

CUresult cuCtxCreate_v2(CUcontext *context, unsigned flags, CUdevice device); /* cuda.h has a later one */
CUresult cuProfilerStart(void);
CUresult cuProfilerStop(void);

#define CUDA_FUNCTIONS(F)                                                                                                          \
    F(cuInit)                                                                                                                      \
    F(cuDeviceGet)                                                                                                                 \
    F(cuDevicePrimaryCtxRetain)                                                                                                    \
    F(cuCtxSetCurrent)                                                                                                             \
    F(cuCtxGetCurrent)                                                                                                             \
    F(cuCtxCreate_v2)                                                                                                              \
    F(cuCtxDestroy_v2)                                                                                                             \
    F(cuCtxSynchronize)                                                                                                            \
    F(cuModuleLoadData)                                                                                                            \
    F(cuModuleGetFunction)                                                                                                         \
    F(cuLaunchKernel)                                                                                                              \
    F(cuLaunchHostFunc)                                                                                                            \
    F(cuStreamCreate)                                                                                                              \
    F(cuStreamSynchronize)                                                                                                         \
    F(cuStreamWaitValue32_v2)                                                                                                      \
    F(cuStreamWaitEvent)                                                                                                           \
    F(cuStreamBeginCapture_v2)                                                                                                     \
    F(cuStreamEndCapture)                                                                                                          \
    F(cuEventCreate)                                                                                                               \
    F(cuEventRecord)                                                                                                               \
    F(cuMemHostAlloc)                                                                                                              \
    F(cuMemHostGetDevicePointer_v2)                                                                                                \
    F(cuGraphInstantiateWithFlags)                                                                                                 \
    F(cuGraphLaunch)                                                                                                               \
    F(cuProfilerStart)                                                                                                             \
    F(cuProfilerStop)

/* The driver's functions. */
extern struct cuda {
#define CUDA_MEMBER(function) __typeof__(&(function)) function;
    CUDA_FUNCTIONS(CUDA_MEMBER)
#undef CUDA_MEMBER
} cuda;

/* Kernels: "void work<I>(unsigned long long)" takes so many ns; the others are for tests of waiting. */
enum { WORKS = 10, WAIT_FLAG = WORKS, DELAY, STORE, PERSISTENT, KERNELS };

/* Opens the driver, which changes nothing yet; an unusable one ends the program with status 77. Others call it too. */
void cuda_open(void);
/* Opens it, takes the first device and makes its context current; the kernels are there. */
void cuda_start(void);
/* The kernels' PTX; returns its length. */
enum { CUDA_TEXT = 16384 };
size_t cuda_text(char *text, size_t size);
/* Kernels for the current context, made by cuCtxCreate_v2. */
void cuda_load(void);
/* The context of cuda_start becomes current on this thread too. */
void cuda_join(void);
/* Ends the program with status 90 when a call has failed. */
void must(CUresult result, const char *what);
#define MUST(function, ...) must(cuda.function(__VA_ARGS__), #function)

/* Launches with so many blocks; what was launched is counted in the file that $TORTURE_TRUTH names. */
CUresult launch_on(CUstream stream, int kernel, unsigned blocks, void **arguments);
/* work<kernel> for so long. */
CUresult launch_in(CUstream stream, int kernel, uint64_t ns);
void launch(int kernel);
void launch_many(long count);
/* Kernels that a graph has launched. */
void count_launches(int kernel, uint64_t count);
/* A word that host and GPU see. */
_Atomic uint32_t *word_new(CUdeviceptr *device);
/* wait_flag: until the word has the value. */
void launch_wait(CUstream stream, CUdeviceptr word, uint32_t value);
void launch_store(CUstream stream, CUdeviceptr word, uint32_t value);

#endif
