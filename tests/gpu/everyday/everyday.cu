/* everyday.cu - small CUDA programs as their authors write them: what the first argument names runs and prints its result. They
 * know nothing of rooflight, wait for the GPU as seldom as they can, and print the same in every run, so that a run that is
 * observed can be held against one that is not. The last line of their output is how many kernels they launched. */
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CHECK(call)                                                                                                                \
    do {                                                                                                                           \
        cudaError_t error_ = (call);                                                                                               \
        if (error_ != cudaSuccess) {                                                                                               \
            fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error_));                                                        \
            exit(90);                                                                                                              \
        }                                                                                                                          \
    } while (0)

static const int THREADS = 256;
static const int CELLS = 1 << 20;

static long launches;
static float *now, *next;

__global__ void start(float *cells, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        cells[i] = (float)(i % 1000) / 1000;
}

/* One step of heat conduction along a ring. */
__global__ void heat(const float *from, float *to, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        to[i] = 0.5f * from[i] + 0.25f * (from[(i + 1) % count] + from[(i + count - 1) % count]);
}

/* Sums blocks of cells into the first of each; called with ever fewer. */
__global__ void halve(float *cells, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        cells[i] = 0.5f * (cells[i] + cells[i + count]);
}

/* A grid that takes as much work as it is given, like a persistent matrix product. */
__global__ void persistent(float *cells, int count, int rounds)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        float value = cells[i];
        for (int k = 0; k < rounds; k++)
            value = fmaf(value, 0.999f, 0.0005f);
        cells[i] = value;
    }
}

static void allocate()
{
    CHECK(cudaMalloc(&now, CELLS * sizeof *now));
    CHECK(cudaMalloc(&next, CELLS * sizeof *next));
    start<<<CELLS / THREADS, THREADS>>>(now, CELLS);
    start<<<CELLS / THREADS, THREADS>>>(next, CELLS);
    launches += 2;
}

static void step(cudaStream_t stream)
{
    heat<<<CELLS / THREADS, THREADS, 0, stream>>>(now, next, CELLS);
    float *other = now;
    now = next;
    next = other;
}

static void print_sum()
{
    static float cells[CELLS];
    double sum = 0;
    CHECK(cudaMemcpy(cells, now, sizeof cells, cudaMemcpyDeviceToHost));
    for (int i = 0; i < CELLS; i += 17)
        sum += cells[i];
    printf("%.6f\n", sum);
}

static void one(long)
{
    float *cells;
    CHECK(cudaMalloc(&cells, CELLS * sizeof *cells));
    start<<<CELLS / THREADS, THREADS>>>(cells, CELLS);
    launches++;
    now = cells;
    print_sum();
}

/* Launches and leaves, without ever asking for the result. */
static void burst(long count)
{
    allocate();
    for (long i = 0; i < count; i++, launches++)
        step(0);
    CHECK(cudaGetLastError());
}

static void steps(long count)
{
    allocate();
    for (long i = 0; i < count; i++, launches++)
        step(0);
    print_sum();
}

/* As an elimination does: each launch has a smaller grid than the last. */
static void grids(long count)
{
    allocate();
    for (long i = 0; i < count; i++, launches++)
        halve<<<(unsigned)(count - i), THREADS>>>(now, (int)(count - i) * THREADS);
    print_sum();
}

static void graphs(long count)
{
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    allocate();
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    for (int i = 0; i < 20; i++)
        step(stream);
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&executable, graph, 0));
    CHECK(cudaGraphDestroy(graph));
    for (long i = 0; i < count; i++, launches += 20)
        CHECK(cudaGraphLaunch(executable, stream));
    CHECK(cudaStreamSynchronize(stream));
    print_sum();
}

/* One kernel, one grid, two amounts of work. */
static void modes(long count)
{
    allocate();
    for (long i = 0; i < count; i++, launches++)
        persistent<<<132, THREADS>>>(now, CELLS, i % 3 == 0 ? 400 : 20);
    print_sum();
}

/* A simulation that looks at its result after every hundred steps, for so many seconds' worth of launches. */
static void simulate(long rounds)
{
    float first;
    allocate();
    for (long i = 0; i < rounds; i++) {
        for (int k = 0; k < 100; k++, launches++)
            step(0);
        CHECK(cudaMemcpy(&first, now, sizeof first, cudaMemcpyDeviceToHost));
        persistent<<<132, THREADS>>>(now, CELLS, 2000);
        launches++;
    }
    print_sum();
}

static const struct {
    const char *name;
    void (*run)(long);
} ways[] = {
    {"one", one},       {"burst", burst}, {"steps", steps},       {"grids", grids},
    {"graphs", graphs}, {"modes", modes}, {"simulate", simulate},
};

int main(int argc, char **argv)
{
    for (size_t i = 0; i < sizeof ways / sizeof ways[0] && argc > 1; i++) {
        if (strcmp(argv[1], ways[i].name) != 0)
            continue;
        ways[i].run(argc > 2 ? strtol(argv[2], NULL, 10) : 1);
        printf("%ld\n", launches);
        return 0;
    }
    return 2;
}
