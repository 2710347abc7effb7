/* cases.c - cases of a capture: instances of ranges and benchmarks by name and parameters (see cases.h). */
#include "analysis/cases.h"

#include "core/intern.h"
#include "internal.h"

enum { MOST_DEPTH = 64 }; /* of ranges inside one another; what lies deeper is looked at up to there */

/* While they are made: by rows of the capture. */
struct making {
    struct rl_cases *cases;
    const struct rl_capture *capture;
    struct rl_case_name *names; /* of each range; count 0: it has no parameters, or is inside a range that says the same */
    bool *nested;               /* of each range: inside of one that says the same */
    uint64_t *kept;             /* instances of each range */
    size_t *last;               /* case of the last of them; RL_NONE: none */
    struct rl_intern keys;      /* by key, with the GPU + 1 */
    size_t *first_of;           /* of each key without its GPU: its first case */
    struct rl_intern bare;
    size_t cap, first_cap;
};

/* ---- which rows belong to which case ---- */

static void name_ranges(struct making *making)
{
    const struct rl_capture *capture = making->capture;
    for (size_t i = 0; i < capture->range_count; i++) {
        const struct rl_range *range = &capture->ranges[i];
        if (!strchr(range->name, '='))
            continue;
        const char *text =
            range->domain ? rl_arena_printf(&making->cases->arena, "%s@%s", range->domain, range->name) : range->name;
        if (!rl_case_name_parse(&making->cases->arena, text, &making->names[i]))
            making->names[i].count = 0;
        size_t depth = 0;
        for (size_t at = range->parent; at != RL_NONE && depth++ < MOST_DEPTH; at = capture->ranges[at].parent)
            making->nested[i] |=
                making->names[i].count && making->names[at].count && strcmp(making->names[at].key, making->names[i].key) == 0;
    }
}

static struct rl_case *case_at(struct making *making, const struct rl_case_name *name, const char *label, size_t gpu)
{
    struct rl_cases *cases = making->cases;
    bool is_new;
    const size_t at = rl_intern(&making->keys, (unsigned)(gpu == RL_NONE ? 0 : gpu + 1), name->key, &is_new);
    if (is_new) {
        RL_GROW(cases->at, at + 1, making->cap);
        cases->count = at + 1;
        cases->at[at] = (struct rl_case){.label = label,
                                         .name = *name,
                                         .gpu = gpu,
                                         .limiter = RL_RESOURCE_COUNT,
                                         .work = rl_value_missing(RL_NOT_COLLECTED, "the benchmark says no work")};
        const size_t bare = rl_intern(&making->bare, 0, name->key, &is_new);
        if (is_new) {
            RL_GROW(making->first_of, bare + 1, making->first_cap);
            making->first_of[bare] = at;
        }
    }
    return &cases->at[at];
}

/* The first case of the name, for rows without a GPU. */
static struct rl_case *case_anywhere(struct making *making, const struct rl_case_name *name, const char *label)
{
    bool is_new;
    const size_t bare = rl_intern(&making->bare, 0, name->key, &is_new);
    if (!is_new)
        return &making->cases->at[making->first_of[bare]];
    RL_GROW(making->first_of, bare + 1, making->first_cap);
    making->first_of[bare] = making->cases->count;
    return case_at(making, name, label, RL_NONE);
}

/* Instances with a launch come first, so that those without one find their case. */
static void take_instances(struct making *making)
{
    const struct rl_capture *capture = making->capture;
    for (int empty = 0; empty < 2; empty++)
        for (size_t i = 0; i < capture->instance_count; i++) {
            const struct rl_instance *instance = &capture->instances[i];
            const struct rl_case_name *name = &making->names[instance->range];
            if (!name->count || (instance->gpu == RL_NONE) != (empty == 1))
                continue;
            const char *label = capture->ranges[instance->range].name;
            struct rl_case *of = empty ? case_anywhere(making, name, label) : case_at(making, name, label, instance->gpu);
            making->kept[instance->range]++;
            making->last[instance->range] = (size_t)(of - making->cases->at);
            if (making->nested[instance->range]) {
                of->nested++;
                continue;
            }
            of->instances++;
            of->empty += instance->launches == 0 && instance->untimed == 0;
            of->untimed += instance->untimed > 0;
            of->assumed += instance->assumed;
            of->launches += instance->launches;
            of->n += instance->launches > 0 && instance->untimed == 0;
        }
    for (size_t i = 0; i < capture->range_count; i++) {
        const struct rl_case_name *name = &making->names[i];
        if (!name->count || making->nested[i] || capture->ranges[i].instances <= making->kept[i])
            continue;
        struct rl_case *of =
            making->last[i] != RL_NONE ? &making->cases->at[making->last[i]] : case_anywhere(making, name, capture->ranges[i].name);
        of->beyond += capture->ranges[i].instances - making->kept[i];
        of->instances += capture->ranges[i].instances - making->kept[i];
    }
}

