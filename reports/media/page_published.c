/* page_published.c - figures that others have published: all of them on one page, with where they are printed, what each comes to
 * under the roofs of the GPU, and what they leave open. */
#include "experiment.h"
#include "view_table.h"

enum { MOST_ROWS = 60, MOST_SOURCES = 12, FACTS = 3 };

static bool is_published(const struct rl_capture *capture)
{
    return capture->session.source && strcmp(capture->session.source, "published") == 0;
}

/* ---- the figures ---- */

static struct rl_value threads_of(struct rl_report *report, const struct rl_view *view, size_t i)
{
    const struct rl_kernel_result *result = view->entries[i].kernel;
    const uint32_t *block = result ? report->capture->kernels[result->kernel].block : NULL;
    return block && block[0] ? rl_value_of((double)block[0] * block[1] * block[2]) : rl_value_missing(RL_NOT_COLLECTED, "");
}

static struct rl_value occupancy_of(struct rl_report *report, const struct rl_view *view, size_t i)
{
    return rl_view_metric(report, view, i, RL_METRIC_theoretical_occupancy);
}

/* Facts of the code, which follow from no time. */
static const struct {
    const char *head;
    enum rl_unit unit;
    rl_view_value value;
} facts[FACTS] = {
    {"threads per block", RL_UNIT_COUNT, threads_of},
    {"registers per thread", RL_UNIT_COUNT, rl_view_registers},
    {"theoretical occupancy", RL_UNIT_FRACTION, occupancy_of},
};

/* Without the reason: most figures of others are not there. */
static struct rl_value there(struct rl_value value)
{
    return rl_present(value) ? value : rl_value_missing(RL_NOT_COLLECTED, "");
}

/* Rows of all variants of the experiments; `known` gets which facts one of them has. */
static size_t fill(struct rl_report *report, size_t gpu, struct rl_entry_row *rows, bool known[FACTS])
{
    size_t first, count = 0;
    const size_t experiments = rl_experiments_on(report, gpu, &first);
    for (size_t e = 0; e < experiments; e++) {
        const struct rl_view view = rl_view_of(report, rl_experiment_key_of(report, first + e));
        for (size_t i = 0; i < view.count && count < MOST_ROWS; i++) {
            struct rl_entry_row *row = &rows[count++];
            *row = (struct rl_entry_row){
                .name = view.entries[i].label, .entry = &view.entries[i], .target = RL_NO_TARGET, .group = (int)e};
            for (size_t x = 0; x < RL_EXTRAS; x++)
                row->extra[x] = rl_value_missing(RL_NOT_COLLECTED, "");
            row->extra[RL_EXTRA_BANDWIDTH] =
                there(rl_view_result(&view, i, offsetof(struct rl_variant_result, useful_bytes_per_second)));
            row->counters = rl_arena_alloc(report->doc->arena, FACTS * sizeof *row->counters);
            for (size_t f = 0; f < FACTS; f++) {
                const struct rl_value value = there(facts[f].value(report, &view, i));
                row->counters[f] = (struct rl_entry_counter){facts[f].head, facts[f].unit, value};
                known[f] |= rl_present(value);
            }
        }
    }
    return count;
}

VIEW_GROUP(group_of, struct rl_entry_row, row->group);

static bool any(const struct rl_entry_row *rows, size_t count, bool (*has)(const struct rl_entry_row *row))
{
    return RL_ANY(i, count, has(&rows[i]));
}

static bool has_bandwidth(const struct rl_entry_row *row)
{
    return rl_present(row->extra[RL_EXTRA_BANDWIDTH]);
}

static bool has_rate(const struct rl_entry_row *row)
{
    const struct rl_value rate = row->entry->metric[RL_METRIC_flop_per_second];
    return row->entry->shows && rl_positive(rate);
}

static bool has_share(const struct rl_entry_row *row)
{
    return rl_present(row->entry->roof_share);
}

/* ---- the bounds that follow ---- */

