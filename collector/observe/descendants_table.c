/* descendants_table.c - the processes of an observed program: an entry for each that is alive, and what is remembered of it. */
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/mem.h"
#include "descendants_parts.h"

enum rl_object rl_object_of(const char *path)
{
    static const struct {
        const char *begins;
        enum rl_object object;
    } objects[] = {{"libcuda.so", RL_OBJECT_DRIVER}, {"librooflight-inject.so", RL_OBJECT_PART}};
    const char *slash = strrchr(path, '/');
    for (size_t i = 0; slash && i < RL_COUNT(objects); i++)
        if (strncmp(slash + 1, objects[i].begins, strlen(objects[i].begins)) == 0)
            return objects[i].object;
    return RL_OBJECT_OTHER;
}

void rl_kin_init(struct rl_kin *kin)
{
    *kin = (struct rl_kin){.slots = rl_calloc(RL_PID_LIMIT, sizeof *kin->slots)}; /* pages that nobody touches cost nothing */
}

void rl_kin_release(struct rl_kin *kin)
{
    while (kin->end_count > 0)
        close(kin->end[--kin->end_count].pidfd);
    free(kin->slots);
    free(kin->live);
    free(kin->known);
}

void rl_kin_gap(struct rl_kin *kin, enum rl_gap gap)
{
    assert(gap < RL_GAP_COUNT);
    kin->sum.gaps |= 1u << gap;
}

struct rl_live *rl_kin_find(struct rl_kin *kin, uint32_t pid)
{
    assert(pid >= RL_PID_LIMIT || kin->slots[pid] <= kin->live_count);
    return pid < RL_PID_LIMIT && kin->slots[pid] ? &kin->live[kin->slots[pid] - 1] : NULL;
}

struct rl_descendant *rl_kin_known(struct rl_kin *kin, const struct rl_live *live)
{
    assert(live->index == RL_NOT_REMEMBERED || live->index < kin->known_count);
    return live->index == RL_NOT_REMEMBERED ? NULL : &kin->known[live->index];
}

static void remember_name(struct rl_kin *kin, const struct rl_live *live)
{
    struct rl_descendant *known = rl_kin_known(kin, live);
    if (!known)
        return;
    known->execs = live->execs;
    memcpy(known->name, live->name, sizeof known->name);
    if (live->execs)
        memcpy(known->commands[live->execs < RL_COMMANDS ? live->execs - 1 : RL_COMMANDS - 1], live->name, sizeof known->name);
}

/* The last places are for those that load the driver. */
static void remember(struct rl_kin *kin, struct rl_live *live, size_t most)
{
    if (live->index != RL_NOT_REMEMBERED || kin->known_count >= most)
        return;
    RL_GROW(kin->known, kin->known_count + 1, kin->known_cap);
    live->index = (uint32_t)kin->known_count++;
    kin->known[live->index] =
        (struct rl_descendant){.pid = live->pid,
                               .parent = live->parent,
                               .started_ns = live->started_ns,
                               .ended = RL_FACT_NO,
                               .driver = live->driver == RL_LOADED_INHERITED ? live->driver : RL_LOADED_UNKNOWN,
                               .part = live->part ? RL_FACT_YES : RL_FACT_UNKNOWN,
                               .unobserved = RL_FACT_NO};
    remember_name(kin, live);
}

struct rl_live *rl_descendant_add(struct rl_kin *kin, uint32_t pid, uint32_t parent, int64_t started_ns)
{
    struct rl_live *live = rl_kin_find(kin, pid);
    if (pid == 0 || pid >= RL_PID_LIMIT) {
        rl_kin_gap(kin, RL_GAP_DAMAGED);
        return NULL;
    }
    if (live) {
        if (!live->lost)
            rl_kin_gap(kin, RL_GAP_UNRELATED);
        rl_kin_end(kin, live, 0);
    }
    RL_GROW(kin->live, kin->live_count + 1, kin->live_cap);
    live = &kin->live[kin->live_count++];
    kin->slots[pid] = (uint32_t)kin->live_count;
    *live = (struct rl_live){
        .pid = pid, .parent = parent, .started_ns = started_ns, .threads = 1, .index = RL_NOT_REMEMBERED, .driver = RL_LOADED_NO};
    const struct rl_live *from = rl_kin_find(kin, parent);
    if (from && from != live) { /* a fork has its parent's mappings */
        live->driver = from->driver == RL_LOADED_NO ? RL_LOADED_NO : RL_LOADED_INHERITED;
        live->part = from->part;
        memcpy(live->name, from->name, sizeof live->name);
        live->stack = from->stack;
    }
    kin->sum.processes++;
    remember(kin, live, RL_MOST_DESCENDANTS - RL_RESERVED_DESCENDANTS);
    return live;
}

