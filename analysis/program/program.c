#include "analysis/program.h"

#include "core/intern.h"
#include "core/parts.h"
#include "internal.h"

/* ---- steps of the analysis that look at one kernel after the other, in several threads ---- */

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

/* ---- classes ---- */

/* Classes without a time stand last, by their launches: what they took is unknown, so it is not the smallest. */
RL_COMPARATOR(compare_classes, struct rl_program_class, rl_descending(x->gpu_s, y->gpu_s)
              ?: (x->gpu_s > 0 ? 0 : rl_descending(x->launches, y->launches)) ?: rl_ascending(x->kernel, y->kernel));

static struct rl_program_class class_of(const struct rl_capture *capture, size_t kernel)
{
    struct rl_program_class class = {.kernel = kernel,
                                     .use = rl_kernel_use_of(capture, kernel),
                                     .count = 1,
                                     .launches = capture->kernels[kernel].launches,
                                     .time = rl_class_time_of(capture, kernel),
                                     .sampled = rl_is_sampled(capture, kernel)};
    class.gpu_s = class.time.ns * 1e-9;
    rl_kernel_id(&capture->kernels[kernel], class.id);
    return class;
}

struct rl_program_class *rl_classes_of(const struct rl_capture *capture, size_t gpu, size_t *count)
{
    assert(gpu == RL_NONE || gpu < capture->gpu_count);
    struct rl_program_class *classes = rl_calloc(capture->kernel_count, sizeof *classes);
    double all_s = 0;
    *count = 0;
    for (size_t i = 0; i < capture->kernel_count; i++)
        if (gpu == RL_NONE || capture->kernels[i].gpu == gpu) {
            classes[*count] = class_of(capture, i);
            all_s += classes[(*count)++].gpu_s;
        }
    for (size_t i = 0; i < *count && all_s > 0; i++)
        classes[i].share = classes[i].gpu_s / all_s;
    if (*count)
        rl_sort(classes, *count, sizeof *classes, compare_classes);
    return classes;
}

static struct rl_value if_timed(const struct rl_program_class *class, double value)
{
    return class->time.state != RL_TIME_NONE ? rl_value_of(value)
                                             : rl_value_missing(RL_NOT_COLLECTED, rl_time_state_reason(RL_TIME_NONE));
}

struct rl_value rl_class_gpu_s(const struct rl_program_class *class)
{
    return if_timed(class, class->gpu_s);
}

struct rl_value rl_class_share(const struct rl_program_class *class)
{
    return if_timed(class, class->share);
}

static bool same_kernel(const struct rl_capture *capture, const struct rl_program_class *a, const struct rl_program_class *b)
{
    return strcmp(a->id, b->id) == 0 && strcmp(capture->kernels[a->kernel].name, capture->kernels[b->kernel].name) == 0;
}

/* Deviations about each rank's own mean are pooled; what ranks differ stands elsewhere. */
static void join_use(struct rl_kernel_use *into, const struct rl_kernel_use *from)
{
    double all = (double)into->timed + (double)from->timed;
    double squares = (double)into->timed * into->deviation_ns * into->deviation_ns +
                     (double)from->timed * from->deviation_ns * from->deviation_ns;
    if (from->timed) {
        into->min_ns = into->timed == 0 || from->min_ns < into->min_ns ? from->min_ns : into->min_ns;
        into->max_ns = from->max_ns > into->max_ns ? from->max_ns : into->max_ns;
    }
    into->deviation_ns = all > 0 ? sqrt(squares / all) : 0;
    into->timed += from->timed;
    into->graph += from->graph;
    into->counted += from->counted;
}

struct joining {
    const struct rl_capture *capture;
    const size_t *of_gpu;
};

static size_t group_of(const struct joining *joining, const struct rl_program_class *class)
{
    return joining->of_gpu ? joining->of_gpu[joining->capture->kernels[class->kernel].gpu] : 0;
}

/* Classes of one kernel stand together; where those of some GPUs are one, what was counted stands first. */
static int to_join(const void *a, const void *b, void *context)
{
    const struct joining *joining = context;
    const struct rl_program_class *x = a, *y = b;
    const bool x_counted = joining->of_gpu && x->use && x->use->counted, y_counted = joining->of_gpu && y->use && y->use->counted;
    return rl_ascending(x->id, y->id) ?: rl_ascending(group_of(joining, x), group_of(joining, y)) ?:
           rl_descending(x_counted, y_counted) ?: compare_classes(a, b);
}

