/* build.c - the capture. Counters come first; then the analysis says what it can make of them, and printed values stand in for the
 * rest. */
#include "build.h"

#include "core/formula.h"
#include "ncu_source.h"

/* ---- what no GPU can do (limits.def) ---- */

enum { MAX_FLAGGED = 10, NAME_COLUMNS = 80 };

static const struct limit {
    enum rl_metric metric;
    const char *value, *most;
    double slack;
    const char *words;
} card_limits[] = {
#define LIMIT(...) {__VA_ARGS__},
#include "limits.def"
#undef LIMIT
};

struct rl_limits {
    struct rl_formula *value[RL_COUNT(card_limits)], *most[RL_COUNT(card_limits)];
    size_t flagged;
};

static struct rl_formula *parse(const char *text)
{
    struct rl_formula *formula = NULL;
    const enum rl_status status = rl_formula_parse(text, &formula, NULL);

    assert(status == RL_OK); /* rows are ours, and tested */
    (void)status;
    return formula;
}

/* The rows, parsed; free them with limits_free. */
static struct rl_limits *limits_new(void)
{
    struct rl_limits *limits = rl_calloc(1, sizeof *limits);

    for (size_t i = 0; i < RL_COUNT(card_limits); i++) {
        limits->value[i] = parse(card_limits[i].value);
        limits->most[i] = parse(card_limits[i].most);
    }
    return limits;
}

static void flag(struct rl_capture *capture, const struct limit *row, const char *kernel, double value, double most)
{
    const enum rl_unit unit = rl_metrics[row->metric].unit;
    RL_SCRATCH text = RL_BUF_INIT, name = RL_BUF_INIT, plain = RL_BUF_INIT;

    rl_kernel_short_name(kernel, &name);
    rl_utf8_printable(&plain, name.data, name.len);
    rl_buf_adds(&text, "import: ");
    rl_utf8_ellipsis(&text, plain.data, plain.len, NAME_COLUMNS);
    rl_buf_addf(&text, ": %s of ", rl_metrics[row->metric].label);
    rl_unit_format_ascii(&text, unit, value, 4);
    rl_buf_adds(&text, " is above ");
    rl_unit_format_ascii(&text, unit, most, 4);
    rl_buf_addf(&text, " (%s): check the unit in the file", row->words);
    rl_capture_log(capture, 0, RL_LOG_WARNING, "%s", text.data);
}

enum { KERNELS_AT_ONCE = 256 };

struct build {
    struct rl_model *model;
    struct rl_capture *capture;
    struct rl_limits *limits;
    struct rl_groups of;  /* entries by their final classes */
    size_t *kernels;      /* of each class: index in the capture; RL_NONE: joined to another one */
    size_t *classes;      /* of each kernel of the capture */
    uint32_t *by_slot;    /* entry + 1 of the class in focus; 0: it has none */
    struct rl_value time; /* mean duration of the class in focus */
    bool timeline;        /* its kernels were there before: classes give them counters */
    bool launches;        /* classes are single launches, without foreign metrics */
    struct rl_pool keys;  /* of these kernels, which key_of makes */
    size_t *keyed;        /* the kernel of each */
    size_t *passes;       /* of each GPU and source: index in the capture; RL_NONE: not made yet */
};

/* ---- entries by class ---- */

static size_t final_class(const void *model, size_t entry)
{
    return rl_class_final(model, ((const struct rl_model *)model)->entries[entry].class_number);
}

static const struct rl_entry *entry_at(const struct build *build, size_t place)
{
    return &build->model->entries[build->of.at[place]];
}

/* Which entry a class has for a slot; views that were joined may bring a second one, which does not count. */
static void focus(struct build *build, size_t number, bool on)
{
    for (size_t i = build->of.first[number]; i < build->of.first[number + 1]; i++) {
        uint32_t *by_slot = &build->by_slot[entry_at(build, i)->slot];
        if (!on)
            *by_slot = 0;
        else if (!*by_slot)
            *by_slot = (uint32_t)build->of.at[i] + 1;
    }
}

static bool counts(const struct build *build, size_t place)
{
    return build->by_slot[entry_at(build, place)->slot] == build->of.at[place] + 1;
}

static struct rl_value value_of(const struct build *build, const struct rl_entry *entry)
{
    if (entry->weight > 0 && entry->by && entry->by != RL_BY_SEVERAL && entry->total > 0)
        return rl_value_of(entry->ratio);
    if (entry->weight > 0)
        return rl_value_of(entry->value);
    if (entry->missing == RL_MISSING_ZERO)
        return rl_value_missing(RL_UNDEFINED, build->model->targets.slots[entry->slot].zero);
    return entry->missing ? rl_missing_value(entry->missing - 1u) : rl_value_missing(RL_NOT_COLLECTED, NULL);
}

