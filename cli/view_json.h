/* view_json.h - any result as JSON. */
#ifndef RL_CLI_VIEW_JSON_H
#define RL_CLI_VIEW_JSON_H

#include "core/json.h"
#include "results/listing.h"
#include "results/view.h"

struct cli_view_document {
    const struct view_choice *choice; /* of rows of the lists whose record is `chosen`; NULL: all */
    const struct view_record *chosen;
};
/* Appends the view's row as a separate document, which begins with the format of its record and the version. */
void cli_view_document(const struct view *view, const struct cli_view_document *document, struct rl_buf *out);
/* Appends the rows of a list, a field of the view's record, as an array. */
void cli_view_list(const struct view *view, const struct view_field *field, struct rl_buf *out);

#endif
