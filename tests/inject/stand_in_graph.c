/* stand_in_graph.c - the stand-in driver: streams that are captured, graphs made by hand, and their launches. Operations of a graph
 * run one after another in the order in which they were added, whatever edges there are between them. */
#include <stdlib.h>
#include <string.h>

#include "stand_in.h"

#include <cupti_driver_cbid.h>

#define API STAND_IN_API

/* A node: its operation, and what it waits for. */
struct CUgraphNode_st {
    struct stand_in_op op;
    CUcontext context; /* of a kernel that was added by hand */
    size_t dependency_count;
    CUgraphNode *dependencies;
};
/* Graph and executable graph: the latter is a copy, but for the nodes' handles, which are those of the former. */
struct CUgraph_st {
    uint32_t id;
    size_t count, room;
    CUgraphNode *nodes;
};
struct CUgraphExec_st {
    struct CUgraph_st graph;
    struct stand_in_op *ops;
};
static atomic_uint last_id;

static CUgraphNode add_node(CUgraph graph, const struct stand_in_op *op, const CUgraphNode *dependencies, size_t count)
{
    if (graph->count == graph->room) {
        graph->room = graph->room ? 2 * graph->room : 8;
        graph->nodes = realloc(graph->nodes, graph->room * sizeof *graph->nodes);
    }
    CUgraphNode node = calloc(1, sizeof *node);
    node->op = *op;
    node->dependency_count = count;
    node->dependencies = calloc(count + 1, sizeof(CUgraphNode));
    for (size_t i = 0; i < count; i++)
        node->dependencies[i] = dependencies[i];
    return graph->nodes[graph->count++] = node;
}

void stand_in_graph_add(CUgraph graph, const struct stand_in_op *op)
{
    const CUgraphNode last = graph->count ? graph->nodes[graph->count - 1] : NULL; /* the list may move */
    (void)add_node(graph, op, &last, graph->count > 0);
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
    for (size_t i = 0; i < graph->count; i++) {
        free(graph->nodes[i]->dependencies);
        free(graph->nodes[i]);
    }
    free(graph->nodes);
    free(graph);
    return CUDA_SUCCESS;
}

static struct stand_in_op op_of(const CUDA_KERNEL_NODE_PARAMS *p)
{
    const uint32_t shape[7] = {p->gridDimX, p->gridDimY, p->gridDimZ, p->blockDimX, p->blockDimY, p->blockDimZ, p->sharedMemBytes};
    return stand_in_kernel_op((const struct stand_in_kernel *)(void *)p->func, shape, p->kernelParams);
}

API CUresult cuGraphAddKernelNode_v2(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                                     const CUDA_KERNEL_NODE_PARAMS *p)
{
    const struct stand_in_op op = op_of(p);
    *node = add_node(graph, &op, dependencies, count);
    (*node)->context = p->ctx;
    return CUDA_SUCCESS;
}

/* ---- what a graph consists of ---- */

API CUresult cuGraphGetNodes(CUgraph graph, CUgraphNode *nodes, size_t *count)
{
    for (size_t i = 0; nodes && i < graph->count; i++)
        nodes[i] = graph->nodes[i];
    *count = graph->count;
    return CUDA_SUCCESS;
}

/* The driver promises no order: the last come first. */
API CUresult cuGraphGetEdges_v2(CUgraph graph, CUgraphNode *from, CUgraphNode *to, CUgraphEdgeData *data, size_t *count)
{
    size_t edges = 0;
    (void)data;
    for (size_t i = graph->count; i-- > 0;)
        for (size_t d = 0; d < graph->nodes[i]->dependency_count; d++, edges++)
            if (from && to) {
                from[edges] = graph->nodes[i]->dependencies[d];
                to[edges] = graph->nodes[i];
            }
    *count = edges;
    return CUDA_SUCCESS;
}

API CUresult cuGraphNodeGetType(CUgraphNode node, CUgraphNodeType *type)
{
    static const CUgraphNodeType types[] = {
        [OP_KERNEL] = CU_GRAPH_NODE_TYPE_KERNEL,     [OP_COPY] = CU_GRAPH_NODE_TYPE_MEMCPY,
        [OP_WAIT] = CU_GRAPH_NODE_TYPE_BATCH_MEM_OP, [OP_WRITE] = CU_GRAPH_NODE_TYPE_BATCH_MEM_OP,
        [OP_HOST] = CU_GRAPH_NODE_TYPE_HOST,         [OP_RECORD] = CU_GRAPH_NODE_TYPE_EVENT_RECORD,
        [OP_FOLLOW] = CU_GRAPH_NODE_TYPE_WAIT_EVENT,
    };
    *type = types[node->op.kind];
    return CUDA_SUCCESS;
}

