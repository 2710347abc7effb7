/* case_sizes.cu - the pairs of captures in samples/programs whose cases are NVTX ranges: rows of a softmax, and transpositions, by
 * size. IMPROVED is the new version. It knows nothing of rooflight.
 *
 *   case_sizes softmax|transpose [ROUNDS]
 */
#include <nvtx3/nvToolsExt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef IMPROVED
static const bool improved = true;
#else
static const bool improved = false;
#endif

#define CHECK(call)                                                                                                                \
    do {                                                                                                                           \
        cudaError_t error_ = (call);                                                                                               \
        if (error_ != cudaSuccess) {                                                                                               \
            fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error_));                                                        \
            exit(90);                                                                                                              \
        }                                                                                                                          \
    } while (0)

enum { WARP = 32, THREADS = 256, TILE = 32, LINES = 8 };
static const size_t ELEMENTS = (size_t)1 << 26;

__device__ static float warp_max(float value)
{
    for (int offset = WARP / 2; offset; offset /= 2)
        value = fmaxf(value, __shfl_xor_sync(~0u, value, offset));
    return value;
}

__device__ static float warp_sum(float value)
{
    for (int offset = WARP / 2; offset; offset /= 2)
        value += __shfl_xor_sync(~0u, value, offset);
    return value;
}

#ifdef IMPROVED
/* A warp for each row: maximum and sum in one pass, without barriers. */
__global__ void softmax(const float *in, float *out, int rows, int cols)
{
    const int row = blockIdx.x * (THREADS / WARP) + threadIdx.x / WARP, lane = threadIdx.x % WARP;
    if (row >= rows)
        return;
    in += (size_t)row * cols;
    out += (size_t)row * cols;
    float most = -INFINITY, sum = 0;
    for (int i = lane; i < cols; i += WARP) {
        const float value = in[i], new_most = fmaxf(most, value);
        sum = sum * __expf(most - new_most) + __expf(value - new_most);
        most = new_most;
    }
    const float row_most = warp_max(most);
    const float scale = 1 / warp_sum(sum * __expf(most - row_most));
    for (int i = lane; i < cols; i += WARP)
        out[i] = __expf(in[i] - row_most) * scale;
}

/* Through a tile in shared memory, so that loads and stores are coalesced. */
template <typename T> __global__ void transpose(const T *in, T *out, int rows, int cols)
{
    __shared__ T tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += LINES)
        tile[threadIdx.y + j][threadIdx.x] = in[(size_t)(y + j) * cols + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += LINES)
        out[(size_t)(y + j) * rows + x] = tile[threadIdx.x][threadIdx.y + j];
}
#else
__device__ static float over_block(float value, float (*over_warp)(float), float neutral)
{
    __shared__ float parts[THREADS / WARP];
    value = over_warp(value);
    __syncthreads();
    if (threadIdx.x % WARP == 0)
        parts[threadIdx.x / WARP] = value;
    __syncthreads();
    return over_warp(threadIdx.x % WARP < THREADS / WARP ? parts[threadIdx.x % WARP] : neutral);
}

/* A block for each row: a pass for the maximum, one for the sum, one that writes. */
__global__ void softmax(const float *in, float *out, int rows, int cols)
{
    if (blockIdx.x >= rows)
        return;
    in += (size_t)blockIdx.x * cols;
    out += (size_t)blockIdx.x * cols;
    float most = -INFINITY, sum = 0;
    for (int i = threadIdx.x; i < cols; i += THREADS)
        most = fmaxf(most, in[i]);
    most = over_block(most, warp_max, -INFINITY);
    for (int i = threadIdx.x; i < cols; i += THREADS)
        sum += __expf(in[i] - most);
    const float scale = 1 / over_block(sum, warp_sum, 0);
    for (int i = threadIdx.x; i < cols; i += THREADS)
        out[i] = __expf(in[i] - most) * scale;
}

/* Each thread loads along a row and stores down a column. */
template <typename T> __global__ void transpose(const T *in, T *out, int rows, int cols)
{
    const int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += LINES)
        out[(size_t)x * rows + y + j] = in[(size_t)(y + j) * cols + x];
}
#endif

static void run_softmax(const float *in, float *out, int cols)
{
    const int rows = (int)(ELEMENTS / 4 / cols), rows_of_block = improved ? THREADS / WARP : 1;
    char name[64];
    snprintf(name, sizeof name, "softmax rows=%d,cols=%d", rows, cols);
    nvtxRangePushA(name);
    softmax<<<(rows + rows_of_block - 1) / rows_of_block, THREADS>>>(in, out, rows, cols);
    nvtxRangePop();
}

template <typename T> static void run_transpose(const void *in, void *out, int rows, int cols, const char *type)
{
    char name[64];
    snprintf(name, sizeof name, "transpose M=%d,N=%d,dtype=%s", rows, cols, type);
    nvtxRangePushA(name);
    transpose<<<dim3(cols / TILE, rows / TILE), dim3(TILE, LINES)>>>((const T *)in, (T *)out, rows, cols);
    nvtxRangePop();
}

int main(int count, char **arguments)
{
    const int rounds = count > 2 ? (int)strtol(arguments[2], NULL, 10) : 400;
    if (count < 2 || (strcmp(arguments[1], "softmax") != 0 && strcmp(arguments[1], "transpose") != 0)) {
        fprintf(stderr, "usage: %s softmax|transpose [ROUNDS]\n", arguments[0]);
        return 2;
    }
    const bool is_softmax = strcmp(arguments[1], "softmax") == 0;
    const size_t bytes = ELEMENTS * sizeof(double);
    float *host = (float *)malloc(bytes), *in, *out;
    if (!host)
        return 90;
    for (size_t i = 0; i < bytes / sizeof *host; i++)
        host[i] = (float)(i * 7919 % 1000) / 1000;
    CHECK(cudaMalloc(&in, bytes));
    CHECK(cudaMalloc(&out, bytes));
    CHECK(cudaMemcpy(in, host, bytes, cudaMemcpyHostToDevice));
    for (int i = 0; i < rounds; i++) {
        if (is_softmax) {
            for (int cols = 128; cols <= 32768; cols *= 4)
                run_softmax(in, out, cols);
        } else {
            for (int size = 256; size <= 4096; size *= 2)
                run_transpose<float>(in, out, size, size, "f32");
            run_transpose<float>(in, out, 512, 32768, "f32");
            run_transpose<double>(in, out, 2048, 2048, "f64");
            run_transpose<double>(in, out, 4096, 4096, "f64");
        }
        CHECK(cudaDeviceSynchronize());
    }
    CHECK(cudaMemcpy(host, out, bytes, cudaMemcpyDeviceToHost));
    double sum = 0;
    for (size_t i = 0; i < ELEMENTS / 4; i++)
        sum += host[i];
    printf("%.6g\n", sum);
    CHECK(cudaGetLastError());
    return 0;
}
