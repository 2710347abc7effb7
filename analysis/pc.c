#include "analysis/pc.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "core/sort.h"

static void add(struct rl_pc_count *to, const struct rl_pc_stall *stall)
{
    to->samples += stall->samples;
    to->stalled += rl_stalls[stall->reason].stall ? stall->samples : 0;
    to->by[stall->reason] += stall->samples;
}

enum rl_stall_reason rl_pc_top(const struct rl_pc_count *count)
{
    enum rl_stall_reason top = RL_STALL_COUNT;
    for (unsigned r = 0; r < RL_STALL_COUNT; r++)
        if (rl_stalls[r].stall && count->by[r] && (top == RL_STALL_COUNT || count->by[r] > count->by[top]))
            top = (enum rl_stall_reason)r;
    return top;
}

/* The first row that belongs to `owner` or a later one, in an array in the order of owners. */
#define FIRST_OF(name, rows, number, owner)                                                                                        \
    static size_t name(const struct rl_capture *capture, size_t of)                                                                \
    {                                                                                                                              \
        size_t low = 0, high = capture->number;                                                                                    \
        while (low < high) {                                                                                                       \
            const size_t middle = low + (high - low) / 2;                                                                          \
            if (capture->rows[middle].owner < of)                                                                                  \
                low = middle + 1;                                                                                                  \
            else                                                                                                                   \
                high = middle;                                                                                                     \
        }                                                                                                                          \
        return low;                                                                                                                \
    }
FIRST_OF(first_instruction, pc_instructions, pc_instruction_count, function)
FIRST_OF(first_stall, pc_stalls, pc_stall_count, instruction)

static bool is_of(const struct rl_capture *capture, const struct rl_pc_function *function, const struct rl_kernel *kernel)
{
    const char *name = kernel->mangled ? kernel->mangled : kernel->name;
    return capture->pc_samplings[function->sampling].gpu == kernel->gpu && name && strcmp(function->name, name) == 0;
}

static void add_instruction(struct rl_pc_profile *profile, const struct rl_capture *capture, size_t index)
{
    const struct rl_pc_instruction *instruction = &capture->pc_instructions[index];
    struct rl_pc_place place = {.at = index};
    for (size_t i = first_stall(capture, index); i < capture->pc_stall_count && capture->pc_stalls[i].instruction == index; i++) {
        add(&place.count, &capture->pc_stalls[i]);
        add(&profile->all, &capture->pc_stalls[i]);
    }
    profile->without_line += instruction->line == RL_NONE ? place.count.samples : 0;
    profile->rest += instruction->rest ? place.count.samples : 0;
    if (!instruction->rest)
        profile->instructions[profile->instruction_count++] = place;
}

static void add_functions(struct rl_pc_profile *profile, const struct rl_capture *capture, const struct rl_kernel *kernel)
{
    size_t cap = 0;
    for (size_t f = 0; f < capture->pc_function_count; f++) {
        if (!is_of(capture, &capture->pc_functions[f], kernel))
            continue;
        profile->functions++;
        profile->has_lines |= capture->pc_functions[f].lines;
        for (size_t i = first_instruction(capture, f);
             i < capture->pc_instruction_count && capture->pc_instructions[i].function == f; i++) {
            RL_GROW(profile->instructions, profile->instruction_count + 1, cap);
            add_instruction(profile, capture, i);
        }
    }
}

#define ORDER(a, b) (((a) > (b)) - ((a) < (b)))

static int by_heat(const void *a, const void *b)
{
    const struct rl_pc_place *x = a, *y = b;
    return x->count.samples != y->count.samples ? ORDER(y->count.samples, x->count.samples) : ORDER(x->at, y->at);
}

static int by_place(const void *a, const void *b)
{
    return ORDER(((const struct rl_pc_place *)a)->at, ((const struct rl_pc_place *)b)->at);
}

static void merge(struct rl_pc_count *to, const struct rl_pc_count *from)
{
    to->samples += from->samples;
    to->stalled += from->stalled;
    for (size_t r = 0; r < RL_STALL_COUNT; r++)
        to->by[r] += from->by[r];
}

/* Instructions of one line become one place. */
static void add_lines(struct rl_pc_profile *profile, const struct rl_capture *capture)
{
    struct rl_pc_place *lines = rl_calloc(profile->instruction_count, sizeof *lines);
    size_t count = 0;
    for (size_t i = 0; i < profile->instruction_count; i++) {
        const size_t line = capture->pc_instructions[profile->instructions[i].at].line;
        if (line == RL_NONE)
            continue;
        lines[count] = profile->instructions[i];
        lines[count++].at = line;
    }
    rl_sort(lines, count, sizeof *lines, by_place);
    for (size_t i = 0; i < count; i++)
        if (profile->line_count && lines[profile->line_count - 1].at == lines[i].at)
            merge(&lines[profile->line_count - 1].count, &lines[i].count);
        else
            lines[profile->line_count++] = lines[i];
    rl_sort(lines, profile->line_count, sizeof *lines, by_heat);
    profile->lines = lines;
}

static struct rl_pc_place *move(struct rl_arena *arena, struct rl_pc_place *places, size_t count)
{
    struct rl_pc_place *moved = rl_arena_alloc(arena, count * sizeof *moved);
    if (count)
        memcpy(moved, places, count * sizeof *moved);
    free(places);
    return moved;
}

const struct rl_pc_profile *rl_pc_profile_of(const struct rl_capture *capture, size_t kernel, struct rl_arena *arena)
{
    assert(kernel < capture->kernel_count);
    struct rl_pc_profile *profile = rl_arena_alloc(arena, sizeof *profile);
    const struct rl_kernel *of = &capture->kernels[kernel];
    *profile = (struct rl_pc_profile){0};
    for (size_t i = 0; i < capture->pc_sampling_count; i++)
        if (capture->pc_samplings[i].gpu == of->gpu)
            profile->sampling = &capture->pc_samplings[i];
    if (!profile->sampling)
        return profile;
    for (size_t i = 0; i < capture->kernel_count; i++)
        profile->classes += capture->kernels[i].gpu == of->gpu && strcmp(capture->kernels[i].name, of->name) == 0;
    add_functions(profile, capture, of);
    rl_sort(profile->instructions, profile->instruction_count, sizeof *profile->instructions, by_heat);
    add_lines(profile, capture);
    profile->instructions = move(arena, profile->instructions, profile->instruction_count);
    profile->lines = move(arena, profile->lines, profile->line_count);
    return profile;
}
