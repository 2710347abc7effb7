/* templates.h - the files of templates/, built into the program: gnuplot programs, the drawing terminal, style and script of
 * documents in HTML. They are code, so no file that others may write is taken for one. Private to the reports.
 */
#pragma once

#include <stddef.h>

struct rl_template {
    const char *name; /* "style.gp" */
    const char *text; /* with a zero byte behind it */
    size_t len;
};
/* All of them; made by cmake/embed.cmake. */
extern const struct rl_template rl_templates[];
extern const size_t rl_template_count;

/* The one of this name, which is a constant of ours. */
const struct rl_template *rl_template_called(const char *name);
