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
static struct rl_value model_flop(const struct rl_report *report, const struct rl_roofline_point *spot)
{
    if (!spot->run || rl_present(spot->metric[RL_METRIC_flop_total]))
        return rl_value_of(0);
    const struct rl_value tensor = spot->metric[RL_METRIC_tensor_instructions];
    bool uses = positive(tensor) || !rl_present(tensor);
    const struct rl_value flop = report->capture->variants[spot->run->variant].model_flop;
    return uses && rl_present(flop) ? flop : rl_value_of(0);
}

/* Runs that were not counted do what others of their experiment do: nothing else tells that they use the matrix units. */
static bool is_beside_tensor(const struct rl_report *report, const struct rl_roofline_points *spots,
                             const struct rl_roofline_point *spot)
{
    if (!spot->run || rl_present(spot->metric[RL_METRIC_tensor_instructions]))
        return false;
    for (size_t i = 0; i < spots->count; i++)
        if (rl_spot_experiment(report, &spots->at[i]) == rl_spot_experiment(report, spot) &&
            positive(spots->at[i].metric[RL_METRIC_tensor_instructions]))
            return true;
    return false;
}

/* Matrix instructions were counted, or belong to the experiment, but not their operations: the model's stand in. */
static bool by_model(const struct rl_report *report, const struct rl_roofline_points *spots, const struct rl_roofline_point *spot)
{
    const bool uses = positive(spot->metric[RL_METRIC_tensor_instructions]) || is_beside_tensor(report, spots, spot);
    return spot->shows && uses && positive(model_flop(report, spot));
}

/* Matrix instructions were counted, and nothing tells their operations. */
static bool is_uncounted(const struct rl_report *report, const struct rl_roofline_points *spots,
                         const struct rl_roofline_point *spot)
{
    return spot->shows && positive(spot->metric[RL_METRIC_tensor_instructions]) &&
           !rl_present(spot->metric[RL_METRIC_flop_tensor]) && !by_model(report, spots, spot);
}

static struct rl_value flop_of(const struct rl_report *report, const struct rl_roofline_points *spots,
                               const struct rl_roofline_point *spot, size_t row)
{
    if (row == BY_MODEL)
        return by_model(report, spots, spot) ? model_flop(report, spot) : rl_value_of(0);
    return rl_arithmetic_work(spot->metric, row);
}

static bool is_mixed_program(const struct rl_roofline_point *spot)
{
    return !spot->run && rl_spot_is_mixed(spot);
}

/* How often the spot's work was done in what the table counts. */
static double times_done(const struct rl_report *report, const struct rl_roofline_point *spot)
{
    if (spot->family)
        return (double)spot->family->time.launches;
    return spot->run || !spot->kernel ? 1 : (double)report->capture->kernels[spot->kernel->kernel].launches;
}

static void add_spot(struct rl_report *report, const struct rl_roofline_points *spots, const struct rl_roofline_point *spot,
                     size_t row, struct rl_precision_use *use)
{
    const struct rl_value flop = flop_of(report, spots, spot, row), rate = rl_value_div(flop, spot->time_s, "no duration");
    if (row != BY_MODEL && (!rl_arithmetics[row].matrix || positive(flop) || is_untyped(row)))
        report->used[rl_arithmetics[row].work] = true;
    if (row != BY_MODEL && is_untyped(row) && is_uncounted(report, spots, spot)) {
        use->kernels++;
        use->flop = rl_value_missing(RL_NOT_COLLECTED, "matrix operations were not counted");
        return;
    }
    if (!positive(flop))
        return;
    use->kernels++;
    use->flop = rl_value_add(use->flop, rl_value_of(flop.v * times_done(report, spot)));
    if (rl_present(rate) && (!use->best || rate.v > use->rate.v)) {
        use->best = spot;
        use->rate = rate;
    }
}

struct rl_value rl_precision_mix(struct rl_report *report, size_t gpu, struct rl_precision_use uses[RL_PRECISIONS])
{
    const struct rl_roofline_points *spots = rl_roofline_points_of(report, gpu);
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
        for (size_t i = 0; i < spots->count; i++)
            if (spots->at[i].shows && !is_mixed_program(&spots->at[i]))
                add_spot(report, spots, &spots->at[i], row, &uses[row]);
        total = uses[row].integer ? total : rl_value_add(total, uses[row].flop);
    }
    return total;
}

static void add_mixed(struct rl_precision_mixed *mixed, const struct rl_roofline_point *spot)
{
    mixed->kernels++;
    if (!mixed->first)
        mixed->first = spot;
}

struct rl_precision_mixed rl_precision_mixed(struct rl_report *report, size_t gpu)
{
    const struct rl_roofline_points *spots = rl_roofline_points_of(report, gpu);
    struct rl_precision_mixed mixed = {0, NULL};
    for (size_t i = 0; i < spots->count; i++) {
        const struct rl_roofline_point *spot = &spots->at[i];
        const bool computes = positive(spot->metric[RL_METRIC_flop_total]) || positive(spot->metric[RL_METRIC_tensor_instructions]);
        if (spot->shows && is_mixed_program(spot) && computes)
            add_mixed(&mixed, spot);
    }
    return mixed;
}

