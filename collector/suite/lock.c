#include "lock.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/child.h"
#include "kernels/driver.h"
#include "nvml.h"
#include "nvml_api.h"
#include "session.h"

/* Values of NVML's enumerations, by their names there. */
enum {
    NVML_CLOCK_MEM = 2,
    NVML_ERROR_INVALID_ARGUMENT = 2,
    NVML_ERROR_NOT_SUPPORTED = 3,
    NVML_ERROR_NO_PERMISSION = 4,
    NVML_ERROR_FREQ_NOT_SUPPORTED = 24
};
static const unsigned NVML_CLOCK_LIMIT_ID_TDP = 0xffffff01u; /* in place of a clock: the base clock */

/* Messages of the keeper: one when it has locked or could not, once when it has set free or could not. */
struct answer {
    int status; /* enum rl_status */
    double memory_hz;
    struct rl_err err;
};

struct keeper {
    int gpu, mhz;
    char uuid[RL_UUID_TEXT];
    rl_nvml_device device;
    struct answer answer;
};

/* The UUID that belongs to a CUDA ordinal: NVML counts GPUs in another order. */
static enum rl_status find_uuid(struct keeper *keeper, struct rl_err *err)
{
    void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!driver) {
        const struct rl_driver_check none = rl_driver_check(0, CUDA_VERSION);
        return rl_driver_err(&none, err);
    }
    CUresult (*init)(unsigned) = NULL, (*get)(CUdevice *, int) = NULL, (*uuid_of)(CUuuid *, CUdevice) = NULL;
    void *symbols[] = {dlsym(driver, "cuInit"), dlsym(driver, "cuDeviceGet"), dlsym(driver, "cuDeviceGetUuid_v2")};
    memcpy(&init, &symbols[0], sizeof init);
    memcpy(&get, &symbols[1], sizeof get);
    memcpy(&uuid_of, &symbols[2], sizeof uuid_of);
    CUdevice device = 0;
    CUuuid uuid;
    if (!init || !get || !uuid_of)
        return rl_err_set(err, RL_UNSUPPORTED, "the driver is too old to report the identity of GPU %d", keeper->gpu);
    if (init(0) != CUDA_SUCCESS)
        return rl_err_set(err, RL_ABSENT, "CUDA cannot be used here: 'rooflight doctor' says why");
    if (get(&device, keeper->gpu) != CUDA_SUCCESS || uuid_of(&uuid, device) != CUDA_SUCCESS)
        return rl_err_set(err, RL_USAGE, "there is no GPU %d", keeper->gpu);
    rl_facts_uuid((const unsigned char *)uuid.bytes, keeper->uuid);
    return RL_OK;
}

/* NVML's refusal of a clock, in the user's terms. */
static enum rl_status refused(const struct keeper *keeper, int code, struct rl_err *err)
{
    const int gpu = keeper->gpu;
    if (code == NVML_ERROR_NO_PERMISSION)
        return rl_err_set(
            err, RL_PERMISSION,
            "only root may lock clocks: run with sudo, or lock them with 'sudo nvidia-smi -i %s -lgc MHZ' before and free "
            "them with 'sudo nvidia-smi -i %s -rgc' after",
            keeper->uuid, keeper->uuid);
    if (code == NVML_ERROR_NOT_SUPPORTED)
        return rl_err_set(err, RL_UNSUPPORTED, "GPU %d cannot lock its clocks: that takes Volta or later, and no MIG or vGPU", gpu);
    if (code == NVML_ERROR_INVALID_ARGUMENT || code == NVML_ERROR_FREQ_NOT_SUPPORTED)
        return rl_err_set(err, RL_USAGE,
                          "GPU %d cannot lock its SM clock to %d MHz: 'nvidia-smi -q -d SUPPORTED_CLOCKS' lists what it can", gpu,
                          keeper->mhz);
    return rl_err_set(err, RL_FAILED, "GPU %d: NVML refuses to lock its clocks (error %d)", gpu, code);
}

static enum rl_status lock_clocks(struct keeper *keeper, struct rl_err *err)
{
    enum rl_status status = find_uuid(keeper, err);
    RL_THEN(status, rl_nvml_open(err));
    if (status != RL_OK)
        return status;
    if (!rl_nvml_find(keeper->uuid, &keeper->device))
        return rl_err_set(err, RL_UNSUPPORTED, "NVML does not know GPU %d (%s)", keeper->gpu, keeper->uuid);
    if (!rl_nvml.nvmlDeviceSetGpuLockedClocks || !rl_nvml.nvmlDeviceResetGpuLockedClocks)
        return rl_err_set(err, RL_UNSUPPORTED, "the driver is too old to lock clocks");
    const unsigned clock = keeper->mhz < 0 ? NVML_CLOCK_LIMIT_ID_TDP : (unsigned)keeper->mhz;
    int code = rl_nvml.nvmlDeviceSetGpuLockedClocks(keeper->device, clock, clock);
    if (code != 0)
        return refused(keeper, code, err);
    /* Memory at its highest clock, where the GPU lets it be locked at all. */
    unsigned mhz = 0;
    if (rl_nvml.nvmlDeviceSetMemoryLockedClocks && rl_nvml.nvmlDeviceResetMemoryLockedClocks && rl_nvml.nvmlDeviceGetMaxClockInfo &&
        rl_nvml.nvmlDeviceGetMaxClockInfo(keeper->device, NVML_CLOCK_MEM, &mhz) == 0 && mhz > 0 &&
        rl_nvml.nvmlDeviceSetMemoryLockedClocks(keeper->device, mhz, mhz) == 0)
        keeper->answer.memory_hz = 1e6 * mhz;
    return RL_OK;
}

