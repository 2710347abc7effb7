/* graphs.c - executable graphs, and when one is taken apart (graphs.h). */
#include "graphs.h"
#include "ranges.h"
#include "window.h"

enum { SLOTS = 1 << 10, MOST_GRAPHS = 1 << 12, MOST_REASONS = 8 };
/* After a vain attempt a graph is left whole for this many times its duration, and longer each time. */
static const uint64_t REST = 20, LEAST_REST_NS = 1000000, MOST_REST_NS = 100000000;
static const uint64_t LAUNCH_NS = 10000; /* maximum cost of launching a node by itself while the queue has room */

struct graph {
    CUgraphExec executable;
    struct graph_nodes nodes;
    uint64_t next_ns; /* not to be taken apart before */
    uint64_t rest_ns; /* after the next vain attempt */
    struct graph *next;
};

/* Taken before all our other locks. */
static pthread_mutex_t graphs_lock = PTHREAD_MUTEX_INITIALIZER;
static struct graph *slots[SLOTS];
static size_t graph_count;
static const char CHANGED[] = "it was changed in a way that is not followed";
static const char *told[MOST_REASONS]; /* reasons for leaving graphs whole, each reported once */

static bool is_counting(void)
{
    return (settings.counters != RL_COUNT_NOT || settings.prove) && !atomic_load(&leaving) && !atomic_load(&given_up);
}

static bool take_graphs(void)
{
    return is_counting() && !select_needs_launches() && take_mutex(&graphs_lock);
}

static void give_graphs(void)
{
    pthread_mutex_unlock(&graphs_lock);
}

static struct graph **place_of(CUgraphExec executable)
{
    struct graph **place = &slots[((uintptr_t)executable >> 4) % SLOTS];
    while (*place && (*place)->executable != executable)
        place = &(*place)->next;
    return place;
}

/* ---- what becomes of them ---- */

void graphs_made(CUgraphExec executable, CUgraph graph)
{
    const uint64_t begin_ns = now_ns();
    if (!executable || !take_graphs())
        return;
    struct graph **place = place_of(executable);
    if (!*place && graph_count < MOST_GRAPHS) {
        *place = rl_calloc(1, sizeof **place);
        (*place)->executable = executable;
        graph_count++;
    }
    if (*place)
        graph_read(&(*place)->nodes, graph);
    counts_spend(now_ns() - begin_ns);
    give_graphs();
}

void graphs_updated(CUgraphExec executable, CUgraph graph)
{
    if (!take_graphs())
        return;
    struct graph *known = *place_of(executable);
    if (known)
        graph_read(&known->nodes, graph);
    give_graphs();
}

static void leave_whole(struct graph *graph, const char *why)
{
    if (graph && !graph->nodes.left) {
        graph_forget(&graph->nodes);
        graph->nodes.left = why;
    }
}

static struct graph_node *find_node(const struct graph *graph, CUgraphNode handle, enum graph_kind kind)
{
    for (size_t i = 0; graph && i < graph->nodes.count; i++)
        if (graph->nodes.nodes[i].handle == handle && graph->nodes.nodes[i].kind == kind)
            return &graph->nodes.nodes[i];
    return NULL;
}

static bool set_node(struct graph_node *node, const void *params, bool with_kern)
{
    if (node->kind == NODE_KERNEL)
        return graph_read_kernel(&node->kernel, params, with_kern);
    if (node->kind == NODE_COPY)
        node->copy = *(const CUDA_MEMCPY3D *)params;
    else
        node->set = *(const CUDA_MEMSET_NODE_PARAMS *)params;
    return true;
}

void graphs_node_set(CUgraphExec executable, CUgraphNode handle, enum graph_kind kind, const void *params, bool with_kern)
{
    if (!params || !take_graphs())
        return;
    assume(kind == NODE_KERNEL || kind == NODE_COPY || kind == NODE_SET);
    struct graph *graph = *place_of(executable);
    struct graph_node *node = find_node(graph, handle, kind);
    if (!node || !set_node(node, params, with_kern))
        leave_whole(graph, CHANGED);
    give_graphs();
}

void graphs_child_set(CUgraphExec executable, CUgraphNode handle, CUgraph child)
{
    if (!take_graphs())
        return;
    struct graph *graph = *place_of(executable);
    if (!graph || !graph_read_child(&graph->nodes, handle, child))
        leave_whole(graph, CHANGED);
    give_graphs();
}

void graphs_changed(CUgraphExec executable)
{
    if (!take_graphs())
        return;
    leave_whole(*place_of(executable), CHANGED);
    give_graphs();
}

void graphs_gone(CUgraphExec executable)
{
    if (!take_graphs())
        return;
    struct graph **place = place_of(executable), *gone = *place;
    if (gone) {
        *place = gone->next;
        graph_forget(&gone->nodes);
        free(gone);
        graph_count--;
    }
    give_graphs();
}

void graphs_renew(void)
{
    graphs_lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}

/* ---- launches ---- */

static struct class *class_of_node(struct graph_kernel *kernel, uint32_t gpu)
{
    struct shape shape = {.gpu = gpu, .dynamic_shared_bytes = kernel->shared_bytes};
    memcpy(shape.grid, kernel->grid, sizeof shape.grid);
    memcpy(shape.block, kernel->block, sizeof shape.block);
    if (!kernel->class)
        kernel->class = class_of_launch(kernel->name, &shape);
    return kernel->class;
}

