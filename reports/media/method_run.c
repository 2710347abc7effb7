/* method_run.c - what was run: the command, when, on which system, and what identifies the capture (see page.h). */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/intern.h"
#include "core/mem.h"
#include "core/signs.h"
#include "page.h"

/* ---- clocks ---- */

const char *rl_method_clock_text(struct rl_report *report, size_t gpu)
{
    assert(gpu < report->capture->gpu_count);
    const struct rl_stats *clock = &report->analysis->gpus[gpu].sm_clock;
    if (clock->n == 0)
        return "not read";
    if (clock->n == 1)
        return rl_words(report->doc, "%s (1 pass)", rl_words_value(report->doc, RL_UNIT_HERTZ, rl_value_of(clock->median), 4));
    return rl_words(report->doc, "%s (%s to %s, %s)", rl_words_value(report->doc, RL_UNIT_HERTZ, rl_value_of(clock->median), 4),
                    rl_words_value(report->doc, RL_UNIT_HERTZ, rl_value_of(clock->min), 4),
                    rl_words_value(report->doc, RL_UNIT_HERTZ, rl_value_of(clock->max), 4),
                    rl_words_count(report->doc, clock->n, "pass", "passes"));
}

/* "locked: SM 1500 MHz, memory 3201 MHz": times at clocks that the session has set are not those of normal use. */
const char *rl_method_lock_text(struct rl_report *report, size_t gpu)
{
    assert(gpu < report->capture->gpu_count);
    const struct rl_value *fact = report->capture->gpus[gpu].fact;
    const struct rl_value sm = fact[RL_FACT_sm_clock_locked_hz], memory = fact[RL_FACT_memory_clock_locked_hz];
    if (!rl_present(fact[RL_FACT_clocks_locked]))
        return "not recorded";
    if (fact[RL_FACT_clocks_locked].v <= 0)
        return "left alone";
    return rl_words(report->doc, "locked by the session: SM %s, memory %s",
                    rl_present(sm) ? rl_words_value(report->doc, RL_UNIT_HERTZ, sm, 4) : "at its base clock",
                    rl_present(memory) ? rl_words_value(report->doc, RL_UNIT_HERTZ, memory, 4) : "not locked");
}

/* ---- the run ---- */

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
    const char *text = rl_words(report->doc, "%s", out.data);
    rl_buf_release(&out);
    return text;
}

bool rl_method_is_close(const struct rl_report *report)
{
    return report->doc->is_short || (report->capture->gpu_count == 1 && rl_gpu_target(report, RL_PAGE_device, 0) != RL_NO_TARGET &&
                                     rl_document_target(report->doc, RL_PAGE_cover, 0) != RL_NO_TARGET);
}

/* What is said of the run, line by line. */
struct line {
    const char *what, *text; /* text: NULL or "": not known */
    bool name, wide;         /* set as names are; too long for half of the page */
};
enum { MOST_LINES = 20, LONGEST_OF_HALF = 40 };
struct lines {
    struct line at[MOST_LINES];
    size_t count;
};

static void add_line(struct lines *lines, const char *what, const char *text)
{
    assert(lines->count < MOST_LINES);
    lines->at[lines->count++] = (struct line){.what = what, .text = text};
}
static void add_name(struct lines *lines, const char *what, const char *text)
{
    add_line(lines, what, text);
    lines->at[lines->count - 1].name = lines->at[lines->count - 1].wide = true;
}

static struct lines lines_of(struct rl_report *report)
{
    const struct rl_session *session = &report->capture->session;
    struct lines lines = {.count = 0};
    add_name(&lines, "command", command_text(report));
    add_line(&lines, "started", rl_words_date(report->doc, &report->capture->session));
    add_line(&lines, "finished", session->complete ? "yes, completely" : "no: only what was finished by then is here");
    add_line(&lines, strcmp(session->source, "collect") == 0 ? "measured by" : "imported by",
             rl_words(report->doc, "rooflight %s (%s)", session->tool_version, session->source));
    if (!rl_method_is_close(report)) /* the foot of every page says it */
        add_line(&lines, "report by", rl_words(report->doc, "rooflight %s", report->doc->options->tool_version));
    add_line(&lines, "host", session->host);
    add_line(&lines, "operating system", session->os);
    add_line(&lines, "driver", session->driver);
    add_line(&lines, "CUDA of the driver", session->cuda_driver);
    add_line(&lines, "CUDA runtime", session->cuda_runtime);
    add_line(&lines, "CUPTI", session->cupti);
    add_line(&lines, "counters", session->counters);
    if (rl_method_is_close(report)) { /* the rest about the card is on its page and in its health */
        add_name(&lines, "card", report->capture->gpus[0].uuid ? report->capture->gpus[0].uuid : report->capture->gpus[0].name);
        add_line(&lines, "clocks", rl_method_lock_text(report, 0));
        add_line(&lines, "SM clock of the passes", rl_method_clock_text(report, 0));
    }
    add_name(&lines, "capture (SHA-256)", report->capture->sha256.hex);
    if (report->doc->options->attachment)
        add_line(&lines, "attached as", report->doc->options->attachment_name);
    return lines;
}

static void fill_lines(struct rl_grid *grid, const struct line *lines, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const bool known = lines[i].text && lines[i].text[0];
        rl_grid_row(grid);
        rl_grid_cell(grid, RL_STYLE_CELL_QUIET, lines[i].what);
        rl_grid_cell(grid,
                     !known          ? RL_STYLE_CELL_QUIET
                     : lines[i].name ? RL_STYLE_CELL_NAME
                                     : RL_STYLE_CELL,
                     known ? lines[i].text : RL_EN_DASH);
    }
}

static const struct rl_grid_column line_columns[] = {{.at_least = 92}, {.align = RL_GRID_WRAP}};

static void draw_lines(struct rl_report *report, const char *title, const struct lines *lines)
{
    struct rl_grid grid;
    rl_grid_begin(&grid, report->doc->layout, title, line_columns, RL_COUNT(line_columns));
    fill_lines(&grid, lines->at, lines->count);
    rl_grid_end(&grid);
}

/* The wide lines first, then the others in two columns. */
static void draw_in_columns(struct rl_report *report, const char *title, const struct lines *lines)
{
    struct lines part[2] = {{.count = 0}, {.count = 0}};
    for (size_t i = 0; i < lines->count; i++) {
        const bool wide = lines->at[i].wide || (lines->at[i].text && strlen(lines->at[i].text) > LONGEST_OF_HALF);
        struct lines *to = &part[!wide];
        to->at[to->count++] = lines->at[i];
    }
    draw_lines(report, title, &part[0]);
    const size_t half = (part[1].count + 1) / 2;
    struct rl_box *box = rl_flow_begin(report->doc->layout), *row = rl_box_row(box);
    fill_lines(rl_box_table(rl_box_cell(row, RL_ALL_COLUMNS / 2), line_columns, RL_COUNT(line_columns)), part[1].at, half);
    fill_lines(rl_box_table(rl_box_cell(row, RL_ALL_COLUMNS / 2), line_columns, RL_COUNT(line_columns)), part[1].at + half,
               part[1].count - half);
    rl_flow_end(box);
}

void rl_method_draw_run(struct rl_report *report)
{
    const struct lines lines = lines_of(report);
    if (rl_method_is_close(report))
        draw_in_columns(report, "What was run", &lines);
    else
        draw_lines(report, "What was run", &lines);
}
