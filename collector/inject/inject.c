/* inject.c - where CUDA and NVTX enter, and where the process ends. The driver loads this object inside cuInit because
 * CUDA_INJECTION64_PATH names it, NVTX because NVTX_INJECTION64_PATH does; children inherit both. */
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "capture/capture.h"
#include "collector/collector.h"
#include "inject.h"

#define ENTRY __attribute__((visibility("default")))

typedef const void *(*export_table)(uint32_t id);
ENTRY int InitializeInjection(void);
ENTRY int InitializeInjectionNvtx(export_table table);
ENTRY int InitializeInjectionNvtx2(export_table table);
ENTRY int InitializeInjectionNvtxExtension(struct nvtx_extension *extension);

struct rl_settings settings;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
atomic_bool alive;
static atomic_bool cuda_started;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool usable;
static pid_t owner;

uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* So that the child does not inherit what another thread has half changed, nor a lock that nobody there will release. */
static void before_fork(void)
{
    pthread_mutex_lock(&lock);
}

static void after_fork_in_parent(void)
{
    pthread_mutex_unlock(&lock);
}

/* A child of fork has our memory, but neither CUPTI's threads nor, when CUDA was started before, a CUDA that works: then it stays
 * silent. When CUDA was not started, it may start it, and has a stream of its own. */
static void after_fork(void)
{
    out_forget();
    pthread_mutex_unlock(&lock);
    if (atomic_load(&cuda_started))
        atomic_store(&alive, false);
}

static void at_exit(void)
{
    struct rl_record_end end = {{0}};
    if (!atomic_load(&alive) || !atomic_load(&cuda_started) || owner != getpid())
        return;
    counts_end();
    times_deliver(true);
    pthread_mutex_lock(&lock);
    out_add(RL_RECORD_end, &end, sizeof end, NULL, 0);
    out_flush();
    pthread_mutex_unlock(&lock);
    atomic_store(&alive, false);
}

static void prepare(void)
{
    const char *wrong = NULL;
    if (!rl_settings_read(&settings, &wrong) || !settings.dir)
        return;
    rl_settings_keep(&settings);
    usable = select_init(&wrong);
    atomic_store(&alive, usable);
    pthread_atfork(before_fork, after_fork_in_parent, after_fork);
}

static void no_callbacks(const char *why)
{
    struct rl_buf text = RL_BUF_INIT;
    rl_buf_addf(&text, "%s; times are taken, but no counters, NVTX ranges or filters of launches", why);
    say(RL_LOG_WARNING, RL_BUSY, text.data);
    rl_buf_release(&text);
    settings.counters = RL_COUNT_NOT;
}

/* Each part that fails is said and left out; the program goes on. */
static void start(void)
{
    struct rl_err err = RL_ERR_INIT;
    pthread_mutex_lock(&lock);
    bool open = out_open();
    pthread_mutex_unlock(&lock);
    if (!open)
        return;
    owner = getpid();
    if (rl_cupti_open(NULL, &err) != RL_OK) {
        say(RL_LOG_ERROR, RL_ABSENT, err.text);
        return;
    }
    atomic_store(&cuda_started, true);
    counts_start();
    if (launches_start(&err) != RL_OK)
        no_callbacks(err.text);
    if (settings.times && times_start(&err) != RL_OK)
        say(RL_LOG_ERROR, RL_OK, err.text);
    atexit(at_exit);
}

int InitializeInjection(void)
{
    pthread_once(&once, prepare);
    if (usable && atomic_load(&alive) && !atomic_load(&cuda_started))
        start();
    return 1;
}

int InitializeInjectionNvtx2(export_table table)
{
    pthread_once(&once, prepare);
    return usable && ranges_attach(table);
}

int InitializeInjectionNvtx(export_table table)
{
    return InitializeInjectionNvtx2(table);
}

int InitializeInjectionNvtxExtension(struct nvtx_extension *extension)
{
    pthread_once(&once, prepare);
    return usable && ranges_extend(extension);
}
