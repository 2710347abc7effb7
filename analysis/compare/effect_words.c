/* effect_words.c - what a change does to the whole, in sentences (see verdict.h). */
#include "compare_internal.h"

static const char *plural(size_t count)
{
    return count == 1 ? "" : "s";
}

static void add_share(struct rl_buf *out, double share)
{
    if (share > 0 && share < 1e-4)
        rl_buf_adds(out, "under 0.01" RL_NO_BREAK_SPACE "%");
    else
        rl_unit_format(out, RL_UNIT_FRACTION, share, share > 0.9995 ? 4 : 3);
}

/* "5 kernels, 83.0 % of the base's time": without times there is no share. */
static void add_part(const struct rl_comparison *comparison, const struct rl_effect_part *part, struct rl_buf *out)
{
    rl_buf_addf(out, "%zu kernel%s", part->kernels, plural(part->kernels));
    if (!comparison->effect.time.present)
        return;
    rl_buf_adds(out, ", ");
    add_share(out, part->share);
    rl_buf_adds(out, " of the baseline's time");
}

/* "4.8 % less time", "3.1 % more time", "as much time". */
static void add_change(double ratio, struct rl_buf *out)
{
    const double percent = 100 * fabs(ratio - 1);
    if (percent < 0.05)
        rl_buf_adds(out, "as much time");
    else
        rl_buf_addf(out, "%.*f" RL_NO_BREAK_SPACE "%% %s time", percent < 99.95 ? 1 : 0, percent, ratio < 1 ? "less" : "more");
}

static void add_interval(const struct rl_ratio *time, struct rl_buf *out)
{
    if (!time->has_interval) {
        rl_buf_adds(out, " (too few samples for an interval)");
        return;
    }
    rl_buf_adds(out, " (CI ");
    rl_ratio_interval_text(time, out);
    rl_buf_adds(out, ")");
}

/* ---- the verdict ---- */

static bool has_cases(const struct rl_comparison *comparison)
{
    return comparison->cases && comparison->cases->pair_count > 0;
}

static const char *const verdict_words[] = {
    [RL_FASTER] = "FASTER", [RL_SLOWER] = "SLOWER", [RL_SAME] = "NO CHANGE", [RL_UNDECIDED] = "UNDECIDED"};

/* Whether the cases are what the first sentence is about: they are what the table on top is of. */
static bool leads_with_cases(const struct rl_comparison *comparison)
{
    return has_cases(comparison) && (comparison->cases->whole.present || comparison->pair_count == 0);
}

const char *rl_effect_cases_headline(const struct rl_case_comparison *cases)
{
    assert(cases->verdict < sizeof verdict_words / sizeof *verdict_words);
    return cases->verdicts[RL_FASTER] && cases->verdicts[RL_SLOWER] ? "MIXED" : verdict_words[cases->verdict];
}

const char *rl_effect_headline(const struct rl_comparison *comparison)
{
    if (comparison->effect.broke)
        return "WRONG RESULT";
    if (comparison->pair_count == 0 && !has_cases(comparison))
        return "NOTHING TO COMPARE";
    if (leads_with_cases(comparison))
        return rl_effect_cases_headline(comparison->cases);
    assert(comparison->effect.verdict < sizeof verdict_words / sizeof *verdict_words);
    return verdict_words[comparison->effect.verdict];
}

/* ---- how both sides were measured ---- */

/* Whether more than half of a steady drift over all sessions would look like a change: the sides did not take turns. */
static bool drifts_apart(const struct rl_comparison *comparison)
{
    const struct rl_compare_side *const sides[] = {&comparison->base, &comparison->new};
    double mean[2] = {0}, first = INFINITY, last = -INFINITY;
    for (size_t s = 0; s < 2; s++)
        for (size_t i = 0; i < sides[s]->session_count; i++) {
            const double at = rl_utc_s(sides[s]->sessions[i].analysis->capture->session.started);
            mean[s] += at / (double)sides[s]->session_count;
            first = fmin(first, at);
            last = fmax(last, at);
        }
    return rl_verdict_by_sessions(&comparison->rules) && fabs(mean[0] - mean[1]) > (last - first) / 2; /* NAN: no */
}

static bool is_of_program(const struct rl_comparison *comparison)
{
    return comparison->base.analysis->capture->process_count + comparison->new.analysis->capture->process_count > 0;
}

static bool is_benchmark(const struct rl_comparison *comparison)
{
    return comparison->base.analysis->capture->benchmark_count && comparison->new.analysis->capture->benchmark_count;
}

