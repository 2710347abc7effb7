/* verdict.h - did it get faster? From the raw times of two captures to FASTER, SLOWER, SAME or UNDECIDED.
 *
 * The figure is the ratio of the medians, new over base: under 1 is faster. Its interval is made in four steps, each of which can
 * only widen it (docs/verdicts.md has the reasons and what was measured of them):
 *
 *   1. samples      both medians have intervals (core/stats.h) whose ends are divided crosswise: by Bonferroni the ratio is missed
 *                   with at most the sum of the two levels. With m kernels compared each median gets the level
 *                   (1 - confidence) / (2 m), so that all intervals of a comparison hold at once with `confidence`. That is
 *                   stricter than Holm's or Benjamini and Hochberg's steps, and the interval that is shown is the one that decides.
 *                   Samples whose order is unknown might drift: their whole range is taken in.
 *   2. resolution   the clock that took the times has steps: one step on either side.
 *   3. sessions     samples of one session share its clock, placement and temperature, and cannot say how far another session would
 *                   be: both ends are moved by what sessions of unchanged code differ (`session_effect`).
 *   4. clocks       when the SM clocks of the two captures differ by more than RL_CLOCK_TOLERANCE, the same is asked of the ratio
 * in clock cycles: a verdict must hold in both.
 *
 * With d the smallest effect that matters: FASTER when the whole interval lies below 1 - d, SLOWER when it lies above 1 + d, SAME
 * when it lies between; otherwise UNDECIDED. A large step is not enough and a small one is not "no difference": both need evidence.
 * (Minimum-effect and equivalence tests: Murphy and Myors, Testing the hypothesis that treatments have negligible effects,
 * J. Applied Psychology 84, 1999; Schuirmann, J. Pharmacokinetics and Biopharmaceutics 15, 1987.)
 */
#ifndef RL_ANALYSIS_VERDICT_H
#define RL_ANALYSIS_VERDICT_H

#include "core/core.h"

enum rl_verdict { RL_UNDECIDED, RL_FASTER, RL_SLOWER, RL_SAME };
const char *rl_verdict_name(enum rl_verdict verdict); /* "FASTER", ... */

/* Why there is no verdict. */
enum rl_doubt {
    RL_DOUBT_NONE,
    RL_DOUBT_NO_TIMES, /* a side has no times, or a median that is not positive */
    RL_DOUBT_FEW,      /* too few samples for any interval */
    RL_DOUBT_WIDE,     /* the interval reaches over the edge of what matters: more samples would decide */
    RL_DOUBT_EDGE,     /* the change is as large as the smallest effect, within what sessions differ: no samples would */
    RL_DOUBT_CARDS,    /* likewise, and the captures are of two cards of one model */
    RL_DOUBT_CLOCKS,   /* the clocks differed, and time and cycles do not agree */
    RL_DOUBT_SESSIONS, /* the interval reaches over the edge of what matters: more sessions may decide (sessions.h) */
    RL_DOUBT_BLOCKS,   /* likewise, and the sides were measured on hosts or days that they do not share: more of these may decide */
    RL_DOUBT_ORDER,    /* samples in no order: their whole range had to be taken in */
    RL_DOUBT_UNCHANGED, /* a change, but not beyond `unchanged` of the rules, and too few sessions took turns to do without that */
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
    size_t decided;         /* of them, by sessions, with a verdict (rl_sessions_decide); 0: intervals hold together */
    size_t sessions[2];     /* of base and new; 1 and 1: `session_effect` stands for what is unknown of others */
    double unchanged;     /* relative: sessions of unchanged code differ by at most this on this model of card (unchanged.def): the
                           * condition of verdicts by fewer than five sessions on each side that took turns */
    bool in_turn;         /* neither side was ever ahead by more than two sessions (sessions.h) */
    bool blocks_of_cards; /* no block (struct rl_times) has two cards, so that what cards differ is between blocks */
    size_t look;          /* number of this look at sessions that are still being measured (compare.h); 0: there is only one */
};
/* Whether several sessions of a side decide, by what they scatter, rather than the samples of one on each side. */
static inline bool rl_verdict_by_sessions(const struct rl_verdict_rules *rules)
{
    return rules->sessions[0] + rules->sessions[1] > 2;
}
#define RL_CONFIDENCE      0.95
#define RL_SMALLEST_EFFECT 0.01
#define RL_MARGIN          0.01
/* Captures of unchanged code one after the other on one card, and on several cards of one model (docs/verdicts.md). */
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
    size_t block;                /* number of the host, card and day of the session, on both sides the same (sessions.h) */
    size_t turn;                 /* position of the session among all of both sides, by when they began; 0 of all: unknown */
};

