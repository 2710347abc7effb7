/* ranks.c - see analysis/ranks.h. */
#include "analysis/ranks.h"

#include "core/intern.h"
#include "internal.h"

enum { MOST_NAMED = 8, MOST_COMMAND = 60 };

/* Adds a remark, unless it is empty, and releases the text. */
static void add(struct rl_ranks *ranks, struct rl_buf *text)
{
    RL_SCRATCH safe = RL_BUF_INIT;
    if (text->len) {
        rl_utf8_printable(&safe, text->data, text->len);
        RL_APPEND(ranks->remarks, ranks->remark_count, ranks->remark_cap, rl_arena_strdup(&ranks->arena, safe.data));
    }
    rl_buf_release(text);
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

RL_COMPARATOR_AT(by_identity, size_t, struct rl_process, context, rl_ascending(x->rank, y->rank)
                 ?: rl_ascending(x->pid, y->pid) ?: rl_ascending(x->host, y->host));

/* One for each process of the capture: it is there for the second time, the same file given twice. Free with free(). */
static bool *ranks_find_duplicates(const struct rl_ranks *ranks)
{
    const struct rl_capture *capture = ranks->capture;
    bool *repeated = rl_calloc(capture->process_count, sizeof *repeated);
    RL_FREED size_t *order = rl_calloc(capture->process_count, sizeof *order);
    for (size_t i = 0; i < capture->process_count; i++)
        order[i] = i;
    rl_sort_with(order, capture->process_count, sizeof *order, by_identity, capture->processes);
    for (size_t i = 1; i < capture->process_count; i++) {
        const struct rl_process *before = &capture->processes[order[i - 1]], *now = &capture->processes[order[i]];
        repeated[order[i]] = now->rank && same_text(now->rank, before->rank) && now->pid == before->pid &&
                             same_text(now->host, before->host) && now->launches == before->launches;
    }
    return repeated;
}

static void remark_twice(struct rl_ranks *ranks, const bool *repeated)
{
    size_t same = 0, first = RL_NONE, several = 0, which = 0;
    struct rl_buf text = RL_BUF_INIT;
    for (size_t i = 0; i < ranks->capture->process_count; i++)
        if (repeated[i])
            first = same++ == 0 ? i : first;
    if (same)
        rl_buf_addf(&text, "rank %s is there twice (process %" PRIu64 "): the same file given twice counts once",
                    ranks->capture->processes[first].rank, ranks->capture->processes[first].pid);
    if (same > 1)
        rl_buf_addf(&text, "; so are %zu more", same - 1);
    add(ranks, &text);
    for (size_t i = 0; i < ranks->count; i++)
        if (ranks->ranks[i].processes > 1)
            which = several++ == 0 ? i : which;
    if (several)
        rl_buf_addf(&text, "rank %s has %zu processes, added up", ranks->ranks[which].name, ranks->ranks[which].processes);
    if (several > 1)
        rl_buf_addf(&text, "; so have %zu more", several - 1);
    if (several)
        rl_buf_adds(&text, ": captures of two runs, or processes that a rank has started");
    add(ranks, &text);
}

static void remark_missing(struct rl_ranks *ranks)
{
    struct rl_buf text = RL_BUF_INIT;
    long highest = -1;
    size_t numbered = 0, named = 0, at = 0;
    for (size_t i = 0; i < ranks->count && ranks->ranks[i].number >= 0; i++) { /* by number; those without one stand last */
        numbered += ranks->ranks[i].number != highest;                         /* "1" and "01" are one */
        highest = ranks->ranks[i].number;
    }
    assert(numbered <= (size_t)(highest + 1));
    const size_t missing = (size_t)(highest + 1) - numbered;
    if (missing)
        rl_buf_addf(&text, "%zu of the ranks 0 to %ld %s missing: ", missing, highest, missing == 1 ? "is" : "are");
    for (long number = 0; missing && number <= highest && named < MOST_NAMED; number++) {
        while (at < ranks->count && ranks->ranks[at].number >= 0 && ranks->ranks[at].number < number)
            at++;
        if (at == ranks->count || ranks->ranks[at].number != number)
            rl_buf_addf(&text, "%s%ld", named++ ? ", " : "", number);
    }
    if (missing > MOST_NAMED)
        rl_buf_addf(&text, " and %zu more", missing - MOST_NAMED);
    add(ranks, &text);
}

/* The program of a command: up to the first blank. */
static size_t program_length(const struct rl_capture *capture, size_t rank_process)
{
    return strcspn(capture->processes[rank_process].command, " ");
}

static void add_program(const struct rl_ranks *ranks, size_t rank, struct rl_buf *out)
{
    const char *command = ranks->capture->processes[ranks->ranks[rank].process].command;
    rl_buf_addf(out, "rank %s '", ranks->ranks[rank].name);
    rl_utf8_ellipsis(out, command, program_length(ranks->capture, ranks->ranks[rank].process), MOST_COMMAND);
    rl_buf_adds(out, "'");
}

static const char *card_of(const struct rl_ranks *ranks, size_t rank)
{
    return ranks->ranks[rank].gpu == RL_NONE ? NULL : ranks->capture->gpus[ranks->ranks[rank].gpu].name;
}

static void remark_cards(struct rl_ranks *ranks)
{
    size_t first = 0, others = 0, other = 0;
    struct rl_buf text = RL_BUF_INIT;
    while (first + 1 < ranks->count && !card_of(ranks, first))
        first++;
    for (size_t i = first + 1; i < ranks->count; i++)
        if (card_of(ranks, i) && !same_text(card_of(ranks, i), card_of(ranks, first)))
            other = others++ == 0 ? i : other;
    if (others) {
        rl_buf_addf(&text, "different GPUs: rank %s %s, rank %s %s", ranks->ranks[first].name, card_of(ranks, first),
                    ranks->ranks[other].name, card_of(ranks, other));
        if (others > 1)
            rl_buf_addf(&text, " and %zu more", others - 1);
        rl_buf_adds(&text, ": their times differ by that alone");
    }
    add(ranks, &text);
}

static void remark_shared(struct rl_ranks *ranks, const bool *shared)
{
    struct rl_buf text = RL_BUF_INIT;
    const size_t count = RL_SUM(size_t, i, ranks->capture->gpu_count, shared[i]);
    if (count)
        rl_buf_addf(&text,
                    "%zu GPU%s of one capture used by several ranks: kernels on it cannot be attributed, so they count for none; "
                    "a name with %%r gives each rank a capture",
                    count, count == 1 ? "" : "s");
    add(ranks, &text);
}

static void remark_ends(struct rl_ranks *ranks)
{
    size_t bad = 0;
    struct rl_buf text = RL_BUF_INIT;
    for (size_t i = 0; i < ranks->capture->process_count; i++) {
        const struct rl_process *process = &ranks->capture->processes[i];
        if (!process->rank || (strcmp(process->end, "exited") == 0 && process->status == 0))
            continue;
        if (bad++ >= MOST_NAMED)
            continue;
        rl_buf_addf(&text, "%srank %s ", bad > 1 ? ", " : "", process->rank);
        if (strcmp(process->end, "killed") == 0)
            rl_buf_addf(&text, "was ended by signal %d", process->status);
        else if (strcmp(process->end, "exited") == 0)
            rl_buf_addf(&text, "ended with status %d", process->status);
        else
            rl_buf_adds(&text, "was not seen to end");
    }
    if (bad > MOST_NAMED)
        rl_buf_addf(&text, " and %zu more", bad - MOST_NAMED);
    add(ranks, &text);
}

/* Fills `remarks` and `hosts`. `shared`: GPUs that several ranks have used. */
static void ranks_describe(struct rl_ranks *ranks, const bool *repeated, const bool *shared)
{
    RL_AT_END(rl_intern_release) struct rl_intern hosts = {0};
    for (size_t i = 0; i < ranks->count; i++) {
        bool is_new;
        if (ranks->ranks[i].host)
            (void)rl_intern(&hosts, 0, ranks->ranks[i].host, &is_new);
    }
    ranks->hosts = hosts.count;
    const struct rl_capture *capture = ranks->capture;
    size_t first_len = program_length(capture, ranks->ranks[0].process), others = 0, other = 0;
    const char *first = capture->processes[ranks->ranks[0].process].command;
    for (size_t j = 1; j < ranks->count; j++) {
        size_t process = ranks->ranks[j].process, len = program_length(capture, process);
        if (len != first_len || memcmp(capture->processes[process].command, first, len) != 0)
            other = others++ == 0 ? j : other;
    }
    if (others) {
        struct rl_buf text = RL_BUF_INIT;
        rl_buf_adds(&text, "different programs: ");
        add_program(ranks, 0, &text);
        rl_buf_adds(&text, ", ");
        add_program(ranks, other, &text);
        if (others > 1)
            rl_buf_addf(&text, " and %zu more", others - 1);
        add(ranks, &text);
    }
    remark_missing(ranks);
    remark_twice(ranks, repeated);
    remark_cards(ranks);
    remark_shared(ranks, shared);
    struct rl_buf text = RL_BUF_INIT;
    const size_t count = RL_SUM(size_t, i, ranks->capture->process_count, ranks->capture->processes[i].rank == NULL);
    if (count)
        rl_buf_addf(&text, "%zu process%s without a rank %s left out of the ranks", count, count == 1 ? "" : "es",
                    count == 1 ? "is" : "are");
    add(ranks, &text);
    remark_ends(ranks);
}

/* A class of one of the two ranks. */
struct part {
    size_t kernel;
    bool slowest;
    double seconds;
};

static const char *name_of(const struct rl_capture *capture, size_t kernel)
{
    return capture->kernels[kernel].mangled ? capture->kernels[kernel].mangled : capture->kernels[kernel].name;
}

/* By name, the class with the most time of the slowest rank first. */
static int by_name(const void *a, const void *b, void *context)
{
    const struct part *x = a, *y = b;
    const struct rl_capture *capture = context;
    return rl_ascending(name_of(capture, x->kernel), name_of(capture, y->kernel)) ?: rl_descending(x->slowest, y->slowest) ?:
           rl_descending(x->seconds, y->seconds) ?: rl_ascending(x->kernel, y->kernel);
}

/* Collectives stand last: their time is waiting for slower ranks. */
RL_COMPARATOR(by_difference, struct rl_rank_kernel, rl_ascending(x->collective, y->collective)
              ?: rl_descending(fabs(x->slowest_s - x->median_s), fabs(y->slowest_s - y->median_s))
              ?: rl_ascending(x->kernel, y->kernel));

/* Fills `kernels`. */
static void ranks_compare(struct rl_ranks *ranks)
{
    const struct rl_capture *capture = ranks->capture;
    RL_FREED struct part *parts = rl_calloc(capture->kernel_count, sizeof *parts);
    size_t count = 0;
    for (size_t i = 0; i < capture->kernel_count; i++) {
        assert(capture->kernels[i].gpu < capture->gpu_count);
        size_t owner = ranks->rank_of_gpu[capture->kernels[i].gpu];
        if (owner == RL_NONE || (owner != ranks->slowest && owner != ranks->median))
            continue;
        parts[count++] = (struct part){i, owner == ranks->slowest, rl_kernel_gpu_ns(capture, i) * 1e-9};
    }
    if (count)
        rl_sort_with(parts, count, sizeof *parts, by_name, (void *)capture); /* only read */
    ranks->kernels = rl_calloc(count, sizeof *ranks->kernels);
    for (size_t i = 0; i < count && ranks->slowest != ranks->median; i++) {
        bool same = i > 0 && strcmp(name_of(capture, parts[i].kernel), name_of(capture, parts[i - 1].kernel)) == 0;
        if (!same)
            ranks->kernels[ranks->kernel_count++] = (struct rl_rank_kernel){
                .kernel = parts[i].kernel, .collective = rl_is_collective(&capture->kernels[parts[i].kernel])};
        assert(ranks->kernel_count > 0);
        struct rl_rank_kernel *kernel = &ranks->kernels[ranks->kernel_count - 1];
        *(parts[i].slowest ? &kernel->slowest_s : &kernel->median_s) += parts[i].seconds;
        *(parts[i].slowest ? &kernel->slowest_launches : &kernel->median_launches) += capture->kernels[parts[i].kernel].launches;
    }
    if (ranks->kernel_count) {
        rl_sort(ranks->kernels, ranks->kernel_count, sizeof *ranks->kernels, by_difference);
        RL_FREED struct rl_labelled *rows = rl_calloc(ranks->kernel_count, sizeof *rows);
        for (size_t i = 0; i < ranks->kernel_count; i++) {
            struct rl_rank_kernel *kernel = &ranks->kernels[i];
            RL_SCRATCH name = RL_BUF_INIT;
            rl_kernel_short_name(ranks->capture->kernels[kernel->kernel].name, &name);
            kernel->label = rl_arena_strndup(&ranks->arena, name.data, name.len);
            rows[i] = (struct rl_labelled){.kernel = &ranks->capture->kernels[kernel->kernel], .label = &kernel->label};
        }
        rl_labels_tell_apart(&ranks->arena, rows, ranks->kernel_count, false);
    }
}

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

static void add_kernels(struct rl_ranks *ranks)
{
    const struct rl_capture *capture = ranks->capture;
    RL_FREED double *counted = rl_calloc(ranks->count, sizeof *counted);
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
}

RL_COMPARATOR_AT(by_own_time, size_t, struct rl_rank, context, rl_descending(x->own_s, y->own_s));

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

struct rl_ranks *rl_ranks_new(const struct rl_capture *capture)
{
    assert(rl_has_ranks(capture));
    struct rl_ranks *ranks = rl_calloc(1, sizeof *ranks);
    RL_FREED bool *shared = rl_calloc(capture->gpu_count, sizeof *shared);
    ranks->capture = capture;
    ranks->rank_of_gpu = rl_calloc(capture->gpu_count, sizeof *ranks->rank_of_gpu);
    for (size_t i = 0; i < capture->gpu_count; i++)
        ranks->rank_of_gpu[i] = RL_NONE;
    make_ranks(ranks);
    bool *repeated = ranks_find_duplicates(ranks);
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
    ranks_compare(ranks);
    ranks_describe(ranks, repeated, shared);
    free(repeated);
    return ranks;
}

void rl_ranks_free(struct rl_ranks *ranks)
{
    if (!ranks)
        return;
    RL_FREE(ranks->ranks, ranks->order, ranks->kernels, ranks->remarks, ranks->rank_of_gpu);
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
