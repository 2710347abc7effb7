/* matmul.cu - the product of two square matrices: as it stands in the book, by tiles, by tiles that are fetched ahead, on the
 * tensor cores, and by NVIDIA's library.
 *
 * The first three multiply float32 in n^3 fused multiply-adds. `tensor` and `cublas` both multiply the same bfloat16 numbers and
 * sum in float32.
 */
#include "matmul.cuh"

#include <cuda_pipeline.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- float32: a result for each thread ---- */

enum { NAIVE_X = 32, NAIVE_Y = 8 };

__global__ void matmul_naive_kernel(float *c, const float *a, const float *b, unsigned n, unsigned pitch)
{
    const unsigned column = blockIdx.x * NAIVE_X + threadIdx.x, row = blockIdx.y * NAIVE_Y + threadIdx.y;
    float sum = 0;
    if (row >= n || column >= n)
        return;
    for (unsigned k = 0; k < n; k++)
        sum = __fmaf_rn(a[(size_t)row * pitch + k], b[(size_t)k * pitch + column], sum);
    c[(size_t)row * n + column] = sum;
}

/* ---- float32: tiles ---- */

/* A block makes HEIGHT x WIDTH results from tiles of HEIGHT x DEPTH and DEPTH x WIDTH; a thread makes 8 x 16 of them, in rows 4
 * apart and in four groups of 4 columns, 32 apart. Eight warps: 4 by 2 of 32 x 128 results; the lanes of a warp: 4 by 8. With 8 x 8
 * results a thread, an SM that makes 128 multiply-adds a cycle would need all the 128 bytes a cycle that its shared memory gives.
 */
enum {
    HEIGHT = 128,
    WIDTH = 256,
    DEPTH = 16,
    THREADS = 256,
    ROWS = 8, /* of a thread */
    ROW_STEP = 4,
    GROUPS = 4, /* of 4 columns, of a thread */
    GROUP_STEP = 32,
    STAGES = 4,
    PIECE = 4, /* floats that move together: 16 bytes */
};

struct matmul_tiles {
    float a[HEIGHT][DEPTH], b[DEPTH][WIDTH];
};

struct place {
    unsigned row, column;
};

/* Where a thread's results begin within the block's. Lanes 1 apart read the same row of A and lanes 2 apart the same columns of B:
 * then half a warp's loads of 16 bytes are one pass through shared memory, else two. */
__device__ __forceinline__ place place_of_thread()
{
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const unsigned across = lane % 2 + lane / 4 % 4 * 2, down = lane / 2 % 2 + lane / 16 * 2;
    return {warp / 2 * 32 + down, warp % 2 * 128 + across * PIECE};
}

/* Moves a tile of H rows of W floats, the first of which `from` points to. */
template <unsigned H, unsigned W, class Move>
__device__ __forceinline__ void move_tile(float (&to)[H][W], const float *from, unsigned pitch, Move move)
{
#pragma unroll
    for (unsigned first = 0; first < H * W / PIECE; first += THREADS) {
        const unsigned i = first + threadIdx.x, row = i / (W / PIECE), column = i % (W / PIECE) * PIECE;
        move(&to[row][column], from + (size_t)row * pitch + column);
    }
}

__device__ __forceinline__ void multiply_tiles(float (&sums)[ROWS][GROUPS * 4], const matmul_tiles *tiles, place at)
{
#pragma unroll 2
    for (unsigned k = 0; k < DEPTH; k += 4) {
        float4 a[ROWS];
#pragma unroll
        for (unsigned i = 0; i < ROWS; i++)
            a[i] = *reinterpret_cast<const float4 *>(&tiles->a[at.row + i * ROW_STEP][k]);
#pragma unroll
        for (unsigned step = 0; step < 4; step++) {
            float b[GROUPS * 4];
#pragma unroll
            for (unsigned g = 0; g < GROUPS; g++)
                *reinterpret_cast<float4 *>(&b[g * 4]) =
                    *reinterpret_cast<const float4 *>(&tiles->b[k + step][at.column + g * GROUP_STEP]);
#pragma unroll
            for (unsigned i = 0; i < ROWS; i++)
#pragma unroll
                for (unsigned j = 0; j < GROUPS * 4; j++)
                    sums[i][j] = __fmaf_rn(reinterpret_cast<const float *>(&a[i])[step], b[j], sums[i][j]);
        }
    }
}

