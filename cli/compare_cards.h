/* compare_cards.h - cards of several models: how they relate, what they cost, and what they would do for a program. */
#ifndef RL_CLI_COMPARE_CARDS_H
#define RL_CLI_COMPARE_CARDS_H

#include "compare.h"

enum { COMPARE_MOST_PRICES = 80 }; /* of captures and projected cards */

struct compare_cards_options {
    const char *prices, *weights;      /* as typed; NULL: not given */
    double price[COMPARE_MOST_PRICES]; /* of captures, then of projected cards; 0: not given */
    size_t captures;
};

/* Reads the prices: one for each capture, or one for each projected card besides. RL_USAGE for others. */
enum rl_status compare_cards_prices(struct compare_cards_options *options, size_t captures, size_t projected, struct rl_err *err);
/* Columns of cards, where the captures are of several models, and cards side by side; reads the program that weighs them. RL_USAGE
 * where prices or weights are given and there are no cards to compare. */
enum rl_status compare_cards_relate(struct compare *compare, const struct compare_cards_options *options, bool redact,
                                    struct rl_err *err);
/* Frees what it made. */
void compare_cards_release(struct compare *compare);

#endif
