/* ranges.c - NVTX. NVTX hands over its table of functions, we put ours in: no CUPTI is needed for it. Each thread has a stack of
 * open ranges; their names form one tree for the process, whose nodes are what the times of kernels are added to. */
#include <nvtx3/nvToolsExt.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "inject.h"

enum { SLOTS = 2 * MOST_RANGES, MOST_STARTED = 256 };

struct node {
    int32_t parent;
    struct nvtxDomainRegistration_st *domain;
    const char *name;
    uint64_t instances, host_ns, launches, gpu_ns;
    bool told, changed;
};
/* What a domain handle points to. */
struct nvtxDomainRegistration_st {
    char *name;
};
/* And a registered string. */
struct nvtxStringRegistration_st {
    char *text;
};

static struct {
    struct node *nodes;
    size_t count, cap;
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

static __thread struct {
    struct entry {
        int32_t node; /* RL_STREAM_NO_RANGE: the tree is full */
        struct nvtxDomainRegistration_st *domain;
        uint64_t since_ns;
    } entries[MOST_DEPTH];
    size_t depth, beyond; /* ranges deeper than MOST_DEPTH are only counted, so that they can be left */
} stack;

/* ---- the tree; under `lock` ---- */

static void tell_node(int32_t index)
{
    const struct node *node = &tree.nodes[index];
    struct rl_record_range record = {.range = index, .parent = node->parent, .has_domain = node->domain != NULL};
    const char *texts[] = {node->domain ? node->domain->name : "", node->name};
    out_add(RL_RECORD_range, &record, sizeof record, texts, RL_COUNT(texts));
}

static int32_t node_of(int32_t parent, struct nvtxDomainRegistration_st *domain, const char *name)
{
    if (!tree.slots)
        tree.slots = rl_calloc(SLOTS, sizeof *tree.slots);
    uint64_t hash = UINT64_C(14695981039346656037) ^ (uint32_t)parent ^ (uintptr_t)domain;
    for (const char *c = name; *c; c++)
        hash = (hash ^ (unsigned char)*c) * UINT64_C(1099511628211);
    size_t at = hash % SLOTS;
    for (; tree.slots[at]; at = (at + 1) % SLOTS) {
        const struct node *node = &tree.nodes[tree.slots[at] - 1];
        if (node->parent == parent && node->domain == domain && strcmp(node->name, name) == 0)
            return tree.slots[at] - 1;
    }
    if (tree.count >= MOST_RANGES)
        return parent; /* names without end: what happens in them is the parent's */
    RL_GROW(tree.nodes, tree.count + 1, tree.cap);
    tree.nodes[tree.count] = (struct node){.parent = parent, .domain = domain, .name = rl_strdup(name)};
    tree.slots[at] = (int32_t)++tree.count;
    return (int32_t)tree.count - 1;
}

static void enter_node(int32_t node)
{
    if (node != RL_STREAM_NO_RANGE) {
        tree.nodes[node].instances++;
        tree.nodes[node].changed = true;
    }
}

static void leave_node(int32_t node, uint64_t since_ns)
{
    if (node != RL_STREAM_NO_RANGE) {
        tree.nodes[node].host_ns += now_ns() - since_ns;
        tree.nodes[node].changed = true;
    }
}

struct path_step range_step(int32_t range)
{
    if (range < 0 || (size_t)range >= tree.count)
        return (struct path_step){NULL, ""};
    const struct node *node = &tree.nodes[range];
    return (struct path_step){node->domain ? node->domain->name : NULL, node->name};
}

void range_time(int32_t range, uint64_t duration_ns)
{
    if (range < 0 || (size_t)range >= tree.count)
        return;
    tree.nodes[range].launches++;
    tree.nodes[range].gpu_ns += duration_ns;
    tree.nodes[range].changed = true;
}

void ranges_flush(void)
{
    for (size_t i = 0; i < tree.count; i++) {
        struct node *node = &tree.nodes[i];
        if (!node->told) /* only now: a process that never uses CUDA has no stream */
            tell_node((int32_t)i);
        node->told = true;
        if (!node->changed)
            continue;
        struct rl_record_range_totals record = {.range = (int32_t)i,
                                                .instances = node->instances,
                                                .host_ns = node->host_ns,
                                                .launches = node->launches,
                                                .gpu_ns = node->gpu_ns};
        out_add(RL_RECORD_range_totals, &record, sizeof record, NULL, 0);
        node->changed = false;
    }
}

bool ranges_used(void)
{
    return atomic_load(&used);
}

void ranges_place(struct place *place)
{
    place->depth = 0;
    for (size_t i = 0; i < stack.depth; i++)
        if (stack.entries[i].node != RL_STREAM_NO_RANGE)
            place->nodes[place->depth++] = stack.entries[i].node;
    if (place->depth || !atomic_load(&started_count))
        return;
    /* A thread without ranges of its own, such as PyTorch's for the backward pass, works for the range that was started last. */
    nvtxRangeId_t latest = 0;
    int32_t node = RL_STREAM_NO_RANGE;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < MOST_STARTED; i++)
        if (tree.started[i].id > latest) {
            latest = tree.started[i].id;
            node = tree.started[i].node;
        }
    pthread_mutex_unlock(&lock);
    if (node != RL_STREAM_NO_RANGE)
        place->nodes[place->depth++] = node;
}

