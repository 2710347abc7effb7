/* compare_appendix.c - sections behind the first pages of a comparison: what explains changes, cases, every kernel with its
 * interval, figures of GPUs, what was matched how, and how the verdicts are found. */
#include "compare_doc.h"

static struct view part_view(const struct rl_document *doc, const struct rl_section *section, const struct view_record *record)
{
    const struct view_compare *compare = rl_compare_what(doc);
    return (struct view){record, &compare->parts[rl_compare_part(section)], compare, doc->arena, false};
}

/* ---- what explains changes ---- */

static void draw_causes(struct rl_document *doc, struct rl_section *section)
{
    const struct view view = part_view(doc, section, &view_record_explained);
    rl_layout_text(doc->layout, RL_STYLE_BODY,
                   "The counters that moved by more than their scatter. A counter explains a change when more of it makes kernels "
                   "slower (or faster) and it moved that way; that is evidence, not proof.");
    rl_layout_skip(doc->layout, 6);
    rl_view_blocks(doc->layout, &view, false);
}

const struct rl_page rl_compare_page_causes = {.draw = draw_causes, .joins = RL_COMPARE_ROWS};

/* ---- cases ---- */

static void draw_cases(struct rl_document *doc, struct rl_section *section)
{
    enum { MOST_ROWS = 48 };
    const struct view view = part_view(doc, section, &view_record_part);
    rl_layout_text(doc->layout, RL_STYLE_BODY,
                   rl_view_words(doc->layout, &view,
                                 "{case_verdicts.slower} SLOWER, {case_verdicts.faster} FASTER, {case_verdicts.same} SAME, "
                                 "{case_verdicts.undecided} UNDECIDED, by name and parameters."));
    rl_layout_skip(doc->layout, 6);
    rl_view_table(doc->layout, &view, &(struct rl_view_table){.list = "cases", .title = "Every case", .most = MOST_ROWS});
    rl_layout_skip(doc->layout, 8);
    rl_view_items(doc->layout, &view, "cases_removed", MOST_ROWS);
    rl_view_items(doc->layout, &view, "cases_added", MOST_ROWS);
}

const struct rl_page rl_compare_page_cases = {.draw = draw_cases, .joins = RL_COMPARE_ROWS};

/* ---- every kernel with its interval ---- */

static void dress_interval(void *to, const struct view_field *field, const void *row, struct rl_grid_cell *cell)
{
    const struct rl_pair *pair = ((const struct view_pair *)row)->pair;
    if (strcmp(field->id, "time_text") == 0)
        cell->style = RL_STYLE_CELL_STRONG;
    else if (strcmp(field->id, "interval") == 0)
        cell->style = RL_STYLE_SIDE;
    else if (strcmp(field->id, "outcome") == 0)
        cell->mark = rl_compare_mark(pair);
}

static void draw_intervals(struct rl_document *doc, struct rl_section *section)
{
    enum { MOST_ROWS = 1000 };
    const struct view view = part_view(doc, section, &view_record_part);
    const struct rl_view_table table = {.list = "changes",
                                        .columns =
                                            "marked,share,base.median_s,new.median_s,time_text,interval,base.n,new.n,outcome",
                                        .most = MOST_ROWS,
                                        .choose = rl_compare_first_rows,
                                        .dress = dress_interval,
                                        .tight = true};
    if (!rl_view_table(doc->layout, &view, &table))
        rl_layout_text(doc->layout, RL_STYLE_BODY, "The captures have no kernel in common.");
}

const struct rl_page rl_compare_page_intervals = {.draw = draw_intervals, .joins = 110};

/* ---- figures of all GPUs ---- */

enum { CHARTED = 20 };

