/* graph_nodes.c - copies the nodes of a graph (graphs.h). */
#include "graphs.h"

/* The structure of CUDA 12; older headers lack the last two members, newer ones name it by version. */
struct kernel_params {
    CUfunction func;
    unsigned gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes;
    void **kernelParams, **extra;
    void *kern;
    CUcontext ctx;
};
#if CUDA_VERSION >= 12000
_Static_assert(sizeof(struct kernel_params) == sizeof(CUDA_KERNEL_NODE_PARAMS_v2), "the structure of CUDA 12");
_Static_assert(offsetof(struct kernel_params, kern) == offsetof(CUDA_KERNEL_NODE_PARAMS_v2, kern), "the structure of CUDA 12");
#endif

/* Of the driver, where it has them; the older entry of edges refuses a graph whose edges say more than that they are there. */
static struct {
    CUresult (*nodes)(CUgraph, CUgraphNode *, size_t *);
    CUresult (*edges)(CUgraph, CUgraphNode *, CUgraphNode *, void *, size_t *);
    CUresult (*type)(CUgraphNode, CUgraphNodeType *);
    CUresult (*kernel)(CUgraphNode, struct kernel_params *);
    CUresult (*attribute)(CUgraphNode, CUlaunchAttributeID, CUlaunchAttributeValue *);
    CUresult (*copy)(CUgraphNode, CUDA_MEMCPY3D *);
    CUresult (*set)(CUgraphNode, CUDA_MEMSET_NODE_PARAMS *);
    CUresult (*host)(CUgraphNode, CUDA_HOST_NODE_PARAMS *);
    CUresult (*child)(CUgraphNode, CUgraph *);
    CUresult (*recorded)(CUgraphNode, CUevent *);
    CUresult (*waited)(CUgraphNode, CUevent *);
    CUresult (*argument)(CUfunction, size_t, size_t *, size_t *);
    CUresult (*kern_argument)(void *, size_t, size_t *, size_t *);
    CUresult (*name)(const char **, CUfunction);
    CUresult (*kern_name)(const char **, void *);
} driver;

/* Members of `driver` and the driver's names of them. */
static const struct {
    size_t member;
    const char *name;
} functions[] = {
#define FUNCTION(member, name)                                                                                                     \
    {                                                                                                                              \
        offsetof(__typeof__(driver), member), name                                                                                 \
    }
    FUNCTION(nodes, "cuGraphGetNodes"),
    FUNCTION(edges, "cuGraphGetEdges_v2"),
    FUNCTION(type, "cuGraphNodeGetType"),
    FUNCTION(kernel, "cuGraphKernelNodeGetParams_v2"),
    FUNCTION(attribute, "cuGraphKernelNodeGetAttribute"),
    FUNCTION(copy, "cuGraphMemcpyNodeGetParams"),
    FUNCTION(set, "cuGraphMemsetNodeGetParams"),
    FUNCTION(host, "cuGraphHostNodeGetParams"),
    FUNCTION(child, "cuGraphChildGraphNodeGetGraph"),
    FUNCTION(recorded, "cuGraphEventRecordNodeGetEvent"),
    FUNCTION(waited, "cuGraphEventWaitNodeGetEvent"),
    FUNCTION(argument, "cuFuncGetParamInfo"),
    FUNCTION(kern_argument, "cuKernelGetParamInfo"),
    FUNCTION(name, "cuFuncGetName"),
    FUNCTION(kern_name, "cuKernelGetName"),
#undef FUNCTION
};

/* False: this driver is too old to report a kernel's arguments (CUDA 12.4 can) or the nodes of a graph. */
static bool is_able(void)
{
    static bool asked, able;
    for (size_t i = 0; i < RL_COUNT(functions) && !asked; i++) {
        void *function = driver_function(functions[i].name);
        memcpy((char *)&driver + functions[i].member, &function, sizeof function);
        able = function && (i == 0 || able);
    }
    asked = true;
    return able;
}

/* ---- order ---- */

struct edge {
    CUgraphNode from, to;
};

RL_COMPARATOR(by_start, struct edge, rl_ascending((uintptr_t)x->from, (uintptr_t)y->from));

RL_COMPARATOR(by_end, struct edge, rl_ascending((uintptr_t)x->to, (uintptr_t)y->to));

/* Edges that lead from (`starts`, sorted by_start) or to the node. */
static size_t edges_at(const struct edge *edges, size_t count, CUgraphNode node, bool starts, const struct edge **first)
{
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        const CUgraphNode at = starts ? edges[middle].from : edges[middle].to;
        if ((uintptr_t)at < (uintptr_t)node)
            low = middle + 1;
        else
            high = middle;
    }
    *first = edges + low;
    size_t n = 0;
    while (low + n < count && (starts ? edges[low + n].from : edges[low + n].to) == node)
        n++;
    return n;
}

