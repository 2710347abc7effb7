/* roofs.c - the roofs of a GPU as lines of charts (see roofline_entries.h). What lies below them is in points.c. */
#include "roofline_entries.h"

#define NO_BREAK_SPACE "\xC2\xA0"

/* The roofs of the DRAM roofline, the main ones first: kernels move by DRAM bytes, so L2 and L1 have no place on it. The main ones
 * are always there, the others where something works below them. */
static const struct {
    enum rl_ceiling_id id;
    bool main;
    bool always; /* also where nothing works below it, when all are asked for */
} roof_rows[] = {
    {RL_CEILING_dram, true, true},          {RL_CEILING_fp32, true, true},          {RL_CEILING_fp64, false, true},
    {RL_CEILING_fp16, false, true},         {RL_CEILING_tensor_fp16, false, false}, {RL_CEILING_tensor_bf16, false, false},
    {RL_CEILING_tensor_tf32, false, false}, {RL_CEILING_tensor_fp64, false, false}, {RL_CEILING_tensor_fp8, false, false},
};

static void *copy_array(struct rl_document *doc, const void *bytes, size_t size)
{
    void *copy = rl_arena_alloc(doc->arena, size);
    if (size > 0)
        memcpy(copy, bytes, size);
    return copy;
}

/* The name of a ceiling with no-break spaces: charts cut labels at the others where there is little room. */
const char *rl_roofs_name(struct rl_document *doc, enum rl_ceiling_id id)
{
    assert(id < RL_CEILING_COUNT);
    struct rl_buf out = RL_BUF_IN(doc->arena);
    for (const char *p = rl_ceilings[id].label; *p; p++)
        rl_buf_add(&out, *p == ' ' ? NO_BREAK_SPACE : p, *p == ' ' ? strlen(NO_BREAK_SPACE) : 1);
    return out.data;
}

/* "DRAM 4.63 TB/s" */
static const char *figure_text(struct rl_document *doc, enum rl_ceiling_id id, struct rl_value value)
{
    return rl_words(doc, "%s %s", rl_roofs_name(doc, id), rl_words_value(doc, rl_ceilings[id].unit, value, 3));
}

/* "DRAM 4.63 TB/s, 96.3 % of peak" of a measured roof. */
static const char *roof_label(struct rl_document *doc, const char *figure, struct rl_value share)
{
    return rl_present(share) ? rl_words(doc, "%s, %s of peak", figure, rl_words_value(doc, RL_UNIT_FRACTION, share, 3)) : figure;
}

/* "DRAM 96.3 %"; NULL where it is unknown. */
static const char *share_text(struct rl_document *doc, enum rl_ceiling_id id, const struct rl_ceiling *ceiling)
{
    if (!rl_present(ceiling->share))
        return NULL;
    return rl_words(doc, "%s %s", rl_ceilings[id].label, rl_words_value(doc, RL_UNIT_FRACTION, ceiling->share, 3));
}

size_t rl_roofs_add(struct rl_document *doc, const struct rl_analysis *analysis, size_t gpu, enum rl_ceiling_id id, bool main,
                    struct rl_chart_roof *roof)
{
    assert(id < RL_CEILING_COUNT);
    const struct rl_ceiling *ceiling = &analysis->gpus[gpu].ceiling[id];
    size_t count = 0;
    const char *figure = figure_text(doc, id, rl_value_of(ceiling->measured.median));
    bool measured = ceiling->measured.n > 0 && ceiling->measured.median > 0, slanted = rl_ceilings[id].kind == RL_BANDWIDTH;
    if (rl_positive(ceiling->theoretical))
        roof[count++] = (struct rl_chart_roof){.value = ceiling->theoretical.v,
                                               .slanted = slanted,
                                               .main = main && !measured,
                                               .label = measured ? NULL : figure_text(doc, id, ceiling->theoretical),
                                               .name = rl_roofs_name(doc, id)};
    if (measured)
        roof[count++] = (struct rl_chart_roof){.value = ceiling->measured.median,
                                               .slanted = slanted,
                                               .main = main,
                                               .measured = true,
                                               .label = roof_label(doc, figure, ceiling->share),
                                               .figure = figure,
                                               .name = rl_roofs_name(doc, id),
                                               .share = share_text(doc, id, ceiling),
                                               .low = ceiling->measured.min,
                                               .high = ceiling->measured.max};
    return count;
}

