/* ranks.c - see analysis/ranks.h. */
#include "analysis/ranks.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/program.h"
#include "core/mem.h"
#include "core/sort.h"
#include "internal.h"

static long number_of(const char *name)
{
    size_t digits = strspn(name, "0123456789");
    return digits > 0 && digits <= 9 && name[digits] == 0 ? strtol(name, NULL, 10) : -1;
}

static int by_number(const void *a, const void *b)
{
    const struct rl_rank *x = a, *y = b;
    if (x->number != y->number)
        return x->number < 0 ? 1 : y->number < 0 ? -1 : x->number < y->number ? -1 : 1;
    return strcmp(x->name, y->name);
}

/* Ranks by name, each once; then processes are found by halving. */
static void make_ranks(struct rl_ranks *ranks)
{
    const struct rl_capture *capture = ranks->capture;
    size_t kept = 0;
    ranks->ranks = rl_calloc(capture->process_count, sizeof *ranks->ranks);
    for (size_t i = 0; i < capture->process_count; i++)
        if (capture->processes[i].rank)
            ranks->ranks[ranks->count++] = (struct rl_rank){.name = capture->processes[i].rank,
                                                            .number = number_of(capture->processes[i].rank),
                                                            .host = capture->processes[i].host,
                                                            .process = i,
                                                            .gpu = RL_NONE};
    rl_sort(ranks->ranks, ranks->count, sizeof *ranks->ranks, by_number);
    for (size_t i = 0; i < ranks->count; i++)
        if (kept == 0 || by_number(&ranks->ranks[kept - 1], &ranks->ranks[i]) != 0)
            ranks->ranks[kept++] = ranks->ranks[i];
    ranks->count = kept;
}

static void add_process(struct rl_ranks *ranks, size_t index, bool *shared)
{
    const struct rl_process *process = &ranks->capture->processes[index];
    assert(index < ranks->capture->process_count);
    const char *name = ranks->capture->processes[index].rank;
    const struct rl_rank key = {.name = name, .number = name ? number_of(name) : 0};
    struct rl_rank *rank = name ? bsearch(&key, ranks->ranks, ranks->count, sizeof *ranks->ranks, by_number) : NULL;
    if (!rank)
        return;
    rank->processes++;
    rank->launches += process->launches;
    for (size_t i = 0; i < process->gpu_count; i++) {
        const struct rl_process_gpu *use = &process->gpus[i];
        size_t mine = (size_t)(rank - ranks->ranks), *owner = &ranks->rank_of_gpu[use->gpu];
        shared[use->gpu] |= *owner != RL_NONE && *owner != mine;
        if (*owner == RL_NONE)
            rank->gpus++;
        *owner = mine;
        rank->gpu = rank->gpu == RL_NONE ? use->gpu : rank->gpu;
        rank->wall_s = fmax(rank->wall_s, (double)use->span_ns * 1e-9);
        rank->span_s += (double)use->span_ns * 1e-9;
        rank->busy_s += (double)use->busy_ns * 1e-9;
        if (use->busy_ns > use->kernel_ns) /* both of what was timed, selected or not */
            rank->copies_s += (double)(use->busy_ns - use->kernel_ns) * 1e-9;
    }
}

/* ---- kernels ---- */

static void add_kernels(struct rl_ranks *ranks)
{
    const struct rl_capture *capture = ranks->capture;
    double *counted = rl_calloc(ranks->count, sizeof *counted);
    for (size_t i = 0; i < capture->kernel_count; i++) {
        const struct rl_kernel_use *of = rl_kernel_use_of(capture, i);
        size_t owner = ranks->rank_of_gpu[capture->kernels[i].gpu];
        if (owner == RL_NONE)
            continue;
        double seconds = rl_kernel_gpu_ns(capture, i) * 1e-9;
        if (rl_is_collective(&capture->kernels[i]))
            ranks->ranks[owner].collective_s += seconds;
        else
            ranks->ranks[owner].own_s += seconds;
        counted[owner] += of && of->counted ? seconds : 0;
    }
    for (size_t i = 0; i < ranks->count; i++) {
        struct rl_rank *rank = &ranks->ranks[i];
        double kernels = rank->own_s + rank->collective_s;
        rank->coverage = rl_value_div(rl_value_of(counted[i]), rl_value_of(kernels), "no kernel was timed");
        rank->idle = rl_value_sub(
            rl_value_of(1), rl_value_div(rl_value_of(rank->busy_s), rl_value_of(rank->span_s), "nothing was timed on its GPU"));
    }
    free(counted);
}

