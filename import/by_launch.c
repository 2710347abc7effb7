/* by_launch.c - launches whose counters are kept. Each is built as a class of one launch, by the functions that build classes: the
 * same follows from its values. */
#include "build.h"

enum { AT_ONCE = 256 };

struct placed {
    size_t kernel; /* in the capture; RL_NONE: to none */
    const struct rl_kept_launch *launch;
    size_t first, count; /* in `values` */
};
struct launches {
    struct rl_model *model;
    const struct rl_kept_value **values; /* by launch */
    struct placed *placed;               /* by kernel and number */
    size_t count;
};

RL_COMPARATOR(by_kernel, struct placed, rl_ascending(x->kernel, y->kernel) ?: rl_ascending(x->launch->number, y->launch->number)
              ?: rl_ascending(fmin(x->launch->duration_s, INFINITY), fmin(y->launch->duration_s, INFINITY))
              ?: rl_ascending(x->first, y->first));

RL_COMPARATOR(by_run, struct placed, rl_ascending(x->kernel, y->kernel) ?: rl_ascending(x->launch->run, y->launch->run));

/* Launches from `from` on that are as alike as by_run says. */
static size_t alike(const struct launches *all, size_t from, bool runs)
{
    size_t to = from;

    while (to < all->count && all->placed[to].kernel == all->placed[from].kernel &&
           (!runs || all->placed[to].launch->run == all->placed[from].launch->run))
        to++;
    return to - from;
}

/* Values by launch, in the order in which they were read, and launches by kernel. */
static void place(struct launches *all, const size_t *kernels)
{
    struct rl_model *model = all->model;
    size_t sum = 0;

    all->placed = rl_calloc(model->kept_count, sizeof *all->placed);
    all->values = rl_calloc(model->kept_value_count, sizeof *all->values);
    for (size_t i = 0; i < model->kept_value_count; i++)
        all->placed[model->kept_values[i].launch].count++;
    for (size_t i = 0; i < model->kept_count; i++) {
        struct placed *placed = &all->placed[i];
        placed->launch = &model->kept[i];
        placed->kernel = kernels[rl_class_final(model, model->kept[i].class_number)];
        placed->first = sum;
        sum += placed->count;
        placed->count = 0;
    }
    for (size_t i = 0; i < model->kept_value_count; i++) {
        struct placed *placed = &all->placed[model->kept_values[i].launch];
        all->values[placed->first + placed->count++] = &model->kept_values[i];
    }
    all->count = model->kept_count;
    /* Processes that are views of one run number the same launches where they have as many of a kernel. Of those that have fewer
     * nothing says which ones they are. */
    rl_sort(all->placed, all->count, sizeof *all->placed, by_run);
    for (size_t from = 0, end; from < all->count; from = end) {
        const size_t kernel = all->placed[from].kernel;
        size_t most = 0;
        end = from + alike(all, from, false);
        for (size_t i = from; i < end; i += alike(all, i, true))
            most = alike(all, i, true) > most ? alike(all, i, true) : most;
        for (size_t i = from, count; i < end; i += count) {
            count = alike(all, i, true);
            if (count == most || kernel == RL_NONE)
                continue;
            const struct rl_class *class = &all->model->classes[all->placed[i].launch->class_number];
            rl_notes_add(&all->model->notes, RL_NOTE_other_launches, rl_pool_text(&all->model->names, class->name));
            for (size_t j = i; j < i + count; j++)
                all->placed[j].kernel = RL_NONE;
        }
    }
    rl_sort(all->placed, all->count, sizeof *all->placed, by_kernel);
    while (all->count > 0 && all->placed[all->count - 1].kernel == RL_NONE) /* it is above all others */
        all->count--;
}

