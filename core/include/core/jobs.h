/* jobs.h - run several programs at once, each with its own end.
 *
 * What one of them does (fails, crashes, hangs) changes nothing for the others. They share our process group, so that an interrupt
 * from the keyboard reaches all, and are killed when we die. Their standard input is /dev/null, standard output goes nowhere, lines
 * of standard error are handed on.
 */
#ifndef RL_CORE_JOBS_H
#define RL_CORE_JOBS_H

#include <stddef.h>

#include "core/buf.h"
#include "core/err.h"

enum rl_job_end {
    RL_JOB_EXITED,      /* `exit_status` is its own */
    RL_JOB_KILLED,      /* by the signal `exit_status` */
    RL_JOB_GIVEN_UP,    /* its time ran out: killed */
    RL_JOB_UNKILLABLE,  /* its time ran out, and it is still there, most likely inside the driver */
    RL_JOB_NOT_STARTED, /* `last_line` says why */
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
    double limit_s; /* for each; 0: none. Then SIGTERM, SIGKILL `grace_s` later; what is there another `grace_s` later is left */
    double grace_s;
    /* Called for each whole line of a job's standard error, without its line break; may be NULL. */
    void (*line)(void *context, size_t job, const char *text);
    void *context;
};

/* Runs all to their ends, started in order. */
void rl_jobs_run(const struct rl_jobs *jobs);

#endif
