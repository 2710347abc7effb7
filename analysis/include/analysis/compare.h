/* compare.h - the comparison of two captures: matching of kernels, verdicts on their times, and changes of their counters.
 *
 * Plain C, opens no file. Input are two analyses, output is a `struct rl_comparison`, which refers to both, must be freed before
 * them, and is read by every medium (terminal, Markdown, JSON, PDF).
 */
#pragma once

#include "analysis/cases.h"
#include "analysis/pc.h"
#include "analysis/sessions.h"

/* ---- what is compared ---- */

/* Relation of the GPUs of two captures, from the closest to the farthest. */
enum rl_relation_of_cards {
    RL_ONE_CARD,    /* the same UUID */
    RL_MAYBE_ONE,   /* the same name, and a UUID is unknown */
    RL_ONE_MODEL,   /* the same name, another UUID */
    RL_OTHER_MODEL, /* another name */
};

/* One kernel class, or a variant of the suite whose runs were timed as a whole. Kernels of such a variant are compared only if they
 * were timed, too. */
struct rl_item {
    size_t kernel;               /* in the capture; RL_NONE: the variant as a whole */
    size_t variant;              /* RL_NONE: not of the suite */
    size_t gpu;                  /* position in the capture */
    const char *label;           /* as the analysis has it; wholes: "experiment / variant" */
    const char *name, *shape;    /* full name of the kernel; "<<<(1024, 1, 1), (256, 1, 1), 0>>>"; wholes: "" and the size */
    bool no_grid;                /* published figures without a grid: the shape is zero */
    const char *short_name;      /* without template arguments; wholes: "" */
    const char *path;            /* NVTX path, or "experiment/variant"; "": none */
    const char *of_case;         /* key of the case with all of its timed launches (cases.h); NULL: none */
    struct rl_times times;       /* n == 0: no times */
    struct rl_sessions sessions; /* of all sessions of its side, the first one's included; count 0: there is one session */
    const char *not_compared;    /* why its times are not compared ("computed the wrong thing"); NULL: they are */
    bool wrong_later;            /* a session after the first has a wrong result */
    struct rl_value flop;        /* of one launch or run: counted, otherwise by its work model */
    struct rl_value stored;      /* bytes to global memory, of one launch; missing for wholes */
    uint64_t launches;           /* per run for the suite, else in the session; 0: unknown */
    enum rl_bound bound;         /* RL_BOUND_UNKNOWN for wholes */
    enum rl_resource limiter;    /* RL_RESOURCE_COUNT: none, and for wholes */
    const char *limited_by;      /* that in words (struct rl_limiting); NULL: unknown */
    enum rl_resource nearest;    /* resource with the nearest roof; RL_RESOURCE_COUNT: unknown, and for wholes */
    struct rl_value roof_time_s, roof_share; /* missing for wholes */
    const struct rl_value *metric;           /* RL_METRIC_COUNT of them */
    const struct rl_occupancy *occupancy;    /* NULL for wholes */
    enum rl_relation_of_cards cards;         /* farthest relation of its GPU to those of further sessions of its side */
};
/* A session of a side. */
struct rl_side_session {
    const struct rl_analysis *analysis;
    const char *name; /* of its capture */
    bool is_strange;  /* it has none of the kernels of the first session */
    size_t block;     /* number of its host, GPU and day (sessions.h) */
    size_t turn;      /* its position in time among all sessions of both sides, as in struct rl_times */
};
struct rl_compare_side {
    const struct rl_analysis *analysis; /* of the first session */
    struct rl_item *items;              /* wholes in the order of the capture, then kernels */
    size_t count;
    struct rl_side_session *sessions; /* the first one included */
    size_t session_count;
};

/* Name and shape as people read them: "k(int) <<<(1024, 1, 1), (256, 1, 1), 0>>>"; wholes: "size 4096"; figures of others, which
 * have no grid: the name alone. Appends. */
void rl_item_text(const struct rl_item *item, struct rl_buf *out);
/* The shape alone; "" where no grid is known. */
const char *rl_item_shape(const struct rl_item *item);

/* ---- how items were matched (matches.def) ---- */

enum rl_match {
#define MATCH(id, ...) RL_MATCH_##id,
#include "analysis/matches.def"
    RL_MATCH_COUNT
};
struct rl_match_info {
    const char *id, *words, *explanation;
};
extern const struct rl_match_info rl_matches[RL_MATCH_COUNT];

