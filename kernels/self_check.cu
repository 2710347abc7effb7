/* self_check.cu - kernels with reference values for their counters: `rooflight check` compares the counters with them.
 *
 * Operations are written in PTX that the compiler may neither merge nor drop, and their operands come as arguments, so that no
 * constant has to be loaded: multiplying by one and adding zero leaves the input as it is, which is what the result is checked
 * against.
 */
#include "self_check.cuh"

enum {
    BLOCK = 256,
    SHARE = 256, /* elements of the large array for one thread of the small kernels */
    TURNS = 256, /* of a loop: of the small kernels, too, launching and ending is a small part */
    OPERATIONS = RL_SELF_CHECK_OPERATIONS,
    TICKS = 1 << 14,   /* of the clock in each turn */
    LOADS = 64,        /* from shared memory, of each thread */
    LOCAL_WORDS = 4,   /* of each thread in local memory, a divisor of TURNS: few, so that L1 holds those of an SM */
    TILE_WORDS = 1024, /* of shared memory */
};

static __device__ __forceinline__ unsigned index_of_thread()
{
    return blockIdx.x * BLOCK + threadIdx.x;
}

/* ---- arithmetic ---- */

enum operation { FP32_ADD, FP32_MUL, FP32_FMA, FP64_ADD, FP64_MUL, FP64_FMA, FP16_ADD, FP16_MUL, FP16_FMA };

template <operation O> __global__ void __launch_bounds__(BLOCK) arithmetic_kernel(struct rl_self_check_arguments a)
{
    const unsigned i = index_of_thread();
    float x = a.in[i];
    double y = x, one = a.one, zero = a.zero;
#pragma unroll 1
    for (unsigned left = a.turns; left > 0; left--) {
#pragma unroll
        for (int k = 0; k < OPERATIONS; k++) {
            if (O == FP32_ADD)
                asm volatile("add.rn.f32 %0, %0, %1;" : "+f"(x) : "f"(a.zero));
            if (O == FP32_MUL)
                asm volatile("mul.rn.f32 %0, %0, %1;" : "+f"(x) : "f"(a.one));
            if (O == FP32_FMA)
                asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(x) : "f"(a.one), "f"(a.zero));
            if (O == FP64_ADD)
                asm volatile("add.rn.f64 %0, %0, %1;" : "+d"(y) : "d"(zero));
            if (O == FP64_MUL)
                asm volatile("mul.rn.f64 %0, %0, %1;" : "+d"(y) : "d"(one));
            if (O == FP64_FMA)
                asm volatile("fma.rn.f64 %0, %0, %1, %2;" : "+d"(y) : "d"(one), "d"(zero));
        }
    }
    a.out[i] = O >= FP64_ADD ? (float)y : x;
}

[[maybe_unused]] static __device__ __forceinline__ unsigned pair_of(float value)
{
    const __half half = __float2half(value);
    const __half2 pair = __halves2half2(half, half);
    return *reinterpret_cast<const unsigned *>(&pair);
}

/* The input's bits as a pair of halves; which numbers they are does not matter, but for those that are no numbers. Neither
 * addresses nor turns begin with a constant: HFMA2 might load it. */
template <operation O> __global__ void __launch_bounds__(BLOCK) fp16_kernel(struct rl_self_check_arguments a)
{
#if __CUDA_ARCH__ >= 530 /* min_cc of the variants */
    const unsigned one = pair_of(a.one), zero = pair_of(a.zero);
    uint64_t offset;
    asm volatile("shl.b64 %0, %1, 2;" : "=l"(offset) : "l"((uint64_t)index_of_thread()));
    unsigned x = *(const unsigned *)((const char *)a.in + offset) & 0x3bff3bffu;
#pragma unroll 1
    for (unsigned left = a.turns; left > 0; left--) {
#pragma unroll
        for (int k = 0; k < OPERATIONS; k++) {
            if (O == FP16_ADD)
                asm volatile("add.rn.f16x2 %0, %0, %1;" : "+r"(x) : "r"(zero));
            if (O == FP16_MUL)
                asm volatile("mul.rn.f16x2 %0, %0, %1;" : "+r"(x) : "r"(one));
            if (O == FP16_FMA)
                asm volatile("fma.rn.f16x2 %0, %0, %1, %2;" : "+r"(x) : "r"(one), "r"(zero));
        }
    }
    *(unsigned *)((char *)a.out + offset) = x;
#endif
}

