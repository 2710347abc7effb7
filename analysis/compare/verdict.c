#include "analysis/verdict.h"

#include "compare_internal.h"

static const char *const verdict_names[] = {
    [RL_UNDECIDED] = "UNDECIDED",
    [RL_FASTER] = "FASTER",
    [RL_SLOWER] = "SLOWER",
    [RL_SAME] = "SAME",
};

const char *rl_verdict_name(enum rl_verdict verdict)
{
    assert((size_t)verdict < RL_COUNT(verdict_names));
    return verdict_names[verdict];
}

/* ---- the interval ---- */

/* A drift takes in the whole range, and in samples without order it cannot be distinguished from noise. */
static struct rl_median median_of(const struct rl_times *times, double confidence)
{
    struct rl_median median = rl_median_of(times->seconds, times->n, confidence);
    for (size_t i = 0; i < times->n && times->shuffled; i++) {
        median.low = fmin(median.low, times->seconds[i]);
        median.high = fmax(median.high, times->seconds[i]);
    }
    return median;
}

/* Low end of a median's interval after the step of the clock; never under zero. */
static double low_end(const struct rl_median *median, double resolution)
{
    return fmax(0, median->low - resolution);
}

static struct rl_ratio ratio_of(const struct rl_change *change, const struct rl_times *base, const struct rl_times *new,
                                double session_effect)
{
    struct rl_ratio ratio = {.present =
                                 change->base.n > 0 && change->new.n > 0 && change->base.median > 0 && change->new.median > 0};
    if (!ratio.present)
        return ratio;
    const double below = low_end(&change->base, base->resolution_s);
    ratio.estimate = change->new.median / change->base.median;
    ratio.has_interval = change->base.has_interval && change->new.has_interval &&below > 0;
    if (ratio.has_interval) {
        ratio.low = low_end(&change->new, new->resolution_s) / (change->base.high + base->resolution_s) / (1 + session_effect);
        ratio.high = (change->new.high + new->resolution_s) / below * (1 + session_effect);
    }
    return ratio;
}

/* ---- the verdict ---- */

enum rl_verdict rl_verdict_place(const struct rl_ratio *ratio, const struct rl_verdict_rules *rules)
{
    if (ratio->high < 1 - rules->smallest_effect)
        return RL_FASTER;
    if (ratio->low > 1 + rules->smallest_effect)
        return RL_SLOWER;
    return ratio->low >= 1 - rules->margin && ratio->high <= 1 + rules->margin ? RL_SAME : RL_UNDECIDED;
}

double rl_change_room(const struct rl_change *change, const struct rl_verdict_rules *rules)
{
    const double away = fabs(change->time.estimate - 1);
    return fmax(away - rules->smallest_effect, rules->margin - away) / change->time.estimate;
}

void rl_change_judge(struct rl_change *change, const struct rl_verdict_rules *rules)
{
    if (rl_positive(change->clock) && fabs(change->clock.v - 1) > RL_CLOCK_TOLERANCE)
        change->cycles = rl_ratio_scaled(change->time, change->clock.v);
    change->verdict = rl_verdict_place(&change->time, rules);
    if (change->verdict != RL_UNDECIDED && change->cycles.present && rl_verdict_place(&change->cycles, rules) != change->verdict) {
        change->verdict = RL_UNDECIDED;
        change->doubt = RL_DOUBT_CLOCKS;
    }
}

static void judge(struct rl_change *change, const struct rl_verdict_rules *rules, bool shuffled)
{
    rl_change_judge(change, rules);
    if (change->verdict != RL_UNDECIDED || change->doubt == RL_DOUBT_CLOCKS)
        return;
    if (shuffled)
        change->doubt = RL_DOUBT_ORDER;
    else {
        /* Samples shrink the part of the interval that is theirs with their square root; resolution and sessions stay. */
        const double most = 20; /* times as many: no user takes more, and sessions say more than samples */
        const double samples = (change->base.high - change->base.low) / 2 / change->base.median +
                               (change->new.high - change->new.low) / 2 / change->new.median;
        const double all = log(change->time.high / change->time.low) / 2,
                     room = rl_change_room(change, rules) - fmax(0, all - samples);
        const size_t n = change->base.n < change->new.n ? change->base.n : change->new.n;
        const double wanted = (double)n * pow(samples / room, 2);
        const enum rl_doubt never = rules->session_effect > RL_SESSION_EFFECT ? RL_DOUBT_CARDS : RL_DOUBT_EDGE;
        change->doubt = room > 0 && wanted < most * (double)n ? RL_DOUBT_WIDE : never;
        if (change->doubt == RL_DOUBT_WIDE)
            change->more_samples = wanted > (double)n + 1 ? (size_t)ceil(wanted) - n : 1;
    }
}

/* One session on each side says nothing of others: every verdict takes for granted that they differ by at most so much. */
static void find_condition(struct rl_change *change, const struct rl_verdict_rules *rules)
{
    if (change->verdict == RL_UNDECIDED)
        return;
    change->condition = fmax(rules->unchanged, rules->session_effect);
    if (change->verdict == RL_SAME || fabs(log(change->time.estimate)) > log1p(change->condition))
        return;
    *change = (struct rl_change){.doubt = RL_DOUBT_UNCHANGED,
                                 .time = change->time,
                                 .cycles = change->cycles,
                                 .clock = change->clock,
                                 .base = change->base,
                                 .new = change->new};
}

