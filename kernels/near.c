/* near.c - see near.h. */
#include "near.h"

#include <ctype.h>

#include "core/core.h"

/* "31" or "0-31" at `*at`, which moves behind it. */
static bool parse_part(const char **at, cpu_set_t *set)
{
    char *end;
    if (!isdigit((unsigned char)**at))
        return false;
    unsigned long first = strtoul(*at, &end, 10), last = first;
    if (*end == '-') {
        if (!isdigit((unsigned char)end[1]))
            return false;
        last = strtoul(end + 1, &end, 10);
    }
    for (unsigned long cpu = first; cpu <= last && cpu < CPU_SETSIZE; cpu++)
        CPU_SET(cpu, set);
    *at = end;
    return last >= first;
}

bool rl_cpu_list_parse(const char *list, cpu_set_t *set)
{
    CPU_ZERO(set);
    for (const char *at = list;; at++) {
        if (!parse_part(&at, set) || (*at && *at != ',' && *at != '\n'))
            break;
        if (*at != ',')
            return true;
    }
    CPU_ZERO(set);
    return false;
}

bool rl_numa_bind(const char *pci_bus_id, cpu_set_t *before)
{
    char path[128], line[4096] = "";
    cpu_set_t near;
    snprintf(path, sizeof path, "/sys/bus/pci/devices/%.32s/local_cpulist", pci_bus_id);
    for (char *c = path; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    FILE *file = fopen(path, "re");
    bool told = file && fgets(line, sizeof line, file) && rl_cpu_list_parse(line, &near);
    if (file)
        fclose(file);
    if (!told || sched_getaffinity(0, sizeof *before, before) != 0)
        return false;
    CPU_AND(&near, &near, before);
    return CPU_COUNT(&near) > 0 && sched_setaffinity(0, sizeof near, &near) == 0;
}

void rl_numa_restore(const cpu_set_t *before)
{
    (void)sched_setaffinity(0, sizeof *before, before); /* it was allowed a moment ago */
}
