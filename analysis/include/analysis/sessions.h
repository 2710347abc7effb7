/* sessions.h - verdicts from several sessions on a side (docs/sessions.md).
 *
 * Samples of one session share its clock, temperature, placement and mode, so they do not predict another session. Sessions are
 * therefore the unit of evidence, and each counts by its median only. With y = ln(median):
 *
 *   1. sides        the estimate is the difference of the mean y of both sides, as a ratio: the geometric mean of the medians
 *   2. scatter      the variance of y between sessions of one side, from the kernel itself (over both sides) and from similar
 *                   kernels: of the same kind of limiter and similar duration. With few sessions the larger of the kernel's
 *                   variance and the mean of the others, which has more degrees of freedom. From RL_SESSIONS_WAYS on the kernel's
 *                   variance, moderated by an inverse chi-square prior fitted to the others. At least the variance of the medians
 *                   from the samples, and a floor (RL_SESSION_FLOOR)
 *   3. interval     Student's t with the degrees of freedom of that variance, at a level common to all kernels: all intervals hold
 *                   together (Bonferroni), or, if more than RL_SESSIONS_DECIDED kernels have a verdict, at most one part in
 *                   RL_SESSIONS_DECIDED of the level is expected to be wrong among them (rl_sessions_decide)
 *   4. blocks       sessions of one host, one GPU and one day are a block. If each block has sessions of both sides, block effects
 *                   cancel; otherwise blocks are counted instead of sessions (enum rl_design)
 *   5. resolution   half a step of the clock on each side (core/stats.h)
 *   6. clocks       as with one session each: if clocks differ, a verdict must also hold in clock cycles
 *   7. order        if one side was measured later than the other, the drift between successive sessions of a side widens the
 *                   interval
 *   8. condition    kernels share the state of a session (a clock, a placement), so few sessions may agree by chance. Sides that
 *                   alternated, in one of RL_SESSIONS_WAYS ways or more, are FASTER or SLOWER without a condition if their ranks
 *                   differ at 1 % (Wilcoxon, Mann and Whitney), which assumes nothing about dependence. All other verdicts have a
 *                   condition (`condition` of struct rl_change), and a smaller change is UNDECIDED
 *
 * Effects within a session (long states, correlation, drift, a mode for each process) appear as scatter between sessions and need
 * no model. (Kalibera and Jones, Rigorous benchmarking in reasonable time, ISMM 2013: the highest level of repetition carries the
 * variance; Smyth, Stat. Appl. Genet. Mol. Biol. 3, 2004: variances of like tests pooled; Benjamini and Yekutieli, J. Am. Stat.
 * Assoc. 100, 2005: intervals of those among many that were decided.)
 */
#pragma once

#include "analysis/verdict.h"

/* Sessions with no pause between them as long as this are of one day (`block` of struct rl_times). */
#define RL_DAY_PAUSE_S (6 * 3600.0)
/* Joint confidence of all intervals of a comparison by sessions: 95 % with many (RL_SESSIONS_WAYS), 99 % with few, because a few
 * sessions may all be in one state on one side and in another on the other, which no scatter shows. */
#define RL_SESSIONS_CONFIDENCE     0.95
#define RL_FEW_SESSIONS_CONFIDENCE 0.99
/* The smallest effect that matters by default, with RL_SESSIONS_ENOUGH sessions and more on each side. */
#define RL_SESSIONS_SMALLEST_EFFECT 0.005
enum { RL_SESSIONS_ENOUGH = 3 };
/* Alternating sessions on each side from which on a verdict needs no condition: one of 252 ways to divide them. */
enum { RL_SESSIONS_WITHOUT_CONDITION = 5 };
/* Lower bound of the scatter between sessions of one GPU: the median difference of eight sessions (docs/data/verdicts.md). */
#define RL_SESSION_FLOOR 0.0002

