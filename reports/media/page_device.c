/* page_device.c - the GPU: what it is, what it could do at best, how it was while it was measured. */
#include "cover.h"
#include "results/show.h"
#include "view_table.h"

/* ---- facts ---- */

/* The facts in tables side by side. What a session has locked is nothing to list where it locked nothing; the method page says so.
 */
static void draw_facts(struct rl_report *report, const struct rl_gpu *gpu)
{
    const struct view view = view_subject_view(report->subject, &view_record_gpu, gpu);
    const struct rl_value locked = gpu->fact[RL_FACT_clocks_locked];
    enum { TABLES = 2 };
    const char *ids[RL_FACT_COUNT];
    size_t count = 0;
    for (size_t i = 0; i < RL_FACT_COUNT; i++) {
        const bool of_lock = i == RL_FACT_clocks_locked || i == RL_FACT_sm_clock_locked_hz || i == RL_FACT_memory_clock_locked_hz;
        if (!of_lock || (rl_positive(locked)))
            ids[count++] = rl_facts[i].id;
    }
    struct rl_box *box = rl_flow_begin(report->doc->layout), *row = rl_box_row(box);
    for (size_t table = 0; table < TABLES; table++) {
        struct rl_buf columns = RL_BUF_IN(report->doc->arena);
        const size_t rows = (count + TABLES - 1) / TABLES;
        for (size_t i = table * rows; i < count && i < (table + 1) * rows; i++)
            rl_buf_addf(&columns, "%s%s", columns.len ? "," : "", ids[i]);
        rl_view_table_add(
            rl_box_cell(row, RL_ALL_COLUMNS / TABLES), &view,
            &(struct rl_view_table){
                .record = &view_record_gpu, .rows = {gpu, sizeof *gpu, 1, NULL}, .columns = columns.data, .across = true});
    }
    rl_flow_end(box);
}

/* The UUIDs of other GPUs that are alike. */
static void draw_others(struct rl_report *report, size_t gpu)
{
    for (size_t i = 0; i < report->capture->gpu_count; i++)
        if (i != gpu && rl_page_covers_gpu(report, gpu, i) && report->capture->gpus[i].uuid)
            rl_layout_text(report->doc->layout, RL_STYLE_NOTE_NAME, report->capture->gpus[i].uuid);
}

static void draw_identity(struct rl_report *report, const struct rl_gpu *gpu)
{
    const char *capability =
        gpu->cc_major > 0 ? rl_words(report->doc, ", compute capability %d.%d", gpu->cc_major, gpu->cc_minor) : "";
    rl_layout_text(
        report->doc->layout, RL_STYLE_LEAD,
        rl_words(report->doc, "%s: %s%s", rl_words_short(report->doc, gpu->name, 80),
                 gpu->chip ? rl_words(report->doc, "chip %s", rl_words_short(report->doc, gpu->chip, 20)) : "chip unknown",
                 capability));
    if (gpu->uuid)
        rl_layout_text(report->doc->layout, RL_STYLE_NOTE_NAME, gpu->uuid);
    draw_others(report, (size_t)(gpu - report->capture->gpus));
    rl_layout_skip(report->doc->layout, 6);
}

/* ---- theory, where nothing was measured ---- */

static const char *clock_text(struct rl_report *report, const struct rl_gpu_result *result)
{
    const char *missing = "No roof was measured in this session: kernels are compared with these.";
    if (rl_present(result->assumed_clock))
        return rl_words(report->doc,
                        "No pass read the SM clock: theoretical rates that depend on it assume the highest one, %s. %s",
                        rl_words_value(report->doc, RL_UNIT_HERTZ, result->assumed_clock, 4), missing);
    if (result->sm_clock.n == 0)
        return rl_words(report->doc, "No pass read the SM clock, so rates that depend on it are unknown. %s", missing);
    return rl_words(report->doc, "Theoretical rates at the clocks of the passes: SM clock %s (median of %s, %s to %s). %s",
                    rl_words_value(report->doc, RL_UNIT_HERTZ, rl_value_of(result->sm_clock.median), 4),
                    rl_words_count(report->doc, result->sm_clock.n, "pass", "passes"),
                    rl_words_value(report->doc, RL_UNIT_HERTZ, rl_value_of(result->sm_clock.min), 4),
                    rl_words_value(report->doc, RL_UNIT_HERTZ, rl_value_of(result->sm_clock.max), 4), missing);
}

