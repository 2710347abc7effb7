/* strengths.h - what a card is good and bad at, in sentences with figures: its measured ceilings against the data sheet, against
 * themselves after long load, and against one another. */
#ifndef RL_ANALYSIS_STRENGTHS_H
#define RL_ANALYSIS_STRENGTHS_H

#include "analysis/analysis.h"
#include "core/arena.h"

enum rl_strength_basis { RL_STRENGTH_DATA_SHEET, RL_STRENGTH_SUSTAINED, RL_STRENGTH_OVER, RL_STRENGTH_TIME };

struct rl_strength_info {
    const char *id, *subject;
    enum rl_ceiling_id of, over;
    enum rl_strength_basis basis;
    double good_from, bad_to;
    const char *good, *bad; /* NULL: it is never said */
};
enum {
    RL_STRENGTHS = 0
#define STRENGTH(id, ...) +1
#include "analysis/strengths.def"
#undef STRENGTH
};
extern const struct rl_strength_info rl_strengths[RL_STRENGTHS];

struct rl_strength {
    const struct rl_strength_info *info;
    bool good;
    double value; /* a share or a quotient, as the row has it */
    const char *text;
};

/* Sentences about a GPU, in the order of the rows; `found` has room for RL_STRENGTHS, texts belong to the arena. Rows whose
 * figures were not measured say nothing. Returns their number. */
size_t rl_strengths_of(const struct rl_analysis *analysis, size_t gpu, struct rl_arena *arena, struct rl_strength *found);

#endif