struct rl_precision_mixed rl_precision_mixed_tensor(struct rl_report *report, size_t gpu)
{
    const struct rl_roofline_points *spots = rl_roofline_points_of(report, gpu);
    struct rl_precision_mixed mixed = {0, NULL};
    for (size_t i = 0; i < spots->count; i++) {
        const struct rl_roofline_point *spot = &spots->at[i];
        const bool uses = positive(spot->metric[RL_METRIC_tensor_instructions]) && !is_uncounted(report, spots, spot);
        if (spot->shows && rl_spot_is_mixed(spot) && uses)
            add_mixed(&mixed, spot);
    }
    return mixed;
}

enum rl_ceiling_id rl_precision_roof(const struct rl_roofline_point *spot)
{
    enum rl_ceiling_id roof = RL_CEILING_fp32;
    double most = 0;
    for (size_t i = 0; i < RL_ARITHMETICS; i++) {
        const struct rl_value flop = rl_arithmetic_work(spot->metric, i);
        if (!positive(flop) || flop.v <= most || rl_ceilings[ceiling_of(i)].unit != RL_UNIT_FLOP_PER_SECOND)
            continue;
        most = flop.v;
        roof = ceiling_of(i);
    }
    return roof;
}

bool rl_precision_has_tensor(const struct rl_analysis *analysis, size_t gpu)
{
    for (size_t id = 0; id < RL_CEILING_COUNT; id++)
        if (rl_ceilings[id].level == RL_LEVEL_TENSOR && rl_present(rl_ceiling_figure(&analysis->gpus[gpu].ceiling[id])))
            return true;
    return false;
}

/* ---- points ---- */

static bool make_point(const struct rl_report *report, const struct rl_roofline_points *spots, const struct rl_roofline_point *spot,
                       struct rl_chart_point *point)
{
    bool model = by_model(report, spots, spot);
    const struct rl_value flop = model ? model_flop(report, spot) : spot->metric[RL_METRIC_flop_tensor];
    struct rl_value bytes = spot->metric[RL_METRIC_dram_bytes];
    if (!positive(bytes) && spot->run)
        bytes = report->capture->variants[spot->run->variant].model_bytes;
    if (!spot->shows || rl_spot_is_mixed(spot) || !positive(flop) || !positive(bytes) || !positive(spot->time_s))
        return false;
    const struct rl_stats *time = spot->duration;
    bool interval = time->has_interval && time->low > 0;
    *point = (struct rl_chart_point){.x = flop.v / bytes.v,
                                     .y = flop.v / spot->time_s.v,
                                     .low = interval ? flop.v / time->high : NAN,
                                     .high = interval ? flop.v / time->low : NAN,
                                     .weight = NAN,
                                     .tone = rl_words_tone(spot->bound),
                                     .hollow = model,
                                     .label = spot->name};
    return true;
}

size_t rl_precision_uncounted(struct rl_report *report, size_t gpu)
{
    const struct rl_roofline_points *spots = rl_roofline_points_of(report, gpu);
    size_t count = 0;
    for (size_t i = 0; i < spots->count; i++)
        count += is_uncounted(report, spots, &spots->at[i]);
    return count;
}

/* Variants of several experiments may have the same name. */
static bool shares_name(const struct rl_roofline_point *const *of, size_t count, size_t index)
{
    for (size_t i = 0; i < count; i++)
        if (i != index && strcmp(of[i]->name, of[index]->name) == 0)
            return true;
    return false;
}

size_t rl_precision_integers(struct rl_report *report, size_t gpu)
{
    const struct rl_roofline_points *spots = rl_roofline_points_of(report, gpu);
    size_t count = 0;
    for (size_t i = 0; i < spots->count; i++)
        count += spots->at[i].shows && !is_mixed_program(&spots->at[i]) &&
                 positive(spots->at[i].metric[RL_METRIC_tensor_int8_operations]);
    return count;
}

struct rl_chart_point *rl_precision_tensor_points(struct rl_report *report, size_t gpu, size_t *count)
{
    const struct rl_roofline_points *spots = rl_roofline_points_of(report, gpu);
    struct rl_chart_point *points = rl_arena_alloc(report->doc->arena, (spots->count + 1) * sizeof *points);
    const struct rl_roofline_point **of = rl_arena_alloc(report->doc->arena, (spots->count + 1) * sizeof *of);
    *count = 0;
    for (size_t i = 0; i < spots->count; i++) {
        of[*count] = &spots->at[i];
        *count += make_point(report, spots, &spots->at[i], &points[*count]);
    }
    for (size_t i = 0; i < *count; i++)
        if (shares_name(of, *count, i))
            points[i].label = of[i]->label;
    return points;
}
