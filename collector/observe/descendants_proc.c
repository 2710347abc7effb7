/* descendants_proc.c - what /proc says of a process. Everything may be gone, refused or hostile at any time. */
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/mem.h"
#include "descendants_parts.h"

static bool is_node(const char *path, const struct rl_node_watch *nodes)
{
    for (size_t i = 0; i < nodes->count; i++)
        if (nodes->node[i].real && strcmp(nodes->node[i].real, path) == 0)
            return true;
    return false;
}

/* By the names of what is open: to ask for more could wait for a file system that does not answer. */
bool rl_proc_holds(uint32_t pid, const struct rl_node_watch *nodes)
{
    char path[PATH_MAX];
    bool holds = false;
    snprintf(path, sizeof path, "/proc/%" PRIu32 "/fd", pid);
    DIR *folder = opendir(path);
    for (const struct dirent *entry; folder && !holds && (entry = readdir(folder));) {
        ssize_t len = readlinkat(dirfd(folder), entry->d_name, path, sizeof path - 1);
        path[len > 0 ? len : 0] = 0;
        holds = is_node(path, nodes);
    }
    if (folder)
        closedir(folder);
    return holds;
}

/* ---- looking for descendants ---- */

struct looked {
    char state;
    uint64_t ticks; /* since the start of the machine, when it was started */
    uint64_t stack; /* where its stack begins: another place for each program; 0: not told */
    char name[RL_COMM_SIZE];
};

static FILE *open_of(uint32_t pid, const char *what)
{
    char path[96];
    snprintf(path, sizeof path, "/proc/%" PRIu32 "/%s", pid, what);
    return fopen(path, "re");
}

/* Field `wanted` of a line of which `at` is the third; 0: it is not there. */
static uint64_t field(const char *at, int wanted)
{
    assert(wanted > 3);
    for (int i = 3; i < wanted && at; i++)
        at = strchr(at + 1, ' ');
    return at ? strtoull(at, NULL, 10) : 0;
}

/* "PID (NAME) STATE PPID ...": a name may hold blanks and brackets; it ends at the last one. */
static bool read_stat(uint32_t pid, struct looked *looked)
{
    char line[1024];
    FILE *file = open_of(pid, "stat");
    size_t len = file ? fread(line, 1, sizeof line - 1, file) : 0;
    if (file)
        fclose(file);
    line[len] = 0;
    char *name = strchr(line, '('), *end = strrchr(line, ')');
    if (!name || !end || end < name || end[1] != ' ')
        return false;
    *end = 0;
    *looked = (struct looked){.state = end[2]};
    memcpy(looked->name, name + 1, strnlen(name + 1, sizeof looked->name - 1));
    looked->ticks = field(end + 2, 22);
    looked->stack = field(end + 2, 28);
    return looked->ticks != 0;
}

static int64_t start_of(uint64_t ticks)
{
    const int64_t asleep = rl_boottime_ns() - rl_monotonic_ns();
    return (int64_t)((double)ticks * 1e9 / (double)sysconf(_SC_CLK_TCK)) - asleep;
}

void rl_proc_maps(struct rl_kin *kin, struct rl_live *live)
{
    assert(live->pid > 0);
    char *line = NULL;
    size_t cap = 0;
    FILE *file = open_of(live->pid, "maps");
    while (file && getline(&line, &cap, file) > 0) {
        const char *path = strchr(line, '/');
        if (path && rl_object_of(path) != RL_OBJECT_OTHER)
            rl_kin_map(kin, live, rl_object_of(path));
    }
    free(line);
    if (file)
        fclose(file);
}

static void note(struct rl_live *live, const struct looked *looked)
{
    live->ticks = looked->ticks;
    live->stack = looked->stack;
    memcpy(live->name, looked->name, sizeof live->name);
}

void rl_proc_note(struct rl_live *live)
{
    struct looked looked;
    if (read_stat(live->pid, &looked))
        note(live, &looked);
}

/* Whether it is still there. Another process with its number need not be a descendant: it is one if it turns up as somebody's
 * child. */
static bool look_at(struct rl_kin *kin, uint32_t pid)
{
    struct looked looked;
    struct rl_live *live = rl_kin_find(kin, pid);
    assert(live);
    if (!read_stat(pid, &looked) || strchr("ZXx", looked.state) || (live->ticks && live->ticks != looked.ticks)) {
        rl_kin_end(kin, live, rl_monotonic_ns());
        return false;
    }
    const bool told = live->stack && looked.stack;
    if (told ? live->stack != looked.stack : strcmp(live->name, looked.name) != 0)
        rl_kin_exec(kin, live, looked.name);
    note(live, &looked);
    return true;
}

/* The next of numbers with blanks between them. */
static bool read_number(FILE *file, uint32_t *number)
{
    char digits[16] = "";
    size_t len = 0;
    for (int c; len < sizeof digits - 1 && (c = getc(file)) >= '0' && c <= '9';)
        digits[len++] = (char)c;
    *number = (uint32_t)strtoul(digits, NULL, 10);
    return len > 0;
}

static void add_child(struct rl_kin *kin, uint32_t pid, uint32_t parent)
{
    struct looked looked;
    if (rl_kin_find(kin, pid) || !read_stat(pid, &looked))
        return; /* looked at in its turn; too late */
    struct rl_live *live = rl_descendant_add(kin, pid, parent, start_of(looked.ticks));
    if (live)
        live->ticks = looked.ticks;
}

static void add_children(struct rl_kin *kin, uint32_t pid)
{
    char path[64], what[48];
    uint32_t child;
    snprintf(path, sizeof path, "/proc/%" PRIu32 "/task", pid);
    DIR *folder = opendir(path);
    for (const struct dirent *entry; folder && (entry = readdir(folder));) {
        snprintf(what, sizeof what, "task/%.20s/children", entry->d_name);
        FILE *file = entry->d_name[0] == '.' ? NULL : open_of(pid, what);
        while (file && read_number(file, &child))
            add_child(kin, child, pid);
        if (file)
            fclose(file);
    }
    if (folder)
        closedir(folder);
}

/* What has come to the end of the list meanwhile is looked at, too. */
void rl_proc_read(struct rl_kin *kin)
{
    for (size_t i = 0; i < kin->live_count;) {
        const uint32_t pid = kin->live[i].pid;
        if (look_at(kin, pid)) {
            add_children(kin, pid);
            i++;
        } /* otherwise another one has taken its place */
    }
}
