/* notebook.c - what the cells of a Jupyter notebook (.ipynb) printed: profilers' tables as text, and the like. */
#include "json.h"

enum { MOST = 256 << 20 }; /* bytes of text */

struct walk {
    struct rl_json_path at;
    struct rl_buf *text;
};

static void take(void *context, enum rl_json_kind kind, struct rl_text text)
{
    struct walk *walk = context;

    rl_json_path_step(&walk->at, kind, text);
    if (kind == RL_JSON_STRING && walk->text->len < MOST &&
        (rl_json_path_is(&walk->at, "cells.outputs.text") || rl_json_path_is(&walk->at, "cells.outputs.data.text/plain")))
        rl_buf_add(walk->text, text.at, text.len);
    else if (kind == RL_JSON_END_MAP && rl_json_path_is(&walk->at, "cells.outputs"))
        rl_buf_addch(walk->text, '\n'); /* the next output begins a line */
}

bool rl_notebook_begins(struct rl_text start)
{
    return rl_text_find(start, "\"cell_type\"") < start.len;
}

enum rl_status rl_notebook_read(struct rl_lines *lines, struct rl_buf *text, struct rl_err *err)
{
    struct walk walk = {.text = text};
    bool cut = false;
    const enum rl_status status = rl_json_read(lines, take, &walk, &cut, err);

    rl_json_path_release(&walk.at);
    return status;
}