__device__ __forceinline__ void store_sums(float *c, unsigned n, const float (&sums)[ROWS][GROUPS * 4], place at)
{
#pragma unroll
    for (unsigned i = 0; i < ROWS; i++)
#pragma unroll
        for (unsigned j = 0; j < GROUPS * 4; j += 2)
            rl_matmul_store(c, n, at.row + i * ROW_STEP, at.column + j / 4 * GROUP_STEP + j % 4, sums[i][j], sums[i][j + 1]);
}

extern __shared__ __align__(16) unsigned char matmul_shared[]; /* struct matmul_tiles for each stage */

__global__ void __launch_bounds__(THREADS) matmul_tiled_kernel(float *c, const float *a, const float *b, unsigned n, unsigned pitch)
{
    matmul_tiles *tiles = reinterpret_cast<matmul_tiles *>(matmul_shared);
    const place at = place_of_thread();
    float sums[ROWS][GROUPS * 4] = {};
    const auto move = [](float *to, const float *from) {
        *reinterpret_cast<float4 *>(to) = *reinterpret_cast<const float4 *>(from);
    };

    a += (size_t)blockIdx.y * HEIGHT * pitch;
    b += blockIdx.x * WIDTH;
    for (unsigned k = 0; k < n; k += DEPTH) {
        move_tile(tiles->a, a + k, pitch, move);
        move_tile(tiles->b, b + (size_t)k * pitch, pitch, move);
        __syncthreads();
        multiply_tiles(sums, tiles, at);
        __syncthreads();
    }
    store_sums(c, n, sums, {blockIdx.y * HEIGHT + at.row, blockIdx.x * WIDTH + at.column});
}

/* The same with the copies of three tiles in flight while one is in use. Every round commits, also when nothing is left to fetch,
 * so that waiting for all but the latest two means the same in each. */
__global__ void __launch_bounds__(THREADS)
    matmul_pipeline_kernel(float *c, const float *a, const float *b, unsigned n, unsigned pitch)
{
    matmul_tiles *tiles = reinterpret_cast<matmul_tiles *>(matmul_shared);
    const place at = place_of_thread();
    const unsigned rounds = (n + DEPTH - 1) / DEPTH;
    float sums[ROWS][GROUPS * 4] = {};
    const auto move = [](float *to, const float *from) { __pipeline_memcpy_async(to, from, PIECE * sizeof(float)); };
    a += (size_t)blockIdx.y * HEIGHT * pitch;
    b += blockIdx.x * WIDTH;
    const auto fetch = [&](unsigned round) {
        if (round < rounds) {
            move_tile(tiles[round % STAGES].a, a + round * DEPTH, pitch, move);
            move_tile(tiles[round % STAGES].b, b + (size_t)round * DEPTH * pitch, pitch, move);
        }
        __pipeline_commit();
    };
    for (unsigned round = 0; round < STAGES - 1; round++)
        fetch(round);
    for (unsigned round = 0; round < rounds; round++) {
        __pipeline_wait_prior(STAGES - 2);
        __syncthreads(); /* the tiles are there for all, and those of the round before are free */
        fetch(round + STAGES - 1);
        multiply_tiles(sums, &tiles[round % STAGES], at);
    }
    store_sums(c, n, sums, {blockIdx.y * HEIGHT + at.row, blockIdx.x * WIDTH + at.column});
}

/* ---- operands ---- */

struct float32 {
    using type = float;
    /* An odd multiple of 2^-23 between -1 and 1. */
    static __host__ __device__ float element(uint64_t seed, uint64_t index) { return 2 * rl_random_unit(seed, index) - 1; }
};

struct bfloat16 {
    using type = __nv_bfloat16;
    /* An odd multiple of 2^-7 between -1 and 1, which bfloat16 holds exactly. Products are multiples of 2^-14, so float32 holds
     * sums of them exactly up to 1024, and products of either sign do not add up to that. */
    static __host__ __device__ float element(uint64_t seed, uint64_t index)
    {
        return (float)((int)(rl_random_bits(seed, index) >> 57) * 2 - 127) * 0x1p-7f;
    }
};

/* Element `index` of both operands together: A by rows, then B by rows. */
typedef float element_function(uint64_t seed, uint64_t index);

template <class Number>
__global__ void matmul_fill_kernel(typename Number::type *data, unsigned n, unsigned pitch, uint64_t seed, uint64_t first,
                                   bool by_columns)
{
    const uint64_t count = (uint64_t)pitch * pitch, step = (uint64_t)gridDim.x * blockDim.x;
    for (uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step) {
        const uint64_t line = i / pitch, at = i % pitch, index = by_columns ? at * n + line : line * n + at;
        data[i] = line < n && at < n ? (typename Number::type)Number::element(seed, first + index) : (typename Number::type)0.0f;
    }
}

