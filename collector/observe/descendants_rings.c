/* descendants_rings.c - the kernel's own records of processes (perf_event_open): forks, programs, mappings of code, ends. */
#include <assert.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "core/mem.h"
#include "core/sort.h"
#include "descendants_parts.h"

enum {
    USUAL_SIZE = 128 << 10,
    LEAST_SIZE = 16 << 10,
    LONGEST_RECORD = 8 << 10, /* a path of 4 KiB and what is around it, generously */
    MOST_EVENTS = 1 << 20,    /* that are held back to be sorted */
};

/* ---- processors ---- */

typedef cpu_set_t processors[8]; /* 8,192 of them, as many as Linux can be built for */

/* Every processor, or only those that the program may ever run on: those of its control group, whatever this thread's own affinity
 * is, because a program may widen that. */
static bool find_processors(enum rl_source source, processors set)
{
    processors own, all;
    memset(all, 0xff, sizeof all);
    memset(set, 0, sizeof all); /* the kernel writes no more than it has */
    memset(own, 0, sizeof own);
    if (source == RL_SOURCE_SYSTEM) {
        memcpy(set, all, sizeof all);
        return true;
    }
    if (sched_getaffinity(0, sizeof own, own) != 0 || sched_setaffinity(0, sizeof all, all) != 0)
        return false;
    bool done = sched_getaffinity(0, sizeof all, set) == 0;
    return sched_setaffinity(0, sizeof own, own) == 0 && done;
}

