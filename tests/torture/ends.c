/* ends.c - how programs end: by themselves, by a signal, in a handler, with work under way. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "torture.h"

static void start(long count)
{
    cuda_start();
    launch_many(count);
    MUST(cuCtxSynchronize);
}

static void plain(long count, long status)
{
    start(count);
    printf("launched %ld\n", count);
    exit((int)status);
}

static void no_cuda(long status, long unused)
{
    (void)unused;
    printf("nothing\n");
    exit((int)status);
}

/* Kernels are still running, and nobody waits for them. */
static void without_waiting(long count, long unused)
{
    (void)unused;
    cuda_start();
    for (long i = 0; i < count; i++)
        must(launch_in(NULL, 0, 20000), "cuLaunchKernel");
}

static void underscore_exit(long count, long status)
{
    start(count);
    printf("launched %ld\n", count);
    fflush(NULL);
    _exit((int)status);
}

static void say_quick(void)
{
    printf("quick\n");
    fflush(NULL);
}

static void by_quick_exit(long count, long status)
{
    at_quick_exit(say_quick);
    start(count);
    quick_exit((int)status);
}

/* ---- exit handlers ---- */

static void launch_at_exit(void)
{
    for (int i = 0; i < 10; i++)
        (void)launch_in(NULL, 5, 2000);
    (void)cuda.cuCtxSynchronize();
    printf("at exit\n");
}

/* `before`: registered before CUDA is used, and so run after what registers itself when CUDA starts. */
static void exit_handler(long count, long before)
{
    cuda_open();
    if (before)
        atexit(launch_at_exit);
    start(count);
    if (!before)
        atexit(launch_at_exit);
}

static atomic_bool in_destructor;
__attribute__((destructor)) static void destroy(void)
{
    if (!atomic_load(&in_destructor))
        return;
    launch_at_exit();
    fflush(NULL);
}

static void destructor(long count, long unused)
{
    (void)unused;
    start(count);
    atomic_store(&in_destructor, 1);
}

/* An exit handler that never returns by itself, as some runtimes have: it ends the process. */
static void leave_at_exit(void)
{
    fflush(NULL);
    _exit(9);
}

static void exit_in_exit(long count, long unused)
{
    (void)unused;
    cuda_open();
    start(count);
    atexit(leave_at_exit);
}

/* ---- signals ---- */

static void by_signal(long number, long count)
{
    start(count);
    printf("launched %ld\n", count);
    fflush(NULL);
    raise((int)number);
}

/* The same a while after the last launch. */
static void by_late_signal(long number, long count)
{
    start(count);
    printf("launched %ld\n", count);
    fflush(NULL);
    usleep(400000);
    raise((int)number);
}

static void every(int number, void (*handler)(int), int flags, long microseconds)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
    const struct itimerval timer = {.it_interval = {.tv_usec = microseconds}, .it_value = {.tv_usec = microseconds}};
    sigaction(number, &action, NULL);
    setitimer(ITIMER_REAL, &timer, NULL);
}

static void exit_7(int number)
{
    (void)number;
    exit(7);
}

static void underscore_exit_8(int number)
{
    (void)number;
    _exit(8);
}

/* A handler calls exit() while launches are under way on the same thread. Each of `rounds` processes does; CUDA starts in the
 * child. */
static void exit_in_handler(long rounds, long with_underscore)
{
    int statuses[256] = {0};
    for (long i = 0; i < rounds; i++) {
        pid_t child = fork();
        int how = 0;
        if (child == 0) {
            cuda_start();
            every(SIGALRM, with_underscore ? underscore_exit_8 : exit_7, 0, 3000 + 777 * i);
            for (;;)
                launch_many(3);
        }
        waitpid(child, &how, 0);
        statuses[WIFEXITED(how) ? WEXITSTATUS(how) : 255]++;
    }
    for (int i = 0; i < 256; i++)
        if (statuses[i])
            printf("status %d: %d times\n", i, statuses[i]);
}

static void *launch_for_ever(void *unused)
{
    (void)unused;
    cuda_join();
    for (;;)
        if (launch_in(NULL, 1, 2000) != CUDA_SUCCESS)
            pause();
    return NULL;
}

static void launch_on_threads(long count)
{
    pthread_t thread;
    sigset_t all, kept;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &kept);
    for (long i = 0; i < count; i++)
        pthread_create(&thread, NULL, launch_for_ever, NULL);
    pthread_sigmask(SIG_SETMASK, &kept, NULL);
}

/* The same while other threads launch, too. */
static void exit_among_threads(long threads, long number)
{
    cuda_start();
    launch_on_threads(threads);
    if (number) {
        usleep(30000);
        raise((int)number);
    }
    every(SIGALRM, exit_7, 0, 30000);
    for (;;)
        launch_many(3);
}

/* ---- handlers that return ---- */

static sig_atomic_t volatile caught, elsewhere;
static pthread_t main_thread;

static void count_signal(int number)
{
    (void)number;
    caught++;
    if (!pthread_equal(pthread_self(), main_thread))
        elsewhere++;
}

/* Handlers run on the only thread that the program knows of, and nothing is cut short. */
static void storm(long count, long watched)
{
    main_thread = pthread_self();
    every(SIGALRM, count_signal, SA_RESTART, 200);
    start(count);
    while (caught < 100)
        usleep(1000);
    setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL);
    printf("launched %ld, %d handlers on another thread\n", count, watched ? (int)elsewhere : 0);
}

