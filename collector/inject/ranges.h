/* ranges.h - NVTX ranges, and the filters that select launches by them and by names. Private to collector/inject. */
#pragma once

#include "inject.h"

/* ---- select.c ---- */

/* Compiles the filters; false: an expression is invalid, described in `wrong`. */
bool select_init(const char **wrong);
/* Whether the filters select a kernel, by its mangled name. */
bool select_name(const char *mangled);
/* Whether the filters depend on single launches, so that timing needs callbacks. */
bool select_needs_launches(void);
/* The open ranges around a launch, innermost last. */
struct place {
    int32_t nodes[MOST_DEPTH];
    size_t depth;
    int32_t instance; /* instances.c; NO_INSTANCE: none */
    bool assumed;     /* the thread has no range: the last of several process-wide ranges is assumed */
};
/* Whether a launch at this place is selected, if its kernel's name passes or not; counts it for --skip and --count. May take
 * `lock`. */
bool select_launch(const struct place *place, bool name_passes);
/* A range was opened, possibly the one at which --range starts. Domain NULL: the default domain. Needs no lock, as do the next two.
 */
void select_range_entered(const char *domain, const char *name);
/* A range was closed, possibly the one at which --range ends. */
void select_range_left(const char *domain, const char *name);
/* The program called cuProfilerStart, or (false) cuProfilerStop; ignored unless the settings wait for it. */
void select_profiler(bool started);
/* An element of a path of ranges; domain NULL: the default domain. */
struct path_step {
    const char *domain, *name;
};
/* Whether consecutive steps of the path match a pattern such as domain@name or outer/inner. For tests, too. */
bool select_path_matches(const char *pattern, const struct path_step *steps, size_t count);

/* ---- tree.c; under `lock` ---- */

/* A domain handle of NVTX. */
struct nvtxDomainRegistration_st {
    const char *name;
};
/* The node of this name in the domain (NULL: the default one) below `parent` (RL_STREAM_NO_RANGE: outermost), created if new;
 * `parent` if there is no room. */
int32_t node_of(int32_t parent, struct nvtxDomainRegistration_st *domain, const char *name);
/* The node or its innermost ancestor whose name has parameters; RL_STREAM_NO_RANGE: none. */
int32_t node_case(int32_t node);
/* A range of the node was opened; ignored without a node. */
void node_enter(int32_t node);
/* It was closed. */
void node_leave(int32_t node, uint64_t since_ns);
/* An untimed kernel was launched in this range. */
void node_launch(int32_t node);
/* A timed kernel was launched in this range. */
void node_time(int32_t node, uint64_t duration_ns);
/* The names of the node, never freed; "" without a node. */
struct path_step node_step(int32_t node);
/* Writes new nodes and changed totals. */
void tree_flush(void);
struct tree;
/* In the child of a fork: empties the tree, whose totals belong to the parent. Returns the previous one for node_again; static. */
const struct tree *tree_forget(void);
/* Recreates a node of the previous tree below `parent`; returns `parent` if there was none. */
int32_t node_again(const struct tree *before, int32_t node, int32_t parent);

/* ---- kernel_span.c ---- */

/* Records arrive about in the order of their ends, so only recent gaps can be filled by a later record. */
enum { SPAN_GAPS = 4 };
struct kernel_span {
    uint64_t begin_ns, end_ns; /* 0 and 0: no kernel yet */
    uint64_t gap_ns;
    struct span_gap {
        uint64_t from_ns, to_ns;
    } gaps[SPAN_GAPS]; /* the last ones */
    unsigned gap;
};
/* Adds the run of a kernel. */
void kernel_span_add(struct kernel_span *span, uint64_t start_ns, uint64_t end_ns);

/* ---- instances.c; under `lock` unless it says otherwise ---- */

enum { NO_INSTANCE = -1 };
/* A range of a node with parameters was opened, inside the instance `outer`. Returns its number; NO_INSTANCE: no room. */
int32_t instance_enter(int32_t node, int32_t outer);
/* It was closed. */
void instance_leave(int32_t instance);
/* A call launches a kernel in the instance and those around it, or (`taken_back`) failed to. Needs no lock. */
void instance_launched(int32_t instance, bool taken_back);
/* The instance of the launch is assumed (struct place). Needs no lock. */
void instance_assumed(int32_t instance);
/* A kernel launched in the instance ran from its start to its end; `of_graph`: its call launched several. */
void instance_timed(int32_t instance, uint32_t gpu, uint64_t start_ns, uint64_t end_ns, bool of_graph);
/* Adds the duration of a launch of the class in a range of the node. Ignored without a node. */
void use_add(int32_t node, uint32_t class_id, uint64_t duration_ns);
/* Writes changes as room permits; the rest next time. */
void instances_flush(void);
/* In the child of a fork: forgets all instances. */
void instances_forget(void);

/* ---- ranges.c ---- */

/* In the child of a fork: empties the tree and recreates this thread's open ranges. */
void ranges_forget(void);
/* Opens a range of the calling thread inside its open ranges; returns its depth from 0, as NVTX does. Enters and takes `lock`, as
 * do the next ones. */
int range_push(struct nvtxDomainRegistration_st *domain, const char *name);
/* Closes the thread's innermost range of the domain and returns its depth; negative: none is open. */
int range_pop(struct nvtxDomainRegistration_st *domain);
/* Opens a process-wide range and returns its id; 0: failed. */
uint64_t range_start(struct nvtxDomainRegistration_st *domain, const char *name);
/* Closes a process-wide range, from any thread; ignored if the id is not open. */
void range_end(uint64_t id);
/* The open ranges of this thread, or the process-wide ones if it has none. */
void ranges_place(struct place *place);
/* Whether any range was ever opened. */
bool ranges_used(void);

/* ---- nvtx.c ---- */

/* Fills NVTX's function table; false if it has none of our functions. */
bool nvtx_attach(const void *(*export_table)(uint32_t id));
struct nvtx_extension;
/* The same for an NVTX extension; false if we use nothing in it. */
bool nvtx_extend(struct nvtx_extension *extension);
