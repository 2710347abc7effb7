/* page_method.c - how it was measured: everything that is needed to repeat it. */
#include <stdio.h>
#include <string.h>

#include "core/mem.h"
#include "health.h"
#include "page.h"

#define EN_DASH "\xE2\x80\x93"

/* ---- what was run ---- */

static void add_line(struct rl_grid *grid, const char *what, enum rl_style style, const char *text)
{
    rl_grid_row(grid);
    rl_grid_cell(grid, RL_STYLE_CELL_QUIET, what);
    if (text && text[0])
        rl_grid_cell(grid, style, text);
    else
        rl_grid_cell(grid, RL_STYLE_CELL_QUIET, EN_DASH)->sign = "";
}

/* The arguments in one line, those with blanks or nothing in them in quotes: to be read, not to be pasted. */
static const char *command_text(struct rl_report *report)
{
    const struct rl_session *session = &report->capture->session;
    struct rl_buf out = RL_BUF_INIT;
    for (size_t i = 0; i < session->command_count; i++) {
        const char *argument = session->command[i];
        bool quote = argument[0] == 0 || strpbrk(argument, " \t\n\"'");
        rl_buf_addf(&out, quote ? "%s\xE2\x80\x98%s\xE2\x80\x99" : "%s%s", i ? " " : "", argument);
    }
    const char *text = rl_words(report, "%s", out.data);
    rl_buf_release(&out);
    return text;
}

static void draw_session(struct rl_report *report)
{
    const struct rl_session *session = &report->capture->session;
    struct rl_grid grid;
    rl_grid_init(&grid, report->layout);
    grid.title = "What was run";
    rl_grid_add_column(&grid, "", "", RL_GRID_LEFT)->at_least = 92;
    rl_grid_add_column(&grid, "", "", RL_GRID_WRAP);
    add_line(&grid, "command", RL_STYLE_CELL_NAME, command_text(report));
    add_line(&grid, "started", RL_STYLE_CELL, rl_words_date(report));
    add_line(&grid, "finished", RL_STYLE_CELL, session->complete ? "yes, completely" : "no: what was finished by then is here");
    add_line(&grid, strcmp(session->source, "collect") == 0 ? "measured by" : "imported by", RL_STYLE_CELL,
             rl_words(report, "rooflight %s (%s)", session->tool_version, session->source));
    add_line(&grid, "report by", RL_STYLE_CELL, rl_words(report, "rooflight %s", report->options->tool_version));
    add_line(&grid, "host", RL_STYLE_CELL, session->host);
    add_line(&grid, "operating system", RL_STYLE_CELL, session->os);
    add_line(&grid, "driver", RL_STYLE_CELL, session->driver);
    add_line(&grid, "CUDA of the driver", RL_STYLE_CELL, session->cuda_driver);
    add_line(&grid, "CUDA runtime", RL_STYLE_CELL, session->cuda_runtime);
    add_line(&grid, "CUPTI", RL_STYLE_CELL, session->cupti);
    add_line(&grid, "counters", RL_STYLE_CELL, session->counters);
    add_line(&grid, "capture (SHA-256)", RL_STYLE_CELL_NAME, report->capture->sha256.hex);
    if (report->options->attachment)
        add_line(&grid, "attached as", RL_STYLE_CELL_NAME, report->options->attachment_name);
    rl_grid_lay(&grid);
    rl_grid_release(&grid);
}

/* ---- on what ---- */

enum { MOST_CARDS = 4 };

static const char *chip_text(struct rl_report *report, size_t gpu)
{
    const struct rl_gpu *card = &report->capture->gpus[gpu];
    const char *chip = card->chip ? rl_words_short(report, card->chip, 20) : "not known";
    return card->cc_major > 0 ? rl_words(report, "%s, compute capability %d.%d", chip, card->cc_major, card->cc_minor) : chip;
}

static const char *clock_text(struct rl_report *report, size_t gpu)
{
    const struct rl_stats *clock = &report->analysis->gpus[gpu].sm_clock;
    if (clock->n == 0)
        return "not read";
    return rl_words(report, "%s (%s to %s, %s)", rl_words_value(report, RL_UNIT_HERTZ, rl_value_of(clock->median), 4),
                    rl_words_value(report, RL_UNIT_HERTZ, rl_value_of(clock->min), 4),
                    rl_words_value(report, RL_UNIT_HERTZ, rl_value_of(clock->max), 4),
                    rl_words_count(report, clock->n, "pass", "passes"));
}