/* ---- texts ---- */

/* UTF-8 of a wide string (UTF-32 here); to be freed. */
static char *narrow(const wchar_t *wide)
{
    size_t len = 0, count = 0;
    while (wide[count])
        count++;
    char *text = rl_calloc(4 * count + 1, 1);
    for (size_t i = 0; i < count; i++) {
        uint32_t c = (uint32_t)wide[i];
        if (c < 0x80) {
            text[len++] = (char)c;
        } else if (c < 0x800) {
            text[len++] = (char)(0xC0 | c >> 6);
            text[len++] = (char)(0x80 | (c & 0x3F));
        } else if (c < 0x10000) {
            text[len++] = (char)(0xE0 | c >> 12);
            text[len++] = (char)(0x80 | (c >> 6 & 0x3F));
            text[len++] = (char)(0x80 | (c & 0x3F));
        } else {
            text[len++] = (char)(0xF0 | (c >> 18 & 7));
            text[len++] = (char)(0x80 | (c >> 12 & 0x3F));
            text[len++] = (char)(0x80 | (c >> 6 & 0x3F));
            text[len++] = (char)(0x80 | (c & 0x3F));
        }
    }
    return text;
}

/* The message of an event; `*owned` is to be freed. */
static const char *message_of(const nvtxEventAttributes_t *event, char **owned)
{
    *owned = NULL;
    if (!event || !event->message.ascii)
        return "";
    if (event->messageType == NVTX_MESSAGE_TYPE_ASCII)
        return event->message.ascii;
    if (event->messageType == NVTX_MESSAGE_TYPE_UNICODE)
        return *owned = narrow(event->message.unicode);
    if (event->messageType == NVTX_MESSAGE_TYPE_REGISTERED)
        return ((const struct nvtxStringRegistration_st *)event->message.registered)->text;
    return "";
}

/* ---- what the program calls ---- */

static int push(nvtxDomainHandle_t domain, const char *name)
{
    if (!atomic_load(&alive))
        return (int)stack.depth;
    atomic_store(&used, true);
    if (stack.depth == MOST_DEPTH) {
        stack.beyond++;
        return (int)(stack.depth + stack.beyond);
    }
    int32_t parent = stack.depth ? stack.entries[stack.depth - 1].node : RL_STREAM_NO_RANGE;
    pthread_mutex_lock(&lock);
    int32_t node = node_of(parent, domain, name ? name : "");
    enter_node(node);
    pthread_mutex_unlock(&lock);
    select_range_entered(domain ? domain->name : NULL, name ? name : "");
    stack.entries[stack.depth] = (struct entry){node, domain, now_ns()};
    return (int)stack.depth++;
}

