/* verdict.h - verdicts on the times of two captures: FASTER, SLOWER, SAME or UNDECIDED.
 *
 * The figure is the ratio of the medians, new over base: under 1 is faster. Its interval is made in four steps, each of which can
 * only widen it (docs/verdicts.md has the reasons and the measurements):
 *
 *   1. samples      opposite ends of the medians' intervals (core/stats.h) are divided: by Bonferroni the ratio is missed with at
 *                   most the sum of the two levels. With m kernels compared each median gets the level (1 - confidence) / (2 m), so
 *                   that all intervals of a comparison hold together with `confidence`. That is stricter than Holm's or Benjamini
 *                   and Hochberg's steps, but the printed interval is the one that decides. Samples whose order is unknown might
 *                   drift, so their whole range is included.
 *   2. resolution   the clock that took the times has steps: one step on either side.
 *   3. sessions     samples of one session share its clock, placement and temperature: both ends are moved by the difference
 *                   between sessions of unchanged code (`session_effect`).
 *   4. clocks       if the SM clocks of the captures differ by more than RL_CLOCK_TOLERANCE, a verdict must also hold for the
 *                   ratio in clock cycles.
 *
 * With d the smallest effect that matters and m the margin: FASTER if the whole interval is below 1 - d, SLOWER if it is above 1 +
 * d, SAME if it is between 1 - m and 1 + m and neither of these; otherwise UNDECIDED. (Minimum-effect and equivalence tests: Murphy
 * and Myors, Testing the hypothesis that treatments have negligible effects, J. Applied Psychology 84, 1999; Schuirmann, J.
 * Pharmacokinetics and Biopharmaceutics 15, 1987.)
 */
#pragma once

#include "core/core.h"

enum rl_verdict { RL_UNDECIDED, RL_FASTER, RL_SLOWER, RL_SAME };
const char *rl_verdict_name(enum rl_verdict verdict); /* "FASTER", ... */

/* Why there is no verdict. */
enum rl_doubt {
    RL_DOUBT_NONE,
    RL_DOUBT_NO_TIMES, /* a side has no times, or a median that is not positive */
    RL_DOUBT_FEW,      /* too few samples for any interval */
    RL_DOUBT_WIDE,     /* the interval crosses the smallest effect: more samples would decide */
    RL_DOUBT_EDGE,     /* the change is too close to the smallest effect, given the session effect: no samples would decide */
    RL_DOUBT_CARDS,    /* likewise, and the captures are of two GPUs of one model */
    RL_DOUBT_CLOCKS,   /* the clocks differed, and time and cycles do not agree */
    RL_DOUBT_SESSIONS, /* the interval crosses the smallest effect: more sessions may decide (sessions.h) */
    RL_DOUBT_BLOCKS,   /* likewise, and the sides were measured on different hosts or days: more of these may decide */
    RL_DOUBT_ORDER,    /* samples without order: their whole range was included */
    RL_DOUBT_UNCHANGED, /* a change, but not beyond `unchanged` of the rules, and too few alternating sessions to do without it */
    RL_DOUBT_TREND,     /* sessions drift, and one side was measured later than the other */
    RL_DOUBT_COUNT,
};

struct rl_verdict_rules {
    double confidence;      /* of all intervals of the comparison together */
    double smallest_effect; /* relative, 0.005: beyond it a change is FASTER or SLOWER */
    double margin;          /* relative, 0.01: an interval within it is SAME, unless all of it is beyond the smallest effect */
    double session_effect;  /* relative: what two sessions of unchanged code differ beyond their samples */
    size_t comparisons;     /* kernels compared, or cases where no kernel is; at least 1 */
    bool of_cases;          /* no kernel is compared, cases are */
    size_t decided;         /* number of them with a verdict by sessions (rl_sessions_decide); 0: intervals hold together */
    size_t sessions[2];     /* of base and new; 1 and 1: `session_effect` is the allowance for other sessions */
    double unchanged;     /* relative: sessions of unchanged code differ by at most this on this GPU model (unchanged.def): the
                           * condition of verdicts by fewer than five sessions on each side that took turns */
    bool in_turn;         /* neither side was ever ahead by more than two sessions (sessions.h) */
    bool blocks_of_cards; /* no block (struct rl_times) has two GPUs, so that what GPUs differ is between blocks */
    size_t look;          /* number of this look at sessions that are still being measured (compare.h); 0: there is only one */
};
/* Whether verdicts follow from the scatter between several sessions, rather than from the samples of one on each side. */
static inline bool rl_verdict_by_sessions(const struct rl_verdict_rules *rules)
{
    return rules->sessions[0] + rules->sessions[1] > 2;
}
#define RL_CONFIDENCE      0.95
#define RL_SMALLEST_EFFECT 0.01
#define RL_MARGIN          0.01
/* Differences between captures of unchanged code on one GPU, and on several GPUs of one model (docs/verdicts.md). */
#define RL_SESSION_EFFECT  0.005
#define RL_UNIT_EFFECT     0.03
#define RL_CLOCK_TOLERANCE 0.01 /* clocks read in the counter pass differ by 0.75 % from session to session of the same code */

