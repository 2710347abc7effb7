/* list.h - the topics of `rooflight list`. */
#ifndef RL_CLI_LIST_H
#define RL_CLI_LIST_H

#include <stdbool.h>

#include "command.h"
#include "doc.h"

struct list_request {
    const char *chip;   /* NULL: not asked for */
    const char *result; /* whose schema is asked for; NULL: not said */
    bool json;
    struct cli_doc doc; /* terminal style, on the result */
};

/* The experiments of the suite with their variants and claims. */
enum rl_status list_kernels(const struct list_request *request, struct rl_err *err);
/* RL_USAGE for an unknown chip, with the known ones. */
enum rl_status list_metrics(const struct list_request *request, struct rl_err *err);
/* The chips with their rates. */
enum rl_status list_chips(const struct list_request *request, struct rl_err *err);
/* The cards with the figures of their data sheets. */
enum rl_status list_cards(const struct list_request *request, struct rl_err *err);
/* The rules of findings with threshold and source. */
enum rl_status list_findings(const struct list_request *request, struct rl_err *err);
/* The columns of kernels that `show` has. */
enum rl_status list_columns(const struct list_request *request, struct rl_err *err);
/* The JSON schema of a result; RL_USAGE for an unknown one. */
enum rl_status list_schema(const struct list_request *request, struct rl_err *err);

#endif
