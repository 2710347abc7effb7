/* event_windows.c - see event_windows.h.
 *
 * Events are counted while a set of groups is enabled, for kernels alone (CUPTI_EVENT_COLLECTION_MODE_KERNEL), so that a range is:
 * enable, launch, wait, read, disable. Of several passes each takes one set. In CUPTI's kernel replay all sets are enabled at once.
 * The order of the calls is that of the samples callback_event and callback_metric of CUPTI 11.8. */
#include "event_windows.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "event_launches.h"
#include "event_plan.h"

/* The open window (profiler->object). */
struct window {
    const struct rl_event_plan *plan;
    struct rl_event_sets *sets;
    uint32_t pass;         /* the set whose turn it is */
    uint32_t enabled;      /* sets from `pass` on that are */
    bool replays, listens; /* CUPTI's kernel replay is on; launches are ranges */
    bool left;             /* a set could not be disabled */
    size_t range, dropped; /* the next launch, or the range that is open; launches beyond max_ranges */
    size_t max_ranges;
    uint32_t *passes; /* of each range */
    uint64_t *raw;    /* max_ranges times the plan's events */
    enum rl_status status;
    struct rl_err err; /* of a launch: told at the end */
};

/* ---- the device ---- */

static int attribute(CUdevice device, CUdevice_attribute what)
{
    CUresult (*ask)(int *, CUdevice_attribute, CUdevice) = RL_EVENT_DRIVER(cuDeviceGetAttribute);
    int value = 0;
    return ask && ask(&value, what, device) == CUDA_SUCCESS ? value : 0;
}

/* CUPTI names the chip; else its compute capability stands for it, and rates of the chip are not known. */
static char *chip_of(const struct rl_range_profiler *profiler, int cc)
{
    RL_CUPTI_PARAMS(CUpti_Device_GetChipName_Params, chip);
    char name[24];
    chip.deviceIndex = (size_t)profiler->device;
    if (rl_cupti.cuptiDeviceGetChipName(&chip) == CUPTI_SUCCESS && chip.pChipName && *chip.pChipName)
        return rl_strdup(chip.pChipName);
    snprintf(name, sizeof name, "compute %d.%d", cc / 10, cc % 10);
    return rl_strdup(name);
}

