/* ranges.c - NVTX. NVTX hands over its table of functions, we put ours in: no CUPTI is needed for it. Each thread has a stack of
 * open ranges; their names form one tree for the process, whose nodes are what the times of kernels are added to. */
#include <nvtx3/nvToolsExt.h>
#include <string.h>

#include "core/mem.h"
#include "inject.h"

enum { SLOTS = 2 * MOST_RANGES, MOST_STARTED = 256, BLOCK = 1024 };

struct node {
    int32_t parent;
    struct nvtxDomainRegistration_st *domain;
    const char *name;
    uint64_t instances, host_ns, launches, gpu_ns;
    bool told, changed;
};
/* What a domain handle points to. */
struct nvtxDomainRegistration_st {
    const char *name;
};
/* And a registered string. */
struct nvtxStringRegistration_st {
    const char *text;
};

/* Nodes never move. */
static struct tree {
    struct node *blocks[MOST_RANGES / BLOCK];
    size_t count;
    int32_t *slots; /* node + 1; open addressing by parent, domain and name */
    struct started {
        nvtxRangeId_t id; /* 0: free */
        int32_t node;
        uint64_t since_ns;
    } started[MOST_STARTED]; /* opened for the whole process */
    nvtxRangeId_t last_id;
} tree;
static atomic_bool used;
static atomic_int started_count;

/* The ranges that a thread has open. A thread without any has none, so that few are needed whatever the number of threads. */
struct stack {
    struct entry {
        int32_t node; /* RL_STREAM_NO_RANGE: the tree is full */
        struct nvtxDomainRegistration_st *domain;
        uint64_t since_ns;
    } entries[MOST_DEPTH];
    size_t depth, beyond; /* ranges deeper than MOST_DEPTH are only counted, so that they can be left */
    struct stack *next;   /* of those that are free */
};
static struct stack *spare_stacks; /* under `lock` */
static __thread struct stack *stack __attribute__((tls_model("initial-exec")));

/* ---- the tree; under `lock` ---- */

static struct node *node_at(int32_t index)
{
    return index >= 0 && (size_t)index < tree.count ? &tree.blocks[index / BLOCK][index % BLOCK] : NULL;
}

static void tell_node(int32_t index)
{
    const struct node *node = node_at(index);
    struct rl_record_range record = {.range = index, .parent = node->parent, .has_domain = node->domain != NULL};
    const char *texts[] = {node->domain ? node->domain->name : "", node->name};
    out_add(RL_RECORD_range, &record, sizeof record, texts, RL_COUNT(texts));
}

/* A node behind the last one; NULL when there is no room. */
static struct node *add_node(void)
{
    if (tree.count >= MOST_RANGES)
        return NULL;
    struct node **block = &tree.blocks[tree.count / BLOCK];
    if (!*block && !(*block = keep(BLOCK * sizeof **block)))
        return NULL;
    return &(*block)[tree.count % BLOCK];
}

static int32_t node_of(int32_t parent, struct nvtxDomainRegistration_st *domain, const char *name)
{
    if (!tree.slots && !(tree.slots = keep(SLOTS * sizeof *tree.slots)))
        return parent;
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
        return parent; /* names without end: what happens in them is the parent's */
    *node = (struct node){.parent = parent, .domain = domain, .name = copy};
    tree.slots[at] = (int32_t)++tree.count;
    return (int32_t)tree.count - 1;
}

static void enter_node(int32_t index)
{
    struct node *node = node_at(index);
    if (!node)
        return;
    node->instances++;
    node->changed = true;
}

static void leave_node(int32_t index, uint64_t since_ns)
{
    struct node *node = node_at(index);
    if (!node)
        return;
    node->host_ns += now_ns() - since_ns;
    node->changed = true;
}

struct path_step range_step(int32_t range)
{
    const struct node *node = node_at(range);
    return node ? (struct path_step){node->domain ? node->domain->name : NULL, node->name} : (struct path_step){NULL, ""};
}