/* Evidence that two kernels are a renamed one (likeness.def). */
enum rl_likeness_part {
#define LIKENESS(id, ...) RL_LIKENESS_##id,
#include "analysis/likeness.def"
    RL_LIKENESS_COUNT
};
struct rl_likeness_info {
    const char *id, *words;
    double weight;
};
extern const struct rl_likeness_info rl_likeness_parts[RL_LIKENESS_COUNT];
/* Score and parts, 0 to 1; a part that is unknown on a side is negative. */
struct rl_likeness {
    double score, part[RL_LIKENESS_COUNT];
};
/* The smallest score of a match, and the smallest distance to any other score. */
#define RL_LIKENESS_LEAST  0.75
#define RL_LIKENESS_MARGIN 0.08

/* A line of a map file: the name in the base and the name in the new capture. */
struct rl_map_entry {
    char *base, *new;
    size_t line;
};
struct rl_match_map {
    struct rl_map_entry *entries;
    size_t count, cap;
};
/* Parses a map: lines "NAME => NAME", where a name is a label, a kernel's full or short name, or an NVTX path. Blank lines and
 * lines that begin with '#' are ignored. RL_FORMAT with the line otherwise; `label` names the file in errors. Free with
 * rl_match_map_release, also after an error. */
enum rl_status rl_match_map_parse(const char *text, size_t len, const char *label, struct rl_match_map *map, struct rl_err *err);
/* Frees the entries and leaves an empty map. */
void rl_match_map_release(struct rl_match_map *map);

/* ---- changed metrics (causes.def) ---- */

/* A metric that changed by more than the scatter of counters. */
struct rl_moved {
    enum rl_metric metric;
    struct rl_value base, new;
    bool explains; /* more of it makes kernels slower (or faster), and the verdict is that */
    double weight; /* |ln(new / base)|, doubled if the metric is about the kernel's limiter */
};

/* ---- counts of work (deterministic.def) ---- */

enum rl_tally_id {
#define TALLY(id, ...) RL_TALLY_##id,
#include "analysis/deterministic.def"
    RL_TALLY_COUNT
};
struct rl_tally_info {
    const char *id, *words;
    enum rl_metric metric; /* RL_METRIC_COUNT: none */
    const char *counters;
    double scatter; /* relative; 0: exact */
};
extern const struct rl_tally_info rl_tallies[RL_TALLY_COUNT];
/* One count, of one launch or run of either side. */
struct rl_tally {
    enum rl_tally_id id;
    double base, new;
    bool is_equal; /* exactly, or within the scatter of such counts */
};

enum rl_work { RL_WORK_UNKNOWN, RL_WORK_EQUAL, RL_WORK_UNEQUAL };

struct rl_pair {
    size_t base, new; /* items */
    enum rl_match match;
    const struct rl_likeness *likeness; /* where that is RL_MATCH_LIKE, else NULL */
    struct rl_change change;            /* UNDECIDED when it is not compared */
    const char *not_compared;           /* "new computed the wrong thing"; NULL: compared */
    bool broke;                         /* the result was right in the base and is wrong in the new capture */
    enum rl_work work;
    bool work_lacks;        /* work was counted in one capture only */
    const char *work_text;  /* "4.29 GFLOP instead of 2.15 GFLOP"; NULL unless unequal */
    struct rl_moved *moved; /* those that explain first, then by weight; empty for SAME */
    size_t moved_count;
    struct rl_tally *tallies; /* counts of both sides, in the order of deterministic.def; none if the pair is not compared */
    size_t tally_count;
    double share; /* of the time of all kernels of the base, 0..1 */
};

/* ---- circumstances of the measurement ---- */

enum rl_circumstance {
    RL_CIRCUMSTANCE_DRIVER,
    RL_CIRCUMSTANCE_TOOL,
    RL_CIRCUMSTANCE_SOURCE,
    RL_CIRCUMSTANCE_CACHES,
    RL_CIRCUMSTANCE_COUNT
};
/* "The driver", "rooflight", ..., as a sentence begins. */
extern const char *const rl_circumstance_names[RL_CIRCUMSTANCE_COUNT];

/* ---- the whole ---- */

