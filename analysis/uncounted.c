/* uncounted.c - why classes of a program have no counters. */
#include "analysis/program.h"
#include "core/intern.h"

struct rl_uncounted *rl_program_uncounted(const struct rl_program *program, struct rl_arena *arena, size_t *count)
{
    struct rl_intern reasons = {0};
    struct rl_uncounted *list = rl_arena_alloc(arena, (program->class_count + 1) * sizeof *list);
    bool is_new;
    for (size_t i = 0; i < program->class_count; i++) {
        const struct rl_kernel_use *use = program->classes[i].use;
        if (!use || !use->uncounted)
            continue;
        struct rl_uncounted *of = &list[rl_intern(&reasons, 0, use->uncounted, &is_new)];
        if (is_new)
            *of = (struct rl_uncounted){.reason = use->uncounted, .first = program->classes[i].id};
        of->classes++;
        of->others = of->classes - 1;
    }
    *count = reasons.count;
    rl_intern_release(&reasons);
    return list;
}