/* The command that measures sessions of both sides in turn. */
static const char *command_in_turn(const struct rl_comparison *comparison)
{
    return is_of_program(comparison) ? "compare --run" : "collect --sessions 5";
}

/* Appends what weakens the evidence, and the command that strengthens it: ", measured on two GPUs, in 1 session on each side:
 * ...". Nothing where both sides took turns on one GPU often enough, and of two models, which no measurement brings together. */
static void add_circumstances(const struct rl_comparison *comparison, struct rl_buf *out)
{
    static const char *const cards[] = {[RL_ONE_CARD] = "",
                                        [RL_MAYBE_ONE] = ", on one GPU or two (not recorded)",
                                        [RL_ONE_MODEL] = ", on two GPUs",
                                        [RL_OTHER_MODEL] = ""};
    const size_t *sessions = comparison->rules.sessions;
    RL_SCRATCH how = RL_BUF_INIT;
    if (comparison->relation == RL_OTHER_MODEL)
        return;
    if (!rl_blocks_have_cards(&comparison->rules, comparison->design, comparison->counted))
        rl_buf_adds(&how, cards[comparison->relation]);
    if (drifts_apart(comparison))
        rl_buf_adds(&how, ", one side after the other");
    if (sessions[0] == sessions[1] && sessions[0] < RL_SESSIONS_WITHOUT_CONDITION)
        rl_buf_addf(&how, ", in %zu session%s on each side", sessions[0], plural(sessions[0]));
    else if (sessions[0] < RL_SESSIONS_WITHOUT_CONDITION || sessions[1] < RL_SESSIONS_WITHOUT_CONDITION)
        rl_buf_addf(&how, ", in %zu session%s of the baseline and %zu of the candidate", sessions[0], plural(sessions[0]),
                    sessions[1]);
    if (how.len)
        rl_buf_addf(out, ", measured%s: rooflight %s", how.data + 1,
                    is_of_program(comparison) ? "compare --run -- OLD -- NEW measures several of both, in turn, on one GPU"
                    : is_benchmark(comparison)
                        ? "compare BASELINE ... -- CANDIDATE ... takes several runs of each, in turn, on one GPU"
                        : "collect --sessions 5 measures several, for both sides in turn, on one GPU");
}

/* "between 4.5 % less and 8.8 % more time", or "4.8 % less time (CI −5.6 to −4.1 %)". */
static void add_time(const struct rl_ratio *time, enum rl_verdict verdict, struct rl_buf *out)
{
    if (verdict == RL_UNDECIDED && time->has_interval) {
        /* "between 13.6 % less and 11.7 % more time". */
        rl_buf_adds(out, "between ");
        add_change(time->low, out);
        rl_buf_adds(out, " and ");
        add_change(time->high, out);
    } else {
        add_change(time->estimate, out);
        add_interval(time, out);
    }
}

static void add_verdicts(const struct rl_case_comparison *cases, struct rl_buf *out)
{
    static const enum rl_verdict order[] = {RL_SLOWER, RL_FASTER, RL_SAME, RL_UNDECIDED};
    const char *before = ": ";
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (cases->verdicts[order[i]]) {
            rl_buf_addf(out, "%s%zu %s", before, cases->verdicts[order[i]], rl_verdict_name(order[i]));
            before = ", ";
        }
    if (cases->removed_count)
        rl_buf_addf(out, "; %zu in the baseline only", cases->removed_count);
    if (cases->added_count)
        rl_buf_addf(out, "; %zu in the candidate only", cases->added_count);
}

/* " (10 and 10 samples are too few for an interval over 1,000 cases: 17 in each capture would have one)". */
static void add_few(const struct rl_case_comparison *cases, struct rl_buf *out)
{
    for (size_t i = 0; i < cases->pair_count; i++) {
        const struct rl_change *change = &cases->pairs[i].change;
        if (change->doubt != RL_DOUBT_FEW)
            continue;
        rl_buf_adds(out, " (");
        rl_change_doubt_text(change, out);
        if (cases->comparisons > 1)
            rl_buf_addf(out, "; intervals hold together over %zu cases", cases->comparisons);
        rl_buf_adds(out, ")");
        return;
    }
}

static void add_cases(const struct rl_comparison *comparison, struct rl_buf *out)
{
    const struct rl_case_comparison *cases = comparison->cases;
    if (!cases->whole.present) {
        rl_buf_adds(out, "No case has times on both sides");
        add_verdicts(cases, out);
        return;
    }
    if (cases->whole_of == 1)
        rl_buf_adds(out, "The one case with times takes ");
    else
        rl_buf_addf(out, "By geometric mean %zu cases take ", cases->whole_of);
    if (cases->whole.has_interval) {
        add_time(&cases->whole, cases->verdict, out);
    } else {
        add_change(cases->whole.estimate, out);
        add_few(cases, out);
    }
    add_verdicts(cases, out);
}