static void draw_figures(struct rl_document *doc, struct rl_section *section)
{
    struct view view = rl_compare_view(doc);
    struct view_compare *what = rl_arena_alloc(doc->arena, sizeof *what);
    *what = *rl_compare_what(doc);
    what->options.charted = !doc->options->only && what->kernel_count <= CHARTED; /* by the page of every kernel */
    view.row = what;
    rl_view_each(doc->layout, &view, "questions");
    rl_layout_skip(doc->layout, 8);
    rl_view_items(doc->layout, &view, "lacking", 0);
}

const struct rl_page rl_compare_page_figures = {.draw = draw_figures, .joins = RL_COMPARE_ROWS};

/* ---- matching ---- */

static void draw_matching(struct rl_document *doc, struct rl_section *section)
{
    const struct view view = part_view(doc, section, &view_record_matching);
    const struct rl_comparison *comparison = rl_compare_of(doc, section);
    if (comparison->removed_count + comparison->added_count == 0)
        rl_layout_text(doc->layout, RL_STYLE_BODY, "Every kernel of both captures has a partner.");
    rl_view_blocks(doc->layout, &view, false);
}

const struct rl_page rl_compare_page_matching = {.draw = draw_matching, .joins = RL_COMPARE_ROWS};

/* ---- method ---- */

static const char *interval_of_samples(struct rl_document *doc, const struct rl_verdict_rules *rules)
{
    return rl_words(
        doc,
        "Both medians have distribution-free intervals from order statistics (Conover, Practical Nonparametric Statistics, 3.2), "
        "stretched by the integrated autocorrelation time where samples depend on one another (Sen 1972; Meketon and Schmeiser "
        "1984) and widened to cover every level of a session whose times step. The interval of the ratio runs from the low end of "
        "the candidate's median over the high end of the baseline's to the high end over the low one. One step of the clock that "
        "took the "
        "times, and %s for the unmeasured difference between sessions of unchanged code, are added on either side. All intervals "
        "of the comparison hold together with %s (Bonferroni over %s).",
        rl_words_value(doc, RL_UNIT_FRACTION, rl_value_of(rules->session_effect), 2),
        rl_words_value(doc, RL_UNIT_FRACTION, rl_value_of(rules->confidence), 2),
        rl_words_count(doc, rules->comparisons, rl_rules_over(rules), rl_rules_over(rules)));
}

static const char *interval_of_sessions(struct rl_document *doc, const struct rl_verdict_rules *rules)
{
    struct rl_buf hold = RL_BUF_IN(doc->arena);
    rl_sessions_hold_text(rules, &hold);
    const char *text = rl_words(
        doc,
        "The unit of evidence is the session: %s of the baseline, %s of the candidate. The ratio is that of the geometric means "
        "of the sessions' medians; its interval is Student's t with the scatter between sessions, the kernel's own and "
        "that of kernels with a similar limiter and length. One step of the clock that took the times is added on either side. "
        "These are intervals %s%s.",
        rl_words_count(doc, rules->sessions[0], "session", "sessions"),
        rl_words_count(doc, rules->sessions[1], "session", "sessions"), hold.data,
        rules->look ? ", over all looks at sides that were still growing" : "");
    return text;
}

