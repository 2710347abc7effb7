/* transpose.cu - the pair of captures in samples/programs: a tile in shared memory with bank conflicts, and without. */
#include <stdio.h>
#include <stdlib.h>
#ifndef PAD
#define PAD 0 /* columns more in a row of the tile */
#endif
enum { N = 4096, TILE = 32 };
__global__ void transpose(const float *in, float *out)
{
    __shared__ float tile[TILE][TILE + PAD];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += 8)
        tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * N + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += 8)
        out[(y + j) * N + x] = tile[threadIdx.x][threadIdx.y + j];
}
__global__ void scale(float *data, float by)
{
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    data[i] = data[i] * by;
}

int main(int count, char **arguments)
{
    const int times = count > 1 ? (int)strtol(arguments[1], NULL, 10) : 20000;
    const size_t size = sizeof(float) * N * N;
    float *host = (float *)malloc(size), *in, *out;
    for (size_t i = 0; i < (size_t)N * N; i++)
        host[i] = (float)i;
    cudaMalloc(&in, size);
    cudaMalloc(&out, size);
    cudaMemcpy(in, host, size, cudaMemcpyHostToDevice);
    for (int i = 0; i < times; i++) {
        transpose<<<dim3(N / TILE, N / TILE), dim3(TILE, 8)>>>(in, out);
        scale<<<N * (N / 256), 256>>>(out, 0.5f);
    }
    cudaMemcpy(host, out, size, cudaMemcpyDeviceToHost);
    printf("%g\n", host[1]);
    return cudaGetLastError() != cudaSuccess;
}
