/* facts.c - device attributes, versions, host. */
#include "session.h"

#include <cuda_runtime_api.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "nvml.h"

/* Facts that are CUDA device attributes, with the factor to the base unit. */
static const struct {
    enum rl_fact_id fact;
    enum cudaDeviceAttr attribute;
    double factor;
} attributes[] = {
    {RL_FACT_sm_count, cudaDevAttrMultiProcessorCount, 1},
    {RL_FACT_warp_size, cudaDevAttrWarpSize, 1},
    {RL_FACT_max_threads_per_sm, cudaDevAttrMaxThreadsPerMultiProcessor, 1},
    {RL_FACT_max_blocks_per_sm, cudaDevAttrMaxBlocksPerMultiprocessor, 1},
    {RL_FACT_max_threads_per_block, cudaDevAttrMaxThreadsPerBlock, 1},
    {RL_FACT_registers_per_sm, cudaDevAttrMaxRegistersPerMultiprocessor, 1},
    {RL_FACT_registers_per_block, cudaDevAttrMaxRegistersPerBlock, 1},
    {RL_FACT_shared_bytes_per_sm, cudaDevAttrMaxSharedMemoryPerMultiprocessor, 1},
    {RL_FACT_shared_bytes_per_block, cudaDevAttrMaxSharedMemoryPerBlock, 1},
    {RL_FACT_shared_bytes_per_block_optin, cudaDevAttrMaxSharedMemoryPerBlockOptin, 1},
    {RL_FACT_shared_bytes_reserved_per_block, cudaDevAttrReservedSharedMemoryPerBlock, 1},
    {RL_FACT_l2_bytes, cudaDevAttrL2CacheSize, 1},
    {RL_FACT_memory_bus_bits, cudaDevAttrGlobalMemoryBusWidth, 1},
    {RL_FACT_memory_clock_max_hz, cudaDevAttrMemoryClockRate, 1e3}, /* the attribute is in kHz */
    {RL_FACT_sm_clock_max_hz, cudaDevAttrClockRate, 1e3},
    {RL_FACT_cooperative_launch, cudaDevAttrCooperativeLaunch, 1},
};

/* "GPU-32c2c9da-b215-efca-7272-53d7e7dbc292", as nvidia-smi prints it. */
const char *rl_facts_uuid(const unsigned char b[16], char text[RL_UUID_TEXT])
{
    snprintf(text, RL_UUID_TEXT, "GPU-%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", b[0], b[1], b[2], b[3],
             b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]);
    return text;
}

enum rl_status rl_facts_gpu(struct rl_capture *capture, struct rl_gpu *gpu, int device, struct rl_err *err)
{
    assert(device >= 0);
    struct cudaDeviceProp properties;
    cudaError_t result = cudaGetDeviceProperties(&properties, device);
    if (result != cudaSuccess)
        return rl_err_set(err, RL_FAILED, "GPU %d: its properties cannot be read: %s", device, cudaGetErrorString(result));
    char uuid[RL_UUID_TEXT];
    rl_facts_uuid((const unsigned char *)properties.uuid.bytes, uuid);
    gpu->index = device;
    gpu->name = rl_capture_text(capture, properties.name);
    gpu->uuid = rl_capture_text(capture, uuid);
    gpu->cc_major = properties.major;
    gpu->cc_minor = properties.minor;
    gpu->fact[RL_FACT_memory_bytes] = rl_value_of((double)properties.totalGlobalMem);
    for (size_t i = 0; i < RL_COUNT(attributes); i++) {
        int number = 0;
        if (cudaDeviceGetAttribute(&number, attributes[i].attribute, device) == cudaSuccess)
            gpu->fact[attributes[i].fact] = rl_value_of(number * attributes[i].factor);
    }
    rl_facts_of_card(gpu);
    return RL_OK;
}

void rl_facts_of_card(struct rl_gpu *gpu)
{
    /* /proc/driver/nvidia/params says whether counters are for administrators only. */
    FILE *file = fopen("/proc/driver/nvidia/params", "re");
    char line[256];
    int flag;
    struct rl_value value = rl_value_missing(RL_NOT_COLLECTED, "the driver does not report it");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "RmProfilingAdminOnly: %d", &flag) == 1)
            value = rl_value_of(flag);
    if (file)
        fclose(file);
    gpu->fact[RL_FACT_counters_admin_only] = value;
    rl_nvml_facts(gpu->uuid, gpu->fact);
}

void rl_facts_attribute(struct rl_gpu *gpu, int attribute, int value)
{
    for (size_t i = 0; i < RL_COUNT(attributes); i++)
        if ((int)attributes[i].attribute == attribute) /* both enumerations have the same numbers */
            gpu->fact[attributes[i].fact] = rl_value_of(value * attributes[i].factor);
}

/* "13.0" from CUDA's 13000; NULL for 0 (none). */
static char *cuda_version_text(struct rl_capture *capture, int version)
{
    return version ? rl_arena_printf(&capture->arena, "%d.%d", version / 1000, version % 1000 / 10) : NULL;
}

void rl_facts_host(struct rl_capture *capture)
{
    struct rl_session *session = &capture->session;
    char host[256] = "";
    struct utsname system;
    if (gethostname(host, sizeof host - 1) == 0 && host[0])
        session->host = rl_capture_text(capture, host);
    if (uname(&system) == 0)
        session->os = rl_arena_printf(&capture->arena, "%s %s %s", system.sysname, system.release, system.machine);
    if (rl_nvml_open(NULL) == RL_OK && *rl_nvml_driver_version())
        session->driver = rl_capture_text(capture, rl_nvml_driver_version());
}

void rl_facts_session(struct rl_capture *capture)
{
    struct rl_session *session = &capture->session;
    time_t now = time(NULL);
    struct tm utc;
    char text[32];
    gmtime_r(&now, &utc);
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    session->started = rl_capture_text(capture, text);
    rl_facts_host(capture);
    int driver = 0, runtime = 0;
    (void)cudaDriverGetVersion(&driver);
    (void)cudaRuntimeGetVersion(&runtime);
    session->cuda_driver = cuda_version_text(capture, driver);
    session->cuda_runtime = cuda_version_text(capture, runtime);
    if (rl_cupti_open(NULL, NULL) == RL_OK)
        session->cupti = rl_capture_text(capture, rl_cupti_version());
}

void rl_facts_moment(struct rl_capture *capture, size_t gpu, const char *moment, int64_t at_ns)
{
    struct rl_gpu_moment *now = rl_capture_add_moment(capture, gpu);
    now->moment = rl_capture_text(capture, moment);
    now->at_ns = at_ns;
    rl_nvml_readings(capture->gpus[gpu].uuid, now->reading);
}
