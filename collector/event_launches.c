/* event_launches.c - see event_launches.h. */
#include "event_launches.h"

#include <assert.h>
#include <dlfcn.h>

#include "core/mem.h"
#include "cupti_api.h"

static struct {
    CUpti_SubscriberHandle subscriber;
    CUcontext context;
    void (*launch)(void *data, bool before);
    void *data;
} current;

/* The calls that launch one kernel. */
static const CUpti_CallbackId calls[] = {
    CUPTI_DRIVER_TRACE_CBID_cuLaunch,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchGrid,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchGridAsync,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz,
};

void *rl_event_driver(const char *name)
{
    static void *driver;
    if (!driver)
        driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD | RTLD_LOCAL);
    return driver ? dlsym(driver, name) : NULL;
}

static void CUPTIAPI on_call(void *unused, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void *call)
{
    const CUpti_CallbackData *data = call;
    (void)unused, (void)domain, (void)id;
    if (data->context == current.context)
        current.launch(current.data, data->callbackSite == CUPTI_API_ENTER);
}

enum rl_status rl_event_launches_begin(CUcontext context, void (*launch)(void *data, bool before), void *data, struct rl_err *err)
{
    assert(!current.subscriber && launch);
    enum rl_status status = RL_CUPTI(err, cuptiSubscribe, &current.subscriber, on_call, NULL);
    if (status != RL_OK)
        return status;
    current.context = context;
    current.launch = launch;
    current.data = data;
    for (size_t i = 0; i < RL_COUNT(calls) && status == RL_OK; i++)
        status = RL_CUPTI(err, cuptiEnableCallback, 1, current.subscriber, CUPTI_CB_DOMAIN_DRIVER_API, calls[i]);
    if (status != RL_OK)
        rl_event_launches_end();
    return status;
}

void rl_event_launches_end(void)
{
    if (current.subscriber)
        (void)rl_cupti.cuptiUnsubscribe(current.subscriber);
    current.subscriber = NULL;
}
