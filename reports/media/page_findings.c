/* page_findings.c - what the rules found: of session and GPU in words, of kernels in a table, by time saved. */
#include "page.h"
#include "results/brief.h"
#include "view_table.h"

enum { MOST_ROWS = 60 };

static void draw(struct rl_document *doc, struct rl_section *section)
{
    struct rl_report *report = doc->subject;
    const size_t gpu = rl_page_gpu(report, section->id, section->instance);
    rl_layout_textf(doc->layout, RL_STYLE_LEAD, "%d rules checked the session, the GPU and every kernel.", (int)RL_RULE_COUNT);
    rl_layout_subsection(doc->layout, "Session and GPU");
    const struct rl_finding *finding = rl_finding_about(report->analysis, gpu, 0);
    if (!finding)
        rl_layout_text(doc->layout, RL_STYLE_BODY, "No rule about session and GPU found anything to report.");
    for (size_t i = 0; finding; finding = rl_finding_about(report->analysis, gpu, ++i)) {
        struct rl_para para = {0};
        rl_para_addf(doc->layout, &para, RL_STYLE_STRONG, "%s: ", rl_rules[finding->rule].problem);
        rl_para_add(doc->layout, &para, RL_STYLE_BODY, finding->text);
        rl_layout_item(doc->layout, RL_MARK_ATTENTION, &para);
        rl_layout_skip(doc->layout, 3);
    }
    /* Those of the GPU's kernels, in the order of what they could save. */
    struct rl_ranked_finding *rows = rl_arena_alloc(doc->arena, (report->ranked_count + 1) * sizeof *rows);
    size_t count = 0;
    for (size_t i = 0; i < report->ranked_count; i++) {
        const size_t kernel = report->ranked[i].kernel;
        if (kernel != RL_NONE && rl_families_gpu(report->families, report->capture->kernels[kernel].gpu) == gpu)
            rows[count++] = report->ranked[i];
    }
    view_findings_once(rows, count < MOST_ROWS ? count : MOST_ROWS);
    if (!rl_view_table(doc->layout, &report->view,
                       &(struct rl_view_table){.record = &view_record_brief_finding,
                                               .rows = VIEW_ROWS(rows, count),
                                               .title = "Kernels",
                                               .columns = "subject,saving_s,words",
                                               .most = MOST_ROWS,
                                               .tight = true,
                                               .foot = "Saving: at most, in all launches together; those of one kernel overlap. "
                                                       "Conditions, thresholds and sources of all rules: rooflight list "
                                                       "findings."})) {
        rl_layout_subsection(doc->layout, "Kernels");
        rl_layout_text(doc->layout, RL_STYLE_BODY, "No rule found anything to report about a kernel.");
    }
}

/* Findings about few kernels are on the first page and in their blocks. */
static bool has_one(const struct rl_document *doc, size_t gpu)
{
    const struct rl_report *report = doc->subject;
    const size_t *at;
    return rl_group(&report->analysis->index.kernels_of_gpu, gpu, &at) > 1;
}

const struct rl_page rl_page_findings = {.each_gpu = has_one, .draw = draw, .joins = 150};