static void take_benchmarks(struct making *making, size_t *case_of)
{
    const struct rl_capture *capture = making->capture;
    struct rl_cases *cases = making->cases;
    for (size_t i = 0; i < capture->benchmark_count; i++) {
        const struct rl_benchmark *benchmark = &capture->benchmarks[i];
        struct rl_case_name name;
        if (!rl_case_name_parse(&cases->arena, benchmark->name, &name))
            name = (struct rl_case_name){.name = benchmark->name, .key = benchmark->name};
        struct rl_case *of = case_anywhere(making, &name, benchmark->name);
        case_of[i] = (size_t)(of - cases->at);
        of->is_benchmark = true;
        of->instances += benchmark->missing;
        if (rl_present(benchmark->work)) {
            of->work = benchmark->work;
            of->rate_of = benchmark->unit;
        }
    }
    for (size_t i = 0; i < capture->benchmark_sample_count; i++) {
        struct rl_case *of = &cases->at[case_of[capture->benchmark_samples[i].benchmark]];
        of->instances++;
        of->n++;
    }
}

static double *room_for_times(struct rl_cases *cases, struct rl_case *of)
{
    if (!of->seconds)
        of->seconds = rl_arena_alloc(&cases->arena, of->n * sizeof *of->seconds);
    return of->seconds;
}

struct spans {
    double *busy, *gap, *host;
};

static void fill_times(struct making *making, const size_t *case_of)
{
    const struct rl_capture *capture = making->capture;
    struct rl_cases *cases = making->cases;
    RL_FREED struct spans *spans = rl_calloc(cases->count, sizeof *spans);
    RL_FREED size_t *filled = rl_calloc(cases->count, sizeof *filled);
    for (size_t i = 0; i < capture->instance_count; i++) {
        const struct rl_instance *instance = &capture->instances[i];
        if (making->names[instance->range].count && !making->nested[instance->range] && instance->launches &&
            instance->untimed == 0) {
            struct rl_case *of = case_at(making, &making->names[instance->range], "", instance->gpu);
            const size_t number = (size_t)(of - making->cases->at);
            room_for_times(making->cases, of);
            if (!spans[number].busy) {
                spans[number].busy = rl_calloc(3 * of->n, sizeof(double));
                spans[number].gap = spans[number].busy + of->n;
                spans[number].host = spans[number].gap + of->n;
            }
            const size_t place = filled[number]++;
            assert(place < of->n);
            of->seconds[place] = (double)instance->gpu_ns * 1e-9;
            spans[number].busy[place] = (double)instance->busy_ns * 1e-9;
            spans[number].gap[place] = (double)(instance->gpu_ns - instance->busy_ns) * 1e-9;
            spans[number].host[place] = (double)instance->host_ns * 1e-9;
        }
    }
    for (size_t i = 0; i < capture->benchmark_sample_count; i++) {
        const struct rl_benchmark_sample *sample = &capture->benchmark_samples[i];
        const size_t at = case_of[sample->benchmark];
        room_for_times(cases, &cases->at[at])[filled[at]++] = sample->seconds;
    }
    for (size_t i = 0; i < cases->count; i++) {
        struct rl_case *of = &cases->at[i];
        const struct rl_value none = rl_value_missing(RL_NOT_COLLECTED, of->is_benchmark ? "timed by others" : "no time");
        of->time = rl_stats_of_series(of->seconds, of->n, 0);
        of->busy_s = spans[i].busy ? rl_value_of(rl_stats_of(spans[i].busy, of->n).median) : none;
        of->gap_s = spans[i].busy ? rl_value_of(rl_stats_of(spans[i].gap, of->n).median) : none;
        of->host_s = spans[i].busy ? rl_value_of(rl_stats_of(spans[i].host, of->n).median) : none;
        free(spans[i].busy);
    }
}

