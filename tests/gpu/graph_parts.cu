/* graph_parts.cu - a program whose work is a chain of kernels, copies and sets: by itself or as a CUDA graph. Kernels differ in
 * what they take of a launch: shared memory, a cluster, a cooperative launch, arguments of all sizes. It knows nothing of
 * rooflight.
 *
 *     graph_parts graph|plain|kernels ROUNDS     prints what came of it, how often the host was called, and how many kernels were
 *                                                launched; `kernels`: a graph of nothing else
 */
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 1 << 24, SIDE = 2048, SMALL = 1 << 12, THREADS = 256 };

#define CHECK(call)                                                                                                                \
    do {                                                                                                                           \
        const cudaError_t error_ = (call);                                                                                         \
        if (error_ != cudaSuccess) {                                                                                               \
            fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error_));                                                        \
            exit(1);                                                                                                               \
        }                                                                                                                          \
    } while (0)

struct amounts {
    char unlike;
    unsigned add, times[5];
};

static unsigned *first, *second, *sums;
static long launches, host_calls;

__global__ void scale(unsigned *to, const unsigned *from, struct amounts amounts, int count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        to[i] = from[i] * amounts.times[4] + amounts.add + amounts.unlike;
}

__global__ void transpose(unsigned *to, const unsigned *from)
{
    extern __shared__ unsigned tile[];
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int i = 0; i < 32; i += 8)
        tile[(threadIdx.y + i) * 33 + threadIdx.x] = from[(y + i) * SIDE + x];
    __syncthreads();
    for (int i = 0; i < 32; i += 8)
        to[(blockIdx.x * 32 + threadIdx.y + i) * SIDE + blockIdx.y * 32 + threadIdx.x] = tile[threadIdx.x * 33 + threadIdx.y + i];
}

__global__ void add_up(unsigned *sum, const unsigned *from, int count)
{
    unsigned own = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        own += from[i];
    for (int lanes = 16; lanes > 0; lanes /= 2)
        own += __shfl_xor_sync(0xffffffff, own, lanes);
    if (threadIdx.x % 32 == 0)
        atomicAdd(sum, own);
}

/* Says how many blocks of a cluster it saw: one where the launch's attribute is lost. */
__global__ void clustered(unsigned *to)
{
#if __CUDA_ARCH__ >= 900
    const unsigned blocks = cooperative_groups::this_cluster().num_blocks();
#else
    const unsigned blocks = 4;
#endif
    to[blockIdx.x * blockDim.x + threadIdx.x] += blocks;
}

__global__ void together(unsigned *to, unsigned *sum)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    to[i] += 3;
    cooperative_groups::this_grid().sync();
    atomicAdd(sum + 1, to[(i + THREADS) % SMALL]);
}

static void CUDART_CB call_host(void *calls)
{
    ++*(long *)calls;
}

static void launch_cluster(cudaStream_t stream)
{
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute attribute = {};
    config.gridDim = SMALL / THREADS;
    config.blockDim = THREADS;
    config.stream = stream;
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim = {4, 1, 1};
    config.attrs = &attribute;
    config.numAttrs = 1;
    CHECK(cudaLaunchKernelEx(&config, clustered, second + CELLS - SMALL));
}

static void chain(cudaStream_t stream, bool whole)
{
    const struct amounts amounts = {3, 11, {0, 0, 0, 0, 5}};
    unsigned *small = second + CELLS - SMALL, *sum = sums;
    void *arguments[] = {&small, &sum};

    scale<<<CELLS / THREADS, THREADS, 0, stream>>>(second, first, amounts, CELLS);
    transpose<<<dim3(SIDE / 32, SIDE / 32), dim3(32, 8), 32 * 33 * sizeof(unsigned), stream>>>(first, second);
    if (whole)
        CHECK(cudaMemsetAsync(sums + 2, 0, 64, stream));
    add_up<<<264, THREADS, 0, stream>>>(sums, first, CELLS);
    if (whole)
        CHECK(cudaMemcpyAsync(first + SIDE * SIDE, second, SIDE * SIDE * sizeof *first, cudaMemcpyDeviceToDevice, stream));
    launch_cluster(stream);
    CHECK(cudaLaunchCooperativeKernel(together, SMALL / THREADS, THREADS, arguments, 0, stream));
    if (whole)
        CHECK(cudaLaunchHostFunc(stream, call_host, &host_calls));
    scale<<<CELLS / 4 / THREADS, THREADS, 0, stream>>>(first, second, amounts, CELLS / 4);
}

static cudaGraphExec_t make_graph(cudaStream_t stream, bool whole)
{
    cudaGraph_t graph;
    cudaGraphExec_t executable;

    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    chain(stream, whole);
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&executable, graph, 0));
    CHECK(cudaGraphDestroy(graph));
    return executable;
}

int main(int argc, char **argv)
{
    const bool whole = argc < 2 || strcmp(argv[1], "kernels") != 0, graph = !whole || (argc > 1 && strcmp(argv[1], "graph") == 0);
    const long rounds = argc > 2 ? strtol(argv[2], NULL, 10) : 1;
    unsigned found[3];
    cudaStream_t stream;

    CHECK(cudaMalloc(&first, CELLS * sizeof *first));
    CHECK(cudaMalloc(&second, CELLS * sizeof *second));
    CHECK(cudaMalloc(&sums, 4096));
    CHECK(cudaMemset(first, 1, CELLS * sizeof *first));
    CHECK(cudaMemset(second, 2, CELLS * sizeof *second));
    CHECK(cudaMemset(sums, 0, 4096));
    CHECK(cudaStreamCreate(&stream));
    cudaGraphExec_t executable = graph ? make_graph(stream, whole) : NULL;
    for (long i = 0; i < rounds; i++, launches += 6) {
        if (graph)
            CHECK(cudaGraphLaunch(executable, stream));
        else
            chain(stream, whole);
        if (i % 16 == 15)
            CHECK(cudaStreamSynchronize(stream));
    }
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaMemcpy(found, sums, sizeof found, cudaMemcpyDeviceToHost));
    printf("%u %u %u\n%ld\n%ld\n", found[0], found[1], found[2], host_calls, launches);
    return 0;
}
