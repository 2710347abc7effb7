/* ranks.h - comparing the ranks of one program.
 *
 * Ranks are compared by their own kernels, which wait for no other rank. A collective kernel runs until the last rank has arrived,
 * so its time in the other ranks is waiting. The *slowest* rank has the most own kernel time.
 */
#pragma once

#include "capture/capture.h"

struct rl_rank {
    const char *name;           /* as the launcher numbers it */
    long number;                /* the same; -1: it is no number */
    const char *host;           /* NULL: unknown */
    size_t process, processes;  /* the first of it in the capture, and how many */
    size_t gpu, gpus;           /* the first GPU that it used (RL_NONE: none), and their number */
    double wall_s;              /* from first to last activity without counting windows, of the GPU with the longest */
    double span_s, busy_s;      /* sums over its GPUs of that time, and of the busy time */
    double own_s, collective_s; /* kernel time, with an estimate for launches that were counted and not timed */
    double copies_s;            /* busy without a kernel: memcpys and memsets alone, as far as the GPU's time was recorded */
    struct rl_value idle;       /* 1 - busy / span */
    struct rl_value coverage;   /* share of its kernel time in classes with counters */
    uint64_t launches;
};

/* A kernel, whatever its shape, in the slowest rank and in the median one. */
struct rl_rank_kernel {
    size_t kernel;     /* of the capture: its class with the most time in the slowest rank, or in the median one when it has none */
    const char *label; /* its short name; with template arguments where another row has the same, then with the id */
    double slowest_s, median_s;
    uint64_t slowest_launches, median_launches;
    bool collective;
};

struct rl_ranks {
    const struct rl_capture *capture; /* borrowed */
    struct rl_arena arena;
    struct rl_rank *ranks; /* by number, then by name */
    size_t count;
    size_t *order;                   /* indices of ranks, the largest own time first */
    size_t slowest, median, fastest; /* indices of ranks; median: of an even number the slower of the two in the middle */
    size_t hosts;                    /* that are known */
    double mean_own_s;
    /* Maximum over mean of own kernel time, less 1: the gain from an even distribution if nothing else limits the program (Pearce,
     * Gamblin, de Supinski, Schulz, Amato: Quantifying the effectiveness of load balance algorithms, ICS 2012, the metric lambda).
     * */
    struct rl_value imbalance;
    struct rl_rank_kernel *kernels; /* by their difference, the largest first; collectives last */
    size_t kernel_count;
    const char **remarks; /* inconsistencies: missing ranks, different programs and GPUs, ... */
    size_t remark_count, remark_cap;
    size_t *rank_of_gpu; /* one for each GPU of the capture: index of its rank; RL_NONE: none, or several */
};

/* Whether the capture is of a program with at least two ranks. */
bool rl_has_ranks(const struct rl_capture *capture);
/* Compares the ranks of a capture; free with rl_ranks_free. */
struct rl_ranks *rl_ranks_new(const struct rl_capture *capture);
/* Frees it; NULL is allowed. */
void rl_ranks_free(struct rl_ranks *ranks);
/* Whether the kernel is a collective, by its name (collectives.def). */
bool rl_is_collective(const struct rl_kernel *kernel);

/* A choice of ranks for a table of at most `most` rows (at least 3): all in their own order, or by own time the slowest half of the
 * rows, some about the median and the fastest. `chosen` has room for `most`; returns their number. Indices of ranks. */
size_t rl_ranks_representatives(const struct rl_ranks *ranks, size_t most, size_t *chosen);

/* Rank of the first process that used a GPU of the capture; NULL: it has none. */
const char *rl_rank_of_gpu(const struct rl_capture *capture, size_t gpu);
/* Where ranks used more than RL_RANKS_WHOLE GPUs, only those of the slowest and of the median rank are listed one by one. */
enum { RL_RANKS_WHOLE = 4 };
/* For each GPU of the capture whether it is left out; allocated, to be freed by the caller. NULL: none is. */
bool *rl_ranks_omitted(const struct rl_capture *capture);