/* Of the program that it runs until now: whether CUDA went past our part. */
static void settle_program(struct rl_kin *kin, struct rl_live *live)
{
    struct rl_descendant *known = rl_kin_known(kin, live);
    if (live->part || (!live->held && live->driver != RL_LOADED_YES))
        return;
    kin->sum.unobserved += !live->counted_unobserved;
    live->counted_unobserved = true;
    if (known && known->unobserved != RL_FACT_YES)
        known->unobserved = live->held ? RL_FACT_YES : RL_FACT_UNKNOWN;
}

void rl_kin_exec(struct rl_kin *kin, struct rl_live *live, const char *name)
{
    settle_program(kin, live);
    live->driver = RL_LOADED_NO;
    live->part = live->held = false;
    live->bare = true;
    live->scanned = live->looks = 0;
    memset(live->name, 0, sizeof live->name);
    memcpy(live->name, name, strnlen(name, sizeof live->name - 1));
    live->execs++;
    kin->sum.execs++;
    remember_name(kin, live);
}

/* Asks how those ended that have; their descriptors are free again. */
static void take_ends(struct rl_kin *kin)
{
    size_t kept = 0;
    for (size_t i = 0; i < kin->end_count; i++) {
        assert(kin->end[i].index < kin->known_count);
        struct rl_descendant *known = &kin->known[kin->end[i].index];
        if (!rl_proc_status(kin->end[i].pidfd, &known->status)) {
            kin->end[kept++] = kin->end[i];
            continue;
        }
        known->status_known = RL_FACT_YES;
        close(kin->end[i].pidfd);
    }
    kin->end_count = kept;
}

/* How a process ends can be asked later only by a descriptor that was made while it was there. */
static void watch_end(struct rl_kin *kin, const struct rl_live *live)
{
    assert(kin->end_count <= RL_MOST_WATCHED_ENDS);
    if (live->index == RL_NOT_REMEMBERED)
        return;
    if (kin->end_count == RL_MOST_WATCHED_ENDS)
        take_ends(kin);
    int pidfd = kin->end_count < RL_MOST_WATCHED_ENDS ? (int)syscall(SYS_pidfd_open, (pid_t)live->pid, 0) : -1;
    if (pidfd >= 0)
        kin->end[kin->end_count++] = (struct rl_watched_end){pidfd, live->index};
}

void rl_kin_map(struct rl_kin *kin, struct rl_live *live, enum rl_object object)
{
    live->bare = false;
    if (object == RL_OBJECT_OTHER)
        return;
    if (object == RL_OBJECT_PART) {
        live->part = true;
        kin->sum.observed += !live->counted_part;
        live->counted_part = true;
    } else {
        remember(kin, live, RL_MOST_DESCENDANTS);
        if (!live->counted_driver)
            watch_end(kin, live);
        live->driver = RL_LOADED_YES;
        kin->sum.loaded += !live->counted_driver;
        live->counted_driver = true;
    }
    struct rl_descendant *known = rl_kin_known(kin, live);
    if (known && object == RL_OBJECT_DRIVER)
        known->driver = RL_LOADED_YES;
    else if (known)
        known->part = RL_FACT_YES;
}

void rl_kin_held(struct rl_kin *kin, struct rl_live *live)
{
    struct rl_descendant *known = rl_kin_known(kin, live);
    live->held = true;
    kin->sum.used_cuda = RL_FACT_YES;
    if (known)
        known->device = RL_FACT_YES;
}

