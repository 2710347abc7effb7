/* families.c - which classes are one kernel in many shapes (see families.h); family_figures.c has what is worked out of them. */
#include "analysis/families.h"

#include "core/intern.h"
#include "internal.h"

struct grouping {
    const struct rl_capture *capture;
    enum rl_fold fold;
    const size_t *of_gpu; /* NULL: each for itself */
};

/* Which group a class belongs to: those with the same numbers are one. */
struct group {
    size_t alone; /* its kernel + 1 where that cannot be of a family, otherwise 0 */
    size_t gpu;   /* 0 where those of all GPUs are one */
    size_t name;  /* the number of the name */
};

static struct group group_of(const struct grouping *grouping, struct rl_intern *names, size_t kernel)
{
    const struct rl_kernel *of = &grouping->capture->kernels[kernel];
    bool is_new;
    /* Kernels of the suite, and those of unknown shape, are alone. */
    if (of->variant != RL_NONE || of->grid[0] == 0)
        return (struct group){.alone = kernel + 1};
    return (struct group){.gpu = grouping->fold == RL_FOLD_RANKS ? 0
                                 : grouping->of_gpu              ? grouping->of_gpu[of->gpu]
                                                                 : of->gpu,
                          .name = rl_intern(names, 0, of->mangled ? of->mangled : of->name, &is_new)};
}

static int compare_groups(const struct group *a, const struct group *b)
{
    return rl_ascending(a->alone, b->alone) ?: rl_ascending(a->gpu, b->gpu) ?: rl_ascending(a->name, b->name);
}

/* Within a group classes keep the order in which they came; `at` says which that was. */
struct member {
    const struct rl_program_class *class;
    struct group group;
    size_t at;
};

RL_COMPARATOR(by_group, struct member, compare_groups(&x->group, &y->group) ?: rl_ascending(x->at, y->at));

static struct rl_class_groups *group(const struct rl_capture *capture, const struct rl_program_class *classes, size_t count,
                                     enum rl_fold fold, const size_t *of_gpu)
{
    struct rl_class_groups *groups = rl_calloc(1, sizeof *groups);
    const struct grouping grouping = {capture, fold, of_gpu};
    /* In the order of groups. */
    assert(classes || count == 0);
    RL_FREED struct member *members = rl_calloc(count, sizeof *members);
    RL_AT_END(rl_intern_release) struct rl_intern names = {0};
    for (size_t i = 0; i < count; i++)
        members[i] = (struct member){&classes[i], group_of(&grouping, &names, classes[i].kernel), i};
    if (count)
        rl_sort(members, count, sizeof *members, by_group);
    *groups = (struct rl_class_groups){
        .classes = rl_calloc(count, sizeof *groups->classes), .ends = rl_calloc(count, sizeof *groups->ends), .fold = fold};
    for (size_t i = 0; i < count; i++) {
        groups->classes[i] = *members[i].class;
        if (i + 1 == count || compare_groups(&members[i].group, &members[i + 1].group) != 0)
            groups->ends[groups->count++] = i + 1;
    }
    return groups;
}

struct rl_class_groups *rl_class_groups_new(const struct rl_capture *capture, const struct rl_program_class *classes, size_t count,
                                            enum rl_fold fold)
{
    return group(capture, classes, count, fold, NULL);
}

struct rl_class_groups *rl_class_groups_of_capture(const struct rl_capture *capture, enum rl_fold fold)
{
    size_t count;
    RL_FREED struct rl_program_class *classes = rl_classes_of(capture, RL_NONE, &count);
    struct rl_class_groups *groups = rl_class_groups_new(capture, classes, count, fold);
    return groups;
}

struct rl_class_groups *rl_class_groups_of_alike(const struct rl_analysis *analysis)
{
    const struct rl_capture *capture = analysis->capture;
    size_t count, *represented = rl_cards_represented(analysis, NULL), *into = rl_calloc(capture->kernel_count, sizeof *into);
    RL_FREED struct rl_program_class *classes = rl_classes_of(capture, RL_NONE, &count);
    struct rl_kernel_use *joined = rl_calloc(count, sizeof *joined);
    count = rl_classes_join(capture, classes, count, represented, joined, into);
    struct rl_class_groups *groups = group(capture, classes, count, RL_FOLD_ALIKE, represented);
    groups->represented = represented;
    groups->joined_into = into;
    groups->joined = joined;
    return groups;
}

static void add_row(struct rl_families *families, const struct rl_analysis *analysis, const struct rl_program_class *classes,
                    size_t shapes)
{
    assert(shapes > 0);
    struct rl_family *family = &families->at[families->count++];
    const size_t kernel = classes->kernel;
    *family = (struct rl_family){.classes = classes, .shapes = shapes, .kernel = kernel, .label = analysis->kernels[kernel].label};
    memcpy(family->id, classes->id, sizeof family->id);
    const size_t gpu = analysis->capture->kernels[kernel].gpu;
    family->gpu = families->represented ? families->represented[gpu] : gpu;
    for (size_t i = 0; i < family->shapes; i++) {
        const struct rl_program_class *class = &family->classes[i];
        rl_class_time_add(&family->time, &class->time);
        family->share += class->share;
        family->counted += rl_class_counted(analysis, class);
        family->gpus = class->count > family->gpus ? class->count : family->gpus;
    }
    family->gpu_s = family->time.ns * 1e-9;
    if (shapes > 1) {
        families->folded++;
        family->label = analysis->kernels[kernel].short_name;
        rl_family_id(&analysis->capture->kernels[kernel], family->id);
        family->figures = rl_family_figures_new(analysis, &families->arena, family);
    }
}