/* ---- kernels ---- */

/* Launches of a kernel that are of a case. */
struct use {
    size_t of, kernel;
    uint64_t launches, ns;
};

RL_COMPARATOR(by_case, struct use, rl_ascending(x->of, y->of) ?: rl_ascending(x->kernel, y->kernel));

RL_COMPARATOR(by_gpu_time, struct rl_case_kernel, rl_descending(x->gpu_s, y->gpu_s) ?: rl_ascending(x->kernel, y->kernel));

/* One row for each case that the range is in: a range that says the same as one around it is part of that. */
static size_t gather_uses(struct making *making, struct use **uses)
{
    const struct rl_capture *capture = making->capture;
    size_t count = 0, cap = 0;
    for (size_t i = 0; i < capture->range_kernel_count; i++) {
        const struct rl_range_kernel *row = &capture->range_kernels[i];
        size_t depth = 0;
        for (size_t at = row->range; at != RL_NONE && depth++ < MOST_DEPTH; at = capture->ranges[at].parent) {
            if (!making->names[at].count || making->nested[at])
                continue;
            const struct rl_case *of =
                case_at(making, &making->names[at], capture->ranges[at].name, capture->kernels[row->kernel].gpu);
            RL_GROW(*uses, count + 1, cap);
            (*uses)[count++] = (struct use){(size_t)(of - making->cases->at), row->kernel, row->launches, row->total_ns};
        }
    }
    if (count)
        rl_sort(*uses, count, sizeof **uses, by_case);
    return count;
}

static void take_kernels(struct making *making, const struct use *uses, size_t count)
{
    struct rl_cases *cases = making->cases;
    for (size_t i = 0, end; i < count; i = end) {
        struct rl_case *of = &cases->at[uses[i].of];
        for (end = i; end < count && uses[end].of == uses[i].of; end++)
            of->kernel_count += end == i || uses[end].kernel != uses[end - 1].kernel;
        of->kernels = rl_arena_alloc(&cases->arena, of->kernel_count * sizeof *of->kernels);
        struct rl_case_kernel *kernel = of->kernels - 1;
        double sum = 0;
        for (size_t k = i; k < end; k++) {
            if (k == i || uses[k].kernel != uses[k - 1].kernel)
                *++kernel = (struct rl_case_kernel){.kernel = uses[k].kernel};
            kernel->launches += uses[k].launches;
            kernel->gpu_s += (double)uses[k].ns * 1e-9;
            sum += (double)uses[k].ns * 1e-9;
        }
        for (size_t k = 0; k < of->kernel_count; k++) {
            const struct rl_kernel_use *use = rl_kernel_use_of(making->capture, of->kernels[k].kernel);
            const uint64_t own = of->kernels[k].launches;
            of->kernels[k].share = sum > 0 ? of->kernels[k].gpu_s / sum : 0;
            of->kernels[k].others = use && use->timed > own ? 1 - (double)own / (double)use->timed : 0;
        }
        rl_sort(of->kernels, of->kernel_count, sizeof *of->kernels, by_gpu_time);
    }
}

