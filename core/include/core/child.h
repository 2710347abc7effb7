/* child.h - child processes: fork, exec and wait for all folders; and programs that are run to their end, one (rl_spawn_run) or
 * several at once (rl_jobs_run). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "core/buf.h"
#include "core/err.h"

/* A child that writes to its parent. */
struct rl_child {
    pid_t pid;
    int fd; /* reading end of its pipe; owned by the caller of rl_child_start */
};
#define RL_CHILD_NONE                                                                                                              \
    {                                                                                                                              \
        .pid = 0, .fd = -1                                                                                                         \
    }

/* fork() after flushing output, so that it is not written twice. The child gets `death_signal` (0: none) when the calling thread
 * ends, and exits if it has ended already. Returns as fork() does. */
pid_t rl_child_fork(int death_signal);

/* Runs `work` in a child, with the writing end of a pipe, whose reading end is child->fd. The child then removes its temporary
 * folders and ends with status 0, without exit handlers or flushing. RL_FAILED: no pipe or no process. */
enum rl_status rl_child_start(struct rl_child *child, int death_signal, void (*work)(void *context, int fd), void *context,
                              struct rl_err *err);

/* Executes the program at `path` (no search in $PATH) in this process, with its environment; returns only on failure, with the
 * errno. `argv` is NULL-terminated. */
int rl_child_become(const char *path, const char *const *argv);

/* Waits until the child has ended, also across signals. `*how` (may be NULL) gets its wait status; false: it is no child, or
 * SIGCHLD is ignored and its status is lost. */
bool rl_child_wait(pid_t child, int *how);
/* The same without waiting: true once, if it has ended. */
bool rl_child_ended(pid_t child, int *how);
/* The same, for at most `seconds`. */
bool rl_child_ends_within(pid_t child, double seconds, int *how);
/* Whether it has ended or is no child any more; does not reap it, so its number and process group are not reused. */
bool rl_child_is_over(pid_t child);

/* ---- run another program: no shell, a clean environment, a time limit ---- */

struct rl_spawn {
    const char *const *argv; /* NULL-terminated; argv[0] is the program's path, seen from `dir` (no search in $PATH) */
    const char *const *env;  /* NULL-terminated "NAME=value"; NULL: PATH, HOME, LANG=C.UTF-8 and TMPDIR only */
    const char *dir;         /* working folder; NULL: ours */
    const void *input;       /* bytes for its standard input; NULL: /dev/null */
    size_t input_len;
    double timeout_s;    /* > 0; when it runs out the program and its children are killed */
    size_t output_limit; /* bytes kept of each stream; more is read and dropped */
};

struct rl_spawn_result {
    int exit_status;        /* of the program; 128 + signal if a signal killed it */
    struct rl_buf out, err; /* standard output and standard error */
    double wall_s;
};

/* Runs the program to its end in a new process group, and kills the rest of that group then. It inherits only its three standard
 * streams. RL_OK whatever its exit status; RL_ABSENT: it cannot be started; RL_TIMEOUT. Release `result` in every case
 * (rl_spawn_result_release). */
enum rl_status rl_spawn_run(const struct rl_spawn *spawn, struct rl_spawn_result *result, struct rl_err *err);
/* Frees the program's output. */
void rl_spawn_result_release(struct rl_spawn_result *result);

/* Several programs at once: if one fails, crashes or hangs, the others continue. They share the process group of the caller, so
 * that an interrupt from the keyboard reaches all, and are killed when the caller dies. Standard input and output are /dev/null;
 * lines of standard error are passed to `line`. */

enum rl_job_end {
    RL_JOB_EXITED,      /* `exit_status` is its own */
    RL_JOB_KILLED,      /* by the signal `exit_status` */
    RL_JOB_GIVEN_UP,    /* its time ran out: killed */
    RL_JOB_UNKILLABLE,  /* its time ran out, and it survived SIGKILL, most likely inside the driver */
    RL_JOB_NOT_STARTED, /* `last_line` has the reason */
};

struct rl_job {
    const char *const *argv; /* NULL-terminated; argv[0] is the program's path (no search in $PATH) */
    /* Set by rl_jobs_run. */
    enum rl_job_end end;
    int exit_status;
    double wall_s;
    char last_line[512]; /* of its standard error; made printable by the caller */
};

struct rl_jobs {
    struct rl_job *jobs;
    size_t count;
    size_t at_once; /* 1: one after another */
    double limit_s; /* for each; 0: none. Then SIGTERM, `grace_s` later SIGKILL, and another `grace_s` later it is given up */
    double grace_s;
    /* Called for each whole line of a job's standard error, without its line break; may be NULL. */
    void (*line)(void *context, size_t job, const char *text);
    void *context;
};

/* Runs all to their ends, started in order. */
void rl_jobs_run(const struct rl_jobs *jobs);
