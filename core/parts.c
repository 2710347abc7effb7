#include "core/parts.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "core/core.h"

size_t rl_processors(void)
{
    enum { MOST = 256 };
    cpu_set_t set;
    int count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    return count < 1 ? 1 : count > MOST ? MOST : (size_t)count;
}

size_t rl_parts_of(size_t count, size_t least)
{
    assert(least > 0);
    const size_t processors = rl_processors(), most = processors < RL_MOST_PARTS ? processors : RL_MOST_PARTS;
    const size_t wanted = count / least;
    return wanted < 1 ? 1 : wanted > most ? most : wanted;
}

struct part {
    rl_part_function work;
    void *context;
    size_t number, first, end;
    bool threaded;
    pthread_t thread;
};

static void *run(void *context)
{
    const struct part *part = context;
    part->work(part->context, part->number, part->first, part->end);
    return NULL;
}

void rl_parts_run(size_t parts, size_t count, rl_part_function work, void *context)
{
    assert(parts > 0 && parts <= RL_MOST_PARTS);
    struct part all[RL_MOST_PARTS];
    for (size_t i = 0; i < parts; i++) {
        const size_t share = count / parts, more = count % parts, first = i * share + (i < more ? i : more);
        all[i] = (struct part){.work = work, .context = context, .number = i, .first = first, .end = first + share + (i < more)};
    }
    for (size_t i = 1; i < parts; i++)
        all[i].threaded = pthread_create(&all[i].thread, NULL, run, &all[i]) == 0;
    for (size_t i = 0; i < parts; i++)
        if (!all[i].threaded)
            run(&all[i]);
    for (size_t i = 1; i < parts; i++)
        if (all[i].threaded)
            pthread_join(all[i].thread, NULL);
}

struct both {
    void (*of[2])(void *context);
    void *context;
};

/* An rl_part_function, of functions. */
static void call(void *context, size_t part, size_t first, size_t end)
{
    const struct both *both = context;
    (void)part;
    for (size_t i = first; i < end; i++)
        both->of[i](both->context);
}

void rl_parts_both(size_t count, size_t least, void (*one)(void *context), void (*other)(void *context), void *context)
{
    struct both both = {{one, other}, context};
    rl_parts_run(rl_parts_of(count, least) > 1 ? 2 : 1, 2, call, &both);
}

/* ---- pieces ---- */

struct work {
    rl_parallel_piece piece;
    void *context;
    size_t count, grain;
    atomic_size_t next;   /* element at which the next piece begins */
    atomic_size_t joined; /* threads that do pieces */
};

static _Thread_local bool working; /* in a piece */

static void *do_pieces(void *context)
{
    struct work *work = context;
    const size_t thread = atomic_fetch_add(&work->joined, 1);
    const bool before = working;
    working = true;
    for (size_t first; (first = atomic_fetch_add(&work->next, work->grain)) < work->count;)
        work->piece(work->context, first, work->count - first < work->grain ? work->count - first : work->grain, thread);
    working = before;
    return NULL;
}

void rl_parallel_for(size_t width, size_t count, size_t grain, rl_parallel_piece piece, void *context)
{
    assert(grain > 0);
    struct work work = {.piece = piece, .context = context, .count = count, .grain = grain};
    const size_t pieces = count / grain + (count % grain > 0), most = width;
    pthread_t threads[RL_PARALLEL_MOST];
    size_t started = 0;
    /* The caller works too, and does everything that no other thread has come for: fewer threads do as well. */
    while (!working && started + 1 < RL_PARALLEL_MOST && started + 1 < most && started + 1 < pieces &&
           pthread_create(&threads[started], NULL, do_pieces, &work) == 0)
        started++;
    (void)do_pieces(&work);
    while (started > 0)
        pthread_join(threads[--started], NULL);
}
