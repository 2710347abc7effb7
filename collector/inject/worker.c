/* worker.c - our worker thread: from time to time it chooses what to count next, and at the end of the program it collects the
 * remaining records, so that the thread that ends it, perhaps in a signal handler, waits for no lock. */

#include "counting.h"
#include "guest.h"
#include "pc.h"
#include "times.h"

enum { TICK_NS = 20000000 };

static bool running;
static atomic_bool begun; /* its data is initialised */
static atomic_bool finishing, finished;

static void *run(void *unused)
{
    (void)unused;
    (void)enter();
    leave_work();
    while (!atomic_load(&begun))
        leave_sleep(50 * TICK_NS);
    counts_warm();
    while (atomic_load(&alive) && !atomic_load(&finished)) {
        leave_sleep(TICK_NS);
        if (atomic_load(&finishing)) {
            assume(!atomic_load(&finished));
            counts_end();
            aside_finish();
            times_deliver(true);
            pc_end();
            atomic_store(&finished, true);
        } else if (atomic_load(&alive)) {
            times_gather();
            guest_tick();
            pc_gather();
            if (!atomic_load(&leaving)) {
                counts_tick();
            } else if (settle_is_due()) {
                counts_end();
                settle_done();
            }
        }
    }
    return NULL;
}

bool worker_start(void)
{
    enum { LEAST_STACK = 1 << 20 };
    pthread_attr_t attributes;
    size_t stack = 0;
    pthread_t thread;
    sigset_t before;
    if (!leave_init() || pthread_attr_init(&attributes) != 0)
        return false;
    (void)pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    if (pthread_attr_getstacksize(&attributes, &stack) == 0 && stack < LEAST_STACK) /* by default that of RLIMIT_STACK */
        (void)pthread_attr_setstacksize(&attributes, LEAST_STACK);
    signals_block(&before);
    running = pthread_create(&thread, &attributes, run, NULL) == 0;
    signals_restore(&before);
    pthread_attr_destroy(&attributes);
    return running;
}

void worker_begin(void)
{
    atomic_store(&begun, true);
    leave_wake();
}

bool worker_finish(void)
{
    return running && leave_ask(&finishing, &finished);
}