/* Whether a kernel has operations of the roof's kind. */
static bool has_work(const struct rl_analysis *analysis, size_t gpu, enum rl_ceiling_id id)
{
    const size_t *kernels, count = rl_group(&analysis->index.kernels_of_gpu, gpu, &kernels);
    for (size_t k = 0; k < count; k++)
        for (size_t i = 0; i < RL_ARITHMETICS; i++) {
            struct rl_value work = rl_arithmetic_work(analysis->kernels[kernels[k]].metric, i);
            if (rl_arithmetics[i].roof == id && rl_positive(work))
                return true;
        }
    return false;
}

size_t rl_roofs_of(struct rl_document *doc, const struct rl_analysis *analysis, size_t gpu, bool all, struct rl_chart_roof *roofs)
{
    static_assert(2 * RL_COUNT(roof_rows) <= RL_MOST_ROOFS, "room for all roofs, theoretical and measured");
    size_t count = 0;
    for (size_t i = 0; i < RL_COUNT(roof_rows); i++)
        if (roof_rows[i].main || (all && roof_rows[i].always) || has_work(analysis, gpu, roof_rows[i].id))
            count += rl_roofs_add(doc, analysis, gpu, roof_rows[i].id, roof_rows[i].main, roofs + count);
    return count;
}

const char *rl_roofs_text(struct rl_document *doc, const struct rl_analysis *analysis, size_t gpu,
                          const struct rl_chart_roofline *chart)
{
    assert(gpu < analysis->capture->gpu_count);
    const char *clock = rl_present(analysis->gpus[gpu].assumed_clock) ? "highest clock of the GPU" : "clock of the passes";
    struct rl_buf out = RL_BUF_IN(doc->arena);
    bool measured = false, theoretical = false;
    for (size_t i = 0; i < chart->roof_count; i++)
        *(chart->roofs[i].measured ? &measured : &theoretical) = true;
    if (measured && theoretical)
        rl_buf_addf(&out, " Solid roofs were measured here, dashed ones are theoretical at the %s", clock);
    else if (measured)
        rl_buf_adds(&out, " Roofs were measured here");
    else if (theoretical)
        rl_buf_addf(&out, " Roofs are theoretical, at the %s", clock);
    rl_buf_adds(&out, out.len > 0 ? "." : "");
    return out.data;
}

/* The figure ends the label: two of them may stand side by side. */
static const char *dram_label(struct rl_document *doc, struct rl_value value, const char *origin)
{
    return rl_words(doc, "DRAM %s %s", origin, rl_words_value(doc, RL_UNIT_BYTE_PER_SECOND, value, 3));
}

size_t rl_roofs_dram_references(struct rl_document *doc, const struct rl_analysis *analysis, size_t gpu,
                                struct rl_chart_reference **references)
{
    assert(gpu < analysis->capture->gpu_count);
    const struct rl_ceiling *dram = &analysis->gpus[gpu].ceiling[RL_CEILING_dram];
    struct rl_chart_reference rows[2];
    size_t count = 0;
    if (rl_positive(dram->theoretical))
        rows[count++] = (struct rl_chart_reference){dram->theoretical.v, false, dram_label(doc, dram->theoretical, "peak")};
    if (dram->measured.n > 0 && dram->measured.median > 0)
        rows[count++] = (struct rl_chart_reference){dram->measured.median, true,
                                                    dram_label(doc, rl_value_of(dram->measured.median), "measured")};
    *references = copy_array(doc, rows, count * sizeof *rows);
    return count;
}
