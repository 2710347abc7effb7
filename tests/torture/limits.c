/* limits.c - descriptors, files, limits, rights, the environment. `before` among the arguments: before CUDA is used. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "torture.h"

static void start(long count)
{
    cuda_start();
    launch_many(count);
    MUST(cuCtxSynchronize);
}

static void go_on(long count)
{
    launch_many(count);
    MUST(cuCtxSynchronize);
    printf("launched\n");
}

/* Does something to the process before CUDA is used, or between launches. */
static void around(void (*change)(void), long count, long before)
{
    if (before) {
        cuda_open();
        change();
    }
    start(count);
    if (!before)
        change();
    go_on(count);
}

/* ---- descriptors ---- */

static void close_range_from_3(void)
{
    if (syscall(SYS_close_range, 3, ~0U, 0) != 0)
        exit(1);
}

static void close_all(long count, long before)
{
    around(close_range_from_3, count, before);
}

/* Whatever is open is this file from now on. */
static int own;
static void take_every_number(void)
{
    own = open("own", O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0640);
    for (int fd = 3; fd < 256; fd++)
        if (fd != own)
            dup2(own, fd);
}

static void dup2_all(long count, long before)
{
    around(take_every_number, count, before);
    usleep(250000);
    for (int fd = 3; fd < 256; fd++)
        dprintf(fd, "%d\n", fd);
}

/* Every number that is free, and what is written behind it. */
static void open_many(long count, long unused)
{
    (void)unused;
    start(count);
    for (int i = 0; i < 100; i++) {
        char name[32];
        snprintf(name, sizeof name, "file-%d", i);
        int fd = open(name, O_WRONLY | O_CREAT | O_EXCL, 0600);
        dprintf(fd, "%d\n", i);
        if (fd < 0)
            perror(name);
    }
    go_on(count);
    usleep(250000);
}

/* Which numbers the first files get, where standard streams were closed: into one of these files. */
static void closed_streams(long count, long unused)
{
    (void)unused;
    int first = open("first", O_WRONLY | O_CREAT, 0600), second = open("second", O_WRONLY | O_CREAT, 0600);
    dprintf(second, "%d %d\n", first, second);
    cuda_start();
    launch_many(count);
    MUST(cuCtxSynchronize);
    usleep(250000);
    dprintf(first, "done\n");
}

static void list_descriptors(long count, long unused)
{
    (void)unused;
    start(count);
    for (int fd = 0; fd < 256; fd++)
        if (fcntl(fd, F_GETFD) >= 0)
            printf("%d ", fd);
    printf("\n");
}

/* Position, flags and locks of standard streams are shared with whoever started the program. */
static void stream_flags(long count, long unused)
{
    (void)unused;
    start(count);
    for (int fd = 0; fd < 3; fd++)
        printf("%d: %x %d\n", fd, (unsigned)fcntl(fd, F_GETFL), fcntl(fd, F_GETFD));
}

static void echo(long count, long unused)
{
    (void)unused;
    char line[256];
    start(count);
    while (fgets(line, sizeof line, stdin)) {
        launch(5);
        printf("> %s", line);
    }
    MUST(cuCtxSynchronize);
}

/* ---- limits ---- */

static void limit(__rlimit_resource_t which, rlim_t most)
{
    if (setrlimit(which, &(struct rlimit){most, most}) != 0)
        exit(1);
}

static void no_descriptors(void)
{
    limit(RLIMIT_NOFILE, 3);
}

static void files_of_0_bytes(void)
{
    limit(RLIMIT_FSIZE, 0);
}

static void limit_files(long count, long before)
{
    around(no_descriptors, count, before);
}

/* Who writes more is killed by SIGXFSZ; the program does not, and says so by its status. */
static void limit_file_size(long count, long before)
{
    cuda_open();
    if (before)
        files_of_0_bytes();
    start(count);
    files_of_0_bytes();
    launch_many(count);
    MUST(cuCtxSynchronize);
    usleep(250000);
    exit(17);
}

