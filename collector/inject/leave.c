/* leave.c - the end of the process. CUPTI's host library is opened late and destroys itself in an exit handler; handlers registered
 * later run earlier. A handler of ours is therefore registered before and after the library is opened, which takes a tenth of a
 * second, and after its first use, when it has built its state: the handler waits until none of our threads uses the library, and
 * prevents further use. The first use is by a launching thread, which cannot end the process meanwhile. */
#include <semaphore.h>
#include <unistd.h>

#include "inject.h"

/* A worker that is preparing may take longer as long as it runs. One that does not run waits for a lock, perhaps held by the thread
 * that ends the process in a signal handler, and would wait for ever. */
static const uint64_t FINISH_NS = 1000000000, PREPARED_NS = 10000000000;

atomic_bool leaving;
static atomic_bool settled, prepares, whole, stalled;
static atomic_int worker_clock; /* clock of the worker's processor time; 0: unknown */
static sem_t wake;
static pid_t owner; /* 0: there is no worker */

bool leave_init(void)
{
    if (sem_init(&wake, 0, 0) != 0)
        return false;
    owner = getpid();
    return true;
}

void leave_sleep(int64_t ns)
{
    const struct timespec tick = rl_deadline_in(ns);
    (void)sem_timedwait(&wake, &tick);
}

void leave_wake(void)
{
    if (owner == getpid())
        (void)sem_post(&wake);
}

void leave_work(void)
{
    clockid_t clock;
    if (pthread_getcpuclockid(pthread_self(), &clock) == 0)
        atomic_store(&worker_clock, clock);
}

static uint64_t worker_ns(void)
{
    const clockid_t clock = atomic_load(&worker_clock);
    return clock ? (uint64_t)rl_clock_ns(clock) : 0;
}

bool leave_ask(atomic_bool *asked, const atomic_bool *done)
{
    const struct timespec moment = {.tv_nsec = 200000};
    if (owner != getpid())
        return false;
    atomic_store(asked, true);
    (void)sem_post(&wake);
    uint64_t used_ns = worker_ns();
    const uint64_t begin_ns = now_ns();
    for (uint64_t ran_ns = begin_ns; !atomic_load(done) && !atomic_load(&stalled);) {
        (void)nanosleep(&moment, NULL);
        const uint64_t used_now_ns = worker_ns(), now = now_ns();
        ran_ns = used_now_ns > used_ns ? now : ran_ns;
        used_ns = used_now_ns;
        const uint64_t from_ns = atomic_load(&whole) ? now : atomic_load(&prepares) ? ran_ns : begin_ns;
        if (now - begin_ns >= PREPARED_NS || now - from_ns >= FINISH_NS)
            break;
    }
    if (!atomic_load(done) && atomic_load(&prepares))
        atomic_store(&stalled, true); /* later requests do not wait again */
    return atomic_load(done);
}

/* A signal handler that interrupted our code does not wait: the worker might need the lock that this thread holds. */
static void settle(void)
{
    if (atomic_load(&alive) && !is_entered())
        (void)leave_ask(&leaving, &settled);
}

void settle_first(void)
{
    (void)atexit(settle);
}

bool settle_is_due(void)
{
    return atomic_load(&leaving) && !atomic_load(&settled);
}

void settle_done(void)
{
    atomic_store(&settled, true);
}

void settle_waits_for(bool preparing)
{
    atomic_store(&prepares, preparing);
}

void leave_waits_whole(bool closing)
{
    atomic_store(&whole, closing);
}
