/* list.h - the topics of `rooflight list`. */
#ifndef RL_CLI_LIST_H
#define RL_CLI_LIST_H

#include "command.h"
#include "core/json.h"
#include "doc.h"

/* Each prints its list for people, or with `json`, which is inside of an array, appends its elements. */
typedef void list_function(struct cli_doc *doc, struct rl_json *json);
/* The experiments of the suite with their variants and claims. */
list_function list_kernels;
/* The chips with what serves them. */
list_function list_chips;
/* The cards with the figures of their data sheets. */
list_function list_cards;
/* The rules of findings with threshold and source. */
list_function list_findings;
/* The columns of kernels that `show` has. */
list_function list_columns;

/* The metrics, and with `chip` (may be NULL) which of them it has; RL_USAGE for an unknown one. */
enum rl_status list_metrics(const char *chip, struct cli_doc *doc, bool json, struct rl_err *err);

#endif
