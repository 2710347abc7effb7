/* spawn.h - run another program: no shell, a clean environment, a time limit. */
#ifndef RL_CORE_SPAWN_H
#define RL_CORE_SPAWN_H

#include <stddef.h>

#include "core/buf.h"
#include "core/err.h"

struct rl_spawn {
    const char *const *argv;    /* NULL-terminated; argv[0] is the program's path, seen from `dir` (no search in $PATH) */
    const char *const *env;     /* NULL-terminated "NAME=value"; NULL: PATH, HOME, LANG=C.UTF-8 and TMPDIR only */
    const char *dir;            /* working folder; NULL: ours */
    const void *input;          /* bytes for its standard input; NULL: /dev/null */
    size_t input_len;
    double timeout_s;           /* > 0; when it runs out the program and its children are killed */
    size_t output_limit;        /* bytes kept of each stream; more is read and dropped */
};

struct rl_spawn_result {
    int exit_status;            /* of the program; 128 + signal when it was killed by one */
    struct rl_buf out, err;     /* standard output and standard error */
    double wall_s;
};

/* Runs the program to its end in a new process group; what it leaves running in that group when it ends is killed. It
 * inherits no file but its three standard streams. RL_OK also when its exit status is not 0; RL_ABSENT when it cannot be started;
 * RL_TIMEOUT.
 * `result` must be released in every case. */
enum rl_status rl_spawn_run(const struct rl_spawn *spawn, struct rl_spawn_result *result, struct rl_err *err);
/* Frees what the program wrote. */
void rl_spawn_result_release(struct rl_spawn_result *result);

#endif