/* Calls that signals cut short: without SA_RESTART, read() fails as often as a signal comes. */
static void interrupted(long count, long unused)
{
    (void)unused;
    char byte;
    int ends[2], cuts = 0;
    start(count);
    if (pipe(ends) != 0)
        exit(1);
    main_thread = pthread_self();
    every(SIGALRM, count_signal, 0, 20000);
    while (cuts < 10 && read(ends[0], &byte, 1) < 0)
        cuts++;
    setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL);
    printf("%d reads cut short, %d handlers on another thread\n", cuts, (int)elsewhere);
}

static sigjmp_buf home;

static void jump(int number)
{
    siglongjmp(home, number);
}

/* Faults that a program recovers from: it finds its own handlers, and goes on launching. */
static void recovered(long rounds, long unused)
{
    (void)unused;
    int *volatile nowhere = NULL;
    volatile long faults = 0;
    start(10);
    signal(SIGSEGV, jump);
    for (volatile long i = 0; i < rounds; i++) {
        if (sigsetjmp(home, 1) == 0)
            *nowhere = 1;
        faults++;
        launch(3);
    }
    MUST(cuCtxSynchronize);
    printf("%ld faults\n", faults);
}

static void overflown(int number)
{
    (void)number;
    _exit(5);
}

static int __attribute__((noinline)) dig(int depth)
{
    volatile char hole[4096];
    hole[0] = (char)depth;
    return depth > 0 ? dig(depth + 1) + hole[0] : 0;
}

static void stack_overflow(long count, long unused)
{
    (void)unused;
    static char spare[65536];
    struct sigaction action = {.sa_handler = overflown, .sa_flags = SA_ONSTACK};
    sigaltstack(&(stack_t){.ss_sp = spare, .ss_size = sizeof spare}, NULL);
    sigaction(SIGSEGV, &action, NULL);
    start(count);
    printf("%d\n", dig(1));
}

static void broken_pipe(long count, long unused)
{
    (void)unused;
    int ends[2];
    start(count);
    if (pipe(ends) == 0 && close(ends[0]) == 0)
        (void)!write(ends[1], "x", 1);
    exit(1); /* not reached */
}

static bool is_stopped(pid_t pid)
{
    char name[32], line[128] = "";
    snprintf(name, sizeof name, "/proc/%d/stat", (int)pid);
    FILE *file = fopen(name, "r");
    const char *after = file && fgets(line, sizeof line, file) ? strrchr(line, ')') : NULL;
    if (file)
        fclose(file);
    return !after || strncmp(after, ") T", 3) == 0;
}

static void stopped(long count, long unused)
{
    (void)unused;
    pid_t parent = getpid(), child = fork();
    if (child == 0) {
        while (!is_stopped(parent))
            usleep(10000);
        kill(parent, SIGCONT);
        _exit(0);
    }
    start(count);
    raise(SIGSTOP);
    launch(4);
    MUST(cuCtxSynchronize);
    waitpid(child, NULL, 0);
    printf("goes on\n");
}

/* Signals that are blocked stay pending, and what is ignored stays ignored. */
static void dispositions(long count, long unused)
{
    (void)unused;
    sigset_t some, now;
    struct sigaction action;
    sigemptyset(&some);
    sigaddset(&some, SIGUSR1);
    sigaddset(&some, SIGTERM);
    sigprocmask(SIG_BLOCK, &some, NULL);
    signal(SIGPIPE, SIG_IGN);
    start(count);
    raise(SIGUSR1);
    sigpending(&now);
    printf("pending %d\n", sigismember(&now, SIGUSR1));
    sigprocmask(SIG_BLOCK, NULL, &now);
    for (int i = 1; i < 32; i++)
        printf("%d: %s%s\n", i, sigismember(&now, i) ? "blocked " : "",
               sigaction(i, NULL, &action) != 0 ? "none"
               : action.sa_handler == SIG_IGN   ? "ignored"
               : action.sa_handler == SIG_DFL   ? "default"
                                                : "caught");
}

static volatile sig_atomic_t told;
static void on_told(int number)
{
    told = number;
}

/* Says when it is ready, and goes on until it is told to end; then it writes a file. */
static void served(long number, long count)
{
    signal((int)number, on_told);
    start(count);
    printf("ready\n");
    fflush(stdout);
    for (int i = 0; i < 1000 && !told; i++) {
        launch(6);
        usleep(10000);
    }
    MUST(cuCtxSynchronize);
    FILE *file = fopen("served", "w");
    if (file) {
        fprintf(file, "told %d\n", (int)told);
        fclose(file);
    }
    exit(told ? 40 + told : 1);
}

const struct program programs_ends[] = {
    {"plain", plain},
    {"no_cuda", no_cuda},
    {"without_waiting", without_waiting},
    {"underscore_exit", underscore_exit},
    {"quick_exit", by_quick_exit},
    {"exit_handler", exit_handler},
    {"destructor", destructor},
    {"exit_in_exit", exit_in_exit},
    {"signal", by_signal},
    {"late_signal", by_late_signal},
    {"exit_in_handler", exit_in_handler},
    {"exit_among_threads", exit_among_threads},
    {"storm", storm},
    {"interrupted", interrupted},
    {"recovered", recovered},
    {"stack_overflow", stack_overflow},
    {"broken_pipe", broken_pipe},
    {"stopped", stopped},
    {"dispositions", dispositions},
    {"served", served},
    {NULL, NULL},
};
