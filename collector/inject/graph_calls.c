/* graph_calls.c - callbacks of driver calls that instantiate, change and destroy executable graphs (graphs.h). */

#include "graphs.h"

typedef struct {
    CUgraphExec *executable;
    CUgraph graph;
    union {
        unsigned long long flags;          /* of the one with flags */
        const uint64_t *begins_with_flags; /* of the one with parameters */
    };
} cuGraphInstantiate_params;
typedef struct {
    CUgraphExec executable; /* common head of the parameters of calls that change or destroy an executable graph */
    CUgraph graph;
} cuGraphExecUpdate_params;
typedef struct {
    CUgraphExec executable;
    CUgraphNode node;
    union {
        const void *params;
        CUgraph child;
    };
} cuGraphExecKernelNodeSetParams_params; /* and of those that set other kinds of nodes */
enum { GRAPH_OF_DEVICE = 4 };            /* CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH, which CUDA 11.8 lacks */

void on_made_graph(const CUpti_CallbackData *data)
{
    const cuGraphInstantiate_params *p = data->functionParams;
    if (call_succeeded(data) && p->executable)
        graphs_made(*p->executable, p->graph);
}

/* Graphs that the device may launch are left whole: their kernels query the current graph. */
void on_made_graph_with_flags(const CUpti_CallbackData *data)
{
    if (!(((const cuGraphInstantiate_params *)data->functionParams)->flags & GRAPH_OF_DEVICE))
        on_made_graph(data);
}

void on_made_graph_with_params(const CUpti_CallbackData *data)
{
    const uint64_t *flags = ((const cuGraphInstantiate_params *)data->functionParams)->begins_with_flags;
    if (flags && !(*flags & GRAPH_OF_DEVICE))
        on_made_graph(data);
}

void on_updated_graph(const CUpti_CallbackData *data)
{
    const cuGraphExecUpdate_params *p = data->functionParams;
    if (call_succeeded(data))
        graphs_updated(p->executable, p->graph);
}

static void set_node(const CUpti_CallbackData *data, enum graph_kind kind, bool with_kern)
{
    const cuGraphExecKernelNodeSetParams_params *p = data->functionParams;
    if (call_succeeded(data))
        graphs_node_set(p->executable, p->node, kind, p->params, with_kern);
}

void on_set_graph_kernel(const CUpti_CallbackData *data)
{
    set_node(data, NODE_KERNEL, false);
}

void on_set_graph_kernel_v2(const CUpti_CallbackData *data)
{
    set_node(data, NODE_KERNEL, true);
}

void on_set_graph_copy(const CUpti_CallbackData *data)
{
    set_node(data, NODE_COPY, false);
}

void on_set_graph_set(const CUpti_CallbackData *data)
{
    set_node(data, NODE_SET, false);
}

void on_set_graph_child(const CUpti_CallbackData *data)
{
    const cuGraphExecKernelNodeSetParams_params *p = data->functionParams;
    if (call_succeeded(data))
        graphs_child_set(p->executable, p->node, p->child);
}

void on_changed_graph(const CUpti_CallbackData *data)
{
    graphs_changed(((const cuGraphExecUpdate_params *)data->functionParams)->executable);
}

void on_gone_graph(const CUpti_CallbackData *data)
{
    graphs_gone(((const cuGraphExecUpdate_params *)data->functionParams)->executable);
}