/* The kernels of the case as a family, each weighted with its launches here. */
static void count_case(const struct rl_cases *cases, struct rl_arena *arena, struct rl_case *of)
{
    RL_FREED struct rl_program_class *classes = rl_calloc(of->kernel_count, sizeof *classes);
    RL_FREED struct rl_kernel_use *uses = rl_calloc(of->kernel_count, sizeof *uses);
    double counted = 0, all = 0;
    for (size_t i = 0; i < of->kernel_count; i++) {
        const struct rl_case_kernel *kernel = &of->kernels[i];
        const struct rl_kernel_use *use = rl_kernel_use_of(cases->analysis->capture, kernel->kernel);
        uses[i] = use ? *use : (struct rl_kernel_use){0};
        uses[i].counted = uses[i].counted ? kernel->launches : 0;
        classes[i] = (struct rl_program_class){.kernel = kernel->kernel,
                                               .use = &uses[i],
                                               .count = 1,
                                               .launches = kernel->launches,
                                               .time = {RL_TIME_WHOLE, kernel->gpu_s * 1e9, 0, kernel->launches, kernel->launches},
                                               .gpu_s = kernel->gpu_s,
                                               .share = kernel->share};
        counted += uses[i].counted && !cases->analysis->kernels[kernel->kernel].disagrees ? kernel->gpu_s : 0;
        all += kernel->gpu_s;
    }
    const struct rl_family family = {.classes = classes, .shapes = of->kernel_count, .kernel = of->kernels[0].kernel, .gpu_s = all};
    const struct rl_family_figures *figures = rl_family_figures_new(cases->analysis, arena, &family);
    of->bound = figures->bound;
    of->limiter = figures->limiter;
    of->limited_by = figures->limited_by;
    of->counted = all > 0 ? counted / all : 0;
    if (figures->counted_shapes) {
        of->figures = figures;
        of->roof_share = figures->roof_share;
    }
}

/* A metric of a mean launch times the launches of an instance, all of which are of counted kernels. */
static struct rl_value per_instance(const struct rl_case *of, enum rl_metric metric)
{
    const uint64_t timed = of->instances - of->beyond - of->empty - of->untimed;
    if (!of->figures || of->counted < 0.99)
        return rl_value_missing(RL_NOT_COLLECTED, of->figures ? "not all of its kernels have counters" : "no counters");
    if (of->untimed || !timed)
        return rl_value_missing(RL_NOT_COLLECTED, "some of its launches have no time");
    return rl_value_mul(of->figures->metric[metric], rl_value_of((double)of->launches / (double)timed));
}

/* ---- remarks ---- */

static void remark(struct rl_cases *cases, struct rl_case *of, char *text)
{
    char **remarks = rl_arena_alloc(&cases->arena, (of->remark_count + 1) * sizeof *remarks);
    if (of->remark_count)
        memcpy(remarks, of->remarks, of->remark_count * sizeof *remarks);
    remarks[of->remark_count++] = text;
    of->remarks = remarks;
}

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

#define REMARK(cases, of, ...) remark((cases), (of), rl_arena_printf(&(cases)->arena, __VA_ARGS__))

static void remark_instances(struct rl_cases *cases, struct rl_case *of)
{
    typedef unsigned long long number;
    if (of->name.twice)
        REMARK(cases, of, "the parameter %s is there twice: the first one counts", of->name.twice);
    if (of->beyond)
        REMARK(cases, of, "%llu of %llu instances were not kept: times are of the first", (number)of->beyond,
               (number)of->instances);
    if (of->nested)
        REMARK(cases, of, "%llu instance%s inside one of the same name: part of that", (number)of->nested, plural(of->nested));
    if (of->assumed)
        REMARK(cases, of, "%llu launch%s of threads without a range, while several were started: taken to be of the last one",
               (number)of->assumed, of->assumed == 1 ? " is" : "es are");
    if (of->empty && of->n)
        REMARK(cases, of, "%llu instance%s without a launch", (number)of->empty, plural(of->empty));
    if (of->untimed && of->n)
        REMARK(cases, of, "%llu instance%s left out: launches in them were counted or lost, not timed", (number)of->untimed,
               plural(of->untimed));
    for (size_t i = 0; i < of->kernel_count; i++)
        if (of->kernels[i].others > 0.01 && of->kernels[i].share > 0.1 && of->figures) {
            REMARK(cases, of, "%.0f %% of the launches of %s are of other cases: counters are means of all",
                   100 * of->kernels[i].others, cases->analysis->kernels[of->kernels[i].kernel].short_name);
            break;
        }
}

