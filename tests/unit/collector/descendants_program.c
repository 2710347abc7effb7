/* descendants_program.c - does what its arguments say, one after another: a program for the tests of descendants.h. */
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static char *self;
static char **rest; /* what is still to be done */

static void act(void);

static void forks(const char *value)
{
    (void)value;
    pid_t child = fork();
    if (child == 0)
        return;
    _exit(child > 0 && waitpid(child, NULL, 0) == child ? 0 : 1);
}

/* The rest is done by a process that nobody here waits for. */
static void daemonise(const char *value)
{
    (void)value;
    pid_t child = fork();
    if (child != 0)
        _exit(child > 0 && waitpid(child, NULL, 0) == child ? 0 : 1);
    (void)setsid();
    if (fork() != 0)
        _exit(0);
}

static void children(const char *value)
{
    for (long i = strtol(value, NULL, 10); i > 0; i--) {
        pid_t child = fork();
        if (child == 0)
            _exit(0);
        waitpid(child, NULL, 0);
    }
}

static void become(const char *value)
{
    (void)value;
    *--rest = self;
    execv(self, rest);
    _exit(126);
}

static void spawn(const char *value)
{
    for (long i = strtol(value, NULL, 10); i > 0; i--) {
        pid_t child = fork();
        if (child == 0) {
            char *const nothing[] = {self, NULL};
            execv(self, nothing);
            _exit(126);
        }
        waitpid(child, NULL, 0);
    }
}

static void *nothing(void *context)
{
    return context;
}

static void threads(const char *value)
{
    for (long i = strtol(value, NULL, 10); i > 0; i--) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, nothing, NULL) != 0 || pthread_join(thread, NULL) != 0)
            _exit(125);
    }
}

static void *go_on(void *context)
{
    act();
    return context;
}

/* The rest is done by a second thread while the first one waits. */
static void in_thread(const char *value)
{
    (void)value;
    pthread_t thread;
    if (pthread_create(&thread, NULL, go_on, NULL) != 0)
        _exit(125);
    pthread_join(thread, NULL);
    _exit(0);
}

/* The same, but the first thread is gone meanwhile. */
static void without_leader(const char *value)
{
    (void)value;
    pthread_t thread;
    if (pthread_create(&thread, NULL, go_on, NULL) != 0)
        _exit(125);
    pthread_exit(NULL);
}

static void load(const char *value)
{
    if (!dlopen(value, RTLD_NOW | RTLD_LOCAL))
        _exit(124);
}

static void open_file(const char *value)
{
    if (open(value, O_RDWR | O_CREAT | O_CLOEXEC, 0600) < 0)
        _exit(123);
}

static void run(const char *value)
{
    char *const nothing_more[] = {(char *)value, NULL};
    pid_t child = fork();
    if (child == 0) {
        execv(value, nothing_more);
        _exit(126);
    }
    waitpid(child, NULL, 0);
}

static void pause_ms(const char *value)
{
    usleep(1000 * (useconds_t)strtoul(value, NULL, 10));
}

/* Until somebody makes the file, but not for ever. */
static void wait_for(const char *value)
{
    for (int i = 0; access(value, F_OK) != 0; i++) {
        if (i == 60000)
            _exit(121);
        usleep(1000);
    }
}

static void rename_self(const char *value)
{
    prctl(PR_SET_NAME, value);
}
static void leave(const char *value)
{
    _exit((int)strtol(value, NULL, 10));
}
static void die(const char *value)
{
    raise((int)strtol(value, NULL, 10));
}

static const struct {
    const char *name;
    void (*act)(const char *value);
} actions[] = {{"fork", forks},    {"daemon", daemonise}, {"children", children}, {"exec", become},
               {"spawn", spawn},   {"threads", threads},  {"thread", in_thread},  {"leaderless", without_leader},
               {"load", load},     {"open", open_file},   {"run", run},           {"sleep", pause_ms},
               {"wait", wait_for}, {"name", rename_self}, {"exit", leave},        {"kill", die}};

static void act(void)
{
    while (*rest) {
        const char *word = *rest++, *value = strchr(word, '=');
        size_t len = value ? (size_t)(value - word) : strlen(word), i = 0;
        while (i < sizeof actions / sizeof *actions && (strlen(actions[i].name) != len || strncmp(actions[i].name, word, len) != 0))
            i++;
        if (i == sizeof actions / sizeof *actions)
            _exit(122);
        actions[i].act(value ? value + 1 : "");
    }
}

int main(int argc, char **argv)
{
    (void)argc;
    self = argv[0];
    rest = argv + 1;
    act();
    return 0;
}
