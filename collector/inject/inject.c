/* inject.c - where CUDA and NVTX enter, and where the process ends. The driver loads this object inside cuInit because
 * CUDA_INJECTION64_PATH names it, NVTX because NVTX_INJECTION64_PATH does; children inherit both. */
#include <errno.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "capture/capture.h"
#include "collector/collector.h"
#include "inject.h"
#include "ring.h"

#define ENTRY __attribute__((visibility("default")))

typedef const void *(*export_table)(uint32_t id);
ENTRY int InitializeInjection(void);
ENTRY int InitializeInjectionNvtx(export_table table);
ENTRY int InitializeInjectionNvtx2(export_table table);
ENTRY int InitializeInjectionNvtxExtension(struct nvtx_extension *extension);

struct rl_settings settings;
const char *notes = "";
size_t notes_size;
atomic_bool alive, ending;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool cuda_started;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool usable;
static pid_t owner;
/* How often this thread is inside of us; at hand without the loader's help, which would take memory. */
static __thread unsigned inside __attribute__((tls_model("initial-exec")));
static __thread int program_errno __attribute__((tls_model("initial-exec")));

uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* ---- in and out ---- */

void give_in(void)
{
    if (atomic_exchange(&alive, false))
        out_mark(RL_RING_INTERRUPTED);
}

bool enter(void)
{
    if (inside || !atomic_load(&alive))
        return false;
    inside = 1;
    program_errno = errno;
    return true;
}

void leave(void)
{
    assume(inside);
    inside = 0;
    errno = program_errno;
}

/* Who had the mutex was interrupted and will not come back, or is held up for longer than anything of ours takes. */
bool take_mutex(pthread_mutex_t *mutex)
{
    enum { TRIES = 300, STEP_NS = 10000000 };
    for (int i = 0; i < TRIES && atomic_load(&alive); i++) {
        struct timespec until;
        if (pthread_mutex_trylock(mutex) == 0)
            return true;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += STEP_NS;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        if (pthread_mutex_timedlock(mutex, &until) == 0)
            return true;
    }
    give_in();
    return false;
}

bool hold(void)
{
    return take_mutex(&lock);
}

void let_go(void)
{
    pthread_mutex_unlock(&lock);
}

/* ---- beginning and end ---- */

/* A child of fork has our memory, but neither our threads nor, when CUDA was started before, a CUDA that works: then it stays
 * silent. When CUDA was not started it may start it, and has a stream of its own. What another thread had half changed is left
 * where it is. */
static void after_fork(void)
{
    lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    if (atomic_load(&cuda_started))
        atomic_store(&alive, false);
    else
        ranges_forget();
}

/* What CUPTI has not delivered yet is gathered by the worker; a handler that interrupted us, or the worker, cannot wait for that.
 */
static void at_exit(void)
{
    if (!atomic_load(&alive) || owner != getpid())
        return;
    atomic_store(&ending, true);
    out_mark(!inside && worker_finish() ? RL_RING_ENDED : RL_RING_INTERRUPTED);
}

/* A filter of system calls that the program has set may end it for one of ours. */
static bool is_filtered(void)
{
    return settings.seccomp >= 0 && rl_seccomp_filters() > settings.seccomp;
}

static void prepare(void)
{
    const char *wrong = NULL;
    if (!rl_settings_read(&settings, &wrong) || !settings.address || is_filtered())
        return;
    rl_settings_keep(&settings);
    usable = select_init(&wrong);
    atomic_store(&alive, usable);
    pthread_atfork(NULL, NULL, after_fork);
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
    if (!out_open())
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
    worker_start();
    atexit(at_exit);
}

int InitializeInjection(void)
{
    pthread_once(&once, prepare);
    if (usable && !atomic_load(&cuda_started) && enter()) {
        start();
        leave();
    }
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
