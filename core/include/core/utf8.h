/* utf8.h - makes untrusted text printable.
 *
 * Kernel names, host names and file contents may hold any bytes. All text that is shown passes one of these functions;
 * rl_utf8_is_hidden is the common rule of all media.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/buf.h"

#define RL_UTF8_REPLACEMENT 0xFFFDu

/* Decodes one character at `text` (`len` > 0 bytes) and returns its number of bytes (1 to 4). An invalid sequence (overlong,
 * surrogate, truncated, above U+10FFFF) gives U+FFFD and 1 byte. */
size_t rl_utf8_decode(const char *text, size_t len, uint32_t *codepoint);
/* Whether a byte is a digit of ASCII. */
static inline bool rl_is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}
/* Appends the UTF-8 form of one character (an invalid one gives U+FFFD). */
void rl_utf8_encode(struct rl_buf *out, uint32_t codepoint);
/* True when all `len` bytes are valid UTF-8. */
bool rl_utf8_valid(const char *text, size_t len);
/* Appends `text` in printable form on one line: invalid bytes and hidden characters become U+FFFD, tabs and line breaks a space. */
void rl_utf8_printable(struct rl_buf *out, const char *text, size_t len);
/* Whether the character `codepoint` at text[at] is hidden, that is, may make readers and programs see different text: control
 * characters, line and paragraph separators, and Default_Ignorable_Code_Point (bidirectional marks, zero width, tags, fillers,
 * selectors and joiners of emoji); also the first character of a command to continuous integration: "##vso[",
 * "##teamcity[" and "##[" anywhere, "::" where a line begins or may begin after wrapping. */
bool rl_utf8_is_hidden(const char *text, size_t len, size_t at, uint32_t codepoint);
/* Number of leading bytes that are printable ASCII without such commands, each one column wide. Fast path: most texts are only
 * that. */
size_t rl_utf8_plain(const char *text, size_t len);
/* Terminal columns of valid, printable text: 0 for combining marks, 2 for wide East Asian and emoji, otherwise 1 (utf8proc's
 * widths, from general category and East_Asian_Width). */
size_t rl_utf8_width(const char *text, size_t len);
/* Bytes of the longest beginning that takes at most `columns` columns, with the marks that combine with its last character. */
size_t rl_utf8_head(const char *text, size_t len, size_t columns);
/* Appends at most `columns` columns of `text`, shortened in the middle with U+2026 if it is wider: "stride_ker…long)". Numbers
 * outside names are not cut; a figure in brackets at the end stays whole, or is left out where it has no room. Combining marks
 * count as wider if a column has more than 16 bytes. `text` is valid and printable (rl_utf8_printable). */
void rl_utf8_ellipsis(struct rl_buf *out, const char *text, size_t len, size_t columns);
/* The same for a text that may hold any bytes: made printable first. */
void rl_utf8_abbreviate(struct rl_buf *out, const char *text, size_t columns);
