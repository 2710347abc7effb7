/* shims.c - redirected CUPTI calls of the program (guest.h). CUPTI functions not listed here are unchanged for both sides. */
#include "collector/collector.h"
#include "counting.h"
#include "guest.h"
#include "times.h"

/* Calls passed to CUPTI unchanged: its own, ours, and those of a program that CUPTI is left to. */
#define IS_OWN (intercept_is_own(__builtin_return_address(0)) || is_yielded())
#define LEFT   (IS_OWN || atomic_load(&left))

static atomic_bool left; /* activity records are the program's */

void shims_leave_activities(void)
{
    atomic_store(&left, true);
}

static atomic_bool handed_over; /* CUPTI is the program's, or each has a subscriber */

/* Makes CUPTI look unused to the program. */
static void yield_cupti(void)
{
    aside_for_good("--cupti yield: the program uses CUPTI itself, and from here on nothing of it is counted or timed");
    ring_mark(RL_RING_LEFT);
    if (others.cuptiFinalize)
        (void)others.cuptiFinalize();
}

/* If the settings say so, the program's first call ends our use of CUPTI, and all of it is the program's. */
static bool is_yielded(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (atomic_load(&handed_over))
        return true;
    if (settings.cupti != RL_CUPTI_YIELD)
        return false;
    pthread_once(&once, yield_cupti);
    return true;
}

/* ---- activities: kinds ---- */

static uint32_t number_of(CUcontext context)
{
    uint32_t number = 0;
    return others.cuptiGetContextId && others.cuptiGetContextId(context, &number) == CUPTI_SUCCESS ? number : 0;
}

/* Noted before the call: launches made once CUPTI records belong to the program. */
static void begin_kind(CUpti_ActivityKind kind, uint32_t context)
{
    aside_begin(ASIDE_RECORDS);
    guest_record(kind, context, true);
    if (kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) {
        const bool entered = enter();
        counts_overlap();
        if (entered)
            leave();
    }
    times_follow_guest();
}

static void end_kind(CUpti_ActivityKind kind, uint32_t context)
{
    guest_record(kind, context, false);
    times_follow_guest();
    aside_end(ASIDE_RECORDS, 1);
}

/* CUPTI records kernels in one mode at a time, and the program uses the other. */
static bool is_refused(CUpti_ActivityKind kind)
{
    return (kind == CUPTI_ACTIVITY_KIND_KERNEL && guest_records(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)) ||
           (kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL && guest_records(CUPTI_ACTIVITY_KIND_KERNEL));
}

static CUptiResult enable(CUpti_ActivityKind kind)
{
    if (LEFT)
        return rl_cupti.cuptiActivityEnable(kind);
    const bool noted = !guest_records(kind) && !is_refused(kind);
    if (noted)
        begin_kind(kind, 0);
    const CUptiResult result = records_enable_for_guest(kind);
    if (noted && result != CUPTI_SUCCESS)
        end_kind(kind, 0);
    return result;
}

static CUptiResult disable(CUpti_ActivityKind kind)
{
    if (LEFT)
        return rl_cupti.cuptiActivityDisable(kind);
    const CUptiResult result = records_disable_for_guest(kind);
    if (result == CUPTI_SUCCESS && guest_records(kind))
        end_kind(kind, 0);
    return result;
}

static CUptiResult enable_context(CUcontext context, CUpti_ActivityKind kind)
{
    if (LEFT)
        return others.cuptiActivityEnableContext(context, kind);
    const uint32_t number = number_of(context);
    begin_kind(kind, number);
    const CUptiResult result = others.cuptiActivityEnableContext(context, kind);
    if (result != CUPTI_SUCCESS)
        end_kind(kind, number);
    return result;
}

static CUptiResult disable_context(CUcontext context, CUpti_ActivityKind kind)
{
    const bool is_left = LEFT;
    const CUptiResult result = others.cuptiActivityDisableContext(context, kind);
    if (!is_left && result == CUPTI_SUCCESS && guest_records(kind))
        end_kind(kind, number_of(context));
    return result;
}

/* ---- activities: buffers ---- */

static CUptiResult register_callbacks(CUpti_BuffersCallbackRequestFunc requested, CUpti_BuffersCallbackCompleteFunc completed)
{
    struct rl_err err = RL_ERR_INIT;
    if (LEFT || !requested || !completed)
        return rl_cupti.cuptiActivityRegisterCallbacks(requested, completed);
    if (records_open(NULL, &err) != RL_OK)
        return rl_cupti.cuptiActivityRegisterCallbacks(requested, completed);
    guest_register(requested, completed);
    return CUPTI_SUCCESS;
}