/* "locked: SM 1500 MHz, memory 3201 MHz": times at clocks that the session has set are not those of normal use. */
static const char *lock_text(struct rl_report *report, size_t gpu)
{
    const struct rl_value *fact = report->capture->gpus[gpu].fact;
    const struct rl_value sm = fact[RL_FACT_sm_clock_locked_hz], memory = fact[RL_FACT_memory_clock_locked_hz];
    if (!rl_present(fact[RL_FACT_clocks_locked]))
        return "not recorded";
    if (fact[RL_FACT_clocks_locked].v <= 0)
        return "left alone";
    return rl_words(report, "locked by the session: SM %s, memory %s",
                    rl_present(sm) ? rl_words_value(report, RL_UNIT_HERTZ, sm, 4) : "at its base clock",
                    rl_present(memory) ? rl_words_value(report, RL_UNIT_HERTZ, memory, 4) : "not locked");
}

static const char *name_text(struct rl_report *report, size_t gpu)
{
    return rl_words_short(report, report->capture->gpus[gpu].name, 60);
}
static const char *uuid_text(struct rl_report *report, size_t gpu)
{
    const char *uuid = report->capture->gpus[gpu].uuid;
    return uuid ? rl_words_short(report, uuid, 60) : EN_DASH;
}

static const struct {
    const char *what;
    const char *(*text)(struct rl_report *report, size_t gpu);
} identity[] = {
    {"card", name_text}, {"chip", chip_text}, {"UUID", uuid_text}, {"clocks", lock_text}, {"SM clock of the passes", clock_text}};

/* Settings that decide about times: "ECC (1: on)" is printed as on or off by the page about the card; here, too. */
static const struct {
    const char *what;
    enum rl_fact_id fact;
    bool flag;
} settings[] = {
    {"SM clock, highest", RL_FACT_sm_clock_max_hz, false},
    {"SM clock, application setting", RL_FACT_sm_clock_application_hz, false},
    {"memory clock, highest", RL_FACT_memory_clock_max_hz, false},
    {"power limit", RL_FACT_power_limit_w, false},
    {"persistence mode", RL_FACT_persistence_enabled, true},
};

static void add_setting(struct rl_report *report, struct rl_grid *grid, size_t gpu, size_t row)
{
    struct rl_value value = report->capture->gpus[gpu].fact[settings[row].fact];
    if (!rl_present(value))
        rl_grid_value(grid, RL_STYLE_CELL, value, 1, 3);
    else if (settings[row].flag)
        rl_grid_cell(grid, RL_STYLE_CELL, value.v > 0 ? "on" : "off");
    else
        rl_grid_cell(grid, RL_STYLE_CELL, rl_words_value(report, rl_facts[settings[row].fact].unit, value, 4));
}

/* What was measured on, card by card side by side, and in which state it was. */
static void draw_cards(struct rl_report *report)
{
    size_t gpus = report->capture->gpu_count, shown = gpus < MOST_CARDS ? gpus : MOST_CARDS;
    struct rl_grid grid;
    if (shown == 0)
        return;
    rl_grid_init(&grid, report->layout);
    grid.title = "On what, and in which state";
    rl_grid_add_column(&grid, "", "", RL_GRID_LEFT)->at_least = 92;
    for (size_t g = 0; g < shown; g++)
        rl_grid_add_column(&grid, gpus > 1 ? rl_words(report, "GPU %d", report->capture->gpus[g].index) : "", "", RL_GRID_WRAP);
    for (size_t i = 0; i < RL_COUNT(identity); i++) {
        rl_grid_row(&grid);
        rl_grid_cell(&grid, RL_STYLE_CELL_QUIET, identity[i].what);
        for (size_t g = 0; g < shown; g++)
            rl_grid_cell(&grid, RL_STYLE_CELL, identity[i].text(report, g));
    }
    for (size_t i = 0; i < RL_COUNT(settings); i++) {
        rl_grid_row(&grid);
        rl_grid_cell(&grid, RL_STYLE_CELL_QUIET, settings[i].what);
        for (size_t g = 0; g < shown; g++)
            add_setting(report, &grid, g, i);
    }
    for (size_t i = 0; i < rl_health_count; i++) {
        rl_grid_row(&grid);
        rl_grid_cell(&grid, RL_STYLE_CELL_QUIET, rl_health_check(report, 0, i).title);
        for (size_t g = 0; g < shown; g++) {
            struct rl_health health = rl_health_check(report, g, i);
            rl_grid_cell(&grid, RL_STYLE_CELL, health.text)->mark = health.mark;
        }
    }
    rl_grid_lay(&grid);
    rl_grid_release(&grid);
    if (shown < gpus)
        rl_layout_textf(report->layout, RL_STYLE_NOTE, "%zu more: rooflight show lists them.", gpus - shown);
}

