/* event_table.c - see event_table.h. */
#include "event_table.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "core/mem.h"

static const struct rl_event_row rows[] = {
#define EVENT_COUNTER(counter, least, most, formula, differs) {counter, least, most, formula, differs},
#define EVENT_ABSENT(counters, least, most, reason)
#include "event_counters.def"
#undef EVENT_COUNTER
#undef EVENT_ABSENT
};

static const struct {
    const char *counters;
    int least, most;
    const char *reason;
} absences[] = {
#define EVENT_COUNTER(counter, least, most, formula, differs)
#define EVENT_ABSENT(counters, least, most, reason) {counters, least, most, reason},
#include "event_counters.def"
#undef EVENT_COUNTER
#undef EVENT_ABSENT
};

const struct rl_event_row *rl_event_row(const char *counter, int cc)
{
    assert(counter);
    for (size_t i = 0; i < RL_COUNT(rows); i++)
        if (cc >= rows[i].least && cc <= rows[i].most && strcmp(rows[i].counter, counter) == 0)
            return &rows[i];
    return NULL;
}

/* Whether one of the patterns, separated by blanks, is of the counter. */
static bool names(const char *patterns, const char *counter)
{
    for (const char *at = patterns; *at; at += strspn(at, " ")) {
        const size_t length = strcspn(at, " ");
        const bool all = at[length - 1] == '*';
        if (all ? strncmp(at, counter, length - 1) == 0 : strlen(counter) == length && strncmp(at, counter, length) == 0)
            return true;
        at += length;
    }
    return false;
}

const char *rl_event_absent(const char *counter, int cc)
{
    for (size_t i = 0; i < RL_COUNT(absences); i++)
        if (cc >= absences[i].least && cc <= absences[i].most && names(absences[i].counters, counter))
            return absences[i].reason;
    return "CUPTI's events are not for this card";
}

const char *rl_event_why_not(const char *counter, int cc)
{
    return rl_event_row(counter, cc) ? "this card does not have the events of CUPTI that would count it"
                                     : rl_event_absent(counter, cc);
}

const struct rl_event_row *rl_event_row_at(size_t index)
{
    return index < RL_COUNT(rows) ? &rows[index] : NULL;
}
