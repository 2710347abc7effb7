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

/* ---- what is known by an expression ---- */

enum rl_pattern {
    RL_PATTERN_NUMBER,        /* "92.5/100", "3-4", "32x32x8", "80GB"; of too few digits to identify a person */
    RL_PATTERN_VERSION,       /* three numbers; four are an address */
    RL_PATTERN_MODEL,         /* part of a product's name: "H200", "4090", "80GB", "V100S" */
    RL_PATTERN_OCTET,         /* of an address of IPv4; or a type, which may stand in a chain of numbers, too */
    RL_PATTERN_ENDS_IN_OCTET, /* "node10" */
    RL_PATTERN_NO_ADDRESS,    /* what none begins with: 0, and a type: "f16_128_128_64" */
    RL_PATTERN_ADAPTER,       /* six pairs of hexadecimal digits: "0a_1b_2c_3d_4e_5f" */
    RL_PATTERN_IPV6,          /* eight groups, a letter among them */
    RL_PATTERN_SHORT_IPV6,    /* shortened, as global, local and link addresses begin: "fe80__1ff_fe23_4567_890a" */
    RL_PATTERN_SERIAL,        /* ten digits and more; 16 hexadecimal ones: a hash, an identifier */
    RL_PATTERN_FILE,          /* compilers put it into symbols of internal linkage: "_GLOBAL__N__0a1b2c3d_9_secret_cu_5e6f7a8b" */
    RL_PATTERN_DECLARATION, /* parts with "::" between them: "void", "fusion.3", "kernel.clone.part.0", "#1", "-1", "3ul", "0x1f" */
    RL_PATTERN_GROUPS,      /* looks like names with "::" between them, and may be an address: "abcd::ef1" */
    RL_PATTERN_COUNT
};

/* Whether a text of this length has it, or is it (vocabulary.c has the expressions). Time grows with the length. */
bool rl_has_pattern(enum rl_pattern pattern, const char *text, size_t len);
