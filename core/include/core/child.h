/* child.h - child processes: the one place that forks, becomes another program, and waits. A program that is to be run to its end
 * is core/spawn.h's, several at once core/jobs.h's. */
#ifndef RL_CORE_CHILD_H
#define RL_CORE_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

#include "core/err.h"

/* A child that writes to its parent. */
struct rl_child {
    pid_t pid;
    int fd; /* reading end of its pipe; owned by whoever started it */
};
#define RL_CHILD_NONE                                                                                                              \
    {                                                                                                                              \
        .pid = 0, .fd = -1                                                                                                         \
    }

/* fork() with what was printed so far written before, so that it is not written twice. In the child: `death_signal` (0: none) comes
 * when the thread that called this ends; where it has ended already the child exits. Returns as fork() does. */
pid_t rl_child_fork(int death_signal);

/* Runs `work` in a child, with the writing end of a pipe, whose reading end is child->fd. The child ends behind it with status 0,
 * without its temporary folders; exit handlers and buffers are the parent's. RL_FAILED when there is no pipe or no process. */
enum rl_status rl_child_start(struct rl_child *child, int death_signal, void (*work)(void *context, int fd), void *context,
                              struct rl_err *err);

/* Becomes the program at `path` (no search in $PATH), with the environment of this process; returns, with the errno, only when that
 * is not possible. `argv` is NULL-terminated. */
int rl_child_become(const char *path, const char *const *argv);

/* Waits until the child has ended, however often a signal comes. `*how` (may be NULL) gets its wait status; false: it is no child,
 * or SIGCHLD is ignored and its status is lost. */
bool rl_child_wait(pid_t child, int *how);
/* The same without waiting: true once, when it has ended. */
bool rl_child_ended(pid_t child, int *how);
/* The same, for at most `seconds`. */
bool rl_child_ends_within(pid_t child, double seconds, int *how);
/* Whether it has ended, while its number and its process group stay its own; or is no child any more. */
bool rl_child_is_over(pid_t child);

#endif
