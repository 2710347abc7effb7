/* nvml_api.h - NVML's functions as they were found at run time, for the files that call them (nvml.c, nvml_link.c, lock.c). */
#pragma once

#include <stdbool.h>

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
struct rl_nvml_pci {
    char legacy_id[16];
    unsigned domain, bus, device, device_id, subsystem_id;
    char id[32];
};
struct rl_nvml_field {
    unsigned id, scope;
    long long at, latency;
    int type, result;
    union {
        double real;
        unsigned number;
        unsigned long long large;
    } value;
};

struct rl_nvml_functions {
#define NVML_FUNCTION(name, parameters) int(*name) parameters;
#include "nvml_api.def"
};
/* NULL where the library has no such function; all of them before rl_nvml_open. */
extern struct rl_nvml_functions rl_nvml;

/* The device of a UUID; false when NVML or the device is not there. */
bool rl_nvml_find(const char *uuid, rl_nvml_device *device);

/* One query: calls `call` when `function` was found, and stores `number` scaled on success. */
#define RL_NVML_QUERY(target, function, call, number)                                                                              \
    do {                                                                                                                           \
        if (rl_nvml.function && rl_nvml.function call == 0)                                                                        \
            (target) = rl_value_of(number);                                                                                        \
        else                                                                                                                       \
            (target) = rl_value_missing(RL_NOT_COLLECTED, "the driver does not report it");                                        \
    } while (0)