void range_time(int32_t range, uint64_t duration_ns)
{
    struct node *node = node_at(range);
    if (!node)
        return;
    node->launches++;
    node->gpu_ns += duration_ns;
    node->changed = true;
}

void ranges_flush(void)
{
    for (int32_t i = 0; i < (int32_t)tree.count; i++) {
        struct node *node = node_at(i);
        if (!node->told) /* only now: a process that never uses CUDA has no stream */
            tell_node(i);
        node->told = true;
        if (!node->changed)
            continue;
        struct rl_record_range_totals record = {
            .range = i, .instances = node->instances, .host_ns = node->host_ns, .launches = node->launches, .gpu_ns = node->gpu_ns};
        out_add(RL_RECORD_range_totals, &record, sizeof record, NULL, 0);
        node->changed = false;
    }
}

/* The ranges in which the parent was are entered anew: what it did in them before is its own. */
void ranges_forget(void)
{
    const struct tree before = tree;
    int32_t parent = RL_STREAM_NO_RANGE;
    tree = (struct tree){.last_id = before.last_id};
    spare_stacks = NULL;
    atomic_store(&started_count, 0);
    for (size_t i = 0; stack && i < stack->depth; i++) {
        struct entry *entry = &stack->entries[i];
        if (entry->node == RL_STREAM_NO_RANGE)
            continue;
        const struct node *was = &before.blocks[entry->node / BLOCK][entry->node % BLOCK];
        entry->node = parent = node_of(parent, was->domain, was->name);
        entry->since_ns = now_ns();
    }
}

bool ranges_used(void)
{
    return atomic_load(&used);
}

/* A thread without ranges of its own, such as PyTorch's for the backward pass, works for the range that was started last. */
static int32_t started_last(void)
{
    nvtxRangeId_t latest = 0;
    int32_t node = RL_STREAM_NO_RANGE;
    if (!atomic_load(&started_count) || !hold())
        return node;
    for (size_t i = 0; i < MOST_STARTED; i++)
        if (tree.started[i].id > latest) {
            latest = tree.started[i].id;
            node = tree.started[i].node;
        }
    let_go();
    return node;
}

void ranges_place(struct place *place)
{
    place->depth = 0;
    for (size_t i = 0; stack && i < stack->depth; i++)
        if (stack->entries[i].node != RL_STREAM_NO_RANGE)
            place->nodes[place->depth++] = stack->entries[i].node;
    const int32_t node = place->depth ? RL_STREAM_NO_RANGE : started_last();
    if (node != RL_STREAM_NO_RANGE)
        place->nodes[place->depth++] = node;
}

/* ---- texts ---- */

enum { MOST_NAME = 2048 }; /* bytes of a name; a longer one is cut */

/* Appends a character as UTF-8. */
static size_t add_character(char *text, size_t len, uint32_t c)
{
    static const uint32_t beyond[] = {0x80, 0x800, 0x10000};
    static const unsigned char heads[] = {0, 0xC0, 0xE0, 0xF0};
    size_t more = 0;
    while (more < RL_COUNT(beyond) && c >= beyond[more])
        more++;
    text[len++] = (char)(heads[more] | (c >> 6 * more & (more ? 0x3Fu >> more : 0x7Fu)));
    while (more-- > 0)
        text[len++] = (char)(0x80 | (c >> 6 * more & 0x3F));
    return len;
}

/* UTF-8 of a wide string (UTF-32 here). */
static const char *narrow(const wchar_t *wide, char text[MOST_NAME])
{
    size_t len = 0;
    for (; wide && *wide && len + 5 < MOST_NAME; wide++)
        len = add_character(text, len, (uint32_t)*wide & 0x1FFFFF);
    text[len] = 0;
    return text;
}