/* A chain is what leads through all nodes when every edge between one node and the next is followed. There may be further edges
 * that lead over some of them. */
struct order {
    CUgraphNode *nodes;
    size_t count;
    struct edge *out, *in; /* the same edges, sorted by where they start and end */
    size_t edge_count;
};

/* Whether all predecessors of the node are among the `done` nodes already in order. */
static bool is_ready(const struct order *order, CUgraphNode node, const CUgraphNode *done, size_t done_count)
{
    const struct edge *first;
    const size_t count = edges_at(order->in, order->edge_count, node, false, &first);
    for (size_t i = 0; i < count; i++) {
        bool found = false;
        for (size_t d = done_count; d-- > 0 && !found;) /* predecessors are near, usually the node before */
            found = done[d] == first[i].from;
        if (!found)
            return false;
    }
    return true;
}

/* Puts the nodes in order; false: there is none. What may run behind a node is one of those that its edges lead to, so a way along
 * edges that takes each node when it may run, and takes all of them, is the only order that there is. */
static bool put_in_order(struct order *order, CUgraphNode *sorted)
{
    size_t done = 0;
    const struct edge *first;
    assume(order->count > 0);
    for (size_t i = 0; i < order->count && !done; i++)
        if (edges_at(order->in, order->edge_count, order->nodes[i], false, &first) == 0)
            sorted[done++] = order->nodes[i];
    while (done > 0 && done < order->count) {
        const size_t count = edges_at(order->out, order->edge_count, sorted[done - 1], true, &first);
        size_t next = 0;
        while (next < count && !is_ready(order, first[next].to, sorted, done))
            next++;
        if (next == count)
            return false;
        sorted[done++] = first[next].to;
    }
    return done == order->count;
}

static bool read_edges(struct order *order, CUgraph graph)
{
    size_t count = 0;
    if (driver.edges(graph, NULL, NULL, NULL, &count) != CUDA_SUCCESS || count > 4 * (size_t)MOST_NODES)
        return false;
    CUgraphNode *from = rl_calloc(2 * count + 1, sizeof *from);
    void *data = rl_calloc(count + 1, 8); /* CUgraphEdgeData */
    bool read = !count || driver.edges(graph, from, from + count, data, &count) == CUDA_SUCCESS;
    order->out = rl_calloc(count + 1, sizeof *order->out);
    order->in = rl_calloc(count + 1, sizeof *order->in);
    for (size_t i = 0; i < count; i++)
        order->out[i] = order->in[i] = (struct edge){from[i], from[count + i]};
    if (count) {
        rl_sort(order->out, count, sizeof *order->out, by_start);
        rl_sort(order->in, count, sizeof *order->in, by_end);
    }
    order->edge_count = count;
    free(data);
    free(from);
    return read;
}

/* ---- kernels ---- */

static CUresult argument_at(const struct kernel_params *p, size_t index, size_t *offset, size_t *bytes)
{
    return p->func ? driver.argument(p->func, index, offset, bytes) : driver.kern_argument(p->kern, index, offset, bytes);
}

static bool copy_arguments(struct graph_kernel *kernel, const struct kernel_params *p)
{
    enum { MOST_ARGUMENTS = 1024 };
    size_t room = 0, offset, bytes, count = 0;
    while (count < MOST_ARGUMENTS && argument_at(p, count, &offset, &bytes) == CUDA_SUCCESS) {
        RL_GROW(kernel->offsets, count + 1, room);
        kernel->offsets[count++] = offset;
        kernel->bytes = offset + bytes > kernel->bytes ? offset + bytes : kernel->bytes;
    }
    kernel->argument_count = count;
    kernel->arguments = rl_calloc(kernel->bytes + 1, 1);
    for (size_t i = 0; i < count && p->kernelParams; i++)
        if (argument_at(p, i, &offset, &bytes) == CUDA_SUCCESS)
            memcpy(kernel->arguments + offset, p->kernelParams[i], bytes);
    return count < MOST_ARGUMENTS && (count == 0 || p->kernelParams);
}

/* Arguments in one buffer: its address and size follow their keys. */
static bool copy_buffer(struct graph_kernel *kernel, void *const *extra)
{
    const void *buffer = NULL;
    const size_t *bytes = NULL;
    for (size_t i = 0; i < 8 && extra[i] != CU_LAUNCH_PARAM_END; i += 2) {
        buffer = extra[i] == CU_LAUNCH_PARAM_BUFFER_POINTER ? extra[i + 1] : buffer;
        bytes = extra[i] == CU_LAUNCH_PARAM_BUFFER_SIZE ? extra[i + 1] : bytes;
    }
    if (!buffer || !bytes || *bytes > 1 << 16)
        return false;
    kernel->is_buffer = true;
    kernel->bytes = *bytes;
    kernel->arguments = rl_calloc(kernel->bytes + 1, 1);
    memcpy(kernel->arguments, buffer, kernel->bytes);
    return true;
}

