/* several.c - CUPTI from 13.3 on, with a driver of r610 or newer, supports several subscribers, each with its records and buffers
 * (guest.h). All must use the second version of the functions: the injected library, which began with the first, ends and
 * subscribes again next to the program. rl_cupti then has the functions for this subscriber. Written from CUPTI's manual and tested
 * with a stand-in, untested on a GPU. */
#include "guest.h"
#include "times.h"

enum { FIRST_VERSION = 130300 };

/* CUpti_SubscriberParams of 13.3; that of 13.0 ends before the last member. */
struct subscriber_params {
    size_t size;
    const char *name;
    char *old_name;
    size_t old_name_size;
    uint8_t several;
};

static CUpti_SubscriberHandle own;
static CUpti_BuffersCallbackRequestFunc requested;
static CUpti_BuffersCallbackCompleteFunc completed;

static bool is_there(void)
{
    uint32_t version = 0;
    return rl_cupti.cuptiGetVersion(&version) == CUPTI_SUCCESS && version >= FIRST_VERSION && others.cuptiSubscribe_v2 &&
           others.cuptiFinalize && others.cuptiActivityRegisterCallbacks_v2 && others.cuptiActivityEnable_v2 &&
           others.cuptiActivityDisable_v2 && others.cuptiActivityGetNextRecord_v2 && others.cuptiGetTimestamp_v2;
}

bool several_may_be_used(const void *parameters)
{
    return parameters && is_there();
}

static CUptiResult CUPTIAPI subscribe(CUpti_SubscriberHandle *handle, CUpti_CallbackFunc callback, void *data)
{
    struct subscriber_params params = {.size = sizeof params, .name = "rooflight", .several = 1};
    const CUptiResult result = others.cuptiSubscribe_v2(handle, callback, data, &params);
    own = result == CUPTI_SUCCESS ? *handle : NULL;
    return result;
}

static void on_requested(uint8_t **buffer, size_t *size, size_t *most, void *info)
{
    (void)info;
    requested(buffer, size, most);
}

static void on_completed(uint8_t *buffer, size_t size, size_t valid, void *info)
{
    (void)info;
    completed(NULL, 0, buffer, size, valid);
}

static CUptiResult CUPTIAPI register_callbacks(CUpti_BuffersCallbackRequestFunc request, CUpti_BuffersCallbackCompleteFunc complete)
{
    requested = request;
    completed = complete;
    return others.cuptiActivityRegisterCallbacks_v2(own, on_requested, on_completed);
}

static CUptiResult CUPTIAPI enable(CUpti_ActivityKind kind)
{
    return others.cuptiActivityEnable_v2(own, kind, NULL);
}

static CUptiResult CUPTIAPI disable(CUpti_ActivityKind kind)
{
    return others.cuptiActivityDisable_v2(own, kind, NULL);
}

static CUptiResult CUPTIAPI next_record(uint8_t *buffer, size_t valid, CUpti_Activity **record)
{
    return others.cuptiActivityGetNextRecord_v2(own, buffer, valid, record);
}

static CUptiResult CUPTIAPI timestamp(uint64_t *ns)
{
    return others.cuptiGetTimestamp_v2(own, ns);
}

/* Functions of the first version that have no like, or one whose parameters are not published. */
static CUptiResult CUPTIAPI dropped(CUcontext context, uint32_t stream, size_t *count)
{
    (void)context, (void)stream;
    *count = 0;
    return CUPTI_SUCCESS;
}

static CUptiResult CUPTIAPI flush_period(uint32_t ms)
{
    (void)ms;
    return CUPTI_SUCCESS;
}

static CUptiResult CUPTIAPI set_attribute(CUpti_ActivityAttribute attribute, size_t *size, void *value)
{
    (void)attribute, (void)size, (void)value;
    return CUPTI_SUCCESS;
}

bool several_join(const void *parameters)
{
    const struct subscriber_params *params = parameters;
    struct rl_err err = RL_ERR_INIT;
    if (!params || params->size < sizeof *params || !params->several)
        return false;
    rl_cupti.cuptiSubscribe = subscribe;
    rl_cupti.cuptiActivityRegisterCallbacks = register_callbacks;
    rl_cupti.cuptiActivityEnable = enable;
    rl_cupti.cuptiActivityDisable = disable;
    rl_cupti.cuptiActivityGetNextRecord = next_record;
    rl_cupti.cuptiActivityGetNumDroppedRecords = dropped;
    rl_cupti.cuptiActivityFlushPeriod = flush_period;
    rl_cupti.cuptiActivitySetAttribute = set_attribute;
    rl_cupti.cuptiGetTimestamp = timestamp;
    if (!callbacks_join())
        return false;
    if (records_open_again(&err) != RL_OK) {
        callbacks_close();
        return false;
    }
    times_overlap();
    times_return();
    return true;
}