/* FP32 alone, with constants that the compiler loads as it likes. */
__global__ void __launch_bounds__(BLOCK) fp32_constants_kernel(struct rl_self_check_arguments a)
{
    const unsigned i = index_of_thread();
    float x = a.in[i], least = 0.0f;
#pragma unroll 1
    for (unsigned k = 0; k < a.turns; k++) {
        asm volatile("add.rn.f32 %0, %0, 0f40200000;" : "+f"(x)); /* 2.5 */
        asm volatile("add.rn.f32 %0, %0, 0fC0200000;" : "+f"(x)); /* -2.5 */
        least = x < least ? -1.25f : least;
    }
    a.out[i] = x + least;
}

/* ---- branches: one loop, left by all threads of a warp together or by its halves at different turns ---- */

template <bool DIVERGENT> __global__ void __launch_bounds__(BLOCK) branch_kernel(struct rl_self_check_arguments a)
{
    const unsigned i = index_of_thread(), lane = threadIdx.x % 32;
    const unsigned turns = DIVERGENT && lane < 16 ? a.turns / 2 : a.turns;
    float x = a.in[i];
#pragma unroll 1
    for (unsigned k = 0; k < turns; k++)
        asm volatile("add.rn.f32 %0, %0, %1;" : "+f"(x) : "f"(a.zero));
    a.out[i] = x;
}

/* ---- shared memory: every load of a warp meets one bank STRIDE times ---- */

template <int STRIDE> __global__ void __launch_bounds__(TILE_WORDS) shared_kernel(struct rl_self_check_arguments a)
{
    __shared__ volatile float tile[TILE_WORDS];
    const unsigned i = blockIdx.x * TILE_WORDS + threadIdx.x, lane = threadIdx.x % 32;
    float x = 0;
    tile[threadIdx.x] = a.in[i];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < LOADS; k++)
        x = tile[lane * STRIDE];
    a.out[i] = x;
}

/* ---- local memory: words that loops index, so that no register can hold them. Each says where the next one is, so that no load
 * can be left out; after each round through all of them, back at the start, nothing is added. ---- */

__global__ void __launch_bounds__(BLOCK) local_kernel(struct rl_self_check_arguments a)
{
    volatile unsigned next[LOCAL_WORDS];
    const unsigned i = index_of_thread();
    unsigned at = 0;
#pragma unroll 1
    for (unsigned k = 0; k < LOCAL_WORDS; k++)
        next[k] = (k + a.turns + 1) % LOCAL_WORDS;
#pragma unroll 1
    for (unsigned k = 0; k < LOCAL_WORDS * a.turns; k++)
        at = next[at];
    a.out[i] = a.in[i] + (float)at;
}

/* ---- global memory ---- */

template <int STRIDE> __global__ void __launch_bounds__(BLOCK) stride_kernel(struct rl_self_check_arguments a)
{
    const unsigned i = index_of_thread();
    a.out[i] = a.in[(uint64_t)i * STRIDE];
}

/* Sum of the bit patterns of the elements that a thread reads: SHARE of them, a whole grid apart. */
__global__ void __launch_bounds__(BLOCK) read_kernel(struct rl_self_check_arguments a)
{
    unsigned sum = 0;
    for (uint64_t k = 0; k < SHARE; k++)
        sum += __float_as_uint(__ldcs(&a.in[k * a.threads + index_of_thread()])) >> 16;
    a.out[index_of_thread()] = (float)sum;
}

__global__ void __launch_bounds__(BLOCK) write_kernel(struct rl_self_check_arguments a)
{
    const uint64_t i = (uint64_t)blockIdx.x * BLOCK + threadIdx.x;
    a.out[i] = (float)(i % 65536);
}

__global__ void __launch_bounds__(BLOCK) copy_kernel(struct rl_self_check_arguments a)
{
    const uint64_t i = (uint64_t)blockIdx.x * BLOCK + threadIdx.x;
    a.out[i] = __ldcs(&a.in[i]);
}

/* ---- occupancy: blocks that live for a time, as many as the GPU holds at once, or half of them. Work would not do: a scheduler
 * that prefers its oldest warps lets them end long before the youngest. ---- */

__global__ void __launch_bounds__(BLOCK) occupancy_kernel(struct rl_self_check_arguments a)
{
    const unsigned i = index_of_thread();
    const long long begin = clock64(), ticks = (long long)TICKS * a.turns;

    while (clock64() - begin < ticks) {
    }
    a.out[i] = a.in[i];
}

/* ---- the operations ---- */