/* The message of an event; `room` is for one that has to be converted. */
static const char *message_of(const nvtxEventAttributes_t *event, char room[MOST_NAME])
{
    if (!event || !event->message.ascii)
        return "";
    if (event->messageType == NVTX_MESSAGE_TYPE_ASCII)
        return event->message.ascii;
    if (event->messageType == NVTX_MESSAGE_TYPE_UNICODE)
        return narrow(event->message.unicode, room);
    if (event->messageType == NVTX_MESSAGE_TYPE_REGISTERED)
        return ((const struct nvtxStringRegistration_st *)event->message.registered)->text;
    return "";
}

/* ---- what the program calls; all between enter and leave, so that a handler of a signal finds nothing half done ---- */

/* The thread's stack, made when it has none; under `lock`. */
static struct stack *own_stack(void)
{
    if (!stack) {
        stack = spare_stacks ? spare_stacks : keep(sizeof *stack);
        if (spare_stacks)
            spare_stacks = spare_stacks->next;
    }
    return stack;
}

static int push_inside(nvtxDomainHandle_t domain, const char *name)
{
    if (!hold())
        return 0;
    struct stack *own = own_stack();
    if (!own || own->depth == MOST_DEPTH) {
        let_go();
        return own ? (int)(own->depth + ++own->beyond) : 0;
    }
    int32_t node = node_of(own->depth ? own->entries[own->depth - 1].node : RL_STREAM_NO_RANGE, domain, name);
    enter_node(node);
    own->entries[own->depth] = (struct entry){node, domain, now_ns()};
    const int depth = (int)own->depth++;
    let_go();
    select_range_entered(domain ? domain->name : NULL, name);
    return depth;
}

static int push(nvtxDomainHandle_t domain, const char *name)
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
    const struct entry entry = own->entries[at];
    memmove(&own->entries[at], &own->entries[at + 1], (own->depth - at - 1) * sizeof entry);
    if (--own->depth == 0) {
        own->next = spare_stacks;
        spare_stacks = own;
        stack = NULL;
    }
    return entry;
}

static int pop_inside(nvtxDomainHandle_t domain)
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
    leave_node(entry.node, entry.since_ns);
    struct path_step step = range_step(entry.node);
    let_go();
    select_range_left(step.domain, step.name);
    return (int)at - 1;
}

static int pop(nvtxDomainHandle_t domain)
{
    if (!enter())
        return 0;
    const int depth = pop_inside(domain);
    leave();
    return depth;
}

static nvtxRangeId_t start_inside(nvtxDomainHandle_t domain, const char *name)
{
    if (!hold())
        return 0;
    int32_t node = node_of(RL_STREAM_NO_RANGE, domain, name);
    nvtxRangeId_t id = ++tree.last_id;
    enter_node(node);
    for (size_t i = 0; i < MOST_STARTED; i++)
        if (!tree.started[i].id) {
            tree.started[i] = (struct started){id, node, now_ns()};
            atomic_fetch_add(&started_count, 1);
            break;
        }
    let_go();
    select_range_entered(domain ? domain->name : NULL, name);
    return id;
}

static nvtxRangeId_t start(nvtxDomainHandle_t domain, const char *name)
{
    if (!enter())
        return 0;
    atomic_store(&used, true);
    const nvtxRangeId_t id = start_inside(domain, name);
    leave();
    return id;
}

static void end_inside(nvtxRangeId_t id)
{
    struct path_step step = {NULL, NULL};
    if (!id || !hold())
        return;
    for (size_t i = 0; i < MOST_STARTED; i++)
        if (tree.started[i].id == id) {
            leave_node(tree.started[i].node, tree.started[i].since_ns);
            step = range_step(tree.started[i].node);
            tree.started[i].id = 0;
            atomic_fetch_sub(&started_count, 1);
            break;
        }
    let_go();
    if (step.name)
        select_range_left(step.domain, step.name);
}

static void end(nvtxRangeId_t id)
{
    if (!enter())
        return;
    end_inside(id);
    leave();
}

static int NVTX_API on_push_a(const char *message)
{
    return push(NULL, message);
}

static int NVTX_API on_push_w(const wchar_t *message)
{
    char room[MOST_NAME];
    return push(NULL, narrow(message, room));
}