/* Address space: what there is, 192 MB for whoever else needs it, and 256 MB for the program, which takes it. */
static void limit_memory(long count, long unused)
{
    (void)unused;
    char text[64] = "";
    cuda_open();
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || !fgets(text, sizeof text, file))
        exit(1);
    fclose(file);
    const rlim_t pages = strtoul(text, NULL, 10);
    limit(RLIMIT_AS, pages * 4096 + ((rlim_t)(192 + 256) << 20));
    start(count);
    char *taken = malloc((size_t)256 << 20);
    printf("%s\n", taken ? "memory" : "no memory");
    free(taken);
    go_on(count);
}

static void *do_nothing(void *unused)
{
    return unused;
}

/* As a user who may have few processes more: two threads of its own must be there. */
static void limit_processes(long count, long unused)
{
    (void)unused;
    pthread_t threads[2];
    cuda_open();
    if (setresgid(65533, 65533, 65533) != 0 || setresuid(65533, 65533, 65533) != 0)
        exit(1);
    limit(RLIMIT_NPROC, 12);
    start(count);
    for (int i = 0; i < 2; i++)
        if (pthread_create(&threads[i], NULL, do_nothing, NULL) != 0)
            printf("no thread\n");
    go_on(count);
}

/* ---- rights ---- */

static void become_nobody(void)
{
    if (setresgid(65534, 65534, 65534) != 0 || setresuid(65534, 65534, 65534) != 0)
        exit(1);
}

static void drop_root(long count, long before)
{
    around(become_nobody, count, before);
}

static void hide(void)
{
    if (prctl(PR_SET_DUMPABLE, 0) != 0)
        exit(1);
}

static void not_dumpable(long count, long before)
{
    around(hide, count, before);
}

/* A program that watches over itself: what it does not expect fails, or kills it. What it needs itself is allowed: reading. */
static void install(const int *numbers, size_t count, unsigned action)
{
    struct sock_filter filter[64];
    unsigned short n = 0;
    filter[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (size_t i = 0; i < count; i++) {
        filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)numbers[i], 0, 1);
        filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action);
    }
    /* openat for writing: the flags are the third argument */
    filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 3);
    filter[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2]));
    filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_WRONLY | O_RDWR | O_CREAT, 0, 1);
    filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action);
    filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    const struct sock_fprog program = {n, filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
        exit(1);
}

static const int forbidden[] = {SYS_memfd_create, SYS_socket,  SYS_connect, SYS_sendmsg,  SYS_ftruncate, SYS_unlink,
                                SYS_mkdir,        SYS_execve,  SYS_ptrace,  SYS_shmget,   SYS_kill,      SYS_fchmod,
                                SYS_rename,       SYS_symlink, SYS_chmod,   SYS_unlinkat, SYS_mkdirat};

static void refuse(void)
{
    install(forbidden, sizeof forbidden / sizeof forbidden[0], SECCOMP_RET_ERRNO | EPERM);
}

static void kill_for_it(void)
{
    install(forbidden, sizeof forbidden / sizeof forbidden[0], SECCOMP_RET_KILL_PROCESS);
}

static void seccomp_refuses(long count, long before)
{
    around(refuse, count, before);
}

static void seccomp_kills(long count, long before)
{
    around(kill_for_it, count, before);
}

/* ---- places ---- */

static void enter_jail(void)
{
    if (mkdir("jail", 0700) != 0 || chroot("jail") != 0 || chdir("/") != 0)
        exit(1);
}

static void jailed(long count, long before)
{
    around(enter_jail, count, before);
}

static void leave_ground(void)
{
    if (mkdir("gone", 0700) != 0 || chdir("gone") != 0 || rmdir("../gone") != 0)
        exit(1);
}

static void removed_folder(long count, long before)
{
    around(leave_ground, count, before);
}

/* Nobody but the program has anything in its folder for temporary files. */
static void remove_temporary(void)
{
    static char shell[] = "sh", option[] = "-c", command[] = "rm -rf -- \"$TMPDIR\"/* \"$TMPDIR\"/.[!.]* && ls -A \"$TMPDIR\"";
    char *words[] = {shell, option, command, NULL};
    int how = 0;
    pid_t child = fork();
    if (child == 0) {
        execv("/bin/sh", words);
        _exit(1);
    }
    waitpid(child, &how, 0);
    if (how != 0)
        exit(1);
}

