/* descendants.c - one view of an observed program's processes, whatever it comes from. */
#include "descendants.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/mem.h"
#include "descendants_parts.h"

static const char driver_nodes[] = "/dev/nvidiactl:/dev/dxg:/dev/nvmap"; /* the driver's, Windows' own, that of boards with Tegra */

enum {
    HELD_BACK_NS = 100000000, /* records are told in the order of their times when they are as old */
    LOOK_NS = 50000000,       /* between looks into /proc, at least; they take at most a twentieth of the time, too */
    LOOK_SHARE = 20,
    MOST_LOOKS = 20, /* at the mappings of a program that has the driver and not our part */
};

struct rl_descendants {
    struct rl_descendants_options options;
    struct rl_kin kin;
    struct rl_rings rings;
    struct rl_node_watch nodes;
    int epoll;
    uint32_t main_pid;
    int64_t next_look_ns;
    bool attached, finished;
};

/* Edges only: a tick takes everything, and a program that is gone hangs up for ever. Where it fails the caller ticks as often as it
 * does anyway. */
static void await(const struct rl_descendants *d, int fd)
{
    struct epoll_event event = {.events = EPOLLIN | EPOLLET};
    if (d->epoll >= 0 && fd >= 0)
        (void)epoll_ctl(d->epoll, EPOLL_CTL_ADD, fd, &event);
}

struct rl_descendants *rl_descendants_open(const struct rl_descendants_options *options)
{
    struct rl_descendants *d = rl_calloc(1, sizeof *d);
    if (options)
        d->options = *options;
    const char *nodes = d->options.nodes ? d->options.nodes : getenv("ROOFLIGHT_DRIVER_NODES");
    nodes = nodes && *nodes ? nodes : driver_nodes;
    rl_kin_init(&d->kin);
    d->epoll = epoll_create1(EPOLL_CLOEXEC);
    rl_nodes_open(&d->nodes, nodes);
    d->options.nodes = NULL;
    await(d, d->nodes.fd);
    return d;
}

static void open_rings(struct rl_descendants *d, pid_t pid)
{
    struct rl_descendants_answer *sum = &d->kin.sum;
    for (sum->source = d->options.best; sum->source < RL_SOURCE_POLL; sum->source++) {
        int error = rl_rings_open(&d->rings, sum->source, pid, d->options.ring_bytes);
        if (!error)
            return;
        sum->refused = error;
        rl_rings_release(&d->rings);
    }
    rl_kin_gap(&d->kin, RL_GAP_POLLED);
}

void rl_descendants_attach(struct rl_descendants *d, pid_t pid)
{
    assert(!d->attached && pid > 0);
    d->attached = true;
    d->main_pid = (uint32_t)pid;
    open_rings(d, pid);
    d->kin.inherited = d->kin.sum.source == RL_SOURCE_TASK;
    for (size_t i = 0; i < d->rings.count; i++)
        await(d, d->rings.ring[i].fd);
    struct rl_live *live = rl_descendant_add(&d->kin, d->main_pid, (uint32_t)getpid(), rl_monotonic_ns());
    assert(live);
    rl_proc_note(live);
}

int rl_descendants_fd(const struct rl_descendants *d)
{
    return d->epoll;
}

/* The mappings of a program whose loading nobody tells of; at first it may have the driver and not yet our part. */
static void look_at_maps(struct rl_descendants *d, struct rl_live *live)
{
    bool opened = live->scanned != d->nodes.opens || d->nodes.state == RL_NODES_UNWATCHED;
    bool expected = live->driver == RL_LOADED_YES && !live->part && live->looks < MOST_LOOKS;
    if ((opened && !(live->driver == RL_LOADED_YES && live->part)) || expected)
        rl_proc_maps(&d->kin, live);
    live->looks++;
}

/* Once for each time that somebody opens a node: whether it was one of these. */
static void look_for_holders(struct rl_descendants *d, bool maps)
{
    for (size_t i = 0; i < d->kin.live_count && d->nodes.state != RL_NODES_ABSENT && d->nodes.state != RL_NODES_SILENT; i++) {
        struct rl_live *live = &d->kin.live[i];
        if (maps)
            look_at_maps(d, live);
        if (live->driver == RL_LOADED_NO || live->held || live->scanned == d->nodes.opens)
            continue;
        live->scanned = d->nodes.opens;
        if (rl_proc_holds(live->pid, &d->nodes))
            rl_kin_held(&d->kin, live);
    }
}

static void take(struct rl_descendants *d, int64_t until_ns)
{
    const int64_t began_ns = rl_monotonic_ns();
    const bool polled = d->kin.sum.source == RL_SOURCE_POLL;
    rl_nodes_take(&d->nodes);
    if (polled && began_ns < d->next_look_ns && until_ns != INT64_MAX)
        return;
    if (polled)
        rl_proc_read(&d->kin);
    else
        rl_rings_take(&d->rings, &d->kin, until_ns);
    look_for_holders(d, polled);
    const int64_t spent_ns = rl_monotonic_ns() - began_ns;
    d->next_look_ns = began_ns + (LOOK_SHARE * spent_ns > LOOK_NS ? LOOK_SHARE * spent_ns : LOOK_NS);
}

void rl_descendants_tick(struct rl_descendants *d)
{
    struct epoll_event ready[64];
    assert(d->attached && !d->finished);
    if (d->epoll >= 0)
        (void)epoll_wait(d->epoll, ready, (int)RL_COUNT(ready), 0);
    take(d, rl_monotonic_ns() - HELD_BACK_NS);
}

