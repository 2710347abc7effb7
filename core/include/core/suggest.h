/* suggest.h - "did you mean ...?" */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The name with the smallest edit distance (insertions, deletions, replacements, swaps of neighbours) to `word`, if it is at most a
 * third of the word's length, at least 1; or a name that begins with the word; otherwise NULL. */
const char *rl_suggest_nearest(const char *word, const char *const *names, size_t count);
/* Whether `name` is `word` followed by a hyphen and more, ignoring case: "V100-PCIE-16GB" for "v100". */
bool rl_suggest_is_of_family(const char *name, const char *word);
