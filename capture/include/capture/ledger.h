/* ledger.h - what became of the values of the files that a capture was imported from. */
#ifndef RL_CAPTURE_LEDGER_H
#define RL_CAPTURE_LEDGER_H

#include <stdbool.h>
#include <stdint.h>

enum rl_fate {
    RL_FATE_USED,         /* as it was printed */
    RL_FATE_SCALED,       /* used in another unit */
    RL_FATE_FOREIGN,      /* kept under the name that the tool printed */
    RL_FATE_IGNORED,      /* not kept */
    RL_FATE_CONTRADICTED, /* another value of the same quantity counts */
    RL_FATE_COUNT
};
/* "used"; static. */
const char *rl_fate_name(enum rl_fate fate);

/* The values of one metric or column that had one fate. */
struct rl_ledger_row {
    char *name;  /* as the tool printed it */
    bool column; /* of a table, not a metric */
    enum rl_fate fate;
    uint64_t count; /* of values */
    char *example;  /* the first of them, as printed; "": none can be shown */
    char *reason;   /* where it went, why it was not kept, or what contradicts it */
};

#endif
