/* attribution_work.cu - kernels whose traffic to memory is known, for test_attribution: each launch goes on where the last one was
 * in arrays much larger than the cache, so that what it reads comes from memory. */
#include "attribution_work.h"

#include <cuda_runtime.h>

static const size_t ARRAY_BYTES = (size_t)1 << 31, THREADS = 256;
static float4 *arrays[3];
static size_t at_byte;

__global__ void read_long(const float4 *from, float4 *never, size_t count)
{
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < count && from[i].x == 12345.0f)
        never[0] = from[i];
}

__global__ void read_short(const float4 *from, float4 *never, size_t count)
{
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < count && from[i].x == 12345.0f)
        never[0] = from[i];
}

__global__ void triad(const float4 *a, const float4 *b, float4 *c, size_t count)
{
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < count)
        c[i] = make_float4(a[i].x + b[i].x, a[i].y + b[i].y, a[i].z + b[i].z, a[i].w + b[i].w);
}

__global__ void compute(float4 *never, int turns)
{
    float x = threadIdx.x;
    for (int i = 0; i < turns; i++)
        x = fmaf(x, 0.999f, 0.001f);
    if (x == 12345.0f)
        never[0].x = x;
}

extern "C" int attribution_work_begin(void)
{
    for (float4 *&array : arrays)
        if (cudaMalloc(&array, ARRAY_BYTES) != cudaSuccess || cudaMemset(array, 0, ARRAY_BYTES) != cudaSuccess)
            return -1;
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : -1;
}

extern "C" int attribution_work_end(void)
{
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : -1;
}

extern "C" int attribution_launch(const struct attribution_class *of)
{
    if (at_byte + of->bytes > ARRAY_BYTES)
        at_byte = 0;
    const size_t first = at_byte / sizeof(float4), count = of->bytes / sizeof(float4);
    const unsigned blocks = (unsigned)((count + THREADS - 1) / THREADS);
    at_byte += of->bytes;
    switch (of->kernel) {
    case ATTRIBUTION_READ_LONG:
        read_long<<<blocks, THREADS>>>(arrays[0] + first, arrays[2], count);
        break;
    case ATTRIBUTION_READ_SHORT:
        read_short<<<blocks, THREADS>>>(arrays[1] + first, arrays[2], count);
        break;
    case ATTRIBUTION_TRIAD:
        triad<<<blocks, THREADS>>>(arrays[0] + first, arrays[1] + first, arrays[2] + first, count);
        break;
    case ATTRIBUTION_COMPUTE:
        compute<<<264, THREADS>>>(arrays[2], 16384);
        break;
    }
    return cudaPeekAtLastError() == cudaSuccess ? 0 : -1;
}
