/* compare_cards.h - cards of several models: how they relate. */
#ifndef RL_CLI_COMPARE_CARDS_H
#define RL_CLI_COMPARE_CARDS_H

#include "compare.h"

/* Columns of cards, where the captures are of several models, and cards side by side. */
void compare_cards_relate(struct compare *compare);
/* Frees what it made. */
void compare_cards_release(struct compare *compare);

#endif