/* Ratios of which only the mean over launches is there, although they differ. */
static void note_unweighted(struct build *build, size_t number)
{
    for (size_t i = build->of.first[number]; i < build->of.first[number + 1]; i++) {
        const struct rl_entry *entry = entry_at(build, i);
        if (entry->varies && entry->weight > 0 && rl_targets_weights(&build->model->targets, entry->slot) &&
            (!entry->by || entry->by == RL_BY_SEVERAL || entry->total == 0))
            rl_notes_add(&build->model->notes, RL_NOTE_unweighted, rl_text_of(build->model->targets.slots[entry->slot].name));
    }
}

/* The table that a value is from. */
static size_t source_of(const struct build *build, const struct rl_entry *entry)
{
    return build->model->targets.slots[entry->slot].rank == RL_COMPUTED ? RL_SOURCE_COMPUTED : entry->source;
}

/* ---- kernels and counters ---- */

static bool has_several_files(const struct rl_model *model)
{
    for (size_t i = 1; i < model->source_count; i++)
        if (model->sources[i].file != model->sources[0].file)
            return true;
    return false;
}

static size_t pass_of(struct build *build, size_t card, size_t source)
{
    size_t *known = &build->passes[card * RL_SOURCES + source];

    if (*known == RL_NONE) {
        struct rl_pass *pass = rl_capture_add_pass(build->capture);
        RL_SCRATCH words = RL_BUF_INIT;
        /* "Nsight Compute (raw page), counters.csv" */
        rl_buf_adds(&words, source < RL_MAX_SOURCES       ? build->model->sources[source].label
                            : source == RL_SOURCE_SEVERAL ? "several of the files"
                                                          : "computed from printed values");
        if (source < RL_MAX_SOURCES && has_several_files(build->model)) {
            const struct rl_text file = rl_pool_text(&build->model->names, build->model->sources[source].file);
            rl_buf_adds(&words, ", ");
            rl_utf8_printable(&words, file.at, file.len);
        }
        pass->gpu = card;
        pass->configuration = rl_capture_text(build->capture, words.data);
        pass->mode = rl_capture_text(build->capture, "imported");
        pass->cache = rl_capture_text(build->capture, "unknown");
        *known = build->capture->pass_count - 1;
    }
    return *known;
}

static void add_counter(struct build *build, size_t kernel, enum rl_counter_kind kind, const char *name, struct rl_value value,
                        size_t source)
{
    assert(kernel < build->capture->kernel_count && name);
    const size_t pass = pass_of(build, build->capture->kernels[kernel].gpu, source);
    struct rl_counter *counter = rl_capture_add_counter(build->capture, kernel);

    counter->kind = kind;
    counter->name = (char *)name; /* lives in a pool; the capture gets its own names at the end */
    counter->value = value;
    counter->pass = pass;
}

void rl_kernel_key(size_t card, const char *name, const uint32_t grid[3], const uint32_t block[3], uint64_t shared, uint32_t kind,
                   struct rl_buf *key)
{
    rl_buf_reset(key);
    rl_buf_addf(key, "%zu %u %u %u %u %u %u %" PRIu64 " %u ", card, grid[0], grid[1], grid[2], block[0], block[1], block[2], shared,
                kind);
    name += strncmp(name, "void ", 5) == 0 ? 5 : 0;
    for (; *name; name++)
        if (*name != ' ')
            rl_buf_addch(key, *name);
}

size_t rl_class_in_timeline(const struct rl_model *model, const struct rl_class *class, uint32_t kind, const struct rl_pool *keys)
{
    const uint64_t shared[] = {class->dynamic_shared,
                               class->dynamic_shared + (rl_present(class->static_shared) ? (uint64_t) class->static_shared.v : 0)};
    RL_SCRATCH key = RL_BUF_INIT;
    uint32_t number;
    bool found = false;

    for (size_t i = 0; i < RL_COUNT(shared) && !found; i++) {
        rl_kernel_key(class->card, rl_pool_text(&model->names, class->name).at, class->grid, class->block, shared[i], kind, &key);
        found = rl_pool_find(keys, (struct rl_text){key.data, key.len}, &number);
    }
    return found ? number : RL_NONE;
}