/* Whether counters of one of its kernels are wanted now. */
static bool is_wanted(CUcontext context, uint32_t gpu, struct graph_nodes *nodes)
{
    for (size_t i = 0; i < nodes->count; i++) {
        struct class *class = nodes->nodes[i].kind == NODE_KERNEL ? class_of_node(&nodes->nodes[i].kernel, gpu) : NULL;
        if (class && counts_want(context, class))
            return true;
    }
    return false;
}

/* Memory of another GPU, which a stream of this GPU may not set. */
static bool is_elsewhere(CUdeviceptr address, uint32_t gpu)
{
    CUresult (*ask)(void *, CUpointer_attribute, CUdeviceptr) = DRIVER(cuPointerGetAttribute);
    int ordinal = -1;
    return !ask || (ask(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, address) == CUDA_SUCCESS && ordinal >= 0 &&
                    (uint32_t)ordinal != gpu);
}

/* Compares the driver's context ids where available (CUDA 12): equal handles are not guaranteed. */
static bool is_same(CUcontext a, CUcontext b)
{
    CUresult (*number)(CUcontext, unsigned long long *) = (__typeof__(number))driver_function("cuCtxGetId");
    unsigned long long of_a, of_b;
    return a == b || (number && number(a, &of_a) == CUDA_SUCCESS && number(b, &of_b) == CUDA_SUCCESS && of_a == of_b);
}

/* Whether all nodes can run in this context's stream: a graph may span several GPUs. */
static bool is_at_home(const struct graph_nodes *nodes, CUcontext context, uint32_t gpu, CUstream stream)
{
    CUresult (*ask)(CUstream, CUcontext *) = DRIVER(cuStreamGetCtx);
    CUcontext of_stream = NULL;
    bool home = ask && ask(stream, &of_stream) == CUDA_SUCCESS && is_same(of_stream, context);
    for (size_t i = 0; i < nodes->count && home; i++) {
        const struct graph_node *node = &nodes->nodes[i];
        home = node->kind == NODE_KERNEL ? !node->kernel.context || is_same(node->kernel.context, context)
                                         : node->kind != NODE_SET || !is_elsewhere(node->set.dst, gpu);
    }
    return home;
}

static uint64_t longer(uint64_t rest_ns, uint64_t least_ns)
{
    const uint64_t twice_ns = rest_ns ? 2 * rest_ns : LEAST_REST_NS;
    const uint64_t next_ns = twice_ns < MOST_REST_NS ? twice_ns : MOST_REST_NS;
    return next_ns > least_ns ? next_ns : least_ns;
}

/* Runs the graph node by node; callbacks see each launch. */
static bool run(struct graph *graph, CUstream stream)
{
    const uint64_t begin_ns = now_ns();
    const uint64_t held_before_ns = budget_totals().held_ns, done_before = counts_done();
    assume(is_entered() && !graph->nodes.left);
    leave();
    const size_t done = graph_run(&graph->nodes, stream);
    (void)enter();
    const uint64_t held_ns = budget_totals().held_ns - held_before_ns, all_ns = now_ns() - begin_ns;
    const uint64_t most_ns = LAUNCH_NS * graph->nodes.count, took_ns = all_ns > held_ns ? all_ns - held_ns : 0;
    counts_spend(took_ns < most_ns ? took_ns : most_ns); /* with a full queue the program would have waited, too */
    graph->rest_ns = counts_done() != done_before ? 0 : longer(graph->rest_ns, REST * all_ns);
    graph->next_ns = now_ns() + graph->rest_ns;
    if (done == graph->nodes.count)
        return true;
    leave_whole(graph, "the driver refused to run a node of it by itself");
    if (done)
        say(RL_LOG_ERROR, RL_FAILED, "a CUDA graph was run only in part: the driver refused to run a node of it by itself");
    return done > 0;
}

static void note_whole(const char *why)
{
    budget_note_whole_graph();
    /* Reported at the first launch: many graphs are never launched. */
    for (size_t i = 0; i < MOST_REASONS; i++) {
        if (told[i] == why)
            return;
        if (told[i])
            continue;
        struct rl_buf text = RL_BUF_INIT;
        told[i] = why;
        rl_buf_addf(&text, "kernels of a CUDA graph were not counted one by one: %s", why);
        say(RL_LOG_NOTE, RL_OK, text.data);
        rl_buf_release(&text);
        return;
    }
}

/* Under the lock. */
static bool take_apart(struct graph *graph, CUcontext context, CUstream stream)
{
    uint32_t gpu;
    if (now_ns() < graph->next_ns || !counts_are_due() || !gpu_of_context(context, &gpu) ||
        !is_wanted(context, gpu, &graph->nodes) || !graph_empty())
        return false;
    if (is_at_home(&graph->nodes, context, gpu, stream))
        return run(graph, stream);
    leave_whole(graph, "its nodes are not all of the context that it is launched in");
    return false;
}

bool graphs_take_apart(CUcontext context, CUgraphExec executable, CUstream stream)
{
    if (!is_counting() || counts_is_capturing(stream) || pthread_mutex_trylock(&graphs_lock) != 0)
        return false;
    struct graph *graph = *place_of(executable);
    const char *left = select_needs_launches() ? "filters select launches one by one"
                       : graph                 ? graph->nodes.left
                                               : "what it consists of is unknown";
    if (left)
        note_whole(left);
    const bool taken = !left && take_apart(graph, context, stream);
    give_graphs();
    return taken;
}
