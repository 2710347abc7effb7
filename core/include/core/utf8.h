/* utf8.h - text of unknown origin.
 *
 * Kernel names, host names and file contents may hold any bytes. Everything that is shown goes through one of these; what all media
 * agree on is rl_utf8_is_hidden.
 */
#ifndef RL_CORE_UTF8_H
#define RL_CORE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/buf.h"

#define RL_UTF8_REPLACEMENT 0xFFFDu

/* Decodes one character at `text` (`len` > 0 bytes are there): stores it, returns the bytes used (1 to 4). An invalid
 * sequence (overlong, surrogate, truncated, above U+10FFFF) stores U+FFFD and uses 1 byte. */
size_t rl_utf8_decode(const char *text, size_t len, uint32_t *codepoint);
/* Appends the UTF-8 form of one character (an invalid one gives U+FFFD). */
void rl_utf8_encode(struct rl_buf *out, uint32_t codepoint);
/* True when all `len` bytes are valid UTF-8. */
bool rl_utf8_valid(const char *text, size_t len);
/* Appends `text` fit to be shown on one line: invalid bytes and what is hidden become U+FFFD, so that no terminal or reader can be
 * steered by a name; tabs and line breaks become a space. */
void rl_utf8_printable(struct rl_buf *out, const char *text, size_t len);
/* Whether the character `codepoint` at text[at] says to people something else than to programs: control characters, line
 * and paragraph separators, and what Unicode has ignored (Default_Ignorable_Code_Point: bidirectional marks, zero width, tags,
 * fillers), but for variation selectors and joiners of emoji; and the first character of a command to continuous integration:
 * "##vso[", "##teamcity[" and "##[" anywhere, "::" where a line or, after wrapping, a line may begin. */
bool rl_utf8_is_hidden(const char *text, size_t len, size_t at, uint32_t codepoint);
/* Bytes at the beginning that are printable ASCII without such commands, each a character of one column: most texts are nothing
 * else. */
size_t rl_utf8_plain(const char *text, size_t len);
/* Columns that valid, printable text takes on a terminal: 0 for combining marks, 2 for wide East Asian and emoji, else 1
 * (Unicode 14.0: general category and East_Asian_Width; utf8_width.def). */
size_t rl_utf8_width(const char *text, size_t len);
/* Appends at most `columns` columns of `text`, shortened in the middle with U+2026 when it is wider: "stride_ker…long)". A
 * number that is no part of a name is not divided.
 * Piles of combining marks count as wider from 16 bytes for a column on. `text` is valid and printable (rl_utf8_printable). */
void rl_utf8_ellipsis(struct rl_buf *out, const char *text, size_t len, size_t columns);
/* The same for a text that may hold any bytes: made printable first. */
void rl_utf8_abbreviate(struct rl_buf *out, const char *text, size_t columns);

#endif