/* Leaves the innermost range of the domain; ranges of other domains above it stay open. */
static int pop(nvtxDomainHandle_t domain)
{
    if (stack.beyond) {
        stack.beyond--;
        return (int)(stack.depth + stack.beyond);
    }
    size_t at = stack.depth;
    while (at > 0 && stack.entries[at - 1].domain != domain)
        at--;
    if (at == 0)
        return -2; /* NVTX_NO_PUSH_POP_TRACKING's neighbour: nothing to leave */
    struct entry entry = stack.entries[--at];
    memmove(&stack.entries[at], &stack.entries[at + 1], (stack.depth - at - 1) * sizeof entry);
    stack.depth--;
    if (!atomic_load(&alive))
        return (int)at;
    pthread_mutex_lock(&lock);
    leave_node(entry.node, entry.since_ns);
    struct path_step step = range_step(entry.node);
    pthread_mutex_unlock(&lock);
    select_range_left(step.domain, step.name);
    return (int)at;
}

static nvtxRangeId_t start(nvtxDomainHandle_t domain, const char *name)
{
    if (!atomic_load(&alive))
        return 0;
    atomic_store(&used, true);
    pthread_mutex_lock(&lock);
    int32_t node = node_of(RL_STREAM_NO_RANGE, domain, name);
    nvtxRangeId_t id = ++tree.last_id;
    enter_node(node);
    for (size_t i = 0; i < MOST_STARTED; i++)
        if (!tree.started[i].id) {
            tree.started[i] = (struct started){id, node, now_ns()};
            atomic_fetch_add(&started_count, 1);
            break;
        }
    pthread_mutex_unlock(&lock);
    select_range_entered(domain ? domain->name : NULL, name);
    return id;
}

static void end(nvtxRangeId_t id)
{
    struct path_step step = {NULL, NULL};
    if (!id || !atomic_load(&alive))
        return;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < MOST_STARTED; i++)
        if (tree.started[i].id == id) {
            leave_node(tree.started[i].node, tree.started[i].since_ns);
            step = range_step(tree.started[i].node);
            tree.started[i].id = 0;
            atomic_fetch_sub(&started_count, 1);
            break;
        }
    pthread_mutex_unlock(&lock);
    if (step.name)
        select_range_left(step.domain, step.name);
}

static int NVTX_API on_push_a(const char *message)
{
    return push(NULL, message);
}

static int NVTX_API on_push_w(const wchar_t *message)
{
    char *name = message ? narrow(message) : NULL;
    int depth = push(NULL, name);
    free(name);
    return depth;
}

static int NVTX_API on_domain_push(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *event)
{
    char *owned;
    int depth = push(domain, message_of(event, &owned));
    free(owned);
    return depth;
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
    char *owned;
    nvtxRangeId_t id = start(domain, message_of(event, &owned));
    free(owned);
    return id;
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
    char *name = narrow(message ? message : L"");
    nvtxRangeId_t id = start(NULL, name);
    free(name);
    return id;
}

static void NVTX_API on_domain_end(nvtxDomainHandle_t domain, nvtxRangeId_t id)
{
    (void)domain;
    end(id);
}

/* Domains and strings live as long as the process: a program has few, and nodes refer to them. */
static nvtxDomainHandle_t NVTX_API on_domain_create_a(const char *name)
{
    struct nvtxDomainRegistration_st *domain = rl_calloc(1, sizeof *domain);
    domain->name = rl_strdup(name ? name : "");
    return domain;
}

static nvtxDomainHandle_t NVTX_API on_domain_create_w(const wchar_t *name)
{
    struct nvtxDomainRegistration_st *domain = rl_calloc(1, sizeof *domain);
    domain->name = narrow(name ? name : L"");
    return domain;
}

static nvtxStringHandle_t NVTX_API on_register_a(nvtxDomainHandle_t domain, const char *text)
{
    (void)domain;
    struct nvtxStringRegistration_st *string = rl_calloc(1, sizeof *string);
    string->text = rl_strdup(text ? text : "");
    return string;
}

static nvtxStringHandle_t NVTX_API on_register_w(nvtxDomainHandle_t domain, const wchar_t *text)
{
    (void)domain;
    struct nvtxStringRegistration_st *string = rl_calloc(1, sizeof *string);
    string->text = narrow(text ? text : L"");
    return string;
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
