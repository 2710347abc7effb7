/* parallel.c - threads that sleep until there is work. Starting them anew for each of many short comparisons would cost as much as
 * the comparisons. */
#include "kernels/parallel.h"

#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t rl_parallel_quota(const char *text)
{
    double quota = 0, period = 0;
    if (sscanf(text, "%lf %lf", &quota, &period) != 2 || !(quota > 0) || !(period > 0))
        return 0;
    return quota / period < 1 ? 1 : quota / period < RL_PARALLEL_MOST ? (uint64_t)(quota / period) : RL_PARALLEL_MOST;
}

/* The first line of a small file; "" when it cannot be read. */
static void read_line(const char *path, const char *start, char *line, size_t size)
{
    FILE *file = fopen(path, "re");
    line[0] = '\0';
    while (file && fgets(line, (int)size, file) && strncmp(line, start, strlen(start)) != 0)
        line[0] = '\0';
    if (file)
        fclose(file);
    line[strcspn(line, "\n")] = '\0';
}

/* The narrowest of the limits in `file` of the control group that the process is in and of those above it; 0: none. */
static uint64_t group_limit(const char *file, uint64_t (*limit_of)(const char *text))
{
    static const char top[] = "/sys/fs/cgroup";
    char group[1024], path[1200], text[64];
    uint64_t least = 0;
    read_line("/proc/self/cgroup", "0::", group, sizeof group);
    char *name = group[0] ? group + strlen("0::") : group;
    for (char *end = name + strlen(name); end; end = strrchr(name, '/')) {
        *end = '\0';
        snprintf(path, sizeof path, "%s%s/%s", top, name, file);
        read_line(path, "", text, sizeof text);
        const uint64_t limit = limit_of(text);
        if (limit > 0 && (least == 0 || limit < least))
            least = limit;
    }
    return least;
}

static uint64_t bytes_of(const char *text)
{
    return strtoull(text, NULL, 10); /* "max" is 0 */
}

uint64_t rl_parallel_memory(void)
{
    return group_limit("memory.max", bytes_of);
}

static size_t found_width;

static void find_width_once(void)
{
    const char *task = getenv("SLURM_CPUS_PER_TASK");
    const uint64_t limits[] = {group_limit("cpu.max", rl_parallel_quota), task ? strtoul(task, NULL, 10) : 0, RL_PARALLEL_MOST};
    cpu_set_t allowed;
    size_t width = 1;
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0)
        width = (size_t)CPU_COUNT(&allowed);
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++)
        if (limits[i] > 0 && limits[i] < width)
            width = limits[i];
    found_width = width > 0 ? width : 1;
}

size_t rl_parallel_width(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find_width_once);
    return found_width;
}

struct work {
    rl_parallel_piece piece;
    void *context;
    size_t count, grain;
    atomic_size_t next; /* element at which the next piece begins */
};

struct pool {
    pthread_mutex_t busy; /* held by the caller whose work is being done */
    pthread_mutex_t lock; /* of everything below */
    pthread_cond_t wake, done;
    struct work *work; /* NULL: nothing to join in */
    size_t places;     /* threads that may still join in; */
    size_t working;    /* that have, and are not done; */
    size_t joined;     /* that ever did, in this work */
    size_t threads;    /* that exist */
};

#define POOL                                                                                                                       \
    {                                                                                                                              \
        .busy = PTHREAD_MUTEX_INITIALIZER, .lock = PTHREAD_MUTEX_INITIALIZER, .wake = PTHREAD_COND_INITIALIZER,                    \
        .done = PTHREAD_COND_INITIALIZER                                                                                           \
    }
static struct pool pool = POOL;

/* A child of fork() has none of the threads, but everything as they had it at that moment: a lock that one held would be held for
 * ever. */
static void begin_anew(void)
{
    pool = (struct pool)POOL;
}

static int not_watched; /* what pthread_atfork() said */

static void watch_forks(void)
{
    not_watched = pthread_atfork(NULL, NULL, begin_anew);
}

static void do_pieces(struct work *work, size_t thread)
{
    for (;;) {
        const size_t first = atomic_fetch_add(&work->next, work->grain);
        if (first >= work->count)
            return;
        work->piece(work->context, first, work->count - first < work->grain ? work->count - first : work->grain, thread);
    }
}

static void *help(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&pool.lock);
    for (;;) {
        while (!pool.work || pool.places == 0)
            pthread_cond_wait(&pool.wake, &pool.lock);
        struct work *work = pool.work;
        const size_t thread = ++pool.joined;
        pool.places--;
        pool.working++;
        pthread_mutex_unlock(&pool.lock);
        do_pieces(work, thread);
        pthread_mutex_lock(&pool.lock);
        if (--pool.working == 0)
            pthread_cond_signal(&pool.done);
    }
    return NULL;
}

void rl_parallel_for(size_t width, size_t count, size_t grain, rl_parallel_piece piece, void *context)
{
    assert(grain > 0);
    struct work work = {.piece = piece, .context = context, .count = count, .grain = grain};
    const size_t pieces = count / grain + (count % grain > 0), most = width ? width : rl_parallel_width();
    size_t threads = most < pieces ? most : pieces;
    if (threads > RL_PARALLEL_MOST)
        threads = RL_PARALLEL_MOST;
    if (threads <= 1 || pthread_mutex_trylock(&pool.busy) != 0) {
        do_pieces(&work, 0);
        return;
    }
    /* The caller works too, and does everything that no other thread has come for. */
    const size_t helpers = threads - 1;
    pthread_mutex_lock(&pool.lock);
    /* Starts what is missing of `wanted` threads; fewer do as well. */
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_attr_t detached;
    pthread_once(&once, watch_forks);
    if (!not_watched && pool.threads < helpers && pthread_attr_init(&detached) == 0) {
        pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
        pthread_t thread;
        while (pool.threads < helpers && pthread_create(&thread, &detached, help, NULL) == 0)
            pool.threads++;
        pthread_attr_destroy(&detached);
    }
    pool.work = &work;
    pool.places = helpers;
    pool.joined = 0;
    pthread_cond_broadcast(&pool.wake);
    pthread_mutex_unlock(&pool.lock);
    do_pieces(&work, 0);
    pthread_mutex_lock(&pool.lock);
    pool.work = NULL;
    while (pool.working > 0)
        pthread_cond_wait(&pool.done, &pool.lock);
    pthread_mutex_unlock(&pool.lock);
    pthread_mutex_unlock(&pool.busy);
}
