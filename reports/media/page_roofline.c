/* page_roofline.c - all kernels of a GPU against its DRAM roof. */
#include "cover.h"
#include "view_table.h"

/* ---- the charts ---- */

#define LEVELS_HEIGHT 300.0
#define BEST_HEIGHT   262.0 /* of the suite: below the readings of the GPU */
#define ALONE_HEIGHT  626.0 /* of one whose ceilings fill that page: a page */
#define LETTER_LESS   62.0  /* the page is that much shorter */
enum { FEW_CEILINGS = 4 };

/* The caption of the `i`th chart: what it shows, and how that was measured (NULL: as the one before). */
static const char *caption_of(struct rl_report *report, const struct rl_section *section, size_t gpu, size_t i, const char **method)
{
    const struct rl_chart *chart = &report->doc->charts[section->first_chart + i];
    *method = i ? NULL
                : rl_words(report->doc, "Work from counters over the median time without counters.%s",
                           rl_roofs_text(report->doc, report->analysis, gpu, &chart->roofline));
    return i == 0 && rl_levels_has(report, gpu, RL_LEVELS_ARITHMETIC)
               ? rl_words(report->doc, "%s A mark for each level, joined; the limiting level is filled.",
                          rl_levels_chosen_text(report, gpu))
               : rl_words(report->doc, "%s: warp instructions against each level.", rl_levels_executing_text(report, gpu));
}

static void draw_levels(struct rl_report *report, const struct rl_section *section, size_t gpu)
{
    if (section->chart_count == 0)
        rl_layout_textf(report->doc->layout, RL_STYLE_LEAD, "No roofline: %s no kernel can be placed.",
                        rl_words_uncounted(report->doc, &report->capture->session));
    for (size_t i = 0; i < section->chart_count; i++) {
        const char *method, *caption = caption_of(report, section, gpu, i, &method);
        rl_layout_figure(report->doc->layout, &rl_document_result(report->doc, section, i)->drawing, caption, method);
        rl_layout_skip(report->doc->layout, 10);
    }
}

static void plan(struct rl_document *doc, struct rl_section *section)
{
    struct rl_report *report = doc->subject;
    size_t gpu = rl_page_gpu(report, section->id, section->instance);
    if (rl_roofline_entries_of(report, gpu)->suite) {
        struct rl_chart *best = rl_cover_has_roofline(report, gpu) ? NULL : rl_points_best(report, section, gpu);
        if (best)
            best->height = rl_ceilings_left(report, gpu) > FEW_CEILINGS && rl_report_is_of_suite(report)
                               ? ALONE_HEIGHT - (doc->options->paper == RL_PAPER_LETTER ? LETTER_LESS : 0)
                               : BEST_HEIGHT;
        return;
    }
    if (rl_levels_has(report, gpu, RL_LEVELS_ARITHMETIC)) {
        rl_levels_plan(report, section, gpu, RL_LEVELS_ARITHMETIC);
        report->doc->charts[report->doc->chart_count - 1].height = LEVELS_HEIGHT;
    }
    if (rl_levels_has(report, gpu, RL_LEVELS_INSTRUCTIONS) && (section->chart_count == 0 || rl_levels_issue_leads(report, gpu))) {
        rl_levels_plan(report, section, gpu, RL_LEVELS_INSTRUCTIONS);
        report->doc->charts[report->doc->chart_count - 1].height = LEVELS_HEIGHT;
    }
}

/* ---- above a roof ---- */

static double above_ratio(const struct rl_roofline_entry *entry)
{
    return entry->family ? entry->family->figures->above_roof_ratio : entry->kernel ? entry->kernel->above_roof_ratio : 1;
}

/* Whether it has a line: counters that contradict each other are no statement about a roof. */
static bool is_above(const struct rl_roofline_entry *entry)
{
    return entry->above_roof && entry->shows && !(entry->kernel && entry->kernel->contradictions);
}

/* ---- headroom ---- */

#define LEAST_HEADROOM 0.001 /* of GPU time */

struct headroom_row {
    const char *kernel, *resource;
    double time_s, roof_s;
    enum rl_time_state state; /* of the time */
    size_t target;
    enum rl_tone tone;
    struct rl_value share;
};
VIEW_CELL(headroom_time_cell, struct headroom_row, view_cell_signed(rl_value_of(row->time_s), rl_time_state_sign(row->state)));

static const struct view_field headroom_fields[] = {
    {.id = "kernel", VIEW_AT(struct headroom_row, kernel), .look = VIEW_LOOK_CODE, .columns = 60},
    {.id = "resource", .head = "nearest roof", VIEW_AT(struct headroom_row, resource)},
    {.id = "share", .head = "of roof", VIEW_AT(struct headroom_row, share), .unit = RL_UNIT_FRACTION, .digits = 3, .bar = true},
    {.id = "time_s", .head = "GPU time", VIEW_GET(NUMBER, headroom_time_cell), .unit = RL_UNIT_SECOND, .digits = 3},
    {.id = "roof_s", .head = "at the roof", VIEW_AT(struct headroom_row, roof_s), .unit = RL_UNIT_SECOND, .digits = 3},
};

