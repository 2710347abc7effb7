/* windows.h - windows of counters (collector/cupti/range.h) around launches of the stand-in driver, for the tests of back ends that
 * are run in their own process. */
#ifndef RL_TEST_WINDOWS_H
#define RL_TEST_WINDOWS_H

#include "rl_test.h"

#include "core/mem.h"
#include "host.h"
#include "range.h"
#include "stand_in.h"

static CUcontext context;
static struct stand_in_kernel kernels[] = {{.name = "thousand", .work = 1000, .does = STAND_IN_WORKS},
                                           {.name = "two_thousand", .work = 2000, .does = STAND_IN_WORKS}};

static void launch(size_t kernel)
{
    uint64_t ns = 300000;
    assert_int_equal(cuLaunchKernel((CUfunction)(uintptr_t)&kernels[kernel], 1, 1, 1, 1, 1, 1, 0, NULL, (void *[]){&ns}, NULL),
                     CUDA_SUCCESS);
}

static struct rl_range_profiler opened(void)
{
    struct rl_range_profiler profiler;
    struct rl_err err = RL_ERR_INIT;
    if (rl_range_open(&profiler, context, 0, &err) != RL_OK)
        fail_msg("%s", err.text);
    return profiler;
}

static struct rl_config config_of(const struct rl_range_profiler *profiler, const char *const *counters, size_t count)
{
    const struct rl_configuration wanted = {.name = "some", .counters = (const char **)counters, .counter_count = count};
    struct rl_config config;
    struct rl_err err = RL_ERR_INIT;
    if (rl_host_join(profiler->chip, profiler->availability, &wanted, &config, &err) != RL_OK)
        fail_msg("%s", err.text);
    return config;
}

/* A window of both kernels, with as many passes as it takes; how it ends. */
static enum rl_status count_launches(struct rl_range_profiler *profiler, const struct rl_config *config, size_t room,
                                     struct rl_value *values, size_t *passes, struct rl_err *err)
{
    bool again = true;
    enum rl_status status = rl_range_begin(profiler, config, room, RL_RANGE_LAUNCHES, err);
    if (status != RL_OK)
        return status;
    for (*passes = 0; again && status == RL_OK; ++*passes) {
        launch(0);
        launch(1);
        assert_int_equal(cuCtxSynchronize(), CUDA_SUCCESS);
        status = rl_range_next(profiler, &again, err);
    }
    const enum rl_status ended = rl_range_end(profiler, values, status == RL_OK ? err : NULL);
    return status == RL_OK ? ended : status;
}

#endif