size_t rl_classes_join(const struct rl_capture *capture, struct rl_program_class *classes, size_t count, const size_t *of_gpu,
                       struct rl_kernel_use *joined, size_t *into)
{
    const struct joining joining = {capture, of_gpu};
    size_t kept = 0;
    if (count)
        rl_sort_with(classes, count, sizeof *classes, to_join, (void *)&joining); /* only read */
    for (size_t i = 0; i < count; i++) {
        const struct rl_program_class *class = &classes[i];
        struct rl_program_class *last = kept ? &classes[kept - 1] : NULL;
        const bool is_new = !last || !same_kernel(capture, last, class) || group_of(&joining, last) != group_of(&joining, class);
        if (into)
            into[class->kernel] = is_new ? class->kernel : last->kernel;
        if (is_new) {
            if (class->use)
                joined[kept] = *class->use;
            classes[kept] = *class;
            classes[kept].use = class->use ? &joined[kept] : NULL;
            kept++;
            continue;
        }
        last->count += class->count;
        last->sampled |= class->sampled;
        last->launches += class->launches;
        rl_class_time_add(&last->time, &class->time);
        last->gpu_s += class->gpu_s;
        last->share += class->share;
        if (last->use && class->use)
            join_use(&joined[kept - 1], class->use);
    }
    if (kept)
        rl_sort(classes, kept, sizeof *classes, compare_classes);
    return kept;
}

/* ---- ranges ---- */

/* Adds what lies inside each range to the ranges around it: children stand behind their parents. */
static void add_inside(const struct rl_capture *capture, struct rl_program_range *all)
{
    for (size_t i = 0; i < capture->range_count; i++) {
        const struct rl_range *range = &capture->ranges[i];
        all[i] = (struct rl_program_range){.range = i,
                                           .depth = range->parent == RL_NONE ? 0 : all[range->parent].depth + 1,
                                           .gpu_s = (double)range->gpu_ns * 1e-9,
                                           .host_s = (double)range->host_ns * 1e-9,
                                           .launches = range->launches};
    }
    for (size_t i = capture->range_count; i-- > 0;)
        if (capture->ranges[i].parent != RL_NONE) {
            all[capture->ranges[i].parent].gpu_s += all[i].gpu_s;
            all[capture->ranges[i].parent].launches += all[i].launches;
        }
}

struct place {
    const struct rl_capture *capture;
    const struct rl_program_range *all;
    const size_t *order;
};

/* By process, then the greater time first. */
static int compare_places(const void *a, const void *b, void *context)
{
    const struct place *place = context;
    const struct rl_range *ranges = place->capture->ranges;
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return rl_ascending(ranges[x].process, ranges[y].process) ?: rl_descending(place->all[x].gpu_s, place->all[y].gpu_s) ?:
           rl_ascending(x, y);
}

/* Group 0: the outermost ones; group i + 1: those right inside range i. */
static size_t around(const void *context, size_t i)
{
    const struct place *place = context;
    const size_t parent = place->capture->ranges[place->order[i]].parent;
    return parent == RL_NONE ? 0 : parent + 1;
}

static void add_ranges(struct rl_program *program)
{
    const struct rl_capture *capture = program->capture;
    RL_FREED struct rl_program_range *all = rl_calloc(capture->range_count, sizeof *all);
    size_t *order = rl_calloc(capture->range_count, sizeof *order);
    add_inside(capture, all);
    for (size_t i = 0; i < capture->range_count; i++) {
        const struct rl_process *process = &capture->processes[capture->ranges[i].process];
        const double whole = RL_SUM(double, j, process->gpu_count, (double)process->gpus[j].kernel_ns * 1e-9);
        all[i].share = whole > 0 ? all[i].gpu_s / whole : 0;
        order[i] = i;
    }
    const struct place place = {capture, all, order};
    if (capture->range_count)
        rl_sort_with(order, capture->range_count, sizeof *order, compare_places, (void *)&place); /* which is only read */
    program->ranges = rl_calloc(capture->range_count, sizeof *program->ranges);
    /* Depth first, in the order of `place` among those right inside the same range. */
    const size_t count = program->capture->range_count;
    struct rl_groups inside;
    size_t *waiting = rl_calloc(count, sizeof *waiting), depth = 0;
    rl_groups_make(&inside, count + 1, count, around, &place);
    for (size_t group = 0;; group = waiting[--depth] + 1) {
        const size_t *members, n = rl_group(&inside, group, &members);
        if (group > 0)
            program->ranges[program->range_count++] = place.all[group - 1];
        for (size_t i = n; i-- > 0;)
            waiting[depth++] = place.order[members[i]];
        if (depth == 0)
            break;
    }
    rl_groups_release(&inside);
    RL_FREE(waiting, order);
}

/* ---- GPUs and processes ---- */