struct rl_change rl_change_of(const struct rl_times *base, const struct rl_times *new, const struct rl_verdict_rules *rules)
{
    assert(rules->comparisons > 0 && rules->smallest_effect > 0 && rules->smallest_effect < 1 && rules->margin > 0);
    const double confidence = 1 - (1 - rules->confidence) / 2 / (double)rules->comparisons;
    struct rl_change change = {.verdict = RL_UNDECIDED,
                               .base = median_of(base, confidence),
                               .new = median_of(new, confidence),
                               .clock = rl_value_div(new->sm_clock_hz, base->sm_clock_hz, "no clock")};
    change.time = ratio_of(&change, base, new, rules->session_effect);
    if (!change.time.present) {
        change.doubt = RL_DOUBT_NO_TIMES;
    } else if (!change.time.has_interval) {
        const size_t fewest = base->n < new->n ? base->n : new->n;
        change.doubt = RL_DOUBT_FEW;
        change.more_samples = fewest < change.base.least ? change.base.least - fewest : 1;
    } else {
        judge(&change, rules, base->shuffled || new->shuffled);
        find_condition(&change, rules);
    }
    return change;
}

bool rl_change_is_regression(const struct rl_change *change, double tolerance)
{
    return change->verdict == RL_SLOWER && change->time.low > 1 + tolerance;
}

/* ---- words ---- */

static void few_text(const struct rl_change *change, struct rl_buf *out)
{
    rl_buf_addf(out, "%zu and %zu samples are too few for an interval: %s in each capture would have one", change->base.n,
                change->new.n, RL_UNIT_TEXT(RL_UNIT_COUNT, (double)change->base.least, 4));
}

static void clocks_text(const struct rl_change *change, struct rl_buf *out)
{
    rl_buf_addf(out, "the SM clock was %s %s, and time and clock cycles disagree: capture both at one clock",
                RL_UNIT_TEXT(RL_UNIT_FRACTION, fabs(change->clock.v - 1), 2), change->clock.v > 1 ? "higher" : "lower");
}

static void no_times_text(const struct rl_change *change, struct rl_buf *out)
{
    rl_buf_adds(out, change->base.n == 0 && change->new.n == 0 ? "no times in either capture" : "no times on one side");
}

static void wide_text(const struct rl_change *change, struct rl_buf *out)
{
    rl_buf_addf(out, "about %s more sample%s in each capture would decide",
                RL_UNIT_TEXT(RL_UNIT_COUNT, (double)change->more_samples, 2), change->more_samples == 1 ? "" : "s");
}

static void sessions_text(const struct rl_change *change, struct rl_buf *out)
{
    if (change->more_samples == 0)
        rl_buf_addf(out, "too close to the smallest effect that matters: not even %d sessions on each side would decide",
                    RL_MOST_SESSIONS_TOLD);
    else
        rl_buf_addf(out, "about %zu more session%s on each side would decide", change->more_samples,
                    change->more_samples == 1 ? "" : "s");
}

static void blocks_text(const struct rl_change *change, struct rl_buf *out)
{
    if (change->more_samples == 0)
        rl_buf_adds(out, "the sides share no day, host or GPU: measure both on one day, in turn");
    else
        rl_buf_addf(out, "about %zu more day%s on each side would decide, or days on which both are measured, in turn",
                    change->more_samples, change->more_samples == 1 ? "" : "s");
}

/* A doubt in words: always the same ones, or with figures of the change. */
static const struct doubt_words {
    const char *fixed;
    void (*of)(const struct rl_change *change, struct rl_buf *out);
} doubt_words[] = {
    [RL_DOUBT_NONE] = {.fixed = ""},
    [RL_DOUBT_NO_TIMES] = {.of = no_times_text},
    [RL_DOUBT_FEW] = {.of = few_text},
    [RL_DOUBT_WIDE] = {.of = wide_text},
    [RL_DOUBT_SESSIONS] = {.of = sessions_text},
    [RL_DOUBT_BLOCKS] = {.of = blocks_text},
    [RL_DOUBT_EDGE] =
        {.fixed = "too close to the smallest effect that matters to be decided from one session on each side: compare several"},
    [RL_DOUBT_CARDS] = {.fixed = "not beyond the difference between two GPUs of one model: measure both on one GPU"},
    [RL_DOUBT_CLOCKS] = {.of = clocks_text},
    [RL_DOUBT_ORDER] = {.fixed = "samples without their order may hide a drift: capture again, which records it"},
    [RL_DOUBT_UNCHANGED] = {.fixed = "sessions of unchanged code differ as much: five on each side, in turn, would decide "
                                     "(rooflight compare --run)"},
    [RL_DOUBT_TREND] = {.fixed = "times drift from session to session: measure both sides in turn (rooflight compare --run)"},
};

void rl_change_doubt_text(const struct rl_change *change, struct rl_buf *out)
{
    assert(change->doubt < RL_COUNT(doubt_words));
    const struct doubt_words *words = &doubt_words[change->doubt];
    assert(words->fixed || words->of);
    if (words->of)
        words->of(change, out);
    else
        rl_buf_adds(out, words->fixed);
}

void rl_ratio_change_text(double ratio, struct rl_buf *out)
{
    const double percent = 100 * (ratio - 1), shown = fabs(percent) < 0.05 ? 0 : percent;
    rl_buf_addf(out, "%s%.*f %%", shown > 0 ? "+" : shown < 0 ? "−" : "", fabs(percent) < 99.95 ? 1 : 0, fabs(shown));
}

void rl_ratio_interval_text(const struct rl_ratio *ratio, struct rl_buf *out)
{
    if (!ratio->has_interval) {
        rl_buf_adds(out, RL_EN_DASH);
        return;
    }
    rl_ratio_change_text(ratio->low, out);
    rl_buf_truncate(out, out->len - strlen(" %"));
    rl_buf_adds(out, " to ");
    rl_ratio_change_text(ratio->high, out);
}
