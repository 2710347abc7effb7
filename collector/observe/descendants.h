/* descendants.h - what is known of the processes that an observed program was made of, and whether that is all there is to know.
 *
 *     struct rl_descendants *d = rl_descendants_open(NULL);
 *     child = fork();                        in the child: wait for the pipe, then exec (below)
 *     rl_descendants_attach(d, child);       then let the child go
 *     while (it runs) { poll rl_descendants_fd(d) and others, at most 0.1 s; rl_descendants_tick(d); }
 *     rl_descendants_finish(d, wait_status);
 *     rl_descendants_answer(d), rl_descendants_get(d, i) ...
 *     rl_descendants_close(d);
 *
 * Sources, the first that is permitted:
 * - RL_SOURCE_SYSTEM: the kernel's records (perf_event_open) of every process of the machine; those of descendants are kept. The
 *   program is not touched at all. Needs root, CAP_PERFMON or perf_event_paranoid <= 0.
 * - RL_SOURCE_TASK: the same records, of the program only. Each new thread inherits one event per processor, which costs 2 to 5 us
 *   each, so this is used only where the program may run on at most RL_MOST_TASK_CPUS processors.
 * - RL_SOURCE_POLL: looking into /proc at ticks. A process that lives between two looks is not seen, so this is never complete.
 *
 * In all cases the device nodes of the CUDA driver are watched (inotify): where nobody has opened one, no process has used CUDA,
 * whatever else is not known. Who opens one is not told, so this process must not open one itself (NVML does) between
 * rl_descendants_open and rl_descendants_finish. Nodes with another inode (made by mknod in a container that the program starts as
 * root) are not seen.
 *
 * This process is not made a subreaper. Orphans of the program would become its children, and getppid() == 1, by which many
 * programs notice that their parent is gone, would not hold until the end of the run; PR_SET_PDEATHSIG would fire a second time
 * when this process ends. A subreaper's gain, the wait status of orphans, comes from a pidfd where the kernel can tell (Linux 6.15
 * or newer), for processes that have loaded the driver.
 *
 * Between fork and exec the child must not fork, exec or start threads before the parent has returned from rl_descendants_attach:
 * it blocks in a read of a pipe whose other end the parent closes, or writes to, afterwards. It has nothing to close, set or undo:
 * every descriptor here is close-on-exec, the rings are made after the fork. Processes that the child started earlier would be
 * unknown.
 *
 * What is known ends with rl_descendants_finish: of a process that is alive then (`alive` of the answer) nothing later is known.
 *
 * One thread; no locks, no signal handlers, no threads of its own. Nothing here may be called from a signal handler.
 */
#ifndef RL_DESCENDANTS_H
#define RL_DESCENDANTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum {
    RL_MOST_DESCENDANTS = 65536,    /* remembered one by one; all others are only counted */
    RL_RESERVED_DESCENDANTS = 4096, /* of those, kept for processes that load the driver */
    RL_MOST_TASK_CPUS = 16,
    RL_COMM_SIZE = 16, /* of a command name with its terminator: the kernel's TASK_COMM_LEN */
    RL_COMMANDS = 4,   /* names kept of a process */
};

enum rl_source { RL_SOURCE_SYSTEM, RL_SOURCE_TASK, RL_SOURCE_POLL };

/* UNKNOWN is 0: what nobody has set is not known. */
enum rl_fact { RL_FACT_UNKNOWN, RL_FACT_NO, RL_FACT_YES };

/* How a process came to have the driver's library (libcuda.so*) in its address space. INHERITED: only by a fork of one that had it.
 */
enum rl_loaded { RL_LOADED_UNKNOWN, RL_LOADED_NO, RL_LOADED_INHERITED, RL_LOADED_YES };

/* Why the list of processes, or what is said of them, may lack something. */
enum rl_gap {
    RL_GAP_POLLED,     /* no records: processes were looked for now and then */
    RL_GAP_LOST,       /* records were lost, or may have been */
    RL_GAP_PRIVILEGED, /* a process became one that may not be watched (setuid program, unreadable program) */
    RL_GAP_CPUS,       /* processors came on line, or were granted, that had no ring */
    RL_GAP_DAMAGED,    /* a record that makes no sense */
    RL_GAP_UNRELATED,  /* a record of a process that nobody had announced, or a number given twice */
    RL_GAP_COUNT
};

/* The device nodes of the driver. */
enum rl_nodes {
    RL_NODES_UNWATCHED, /* could not be watched: nothing follows from them */
    RL_NODES_ABSENT,    /* there is none, and none came */
    RL_NODES_SILENT,    /* watched all along; nobody opened one */
    RL_NODES_OPENED,    /* somebody on this machine opened one, or one came into being */
};

/* What the answer about CUDA rests on. */
enum rl_cuda_reason {
    RL_CUDA_NODES_ABSENT, /* NO */
    RL_CUDA_NODES_SILENT, /* NO */
    RL_CUDA_NOT_LOADED,   /* NO: every process is known, none loaded the driver */
    RL_CUDA_DEVICE_HELD,  /* YES: a process that loaded the driver was seen holding its device open */
    RL_CUDA_LOADED,       /* UNKNOWN: a process loaded the driver, somebody opened the device, the two were not seen together */
    RL_CUDA_GAPS,         /* UNKNOWN: no process was seen to load it, but not everything was seen */
    RL_CUDA_REASON_COUNT
};

