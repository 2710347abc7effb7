/* select.c - launches inside of ranges, for the filters. Prints an event a line: what a filter has to go by. */
#include <nvtx3/nvToolsExt.h>
#include <stdio.h>
#include <unistd.h>

#include "torture.h"

static void profile(int on)
{
    if (on)
        MUST(cuProfilerStart);
    else
        MUST(cuProfilerStop);
    printf("%s\n", on ? "profiler on" : "profiler off");
}

static void push(nvtxDomainHandle_t domain, const char *name)
{
    nvtxEventAttributes_t event = {.version = NVTX_VERSION, .size = NVTX_EVENT_ATTRIB_STRUCT_SIZE};
    event.messageType = NVTX_MESSAGE_TYPE_ASCII;
    event.message.ascii = name;
    if (domain)
        nvtxDomainRangePushEx(domain, &event);
    else
        nvtxRangePushA(name);
    printf("push %s@%s\n", domain ? "lib" : "", name);
}

static void pop(nvtxDomainHandle_t domain)
{
    if (domain)
        nvtxDomainRangePop(domain);
    else
        nvtxRangePop();
    printf("pop %s\n", domain ? "lib" : "");
}

/* Launch i is one of four kernels, inside of "step"; every third is also inside of "lib@third", every other one inside of "odd".
 * Then it pauses, so that a few launches take long enough for windows of counters. */
static void select_launches(long count, long pause_us)
{
    cuda_start();
    nvtxDomainHandle_t domain = nvtxDomainCreateA("lib");
    for (long i = 0; i < count; i++) {
        const int kernel = (int)(i % 4);
        if (i % 7 == 0)
            profile(i % 14 == 0);
        if (i % 5 != 4)
            push(NULL, "step");
        if (i % 2)
            push(NULL, "odd");
        if (i % 3 == 0)
            push(domain, "third");
        launch(kernel);
        printf("launch %d\n", kernel);
        if (i % 3 == 0)
            pop(domain);
        if (i % 2)
            pop(NULL);
        if (i % 5 != 4)
            pop(NULL);
        if (pause_us)
            usleep((useconds_t)pause_us);
    }
    MUST(cuCtxSynchronize);
}

const struct program programs_select[] = {
    {"select", select_launches},
    {NULL, NULL},
};
