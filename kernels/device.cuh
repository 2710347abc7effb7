/* device.cuh - what every .cu file of the suite uses: checked CUDA calls, launches, arrays.
 *
 * An experiment is one .cu file: its kernels, the four operations of struct rl_suite_ops (kernels/run.h), and at the end
 *
 *     RL_SUITE_OPS(name, setup, launch, verify, teardown)
 *
 * Kernels are launched with rl_enqueue and nothing else. Most experiments read one array of floats and write another; rl_map_*
 * gives them three of the four operations.
 */
#pragma once

#include <cuda_runtime.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

extern "C" {
#include "core/err.h"
#include "core/mem.h"
#include "kernels/inputs.h"
#include "kernels/run.h"
}

/* ---- checked calls ---- */

/* Status of a CUDA runtime call; when it failed, the error text has the expression, the code's name and words, the place and what
 * to do. Every call into the runtime whose failure matters goes through this. */
#define RL_CUDA(err, expression) rl_cuda_check((expression), #expression, __FILE__, __LINE__, (err))

enum rl_status rl_cuda_check(cudaError_t code, const char *expression, const char *file, int line, struct rl_err *err);

/* The one symbol of an experiment's .cu file, with C linkage: RL_SUITE_OPS(id, setup, launch, verify, teardown). */
#define RL_SUITE_OPS(id, ...)                                                                                                      \
    extern "C" {                                                                                                                   \
    extern const struct rl_suite_ops rl_suite_##id;                                                                                \
    const struct rl_suite_ops rl_suite_##id = {__VA_ARGS__};                                                                       \
    }

/* ---- launches ---- */

/* The templates are static: each .cu file has its own, because types of one name may differ from file to file. */

template <class T> struct rl_as_is {
    using type = T;
};

enum rl_launch_kind { RL_LAUNCH_NORMAL, RL_LAUNCH_COOPERATIVE };

enum rl_status rl_enqueue_kernel(struct rl_suite_run *run, enum rl_launch_kind kind, const void *kernel, dim3 grid, dim3 block,
                                 size_t shared_bytes, void **arguments, struct rl_err *err);

/* Enqueues kernel<<<grid, block, shared_bytes, run->stream>>>(arguments...) and, while run->recording, notes its shape and
 * resources in run->launches. */
template <class... Parameters>
static inline enum rl_status rl_enqueue(struct rl_suite_run *run, struct rl_err *err, dim3 grid, dim3 block, size_t shared_bytes,
                                        void (*kernel)(Parameters...), typename rl_as_is<Parameters>::type... arguments)
{
    void *addresses[] = {&arguments..., nullptr};

    return rl_enqueue_kernel(run, RL_LAUNCH_NORMAL, reinterpret_cast<const void *>(kernel), grid, block, shared_bytes, addresses,
                             err);
}

/* The same as one cooperative launch: all blocks are resident at once, so that they can wait for one another. The grid must not
 * be larger than rl_cooperative_blocks says. */
template <class... Parameters>
static inline enum rl_status rl_enqueue_cooperative(struct rl_suite_run *run, struct rl_err *err, dim3 grid, dim3 block,
                                                    size_t shared_bytes, void (*kernel)(Parameters...),
                                                    typename rl_as_is<Parameters>::type... arguments)
{
    void *addresses[] = {&arguments..., nullptr};

    return rl_enqueue_kernel(run, RL_LAUNCH_COOPERATIVE, reinterpret_cast<const void *>(kernel), grid, block, shared_bytes,
                             addresses, err);
}

/* Most blocks of a cooperative launch: what an SM can hold times the number of SMs. */
template <class... Parameters>
static inline enum rl_status rl_cooperative_blocks(const struct rl_suite_run *run, void (*kernel)(Parameters...), int block,
                                                   size_t shared_bytes, unsigned *blocks, struct rl_err *err)
{
    int per_sm = 0;

    RL_TRY(RL_CUDA(err, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, kernel, block, shared_bytes)));
    if (per_sm == 0)
        return rl_err_set(err, RL_UNSUPPORTED, "a block of %d threads does not fit an SM", block);
    *blocks = (unsigned)(per_sm * run->sm_count);
    return RL_OK;
}

enum rl_status rl_allow_shared_bytes(const struct rl_suite_run *run, const void *kernel, size_t shared_bytes, struct rl_err *err);

/* Lets `kernel` be launched with so much dynamic shared memory; more than 48 KiB must be asked for. RL_UNSUPPORTED when a block of
 * this GPU cannot have that much. */
