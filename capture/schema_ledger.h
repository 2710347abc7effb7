/* schema_ledger.h - columns of what became of imported values. Private to capture/schema.c. */
#ifndef RL_CAPTURE_SCHEMA_LEDGER_H
#define RL_CAPTURE_SCHEMA_LEDGER_H

#include "schema_columns.h"

/* As the file has them. */
NAMES(fate, RL_FATE_COUNT, rl_fate_name((enum rl_fate)member))

static const struct rl_column ledger_columns[] = {
    NAME_AS("name", ledger_row, name), BOOL(ledger_row, column), ENUM(ledger_row, fate, fate_names), U64(ledger_row, count),
    TEXT(ledger_row, example),         TEXT(ledger_row, reason),
};

#endif
