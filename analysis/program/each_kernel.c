/* each_kernel.c - steps of the analysis that look at one kernel after the other, in several threads. */
#include "core/parts.h"
#include "internal.h"

struct each {
    struct rl_analysis *analysis;
    struct rl_eval *eval;
    rl_kernel_step step;
    void *context;
    struct rl_analysis parts[RL_MOST_PARTS]; /* the analysis, whose results they share, each with an arena and sets */
};

/* The first part has the caller's evaluator. */
static void do_part(void *context, size_t part, size_t first, size_t end)
{
    struct each *each = context;
    const bool own = each->eval && part > 0;
    struct rl_eval eval;
    if (own)
        rl_eval_init(&eval, each->analysis);
    for (size_t i = first; i < end; i++)
        each->step(&each->parts[part], own ? &eval : each->eval, i, each->context);
    if (own)
        rl_eval_release(&eval);
}

void rl_each_kernel(struct rl_analysis *analysis, struct rl_eval *eval, rl_kernel_step step, void *context)
{
    const size_t count = analysis->capture->kernel_count, parts = rl_parts_of(count, RL_LEAST_KERNELS);
    struct each each = {.analysis = analysis, .eval = eval, .step = step, .context = context};
    for (size_t i = 0; i < parts; i++) {
        each.parts[i] = *analysis;
        each.parts[i].arena = (struct rl_arena)RL_ARENA_INIT;
    }
    rl_parts_run(parts, count, do_part, &each);
    for (size_t i = 0; i < parts; i++) {
        analysis->sets |= each.parts[i].sets;
        rl_arena_take(&analysis->arena, &each.parts[i].arena);
    }
}
