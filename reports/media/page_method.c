/* page_method.c - how it was measured: everything that is needed to repeat it. */
#include "core/intern.h"
#include "cover.h"
#include "results/results.h"
#include "results/show.h"
#include "view_table.h"

/* ---- how ---- */

/* The ways in which times were got, each once: "activity, events"; "" when nothing was timed. */
static const char *timing_text(struct rl_report *report)
{
    enum { MOST = 20 };
    struct rl_buf out = RL_BUF_IN(report->doc->arena);
    struct rl_intern known = {0};
    for (size_t i = 0; i < report->capture->kernel_count; i++) {
        const char *timing = report->capture->kernels[i].timing;
        bool is_new = false;
        if (timing && known.count < MOST)
            rl_intern(&known, 0, timing, &is_new);
        if (is_new)
            rl_buf_addf(&out, "%s%s", out.len ? ", " : "", timing);
    }
    rl_intern_release(&known);
    return out.data;
}

/* How many kernels have a counter of each pass. */
static size_t *kernels_in_passes(struct rl_report *report)
{
    const struct rl_capture *capture = report->capture;
    size_t *kernels = rl_arena_alloc(report->doc->arena, (capture->pass_count + 1) * sizeof *kernels);
    size_t *last = rl_calloc(capture->pass_count, sizeof *last); /* the kernel that was counted last, from 1 */
    for (size_t k = 0; k < capture->kernel_count; k++)
        for (size_t c = 0; c < capture->kernels[k].counter_count; c++) {
            const size_t pass = capture->kernels[k].counters[c].pass;
            if (pass == RL_NONE || last[pass] == k + 1)
                continue;
            last[pass] = k + 1;
            kernels[pass]++;
        }
    free(last);
    return kernels;
}

struct pass_row {
    const char *passes, *mode, *cache;
    int gpu;
    uint64_t kernels;
};
static const struct view_field pass_fields[] = {
    {.id = "passes", .head = "counter passes", VIEW_AT(struct pass_row, passes), .columns = 40},
    {.id = "mode", VIEW_AT(struct pass_row, mode), .columns = 30},
    {.id = "cache", .head = "caches before each launch", VIEW_AT(struct pass_row, cache), .columns = 30},
    {.id = "gpu", .head = "GPU", VIEW_AT(struct pass_row, gpu)},
    {.id = "kernels", VIEW_AT(struct pass_row, kernels)},
};

/* Length of a configuration's name without its number: "hardware" of "hardware 2". */
static size_t base_of(const char *configuration)
{
    const char *blank = strrchr(configuration, ' ');
    const bool numbered = blank && blank[1] && blank[1 + strspn(blank + 1, "0123456789")] == '\0';
    return numbered ? (size_t)(blank - configuration) : strlen(configuration);
}

/* "hardware × 9, sass": the configurations of `count` passes. */
static const char *configurations_text(struct rl_report *report, const struct rl_pass *passes, size_t count)
{
    const char *text = "";
    for (size_t i = 0, alike; i < count; i += alike) {
        const char *name = passes[i].configuration;
        const size_t base = base_of(name);
        for (alike = 1; i + alike < count; alike++) {
            const char *other = passes[i + alike].configuration;
            if (base_of(other) != base || memcmp(name, other, base) != 0)
                break;
        }
        text = alike > 1 ? rl_words(report->doc, "%s%s%.*s × %zu", text, i ? ", " : "", (int)base, name, alike)
                         : rl_words(report->doc, "%s%s%s", text, i ? ", " : "", name);
    }
    return text;
}

static void draw_passes(struct rl_report *report)
{
    enum { FEW = 4 };
    const struct rl_capture *capture = report->capture;
    if (capture->pass_count == 0) {
        rl_layout_text(report->doc->layout, RL_STYLE_BODY,
                       rl_words(report->doc, "No counter pass: %s.", capture->session.counters));
        return;
    }
    struct pass_row *rows = rl_arena_alloc(report->doc->arena, capture->pass_count * sizeof *rows);
    const size_t *kernels = kernels_in_passes(report);
    size_t count = 0;
    for (size_t i = 0, alike; i < capture->pass_count; i += alike) {
        const struct rl_pass *pass = &capture->passes[i];
        /* The number of passes from `first` on that share a row, because only their names differ. */
        assert(i < capture->pass_count);
        const struct rl_pass *one = &capture->passes[i];
        size_t end = i + 1;
        while (end < capture->pass_count && kernels[end] == kernels[i] && capture->passes[end].gpu == one->gpu &&
               strcmp(capture->passes[end].mode, one->mode) == 0 && strcmp(capture->passes[end].cache, one->cache) == 0)
            end++;
        alike = end - i;
        if (kernels[i] > 0)
            rows[count++] = (struct pass_row){configurations_text(report, pass, alike), pass->mode, pass->cache,
                                              capture->gpus[pass->gpu].index, kernels[i]};
    }
    rl_view_table(report->doc->layout, &report->view,
                  &(struct rl_view_table){RL_TABLE(pass_fields, rows, count), .tight = capture->pass_count > FEW});
}

static size_t timed_by(const struct rl_capture *capture, const char *measure)
{
    return RL_SUM(size_t, i, capture->variant_count,
                  capture->variants[i].duration_count > 0 && strcmp(capture->variants[i].measure, measure) == 0);
}

