/* list.h - the topics of `rooflight list`. */
#ifndef RL_CLI_LIST_H
#define RL_CLI_LIST_H

#include "command.h"
#include "doc.h"
#include "results/view.h"

/* Each list: the record of a row, and a function that gives the rows (view_field.get), which lie in the view's arena. */
typedef struct view_cell list_rows(const struct view *view, const struct view_field *field, const void *row);
/* The experiments of the suite with their variants and claims. */
extern const struct view_record list_experiment;
list_rows list_experiment_rows;
/* The chips with what serves them. */
extern const struct view_record list_chip;
list_rows list_chip_rows;
/* The cards with the figures of their data sheets. */
extern const struct view_record list_card;
list_rows list_card_rows;
/* The rules of findings with threshold and source. */
extern const struct view_record list_rule;
list_rows list_rule_rows;
/* The columns of kernels that `show` has. */
extern const struct view_record list_column;
list_rows list_column_rows;

/* The metrics, and with `chip` (may be NULL) which of them it has: *row is one of this record, in `arena`. RL_USAGE for an unknown
 * chip. */
enum rl_status list_metrics_ask(const char *chip, struct rl_arena *arena, const void **row, struct rl_err *err);
extern const struct view_record list_metrics;

#endif
