/* ranks_remarks.c - what must be said before the figures: what is missing, mixed, or there twice. */
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/intern.h"
#include "core/mem.h"
#include "core/sort.h"
#include "core/utf8.h"
#include "internal.h"

enum { MOST_NAMED = 8, MOST_COMMAND = 60 };

/* Adds a remark, unless it is empty, and releases the text. */
static void add(struct rl_ranks *ranks, struct rl_buf *text)
{
    struct rl_buf safe = RL_BUF_INIT;
    if (text->len) {
        rl_utf8_printable(&safe, text->data, text->len);
        RL_GROW(ranks->remarks, ranks->remark_count + 1, ranks->remark_cap);
        ranks->remarks[ranks->remark_count++] = rl_arena_strdup(&ranks->arena, safe.data);
    }
    rl_buf_release(&safe);
    rl_buf_release(text);
}

/* ---- twice ---- */

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static int by_identity(const void *a, const void *b, void *context)
{
    const struct rl_process *all = context, *x = &all[*(const size_t *)a], *y = &all[*(const size_t *)b];
    return rl_ascending(x->rank, y->rank) ?: rl_ascending(x->pid, y->pid) ?: rl_ascending(x->host, y->host) ?:
           rl_ascending_place(x, y);
}

bool *rl_ranks_find_duplicates(const struct rl_ranks *ranks)
{
    const struct rl_capture *capture = ranks->capture;
    bool *repeated = rl_calloc(capture->process_count, sizeof *repeated);
    size_t *order = rl_calloc(capture->process_count, sizeof *order);
    for (size_t i = 0; i < capture->process_count; i++)
        order[i] = i;
    rl_sort_with(order, capture->process_count, sizeof *order, by_identity, capture->processes);
    for (size_t i = 1; i < capture->process_count; i++) {
        const struct rl_process *before = &capture->processes[order[i - 1]], *now = &capture->processes[order[i]];
        repeated[order[i]] = now->rank && same_text(now->rank, before->rank) && now->pid == before->pid &&
                             same_text(now->host, before->host) && now->launches == before->launches;
    }
    free(order);
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

/* ---- missing ---- */

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

/* ---- mixed ---- */

/* Of a command the program: what stands before the first blank. */
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

static void remark_programs(struct rl_ranks *ranks)
{
    const struct rl_capture *capture = ranks->capture;
    size_t first_len = program_length(capture, ranks->ranks[0].process), others = 0, other = 0;
    const char *first = capture->processes[ranks->ranks[0].process].command;
    for (size_t i = 1; i < ranks->count; i++) {
        size_t process = ranks->ranks[i].process, len = program_length(capture, process);
        if (len != first_len || memcmp(capture->processes[process].command, first, len) != 0)
            other = others++ == 0 ? i : other;
    }
    if (!others)
        return;
    struct rl_buf text = RL_BUF_INIT;
    rl_buf_adds(&text, "different programs: ");
    add_program(ranks, 0, &text);
    rl_buf_adds(&text, ", ");
    add_program(ranks, other, &text);
    if (others > 1)
        rl_buf_addf(&text, " and %zu more", others - 1);
    add(ranks, &text);
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
        rl_buf_addf(&text, "different cards: rank %s %s, rank %s %s", ranks->ranks[first].name, card_of(ranks, first),
                    ranks->ranks[other].name, card_of(ranks, other));
        if (others > 1)
            rl_buf_addf(&text, " and %zu more", others - 1);
        rl_buf_adds(&text, ": their times differ by that alone");
    }
    add(ranks, &text);
}

static void remark_shared(struct rl_ranks *ranks, const bool *shared)
{
    size_t count = 0;
    struct rl_buf text = RL_BUF_INIT;
    for (size_t i = 0; i < ranks->capture->gpu_count; i++)
        count += shared[i];
    if (count)
        rl_buf_addf(&text,
                    "%zu GPU%s of one capture used by several ranks: kernels on it cannot be attributed, so they count for none; "
                    "a name with %%r gives each rank a capture",
                    count, count == 1 ? "" : "s");
    add(ranks, &text);
}

/* ---- ends ---- */

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

void rl_ranks_describe(struct rl_ranks *ranks, const bool *repeated, const bool *shared)
{
    struct rl_intern hosts = {0};
    for (size_t i = 0; i < ranks->count; i++) {
        bool is_new;
        if (ranks->ranks[i].host)
            (void)rl_intern(&hosts, 0, ranks->ranks[i].host, &is_new);
    }
    ranks->hosts = hosts.count;
    rl_intern_release(&hosts);
    remark_programs(ranks);
    remark_missing(ranks);
    remark_twice(ranks, repeated);
    remark_cards(ranks);
    remark_shared(ranks, shared);
    size_t count = 0;
    struct rl_buf text = RL_BUF_INIT;
    for (size_t i = 0; i < ranks->capture->process_count; i++)
        count += ranks->capture->processes[i].rank == NULL;
    if (count)
        rl_buf_addf(&text, "%zu process%s without a rank %s left out of what is said of ranks", count, count == 1 ? "" : "es",
                    count == 1 ? "is" : "are");
    add(ranks, &text);
    remark_ends(ranks);
}
