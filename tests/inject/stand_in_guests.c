/* stand_in_guests.c - CUPTI: what programs call and rooflight does not, and the clock of records. */
#include <string.h>

#include "stand_in_cupti.h"

enum { DRIVER_CALLS = 1024 };
static _Atomic(word) clock_of_records; /* 0: CUPTI's own */
static atomic_uchar per_thread = 1;

/* From two moments of both clocks: when it was first asked, and now. */
void stand_in_record_times(uint64_t *start_ns, uint64_t *end_ns)
{
    static _Atomic uint64_t first_ns, first;
    uint64_t (*clock)(void) = (uint64_t(*)(void))atomic_load(&clock_of_records), none = 0;
    if (!clock)
        return;
    const uint64_t now_ns = stand_in_now_ns(), now = clock();
    if (atomic_compare_exchange_strong(&first, &none, now))
        atomic_store(&first_ns, now_ns);
    const uint64_t passed_ns = now_ns - atomic_load(&first_ns);
    const double rate = passed_ns ? (double)(now - atomic_load(&first)) / (double)passed_ns : 1;
    *start_ns = now + (uint64_t)(int64_t)(rate * (double)(int64_t)(*start_ns - now_ns));
    *end_ns = now + (uint64_t)(int64_t)(rate * (double)(int64_t)(*end_ns - now_ns));
}

static int timestamp_callback(word clock, word a, word b, word c)
{
    (void)a, (void)b, (void)c;
    if (!clock)
        return CUPTI_ERROR_INVALID_PARAMETER;
    atomic_store(&clock_of_records, clock);
    return 0;
}

static int enable_domain(word enable, word handle, word domain, word unused)
{
    const struct stand_in_function *one = stand_in_find("cuptiEnableCallback");
    (void)unused;
    if (domain != CUPTI_CB_DOMAIN_DRIVER_API)
        return CUPTI_ERROR_INVALID_PARAMETER;
    if (atomic_exchange(&stand_in_domain_is_on, enable != 0) == (enable != 0))
        return 0;
    for (word id = 1; id < DRIVER_CALLS; id++) {
        const int result = one->call(enable, handle, domain, id);
        if (result)
            return result;
    }
    return 0;
}

static int callback_state(word on, word handle, word domain, word id)
{
    const int state = stand_in_callback_state(handle, domain, id);
    if (state < 0 || !on)
        return CUPTI_ERROR_INVALID_PARAMETER;
    *(uint32_t *)on = (uint32_t)state;
    return 0;
}

static int set_attribute(word attribute, word size, word value, word unused)
{
    (void)unused;
    if (attribute != CUPTI_ACTIVITY_ATTR_PER_THREAD_ACTIVITY_BUFFER || !size || !value)
        return CUPTI_ERROR_INVALID_PARAMETER;
    atomic_store(&per_thread, *(uint8_t *)value);
    return 0;
}

static int get_attribute(word attribute, word size, word value, word unused)
{
    (void)unused;
    if (attribute != CUPTI_ACTIVITY_ATTR_PER_THREAD_ACTIVITY_BUFFER || !size || !value)
        return CUPTI_ERROR_INVALID_PARAMETER;
    *(uint8_t *)value = atomic_load(&per_thread);
    return 0;
}

static int finalize(word a, word b, word c, word d)
{
    (void)a, (void)b, (void)c, (void)d;
    stand_in_forget_clients();
    stand_in_pcs_forget();
    return 0;
}

const struct stand_in_function stand_in_guest_functions[] = {
    {"cuptiActivityRegisterTimestampCallback", timestamp_callback},
    {"cuptiEnableDomain", enable_domain},
    {"cuptiGetCallbackState", callback_state},
    {"cuptiActivitySetAttribute", set_attribute},
    {"cuptiActivityGetAttribute", get_attribute},
    {"cuptiFinalize", finalize},
    {NULL, NULL},
};
