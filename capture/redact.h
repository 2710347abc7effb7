/* redact.h - which texts of a capture may leave the house (private to capture/).
 *
 * A text stays as a whole or goes as a whole: it stays when every word of it is known to be harmless. Time grows with the length.
 */
#pragma once

#include "core/core.h"

/* Names of hosts, users and GPUs that the capture itself knows: no text with one of them stays, whatever its words. In small
 * letters and without signs, so that "gpu-node.17" and "gpu_node17" are one. */
struct rl_private_names {
    struct rl_arena *arena; /* the names are taken from it */
    char **all;             /* free(); sorted and unique when complete */
    size_t count, cap;
    size_t longest;   /* bytes */
    bool begins[256]; /* the first byte of a name */
};

/* Notes the name of a host: whole, without its domain, what that and its first label are made of but for words of the vocabulary,
 * parts of few letters and domains of many ("com", "local"). */
void rl_private_names_host(struct rl_private_names *names, const char *text);
/* Notes the identifier of a GPU, "GPU-29d1a9ef-894d-...", with and without what it begins with, and its first group of digits. */
void rl_private_names_uuid(struct rl_private_names *names, const char *text);
/* Notes users whose homes are in a text, and users and hosts of mail addresses. */
void rl_private_names_learn(struct rl_private_names *names, const char *text);
/* Sorts them; called once, before any query. */
void rl_private_names_sort(struct rl_private_names *names);

/* Whether a word is in the vocabulary, a number, or composed of these (rl_is_harmless), and no name or address. */
bool rl_is_public_word(const struct rl_private_names *names, const char *word, size_t len);
/* Whether a text has only such words, and no credential. */
bool rl_is_public_text(const struct rl_private_names *names, const char *text);
/* The same of a product; models as makers write them are words, too: "H200", "80GB", "A100-SXM4". */
bool rl_is_public_product(const struct rl_private_names *names, const char *text);
/* Whether a text is a declaration in C++, or what a compiler makes of one, without anything that no declaration has: paths,
 * addresses, serial numbers, credentials, names of files, numbers without brackets around them. */
bool rl_is_public_kernel(const struct rl_private_names *names, const char *text);

/* ---- credentials (secrets.def) ---- */

#define RL_SECRET_SIGN "[secret]" /* stands in place of one */

/* Whether what is assigned to that name is a secret: "DB_PASSWORD", "--api-key", "authToken". */
bool rl_is_secret_name(const char *name, size_t len);
/* Appends `text` with a sign in place of each secret; false: there is none, and nothing is appended. Done twice, it changes
 * nothing. Time grows with the length. */
bool rl_secrets_remove(const char *text, struct rl_buf *out);
/* Whether there is one. */
bool rl_has_secret(const char *text);

/* ---- the words of the program itself, which cmake/make_vocabulary.c collects from its sources ---- */

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
