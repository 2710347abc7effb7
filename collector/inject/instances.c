/* instances.c - NVTX: every instance of a range with parameters in its name, and the kernels in it. */

#include "guest.h"
#include "ranges.h"

enum { MOST_USES = 1 << 15, SLOTS = 2 * MOST_USES };

struct instance {
    int32_t node, outer; /* outer: the enclosing instance */
    int32_t next;        /* next in the list of changed ones; NO_INSTANCE: none */
    uint32_t gpu;
    bool changed;
    atomic_uint launched; /* counted by calls, each of which has a record; without lock */
    atomic_uint assumed;
    uint64_t timed, graph;
    uint64_t entered_ns, left_ns; /* left_ns 0: it is open */
    struct kernel_span span;
};

/* The launches of a class in ranges of a node. */
struct use {
    int32_t node;
    uint32_t class_id;
    int32_t next;
    bool changed;
    uint64_t launches, ns;
};

static struct instance *instances; /* RL_STREAM_MOST_INSTANCES; pages are taken as they are used */
static struct use *uses;           /* MOST_USES */
static uint32_t *slots;            /* use + 1; open addressing by node and class */
static size_t instance_count, use_count;

/* Changed entries, in the order in which they changed. */
static struct {
    int32_t first, last;
} changed_instances = {NO_INSTANCE, NO_INSTANCE}, changed_uses = {NO_INSTANCE, NO_INSTANCE};

#define CHANGED(items, list, index)                                                                                                \
    do {                                                                                                                           \
        if ((items)[index].changed)                                                                                                \
            break;                                                                                                                 \
        (items)[index].changed = true;                                                                                             \
        (items)[index].next = NO_INSTANCE;                                                                                         \
        if ((list).first == NO_INSTANCE)                                                                                           \
            (list).first = (index);                                                                                                \
        else                                                                                                                       \
            (items)[(list).last].next = (index);                                                                                   \
        (list).last = (index);                                                                                                     \
    } while (0)

int32_t instance_enter(int32_t node, int32_t outer)
{
    assume(is_held());
    if (!instances && !(instances = keep(RL_STREAM_MOST_INSTANCES * sizeof *instances)))
        return NO_INSTANCE;
    if (instance_count >= RL_STREAM_MOST_INSTANCES)
        return NO_INSTANCE;
    const int32_t index = (int32_t)instance_count++;
    struct instance *added = &instances[index];
    memset(added, 0, sizeof *added); /* after a fork it is not new */
    added->node = node;
    added->outer = outer;
    added->entered_ns = now_ns();
    CHANGED(instances, changed_instances, index);
    return index;
}

static struct instance *instance_at(int32_t index)
{
    return index >= 0 && (size_t)index < instance_count ? &instances[index] : NULL;
}

void instance_leave(int32_t index)
{
    assume(is_held());
    struct instance *instance = instance_at(index);
    if (!instance)
        return;
    instance->left_ns = now_ns();
    CHANGED(instances, changed_instances, index);
}

void instance_launched(int32_t index, bool taken_back)
{
    for (struct instance *instance = instance_at(index); instance; instance = instance_at(instance->outer))
        if (taken_back)
            atomic_fetch_sub(&instance->launched, 1);
        else
            atomic_fetch_add(&instance->launched, 1);
}

void instance_assumed(int32_t index)
{
    struct instance *instance = instance_at(index);
    if (instance)
        atomic_fetch_add(&instance->assumed, 1);
}

void instance_timed(int32_t index, uint32_t gpu, uint64_t start_ns, uint64_t end_ns, bool of_graph)
{
    assume(is_held());
    for (struct instance *instance = instance_at(index); instance; instance = instance_at(instance->outer)) {
        if (!instance->timed)
            instance->gpu = gpu;
        kernel_span_add(&instance->span, start_ns, end_ns);
        instance->timed++;
        instance->graph += of_graph;
        CHANGED(instances, changed_instances, (int32_t)(instance - instances));
    }
}

void use_add(int32_t node, uint32_t class_id, uint64_t duration_ns)
{
    assume(is_held());
    if (!uses && (!(uses = keep(MOST_USES * sizeof *uses)) || !(slots = keep(SLOTS * sizeof *slots))))
        return;
    if (node < 0 || !slots)
        return;
    size_t at = ((uint64_t)(uint32_t)node << 32 | class_id) * UINT64_C(0x9E3779B97F4A7C15) >> 48;
    _Static_assert(SLOTS == 1 << 16, "as many bits");
    for (; slots[at]; at = (at + 1) % SLOTS)
        if (uses[slots[at] - 1].node == node && uses[slots[at] - 1].class_id == class_id)
            break;
    if (!slots[at]) {
        if (use_count >= MOST_USES)
            return; /* the case then has more time than its kernels */
        uses[use_count] = (struct use){.node = node, .class_id = class_id};
        slots[at] = (uint32_t)++use_count;
    }
    struct use *use = &uses[slots[at] - 1];
    use->launches++;
    use->ns += duration_ns;
    CHANGED(uses, changed_uses, (int32_t)(use - uses));
}

static void write_instance(int32_t index)
{
    const struct instance *instance = &instances[index];
    const uint64_t launched = atomic_load(&instance->launched), own = instance->timed - instance->graph;
    const struct kernel_span *span = &instance->span;
    const uint64_t gpu_ns = span->end_ns - span->begin_ns;
    struct rl_record_instance record = {.instance = (uint32_t)index,
                                        .range = instance->node,
                                        .gpu = instance->gpu,
                                        .assumed = atomic_load(&instance->assumed),
                                        .entered_ns = clocks_theirs(instance->entered_ns),
                                        .host_ns = instance->left_ns ? instance->left_ns - instance->entered_ns : 0,
                                        .begin_ns = span->begin_ns,
                                        .gpu_ns = gpu_ns,
                                        .busy_ns = gpu_ns > span->gap_ns ? gpu_ns - span->gap_ns : 0,
                                        .launches = instance->timed,
                                        .untimed = launched > own ? launched - own : 0};
    out_add(RL_RECORD_instance, &record, sizeof record, NULL, 0);
}

/* Totals first, then instances as far as they leave room for totals. */
void instances_flush(void)
{
    assume(is_held());
    while (changed_uses.first != NO_INSTANCE && out_has_room(sizeof(struct rl_record_use))) {
        const int32_t index = changed_uses.first;
        struct rl_record_use record = {.use = (uint32_t)index,
                                       .range = uses[index].node,
                                       .class_id = uses[index].class_id,
                                       .launches = uses[index].launches,
                                       .total_ns = uses[index].ns};
        changed_uses.first = uses[index].next;
        uses[index].changed = false;
        out_add(RL_RECORD_use, &record, sizeof record, NULL, 0);
    }
    while (changed_instances.first != NO_INSTANCE && out_has_spare_room(sizeof(struct rl_record_instance))) {
        const int32_t index = changed_instances.first;
        changed_instances.first = instances[index].next;
        instances[index].changed = false;
        write_instance(index);
    }
}

void instances_forget(void)
{
    instance_count = use_count = 0;
    changed_instances.first = changed_instances.last = changed_uses.first = changed_uses.last = NO_INSTANCE;
    if (slots)
        memset(slots, 0, SLOTS * sizeof *slots);
}
