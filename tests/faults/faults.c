/* faults.c - runs a program and makes one of its system calls fail, or ends it there. What the libraries call counts as well: the
 * kernel hands every call over (seccomp, SECCOMP_RET_USER_NOTIF) before it is made.
 *
 *     faults HOW AT SHARED PROGRAM [ARG ...]
 *
 *     HOW       ENOSPC, EIO, EINTR, EACCES, ENOMEM: the call fails so; short: it reads or writes half; a number: this signal comes
 *     AT        at which call, from 1 on, of those for which that is possible; children that are the same program count
 *     SHARED    a file; struct shared goes into it
 *
 * Exit status 0 when the program has run, whatever its own status, which is in SHARED; 77 where the kernel hands no calls over.
 * A close that fails has closed, as with Linux. The dynamic loader's calls do not count: without libraries there is no program. */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CANNOT_TRY = 77, HALF_MOST = 1 << 16 };
#define RECEIVED_WAITS (1U << 5) /* SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV, where headers are older */

/* Read by faults.py: five numbers, then the name of the call that was met. */
struct shared {
    uint32_t calls, fired, in_child;
    int32_t unknown; /* a call that no row below has; -1: there was none */
    int32_t status;  /* of the program, as waitpid() gives it */
    char name[32];
};

enum kind {
    READS = 1,
    WRITES = 2,
    OPENS = 4, /* may be MAKES, by its flags */
    MAKES = 8,
    SYNCS = 16,
    CLOSES = 32,
    NAMES = 64,
    REMOVES = 128,
    LOOKS = 256,
    WAITS = 512,
    STARTS = 1024,
    OTHER = 2048,
    ALL = 4095
};

static const struct way {
    const char *name;
    int error;
    unsigned kinds;
} ways[] = {{"ENOSPC", ENOSPC, WRITES | MAKES | SYNCS | CLOSES | NAMES},
            {"EIO", EIO, READS | WRITES | OPENS | MAKES | SYNCS | CLOSES | NAMES | REMOVES | LOOKS | OTHER},
            {"EINTR", EINTR, READS | WRITES | OPENS | MAKES | SYNCS | CLOSES | WAITS},
            {"EACCES", EACCES, OPENS | MAKES | NAMES | REMOVES | LOOKS},
            {"ENOMEM", ENOMEM, STARTS | OPENS | MAKES | LOOKS},
            {"short", 0, READS | WRITES}};

/* Every call that the program makes is in this list or in the next one. */
#define CALL(name, kind)                                                                                                           \
    {                                                                                                                              \
        SYS_##name, #name, kind                                                                                                    \
    }
