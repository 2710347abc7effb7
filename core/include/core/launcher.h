/* launcher.h - which of many processes this one is, and file names that are different for each.
 *
 * No MPI library is needed: launchers tell every process its place in environment variables (launchers.def).
 */
#ifndef RL_CORE_LAUNCHER_H
#define RL_CORE_LAUNCHER_H

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

/* A rank or a number of processes as launchers write it; -1 for NULL and for what is no number from 0 on. */
int rl_launcher_number(const char *text);
/* From the environment. A variable that is no number from 0 on counts as not set. */
struct rl_launcher rl_launcher_find(void);

/* Number of GPUs that CUDA_VISIBLE_DEVICES leaves this process (0 for an empty one); -1 when it is not set. */
int rl_launcher_visible_gpus(void);

enum { RL_NAME_LINKS = -2 }; /* in the place of a GPU: what lies between all of them */
/* Values of the placeholders of a name. */
struct rl_name_parts {
    const char *host; /* %h */
    const char *job;  /* %j; NULL: "nojob" */
    int rank, gpu;    /* %r, %g; -1: "norank", "nogpu"; RL_NAME_LINKS: "links" */
    long pid;         /* %p */
};
/* Appends `pattern` with %h, %r, %g, %p, %j replaced (%% is a percent sign). Bytes of host and job other than letters, digits, '_',
 * '-' and '.' become '-', so that no name leads into another folder; the host ends at its first '.'. RL_USAGE, with
 * nothing appended, for another letter behind %. */
enum rl_status rl_name_expand(const char *pattern, const struct rl_name_parts *parts, struct rl_buf *out, struct rl_err *err);
/* Whether the pattern has %`letter`. */
bool rl_name_has(const char *pattern, char letter);

#endif
