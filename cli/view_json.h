/* view_json.h - any result as JSON. */
#ifndef RL_CLI_VIEW_JSON_H
#define RL_CLI_VIEW_JSON_H

#include "core/json.h"
#include "views/listing.h"
#include "views/view.h"

/* The versions of the JSON: 2 has SI base units everywhere and, in every object, the reasons for what is null ("missing"). */
enum { CLI_JSON_OLD = VIEW_VERSION_OLD, CLI_JSON_VERSION = VIEW_VERSION };

struct cli_view_document {
    int version;
    const struct view_choice *choice; /* of rows of the lists whose record is `chosen`; NULL: all */
    const struct view_record *chosen;
};
/* Appends the view's row as a document of its own, which begins with the format of its record and the version. */
void cli_view_document(const struct view *view, const struct cli_view_document *document, struct rl_buf *out);

#endif