static const char *why_untold(const struct rl_case *of)
{
    if (of->n)
        return NULL;
    if (of->is_benchmark)
        return "its file has no time of it";
    if (of->untimed)
        return "launches in every instance were counted or lost, not timed: run it more often";
    return of->empty || of->instances == 0 ? "no kernel was launched in it" : "no instance was kept";
}

/* ---- order and groups ---- */

static int by_group(const void *a, const void *b)
{
    const struct rl_case *x = a, *y = b;
    const size_t both = x->name.count < y->name.count ? x->name.count : y->name.count;
    int order = rl_ascending(x->group, y->group);
    for (size_t i = 0; i < both && !order; i++) {
        const struct rl_case_parameter *p = &x->name.parameters[i], *q = rl_case_parameter_of(y, p->key);
        if (q && rl_present(p->number) && rl_present(q->number) && p->unit == q->unit)
            order = rl_ascending(p->number.v, q->number.v);
        else if (q)
            order = rl_ascending_text(p->value, q->value);
    }
    return order ?: rl_ascending_text(x->name.key, y->name.key) ?: rl_ascending(x->gpu, y->gpu);
}

struct weighed {
    size_t group;
    double seconds;
};

RL_COMPARATOR(by_weight, struct weighed, rl_descending(x->seconds, y->seconds) ?: rl_ascending(x->group, y->group));

/* The name, and its keys in the order of their bytes. */
static char *group_text(struct rl_arena *arena, const struct rl_case *of)
{
    RL_SCRATCH text = RL_BUF_INIT;
    const char *keys[RL_CASE_PARAMETERS];
    for (size_t i = 0; i < of->name.count; i++) {
        size_t at = i;
        for (; at > 0 && strcmp(keys[at - 1], of->name.parameters[i].key) > 0; at--)
            keys[at] = keys[at - 1];
        keys[at] = of->name.parameters[i].key;
    }
    rl_buf_adds(&text, of->name.name);
    for (size_t i = 0; i < of->name.count; i++)
        rl_buf_addf(&text, "\x1f%s", keys[i]);
    return rl_arena_strdup(arena, text.data);
}

/* The key whose numbers have the most values, of those that are numbers of one unit in every case; the first of several. */
static const char *axis_of(const struct rl_case *cases, size_t count)
{
    const char *axis = NULL;
    size_t most = 1;
    RL_FREED double *values = rl_calloc(count, sizeof *values);
    for (size_t p = 0; p < cases->name.count; p++) {
        size_t numbers = 0, distinct = 0;
        for (size_t i = 0; i < count; i++) {
            const struct rl_case_parameter *of = rl_case_parameter_of(&cases[i], cases->name.parameters[p].key);
            if (of && rl_present(of->number) && of->unit == rl_case_parameter_of(cases, of->key)->unit)
                values[numbers++] = of->number.v;
        }
        if (numbers < count)
            continue;
        rl_sort_doubles(values, count);
        for (size_t i = 0; i < count; i++)
            distinct += i == 0 || values[i] > values[i - 1];
        if (distinct > most) {
            most = distinct;
            axis = cases->name.parameters[p].key;
        }
    }
    return axis;
}

/* Whether all cases of a group have the same value of a parameter. */
static bool is_shared(const struct rl_case *cases, size_t count, const struct rl_case_parameter *parameter)
{
    return !RL_ANY(i, count, strcmp(rl_case_parameter_of(&cases[i], parameter->key)->value, parameter->value) != 0);
}

static void shorten_labels(struct rl_cases *cases, struct rl_case *first, size_t count)
{
    bool shared[RL_CASE_PARAMETERS]; /* of the parameters of the first */
    for (size_t p = 0; p < first->name.count; p++)
        shared[p] = count > 1 && is_shared(first, count, &first->name.parameters[p]);
    for (size_t i = 0; i < count; i++) {
        struct rl_case *of = &first[i];
        RL_SCRATCH text = RL_BUF_INIT;
        bool left_out = false, any = false;
        rl_buf_adds(&text, of->name.name);
        for (size_t p = 0; p < first->name.count; p++) {
            const struct rl_case_parameter *parameter = rl_case_parameter_of(of, first->name.parameters[p].key);
            left_out |= shared[p];
            if (shared[p])
                continue;
            rl_buf_addf(&text, "%s%s%s%s",
                        any        ? ","
                        : text.len ? " "
                                   : "",
                        parameter->key, *parameter->value ? "=" : "", parameter->value);
            any = true;
        }
        rl_buf_adds(&text, left_out ? any ? ",\xE2\x80\xA6" : " \xE2\x80\xA6" : "");
        of->short_label = left_out ? rl_arena_strdup(&cases->arena, text.data) : of->label;
    }
}

