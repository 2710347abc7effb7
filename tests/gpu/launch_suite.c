/* launch_suite.c - launches every variant of the suite and measures nothing, so that another profiler can be held against ours on
 * the same launches. Only the variants' own launches lie between cudaProfilerStart and cudaProfilerStop.
 *
 *     launch_suite [-n LAUNCHES] [-w WARM_UP_LAUNCHES] [-q] [EXPERIMENT[/VARIANT][=LAUNCHES] ...]
 *
 * Prints one line per variant, in order: "experiment/variant launches kernels-per-launch". */
#include <cuda_profiler_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/mem.h"
#include "kernels/run.h"

static int fail(const char *what, const struct rl_err *err)
{
    fprintf(stderr, "launch_suite: %s: %s\n", what, err->text);
    return 1;
}

static enum rl_status run_variant(const struct rl_suite_item *item, bool quick, long warm_up, long launches, void *stream,
                                  int sm_count, struct rl_err *err)
{
    struct rl_suite_run run = {.experiment = item->experiment,
                               .variant = item->variant,
                               .seed = 1,
                               .stream = stream,
                               .sm_count = sm_count,
                               .size = quick ? item->experiment->quick_size : item->experiment->default_size,
                               .recording = true};
    const struct rl_suite_ops *ops = item->experiment->ops;
    enum rl_status status = ops->setup(&run, err);
    if (status != RL_OK)
        return status;
    for (long i = 0; i < warm_up && status == RL_OK; i++) {
        status = ops->launch(&run, err);
        run.recording = false;
    }
    if (status == RL_OK)
        status = rl_device_wait(stream, err);
    cudaProfilerStart();
    for (long i = 0; i < launches && status == RL_OK; i++)
        status = ops->launch(&run, err);
    if (status == RL_OK)
        status = rl_device_wait(stream, err);
    cudaProfilerStop();
    if (status == RL_OK)
        printf("%s/%s %ld %zu\n", item->experiment->name, item->variant->name, launches, run.launch_count);
    ops->teardown(&run);
    return status;
}

/* The variants of one operand, or all of them when it is NULL. */
static enum rl_status run_operand(const char *operand, bool quick, long warm_up, long launches, void *stream, int sm_count,
                                  struct rl_err *err)
{
    const size_t length = operand ? strcspn(operand, "=") : 0;
    char *name = operand ? rl_strndup(operand, length) : NULL;
    const char *const names[] = {name};
    struct rl_suite_item *items = NULL;
    size_t count = 0;
    enum rl_status status = rl_suite_select(names, operand ? 1 : 0, &items, &count, err);
    if (operand && operand[length])
        launches = strtol(operand + length + 1, NULL, 10);
    for (size_t i = 0; i < count && status == RL_OK; i++)
        status = run_variant(&items[i], quick, warm_up, launches, stream, sm_count, err);
    free(items);
    free(name);
    return status;
}

int main(int argc, char **argv)
{
    long launches = 1, warm_up = 2;
    bool quick = false;
    for (int c; (c = getopt(argc, argv, "n:w:q")) != -1;) {
        if (c == 'n')
            launches = strtol(optarg, NULL, 10);
        else if (c == 'w')
            warm_up = strtol(optarg, NULL, 10);
        else if (c == 'q')
            quick = true;
        else
            return 2;
    }
    struct rl_err err = RL_ERR_INIT;
    void *stream = NULL;
    int sm_count = 0;
    if (rl_device_open(0, &stream, &sm_count, &err) != RL_OK)
        return fail("device", &err);
    for (int i = optind; i == optind || i < argc; i++) {
        const char *operand = i < argc ? argv[i] : NULL;
        if (run_operand(operand, quick, warm_up, launches, stream, sm_count, &err) != RL_OK)
            return fail(operand ? operand : "the suite", &err);
    }
    rl_device_close(stream);
    return 0;
}
