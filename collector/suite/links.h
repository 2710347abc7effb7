/* links.h - measuring the links between the GPUs of a machine and to the host. Private to the collector.
 *
 *     links.c          the process that the user started: never touches CUDA, holds the capture, starts the others
 *     links_measure.c  the process that copies; when a copy kills it or hangs, another one goes on with the next task
 *     links_plan.c     which copies there are to make
 */
#pragma once

#include "collector/collector.h"

/* ---- links_plan.c ---- */

enum rl_link_traffic { RL_LINK_ALONE, RL_LINK_BOTH_WAYS, RL_LINK_TOGETHER };
extern const char *const rl_link_traffics[]; /* as captures say it */

/* Measured together and failing together. */
struct rl_link_task {
    enum rl_link_traffic traffic;
    const size_t *links; /* links of the capture: one, both directions of a pair, or all of one direction to or from the host */
    size_t link_count;
};
struct rl_link_plan {
    struct rl_link_task *tasks;
    size_t task_count;
    size_t *links; /* what the tasks point into */
};

/* Adds every link between the GPUs of the capture: each ordered pair by its first, then its second GPU; then to and from the host,
 * GPU by GPU. */
void rl_links_add(struct rl_capture *capture);
/* The measurements of the capture's links: each alone, then the directions of each pair together, then all links from the
 * host at once and all to it, where there are several. Free with rl_link_plan_release. */
struct rl_link_plan rl_link_plan_of(const struct rl_capture *capture);
/* Zeroes it. */
void rl_link_plan_release(struct rl_link_plan *plan);

/* How thoroughly. */
struct rl_link_limits {
    uint64_t peer_bytes, host_bytes; /* largest copies */
    size_t samples;                  /* of each size */
    double sample_s;                 /* that a sample should take */
    unsigned most_copies;            /* in a sample */
};
enum { RL_LINK_SAMPLES = 16 };
extern const struct rl_link_limits rl_link_full, rl_link_quick;
enum { RL_LINK_SIZES = 8 };
/* Sizes of the copies of a task in bytes, ascending; returns how many, at least one. Copies in both directions and of all links are
 * of the largest size only. `host`: it goes to or from the host, which has another limit. */
size_t rl_link_sizes(const struct rl_link_task *task, bool host, const struct rl_link_limits *limits,
                     uint64_t sizes[RL_LINK_SIZES]);
/* Number of copies in a sample, for its target duration, if one takes `copy_ns`. */
unsigned rl_link_copies(const struct rl_link_limits *limits, uint64_t bytes, uint64_t copy_ns);

/* ---- links_measure.c ---- */

/* Message of the copying process to the other one. */
struct rl_link_message {
    enum {
        RL_LINK_BEGINS,   /* task `task` */
        RL_LINK_RUN,      /* a run of `link` */
        RL_LINK_PCIE,     /* generation and lanes of `link`'s GPU under load */
        RL_LINK_FAILED,   /* task `task`: `text` */
        RL_LINK_FINISHED, /* all tasks, or (status not RL_OK) the whole process */
    } kind;
    size_t task, link;
    uint64_t bytes, copies, duration_ns[RL_LINK_SAMPLES];
    size_t sample_count;
    struct rl_value generation, width; /* their reasons are literals */
    int status;
    char text[512];
};
typedef void (*rl_link_tell)(void *context, const struct rl_link_message *message);

/* Opens CUDA and writes a capture at `path` that has the session, these GPUs (all of them when `gpus` is NULL) and their links, but
 * no run. RL_UNSUPPORTED when there are fewer than two. */
enum rl_status rl_links_describe(const char *path, const int *gpus, size_t gpu_count, struct rl_err *err);
/* Measures tasks [first, task_count) and tells what it finds. */
void rl_links_measure(const struct rl_capture *capture, const struct rl_link_plan *plan, size_t first,
                      const struct rl_link_limits *limits, rl_link_tell tell, void *context);

/* ---- links.c ---- */

/* The work of the other processes; tests replace it. */
struct rl_links_work {
    enum rl_status (*describe)(const char *path, const int *gpus, size_t gpu_count, struct rl_err *err);
    void (*measure)(const struct rl_capture *capture, const struct rl_link_plan *plan, size_t first,
                    const struct rl_link_limits *limits, rl_link_tell tell, void *context);
    int silence_ms; /* silence after which a process counts as hung */
};
/* rl_collect_links with this work. */
enum rl_status rl_links_run(const struct rl_links_options *options, const struct rl_links_work *work,
                            struct rl_links_summary *summary, struct rl_err *err);
