/* verdict.h - did it get faster? From the raw times of two captures to FASTER, SLOWER, SAME or UNDECIDED.
 *
 * The figure is the ratio of the medians, new over base: under 1 is faster. Its interval is made in four steps, each of which can
 * only widen it (docs/verdicts.md has the reasons and what was measured of them):
 *
 *   1. samples      both medians have intervals (core/series.h) whose ends are divided crosswise: by Bonferroni the ratio is missed
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

#include <stdbool.h>
#include <stddef.h>

#include "core/buf.h"
#include "core/series.h"
#include "core/stats.h"
#include "core/value.h"

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
    size_t look;          /* number of this look at sessions that are still being measured (turns.h); 0: there is only one */
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

#endif