/* Times of one kernel in one capture. */
struct rl_times {
    const double *seconds; /* in the order of measuring, unless `shuffled` */
    size_t n;
    double resolution_s;         /* step of the clock that took them; 0: none */
    struct rl_value sm_clock_hz; /* may be missing: then step 4 is left out */
    bool shuffled;               /* the order is unknown: dependence and drift cannot be tested */
    size_t block;                /* number of the host, GPU and day of the session, on both sides the same (sessions.h) */
    size_t turn;                 /* position of the session among all of both sides, by when they began; 0 of all: unknown */
};

struct rl_change {
    enum rl_verdict verdict;
    enum rl_doubt doubt;
    struct rl_ratio time;       /* new over base, after steps 1 to 3 */
    struct rl_ratio cycles;     /* the same in clock cycles; present when the clocks differ */
    struct rl_value clock;      /* SM clock of new over that of base */
    struct rl_median base, new; /* the medians, in seconds */
    double condition;           /* relative: the verdict holds if sessions of unchanged code differ by at most this; 0:
                                 * unconditional */
    size_t more_samples; /* approximate number that would decide: of samples per capture (RL_DOUBT_WIDE, RL_DOUBT_FEW), of sessions
                          * per side (RL_DOUBT_SESSIONS), of days (RL_DOUBT_BLOCKS); 0 otherwise */
};

/* Judges one kernel. Never fails: what is missing is a doubt. */
struct rl_change rl_change_of(const struct rl_times *base, const struct rl_times *new, const struct rl_verdict_rules *rules);
/* Whether the change is a regression of more than `tolerance` (0.05: 5 %): SLOWER, and the whole interval lies above 1 + tolerance.
 */
bool rl_change_is_regression(const struct rl_change *change, double tolerance);
/* Appends why a verdict is UNDECIDED, and what to do: "about 120 more samples each would decide". Nothing for other verdicts. */
void rl_change_doubt_text(const struct rl_change *change, struct rl_buf *out);

/* Appends a ratio as a change, "+2.1 %", "−0.3 %", "0.0 %", with its interval, "−0.5 to +0.7 %" (a dash without one). */
void rl_ratio_change_text(double ratio, struct rl_buf *out);
/* Appends the interval of a ratio as changes, "−0.5 to +0.7 %", or a dash without one. */
void rl_ratio_interval_text(const struct rl_ratio *ratio, struct rl_buf *out);

/* ---- the effect of a change on all kernels together, weighted by their time in the base ----
 *
 *     ratio = sum(w r) / sum(w)      w: time of the base's launches of a kernel (median by launches); r: its ratio, new over base
 *
 * That is the time of the same launches in the new version over their time in the base. The ends of the interval are the same sums
 * of the ends of the kernels' intervals, because errors need not average out: sessions share a clock and a temperature. It holds
 * with the confidence of the comparison if the kernels' intervals hold together, and with that of one interval if the share of
 * wrong verdicts is bounded (analysis/sessions.h). It is wider than independent errors would require, never narrower.
 *
 * Left out are kernels without a ratio, or without an interval if others have one, and kernels of one side only; `of.share` is the
 * covered share of the time. A kernel with different work counts with its time; `like_for_like` is the ratio of the others. */

struct rl_comparison;
struct rl_pair;

