/* list.h - the topics of `rooflight list`. */
#pragma once

#include "command.h"
#include "doc.h"
#include "results/view.h"

/* Each list has the record of a row, and a function that returns the rows (view_field.get), allocated in the view's arena. */
typedef struct view_cell list_rows(const struct view *view, const struct view_field *field, const void *row);
/* The experiments of the suite with their variants and claims. */
extern const struct view_record list_experiment;
list_rows list_experiment_rows;
/* The known chips and whether the installed CUPTI supports them. */
extern const struct view_record list_chip;
list_rows list_chip_rows;
/* GPU models with data-sheet figures. */
extern const struct view_record list_card;
list_rows list_card_rows;
/* The rules of findings, with threshold and source. */
extern const struct view_record list_rule;
list_rows list_rule_rows;
/* The columns of `show`. */
extern const struct view_record list_column;
list_rows list_column_rows;

/* The metrics; with `chip` (may be NULL), also which of them that chip has. `*row` is a row of list_metrics, allocated in `arena`.
 * RL_USAGE for an unknown chip. */
enum rl_status list_metrics_ask(const char *chip, struct rl_arena *arena, const void **row, struct rl_err *err);
extern const struct view_record list_metrics;
