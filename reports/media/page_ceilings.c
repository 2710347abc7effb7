/* page_ceilings.c - what the GPU can do: theory, what was measured of it, and how. */

#include "roofline_entries.h"

/* ---- the sentence that says it ---- */

static const char *said(struct rl_report *report, size_t gpu, enum rl_ceiling_id id, const char *verb)
{
    const struct rl_ceiling *ceiling = &report->analysis->gpus[gpu].ceiling[id];
    if (ceiling->measured.n == 0)
        return NULL;
    const char *share = rl_present(ceiling->share) ? rl_words(report->doc, " (%s of peak)",
                                                              rl_words_value(report->doc, RL_UNIT_FRACTION, ceiling->share, 3))
                                                   : "";
    return rl_words(report->doc, "%s %s%s", verb,
                    rl_words_value(report->doc, rl_ceilings[id].unit, rl_value_of(ceiling->measured.median), 3), share);
}

/* The fastest of the tensor cores' floating-point rates that were measured. */
static enum rl_ceiling_id fastest_tensor(const struct rl_report *report, size_t gpu)
{
    const struct rl_ceiling *ceilings = report->analysis->gpus[gpu].ceiling;
    enum rl_ceiling_id best = RL_CEILING_tensor_fp16;
    for (size_t i = 0; i < RL_CEILING_COUNT; i++)
        if (rl_ceilings[i].level == RL_LEVEL_TENSOR && rl_ceilings[i].unit == RL_UNIT_FLOP_PER_SECOND &&
            ceilings[i].measured.n > 0 && ceilings[i].measured.median > ceilings[best].measured.median)
            best = (enum rl_ceiling_id)i;
    return best;
}

static const char *lead(struct rl_report *report, size_t gpu)
{
    enum rl_ceiling_id tensor = fastest_tensor(report, gpu);
    const char *parts[] = {
        said(report, gpu, RL_CEILING_dram, "device memory delivers"),
        said(report, gpu, RL_CEILING_fp32, "FP32 arithmetic reaches"),
        said(report, gpu, tensor, rl_ceilings[tensor].label),
    };
    const char *text = "";
    for (size_t i = 0; i < RL_COUNT(parts); i++)
        if (parts[i])
            text = rl_words(report->doc, "%s%s%s", text, text[0] ? ", " : "", parts[i]);
    return text[0] ? rl_words(report->doc, "Measured on this GPU: %s.", text)
                   : "None of the figures measured on this GPU can be used.";
}

/* ---- what cannot be used, and how to read the table ---- */

static void draw_refused(struct rl_report *report, size_t gpu)
{
    if (!rl_ceilings_any_refused(report, gpu))
        return;
    rl_layout_subsection(report->doc->layout, "Measured but rejected");
    for (size_t i = 0; i < RL_CEILING_COUNT; i++) {
        const struct rl_ceiling *ceiling = &report->analysis->gpus[gpu].ceiling[i];
        struct rl_para para = {0};
        if (!ceiling->refused || !rl_ceiling_listed(ceiling, (enum rl_ceiling_id)i))
            continue;
        rl_para_addf(report->doc->layout, &para, RL_STYLE_STRONG, "%s: ", rl_ceilings[i].label);
        rl_para_addf(report->doc->layout, &para, RL_STYLE_BODY, "%s. The theoretical figure stays the roof.", ceiling->refused);
        rl_layout_item(report->doc->layout, RL_MARK_ATTENTION, &para);
        rl_layout_skip(report->doc->layout, 3);
    }
}

static void draw(struct rl_document *doc, struct rl_section *section)
{
    struct rl_report *report = doc->subject;
    size_t gpu = rl_page_gpu(report, section->id, section->instance);
    if (!rl_report_is_of_suite(report)) { /* the first page says it */
        rl_layout_text(report->doc->layout, RL_STYLE_LEAD, lead(report, gpu));
        rl_layout_skip(report->doc->layout, 8);
    }
    rl_ceilings_draw(report, gpu, RL_CEILINGS_MEASURED);
    const struct rl_stats *clock = &report->analysis->gpus[gpu].sm_clock;
    const char *roofs = clock->n > 0
                            ? rl_words(report->doc, " The dashed roofs in the charts are drawn at %s, the median over the kernels.",
                                       rl_words_value(report->doc, RL_UNIT_HERTZ, rl_value_of(clock->median), 4))
                            : "";
    rl_layout_skip(report->doc->layout, 4);
    rl_layout_textf(report->doc->layout, RL_STYLE_NOTE,
                    "Peak: at the SM clock during the measurement itself, so that a lowered clock does not count against the "
                    "benchmark.%s Measured: median over many launches of the fastest setting of the sweep. Data sheet: the "
                    "peak that the maker states, or one at the clock behind it.",
                    roofs);
    rl_layout_notes(report->doc->layout);
    draw_refused(report, gpu);
    if (rl_report_is_full(report)) /* otherwise the first page has them */
        if (!rl_ceilings_draw(report, gpu, RL_CEILINGS_SUSTAINED))
            rl_layout_text(report->doc->layout, RL_STYLE_BODY,
                           "Burst and sustained: the figures above are those of the first seconds; rates under long load were not "
                           "measured in this session.");
    rl_layout_notes(report->doc->layout);
    if (!rl_report_is_full(report)) {
        rl_layout_text(report->doc->layout, RL_STYLE_NOTE, "Definition of each roof: rooflight report --full.");
        return;
    }
    rl_ceilings_draw(report, gpu, RL_CEILINGS_DEFINITIONS);
}

static bool has_one(const struct rl_document *doc, size_t gpu)
{
    const struct rl_report *report = doc->subject;
    return rl_ceilings_any_measured(report, gpu) && (rl_ceilings_left(report, gpu) > 0 || rl_ceilings_any_refused(report, gpu));
}

#define JOINS 150.0 /* heading and the first rows */

const struct rl_page rl_page_ceilings = {.each_gpu = has_one, .draw = draw, .joins = JOINS};