struct rl_descendant {
    uint32_t pid, parent; /* process numbers as this process sees them; the parent at its start; numbers are used again */
    int64_t started_ns;   /* CLOCK_MONOTONIC; when polled, to 10 ms */
    int64_t ended_ns;     /* 0: not known, or not ended; when polled, when it was missed */
    enum rl_fact ended;   /* NO: alive when last seen, or at the finish */
    enum rl_fact status_known;
    int status;              /* as of waitpid(), when status_known is YES */
    enum rl_loaded driver;   /* since its start, in any of its programs */
    enum rl_fact part;       /* had librooflight-inject.so mapped; the same */
    enum rl_fact device;     /* held a device node of the driver open; NO only where the nodes say so for everybody */
    enum rl_fact unobserved; /* used CUDA without our part, in at least one of its programs; UNKNOWN: had the driver without our
                              * part, or may have had, and whether it used it is not known */
    uint32_t execs;          /* times that it became another program */
    char name[RL_COMM_SIZE]; /* of the program that it runs, or ran last, which may be its parent's; any bytes, always terminated */
    /* Names after the first execs and, in the last place, after the latest; "" where there is none. When polled, what it was called
     * when the change was seen. */
    char commands[RL_COMMANDS][RL_COMM_SIZE];
};

struct rl_descendants_answer {
    enum rl_source source;
    int refused;   /* errno of what kept from a better source; 0: nothing, or the caller's choice. ERANGE: too many processors */
    unsigned gaps; /* bits 1u << enum rl_gap; 0: every process is known, with what it loaded */
    uint64_t lost; /* records that the kernel says were lost */
    enum rl_nodes nodes;
    enum rl_fact used_cuda;
    enum rl_cuda_reason reason;
    uint64_t processes, threads, execs; /* started, the program itself included; threads besides the first of each process */
    uint64_t alive;                     /* processes that have not ended, as far as is known */
    uint64_t loaded;                    /* processes that loaded the driver themselves */
    uint64_t observed;                  /* those that loaded our part */
    uint64_t unobserved;                /* that used CUDA, or may have, without it: unobserved is YES, or UNKNOWN with driver YES */
    size_t remembered;                  /* for rl_descendants_get; `processes` has all */
};

struct rl_descendants_options {
    enum rl_source best; /* the best source that may be used: RL_SOURCE_SYSTEM lets this module choose */
    size_t ring_bytes;   /* of each processor's ring, a power of two of at least a page; 0: the usual size. For tests */
    const char *nodes;   /* device nodes, separated by colons; NULL: those of $ROOFLIGHT_DRIVER_NODES; unset: the driver's */
};

struct rl_descendants;

/* Begins to watch the device nodes; before the fork. `options` may be NULL. Never fails: what is not possible becomes a gap.
 * Release with rl_descendants_close. */
struct rl_descendants *rl_descendants_open(const struct rl_descendants_options *options);
/* Begins to watch process `pid`, a child that waits for its exec, and all that it will start. Once, in the process that opened. */
void rl_descendants_attach(struct rl_descendants *d, pid_t pid);
/* A descriptor (epoll) that is readable when a tick is due sooner than usual; owned by `d`. -1: there is none, tick every 50 ms. */
int rl_descendants_fd(const struct rl_descendants *d);
/* Takes what has come. Waits for nothing (but when polled, a moment for the list of a process's mappings). At least every 0.1 s, or
 * records may be lost. Next to no work when nothing has come; when polled, at most a twentieth of the time. */
void rl_descendants_tick(struct rl_descendants *d);
/* After the child was waited for, with its wait status: takes what is left, ends watching, settles every fact. Whoever wants to
 * know about processes that outlive the child goes on with ticks until `alive` of the answer is 0, and finishes then. Once. */
void rl_descendants_finish(struct rl_descendants *d, int status);
/* Frees everything; `d` may be NULL. */
void rl_descendants_close(struct rl_descendants *d);

/* What is known as a whole. Before the finish a NO is one so far, and gaps that show at the end are missing. */
struct rl_descendants_answer rl_descendants_answer(const struct rl_descendants *d);
/* One of the processes that are remembered, `i` below `remembered`, in the order of their start, but for those that are remembered
 * only because they loaded the driver; 0 is the program itself. Owned by `d`, until the next tick. */
const struct rl_descendant *rl_descendants_get(const struct rl_descendants *d, size_t i);
/* The remembered process that had the number `pid` at `at_ns` (CLOCK_MONOTONIC); NULL: none. */
const struct rl_descendant *rl_descendants_find(const struct rl_descendants *d, uint32_t pid, int64_t at_ns);

/* Half a sentence without a full stop: the one place that puts these into words. */
const char *rl_gap_text(enum rl_gap gap);
/* As above, for what the answer about CUDA rests on. */
const char *rl_cuda_reason_text(enum rl_cuda_reason reason);
/* As above, for a source. */
const char *rl_source_text(enum rl_source source);

#endif