static void free_kernel(struct graph_kernel *kernel)
{
    free((char *)kernel->name);
    free(kernel->arguments);
    free(kernel->offsets);
}

bool graph_read_kernel(struct graph_kernel *kernel, const void *params, bool with_kern)
{
    struct kernel_params p = {0};
    const char *name = NULL;
    memcpy(&p, params, with_kern ? sizeof p : offsetof(struct kernel_params, kern));
    if (!p.func && !p.kern)
        return false;
    const struct graph_kernel before = *kernel;
    *kernel = (struct graph_kernel){.function = p.func ? p.func : (CUfunction)p.kern,
                                    .grid = {p.gridDimX, p.gridDimY, p.gridDimZ},
                                    .block = {p.blockDimX, p.blockDimY, p.blockDimZ},
                                    .shared_bytes = p.sharedMemBytes,
                                    .context = with_kern ? p.ctx : before.context,
                                    .attribute_count = before.attribute_count};
    memcpy(kernel->attributes, before.attributes, sizeof kernel->attributes);
    const CUresult named = p.func ? driver.name(&name, p.func) : driver.kern_name(&name, p.kern);
    kernel->name = rl_strdup(named == CUDA_SUCCESS && name ? name : "");
    const bool whole = p.extra && !p.kernelParams ? copy_buffer(kernel, p.extra) : copy_arguments(kernel, &p);
    free_kernel(&(struct graph_kernel){.name = before.name, .arguments = before.arguments, .offsets = before.offsets});
    return whole && kernel->name[0];
}

/* Launch attributes that matter for a kernel by itself, by the driver's numbers, which older headers lack in part. */
enum { COOPERATIVE = 2, CLUSTER_DIMENSION = 4, DEVICE_UPDATABLE = 13, CARVEOUT = 14 };

static void add_attribute(struct graph_kernel *kernel, unsigned id, const CUlaunchAttributeValue *value)
{
    assume(kernel->attribute_count < MOST_ATTRIBUTES);
    kernel->attributes[kernel->attribute_count++] = (CUlaunchAttribute){.id = (CUlaunchAttributeID)id, .value = *value};
}

static bool read_attributes(struct graph_kernel *kernel, CUgraphNode node)
{
    CUlaunchAttributeValue value = {0};
    if (driver.attribute(node, (CUlaunchAttributeID)DEVICE_UPDATABLE, &value) == CUDA_SUCCESS && value.cooperative)
        return false;
    value = (CUlaunchAttributeValue){0};
    if (driver.attribute(node, (CUlaunchAttributeID)COOPERATIVE, &value) == CUDA_SUCCESS && value.cooperative)
        add_attribute(kernel, COOPERATIVE, &value);
    value = (CUlaunchAttributeValue){0};
    if (driver.attribute(node, (CUlaunchAttributeID)CLUSTER_DIMENSION, &value) == CUDA_SUCCESS && value.clusterDim.x)
        add_attribute(kernel, CLUSTER_DIMENSION, &value);
    value = (CUlaunchAttributeValue){0};
    if (driver.attribute(node, (CUlaunchAttributeID)CARVEOUT, &value) == CUDA_SUCCESS && value.cooperative > 0)
        add_attribute(kernel, CARVEOUT, &value);
    return true;
}

static bool read_kernel(struct graph_node *node)
{
    struct kernel_params params = {0};
    node->kind = NODE_KERNEL;
    return driver.kernel(node->handle, &params) == CUDA_SUCCESS && graph_read_kernel(&node->kernel, &params, true) &&
           read_attributes(&node->kernel, node->handle);
}

/* ---- nodes ---- */

static void leave_whole(struct graph_nodes *nodes, const char *why)
{
    graph_forget(nodes);
    nodes->left = why;
}

static bool read_node(struct graph_node *node, CUgraphNodeType type)
{
    switch ((int)type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
        return read_kernel(node);
    case CU_GRAPH_NODE_TYPE_MEMCPY:
        node->kind = NODE_COPY;
        return driver.copy(node->handle, &node->copy) == CUDA_SUCCESS;
    case CU_GRAPH_NODE_TYPE_MEMSET:
        node->kind = NODE_SET;
        return driver.set(node->handle, &node->set) == CUDA_SUCCESS;
    case CU_GRAPH_NODE_TYPE_HOST:
        node->kind = NODE_HOST;
        return driver.host(node->handle, &node->host) == CUDA_SUCCESS;
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
        node->kind = NODE_RECORD;
        return driver.recorded(node->handle, &node->event) == CUDA_SUCCESS;
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
        node->kind = NODE_WAIT;
        return driver.waited(node->handle, &node->event) == CUDA_SUCCESS;
    default:
        return false;
    }
}

