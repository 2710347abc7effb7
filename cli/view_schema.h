/* view_schema.h - the JSON schema of any result. */
#ifndef RL_CLI_VIEW_SCHEMA_H
#define RL_CLI_VIEW_SCHEMA_H

#include "core/buf.h"
#include "results/view.h"

/* Appends the schema (JSON Schema, draft 2020-12) of what cli_view_document writes for the record: every record is a definition,
 * every key has its sentence and the unit of its values. */
void cli_view_schema(const struct view_record *record, struct rl_buf *out);

#endif