/* Measured ceilings have a separate page. */
static void draw_ceilings(struct rl_report *report, size_t gpu)
{
    if (rl_ceilings_any_measured(report, gpu))
        return;
    rl_layout_text(report->doc->layout, RL_STYLE_BODY, clock_text(report, &report->analysis->gpus[gpu]));
    rl_ceilings_draw(report, gpu, RL_CEILINGS_THEORY);
}

/* ---- readings ---- */

enum { MOST_MOMENTS = 6 }; /* as many as stand out at most */

/* The first of the moments with the highest (sign 1) or lowest (-1) value of a reading; RL_NONE: it was never read. */
static size_t extreme_moment(const struct rl_gpu *gpu, enum rl_reading_id id, double sign)
{
    size_t found = RL_NONE;
    for (size_t m = 0; m < gpu->moment_count; m++) {
        const struct rl_value value = gpu->moments[m].reading[id];
        if (rl_present(value) && (found == RL_NONE || sign * value.v > sign * gpu->moments[found].reading[id].v))
            found = m;
    }
    return found;
}

static const struct {
    enum rl_reading_id id;
    double sign;
} extremes[] = {{RL_READING_temperature_c, 1}, {RL_READING_power_w, 1}, {RL_READING_sm_clock_hz, -1}};

static size_t moment_with_reasons(const struct rl_gpu *gpu)
{
    for (size_t m = 0; m < gpu->moment_count; m++)
        if (rl_clock_throttled(gpu->moments[m].reading[RL_READING_throttle_reasons]))
            return m;
    return RL_NONE;
}

/* Indices of the readings that are shown, in order of time: all where they fit; of many the first, the last, and those that stand
 * out. Returns their number. */
static size_t shown_moments(const struct rl_gpu *gpu, size_t at[MOST_MOMENTS])
{
    size_t wanted[2 + 1 + RL_COUNT(extremes)] = {0, gpu->moment_count ? gpu->moment_count - 1 : 0, moment_with_reasons(gpu)},
                          count = 0;
    for (size_t i = 0; i < RL_COUNT(extremes); i++)
        wanted[3 + i] = extreme_moment(gpu, extremes[i].id, extremes[i].sign);
    for (size_t m = 0; m < gpu->moment_count; m++) {
        bool shown = gpu->moment_count <= MOST_MOMENTS;
        for (size_t i = 0; i < RL_COUNT(wanted) && !shown; i++)
            shown = wanted[i] == m;
        if (shown)
            at[count++] = m;
    }
    return count;
}

static bool is_extreme(const struct rl_gpu *gpu, size_t moment, enum rl_reading_id id)
{
    for (size_t i = 0; i < RL_COUNT(extremes); i++)
        if (extremes[i].id == id && extreme_moment(gpu, id, extremes[i].sign) == moment)
            return true;
    return id == RL_READING_throttle_reasons && rl_clock_throttled(gpu->moments[moment].reading[id]);
}

