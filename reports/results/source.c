#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "core/sort.h"
#include "source_parts.h"

enum { MOST_AROUND = 3, AROUND = 2 };

/* ---- rows ---- */

static double over(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : 0;
}

static int by_samples(const void *a, const void *b)
{
    const struct reason_row *x = a, *y = b;
    return x->samples != y->samples ? (x->samples < y->samples) - (x->samples > y->samples)
                                    : (x->reason > y->reason) - (x->reason < y->reason);
}

/* Of instructions at `line` (RL_NONE: not known). */
static struct place_row place_of(const struct view_source *source, const struct source_kernel *kernel, size_t line,
                                 const struct rl_pc_count *count)
{
    const struct rl_capture *capture = source->subject->capture;
    const struct rl_source_line *of = line == RL_NONE ? NULL : &capture->source_lines[line];
    struct place_row row = {.kernel = kernel->label, .reason = RL_STALL_COUNT, .has_line = of != NULL, .hot = count != NULL};
    if (of) {
        row.path = capture->source_files[of->file].path;
        row.number = of->number;
        row.text = of->text;
    }
    if (count) {
        row.samples = count->samples;
        const struct rl_pc_share share =
            rl_pc_share_of(capture, kernel->profile->sampling, count->samples, kernel->profile->all.samples);
        row.share = share.share;
        row.low = share.low;
        row.high = share.high;
        row.reason = rl_pc_top(count);
        row.reason_share = row.reason == RL_STALL_COUNT ? 0 : over(count->by[row.reason], count->samples);
    }
    return row;
}

static const struct rl_pc_count *count_of_line(const struct rl_pc_profile *profile, size_t line)
{
    for (size_t i = 0; i < profile->line_count; i++)
        if (profile->lines[i].at == line)
            return &profile->lines[i].count;
    return NULL;
}

/* Whether the line is one of the hottest, or near one. */
static bool is_near(const struct rl_capture *capture, const struct rl_pc_profile *profile, size_t line)
{
    assert(line < capture->source_line_count);
    const struct rl_source_line *of = &capture->source_lines[line];
    for (size_t i = 0; i < profile->line_count && i < MOST_AROUND; i++) {
        const struct rl_source_line *hot = &capture->source_lines[profile->lines[i].at];
        if (hot->file == of->file && (of->number > hot->number ? of->number - hot->number : hot->number - of->number) <= AROUND)
            return true;
    }
    return false;
}

/* The hottest lines among those beside them, as the file has them. */
static void add_around(const struct view_source *source, struct source_kernel *kernel)
{
    const struct rl_capture *capture = source->subject->capture;
    kernel->around = rl_arena_alloc(&source->subject->arena, MOST_AROUND * (2 * AROUND + 1) * sizeof *kernel->around);
    for (size_t i = 0; i < kernel->profile->line_count && i < MOST_AROUND; i++) {
        const size_t hot = kernel->profile->lines[i].at;
        for (size_t line = hot > AROUND ? hot - AROUND : 0; line <= hot + AROUND && line < capture->source_line_count; line++) {
            bool had =
                !is_near(capture, kernel->profile, line) || capture->source_lines[line].file != capture->source_lines[hot].file;
            for (size_t k = 0; k < kernel->around_count && !had; k++)
                had = kernel->around[k].number == capture->source_lines[line].number &&
                      kernel->around[k].path == capture->source_files[capture->source_lines[line].file].path;
            if (!had && capture->source_lines[line].text)
                kernel->around[kernel->around_count++] = place_of(source, kernel, line, count_of_line(kernel->profile, line));
        }
    }
}

static int by_path(const void *a, const void *b)
{
    const struct place_row *x = a, *y = b;
    return rl_ascending(x->path, y->path) ?: rl_ascending(x->number, y->number);
}

static void add_places(const struct view_source *source, struct source_kernel *kernel)
{
    const struct rl_pc_profile *profile = kernel->profile;
    struct rl_arena *arena = &source->subject->arena;
    kernel->lines = rl_arena_alloc(arena, profile->line_count * sizeof *kernel->lines);
    kernel->instructions = rl_arena_alloc(arena, profile->instruction_count * sizeof *kernel->instructions);
    for (size_t i = 0; i < profile->line_count; i++)
        kernel->lines[kernel->line_count++] = place_of(source, kernel, profile->lines[i].at, &profile->lines[i].count);
    for (size_t i = 0; i < profile->instruction_count; i++) {
        const struct rl_pc_instruction *instruction = &source->subject->capture->pc_instructions[profile->instructions[i].at];
        struct place_row *row = &kernel->instructions[kernel->instruction_count++];
        *row = place_of(source, kernel, instruction->line, &profile->instructions[i].count);
        row->offset = instruction->offset;
        row->sass = rl_capture_pc_text(source->subject->capture, profile->instructions[i].at);
    }
    add_around(source, kernel);
    if (kernel->around_count)
        rl_sort(kernel->around, kernel->around_count, sizeof *kernel->around, by_path);
}

