/* inject.c - where CUDA and NVTX enter, and where the process ends. The driver loads this object inside cuInit because
 * CUDA_INJECTION64_PATH names it, NVTX because NVTX_INJECTION64_PATH does; children inherit both. */
#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include "graphs.h"
#include "guest.h"
#include "inject.h"
#include "other_tools.h"
#include "ranges.h"
#include "times.h"
#include "window.h"

#define ENTRY __attribute__((visibility("default")))

typedef const void *(*export_table)(uint32_t id);
ENTRY int InitializeInjection(void);
ENTRY int InitializeInjectionNvtx(export_table table);
ENTRY int InitializeInjectionNvtx2(export_table table);
ENTRY int InitializeInjectionNvtxExtension(struct nvtx_extension *extension);

static atomic_bool cuda_started;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool usable;
static pid_t owner;

/* A forked child has our memory but not our threads, and no working CUDA if CUDA was initialised before: then it stays inactive.
 * Otherwise it may initialise CUDA, and has a separate stream. State that another thread was changing at the fork is left as it is.
 */
static void after_fork(void)
{
    guard_renew();
    graphs_renew();
    guest_renew();
    intercept_renew();
    if (atomic_load(&cuda_started))
        atomic_store(&alive, false);
    else
        ranges_forget();
}

/* The worker collects CUPTI's remaining records; a signal handler that interrupted our code, or the worker, cannot wait for that.
 */
static void at_exit(void)
{
    if (!atomic_load(&alive) || owner != getpid())
        return;
    atomic_store(&ending, true);
    ring_mark(!is_entered() && worker_finish() && !out_waits() ? RL_RING_ENDED : RL_RING_INTERRUPTED);
}

static void prepare(void)
{
    const char *wrong = NULL;
    /* A seccomp filter of the program may kill it for one of our system calls; together with another tool it may hang. */
    if (!rl_settings_read(&settings, &wrong) || !settings.address || rl_other_tool_variable() ||
        (settings.seccomp >= 0 && rl_seccomp_filters() > settings.seccomp))
        return;
    rl_settings_keep(&settings);
    usable = select_init(&wrong);
    atomic_store(&alive, usable);
    pthread_atfork(NULL, NULL, after_fork);
}

/* Whether the program began to record kernels before CUDA was initialised: CUPTI then refuses the other kind of kernel records.
 * Other kinds that it records are unknown and cannot be shared. */
static bool records_already(void)
{
    const CUptiResult result = settings.times ? rl_cupti.cuptiActivityEnable(CUPTI_ACTIVITY_KIND_KERNEL) : CUPTI_SUCCESS;
    if (settings.times && result == CUPTI_SUCCESS)
        (void)rl_cupti.cuptiActivityDisable(CUPTI_ACTIVITY_KIND_KERNEL);
    return result == CUPTI_ERROR_NOT_COMPATIBLE;
}

/* Ends all recording that needs CUPTI; the rest continues. */
static void leave_cupti(int level, const char *why)
{
    settings.times = settings.counters = settings.prove = settings.pc_sampling = 0;
    ring_mark(RL_RING_LEFT);
    say(level, RL_OK, why);
}

/* Shares CUPTI with the program, which may have `loaded` it; false: sharing is impossible. */
static bool share_cupti(bool loaded)
{
    const bool shared = shims_start();
    if (!shared && loaded) {
        leave_cupti(RL_LOG_WARNING,
                    "the program has loaded CUPTI, and its calls cannot be shared on this machine: CUPTI is left to "
                    "it, and there are no times or counters");
        return false;
    }
    if (!shared) {
        say(RL_LOG_NOTE, RL_OK, "CUPTI cannot be shared on this machine with a program that uses it itself: see --cupti");
    } else if (loaded && records_already()) {
        shims_leave_activities();
        leave_cupti(RL_LOG_WARNING,
                    "the program had begun to use CUPTI before it started CUDA: CUPTI is left to it, and there are no "
                    "times or counters");
    }
    return true;
}

/* Each failing part is reported and left out; the program continues. */
static void start_cupti(bool loaded)
{
    struct rl_err err = RL_ERR_INIT;
    if (!share_cupti(loaded))
        return;
    if (rl_backend_choose(0, settings.backend, &err) != RL_OK)
        give_up(RL_UNSUPPORTED, err.text);
    /* Whether CUDA was loaded by dlmopen, into a separate namespace. There the C library (2.36) crashes when a library is
     * to be seen by all others, and its loader is not safe for the threads of both namespaces: the worker must not load
     * anything. */
    Dl_info info;
    struct link_map *map = NULL;
    Lmid_t space = LM_ID_BASE;
    if (dladdr1(&cuda_started, &info, (void **)&map, RTLD_DL_LINKMAP) && dlinfo(map, RTLD_DI_LMID, &space) == 0 &&
        space != LM_ID_BASE)
        give_up(RL_UNSUPPORTED, "the program has loaded CUDA by dlmopen: no counters are taken in this run");
    atomic_store(&cuda_started, true);
    counts_start();
    if (launches_start(&err) != RL_OK) {
        struct rl_buf text = RL_BUF_INIT;
        rl_buf_addf(&text, "%s; times are taken, but no counters, NVTX ranges or filters of launches", err.text);
        say(RL_LOG_WARNING, RL_BUSY, text.data);
        rl_buf_release(&text);
        settings.counters = RL_COUNT_NOT;
    }
    if (settings.times && times_start(&err) != RL_OK)
        say(RL_LOG_ERROR, RL_OK, err.text);
}

static void start(void)
{
    struct rl_err err = RL_ERR_INIT;
    if (!out_open())
        return;
    if (!origins_open()) {
        ring_mark(RL_RING_LOST | RL_RING_NO_MEMORY);
        return;
    }
    owner = getpid();
    if (!worker_start()) {
        ring_mark(RL_RING_LOST | RL_RING_NO_THREAD);
        return;
    }
    rl_cupti_wish(0, settings.backend);
    const char *theirs = intercept_loaded();
    rl_cupti_prefer(theirs);
    if (settings.cupti == RL_CUPTI_LEAVE) {
        leave_cupti(RL_LOG_NOTE, "--cupti leave: CUPTI is left to the program, and there are no times or counters");
    } else if (rl_cupti_open(NULL, &err) == RL_OK) {
        start_cupti(theirs);
    } else {
        say(RL_LOG_ERROR, RL_ABSENT, err.text);
        return;
    }
    atomic_store(&cuda_started, true);
    worker_begin();
    atexit(at_exit);
}

int InitializeInjection(void)
{
    pthread_once(&once, prepare);
    if (usable && !atomic_load(&cuda_started) && enter()) {
        sigset_t before;
        signals_block(&before); /* CUPTI starts a thread, which must not handle the program's signals */
        start();
        signals_restore(&before);
        leave();
    }
    return 1;
}

int InitializeInjectionNvtx2(export_table table)
{
    pthread_once(&once, prepare);
    return usable && nvtx_attach(table);
}

int InitializeInjectionNvtx(export_table table)
{
    return InitializeInjectionNvtx2(table);
}

int InitializeInjectionNvtxExtension(struct nvtx_extension *extension)
{
    pthread_once(&once, prepare);
    return usable && nvtx_extend(extension);
}