static CUptiResult flush_all(uint32_t flag)
{
    if (LEFT)
        return rl_cupti.cuptiActivityFlushAll(flag);
    const CUptiResult result = rl_cupti.cuptiActivityFlushAll(flag);
    guest_hand_over();
    return result;
}

static CUptiResult flush(CUcontext context, uint32_t stream, uint32_t flag)
{
    if (LEFT)
        return others.cuptiActivityFlush(context, stream, flag);
    const CUptiResult result = others.cuptiActivityFlush(context, stream, flag);
    guest_hand_over();
    return result;
}

/* CUPTI flushes with the shorter of the two periods. */
static CUptiResult flush_period(uint32_t ms)
{
    if (LEFT)
        return rl_cupti.cuptiActivityFlushPeriod(ms);
    const uint32_t own_ms = settings.times && !guest_has_counters() ? TIMES_FLUSH_MS : ms;
    const CUptiResult result = rl_cupti.cuptiActivityFlushPeriod(ms && ms < own_ms ? ms : own_ms);
    if (result == CUPTI_SUCCESS)
        guest_flush_period(ms);
    return result;
}

static CUptiResult dropped(CUcontext context, uint32_t stream, size_t *count)
{
    if (LEFT || !count)
        return rl_cupti.cuptiActivityGetNumDroppedRecords(context, stream, count);
    *count = guest_dropped();
    return CUPTI_SUCCESS;
}

/* ---- activities: attributes ---- */

/* Attributes of the program's buffers, which CUPTI never receives: reads return what the program set, without other effect. */
static struct {
    CUpti_ActivityAttribute attribute;
    uint8_t value;
} of_buffers[] = {{CUPTI_ACTIVITY_ATTR_PER_THREAD_ACTIVITY_BUFFER, 1}, {CUPTI_ACTIVITY_ATTR_ZEROED_OUT_ACTIVITY_BUFFER, 0}};

static uint8_t *value_of(CUpti_ActivityAttribute attribute)
{
    for (size_t i = 0; i < RL_COUNT(of_buffers); i++)
        if (of_buffers[i].attribute == attribute)
            return &of_buffers[i].value;
    return NULL;
}

static CUptiResult set_attribute(CUpti_ActivityAttribute attribute, size_t *size, void *value)
{
    uint8_t *kept = value_of(attribute);
    if (LEFT || !kept || !size || !value || *size < 1)
        return rl_cupti.cuptiActivitySetAttribute(attribute, size, value);
    *kept = *(const uint8_t *)value;
    return CUPTI_SUCCESS;
}

static CUptiResult get_attribute(CUpti_ActivityAttribute attribute, size_t *size, void *value)
{
    const uint8_t *kept = LEFT ? NULL : value_of(attribute);
    const CUptiResult result = others.cuptiActivityGetAttribute(attribute, size, value);
    if (result == CUPTI_SUCCESS && kept)
        *(uint8_t *)value = *kept;
    return result;
}

static CUptiResult timestamp_callback(uint64_t (*clock)(void))
{
    const bool is_left = LEFT;
    if (!is_left && settings.times)
        (void)rl_cupti.cuptiActivityFlushAll(1); /* records with the previous clock */
    const CUptiResult result = others.cuptiActivityRegisterTimestampCallback(clock);
    if (!is_left && result == CUPTI_SUCCESS)
        guest_clock(clock);
    return result;
}

/* ---- callbacks ---- */

static CUptiResult subscribe(CUpti_SubscriberHandle *handle, CUpti_CallbackFunc callback, void *data)
{
    return IS_OWN || !callbacks_are_open() ? rl_cupti.cuptiSubscribe(handle, callback, data)
                                           : callbacks_subscribe(handle, callback, data);
}

static CUptiResult unsubscribe(CUpti_SubscriberHandle handle)
{
    return IS_OWN || !callbacks_are_open() ? rl_cupti.cuptiUnsubscribe(callbacks_native(handle)) : callbacks_unsubscribe(handle);
}

static CUptiResult enable_callback(uint32_t on, CUpti_SubscriberHandle handle, CUpti_CallbackDomain domain, CUpti_CallbackId id)
{
    return IS_OWN || !callbacks_are_open() ? rl_cupti.cuptiEnableCallback(on, callbacks_native(handle), domain, id)
                                           : callbacks_switch(on, handle, domain, id);
}

