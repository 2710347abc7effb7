/* compare_git.h - what git says of a change: its commits and how much they change. */
#ifndef RL_CLI_COMPARE_GIT_H
#define RL_CLI_COMPARE_GIT_H

#include "core/arena.h"
#include "core/err.h"
#include "views/origin.h"

/* Asks git, in the working folder, about "BASE..NEW" ("BASE..": to HEAD). git runs as a child without a shell, reads nothing but
 * objects, starts no other program whatever the repository configures, and talks to no network. Texts go to the arena. RL_USAGE for
 * what is no range; RL_ABSENT without git; RL_FAILED with git's first line where it refuses. */
enum rl_status compare_git_read(const char *range, struct rl_arena *arena, struct view_origin *origin, struct rl_err *err);

#endif
