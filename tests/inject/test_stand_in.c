/* The stand-ins behave as driver and CUPTI do, as far as tests of the injected part rely on it. */
#include "rl_test.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cupti_api.h"
#include "stand_in.h"

static const char text[] = ".entry work(\n.entry wait_flag(\n";
static CUcontext context;
static CUfunction work, wait_flag;
static _Atomic uint32_t word;

static void launch(CUfunction function, CUstream stream, uint64_t first, uint32_t second)
{
    assert_int_equal(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, (void *[]){&first, &second}, NULL), CUDA_SUCCESS);
}

static int start(void **state)
{
    (void)state;
    CUmodule module;
    return cuInit(0) != CUDA_SUCCESS || cuCtxCreate_v2(&context, 0, 0) != CUDA_SUCCESS ||
           cuModuleLoadData(&module, text) != CUDA_SUCCESS || cuModuleGetFunction(&work, module, "work") != CUDA_SUCCESS ||
           cuModuleGetFunction(&wait_flag, module, "wait_flag") != CUDA_SUCCESS;
}

/* ---- the driver ---- */

static void launches_take_their_time(void **state)
{
    (void)state;
    const uint64_t begin = stand_in_now_ns();
    for (int i = 0; i < 10; i++)
        launch(work, NULL, 2000000, 0);
    assert_int_equal(cuCtxSynchronize(), CUDA_SUCCESS);
    assert_true(stand_in_now_ns() - begin >= 20000000);
    assert_int_equal(cuStreamQuery(NULL), CUDA_SUCCESS);
}

static void a_kernel_waits_for_the_host(void **state)
{
    (void)state;
    CUstream waiting, other;
    cuStreamCreate(&waiting, 0);
    cuStreamCreate(&other, 0);
    launch(wait_flag, waiting, (uint64_t)(uintptr_t)&word, 1);
    launch(work, waiting, 1000, 0);
    launch(work, other, 1000, 0);
    assert_int_equal(cuStreamSynchronize(other), CUDA_SUCCESS);
    usleep(20000);
    assert_int_equal(cuStreamQuery(waiting), CUDA_ERROR_NOT_READY);
    atomic_store(&word, 1);
    assert_int_equal(cuCtxSynchronize(), CUDA_SUCCESS);
    cuStreamDestroy_v2(waiting);
    cuStreamDestroy_v2(other);
}

/* In a process of its own, because it dies of it; CUDA starts there, so before it starts here. */
static void waiting_for_it_in_our_name_is_told(void **state)
{
    int how = 0;
    pid_t child = fork();
    if (child == 0) {
        if (start(state) != 0 || !freopen("/dev/null", "w", stderr))
            _exit(1);
        launch(wait_flag, NULL, (uint64_t)(uintptr_t)&word, 1);
        stand_in_wait_idle(context, "the test");
        _exit(1);
    }
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFSIGNALED(how) && WTERMSIG(how) == SIGABRT);
    assert_int_equal(start(state), 0);
}

static void cuda_does_not_survive_fork(void **state)
{
    (void)state;
    int how = 0;
    pid_t child = fork();
    if (child == 0)
        _exit(cuCtxSynchronize() == CUDA_ERROR_NOT_INITIALIZED && cuInit(0) == CUDA_ERROR_NOT_INITIALIZED ? 7 : 1);
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFEXITED(how) && WEXITSTATUS(how) == 7);
}

static void a_destroyed_context_takes_nothing(void **state)
{
    (void)state;
    CUcontext gone;
    assert_int_equal(cuCtxCreate_v2(&gone, 0, 0), CUDA_SUCCESS);
    assert_int_equal(cuCtxDestroy_v2(gone), CUDA_SUCCESS);
    assert_int_equal(cuCtxSetCurrent(gone), CUDA_SUCCESS);
    assert_int_equal(cuCtxSynchronize(), CUDA_ERROR_CONTEXT_IS_DESTROYED);
    assert_int_equal(cuCtxSetCurrent(context), CUDA_SUCCESS);
}

