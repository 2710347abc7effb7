#include "analysis/pc.h"

#include "analysis/plan.h"

/* ---- shares of samples with their intervals (see pc.h) ---- */

/* An SM of every chip since Volta, on which samples are first taken in this way, has so many. */
static const double usual_schedulers = 4;

/* Schedulers of the GPU, that is, the most samples of one moment; 0: unknown. */
static double schedulers_of(const struct rl_gpu *gpu)
{
    const struct rl_chip *chip = rl_chip_find(gpu->chip);
    const struct rl_value sms = gpu->fact[RL_FACT_sm_count];
    return rl_present(sms) ? sms.v * (chip ? chip->schedulers_per_sm : usual_schedulers) : 0;
}

static const struct rl_pc_share unknown = {.share = 0, .low = 0, .high = 1};

/* For `draws` independent draws, which need not be a whole number. */
static struct rl_pc_share wilson(double share, double draws)
{
    static const double z = 1.959963984540054; /* 95 % of a normal distribution lie so many deviations around its mean */
    const double squared = z * z / draws, middle = (share + squared / 2) / (1 + squared),
                 half = z * sqrt(share * (1 - share) / draws + squared / (4 * draws)) / (1 + squared);
    return (struct rl_pc_share){share, fmax(0, middle - half), fmin(1, middle + half)};
}

struct rl_pc_share rl_pc_share_of(const struct rl_capture *capture, const struct rl_pc_sampling *sampling, uint64_t part,
                                  uint64_t whole)
{
    struct rl_pc_share found = unknown;
    if (!whole)
        return found;
    const double schedulers = schedulers_of(&capture->gpus[sampling->gpu]), all = (double)sampling->samples,
                 dropped = (double)sampling->dropped;
    found.share = (double)part / (double)whole;
    if (schedulers > 0)
        found = wilson(found.share, (double)whole / schedulers);
    const double seen = all > 0 ? all / (all + dropped) : 1;
    found.low *= seen;
    found.high = found.high * seen + (1 - seen);
    return found;
}

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
        return RL_FIRST_FROM(capture->rows, capture->number, owner, of);                                                           \
    }
FIRST_OF(first_instruction, pc_instructions, pc_instruction_count, function)
FIRST_OF(first_stall, pc_stalls, pc_stall_count, instruction)
FIRST_OF(first_counted, pc_counts, pc_counted_count, instruction)

/* A kernel or a function; what a function's samples say is of all kernels of its name on its GPU. */
struct named {
    size_t gpu, at;
    const char *name;
};

static struct named kernel_named(const struct rl_capture *capture, size_t at)
{
    const struct rl_kernel *kernel = &capture->kernels[at];
    return (struct named){kernel->gpu, at, kernel->mangled ? kernel->mangled : kernel->name};
}

static struct named function_named(const struct rl_capture *capture, size_t at)
{
    const struct rl_pc_function *function = &capture->pc_functions[at];
    return (struct named){capture->pc_samplings[function->sampling].gpu, at, function->name};
}

RL_COMPARATOR(by_name, struct named, rl_ascending(x->gpu, y->gpu) ?: rl_ascending(x->name, y->name));

RL_COMPARATOR(by_heat, struct rl_pc_place, rl_descending(x->count.samples, y->count.samples) ?: rl_ascending(x->at, y->at));

RL_COMPARATOR(by_place, struct rl_pc_place, rl_ascending(x->at, y->at));

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
        if (profile->line_count && lines[profile->line_count - 1].at == lines[i].at) {
            struct rl_pc_count *to = &lines[profile->line_count - 1].count;
            const struct rl_pc_count *from = &lines[i].count;
            to->samples += from->samples;
            to->stalled += from->stalled;
            for (size_t r = 0; r < RL_STALL_COUNT; r++)
                to->by[r] += from->by[r];
            for (size_t j = 0; j < RL_PC_COUNTER_COUNT; j++)
                to->counts[j] += from->counts[j];
        } else
            lines[profile->line_count++] = lines[i];
    rl_sort(lines, profile->line_count, sizeof *lines, by_heat);
    profile->lines = lines;
}

/* That of the functions: those of one name on one GPU have one. */
static const struct rl_pc_sampling *sampling_of_functions(const struct rl_capture *capture, const struct named *functions)
{
    return &capture->pc_samplings[capture->pc_functions[functions[0].at].sampling];
}

