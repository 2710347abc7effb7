/* launcher.h - the rank of this process, and file names that differ between ranks.
 *
 * No MPI library is needed: launchers set environment variables (launchers.def).
 */
#pragma once

#include <stdbool.h>

#include "core/buf.h"
#include "core/err.h"

struct rl_launcher {
    const char *name; /* "Open MPI"; NULL: started alone */
    int rank;         /* 0 .. size - 1; -1: started alone */
    int local_rank;   /* among the processes on this machine; -1: unknown */
    int size;         /* number of processes; 0: unknown */
    const char *job;  /* of the batch system; NULL: none. Belongs to the environment */
};

/* Parses a rank or a number of processes; -1 for NULL and for text that is no number from 0 on. */
int rl_launcher_number(const char *text);
/* Reads the environment. A variable that is no number from 0 on is ignored. */
struct rl_launcher rl_launcher_find(void);

/* Number of GPUs in CUDA_VISIBLE_DEVICES (0 if it is empty); -1: not set. */
int rl_launcher_visible_gpus(void);

enum { RL_NAME_LINKS = -2 }; /* in place of a GPU: the links between GPUs */
/* Values of the placeholders of a name. */
struct rl_name_parts {
    const char *host; /* %h */
    const char *job;  /* %j; NULL: "nojob" */
    int rank, gpu;    /* %r, %g; -1: "norank", "nogpu"; RL_NAME_LINKS: "links" */
    long pid;         /* %p */
};
/* Appends `pattern` with %h, %r, %g, %p, %j replaced (%% is a percent sign). Bytes of host and job other than letters, digits, '_',
 * '-' and '.' become '-', so that a name cannot point to another folder; the host ends at its first '.'. RL_USAGE, with nothing
 * appended, for another letter after %. */
enum rl_status rl_name_expand(const char *pattern, const struct rl_name_parts *parts, struct rl_buf *out, struct rl_err *err);
/* Whether the pattern has %`letter`. */
bool rl_name_has(const char *pattern, char letter);