/* ---- callbacks and records ---- */

static struct {
    CUpti_SubscriberHandle subscriber;
    unsigned enters, exits;
    uint32_t correlations[8];
    pthread_t thread;
    bool elsewhere;
    _Atomic unsigned kernels;
    CUpti_ActivityKernel9 of[8];
} seen;

static void CUPTIAPI on_call(void *unused, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void *data)
{
    (void)unused, (void)domain, (void)id;
    const CUpti_CallbackData *call = data;
    seen.elsewhere = seen.elsewhere || !pthread_equal(pthread_self(), seen.thread);
    if (call->callbackSite == CUPTI_API_EXIT)
        seen.exits++;
    else if (seen.enters < 8)
        seen.correlations[seen.enters++] = call->correlationId;
}

static void CUPTIAPI on_requested(uint8_t **buffer, size_t *size, size_t *most)
{
    *size = 4096;
    *buffer = malloc(*size);
    *most = 0;
}

static void CUPTIAPI on_completed(CUcontext unused, uint32_t unused2, uint8_t *buffer, size_t size, size_t valid)
{
    (void)unused, (void)unused2, (void)size;
    CUpti_Activity *record = NULL;
    while (cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS) {
        const unsigned number = atomic_load(&seen.kernels);
        if (number < 8)
            memcpy(&seen.of[number], record, sizeof seen.of[0]);
        atomic_store(&seen.kernels, number + 1);
    }
    free(buffer);
}

static void calls_and_records_belong_together(void **state)
{
    (void)state;
    CUpti_SubscriberHandle second;
    CUstream slow, quick;
    seen.thread = pthread_self();
    assert_int_equal(cuptiActivityFlushAll(0), CUPTI_SUCCESS); /* as CUPTI 13.0 does */
    assert_int_equal(cuptiSubscribe(&seen.subscriber, on_call, NULL), CUPTI_SUCCESS);
    assert_int_equal(cuptiSubscribe(&second, on_call, NULL), CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED);
    assert_int_equal(cuptiEnableCallback(1, seen.subscriber, CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel),
                     CUPTI_SUCCESS);
    cuStreamCreate(&slow, 0);
    cuStreamCreate(&quick, 0);
    launch(work, NULL, 1000, 0); /* no records are asked for yet */
    assert_int_equal(cuptiActivityRegisterCallbacks(on_requested, on_completed), CUPTI_SUCCESS);
    assert_int_equal(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL), CUPTI_SUCCESS);
    launch(wait_flag, slow, (uint64_t)(uintptr_t)&word, 2);
    launch(work, quick, 1000000, 0);
    cuptiActivityFlushAll(1);
    assert_in_range(atomic_load(&seen.kernels), 0, 1); /* one still runs */
    assert_int_equal(cuStreamSynchronize(quick), CUDA_SUCCESS);
    atomic_store(&word, 2);
    assert_int_equal(cuCtxSynchronize(), CUDA_SUCCESS);
    cuptiActivityFlushAll(1);
    assert_int_equal(seen.enters, 3);
    assert_int_equal(seen.exits, 3);
    assert_false(seen.elsewhere);
    assert_int_equal(atomic_load(&seen.kernels), 2);
    assert_int_equal(seen.of[0].correlationId, seen.correlations[2]); /* in the order of their ends */
    assert_int_equal(seen.of[1].correlationId, seen.correlations[1]);
    assert_int_equal(seen.of[0].end - seen.of[0].start, 1000000);
    assert_true(seen.of[0].end <= seen.of[1].end && seen.of[0].streamId != seen.of[1].streamId);
}

/* Nobody flushes. */
static void a_thread_of_cupti_delivers(void **state)
{
    (void)state;
    const unsigned before = atomic_load(&seen.kernels);
    assert_int_equal(cuptiActivityFlushPeriod(10), CUPTI_SUCCESS);
    launch(work, NULL, 1000, 0);
    for (int i = 0; i < 500 && atomic_load(&seen.kernels) == before; i++)
        usleep(10000);
    assert_int_equal(atomic_load(&seen.kernels), before + 1);
    assert_int_equal(cuptiActivityFlushPeriod(0), CUPTI_SUCCESS);
}