template <class... Parameters>
static inline enum rl_status rl_allow_shared(const struct rl_suite_run *run, void (*kernel)(Parameters...), size_t shared_bytes,
                                             struct rl_err *err)
{
    return rl_allow_shared_bytes(run, reinterpret_cast<const void *>(kernel), shared_bytes, err);
}

/* Blocks of `block` threads that cover `count` elements. */
static inline unsigned rl_blocks(uint64_t count, unsigned block)
{
    return (unsigned)((count + block - 1) / block);
}

/* Threads that a full SM holds, in device code (CUDA C++ Programming Guide, technical specifications per compute capability). */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 750
#define RL_THREADS_PER_SM 1024
#elif defined(__CUDA_ARCH__) && (__CUDA_ARCH__ > 1090 || (__CUDA_ARCH__ > 800 && __CUDA_ARCH__ < 900))
#define RL_THREADS_PER_SM 1536
#else
#define RL_THREADS_PER_SM 2048
#endif

/* The row of a table of variants whose name is that of the run's variant, NULL when there is none. Static: each .cu file has a
 * `struct row` of its own, and the linker would take one instance for all that have the same number of rows. */
template <class Row, size_t N> static const Row *rl_row(const Row (&rows)[N], const struct rl_suite_run *run)
{
    for (const Row &row : rows)
        if (strcmp(row.name, run->variant->name) == 0)
            return &row;
    return nullptr;
}
/* RL_FAILED: "ilp has no kernel for its variant 'x'": suite.def and the .cu file disagree. */
enum rl_status rl_no_row(const struct rl_suite_run *run, struct rl_err *err);

/* Declares `row`, that of the run's variant, or returns rl_no_row from the function. */
#define RL_ROW(row, rows, run, err)                                                                                                \
    const auto *const row = rl_row(rows, run);                                                                                     \
    if (!row)                                                                                                                      \
    return rl_no_row(run, err)

/* The operation `launch` of a table whose rows have a member of that name. */
template <const auto &Rows> static enum rl_status rl_launch_row(struct rl_suite_run *run, struct rl_err *err)
{
    RL_ROW(row, Rows, run, err);
    return row->launch(run, err);
}

/* RL_UNSUPPORTED: the experiment has a variant of the CUB library, and the toolkit lacks it. */
enum rl_status rl_no_cub(struct rl_err *err);

/* ---- times ---- */

/* Nanoseconds between two events around what `body` (of no arguments, returns a status) enqueues on the stream. */
template <class Body> static enum rl_status rl_time_events(void *stream, Body body, uint64_t *duration_ns, struct rl_err *err)
{
    cudaEvent_t start = NULL, stop = NULL;
    float milliseconds = 0;
    enum rl_status status = RL_CUDA(err, cudaEventCreate(&start));

    RL_THEN(status, RL_CUDA(err, cudaEventCreate(&stop)));
    RL_THEN(status, RL_CUDA(err, cudaEventRecord(start, (cudaStream_t)stream)));
    RL_THEN(status, body());
    RL_THEN(status, RL_CUDA(err, cudaEventRecord(stop, (cudaStream_t)stream)));
    RL_THEN(status, rl_device_wait(stream, err));
    RL_THEN(status, RL_CUDA(err, cudaEventElapsedTime(&milliseconds, start, stop)));
    *duration_ns = (uint64_t)llround((double)milliseconds * 1e6);
    if (stop)
        (void)cudaEventDestroy(stop);
    if (start)
        (void)cudaEventDestroy(start);
    return status;
}

/* ---- references ---- */

/* Reference values of elements, by a function of one: the compiler puts the function into the loop, which costs far less than
 * calling it a hundred million times. */
template <double (*Element)(const void *context, uint64_t index)>
static void rl_each(const void *context, uint64_t start, size_t count, double *values)
{
    for (size_t i = 0; i < count; i++)
        values[i] = Element(context, start + i);
}

/* ---- sizes and memory ---- */

/* Most elements of an array: so that 32-bit index arithmetic with a block to spare cannot overflow. */
#define RL_MAX_ELEMENTS UINT64_C(0x7fffff00)

/* RL_USAGE for size 0, RL_UNSUPPORTED for more than `most`. */
enum rl_status rl_size_check(const struct rl_suite_run *run, uint64_t most, struct rl_err *err);
/* RL_UNSUPPORTED, with both figures, when `bytes` of device memory are not free. */
enum rl_status rl_memory_check(uint64_t bytes, struct rl_err *err);
/* Enqueues the poisoning of an output: every byte 0xff, which makes a float a NaN. */
enum rl_status rl_poison(const struct rl_suite_run *run, void *output, uint64_t bytes, struct rl_err *err);
/* RL_FAULT_ELEMENT: changes the middle one of `count` elements of `size` bytes. Every `verify` calls this after its launch. */
enum rl_status rl_spoil(const struct rl_suite_run *run, void *output, uint64_t count, size_t size, struct rl_err *err);