static void index_timeline(struct build *build)
{
    const struct rl_capture *capture = build->capture;
    RL_SCRATCH key = RL_BUF_INIT;

    build->keyed = rl_calloc(capture->kernel_count, sizeof *build->keyed);
    for (size_t i = 0; i < capture->kernel_count; i++) {
        const struct rl_kernel *kernel = &capture->kernels[i];
        const size_t known = build->keys.count;
        rl_kernel_key(kernel->gpu, kernel->name, kernel->grid, kernel->block, kernel->dynamic_shared_bytes,
                      kernel->population.number, &key);
        if (rl_pool_add(&build->keys, (struct rl_text){key.data, key.len}) == known)
            build->keyed[known] = i;
    }
}

/* The kernel of the timeline that the class is of, by name, GPU, shape and kind of work. RL_NONE, with a note: there is none, or
 * it was built otherwise, or the class is one of several kinds of work, which the timeline does not distinguish. */
static size_t find_kernel(struct build *build, const struct rl_class *class)
{
    const char *name = rl_pool_text(&build->model->names, class->name).at;
    const size_t of_kind = rl_class_in_timeline(build->model, class, class->population.number, &build->keys);
    const size_t found = of_kind != RL_NONE ? of_kind : rl_class_in_timeline(build->model, class, 0, &build->keys);
    const size_t kernel = found == RL_NONE ? RL_NONE : build->keyed[found];
    const struct rl_value known = kernel == RL_NONE ? class->registers : build->capture->kernels[kernel].registers_per_thread;

    if (kernel == RL_NONE)
        rl_notes_add(&build->model->notes, RL_NOTE_not_in_timeline, rl_text_of(name));
    else if (of_kind == RL_NONE)
        rl_notes_add(&build->model->notes, RL_NOTE_kinds_of_timeline, rl_text_of(name));
    else if (rl_present(known) && rl_present(class->registers) && fabs(known.v - class->registers.v) > 0.5)
        rl_notes_add(&build->model->notes, RL_NOTE_other_build, rl_text_of(name));
    else if (build->classes[kernel] != RL_NONE)
        rl_notes_add(&build->model->notes, RL_NOTE_counted_twice, rl_text_of(name));
    else
        return kernel;
    return RL_NONE;
}

/* Whether a kernel of the timeline takes the class's counters. */
static bool join_timeline(struct build *build, size_t number)
{
    const size_t kernel = find_kernel(build, &build->model->classes[number]);

    build->kernels[number] = kernel;
    if (kernel == RL_NONE)
        return false;
    assert(build->capture->uses[kernel].kernel == kernel);
    build->classes[kernel] = number;
    build->capture->uses[kernel].uncounted = NULL;
    return true;
}

static void add_kernel(struct build *build, size_t number)
{
    struct rl_class *class = &build->model->classes[number];
    struct rl_kernel *kernel = rl_capture_add_kernel(build->capture);

    build->kernels[number] = build->capture->kernel_count - 1;
    build->classes[build->kernels[number]] = number;
    kernel->gpu = class->card;
    kernel->name = rl_capture_text(build->capture, rl_pool_text(&build->model->names, class->name).at);
    if (class->mangled)
        kernel->mangled = rl_capture_text(build->capture, rl_pool_text(&build->model->names, class->mangled - 1).at);
    memcpy(kernel->grid, class->grid, sizeof kernel->grid);
    memcpy(kernel->block, class->block, sizeof kernel->block);
    kernel->dynamic_shared_bytes = class->dynamic_shared;
    kernel->static_shared_bytes = class->static_shared;
    kernel->registers_per_thread = class->registers;
    kernel->launches = class->launches;
    kernel->population = class->population;
    if (class->run)
        kernel->nvtx = rl_capture_text(build->capture, rl_pool_text(&build->model->runs, class->run).at);
    const char *timing = rl_timing_text(class->times.timing);
    kernel->timing = rl_capture_text(build->capture, timing);
    kernel->total_ns = class->times.total_ns;
    kernel->duration_ns = rl_arena_alloc(&build->capture->arena, class->times.sample_count * sizeof *kernel->duration_ns);
    kernel->duration_count = class->times.sample_count;
    if (class->times.sample_count)
        memcpy(kernel->duration_ns, class->times.samples, class->times.sample_count * sizeof *class->times.samples);
    free(class->times.samples); /* moved, so that they are not held twice */
    class->times.samples = NULL;
    class->times.sample_count = class->times.sample_cap = 0;
}

/* Counters that were printed, or those that were worked out for each launch and not printed. */
static void add_counters_of(struct build *build, size_t number, bool computed)
{
    const size_t kernel = build->kernels[number];
    for (size_t i = build->of.first[number]; i < build->of.first[number + 1]; i++) {
        const struct rl_entry *entry = entry_at(build, i);
        const struct rl_slot *slot = &build->model->targets.slots[entry->slot];
        if (slot->kind != RL_COUNTER || (slot->rank == RL_COMPUTED) != computed || !counts(build, i) ||
            (computed && rl_kernel_counter(&build->capture->kernels[kernel], slot->name)))
            continue;
        add_counter(build, kernel, RL_COUNTER, slot->name, value_of(build, entry), source_of(build, entry));
    }
}

