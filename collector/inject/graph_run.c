/* graph_run.c - runs the nodes of a graph one by one (graphs.h). */
#include "graphs.h"

static bool run_kernel(const struct graph_kernel *kernel, CUstream stream)
{
    CUresult (*launch)(const CUlaunchConfig *, CUfunction, void **, void **) = DRIVER(cuLaunchKernelEx);
    const CUlaunchConfig config = {.gridDimX = kernel->grid[0],
                                   .gridDimY = kernel->grid[1],
                                   .gridDimZ = kernel->grid[2],
                                   .blockDimX = kernel->block[0],
                                   .blockDimY = kernel->block[1],
                                   .blockDimZ = kernel->block[2],
                                   .sharedMemBytes = kernel->shared_bytes,
                                   .hStream = stream,
                                   .attrs = (CUlaunchAttribute *)kernel->attributes,
                                   .numAttrs = kernel->attribute_count};
    assume(kernel->attribute_count <= MOST_ATTRIBUTES && kernel->arguments);
    size_t bytes = kernel->bytes;
    void *buffer[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, kernel->arguments, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
    void **arguments = rl_calloc(kernel->argument_count + 1, sizeof *arguments);
    for (size_t i = 0; i < kernel->argument_count; i++)
        arguments[i] = kernel->arguments + kernel->offsets[i];
    const CUresult result =
        !launch ? CUDA_ERROR_NOT_FOUND
                : launch(&config, kernel->function, kernel->is_buffer ? NULL : arguments, kernel->is_buffer ? buffer : NULL);
    free(arguments);
    return result == CUDA_SUCCESS;
}

static bool run_set(const CUDA_MEMSET_NODE_PARAMS *set, CUstream stream)
{
    CUresult (*bytes)(CUdeviceptr, size_t, unsigned char, size_t, size_t, CUstream) = DRIVER(cuMemsetD2D8Async);
    CUresult (*halves)(CUdeviceptr, size_t, unsigned short, size_t, size_t, CUstream) = DRIVER(cuMemsetD2D16Async);
    CUresult (*words)(CUdeviceptr, size_t, unsigned, size_t, size_t, CUstream) = DRIVER(cuMemsetD2D32Async);
    if (set->elementSize == 1 && bytes)
        return bytes(set->dst, set->pitch, (unsigned char)set->value, set->width, set->height, stream) == CUDA_SUCCESS;
    if (set->elementSize == 2 && halves)
        return halves(set->dst, set->pitch, (unsigned short)set->value, set->width, set->height, stream) == CUDA_SUCCESS;
    return words && words(set->dst, set->pitch, set->value, set->width, set->height, stream) == CUDA_SUCCESS;
}

static bool run_copy(const CUDA_MEMCPY3D *copy, CUstream stream)
{
    CUresult (*call)(const CUDA_MEMCPY3D *, CUstream) = DRIVER(cuMemcpy3DAsync_v2);
    return call && call(copy, stream) == CUDA_SUCCESS;
}

static bool run_host(const CUDA_HOST_NODE_PARAMS *host, CUstream stream)
{
    CUresult (*call)(CUstream, CUhostFn, void *) = DRIVER(cuLaunchHostFunc);
    return call && call(stream, host->fn, host->userData) == CUDA_SUCCESS;
}

static bool run_event(enum graph_kind kind, CUevent event, CUstream stream)
{
    CUresult (*record)(CUevent, CUstream) = DRIVER(cuEventRecord);
    CUresult (*follow)(CUstream, CUevent, unsigned) = DRIVER(cuStreamWaitEvent);
    if (kind == NODE_RECORD)
        return record && record(event, stream) == CUDA_SUCCESS;
    return follow && follow(stream, event, 0) == CUDA_SUCCESS;
}

static bool run_node(const struct graph_node *node, CUstream stream)
{
    switch (node->kind) {
    case NODE_KERNEL:
        return run_kernel(&node->kernel, stream);
    case NODE_COPY:
        return run_copy(&node->copy, stream);
    case NODE_SET:
        return run_set(&node->set, stream);
    case NODE_HOST:
        return run_host(&node->host, stream);
    case NODE_RECORD:
    case NODE_WAIT:
        return run_event(node->kind, node->event, stream);
    }
    return false;
}

size_t graph_run(const struct graph_nodes *nodes, CUstream stream)
{
    size_t done = 0;
    assume(!is_entered() && !nodes->left);
    while (done < nodes->count && run_node(&nodes->nodes[done], stream))
        done++;
    return done;
}

CUgraphExec graph_empty(void)
{
    static CUgraphExec empty; /* under the lock of graphs.c */
    CUgraph graph = NULL;
    CUresult (*create)(CUgraph *, unsigned) = DRIVER(cuGraphCreate);
    CUresult (*destroy)(CUgraph) = DRIVER(cuGraphDestroy);
    CUresult (*instantiate)(CUgraphExec *, CUgraph, unsigned long long) = DRIVER(cuGraphInstantiateWithFlags);
    if (empty || !create || !destroy || !instantiate || create(&graph, 0) != CUDA_SUCCESS)
        return empty;
    if (instantiate(&empty, graph, 0) != CUDA_SUCCESS)
        empty = NULL;
    (void)destroy(graph);
    return empty;
}