/* "coalescing / stride_1 moves 1.17 TB/s, 75.1 % of what DRAM can." */
static void draw_bounds(struct rl_report *report, size_t gpu)
{
    const struct rl_gpu_result *result = &report->analysis->gpus[gpu];
    const struct rl_value dram = result->ceiling[RL_CEILING_dram].theoretical;
    size_t first, said = 0;
    const size_t experiments = rl_experiments_on(report, gpu, &first);
    for (size_t e = 0; e < experiments && rl_positive(dram); e++) {
        const struct rl_view view = rl_view_of(report, rl_experiment_key_of(report, first + e));
        for (size_t i = 0; i < view.count && said < MOST_SOURCES; i++) {
            const struct rl_value rate = rl_view_result(&view, i, offsetof(struct rl_variant_result, useful_bytes_per_second));
            if (!rl_present(rate) || rl_present(view.entries[i].roof_share)) /* the table has the share */
                continue;
            if (said++ == 0)
                rl_layout_subsection(report->doc->layout, "Bounds");
            struct rl_para para = {0};
            rl_para_addf(report->doc->layout, &para, RL_STYLE_STRONG,
                         "%s: ", rl_words_short(report->doc, view.entries[i].label, 60));
            rl_para_addf(report->doc->layout, &para, RL_STYLE_BODY, "%s of the DRAM roof; at the roof these bytes take %s.",
                         rl_words_value(report->doc, RL_UNIT_FRACTION, rl_value_div(rate, dram, NULL), 3),
                         rl_words_value(report->doc, RL_UNIT_SECOND,
                                        rl_value_mul(rl_view_time(report, &view, i), rl_value_div(rate, dram, NULL)), 3));
            rl_layout_item(report->doc->layout, RL_MARK_QUIET, &para);
        }
    }
}

/* "Roofs at the highest clock, 1.410 GHz: DRAM 1.56 TB/s, FP64 FMA 9.75 TFLOP/s ..." */
static void draw_roofs(struct rl_report *report, size_t gpu)
{
    static const enum rl_ceiling_id shown[] = {RL_CEILING_dram, RL_CEILING_fp64, RL_CEILING_fp32, RL_CEILING_fp16,
                                               RL_CEILING_tensor_fp16};
    const struct rl_gpu_result *result = &report->analysis->gpus[gpu];
    struct rl_buf text = RL_BUF_IN(report->doc->arena);
    for (size_t i = 0; i < RL_COUNT(shown); i++) {
        const struct rl_value roof = result->ceiling[shown[i]].theoretical;
        if (rl_present(roof))
            rl_buf_addf(&text, "%s%s %s", text.len ? ", " : "", rl_ceilings[shown[i]].label,
                        rl_words_value(report->doc, rl_ceilings[shown[i]].unit, roof, 4));
    }
    if (text.len) {
        rl_layout_subsection(report->doc->layout, "Roofs");
        rl_layout_textf(report->doc->layout, RL_STYLE_BODY, "Theoretical%s: %s.",
                        rl_present(result->assumed_clock)
                            ? rl_words(report->doc, ", at the highest clock, %s, because none was published",
                                       rl_words_value(report->doc, RL_UNIT_HERTZ, result->assumed_clock, 4))
                            : "",
                        text.data);
    }
}

/* ---- where they are printed ---- */

static void add_source(struct rl_report *report, const char *what, const char *source)
{
    struct rl_para para = {.max_lines = 4};
    rl_para_addf(report->doc->layout, &para, RL_STYLE_STRONG, "%s: ", rl_words_short(report->doc, what, 60));
    rl_para_add(report->doc->layout, &para, RL_STYLE_BODY, rl_words_shortened(report->doc, source, 400));
    rl_layout_item(report->doc->layout, RL_MARK_QUIET, &para);
}

/* Experiments with one source stand together; a variant with another one has a line. */
static void draw_sources(struct rl_report *report, size_t gpu)
{
    size_t first, said = 0;
    const size_t experiments = rl_experiments_on(report, gpu, &first);
    rl_layout_subsection(report->doc->layout, "Sources");
    for (size_t e = 0; e < experiments; e++) {
        const struct rl_view view = rl_view_of(report, rl_experiment_key_of(report, first + e));
        const char *source = view.experiment->source ? view.experiment->source : "";
        bool again = false;
        const char *names = view.experiment->name;
        for (size_t before = 0; before < experiments; before++) {
            const size_t at = rl_experiment_key_of(report, first + before).experiment;
            const struct rl_experiment *other = &report->capture->experiments[at];
            if (before == e || !other->source || strcmp(other->source, source) != 0)
                continue;
            again |= before < e;
            names = before > e ? rl_words(report->doc, "%s, %s", names, other->name) : names;
        }
        if (!again && *source && said++ < MOST_SOURCES)
            add_source(report, names, source);
        for (size_t i = 0; i < view.count; i++) {
            const struct rl_variant *variant = rl_view_variant(report, &view, i);
            if (variant->description && strcmp(variant->description, source) != 0 && said++ < MOST_SOURCES)
                add_source(report, view.entries[i].label, variant->description);
        }
    }
    rl_layout_text(report->doc->layout, RL_STYLE_NOTE, "The licence is that of each source; rooflight has the figures alone.");
}