static int open_event(enum rl_source source, pid_t pid, int cpu, size_t size)
{
    struct perf_event_attr attr = {.type = PERF_TYPE_SOFTWARE,
                                   .size = sizeof attr,
                                   .config = PERF_COUNT_SW_DUMMY,
                                   .sample_type = PERF_SAMPLE_TIME,
                                   .sample_id_all = 1,
                                   .task = 1,
                                   .comm = 1,
                                   .comm_exec = 1,
                                   .mmap = 1,
                                   .mmap2 = 1,
                                   .exclude_kernel = 1,
                                   .exclude_hv = 1,
                                   .use_clockid = 1,
                                   .clockid = CLOCK_MONOTONIC,
                                   .watermark = 1,
                                   .wakeup_watermark = (uint32_t)size / 2};
    if (source == RL_SOURCE_TASK)
        attr.inherit = attr.disabled = attr.enable_on_exec = 1;
    return (int)syscall(SYS_perf_event_open, &attr, source == RL_SOURCE_TASK ? pid : -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

/* ---- opening ---- */

static size_t page_size(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

static void close_rings(struct rl_rings *rings)
{
    for (size_t i = 0; i < rings->count; i++) {
        munmap(rings->ring[i].map, page_size() + rings->size);
        close(rings->ring[i].fd);
    }
    rings->count = 0;
}

static int add_ring(struct rl_rings *rings, pid_t pid, int cpu)
{
    int fd = open_event(rings->source, pid, cpu, rings->size);
    if (fd < 0)
        return errno;
    void *map = mmap(NULL, page_size() + rings->size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (map == MAP_FAILED) {
        int error = errno;
        close(fd);
        return error;
    }
    RL_GROW(rings->ring, rings->count + 1, rings->cap);
    rings->ring[rings->count++] = (struct rl_ring){.fd = fd, .cpu = cpu, .map = map};
    return 0;
}

/* A processor that is off line says ENODEV, the first number behind the last one EINVAL. */
static int add_rings(struct rl_rings *rings, pid_t pid, const cpu_set_t *set)
{
    int error = 0;
    if (rings->source == RL_SOURCE_TASK && CPU_COUNT_S(sizeof(processors), set) > RL_MOST_TASK_CPUS)
        return ERANGE;
    for (size_t cpu = 0; cpu < 8 * sizeof(processors) && (error == 0 || error == ENODEV); cpu++)
        if (CPU_ISSET_S(cpu, sizeof(processors), set))
            error = add_ring(rings, pid, (int)cpu);
    if (rings->count && (error == EINVAL || error == ENODEV))
        error = 0;
    if (error)
        close_rings(rings);
    return error;
}

int rl_rings_open(struct rl_rings *rings, enum rl_source source, pid_t pid, size_t size)
{
    processors set;
    assert(source != RL_SOURCE_POLL);
    *rings = (struct rl_rings){.source = source, .size = size ? size : USUAL_SIZE};
    int error = find_processors(source, set) ? add_rings(rings, pid, set) : errno;
    while (error == EPERM && !size && rings->size > LEAST_SIZE) { /* memory that may be locked */
        rings->size /= 2;
        error = add_rings(rings, pid, set);
    }
    return error;
}

void rl_rings_release(struct rl_rings *rings)
{
    close_rings(rings);
    free(rings->ring);
    free(rings->events);
    *rings = (struct rl_rings){0};
}

/* ---- records ---- */

/* A record behind its head, without the time at its end. */
struct record {
    uint32_t type, misc;
    const unsigned char *body;
    size_t len;
    int64_t time_ns;
};

struct fork_body {
    uint32_t pid, ppid, tid, ptid;
    uint64_t time;
};

struct name_body { /* COMM; a terminated name comes behind */
    uint32_t pid, tid;
};

struct map_body { /* MMAP2; a terminated path comes behind */
    uint32_t pid, tid;
    uint64_t addr, len, offset;
    uint32_t major, minor;
    uint64_t inode, generation;
    uint32_t protection, flags;
};

/* Whether the record has that much, and behind it a text that ends. */
static bool has_text(const struct record *record, size_t before)
{
    return record->len > before && memchr(record->body + before, 0, record->len - before) != NULL;
}

static bool read_fork(const struct record *record, struct rl_event *event)
{
    struct fork_body body;
    if (record->len < sizeof body)
        return false;
    memcpy(&body, record->body, sizeof body);
    event->pid = body.pid;
    event->other = record->type == PERF_RECORD_EXIT ? body.tid : body.ppid;
    if (record->type == PERF_RECORD_EXIT)
        event->kind = RL_EVENT_EXIT;
    else
        event->kind = body.pid == body.ppid ? RL_EVENT_THREAD : RL_EVENT_FORK;
    return true;
}

static bool read_name(const struct record *record, struct rl_event *event)
{
    struct name_body body;
    if (!has_text(record, sizeof body))
        return false;
    memcpy(&body, record->body, sizeof body);
    const char *name = (const char *)record->body + sizeof body;
    event->kind = RL_EVENT_EXEC;
    event->pid = record->misc & PERF_RECORD_MISC_COMM_EXEC ? body.pid : 0; /* a thread that renames itself is of no interest */
    memcpy(event->name, name, strnlen(name, sizeof event->name - 1));
    return true;
}

static bool read_map(const struct record *record, struct rl_event *event)
{
    struct map_body body;
    if (!has_text(record, sizeof body))
        return false;
    memcpy(&body, record->body, sizeof body);
    event->kind = RL_EVENT_MAP;
    event->pid = body.pid;
    event->object = rl_object_of((const char *)record->body + sizeof body);
    return true;
}

static bool (*const readers[PERF_RECORD_MAX])(const struct record *, struct rl_event *) = {
    [PERF_RECORD_FORK] = read_fork, [PERF_RECORD_EXIT] = read_fork, [PERF_RECORD_COMM] = read_name, [PERF_RECORD_MMAP2] = read_map};

static void take_loss(const struct record *record, struct rl_kin *kin)
{
    uint64_t body[2] = {0, 1}; /* of which event, how many */
    if (record->len >= sizeof body)
        memcpy(body, record->body, sizeof body);
    rl_kin_gap(kin, RL_GAP_LOST);
    kin->sum.lost += body[1];
}

static void take_record(struct rl_rings *rings, struct rl_kin *kin, const struct record *record)
{
    struct rl_event event = {.time_ns = record->time_ns, .order = rings->order++};
    if (record->type == PERF_RECORD_LOST)
        take_loss(record, kin);
    if (record->type >= RL_COUNT(readers) || !readers[record->type])
        return;
    if (!readers[record->type](record, &event)) {
        rl_kin_gap(kin, RL_GAP_DAMAGED);
    } else if (event.pid != 0 && event.pid != UINT32_MAX) { /* those are processes that have no number here */
        RL_GROW(rings->events, rings->event_count + 1, rings->event_cap);
        rings->events[rings->event_count++] = event;
    }
}

/* ---- a ring ---- */

/* Bytes of a ring, also across its end. */
static void copy_out(const struct rl_rings *rings, const struct rl_ring *ring, uint64_t from, void *to, size_t len)
{
    assert(len <= rings->size);
    const unsigned char *data = (const unsigned char *)ring->map + page_size();
    const size_t at = (size_t)(from & (rings->size - 1)), first = len < rings->size - at ? len : rings->size - at;
    memcpy(to, data + at, first);
    memcpy((unsigned char *)to + first, data, len - first);
}

/* The length of the record at `tail`; 0: there is no sense in it. */
static size_t read_record(struct rl_rings *rings, struct rl_kin *kin, const struct rl_ring *ring, uint64_t tail, uint64_t head)
{
    unsigned char bytes[UINT16_MAX];
    struct perf_event_header header;
    struct record record = {.body = bytes};
    copy_out(rings, ring, tail, &header, sizeof header);
    if (header.size < sizeof header + sizeof record.time_ns || header.size > head - tail)
        return 0;
    record.len = header.size - sizeof header - sizeof record.time_ns;
    record.type = header.type;
    record.misc = header.misc;
    copy_out(rings, ring, tail + sizeof header, bytes, record.len);
    copy_out(rings, ring, tail + header.size - sizeof record.time_ns, &record.time_ns, sizeof record.time_ns);
    take_record(rings, kin, &record);
    return header.size;
}

/* A loss is told by the record after it, unless there is none: then only that the ring was full speaks of it. */
static void empty_ring(struct rl_rings *rings, struct rl_kin *kin, struct rl_ring *ring)
{
    struct perf_event_mmap_page *page = ring->map;
    const uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
    uint64_t tail = page->data_tail;
    if (head == tail)
        return;
    ring->full = head - tail + LONGEST_RECORD > rings->size;
    while (tail < head) {
        size_t size = read_record(rings, kin, ring, tail, head);
        if (size == 0)
            rl_kin_gap(kin, RL_GAP_DAMAGED);
        tail = size ? tail + size : head;
    }
    __atomic_store_n(&page->data_tail, head, __ATOMIC_RELEASE);
}

/* ---- all rings ---- */

static int by_time(const void *a, const void *b)
{
    const struct rl_event *x = a, *y = b;
    return rl_ascending(x->time_ns, y->time_ns) ?: rl_ascending(x->order, y->order);
}

void rl_rings_take(struct rl_rings *rings, struct rl_kin *kin, int64_t until_ns)
{
    size_t told = 0;
    for (size_t i = 0; i < rings->count; i++)
        empty_ring(rings, kin, &rings->ring[i]);
    if (rings->event_count == 0)
        return;
    rl_sort(rings->events, rings->event_count, sizeof *rings->events, by_time);
    while (told < rings->event_count && (rings->events[told].time_ns < until_ns || rings->event_count - told > MOST_EVENTS))
        rl_kin_take(kin, &rings->events[told++]);
    assert(told <= rings->event_count);
    rings->event_count -= told;
    memmove(rings->events, rings->events + told, rings->event_count * sizeof *rings->events);
}

/* Whether a processor that has no ring would take one by now. */
static bool other_processors(const struct rl_rings *rings)
{
    processors set;
    int fd = -1;
    if (!find_processors(rings->source, set))
        return true;
    for (size_t i = 0; i < rings->count; i++)
        CPU_CLR_S((size_t)rings->ring[i].cpu, sizeof set, set);
    errno = 0;
    for (size_t cpu = 0; cpu < 8 * sizeof set && fd < 0 && (errno == 0 || errno == ENODEV); cpu++)
        if (CPU_ISSET_S(cpu, sizeof set, set))
            fd = open_event(rings->source, getpid(), (int)cpu, rings->size);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

void rl_rings_settle(struct rl_rings *rings, struct rl_kin *kin)
{
    for (size_t i = 0; i < rings->count; i++)
        if (rings->ring[i].full)
            rl_kin_gap(kin, RL_GAP_LOST);
    if (rings->count && other_processors(rings))
        rl_kin_gap(kin, RL_GAP_CPUS);
}
