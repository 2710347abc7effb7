/* markdown.h - text of unknown origin as text in GitHub's Markdown. */
#ifndef RL_CORE_MARKDOWN_H
#define RL_CORE_MARKDOWN_H

#include "core/buf.h"

/* Appends `len` bytes of text, printable (rl_utf8_printable) and on one line, so that nothing in it is markup: backslashes before
 * what Markdown or HTML would interpret, at the beginning also before what would begin a heading or a list; &#8288;
 * (U+2060, without width) in what would become a link, a mention (@team) or a reference to an issue (#1) although it is escaped. */
void rl_markdown_escape(struct rl_buf *out, const char *text, size_t len);

#endif