void rl_effect_cases_text(const struct rl_comparison *comparison, struct rl_buf *out)
{
    if (!comparison->cases)
        return;
    add_cases(comparison, out);
    rl_buf_adds(out, ".");
}

/* "The same launches take 4.8 % less time (−5.6 to −4.1 %)". */
static void add_kernels(const struct rl_comparison *comparison, struct rl_buf *out)
{
    const struct rl_effect *effect = &comparison->effect;
    if (comparison->pair_count == 0) {
        rl_buf_adds(out, "The captures have no kernel in common");
    } else if (!effect->time.present) {
        rl_buf_adds(out, "No kernel has times on both sides");
    } else {
        rl_buf_adds(out, "The same launches take ");
        add_time(&effect->time, effect->verdict, out);
        /* ", over the 97.1 % of the base's time that both sides have": where that is not nearly all. */
        if (effect->of.share <= 0.9995) {
            rl_buf_adds(out, ", over the ");
            add_share(out, effect->of.share);
            rl_buf_adds(out, " of the baseline's time that can be compared");
        }
    }
}

void rl_effect_kernels_text(const struct rl_comparison *comparison, struct rl_buf *out)
{
    if (!leads_with_cases(comparison) || comparison->pair_count == 0)
        return;
    rl_buf_addf(out, "%s. ", verdict_words[comparison->effect.verdict]);
    add_kernels(comparison, out);
    rl_buf_adds(out, ".");
}

void rl_effect_text(const struct rl_comparison *comparison, struct rl_buf *out)
{
    const bool by_cases = leads_with_cases(comparison);
    (by_cases ? add_cases : add_kernels)(comparison, out);
    if (by_cases ? comparison->cases->whole.present : comparison->effect.time.present)
        add_circumstances(comparison, out);
    rl_buf_adds(out, ".");
    rl_comparison_condition_text(comparison, out);
}

/* ---- what did not change, and what is unknown ---- */

void rl_effect_same_text(const struct rl_comparison *comparison, struct rl_buf *out)
{
    const struct rl_effect_part *same = &comparison->effect.with[RL_SAME];
    if (same->kernels == 0)
        return;
    add_part(comparison, same, out);
    rl_buf_addf(out, ", take%s the same time within %s.", same->kernels == 1 ? "s" : "",
                RL_UNIT_TEXT(RL_UNIT_FRACTION, comparison->rules.margin, 2));
}

static void sessions_action(const struct rl_comparison *comparison, struct rl_buf *out)
{
    const size_t more = comparison->effect.more;
    if (more)
        rl_buf_addf(out, "About %zu more session%s on each side would decide half of them: rooflight %s.", more, plural(more),
                    command_in_turn(comparison));
    else
        rl_buf_addf(out,
                    "They lie too close to the smallest change that matters: not even %d sessions on each side would decide them.",
                    RL_MOST_SESSIONS_TOLD);
}

/* More samples of the same session seldom decide, further sessions do. */
static void measure_action(const struct rl_comparison *comparison, struct rl_buf *out)
{
    rl_buf_addf(out, "Measure %d sessions or more on each side: rooflight %s.", RL_SESSIONS_WITHOUT_CONDITION,
                command_in_turn(comparison));
}

static void in_turn_action(const struct rl_comparison *comparison, struct rl_buf *out)
{
    rl_buf_addf(out, "Five sessions on each side, in turn, decide without a condition: rooflight %s.", command_in_turn(comparison));
}