template <class Number> static enum rl_status fill(const struct rl_suite_run *run, bool b_by_columns, struct rl_err *err)
{
    const struct rl_matmul *m = rl_matmul_of(run);
    const cudaStream_t stream = (cudaStream_t)run->stream;
    typename Number::type *a = (typename Number::type *)m->a, *b = (typename Number::type *)m->b;
    /* Not by rl_enqueue: filling is no part of what is measured. */
    matmul_fill_kernel<Number><<<4096, 256, 0, stream>>>(a, m->n, m->pitch, run->seed, 0, false);
    matmul_fill_kernel<Number><<<4096, 256, 0, stream>>>(b, m->n, m->pitch, run->seed, (uint64_t)m->n * m->n, b_by_columns);
    return RL_CUDA(err, cudaGetLastError());
}

static enum rl_status fill_float32(const struct rl_suite_run *run, struct rl_err *err)
{
    return fill<float32>(run, false, err);
}

static enum rl_status fill_bfloat16(const struct rl_suite_run *run, struct rl_err *err)
{
    return fill<bfloat16>(run, true, err);
}

/* ---- preparing and launching ---- */

static enum rl_status launch_naive(struct rl_suite_run *run, struct rl_err *err)
{
    const struct rl_matmul *m = rl_matmul_of(run);
    const dim3 grid(rl_blocks(m->n, NAIVE_X), rl_blocks(m->n, NAIVE_Y));
    return rl_enqueue(run, err, grid, dim3(NAIVE_X, NAIVE_Y), 0, matmul_naive_kernel, m->c, (const float *)m->a,
                      (const float *)m->b, m->n, m->pitch);
}

static enum rl_status launch_by_tiles(struct rl_suite_run *run,
                                      void (*kernel)(float *, const float *, const float *, unsigned, unsigned), unsigned stages,
                                      struct rl_err *err)
{
    const struct rl_matmul *m = rl_matmul_of(run);
    return rl_enqueue(run, err, dim3(rl_blocks(m->n, WIDTH), rl_blocks(m->n, HEIGHT)), THREADS, stages * sizeof(matmul_tiles),
                      kernel, m->c, (const float *)m->a, (const float *)m->b, m->n, m->pitch);
}

static enum rl_status launch_tiled(struct rl_suite_run *run, struct rl_err *err)
{
    return launch_by_tiles(run, matmul_tiled_kernel, 1, err);
}

static enum rl_status launch_tiled_pipeline(struct rl_suite_run *run, struct rl_err *err)
{
    return launch_by_tiles(run, matmul_pipeline_kernel, STAGES, err);
}

static enum rl_status launch_cublas(struct rl_suite_run *run, struct rl_err *err)
{
    const struct rl_matmul *m = rl_matmul_of(run);
    if (run->fault == RL_FAULT_NO_LAUNCH)
        return RL_OK;
    return rl_cublas_product(m->library, m->n, m->pitch, (const __nv_bfloat16 *)m->a, (const __nv_bfloat16 *)m->b, m->c, err);
}

static enum rl_status prepare_nothing(struct rl_suite_run *, struct rl_err *)
{
    return RL_OK;
}

static enum rl_status prepare_tiled_pipeline(struct rl_suite_run *run, struct rl_err *err)
{
    return rl_allow_shared(run, matmul_pipeline_kernel, STAGES * sizeof(matmul_tiles), err);
}

static enum rl_status prepare_cublas(struct rl_suite_run *run, struct rl_err *err)
{
    return rl_cublas_open(run, &rl_matmul_of(run)->library, err);
}

struct row {
    const char *name;
    size_t element_bytes;
    element_function *element;
    enum rl_status (*fill)(const struct rl_suite_run *run, struct rl_err *err);
    enum rl_status (*prepare)(struct rl_suite_run *run, struct rl_err *err); /* once, with the operands allocated */
    enum rl_status (*launch)(struct rl_suite_run *run, struct rl_err *err);
    double tolerance; /* for each product of a sum; 0: sums are exact */
};

/* float32: step k rounds a sum of about sqrt(k) / 3, by 2^-24 of it at most. Roundings of either sign add up to n x 2^-27 (standard
 * deviation); eight times that is let pass. */
