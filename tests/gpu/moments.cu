/* moments.cu - a program whose phases are known: each fills half a second with one kind of work and says what that was, and between
 * them the host sleeps for 0.2 s. Prints "phase NAME work seconds": the work of one launch or copy, and what one took.
 *
 *   stream   reads 256 MiB of the card's memory and writes as much
 *   upload   copies 256 MiB from pinned memory to the card
 *   multiply multiplies matrices in the tensor cores, from registers
 */
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <mma.h>
#include <nvtx3/nvToolsExt.h>
#include <thread>

static void check(cudaError_t status)
{
    if (status != cudaSuccess) {
        fprintf(stderr, "%s\n", cudaGetErrorString(status));
        exit(1);
    }
}

__global__ void stream(const float4 *from, float4 *to, size_t count)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count; i += (size_t)gridDim.x * blockDim.x)
        to[i] = from[i];
}

__global__ void multiply(float *out, int rounds)
{
    using namespace nvcuda::wmma;
    fragment<matrix_a, 16, 16, 16, half, row_major> a;
    fragment<matrix_b, 16, 16, 16, half, col_major> b;
    fragment<accumulator, 16, 16, 16, float> sums[4];
    fill_fragment(a, __float2half(0.5f));
    fill_fragment(b, __float2half(0.25f));
    for (int k = 0; k < 4; k++)
        fill_fragment(sums[k], 0.0f);
    for (int i = 0; i < rounds; i++)
        for (int k = 0; k < 4; k++)
            mma_sync(sums[k], a, b, sums[k]);
    if (rounds < 0) /* never, but the compiler does not know */
        for (int k = 0; k < 4; k++)
            store_matrix_sync(out + 256 * k, sums[k], 16, mem_row_major);
}

template <class Work> static void phase(const char *name, double work, Work once)
{
    using clock = std::chrono::steady_clock;
    nvtxRangePushA(name);
    const clock::time_point begun = clock::now();
    int count = 0;
    double seconds = 0;
    do {
        for (int i = 0; i < 10; i++, count++)
            once();
        check(cudaDeviceSynchronize());
        seconds = std::chrono::duration<double>(clock::now() - begun).count();
    } while (seconds < 0.5);
    nvtxRangePop();
    printf("phase %s %.0f %.9f\n", name, work, seconds / count);
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
}

int main()
{
    const size_t bytes = 256 << 20;
    float4 *from, *to;
    void *host;
    check(cudaMalloc(&from, bytes));
    check(cudaMalloc(&to, bytes));
    check(cudaHostAlloc(&host, bytes, cudaHostAllocDefault));
    check(cudaMemset(from, 0, bytes));
    for (int round = 0; round < 6; round++) {
        phase("stream", (double)bytes, [&] { stream<<<2048, 256>>>(from, to, bytes / sizeof *from); });
        phase("upload", (double)bytes, [&] { check(cudaMemcpyAsync(from, host, bytes, cudaMemcpyHostToDevice)); });
        phase("multiply", 0, [&] { multiply<<<1056, 256>>>((float *)to, 20000); });
    }
    return 0;
}
