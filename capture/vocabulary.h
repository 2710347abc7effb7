/* vocabulary.h - the words that the program itself can put into a capture (private to capture/).
 *
 * cmake/make_vocabulary.c collects them from string literals and tables of the sources when the program is built.
 */
#pragma once

#include "core/core.h"

/* Words are divided by these, */
#define RL_WORD_ENDS " \t\r\n\"'`()[]{}<>,;|"
/* and lose these at their ends: the length of a word without them. */
static inline size_t rl_word_end(const char *text, size_t len)
{
    while (len > 0 && (text[len - 1] == '.' || text[len - 1] == ':' || text[len - 1] == '!' || text[len - 1] == '?'))
        len--;
    return len;
}

/* In small letters, sorted, each once. */
extern const char *const rl_vocabulary[];
extern const size_t rl_vocabulary_count;

/* Whether a word is one of them, in any case of letters. */
bool rl_is_vocabulary(const char *word, size_t len);
/* Whether it is one, a number ("4.5e-8", "580.159.04", "264 x 1024" is three words), or made of them with a sign between:
 * "coalescing/stride_1", "read-only", "n=31". No address, date, account or serial number is such a number. */
bool rl_is_harmless(const char *word, size_t len);
/* Length of a version that a word is or begins with, "6.1.0" of "6.1.0-13-amd64"; 0: none. Three numbers are one, four an
 * address. */
size_t rl_version_at(const char *word, size_t len);