static void kernels_of_a_graph_have_nodes(void **state)
{
    (void)state;
    CUstream stream;
    CUgraph graph;
    CUgraphExec executable;
    uint64_t ns = 1000;
    cuptiActivityFlushAll(1);
    const unsigned before = atomic_load(&seen.kernels);
    cuStreamCreate(&stream, 0);
    cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_GLOBAL);
    for (int i = 0; i < 2; i++)
        launch(work, stream, ns, 0);
    cuStreamEndCapture(stream, &graph);
    cuGraphInstantiateWithFlags(&executable, graph, 0);
    assert_int_equal(cuGraphLaunch(executable, stream), CUDA_SUCCESS);
    cuCtxSynchronize();
    cuptiActivityFlushAll(1);
    assert_int_equal(atomic_load(&seen.kernels), before + 2); /* what was captured has not run */
    const CUpti_ActivityKernel9 *of = &seen.of[before];
    assert_int_equal(of[0].correlationId, of[1].correlationId);
    assert_true(of[0].graphNodeId && of[0].graphNodeId != of[1].graphNodeId && of[0].graphId == of[1].graphId);
}

/* ---- counters ---- */

static void wrong_order_is_refused(void **state)
{
    (void)state;
    RL_CUPTI_PARAMS(CUpti_RangeProfiler_Enable_Params, enable);
    RL_CUPTI_PARAMS(CUpti_RangeProfiler_Start_Params, begin);
    RL_CUPTI_PARAMS(CUpti_RangeProfiler_Stop_Params, stop);
    RL_CUPTI_PARAMS(CUpti_RangeProfiler_PopRange_Params, pop);
    RL_CUPTI_PARAMS(CUpti_RangeProfiler_DecodeData_Params, decode);
    RL_CUPTI_PARAMS(CUpti_RangeProfiler_Disable_Params, disable);
    enable.ctx = context;
    assert_int_equal(cuptiRangeProfilerEnable(&enable), CUPTI_SUCCESS);
    begin.pRangeProfilerObject = stop.pRangeProfilerObject = pop.pRangeProfilerObject = decode.pRangeProfilerObject =
        disable.pRangeProfilerObject = enable.pRangeProfilerObject;
    assert_int_equal(cuptiRangeProfilerEnable(&enable), CUPTI_ERROR_INVALID_OPERATION); /* one for a context */
    assert_int_equal(cuptiRangeProfilerStart(&begin), CUPTI_ERROR_INVALID_OPERATION);
    assert_int_equal(cuptiRangeProfilerPopRange(&pop), CUPTI_ERROR_INVALID_OPERATION);
    assert_int_equal(cuptiRangeProfilerStop(&stop), CUPTI_ERROR_INVALID_OPERATION);
    assert_int_equal(cuptiRangeProfilerDecodeData(&decode), CUPTI_ERROR_INVALID_OPERATION);
    assert_int_equal(cuptiRangeProfilerDisable(&disable), CUPTI_SUCCESS);
    assert_int_equal(cuptiRangeProfilerDisable(&disable), CUPTI_ERROR_INVALID_PARAMETER);
    assert_int_equal(cuptiRangeProfilerStart(&begin), CUPTI_ERROR_INVALID_PARAMETER);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(waiting_for_it_in_our_name_is_told),
        cmocka_unit_test(launches_take_their_time),
        cmocka_unit_test(a_kernel_waits_for_the_host),
        cmocka_unit_test(cuda_does_not_survive_fork),
        cmocka_unit_test(a_destroyed_context_takes_nothing),
        cmocka_unit_test(calls_and_records_belong_together),
        cmocka_unit_test(a_thread_of_cupti_delivers),
        cmocka_unit_test(kernels_of_a_graph_have_nodes),
        cmocka_unit_test(wrong_order_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