/* As classes are sorted: what has no time stands last, by its launches. */
RL_COMPARATOR(by_time, struct rl_family, rl_descending(x->gpu_s, y->gpu_s)
              ?: (x->gpu_s > 0 ? 0 : rl_descending(x->time.launches, y->time.launches)) ?: rl_ascending(x->kernel, y->kernel));

struct rl_families *rl_families_new(const struct rl_analysis *analysis, struct rl_class_groups *groups)
{
    struct rl_families *families = rl_calloc(1, sizeof *families);
    families->classes = groups->classes;
    families->represented = groups->represented;
    families->joined_into = groups->joined_into;
    families->joined = groups->joined;
    const size_t count = groups->count ? groups->ends[groups->count - 1] : 0;
    families->at = rl_calloc(count, sizeof *families->at);
    for (size_t group = 0, first = 0; group < groups->count; first = groups->ends[group++]) {
        const size_t end = groups->ends[group];
        if (groups->fold != RL_FOLD_NONE && end - first >= RL_FAMILY_SHAPES)
            add_row(families, analysis, &families->classes[first], end - first);
        else
            for (size_t i = first; i < end; i++)
                add_row(families, analysis, &families->classes[i], 1);
    }
    assert(families->count <= count);
    RL_FREE(groups->ends, groups);
    /* For families only: classes alone have names that no other class has. */
    RL_FREED struct rl_labelled *rows = rl_calloc(families->folded, sizeof *rows);
    size_t folded = 0;
    for (size_t i = 0; i < families->count; i++)
        if (families->at[i].figures)
            rows[folded++] = (struct rl_labelled){.kernel = &analysis->capture->kernels[families->at[i].kernel],
                                                  .label = &families->at[i].label};
    rl_labels_tell_apart(&families->arena, rows, folded, false);
    if (families->count)
        rl_sort(families->at, families->count, sizeof *families->at, by_time);
    const size_t kernel_count = analysis->capture->kernel_count;
    families->of_kernel = rl_calloc(kernel_count, sizeof *families->of_kernel);
    for (size_t i = 0; i < kernel_count; i++)
        families->of_kernel[i] = RL_NONE;
    for (size_t i = 0; i < families->count; i++)
        for (size_t k = 0; k < families->at[i].shapes; k++)
            families->of_kernel[families->at[i].classes[k].kernel] = i;
    for (size_t i = 0; i < kernel_count && families->joined_into; i++)
        families->of_kernel[i] = families->of_kernel[families->joined_into[i]];
    return families;
}

void rl_families_free(struct rl_families *families)
{
    if (!families)
        return;
    rl_arena_release(&families->arena);
    RL_FREE(families->at, families->of_kernel, families->classes, families->represented, families->joined_into, families->joined,
            families);
}

static struct rl_value if_timed(const struct rl_family *family, double value)
{
    return family->time.state != RL_TIME_NONE ? rl_value_of(value)
                                              : rl_value_missing(RL_NOT_COLLECTED, rl_time_state_reason(RL_TIME_NONE));
}

struct rl_value rl_family_gpu_s(const struct rl_family *family)
{
    return if_timed(family, family->gpu_s);
}

struct rl_value rl_family_share(const struct rl_family *family)
{
    return if_timed(family, family->share);
}

double rl_families_covered_s(const struct rl_families *families)
{
    return RL_SUM(double, i, families->count, families->at[i].counted ? families->at[i].gpu_s : 0);
}

double rl_families_sampled_s(const struct rl_families *families)
{
    double sampled_s = 0;
    for (size_t i = 0; i < families->count; i++)
        for (size_t k = 0; k < families->at[i].shapes; k++) {
            const struct rl_program_class *class = &families->at[i].classes[k];
            sampled_s += class->sampled && !(class->use && class->use->counted) ? class->gpu_s : 0;
        }
    return sampled_s;
}

size_t rl_families_gpu(const struct rl_families *families, size_t gpu)
{
    return gpu != RL_NONE && families->represented ? families->represented[gpu] : gpu;
}

static void widen(struct rl_value *low, struct rl_value *high, struct rl_value value)
{
    if (!rl_present(value))
        return;
    *low = !rl_present(*low) || value.v < low->v ? value : *low;
    *high = !rl_present(*high) || value.v > high->v ? value : *high;
}

struct rl_gpu_spread rl_family_spread(const struct rl_analysis *analysis, const struct rl_families *families,
                                      const struct rl_family *family, enum rl_resource resource)
{
    const struct rl_value none = rl_value_missing(RL_NOT_COLLECTED, "it ran on one GPU");
    struct rl_gpu_spread spread = {none, none, none, none};
    for (size_t i = 0; i < analysis->capture->kernel_count && family->gpus > 1 && families->joined_into && !family->figures; i++) {
        if (families->joined_into[i] != family->kernel)
            continue;
        const struct rl_kernel_result *result = &analysis->kernels[i];
        if (result->duration.n)
            widen(&spread.low_s, &spread.high_s, rl_value_of(result->duration.median));
        if (resource < RL_RESOURCE_COUNT)
            widen(&spread.low_share, &spread.high_share, result->limits.of[resource].share);
    }
    return spread;
}

#define ROUNDING 1e-9 /* of the sum: exactly the share needs no further row */

size_t rl_families_leading(const struct rl_families *families, double share)
{
    const double all_s = RL_SUM(double, i, families->count, families->at[i].gpu_s);
    double first_s = 0;
    size_t leading = 0;
    while (leading < families->count && families->at[leading].gpu_s > 0 && first_s < (share - ROUNDING) * all_s)
        first_s += families->at[leading++].gpu_s;
    return leading;
}