/* Some kernels of the base. */
struct rl_effect_part {
    size_t kernels;
    double share; /* of the time of the base, 0..1 */
};

struct rl_effect {
    struct rl_ratio time;                    /* new over base; not present: no kernel has a ratio */
    enum rl_verdict verdict;                 /* on it, by the rules of the comparison; UNDECIDED without an interval */
    struct rl_effect_part of;                /* the kernels that it is of */
    struct rl_effect_part with[4];           /* kernels that are compared, by their verdict */
    struct rl_effect_part unequal;           /* of those, the ones that do other work */
    struct rl_ratio like_for_like;           /* of all others; not present where no kernel does other work */
    struct rl_effect_part excluded, removed; /* not compared; only in the base */
    struct rl_effect_part added;             /* only in the new one: its time there, as a share of the time of the base */
    enum rl_doubt doubt;                     /* the doubt with the most time among undecided kernels */
    size_t more;                 /* samples or sessions that would decide half of those, see struct rl_change; 0: unknown */
    size_t right, broke, mended; /* kernels with a result that was checked on both sides: right on both; right in the base and wrong
                                    now; the other way round */
};

/* Computes the effect of a comparison whose pairs are judged, and every pair's share of the base's time. */
void rl_comparison_weigh(struct rl_comparison *comparison);
/* Contribution of a pair to the ratio of all kernels: -0.02 reduces their time by 2 %; 0 if the pair is not in it. */
double rl_pair_contribution(const struct rl_comparison *comparison, const struct rl_pair *pair);
/* Sorts all pairs by their effect: results that broke, then FASTER or SLOWER by contribution, the largest first; then UNDECIDED and
 * SAME by share of the time. `order` has room for all; returns the number that broke or changed. */
size_t rl_comparison_changed(const struct rl_comparison *comparison, size_t *order);

/* ---- sentences; each function appends nothing if the sentence does not apply ---- */

/* Explanation of a printed ratio of times. */
#define RL_RATIO_READS "candidate over baseline: 0.95 is 5 % less time, 1.05 is 5 % more"
/* Explanation of a printed speedup between GPUs: the inverse of the ratio. */
#define RL_SPEEDUP_READS "time on the baseline over time on the GPU: 2 is twice as fast"

/* "FASTER", "SLOWER", "NO CHANGE", "MIXED", "UNDECIDED", "WRONG RESULT", "NOTHING TO COMPARE". Never nothing. Where there are cases
 * it is of them, as are the tables: MIXED where some are FASTER and others SLOWER. */
const char *rl_effect_headline(const struct rl_comparison *comparison);
struct rl_case_comparison;
/* The same of cases alone. */
const char *rl_effect_cases_headline(const struct rl_case_comparison *cases);
/* "The same launches take 4.8 % less time (−5.6 to −4.1 %).", of cases rl_effect_cases_text; where the sides were measured on two
 * GPUs, did not take turns or have less than RL_SESSIONS_ENOUGH sessions each, that, and the command that strengthens the
 * evidence. */
void rl_effect_text(const struct rl_comparison *comparison, struct rl_buf *out);
/* Cases (analysis/cases.h): "By geometric mean 12 cases take 3.1 % more time (interval +2.0 to +4.2 %): 1 SLOWER, 11 SAME." */
void rl_effect_cases_text(const struct rl_comparison *comparison, struct rl_buf *out);
/* The change of all kernels together, where cases are in the first sentence: "FASTER. The same launches take ...". */
void rl_effect_kernels_text(const struct rl_comparison *comparison, struct rl_buf *out);
/* "5 kernels, 83.0 % of the base's time, take the same time within 1 %." */
void rl_effect_same_text(const struct rl_comparison *comparison, struct rl_buf *out);
/* How many could not be decided, their share of the time, and what would decide them. */
void rl_effect_undecided_text(const struct rl_comparison *comparison, struct rl_buf *out);
/* Which do other work, and what the others do by themselves. */
void rl_effect_unequal_text(const struct rl_comparison *comparison, struct rl_buf *out);
/* Appends the kernels that only one side has, with their time. */
void rl_effect_unmatched_text(const struct rl_comparison *comparison, struct rl_buf *out);
/* Whether the results are the same. */
void rl_effect_results_text(const struct rl_comparison *comparison, struct rl_buf *out);
