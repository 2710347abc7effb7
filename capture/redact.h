/* redact.h - leaving out of one text what may say where, by whom and for whom a capture was made (private to capture/).
 *
 * Words pass when they are known to be harmless; everything else goes. Time grows with the length of the text.
 */
#ifndef RL_CAPTURE_REDACT_H
#define RL_CAPTURE_REDACT_H

#include <stdbool.h>

#include "core/buf.h"
#include "core/intern.h"

/* What was dropped; the names are those of the list. */
enum rl_drop { RL_DROP_WORD, RL_DROP_PATH, RL_DROP_HOST, RL_DROP_USER, RL_DROP_SECRET, RL_DROP_NAME, RL_DROP_WHOLE, RL_DROP_COUNT };

/* Names of hosts and users, known from elsewhere in the capture. What has one in it goes, even a word of the program: "alice", and
 * "alice_kernel", "runAlice2", which have it between underscores, capitals and digits; one of six letters and more anywhere. */
struct rl_known_name {
    char *text; /* small letters, without what parts words: rl_parts_words */
    enum rl_drop what;
};

struct rl_cleaner {
    const char *key;                     /* of names that stand for others */
    const struct rl_known_name *names;   /* by rl_cleaner_know */
    size_t name_count, longest_name;     /* in bytes */
    bool begins_name[256];               /* the first byte of a name */
    size_t dropped[RL_DROP_COUNT], kept; /* words, counted up */
    struct rl_intern *words;             /* gets the words that are kept, from `arena`; NULL: nobody asks */
    struct rl_arena *arena;
};

/* The names that must go, sorted by their text (rl_by_known_name), each once and of 1 to 255 bytes; they are borrowed. */
void rl_cleaner_know(struct rl_cleaner *cleaner, const struct rl_known_name *names, size_t count);
/* Append the clean form of `text`. Words: what is left is words of the vocabulary, numbers, punctuation and signs such as "[path]".
 */
void rl_redact_words(struct rl_cleaner *cleaner, const char *text, struct rl_buf *out);
/* The same, but what goes becomes a name, "[name 0123456789ab]", by the key: what was different stays different. */
void rl_clean_name(struct rl_cleaner *cleaner, const char *text, struct rl_buf *out);
/* The same; "H200", "80GB" and "A100-SXM4" stay, too. */
void rl_clean_product(struct rl_cleaner *cleaner, const char *text, struct rl_buf *out);
/* A declaration in C++, or what a compiler makes of one: identifiers, operators and small numbers stay. */
void rl_clean_kernel(struct rl_cleaner *cleaner, const char *text, struct rl_buf *out);

/* Appends "[WHAT 0123456789ab]" for a text. */
void rl_add_pseudonym(const struct rl_cleaner *cleaner, const char *what, const char *text, size_t len, struct rl_buf *out);
/* Whether a word is harmless and no name that is known. */
bool rl_word_is_allowed(const struct rl_cleaner *cleaner, const char *word, size_t len);
/* Length of a sign at `at` that stands for something dropped: what is clean stays as it is. 0: none. */
size_t rl_sign_at(const char *at);
/* Whether a character only parts the words of a name: "gpu-node.17" and "gpu_node17" are one. */
bool rl_parts_words(char c);
/* Order of struct rl_known_name. */
int rl_by_known_name(const void *a, const void *b);

#endif
