/* nvml.c - NVML, opened at run time. */
#include "nvml.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

#include "core/mem.h"

typedef struct rl_nvml_device_ *rl_nvml_device;
struct rl_nvml_utilization {
    unsigned gpu, memory;
}; /* percent */
struct rl_nvml_memory {
    unsigned long long total, free, used;
}; /* bytes */
struct rl_nvml_process {
    unsigned pid;
    unsigned long long used;
    unsigned gpu_instance, compute_instance;
};

/* Values of NVML's enumerations, by their names there. */
enum {
    NVML_CLOCK_SM = 1,
    NVML_CLOCK_MEM = 2,
    NVML_TEMPERATURE_GPU = 0,
    NVML_MEMORY_ERROR_TYPE_UNCORRECTED = 1,
    NVML_VOLATILE_ECC = 0,
    NVML_ERROR_INSUFFICIENT_SIZE = 7
};

static struct {
#define NVML_FUNCTION(name, parameters) int(*name) parameters;
#include "nvml_api.def"
#undef NVML_FUNCTION
} nvml;

static struct {
    pthread_once_t once;
    enum rl_status status;
    char driver[80];
} state = {.once = PTHREAD_ONCE_INIT};

static void open_once(void)
{
    state.status = RL_ABSENT;
    void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return;
    void *symbol;
#define NVML_FUNCTION(name, parameters)                                                                                            \
    symbol = dlsym(library, #name);                                                                                                \
    memcpy(&nvml.name, &symbol, sizeof symbol);
#include "nvml_api.def"
#undef NVML_FUNCTION
    if (!nvml.nvmlInit_v2 || !nvml.nvmlDeviceGetHandleByUUID || nvml.nvmlInit_v2() != 0)
        return;
    state.status = RL_OK;
    if (nvml.nvmlSystemGetDriverVersion && nvml.nvmlSystemGetDriverVersion(state.driver, sizeof state.driver) != 0)
        state.driver[0] = '\0';
}

enum rl_status rl_nvml_open(struct rl_err *err)
{
    pthread_once(&state.once, open_once);
    if (state.status != RL_OK)
        return rl_err_set(err, state.status, "libnvidia-ml.so.1 cannot be used: clocks, temperature and power are not recorded");
    return RL_OK;
}

const char *rl_nvml_driver_version(void)
{
    return state.driver;
}

/* The device of a UUID; false when NVML or the device is not there. */
static bool find_device(const char *uuid, rl_nvml_device *device)
{
    return uuid && rl_nvml_open(NULL) == RL_OK && nvml.nvmlDeviceGetHandleByUUID(uuid, device) == 0;
}

/* One query: calls `call` when `function` was found, and stores `number` scaled on success. */
#define QUERY(target, function, call, number)                                                                                      \
    do {                                                                                                                           \
        if (nvml.function && nvml.function call == 0)                                                                              \
            (target) = rl_value_of(number);                                                                                        \
        else                                                                                                                       \
            (target) = rl_value_missing(RL_NOT_COLLECTED, "not told by the driver");                                               \
    } while (0)

static const double MHZ = 1e6, MILLIWATT = 1e-3;

void rl_nvml_facts(const char *uuid, struct rl_value facts[RL_FACT_COUNT])
{
    rl_nvml_device device;
    unsigned number = 0, pending = 0;
    int mode = 0, next = 0;
    unsigned long long errors = 0;
    if (!find_device(uuid, &device))
        return;
    QUERY(facts[RL_FACT_sm_clock_max_hz], nvmlDeviceGetMaxClockInfo, (device, NVML_CLOCK_SM, &number), number * MHZ);
    QUERY(facts[RL_FACT_memory_clock_max_hz], nvmlDeviceGetMaxClockInfo, (device, NVML_CLOCK_MEM, &number), number * MHZ);
    QUERY(facts[RL_FACT_sm_clock_application_hz], nvmlDeviceGetApplicationsClock, (device, NVML_CLOCK_SM, &number), number * MHZ);
    QUERY(facts[RL_FACT_memory_bus_bits], nvmlDeviceGetMemoryBusWidth, (device, &number), number);
    QUERY(facts[RL_FACT_power_limit_w], nvmlDeviceGetEnforcedPowerLimit, (device, &number), number * MILLIWATT);
    QUERY(facts[RL_FACT_ecc_enabled], nvmlDeviceGetEccMode, (device, &mode, &next), mode);
    QUERY(facts[RL_FACT_ecc_errors_uncorrected], nvmlDeviceGetTotalEccErrors,
          (device, NVML_MEMORY_ERROR_TYPE_UNCORRECTED, NVML_VOLATILE_ECC, &errors), (double)errors);
    QUERY(facts[RL_FACT_mig_enabled], nvmlDeviceGetMigMode, (device, &number, &pending), number);
    QUERY(facts[RL_FACT_persistence_enabled], nvmlDeviceGetPersistenceMode, (device, &mode), mode);
    QUERY(facts[RL_FACT_pcie_generation], nvmlDeviceGetCurrPcieLinkGeneration, (device, &number), number);
    QUERY(facts[RL_FACT_pcie_width], nvmlDeviceGetCurrPcieLinkWidth, (device, &number), number);
}

/* Compute processes on the card, ours included. */
static struct rl_value process_count(rl_nvml_device device)
{
    unsigned count = 0;
    int result =
        nvml.nvmlDeviceGetComputeRunningProcesses_v3 ? nvml.nvmlDeviceGetComputeRunningProcesses_v3(device, &count, NULL) : -1;
    if (result == 0 || result == NVML_ERROR_INSUFFICIENT_SIZE)
        return rl_value_of(count);
    return rl_value_missing(RL_NOT_COLLECTED, "not told by the driver");
}

void rl_nvml_readings(const char *uuid, struct rl_value readings[RL_READING_COUNT])
{
    rl_nvml_device device;
    unsigned number = 0;
    int level = 0;
    unsigned long long reasons = 0;
    struct rl_nvml_utilization utilization = {0};
    struct rl_nvml_memory memory = {0};
    if (!find_device(uuid, &device))
        return;
    QUERY(readings[RL_READING_sm_clock_hz], nvmlDeviceGetClockInfo, (device, NVML_CLOCK_SM, &number), number * MHZ);
    QUERY(readings[RL_READING_memory_clock_hz], nvmlDeviceGetClockInfo, (device, NVML_CLOCK_MEM, &number), number * MHZ);
    QUERY(readings[RL_READING_temperature_c], nvmlDeviceGetTemperature, (device, NVML_TEMPERATURE_GPU, &number), number);
    QUERY(readings[RL_READING_power_w], nvmlDeviceGetPowerUsage, (device, &number), number * MILLIWATT);
    QUERY(readings[RL_READING_throttle_reasons], nvmlDeviceGetCurrentClocksThrottleReasons, (device, &reasons), (double)reasons);
    QUERY(readings[RL_READING_performance_state], nvmlDeviceGetPerformanceState, (device, &level), level);
    QUERY(readings[RL_READING_utilization], nvmlDeviceGetUtilizationRates, (device, &utilization), utilization.gpu / 100.0);
    QUERY(readings[RL_READING_memory_used_bytes], nvmlDeviceGetMemoryInfo, (device, &memory), (double)memory.used);
    readings[RL_READING_process_count] = process_count(device);
}