static bool add_graph(struct graph_nodes *nodes, CUgraph graph, unsigned depth, CUgraphNode within);

static bool add_node(struct graph_nodes *nodes, CUgraphNode handle, unsigned depth, CUgraphNode within)
{
    CUgraphNodeType type;
    CUgraph child = NULL;
    if (driver.type(handle, &type) != CUDA_SUCCESS)
        return false;
    if (type == CU_GRAPH_NODE_TYPE_EMPTY)
        return true;
    if (type == CU_GRAPH_NODE_TYPE_GRAPH)
        return driver.child(handle, &child) == CUDA_SUCCESS && add_graph(nodes, child, depth + 1, within ? within : handle);
    RL_GROW(nodes->nodes, nodes->count + 1, nodes->room);
    struct graph_node *node = &nodes->nodes[nodes->count++];
    memset(node, 0, sizeof *node);
    node->handle = handle;
    node->within = within;
    if (read_node(node, type))
        return true;
    nodes->left = "it has nodes that cannot be run by themselves";
    return false;
}

/* Adds the nodes of the graph in order; false, with the reason, if it is to be left whole. */
static bool add_graph(struct graph_nodes *nodes, CUgraph graph, unsigned depth, CUgraphNode within)
{
    enum { MOST_DEEP = 8 };
    struct order order = {0};
    nodes->left = "it is too large";
    if (depth > MOST_DEEP || driver.nodes(graph, NULL, &order.count) != CUDA_SUCCESS || nodes->count + order.count > MOST_NODES)
        return false;
    order.nodes = rl_calloc(2 * order.count + 1, sizeof *order.nodes);
    CUgraphNode *sorted = order.nodes + order.count;
    bool good = !order.count || driver.nodes(graph, order.nodes, &order.count) == CUDA_SUCCESS;
    nodes->left = "its nodes could not be read";
    good = good && read_edges(&order, graph);
    if (good) {
        nodes->left = "it has branches, which may run side by side";
        good = !order.count || put_in_order(&order, sorted);
    }
    if (good)
        nodes->left = "its nodes could not be read";
    for (size_t i = 0; i < order.count && good; i++)
        good = add_node(nodes, sorted[i], depth, within);
    free(order.nodes);
    free(order.out);
    free(order.in);
    return good;
}

/* A graph may have kernels of several GPUs, which cannot run in one stream. */
static bool has_one_context(const struct graph_nodes *nodes)
{
    CUcontext one = NULL;
    for (size_t i = 0; i < nodes->count; i++) {
        const CUcontext context = nodes->nodes[i].kind == NODE_KERNEL ? nodes->nodes[i].kernel.context : NULL;
        if (one && context && context != one)
            return false;
        one = context ? context : one;
    }
    return true;
}

void graph_read(struct graph_nodes *nodes, CUgraph graph)
{
    graph_forget(nodes);
    if (!is_able())
        leave_whole(nodes, "the driver does not tell what its kernels are given (CUDA 12.4 or newer does)");
    else if (!add_graph(nodes, graph, 0, NULL))
        leave_whole(nodes, nodes->left);
    else if (!has_one_context(nodes))
        leave_whole(nodes, "its kernels are of several contexts");
    else
        nodes->left = NULL;
}

static void free_nodes(struct graph_node *nodes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (nodes[i].kind == NODE_KERNEL)
            free_kernel(&nodes[i].kernel);
}

bool graph_read_child(struct graph_nodes *nodes, CUgraphNode within, CUgraph child)
{
    struct graph_nodes fresh = {.left = NULL};
    size_t first = 0, count = 0, room = 0;
    while (first < nodes->count && nodes->nodes[first].within != within)
        first++;
    while (first + count < nodes->count && nodes->nodes[first + count].within == within)
        count++;
    if (!count || !is_able() || !add_graph(&fresh, child, 1, within) || nodes->count - count + fresh.count > MOST_NODES) {
        graph_forget(&fresh);
        return false;
    }
    struct graph_node *all = NULL;
    assume(first + count <= nodes->count);
    const size_t after = nodes->count - first - count, total = first + fresh.count + after;
    RL_GROW(all, total + 1, room);
    memcpy(all, nodes->nodes, first * sizeof *all);
    memcpy(all + first, fresh.nodes, fresh.count * sizeof *all);
    memcpy(all + first + fresh.count, nodes->nodes + first + count, after * sizeof *all);
    free_nodes(nodes->nodes + first, count);
    free(nodes->nodes);
    free(fresh.nodes);
    *nodes = (struct graph_nodes){.count = total, .room = room, .nodes = all};
    return true;
}

void graph_forget(struct graph_nodes *nodes)
{
    free_nodes(nodes->nodes, nodes->count);
    free(nodes->nodes);
    *nodes = (struct graph_nodes){.left = NULL};
}