static CUptiResult enable_domain(uint32_t on, CUpti_SubscriberHandle handle, CUpti_CallbackDomain domain)
{
    return IS_OWN || !callbacks_are_open() ? others.cuptiEnableDomain(on, callbacks_native(handle), domain)
                                           : callbacks_switch_domain(on, handle, domain);
}

static CUptiResult enable_all_domains(uint32_t on, CUpti_SubscriberHandle handle)
{
    return IS_OWN || !callbacks_are_open() ? others.cuptiEnableAllDomains(on, callbacks_native(handle))
                                           : callbacks_switch_all(on, handle);
}

static CUptiResult callback_state(uint32_t *on, CUpti_SubscriberHandle handle, CUpti_CallbackDomain domain, CUpti_CallbackId id)
{
    return IS_OWN || !callbacks_are_open() ? others.cuptiGetCallbackState(on, callbacks_native(handle), domain, id)
                                           : callbacks_state(on, handle, domain, id);
}

/* ---- the end: CUPTI stays for us, and the program finds it as if it had begun anew ---- */

static CUptiResult finalize(void)
{
    static const CUpti_ActivityKind most = CUPTI_ACTIVITY_KIND_COUNT;
    if (IS_OWN)
        return others.cuptiFinalize();
    if (atomic_load(&left)) {
        const CUptiResult result = others.cuptiFinalize();
        callbacks_open_again();
        return result;
    }
    guest_hand_over();
    for (unsigned kind = 1; kind < (unsigned)most; kind++)
        if (guest_records((CUpti_ActivityKind)kind))
            (void)records_disable_for_guest((CUpti_ActivityKind)kind);
    const int ended = guest_record_nothing();
    times_follow_guest();
    callbacks_forget_guest();
    guest_register(NULL, NULL);
    guest_flush_period(0);
    aside_end(ASIDE_RECORDS, ended);
    return CUPTI_SUCCESS;
}

/* The counters' library stays open for us. */
static CUptiResult deinitialize(CUpti_Profiler_DeInitialize_Params *params)
{
    return IS_OWN ? rl_cupti.cuptiProfilerDeInitialize(params) : params ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_PARAMETER;
}

/* ---- PC sampling: CUPTI places no samples in code that was loaded while kernels were recorded one after another, or while
 * resources had callbacks, and only ending CUPTI helps (H200, CUDA 13.0). So the program gets a CUPTI that begins anew, where it
 * has nothing there that would be lost. ---- */

static bool records_nothing(void)
{
    static const CUpti_ActivityKind most = CUPTI_ACTIVITY_KIND_COUNT;
    for (unsigned kind = 1; kind < (unsigned)most; kind++)
        if (guest_records((CUpti_ActivityKind)kind))
            return false;
    return true;
}

static bool hand_over(void)
{
    if (atomic_load(&left) || callbacks_are_telling() || !records_nothing() || atomic_exchange(&handed_over, true))
        return atomic_load(&handed_over);
    aside_for_good(
        "the program samples instructions with CUPTI, which places samples only without other users of CUPTI: from here on "
        "nothing of it is counted or timed");
    ring_mark(RL_RING_LEFT);
    if (others.cuptiFinalize)
        (void)others.cuptiFinalize();
    callbacks_hand_over();
    return true;
}

/* The parameters are the subscriber's name, where that of another one is wanted, and whether there may be others. */
static CUptiResult subscribe_v2(CUpti_SubscriberHandle *handle, CUpti_CallbackFunc callback, void *data, void *parameters)
{
    if (IS_OWN || !callbacks_are_open())
        return others.cuptiSubscribe_v2(handle, callback, data, parameters);
    if (several_may_be_used(parameters)) {
        if (callbacks_are_telling() || !records_nothing() || atomic_exchange(&handed_over, true))
            return others.cuptiSubscribe_v2(handle, callback, data, parameters);
        aside_for_good(
            "the program subscribes to CUPTI as one of several: from here on nothing of it is counted, and launches are timed if "
            "CUPTI lets both record");
        (void)others.cuptiFinalize();
        const CUptiResult result = others.cuptiSubscribe_v2(handle, callback, data, parameters);
        if (result == CUPTI_SUCCESS && several_join(parameters))
            say(RL_LOG_NOTE, RL_OK, "CUPTI has two subscribers, the program and rooflight");
        else
            ring_mark(RL_RING_LEFT);
        return result;
    }
    return callbacks_subscribe(handle, callback, data);
}

