/* parallel.c - what of the machine the process may use (inputs.h). */
#include "kernels/inputs.h"

#include <pthread.h>

#include "core/core.h"
#include "core/parts.h"

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

uint64_t rl_parallel_memory(void)
{
    static const char top[] = "/sys/fs/cgroup";
    char group[1024], path[1200], text[64];
    uint64_t least = 0;
    read_line("/proc/self/cgroup", "0::", group, sizeof group);
    char *name = group[0] ? group + strlen("0::") : group;
    for (char *end = name + strlen(name); end; end = strrchr(name, '/')) {
        *end = '\0';
        snprintf(path, sizeof path, "%s%s/memory.max", top, name);
        read_line(path, "", text, sizeof text);
        const uint64_t limit = strtoull(text, NULL, 10); /* "max" is 0 */
        if (limit > 0 && (least == 0 || limit < least))
            least = limit;
    }
    return least;
}

static size_t found_width;

static void find_width_once(void)
{
    const char *task = getenv("SLURM_CPUS_PER_TASK");
    const size_t asked = task ? strtoul(task, NULL, 10) : 0, allowed = rl_processors();
    const size_t width = asked > 0 && asked < allowed ? asked : allowed;
    found_width = width < RL_PARALLEL_MOST ? width : RL_PARALLEL_MOST;
}

size_t rl_parallel_width(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find_width_once);
    return found_width;
}
