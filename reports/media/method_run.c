/* method_run.c - what was run: the command, when, on which system, and what identifies the capture (see page.h). */
#include "cover.h"
#include "view_table.h"

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
    struct rl_buf out = RL_BUF_IN(report->doc->arena);
    for (size_t i = 0; i < session->command_count; i++) {
        const char *argument = session->command[i];
        bool quote = argument[0] == 0 || strpbrk(argument, " \t\n\"'");
        rl_buf_addf(&out, quote ? "%s\xE2\x80\x98%s\xE2\x80\x99" : "%s%s", i ? " " : "", argument);
    }
    return out.data;
}

enum { MOST_LINES = 20, LONGEST_OF_HALF = 40 };
struct lines {
    struct rl_detail at[MOST_LINES];
    size_t count;
};

static void add_line(struct lines *lines, const char *what, const char *text)
{
    assert(lines->count < MOST_LINES);
    lines->at[lines->count++] = (struct rl_detail){.what = what, .text = text};
}
static void add_name(struct lines *lines, const char *what, const char *text)
{
    add_line(lines, what, text);
    lines->at[lines->count - 1].is_name = true;
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
    add_line(&lines, "host", session->host);
    add_line(&lines, "operating system", session->os);
    add_line(&lines, "driver", session->driver);
    add_line(&lines, "CUDA of the driver", session->cuda_driver);
    add_line(&lines, "CUDA runtime", session->cuda_runtime);
    add_line(&lines, "CUPTI", session->cupti);
    add_line(&lines, "counters", session->counters);
    if (report->capture->gpu_count == 1) { /* of several on the page of each */
        add_name(&lines, "GPU", report->capture->gpus[0].uuid ? report->capture->gpus[0].uuid : report->capture->gpus[0].name);
        add_line(&lines, "clocks", rl_method_lock_text(report, 0));
        add_line(&lines, "SM clock of the passes", rl_method_clock_text(report, 0));
    }
    add_name(&lines, "capture (SHA-256)", report->capture->sha256.hex);
    if (report->doc->options->attachment)
        add_line(&lines, "attached as", report->doc->options->attachment_name);
    return lines;
}

/* The long lines stand first, then the others in two columns. */
void rl_method_draw_run(struct rl_report *report)
{
    const struct lines lines = lines_of(report);
    struct lines wide = {.count = 0}, others = {.count = 0};
    for (size_t i = 0; i < lines.count; i++) {
        const struct rl_detail *line = &lines.at[i];
        const bool is_wide = line->is_name || (line->text && strlen(line->text) > LONGEST_OF_HALF);
        struct lines *to = is_wide ? &wide : &others;
        to->at[to->count++] = *line;
    }
    const size_t half = (others.count + 1) / 2;
    struct rl_box *box = rl_flow_begin(report->doc->layout);
    rl_box_subsection(box, "Session");
    rl_details_add(box, wide.at, wide.count);
    if (others.count) {
        struct rl_box *row = rl_box_row(box);
        rl_details_add(rl_box_cell(row, RL_ALL_COLUMNS / 2), others.at, half);
        rl_details_add(rl_box_cell(row, RL_ALL_COLUMNS / 2), others.at + half, others.count - half);
    }
    rl_flow_end(box);
}