/* How many launches said what they did, and the range of a counter that says so alone. */
static void add_counted(struct build *build, size_t number)
{
    const struct rl_class *class = &build->model->classes[number];
    const struct rl_entry *only[RL_WORK_COUNT] = {NULL}, *any = NULL;
    size_t of[RL_WORK_COUNT] = {0}, kind = 0;

    for (size_t i = build->of.first[number]; i < build->of.first[number + 1]; i++) {
        const struct rl_slot *slot = &build->model->targets.slots[entry_at(build, i)->slot];
        if (!slot->work || slot->rank == RL_COMPUTED || slot->merge != RL_MERGE_MEAN)
            continue;
        any = any ? any : entry_at(build, i);
        only[slot->work - 1] = entry_at(build, i);
        of[slot->work - 1]++;
    }
    if (!class->counted || !any)
        return;
    while (kind < RL_WORK_COUNT && of[kind] != 1)
        kind++;
    struct rl_counted *counted = rl_capture_add_counted(build->capture);
    counted->kernel = build->kernels[number];
    counted->pass = pass_of(build, class->card, (kind < RL_WORK_COUNT ? only[kind] : any)->source);
    counted->launches = class->counted;
    if (kind == RL_WORK_COUNT)
        return;
    const struct rl_slot *slot = &build->model->targets.slots[only[kind]->slot];
    counted->witness = rl_capture_text(build->capture, slot->printed ? slot->printed : slot->name);
    counted->lowest = rl_value_mul(rl_value_of(class->work[kind][0]), rl_value_of(slot->printed ? slot->undo : 1));
    counted->highest = rl_value_mul(rl_value_of(class->work[kind][1]), rl_value_of(slot->printed ? slot->undo : 1));
}

/* ---- derived values ---- */

/* The input of the formulas of derived.def: one class. `metric`: the metrics so far; NULL while there are none. */
struct view {
    struct build *build;
    const struct rl_gpu *gpu;
    const struct rl_value *metric;
};

static struct view view_of(struct build *build, size_t kernel, const struct rl_value *metric)
{
    return (struct view){build, &build->capture->gpus[build->capture->kernels[kernel].gpu], metric};
}

/* Values of a class are means over its launches, so is the time that they are multiplied with: of the launches that were counted.
 */
static struct rl_value mean_time(const struct build *build, size_t number)
{
    const struct rl_kernel *kernel = &build->capture->kernels[build->kernels[number]];
    const struct rl_class *class = &build->model->classes[number];

    if (build->timeline)
        return class->times.timed ? rl_value_of((double)class->times.total_ns / 1e9 / (double)class->times.timed)
                                  : rl_value_missing(RL_NOT_ON_CHIP, NULL);
    const double sum = RL_SUM(double, i, kernel->duration_count, (double)kernel->duration_ns[i] / 1e9);
    return kernel->duration_count ? rl_value_of(sum / (double)kernel->duration_count) : rl_value_missing(RL_NOT_ON_CHIP, NULL);
}

/* Missing values are "not on this chip" for the formulas, so that `else` takes the alternative. */
static struct rl_value or_else(struct rl_value value)
{
    return rl_present(value) ? value : rl_value_missing(RL_NOT_ON_CHIP, NULL);
}

static struct rl_value look_up(void *context, const char *name)
{
    static const enum rl_counter_kind kinds[] = {RL_FOREIGN, RL_COUNTER};
    struct view *view = context;
    const enum rl_metric metric = rl_metric_find(name);
    uint32_t slot;

    if (strcmp(name, "time_s") == 0)
        return view->build->time;
    if (strncmp(name, "gpu_cc_", strlen("gpu_cc_")) == 0)
        return strtol(name + strlen("gpu_cc_"), NULL, 10) == 10 * view->gpu->cc_major + view->gpu->cc_minor
                   ? rl_value_of(1)
                   : rl_value_missing(RL_NOT_ON_CHIP, NULL);
    if (strncmp(name, "gpu_", strlen("gpu_")) == 0 && !strstr(name, "__"))
        return or_else(view->gpu->fact[rl_targets_fact(name + strlen("gpu_"))]);
    if (metric < RL_METRIC_COUNT)
        return view->metric ? or_else(view->metric[metric]) : rl_value_missing(RL_NOT_ON_CHIP, NULL);
    for (size_t i = 0; i < RL_COUNT(kinds); i++) {
        const bool known = rl_targets_find_slot(&view->build->model->targets, kinds[i], name, &slot);
        const uint32_t entry = known ? view->build->by_slot[slot] : 0;
        if (entry)
            return or_else(value_of(view->build, &view->build->model->entries[entry - 1]));
    }
    return rl_value_missing(RL_NOT_ON_CHIP, NULL);
}