/* ---- how ---- */

/* The ways in which times were got, each once: "activity, events". */
static const char *timing_text(struct rl_report *report)
{
    struct rl_buf out = RL_BUF_INIT;
    for (size_t i = 0; i < report->capture->kernel_count; i++) {
        const char *timing = report->capture->kernels[i].timing;
        if (timing && !strstr(out.data, timing))
            rl_buf_addf(&out, "%s%s", out.len ? ", " : "", timing);
    }
    const char *text = rl_words(report, "%s", out.len ? out.data : "no times");
    rl_buf_release(&out);
    return text;
}

static size_t kernels_in_pass(const struct rl_capture *capture, size_t pass)
{
    size_t kernels = 0;
    for (size_t k = 0; k < capture->kernel_count; k++)
        for (size_t c = 0; c < capture->kernels[k].counter_count; c++)
            if (capture->kernels[k].counters[c].pass == pass) {
                kernels++;
                break;
            }
    return kernels;
}

static void draw_passes(struct rl_report *report)
{
    const struct rl_capture *capture = report->capture;
    struct rl_grid grid;
    if (capture->pass_count == 0) {
        rl_layout_text(report->layout, RL_STYLE_BODY, rl_words(report, "No counter pass: %s.", capture->session.counters));
        return;
    }
    rl_grid_init(&grid, report->layout);
    rl_grid_add_column(&grid, "configuration", "", RL_GRID_LEFT);
    rl_grid_add_column(&grid, "mode", "", RL_GRID_LEFT);
    rl_grid_add_column(&grid, "caches before each launch", "", RL_GRID_LEFT);
    rl_grid_add_column(&grid, "GPU", "", RL_GRID_RIGHT);
    rl_grid_add_column(&grid, "kernels", "", RL_GRID_RIGHT);
    for (size_t i = 0; i < capture->pass_count; i++) {
        const struct rl_pass *pass = &capture->passes[i];
        rl_grid_row(&grid);
        rl_grid_cell(&grid, RL_STYLE_CELL, pass->configuration);
        rl_grid_cell(&grid, RL_STYLE_CELL, pass->mode);
        rl_grid_cell(&grid, RL_STYLE_CELL, pass->cache);
        rl_grid_cell(&grid, RL_STYLE_CELL, rl_words(report, "%d", capture->gpus[pass->gpu].index));
        rl_grid_cell(&grid, RL_STYLE_CELL, rl_words(report, "%zu", kernels_in_pass(capture, i)));
    }
    rl_grid_lay(&grid);
    rl_grid_release(&grid);
}

static size_t timed_by(const struct rl_capture *capture, const char *measure)
{
    size_t count = 0;
    for (size_t i = 0; i < capture->variant_count; i++)
        count += capture->variants[i].duration_count > 0 && strcmp(capture->variants[i].measure, measure) == 0;
    return count;
}

/* How runs that are more than one launch were timed; "" when there are none. */
static const char *runs_text(struct rl_report *report)
{
    size_t span = timed_by(report->capture, "span"), wall = timed_by(report->capture, "wall");
    if (span + wall == 0)
        return "";
    return rl_words(
        report,
        " Runs that are several launches, copies or graphs are timed as wholes: %s on the GPU's timeline, from the first "
        "start to the last end, %s by the host's clock, from the first call until the GPU is idle; the latter are not "
        "counted.",
        rl_words_count(report, span, "variant", "variants"), rl_words_count(report, wall, "variant", "variants"));
}

