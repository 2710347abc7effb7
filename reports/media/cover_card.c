/* cover_card.c - the first page about a GPU: what it can do, against theory and data sheet, what is not as it should be, its
 * health; claims last (see cover.h). Everything is of one GPU. */
#include "cover.h"
#include "experiment.h"

/* ---- curves over the size of what is worked on ---- */

#define CURVE_HEIGHT    98.0
#define ROOFLINE_HEIGHT 268.0
enum { MOST_CURVES = 2 };

static bool is_over_bytes(const struct rl_experiment *experiment)
{
    return experiment->form.form == RL_CHART_FORM_LINE && experiment->form.axis && experiment->form.axis_unit == RL_UNIT_BYTE;
}

bool rl_cover_has_roofline(const struct rl_report *report, size_t gpu)
{
    const size_t *variants;
    return rl_group(&report->analysis->index.variants_of_gpu, gpu, &variants) > 0 && !rl_ceilings_any_measured(report, gpu) &&
           gpu == rl_page_gpu(report, RL_PAGE_roofline, 0) && rl_page_target(report, RL_PAGE_cover) != RL_NO_TARGET;
}

void rl_cover_card_plan(struct rl_report *report, struct rl_section *section, size_t gpu)
{
    if (rl_cover_has_roofline(report, gpu)) {
        struct rl_chart *best = rl_points_best(report, section, gpu);
        if (best)
            best->height = ROOFLINE_HEIGHT;
        return;
    }
    size_t first = 0;
    const size_t count = rl_report_is_of_suite(report) ? 0 : rl_experiments_on(report, gpu, &first); /* they have them larger */
    for (size_t i = 0; i < count && section->chart_count < MOST_CURVES; i++) {
        const struct rl_view view = rl_view_of(report, rl_experiment_key_of(report, first + i));
        struct rl_chart *chart = is_over_bytes(view.experiment) ? rl_view_plan_curve(report, section, &view) : NULL;
        if (chart) {
            chart->width = RL_CHART_HALF;
            chart->height = CURVE_HEIGHT;
            chart->lines.show_values = false;
        }
    }
}

static void draw_curves(struct rl_report *report, const struct rl_section *section, size_t gpu)
{
    struct rl_box *box = rl_flow_begin(report->doc->layout), *row = rl_box_row(box);
    for (size_t i = 0; i < section->chart_count; i++)
        rl_box_drawing(rl_box_cell(row, RL_ALL_COLUMNS / MOST_CURVES), &rl_document_result(report->doc, section, i)->drawing,
                       "a figure of the GPU over the size of what is worked on");
    rl_flow_end(box);
}

/* ---- the answer ---- */

/* "66.2 TFLOP/s (98.9 % of the data sheet)". */
static const char *against_sheet(struct rl_report *report, const struct rl_ceiling *ceiling, enum rl_ceiling_id id)
{
    const char *rate = rl_words_value(report->doc, rl_ceilings[id].unit, rl_value_of(ceiling->measured.median), 3);
    return rl_present(ceiling->data_sheet_share)
               ? rl_words(report->doc, "%s (%s of the data sheet)", rate,
                          rl_words_value(report->doc, RL_UNIT_FRACTION, ceiling->data_sheet_share, 3))
               : rate;
}

const char *rl_cover_card_answer(struct rl_report *report, size_t gpu)
{
    assert(gpu < report->capture->gpu_count);
    static const struct {
        enum rl_ceiling_id id;
        const char *does;
    } rows[] = {{RL_CEILING_dram, "device memory reads at"},
                {RL_CEILING_fp32, "FP32 arithmetic runs at"},
                {RL_CEILING_tensor_bf16, "BF16 matrix products run at"}};
    struct rl_buf text = RL_BUF_IN(report->doc->arena);
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        const struct rl_ceiling *ceiling = &report->analysis->gpus[gpu].ceiling[rows[i].id];
        if (ceiling->measured.n == 0)
            continue;
        rl_buf_addf(&text, "%s%s %s", text.len ? ", " : "", rows[i].does, against_sheet(report, ceiling, rows[i].id));
        if (ceiling->sustained.n > 0 && rl_present(ceiling->sustained_share) && ceiling->sustained_share.v < 0.97)
            rl_buf_addf(&text, ", and at %s under long load",
                        rl_words_value(report->doc, rl_ceilings[rows[i].id].unit, rl_value_of(ceiling->sustained.median), 3));
    }
    return text.len ? rl_words(report->doc, "%s.", rl_words_sentence(report->doc, text.data)) : NULL;
}

/* ---- claims last ---- */

static void draw_claims(struct rl_report *report, size_t gpu)
{
    const char *held = rl_words_claims_held(report->doc, report->analysis, gpu);
    struct rl_para para = {0};
    if (!held[0])
        return;
    struct rl_box *box = rl_flow_begin(report->doc->layout);
    rl_para_add(report->doc->layout, &para, RL_STYLE_STRONG, "Claims: ");
    rl_para_addf(report->doc->layout, &para, RL_STYLE_BODY, "%s.", held);
    rl_box_entry(box, RL_MARK_OPEN, &para, rl_page_target(report, RL_PAGE_overview));
    rl_flow_end(box);
}

/* ---- the page below its head ---- */

enum { MOST_DEVIATIONS = 6 };
#define SENTENCE_GAP 2.0

void rl_cover_card_draw(struct rl_report *report, const struct rl_section *section, size_t gpu)
{
    struct rl_layout *layout = report->doc->layout;
    rl_ceilings_draw(report, gpu, RL_CEILINGS_FIRST);
    if (section->chart_count > 0) {
        rl_layout_skip(layout, 6);
        (rl_cover_has_roofline(report, gpu) ? rl_roofline_draw_best : draw_curves)(report, section, gpu);
    }
    rl_layout_skip(layout, 8);
    struct rl_box *box = rl_flow_begin(report->doc->layout), *row = rl_box_row(box);
    /* The findings about session and GPU, each with what to do about it. */
    struct rl_box *cell = rl_box_cell(row, 8);
    const struct rl_finding *finding;
    size_t said = 0;
    rl_box_text(cell, RL_STYLE_SUBSECTION, "Deviations");
    rl_box_gap(cell, SENTENCE_GAP);
    for (size_t i = 0; said < MOST_DEVIATIONS && (finding = rl_finding_about(report->analysis, gpu, i)); i++, said++) {
        struct rl_para para = {0};
        rl_para_addf(report->doc->layout, &para, RL_STYLE_STRONG, "%s: ", rl_rules[finding->rule].problem);
        rl_para_add(report->doc->layout, &para, RL_STYLE_BODY, finding->text);
        rl_box_item(cell, RL_MARK_ATTENTION, &para);
        rl_box_gap(cell, SENTENCE_GAP);
    }
    if (!said)
        rl_box_text(cell, RL_STYLE_BODY, "None: the GPU is as fast and as steady as it should be.");
    rl_cover_health_add(report, rl_box_cell(row, 4), gpu);
    rl_flow_end(box);
    rl_layout_skip(layout, 6);
    draw_claims(report, gpu);
}
