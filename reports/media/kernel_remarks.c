/* kernel_remarks.c - what is remarked about a kernel in its block: stalls and findings (see kernel_block.h). */
#include <string.h>

#include "core/mem.h"
#include "kernel_block.h"

#define MOST_GAIN 100.0 /* beyond it the bound says nothing */
enum { MOST_FINDINGS = 4, MOST_STALLS = 4 };

/* ---- stalls, when another tool counted them ---- */

/* How reasons for stalls are called. One row adds a form: what stands before and behind the reason, and the value's unit. */
static const struct {
    const char *before, *behind;
    enum rl_unit unit;
    const char *what;
} stall_names[] = {
    {"smsp__average_warps_issue_stalled_", "_per_issue_active.ratio", RL_UNIT_NONE, "warps stalled for each instruction issued"},
    {"smsp__average_warp_latency_issue_stalled_", ".ratio", RL_UNIT_NONE, "cycles stalled for each warp instruction"},
    {"stall_", "", RL_UNIT_NONE, "as nvprof prints them"},
};

struct stall {
    size_t form;
    const char *reason;
    int len;
    double value;
};

static bool read_stall(const struct rl_counter *counter, struct stall *stall)
{
    for (size_t i = 0; i < RL_COUNT(stall_names) && rl_present(counter->value) && counter->value.v > 0; i++) {
        size_t before = strlen(stall_names[i].before), behind = strlen(stall_names[i].behind), len = strlen(counter->name);
        if (len <= before + behind || strncmp(counter->name, stall_names[i].before, before) != 0 ||
            strcmp(counter->name + len - behind, stall_names[i].behind) != 0)
            continue;
        *stall = (struct stall){i, counter->name + before, (int)(len - before - behind), counter->value.v};
        return true;
    }
    return false;
}

/* The greatest ones of the first form that occurs, in order. */
static size_t find_stalls(const struct rl_kernel *kernel, struct stall *stalls)
{
    size_t count = 0;
    for (size_t i = 0; i < kernel->counter_count; i++) {
        struct stall stall;
        if (!read_stall(&kernel->counters[i], &stall) || (count > 0 && stall.form != stalls[0].form))
            continue;
        size_t at = count < MOST_STALLS ? count++ : MOST_STALLS;
        for (; at > 0 && stalls[at - 1].value < stall.value; at--)
            if (at < MOST_STALLS)
                stalls[at] = stalls[at - 1];
        if (at < MOST_STALLS)
            stalls[at] = stall;
    }
    return count;
}

static void add_stalls(struct rl_report *report, const struct rl_block *block, struct rl_box *box)
{
    struct stall stalls[MOST_STALLS];
    size_t count = find_stalls(block->kernel, stalls);
    struct rl_para para = RL_PARA_INIT;
    if (count == 0)
        return;
    rl_para_add(report->doc->layout, &para, RL_STYLE_NOTE_STRONG, "Stalls ");
    rl_para_addf(report->doc->layout, &para, RL_STYLE_NOTE, "(%s): ", stall_names[stalls[0].form].what);
    for (size_t i = 0; i < count; i++) {
        char *reason = rl_arena_strndup(report->doc->arena, stalls[i].reason, (size_t)stalls[i].len);
        for (char *p = reason; *p; p++)
            *p = *p == '_' ? ' ' : *p;
        rl_para_addf(report->doc->layout, &para, RL_STYLE_NOTE_INK, "%s%s %s", i ? ", " : "",
                     rl_words_short(report->doc, reason, 40),
                     rl_words_value(report->doc, stall_names[stalls[i].form].unit, rl_value_of(stalls[i].value), 3));
    }
    rl_box_para(box, &para);
    rl_box_gap(box, 3);
}

/* ---- findings ---- */

static void add_finding(struct rl_report *report, struct rl_box *box, const struct rl_finding *finding, const char *of)
{
    struct rl_para para = RL_PARA_INIT;
    rl_para_addf(report->doc->layout, &para, RL_STYLE_NOTE_STRONG, "%s%s: ", rl_rules[finding->rule].problem, of);
    rl_para_add(report->doc->layout, &para, RL_STYLE_NOTE_INK, finding->text);
    if (rl_present(finding->gain) && finding->gain.v < MOST_GAIN)
        rl_para_addf(report->doc->layout, &para, RL_STYLE_NOTE, " Up to %s times as fast from this alone.",
                     rl_words_value(report->doc, RL_UNIT_NONE, finding->gain, 2));
    para.max_lines = 4;
    rl_box_item(box, RL_MARK_ATTENTION, &para);
}

/* Adds the first few, and returns how many there are. */
static size_t add_found(struct rl_report *report, const struct rl_block *block, struct rl_box *box)
{
    const struct rl_kernel_result *result = block->result;
    size_t count = 0;
    if (!block->row->figures) {
        for (; count < result->finding_count && count < MOST_FINDINGS; count++)
            add_finding(report, box, &result->findings[count], "");
        return result->finding_count;
    }
    const size_t *found, all = rl_group(&report->ranked_of_row, (size_t)(block->row - report->families->at), &found);
    for (; count < all && count < MOST_FINDINGS; count++) {
        const struct rl_ranked_finding *ranked = &report->ranked[found[count]];
        add_finding(report, box, ranked->finding,
                    rl_words(report->doc, " (%s, %s)", rl_words_count(report->doc, ranked->shapes, "shape", "shapes"),
                             rl_words_short(report->doc, report->analysis->kernels[ranked->kernel].label, 40)));
    }
    return all;
}

static void add_findings(struct rl_report *report, const struct rl_block *block, struct rl_box *box)
{
    const size_t found = add_found(report, block, box);
    const char *advice = block->entry.shows && !block->row->figures ? rl_whatif_advice(report, block->result->kernel) : "";
    if (found > MOST_FINDINGS)
        rl_box_note(box, rl_words(report->doc, "%zu more: see rooflight show.", found - MOST_FINDINGS));
    if (advice[0]) {
        struct rl_para para = RL_PARA_INIT;
        rl_para_add(report->doc->layout, &para, RL_STYLE_NOTE_INK, advice);
        rl_box_item(box, RL_MARK_QUIET, &para);
    }
    if (block->entry.above_roof)
        rl_box_note(box, rl_words(report->doc, "Above its roof: %s.", block->entry.above_roof));
}

void rl_block_add_remarks(struct rl_report *report, struct rl_block *block, struct rl_box *box)
{
    if (!block->row->figures)
        add_stalls(report, block, box);
    add_findings(report, block, box);
    rl_block_add_gaps(report, block, box);
}