/* ---- the page ---- */

static void draw(struct rl_document *doc, struct rl_section *section)
{
    struct rl_report *report = doc->subject;
    const size_t gpu = rl_page_gpu(report, section->id, section->instance);
    const struct rl_gpu *card = &report->capture->gpus[gpu];
    rl_layout_text(report->doc->layout, RL_STYLE_DISPLAY, rl_words_card(report->capture, gpu));
    rl_layout_textf(report->doc->layout, RL_STYLE_QUIET, "%s%s · published figures: imported, not measured by rooflight",
                    card->chip ? rl_words_short(report->doc, card->chip, 20) : "chip unknown",
                    card->cc_major > 0 ? rl_words(report->doc, ", compute capability %d.%d", card->cc_major, card->cc_minor) : "");
    rl_layout_skip(report->doc->layout, 8);
    struct rl_entry_row *rows = rl_arena_alloc(report->doc->arena, MOST_ROWS * sizeof *rows);
    const size_t *variants, all = rl_group(&report->analysis->index.variants_of_gpu, gpu, &variants);
    bool known[FACTS] = {false};
    const size_t count = fill(report, gpu, rows, known);
    /* Leaves the facts that one of them has. */
    for (size_t i = 0; i < count; i++)
        for (size_t f = 0; f < FACTS; f++)
            if (known[f])
                rows[i].counters[rows[i].counter_count++] = rows[i].counters[f];
    struct rl_buf columns = RL_BUF_IN(doc->arena);
    rl_buf_addf(&columns, "variant,time_s%s%s%s%s", any(rows, count, has_bandwidth) ? ",useful" : "",
                any(rows, count, has_rate) ? ",rate" : "", any(rows, count, has_share) ? ",roof_share,bound" : "",
                count && rows[0].counter_count ? ",counters.value" : "");
    rl_view_table(report->doc->layout, &report->view,
                  &(struct rl_view_table){.record = &rl_entry_record,
                                          .rows = {rows, sizeof *rows, count, NULL},
                                          .title = "Figures",
                                          .columns = columns.data,
                                          .tight = count >= RL_VIEW_TIGHT,
                                          .group = group_of});
    if (count < all)
        rl_layout_textf(report->doc->layout, RL_STYLE_NOTE, "%zu more: rooflight show.", all - count);
    rl_layout_text(
        report->doc->layout, RL_STYLE_NOTE,
        "Time as printed, or from the printed bytes and bandwidth; blank: not published. Useful bandwidth: bytes asked for "
        "over the time.");
    draw_bounds(report, gpu);
    draw_roofs(report, gpu);
    draw_sources(report, gpu);
    rl_layout_subsection(report->doc->layout, "Not judged");
    rl_layout_text(report->doc->layout, RL_STYLE_BODY,
                   "Limiters and differences, because counters and intervals were not published; clocks and the state of the "
                   "GPU, likewise. Everything else that was read: rooflight report --full.");
}

bool rl_report_is_of_published(const struct rl_report *report)
{
    return is_published(report->capture) && report->capture->experiment_count > 0 && !rl_report_is_full(report);
}

static bool has_one(const struct rl_document *doc, size_t gpu)
{
    const struct rl_report *report = doc->subject;
    size_t first;
    const bool others = report->doc->options->full && !report->doc->options->only;
    return is_published(report->capture) && !others && rl_experiments_on(report, gpu, &first) > 0;
}

const struct rl_page rl_page_published = {.each_gpu = has_one, .draw = draw, .own_heading = true};
