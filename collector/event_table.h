/* event_table.h - which events and metrics of CUPTI give a counter, and why nothing does (event_counters.def). Private to the
 * collector. */
#ifndef RL_COLLECTOR_EVENT_TABLE_H
#define RL_COLLECTOR_EVENT_TABLE_H

#include <stddef.h>

/* What names of a formula mean besides metrics. */
#define RL_EVENT_PREFIX   "event."
#define RL_EVENT_SM_COUNT "sm_count"

struct rl_event_row {
    const char *counter;
    int least, most; /* compute capability x 10 */
    const char *formula, *differs;
};

/* The row of a counter for a card of that compute capability (x 10); NULL: none. */
const struct rl_event_row *rl_event_row(const char *counter, int cc);
/* Why there is none. */
const char *rl_event_absent(const char *counter, int cc);
/* Why a card of that compute capability does not have the counter: there is no row, or the card lacks what the row names. */
const char *rl_event_why_not(const char *counter, int cc);
/* Row by number, all cards; NULL behind the last. */
const struct rl_event_row *rl_event_row_at(size_t index);

#endif
