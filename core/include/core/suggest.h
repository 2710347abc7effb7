/* suggest.h - "did you mean ...?" */
#ifndef RL_CORE_SUGGEST_H
#define RL_CORE_SUGGEST_H

#include <stdbool.h>
#include <stddef.h>

/* The name that `word` is nearest to in insertions, deletions, replacements and swaps of neighbours, when it is near enough to be a
 * slip (a third of the word's length, at least one; or a name that begins with the word); otherwise NULL. */
const char *rl_suggest_nearest(const char *word, const char *const *names, size_t count);
/* Whether `name` is `word` and more parts behind a hyphen, in whichever case: "V100-PCIE-16GB" of "v100". */
bool rl_suggest_is_of_family(const char *name, const char *word);

#endif