/* One more session of a side. */
struct rl_compare_session {
    const struct rl_analysis *analysis;
    const char *name;
};

struct rl_compare_options {
    double smallest_effect;                   /* relative; 0: the default for the number of sessions */
    double margin;                            /* relative; 0: the smallest effect if given, otherwise RL_MARGIN */
    const struct rl_compare_session *more[2]; /* further sessions of base and new, `more_count` of them */
    size_t more_count[2];
    size_t look;                      /* see struct rl_verdict_rules */
    const struct rl_match_map *map;   /* may be NULL */
    const char *base_name, *new_name; /* of the captures, for texts */
    bool never_by_likeness;           /* both are sessions of one program: its names do not change */
};

struct rl_comparison {
    struct rl_arena arena;
    struct rl_verdict_rules rules;      /* session_effect is that of the first GPU of both */
    enum rl_relation_of_cards relation; /* of the first GPUs of all sessions: the farthest */
    enum rl_design design;              /* how the sessions of both sides share hosts, GPUs and days */
    size_t counted[2];                  /* sessions on each side, or with RL_DESIGN_COUNTED how many hosts, GPUs and days */
    struct rl_compare_side base, new;
    struct rl_pair *pairs; /* in the order of the base */
    size_t pair_count;
    size_t *removed, removed_count; /* items of the base without a partner */
    size_t *added, added_count;     /* items of the new one */
    size_t verdicts[4];             /* how many of the pairs that are compared and do not do unequal work have each */
    size_t unequal[4];              /* the same of those that do */
    size_t unequal_count, excluded_count, broken_count;
    size_t matched[RL_MATCH_COUNT];   /* how many pairs by each way */
    struct rl_effect effect;          /* on the whole */
    struct rl_case_comparison *cases; /* NULL: neither side has any */
    const char **notes;               /* caveats to print first, one sentence each */
    size_t note_count, note_cap;
    size_t effect_notes; /* number of the first notes that the sentences of `effect` include */
};

/* Compares two captures. RL_FAILED if both are the same one, sessions of a side are of several GPU models, or a line of the map
 * matches no item, or different numbers on the two sides. Otherwise `*comparison` is the caller's (rl_comparison_free, before the
 * analyses). */
enum rl_status rl_comparison_new(const struct rl_analysis *base, const struct rl_analysis *new,
                                 const struct rl_compare_options *options, struct rl_comparison **comparison, struct rl_err *err);
/* Frees the comparison, not the analyses; NULL is allowed. */
void rl_comparison_free(struct rl_comparison *comparison);

/* Whether a circumstance, as far as it is known, differs between sessions; appends the difference: "changed from 1.0 to 2.0". */
bool rl_comparison_differs(const struct rl_comparison *comparison, enum rl_circumstance circumstance, struct rl_buf *out);
/* Appends how a session failed: "its program ended with status 9", "its program was ended by signal 11", "it has none of its side's
 * kernels"; nothing when it did not. */
void rl_side_session_failure(const struct rl_side_session *session, struct rl_buf *out);

/* Appends the condition of the verdicts: " Verdicts hold if sessions of unchanged code differ by at most 1 % (99 % of ... do).";
 * nothing if all verdicts are unconditional. */
void rl_comparison_condition_text(const struct rl_comparison *comparison, struct rl_buf *out);

/* Lists the items of a capture without a comparison; they are in the arena. */
void rl_compare_side_list(struct rl_compare_side *side, const struct rl_analysis *analysis, struct rl_arena *arena);
/* Fills `weights` with the time of each item, median times launches, and returns the sum (over 0 if there are items). A kernel of a
 * run that was timed as a whole has the weight 0; without any times all items have the same weight. */
double rl_compare_side_weigh(const struct rl_compare_side *side, double *weights);
/* Sorts pairs for output: SLOWER, FASTER, unequal work, UNDECIDED, SAME; the largest change first. `order` has pair_count elements.
 * */
