/* tree.c - NVTX: the range names form one tree per process, to whose nodes kernel times are added. */
#include "ranges.h"

enum { SLOTS = 2 * MOST_RANGES, BLOCK = 1024 };

struct node {
    int32_t parent, of_case;
    struct nvtxDomainRegistration_st *domain;
    const char *name;
    uint64_t instances, host_ns, launches, gpu_ns;
    bool told, changed;
};

/* Nodes never move. */
static struct tree {
    struct node *blocks[MOST_RANGES / BLOCK];
    size_t count;
    int32_t *slots; /* node + 1; open addressing by parent, domain and name */
} tree;

static struct node *node_at(int32_t index)
{
    return index >= 0 && (size_t)index < tree.count ? &tree.blocks[index / BLOCK][index % BLOCK] : NULL;
}

int32_t node_case(int32_t index)
{
    const struct node *node = node_at(index);
    return node ? node->of_case : RL_STREAM_NO_RANGE;
}

/* A new node; NULL if there is no room. */
static struct node *add_node(void)
{
    if (tree.count >= MOST_RANGES)
        return NULL;
    struct node **block = &tree.blocks[tree.count / BLOCK];
    if (!*block && !(*block = keep(BLOCK * sizeof **block)))
        return NULL;
    return &(*block)[tree.count % BLOCK];
}

enum { NAME_ROOM = 1024 };

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* PyTorch's emit_nvtx numbers each call: "aten::mm, seq = 7, op_id = 9, sizes = [[2, 3]], input_op_ids = [(8,0)]". Without these
 * numbers the calls of an operator on the same sizes are one range. A name that is too long stays as it is. */
static const char *without_numbers(const char *name, char room[NAME_ROOM])
{
    static const char seq[] = ", seq = ", op[] = ", op_id = ", inputs[] = ", input_op_ids = [";
    const char *from = strstr(name, op);
    if (!from || !is_digit(from[sizeof op - 1]) || strlen(name) >= NAME_ROOM)
        return name;
    const char *rest = from + sizeof op - 1, *number = from;
    while (is_digit(*rest))
        rest++;
    while (number > name && is_digit(number[-1]))
        number--;
    if (number < from && (size_t)(number - name) >= sizeof seq - 1 && memcmp(number - (sizeof seq - 1), seq, sizeof seq - 1) == 0)
        from = number - (sizeof seq - 1);
    const char *end = strstr(rest, inputs);
    const size_t head = (size_t)(from - name), tail = end ? (size_t)(end - rest) : strlen(rest);
    memcpy(room, name, head);
    memcpy(room + head, rest, tail);
    room[head + tail] = '\0';
    return room;
}

int32_t node_of(int32_t parent, struct nvtxDomainRegistration_st *domain, const char *name)
{
    if (!tree.slots && !(tree.slots = keep(SLOTS * sizeof *tree.slots)))
        return parent;
    char room[NAME_ROOM];
    name = without_numbers(name, room);
    uint64_t hash = UINT64_C(14695981039346656037) ^ (uint32_t)parent ^ (uintptr_t)domain;
    for (const char *c = name; *c; c++)
        hash = (hash ^ (unsigned char)*c) * UINT64_C(1099511628211);
    size_t at = hash % SLOTS;
    for (; tree.slots[at]; at = (at + 1) % SLOTS) {
        const struct node *node = node_at(tree.slots[at] - 1);
        if (node->parent == parent && node->domain == domain && strcmp(node->name, name) == 0)
            return tree.slots[at] - 1;
    }
    const char *copy = keep_text(name);
    struct node *node = copy ? add_node() : NULL;
    if (!node)
        return parent; /* unbounded names: their time is the parent's */
    *node = (struct node){.parent = parent, .domain = domain, .name = copy};
    node->of_case = strchr(copy, '=') ? (int32_t)tree.count : node_case(parent);
    tree.slots[at] = (int32_t)++tree.count;
    return (int32_t)tree.count - 1;
}

void node_enter(int32_t index)
{
    assume(is_held());
    struct node *node = node_at(index);
    if (!node)
        return;
    node->instances++;
    node->changed = true;
}

void node_leave(int32_t index, uint64_t since_ns)
{
    assume(is_held());
    struct node *node = node_at(index);
    if (!node)
        return;
    node->host_ns += now_ns() - since_ns;
    node->changed = true;
}

struct path_step node_step(int32_t range)
{
    const struct node *node = node_at(range);
    return node ? (struct path_step){node->domain ? node->domain->name : NULL, node->name} : (struct path_step){NULL, ""};
}

void node_launch(int32_t range)
{
    node_time(range, 0);
}

void node_time(int32_t range, uint64_t duration_ns)
{
    assume(is_held());
    struct node *node = node_at(range);
    if (!node)
        return;
    node->launches++;
    node->gpu_ns += duration_ns;
    node->changed = true;
}

void tree_flush(void)
{
    assume(is_held());
    for (int32_t i = 0; i < (int32_t)tree.count; i++) {
        struct node *node = node_at(i);
        if (!node->told) { /* deferred until now: a process that never uses CUDA has no stream */
            struct rl_record_range record = {.range = i, .parent = node->parent, .has_domain = node->domain != NULL};
            const char *texts[] = {node->domain ? node->domain->name : "", node->name};
            out_add(RL_RECORD_range, &record, sizeof record, texts, RL_COUNT(texts));
        }
        node->told = true;
        if (!node->changed)
            continue;
        struct rl_record_range_totals record = {
            .range = i, .instances = node->instances, .host_ns = node->host_ns, .launches = node->launches, .gpu_ns = node->gpu_ns};
        out_add(RL_RECORD_range_totals, &record, sizeof record, NULL, 0);
        node->changed = false;
    }
}

const struct tree *tree_forget(void)
{
    static struct tree before;
    before = tree;
    tree = (struct tree){.count = 0};
    return &before;
}

int32_t node_again(const struct tree *before, int32_t node, int32_t parent)
{
    if (node < 0 || (size_t)node >= before->count)
        return parent;
    const struct node *was = &before->blocks[node / BLOCK][node % BLOCK];
    return node_of(parent, was->domain, was->name);
}
