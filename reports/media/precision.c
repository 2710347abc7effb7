/* precision.c - which kinds of numbers the kernels of a GPU work with (see precision.h). */
#include "precision.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "core/mem.h"

/* As rl_arithmetics has them; last those operations of the matrix units that no counter told. */
static const char *const names[RL_PRECISIONS] = {
    "FP64",
    "FP32",
    "FP16 and BF16",
    "matrix units, FP16",
    "matrix units, BF16",
    "matrix units, TF32",
    "matrix units, FP64",
    "matrix units, FP8 and narrower",
    "matrix units, INT8",
    "matrix units, type not counted",
    "matrix units, by the work model",
};
enum { BY_MODEL = RL_ARITHMETICS };
static_assert(RL_PRECISIONS == RL_ARITHMETICS + 1, "a name for each kind of arithmetic, and the work model");

static bool is_untyped(size_t row)
{
    return row == BY_MODEL || rl_arithmetics[row].untyped;
}

static enum rl_ceiling_id ceiling_of(size_t row)
{
    return row == BY_MODEL ? RL_CEILING_tensor_fp16 : rl_arithmetics[row].roof;
}

static bool positive(struct rl_value value)
{
    return rl_present(value) && value.v > 0;
}

/* Operations of the work model, of a variant of which no counter tells them; 0 of others. */
static struct rl_value model_flop(const struct rl_report *report, const struct rl_roofline_entry *entry)
{
    if (!entry->run || rl_present(entry->metric[RL_METRIC_flop_total]))
        return rl_value_of(0);
    const struct rl_value tensor = entry->metric[RL_METRIC_tensor_instructions];
    bool uses = positive(tensor) || !rl_present(tensor);
    const struct rl_value flop = report->capture->variants[entry->run->variant].model_flop;
    return uses && rl_present(flop) ? flop : rl_value_of(0);
}

/* Runs that were not counted do what others of their experiment do: nothing else tells that they use the matrix units. */
static bool is_beside_tensor(const struct rl_report *report, const struct rl_roofline_entries *entries,
                             const struct rl_roofline_entry *entry)
{
    if (!entry->run || rl_present(entry->metric[RL_METRIC_tensor_instructions]))
        return false;
    for (size_t i = 0; i < entries->count; i++)
        if (rl_entry_experiment(report, &entries->at[i]) == rl_entry_experiment(report, entry) &&
            positive(entries->at[i].metric[RL_METRIC_tensor_instructions]))
            return true;
    return false;
}

/* Matrix instructions were counted, or belong to the experiment, but not their operations: the model's stand in. */
static bool by_model(const struct rl_report *report, const struct rl_roofline_entries *entries,
                     const struct rl_roofline_entry *entry)
{
    const bool uses = positive(entry->metric[RL_METRIC_tensor_instructions]) || is_beside_tensor(report, entries, entry);
    return entry->shows && uses && positive(model_flop(report, entry));
}

/* Matrix instructions were counted, and nothing tells their operations. */
static bool is_uncounted(const struct rl_report *report, const struct rl_roofline_entries *entries,
                         const struct rl_roofline_entry *entry)
{
    return entry->shows && positive(entry->metric[RL_METRIC_tensor_instructions]) &&
           !rl_present(entry->metric[RL_METRIC_flop_tensor]) && !by_model(report, entries, entry);
}

static struct rl_value flop_of(const struct rl_report *report, const struct rl_roofline_entries *entries,
                               const struct rl_roofline_entry *entry, size_t row)
{
    if (row == BY_MODEL)
        return by_model(report, entries, entry) ? model_flop(report, entry) : rl_value_of(0);
    return rl_arithmetic_work(entry->metric, row);
}

static bool is_mixed_program(const struct rl_roofline_entry *entry)
{
    return !entry->run && rl_entry_is_mixed(entry);
}

/* How often the entry's work was done in what the table counts. */
static double times_done(const struct rl_report *report, const struct rl_roofline_entry *entry)
{
    if (entry->family)
        return (double)entry->family->time.launches;
    return entry->run || !entry->kernel ? 1 : (double)report->capture->kernels[entry->kernel->kernel].launches;
}

