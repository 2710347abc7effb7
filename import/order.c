/* order.c - a timeline does not say which launches of a class do different work; tables of counters do. Where they have as many
 * launches of the class as the timeline, launches are the same ones by their order. */
#include <assert.h>
#include <stdlib.h>

#include "build.h"
#include "core/buf.h"
#include "core/mem.h"
#include "core/sort.h"
#include "trace.h"

enum { MOST_KINDS = 8 }; /* as in kinds.c */

/* A launch with a number, of a class that has kinds. */
struct counted {
    uint64_t number;
    uint32_t shape, class_number;
};

/* How a class of the timeline is divided into kinds. */
struct plan {
    const struct counted *counted; /* its launches by number; NULL: it stays whole */
    size_t count, next;
    uint32_t process;
    uint32_t kind[MOST_KINDS + 1]; /* its class for each kind; RL_TRACE_NO_RANGE: none yet */
};

RL_COMPARATOR(by_number, struct counted, rl_ascending(x->shape, y->shape) ?: rl_ascending(x->number, y->number));

/* Classes of the timeline by their keys; the first of each. */
static void index_classes(const struct rl_trace *trace, struct rl_pool *keys, size_t *classes)
{
    RL_SCRATCH key = RL_BUF_INIT;

    for (size_t i = 0; i < trace->class_count; i++) {
        const struct rl_trace_kernel *is = &trace->classes[i].is;
        const size_t known = keys->count;
        rl_kernel_key(is->card, rl_pool_text(&trace->texts, is->name).at, is->grid, is->block, is->dynamic_shared, 0, &key);
        if (rl_pool_add(keys, (struct rl_text){key.data, key.len}) == known)
            classes[known] = i;
    }
}

/* Gives the class of the timeline that these launches are of a plan, if it has as many. */
static void plan_class(const struct rl_trace *trace, const struct rl_pool *keys, const size_t *classes, struct plan *plans,
                       const struct counted *counted, size_t count)
{
    const struct rl_class *class = &trace->model->classes[counted->class_number];
    const size_t found = rl_class_in_timeline(trace->model, class, 0, keys);

    if (found == RL_NONE)
        return;
    const struct rl_trace_class *whole = &trace->classes[classes[found]];
    struct plan *plan = &plans[classes[found]];
    if (plan->counted || whole->launches != count || (whole->graph && whole->graph != whole->launches))
        return;
    *plan = (struct plan){.counted = counted, .count = count, .process = RL_TRACE_NO_PROCESS};
    for (size_t i = 0; i < RL_COUNT(plan->kind); i++)
        plan->kind[i] = RL_TRACE_NO_RANGE;
}

/* The order of launches of several processes says nothing. */
static void drop_plans(const struct rl_trace *trace, struct plan *plans)
{
    for (size_t i = 0; i < trace->activity_count; i++) {
        const struct rl_trace_activity *activity = &trace->activities[i];
        struct plan *plan = activity->what & RL_TRACE_IS_COPY ? NULL : &plans[activity->what];
        if (!plan || !plan->counted)
            continue;
        if (plan->process != RL_TRACE_NO_PROCESS && plan->process != activity->process)
            plan->counted = NULL;
        plan->process = activity->process;
    }
}

/* The class of the timeline for launches of this kind: the whole one for the first kind that is seen, then new ones. */
static uint32_t class_of_kind(struct rl_trace *trace, struct plan *plan, uint32_t whole, const struct rl_population *population)
{
    uint32_t *kind = &plan->kind[population->number];

    if (*kind != RL_TRACE_NO_RANGE)
        return *kind;
    *kind = whole;
    if (plan->next > 0) {
        RL_GROW(trace->classes, trace->class_count + 1, trace->class_cap);
        trace->classes[trace->class_count] = trace->classes[whole];
        *kind = (uint32_t)trace->class_count++;
    }
    trace->classes[*kind].launches = 0;
    trace->classes[*kind].kind = population->number;
    trace->classes[*kind].kinds = population->total;
    return *kind;
}

/* The numbered launches of classes with kinds, by class and number; free() them. */
static struct counted *counted_launches(const struct rl_model *model, size_t *count)
{
    struct counted *rows = NULL;
    size_t cap = 0;

    *count = 0;
    for (size_t i = 0; i < model->record_of.size; i++) {
        const struct rl_mapped_ *place = &model->record_of.slots[i];
        if (!place->key || model->records[place->number].class_number == UINT32_MAX)
            continue;
        const size_t number = rl_class_final(model, model->records[place->number].class_number);
        if (model->classes[number].population.total < 2)
            continue;
        RL_APPEND(rows, *count, cap, (struct counted){place->key >> 18, model->classes[number].shape, (uint32_t)number});
    }
    rl_sort(rows, *count, sizeof *rows, by_number);
    return rows;
}

void rl_trace_split(struct rl_trace *trace)
{
    size_t count, *classes;
    RL_FREED struct counted *counted = counted_launches(trace->model, &count);
    struct plan *plans;
    RL_AT_END(rl_pool_release) struct rl_pool keys = {.count = 0};

    if (count && trace->class_count + (size_t)MOST_KINDS * trace->class_count < RL_TRACE_IS_COPY) {
        classes = rl_calloc(trace->class_count, sizeof *classes);
        plans = rl_calloc(trace->class_count, sizeof *plans);
        index_classes(trace, &keys, classes);
        for (size_t first = 0, end; first < count; first = end) {
            for (end = first + 1; end < count && counted[end].shape == counted[first].shape;)
                end++;
            plan_class(trace, &keys, classes, plans, counted + first, end - first);
        }
        drop_plans(trace, plans);
        for (size_t i = 0; i < trace->activity_count; i++) {
            struct rl_trace_activity *activity = &trace->activities[i];
            struct plan *plan = activity->what & RL_TRACE_IS_COPY ? NULL : &plans[activity->what];
            if (!plan || !plan->counted)
                continue;
            assert(plan->next < plan->count);
            const struct rl_class *class = &trace->model->classes[plan->counted[plan->next].class_number];
            activity->what = class_of_kind(trace, plan, activity->what, &class->population);
            trace->classes[activity->what].launches++;
            plan->next++;
        }
        for (size_t i = 0; i < trace->class_count; i++)
            trace->classes[i].graph =
                trace->classes[i].graph && trace->classes[i].kinds ? trace->classes[i].launches : trace->classes[i].graph;
        RL_FREE(classes, plans);
    }
}
