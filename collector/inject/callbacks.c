/* callbacks.c - CUPTI's only subscription, shared by us and the program (guest.h). */
#include "guest.h"

enum { DOMAINS = 16, MOST_IDS = 2048 };

static CUpti_CallbackFunc own_callback;
static CUpti_SubscriberHandle subscriber;                       /* NULL: subscribing failed */
static pthread_mutex_t switch_lock = PTHREAD_MUTEX_INITIALIZER; /* CUPTI allows only one at a time */
static _Atomic(CUpti_CallbackFunc) guest_callback;
static _Atomic(void *) guest_data;
static atomic_bool subscribed; /* the program, too */
/* The program's subscription, and its handle once CUPTI is the program's. */
static CUpti_SubscriberHandle given, native;
static __thread bool telling; /* this thread is inside the program's callback */
static atomic_uchar ours[DOMAINS][MOST_IDS], theirs[DOMAINS][MOST_IDS];

static void guest_unsubscribed(void)
{
    for (unsigned domain = 0; domain < DOMAINS; domain++)
        for (CUpti_CallbackId id = 0; id < MOST_IDS; id++)
            atomic_store(&theirs[domain][id], 0);
    atomic_store(&guest_callback, NULL);
    atomic_store(&subscribed, false);
}

enum rl_status callbacks_open(CUpti_CallbackFunc callback, struct rl_err *err)
{
    own_callback = callback;
    return RL_CUPTI(err, cuptiSubscribe, &subscriber, callback, NULL);
}

void callbacks_close(void)
{
    pthread_mutex_lock(&switch_lock);
    if (subscriber)
        (void)rl_cupti.cuptiUnsubscribe(subscriber);
    subscriber = NULL;
    pthread_mutex_unlock(&switch_lock);
}

/* Subscribes again after cuptiFinalize, with the callbacks that were enabled. Under switch_lock. */
static bool subscribe_again(CUpti_SubscriberHandle *handle, CUpti_CallbackFunc callback, void *data,
                            atomic_uchar on[DOMAINS][MOST_IDS])
{
    if (rl_cupti.cuptiSubscribe(handle, callback, data) != CUPTI_SUCCESS)
        return false;
    for (unsigned domain = 0; domain < DOMAINS; domain++)
        for (CUpti_CallbackId id = 0; id < MOST_IDS; id++)
            if (atomic_load(&on[domain][id]))
                (void)rl_cupti.cuptiEnableCallback(1, *handle, (CUpti_CallbackDomain)domain, id);
    return true;
}

void callbacks_open_again(void)
{
    pthread_mutex_lock(&switch_lock);
    if (subscriber && !subscribe_again(&subscriber, own_callback, NULL, ours))
        subscriber = NULL;
    pthread_mutex_unlock(&switch_lock);
    guest_unsubscribed();
}

bool callbacks_join(void)
{
    pthread_mutex_lock(&switch_lock);
    const bool joined = !subscriber && subscribe_again(&subscriber, own_callback, NULL, ours);
    pthread_mutex_unlock(&switch_lock);
    return joined;
}

bool callbacks_are_open(void)
{
    return subscriber;
}

static bool is_known(CUpti_CallbackDomain domain, CUpti_CallbackId id)
{
    return (unsigned)domain < DOMAINS && id < MOST_IDS;
}

enum rl_status callbacks_enable(CUpti_CallbackDomain domain, CUpti_CallbackId id, struct rl_err *err)
{
    assume(is_known(domain, id));
    pthread_mutex_lock(&switch_lock);
    const enum rl_status status = RL_CUPTI(err, cuptiEnableCallback, 1, subscriber, domain, id);
    atomic_store(&ours[domain][id], status == RL_OK);
    pthread_mutex_unlock(&switch_lock);
    return status;
}

void callbacks_tell_guest(CUpti_CallbackDomain domain, CUpti_CallbackId id, const void *data)
{
    CUpti_CallbackFunc callback = atomic_load(&guest_callback);
    if (callback && is_known(domain, id) && atomic_load(&theirs[domain][id])) {
        const bool around = telling; /* a callback that calls CUDA is invoked recursively */
        telling = true;
        callback(atomic_load(&guest_data), domain, id, data);
        telling = around;
    }
}

bool callbacks_are_telling(void)
{
    return telling;
}

void callbacks_hand_over(void)
{
    pthread_mutex_lock(&switch_lock);
    if (atomic_load(&subscribed) && !subscribe_again(&native, atomic_load(&guest_callback), atomic_load(&guest_data), theirs))
        native = NULL;
    pthread_mutex_unlock(&switch_lock);
}