#define SEVERAL(name, parameters, arguments)                                                                                       \
    static CUptiResult several_##name parameters                                                                                   \
    {                                                                                                                              \
        return others.name arguments;                                                                                              \
    }
#define OTHER(name, parameters)
#define OWNER(begin, end)
#define SAMPLER(begin, end)
#define MOMENT(name)
#include "others.def"

#define OWNER(begin, end)   OWNER_BUT(begin, end, false)
#define SAMPLER(begin, end) OWNER_BUT(begin, end, hand_over())
#define OWNER_BUT(begin, end, is_handed_over)                                                                                      \
    static CUptiResult owner_##begin(void *argument)                                                                               \
    {                                                                                                                              \
        if (IS_OWN || (is_handed_over))                                                                                            \
            return others.begin(argument);                                                                                         \
        aside_begin(ASIDE_COUNTERS);                                                                                               \
        const CUptiResult result = others.begin(argument);                                                                         \
        if (result != CUPTI_SUCCESS)                                                                                               \
            aside_end(ASIDE_COUNTERS, 1);                                                                                          \
        return result;                                                                                                             \
    }                                                                                                                              \
    static CUptiResult owner_##end(void *argument)                                                                                 \
    {                                                                                                                              \
        const bool is_own = IS_OWN;                                                                                                \
        const CUptiResult result = others.end(argument);                                                                           \
        if (!is_own && result == CUPTI_SUCCESS)                                                                                    \
            aside_end(ASIDE_COUNTERS, 1);                                                                                          \
        return result;                                                                                                             \
    }
#define MOMENT(name)                                                                                                               \
    static CUptiResult owner_##name(void *argument)                                                                                \
    {                                                                                                                              \
        if (IS_OWN)                                                                                                                \
            return others.name(argument);                                                                                          \
        aside_begin(ASIDE_COUNTERS);                                                                                               \
        const CUptiResult result = others.name(argument);                                                                          \
        aside_end(ASIDE_COUNTERS, 1);                                                                                              \
        return result;                                                                                                             \
    }
#define OTHER(name, parameters)
#define SEVERAL(name, parameters, arguments)
#include "others.def"

bool shims_start(void)
{
#define OWN(name, to)                                                                                                              \
    {                                                                                                                              \
#name, (const void *)(to), (void **)(void *)&rl_cupti.name                                                                 \
    }
#define FOREIGN(name, to)                                                                                                          \
    {                                                                                                                              \
#name, (const void *)(to), (void **)(void *)&others.name                                                                   \
    }
    static const struct shim shims[] = {
        OWN(cuptiActivityEnable, enable),
        OWN(cuptiActivityDisable, disable),
        OWN(cuptiActivityRegisterCallbacks, register_callbacks),
        OWN(cuptiActivityFlushAll, flush_all),
        OWN(cuptiActivityFlushPeriod, flush_period),
        OWN(cuptiActivityGetNumDroppedRecords, dropped),
        OWN(cuptiActivitySetAttribute, set_attribute),
        OWN(cuptiSubscribe, subscribe),
        OWN(cuptiUnsubscribe, unsubscribe),
        OWN(cuptiEnableCallback, enable_callback),
        OWN(cuptiProfilerDeInitialize, deinitialize),
        FOREIGN(cuptiActivityEnableContext, enable_context),
        FOREIGN(cuptiActivityDisableContext, disable_context),
        FOREIGN(cuptiActivityFlush, flush),
        FOREIGN(cuptiActivityGetAttribute, get_attribute),
        FOREIGN(cuptiActivityRegisterTimestampCallback, timestamp_callback),
        FOREIGN(cuptiSubscribe_v2, subscribe_v2),
        FOREIGN(cuptiEnableDomain, enable_domain),
        FOREIGN(cuptiEnableAllDomains, enable_all_domains),
        FOREIGN(cuptiGetCallbackState, callback_state),
        FOREIGN(cuptiFinalize, finalize),
#define OTHER(name, parameters)
#define OWNER(begin, end)                    FOREIGN(begin, owner_##begin), FOREIGN(end, owner_##end),
#define SAMPLER                              OWNER
#define MOMENT(name)                         FOREIGN(name, owner_##name),
#define SEVERAL(name, parameters, arguments) FOREIGN(name, several_##name),
#include "others.def"
    };
    aside_start();
    return intercept_start(shims, RL_COUNT(shims));
}
