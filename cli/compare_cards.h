/* compare_cards.h - cards of several models: how they relate, and what they would do for a program. */
#ifndef RL_CLI_COMPARE_CARDS_H
#define RL_CLI_COMPARE_CARDS_H

#include "compare.h"

/* Columns of cards, where the captures are of several models, and cards side by side; reads the program that weighs them (NULL:
 * none). RL_USAGE where weights are given and there are no cards to compare. */
enum rl_status compare_cards_relate(struct compare *compare, const char *weights, bool redact, struct rl_err *err);
/* Frees what it made. */
void compare_cards_release(struct compare *compare);

#endif
