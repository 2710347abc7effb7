/* launcher.cu - a program to be observed on a card: what the first argument names, with two numbers. It knows nothing of rooflight.
 * At its end it prints, as JSON, what the test needs to know of it: wall time of the work, launches, peak memory. */
#include <cooperative_groups.h>
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>
#include <dlfcn.h>
#include <nvtx3/nvToolsExt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <thread>
#include <vector>

#define CHECK(call)                                                                                                                \
    do {                                                                                                                           \
        cudaError_t error_ = (call);                                                                                               \
        if (error_ != cudaSuccess) {                                                                                               \
            fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error_));                                                        \
            exit(90);                                                                                                              \
        }                                                                                                                          \
    } while (0)

static const int THREADS = 256;
static const size_t ELEMENTS = (size_t)1 << 24, KNOWN_ELEMENTS = (size_t)1 << 28;

/* Ten classes: 2 * N floating-point operations an element. */
template <int N> __global__ void work(float *x, size_t count)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    float v = x[i];
#pragma unroll
    for (int k = 0; k < N; k++)
        v = fmaf(v, 0.999f, 0.001f);
    x[i] = v;
}

/* 8 bytes read, 4 written, 2 FLOP an element. */
__global__ void triad(const float *a, const float *b, float *c, size_t count)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < count)
        c[i] = fmaf(3.0f, a[i], b[i]);
}

__global__ void grid_wide(float *x, size_t count)
{
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    for (size_t i = grid.thread_rank(); i < count; i += grid.size())
        x[i] += 1;
    grid.sync();
    for (size_t i = grid.thread_rank(); i < count; i += grid.size())
        x[i] *= 0.5f;
}

__global__ void clustered(float *x)
{
    x[blockIdx.x * (size_t)blockDim.x + threadIdx.x] += 1;
}

__global__ void broken(int *nowhere)
{
    nowhere[threadIdx.x] = 1;
}

static long launches;
static float *buffer;
static const int BLOCKS = 64;

static void allocate()
{
    CHECK(cudaMalloc(&buffer, ELEMENTS * sizeof(float)));
    CHECK(cudaMemset(buffer, 0, ELEMENTS * sizeof(float)));
}

typedef void (*kernel)(float *, size_t);
static const kernel works[] = {work<1>, work<2>, work<3>, work<4>, work<5>, work<6>, work<7>, work<8>, work<9>, work<10>};

static void launch(int index, cudaStream_t stream = 0)
{
    works[index]<<<BLOCKS, THREADS, 0, stream>>>(buffer, (size_t)BLOCKS * THREADS);
    __atomic_add_fetch(&launches, 1, __ATOMIC_RELAXED);
}

static void many(long count, long classes)
{
    allocate();
    for (long i = 0; i < count; i++)
        launch((int)(i % classes));
    CHECK(cudaDeviceSynchronize());
}

static void known(long count, long)
{
    float *arrays[3];
    for (float *&array : arrays)
        CHECK(cudaMalloc(&array, KNOWN_ELEMENTS * sizeof(float)));
    for (long i = 0; i < count; i++, launches++)
        triad<<<(unsigned)(KNOWN_ELEMENTS / THREADS), THREADS>>>(arrays[0], arrays[1], arrays[2], KNOWN_ELEMENTS);
    CHECK(cudaDeviceSynchronize());
}

static void graphs(long count, long)
{
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    allocate();
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    for (int i = 0; i < 5; i++)
        works[4]<<<BLOCKS, THREADS, 0, stream>>>(buffer, (size_t)BLOCKS * THREADS);
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&executable, graph, 0));
    for (long i = 0; i < count; i++) {
        CHECK(cudaGraphLaunch(executable, stream));
        launches += 5;
        launch(0, stream);
    }
    CHECK(cudaDeviceSynchronize());
}

static void cooperative(long count, long)
{
    size_t elements = 1 << 20;
    allocate();
    for (long i = 0; i < count; i++, launches++) {
        void *arguments[] = {&buffer, &elements};
        CHECK(cudaLaunchCooperativeKernel((const void *)grid_wide, dim3(132), dim3(THREADS), arguments, 0, 0));
    }
    CHECK(cudaDeviceSynchronize());
}

static void clusters(long count, long)
{
    allocate();
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = 4;
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(BLOCKS);
    config.blockDim = dim3(THREADS);
    config.attrs = &attribute;
    config.numAttrs = 1;
    for (long i = 0; i < count; i++, launches++)
        CHECK(cudaLaunchKernelEx(&config, clustered, buffer));
    CHECK(cudaDeviceSynchronize());
}

static void threads(long count, long number)
{
    std::vector<std::thread> all;
    allocate();
    for (long t = 0; t < number; t++)
        all.emplace_back([=] {
            cudaStream_t stream;
            CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
            for (long i = 0; i < count; i++)
                launch((int)(i % 3), i % 2 ? stream : cudaStreamPerThread);
            CHECK(cudaStreamSynchronize(stream));
        });
    for (std::thread &thread : all)
        thread.join();
    CHECK(cudaDeviceSynchronize());
}

