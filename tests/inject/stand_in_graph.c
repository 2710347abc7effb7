/* stand_in_graph.c - the stand-in driver: streams that are captured, graphs made by hand, and their launches. A graph is a list of
 * operations, which run one after another. */
#include <stdlib.h>
#include <string.h>

#include "stand_in.h"

#include <cupti_driver_cbid.h>

#define API STAND_IN_API

/* Graph and executable graph: the latter is a copy. */
struct CUgraph_st {
    uint32_t id;
    size_t count, room;
    struct stand_in_op *ops;
};
struct CUgraphExec_st {
    struct CUgraph_st graph;
};
static atomic_uint last_id;

void stand_in_graph_add(CUgraph graph, const struct stand_in_op *op)
{
    if (graph->count == graph->room) {
        graph->room = graph->room ? 2 * graph->room : 8;
        graph->ops = realloc(graph->ops, graph->room * sizeof *graph->ops);
    }
    graph->ops[graph->count++] = *op;
}

static CUgraph new_graph(void)
{
    CUgraph graph = calloc(1, sizeof *graph);
    graph->id = atomic_fetch_add(&last_id, 1) + 1;
    return graph;
}

API CUresult cuGraphCreate(CUgraph *graph, unsigned flags)
{
    (void)flags;
    *graph = new_graph();
    return CUDA_SUCCESS;
}

API CUresult cuGraphDestroy(CUgraph graph)
{
    free(graph->ops);
    free(graph);
    return CUDA_SUCCESS;
}

API CUresult cuGraphAddKernelNode_v2(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                                     const CUDA_KERNEL_NODE_PARAMS *p)
{
    (void)dependencies, (void)count;
    const uint32_t shape[7] = {p->gridDimX, p->gridDimY, p->gridDimZ, p->blockDimX, p->blockDimY, p->blockDimZ, p->sharedMemBytes};
    const struct stand_in_op op = stand_in_kernel_op((const struct stand_in_kernel *)(void *)p->func, shape, p->kernelParams);
    stand_in_graph_add(graph, &op);
    *node = (CUgraphNode)graph->count;
    return CUDA_SUCCESS;
}

API CUresult cuGraphInstantiateWithFlags(CUgraphExec *executable, CUgraph graph, unsigned long long flags)
{
    const struct {
        CUgraphExec *executable;
        CUgraph graph;
        unsigned long long flags;
    } params = {executable, graph, flags};
    STAND_IN_ENTER(cuGraphInstantiateWithFlags, &params, NULL);
    *executable = calloc(1, sizeof **executable);
    (*executable)->graph.id = graph->id;
    for (size_t i = 0; i < graph->count; i++)
        stand_in_graph_add(&(*executable)->graph, &graph->ops[i]);
    return stand_in_leave(&call, CUDA_SUCCESS);
}

API CUresult cuGraphExecDestroy(CUgraphExec executable)
{
    free(executable->graph.ops);
    free(executable);
    return CUDA_SUCCESS;
}

/* All kernels carry the correlation id of the call; each node has a number of its own. */
API CUresult cuGraphLaunch(CUgraphExec executable, CUstream handle)
{
    const struct {
        CUgraphExec executable;
        CUstream stream;
    } params = {executable, handle};
    STAND_IN_ENTER(cuGraphLaunch, &params, NULL);
    CUstream stream = stand_in_stream_of(&call, handle);
    CUresult result = CUDA_SUCCESS;
    for (size_t i = 0; i < executable->graph.count && result == CUDA_SUCCESS; i++) {
        struct stand_in_op op = executable->graph.ops[i];
        op.launch.graph = executable->graph.id;
        op.launch.node = (uint64_t)executable->graph.id << 32 | (i + 1);
        result = stand_in_submit(&call, stream, &op);
    }
    return stand_in_leave(&call, result);
}

/* ---- capture ---- */

API CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus *status)
{
    const bool own = stream && stream != CU_STREAM_LEGACY && stream != CU_STREAM_PER_THREAD;
    *status = own && atomic_load(&stream->capturing) ? CU_STREAM_CAPTURE_STATUS_ACTIVE : CU_STREAM_CAPTURE_STATUS_NONE;
    return CUDA_SUCCESS;
}

API CUresult cuStreamBeginCapture_v2(CUstream stream, CUstreamCaptureMode mode)
{
    const struct {
        CUstream stream;
        CUstreamCaptureMode mode;
    } params = {stream, mode};
    STAND_IN_ENTER(cuStreamBeginCapture_v2, &params, NULL);
    CUgraph none = NULL, graph = new_graph();
    if (atomic_compare_exchange_strong(&stream->capturing, &none, graph))
        return stand_in_leave(&call, CUDA_SUCCESS);
    (void)cuGraphDestroy(graph);
    return stand_in_leave(&call, CUDA_ERROR_ILLEGAL_STATE);
}

API CUresult cuStreamEndCapture(CUstream stream, CUgraph *graph)
{
    const struct {
        CUstream stream;
        CUgraph *graph;
    } params = {stream, graph};
    STAND_IN_ENTER(cuStreamEndCapture, &params, NULL);
    CUgraph captured = atomic_exchange(&stream->capturing, NULL);
    if (graph)
        *graph = captured;
    return stand_in_leave(&call, captured ? CUDA_SUCCESS : CUDA_ERROR_ILLEGAL_STATE);
}
