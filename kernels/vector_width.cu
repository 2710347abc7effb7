/* vector_width.cu - a copy by words of 4, 8 and 16 bytes, one word a thread: wider words keep more bytes in flight with as many
 * threads and instructions.
 */
#include "device.cuh"

enum { BLOCK = 256 };

/* Each thread copies one T; the thread after the last whole one copies what is left. */
template <class T> __global__ void __launch_bounds__(BLOCK) copy_words_kernel(float *out, const float *in, unsigned n)
{
    const unsigned i = blockIdx.x * BLOCK + threadIdx.x, width = sizeof(T) / sizeof(float), whole = n / width;
    if (i < whole)
        reinterpret_cast<T *>(out)[i] = reinterpret_cast<const T *>(in)[i];
    if (i != whole)
        return;
#pragma unroll 1
    for (unsigned k = whole * width; k < n; k++)
        out[k] = in[k];
}

/* Floats before the first address of 16 bytes. */
__device__ __forceinline__ unsigned head_of(const float *data, unsigned n)
{
    const unsigned head = (4 - (unsigned)((uintptr_t)data / sizeof(float)) % 4) % 4;
    return head < n ? head : n;
}

/* The same for arrays that begin anywhere, both at the same distance from an address of 16 bytes: single floats before the first of
 * these and after the last are copied by the first threads of the grid. */
__global__ void __launch_bounds__(BLOCK) copy_unaligned_kernel(float *out, const float *in, unsigned n)
{
    const unsigned i = blockIdx.x * BLOCK + threadIdx.x, head = head_of(in, n), whole = (n - head) / 4, tail = head + 4 * whole + i;
    if (i < whole)
        reinterpret_cast<float4 *>(out + head)[i] = reinterpret_cast<const float4 *>(in + head)[i];
    if (i < head)
        out[i] = in[i];
    if (tail < n && i < 4)
        out[tail] = in[tail];
}

/* ---- the operations ---- */

static const struct row {
    const char *name;
    void (*kernel)(float *, const float *, unsigned);
    unsigned width; /* floats that a thread copies */
    unsigned shift; /* floats from an aligned address to the first element, of either array */
} rows[] = {
    {"float", copy_words_kernel<float>, 1, 0},
    {"float2", copy_words_kernel<float2>, 2, 0},
    {"float4", copy_words_kernel<float4>, 4, 0},
    {"float4_unaligned", copy_unaligned_kernel, 4, 1},
};

/* Moves both arrays by that many floats: forth after they were allocated, back before they are freed. */
static void shift(struct rl_map *map, int by)
{
    map->in += by;
    map->out += by;
    map->count -= by;
    map->out_count -= by;
}

static enum rl_status setup(struct rl_suite_run *run, struct rl_err *err)
{
    RL_ROW(row, rows, run, err);
    RL_TRY(rl_size_check(run, RL_MAX_ELEMENTS, err));
    RL_TRY(rl_map_setup(run, run->size + row->shift, RL_OUT_OF_PLACE, err));
    shift(rl_map_of(run), (int)row->shift);
    return RL_OK;
}

static enum rl_status launch(struct rl_suite_run *run, struct rl_err *err)
{
    const struct rl_map *map = rl_map_of(run);
    const struct row *row = rl_row(rows, run);
    return rl_enqueue(run, err, rl_blocks((map->count + row->width - 1) / row->width, BLOCK), BLOCK, 0, row->kernel, map->out,
                      map->in, (unsigned)map->count);
}

static double expected(const void *context, uint64_t index)
{
    return rl_input_unit(*(const uint64_t *)context, index);
}

static enum rl_status verify(struct rl_suite_run *run, struct rl_suite_check *check, struct rl_err *err)
{
    return rl_map_verify(run, launch, {rl_each<expected>, &run->seed, 0}, check, err);
}

static void teardown(struct rl_suite_run *run)
{
    if (rl_map_of(run))
        shift(rl_map_of(run), -(int)rl_row(rows, run)->shift);
    rl_map_teardown(run);
}

RL_SUITE_OPS(vector_width, setup, launch, verify, teardown)