/* ---- one array in, one out ---- */

struct rl_map {
    float *in, *out;    /* the same array when the experiment works in place */
    uint64_t count;     /* elements of `in` */
    uint64_t out_count; /* elements of `out` */
    bool words;         /* for the .cu file to set: the elements of `out` are uint32_t, not float */
    void *scratch;      /* what goes between; NULL: nothing. Zero before `verify` launches. */
    uint64_t scratch_bytes;
    unsigned blocks;       /* for the .cu file: of a cooperative launch, worked out once */
    cudaGraphExec_t graph; /* rl_map_graph; NULL: none */
};
enum rl_map_kind { RL_OUT_OF_PLACE, RL_IN_PLACE };

static inline struct rl_map *rl_map_of(const struct rl_suite_run *run)
{
    return static_cast<struct rl_map *>(run->state);
}

/* Allocates arrays of `count` floats and fills `in` with rl_random_unit(run->seed, index). */
enum rl_status rl_map_setup(struct rl_suite_run *run, uint64_t count, enum rl_map_kind kind, struct rl_err *err);
/* The same with an output of another length, and scratch memory. Nothing works in place. */
enum rl_status rl_map_setup_sized(struct rl_suite_run *run, uint64_t count, uint64_t out_count, uint64_t scratch_bytes,
                                  struct rl_err *err);
/* The operation `setup` of experiments that take run->size floats and make as many others of them. */
enum rl_status rl_map_setup_plain(struct rl_suite_run *run, struct rl_err *err);
/* Makes a graph of what `enqueue` enqueues on run->stream; nothing runs yet, and nothing is noted. On failure the caller tears the
 * map down. */
enum rl_status rl_map_graph(struct rl_suite_run *run, enum rl_status (*enqueue)(struct rl_suite_run *, struct rl_err *),
                            struct rl_err *err);
/* Enqueues that graph on run->stream. */
enum rl_status rl_enqueue_graph(struct rl_suite_run *run, struct rl_err *err);
/* Fills `in` again, zeroes the scratch memory, poisons `out`, calls `launch` and compares all of `out` with `reference`. */
enum rl_status rl_map_verify(struct rl_suite_run *run, enum rl_status (*launch)(struct rl_suite_run *, struct rl_err *),
                             const struct rl_reference &reference, struct rl_suite_check *check, struct rl_err *err);
void rl_map_teardown(struct rl_suite_run *run);
/* Calls `prepare` (NULL: there is nothing more to do) for a map that has been set up, and tears it down where that fails. */
enum rl_status rl_map_prepare(struct rl_suite_run *run, enum rl_status (*prepare)(struct rl_suite_run *, struct rl_err *),
                              struct rl_err *err);

/* Enqueues kernel(out, in, count, further...) in blocks of `block` threads, each of which takes `per_block` elements. */
template <class... Further>
static enum rl_status rl_enqueue_map(struct rl_suite_run *run, struct rl_err *err, unsigned per_block, unsigned block,
                                     void (*kernel)(float *, const float *, unsigned, Further...),
                                     typename rl_as_is<Further>::type... further)
{
    const struct rl_map *map = rl_map_of(run);

    return rl_enqueue(run, err, rl_blocks(map->count, per_block), block, 0, kernel, map->out, map->in, (unsigned)map->count,
                      further...);
}

/* The operation `launch` of variants that differ in `kernel` alone, with a thread for each element. */
template <const auto &Rows, unsigned Block> static enum rl_status rl_map_launch(struct rl_suite_run *run, struct rl_err *err)
{
    RL_ROW(row, Rows, run, err);
    return rl_enqueue_map(run, err, Block, Block, row->kernel);
}

/* The operation `verify` where each element of the output is Element(run, index) to the bit. */
template <enum rl_status (*Launch)(struct rl_suite_run *, struct rl_err *), double (*Element)(const void *run, uint64_t index)>
static enum rl_status rl_map_verify_each(struct rl_suite_run *run, struct rl_suite_check *check, struct rl_err *err)
{
    return rl_map_verify(run, Launch, {rl_each<Element>, run, 0}, check, err);
}

/* The element of the input of a run, for such a function. */
static inline float rl_map_input(const void *run, uint64_t index)
{
    return rl_input_unit(static_cast<const struct rl_suite_run *>(run)->seed, index);
}