/* A class of this launch alone; its values become entries. */
static void add_class(struct rl_model *model, const struct launches *all, const struct placed *placed)
{
    const uint32_t number = (uint32_t)model->class_count;
    struct rl_class *class = &model->classes[model->class_count++];

    *class = all->model->classes[rl_class_final(all->model, placed->launch->class_number)];
    class->launches = class->times.timed = 1;
    class->joined = RL_NONE;
    class->counted = class->times.sample_count = 0;
    class->times.samples = NULL;
    class->population = (struct rl_population){.total = 0};
    class->times.total_ns = placed->launch->duration_s > 0 ? (uint64_t)llround(placed->launch->duration_s * 1e9) : 0;
    if (class->times.total_ns) {
        class->times.samples = rl_calloc(1, sizeof *class->times.samples);
        class->times.samples[class->times.sample_count++] = class->times.total_ns;
    }
    RL_GROW(model->entries, model->entry_count + placed->count, model->entry_cap);
    for (size_t i = 0; i < placed->count; i++) {
        const struct rl_kept_value *value = all->values[placed->first + i];
        model->entries[model->entry_count++] = (struct rl_entry){.class_number = number,
                                                                 .slot = value->slot,
                                                                 .missing = (uint8_t)value->missing,
                                                                 .values = 1,
                                                                 .value = value->value,
                                                                 .weight = value->missing ? 0 : 1};
    }
}

static void take(struct rl_capture *capture, struct rl_buf *rows, const struct rl_kernel *kernel, uint64_t number)
{
    const struct rl_value time =
        kernel->duration_count ? rl_value_of((double)kernel->duration_ns[0]) : rl_value_missing(RL_NOT_COLLECTED, NULL);
    struct rl_launch_counter row = {.launch = number};

    for (size_t i = 0; i < kernel->counter_count; i++) {
        row.counter = kernel->counters[i];
        row.counter.pass = RL_NONE;
        row.counter.value = rl_capture_value(capture, row.counter.value);
        rl_buf_add(rows, (const char *)&row, sizeof row);
    }
    row.counter = (struct rl_counter){RL_COUNTER, (char *)RL_LAUNCH_TIME, time, RL_NONE};
    if (rl_present(time) && !rl_kernel_counter(kernel, RL_LAUNCH_TIME))
        rl_buf_add(rows, (const char *)&row, sizeof row);
}

void rl_launches_give(struct rl_model *model, const size_t *kernels, rl_build_fn build, struct rl_capture *capture)
{
    struct launches all = {.model = model};
    RL_SCRATCH rows = RL_BUF_INIT;

    place(&all, kernels);
    for (size_t from = 0; from < all.count; from += AT_ONCE) {
        const size_t count = all.count - from < AT_ONCE ? all.count - from : AT_ONCE;
        struct rl_class classes[AT_ONCE];
        struct rl_model few = *model;
        struct rl_capture *built = rl_capture_new();
        few.classes = classes;
        few.entries = NULL;
        few.class_count = few.entry_count = few.entry_cap = 0;
        few.notes = (struct rl_notes){0};
        for (size_t i = 0; i < count; i++)
            add_class(&few, &all, &all.placed[from + i]);
        built->gpus = capture->gpus;
        built->gpu_count = capture->gpu_count;
        build(&few, built);
        for (size_t i = 0; i < count; i++) {
            const struct placed *placed = &all.placed[from + i];
            take(capture, &rows, &built->kernels[i], placed->launch->number);
            if (from + i + 1 == all.count || placed[1].kernel != placed->kernel) {
                struct rl_kernel *to = &capture->kernels[placed->kernel];
                to->launch_counter_count = rows.len / sizeof *to->launch_counters;
                to->launch_counters = rl_arena_alloc(&capture->arena, rows.len);
                memcpy(to->launch_counters, rows.data, rows.len);
                rl_buf_reset(&rows);
            }
        }
        built->gpus = NULL;
        built->gpu_count = 0;
        rl_capture_free(built);
        free(few.entries);
        rl_notes_release(&few.notes);
    }
    RL_FREE(all.placed, all.values);
}