void rl_program_gpus(const struct rl_capture *capture, struct rl_program_gpu *gpus)
{
    RL_FREED size_t *users = rl_calloc(capture->gpu_count, sizeof *users);
    /* Timed kernels, memcpys and memsets of each GPU. */
    RL_FREED double *activities = rl_calloc(capture->gpu_count + 1, sizeof *activities);
    for (size_t i = 0; i < capture->use_count; i++)
        activities[capture->kernels[capture->uses[i].kernel].gpu] += (double)capture->uses[i].timed;
    for (size_t i = 0; i < capture->transfer_count; i++)
        activities[capture->transfers[i].gpu] += (double)capture->transfers[i].count;
    for (size_t g = 0; g < capture->gpu_count; g++)
        gpus[g] = (struct rl_program_gpu){0};
    for (size_t p = 0; p < capture->process_count; p++)
        for (size_t i = 0; i < capture->processes[p].gpu_count; i++) {
            const struct rl_process_gpu *from = &capture->processes[p].gpus[i];
            struct rl_program_gpu *to = &gpus[from->gpu];
            users[from->gpu] += from->span_ns > 0;
            to->kernel_s += (double)from->kernel_ns * 1e-9;
            to->busy_s += (double)from->busy_ns * 1e-9;
            to->busy_ns += (double)from->busy_ns;
            to->span_s += (double)from->span_ns * 1e-9;
        }
    for (size_t i = 0; i < capture->transfer_count; i++)
        gpus[capture->transfers[i].gpu].copy_s += (double)capture->transfers[i].total_ns * 1e-9;
    for (size_t g = 0; g < capture->gpu_count; g++) {
        struct rl_value busy = rl_value_div(rl_value_of(gpus[g].busy_s), rl_value_of(gpus[g].span_s), "nothing was timed on it");
        gpus[g].idle = users[g] > 1 ? rl_value_missing(RL_UNDEFINED, "several processes used this GPU at once, or in turn")
                                    : rl_value_sub(rl_value_of(1), busy);
        /* Activities that overlapped others, and the time between one activity and the next. */
        struct rl_program_gpu *gpu = &gpus[g];
        gpu->side_s = gpu->gap_s = gpu->idle;
        if (!rl_present(gpu->idle))
            continue;
        gpu->side_s = rl_value_of(fmax(0, gpu->kernel_s + gpu->copy_s - gpu->busy_s));
        gpu->gap_s = rl_value_div(rl_value_of(gpu->span_s - gpu->busy_s), rl_value_of(activities[g]), "nothing was timed on it");
    }
}

struct rl_program *rl_program_new(const struct rl_capture *capture)
{
    struct rl_program *program = rl_calloc(1, sizeof *program);
    program->capture = capture;
    program->classes = rl_classes_of(capture, RL_NONE, &program->class_count);
    program->coverage = rl_coverage_of(program->classes, program->class_count);
    program->launches = program->coverage.time.launches;
    program->gpu_s = program->coverage.time.ns * 1e-9;
    if (rl_has_ranks(capture)) { /* the same class of many ranks is one row: its time is that of all */
        program->joined = rl_calloc(program->class_count, sizeof *program->joined);
        program->class_count = rl_classes_join(capture, program->classes, program->class_count, NULL, program->joined, NULL);
    }
    add_ranges(program);
    program->gpus = rl_calloc(capture->gpu_count, sizeof *program->gpus);
    rl_program_gpus(capture, program->gpus);
    for (size_t i = 0; i < program->capture->process_count; i++) {
        const struct rl_process *process = &program->capture->processes[i];
        program->untimed += process->untimed;
        program->lost += process->lost;
        program->unselected += process->unselected;
        program->unselected_s += (double)process->unselected_ns * 1e-9;
    }
    return program;
}

void rl_program_free(struct rl_program *program)
{
    if (!program)
        return;
    RL_FREE(program->classes, program->joined, program->ranges, program->gpus, program);
}

RL_COMPARATOR(compare_uncounted, struct rl_uncounted_reason,
              rl_descending(x->classes, y->classes) ?: rl_ascending(x->first, y->first));

struct rl_uncounted_reason *rl_program_uncounted(const struct rl_program *program, size_t *count)
{
    struct rl_uncounted_reason *reasons = rl_calloc(program->class_count, sizeof *reasons);
    RL_AT_END(rl_intern_release) struct rl_intern texts = {0};
    bool is_new;
    for (size_t i = 0; i < program->class_count; i++) {
        const char *why = rl_uncounted_reason(program->capture, program->classes[i].kernel);
        if (!why)
            continue;
        struct rl_uncounted_reason *reason = &reasons[rl_intern(&texts, 0, why, &is_new)];
        if (is_new)
            *reason = (struct rl_uncounted_reason){.reason = why, .first = i};
        reason->classes++;
    }
    *count = texts.count;
    rl_sort(reasons, *count, sizeof *reasons, compare_uncounted);
    return reasons;
}