static void make_groups(struct rl_cases *cases)
{
    /* Numbers of groups, by their time. */
    RL_AT_END(rl_intern_release) struct rl_intern names = {0};
    RL_FREED struct weighed *weighed = rl_calloc(cases->count, sizeof *weighed);
    size_t *place = rl_calloc(cases->count, sizeof *place), count = 0;
    for (size_t i = 0; i < cases->count; i++) {
        struct rl_case *of = &cases->at[i];
        bool is_new;
        of->group = rl_intern(&names, (unsigned)(of->gpu == RL_NONE ? 0 : of->gpu + 1), group_text(&cases->arena, of), &is_new);
        if (is_new)
            weighed[count++].group = of->group;
        for (size_t k = 0; k < of->n; k++)
            weighed[of->group].seconds += of->seconds[k];
    }
    if (count)
        rl_sort(weighed, count, sizeof *weighed, by_weight);
    for (size_t i = 0; i < count; i++)
        place[weighed[i].group] = i;
    for (size_t i = 0; i < cases->count; i++)
        cases->at[i].group = place[cases->at[i].group];
    cases->group_count = count;
    free(place);
    if (cases->count)
        rl_sort(cases->at, cases->count, sizeof *cases->at, by_group);
    cases->groups = rl_arena_alloc(&cases->arena, (cases->group_count + 1) * sizeof *cases->groups);
    for (size_t i = 0, first = 0; i < cases->count; i++) {
        if (i + 1 < cases->count && cases->at[i + 1].group == cases->at[i].group)
            continue;
        cases->groups[cases->at[i].group] = (struct rl_case_group){.name = cases->at[i].name.name,
                                                                   .first = first,
                                                                   .count = i + 1 - first,
                                                                   .axis = axis_of(&cases->at[first], i + 1 - first)};
        shorten_labels(cases, &cases->at[first], i + 1 - first);
        first = i + 1;
    }
}

/* ---- rates ---- */

static bool is_of(const struct rl_case *of, const char *work)
{
    return of->rate_of && strcmp(of->rate_of, work) == 0;
}

/* Bytes of global memory that a benchmark declares, against DRAM of the only GPU that its files name. */
static void compare_with_dram(const struct rl_cases *cases, struct rl_case *of)
{
    if (!is_of(of, RL_BENCHMARK_GLOBAL_MEMORY) || cases->analysis->capture->gpu_count != 1)
        return;
    const struct rl_value roof = rl_ceiling_figure(&cases->analysis->gpus[0].ceiling[RL_CEILING_dram]);
    const struct rl_value share = rl_value_div(of->rate, roof, "no time");
    of->roof_share = rl_present(share) && share.v > 1
                         ? rl_value_missing(RL_UNDEFINED, "more than DRAM can deliver: some of it comes from caches")
                         : share;
    of->roof_rate = rl_present(of->roof_share) ? roof : of->roof_share;
}

static void rate_case(const struct rl_cases *cases, struct rl_case *of, bool operations)
{
    if (of->is_benchmark) {
        of->unit = is_of(of, "B") || is_of(of, RL_BENCHMARK_GLOBAL_MEMORY) ? RL_UNIT_BYTE_PER_SECOND
                   : is_of(of, "FLOP")                                     ? RL_UNIT_FLOP_PER_SECOND
                                                                           : RL_UNIT_NONE;
    } else {
        of->work = operations ? of->flop : of->bytes;
        of->unit = operations ? RL_UNIT_FLOP_PER_SECOND : RL_UNIT_BYTE_PER_SECOND;
        of->rate_of = operations ? "FLOP" : "DRAM traffic";
    }
    of->rate =
        of->n ? rl_value_div(of->work, rl_value_of(of->time.median), "no time") : rl_value_missing(RL_NOT_COLLECTED, of->untold);
    of->roof_rate = rl_value_div(rl_value_div(of->work, of->busy_s, "no time"), of->roof_share, "no roof");
    if (of->is_benchmark)
        compare_with_dram(cases, of);
}