/* The reason for the verdicts, in words that are always the same or with figures of the comparison. */
static const struct {
    const char *fixed;
    void (*of)(const struct rl_comparison *comparison, struct rl_buf *out);
} actions[] = {
    [RL_DOUBT_NONE] = {.fixed = ""},
    [RL_DOUBT_NO_TIMES] = {.fixed = "Capture both sides with times: most of them have none on one side."},
    [RL_DOUBT_FEW] = {.fixed = "Capture more launches: there are too few samples for an interval."},
    [RL_DOUBT_WIDE] = {.of = measure_action},
    [RL_DOUBT_EDGE] = {.of = measure_action},
    [RL_DOUBT_CARDS] = {.fixed = "Measure both sides on one GPU: two GPUs of one model differ by up to 3" RL_NO_BREAK_SPACE "%."},
    [RL_DOUBT_CLOCKS] = {.fixed = "Capture both sides at one clock: the verdicts by time and by clock cycles disagree."},
    [RL_DOUBT_SESSIONS] = {.of = sessions_action},
    [RL_DOUBT_BLOCKS] = {.fixed = "Measure both sides on one day, in turn, as compare --run does: days, hosts and GPUs that the "
                                  "sides do not share differ more than sessions of one day."},
    [RL_DOUBT_ORDER] = {.fixed = "Capture again: these captures do not record the order in which launches were timed."},
    [RL_DOUBT_UNCHANGED] = {.of = in_turn_action},
    [RL_DOUBT_TREND] = {.of = in_turn_action},
};

void rl_effect_undecided_text(const struct rl_comparison *comparison, struct rl_buf *out)
{
    const struct rl_effect *effect = &comparison->effect;
    const struct rl_effect_part *open = &effect->with[RL_UNDECIDED];
    if (open->kernels == 0)
        return;
    add_part(comparison, open, out);
    rl_buf_adds(out, ", could not be decided. ");
    assert((size_t)effect->doubt < sizeof actions / sizeof *actions);
    if (actions[effect->doubt].of)
        actions[effect->doubt].of(comparison, out);
    else
        rl_buf_adds(out, actions[effect->doubt].fixed);
}

/* ---- work, kernels of one side, results ---- */

void rl_effect_unequal_text(const struct rl_comparison *comparison, struct rl_buf *out)
{
    const struct rl_effect *effect = &comparison->effect;
    if (effect->unequal.kernels == 0)
        return;
    add_part(comparison, &effect->unequal, out);
    rl_buf_adds(out, effect->unequal.kernels == 1 ? ", does different work" : ", do different work");
    if (effect->like_for_like.present) {
        rl_buf_adds(out, "; the others take ");
        add_change(effect->like_for_like.estimate, out);
        add_interval(&effect->like_for_like, out);
    }
    rl_buf_adds(out, ".");
}

void rl_effect_unmatched_text(const struct rl_comparison *comparison, struct rl_buf *out)
{
    const struct rl_effect *effect = &comparison->effect;
    if (effect->removed.kernels) {
        add_part(comparison, &effect->removed, out);
        rl_buf_adds(out, effect->removed.kernels == 1 ? ", is in the baseline only." : ", are in the baseline only.");
    }
    if (effect->added.kernels == 0)
        return;
    rl_buf_addf(out, "%s%zu kernel%s %s new", effect->removed.kernels ? " " : "", effect->added.kernels,
                plural(effect->added.kernels), effect->added.kernels == 1 ? "is" : "are");
    if (effect->added.share > 0) {
        rl_buf_addf(out, " and take%s as much as ", effect->added.kernels == 1 ? "s" : "");
        add_share(out, effect->added.share);
        rl_buf_adds(out, " of the baseline's time");
    }
    rl_buf_adds(out, ".");
}

void rl_effect_results_text(const struct rl_comparison *comparison, struct rl_buf *out)
{
    const struct rl_effect *effect = &comparison->effect;
    const size_t checked = effect->right + effect->broke + effect->mended;
    if (effect->broke) {
        rl_buf_addf(out, "%zu kernel%s computed the right result in the baseline and compute%s a wrong one now: ", effect->broke,
                    plural(effect->broke), effect->broke == 1 ? "s" : "");
        /* "transpose / tiled_padded, scan and 2 more". */
        enum { MOST = 3, MOST_COLUMNS = 60 };
        size_t said = 0;
        for (size_t i = 0; i < comparison->pair_count; i++)
            if (comparison->pairs[i].broke && said++ < MOST)
                rl_buf_adds(out, said > 1 ? ", " : ""),
                    rl_utf8_abbreviate(out, comparison->base.items[comparison->pairs[i].base].label, MOST_COLUMNS);
        if (said > MOST)
            rl_buf_addf(out, " and %zu more", said - MOST);
        rl_buf_adds(out, ".");
    } else if (checked) {
        rl_buf_addf(out, "Results are right on both sides: %zu of %zu kernels have a reference.", effect->right,
                    comparison->pair_count);
    } else {
        rl_buf_adds(out, "Results were not checked: these captures have no reference for them.");
    }
    if (effect->mended)
        rl_buf_addf(out, " %zu wrong result%s of the baseline %s right now.", effect->mended, plural(effect->mended),
                    effect->mended == 1 ? "is" : "are");
}