static void dress_headroom(void *to, const struct view_field *field, const void *row, struct rl_grid_cell *cell)
{
    const struct headroom_row *of = row;
    if (row && field->bar)
        cell->share_tone = of->tone;
    if (row && field == &headroom_fields[0])
        cell->target = of->target;
}

/* The time of each kernel at the roof that it is nearest to. */
static void draw_headroom(struct rl_report *report, size_t gpu)
{
    enum { MOST = 12 };
    const struct rl_kernel_blocks *blocks = rl_kernel_blocks_of(report, gpu);
    struct headroom_row rows[MOST];
    size_t count = 0;
    double time_s = 0, roof_s = 0;
    for (size_t i = 0; i < blocks->count && count < MOST; i++) {
        const struct rl_family *family = blocks->family[i];
        const enum rl_resource first =
            family->figures ? family->figures->nearest : report->analysis->kernels[family->kernel].limits.first;
        const bool differs = family->figures && first == RL_RESOURCE_COUNT;
        const struct rl_roofline_entry entry = rl_entry_of_family(report, family);
        if (!rl_present(entry.roof_share) || (first == RL_RESOURCE_COUNT && !differs) || entry.above_roof ||
            entry.roof_share.v <= 0 || family->gpu_s < LEAST_HEADROOM * blocks->total_ns * 1e-9)
            continue;
        rows[count++] = (struct headroom_row){.kernel = rl_family_label(report, family, 60),
                                              .resource = differs ? "configurations differ" : rl_resources[first].label,
                                              .time_s = family->gpu_s,
                                              .state = family->time.state,
                                              .roof_s = family->gpu_s * entry.roof_share.v,
                                              .target = rl_kernel_target(report, family->kernel),
                                              .tone = rl_words_tone(differs ? family->figures->limiter : first),
                                              .share = entry.roof_share};
        time_s += family->gpu_s;
        roof_s += family->gpu_s * entry.roof_share.v;
    }
    rl_view_table(report->doc->layout, &report->view,
                  &(struct rl_view_table){RL_TABLE(headroom_fields, rows, count), .title = "Headroom", .dress = dress_headroom});
    if (count)
        rl_layout_textf(report->doc->layout, RL_STYLE_BODY, "Together %s; at their roofs %s (%s).",
                        rl_words_seconds(report->doc, time_s), rl_words_seconds(report->doc, roof_s),
                        rl_words_value(report->doc, RL_UNIT_FRACTION, rl_value_of(roof_s / time_s), 3));
}

/* Whether the first chart begins another page, so that the table fills this one. */
static bool headroom_leads(struct rl_report *report, const struct rl_section *section, size_t gpu)
{
    if (section->chart_count == 0 || rl_cover_has_roofline(report, gpu))
        return false;
    const char *method, *caption = caption_of(report, section, gpu, 0, &method);
    return !rl_layout_figure_fits(report->doc->layout, &rl_document_result(report->doc, section, 0)->drawing, caption, method);
}

static void draw(struct rl_document *doc, struct rl_section *section)
{
    struct rl_report *report = doc->subject;
    size_t gpu = rl_page_gpu(report, section->id, section->instance);
    const bool suite = rl_roofline_entries_of(report, gpu)->suite, leads = !suite && headroom_leads(report, section, gpu);
    if (leads)
        draw_headroom(report, gpu);
    if (suite && section->chart_count)
        rl_roofline_draw_best(report, section, gpu);
    else if (!rl_cover_has_roofline(report, gpu))
        draw_levels(report, section, gpu);
    if (!suite && !leads)
        draw_headroom(report, gpu);
    /* Every point above a roof says something about the roof or the measurement: what, as far as it is known. */
    enum { MOST = 6 };
    const struct rl_roofline_entries *entries = rl_roofline_entries_of(report, gpu);
    size_t all = 0, said = 0;
    for (size_t i = 0; i < entries->count; i++)
        all += is_above(&entries->at[i]);
    for (size_t i = 0; i < entries->count && said < MOST; i++) {
        const struct rl_roofline_entry *entry = &entries->at[i];
        if (!is_above(entry))
            continue;
        struct rl_para para = {0};
        if (said++ == 0)
            rl_layout_subsection(report->doc->layout, "Above a roof");
        rl_para_addf(report->doc->layout, &para, RL_STYLE_STRONG, "%s: ", rl_words_short(report->doc, entry->label, 60));
        rl_para_addf(report->doc->layout, &para, RL_STYLE_BODY, "%s times the %s.",
                     rl_words_value(report->doc, RL_UNIT_NONE, rl_value_of(above_ratio(entry)), 3), entry->above_roof);
        if (said == MOST && all > MOST)
            rl_para_addf(report->doc->layout, &para, RL_STYLE_NOTE, " %zu more%s.", all - MOST,
                         rl_report_is_full(report) ? ": rooflight show --full" : ": rooflight report --full");
        rl_layout_item(report->doc->layout, RL_MARK_ATTENTION, &para);
    }
}

#define CHART_ROOM 550.0 /* for the chart, the bars and the first rows */
#define TABLE_ROOM 150.0 /* for the first rows */

const struct rl_page rl_page_roofline = {
    .each_gpu = rl_page_gpu_was_measured, .plan = plan, .draw = draw, .joins = CHART_ROOM, .fills = TABLE_ROOM};