/* ---- the whole ---- */

static void finish(struct making *making, const size_t *benchmark_case)
{
    struct rl_cases *cases = making->cases;
    for (size_t i = 0; i < cases->count; i++) {
        struct rl_case *of = &cases->at[i];
        of->untold = why_untold(of);
        of->roof_share = rl_value_missing(RL_NOT_COLLECTED, of->is_benchmark ? "timed by others" : "no counters");
        if (!of->is_benchmark)
            of->work = of->roof_share;
        if (of->kernel_count)
            count_case(cases, &cases->arena, of);
        of->flop = per_instance(of, RL_METRIC_flop_total);
        of->bytes = per_instance(of, RL_METRIC_dram_bytes);
        remark_instances(cases, of);
    }
    for (size_t i = 0; i < making->capture->benchmark_count; i++) {
        const struct rl_benchmark *benchmark = &making->capture->benchmarks[i];
        struct rl_case *of = &cases->at[benchmark_case[i]];
        typedef unsigned long long number;
        if (benchmark->missing)
            REMARK(cases, of, "%llu sample%s without a time", (number)benchmark->missing, plural(benchmark->missing));
        if (benchmark->summarised == 1)
            REMARK(cases, of, "a mean: its file has no single times, so no interval");
        else if (benchmark->summarised)
            REMARK(cases, of, "the mean of %llu repetitions: its file has no single times, so no interval",
                   (number)benchmark->summarised);
    }
    make_groups(cases);
    for (size_t g = 0; g < cases->group_count; g++) {
        struct rl_case *first = &cases->at[cases->groups[g].first];
        /* Operations where at least half of the cases that have counters are limited by arithmetic, and traffic otherwise. */
        size_t counted = 0, arithmetic = 0;
        for (size_t j = 0; j < cases->groups[g].count; j++) {
            counted += first[j].figures != NULL;
            arithmetic += first[j].figures && first[j].bound == RL_BOUND_COMPUTE && rl_positive(first[j].flop);
        }
        const bool operations = counted && 2 * arithmetic >= counted;
        for (size_t i = 0; i < cases->groups[g].count; i++)
            rate_case(cases, &first[i], operations);
    }
}

struct rl_cases *rl_cases_new(const struct rl_analysis *analysis)
{
    const struct rl_capture *capture = analysis->capture;
    struct rl_cases *cases = rl_calloc(1, sizeof *cases);
    struct making making = {.cases = cases,
                            .capture = capture,
                            .names = rl_calloc(capture->range_count, sizeof *making.names),
                            .nested = rl_calloc(capture->range_count, sizeof *making.nested),
                            .kept = rl_calloc(capture->range_count, sizeof *making.kept),
                            .last = rl_calloc(capture->range_count, sizeof *making.last)};
    RL_FREED size_t *benchmark_case = rl_calloc(capture->benchmark_count, sizeof *benchmark_case);
    RL_FREED struct use *uses = NULL;
    cases->analysis = analysis;
    for (size_t i = 0; i < capture->range_count; i++)
        making.last[i] = RL_NONE;
    if (capture->instance_count)
        name_ranges(&making);
    take_instances(&making);
    take_benchmarks(&making, benchmark_case);
    const size_t use_count = gather_uses(&making, &uses);
    take_kernels(&making, uses, use_count);
    fill_times(&making, benchmark_case);
    finish(&making, benchmark_case);
    rl_intern_release(&making.keys);
    rl_intern_release(&making.bare);
    RL_FREE(making.first_of, making.last, making.kept, making.nested, making.names);
    return cases;
}

void rl_cases_free(struct rl_cases *cases)
{
    if (!cases)
        return;
    rl_arena_release(&cases->arena);
    RL_FREE(cases->at, cases);
}
