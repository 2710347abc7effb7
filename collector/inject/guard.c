/* guard.c - what everything here rests on: whether anything may be touched, who is inside of us, the lock, and the ring by whose
 * state the parent learns what has become of us. */

#include "inject.h"

struct rl_settings settings;
const char *notes = "";
size_t notes_size;
struct rl_ring ring;
atomic_bool alive, ending;
static const int own_faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* Nesting depth of this thread in our code; static TLS, because the loader would allocate memory. */
static __thread unsigned inside __attribute__((tls_model("initial-exec")));
static __thread int program_errno __attribute__((tls_model("initial-exec")));
static __thread bool held __attribute__((tls_model("initial-exec"))); /* `lock`, by this thread */

void give_in(void)
{
    if (atomic_exchange(&alive, false))
        ring_mark(RL_RING_INTERRUPTED);
}

void ring_mark(unsigned state)
{
    rl_ring_mark(&ring, state);
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

bool is_entered(void)
{
    return inside;
}

/* The holder of the mutex was interrupted for good, or is delayed for longer than any of our operations takes. */
bool take_mutex(pthread_mutex_t *mutex)
{
    enum { TRIES = 300, STEP_NS = 10000000 };
    for (int i = 0; i < TRIES && atomic_load(&alive); i++) {
        if (pthread_mutex_trylock(mutex) == 0)
            return true;
        const struct timespec until = rl_deadline_in(STEP_NS);
        if (pthread_mutex_timedlock(mutex, &until) == 0)
            return true;
    }
    give_in();
    return false;
}

void signals_block(sigset_t *before)
{
    sigset_t all;
    sigfillset(&all);
    for (size_t i = 0; i < sizeof own_faults / sizeof own_faults[0]; i++)
        sigdelset(&all, own_faults[i]);
    pthread_sigmask(SIG_SETMASK, &all, before);
}

void signals_restore(const sigset_t *before)
{
    pthread_sigmask(SIG_SETMASK, before, NULL);
}

bool hold(void)
{
    assume(!held);
    return held = take_mutex(&lock);
}

void let_go(void)
{
    assume(held);
    held = false;
    pthread_mutex_unlock(&lock);
}

bool is_held(void)
{
    return held;
}

void guard_renew(void)
{
    lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}
