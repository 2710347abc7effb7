/* compare_evidence.c - what was matched how, what was added and removed, and how the verdicts are found. */
#include <assert.h>

#include "compare_doc.h"
#include "core/mem.h"
#include "core/signs.h"

enum { MOST_ROWS = 200, MOST_IN_BRIEF = 20 };

/* Few, unless this section was asked for. */
static size_t most_rows(const struct rl_document *doc)
{
    return doc->options->only ? MOST_ROWS : MOST_IN_BRIEF;
}

/* ---- matching ---- */

static void say_alone(struct rl_document *doc, size_t count, const char *side, const char *other)
{
    if (count)
        rl_layout_textf(doc->layout, RL_STYLE_BODY, "%s of the %s %s no partner in the %s.",
                        rl_words_count(doc, count, "kernel", "kernels"), side, count == 1 ? "has" : "have", other);
}

static void draw_matching(struct rl_document *doc, struct rl_section *section)
{
    const struct rl_comparison *comparison = rl_compare_of(doc, section);
    const struct view view = rl_compare_part_view(doc, section);
    for (size_t i = 0; i < RL_MATCH_COUNT; i++)
        if (comparison->matched[i]) {
            struct rl_para para = RL_PARA_INIT;
            rl_para_addf(doc->layout, &para, RL_STYLE_STRONG, "%zu by %s. ", comparison->matched[i], rl_matches[i].words);
            rl_para_add(doc->layout, &para, RL_STYLE_QUIET, rl_matches[i].explanation);
            rl_layout_item(doc->layout, RL_MARK_GOOD, &para);
            rl_para_release(&para);
        }
    if (comparison->removed_count + comparison->added_count == 0)
        rl_layout_text(doc->layout, RL_STYLE_BODY, "Every kernel of both captures has a partner.");
    say_alone(doc, comparison->removed_count, "base", "new one");
    say_alone(doc, comparison->added_count, "new one", "base");
    rl_layout_skip(doc->layout, 8);
    rl_view_items(doc->layout, &view, "renamed", most_rows(doc));
    rl_view_items(doc->layout, &view, "removed", most_rows(doc));
    rl_view_items(doc->layout, &view, "added", most_rows(doc));
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
        "the new median over the high end of the base's to the high end over the low one. One step of the clock that took the "
        "times, and %s for the unmeasured difference between sessions of unchanged code, are added on either side. All intervals "
        "of the comparison hold together with %s (Bonferroni over %s).",
        rl_words_value(doc, RL_UNIT_FRACTION, rl_value_of(rules->session_effect), 2),
        rl_words_value(doc, RL_UNIT_FRACTION, rl_value_of(rules->confidence), 2),
        rl_words_count(doc, rules->comparisons, rl_rules_over(rules), rl_rules_over(rules)));
}

static const char *interval_of_sessions(struct rl_document *doc, const struct rl_verdict_rules *rules)
{
    struct rl_buf hold = RL_BUF_INIT;
    rl_sessions_hold_text(rules, &hold);
    const char *text =
        rl_words(doc,
                 "The unit of evidence is the session: %s of the base, %s of the new one. The ratio is that of the geometric means "
                 "of the sessions' medians; its interval is Student's t with the scatter between sessions, the kernel's own and "
                 "that of kernels of like limit and length. One step of the clock that took the times is added on either side. "
                 "These are intervals %s%s.",
                 rl_words_count(doc, rules->sessions[0], "session", "sessions"),
                 rl_words_count(doc, rules->sessions[1], "session", "sessions"), hold.data,
                 rules->look ? ", over all looks at sides that were still growing" : "");
    rl_buf_release(&hold);
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
                  "The verdict is about the ratio of the times, new over base. FASTER: its whole interval lies below 1 " RL_MINUS
                  " d; SLOWER: above 1 + d, where d = %s is the smallest effect that matters. SAME: within 1 " RL_MINUS
                  " m and 1 + m, where m = %s. UNDECIDED: anything else.",
                  rl_words_value(doc, RL_UNIT_FRACTION, rl_value_of(rules->smallest_effect), 2),
                  rl_words_value(doc, RL_UNIT_FRACTION, rl_value_of(rules->margin), 2))},
        {"The interval", rl_verdict_by_sessions(rules) ? interval_of_sessions(doc, rules) : interval_of_samples(doc, rules)},
        {"Clocks, cards, results",
         "Where the SM clocks of the captures differ by more than 1 %, a verdict must also hold in clock cycles. Two cards of one "
         "model differ by up to 3 % with unchanged code, so smaller changes are decided only on one card. A kernel that computed a "
         "wrong result has no verdict. How often verdicts are wrong: docs/data/verdicts.md."}};
    for (size_t i = 0; i < RL_COUNT(parts); i++) {
        rl_layout_subsection(doc->layout, parts[i].name);
        rl_layout_text(doc->layout, RL_STYLE_BODY, parts[i].text);
    }
}

static void lay_projection_method(struct rl_document *doc)
{
    rl_layout_subsection(doc->layout, "The projection");
    rl_layout_text(
        doc->layout, RL_STYLE_BODY,
        "The work counted here is put under the roofline (Williams, Waterman, Patterson, CACM 52(4), 2009) of the other card: the "
        "least time is the greatest of DRAM bytes over the DRAM roof, shared-memory traffic over its roof, and the sum over "
        "precisions of operations over theirs. A roof is what rooflight has measured on such a card, if it has, else the data "
        "sheet's at the boost clock; figures published by others are no bound. Occupancy follows from registers, shared memory and "
        "block size under the limits of the other compute capability. How projections compare with published measurements: "
        "docs/projection.md.");
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
        "The figures are those of others, with one time for each kernel: no ratio has an interval, and two cards of one model "
        "differ by up to 3 %.");
    for (size_t i = 0; i < what->count; i++) {
        const struct rl_capture *capture = what->parts[i].capture;
        const char *source = capture->experiment_count ? capture->experiments[0].source : capture->session.counters;
        struct rl_para para = {.max_lines = 3};
        rl_para_addf(doc->layout, &para, RL_STYLE_NOTE_INK, "%s: ", capture->gpu_count ? capture->gpus[0].name : "");
        rl_para_add(doc->layout, &para, RL_STYLE_NOTE, source);
        rl_layout_item(doc->layout, RL_MARK_QUIET, &para);
        rl_para_release(&para);
    }
}

static void draw_method(struct rl_document *doc, struct rl_section *section)
{
    const struct view view = rl_compare_view(doc);
    (void)section;
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
    if (rl_compare_what(doc)->options.projection_count)
        lay_projection_method(doc);
}

const struct rl_page rl_compare_page_method = {.draw = draw_method, .joins = 100};