void rl_comparison_sort(const struct rl_comparison *comparison, size_t *order);
/* Whether the gate finds a regression of more than `tolerance` in the pair: rl_change_is_regression, or a result that broke. */
bool rl_pair_is_regression(const struct rl_pair *pair, double tolerance);
/* Number of pairs that are regressions for the gate; `*unequal`: number of these with unequal work. */
size_t rl_comparison_regressions(const struct rl_comparison *comparison, double tolerance, size_t *unequal);
/* Whether the pair has changed metrics but too few times for an interval. */
bool rl_pair_moved_alone(const struct rl_pair *pair);
/* Whether counts of work differ. */
bool rl_pair_counts_differ(const struct rl_pair *pair);
/* Whether rl_pair_counts_text would append anything. */
bool rl_pair_counts_tell(const struct rl_pair *pair);
/* Appends the difference of a count, after a comma if `out` is not empty: "32.0 % fewer global-memory sectors", "no local-memory
 * bytes any more". */
void rl_tally_difference_text(const struct rl_tally *tally, struct rl_buf *out);
/* Appends the counts that differ and exact ones that do not: "32.0 % fewer global-memory sectors; same instructions". */
void rl_pair_counts_text(const struct rl_pair *pair, struct rl_buf *out);
/* Appends how a pair was matched, with the score where it is by likeness: "likeness 0.91 (name 0.79, shape 1.00, order 1.00)". */
void rl_pair_match_text(const struct rl_pair *pair, struct rl_buf *out);
/* Appends why a pair has no verdict; nothing when it has one. */
void rl_pair_doubt_text(const struct rl_pair *pair, struct rl_buf *out);

/* ---- changes by source line: lines of a kernel whose share of the PC samples changed ----
 *
 * Lines of both sides are matched by file name and text (the k-th of equal ones with the k-th), or by file name and number if the
 * text is unknown. A line without samples on one side may have had some among the instructions that are not kept one by one; upper
 * ends of intervals include all of these.
 *
 * The interval of a share is that of analysis/pc.h; the interval of the difference follows from both (Newcombe, Statistics in
 * Medicine 17, 1998, method 10; Zou and Donner, Statistics in Medicine 27, 2008, for other quantities). The time at a line is its
 * share times the median time of a launch, with the ends of both multiplied. Samples have the function, not the launch: if several
 * classes share them, the time is that of the class with the most time. */

/* A figure of one side or a difference, with its 95 % CI; value missing: unknown. */
struct rl_line_figure {
    struct rl_value value, low, high;
};
/* A line of a kernel whose share of the samples changed by more than their scatter. */
struct rl_line_change {
    size_t pair;             /* of the comparison */
    const char *path, *text; /* as the new side has them, else as the base; NULL: unknown */
    uint32_t base, new;      /* numbers of the line; 0: it has no samples there */
    struct rl_line_figure base_share, new_share, share;
    struct rl_line_figure base_s, new_s, time_s; /* missing where times are not compared */
};

/* The changes of all kernels that were sampled in both first sessions, each name once, sorted by the change of time, then of share,
 * the largest first; in the arena. Returns their number. n log n in kernels and lines. */
size_t rl_line_changes_of(const struct rl_comparison *comparison, struct rl_arena *arena, struct rl_line_change **changes);

/* ---- measuring two sides alternately: the order of sessions, when to look at the result, and when to stop ----
 *
 * Every four sessions are base, new, new, base or new, base, base, new, at random, so that a steady drift affects both sides alike
 * and a periodic disturbance cannot coincide with one side.
 *
 * Repeated looks at a growing result make false verdicts more frequent. So look number k has 1 / (k (k + 1)) of the level
 * (rl_look_share of sessions.h), which adds up to the level over any number of looks (an alpha-spending sequence: Lan and DeMets,
 * Biometrika 70, 1983; by Bonferroni looks need not be independent). */

/* Whether session number `turn` (from 0 on) is of the new side. The same `seed` gives the same random order. */
bool rl_turn_is_new(uint64_t seed, size_t turn);
/* Whether to look when each side has `sessions`: 3, 4, 6, 8, 12, 16, 24 and so on, for looks cost (docs/verdicts.md). */
bool rl_turns_look(size_t sessions);
/* Share of the baseline's time in kernels that are UNDECIDED, without those that cannot be compared; 1 if nothing was compared. */
double rl_comparison_open_share(const struct rl_comparison *comparison);
/* The part of it that `most` sessions of each side are not expected to decide: kernels without times, and kernels that would need
 * more than twice as many. */
double rl_comparison_hopeless_share(const struct rl_comparison *comparison, size_t most);