static int NVTX_API on_domain_push(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *event)
{
    char room[MOST_NAME];
    return push(domain, message_of(event, room));
}

static int NVTX_API on_push_ex(const nvtxEventAttributes_t *event)
{
    return on_domain_push(NULL, event);
}

static int NVTX_API on_pop(void)
{
    return pop(NULL);
}

static nvtxRangeId_t NVTX_API on_domain_start(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *event)
{
    char room[MOST_NAME];
    return start(domain, message_of(event, room));
}

static nvtxRangeId_t NVTX_API on_start_ex(const nvtxEventAttributes_t *event)
{
    return on_domain_start(NULL, event);
}

static nvtxRangeId_t NVTX_API on_start_a(const char *message)
{
    return start(NULL, message ? message : "");
}

static nvtxRangeId_t NVTX_API on_start_w(const wchar_t *message)
{
    char room[MOST_NAME];
    return start(NULL, narrow(message, room));
}

static void NVTX_API on_domain_end(nvtxDomainHandle_t domain, nvtxRangeId_t id)
{
    (void)domain;
    end(id);
}

/* Domains and strings live as long as the process: a program has few, and nodes refer to them. NULL, which is the default domain,
 * when there is no memory. */
static void *keep_named(const char *name)
{
    struct nvtxDomainRegistration_st *named = NULL;
    if (!enter())
        return NULL;
    if (hold()) {
        named = keep(sizeof *named);
        if (named && !(named->name = keep_text(name ? name : "")))
            named = NULL;
        let_go();
    }
    leave();
    return named;
}
_Static_assert(sizeof(struct nvtxDomainRegistration_st) == sizeof(struct nvtxStringRegistration_st), "both are made by keep_named");

static nvtxDomainHandle_t NVTX_API on_domain_create_a(const char *name)
{
    return keep_named(name);
}

static nvtxDomainHandle_t NVTX_API on_domain_create_w(const wchar_t *name)
{
    char room[MOST_NAME];
    return keep_named(narrow(name, room));
}

static nvtxStringHandle_t NVTX_API on_register_a(nvtxDomainHandle_t domain, const char *text)
{
    (void)domain;
    return keep_named(text);
}

static nvtxStringHandle_t NVTX_API on_register_w(nvtxDomainHandle_t domain, const wchar_t *text)
{
    char room[MOST_NAME];
    (void)domain;
    return keep_named(narrow(text, room));
}

static const struct {
    NvtxCallbackModule module;
    unsigned id;
    NvtxFunctionPointer function;
} functions[] = {
    {NVTX_CB_MODULE_CORE, NVTX_CBID_CORE_RangePushA, (NvtxFunctionPointer)on_push_a},
    {NVTX_CB_MODULE_CORE, NVTX_CBID_CORE_RangePushW, (NvtxFunctionPointer)on_push_w},
    {NVTX_CB_MODULE_CORE, NVTX_CBID_CORE_RangePushEx, (NvtxFunctionPointer)on_push_ex},
    {NVTX_CB_MODULE_CORE, NVTX_CBID_CORE_RangePop, (NvtxFunctionPointer)on_pop},
    {NVTX_CB_MODULE_CORE, NVTX_CBID_CORE_RangeStartA, (NvtxFunctionPointer)on_start_a},
    {NVTX_CB_MODULE_CORE, NVTX_CBID_CORE_RangeStartW, (NvtxFunctionPointer)on_start_w},
    {NVTX_CB_MODULE_CORE, NVTX_CBID_CORE_RangeStartEx, (NvtxFunctionPointer)on_start_ex},
    {NVTX_CB_MODULE_CORE, NVTX_CBID_CORE_RangeEnd, (NvtxFunctionPointer)end},
    {NVTX_CB_MODULE_CORE2, NVTX_CBID_CORE2_DomainCreateA, (NvtxFunctionPointer)on_domain_create_a},
    {NVTX_CB_MODULE_CORE2, NVTX_CBID_CORE2_DomainCreateW, (NvtxFunctionPointer)on_domain_create_w},
    {NVTX_CB_MODULE_CORE2, NVTX_CBID_CORE2_DomainRegisterStringA, (NvtxFunctionPointer)on_register_a},
    {NVTX_CB_MODULE_CORE2, NVTX_CBID_CORE2_DomainRegisterStringW, (NvtxFunctionPointer)on_register_w},
    {NVTX_CB_MODULE_CORE2, NVTX_CBID_CORE2_DomainRangePushEx, (NvtxFunctionPointer)on_domain_push},
    {NVTX_CB_MODULE_CORE2, NVTX_CBID_CORE2_DomainRangePop, (NvtxFunctionPointer)pop},
    {NVTX_CB_MODULE_CORE2, NVTX_CBID_CORE2_DomainRangeStartEx, (NvtxFunctionPointer)on_domain_start},
    {NVTX_CB_MODULE_CORE2, NVTX_CBID_CORE2_DomainRangeEnd, (NvtxFunctionPointer)on_domain_end},
};

