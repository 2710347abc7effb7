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