static void add_entry(struct rl_report *report, const struct rl_roofline_entries *entries, const struct rl_roofline_entry *entry,
                      size_t row, struct rl_precision_use *use)
{
    const struct rl_value flop = flop_of(report, entries, entry, row), rate = rl_value_div(flop, entry->time_s, "no duration");
    if (row != BY_MODEL && (!rl_arithmetics[row].matrix || positive(flop) || is_untyped(row)))
        report->used[rl_arithmetics[row].work] = true;
    if (row != BY_MODEL && is_untyped(row) && is_uncounted(report, entries, entry)) {
        use->kernels++;
        use->flop = rl_value_missing(RL_NOT_COLLECTED, "matrix operations were not counted");
        return;
    }
    if (!positive(flop))
        return;
    use->kernels++;
    use->flop = rl_value_add(use->flop, rl_value_of(flop.v * times_done(report, entry)));
    if (rl_present(rate) && (!use->best || rate.v > use->rate.v)) {
        use->best = entry;
        use->rate = rate;
    }
}

struct rl_value rl_precision_mix(struct rl_report *report, size_t gpu, struct rl_precision_use uses[RL_PRECISIONS])
{
    const struct rl_roofline_entries *entries = rl_roofline_entries_of(report, gpu);
    struct rl_value total = rl_value_of(0);
    for (size_t row = 0; row < RL_PRECISIONS; row++) {
        const enum rl_ceiling_id ceiling = ceiling_of(row);
        uses[row] = (struct rl_precision_use){.name = names[row],
                                              .ceiling = ceiling,
                                              .flop = rl_value_of(0),
                                              .matrix = rl_ceilings[ceiling].level == RL_LEVEL_TENSOR,
                                              .untyped = is_untyped(row),
                                              .integer = rl_ceilings[ceiling].unit != RL_UNIT_FLOP_PER_SECOND};
        uses[row].rate = rl_value_missing(RL_NOT_COLLECTED, NULL);
        for (size_t i = 0; i < entries->count; i++)
            if (entries->at[i].shows && !is_mixed_program(&entries->at[i]))
                add_entry(report, entries, &entries->at[i], row, &uses[row]);
        total = uses[row].integer ? total : rl_value_add(total, uses[row].flop);
    }
    return total;
}

static void add_mixed(struct rl_precision_mixed *mixed, const struct rl_roofline_entry *entry)
{
    mixed->kernels++;
    if (!mixed->first)
        mixed->first = entry;
}

struct rl_precision_mixed rl_precision_mixed(struct rl_report *report, size_t gpu)
{
    const struct rl_roofline_entries *entries = rl_roofline_entries_of(report, gpu);
    struct rl_precision_mixed mixed = {0, NULL};
    for (size_t i = 0; i < entries->count; i++) {
        const struct rl_roofline_entry *entry = &entries->at[i];
        const bool computes =
            positive(entry->metric[RL_METRIC_flop_total]) || positive(entry->metric[RL_METRIC_tensor_instructions]);
        if (entry->shows && is_mixed_program(entry) && computes)
            add_mixed(&mixed, entry);
    }
    return mixed;
}

struct rl_precision_mixed rl_precision_mixed_tensor(struct rl_report *report, size_t gpu)
{
    const struct rl_roofline_entries *entries = rl_roofline_entries_of(report, gpu);
    struct rl_precision_mixed mixed = {0, NULL};
    for (size_t i = 0; i < entries->count; i++) {
        const struct rl_roofline_entry *entry = &entries->at[i];
        const bool uses = positive(entry->metric[RL_METRIC_tensor_instructions]) && !is_uncounted(report, entries, entry);
        if (entry->shows && rl_entry_is_mixed(entry) && uses)
            add_mixed(&mixed, entry);
    }
    return mixed;
}

