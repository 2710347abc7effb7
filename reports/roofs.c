/* roofs.c - the roofs of a GPU as lines of charts (see page.h). What lies below them is in points.c. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "page.h"

/* The roofs of the DRAM roofline, the main ones first: kernels move by DRAM bytes, so L2 and L1 have no place on it. */
static const struct {
    enum rl_ceiling_id id;
    bool main;
    enum rl_metric work; /* operations below it */
} roof_rows[] = {
    {RL_CEILING_dram, true, RL_METRIC_COUNT},
    {RL_CEILING_fp32, true, RL_METRIC_COUNT},
    {RL_CEILING_fp64, false, RL_METRIC_flop_fp64},
    {RL_CEILING_fp16, false, RL_METRIC_flop_fp16},
};

static void *copy_array(struct rl_report *report, const void *bytes, size_t size)
{
    void *copy = rl_arena_alloc(report->arena, size);
    if (size > 0)
        memcpy(copy, bytes, size);
    return copy;
}

static const char *roof_label(struct rl_report *report, const struct rl_ceiling_info *info, double value, bool measured)
{
    return rl_words(report, "%s %s%s", info->label, rl_words_value(report, info->unit, rl_value_of(value), 3),
                    measured ? " measured" : "");
}

static size_t add_roof(struct rl_report *report, struct rl_chart_roof *roof, size_t row, const struct rl_ceiling *ceiling)
{
    const struct rl_ceiling_info *info = &rl_ceilings[roof_rows[row].id];
    size_t count = 0;
    bool measured = ceiling->measured.n > 0, slanted = info->kind == RL_BANDWIDTH;
    if (rl_present(ceiling->theoretical) && ceiling->theoretical.v > 0) {
        double v = ceiling->theoretical.v;
        roof[count++] =
            (struct rl_chart_roof){v, slanted, roof_rows[row].main && !measured, false, roof_label(report, info, v, false)};
    }
    if (measured && ceiling->measured.median > 0) {
        double v = ceiling->measured.median;
        roof[count++] = (struct rl_chart_roof){v, slanted, roof_rows[row].main, true, roof_label(report, info, v, true)};
    }
    return count;
}

/* True when a kernel of the GPU does work of this kind. */
static bool is_used(const struct rl_report *report, size_t gpu, enum rl_metric work)
{
    for (size_t i = 0; i < report->capture->kernel_count && work != RL_METRIC_COUNT; i++) {
        struct rl_value value = report->analysis->kernels[i].metric[work];
        if (report->capture->kernels[i].gpu == gpu && rl_present(value) && value.v > 0)
            return true;
    }
    return work == RL_METRIC_COUNT;
}

size_t rl_roofs_of(struct rl_report *report, size_t gpu, bool all, struct rl_chart_roof *roofs)
{
    static_assert(2 * RL_COUNT(roof_rows) <= RL_MOST_ROOFS, "room for all roofs, theoretical and measured");
    size_t count = 0;
    for (size_t i = 0; i < RL_COUNT(roof_rows); i++)
        if (all || is_used(report, gpu, roof_rows[i].work))
            count += add_roof(report, roofs + count, i, &report->analysis->gpus[gpu].ceiling[roof_rows[i].id]);
    return count;
}

size_t rl_roofs_dram_references(struct rl_report *report, size_t gpu, struct rl_chart_reference **references)
{
    const struct rl_ceiling *dram = &report->analysis->gpus[gpu].ceiling[RL_CEILING_dram];
    const struct rl_ceiling_info *info = &rl_ceilings[RL_CEILING_dram];
    struct rl_chart_reference rows[2];
    size_t count = 0;
    if (rl_present(dram->theoretical) && dram->theoretical.v > 0)
        rows[count++] =
            (struct rl_chart_reference){dram->theoretical.v, false, roof_label(report, info, dram->theoretical.v, false)};
    if (dram->measured.n > 0 && dram->measured.median > 0)
        rows[count++] =
            (struct rl_chart_reference){dram->measured.median, true, roof_label(report, info, dram->measured.median, true)};
    *references = copy_array(report, rows, count * sizeof *rows);
    return count;
}
