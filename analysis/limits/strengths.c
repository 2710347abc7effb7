/* strengths.c - what a card is good and bad at (see strengths.h). */
#include "analysis/strengths.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "core/mem.h"
#include "core/units.h"
#include "internal.h"

const struct rl_strength_info rl_strengths[RL_STRENGTHS] = {
#define STRENGTH(name, ...) {.id = #name, __VA_ARGS__},
#include "analysis/strengths.def"
#undef STRENGTH
};

static struct rl_value measured_of(const struct rl_ceiling *ceiling)
{
    return ceiling->measured.n > 0 ? rl_value_of(ceiling->measured.median) : rl_value_missing(RL_NOT_COLLECTED, "not measured");
}

/* What the figure is held against. */
static struct rl_value than_of(const struct rl_gpu_result *gpu, const struct rl_strength_info *info)
{
    const struct rl_ceiling *ceiling = &gpu->ceiling[info->of];
    switch (info->basis) {
    case RL_STRENGTH_DATA_SHEET:
        return ceiling->data_sheet;
    case RL_STRENGTH_SUSTAINED:
        return measured_of(ceiling);
    case RL_STRENGTH_OVER:
        return measured_of(&gpu->ceiling[info->over]);
    case RL_STRENGTH_TIME:
        return rl_value_of(1);
    }
    return rl_value_missing(RL_UNDEFINED, "");
}

static struct rl_value sustained_of(const struct rl_ceiling *ceiling)
{
    return ceiling->sustained.n > 0 ? rl_value_of(ceiling->sustained.median) : rl_value_missing(RL_NOT_COLLECTED, "not measured");
}

/* What a sentence is filled from. */
struct filling {
    const struct rl_gpu_result *gpu;
    const struct rl_strength_info *info;
    double value;
};

static void fill(void *context, const char *name, size_t len, struct rl_buf *out)
{
    const struct filling *filling = context;
    const struct rl_ceiling *ceiling = &filling->gpu->ceiling[filling->info->of];
    const enum rl_unit unit = rl_ceilings[filling->info->of].unit;
    const struct rl_value rate = measured_of(ceiling);
    const struct {
        const char *name;
        enum rl_unit unit;
        struct rl_value value;
    } figures[] = {
        {"rate", unit, rate},
        {"than", unit, than_of(filling->gpu, filling->info)},
        {"share", RL_UNIT_FRACTION, rl_value_of(filling->value)},
        {"times", RL_UNIT_NONE, rl_value_of(filling->value)},
        {"less", RL_UNIT_NONE, rl_value_div(rl_value_of(1), rl_value_of(filling->value), "nothing")},
        {"sustained", unit, sustained_of(ceiling)},
        {"clock", RL_UNIT_HERTZ, ceiling->clock},
        {"time", RL_UNIT_SECOND, rl_value_div(rl_value_of(1), rate, "nothing")},
    };
    for (size_t i = 0; i < RL_COUNT(figures); i++)
        if (strlen(figures[i].name) == len && memcmp(figures[i].name, name, len) == 0)
            rl_value_format(out, figures[i].unit, figures[i].value, 3);
}

size_t rl_strengths_of(const struct rl_analysis *analysis, size_t gpu, struct rl_arena *arena, struct rl_strength *found)
{
    size_t count = 0;
    assert(gpu < analysis->capture->gpu_count);
    for (size_t i = 0; i < RL_STRENGTHS; i++) {
        const struct rl_strength_info *info = &rl_strengths[i];
        const struct rl_ceiling *ceiling = &analysis->gpus[gpu].ceiling[info->of];
        const struct rl_value figure = info->basis == RL_STRENGTH_SUSTAINED ? sustained_of(ceiling) : measured_of(ceiling);
        const struct rl_value value = rl_value_div(figure, than_of(&analysis->gpus[gpu], info), "nothing to compare it with");
        const bool good = rl_present(value) && value.v >= info->good_from, bad = rl_present(value) && value.v <= info->bad_to;
        struct filling filling = {&analysis->gpus[gpu], info, value.v};
        struct rl_buf text = RL_BUF_INIT;
        if (!good && !bad)
            continue;
        rl_expand_placeholders(&text, good ? info->good : info->bad, fill, &filling);
        found[count++] = (struct rl_strength){info, good, value.v, rl_arena_strdup(arena, text.data)};
        rl_buf_release(&text);
    }
    return count;
}
