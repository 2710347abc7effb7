/* collect_node.h - which GPU a `rooflight collect` measures, under which name, and all GPUs of a node at once. */
#ifndef RL_CLI_COLLECT_NODE_H
#define RL_CLI_COLLECT_NODE_H

#include <stdbool.h>

#include "command.h"
#include "core/launcher.h"

/* What --gpu says. */
struct collect_gpus {
    enum { COLLECT_ONE, COLLECT_LIST, COLLECT_ALL } which;
    int *list; /* ONE and LIST; free with free() */
    size_t count;
};

/* "all", or GPUs separated by commas; NULL: the one of this process's local rank when a launcher started it and does not itself
 * leave each process one GPU, else 0. RL_USAGE for anything else, and for a GPU named twice. */
enum rl_status collect_gpus_parse(const char *text, const struct rl_launcher *launcher, struct collect_gpus *gpus,
                                  struct rl_err *err);

/* RL_USAGE when other processes of the same job would write files of the same name. */
enum rl_status collect_check_name(const char *pattern, const struct rl_launcher *launcher, bool of_program, struct rl_err *err);

/* The name of the capture of one GPU, and its folder made where it is missing. RL_USAGE as
 * collect_check_name. */
enum rl_status collect_name(const char *pattern, const struct rl_launcher *launcher, int gpu, struct rl_buf *out,
                            struct rl_err *err);

/* Runs this program once for each GPU, with the options as typed, `at_once` of them side by side (0: all), then, where there are
 * several GPUs, once for the links between them, and ends with a table of what happened where. RL_FAILED when something has no
 * complete capture. `limit_s`: what takes longer is given up. `pattern` must have %g. */
struct collect_node {
    struct collect_gpus gpus;
    const char *pattern;
    const char *links_pattern; /* NULL: links are not measured */
    bool quick;                /* the links */
    size_t at_once;
    double limit_s;
};
/* Measures all GPUs of a node, one process each, and writes their captures. Says which failed. */
enum rl_status collect_node_run(const struct cli_call *call, struct collect_node *node, const struct rl_launcher *launcher,
                                struct rl_err *err);

/* For tests where there is no GPU: when $ROOFLIGHT_STANDIN names a program, it becomes that program, with the GPU ("links" for what
 * lies between) and the name of the capture as its arguments, in place of measuring. Comes back when the variable is not set. */
enum rl_status collect_standin(const char *gpu, const char *output, struct rl_err *err);

#endif
