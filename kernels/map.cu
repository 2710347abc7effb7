/* map.cu - sizes, device memory, and the experiments that read one array of floats and write another. */
#include "device.cuh"

#include <stdlib.h>

static const unsigned FILL_BLOCK = 256;
static const unsigned FILL_GRID = 4096;              /* blocks at most: enough for any GPU, the kernel strides over the rest */
static const size_t CHUNK = (size_t)4 * 1024 * 1024; /* elements that are copied to the host and compared at a time */

enum rl_status rl_size_check(const struct rl_suite_run *run, uint64_t most, struct rl_err *err)
{
    const char *name = run->experiment->name, *unit = run->experiment->size_unit;
    if (run->size == 0)
        return rl_err_set(err, RL_USAGE, "%s needs a size of at least 1 (%s)", name, unit);
    if (run->size > most)
        return rl_err_set(err, RL_UNSUPPORTED, "%s takes a size of at most %llu (%s), not %llu", name, (unsigned long long)most,
                          unit, (unsigned long long)run->size);
    return RL_OK;
}

enum rl_status rl_memory_check(uint64_t bytes, struct rl_err *err)
{
    size_t free_bytes = 0, total = 0;
    RL_TRY(RL_CUDA(err, cudaMemGetInfo(&free_bytes, &total)));
    if (bytes > free_bytes)
        return rl_err_set(err, RL_UNSUPPORTED, "needs %.1f GiB of device memory, %.1f GiB is free", (double)bytes / (1 << 30),
                          (double)free_bytes / (1 << 30));
    return RL_OK;
}

enum rl_status rl_poison(const struct rl_suite_run *run, void *output, uint64_t bytes, struct rl_err *err)
{
    return RL_CUDA(err, cudaMemsetAsync(output, 0xff, bytes, (cudaStream_t)run->stream));
}

enum rl_status rl_spoil(const struct rl_suite_run *run, void *output, uint64_t count, size_t size, struct rl_err *err)
{
    const cudaStream_t stream = (cudaStream_t)run->stream;
    unsigned char *last_byte = (unsigned char *)output + (count / 2 + 1) * size - 1;
    unsigned char byte;
    if (run->fault != RL_FAULT_ELEMENT)
        return RL_OK;
    RL_TRY(RL_CUDA(err, cudaMemcpyAsync(&byte, last_byte, 1, cudaMemcpyDeviceToHost, stream)));
    RL_TRY(rl_device_wait(run->stream, err));
    byte ^= 0x40; /* of a float: the exponent's highest bit */
    RL_TRY(RL_CUDA(err, cudaMemcpyAsync(last_byte, &byte, 1, cudaMemcpyHostToDevice, stream)));
    return rl_device_wait(run->stream, err);
}

__global__ void fill_kernel(float *data, uint64_t count, uint64_t seed)
{
    const uint64_t step = (uint64_t)gridDim.x * blockDim.x;
    for (uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step)
        data[i] = rl_random_unit(seed, i);
}

/* Not by rl_enqueue: filling is no part of what is measured. */
static enum rl_status fill(const struct rl_suite_run *run, float *data, uint64_t count, struct rl_err *err)
{
    uint64_t seed = run->seed;
    void *arguments[] = {&data, &count, &seed};
    const unsigned wanted = rl_blocks(count, FILL_BLOCK), blocks = wanted < FILL_GRID ? wanted : FILL_GRID;
    return RL_CUDA(err, cudaLaunchKernel((const void *)fill_kernel, blocks, FILL_BLOCK, arguments, 0, (cudaStream_t)run->stream));
}

static enum rl_status allocate(struct rl_map *map, enum rl_map_kind kind, struct rl_err *err)
{
    const uint64_t in_bytes = map->count * sizeof(float), out_bytes = kind == RL_IN_PLACE ? 0 : map->out_count * sizeof(float);
    RL_TRY(rl_memory_check(in_bytes + out_bytes + map->scratch_bytes, err));
    RL_TRY(RL_CUDA(err, cudaMalloc((void **)&map->in, in_bytes)));
    if (kind == RL_IN_PLACE)
        map->out = map->in;
    else
        RL_TRY(RL_CUDA(err, cudaMalloc((void **)&map->out, out_bytes)));
    if (map->scratch_bytes == 0)
        return RL_OK;
    return RL_CUDA(err, cudaMalloc(&map->scratch, map->scratch_bytes));
}

/* Inputs as at the start, outputs poisoned, scratch memory zero, everything done. */
static enum rl_status reset(const struct rl_suite_run *run, struct rl_err *err)
{
    const struct rl_map *map = rl_map_of(run);
    if (map->out != map->in)
        RL_TRY(rl_poison(run, map->out, map->out_count * sizeof(float), err));
    if (map->scratch)
        RL_TRY(RL_CUDA(err, cudaMemsetAsync(map->scratch, 0, map->scratch_bytes, (cudaStream_t)run->stream)));
    RL_TRY(fill(run, map->in, map->count, err));
    return rl_device_wait(run->stream, err);
}

static enum rl_status set_up(struct rl_suite_run *run, const struct rl_map &shape, enum rl_map_kind kind, struct rl_err *err)
{
    struct rl_map *map = (struct rl_map *)rl_calloc(1, sizeof(*map));
    enum rl_status status;
    *map = shape;
    run->state = map;
    status = allocate(map, kind, err);
    RL_THEN(status, reset(run, err));
    if (status != RL_OK)
        rl_map_teardown(run);
    return status;
}

enum rl_status rl_map_setup(struct rl_suite_run *run, uint64_t count, enum rl_map_kind kind, struct rl_err *err)
{
    struct rl_map shape = {};
    shape.count = shape.out_count = count;
    return set_up(run, shape, kind, err);
}