/* ---- metrics ---- */

/* Whether counters left a metric open: 0 / 0 is an answer. */
static bool is_open(struct rl_value value)
{
    return !rl_present(value) && value.state != RL_UNDEFINED;
}

static void derive_metrics(struct build *build, size_t kernel, struct rl_value *metric)
{
    struct view view = view_of(build, kernel, metric);
    enum rl_destination destination;
    const char *target;

    for (size_t row = 0; (target = rl_derivation_target(row, &destination)); row++) {
        const bool peak = destination == RL_TO_FOREIGN;
        const enum rl_metric id = rl_metric_find(target);
        assert(destination != RL_TO_METRIC || id < RL_METRIC_COUNT); /* rows are ours, and tested */
        if (peak ? rl_kernel_counter(&build->capture->kernels[kernel], target) != NULL
                 : destination != RL_TO_METRIC || !is_open(metric[id]) ||
                       (id == RL_METRIC_pass_duration_s && rl_present(build->time)))
            continue;
        struct rl_value value = rl_derivation_value(build->model->derivations, row, look_up, &view);
        if (!rl_present(value))
            continue;
        if (!peak)
            metric[id] = value;
        add_counter(build, kernel, peak ? RL_FOREIGN : RL_METRIC_VALUE, target, value, RL_SOURCE_COMPUTED);
    }
}

/* Operations of a type without any instruction are 0, and a type that was not counted is left out of the sum, with a note: who
 * counts some types takes the others for absent. Instructions whose operations are unknown leave the sum open. */
static void sum_operations(struct build *build, size_t kernel, struct rl_value *metric)
{
    static const struct {
        enum rl_metric operations, instructions; /* RL_METRIC_COUNT: counted directly */
    } types[] = {
        {RL_METRIC_flop_fp64, RL_METRIC_COUNT},
        {RL_METRIC_flop_fp32, RL_METRIC_COUNT},
        {RL_METRIC_flop_fp16, RL_METRIC_fp16_instructions},
        {RL_METRIC_flop_tensor, RL_METRIC_tensor_instructions},
    };
    struct view view = view_of(build, kernel, metric);
    double sum = 0;
    bool any = false, all = true;

    if (!is_open(metric[RL_METRIC_flop_total]))
        return;
    for (size_t i = 0; i < RL_COUNT(types); i++) {
        struct rl_value *operations = &metric[types[i].operations];
        struct rl_value instructions =
            types[i].instructions < RL_METRIC_COUNT ? metric[types[i].instructions] : rl_value_missing(RL_NOT_COLLECTED, NULL);
        if (types[i].operations == RL_METRIC_flop_tensor && !rl_present(instructions))
            instructions = look_up(&view, "sm__inst_executed_pipe_tensor.sum");
        if (is_open(*operations) && rl_present(instructions) && instructions.v == 0) {
            *operations = rl_value_of(0);
            add_counter(build, kernel, RL_METRIC_VALUE, rl_metrics[types[i].operations].id, *operations, RL_SOURCE_COMPUTED);
        }
        if (is_open(*operations) && rl_present(instructions))
            return;
        sum += rl_present(*operations) ? operations->v : 0;
        any |= rl_present(*operations);
        all &= rl_present(*operations);
    }
    if (!any)
        return;
    if (!all)
        rl_notes_add(&build->model->notes, RL_NOTE_operations, rl_text_of(build->capture->kernels[kernel].name));
    metric[RL_METRIC_flop_total] = rl_value_of(sum);
    add_counter(build, kernel, RL_METRIC_VALUE, rl_metrics[RL_METRIC_flop_total].id, metric[RL_METRIC_flop_total],
                RL_SOURCE_COMPUTED);
}

/* A value in base units, without the scale that its mapping to a metric has. */
static struct rl_value as_printed(const struct build *build, const struct rl_entry *entry)
{
    const struct rl_slot *slot = &build->model->targets.slots[entry->slot];
    const struct rl_value value = value_of(build, entry);

    return slot->kind == RL_METRIC_VALUE ? rl_value_mul(value, rl_value_of(slot->undo)) : value;
}