void rl_descendants_finish(struct rl_descendants *d, int status)
{
    assert(d->attached && !d->finished);
    take(d, INT64_MAX);
    d->finished = true;
    rl_rings_settle(&d->rings, &d->kin);
    rl_rings_release(&d->rings);
    rl_nodes_take(&d->nodes);
    d->kin.sum.nodes = d->nodes.state;
    struct rl_live *live = rl_kin_find(&d->kin, d->main_pid);
    if (live && live->index == 0)
        rl_kin_end(&d->kin, live, 0); /* whatever the records say: it was waited for */
    rl_kin_settle(&d->kin);
    assert(d->kin.known_count > 0);
    d->kin.known[0].status_known = RL_FACT_YES;
    d->kin.known[0].status = status;
}

void rl_descendants_close(struct rl_descendants *d)
{
    if (!d)
        return;
    rl_rings_release(&d->rings);
    rl_nodes_release(&d->nodes);
    rl_kin_release(&d->kin);
    if (d->epoll >= 0)
        close(d->epoll);
    free(d);
}

/* ---- answers ---- */

static void answer_cuda(struct rl_descendants_answer *sum)
{
    static const enum rl_fact facts[RL_CUDA_REASON_COUNT] = {[RL_CUDA_NODES_ABSENT] = RL_FACT_NO,
                                                             [RL_CUDA_NODES_SILENT] = RL_FACT_NO,
                                                             [RL_CUDA_NOT_LOADED] = RL_FACT_NO,
                                                             [RL_CUDA_DEVICE_HELD] = RL_FACT_YES};
    if (sum->nodes == RL_NODES_ABSENT)
        sum->reason = RL_CUDA_NODES_ABSENT;
    else if (sum->nodes == RL_NODES_SILENT)
        sum->reason = RL_CUDA_NODES_SILENT;
    else if (sum->used_cuda == RL_FACT_YES)
        sum->reason = RL_CUDA_DEVICE_HELD;
    else if (sum->loaded)
        sum->reason = RL_CUDA_LOADED;
    else
        sum->reason = sum->gaps ? RL_CUDA_GAPS : RL_CUDA_NOT_LOADED;
    assert(sum->reason < RL_CUDA_REASON_COUNT);
    sum->used_cuda = facts[sum->reason];
}

struct rl_descendants_answer rl_descendants_answer(const struct rl_descendants *d)
{
    struct rl_descendants_answer sum = d->kin.sum;
    sum.nodes = d->nodes.state;
    sum.alive = d->kin.live_count;
    sum.remembered = d->kin.known_count;
    answer_cuda(&sum);
    if (sum.used_cuda == RL_FACT_NO)
        sum.unobserved = 0;
    return sum;
}

const struct rl_descendant *rl_descendants_get(const struct rl_descendants *d, size_t i)
{
    assert(i < d->kin.known_count);
    return &d->kin.known[i];
}

const struct rl_descendant *rl_descendants_find(const struct rl_descendants *d, uint32_t pid, int64_t at_ns)
{
    const struct rl_descendant *found = NULL;
    for (size_t i = 0; i < d->kin.known_count; i++) {
        const struct rl_descendant *known = &d->kin.known[i];
        if (known->pid == pid && known->started_ns <= at_ns && (!known->ended_ns || at_ns <= known->ended_ns))
            found = known; /* the last one, where an end is not known */
    }
    return found;
}

const char *rl_gap_text(enum rl_gap gap)
{
    static const char *const texts[RL_GAP_COUNT] = {
        [RL_GAP_POLLED] =
            "processes that were there only briefly may have been missed, because the kernel's records may not be read here",
        [RL_GAP_LOST] = "records of the kernel about processes were lost",
        [RL_GAP_PRIVILEGED] = "a process became a program that may not be watched (setuid, or not readable)",
        [RL_GAP_CPUS] = "processors were added while the program ran",
        [RL_GAP_DAMAGED] = "a record of the kernel made no sense",
        [RL_GAP_UNRELATED] = "the kernel's records do not fit together"};
    assert(gap < RL_GAP_COUNT);
    return texts[gap];
}

const char *rl_cuda_reason_text(enum rl_cuda_reason reason)
{
    static const char *const texts[RL_CUDA_REASON_COUNT] = {
        [RL_CUDA_NODES_ABSENT] = "there is no device of the CUDA driver on this machine",
        [RL_CUDA_NODES_SILENT] = "nobody opened a device of the CUDA driver",
        [RL_CUDA_NOT_LOADED] = "no process loaded the CUDA driver",
        [RL_CUDA_DEVICE_HELD] = "a process loaded the CUDA driver and opened its device",
        [RL_CUDA_LOADED] = "a process loaded the CUDA driver; whether it used it is not known",
        [RL_CUDA_GAPS] = "not every process is known"};
    assert(reason < RL_CUDA_REASON_COUNT);
    return texts[reason];
}

const char *rl_source_text(enum rl_source source)
{
    static const char *const texts[] = {[RL_SOURCE_SYSTEM] = "the kernel's records of all processes",
                                        [RL_SOURCE_TASK] = "the kernel's records of the program",
                                        [RL_SOURCE_POLL] = "looks into /proc"};
    assert(source <= RL_SOURCE_POLL);
    return texts[source];
}
