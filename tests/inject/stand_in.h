/* stand_in.h - what the two stand-ins know of each other: libcuda.so.1 and libcupti.so.13 for machines without a GPU. Nothing is
 * measured through them: kernels have a name, a duration and a number that stands for all their counters. */
#ifndef RL_TEST_STAND_IN_H
#define RL_TEST_STAND_IN_H

#include <cuda.h>
#include <stdint.h>

/* What a CUfunction of the stand-in points to. */
struct stand_in_kernel {
    const char *name;
    uint64_t duration_ns;
    double work; /* counter number i of a launch has the value work + i */
};
/* And a CUgraphExec: a kernel and how many nodes launch it. */
struct stand_in_graph {
    const struct stand_in_kernel *kernel;
    unsigned nodes;
};

/* What happens on the stand-in's GPU; given by libcupti. */
struct stand_in_hooks {
    void (*call)(int enter, uint32_t id, const void *params, const char *symbol, uint32_t correlation, CUcontext context,
                 CUresult result);
    void (*kernel)(const struct stand_in_kernel *kernel, const uint32_t shape[7], uint32_t correlation, uint32_t device,
                   uint32_t graph, uint64_t start_ns, uint64_t end_ns);
    void (*copy)(int kind, int source, int target, uint64_t bytes, uint32_t correlation, uint32_t device, uint64_t start_ns,
                 uint64_t end_ns);
    void (*context_destroyed)(CUcontext context);
};
/* Exported by libcuda.so.1. */
void stand_in_attach(const struct stand_in_hooks *hooks);
uint32_t stand_in_device_of(CUcontext context);
/* The driver has them; today's cuda.h does not declare them, or elsewhere. */
CUresult cuCtxCreate_v2(CUcontext *context, unsigned flags, CUdevice device);
CUresult cuLaunchKernel_ptsz(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                             unsigned shared, CUstream stream, void **kernel_params, void **extra);
CUresult cuProfilerStart(void);
CUresult cuProfilerStop(void);

#endif