/* The reference value of an element of `out`; indices count elements of `in`. */
enum result { INPUT, HALF_BITS, TILE_STRIDE, INPUT_STRIDE, SHARE_SUM, COUNTED, PRODUCT };

struct row {
    const char *name;
    void (*kernel)(struct rl_self_check_arguments);
    unsigned block;
    bool large; /* reads or writes all of the large array: a thread for each element, or for each `stride` of them */
    enum result result;
    unsigned stride;
    unsigned fill; /* not 0: one block for every `fill` that the GPU holds at once, instead of one for each element */
    const struct rl_self_check_product *product; /* NULL: there are no matrices */
};

#define MATRICES(name, product)                                                                                                    \
    {                                                                                                                              \
        name, nullptr, 0, false, PRODUCT, 1, 0, &rl_self_check_##product                                                           \
    }

static const struct row rows[] = {
    {"fp32_add", arithmetic_kernel<FP32_ADD>, BLOCK, false, INPUT, 1, 0, nullptr},
    {"fp32_mul", arithmetic_kernel<FP32_MUL>, BLOCK, false, INPUT, 1, 0, nullptr},
    {"fp32_fma", arithmetic_kernel<FP32_FMA>, BLOCK, false, INPUT, 1, 0, nullptr},
    {"fp64_add", arithmetic_kernel<FP64_ADD>, BLOCK, false, INPUT, 1, 0, nullptr},
    {"fp64_mul", arithmetic_kernel<FP64_MUL>, BLOCK, false, INPUT, 1, 0, nullptr},
    {"fp64_fma", arithmetic_kernel<FP64_FMA>, BLOCK, false, INPUT, 1, 0, nullptr},
    {"fp16_add", fp16_kernel<FP16_ADD>, BLOCK, false, HALF_BITS, 1, 0, nullptr},
    {"fp16_mul", fp16_kernel<FP16_MUL>, BLOCK, false, HALF_BITS, 1, 0, nullptr},
    {"fp16_fma", fp16_kernel<FP16_FMA>, BLOCK, false, HALF_BITS, 1, 0, nullptr},
    {"fp32_constants", fp32_constants_kernel, BLOCK, false, INPUT, 1, 0, nullptr},
    {"branch_uniform", branch_kernel<false>, BLOCK, false, INPUT, 1, 0, nullptr},
    {"branch_divergent", branch_kernel<true>, BLOCK, false, INPUT, 1, 0, nullptr},
    {"shared_1", shared_kernel<1>, TILE_WORDS, false, TILE_STRIDE, 1, 0, nullptr},
    {"shared_2", shared_kernel<2>, TILE_WORDS, false, TILE_STRIDE, 2, 0, nullptr},
    {"shared_32", shared_kernel<32>, TILE_WORDS, false, TILE_STRIDE, 32, 0, nullptr},
    {"local", local_kernel, BLOCK, false, INPUT, 1, 0, nullptr},
    {"stride_1", stride_kernel<1>, BLOCK, true, INPUT_STRIDE, 1, 0, nullptr},
    {"stride_2", stride_kernel<2>, BLOCK, true, INPUT_STRIDE, 2, 0, nullptr},
    {"stride_8", stride_kernel<8>, BLOCK, true, INPUT_STRIDE, 8, 0, nullptr},
    {"stride_32", stride_kernel<32>, BLOCK, true, INPUT_STRIDE, 32, 0, nullptr},
    {"dram_read", read_kernel, BLOCK, false, SHARE_SUM, 1, 0, nullptr},
    {"dram_write", write_kernel, BLOCK, true, COUNTED, 1, 0, nullptr},
    {"dram_copy", copy_kernel, BLOCK, true, INPUT, 1, 0, nullptr},
    {"occupancy_full", occupancy_kernel, BLOCK, false, INPUT, 1, 1, nullptr},
    {"occupancy_half", occupancy_kernel, BLOCK, false, INPUT, 1, 2, nullptr},
    MATRICES("tensor", mma_fp16),
    MATRICES("tensor_bf16", mma_bf16),
    MATRICES("tensor_tf32", mma_tf32),
    MATRICES("tensor_int8", mma_int8),
    MATRICES("wgmma_fp16", wgmma_fp16),
    MATRICES("wgmma_bf16", wgmma_bf16),
    MATRICES("wgmma_tf32", wgmma_tf32),
    MATRICES("wgmma_fp8", wgmma_fp8),
    MATRICES("wgmma_int8", wgmma_int8),
};