/* Captures that rooflight did not measure: what their figures are. */
static const struct {
    const char *source, *words;
} imported[] = {
    {"ncu",
     "rooflight measured nothing: times and counters are those that Nsight Compute printed. It measures under the profiler, at "
     "base clock and with flushed caches unless it was told otherwise, which its output does not say."},
    {"nvprof",
     "rooflight measured nothing: times and metrics are those that nvprof printed. It collects metrics by replaying kernels, "
     "so values of one kernel come from different runs of it."},
    {"published", "rooflight measured nothing: these are figures that others have published. Nothing but what is printed there is "
                  "known, and a single figure has no interval."},
};

static const char *how_imported(const struct rl_report *report)
{
    for (size_t i = 0; i < RL_COUNT(imported); i++)
        if (strcmp(report->capture->session.source, imported[i].source) == 0)
            return imported[i].words;
    return NULL;
}

static void draw_how(struct rl_report *report)
{
    const char *other = how_imported(report);
    rl_layout_subsection(report->layout, "How it was measured");
    if (other)
        rl_layout_textf(report->layout, RL_STYLE_BODY, "%s Times: %s.", other, timing_text(report));
    else
        rl_layout_text(
            report->layout, RL_STYLE_BODY,
            rl_words(report,
                     "Times come from launches without counters (%s), repeated after warm-up: the median, and the "
                     "distribution-free 95 %% interval of the median from order statistics.%s Samples are never dropped. "
                     "Counters come from launches of their own, which never supply a time. A variant that computes the wrong "
                     "thing gets no performance figure.",
                     timing_text(report), runs_text(report)));
    rl_layout_skip(report->layout, 6);
    draw_passes(report);
}

/* ---- log ---- */

static const struct {
    const char *word;
    enum rl_mark mark;
} levels[] = {
    [RL_LOG_NOTE] = {"note", RL_MARK_QUIET},
    [RL_LOG_WARNING] = {"warning", RL_MARK_ATTENTION},
    [RL_LOG_ERROR] = {"error", RL_MARK_ATTENTION},
};

static void draw_log(struct rl_report *report)
{
    enum { MOST = 200 };
    const struct rl_capture *capture = report->capture;
    struct rl_grid grid;
    size_t shown = capture->log_count < MOST ? capture->log_count : MOST;
    rl_layout_subsection(report->layout, "Log of the session");
    if (shown == 0) {
        rl_layout_text(report->layout, RL_STYLE_BODY, "Nothing was logged: no warning, no error.");
        return;
    }
    rl_grid_init(&grid, report->layout);
    rl_grid_add_column(&grid, "at", "s", RL_GRID_DECIMAL);
    rl_grid_add_column(&grid, "level", "", RL_GRID_LEFT);
    rl_grid_add_column(&grid, "text", "", RL_GRID_WRAP)->at_least = 300;
    for (size_t i = 0; i < shown; i++) {
        const struct rl_log_entry *entry = &capture->log[i];
        rl_grid_row(&grid);
        rl_grid_cell(&grid, RL_STYLE_CELL, rl_words(report, "%.3f", (double)entry->at_ns / 1e9));
        rl_grid_cell(&grid, RL_STYLE_CELL, levels[entry->level].word)->mark = levels[entry->level].mark;
        rl_grid_cell(&grid, RL_STYLE_CELL, entry->text);
    }
    rl_grid_lay(&grid);
    rl_grid_release(&grid);
    if (shown < capture->log_count)
        rl_layout_text(report->layout, RL_STYLE_NOTE,
                       rl_words(report, "%zu more entries are in the capture.", capture->log_count - shown));
}

static void draw(struct rl_report *report, struct rl_section *section)
{
    rl_layout_section(report->layout, section->title);
    draw_session(report);
    draw_cards(report);
    draw_how(report);
    draw_log(report);
    rl_layout_notes(report->layout);
}

const struct rl_page rl_page_method = {.draw = draw};
