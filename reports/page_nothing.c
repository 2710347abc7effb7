/* page_nothing.c - the first page of a capture without a kernel: it says why there is nothing to show. */
#include "page.h"

static void draw_reasons(struct rl_report *report)
{
    const struct rl_capture *capture = report->capture;
    struct rl_para para = RL_PARA_INIT;
    size_t reasons = 0;
    for (size_t i = 0; i < capture->variant_count && reasons < 12; i++) {
        const struct rl_variant *variant = &capture->variants[i];
        if (variant->status == RL_VARIANT_DONE)
            continue;
        rl_para_release(&para);
        rl_para_addf(report->layout, &para, RL_STYLE_BODY, "%s / %s: %s%s%s", capture->experiments[variant->experiment].name,
                     variant->name, rl_variant_status_name(variant->status), variant->reason ? ": " : "",
                     variant->reason ? variant->reason : "");
        rl_layout_item(report->layout, RL_MARK_QUIET, &para);
        reasons++;
    }
    for (size_t i = 0; i < capture->log_count && reasons < 24; i++) {
        if (capture->log[i].level == RL_LOG_NOTE)
            continue;
        rl_para_release(&para);
        rl_para_add(report->layout, &para, RL_STYLE_BODY, capture->log[i].text);
        rl_layout_item(report->layout, RL_MARK_ATTENTION, &para);
        reasons++;
    }
    rl_para_release(&para);
    if (reasons == 0)
        rl_layout_text(report->layout, RL_STYLE_BODY,
                       capture->session.complete ? "The session ran to its end, gave no warning, and saw no kernel: the program "
                                                   "launched none, or none that was asked for."
                                                 : "The session did not run to its end, and no kernel was finished by then.");
}

static void draw(struct rl_report *report, struct rl_section *section)
{
    rl_layout_text(report->layout, RL_STYLE_DISPLAY, report->capture->gpu_count ? rl_words_card(report, 0) : section->title);
    rl_layout_text(report->layout, RL_STYLE_LEAD, "This capture holds no kernel, so there is nothing to show about performance.");
    rl_layout_skip(report->layout, 10);
    rl_layout_subsection(report->layout, "Why");
    draw_reasons(report);
}

const struct rl_page rl_page_nothing = {.draw = draw};