/* That the program has code for the GPU in which the kernel is not empty. */
static enum rl_status product_check(const struct rl_self_check_product *product, struct rl_err *err)
{
    cudaFuncAttributes attributes;
    RL_TRY(RL_CUDA(err, cudaFuncGetAttributes(&attributes, product->kernel)));
    return attributes.sharedSizeBytes > 0
               ? RL_OK
               : rl_err_set(err, RL_UNSUPPORTED, "needs %s: this program has no code with it for this GPU", product->needs);
}

/* Counters are known for one size only, which is a whole number of everything. */
static enum rl_status setup(struct rl_suite_run *run, struct rl_err *err)
{
    const uint64_t threads = run->size / SHARE;
    RL_ROW(row, rows, run, err);
    if (run->size != run->experiment->default_size)
        return rl_err_set(err, run->size ? RL_UNSUPPORTED : RL_USAGE, "self_check: the reference values are those of %llu %s",
                          (unsigned long long)run->experiment->default_size, run->experiment->size_unit);
    if (row->product)
        RL_TRY(product_check(row->product, err));
    const uint64_t in = row->large || row->result == SHARE_SUM ? run->size : threads;
    uint64_t out = row->large ? run->size / row->stride : threads;
    if (row->fill) {
        unsigned blocks = 0;
        RL_TRY(rl_cooperative_blocks(run, row->kernel, (int)row->block, 0, &blocks, err));
        out = (uint64_t)blocks / row->fill * row->block;
    }
    return rl_map_setup_sized(run, row->result == COUNTED ? 1 : in, out, 0, err);
}

static enum rl_status launch(struct rl_suite_run *run, struct rl_err *err)
{
    const struct rl_map *map = rl_map_of(run);
    RL_ROW(row, rows, run, err);
    const struct rl_self_check_product *product = row->product;
    const struct rl_self_check_arguments arguments = {map->out, map->in, map->count, (unsigned)(run->size / SHARE),
                                                      1.0f,     0.0f,    TURNS};
    if (product)
        return rl_enqueue(run, err, (unsigned)(map->out_count / (product->rows * product->columns)), product->threads, 0,
                          product->kernel, arguments);
    return rl_enqueue(run, err, (unsigned)(map->out_count / row->block), row->block, 0, row->kernel, arguments);
}

static float float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Looked up once, not for each element. */
struct answer {
    const struct row *row;
    uint64_t seed, threads;
};

/* Of a tile of C = `times` A x B', where B' is made of unit matrices. */
static double product_of(const struct rl_self_check_product *product, uint64_t seed, uint64_t index)
{
    const uint64_t tile = (uint64_t)product->rows * product->columns, row = index % tile / product->columns;
    const uint64_t column = index % product->columns % product->depth;
    const float element = rl_input_unit(seed, (index / tile * product->rows + row) * product->depth + column);
    return TURNS * product->turns_each * (double)product->element(element);
}

static double expected(const void *context, uint64_t index)
{
    const struct answer *answer = (const struct answer *)context;
    uint64_t sum = 0;
    switch (answer->row->result) {
    case HALF_BITS:
        return float_of(bits_of(rl_input_unit(answer->seed, index)) & 0x3bff3bffu);
    case TILE_STRIDE:
        return rl_input_unit(answer->seed, index / TILE_WORDS * TILE_WORDS + index % 32 * answer->row->stride);
    case INPUT_STRIDE:
        return rl_input_unit(answer->seed, index * answer->row->stride);
    case SHARE_SUM:
        for (uint64_t k = 0; k < SHARE; k++)
            sum += bits_of(rl_input_unit(answer->seed, k * answer->threads + index)) >> 16;
        return (double)(float)sum;
    case COUNTED:
        return (double)(index % 65536);
    case PRODUCT:
        return product_of(answer->row->product, answer->seed, index);
    case INPUT:
        break;
    }
    return rl_input_unit(answer->seed, index);
}

/* Chains of additions and their constants round: everything but copies of bits may be off by a little. */
static enum rl_status verify(struct rl_suite_run *run, struct rl_suite_check *check, struct rl_err *err)
{
    const struct answer answer = {rl_row(rows, run), run->seed, run->size / SHARE};
    if (!answer.row)
        return rl_no_row(run, err);
    return rl_map_verify(run, launch, {rl_each<expected>, &answer, 2e-6}, check, err);
}

RL_SUITE_OPS(self_check, setup, launch, verify, rl_map_teardown)
