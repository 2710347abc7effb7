/* processes.c - fork, vfork, exec, daemons, threads. */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "torture.h"

static void start(long count)
{
    cuda_start();
    launch_many(count);
    MUST(cuCtxSynchronize);
}

/* This program again, as another one. */
static _Noreturn void become(const char *name, long a, char *const environment[])
{
    char arguments[2][24], self[4096] = "";
    snprintf(arguments[0], sizeof arguments[0], "%s", name);
    snprintf(arguments[1], sizeof arguments[1], "%ld", a);
    if (readlink("/proc/self/exe", self, sizeof self - 1) > 0)
        execve(self, (char *[]){self, arguments[0], arguments[1], NULL}, environment ? environment : environ);
    _exit(98);
}

static int status_of(pid_t child)
{
    int how = 0;
    waitpid(child, &how, 0);
    return WIFEXITED(how) ? WEXITSTATUS(how) : 1000 + WTERMSIG(how);
}

/* CUDA is used in the children only. */
static void fork_first(long children, long count)
{
    for (long i = 0; i < children; i++) {
        pid_t child = fork();
        if (child == 0) {
            start(count);
            exit(3);
        }
        printf("child: %d\n", status_of(child));
    }
}

/* CUDA was started before: the children may not use it, but may end in every way. */
static void fork_after(long children, long count)
{
    start(count);
    fflush(stdout);
    for (long i = 0; i < children; i++) {
        pid_t child = fork();
        if (child == 0) {
            if (i % 3 == 0)
                exit(4);
            if (i % 3 == 1)
                _exit(5);
            free(malloc(100000));
            abort();
        }
        printf("child: %d\n", status_of(child));
    }
    launch(4);
    MUST(cuCtxSynchronize);
}

/* Both use ranges of no library, so that only processes are tried. */
static void fork_both(long count, long unused)
{
    (void)unused;
    pid_t child = fork();
    start(count);
    if (child == 0)
        exit(0);
    printf("child: %d\n", status_of(child));
}

static atomic_bool enough;
static void *launch_until_enough(void *unused)
{
    (void)unused;
    cuda_join();
    while (!atomic_load(&enough) && launch_in(NULL, 1, 2000) == CUDA_SUCCESS) /* none are taken any more when the process ends */
        continue;
    return NULL;
}

static void fork_among_threads(long children, long threads)
{
    pthread_t ids[16];
    cuda_start();
    for (long i = 0; i < threads; i++)
        pthread_create(&ids[i], NULL, launch_until_enough, NULL);
    for (long i = 0; i < children; i++) {
        pid_t child = fork();
        if (child == 0) {
            free(malloc(1000));
            if (i % 2)
                exit(6);
            become("no_cuda", 6, NULL);
        }
        int status = status_of(child);
        if (status != 6)
            printf("child: %d\n", status);
    }
    atomic_store(&enough, true);
    for (long i = 0; i < threads; i++)
        pthread_join(ids[i], NULL);
    MUST(cuCtxSynchronize);
    printf("%ld children\n", children);
}

static void vfork_exec(long children, long count)
{
    static char shell[] = "sh", option[] = "-c", command[] = "exit 11";
    char *words[] = {shell, option, command, NULL};
    start(count);
    for (long i = 0; i < children; i++) {
        fflush(NULL);
        pid_t child = vfork();
        if (child == 0) {
            execv("/bin/sh", words);
            _exit(98);
        }
        printf("child: %d\n", status_of(child));
    }
}

/* Becomes itself again and again; no exit handler runs. */
static void exec_chain(long generations, long unused)
{
    (void)unused;
    start(20);
    printf("generation %ld\n", generations);
    fflush(NULL);
    if (generations > 1)
        become("exec_chain", generations - 1, NULL);
}

/* Programs that it starts have an environment of their own. */
static void exec_bare(long count, long unused)
{
    (void)unused;
    char truth[4200];
    start(count);
    snprintf(truth, sizeof truth, "TORTURE_TRUTH=%s", getenv("TORTURE_TRUTH") ? getenv("TORTURE_TRUTH") : "");
    pid_t child = fork();
    if (child == 0)
        become("plain", count, (char *[]){truth, NULL});
    printf("child: %d\n", status_of(child));
}

/* Sleeps on when its parents have gone, and then writes a file. */
static _Noreturn void live_on(long count, long milliseconds)
{
    if (count)
        start(count);
    usleep((useconds_t)milliseconds * 1000);
    FILE *file = fopen("daemon", "w");
    if (file) {
        fprintf(file, "launched %ld\n", count);
        fclose(file);
    }
    exit(0);
}

/* A daemon as it is made by the book. */
static void daemon_by_the_book(long count, long milliseconds)
{
    pid_t child = fork();
    if (child == 0) {
        setsid();
        if (fork() == 0) {
            for (int i = 0; i < 3; i++)
                close(i);
            umask(027);
            live_on(count, milliseconds);
        }
        _exit(0);
    }
    printf("child: %d\n", status_of(child));
}

