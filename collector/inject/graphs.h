/* graphs.h - CUDA graphs, taken apart. Private to collector/inject.
 *
 * What a program launches as a graph is one call, of whose kernels no range can hold one alone. So for a few launches the graph is
 * run node by node, in its order and in the same stream, and each kernel is a launch like any other; the call itself then launches
 * an empty graph. Programs destroy graphs that they have made executable, so all of a node is copied when that is done, and follows
 * what is changed later.
 *
 * Left whole is a graph in which an order would be made up that it does not have (branches), or of which not everything is known:
 * conditional nodes, allocations, semaphores, batches of memory operations, and what can be launched or changed by the GPU. */
#pragma once

#include "classes.h"

enum { MOST_NODES = 8192, MOST_ATTRIBUTES = 4 };

enum graph_kind { NODE_KERNEL, NODE_COPY, NODE_SET, NODE_HOST, NODE_RECORD, NODE_WAIT };
struct graph_kernel {
    CUfunction function;
    CUcontext context; /* NULL: the driver does not say */
    const char *name;  /* mangled; a copy */
    unsigned grid[3], block[3], shared_bytes;
    char *arguments; /* all of them, each at its offset; or the buffer that was given in their place */
    size_t bytes, argument_count, *offsets;
    bool is_buffer;
    CUlaunchAttribute attributes[MOST_ATTRIBUTES];
    unsigned attribute_count;
    struct class *class; /* once it has been looked for */
};
struct graph_node {
    CUgraphNode handle; /* of the graph that the executable one was made of */
    CUgraphNode within; /* the outermost node that is a child graph; NULL: it is not in one */
    enum graph_kind kind;
    union {
        struct graph_kernel kernel;
        CUDA_MEMCPY3D copy;
        CUDA_MEMSET_NODE_PARAMS set;
        CUDA_HOST_NODE_PARAMS host;
        CUevent event;
    };
};

/* Nodes in the order in which they run; `left` says why the graph is left whole, and then there are none. */
struct graph_nodes {
    const char *left;
    size_t count, room;
    struct graph_node *nodes;
};

/* ---- graph_nodes.c ---- */

/* Copies what the graph consists of now. */
void graph_read(struct graph_nodes *nodes, CUgraph graph);
/* The same of one kernel, whose parameters are set; false: not everything of them is known. `with_kern`: the structure is that of
 * CUDA 12 and newer. */
bool graph_read_kernel(struct graph_kernel *kernel, const void *params, bool with_kern);
/* Frees what was copied: no nodes, and no reason why. */
void graph_forget(struct graph_nodes *nodes);
/* The nodes within one that is a child graph are those of `child` from now on; false: it has none, or the child is left whole.
 */
bool graph_read_child(struct graph_nodes *nodes, CUgraphNode within, CUgraph child);

/* ---- graph_run.c ---- */

/* Runs the nodes one after another in the stream; the thread is not `inside` of us, so that callbacks see each call. Returns how
 * many ran: fewer than there are where the driver refused one. */
size_t graph_run(const struct graph_nodes *nodes, CUstream stream);
/* An executable graph without nodes; NULL: there is none. */
CUgraphExec graph_empty(void);

/* ---- graphs.c ---- */

/* A graph has been made executable. Takes a separate lock, before all others, as all that follow but graphs_renew. */
void graphs_made(CUgraphExec executable, CUgraph graph);
/* Another graph has taken its place in the executable one. */
void graphs_updated(CUgraphExec executable, CUgraph graph);
/* A kernel, a copy or a set of it has been set: `params` as in the call that did; `with_kern` as in graph_read_kernel. */
void graphs_node_set(CUgraphExec executable, CUgraphNode node, enum graph_kind kind, const void *params, bool with_kern);
/* Child graphs in it have been set. */
void graphs_child_set(CUgraphExec executable, CUgraphNode node, CUgraph child);
/* Something was that is not followed: it is left whole from now on. */
void graphs_changed(CUgraphExec executable);
/* It is destroyed. */
void graphs_gone(CUgraphExec executable);
/* In the child of a fork. */
void graphs_renew(void);
/* A graph is about to be launched: where counters of its kernels are wanted now, it is run node by node. True: it has been, and an
 * empty one is to be launched in its place. */
bool graphs_take_apart(CUcontext context, CUgraphExec executable, CUstream stream);

/* ---- graph_calls.c: callbacks of the driver's calls that make, change and destroy executable graphs; of the form that launches.c
 * has them in ---- */

/* Whether the call that returns has done what it was to do. */
static inline bool call_succeeded(const CUpti_CallbackData *data)
{
    return data->functionReturnValue && *(const CUresult *)data->functionReturnValue == CUDA_SUCCESS;
}

/* A graph was instantiated, without flags. */
void on_made_graph(const CUpti_CallbackData *data);
/* The same with flags: what the GPU may launch itself is left alone. */
void on_made_graph_with_flags(const CUpti_CallbackData *data);
/* The same with a structure of parameters. */
void on_made_graph_with_params(const CUpti_CallbackData *data);
/* Another graph has taken the place of the one that was instantiated. */
void on_updated_graph(const CUpti_CallbackData *data);
/* A kernel node was set, by the structure of CUDA 11. */
void on_set_graph_kernel(const CUpti_CallbackData *data);
/* The same by that of CUDA 12. */
void on_set_graph_kernel_v2(const CUpti_CallbackData *data);
/* A copy was set. */
void on_set_graph_copy(const CUpti_CallbackData *data);
/* The parameters of a memset node were set. */
void on_set_graph_set(const CUpti_CallbackData *data);
/* A graph within the graph was. */
void on_set_graph_child(const CUpti_CallbackData *data);
/* Something was set that is not followed. */
void on_changed_graph(const CUpti_CallbackData *data);
/* It is being destroyed. */
void on_gone_graph(const CUpti_CallbackData *data);