/* Its places are to be released with free(). */
static struct rl_pc_profile profile_of(const struct rl_capture *capture, const struct named *functions, size_t count)
{
    struct rl_pc_profile profile = {.sampling = NULL};
    /* `functions` are `count` of one name, in the order of the capture. */
    size_t cap = 0;
    for (size_t f = 0; f < count; f++) {
        const size_t at = functions[f].at;
        profile.functions++;
        for (size_t i = first_instruction(capture, at);
             i < capture->pc_instruction_count && capture->pc_instructions[i].function == at; i++) {
            RL_GROW(profile.instructions, profile.instruction_count + 1, cap);
            const struct rl_pc_instruction *instruction = &capture->pc_instructions[i];
            struct rl_pc_place place = {.at = i};
            for (size_t j = first_stall(capture, i); j < capture->pc_stall_count && capture->pc_stalls[j].instruction == i; j++) {
                add(&place.count, &capture->pc_stalls[j]);
                add(&profile.all, &capture->pc_stalls[j]);
            }
            for (size_t j = first_counted(capture, i); j < capture->pc_counted_count && capture->pc_counts[j].instruction == i;
                 j++) {
                const struct rl_pc_counted *counted = &capture->pc_counts[j];
                place.count.counts[counted->counter] += counted->count;
                profile.all.counts[counted->counter] += counted->count;
            }
            profile.without_line += instruction->line == RL_NONE ? place.count.samples : 0;
            profile.rest += instruction->rest ? place.count.samples : 0;
            if (!instruction->rest)
                profile.instructions[profile.instruction_count++] = place;
        }
    }
    rl_sort(profile.instructions, profile.instruction_count, sizeof *profile.instructions, by_heat);
    add_lines(&profile, capture);
    return profile;
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
    const struct named of = kernel_named(capture, kernel);
    const struct rl_pc_sampling *sampling = NULL;
    for (size_t i = 0; i < capture->pc_sampling_count; i++)
        if (capture->pc_samplings[i].gpu == of.gpu)
            sampling = &capture->pc_samplings[i];
    size_t count = 0, classes = 0;
    *profile = (struct rl_pc_profile){0};
    if (!sampling)
        return profile;
    RL_FREED struct named *functions = rl_calloc(capture->pc_function_count, sizeof *functions);
    for (size_t i = 0; i < capture->pc_function_count; i++) {
        functions[count] = function_named(capture, i);
        count += by_name(&functions[count], &of) == 0;
    }
    for (size_t i = 0; i < capture->kernel_count; i++) {
        const struct named other = kernel_named(capture, i);
        classes += by_name(&other, &of) == 0;
    }
    *profile = profile_of(capture, functions, count);
    profile->sampling = count ? sampling_of_functions(capture, functions) : sampling;
    profile->classes = classes;
    profile->instructions = move(arena, profile->instructions, profile->instruction_count);
    profile->lines = move(arena, profile->lines, profile->line_count);
    return profile;
}

static struct named *all_named(const struct rl_capture *capture, size_t count,
                               struct named (*named)(const struct rl_capture *capture, size_t at))
{
    struct named *all = rl_calloc(count, sizeof *all);
    for (size_t i = 0; i < count; i++)
        all[i] = named(capture, i);
    rl_sort(all, count, sizeof *all, by_name);
    return all;
}

/* How many at the beginning are of the name of `of`. */
static size_t count_of_name(const struct named *rows, size_t count, const struct named *of)
{
    return RL_FIRST(same, count, by_name(&rows[same], of) != 0);
}

void rl_pc_each(const struct rl_capture *capture, rl_pc_take take, void *context)
{
    const size_t kernel_count = capture->pc_function_count ? capture->kernel_count : 0, function_count = capture->pc_function_count;
    struct named *kernels = all_named(capture, kernel_count, kernel_named);
    struct named *functions = all_named(capture, function_count, function_named);
    RL_FREED size_t *numbers = rl_calloc(kernel_count, sizeof *numbers);
    for (size_t i = 0; i < kernel_count; i++)
        numbers[i] = kernels[i].at;
    for (size_t k = 0, f = 0, classes; k < kernel_count; k += classes) {
        classes = count_of_name(&kernels[k], kernel_count - k, &kernels[k]);
        while (f < function_count && by_name(&functions[f], &kernels[k]) < 0)
            f++;
        const size_t count = count_of_name(&functions[f], function_count - f, &kernels[k]);
        if (!count)
            continue;
        struct rl_pc_profile profile = profile_of(capture, &functions[f], count);
        profile.sampling = sampling_of_functions(capture, &functions[f]);
        profile.classes = classes;
        take(&profile, &numbers[k], context);
        RL_FREE(profile.instructions, profile.lines);
    }
    RL_FREE(functions, kernels);
}