/* Nobody waits for the child. */
static void orphan(long count, long milliseconds)
{
    fflush(NULL);
    if (fork() == 0)
        live_on(count, milliseconds);
}

static void zombies(long children, long count)
{
    start(count);
    for (long i = 0; i < children; i++)
        if (fork() == 0)
            _exit(0);
    printf("%ld children\n", children);
}

/* What a process has from the one that started it. */
static void inherited(long count, long unused)
{
    (void)unused;
    int death = -1, reaper = -1;
    const mode_t mask = umask(022);
    printf("children: %d\n", (int)waitpid(-1, NULL, WNOHANG));
    prctl(PR_GET_PDEATHSIG, &death);
    prctl(PR_GET_CHILD_SUBREAPER, &reaper);
    printf("umask %o, priority %d, death signal %d, reaper %d\n", mask, getpriority(PRIO_PROCESS, 0), death, reaper);
    printf("dumpable %d, no new privileges %d, timer slack %d\n", prctl(PR_GET_DUMPABLE), prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0),
           prctl(PR_GET_TIMERSLACK));
    for (int which = 0; which < RLIM_NLIMITS; which++) {
        struct rlimit limit;
        getrlimit((__rlimit_resource_t)which, &limit);
        printf("limit %d: %lx %lx\n", which, (unsigned long)limit.rlim_cur, (unsigned long)limit.rlim_max);
    }
    start(count);
    printf("children: %d, umask %o, reaper %d\n", (int)waitpid(-1, NULL, WNOHANG), umask(022),
           prctl(PR_GET_CHILD_SUBREAPER, &reaper) + reaper);
}

/* ---- threads ---- */

static void *launch_once(void *unused)
{
    (void)unused;
    cuda_join();
    launch(2);
    return NULL;
}

/* One after another. */
static void threads_in_turn(long count, long stack_bytes)
{
    pthread_attr_t attributes;
    pthread_t thread;
    cuda_start();
    pthread_attr_init(&attributes);
    if (stack_bytes && pthread_attr_setstacksize(&attributes, (size_t)stack_bytes) != 0)
        exit(1);
    for (long i = 0; i < count; i++)
        if (pthread_create(&thread, &attributes, launch_once, NULL) != 0 || pthread_join(thread, NULL) != 0)
            exit(1);
    MUST(cuCtxSynchronize);
    printf("%ld threads\n", count);
}

static void *launch_some(void *count)
{
    cuda_join();
    for (long i = 0; i < *(long *)count; i++)
        launch((int)(i % WORKS));
    return NULL;
}

static void threads_at_once(long threads, long count)
{
    pthread_t ids[64];
    cuda_start();
    for (long i = 0; i < threads; i++)
        pthread_create(&ids[i], NULL, launch_some, &count);
    for (long i = 0; i < threads; i++)
        pthread_join(ids[i], NULL);
    MUST(cuCtxSynchronize);
    printf("%ld threads\n", threads);
}

static void *outlive(void *unused)
{
    (void)unused;
    usleep(100000);
    cuda_join();
    launch_many(30);
    MUST(cuCtxSynchronize);
    printf("after main\n");
    exit(0); /* the driver has threads of its own, so the last one of the program's is not the last */
}

/* The main thread ends before the process does. */
static void main_leaves(long count, long unused)
{
    (void)unused;
    pthread_t thread;
    start(count);
    pthread_create(&thread, NULL, outlive, NULL);
    pthread_detach(thread);
    pthread_exit(NULL);
}

/* main returns, and the process ends while threads launch. */
static void threads_outlive(long threads, long milliseconds)
{
    pthread_t thread;
    cuda_start();
    for (long i = 0; i < threads; i++)
        pthread_create(&thread, NULL, launch_until_enough, NULL);
    usleep((useconds_t)milliseconds * 1000);
}

/* Handlers of the program's own around fork: they are called once, in their order. */
static int before, in_parent, in_child;
static void count_before(void)
{
    before++;
}
static void count_parent(void)
{
    in_parent++;
}
static void count_child(void)
{
    in_child++;
}

static void fork_handlers(long count, long unused)
{
    (void)unused;
    pthread_atfork(count_before, count_parent, count_child);
    start(count);
    pid_t child = fork();
    if (child == 0)
        exit(10 * before + in_child);
    printf("child: %d\n", status_of(child));
    printf("parent: %d %d %d\n", before, in_parent, in_child);
}

const struct program programs_processes[] = {
    {"fork_first", fork_first},
    {"fork_after", fork_after},
    {"fork_both", fork_both},
    {"fork_among_threads", fork_among_threads},
    {"vfork_exec", vfork_exec},
    {"exec_chain", exec_chain},
    {"exec_bare", exec_bare},
    {"daemon", daemon_by_the_book},
    {"orphan", orphan},
    {"zombies", zombies},
    {"inherited", inherited},
    {"threads_in_turn", threads_in_turn},
    {"threads_at_once", threads_at_once},
    {"main_leaves", main_leaves},
    {"threads_outlive", threads_outlive},
    {"fork_handlers", fork_handlers},
    {NULL, NULL},
};
