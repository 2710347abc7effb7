/* view_json.h - any result as JSON. */
#ifndef RL_CLI_VIEW_JSON_H
#define RL_CLI_VIEW_JSON_H

#include "core/json.h"
#include "views/view.h"

/* The versions of the JSON: 2 has SI base units everywhere and, in every object, the reasons for what is null ("missing"). */
enum { CLI_JSON_OLD = 1, CLI_JSON_VERSION = 2 };

/* Writes the members of the view's row into the object that is open. */
void cli_view_json(const struct view *view, int version, struct rl_json *json);

#endif
