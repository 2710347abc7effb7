/* graphs.c - which graphs are executable, and when one is taken apart (graphs.h). */
#include <stdlib.h>
#include <string.h>

#include "core/buf.h"
#include "core/mem.h"
#include "graphs.h"
#include "window.h"

enum { SLOTS = 1 << 10, MOST_GRAPHS = 1 << 12, MOST_REASONS = 8 };
/* One that brought nothing is left alone for so many times as long as it took, and longer each time. */
static const uint64_t REST = 20, LEAST_REST_NS = 1000000, MOST_REST_NS = 100000000;
static const uint64_t LAUNCH_NS = 10000; /* what launching a node by itself takes at most where the queue has room */

struct graph {
    CUgraphExec executable;
    struct graph_nodes nodes;
    uint64_t next_ns; /* not to be taken apart before */
    uint64_t rest_ns; /* after the next one that brings nothing */
    struct graph *next;
};

/* Taken before all other locks of ours. */
static pthread_mutex_t graphs_lock = PTHREAD_MUTEX_INITIALIZER;
static struct graph *slots[SLOTS];
static size_t graph_count;
static const char *told[MOST_REASONS]; /* why graphs were left whole, each once */

static bool take_graphs(void)
{
    return (settings.counters != RL_COUNT_NOT || settings.prove) && !select_needs_launches() && !atomic_load(&leaving) &&
           !atomic_load(&given_up) && take_mutex(&graphs_lock);
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

/* Said when it is first launched: many graphs are never. */
static void tell_left(const char *why)
{
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

static void leave_whole(struct graph *graph)
{
    if (graph && !graph->nodes.left) {
        graph_forget(&graph->nodes);
        graph->nodes.left = "it was changed in a way that is not followed";
    }
}

static struct graph_node *find_node(const struct graph *graph, CUgraphNode handle, enum graph_kind kind)
{
    for (size_t i = 0; graph && i < graph->nodes.count; i++)
        if (graph->nodes.nodes[i].handle == handle && graph->nodes.nodes[i].kind == kind)
            return &graph->nodes.nodes[i];
    return NULL;
}

void graphs_kernel_set(CUgraphExec executable, CUgraphNode handle, const void *params, bool with_kern)
{
    if (!params || !take_graphs())
        return;
    struct graph *graph = *place_of(executable);
    struct graph_node *node = find_node(graph, handle, NODE_KERNEL);
    if (!node || !graph_read_kernel(&node->kernel, params, with_kern))
        leave_whole(graph);
    give_graphs();
}

void graphs_copy_set(CUgraphExec executable, CUgraphNode handle, const CUDA_MEMCPY3D *copy)
{
    if (!copy || !take_graphs())
        return;
    struct graph *graph = *place_of(executable);
    struct graph_node *node = find_node(graph, handle, NODE_COPY);
    if (node)
        node->copy = *copy;
    else
        leave_whole(graph);
    give_graphs();
}

void graphs_set_set(CUgraphExec executable, CUgraphNode handle, const CUDA_MEMSET_NODE_PARAMS *set)
{
    if (!set || !take_graphs())
        return;
    struct graph *graph = *place_of(executable);
    struct graph_node *node = find_node(graph, handle, NODE_SET);
    if (node)
        node->set = *set;
    else
        leave_whole(graph);
    give_graphs();
}

void graphs_child_set(CUgraphExec executable, CUgraphNode handle, CUgraph child)
{
    if (!take_graphs())
        return;
    struct graph *graph = *place_of(executable);
    if (!graph || !graph_read_child(&graph->nodes, handle, child))
        leave_whole(graph);
    give_graphs();
}

void graphs_changed(CUgraphExec executable)
{
    if (!take_graphs())
        return;
    leave_whole(*place_of(executable));
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

/* Whether counters of one of its kernels are wanted now. */
static bool is_wanted(CUcontext context, struct graph_nodes *nodes)
{
    uint32_t gpu;
    if (!counts_are_due() || !gpu_of_context(context, &gpu))
        return false;
    for (size_t i = 0; i < nodes->count; i++) {
        struct graph_kernel *kernel = &nodes->nodes[i].kernel;
        if (nodes->nodes[i].kind != NODE_KERNEL)
            continue;
        struct shape shape = {.gpu = gpu, .dynamic_shared_bytes = kernel->shared_bytes};
        memcpy(shape.grid, kernel->grid, sizeof shape.grid);
        memcpy(shape.block, kernel->block, sizeof shape.block);
        if (!kernel->class)
            kernel->class = class_of_launch(kernel->name, &shape);
        if (kernel->class && counts_want(context, kernel->class))
            return true;
    }
    return false;
}

static uint64_t longer(uint64_t rest_ns, uint64_t least_ns)
{
    const uint64_t twice_ns = rest_ns ? 2 * rest_ns : LEAST_REST_NS;
    const uint64_t next_ns = twice_ns < MOST_REST_NS ? twice_ns : MOST_REST_NS;
    return next_ns > least_ns ? next_ns : least_ns;
}

/* Runs it, while callbacks see each launch. */
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
    counts_spend(took_ns < most_ns ? took_ns : most_ns); /* where the queue was full the program would have waited, too */
    graph->rest_ns = counts_done() != done_before ? 0 : longer(graph->rest_ns, REST * all_ns);
    graph->next_ns = now_ns() + graph->rest_ns;
    if (done == graph->nodes.count)
        return true;
    graph_forget(&graph->nodes);
    graph->nodes.left = "the driver refused to run a node of it by itself";
    if (done)
        say(RL_LOG_ERROR, RL_FAILED, "a CUDA graph was run only in part: the driver refused to run a node of it by itself");
    return done > 0;
}

static bool may_take_apart(CUstream stream)
{
    return (settings.counters != RL_COUNT_NOT || settings.prove) && !select_needs_launches() && !atomic_load(&leaving) &&
           !counts_is_capturing(stream);
}

bool graphs_take_apart(CUcontext context, CUgraphExec executable, CUstream stream)
{
    if (!may_take_apart(stream) || pthread_mutex_trylock(&graphs_lock) != 0)
        return false;
    struct graph *graph = *place_of(executable);
    bool taken = false;
    if (graph && graph->nodes.left) {
        budget_note_whole_graph();
        tell_left(graph->nodes.left);
    } else if (graph && now_ns() >= graph->next_ns && is_wanted(context, &graph->nodes) && graph_empty())
        taken = run(graph, stream);
    give_graphs();
    return taken;
}
