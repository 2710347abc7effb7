/* hot_lines.cu - five kernels, each with a line that is hot by construction: "HOT kernel" stands behind it.
 *
 *     hot_lines [ROUNDS [TINY]]     rounds of each, and so many launches of a kernel of a microsecond; prints the seconds they took
 */
#include <cstdio>
#include <cstdlib>
#include <ctime>
__global__ void gather(const int *next, int *out, int steps)
{
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = 0; i < steps; i++)
        at = next[at]; /* HOT gather: each load waits for the one before */
    out[blockIdx.x * blockDim.x + threadIdx.x] = at;
}
__global__ void conflicts(float *out, int steps)
{
    __shared__ float tile[32 * 33];
    float sum = 0;
    for (int i = threadIdx.x; i < 32 * 32; i += blockDim.x)
        tile[i] = i;
    __syncthreads();
    for (int i = 0; i < steps; i++)
        sum += tile[(threadIdx.x % 32) * 32 + ((i + threadIdx.x / 32) & 31)]; /* HOT conflicts: 32 ways */
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
__global__ void barrier(float *out, int steps)
{
    float v = threadIdx.x;
    for (int i = 0; i < steps; i++) { /* HOT barrier: who waits at the end of a round is sampled at what comes next */
        if (threadIdx.x < 32)
            for (int k = 0; k < 64; k++)
                v = sqrtf(v + k);
        __syncthreads();
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = v;
}
__global__ void doubles(double *out, int steps)
{
    double a = threadIdx.x, b = 1.000001;
    for (int i = 0; i < steps; i++) {
        a = a * b + 1e-9;
        b = b * 0.999999 + a * 1e-12; /* HOT doubles: it waits for both */
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = a + b;
}
__global__ void copies(const float4 *in, float4 *out, size_t n)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
        out[i] = in[i]; /* HOT copies */
}
__global__ void tiny(float *p)
{
    p[threadIdx.x] += 1;
}
static double now()
{
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}
int main(int argc, char **argv)
{
    int rounds = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 60, tinies = argc > 2 ? (int)strtol(argv[2], NULL, 10) : 200;
    const int B = 528, T = 256, N = B * T;
    const size_t M = 16 << 20;
    int *next = new int[N];
    for (int i = 0; i < N; i++)
        next[i] = (int)((i * 7919ll + 13) % N);
    int *dn, *di;
    float *df;
    double *dd;
    float4 *a, *b;
    cudaMalloc(&dn, N * 4);
    cudaMalloc(&di, N * 4);
    cudaMalloc(&df, N * 4);
    cudaMalloc(&dd, N * 8);
    cudaMalloc(&a, M * 16);
    cudaMalloc(&b, M * 16);
    cudaMemcpy(dn, next, N * 4, cudaMemcpyHostToDevice);
    cudaMemset(a, 0, M * 16);
    gather<<<B, T>>>(dn, di, 10);
    cudaDeviceSynchronize();
    double t = now();
    for (int r = 0; r < rounds; r++) {
        gather<<<B, T>>>(dn, di, 2000);
        conflicts<<<B, T>>>(df, 2000);
        barrier<<<B, T>>>(df, 40);
        doubles<<<B, T>>>(dd, 2000);
        copies<<<B * 4, T>>>(a, b, M);
        for (int k = 0; k < tinies; k++)
            tiny<<<4, 128>>>(df);
        if (r % 10 == 9)
            cudaDeviceSynchronize();
    }
    cudaDeviceSynchronize();
    printf("loop %.4f s %s\n", now() - t, cudaGetErrorString(cudaGetLastError()));
}