/* Figures that stand out are in bold where readings were left out, and reasons that lower the clock are named: "4, power limit". */
static void dress_reading(void *to, const struct view_field *field, const void *row, struct rl_grid_cell *cell)
{
    struct rl_report *report = to;
    const struct rl_gpu_moment *moment = row;
    size_t id = 0;
    while (id < RL_READING_COUNT && strcmp(rl_readings[id].id, field->id) != 0)
        id++;
    if (!row || id == RL_READING_COUNT || !rl_present(moment->reading[id]))
        return;
    const struct rl_gpu *gpu = report->capture->gpus;
    while (moment < gpu->moments || moment >= gpu->moments + gpu->moment_count)
        gpu++;
    if (gpu->moment_count > MOST_MOMENTS && is_extreme(gpu, (size_t)(moment - gpu->moments), (enum rl_reading_id)id))
        cell->style = RL_STYLE_CELL_STRONG;
    if (id != RL_READING_throttle_reasons || !rl_clock_throttled(moment->reading[id]))
        return;
    struct rl_buf reasons = RL_BUF_INIT;
    rl_throttle_reasons_text(moment->reading[id], &reasons);
    cell->text = rl_words(report->doc, "%s, %s", cell->text, reasons.data);
    rl_buf_release(&reasons);
}

static void draw_moments(struct rl_report *report, const struct rl_gpu *gpu)
{
    const struct view view = view_subject_view(report->subject, &view_record_gpu, gpu);
    size_t at[MOST_MOMENTS];
    const size_t shown = shown_moments(gpu, at);
    const char *rank = rl_rank_of_gpu(report->capture, (size_t)(gpu - report->capture->gpus));
    rl_view_table(report->doc->layout, &view,
                  &(struct rl_view_table){
                      .record = &view_record_gpu_moment,
                      .rows = {gpu->moments, sizeof *gpu->moments, shown, at},
                      .title = rank && view_subject_stands_for(report->subject, (size_t)(gpu - report->capture->gpus)) > 1
                                   ? rl_words(report->doc, "Readings of the GPU of rank %s", rl_words_short(report->doc, rank, 12))
                                   : "Readings of the GPU",
                      .foot = shown < gpu->moment_count
                                  ? rl_words(report->doc,
                                             "%zu of %zu readings: the first, the last, and (in bold) the first with the highest "
                                             "temperature, the most power, the lowest clock, or a lowered clock.",
                                             shown, gpu->moment_count)
                                  : NULL,
                      .across = true,
                      .tight = true,
                      .dress = dress_reading,
                      .to = report});
}

static void draw(struct rl_document *doc, struct rl_section *section)
{
    struct rl_report *report = doc->subject;
    size_t gpu = rl_page_gpu(report, section->id, section->instance);
    const bool suite = rl_report_is_of_suite(report);
    if (!suite) { /* the first page and the method say it */
        draw_identity(report, &report->capture->gpus[gpu]);
        draw_facts(report, &report->capture->gpus[gpu]);
    }
    if (report->capture->gpu_count > 1) {
        /* Where there is one GPU, the first page and the method have it. */
        struct rl_detail clocks[] = {{"clocks", rl_method_lock_text(report, gpu)},
                                     {"SM clock of the passes", rl_method_clock_text(report, gpu)}};
        struct rl_box *box = rl_flow_begin(report->doc->layout);
        rl_box_gap(box, 10);
        struct rl_box *row = rl_box_row(box), *left = rl_box_cell(row, RL_ALL_COLUMNS / 2),
                      *right = rl_box_cell(row, RL_ALL_COLUMNS / 2);
        rl_cover_health_add(report, left, gpu);
        rl_box_text(right, RL_STYLE_SUBSECTION, "Clocks");
        rl_details_add(right, clocks, RL_COUNT(clocks));
        rl_flow_end(box);
        rl_layout_skip(report->doc->layout, 6);
    }
    draw_ceilings(report, gpu);
    draw_moments(report, &report->capture->gpus[gpu]);
}

/* The GPU of a rank has a page only where it differs from those before. What is between GPUs says nothing of each. */
static bool has_one(const struct rl_document *doc, size_t gpu)
{
    const struct rl_report *report = doc->subject;
    return view_subject_stands_for(report->subject, gpu) && !rl_capture_has_only_links(report->capture) &&
           !rl_cover_is_of_benchmark(report);
}

const struct rl_page rl_page_device = {.each_gpu = has_one, .draw = draw, .joins = 400};