static void forget_live(struct rl_kin *kin, struct rl_live *live)
{
    assert(kin->live_count > 0 && kin->slots[live->pid] == (uint32_t)(live - kin->live) + 1);
    const struct rl_live *last = &kin->live[kin->live_count - 1];
    kin->slots[live->pid] = 0;
    if (last != live) {
        kin->slots[last->pid] = (uint32_t)(live - kin->live) + 1;
        *live = *last;
    }
    kin->live_count--;
}

void rl_kin_end(struct rl_kin *kin, struct rl_live *live, int64_t ended_ns)
{
    struct rl_descendant *known = rl_kin_known(kin, live);
    settle_program(kin, live);
    if (known) {
        known->ended = RL_FACT_YES;
        known->ended_ns = ended_ns;
    }
    forget_live(kin, live);
}

/* The kernel says that a thread ended, too, when a process becomes a program that its user may not watch: between its name and its
 * first mapping. Who watches the whole machine goes on seeing it. */
static bool became_private(const struct rl_live *live, uint32_t thread)
{
    return live->bare && thread == live->pid;
}

static void take_exit(struct rl_kin *kin, struct rl_live *live, const struct rl_event *event)
{
    if (became_private(live, event->other)) {
        live->lost = true;
        if (kin->inherited)
            rl_kin_gap(kin, RL_GAP_PRIVILEGED);
    } else if (--live->threads == 0) {
        rl_kin_end(kin, live, event->time_ns);
    }
}

void rl_kin_take(struct rl_kin *kin, const struct rl_event *event)
{
    struct rl_live *live = rl_kin_find(kin, event->kind == RL_EVENT_FORK ? event->other : event->pid);
    if (!live && !kin->inherited)
        return; /* somebody else's */
    if (!live)
        rl_kin_gap(kin, RL_GAP_UNRELATED);
    if (event->kind == RL_EVENT_FORK) {
        rl_descendant_add(kin, event->pid, event->other, event->time_ns);
        return;
    }
    if (!live && (event->kind == RL_EVENT_EXIT || !(live = rl_descendant_add(kin, event->pid, 0, 0))))
        return;
    if (event->kind == RL_EVENT_THREAD) {
        live->threads++;
        kin->sum.threads++;
    } else if (event->kind == RL_EVENT_EXEC) {
        rl_kin_exec(kin, live, event->name);
    } else if (event->kind == RL_EVENT_MAP) {
        live->lost = false;
        rl_kin_map(kin, live, event->object);
    } else {
        take_exit(kin, live, event);
    }
}

/* Whoever went out of sight may have ended since. */
static void settle_live(struct rl_kin *kin, struct rl_live *live)
{
    struct rl_descendant *known = rl_kin_known(kin, live);
    settle_program(kin, live);
    if (!live->lost || !known)
        return;
    bool gone = kill((pid_t)live->pid, 0) != 0 && errno == ESRCH;
    known->ended = gone ? RL_FACT_YES : RL_FACT_UNKNOWN;
}

void rl_kin_settle(struct rl_kin *kin)
{
    const bool idle = kin->sum.nodes == RL_NODES_ABSENT || kin->sum.nodes == RL_NODES_SILENT, all = kin->sum.gaps == 0;
    for (size_t i = 0; i < kin->live_count; i++)
        settle_live(kin, &kin->live[i]);
    take_ends(kin);
    for (size_t i = 0; i < kin->known_count; i++) {
        struct rl_descendant *known = &kin->known[i];
        if (all && known->driver == RL_LOADED_UNKNOWN)
            known->driver = RL_LOADED_NO;
        if (all && known->part == RL_FACT_UNKNOWN)
            known->part = RL_FACT_NO;
        if (idle)
            known->device = known->unobserved = RL_FACT_NO;
        else if (known->driver == RL_LOADED_UNKNOWN && known->unobserved == RL_FACT_NO)
            known->unobserved = RL_FACT_UNKNOWN;
    }
}
