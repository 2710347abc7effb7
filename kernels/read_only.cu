/* read_only.cu - loads through the read-only path, which led through a cache of its own before Volta, against plain loads: a
 * gather, in which each element adds up eight others within a window around it, at places that its own value decides. A warp reads
 * many lines at a time, and each line is read again and again.
 */
#include "device.cuh"

enum {
    BLOCK = 256,
    WINDOW = 1024, /* elements: 4 KiB, well within any L1 cache */
    TERMS = 8,
    HOP = 131, /* between the places of one element's terms */
};

/* Place of term `k` of element i, whose bits are `bits`, in an array of n. */
__host__ __device__ static unsigned place(unsigned i, uint32_t bits, unsigned k, unsigned n)
{
    const unsigned at = i / WINDOW * WINDOW + ((bits >> (k + 4)) + k * HOP) % WINDOW;
    return at < n ? at : n - 1;
}

/* TERMS - 1 additions. `load` is the load in question. */
template <class Load> __device__ __forceinline__ float gather(unsigned i, unsigned n, Load load)
{
    const uint32_t bits = __float_as_uint(load(i));
    float sum = load(place(i, bits, 0, n));
#pragma unroll
    for (unsigned k = 1; k < TERMS; k++)
        sum = __fadd_rn(sum, load(place(i, bits, k, n)));
    return sum;
}

__global__ void __launch_bounds__(BLOCK) gather_plain_kernel(float *out, const float *in, unsigned n)
{
    const unsigned i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n)
        out[i] = gather(i, n, [=](unsigned at) { return in[at]; });
}

__global__ void __launch_bounds__(BLOCK) gather_ldg_kernel(float *out, const float *in, unsigned n)
{
    const unsigned i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n)
        out[i] = gather(i, n, [=](unsigned at) { return __ldg(&in[at]); });
}

/* The compiler may see for itself that nothing writes what is read. */
__global__ void __launch_bounds__(BLOCK) gather_restrict_kernel(float *__restrict__ out, const float *__restrict__ in, unsigned n)
{
    const unsigned i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n)
        out[i] = gather(i, n, [=](unsigned at) { return in[at]; });
}

/* ---- the operations ---- */

static const struct row {
    const char *name;
    void (*kernel)(float *, const float *, unsigned);
} rows[] = {
    {"plain", gather_plain_kernel},
    {"ldg", gather_ldg_kernel},
    {"const_restrict", gather_restrict_kernel},
};

constexpr auto launch = rl_map_launch<rows, BLOCK>;

/* A sum of two is exact in float64: rounded once to float32 it is what the device's addition gives. */
static double expected(const void *context, uint64_t index)
{
    const struct rl_suite_run *run = (const struct rl_suite_run *)context;
    const unsigned i = (unsigned)index, n = (unsigned)run->size;
    const float own = rl_input_unit(run->seed, index);
    uint32_t bits;
    float sum = 0;
    memcpy(&bits, &own, sizeof(bits));
    for (unsigned k = 0; k < TERMS; k++)
        sum = (float)((double)sum + rl_input_unit(run->seed, place(i, bits, k, n)));
    return sum;
}

RL_SUITE_OPS(read_only, rl_map_setup_plain, launch, rl_map_verify_each<launch, expected>, rl_map_teardown)
