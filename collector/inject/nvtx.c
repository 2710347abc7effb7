/* nvtx.c - NVTX: the functions that the program calls. NVTX passes its function table, and we fill it in; CUPTI is not needed for
 * that. */
#include <nvtx3/nvToolsExt.h>

#include "ranges.h"

/* A registered string. */
struct nvtxStringRegistration_st {
    const char *text;
};
_Static_assert(sizeof(nvtxRangeId_t) == sizeof(uint64_t), "ids of ranges.c are NVTX's");

enum { MOST_NAME = 2048 }; /* bytes of a name; longer ones are truncated */

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
    assume(len < MOST_NAME);
    text[len] = 0;
    return text;
}

/* The message of an event; `room` holds one that has to be converted. */
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

static int NVTX_API on_push_a(const char *message)
{
    return range_push(NULL, message);
}

static int NVTX_API on_push_w(const wchar_t *message)
{
    char room[MOST_NAME];
    return range_push(NULL, narrow(message, room));
}

static int NVTX_API on_domain_push(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *event)
{
    char room[MOST_NAME];
    return range_push(domain, message_of(event, room));
}

static int NVTX_API on_push_ex(const nvtxEventAttributes_t *event)
{
    return on_domain_push(NULL, event);
}

static int NVTX_API on_pop(void)
{
    return range_pop(NULL);
}

static nvtxRangeId_t NVTX_API on_domain_start(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *event)
{
    char room[MOST_NAME];
    return range_start(domain, message_of(event, room));
}

static nvtxRangeId_t NVTX_API on_start_ex(const nvtxEventAttributes_t *event)
{
    return on_domain_start(NULL, event);
}

static nvtxRangeId_t NVTX_API on_start_a(const char *message)
{
    return range_start(NULL, message ? message : "");
}

static nvtxRangeId_t NVTX_API on_start_w(const wchar_t *message)
{
    char room[MOST_NAME];
    return range_start(NULL, narrow(message, room));
}

static void NVTX_API on_domain_end(nvtxDomainHandle_t domain, nvtxRangeId_t id)
{
    (void)domain;
    range_end(id);
}

/* Domains and strings are never freed: a program has few, and nodes refer to them. NULL, the default domain, if memory is
 * exhausted. */
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
    {NVTX_CB_MODULE_CORE, NVTX_CBID_CORE_RangeEnd, (NvtxFunctionPointer)range_end},
    {NVTX_CB_MODULE_CORE2, NVTX_CBID_CORE2_DomainCreateA, (NvtxFunctionPointer)on_domain_create_a},
    {NVTX_CB_MODULE_CORE2, NVTX_CBID_CORE2_DomainCreateW, (NvtxFunctionPointer)on_domain_create_w},
    {NVTX_CB_MODULE_CORE2, NVTX_CBID_CORE2_DomainRegisterStringA, (NvtxFunctionPointer)on_register_a},
    {NVTX_CB_MODULE_CORE2, NVTX_CBID_CORE2_DomainRegisterStringW, (NvtxFunctionPointer)on_register_w},
    {NVTX_CB_MODULE_CORE2, NVTX_CBID_CORE2_DomainRangePushEx, (NvtxFunctionPointer)on_domain_push},
    {NVTX_CB_MODULE_CORE2, NVTX_CBID_CORE2_DomainRangePop, (NvtxFunctionPointer)range_pop},
    {NVTX_CB_MODULE_CORE2, NVTX_CBID_CORE2_DomainRangeStartEx, (NvtxFunctionPointer)on_domain_start},
    {NVTX_CB_MODULE_CORE2, NVTX_CBID_CORE2_DomainRangeEnd, (NvtxFunctionPointer)on_domain_end},
};

bool nvtx_attach(const void *(*export_table)(uint32_t id))
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

/* The message would be in the payload. */
static int NVTX_API on_push_payload(nvtxDomainHandle_t domain, const void *payload, size_t count)
{
    (void)payload, (void)count;
    return range_push(domain, "");
}

static int NVTX_API on_pop_payload(nvtxDomainHandle_t domain, const void *payload, size_t count)
{
    (void)payload, (void)count;
    return range_pop(domain);
}

static nvtxRangeId_t NVTX_API on_start_payload(nvtxDomainHandle_t domain, const void *payload, size_t count)
{
    (void)payload, (void)count;
    return range_start(domain, "");
}

static void NVTX_API on_end_payload(nvtxDomainHandle_t domain, nvtxRangeId_t id, const void *payload, size_t count)
{
    (void)domain, (void)payload, (void)count;
    range_end(id);
}

bool nvtx_extend(struct nvtx_extension *extension)
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