static void clean_temporary(long count, long before)
{
    around(remove_temporary, count, before);
    usleep(250000);
}

/* ---- the environment ---- */

static void forget_environment(void)
{
    clearenv();
}

static void no_environment(long count, long before)
{
    around(forget_environment, count, before);
}

/* ---- libraries ---- */

static void use_plugin(void *(*open_it)(const char *))
{
    void *plugin = open_it(getenv("TORTURE_PLUGIN"));
    int (*run)(int);
    if (!plugin) {
        printf("%s\n", dlerror());
        exit(1);
    }
    void *symbol = dlsym(plugin, "plugin_run");
    memcpy(&run, &symbol, sizeof run);
    printf("plugin: %d\n", run(20));
    dlclose(plugin);
}

static void *open_here(const char *path)
{
    return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

static void *open_apart(const char *path)
{
    return dlmopen(LM_ID_NEWLM, path, RTLD_NOW | RTLD_LOCAL);
}

/* A library that uses CUDA comes and goes. */
static void plugin(long times, long apart)
{
    for (long i = 0; i < times; i++)
        use_plugin(apart ? open_apart : open_here);
}

/* The allocator of tests/torture/allocator.c, when it is there: from here on allocating is a fault. */
static void forbid_allocating(void)
{
    void *symbol = dlsym(RTLD_DEFAULT, "allocator_forbid");
    void (*forbid)(void);
    memcpy(&forbid, &symbol, sizeof forbid);
    if (!forbid)
        exit(1);
    forbid();
}

static void exit_without_allocating(int number)
{
    (void)number;
    forbid_allocating();
    exit(12);
}

/* `how` 0: in the child of a fork, before its exec; 1: in a handler that calls exit(). */
static void no_allocating(long count, long how)
{
    int status = 0;
    (void)dlsym(RTLD_DEFAULT, "allocator_forbid");
    start(count);
    printf("launched\n");
    fflush(NULL);
    signal(SIGUSR1, exit_without_allocating);
    if (how == 1)
        raise(SIGUSR1);
    pid_t child = fork(); /* the allocator forbids it to the child */
    if (child == 0)
        _exit(14);
    waitpid(child, &status, 0);
    printf("child: %d\n", status);
}

/* ---- the terminal ---- */

static volatile sig_atomic_t interrupts;
static void on_interrupt(int number)
{
    (void)number;
    interrupts++;
}

/* Its own terminal, in the foreground; Ctrl-C reaches it once. */
static void terminal(long count, long unused)
{
    (void)unused;
    struct winsize size = {0};
    char line[64] = "";
    struct sigaction action = {.sa_handler = on_interrupt};
    sigaction(SIGINT, &action, NULL);
    start(count);
    ioctl(1, TIOCGWINSZ, &size);
    printf("%d %d %d, %d x %d, %s\n", isatty(0), isatty(1), isatty(2), size.ws_col, size.ws_row,
           tcgetpgrp(0) == getpgrp() ? "foreground" : "background");
    fflush(stdout);
    while (!interrupts && !fgets(line, sizeof line, stdin))
        clearerr(stdin);
    printf("read %s", line);
    printf("ready\n");
    fflush(stdout);
    for (int i = 0; i < 300 && !interrupts; i++)
        usleep(10000);
    usleep(100000);
    printf("%d interrupts\n", (int)interrupts);
}

const struct program programs_limits[] = {
    {"close_all", close_all},
    {"dup2_all", dup2_all},
    {"open_many", open_many},
    {"closed_streams", closed_streams},
    {"list_descriptors", list_descriptors},
    {"stream_flags", stream_flags},
    {"echo", echo},
    {"limit_files", limit_files},
    {"limit_file_size", limit_file_size},
    {"limit_memory", limit_memory},
    {"limit_processes", limit_processes},
    {"drop_root", drop_root},
    {"not_dumpable", not_dumpable},
    {"seccomp_refuses", seccomp_refuses},
    {"seccomp_kills", seccomp_kills},
    {"jailed", jailed},
    {"removed_folder", removed_folder},
    {"clean_temporary", clean_temporary},
    {"no_environment", no_environment},
    {"plugin", plugin},
    {"no_allocating", no_allocating},
    {"terminal", terminal},
    {NULL, NULL},
};