/* A printed value that another one of the same metric stands for: it agrees, or is contradicted. */
static void enter_unused(struct build *build, const struct rl_entry *entry, const struct rl_value *metric)
{
    static const double ROUNDING = 0.02;
    const struct rl_slot *slot = &build->model->targets.slots[entry->slot];
    const struct rl_value used = metric[rl_metric_find(slot->name)], value = value_of(build, entry);
    const bool agrees =
        !rl_present(used) || !rl_present(value) || fabs(value.v - used.v) <= ROUNDING * fmax(fabs(value.v), fabs(used.v));
    RL_SCRATCH text = RL_BUF_INIT;
    uint32_t counter;

    if (slot->item == UINT32_MAX ||
        (rl_targets_find_slot(&build->model->targets, RL_COUNTER, slot->printed, &counter) && build->by_slot[counter]))
        return; /* it is the counter that the metric follows from */
    rl_buf_addf(&text, "%s", slot->name);
    if (!agrees) {
        rl_buf_adds(&text, " of counters or better values: ");
        rl_unit_format_ascii(&text, rl_metrics[rl_metric_find(slot->name)].unit, used.v, 4);
        rl_buf_adds(&text, ", not ");
        rl_unit_format_ascii(&text, rl_metrics[rl_metric_find(slot->name)].unit, value.v, 4);
    } else {
        rl_buf_adds(&text, " follows from counters or better values, which agree");
    }
    rl_ledger_move(&build->model->targets.ledger, slot->item, agrees ? RL_FATE_FOREIGN : RL_FATE_CONTRADICTED, entry->values,
                   text.data);
}

/* Everything else that was printed, and printed values of metrics that were not used. */
static void add_foreign(struct build *build, size_t number, const struct rl_value *metric)
{
    for (size_t i = build->of.first[number]; i < build->of.first[number + 1]; i++) {
        const struct rl_entry *entry = entry_at(build, i);
        const struct rl_slot *slot = &build->model->targets.slots[entry->slot];
        const bool unused = slot->kind == RL_METRIC_VALUE;
        if (slot->kind == RL_COUNTER || slot->rank == RL_COMPUTED || !counts(build, i))
            continue;
        if (unused) {
            rl_notes_add(&build->model->notes, RL_NOTE_unused, rl_text_of(slot->printed));
            enter_unused(build, entry, metric);
        }
        add_counter(build, build->kernels[number], RL_FOREIGN, unused ? slot->printed : slot->name, as_printed(build, entry),
                    entry->source);
    }
}

/* One class with what the analysis made of its counters. */
static void complete(struct build *build, size_t number, const struct rl_kernel_result *result)
{
    focus(build, number, true);
    build->time = mean_time(build, number);
    struct rl_value metric[RL_METRIC_COUNT];
    memcpy(metric, result->metric, sizeof metric);
    /* `metric`: what the counters gave; gets the rest. */
    const struct rl_entry *best[RL_METRIC_COUNT] = {NULL};
    /* The entry to use for each metric: the lowest rank with a number, otherwise one that says why there is none. */
    for (size_t i = build->of.first[number]; i < build->of.first[number + 1]; i++) {
        const struct rl_entry *entry = entry_at(build, i);
        const struct rl_slot *slots = build->model->targets.slots, *slot = &slots[entry->slot];
        const struct rl_entry **known;
        if (slot->kind != RL_METRIC_VALUE || !counts(build, i))
            continue;
        known = &best[rl_metric_find(slot->name)];
        if (!*known || (entry->weight > 0 && (*known)->weight == 0) ||
            ((entry->weight > 0) == ((*known)->weight > 0) && slot->rank < slots[(*known)->slot].rank))
            *known = entry;
    }
    for (size_t i = 0; i < RL_METRIC_COUNT; i++) {
        if (!best[i] || !is_open(metric[i]))
            continue;
        metric[i] = value_of(build, best[i]);
        add_counter(build, build->kernels[number], RL_METRIC_VALUE, rl_metrics[i].id, metric[i], source_of(build, best[i]));
        build->by_slot[best[i]->slot] = 0; /* used: not kept as foreign */
    }
    derive_metrics(build, build->kernels[number], metric);
    sum_operations(build, build->kernels[number], metric);
    struct view view = view_of(build, build->kernels[number], metric);
    /* Flags the values of one kernel that its GPU cannot have, in the log. */
    const size_t kernel = build->kernels[number];
    assert(kernel < build->capture->kernel_count);
    for (size_t i = 0; i < RL_COUNT(card_limits); i++) {
        const struct rl_value value = rl_formula_eval(build->limits->value[i], look_up, &view, NULL);
        const struct rl_value most = rl_formula_eval(build->limits->most[i], look_up, &view, NULL);
        if (!rl_present(value) || !rl_positive(most) || value.v <= most.v * (1 + card_limits[i].slack))
            continue;
        if (build->limits->flagged++ < MAX_FLAGGED)
            flag(build->capture, &card_limits[i], build->capture->kernels[kernel].name, value.v, most.v);
    }
    if (!build->launches)
        add_foreign(build, number, metric);
    focus(build, number, false);
}

