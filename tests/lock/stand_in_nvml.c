/* stand_in_nvml.c - a libnvidia-ml.so.1 that writes down, in the file $STAND_IN_NVML_LOG, which clocks were locked and set free,
 * and does nothing else. $STAND_IN_NVML_REFUSES, CALL=CODE, makes one of the four calls fail with that code. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define API __attribute__((visibility("default")))

enum { SUCCESS = 0, INVALID_ARGUMENT = 2, NOT_FOUND = 6, MEMORY = 2, MEMORY_MHZ = 3201 };

API int nvmlInit_v2(void);
API int nvmlDeviceGetHandleByUUID(const char *uuid, void **device);
API int nvmlDeviceGetMaxClockInfo(void *device, int type, unsigned *mhz);
API int nvmlDeviceSetGpuLockedClocks(void *device, unsigned low, unsigned high);
API int nvmlDeviceResetGpuLockedClocks(void *device);
API int nvmlDeviceSetMemoryLockedClocks(void *device, unsigned low, unsigned high);
API int nvmlDeviceResetMemoryLockedClocks(void *device);

static int card;

int nvmlInit_v2(void)
{
    return SUCCESS;
}

int nvmlDeviceGetHandleByUUID(const char *uuid, void **device)
{
    *device = &card;
    return strcmp(uuid, "GPU-00010203-0405-0607-0809-0a0b0c0d0e0f") == 0 ? SUCCESS : NOT_FOUND;
}

int nvmlDeviceGetMaxClockInfo(void *device, int type, unsigned *mhz)
{
    *mhz = MEMORY_MHZ;
    return device == &card && type == MEMORY ? SUCCESS : INVALID_ARGUMENT;
}

/* One line, in one write: several processes may append. */
static int note(const char *call, const char *values)
{
    const char *path = getenv("STAND_IN_NVML_LOG"), *refuses = getenv("STAND_IN_NVML_REFUSES");
    const size_t length = strlen(call);
    if (refuses && strncmp(refuses, call, length) == 0 && refuses[length] == '=')
        return (int)strtol(refuses + length + 1, NULL, 10);
    char line[128];
    const int count = snprintf(line, sizeof line, "%s%s\n", call, values);
    const int fd = path ? open(path, O_WRONLY | O_APPEND | O_CREAT, 0600) : -1;
    if (fd < 0 || write(fd, line, (size_t)count) != count)
        abort();
    close(fd);
    return SUCCESS;
}

static int note_pair(const char *call, unsigned low, unsigned high)
{
    char values[64];
    snprintf(values, sizeof values, " %u %u", low, high);
    return note(call, values);
}

int nvmlDeviceSetGpuLockedClocks(void *device, unsigned low, unsigned high)
{
    return device == &card ? note_pair("lock_sm", low, high) : INVALID_ARGUMENT;
}

int nvmlDeviceResetGpuLockedClocks(void *device)
{
    return device == &card ? note("free_sm", "") : INVALID_ARGUMENT;
}

int nvmlDeviceSetMemoryLockedClocks(void *device, unsigned low, unsigned high)
{
    return device == &card ? note_pair("lock_memory", low, high) : INVALID_ARGUMENT;
}

int nvmlDeviceResetMemoryLockedClocks(void *device)
{
    return device == &card ? note("free_memory", "") : INVALID_ARGUMENT;
}
