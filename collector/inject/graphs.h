/* graphs.h - CUDA graphs, taken apart. Private to collector/inject.
 *
 * The launch of a graph is one call, and a range cannot hold a single one of its kernels. For a few launches the graph is therefore
 * run node by node, in order and in the same stream, so that each kernel is a launch like any other; the call itself then launches
 * an empty graph. Programs may destroy a graph after instantiating it, so nodes are copied at instantiation, and the copies follow
 * later changes.
 *
 * A graph is left whole if a serial order would add dependencies (branches), or if a part of it is unsupported: conditional nodes,
 * allocations, semaphores, batches of memory operations, and graphs that the device can launch or change. */
#pragma once

#include "classes.h"

enum { MOST_NODES = 8192, MOST_ATTRIBUTES = 4 };

enum graph_kind { NODE_KERNEL, NODE_COPY, NODE_SET, NODE_HOST, NODE_RECORD, NODE_WAIT };
struct graph_kernel {
    CUfunction function;
    CUcontext context; /* NULL: unknown */
    const char *name;  /* mangled; owned */
    unsigned grid[3], block[3], shared_bytes;
    char *arguments; /* all arguments, each at its offset; or the argument buffer */
    size_t bytes, argument_count, *offsets;
    bool is_buffer;
    CUlaunchAttribute attributes[MOST_ATTRIBUTES];
    unsigned attribute_count;
    struct class *class; /* cached lookup */
};
struct graph_node {
    CUgraphNode handle; /* in the graph from which the executable graph was instantiated */
    CUgraphNode within; /* the outermost child graph node around it; NULL: none */
    enum graph_kind kind;
    union {
        struct graph_kernel kernel;
        CUDA_MEMCPY3D copy;
        CUDA_MEMSET_NODE_PARAMS set;
        CUDA_HOST_NODE_PARAMS host;
        CUevent event;
    };
};

/* Nodes in execution order. `left`: the reason why the graph is left whole, in which case there are no nodes. */
struct graph_nodes {
    const char *left;
    size_t count, room;
    struct graph_node *nodes;
};

/* ---- graph_nodes.c ---- */

/* Copies the current nodes of the graph. */
void graph_read(struct graph_nodes *nodes, CUgraph graph);
/* Copies a kernel node from its parameters; false: something in them is unsupported. `with_kern`: the structure is that of CUDA 12
 * and newer. */
bool graph_read_kernel(struct graph_kernel *kernel, const void *params, bool with_kern);
/* Frees the nodes and clears the reason. */
void graph_forget(struct graph_nodes *nodes);
/* Replaces the nodes within a child graph node by those of `child`. False: there are none, or the child must be left whole. */
bool graph_read_child(struct graph_nodes *nodes, CUgraphNode within, CUgraph child);

/* ---- graph_run.c ---- */

/* Runs the nodes in order in the stream. The thread must not be inside enter(), so that callbacks see each call. Returns the number
 * of nodes that ran, which is less than the total if the driver refused one. */
size_t graph_run(const struct graph_nodes *nodes, CUstream stream);
/* An executable graph without nodes; NULL on failure. */
CUgraphExec graph_empty(void);

/* ---- graphs.c ---- */

/* A graph was instantiated. Takes a separate lock before all others, as do the next functions except graphs_renew. */
void graphs_made(CUgraphExec executable, CUgraph graph);
/* The executable graph was updated from another graph. */
void graphs_updated(CUgraphExec executable, CUgraph graph);
/* The parameters of a kernel, memcpy or memset node were set: `params` as in that call; `with_kern` as in graph_read_kernel. */
void graphs_node_set(CUgraphExec executable, CUgraphNode node, enum graph_kind kind, const void *params, bool with_kern);
/* A child graph node was set. */
void graphs_child_set(CUgraphExec executable, CUgraphNode node, CUgraph child);
/* An unsupported change was made: the graph is left whole from now on. */
void graphs_changed(CUgraphExec executable);
/* The graph is destroyed. */
void graphs_gone(CUgraphExec executable);
/* Resets the state in the child of a fork. */
void graphs_renew(void);
/* A graph is about to be launched: runs it node by node if counters of its kernels are wanted now. True: it ran, and an empty graph
 * is to be launched in its place. */
bool graphs_take_apart(CUcontext context, CUgraphExec executable, CUstream stream);

/* ---- graph_calls.c: callbacks of the driver calls that instantiate, change and destroy executable graphs, in the form that
 * launches.c expects ---- */

/* Whether the call succeeded; for callbacks at its exit. */
static inline bool call_succeeded(const CUpti_CallbackData *data)
{
    return data->functionReturnValue && *(const CUresult *)data->functionReturnValue == CUDA_SUCCESS;
}

/* Instantiated without flags. */
void on_made_graph(const CUpti_CallbackData *data);
/* Instantiated with flags; a graph that the device may launch is left whole. */
void on_made_graph_with_flags(const CUpti_CallbackData *data);
/* Instantiated with a parameter structure. */
void on_made_graph_with_params(const CUpti_CallbackData *data);
/* Updated from another graph. */
void on_updated_graph(const CUpti_CallbackData *data);
/* Kernel node set, with the structure of CUDA 11. */
void on_set_graph_kernel(const CUpti_CallbackData *data);
/* Kernel node set, with the structure of CUDA 12. */
void on_set_graph_kernel_v2(const CUpti_CallbackData *data);
/* Memcpy node set. */
void on_set_graph_copy(const CUpti_CallbackData *data);
/* Memset node set. */
void on_set_graph_set(const CUpti_CallbackData *data);
/* Child graph node set. */
void on_set_graph_child(const CUpti_CallbackData *data);
/* An unsupported change. */
void on_changed_graph(const CUpti_CallbackData *data);
/* Executable graph destroyed. */
void on_gone_graph(const CUpti_CallbackData *data);
