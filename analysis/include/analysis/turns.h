/* turns.h - sessions of two sides that are measured in turn: whose turn it is, when to look, and when enough is known.
 *
 * Four turns are base, new, new, base or new, base, base, new, by chance: what drifts steadily meets both sides alike, and what
 * comes back at a fixed pace cannot keep step with one of them.
 *
 * Whoever looks at the result while it grows, and stops when it pleases, is wrong more often than the level of one look says. So
 * look number k has 1 / (k (k + 1)) of the level (rl_look_share of sessions.h), which adds up to the level over all looks, however
 * many there will be (an alpha-spending sequence: Lan and DeMets, Biometrika 70, 1983; by Bonferroni looks need not be
 * independent).
 */
#ifndef RL_ANALYSIS_TURNS_H
#define RL_ANALYSIS_TURNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/compare.h"

/* Whether turn number `turn` (from 0 on) is the new side's. `seed` is the chance: the same seed gives the same order. */
bool rl_turn_is_new(uint64_t seed, size_t turn);
/* Whether to look when each side has `sessions`: 3, 4, 6, 8, 12, 16, 24 and so on, for looks cost (docs/verdicts.md). */
bool rl_turns_look(size_t sessions);
/* Share of the base's time in kernels that are UNDECIDED; those that cannot be compared do not count. 1 where nothing was compared.
 */
double rl_comparison_open_share(const struct rl_comparison *comparison);
/* The part of it that sessions up to `most` of each side will not decide, by what is known now: a kernel without times, and one
 * that would need more than twice as many. */
double rl_comparison_hopeless_share(const struct rl_comparison *comparison, size_t most);

#endif