static const struct row rows[] = {
    {"naive", sizeof(float), float32::element, fill_float32, prepare_nothing, launch_naive, 0x1p-24},
    {"tiled", sizeof(float), float32::element, fill_float32, prepare_nothing, launch_tiled, 0x1p-24},
    {"tiled_pipeline", sizeof(float), float32::element, fill_float32, prepare_tiled_pipeline, launch_tiled_pipeline, 0x1p-24},
    {"tensor", sizeof(__nv_bfloat16), bfloat16::element, fill_bfloat16, rl_matmul_tensor_prepare, rl_matmul_tensor_launch, 0},
    {"cublas", sizeof(__nv_bfloat16), bfloat16::element, fill_bfloat16, prepare_cublas, launch_cublas, 0},
};

/* ---- the operations ---- */

/* The largest side whose padded square has less than 2^31 elements. */
#define MAX_SIDE 46336

static void teardown(struct rl_suite_run *run)
{
    struct rl_matmul *m = rl_matmul_of(run);
    run->state = NULL;
    if (!m)
        return;
    rl_cublas_close(m->library);
    /* After a fault these fail too, and the fault has been reported. */
    (void)cudaFree(m->c);
    (void)cudaFree(m->b);
    (void)cudaFree(m->a);
    free(m);
}

static enum rl_status allocate(struct rl_matmul *m, size_t element_bytes, struct rl_err *err)
{
    const uint64_t operand_bytes = (uint64_t)m->pitch * m->pitch * element_bytes, c_bytes = (uint64_t)m->n * m->n * sizeof(float);
    RL_TRY(rl_memory_check(2 * operand_bytes + c_bytes, err));
    RL_TRY(RL_CUDA(err, cudaMalloc(&m->a, operand_bytes)));
    RL_TRY(RL_CUDA(err, cudaMalloc(&m->b, operand_bytes)));
    return RL_CUDA(err, cudaMalloc((void **)&m->c, c_bytes));
}

static enum rl_status setup(struct rl_suite_run *run, struct rl_err *err)
{
    RL_ROW(row, rows, run, err);
    RL_TRY(rl_size_check(run, MAX_SIDE, err));
    struct rl_matmul *m = (struct rl_matmul *)rl_calloc(1, sizeof *m);
    m->n = (unsigned)run->size;
    m->pitch = rl_blocks(run->size, RL_MATMUL_PAD) * RL_MATMUL_PAD;
    run->state = m;
    enum rl_status status = allocate(m, row->element_bytes, err);
    RL_THEN(status, row->prepare(run, err));
    RL_THEN(status, row->fill(run, err));
    RL_THEN(status, rl_device_wait(run->stream, err));
    if (status != RL_OK)
        teardown(run);
    return status;
}

constexpr auto launch = rl_launch_row<rows>;

/* ---- checking ---- */

/* Up to this side every result is checked. Above, those where some rows and some columns meet: one of each in every band of a
 * 256th of the matrix, the outermost and the middle ones: 2^16 results and more, some in every tile. */
enum { ALL = 1024, BANDS = 256, EXTRA = 3 };

struct sample {
    unsigned n, lines;        /* side of the matrices; rows, and columns, looked at */
    unsigned *rows, *columns; /* which */
    float *a, *b;             /* those rows of A, those columns of B: `lines` times n numbers each */
    element_function *element;
    uint64_t seed;
};

static unsigned line_of(unsigned n, unsigned i, uint64_t seed)
{
    const unsigned extra[EXTRA] = {0, n - 1, n / 2};
    if (n <= ALL)
        return i;
    if (i >= BANDS)
        return extra[i - BANDS];
    const uint64_t first = (uint64_t)n * i / BANDS, end = (uint64_t)n * (i + 1) / BANDS;
    return (unsigned)(first + rl_random_bits(seed, i) % (end - first));
}

static void sample_release(struct sample *sample)
{
    free(sample->rows);
    free(sample->columns);
    free(sample->a);
    free(sample->b);
}

/* Copies the lines [first, first + count) of either matrix. */
static void take_lines(void *context, size_t first, size_t count, size_t)
{
    const struct sample *sample = (const struct sample *)context;
    const uint64_t n = sample->n;
    for (size_t i = first; i < first + count; i++)
        for (uint64_t k = 0; k < n; k++) {
            sample->a[i * n + k] = sample->element(sample->seed, sample->rows[i] * n + k);
            sample->b[i * n + k] = sample->element(sample->seed, n * n + k * n + sample->columns[i]);
        }
}

