/* ranges.c - NVTX: the ranges that are open: a stack for each thread, and those of the whole process. */

#include "ranges.h"

enum { MOST_STARTED = 256 };

/* Opened for the whole process; under `lock`. */
static struct {
    struct started {
        uint64_t id; /* 0: free */
        int32_t node, instance;
        uint64_t since_ns;
    } of[MOST_STARTED];
    uint64_t last_id;
} started;
static atomic_bool used;
static atomic_int started_count;

/* The open ranges of a thread. A thread without any has none, so that few are needed whatever the number of threads. */
struct stack {
    struct entry {
        int32_t node; /* RL_STREAM_NO_RANGE: the tree is full */
        struct nvtxDomainRegistration_st *domain;
        uint64_t since_ns;
        int32_t instance; /* instance of launches made here; NO_INSTANCE: none */
        bool own;         /* it was opened with this entry */
    } entries[MOST_DEPTH];
    size_t depth, beyond; /* ranges deeper than MOST_DEPTH are only counted, so that they can be left */
    struct stack *next;   /* list of free ones */
};
static struct stack *spare_stacks; /* under `lock` */
static __thread struct stack *stack __attribute__((tls_model("initial-exec")));

/* Re-enters the parent's open ranges: their totals so far belong to the parent. */
void ranges_forget(void)
{
    const struct tree *before = tree_forget();
    instances_forget();
    int32_t parent = RL_STREAM_NO_RANGE;
    memset(started.of, 0, sizeof started.of);
    spare_stacks = NULL;
    atomic_store(&started_count, 0);
    for (size_t i = 0; stack && i < stack->depth; i++) {
        struct entry *entry = &stack->entries[i];
        entry->instance = NO_INSTANCE;
        entry->own = false;
        if (entry->node == RL_STREAM_NO_RANGE)
            continue;
        entry->node = parent = node_again(before, entry->node, parent);
        entry->since_ns = now_ns();
    }
}

bool ranges_used(void)
{
    return atomic_load(&used);
}

/* A thread without ranges, such as PyTorch's backward thread, is taken to work for the process-wide range started last. */
static struct started started_last(void)
{
    struct started last = {.node = RL_STREAM_NO_RANGE, .instance = NO_INSTANCE};
    if (!atomic_load(&started_count) || !hold())
        return last;
    for (size_t i = 0; i < MOST_STARTED; i++)
        if (started.of[i].id > last.id)
            last = started.of[i];
    let_go();
    return last;
}

void ranges_place(struct place *place)
{
    place->depth = 0;
    place->assumed = false;
    place->instance = stack && stack->depth ? stack->entries[stack->depth - 1].instance : NO_INSTANCE;
    for (size_t i = 0; stack && i < stack->depth; i++)
        if (stack->entries[i].node != RL_STREAM_NO_RANGE)
            place->nodes[place->depth++] = stack->entries[i].node;
    if (!place->depth) {
        const struct started last = started_last();
        place->instance = last.instance;
        place->assumed = atomic_load(&started_count) > 1;
        if (last.node != RL_STREAM_NO_RANGE)
            place->nodes[place->depth++] = last.node;
    }
    assume(place->depth <= MOST_DEPTH);
}

/* A range has an instance if its name has parameters; where the tree is full its node is that of the range around it. */
static int32_t open_instance(int32_t node, int32_t around, int32_t outer)
{
    return node != around && node != RL_STREAM_NO_RANGE && node_case(node) == node ? instance_enter(node, outer) : NO_INSTANCE;
}