/* How the sessions of both sides share blocks. */
enum rl_design {
    RL_DESIGN_ONE,     /* there is one block */
    RL_DESIGN_SHARED,  /* several, and each has sessions of both sides: the sides are compared block by block */
    RL_DESIGN_COUNTED, /* some have sessions of one side only: each block of a side counts once, by the mean of its sessions */
    RL_DESIGN_APART,   /* one on each side, and not the same: the effect of blocks is unknown, RL_SESSION_EFFECT is allowed */
};
/* Number of blocks on each side from which on the difference between GPUs shows in their scatter. */
enum { RL_BLOCKS_ENOUGH = 3 };

/* Times of one kernel in the sessions of one side. */
struct rl_sessions {
    const struct rl_times *times;
    size_t count;
};
/* Variance of ln(median) between sessions of one side, and how well it is known. */
struct rl_scatter {
    double variance, freedom; /* freedom 0: unknown */
    double length_s;          /* of the kernel */
    int kind;                 /* of what limits it: kernels of one kind scatter alike */
};
/* Scatter of similar kernels, whose variances are modelled as draws from a scaled inverse chi-square distribution. */
struct rl_like {
    double variance, freedom;    /* mean, weighted by freedom; all freedom together */
    double prior, prior_freedom; /* location of that distribution, and how closely they agree; freedom 0: too few of them tell */
};

/* The kernel's own scatter; sessions without times do not count. */
struct rl_scatter rl_sessions_scatter(const struct rl_sessions *base, const struct rl_sessions *new);
/* Number of ways to divide sessions between two sides from which on two states of a session are split by side in less than one of a
 * hundred comparisons; then the kernel's own scatter counts first. Five on each side have 252. */
#define RL_SESSIONS_WAYS 200

/* Scatters of the kernels of a comparison, to be pooled. */
struct rl_pool;
/* Copies those of `n` scatters that are known. The caller frees it with rl_pool_free. */
struct rl_pool *rl_pool_new(const struct rl_scatter *spreads, size_t n);
/* Frees it; NULL is allowed. */
void rl_pool_free(struct rl_pool *pool);
/* Those of one kind and of like length (up to four times as long or short); where these have little freedom together, those of one
 * kind; else all. */
struct rl_like rl_pool_at(const struct rl_pool *pool, int kind, double length_s);
/* The divisor of the level at look number `look`, from 1 on: k (k + 1). 0 means a single look, after a number of sessions that was
 * fixed in advance: returns 1. */
double rl_look_share(size_t look);
/* Whether the difference between GPUs cancels, or shows in `counted` blocks on each side, so that no allowance is needed. */
bool rl_blocks_have_cards(const struct rl_verdict_rules *rules, enum rl_design design, const size_t *counted);
/* With more verdicts than this, their number decides the level: R verdicts of m kernels have R / m of a fifth of the level each, so
 * that at most a fifth of it (1 %) is expected to be wrong among them. Only if sessions can be divided in RL_SESSIONS_WAYS. */
enum { RL_SESSIONS_DECIDED = 5 };
/* Finds how many kernels have a verdict at the level that so many verdicts have, the largest such number, and keeps it in `rules`:
 * `count` judges all kernels by the rules that it is given, and returns how many have a verdict. 0: so few, or it took too long to
 * find; then all intervals hold together. */
void rl_sessions_decide(struct rl_verdict_rules *rules, size_t (*count)(void *context, const struct rl_verdict_rules *rules),
                        void *context);
/* "kernel", "kernels", "case" or "cases": what so many comparisons are of. */
const char *rl_rules_over(const struct rl_verdict_rules *rules);
/* Appends how far intervals hold: "that hold together with 95 % (Bonferroni over 8 kernels)", or by which how many verdicts may be
 * wrong. */
void rl_sessions_hold_text(const struct rl_verdict_rules *rules, struct rl_buf *out);
/* Judges one kernel by sessions; `like` as rl_pool_at has it, the kernel's own included. `rules->session_effect` is what
 * two GPUs of one model differ besides, 0 for one GPU, and does not count where blocks have it; `rules->confidence` does not
 * count. Never fails: what is missing is a doubt. */
struct rl_change rl_change_of_sessions(const struct rl_sessions *base, const struct rl_sessions *new, const struct rl_like *like,
                                       const struct rl_verdict_rules *rules);