struct rl_change {
    enum rl_verdict verdict;
    enum rl_doubt doubt;
    struct rl_ratio time;       /* new over base, after steps 1 to 3 */
    struct rl_ratio cycles;     /* the same in clock cycles; present when the clocks differ */
    struct rl_value clock;      /* SM clock of new over that of base */
    struct rl_median base, new; /* the medians, in seconds */
    double condition;           /* the verdict holds if sessions of unchanged code differ by at most so much; 0: without that */
    size_t more_samples; /* RL_DOUBT_WIDE and RL_DOUBT_FEW: about how many more each capture needs; RL_DOUBT_SESSIONS: how many
                          * more sessions each side; RL_DOUBT_BLOCKS: more days; 0 otherwise */
};

/* Judges one kernel. Never fails: what is missing is a doubt. */
struct rl_change rl_change_of(const struct rl_times *base, const struct rl_times *new, const struct rl_verdict_rules *rules);
/* Whether the change is a regression of more than `tolerance` (0.05: 5 %): SLOWER, and the whole interval lies above 1 + tolerance.
 */
bool rl_change_is_regression(const struct rl_change *change, double tolerance);
/* Appends why a verdict is UNDECIDED, and what to do: "about 120 more samples each would decide". Nothing for other verdicts. */
void rl_change_doubt_text(const struct rl_change *change, struct rl_buf *out);

/* Appends the change that a ratio is, "+2.1 %", "−0.3 %", "0.0 %", and its interval, "−0.5 to +0.7 %" (a dash without one). */
void rl_ratio_change_text(double ratio, struct rl_buf *out);
/* Appends the interval of the change that a ratio is, "−0.5 to +0.7 %", or a dash when it has none. */
void rl_ratio_interval_text(const struct rl_ratio *ratio, struct rl_buf *out);

/* The effect of a change on the whole: every kernel counts by the time that it takes in the base.
 *
 *     ratio = sum(w r) / sum(w)      w: time of the base's launches of a kernel (median by launches); r: its ratio, new over base
 *
 * That is the time that the same launches take in the new version over the time that they take in the base. The ends of the
 * interval are the same sums of the ends of the kernels' intervals, as if all of them erred the same way and as far: sessions share
 * a clock and a temperature, so that errors need not average out. It holds with the confidence of the comparison where the kernels'
 * intervals hold together, and with that of one interval where how many verdicts are wrong is bounded (analysis/sessions.h). It is
 * wider than independent errors would ask for, never narrower.
 *
 * Kernels without a ratio, or without an interval where others have one, are left out; `of.share` says how much of the time is
 * left. So are kernels that only one side has. A kernel that does other work counts with its time: whoever waits for the program
 * waits for it, too. What the rest does by itself is `like_for_like`. */

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
    enum rl_doubt doubt;                     /* what keeps most of the time of the undecided ones undecided */
    size_t more;                 /* samples or sessions that would decide half of those, as rl_change has it; 0: unknown */
    size_t right, broke, mended; /* kernels with a result that was checked on both sides: right on both; right in the base and wrong
                                    now; the other way round */
};

/* Works it out for a comparison whose pairs are judged, and gives every pair its share of the base's time. */
void rl_comparison_weigh(struct rl_comparison *comparison);
/* The part of a pair in the ratio of the whole: -0.02 takes 2 % off the time of all kernels; 0 of a pair that is not in it. */
double rl_pair_contribution(const struct rl_comparison *comparison, const struct rl_pair *pair);
/* All pairs by what they do to the whole: results that broke, then what is FASTER or SLOWER, the largest part in the ratio first;
 * then what is open and what is the same, by share of the time. `order` has room for all; returns how many broke or changed. */
size_t rl_comparison_changed(const struct rl_comparison *comparison, size_t *order);

/* ---- sentences, in plain English; each appends nothing where there is nothing to say ---- */

/* How a ratio of times is to be read, wherever one is printed. */
#define RL_RATIO_READS "new over base: 0.95 is 5 % less time, 1.05 is 5 % more"
/* How a speedup is to be read, wherever one card is compared with another: the ratio turned round, and never called one. */
#define RL_SPEEDUP_READS "time on the base over time on the GPU: 2 is twice as fast"

/* "FASTER", "SLOWER", "NO CHANGE", "MIXED", "UNDECIDED", "WRONG RESULT", "NOTHING TO COMPARE". Never nothing. Where there are cases
 * it is of them, as are the tables: MIXED where some are FASTER and others SLOWER. */
const char *rl_effect_headline(const struct rl_comparison *comparison);
struct rl_case_comparison;
/* The same of cases alone. */
const char *rl_effect_cases_headline(const struct rl_case_comparison *cases);
/* "The same launches take 4.8 % less time (−5.6 to −4.1 %).", of cases rl_effect_cases_text; where the sides were measured on two
 * cards, did not take turns or have less than RL_SESSIONS_ENOUGH sessions each, that, and the command that strengthens the
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

#endif