static int push_inside(struct nvtxDomainRegistration_st *domain, const char *name)
{
    if (!hold())
        return 0;
    /* The thread's stack, created if necessary; under `lock`. */
    if (!stack) {
        stack = spare_stacks ? spare_stacks : keep(sizeof *stack);
        if (spare_stacks)
            spare_stacks = spare_stacks->next;
    }
    struct stack *own = stack;
    if (!own || own->depth == MOST_DEPTH) {
        let_go();
        return own ? (int)(own->depth + ++own->beyond) : 0;
    }
    const int32_t around = own->depth ? own->entries[own->depth - 1].node : RL_STREAM_NO_RANGE;
    const int32_t outer = own->depth ? own->entries[own->depth - 1].instance : NO_INSTANCE;
    int32_t node = node_of(around, domain, name);
    node_enter(node);
    const int32_t instance = open_instance(node, around, outer);
    own->entries[own->depth] =
        (struct entry){node, domain, now_ns(), instance == NO_INSTANCE ? outer : instance, instance != NO_INSTANCE};
    const int depth = (int)own->depth++;
    let_go();
    select_range_entered(domain ? domain->name : NULL, name);
    return depth;
}

int range_push(struct nvtxDomainRegistration_st *domain, const char *name)
{
    if (!enter())
        return 0;
    atomic_store(&used, true);
    const int depth = push_inside(domain, name ? name : "");
    leave();
    return depth;
}

/* The innermost range of the domain; ranges of other domains above it stay open. Under `lock`. */
static struct entry take_entry(struct stack *own, size_t at)
{
    assume(is_held() && at < own->depth);
    const struct entry entry = own->entries[at];
    memmove(&own->entries[at], &own->entries[at + 1], (own->depth - at - 1) * sizeof entry);
    if (--own->depth == 0) {
        own->next = spare_stacks;
        spare_stacks = own;
        stack = NULL;
    }
    return entry;
}

static int pop_inside(struct nvtxDomainRegistration_st *domain)
{
    enum { NOTHING_TO_LEAVE = -2 }; /* a neighbour of NVTX_NO_PUSH_POP_TRACKING */
    if (stack && stack->beyond) {
        stack->beyond--;
        return (int)(stack->depth + stack->beyond);
    }
    size_t at = stack ? stack->depth : 0;
    while (at > 0 && stack->entries[at - 1].domain != domain)
        at--;
    if (at == 0 || !hold())
        return NOTHING_TO_LEAVE;
    const struct entry entry = take_entry(stack, at - 1);
    node_leave(entry.node, entry.since_ns);
    if (entry.own)
        instance_leave(entry.instance);
    struct path_step step = node_step(entry.node);
    let_go();
    select_range_left(step.domain, step.name);
    return (int)at - 1;
}

int range_pop(struct nvtxDomainRegistration_st *domain)
{
    if (!enter())
        return 0;
    const int depth = pop_inside(domain);
    leave();
    return depth;
}

static uint64_t start_inside(struct nvtxDomainRegistration_st *domain, const char *name)
{
    if (!hold())
        return 0;
    int32_t node = node_of(RL_STREAM_NO_RANGE, domain, name);
    uint64_t id = ++started.last_id;
    node_enter(node);
    for (size_t i = 0; i < MOST_STARTED; i++)
        if (!started.of[i].id) {
            started.of[i] = (struct started){id, node, open_instance(node, RL_STREAM_NO_RANGE, NO_INSTANCE), now_ns()};
            atomic_fetch_add(&started_count, 1);
            break;
        }
    let_go();
    select_range_entered(domain ? domain->name : NULL, name);
    return id;
}

uint64_t range_start(struct nvtxDomainRegistration_st *domain, const char *name)
{
    if (!enter())
        return 0;
    atomic_store(&used, true);
    const uint64_t id = start_inside(domain, name);
    leave();
    return id;
}

void range_end(uint64_t id)
{
    if (!enter())
        return;
    struct path_step step = {NULL, NULL};
    if (id && hold()) {
        for (size_t i = 0; i < MOST_STARTED; i++)
            if (started.of[i].id == id) {
                node_leave(started.of[i].node, started.of[i].since_ns);
                instance_leave(started.of[i].instance);
                step = node_step(started.of[i].node);
                started.of[i].id = 0;
                atomic_fetch_sub(&started_count, 1);
                break;
            }
        let_go();
        if (step.name)
            select_range_left(step.domain, step.name);
    }
    leave();
}
