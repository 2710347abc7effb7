/* claim_quantity.h - what claims are about (private to analysis/). */
#ifndef RL_ANALYSIS_CLAIM_QUANTITY_H
#define RL_ANALYSIS_CLAIM_QUANTITY_H

#include "internal.h"

/* A quantity is either a number known exactly or scale x time^power, which has an interval. {s}: subject; {b}: baseline; {r}: "0.12
 * of" or "2 times"; {v}: the value; {n}: the noun. */
struct quantity {
    const char *id;
    enum rl_unit unit;
    int power; /* of time; 0: exact */
    struct rl_value (*number)(const struct rl_analysis *analysis, const struct rl_variant_result *result, const char *id);
    const char *noun, *ratio, *value;
};

/* The row of a quantity; a metric makes its own. False: there is no such quantity. */
bool rl_quantity_find(const char *id, struct quantity *quantity);

#endif
