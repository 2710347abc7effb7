/* descendants_parts.h - what descendants.h is made of: the table of processes, the kernel's records, /proc, the device nodes. */
#ifndef RL_DESCENDANTS_PARTS_H
#define RL_DESCENDANTS_PARTS_H

#include "descendants.h"

/* ---- events: what happened to a process (every source speaks of it in these) ---- */

enum rl_event_kind { RL_EVENT_FORK, RL_EVENT_THREAD, RL_EVENT_EXEC, RL_EVENT_MAP, RL_EVENT_EXIT };
enum rl_object { RL_OBJECT_OTHER, RL_OBJECT_DRIVER, RL_OBJECT_PART };

struct rl_event {
    int64_t time_ns;
    uint64_t order; /* among events of the same time */
    enum rl_event_kind kind;
    uint32_t pid;
    uint32_t other;          /* FORK: the parent; EXIT: the thread */
    enum rl_object object;   /* MAP */
    char name[RL_COMM_SIZE]; /* EXEC, terminated */
};

/* What a mapped file is, by the last part of its path. */
enum rl_object rl_object_of(const char *path);

/* ---- the table ---- */

enum { RL_PID_LIMIT = 4194304 }; /* the kernel's PID_MAX_LIMIT: no number is as great */
#define RL_NOT_REMEMBERED UINT32_MAX

/* A process that has not ended. */
struct rl_live {
    uint32_t pid, parent, threads;
    uint32_t index; /* of what is remembered of it */
    int64_t started_ns;
    uint32_t execs;
    enum rl_loaded driver;                                 /* by the present program */
    bool part, held;                                       /* the same; held: had a device node open */
    bool bare;                                             /* has become another program, which has not been mapped yet */
    bool lost;                                             /* gone out of sight: nothing more will be heard of it */
    bool counted_driver, counted_part, counted_unobserved; /* in the sums */
    uint64_t scanned;                                      /* state of the nodes when its descriptors were looked at last */
    uint64_t ticks;                                        /* its start as /proc says it, when polled */
    unsigned looks;                                        /* at what it has mapped, by the present program, when polled */
    uint64_t stack;                                        /* where it begins, which tells programs apart, when polled */
    char name[RL_COMM_SIZE];
};

enum { RL_MOST_WATCHED_ENDS = 64 }; /* descriptors that are held for that */

struct rl_kin {
    uint32_t *slots; /* by number of the process: index in `live` plus 1; 0: none */
    struct rl_live *live;
    size_t live_count, live_cap;
    struct rl_descendant *known;
    size_t known_count, known_cap;
    struct rl_watched_end { /* of one that loaded the driver */
        int pidfd;
        uint32_t index; /* in `known` */
    } end[RL_MOST_WATCHED_ENDS];
    size_t end_count;
    bool inherited; /* whoever is heard of is a descendant (RL_SOURCE_TASK) */
    struct rl_descendants_answer sum;
};

/* An empty table. It takes address space for every process id, but only pages that are used. */
void rl_kin_init(struct rl_kin *kin);
/* Closes the descriptors of processes whose ends were waited for, and frees the table; once. */
void rl_kin_release(struct rl_kin *kin);
/* NULL: no such process is alive. Until the next process is added. */
struct rl_live *rl_kin_find(struct rl_kin *kin, uint32_t pid);
/* A new process; one that had the number has ended, unnoticed. NULL: no process has such a number. */
struct rl_live *rl_descendant_add(struct rl_kin *kin, uint32_t pid, uint32_t parent, int64_t started_ns);
/* What is remembered of it, or NULL. */
struct rl_descendant *rl_kin_known(struct rl_kin *kin, const struct rl_live *live);
/* It has mapped the driver's library, our part, or another file. */
void rl_kin_map(struct rl_kin *kin, struct rl_live *live, enum rl_object object);
/* It was seen with a device node open. */
void rl_kin_held(struct rl_kin *kin, struct rl_live *live);
/* It became the program with that name. */
void rl_kin_exec(struct rl_kin *kin, struct rl_live *live, const char *name);
/* It has ended; `ended_ns` 0: it is not known when. `live` is gone. */
void rl_kin_end(struct rl_kin *kin, struct rl_live *live, int64_t ended_ns);
/* Takes one event; events come in the order of their times. */
void rl_kin_take(struct rl_kin *kin, const struct rl_event *event);
/* Not everything is known any more. */
void rl_kin_gap(struct rl_kin *kin, enum rl_gap gap);
/* Nothing comes after this: every process's facts are as good as they get. */
void rl_kin_settle(struct rl_kin *kin);

/* ---- the kernel's records ---- */

struct rl_ring {
    int fd;
    int cpu;
    void *map; /* a page of positions, then `size` bytes of records */
    bool full; /* at the last look there was no room for a record of any length: the next one may have been lost */
};

struct rl_rings {
    struct rl_ring *ring;
    size_t count, cap;
    size_t size; /* bytes of each */
    enum rl_source source;
    struct rl_event *events; /* taken out of the rings, not yet told */
    size_t event_count, event_cap;
    uint64_t order;
};

/* Rings of RL_SOURCE_SYSTEM or RL_SOURCE_TASK for the child `pid`. 0 or errno (ERANGE: too many processors); then there is none. */
int rl_rings_open(struct rl_rings *rings, enum rl_source source, pid_t pid, size_t size);
/* Takes all records out of the rings and tells those from before `until_ns` to the table. Events of several processors are told in
 * the order of their times as long as a record is in its ring 0.1 s after it happened. */
void rl_rings_take(struct rl_rings *rings, struct rl_kin *kin, int64_t until_ns);
/* At the end: gaps that only show then. */
void rl_rings_settle(struct rl_rings *rings, struct rl_kin *kin);
/* Unmaps and closes all rings, and drops events that were not told; of a zeroed one, too, and zeroes it. */
void rl_rings_release(struct rl_rings *rings);

/* ---- the device nodes ---- */

enum { RL_MOST_NODES = 8 };

struct rl_node {
    char *path;
    char *real;        /* without symbolic links; NULL: there is no such file */
    int watch, folder; /* of inotify, -1: none; folder: of what it is in */
};

struct rl_node_watch {
    int fd; /* inotify; -1: none */
    struct rl_node node[RL_MOST_NODES];
    size_t count;
    enum rl_nodes state;
    uint64_t opens; /* grows with each */
};

/* Begins to watch; `paths` are separated by colons. */
void rl_nodes_open(struct rl_node_watch *nodes, const char *paths);
/* Takes what has happened to them. */
void rl_nodes_take(struct rl_node_watch *nodes);
/* Ends the watch; may be called again. */
void rl_nodes_release(struct rl_node_watch *nodes);

/* ---- /proc ---- */

/* Whether process `pid` has one of the nodes open now. */
bool rl_proc_holds(uint32_t pid, const struct rl_node_watch *nodes);
/* Remembers the process as it is before it becomes the program, so that a look can tell. */
void rl_proc_note(struct rl_live *live);
/* Tells the table what process `live` has mapped. */
void rl_proc_maps(struct rl_kin *kin, struct rl_live *live);
/* Tells the table of the descendants that there are now. */
void rl_proc_read(struct rl_kin *kin);

/* ---- how a process ended ---- */

/* Wait status by pidfd of a process that has ended and was waited for; false: it has not, or the kernel does not tell. */
bool rl_proc_status(int pidfd, int *status);

#endif
