/* probe.c - what works on this machine, for `doctor`. Each check says what was found and what to do about it. */
#include <cuda_runtime_api.h>

#include "kernels/driver.h"
#include "nvml.h"
#include "session.h"

struct list {
    struct rl_probe_check *checks;
    size_t count, max;
};

static void add(struct list *list, const char *name, enum rl_status status, const char *detail, const char *advice)
{
    if (list->count >= list->max)
        return;
    struct rl_probe_check *check = &list->checks[list->count++];
    check->name = name;
    check->status = status;
    snprintf(check->detail, sizeof check->detail, "%s", detail);
    snprintf(check->advice, sizeof check->advice, "%s", advice);
}

enum { MOST_GPUS = 16 };

static bool probe_driver(struct list *list)
{
    int version = rl_driver_version();
    char detail[160];
    const char *driver = rl_nvml_open(NULL) == RL_OK && *rl_nvml_driver_version() ? rl_nvml_driver_version() : "version unknown";
    const struct rl_driver_check check = rl_driver_check(version, CUDART_VERSION);
    snprintf(detail, sizeof detail, "%s, CUDA %d.%d", driver, version / 1000, version % 1000 / 10);
    add(list, "driver", check.status, check.status == RL_ABSENT ? check.found : detail, check.advice);
    return check.status == RL_OK;
}

/* Looks at the GPUs; `cc` gets the compute capability of each, as far as it has room. */
static int probe_gpus(struct list *list, int only, int cc[MOST_GPUS])
{
    struct rl_err err = RL_ERR_INIT;
    int count = 0;
    if (rl_device_count(&count, &err) != RL_OK || count == 0) {
        add(list, "GPU", RL_ABSENT, *err.text ? err.text : "no CUDA device",
            "check `nvidia-smi` and CUDA_VISIBLE_DEVICES; in a container start it with --gpus all");
        return 0;
    }
    for (int i = 0; i < count; i++) {
        struct cudaDeviceProp p;
        char detail[256];
        if (only >= 0 && i != only)
            continue;
        if (cudaGetDeviceProperties(&p, i) != cudaSuccess) {
            add(list, "GPU", RL_FAILED, "its properties cannot be read", "check `nvidia-smi`");
            continue;
        }
        snprintf(detail, sizeof detail, "%d: %.120s, compute capability %d.%d, %d SMs, %zu GB", i, p.name, p.major, p.minor,
                 p.multiProcessorCount, p.totalGlobalMem / 1000000000);
        if (i < MOST_GPUS)
            cc[i] = 10 * p.major + p.minor;
        add(list, "GPU", RL_OK, detail, "");
    }
    return count;
}

static bool probe_cupti(struct list *list)
{
    struct rl_err err = RL_ERR_INIT;
    const char *path = "";
    char detail[256];
    if (rl_cupti_open(&path, &err) != RL_OK) {
        add(list, "CUPTI", RL_ABSENT, err.text,
            "install the CUDA toolkit: 12.6 or newer for Turing and newer GPUs, 12 or older for others; or name the folder of "
            "libcupti.so in ROOFLIGHT_CUPTI_DIR");
        return false;
    }
    snprintf(detail, sizeof detail, "%s, %s, %zu chips", rl_cupti_version(), path, rl_cupti_chips(NULL, 0));
    add(list, "CUPTI", RL_OK, detail, "");
    return true;
}

/* Which back end takes the counters of a GPU, and why not another. */
static void probe_backend(struct list *list, int gpu, int cc)
{
    const struct rl_backend_library *library = rl_cupti_library(cc);
    RL_SCRATCH detail = RL_BUF_INIT;
    rl_buf_addf(&detail, "GPU %d: ", gpu);
    const enum rl_status status = rl_backend_tell(library, cc, &detail);
    add(list, "back end", status, detail.data,
        status == RL_OK ? ""
                        : "install a CUDA toolkit that serves the GPU next to this one, or name the folder of its libcupti.so in "
                          "ROOFLIGHT_CUPTI_DIR; until then times, static occupancy and the work model");
}

/* Which back ends there are for the GPUs, and whether the counters of one can be read. */
static void probe_counting(struct list *list, int gpu, int gpus, const int cc[MOST_GPUS])
{
    const int counted = gpu >= 0 ? gpu : 0;
    if (counted < MOST_GPUS)
        rl_cupti_wish(cc[counted], NULL);
    if (!probe_cupti(list))
        return;
    for (int i = 0; i < gpus && i < MOST_GPUS; i++)
        if (cc[i])
            probe_backend(list, i, cc[i]);
    if (counted < gpus) {
        /* Opens the profiler on the device as a measurement would. */
        struct rl_err err = RL_ERR_INIT;
        struct rl_range_profiler profiler = {0};
        CUcontext context = NULL;
        void *stream = NULL;
        int sm_count = 0;
        char detail[256] = "";
        enum rl_status status = rl_device_open(counted, &stream, &sm_count, &err);
        RL_THEN(status, rl_current_context(&context, &err));
        RL_THEN(status, rl_backend_choose(rl_device_cc(counted), NULL, &err));
        RL_THEN(status, rl_range_open(&profiler, context, counted, &err));
        if (status == RL_OK) {
            snprintf(detail, sizeof detail, "GPU %d (%s): readable", counted, profiler.chip);
            add(list, "counters", RL_OK, detail, "");
        } else {
            snprintf(detail, sizeof detail, "GPU %d: not readable; times, static occupancy and the work model are", counted);
            add(list, "counters", status, detail, err.text);
        }
        rl_range_close(&profiler);
        if (stream)
            rl_device_close(stream);
    }
}

size_t rl_collector_probe(int gpu, struct rl_probe_check *checks, size_t max)
{
    struct list list = {checks, 0, max};
    struct rl_err err = RL_ERR_INIT;
    bool driver = probe_driver(&list);
    int cc[MOST_GPUS] = {0};
    int gpus = driver ? probe_gpus(&list, gpu, cc) : 0;
    probe_counting(&list, gpu, gpus, cc);
    if (driver) {
        enum rl_status nvml = rl_nvml_open(&err);
        add(&list, "NVML", nvml, nvml == RL_OK ? "clocks, temperature and power can be read" : err.text,
            nvml == RL_OK ? "" : "install libnvidia-ml.so.1 (part of the driver's packages)");
    }
    return list.count;
}