/* Metrics of a kernel do not depend on the other ones, so they are analysed a few at a time: results are large. */
static void add_all_metrics(struct build *build)
{
    /* The rest of a timeline refers to its kernels: they stay together. */
    const size_t at_once = build->timeline ? build->capture->kernel_count : KERNELS_AT_ONCE;
    struct rl_capture few = *build->capture;

    for (size_t from = 0; from < build->capture->kernel_count; from += at_once) {
        const size_t left = build->capture->kernel_count - from;
        few.kernels = build->capture->kernels + from;
        few.kernel_count = left < at_once ? left : at_once;
        struct rl_analysis *analysis = rl_analysis_new(&few);
        for (size_t i = 0; i < few.kernel_count; i++)
            if (build->classes[from + i] != RL_NONE)
                complete(build, build->classes[from + i], &analysis->kernels[i]);
        rl_analysis_free(analysis);
    }
}

static void add_all_kernels(struct build *build)
{
    for (size_t i = 0; i < build->model->class_count; i++) {
        build->kernels[i] = RL_NONE;
        if (build->model->classes[i].joined != RL_NONE || (build->timeline && !join_timeline(build, i)))
            continue;
        if (!build->timeline)
            add_kernel(build, i);
        focus(build, i, true);
        build->time = mean_time(build, i);
        add_counters_of(build, i, false);
        add_counters_of(build, i, true);
        add_counted(build, i);
        note_unweighted(build, i);
        const size_t kernel = build->kernels[i];
        struct view view = view_of(build, kernel, NULL);
        enum rl_destination destination;
        const char *target;

        for (size_t row = 0; (target = rl_derivation_target(row, &destination)); row++) {
            if (destination != RL_TO_COUNTER || rl_kernel_counter(&build->capture->kernels[kernel], target))
                continue;
            struct rl_value value = rl_derivation_value(build->model->derivations, row, look_up, &view);
            if (rl_present(value))
                add_counter(build, kernel, RL_COUNTER, target, value, RL_SOURCE_COMPUTED);
        }
        focus(build, i, false);
    }
}

/* ---- names ---- */

/* Names as the capture has them, each once. */
struct owned {
    struct rl_pool names;
    char **texts;
    size_t cap;
};

static void own_name(struct build *build, struct owned *owned, struct rl_counter *counter)
{
    const size_t known = owned->names.count;
    const uint32_t number = rl_pool_add(&owned->names, rl_text_of(counter->name));

    RL_GROW(owned->texts, owned->names.count, owned->cap);
    if (number == known)
        owned->texts[number] = rl_capture_text(build->capture, counter->name);
    counter->name = owned->texts[number];
}

/* ---- the session ---- */

static void describe_session(struct build *build, const char *version)
{
    static const char *const sources[] = {
        [RL_TOOL_NCU] = "ncu", [RL_TOOL_NVPROF] = "nvprof", [RL_TOOL_NSYS] = "nsys", [RL_TOOL_PUBLISHED] = "published"};
    const struct rl_model *model = build->model;
    struct rl_session *session = &build->capture->session;
    RL_SCRATCH text = RL_BUF_INIT;
    size_t first = 0;

    while (first + 1 < model->source_count && model->sources[first].tool == RL_TOOL_PUBLISHED)
        first++; /* tables of figures without any */
    for (size_t i = 0; i < model->source_count; i++) {
        bool again = false;
        for (size_t j = 0; j < i && !again; j++)
            again = strcmp(model->sources[i].label, model->sources[j].label) == 0;
        if (again)
            continue;
        rl_buf_adds(&text, i > 0 ? ", " : build->timeline ? "times of a timeline; counters imported from " : "imported from ");
        static const char tool[] = "Nsight Compute";

        if (model->sources[i].tool == RL_TOOL_NCU && *version)
            rl_buf_addf(&text, "%s %s%s", tool, version, model->sources[i].label + strlen(tool));
        else
            rl_buf_adds(&text, model->sources[i].label);
    }
    session->counters = rl_capture_text(build->capture, text.data);
    if (!build->timeline) {
        session->source = rl_capture_text(build->capture, sources[model->sources[first].tool]);
        session->complete = true;
    }
}

