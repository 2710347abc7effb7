/* ranges.h - NVTX ranges, and the filters that select launches by them and by names. Private to collector/inject. */
#pragma once

#include "inject.h"

/* ---- select.c ---- */

/* Compiles the filters; false, with what is wrong, when an expression is none. */
bool select_init(const char **wrong);
/* Whether the filters select a kernel, by its mangled name. */
bool select_name(const char *mangled);
/* Whether the filters look at launches one by one, so that callbacks are needed for times. */
bool select_needs_launches(void);
/* The ranges that are open around a launch, the innermost last. */
struct place {
    int32_t nodes[MOST_DEPTH];
    size_t depth;
    int32_t instance; /* instances.c; NO_INSTANCE: none */
    bool assumed;     /* the thread has no range, and of several that were started the last one is taken */
};
/* Whether a launch at this place, of a kernel that passes by name or does not, is selected; counts it for --skip and --count. May
 * take `lock`. */
bool select_launch(const struct place *place, bool name_passes);
/* A range was opened: it may be the one with which --range begins. Domain NULL: the default one. Needs no lock, as the next two. */
void select_range_entered(const char *domain, const char *name);
/* One was closed: it may be the one with which --range ends. */
void select_range_left(const char *domain, const char *name);
/* The program has called cuProfilerStart, or (false) cuProfilerStop; means nothing unless the settings wait for that. */
void select_profiler(bool started);
/* A name in a path of ranges; domain NULL: the default one. */
struct path_step {
    const char *domain, *name;
};
/* Whether steps that follow one another in the path match a pattern such as domain@name or outer/inner. For the tests, too. */
bool select_path_matches(const char *pattern, const struct path_step *steps, size_t count);

/* ---- tree.c; under `lock` ---- */

/* A domain handle of NVTX. */
struct nvtxDomainRegistration_st {
    const char *name;
};
/* The node of the name in the domain (NULL: the default one) below `parent` (RL_STREAM_NO_RANGE: outermost), made when it is new;
 * `parent` when there is no room. */
int32_t node_of(int32_t parent, struct nvtxDomainRegistration_st *domain, const char *name);
/* The node itself, or the innermost one around it, whose name has parameters; RL_STREAM_NO_RANGE: there is none. */
int32_t node_case(int32_t node);
/* A range of the node has been opened; no node: nothing. */
void node_enter(int32_t node);
/* It has been closed. */
void node_leave(int32_t node, uint64_t since_ns);
/* A kernel was launched in this range that has no time. */
void node_launch(int32_t node);
/* One that took so long. */
void node_time(int32_t node, uint64_t duration_ns);
/* Names of the node, which stay for as long as the process lives; "" of no node. */
struct path_step node_step(int32_t node);
/* Writes nodes that are new and totals that have changed. */
void tree_flush(void);
struct tree;
/* In the child of a fork: the tree is empty from now on, because what the parent did in it is the parent's. Returns the one before,
 * for node_again; static. */
const struct tree *tree_forget(void);
/* A node of the tree before, anew below `parent`; `parent` when it was none. */
int32_t node_again(const struct tree *before, int32_t node, int32_t parent);

/* ---- kernel_span.c ---- */

/* Records come in about the order of their ends, so that only the last gaps can be filled by one that comes later. */
enum { SPAN_GAPS = 4 };
struct kernel_span {
    uint64_t begin_ns, end_ns; /* 0 and 0: no kernel has come yet */
    uint64_t gap_ns;
    struct span_gap {
        uint64_t from_ns, to_ns;
    } gaps[SPAN_GAPS]; /* the last ones */
    unsigned gap;
};
/* A kernel ran from its start to its end. */
void kernel_span_add(struct kernel_span *span, uint64_t start_ns, uint64_t end_ns);

/* ---- instances.c; under `lock` unless it says otherwise ---- */

enum { NO_INSTANCE = -1 };
/* A range of a node with parameters was opened, inside the instance `outer`. Returns its number; NO_INSTANCE: there is no room. */
int32_t instance_enter(int32_t node, int32_t outer);
/* It was closed. */
void instance_leave(int32_t instance);
/* A call is launching a kernel in it and those around it, or (`taken_back`) has failed to. Needs no lock. */
void instance_launched(int32_t instance, bool taken_back);
/* That it is in this one is assumed (struct place). Needs no lock. */
void instance_assumed(int32_t instance);
/* A kernel that was launched there ran from its start to its end; `of_graph`: by a call that launched several. */
void instance_timed(int32_t instance, uint32_t gpu, uint64_t start_ns, uint64_t end_ns, bool of_graph);
/* A launch of the class in a range of the node took so long. No node: nothing. */
void use_add(int32_t node, uint32_t class_id, uint64_t duration_ns);
/* Writes what has changed, as far as there is room; the rest next time. */
void instances_flush(void);
/* In the child of a fork: there are none. */
void instances_forget(void);

/* ---- ranges.c ---- */

/* In the child of a fork: an empty tree, in which this thread is where it was. */
void ranges_forget(void);
/* Opens a range of the calling thread, inside of those that it has open; returns its depth, from 0, as NVTX does. Enters and takes
 * `lock` itself, as the next ones. */
int range_push(struct nvtxDomainRegistration_st *domain, const char *name);
/* Closes the thread's innermost range of the domain and returns its depth; below 0: it has none open. */
int range_pop(struct nvtxDomainRegistration_st *domain);
/* Opens a range of the whole process and returns its id; 0: there is none. */
uint64_t range_start(struct nvtxDomainRegistration_st *domain, const char *name);
/* Closes it, from whatever thread; nothing when no range of this id is open. */
void range_end(uint64_t id);
/* Where this thread is: its own ranges, or those opened for the whole process when it has none. */
void ranges_place(struct place *place);
/* Whether there ever was one. */
bool ranges_used(void);

/* ---- nvtx.c ---- */

/* Fills in NVTX's table of functions; false when it has none of ours. */
bool nvtx_attach(const void *(*export_table)(uint32_t id));
struct nvtx_extension;
/* The same for an extension of NVTX; false when nothing of it is wanted. */
bool nvtx_extend(struct nvtx_extension *extension);