/* The pointers to arguments stay right until the node is destroyed. */
API CUresult cuGraphKernelNodeGetParams_v2(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS *params)
{
    const uint32_t *shape = node->op.launch.shape;
    for (size_t i = 0; i < 4; i++)
        node->op.arguments.at[i] = node->op.arguments.bytes + 8 * i;
    *params = (CUDA_KERNEL_NODE_PARAMS){.func = (CUfunction)(uintptr_t)node->op.launch.function,
                                        .gridDimX = shape[0],
                                        .gridDimY = shape[1],
                                        .gridDimZ = shape[2],
                                        .blockDimX = shape[3],
                                        .blockDimY = shape[4],
                                        .blockDimZ = shape[5],
                                        .sharedMemBytes = shape[6],
                                        .kernelParams = node->op.arguments.at,
                                        .ctx = node->context};
    return CUDA_SUCCESS;
}

API CUresult cuGraphKernelNodeGetAttribute(CUgraphNode node, CUlaunchAttributeID id, CUlaunchAttributeValue *value)
{
    (void)node, (void)id;
    memset(value, 0, sizeof *value);
    return CUDA_SUCCESS;
}

API CUresult cuGraphHostNodeGetParams(CUgraphNode node, CUDA_HOST_NODE_PARAMS *params)
{
    *params = (CUDA_HOST_NODE_PARAMS){.fn = node->op.host, .userData = node->op.data};
    return CUDA_SUCCESS;
}

API CUresult cuGraphEventRecordNodeGetEvent(CUgraphNode node, CUevent *event)
{
    *event = node->op.event;
    return CUDA_SUCCESS;
}

API CUresult cuGraphEventWaitNodeGetEvent(CUgraphNode node, CUevent *event)
{
    return cuGraphEventRecordNodeGetEvent(node, event);
}

/* Copies, sets and graphs in graphs cannot be captured here. */
API CUresult cuGraphMemcpyNodeGetParams(CUgraphNode node, CUDA_MEMCPY3D *params)
{
    (void)node, (void)params;
    return CUDA_ERROR_NOT_SUPPORTED;
}

API CUresult cuGraphMemsetNodeGetParams(CUgraphNode node, CUDA_MEMSET_NODE_PARAMS *params)
{
    (void)node, (void)params;
    return CUDA_ERROR_NOT_SUPPORTED;
}

API CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph *graph)
{
    (void)node, (void)graph;
    return CUDA_ERROR_NOT_SUPPORTED;
}

/* ---- executable graphs ---- */

static void copy_nodes(CUgraphExec executable, CUgraph graph)
{
    executable->graph = *graph;
    executable->ops = realloc(executable->ops, (graph->count + 1) * sizeof *executable->ops);
    executable->graph.nodes = calloc(graph->count + 1, sizeof(CUgraphNode));
    for (size_t i = 0; i < graph->count; i++) {
        executable->ops[i] = graph->nodes[i]->op;
        executable->graph.nodes[i] = graph->nodes[i];
    }
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
    copy_nodes(*executable, graph);
    return stand_in_leave(&call, CUDA_SUCCESS);
}

API CUresult cuGraphExecUpdate_v2(CUgraphExec executable, CUgraph graph, CUgraphExecUpdateResultInfo *result)
{
    const struct {
        CUgraphExec executable;
        CUgraph graph;
        CUgraphExecUpdateResultInfo *result;
    } params = {executable, graph, result};
    STAND_IN_ENTER(cuGraphExecUpdate_v2, &params, NULL);
    free(executable->graph.nodes);
    copy_nodes(executable, graph);
    return stand_in_leave(&call, CUDA_SUCCESS);
}

API CUresult cuGraphExecKernelNodeSetParams_v2(CUgraphExec executable, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *p)
{
    const struct {
        CUgraphExec executable;
        CUgraphNode node;
        const CUDA_KERNEL_NODE_PARAMS *p;
    } params = {executable, node, p};
    STAND_IN_ENTER(cuGraphExecKernelNodeSetParams_v2, &params, NULL);
    for (size_t i = 0; i < executable->graph.count; i++)
        if (executable->graph.nodes[i] == node)
            executable->ops[i] = op_of(p);
    return stand_in_leave(&call, CUDA_SUCCESS);
}

API CUresult cuGraphExecDestroy(CUgraphExec executable)
{
    const struct {
        CUgraphExec executable;
    } params = {executable};
    STAND_IN_ENTER(cuGraphExecDestroy, &params, NULL);
    free(executable->graph.nodes);
    free(executable->ops);
    free(executable);
    return stand_in_leave(&call, CUDA_SUCCESS);
}

/* All kernels carry the correlation id of the call; each node has a number of its own. Which graph is launched may be changed in
 * the callback. */
API CUresult cuGraphLaunch(CUgraphExec given, CUstream handle)
{
    struct {
        CUgraphExec executable;
        CUstream stream;
    } params = {given, handle};
    STAND_IN_ENTER(cuGraphLaunch, &params, NULL);
    const CUgraphExec executable = *(CUgraphExec volatile *)&params.executable;
    CUstream stream = stand_in_stream_of(&call, handle);
    CUresult result = CUDA_SUCCESS;
    for (size_t i = 0; i < executable->graph.count && result == CUDA_SUCCESS; i++) {
        struct stand_in_op op = executable->ops[i];
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