CUpti_SubscriberHandle callbacks_native(CUpti_SubscriberHandle handle)
{
    return native && handle == given ? native : handle;
}

CUptiResult callbacks_subscribe(CUpti_SubscriberHandle *handle, CUpti_CallbackFunc callback, void *data)
{
    if (!handle)
        return CUPTI_ERROR_INVALID_PARAMETER;
    if (atomic_exchange(&subscribed, true))
        return CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
    atomic_store(&guest_data, data);
    atomic_store(&guest_callback, callback);
    *handle = given = subscriber;
    return CUPTI_SUCCESS;
}

static bool is_guests(CUpti_SubscriberHandle handle)
{
    return handle == subscriber && atomic_load(&subscribed);
}

/* Under switch_lock. */
static CUptiResult switch_one(bool enable, CUpti_CallbackDomain domain, CUpti_CallbackId id)
{
    if (!is_known(domain, id))
        return CUPTI_ERROR_INVALID_PARAMETER;
    CUptiResult result = CUPTI_SUCCESS;
    if (enable || !atomic_load(&ours[domain][id]))
        result = rl_cupti.cuptiEnableCallback(enable, subscriber, domain, id);
    if (result == CUPTI_ERROR_INVALID_PARAMETER && intercept_serves_others())
        return CUPTI_SUCCESS; /* a call that the program's version has and this one lacks */
    if (result == CUPTI_SUCCESS)
        atomic_store(&theirs[domain][id], enable);
    return result;
}

CUptiResult callbacks_unsubscribe(CUpti_SubscriberHandle handle)
{
    if (!is_guests(handle))
        return CUPTI_ERROR_INVALID_PARAMETER;
    (void)callbacks_switch_all(0, handle);
    guest_unsubscribed();
    return CUPTI_SUCCESS;
}

CUptiResult callbacks_switch(uint32_t enable, CUpti_SubscriberHandle handle, CUpti_CallbackDomain domain, CUpti_CallbackId id)
{
    if (!is_guests(handle))
        return CUPTI_ERROR_INVALID_PARAMETER;
    pthread_mutex_lock(&switch_lock);
    const CUptiResult result = switch_one(enable, domain, id);
    pthread_mutex_unlock(&switch_lock);
    return result;
}

CUptiResult callbacks_switch_domain(uint32_t enable, CUpti_SubscriberHandle handle, CUpti_CallbackDomain domain)
{
    if (!is_guests(handle) || (unsigned)domain >= DOMAINS)
        return CUPTI_ERROR_INVALID_PARAMETER;
    pthread_mutex_lock(&switch_lock);
    if (enable) {
        /* Switched one by one: CUPTI treats a domain that was enabled as a whole as enabled, whatever happens to its callbacks
         * later. */
        for (CUpti_CallbackId id = 0; id < MOST_IDS; id++) {
            (void)rl_cupti.cuptiEnableCallback(1, subscriber, domain, id); /* there are fewer */
            atomic_store(&theirs[domain][id], 1);
        }
    } else {
        /* Disabling one of our callbacks even briefly would miss the end of a call. */
        for (CUpti_CallbackId id = 0; id < MOST_IDS; id++)
            if (atomic_load(&theirs[domain][id]))
                (void)switch_one(false, domain, id);
    }
    pthread_mutex_unlock(&switch_lock);
    return CUPTI_SUCCESS;
}

CUptiResult callbacks_switch_all(uint32_t enable, CUpti_SubscriberHandle handle)
{
    if (!is_guests(handle))
        return CUPTI_ERROR_INVALID_PARAMETER;
    for (unsigned domain = 1; domain < DOMAINS; domain++)
        (void)callbacks_switch_domain(enable, handle, (CUpti_CallbackDomain)domain);
    return CUPTI_SUCCESS;
}

CUptiResult callbacks_state(uint32_t *enable, CUpti_SubscriberHandle handle, CUpti_CallbackDomain domain, CUpti_CallbackId id)
{
    if (!enable || !is_guests(handle) || !is_known(domain, id))
        return CUPTI_ERROR_INVALID_PARAMETER;
    *enable = atomic_load(&theirs[domain][id]);
    return CUPTI_SUCCESS;
}

void callbacks_forget_guest(void)
{
    if (callbacks_are_open() && atomic_load(&subscribed))
        (void)callbacks_unsubscribe(subscriber);
}