/* ---- the order ---- */

static int by_own_time(const void *a, const void *b, void *context)
{
    const struct rl_rank *ranks = context;
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return rl_descending(ranks[x].own_s, ranks[y].own_s) ?: rl_ascending(x, y);
}

size_t rl_ranks_representatives(const struct rl_ranks *ranks, size_t most, size_t *chosen)
{
    assert(most >= 3);
    size_t count = 0;
    for (; ranks->count <= most && count < ranks->count; count++)
        chosen[count] = count;
    if (count)
        return count;
    const size_t slow = most / 2, fast = most / 4, middle = most - slow - fast;
    const size_t first = (ranks->count - 1) / 2 - middle / 2; /* about the median */
    for (size_t i = 0; i < ranks->count; i++)
        if (i < slow || i >= ranks->count - fast || (i >= first && i < first + middle))
            chosen[count++] = ranks->order[i];
    return count;
}

/* ---- the whole ---- */

struct rl_ranks *rl_ranks_new(const struct rl_capture *capture)
{
    assert(rl_has_ranks(capture));
    struct rl_ranks *ranks = rl_calloc(1, sizeof *ranks);
    bool *shared = rl_calloc(capture->gpu_count, sizeof *shared);
    ranks->capture = capture;
    ranks->rank_of_gpu = rl_calloc(capture->gpu_count, sizeof *ranks->rank_of_gpu);
    for (size_t i = 0; i < capture->gpu_count; i++)
        ranks->rank_of_gpu[i] = RL_NONE;
    make_ranks(ranks);
    bool *repeated = rl_ranks_find_duplicates(ranks);
    for (size_t i = 0; i < capture->process_count; i++)
        if (!repeated[i])
            add_process(ranks, i, shared);
    for (size_t i = 0; i < capture->gpu_count; i++)
        if (shared[i])
            ranks->rank_of_gpu[i] = RL_NONE;
    add_kernels(ranks);
    double sum = 0;
    ranks->order = rl_calloc(ranks->count, sizeof *ranks->order);
    for (size_t j = 0; j < ranks->count; j++) {
        ranks->order[j] = j;
        sum += ranks->ranks[j].own_s;
    }
    rl_sort_with(ranks->order, ranks->count, sizeof *ranks->order, by_own_time, ranks->ranks);
    ranks->slowest = ranks->order[0];
    ranks->median = ranks->order[(ranks->count - 1) / 2];
    ranks->fastest = ranks->order[ranks->count - 1];
    ranks->mean_own_s = sum / (double)ranks->count;
    ranks->imbalance = rl_value_sub(
        rl_value_div(rl_value_of(ranks->ranks[ranks->slowest].own_s), rl_value_of(ranks->mean_own_s), "no kernel was timed"),
        rl_value_of(1));
    rl_ranks_compare(ranks);
    rl_ranks_describe(ranks, repeated, shared);
    free(repeated);
    free(shared);
    return ranks;
}

void rl_ranks_free(struct rl_ranks *ranks)
{
    if (!ranks)
        return;
    free(ranks->ranks);
    free(ranks->order);
    free(ranks->kernels);
    free(ranks->remarks);
    free(ranks->rank_of_gpu);
    rl_arena_release(&ranks->arena);
    free(ranks);
}

const char *rl_rank_of_gpu(const struct rl_capture *capture, size_t gpu)
{
    assert(gpu < capture->gpu_count);
    for (size_t i = 0; i < capture->process_count; i++)
        for (size_t k = 0; k < capture->processes[i].gpu_count; k++)
            if (capture->processes[i].gpus[k].gpu == gpu)
                return capture->processes[i].rank;
    return NULL;
}

bool *rl_ranks_omitted(const struct rl_capture *capture)
{
    if (capture->gpu_count <= RL_RANKS_WHOLE || !rl_has_ranks(capture))
        return NULL;
    struct rl_ranks *ranks = rl_ranks_new(capture);
    bool *hidden = rl_calloc(capture->gpu_count, sizeof *hidden);
    for (size_t i = 0; i < capture->gpu_count; i++)
        hidden[i] = ranks->rank_of_gpu[i] != ranks->slowest && ranks->rank_of_gpu[i] != ranks->median;
    rl_ranks_free(ranks);
    return hidden;
}