enum rl_ceiling_id rl_precision_roof(const struct rl_roofline_entry *entry)
{
    enum rl_ceiling_id roof = RL_CEILING_fp32;
    double most = 0;
    for (size_t i = 0; i < RL_ARITHMETICS; i++) {
        const struct rl_value flop = rl_arithmetic_work(entry->metric, i);
        if (!positive(flop) || flop.v <= most || rl_ceilings[ceiling_of(i)].unit != RL_UNIT_FLOP_PER_SECOND)
            continue;
        most = flop.v;
        roof = ceiling_of(i);
    }
    return roof;
}

bool rl_precision_has_tensor(const struct rl_analysis *analysis, size_t gpu)
{
    assert(gpu < analysis->capture->gpu_count);
    for (size_t id = 0; id < RL_CEILING_COUNT; id++)
        if (rl_ceilings[id].level == RL_LEVEL_TENSOR && rl_present(rl_ceiling_figure(&analysis->gpus[gpu].ceiling[id])))
            return true;
    return false;
}

/* ---- points ---- */

static bool make_point(const struct rl_report *report, const struct rl_roofline_entries *entries,
                       const struct rl_roofline_entry *entry, struct rl_chart_point *point)
{
    bool model = by_model(report, entries, entry);
    const struct rl_value flop = model ? model_flop(report, entry) : entry->metric[RL_METRIC_flop_tensor];
    struct rl_value bytes = entry->metric[RL_METRIC_dram_bytes];
    if (!positive(bytes) && entry->run)
        bytes = report->capture->variants[entry->run->variant].model_bytes;
    if (!entry->shows || rl_entry_is_mixed(entry) || !positive(flop) || !positive(bytes) || !positive(entry->time_s))
        return false;
    const struct rl_stats *time = entry->duration;
    bool interval = time->has_interval && time->low > 0;
    *point = (struct rl_chart_point){.x = flop.v / bytes.v,
                                     .y = flop.v / entry->time_s.v,
                                     .low = interval ? flop.v / time->high : NAN,
                                     .high = interval ? flop.v / time->low : NAN,
                                     .weight = NAN,
                                     .tone = rl_words_tone(rl_entry_limiter(entry)),
                                     .hollow = model,
                                     .label = entry->name};
    return true;
}

size_t rl_precision_uncounted(struct rl_report *report, size_t gpu)
{
    const struct rl_roofline_entries *entries = rl_roofline_entries_of(report, gpu);
    size_t count = 0;
    for (size_t i = 0; i < entries->count; i++)
        count += is_uncounted(report, entries, &entries->at[i]);
    return count;
}

/* Variants of several experiments may have the same name. */
static bool shares_name(const struct rl_roofline_entry *const *of, size_t count, size_t index)
{
    for (size_t i = 0; i < count; i++)
        if (i != index && strcmp(of[i]->name, of[index]->name) == 0)
            return true;
    return false;
}

size_t rl_precision_integers(struct rl_report *report, size_t gpu)
{
    const struct rl_roofline_entries *entries = rl_roofline_entries_of(report, gpu);
    size_t count = 0;
    for (size_t i = 0; i < entries->count; i++)
        count += entries->at[i].shows && !is_mixed_program(&entries->at[i]) &&
                 positive(entries->at[i].metric[RL_METRIC_tensor_int8_operations]);
    return count;
}

struct rl_chart_point *rl_precision_tensor_points(struct rl_report *report, size_t gpu, size_t *count)
{
    const struct rl_roofline_entries *entries = rl_roofline_entries_of(report, gpu);
    struct rl_chart_point *points = rl_arena_alloc(report->doc->arena, (entries->count + 1) * sizeof *points);
    const struct rl_roofline_entry **of = rl_arena_alloc(report->doc->arena, (entries->count + 1) * sizeof *of);
    *count = 0;
    for (size_t i = 0; i < entries->count; i++) {
        of[*count] = &entries->at[i];
        *count += make_point(report, entries, &entries->at[i], &points[*count]);
    }
    for (size_t i = 0; i < *count; i++)
        if (shares_name(of, *count, i))
            points[i].label = of[i]->label;
    return points;
}