/* Times that are not what rooflight takes for the time of record. */
static void log_timing(const struct build *build)
{
    static const char under[] = "under Nsight Compute, which sets clocks to base and flushes caches unless configured otherwise";
    static const struct {
        enum rl_timing timing;
        const char *words, *where;
    } rows[] = {
        {RL_TIMING_NCU, "times were measured ", under},
        {RL_TIMING_NCU_SUMMARY, "times are averages, one sample for each launch configuration, measured ", under},
        {RL_TIMING_NVPROF_SUMMARY, "times are averages of a summary",
         ": one sample for each launch configuration, and no interval"},
        {RL_TIMING_NSYS_SUMMARY, "times are averages of a summary of Nsight Systems", ": one sample for each launch configuration"},
    };

    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        const size_t count = RL_SUM(size_t, j, build->model->class_count,
                                    build->kernels[j] != RL_NONE && build->model->classes[j].times.timing == rows[i].timing);
        if (count)
            rl_capture_log(build->capture, 0, RL_LOG_WARNING, "import: %s%s", rows[i].words, rows[i].where);
    }
}

RL_COMPARATOR(by_kernel, struct rl_counted, rl_ascending(x->kernel, y->kernel));

static void begin(struct build *build)
{
    const struct rl_model *model = build->model;
    const size_t kernels = build->timeline ? build->capture->kernel_count : model->class_count;
    const size_t passes = model->card_count * RL_SOURCES;

    assert(model->source_count && model->class_count);
    build->limits = limits_new();
    build->kernels = rl_calloc(model->class_count, sizeof *build->kernels);
    build->classes = rl_calloc(kernels, sizeof *build->classes);
    build->by_slot = rl_calloc(rl_targets_slot_count(&model->targets), sizeof *build->by_slot);
    build->passes = rl_calloc(passes, sizeof *build->passes);
    for (size_t i = 0; i < passes; i++)
        build->passes[i] = RL_NONE;
    for (size_t i = 0; i < kernels; i++)
        build->classes[i] = RL_NONE;
    rl_groups_make(&build->of, model->class_count, model->entry_count, final_class, model);
}

static void end(struct build *build)
{
    /* Frees the rows. */
    for (size_t i = 0; i < RL_COUNT(card_limits); i++) {
        rl_formula_free(build->limits->value[i]);
        rl_formula_free(build->limits->most[i]);
    }
    free(build->limits);
    rl_groups_release(&build->of);
    RL_FREE(build->kernels, build->classes, build->by_slot, build->passes, build->keyed);
    rl_pool_release(&build->keys);
}

static void build_launches(struct rl_model *launches, struct rl_capture *capture)
{
    struct build build = {.model = launches, .capture = capture, .launches = true};

    begin(&build);
    add_all_kernels(&build);
    add_all_metrics(&build);
    end(&build);
}

void rl_build(struct rl_model *model, const char *card, const char *version, struct rl_capture *capture)
{
    struct build build = {.model = model, .capture = capture, .timeline = capture->kernel_count > 0};

    begin(&build);
    describe_session(&build, version);
    if (build.timeline)
        index_timeline(&build);
    else
        rl_cards_add(model, card, capture);
    add_all_kernels(&build);
    rl_sort(capture->counted, capture->counted_count, sizeof *capture->counted, by_kernel); /* a timeline has its own order */
    add_all_metrics(&build);
    rl_launches_give(model, build.kernels, build_launches, capture);
    /* Counters' names live in the pools of the model: the capture gets each of them once. */
    struct owned owned = {.texts = NULL};
    for (size_t i = 0; i < build.capture->kernel_count; i++) {
        struct rl_kernel *kernel = &build.capture->kernels[i];
        for (size_t j = 0; j < kernel->counter_count; j++)
            own_name(&build, &owned, &kernel->counters[j]);
        for (size_t j = 0; j < kernel->launch_counter_count; j++)
            own_name(&build, &owned, &kernel->launch_counters[j].counter);
    }
    free(owned.texts);
    rl_pool_release(&owned.names);
    rl_ncu_source_add(model->instructions, capture);
    if (!build.timeline)
        log_timing(&build);
    /* Says in the log how many more there were than were flagged. */
    if (build.limits->flagged > MAX_FLAGGED)
        rl_capture_log(capture, 0, RL_LOG_WARNING, "import: %zu more values are above what a GPU can do",
                       build.limits->flagged - MAX_FLAGGED);
    rl_notes_log(&model->notes, capture);
    rl_ledger_write(&model->targets.ledger, &model->notes, capture);
    end(&build);
}