static void sample_init(struct sample *sample, const struct rl_suite_run *run, element_function *element)
{
    const unsigned n = (unsigned)run->size, lines = n <= ALL ? n : BANDS + EXTRA;
    *sample = {n, lines, NULL, NULL, NULL, NULL, element, run->seed};
    sample->rows = (unsigned *)rl_calloc(lines, sizeof *sample->rows);
    sample->columns = (unsigned *)rl_calloc(lines, sizeof *sample->columns);
    sample->a = (float *)rl_calloc((size_t)lines * n, sizeof *sample->a);
    sample->b = (float *)rl_calloc((size_t)lines * n, sizeof *sample->b);
    for (unsigned i = 0; i < lines; i++) {
        sample->rows[i] = line_of(n, i, run->seed + 1);
        sample->columns[i] = line_of(n, i, run->seed + 2);
    }
    rl_parallel_for(rl_parallel_width(), lines, 4, take_lines, sample);
}

/* Result `index` of the sample: its rows times its columns. Several sums side by side, so that none waits for the one before. */
static double expected(const void *context, uint64_t index)
{
    enum { SUMS = 8 };
    const struct sample *sample = (const struct sample *)context;
    const float *a = sample->a + index / sample->lines * sample->n, *b = sample->b + index % sample->lines * sample->n;
    double sums[SUMS] = {}, sum = 0;
    unsigned k = 0;
    for (; k + SUMS <= sample->n; k += SUMS)
        for (unsigned i = 0; i < SUMS; i++)
            sums[i] += (double)a[k + i] * (double)b[k + i];
    for (; k < sample->n; k++)
        sum += (double)a[k] * (double)b[k];
    for (unsigned i = 0; i < SUMS; i++)
        sum += sums[i];
    return sum;
}

/* Copies the sample's results to `values`, lines x lines. */
static enum rl_status gather(const struct rl_suite_run *run, const struct sample *sample, float *values, struct rl_err *err)
{
    const struct rl_matmul *m = rl_matmul_of(run);
    float *row = (float *)rl_calloc(sample->n, sizeof *row);
    enum rl_status status = RL_OK;
    for (unsigned i = 0; i < sample->lines && status == RL_OK; i++) {
        status = RL_CUDA(err, cudaMemcpyAsync(row, m->c + (size_t)sample->rows[i] * m->n, m->n * sizeof *row,
                                              cudaMemcpyDeviceToHost, (cudaStream_t)run->stream));
        RL_THEN(status, rl_device_wait(run->stream, err));
        for (unsigned j = 0; j < sample->lines; j++)
            values[(size_t)i * sample->lines + j] = row[sample->columns[j]];
    }
    free(row);
    return status;
}

/* The verdict, and where in the matrix it speaks of. */
static void judge(const struct sample *sample, const struct rl_comparison *comparison, struct rl_suite_check *check)
{
    rl_comparison_finish(comparison, check);
    const size_t len = strlen(check->text);
    if (comparison->wrong > 0)
        snprintf(check->text + len, sizeof check->text - len, " (row %u, column %u)",
                 sample->rows[comparison->first_wrong / sample->lines], sample->columns[comparison->first_wrong % sample->lines]);
    else if (sample->lines < sample->n)
        snprintf(check->text + len, sizeof check->text - len, "; a sample of %llu", (unsigned long long)sample->n * sample->n);
}

static enum rl_status compare(const struct rl_suite_run *run, const struct row *row, struct rl_suite_check *check,
                              struct rl_err *err)
{
    struct sample sample;
    struct rl_comparison comparison = {};
    sample_init(&sample, run, row->element);
    const size_t count = (size_t)sample.lines * sample.lines;
    float *values = (float *)rl_calloc(count, sizeof *values);
    const enum rl_status status = gather(run, &sample, values, err);
    if (status == RL_OK) {
        comparison.reference = {rl_each<expected>, &sample, row->tolerance * sample.n};
        rl_compare(&comparison, values, 0, count);
        judge(&sample, &comparison, check);
    }
    free(values);
    sample_release(&sample);
    return status;
}

static enum rl_status verify(struct rl_suite_run *run, struct rl_suite_check *check, struct rl_err *err)
{
    const struct rl_matmul *m = rl_matmul_of(run);
    const uint64_t results = (uint64_t)m->n * m->n;
    RL_ROW(row, rows, run, err);
    RL_TRY(row->fill(run, err));
    RL_TRY(rl_poison(run, m->c, results * sizeof(float), err));
    RL_TRY(launch(run, err));
    RL_TRY(rl_device_wait(run->stream, err));
    RL_TRY(rl_spoil(run, m->c, results, sizeof(float), err));
    return compare(run, row, check, err);
}

RL_SUITE_OPS(matmul, setup, launch, verify, teardown)
