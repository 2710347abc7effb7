/* nvml.c - NVML, opened at run time. */
#include "nvml.h"

#include <dlfcn.h>
#include <pthread.h>

#include "nvml_api.h"

/* Values of NVML's enumerations, by their names there. */
enum {
    NVML_CLOCK_SM = 1,
    NVML_CLOCK_MEM = 2,
    NVML_TEMPERATURE_GPU = 0,
    NVML_MEMORY_ERROR_TYPE_UNCORRECTED = 1,
    NVML_VOLATILE_ECC = 0,
    NVML_ERROR_INSUFFICIENT_SIZE = 7
};

struct rl_nvml_functions rl_nvml;

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
    memcpy(&rl_nvml.name, &symbol, sizeof symbol);
#include "nvml_api.def"
    if (!rl_nvml.nvmlInit_v2 || !rl_nvml.nvmlDeviceGetHandleByUUID || rl_nvml.nvmlInit_v2() != 0)
        return;
    state.status = RL_OK;
    if (rl_nvml.nvmlSystemGetDriverVersion && rl_nvml.nvmlSystemGetDriverVersion(state.driver, sizeof state.driver) != 0)
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

bool rl_nvml_find(const char *uuid, rl_nvml_device *device)
{
    return uuid && rl_nvml_open(NULL) == RL_OK && rl_nvml.nvmlDeviceGetHandleByUUID(uuid, device) == 0;
}

static const double MHZ = 1e6, MILLIWATT = 1e-3;

void rl_nvml_facts(const char *uuid, struct rl_value facts[RL_FACT_COUNT])
{
    rl_nvml_device device;
    unsigned number = 0, pending = 0;
    int mode = 0, next = 0;
    unsigned long long errors = 0;
    if (!rl_nvml_find(uuid, &device))
        return;
    RL_NVML_QUERY(facts[RL_FACT_sm_clock_max_hz], nvmlDeviceGetMaxClockInfo, (device, NVML_CLOCK_SM, &number), number * MHZ);
    RL_NVML_QUERY(facts[RL_FACT_memory_clock_max_hz], nvmlDeviceGetMaxClockInfo, (device, NVML_CLOCK_MEM, &number), number * MHZ);
    RL_NVML_QUERY(facts[RL_FACT_sm_clock_application_hz], nvmlDeviceGetApplicationsClock, (device, NVML_CLOCK_SM, &number),
                  number * MHZ);
    RL_NVML_QUERY(facts[RL_FACT_memory_bus_bits], nvmlDeviceGetMemoryBusWidth, (device, &number), number);
    RL_NVML_QUERY(facts[RL_FACT_power_limit_w], nvmlDeviceGetEnforcedPowerLimit, (device, &number), number * MILLIWATT);
    RL_NVML_QUERY(facts[RL_FACT_ecc_enabled], nvmlDeviceGetEccMode, (device, &mode, &next), mode);
    RL_NVML_QUERY(facts[RL_FACT_ecc_errors_uncorrected], nvmlDeviceGetTotalEccErrors,
                  (device, NVML_MEMORY_ERROR_TYPE_UNCORRECTED, NVML_VOLATILE_ECC, &errors), (double)errors);
    RL_NVML_QUERY(facts[RL_FACT_mig_enabled], nvmlDeviceGetMigMode, (device, &number, &pending), number);
    RL_NVML_QUERY(facts[RL_FACT_persistence_enabled], nvmlDeviceGetPersistenceMode, (device, &mode), mode);
    RL_NVML_QUERY(facts[RL_FACT_pcie_generation], nvmlDeviceGetCurrPcieLinkGeneration, (device, &number), number);
    RL_NVML_QUERY(facts[RL_FACT_pcie_width], nvmlDeviceGetCurrPcieLinkWidth, (device, &number), number);
}

/* Compute processes on the GPU, ours included. */
static struct rl_value process_count(rl_nvml_device device)
{
    unsigned count = 0;
    int result = rl_nvml.nvmlDeviceGetComputeRunningProcesses_v3
                     ? rl_nvml.nvmlDeviceGetComputeRunningProcesses_v3(device, &count, NULL)
                     : -1;
    if (result == 0 || result == NVML_ERROR_INSUFFICIENT_SIZE)
        return rl_value_of(count);
    return rl_value_missing(RL_NOT_COLLECTED, "the driver does not report it");
}

void rl_nvml_readings(const char *uuid, struct rl_value readings[RL_READING_COUNT])
{
    rl_nvml_device device;
    unsigned number = 0;
    int level = 0;
    unsigned long long reasons = 0;
    struct rl_nvml_utilization utilization = {0};
    struct rl_nvml_memory memory = {0};
    if (!rl_nvml_find(uuid, &device))
        return;
    RL_NVML_QUERY(readings[RL_READING_sm_clock_hz], nvmlDeviceGetClockInfo, (device, NVML_CLOCK_SM, &number), number * MHZ);
    RL_NVML_QUERY(readings[RL_READING_memory_clock_hz], nvmlDeviceGetClockInfo, (device, NVML_CLOCK_MEM, &number), number * MHZ);
    RL_NVML_QUERY(readings[RL_READING_temperature_c], nvmlDeviceGetTemperature, (device, NVML_TEMPERATURE_GPU, &number), number);
    RL_NVML_QUERY(readings[RL_READING_power_w], nvmlDeviceGetPowerUsage, (device, &number), number * MILLIWATT);
    RL_NVML_QUERY(readings[RL_READING_throttle_reasons], nvmlDeviceGetCurrentClocksThrottleReasons, (device, &reasons),
                  (double)reasons);
    RL_NVML_QUERY(readings[RL_READING_performance_state], nvmlDeviceGetPerformanceState, (device, &level), level);
    RL_NVML_QUERY(readings[RL_READING_utilization], nvmlDeviceGetUtilizationRates, (device, &utilization), utilization.gpu / 100.0);
    RL_NVML_QUERY(readings[RL_READING_memory_used_bytes], nvmlDeviceGetMemoryInfo, (device, &memory), (double)memory.used);
    readings[RL_READING_process_count] = process_count(device);
}
