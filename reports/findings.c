/* findings.c - the list of findings on the first page (see findings.h). */
#include "findings.h"

#include <stdlib.h>

#include "core/mem.h"

/* One line of the list: how much it matters (rank 0 first), what is said, and where it is shown. */
enum rank { RANK_WRONG, RANK_SESSION, RANK_REFUTED, RANK_KERNEL, RANK_HELD, RANK_UNDECIDED };
struct line {
    enum rank rank;
    double weight; /* within the rank: the greatest first, */
    size_t order;  /* then the first */
    enum rl_mark mark;
    const char *name, *text;
    size_t target;
};
struct lines {
    struct line *at;
    size_t count, cap;
};

static void add_line(struct lines *lines, struct line line)
{
    RL_GROW(lines->at, lines->count + 1, lines->cap);
    line.order = lines->count;
    lines->at[lines->count++] = line;
}

static int by_rank(const void *a, const void *b)
{
    const struct line *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->weight != y->weight)
        return x->weight > y->weight ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

/* ---- filling ---- */

/* Seconds that the finding could save at most in this session. */
static double saving(const struct rl_kernel *kernel, const struct rl_finding *finding)
{
    bool known = rl_present(finding->gain) && finding->gain.v > 1;
    return known ? (double)kernel->total_ns * 1e-9 * (1 - 1 / finding->gain.v) : 0;
}

static void add_kernel(struct rl_report *report, const struct rl_kernel_result *k, struct lines *lines)
{
    const struct rl_kernel *kernel = &report->capture->kernels[k->kernel];
    bool suite = kernel->variant != RL_NONE; /* the suite has slow variants on purpose: its claims speak for them */
    size_t target = suite ? rl_experiment_target(report, report->capture->variants[kernel->variant].experiment, kernel->gpu)
                          : rl_page_target(report, RL_PAGE_roofline);
    for (size_t i = 0; i < k->finding_count; i++) {
        const struct rl_finding *finding = &k->findings[i];
        struct line line = {.mark = RL_MARK_ATTENTION, .name = k->label, .text = finding->text, .target = target};
        line.rank = finding->rule == RL_RULE_wrong_result ? RANK_WRONG : RANK_KERNEL;
        line.weight = saving(kernel, finding);
        if (line.rank == RANK_WRONG || !suite)
            add_line(lines, line);
    }
}

static void add_claim(struct rl_report *report, const struct rl_claim_result *claim, struct lines *lines)
{
    static const enum rank ranks[] = {
        [RL_CLAIM_HELD] = RANK_HELD, [RL_CLAIM_DID_NOT_HOLD] = RANK_REFUTED, [RL_CLAIM_UNDECIDED] = RANK_UNDECIDED};
    if (claim->outcome == RL_CLAIM_REFERENCE)
        return;
    add_line(lines, (struct line){.rank = ranks[claim->outcome],
                                  .mark = rl_words_mark(claim->outcome),
                                  .name = report->capture->experiments[claim->experiment].name,
                                  .text = claim->text,
                                  .target = rl_experiment_target(report, claim->experiment, claim->gpu)});
}

static struct lines collect(struct rl_report *report, size_t gpu)
{
    struct lines lines = {0};
    for (size_t i = 0; i < report->capture->kernel_count; i++)
        if (report->capture->kernels[i].gpu == gpu)
            add_kernel(report, &report->analysis->kernels[i], &lines);
    for (size_t i = 0; i < report->analysis->finding_count; i++) {
        const struct rl_finding *finding = &report->analysis->findings[i];
        if (finding->gpu == gpu || finding->gpu == RL_NONE)
            add_line(&lines, (struct line){.rank = RANK_SESSION,
                                           .mark = RL_MARK_ATTENTION,
                                           .name = rl_rules[finding->rule].title,
                                           .text = finding->text,
                                           .target = rl_page_target(report, RL_PAGE_device)});
    }
    for (size_t i = 0; i < report->analysis->claim_count; i++)
        if (report->analysis->claims[i].gpu == gpu)
            add_claim(report, &report->analysis->claims[i], &lines);
    if (lines.count > 0)
        qsort(lines.at, lines.count, sizeof *lines.at, by_rank);
    return lines;
}

/* ---- drawing ---- */

#define LINE_GAP    2.0
#define NUMBER_ROOM 34.0 /* "page 88" */

static struct rl_para line_para(struct rl_report *report, const struct line *line)
{
    struct rl_para para = RL_PARA_INIT;
    rl_para_link(report->layout, &para, RL_STYLE_STRONG, rl_words_short(report, line->name, 50), line->target);
    rl_para_add(report->layout, &para, RL_STYLE_STRONG, ": ");
    rl_para_add(report->layout, &para, RL_STYLE_BODY, line->text);
    para.max_lines = 4;
    return para;
}

/* Draws the line when it fits, with `spare` points left over; false when it does not. */
static bool draw_line(struct rl_report *report, const struct line *line, double spare)
{
    struct rl_layout *layout = report->layout;
    struct rl_frame outer = rl_layout_frame(layout);
    struct rl_para para = line_para(report, line);
    double width = outer.width - NUMBER_ROOM - 4;
    bool fits = rl_para_height(layout, &para, width - RL_ITEM_INDENT) + spare <= rl_layout_room(layout);
    if (fits) {
        if (line->target != RL_NO_TARGET)
            rl_layout_page_number(layout, RL_SIDE_RIGHT, outer.x + outer.width, rl_layout_line(layout, RL_STYLE_BODY),
                                  RL_STYLE_SIDE, "page ", line->target);
        rl_layout_set_frame(layout, (struct rl_frame){outer.x, width});
        rl_layout_item(layout, line->mark, &para);
        rl_layout_set_frame(layout, outer);
        rl_layout_skip(layout, LINE_GAP);
    }
    rl_para_release(&para);
    return fits;
}

void rl_findings_draw(struct rl_report *report, size_t gpu)
{
    struct lines lines = collect(report, gpu);
    double spare = rl_styles[RL_STYLE_QUIET].leading + LINE_GAP; /* for the line that says how many are left out */
    size_t drawn = 0;
    rl_layout_text(report->layout, RL_STYLE_SUBSECTION, "What was found");
    rl_layout_skip(report->layout, 4);
    while (drawn < lines.count && draw_line(report, &lines.at[drawn], drawn + 1 < lines.count ? spare : LINE_GAP))
        drawn++;
    if (lines.count == 0)
        rl_layout_text(report->layout, RL_STYLE_BODY, "No rule found anything to remark.");
    else if (drawn < lines.count)
        rl_layout_textf(report->layout, RL_STYLE_QUIET, "%zu more: `rooflight show` lists them all.", lines.count - drawn);
    free(lines.at);
}