/* ---- kernels ---- */

static bool matches(const regex_t *only, const char *text)
{
    return text && regexec(only, text, 0, NULL, 0) == 0;
}

/* Shapes of one kernel share their samples: the first of each name stands for all. */
static bool is_first(const struct view_source *source, const struct rl_kernel *kernel)
{
    for (size_t i = 0; i < source->kernel_count; i++)
        if (strcmp(source->kernels[i].name, kernel->name) == 0 &&
            source->kernels[i].gpu == source->subject->capture->gpus[kernel->gpu].index)
            return false;
    return true;
}

/* What exact counters say of the whole kernel: no instrument that leaves launches alone tells it of single instructions. */
static void add_sectors(const struct rl_kernel_result *result, struct source_kernel *row)
{
    static const struct {
        enum rl_metric sectors, efficiency;
    } metrics[] = {{RL_METRIC_sectors_per_request_load, RL_METRIC_load_efficiency},
                   {RL_METRIC_sectors_per_request_store, RL_METRIC_store_efficiency}};
    for (size_t i = 0; i < RL_COUNT(metrics); i++) {
        row->sectors[i] = result->metric[metrics[i].sectors];
        row->ideal[i] = rl_value_mul(row->sectors[i], result->metric[metrics[i].efficiency]);
    }
}

static void fill(const struct view_source *source, const struct rl_family *family, struct source_kernel *row)
{
    struct view_subject *subject = source->subject;
    const struct rl_kernel *kernel = &subject->capture->kernels[family->kernel];
    const struct rl_pc_profile *profile = rl_pc_profile_of(subject->capture, family->kernel, &subject->arena);
    *row = (struct source_kernel){.label = subject->analysis->kernels[family->kernel].label,
                                  .name = kernel->name,
                                  .id = family->figures ? family->id : family->classes->id,
                                  .gpu = subject->capture->gpus[kernel->gpu].index,
                                  .profile = profile,
                                  .stalled_share = over(profile->all.stalled, profile->all.samples)};
    if (profile->sampling)
        row->gpu_share = over(profile->all.samples, profile->sampling->samples);
    add_sectors(&subject->analysis->kernels[family->kernel], row);
    row->reasons = rl_arena_alloc(&source->subject->arena, RL_STALL_COUNT * sizeof *row->reasons);
    const struct rl_pc_count *all = &row->profile->all;
    for (unsigned r = 0; r < RL_STALL_COUNT; r++)
        if (all->by[r])
            row->reasons[row->reason_count++] =
                (struct reason_row){(enum rl_stall_reason)r, all->by[r], over(all->by[r], all->samples)};
    rl_sort(row->reasons, row->reason_count, sizeof *row->reasons, by_samples);
    add_places(source, row);
}

static void add_kernel(struct view_source *source, const struct rl_family *family)
{
    source->matching++;
    if (source->kernel_count == VIEW_SOURCE_KERNELS)
        return;
    fill(source, family, &source->kernels[source->kernel_count++]);
}

const struct source_kernel *view_source_of_kernel(struct view_subject *subject, const struct rl_family *family)
{
    struct source_kernel *row = rl_arena_alloc(&subject->arena, sizeof *row);
    fill(&(struct view_source){.subject = subject}, family, row);
    return row->profile->all.samples ? row : NULL;
}

bool view_source_has_sass(const struct source_kernel *source)
{
    for (size_t i = 0; i < source->instruction_count; i++)
        if (source->instructions[i].sass)
            return true;
    return false;
}

struct view_source *view_source_new(struct view_subject *subject, const regex_t *only)
{
    const struct rl_families *families = subject->families;
    struct view_source *source = rl_arena_alloc(&subject->arena, sizeof *source);
    assert(only);
    *source = (struct view_source){.subject = subject};
    source->kernels = rl_arena_alloc(&subject->arena, VIEW_SOURCE_KERNELS * sizeof *source->kernels);
    for (size_t i = 0; i < families->count; i++) {
        const struct rl_family *family = &families->at[i];
        const struct rl_kernel *kernel = &subject->capture->kernels[family->kernel];
        const char *id = family->figures ? family->id : family->classes->id;
        if ((matches(only, kernel->name) || matches(only, subject->analysis->kernels[family->kernel].label) || matches(only, id)) &&
            is_first(source, kernel))
            add_kernel(source, family);
    }
    size_t count = 0;
    for (size_t i = 0; i < source->kernel_count; i++)
        count += source->kernels[i].line_count;
    source->lines = rl_arena_alloc(&source->subject->arena, count * sizeof *source->lines);
    for (size_t i = 0; i < source->kernel_count; i++)
        for (size_t k = 0; k < source->kernels[i].line_count; k++)
            source->lines[source->line_count++] = source->kernels[i].lines[k];
    return source;
}

size_t view_source_matching(const struct view_source *source)
{
    return source->matching;
}

struct view_rows view_source_lines(const struct view_source *source)
{
    return (struct view_rows){source->lines, sizeof *source->lines, source->line_count, NULL};
}
