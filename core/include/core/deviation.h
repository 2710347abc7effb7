/* deviation.h - how far results were from their reference, as numbers: what a check finds and a capture stores. */
#ifndef RL_CORE_DEVIATION_H
#define RL_CORE_DEVIATION_H

#include <stdint.h>

#include "core/value.h"

enum rl_deviation_kind {
    RL_DEVIATION_NONE,     /* nothing was compared element by element: the other members say nothing */
    RL_DEVIATION_ABSOLUTE, /* |result - reference| */
    RL_DEVIATION_RELATIVE, /* the same over |reference| */
    RL_DEVIATION_KIND_COUNT
};

/* All zero: nothing was compared. */
struct rl_deviation {
    enum rl_deviation_kind kind;
    double largest;            /* of the elements that are right; finite */
    struct rl_value tolerance; /* the most that is right for a reference up to 1; above, as often as much as the reference */
    struct rl_value element;   /* index: of the first wrong element, else of the largest deviation; missing: all are exact */
    uint64_t compared, wrong;  /* elements */
};

/* "none", "absolute", "relative": as captures store it. */
const char *rl_deviation_kind_name(enum rl_deviation_kind kind);

#endif