static enum rl_status free_clocks(struct keeper *keeper, struct rl_err *err)
{
    int sm = rl_nvml.nvmlDeviceResetGpuLockedClocks(keeper->device), memory = 0;
    if (keeper->answer.memory_hz > 0)
        memory = rl_nvml.nvmlDeviceResetMemoryLockedClocks(keeper->device);
    if (sm == 0 && memory == 0)
        return RL_OK;
    return rl_err_set(err, RL_FAILED,
                      "the clocks of GPU %d are still locked (NVML error %d): free them with 'sudo nvidia-smi -i %s -rgc -rmc'",
                      keeper->gpu, sm ? sm : memory, keeper->uuid);
}

/* A starter that is gone hears nothing: the clocks are set free all the same. */
static void say(int fd, const struct answer *answer)
{
    assert(fd >= 0);
    ssize_t n;
    do
        n = send(fd, answer, sizeof *answer, MSG_NOSIGNAL);
    while (n < 0 && errno == EINTR);
}

static _Noreturn void keep(int gpu, int mhz, int hold, int answers)
{
    static const int polite[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGUSR1, SIGUSR2, SIGTSTP};
    struct keeper keeper = {.gpu = gpu, .mhz = mhz};
    prctl(PR_SET_NAME, "rooflight-clock");
    for (size_t i = 0; i < RL_COUNT(polite); i++)
        signal(polite[i], SIG_IGN);
    setsid();
    keeper.answer.status = (int)lock_clocks(&keeper, &keeper.answer.err);
    say(answers, &keeper.answer);
    if (keeper.answer.status == RL_OK) {
        char byte;
        for (ssize_t n = 1; n > 0 || (n < 0 && errno == EINTR);)
            n = read(hold, &byte, 1);
        keeper.answer.status = (int)free_clocks(&keeper, &keeper.answer.err);
        say(answers, &keeper.answer);
    }
    _exit(0);
}

static void close_end(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static bool hear(const struct rl_clock_lock *lock, struct answer *answer)
{
    assert(lock->keeper > 0 && lock->answers >= 0);
    ssize_t n;
    do
        n = recv(lock->answers, answer, sizeof *answer, MSG_WAITALL);
    while (n < 0 && errno == EINTR);
    return n == (ssize_t)sizeof *answer;
}

static void bury(struct rl_clock_lock *lock)
{
    close_end(&lock->hold);
    close_end(&lock->answers);
    if (lock->keeper > 0)
        (void)rl_child_wait(lock->keeper, NULL);
    lock->keeper = 0;
}

enum rl_status rl_clock_lock_start(struct rl_clock_lock *lock, int gpu, int mhz, struct rl_err *err)
{
    assert(mhz != 0);
    int hold[2] = {-1, -1}, answers[2] = {-1, -1};
    struct answer answer = {0};
    *lock = (struct rl_clock_lock)RL_CLOCK_LOCK_NONE;
    /* Not inherited by programs that are started meanwhile, or those would hold the clocks. */
    if (pipe2(hold, O_CLOEXEC) != 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, answers) != 0 ||
        (lock->keeper = rl_child_fork(0)) < 0) {
        const int error = errno;
        for (int i = 0; i < 2; i++) {
            close_end(&hold[i]);
            close_end(&answers[i]);
        }
        lock->keeper = 0;
        return rl_err_set(err, RL_FAILED, "cannot start the process that keeps the clocks: %s", strerror(error));
    }
    if (lock->keeper == 0) {
        close(hold[1]);
        close(answers[0]);
        keep(gpu, mhz, hold[0], answers[1]);
    }
    close(hold[0]);
    close(answers[1]);
    lock->hold = hold[1];
    lock->answers = answers[0];
    lock->sm_hz = mhz > 0 ? 1e6 * mhz : 0;
    enum rl_status status = RL_OK;
    if (!hear(lock, &answer))
        status = rl_err_set(err, RL_FAILED, "the process that keeps the clocks died");
    else if (answer.status != RL_OK)
        status = rl_err_set(err, (enum rl_status)answer.status, "clocks are not locked: %s", answer.err.text);
    lock->memory_hz = answer.memory_hz;
    if (status != RL_OK)
        bury(lock);
    return status;
}

void rl_clock_lock_leave(const struct rl_clock_lock *lock)
{
    if (lock->keeper <= 0)
        return;
    assert(lock->hold >= 0 && lock->answers >= 0);
    close(lock->hold);
    close(lock->answers);
}

enum rl_status rl_clock_lock_end(struct rl_clock_lock *lock, struct rl_err *err)
{
    struct answer answer = {0};
    enum rl_status status = RL_OK;
    if (lock->keeper <= 0)
        return RL_OK;
    close_end(&lock->hold);
    if (!hear(lock, &answer))
        status =
            rl_err_set(err, RL_FAILED, "the process that kept the clocks was killed: free them with 'sudo nvidia-smi -rgc -rmc'");
    else if (answer.status != RL_OK)
        status = rl_err_set(err, (enum rl_status)answer.status, "%s", answer.err.text);
    bury(lock);
    return status;
}