/* How verdicts are found, each part under its name. */
static void lay_verdict_method(struct rl_document *doc)
{
    assert(rl_compare_what(doc)->count > 1);
    const struct rl_verdict_rules *rules = &rl_compare_what(doc)->parts[1].comparison->rules;
    const struct {
        const char *name, *text;
    } parts[] = {
        {"The verdict",
         rl_words(doc,
                  "The verdict is about the ratio of the times, candidate over baseline. FASTER: its whole interval lies below "
                  "1 " RL_MINUS
                  " d; SLOWER: above 1 + d, where d = %s is the smallest effect that matters. SAME: within 1 " RL_MINUS
                  " m and 1 + m, where m = %s. UNDECIDED: anything else.",
                  rl_words_value(doc, RL_UNIT_FRACTION, rl_value_of(rules->smallest_effect), 2),
                  rl_words_value(doc, RL_UNIT_FRACTION, rl_value_of(rules->margin), 2))},
        {"The interval", rl_verdict_by_sessions(rules) ? interval_of_sessions(doc, rules) : interval_of_samples(doc, rules)},
        {"Clocks, GPUs, results",
         "Where the SM clocks of the captures differ by more than 1 %, a verdict must also hold in clock cycles. Two GPUs of one "
         "model differ by up to 3 % with unchanged code, so smaller changes are decided only on one GPU. A kernel that computed a "
         "wrong result has no verdict. How often verdicts are wrong: docs/data/verdicts.md."}};
    for (size_t i = rl_compare_what(doc)->options.lineup ? 1 : 0; i < RL_COUNT(parts); i++) { /* GPU models get no verdict */
        rl_layout_subsection(doc->layout, parts[i].name);
        rl_layout_text(doc->layout, RL_STYLE_BODY, parts[i].text);
    }
}

/* Whether a ratio has an interval: what others have published often has one time for each kernel. */
static bool has_interval(struct rl_document *doc)
{
    const struct view_compare *what = rl_compare_what(doc);
    for (size_t i = 1; i < what->count; i++)
        for (size_t j = 0; j < what->parts[i].comparison->pair_count; j++)
            if (what->parts[i].comparison->pairs[j].change.time.has_interval)
                return true;
    return false;
}

/* Where figures of others were published. */
static void lay_sources(struct rl_document *doc)
{
    const struct view_compare *what = rl_compare_what(doc);
    rl_layout_subsection(doc->layout, "Sources");
    rl_layout_text(
        doc->layout, RL_STYLE_BODY,
        "The figures are those of others, with one time for each kernel: no ratio has an interval, and two GPUs of one model "
        "differ by up to 3 %.");
    for (size_t i = 0; i < what->count; i++) {
        const struct rl_capture *capture = what->parts[i].capture;
        const char *source = capture->experiment_count ? capture->experiments[0].source : capture->session.counters;
        struct rl_para para = {.max_lines = 3};
        rl_para_addf(doc->layout, &para, RL_STYLE_NOTE_INK, "%s: ", capture->gpu_count ? capture->gpus[0].name : "");
        rl_para_add(doc->layout, &para, RL_STYLE_NOTE, source);
        rl_layout_item(doc->layout, RL_MARK_QUIET, &para);
    }
}

static void draw_method(struct rl_document *doc, struct rl_section *section)
{
    const struct view view = rl_compare_view(doc);
    rl_view_table(doc->layout, &view,
                  &(struct rl_view_table){.list = "parts",
                                          .title = "Captures",
                                          .columns = "file,card,started,tool,driver,hash",
                                          .choose = rl_compare_first_rows});
    rl_layout_skip(doc->layout, 10);
    if (rl_compare_what(doc)->count > 1 && (has_interval(doc) || !rl_compare_what(doc)->options.columns))
        lay_verdict_method(doc);
    else if (rl_compare_what(doc)->count > 1)
        lay_sources(doc);
    if (rl_compare_what(doc)->options.projection_count) {
        rl_layout_subsection(doc->layout, "The projection");
        rl_layout_text(
            doc->layout, RL_STYLE_BODY,
            "The work counted here is put under the roofline (Williams, Waterman, Patterson, CACM 52(4), 2009) of the other GPU: "
            "the "
            "bound is the largest of DRAM bytes over the DRAM roof, shared-memory traffic over its roof, and the sum over "
            "precisions of operations over theirs. A roof is what rooflight has measured on such a GPU, if it has, else the data "
            "sheet's at the boost clock; figures published by others are no bound. Occupancy follows from registers, shared memory "
            "and "
            "block size under the limits of the other compute capability. How projections compare with published measurements: "
            "docs/projection.md.");
    }
}

const struct rl_page rl_compare_page_method = {.draw = draw_method, .joins = 100};