bool ranges_attach(const void *(*export_table)(uint32_t id))
{
    const NvtxExportTableCallbacks *callbacks = export_table(NVTX_ETID_CALLBACKS);
    bool any = false;
    if (!callbacks || callbacks->struct_size < sizeof *callbacks || !callbacks->GetModuleFunctionTable)
        return false;
    for (size_t i = 0; i < RL_COUNT(functions); i++) {
        NvtxFunctionTable table = NULL;
        unsigned size = 0;
        if (!callbacks->GetModuleFunctionTable(functions[i].module, &table, &size) || !table || functions[i].id >= size)
            continue;
        if (table[functions[i].id]) {
            *table[functions[i].id] = functions[i].function;
            any = true;
        }
    }
    return any;
}

/* ---- ranges with payloads: libraries such as NCCL open a range as above, and close it with a payload ---- */

/* nvtxExtModuleInfo_t and what it points to (nvtx3/nvtxDetail/nvtxExtTypes.h, not to be included by itself): their layout is part
 * of NVTX's interface for tools. */
struct segment {
    size_t id, slot_count;
    intptr_t *slots;
};
struct nvtx_extension {
    uint16_t nvtx_version, size, module, compatible;
    size_t segment_count;
    struct segment *segments;
};
enum { PAYLOAD_MODULE = 2, PUSH_PAYLOAD = 3, POP_PAYLOAD, START_PAYLOAD, END_PAYLOAD }; /* NVTX3EXT_CBID_* */

/* The message would be somewhere in the payload. */
static int NVTX_API on_push_payload(nvtxDomainHandle_t domain, const void *payload, size_t count)
{
    (void)payload, (void)count;
    return push(domain, "");
}

static int NVTX_API on_pop_payload(nvtxDomainHandle_t domain, const void *payload, size_t count)
{
    (void)payload, (void)count;
    return pop(domain);
}

static nvtxRangeId_t NVTX_API on_start_payload(nvtxDomainHandle_t domain, const void *payload, size_t count)
{
    (void)payload, (void)count;
    return start(domain, "");
}

static void NVTX_API on_end_payload(nvtxDomainHandle_t domain, nvtxRangeId_t id, const void *payload, size_t count)
{
    (void)domain, (void)payload, (void)count;
    end(id);
}

bool ranges_extend(struct nvtx_extension *extension)
{
    if (extension->module != PAYLOAD_MODULE || extension->segment_count == 0 || extension->segments[0].slot_count <= END_PAYLOAD)
        return false;
    intptr_t *slots = extension->segments[0].slots;
    slots[PUSH_PAYLOAD] = (intptr_t)on_push_payload;
    slots[POP_PAYLOAD] = (intptr_t)on_pop_payload;
    slots[START_PAYLOAD] = (intptr_t)on_start_payload;
    slots[END_PAYLOAD] = (intptr_t)on_end_payload;
    return true;
}
