/* compare_projection.c - one GPU that is not at hand: its roofs, what is assumed, and every launch of the base under them. */
#include "compare_doc.h"

enum { MOST_ROWS = 400 };

/* A list of the projection under a title. */
static bool lay_list(struct rl_document *doc, const struct view *view, const char *list, const char *title, const char *columns)
{
    rl_layout_skip(doc->layout, 8);
    return rl_view_table(
        doc->layout, view,
        &(struct rl_view_table){
            .list = list, .title = rl_view_words(doc->layout, view, title), .columns = columns, .most = MOST_ROWS});
}

static const char *base_card(struct rl_document *doc)
{
    const struct rl_capture *capture = rl_compare_what(doc)->parts[0].analysis->capture;
    return capture->gpu_count ? rl_words_short(doc, rl_card_short(capture->gpus[0].name), 30) : "unknown GPU";
}

static void draw_projection(struct rl_document *doc, struct rl_section *section)
{
    const struct view_compare *compare = rl_compare_what(doc);
    const struct rl_projection *projection = compare->options.projections[section->instance];
    const struct view view = {.record = &view_record_projection,
                              .row = &compare->projections[section->instance],
                              .subject = compare,
                              .arena = doc->arena};
    rl_layout_textf(
        doc->layout, RL_STYLE_BODY,
        "The work that was counted on the %s, under the roofs of the %s. Share here: how much of the same bound the measured time "
        "reaches, under roofs of the same kind (measured by rooflight on both GPUs, else theoretical; for DRAM as measured by "
        "others). Bound: the shortest time that the roofs allow, followed by the range from the roofs of the data sheet to the "
        "boldest "
        "assumption. Estimate: the time here, as much longer as the resource that limits there; 90 %% of times measured on both "
        "GPUs of a chip lay within its interval.",
        base_card(doc), projection->card->id);
    lay_list(doc, &view, "used", "Roofs of the {card} behind the projection", "roof,taken,data_sheet,origin");
    rl_layout_skip(doc->layout, 8);
    rl_layout_subsection(doc->layout, "What is assumed");
    for (size_t i = 0; i < projection->assumption_count; i++) {
        struct rl_para para = {0};
        rl_para_add(doc->layout, &para, RL_STYLE_BODY, projection->assumptions[i]);
        rl_layout_item(doc->layout, RL_MARK_QUIET, &para);
    }
    if (!lay_list(doc, &view, "kernels", "Times, projected to the {card}",
                  "name,measured_here_s,share_here,bound_s,interval,roof,estimate_s,estimate_interval"))
        rl_layout_text(doc->layout, RL_STYLE_BODY, "The capture has no kernel.");
    lay_list(doc, &view, "limited", "Static occupancy, projected to the {card}", "name,occupancy_here,occupancy,limited_by");
    rl_layout_text(doc->layout, RL_STYLE_NOTE,
                   rl_view_words(doc->layout, &view, "[Static occupancy is 100 % here and there for {full kernel|kernels}.]"));
}

const struct rl_page rl_compare_page_projection = {.draw = draw_projection, .joins = RL_COMPARE_ROWS};
