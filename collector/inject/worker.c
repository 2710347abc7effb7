/* worker.c - a thread of ours in the program: it looks now and then what is to be counted next, and gathers what is left when the
 * program ends, so that whoever ends it, a signal handler perhaps, waits for no lock. */
#include <errno.h>
#include <semaphore.h>
#include <signal.h>
#include <time.h>

#include "inject.h"

enum { TICK_NS = 20000000, FINISH_NS = 1000000000 };

static sem_t wake;
static bool running;
static atomic_bool finishing, finished;

static void finish(void)
{
    assume(!atomic_load(&finished));
    counts_end();
    times_deliver(true);
    atomic_store(&finished, true);
}

static void *run(void *unused)
{
    (void)unused;
    (void)enter();
    while (atomic_load(&alive) && !atomic_load(&finished)) {
        const struct timespec tick = rl_deadline_in(TICK_NS);
        (void)sem_timedwait(&wake, &tick);
        if (atomic_load(&finishing))
            finish();
        else if (atomic_load(&alive)) {
            times_gather();
            counts_tick();
        }
    }
    return NULL;
}

void worker_start(void)
{
    pthread_attr_t attributes;
    pthread_t thread;
    sigset_t before;
    if (sem_init(&wake, 0, 0) != 0 || pthread_attr_init(&attributes) != 0)
        return;
    (void)pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    signals_block(&before);
    running = pthread_create(&thread, &attributes, run, NULL) == 0;
    signals_restore(&before);
    pthread_attr_destroy(&attributes);
}

bool worker_finish(void)
{
    const struct timespec moment = {.tv_nsec = 200000};
    const uint64_t begin_ns = now_ns();
    if (!running)
        return false;
    atomic_store(&finishing, true);
    (void)sem_post(&wake);
    while (!atomic_load(&finished) && now_ns() - begin_ns < FINISH_NS)
        (void)nanosleep(&moment, NULL);
    return atomic_load(&finished);
}