static const struct call {
    int number;
    const char *name;
    enum kind kind;
} calls[] = {
    CALL(read, READS),
    CALL(readv, READS),
    CALL(pread64, READS),
    CALL(getdents64, READS),
    CALL(recvmsg, READS),
    CALL(recvfrom, READS),
    CALL(write, WRITES),
    CALL(writev, WRITES),
    CALL(pwrite64, WRITES),
    CALL(sendmsg, WRITES),
    CALL(sendto, WRITES),
    CALL(ftruncate, WRITES),
    CALL(fallocate, WRITES),
    CALL(openat, OPENS),
    CALL(memfd_create, MAKES),
    CALL(mkdirat, MAKES),
    CALL(mknodat, MAKES),
    CALL(fsync, SYNCS),
    CALL(fdatasync, SYNCS),
    CALL(close, CLOSES),
    CALL(renameat, NAMES),
    CALL(renameat2, NAMES),
    CALL(linkat, NAMES),
    CALL(symlinkat, NAMES),
    CALL(unlinkat, REMOVES),
    CALL(fstat, LOOKS),
    CALL(newfstatat, LOOKS),
    CALL(statx, LOOKS),
    CALL(faccessat, LOOKS),
    CALL(faccessat2, LOOKS),
    CALL(readlinkat, LOOKS),
    CALL(statfs, LOOKS),
    CALL(fstatfs, LOOKS),
    CALL(getcwd, LOOKS),
    CALL(ppoll, WAITS),
    CALL(pselect6, WAITS),
    CALL(epoll_pwait, WAITS),
    CALL(wait4, WAITS),
    CALL(waitid, WAITS),
    CALL(nanosleep, WAITS),
    CALL(clock_nanosleep, WAITS),
    CALL(getrandom, WAITS),
    CALL(rt_sigtimedwait, WAITS),
    CALL(connect, WAITS),
    CALL(accept4, WAITS),
    CALL(clone, STARTS),
    CALL(clone3, STARTS),
    CALL(execve, STARTS),
    CALL(mmap, STARTS),
    CALL(mremap, STARTS),
    CALL(pipe2, OTHER),
    CALL(dup, OTHER),
    CALL(dup3, OTHER),
    CALL(lseek, OTHER),
    CALL(flock, OTHER),
    CALL(fchmod, OTHER),
    CALL(fchmodat, OTHER),
    CALL(fchown, OTHER),
    CALL(fcntl, OTHER),
    CALL(ioctl, OTHER),
    CALL(chdir, OTHER),
    CALL(fchdir, OTHER),
    CALL(socket, OTHER),
    CALL(socketpair, OTHER),
    CALL(bind, OTHER),
    CALL(listen, OTHER),
    CALL(getsockopt, OTHER),
    CALL(setsockopt, OTHER),
    CALL(getsockname, OTHER),
    CALL(epoll_create1, OTHER),
    CALL(epoll_ctl, OTHER),
    CALL(eventfd2, OTHER),
    CALL(signalfd4, OTHER),
    CALL(inotify_init1, OTHER),
    CALL(inotify_add_watch, OTHER),
    CALL(mlock, OTHER),
    CALL(mlock2, OTHER),
    CALL(uname, OTHER),
    CALL(sched_getaffinity, OTHER),
    CALL(kill, OTHER),
    CALL(pidfd_open, OTHER),
    CALL(pidfd_send_signal, OTHER),
    CALL(perf_event_open, OTHER),
    CALL(setpgid, OTHER),
    CALL(setsid, OTHER),
    CALL(prlimit64, OTHER),
#ifdef SYS_open /* machines that have calls without "at" */
    CALL(open, OPENS),
    CALL(mkdir, MAKES),
    CALL(rename, NAMES),
    CALL(link, NAMES),
    CALL(symlink, NAMES),
    CALL(unlink, REMOVES),
    CALL(rmdir, REMOVES),
    CALL(stat, LOOKS),
    CALL(lstat, LOOKS),
    CALL(access, LOOKS),
    CALL(readlink, LOOKS),
    CALL(poll, WAITS),
    CALL(select, WAITS),
    CALL(epoll_wait, WAITS),
    CALL(fork, STARTS),
    CALL(vfork, STARTS),
    CALL(pipe, OTHER),
    CALL(dup2, OTHER),
    CALL(chmod, OTHER),
#endif
};

/* They cannot fail, or nobody asks whether they have, and no file is other after them than before. */
static const int harmless[] = {
    SYS_exit,           SYS_exit_group,    SYS_brk,          SYS_munmap,          SYS_mprotect,        SYS_madvise,
    SYS_munlock,        SYS_futex,         SYS_rseq,         SYS_set_robust_list, SYS_set_tid_address, SYS_rt_sigaction,
    SYS_rt_sigprocmask, SYS_rt_sigreturn,  SYS_sigaltstack,  SYS_restart_syscall, SYS_getpid,          SYS_gettid,
    SYS_getppid,        SYS_getpgid,       SYS_getsid,       SYS_getuid,          SYS_geteuid,         SYS_getgid,
    SYS_getegid,        SYS_tgkill,        SYS_prctl,        SYS_umask,           SYS_getrusage,       SYS_sysinfo,
    SYS_times,          SYS_clock_gettime, SYS_clock_getres, SYS_gettimeofday,    SYS_sched_yield,     SYS_sched_setaffinity,
    SYS_membarrier,     SYS_getcpu,        SYS_close_range,  SYS_fadvise64,       SYS_getpriority,     SYS_setpriority,
#ifdef SYS_arch_prctl
    SYS_arch_prctl,     SYS_time,          SYS_getpgrp,
#endif
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* A process or thread, as of its last execve(). */
struct task {
    uint32_t id;
    bool is_program;
    uint64_t loader_low, loader_high;
};

struct bench {
    struct way way;
    unsigned at;
    int signal, listener, process;
    pid_t main;
    const char *program; /* name without its folder */
    struct shared *shared;
    struct task *tasks;
    size_t task_count;
};

/* ---- the program ---- */

/* Of all calls but the harmless ones the kernel asks first. */
static int listen_to_calls(void)
{
    enum { LEN = COUNT(harmless) };
    struct sock_filter code[LEN + 3] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))};
    for (size_t i = 0; i < LEN; i++)
        code[1 + i] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)harmless[i], LEN - i, 0);
    code[LEN + 1] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
    code[LEN + 2] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    const struct sock_fprog program = {LEN + 3, code};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return -1;
    /* A signal that comes while a call waits for its answer, as at the end of a child, does not end it: calls that the kernel never
     * interrupts, as that which starts a process, would fail (Linux 5.19). */
    const unsigned listen = SECCOMP_FILTER_FLAG_NEW_LISTENER;
    const int listener = (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, listen | RECEIVED_WAITS, &program);
    return listener >= 0 ? listener : (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, listen, &program);
}