enum rl_status rl_map_setup_plain(struct rl_suite_run *run, struct rl_err *err)
{
    RL_TRY(rl_size_check(run, RL_MAX_ELEMENTS, err));
    return rl_map_setup(run, run->size, RL_OUT_OF_PLACE, err);
}

enum rl_status rl_map_setup_sized(struct rl_suite_run *run, uint64_t count, uint64_t out_count, uint64_t scratch_bytes,
                                  struct rl_err *err)
{
    struct rl_map shape = {};
    shape.count = count;
    shape.out_count = out_count;
    shape.scratch_bytes = scratch_bytes;
    return set_up(run, shape, RL_OUT_OF_PLACE, err);
}

/* ---- graphs ---- */

enum rl_status rl_map_graph(struct rl_suite_run *run, enum rl_status (*enqueue)(struct rl_suite_run *, struct rl_err *),
                            struct rl_err *err)
{
    struct rl_map *map = rl_map_of(run);
    const cudaStream_t stream = (cudaStream_t)run->stream;
    cudaGraph_t graph = NULL;
    RL_TRY(RL_CUDA(err, cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal)));
    enum rl_status status = enqueue(run, err);
    const enum rl_status ended = RL_CUDA(status == RL_OK ? err : NULL, cudaStreamEndCapture(stream, &graph));
    RL_THEN(status, ended);
    RL_THEN(status, RL_CUDA(err, cudaGraphInstantiateWithFlags(&map->graph, graph, 0)));
    if (graph)
        (void)cudaGraphDestroy(graph); /* the instance lives on */
    return status;
}

enum rl_status rl_enqueue_graph(struct rl_suite_run *run, struct rl_err *err)
{
    if (run->fault == RL_FAULT_NO_LAUNCH)
        return RL_OK;
    return RL_CUDA(err, cudaGraphLaunch(rl_map_of(run)->graph, (cudaStream_t)run->stream));
}

/* ---- checking ---- */

/* Two page-locked buffers, one to copy into while the other is compared. Kept for all variants: locking pages takes longer than
 * copying into them. */
static enum rl_status buffers(float *(*chunks)[2], struct rl_err *err)
{
    static float *kept[2];
    for (int i = 0; i < 2; i++) {
        if (!kept[i])
            RL_TRY(RL_CUDA(err, cudaMallocHost((void **)&kept[i], CHUNK * sizeof(float))));
        (*chunks)[i] = kept[i];
    }
    return RL_OK;
}

static size_t chunk_at(const struct rl_map *map, uint64_t start)
{
    return start >= map->out_count ? 0 : map->out_count - start < CHUNK ? map->out_count - start : CHUNK;
}

static enum rl_status fetch(const struct rl_suite_run *run, uint64_t start, float *chunk, struct rl_err *err)
{
    const struct rl_map *map = rl_map_of(run);
    return RL_CUDA(err, cudaMemcpyAsync(chunk, map->out + start, chunk_at(map, start) * sizeof(float), cudaMemcpyDeviceToHost,
                                        (cudaStream_t)run->stream));
}

/* Compares the whole output; each chunk is copied while the one before it is compared. */
static enum rl_status compare(const struct rl_suite_run *run, struct rl_comparison *comparison, struct rl_err *err)
{
    const struct rl_map *map = rl_map_of(run);
    float *chunks[2];
    RL_TRY(buffers(&chunks, err));
    RL_TRY(fetch(run, 0, chunks[0], err));
    for (uint64_t start = 0, turn = 0; start < map->out_count; start += CHUNK, turn++) {
        RL_TRY(rl_device_wait(run->stream, err));
        if (chunk_at(map, start + CHUNK) > 0)
            RL_TRY(fetch(run, start + CHUNK, chunks[(turn + 1) % 2], err));
        rl_compare(comparison, chunks[turn % 2], start, chunk_at(map, start));
    }
    return RL_OK;
}

enum rl_status rl_map_verify(struct rl_suite_run *run, enum rl_status (*launch)(struct rl_suite_run *, struct rl_err *),
                             const struct rl_reference &reference, struct rl_suite_check *check, struct rl_err *err)
{
    const struct rl_map *map = rl_map_of(run);
    rl_inputs_have(run->seed, map->count);
    RL_TRY(reset(run, err));
    RL_TRY(launch(run, err));
    RL_TRY(rl_device_wait(run->stream, err));
    RL_TRY(rl_spoil(run, map->out, map->out_count, sizeof(float), err));
    struct rl_comparison comparison = {};
    comparison.reference = reference;
    comparison.words = map->words;
    RL_TRY(compare(run, &comparison, err));
    rl_comparison_finish(&comparison, check);
    return RL_OK;
}

void rl_map_teardown(struct rl_suite_run *run)
{
    struct rl_map *map = (struct rl_map *)run->state;
    run->state = NULL;
    if (!map)
        return;
    /* After a fault these fail too, and the fault has been reported. */
    if (map->graph)
        (void)cudaGraphExecDestroy(map->graph);
    (void)cudaFree(map->scratch);
    if (map->out != map->in)
        (void)cudaFree(map->out);
    (void)cudaFree(map->in);
    free(map);
}

enum rl_status rl_map_prepare(struct rl_suite_run *run, enum rl_status (*prepare)(struct rl_suite_run *, struct rl_err *),
                              struct rl_err *err)
{
    const enum rl_status status = prepare ? prepare(run, err) : RL_OK;
    if (status != RL_OK)
        rl_map_teardown(run);
    return status;
}