static void ranges(long count, long)
{
    allocate();
    for (long i = 0; i < count; i++) {
        nvtxRangePushA("step");
        launch(0);
        nvtxRangePushA("inner");
        launch(1);
        launch(2);
        nvtxRangePop();
        nvtxRangePop();
        if (i == count / 2)
            CHECK(cudaProfilerStart());
    }
    CHECK(cudaProfilerStop());
    CHECK(cudaDeviceSynchronize());
}

static void copies(long count, long)
{
    void *pageable = malloc((size_t)64 << 20), *pinned;
    CHECK(cudaMallocHost(&pinned, (size_t)64 << 20));
    allocate();
    for (long i = 0; i < count; i++) {
        CHECK(cudaMemcpy(buffer, pageable, (size_t)64 << 20, cudaMemcpyHostToDevice));
        CHECK(cudaMemcpy(buffer, pinned, (size_t)64 << 20, cudaMemcpyHostToDevice));
        CHECK(cudaMemcpy(pinned, buffer, (size_t)64 << 20, cudaMemcpyDeviceToHost));
    }
}

static void devices(long count, long)
{
    int number = 0;
    CHECK(cudaGetDeviceCount(&number));
    for (int d = 0; d < number; d++) {
        CHECK(cudaSetDevice(d));
        allocate();
        for (long i = 0; i < count; i++)
            launch(d % 10);
        CHECK(cudaDeviceSynchronize());
    }
}

/* Two contexts of the driver's on one GPU, used in turn. */
static void contexts(long count, long)
{
    void *driver = dlopen("libcuda.so.1", RTLD_NOW);
    auto create = (int (*)(void **, unsigned, int))dlsym(driver, "cuCtxCreate_v2");
    auto use = (int (*)(void *))dlsym(driver, "cuCtxSetCurrent");
    void *both[2];
    float *buffers[2];
    CHECK(cudaFree(0)); /* starts the runtime, whose own context is a third */
    for (int i = 0; i < 2; i++) {
        if (create(&both[i], 0, 0) != 0)
            exit(91);
        allocate();
        buffers[i] = buffer;
    }
    for (long i = 0; i < count; i++) {
        use(both[i / 50 % 2]);
        buffer = buffers[i / 50 % 2];
        launch((int)(i % 3));
    }
    CHECK(cudaDeviceSynchronize());
}

static void forks(long children, long)
{
    for (long i = 0; i < children; i++) {
        pid_t child = fork();
        if (child == 0) {
            many(100, 2);
            exit(0);
        }
        waitpid(child, NULL, 0);
    }
}

static void leave(long status, long)
{
    many(5000, 3);
    usleep(300000);
    _exit((int)status);
}

static void crash(long, long)
{
    many(5000, 3);
    broken<<<1, 32>>>((int *)16);
    cudaError_t error = cudaDeviceSynchronize();
    fprintf(stderr, "sticky: %s\n", cudaGetErrorString(error));
    exit(error == cudaSuccess ? 0 : 77);
}

static void kill_self(long number, long)
{
    many(5000, 3);
    usleep(300000);
    raise((int)number);
}

/* Nearly all memory of the card is taken before the first launch. */
/* All memory but `left_mb` MiB is taken. */
static void full(long count, long left_mb)
{
    size_t left = 0, total = 0;
    void *block;
    allocate();
    CHECK(cudaMemGetInfo(&left, &total));
    CHECK(cudaMalloc(&block, left - ((size_t)(left_mb ? left_mb : 48) << 20)));
    for (long i = 0; i < count; i++)
        launch((int)(i % 5));
    CHECK(cudaDeviceSynchronize());
}

static void nothing(long, long) {}

static const struct {
    const char *name;
    void (*run)(long, long);
} ways[] = {{"many", many},         {"known", known},     {"graphs", graphs},     {"cooperative", cooperative},
            {"clusters", clusters}, {"threads", threads}, {"ranges", ranges},     {"copies", copies},
            {"devices", devices},   {"forks", forks},     {"contexts", contexts}, {"_exit", leave},
            {"crash", crash},       {"kill", kill_self},  {"full", full},         {"nothing", nothing}};

int main(int argc, char **argv)
{
    struct timespec begin, end;
    struct rusage usage;
    for (size_t i = 0; i < sizeof ways / sizeof ways[0] && argc > 1; i++) {
        if (strcmp(argv[1], ways[i].name) != 0)
            continue;
        clock_gettime(CLOCK_MONOTONIC, &begin);
        ways[i].run(argc > 2 ? strtol(argv[2], NULL, 10) : 0, argc > 3 ? strtol(argv[3], NULL, 10) : 0);
        clock_gettime(CLOCK_MONOTONIC, &end);
        getrusage(RUSAGE_SELF, &usage);
        printf("{\"wall_s\": %.6f, \"launches\": %ld, \"peak_bytes\": %ld}\n",
               (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec), launches,
               usage.ru_maxrss * 1024L);
        return 0;
    }
    return 2;
}