/* In the child: its descriptor of the listener becomes known by memory alone, since its next call waits for an answer. */
static _Noreturn void become(char **words, volatile int *descriptor)
{
    const struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    const int listener = listen_to_calls();
    *descriptor = listener < 0 ? -2 : listener;
    if (listener >= 0)
        execv(words[0], words);
    _exit(127);
}

static int start(struct bench *bench, char **words)
{
    volatile int *descriptor = mmap(NULL, sizeof *descriptor, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    *descriptor = -1;
    bench->main = fork();
    if (bench->main == 0)
        become(words, descriptor);
    while (*descriptor == -1)
        usleep(20);
    bench->process = (int)syscall(SYS_pidfd_open, bench->main, 0);
    return *descriptor < 0 ? -1 : (int)syscall(SYS_pidfd_getfd, bench->process, *descriptor, 0);
}

/* ---- whose call ---- */

static void find_loader(struct task *task)
{
    char path[64], line[512];
    snprintf(path, sizeof path, "/proc/%u/maps", task->id);
    FILE *maps = fopen(path, "re");
    while (maps && fgets(line, sizeof line, maps)) {
        unsigned long low, high;
        if (!strstr(line, "/ld-") || sscanf(line, "%lx-%lx", &low, &high) != 2)
            continue;
        task->loader_low = task->loader_low ? task->loader_low : low;
        task->loader_high = high;
    }
    if (maps)
        fclose(maps);
}

static struct task *task_of(struct bench *bench, uint32_t id)
{
    for (size_t i = 0; i < bench->task_count; i++)
        if (bench->tasks[i].id == id)
            return &bench->tasks[i];
    bench->tasks = realloc(bench->tasks, (bench->task_count + 1) * sizeof *bench->tasks);
    struct task *task = &bench->tasks[bench->task_count++];
    char path[64], file[512];
    *task = (struct task){.id = id};
    snprintf(path, sizeof path, "/proc/%u/exe", id);
    const ssize_t len = readlink(path, file, sizeof file - 1);
    file[len > 0 ? len : 0] = '\0';
    const char *slash = strrchr(file, '/');
    task->is_program = slash && strcmp(slash + 1, bench->program) == 0;
    find_loader(task);
    return task;
}

static bool is_ours(struct bench *bench, const struct seccomp_notif *asked)
{
    struct task *task = task_of(bench, asked->pid);
    const bool loads = asked->data.instruction_pointer >= task->loader_low && asked->data.instruction_pointer < task->loader_high;
    const bool ours = task->is_program && !loads;
    if (asked->data.nr == SYS_execve)
        *task = bench->tasks[--bench->task_count];
    return ours;
}

static const struct call *call_of(int number)
{
    for (size_t i = 0; i < COUNT(calls); i++)
        if (calls[i].number == number)
            return &calls[i];
    return NULL;
}

static enum kind kind_of(const struct call *call, const struct seccomp_notif *asked)
{
    const uint64_t flags = asked->data.args[call->number == SYS_openat ? 2 : 1];
    return call->kind == OPENS && (flags & O_CREAT) ? MAKES : call->kind;
}

/* ---- the fault ---- */

/* The program's own descriptor, as one of ours. */
static int borrow(const struct seccomp_notif *asked)
{
    char path[64], line[128];
    unsigned group = asked->pid; /* of a thread: its process */
    snprintf(path, sizeof path, "/proc/%u/status", asked->pid);
    FILE *status = fopen(path, "re");
    while (status && fgets(line, sizeof line, status))
        sscanf(line, "Tgid: %u", &group);
    if (status)
        fclose(status);
    const int process = (int)syscall(SYS_pidfd_open, group, 0);
    const int fd = (int)syscall(SYS_pidfd_getfd, process, (int)asked->data.args[0], 0);
    close(process);
    return fd;
}

/* Makes half of a read or write in the program's place; how much that was, -1 where it cannot be made now. */
static int64_t make_half(const struct seccomp_notif *asked)
{
    static char bytes[HALF_MOST];
    const bool reads = asked->data.nr == SYS_read;
    const uint64_t half = asked->data.args[2] / 2;
    const struct iovec here = {bytes, half < HALF_MOST ? half : HALF_MOST};
    struct iovec there = {(void *)(uintptr_t)asked->data.args[1], here.iov_len};
    const int fd = borrow(asked);
    struct pollfd ready = {fd, reads ? POLLIN : POLLOUT, 0};
    int64_t made = -1;
    if (fd >= 0 && half > 0 && (reads || asked->data.nr == SYS_write) && poll(&ready, 1, 0) == 1) {
        if (!reads && process_vm_readv((pid_t)asked->pid, &here, 1, &there, 1, 0) == (ssize_t)here.iov_len)
            made = write(fd, bytes, here.iov_len);
        if (reads && (made = read(fd, bytes, here.iov_len)) > 0)
            process_vm_writev((pid_t)asked->pid, &(struct iovec){bytes, (size_t)made}, 1, &there, 1, 0);
    }
    close(fd);
    return made;
}

/* What is closed is closed, whatever the status: another file takes its place. */
static void close_there(const struct bench *bench, const struct seccomp_notif *asked)
{
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    const struct seccomp_notif_addfd add = {.id = asked->id,
                                            .flags = SECCOMP_ADDFD_FLAG_SETFD,
                                            .srcfd = (uint32_t)nothing,
                                            .newfd = (uint32_t)asked->data.args[0],
                                            .newfd_flags = O_CLOEXEC};
    ioctl(bench->listener, SECCOMP_IOCTL_NOTIF_ADDFD, &add);
    close(nothing);
}

static void meet(const struct bench *bench, const struct call *call, const struct seccomp_notif *asked,
                 struct seccomp_notif_resp *answer)
{
    struct shared *shared = bench->shared;
    const int64_t half = bench->signal || bench->way.error ? 0 : make_half(asked);
    shared->fired = half >= 0;
    shared->in_child = asked->pid != (uint32_t)bench->main;
    snprintf(shared->name, sizeof shared->name, "%s", call->name);
    if (bench->signal) {
        syscall(SYS_kill, asked->pid, bench->signal);
    } else if (half >= 0) {
        if (call->kind == CLOSES)
            close_there(bench, asked);
        *answer = (struct seccomp_notif_resp){.id = asked->id, .val = half, .error = -bench->way.error};
    }
}

static void answer(struct bench *bench, const struct seccomp_notif *asked)
{
    struct seccomp_notif_resp answer = {.id = asked->id, .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE};
    const bool ours = is_ours(bench, asked);
    const struct call *call = ours ? call_of(asked->data.nr) : NULL;
    if (call && (bench->way.kinds & kind_of(call, asked)) && ++bench->shared->calls == bench->at)
        meet(bench, call, asked, &answer);
    else if (ours && !call)
        bench->shared->unknown = asked->data.nr;
    ioctl(bench->listener, SECCOMP_IOCTL_NOTIF_SEND, &answer); /* who asked may be gone */
}

/* Until nobody is left who could ask; in older kernels that counts a process that has ended and is not waited for. */
static void answer_all(struct bench *bench)
{
    struct pollfd waits[] = {{bench->listener, POLLIN, 0}, {bench->process, POLLIN, 0}};
    while ((waits[0].fd >= 0 || waits[1].fd >= 0) && poll(waits, 2, -1) >= 0) {
        struct seccomp_notif asked = {0};
        if (waits[0].revents & POLLIN && ioctl(bench->listener, SECCOMP_IOCTL_NOTIF_RECV, &asked) == 0)
            answer(bench, &asked);
        if (waits[0].revents & POLLHUP)
            waits[0].fd = -1;
        if (waits[1].revents & POLLIN && waitpid(bench->main, &bench->shared->status, 0) == bench->main)
            waits[1].fd = -1;
    }
}

int main(int argc, char **argv)
{
    if (argc < 5)
        return 2;
    const int fd = open(argv[3], O_RDWR | O_CLOEXEC);
    const char *slash = strrchr(argv[4], '/');
    struct bench bench = {.at = (unsigned)strtoul(argv[2], NULL, 10),
                          .signal = (int)strtol(argv[1], NULL, 10),
                          .program = slash ? slash + 1 : argv[4],
                          .shared = mmap(NULL, sizeof(struct shared), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0)};
    bench.way.kinds = bench.signal ? ALL : 0;
    for (size_t i = 0; i < COUNT(ways); i++)
        if (strcmp(ways[i].name, argv[1]) == 0)
            bench.way = ways[i];
    if (bench.shared == MAP_FAILED || !bench.way.kinds)
        return 2;
    bench.shared->unknown = -1;
    bench.listener = start(&bench, argv + 4);
    if (bench.listener < 0)
        return CANNOT_TRY;
    answer_all(&bench);
    return 0;
}