enum rl_status rl_event_windows_open(struct rl_range_profiler *profiler, struct rl_err *err)
{
    CUresult (*get)(CUdevice *, int) = RL_EVENT_DRIVER(cuDeviceGet);
    struct rl_event_device *device = rl_calloc(1, sizeof *device);
    free(profiler->availability);
    profiler->availability = (uint8_t *)device;
    device->context = profiler->context;
    enum rl_status status = rl_event_open(err);
    if (status != RL_OK)
        return status;
    if (!get || get(&device->device, profiler->device) != CUDA_SUCCESS)
        return rl_err_set(err, RL_FAILED, "the driver has no device %d", profiler->device);
    device->cc = 10 * attribute(device->device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) +
                 attribute(device->device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    device->sm_count = attribute(device->device, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    free(profiler->chip);
    profiler->chip = chip_of(profiler, device->cc);
    return RL_OK;
}

static enum rl_status wait_for_context(struct rl_err *err)
{
    CUresult (*synchronize)(void) = RL_EVENT_DRIVER(cuCtxSynchronize);
    const CUresult result = synchronize ? synchronize() : CUDA_ERROR_NOT_FOUND;
    return result == CUDA_SUCCESS ? RL_OK : rl_err_set(err, RL_FAILED, "waiting for the GPU failed (CUDA error %d)", (int)result);
}

/* ---- sets ---- */

static enum rl_status enable(struct window *window, uint32_t count, struct rl_err *err)
{
    enum rl_status status = RL_OK;
    assert(window->enabled == 0 && window->pass + count <= window->sets->numSets);
    for (uint32_t s = 0; s < count && status == RL_OK; s++) {
        status = RL_EVENT(err, cuptiEventGroupSetEnable, &window->sets->sets[window->pass + s]);
        window->enabled += status == RL_OK;
    }
    return status;
}

static enum rl_status disable(struct window *window, struct rl_err *err)
{
    enum rl_status status = RL_OK;
    for (; window->enabled > 0; window->enabled--) {
        const enum rl_status one = RL_EVENT(status == RL_OK ? err : NULL, cuptiEventGroupSetDisable,
                                            &window->sets->sets[window->pass + window->enabled - 1]);
        window->left = window->left || one != RL_OK;
        status = status == RL_OK ? one : status;
    }
    return status;
}

/* Reads what is enabled into the range, and disables it. */
static enum rl_status take(struct window *window, size_t range, struct rl_err *err)
{
    assert(range < window->max_ranges);
    enum rl_status status = window->enabled ? RL_OK : rl_err_set(err, RL_FAILED, "no events were enabled");
    for (uint32_t s = 0; s < window->enabled && status == RL_OK; s++)
        status = rl_event_read_set(window->plan, &window->sets->sets[window->pass + s],
                                   window->raw + range * window->plan->event_count, err);
    window->passes[range] += status == RL_OK ? window->enabled : 0;
    const enum rl_status disabled = disable(window, status == RL_OK ? err : NULL);
    return status == RL_OK ? disabled : status;
}

/* ---- launches ---- */

/* A launch is a range. What fails here is told when the window ends. */
static void on_launch(void *data, bool before)
{
    struct window *window = data;
    if (window->status != RL_OK)
        return;
    if (before && window->range == window->max_ranges) {
        window->dropped++;
    } else if (before) {
        window->status = wait_for_context(&window->err);
        if (window->status == RL_OK)
            window->status = enable(window, 1, &window->err);
    } else if (window->enabled) {
        window->status = wait_for_context(&window->err);
        if (window->status == RL_OK)
            window->status = take(window, window->range++, &window->err);
    }
}

/* ---- a window ---- */

/* Every instance of a unit counts, where the hardware can. */
static enum rl_status count_everywhere(const struct rl_event_sets *sets, struct rl_err *err)
{
    enum rl_status status = RL_OK;
    for (uint32_t s = 0; s < sets->numSets; s++)
        for (uint32_t g = 0; g < sets->sets[s].numEventGroups && status == RL_OK; g++) {
            uint32_t all = 1;
            status = RL_EVENT(err, cuptiEventGroupSetAttribute, sets->sets[s].eventGroups[g], RL_EVENT_GROUP_ALL_INSTANCES,
                              sizeof all, &all);
        }
    return status;
}

static enum rl_status begin_mode(struct rl_range_profiler *profiler, struct window *window, enum rl_range_mode mode,
                                 struct rl_err *err)
{
    if (mode == RL_RANGE_MARKED && window->sets->numSets != 1)
        return rl_err_set(err, RL_UNSUPPORTED, "counter configuration '%s' takes %u passes", profiler->config->name,
                          window->sets->numSets);
    if (mode == RL_RANGE_REPLAYED) {
        enum rl_status status = RL_EVENT(err, cuptiEnableKernelReplayMode, profiler->context);
        window->replays = status == RL_OK;
        return status == RL_OK ? enable(window, window->sets->numSets, err) : status;
    }
    enum rl_status status = RL_EVENT(err, cuptiSetEventCollectionMode, profiler->context, RL_EVENT_MODE_KERNEL);
    if (status == RL_OK && mode == RL_RANGE_LAUNCHES) {
        status = rl_event_launches_begin(profiler->context, on_launch, window, err);
        window->listens = status == RL_OK;
    }
    return status;
}

enum rl_status rl_event_windows_begin(struct rl_range_profiler *profiler, enum rl_range_mode mode, struct rl_err *err)
{
    assert(!profiler->object && (mode != RL_RANGE_REPLAYED || profiler->max_ranges == 1));
    struct window *window = rl_calloc(1, sizeof *window);
    profiler->object = window;
    window->plan = profiler->config->host;
    window->max_ranges = profiler->max_ranges;
    window->passes = rl_calloc(profiler->max_ranges, sizeof *window->passes);
    window->raw = rl_calloc(profiler->max_ranges * window->plan->event_count, sizeof *window->raw);
    enum rl_status status = rl_event_plan_sets(window->plan, &window->sets, err);
    if (status == RL_OK)
        status = count_everywhere(window->sets, err);
    return status == RL_OK ? begin_mode(profiler, window, mode, err) : status;
}

enum rl_status rl_event_windows_push(struct rl_range_profiler *profiler, const char *name, struct rl_err *err)
{
    struct window *window = profiler->object;
    enum rl_status status = rl_range_number(profiler, name, &window->range, err);
    return status == RL_OK ? enable(window, 1, err) : status;
}

enum rl_status rl_event_windows_pop(struct rl_range_profiler *profiler, struct rl_err *err)
{
    struct window *window = profiler->object;
    return take(window, window->range, err);
}

enum rl_status rl_event_windows_next(struct rl_range_profiler *profiler, bool *again, struct rl_err *err)
{
    struct window *window = profiler->object;
    *again = window->listens && window->status == RL_OK && window->pass + 1 < window->sets->numSets;
    if (*again) {
        window->pass++;
        window->range = 0;
    }
    return window->status == RL_OK ? RL_OK : rl_err_set(err, window->status, "%s", window->err.text);
}

static void evaluate(const struct rl_range_profiler *profiler, const struct window *window, struct rl_value *values)
{
    for (size_t r = 0; r < window->max_ranges; r++)
        if (window->passes[r] == window->sets->numSets)
            rl_event_evaluate(window->plan, window->raw + r * window->plan->event_count,
                              values + r * profiler->config->counter_count);
}

enum rl_status rl_event_windows_end(struct rl_range_profiler *profiler, struct rl_value *values, struct rl_err *err)
{
    struct window *window = profiler->object;
    enum rl_status status = window->status == RL_OK ? RL_OK : rl_err_set(err, window->status, "%s", window->err.text);
    if (status == RL_OK && window->replays)
        status = take(window, 0, err);
    if (status == RL_OK && window->listens && window->pass + 1 < window->sets->numSets)
        status = rl_err_set(err, RL_FAILED, "counter configuration '%s' needs more passes than were made", profiler->config->name);
    if (status == RL_OK)
        evaluate(profiler, window, values);
    if (status == RL_OK && window->dropped)
        status = rl_err_set(err, RL_FAILED, "the counters of %zu launches were dropped", window->dropped);
    return status;
}

void rl_event_windows_drop(struct rl_range_profiler *profiler)
{
    struct window *window = profiler->object;
    if (!window)
        return;
    if (window->listens)
        rl_event_launches_end();
    (void)disable(window, NULL);
    if (window->replays || window->left) /* ends whatever is enabled in the context, too */
        (void)rl_event.cuptiDisableKernelReplayMode(profiler->context);
    if (window->sets)
        (void)rl_event.cuptiEventGroupSetsDestroy(window->sets);
    free(window->passes);
    free(window->raw);
    free(window);
    profiler->object = NULL;
}
