/* parallel.c - work in several threads (inputs.h). */
#include "kernels/inputs.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "core/core.h"

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
    atomic_size_t next;   /* element at which the next piece begins */
    atomic_size_t joined; /* threads that do pieces */
};

static _Thread_local bool working; /* in a piece */

static void *do_pieces(void *context)
{
    struct work *work = context;
    const size_t thread = atomic_fetch_add(&work->joined, 1);
    const bool before = working;
    working = true;
    for (size_t first; (first = atomic_fetch_add(&work->next, work->grain)) < work->count;)
        work->piece(work->context, first, work->count - first < work->grain ? work->count - first : work->grain, thread);
    working = before;
    return NULL;
}

void rl_parallel_for(size_t width, size_t count, size_t grain, rl_parallel_piece piece, void *context)
{
    assert(grain > 0);
    struct work work = {.piece = piece, .context = context, .count = count, .grain = grain};
    const size_t pieces = count / grain + (count % grain > 0), most = width ? width : rl_parallel_width();
    pthread_t threads[RL_PARALLEL_MOST];
    size_t started = 0;
    /* The caller works too, and does everything that no other thread has come for: fewer threads do as well. */
    while (!working && started + 1 < RL_PARALLEL_MOST && started + 1 < most && started + 1 < pieces &&
           pthread_create(&threads[started], NULL, do_pieces, &work) == 0)
        started++;
    (void)do_pieces(&work);
    while (started > 0)
        pthread_join(threads[--started], NULL);
}