/* How runs that are more than one launch were timed; "" when there are none. */
static const char *runs_text(struct rl_report *report)
{
    size_t span = timed_by(report->capture, "span"), wall = timed_by(report->capture, "wall");
    if (span + wall == 0)
        return "";
    return rl_words(
        report->doc,
        " Runs of several launches, copies or graphs are timed as a whole: %s on the GPU's timeline, from the first start to the "
        "last end, %s by the host's clock, from the first call until the GPU is idle; the latter have no counters.",
        rl_words_count(report->doc, span, "variant", "variants"), rl_words_count(report->doc, wall, "variant", "variants"));
}

/* Captures that rooflight did not measure: what their figures are. */
static const struct {
    const char *source, *words;
} imported[] = {
    {"ncu",
     "rooflight measured nothing: times and counters are those that Nsight Compute printed. It measures under the profiler, at "
     "base clock and with flushed caches unless configured otherwise, which its output does not say."},
    {"nvprof",
     "rooflight measured nothing: times and metrics are those that nvprof printed. It collects metrics by replaying kernels, "
     "so values of one kernel come from different runs of it."},
    {"nsys", "rooflight measured nothing: times are those that Nsight Systems recorded, of launches without counters."},
    {"kineto", "rooflight measured nothing: times are those that PyTorch's profiler recorded, of launches without counters."},
    {"benchmark", "rooflight measured nothing: times are those that a benchmark program printed."},
    {"published", "rooflight measured nothing: these are figures that others have published. Nothing is known beyond what they "
                  "print, and a single figure has no interval."},
};

static const char *how_imported(const struct rl_report *report)
{
    for (size_t i = 0; i < RL_COUNT(imported); i++)
        if (strcmp(report->capture->session.source, imported[i].source) == 0)
            return imported[i].words;
    return NULL;
}

#define AND_INTERVAL "and the distribution-free 95 %% CI of the median from order statistics."

static const char *times_text(struct rl_report *report)
{
    const char *timing = timing_text(report), *runs = runs_text(report);
    if (!timing[0] && !runs[0])
        return "Nothing was timed.";
    const char *ways = timing[0] ? rl_words(report->doc, " (%s)", timing) : "";
    if (rl_is_program(report->capture))
        return rl_words(
            report->doc,
            "Times are of launches as the program made them, without counters%s. Of each launch configuration a uniform sample "
            "of at most 512 launches is kept: the median is that of the sample, " AND_INTERVAL
            " Sums, minimum and maximum cover all launches that were timed.",
            ways);
    return rl_words(report->doc,
                    "Times come from launches without counters%s, repeated after warm-up: the median, " AND_INTERVAL
                    "%s Samples are never dropped.",
                    ways, runs);
}

static void draw_how(struct rl_report *report)
{
    const char *other = how_imported(report), *timing = timing_text(report);
    rl_layout_subsection(report->doc->layout, "How it was measured");
    if (rl_capture_has_only_links(report->capture)) {
        rl_layout_text(report->doc->layout, RL_STYLE_BODY, "Only links were measured; their page says how.");
        return;
    }
    if (other && report->capture->benchmark_count > 0)
        rl_layout_text(report->doc->layout, RL_STYLE_BODY, other);
    else if (other)
        rl_layout_textf(report->doc->layout, RL_STYLE_BODY, "%s Times: %s.", other, timing[0] ? timing : "none");
    else
        rl_layout_textf(report->doc->layout, RL_STYLE_BODY,
                        "%s Counters come from separate launches, which are used for times only where no launch was timed.%s",
                        times_text(report),
                        report->capture->variant_count > 0 ? " A variant that computes a wrong result gets no performance figure."
                                                           : "");
    rl_layout_skip(report->doc->layout, 6);
    draw_passes(report);
}

/* ---- log ---- */

static void dress_log(void *to, const struct view_field *field, const void *row, struct rl_grid_cell *cell)
{
    if (strcmp(field->id, "level") == 0)
        cell->mark = ((const struct rl_log_entry *)row)->level == RL_LOG_NOTE ? RL_MARK_QUIET : RL_MARK_ATTENTION;
}

static void draw_log(struct rl_report *report)
{
    enum { MOST = 200 };
    const struct rl_capture *capture = report->capture;
    size_t shown = capture->log_count < MOST ? capture->log_count : MOST;
    if (!capture->log_count && rl_cover_is_of_benchmark(report))
        return; /* nothing was run that could log */
    rl_layout_subsection(report->doc->layout, "Log of the session");
    if (!rl_view_table(report->doc->layout, &report->view,
                       &(struct rl_view_table){.record = &view_record_log,
                                               .rows = {capture->log, sizeof *capture->log, shown, NULL},
                                               .dress = dress_log}))
        rl_layout_text(report->doc->layout, RL_STYLE_BODY, "Nothing was logged: no warning, no error.");
    if (shown < capture->log_count)
        rl_layout_text(report->doc->layout, RL_STYLE_NOTE,
                       rl_words(report->doc, "%zu more entries are in the capture.", capture->log_count - shown));
}

/* ---- imported files ---- */

static void draw_ledger(struct rl_report *report)
{
    enum { MOST = 60 };
    if (report->capture->ledger_count == 0)
        return;
    rl_layout_subsection(report->doc->layout, "Fate of the imported values");
    rl_view_table(report->doc->layout, &report->view,
                  &(struct rl_view_table){.record = &view_record_ledger_row,
                                          .rows = view_ledger_rows(report->capture, true, report->doc->arena),
                                          .most = MOST,
                                          .small = true});
}

static void draw(struct rl_document *doc, struct rl_section *section)
{
    struct rl_report *report = doc->subject;
    rl_method_draw_run(report);
    draw_how(report);
    draw_ledger(report);
    draw_log(report);
}

const struct rl_page rl_page_method = {.draw = draw, .joins = 250}; /* the table of what was run */
