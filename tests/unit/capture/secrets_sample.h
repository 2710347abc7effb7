/* secrets_sample.h - five secrets of each kind: those that secrets.def has rows for, and what else may tell where, by whom or for
 * whom something was run. */
#ifndef RL_SECRETS_SAMPLE_H
#define RL_SECRETS_SAMPLE_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { SAMPLE_EACH = 5, SAMPLE_MOST = 1000, SAMPLE_BYTES = 160 };

#define SAMPLE_DIGITS_UPPER "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
#define SAMPLE_ALNUM        SAMPLE_DIGITS_UPPER "abcdefghijklmnopqrstuvwxyz"
#define SAMPLE_HEX          "0123456789abcdef"
#define SAMPLE_URL          SAMPLE_ALNUM
#define SAMPLE_DOTTED       SAMPLE_ALNUM
#define SAMPLE_BASE64       SAMPLE_ALNUM

struct secret_sample {
    char text[2 * SAMPLE_BYTES]; /* as it stands in a text */
    char core[SAMPLE_BYTES];     /* what must not be seen of it */
};
static struct secret_sample samples[SAMPLE_MOST];
static size_t sample_count, sample_kinds;

/* Letters and digits by chance, the same at every run; the first one is a letter no number begins with. */
static inline void sample_word(char *word, const char *alphabet, size_t len)
{
    static uint32_t state = 1;
    for (size_t i = 0; i < len; i++) {
        state = state * 1664525u + 1013904223u;
        word[i] = alphabet[(state >> 8) % strlen(alphabet)];
    }
    word[len] = 0;
}

/* `form` has "%s" in the place of what must not be seen. */
static inline void add_samples(const char *form, const char *start, const char *alphabet, size_t len)
{
    const int before = (int)(strstr(form, "%s") - form);
    sample_kinds++;
    for (size_t i = 0; i < SAMPLE_EACH && sample_count < SAMPLE_MOST; i++) {
        char word[80], core[SAMPLE_BYTES];
        sample_word(word, alphabet, len);
        snprintf(core, sizeof core, "%s%s", start, word);
        snprintf(samples[sample_count].core, SAMPLE_BYTES, "%s", core);
        snprintf(samples[sample_count].text, sizeof samples->text, "%.*s%s%s", before, form, core, form + before + 2);
        sample_count++;
    }
}

static inline void make_samples(void)
{
    sample_count = sample_kinds = 0;
#define SECRET(kind, start, alphabet, least) add_samples("%s", start, SAMPLE_##alphabet, (least) + 4);
#define NAME(name, alone)                    add_samples((alone) ? name "=%s" : "x_" name "=%s", "q", SAMPLE_ALNUM, 7);
#define BEHIND(kind, words)                  add_samples(words "%s", "q", SAMPLE_ALNUM, 12);
#include "secrets.def"
#undef SECRET
#undef NAME
#undef BEHIND
    static const struct {
        const char *form, *start, *alphabet;
        size_t len;
    } others[] = {
        {"--password %s", "q", SAMPLE_ALNUM, 8},
        {"\"apiKey\": \"%s\"", "q", SAMPLE_ALNUM, 8},
        {"Authorization: Bearer %s", "q", SAMPLE_ALNUM, 20},
        {"postgres://user:%s@db/x", "q", SAMPLE_ALNUM, 8},
        {"-----BEGIN PRIVATE KEY-----\n%s\n-----END PRIVATE KEY-----", "MII", SAMPLE_ALNUM, 40},
        {"%s", "aB3", SAMPLE_ALNUM, 60},
        {"at 10.%s.7", "214.1", "0123456789", 2},
        {"10.20.%s", "213.1", "0123456789", 2},
        {"fe80::%s:1", "1ff:fe", "0123456789abcdef", 2},
        {"2001:%s::5", "db8:a", "0123456789abcdef", 3},
        {"00:1b:%s:22:33", "4d:1", "abcdef", 1},
        {"00-1b-%s-22-33", "5e-1", "abcdef", 1},
        {"s3://%s/data", "q", "abcdefghijklmnop", 8},
        {"gs://b/%s", "q", "abcdefghijklmnop", 8},
        {"registry.%s.example/team/image:1.2", "q", "abcdefghijklmnop", 6},
        {"%s@corp.example", "q", "abcdefghijklmnop", 6},
        {"person@%s.example", "q", "abcdefghijklmnop", 6},
        {"GPU-%s-1111-2222-3333-444455556666", "29d1", SAMPLE_HEX, 4},
        {"GPU%s", "29d1a9ef894d2f2a", SAMPLE_HEX, 16},
        {"%s", "29d1a9ef894d2f2a", SAMPLE_HEX, 16},
        {"MIG-%s-1111-2222-3333-444455556666", "39d1", SAMPLE_HEX, 4},
        {"/home/%s/x.cu:12", "q", "abcdefghijklmnop", 7},
        {"/data/My Project/%s.bin", "q", "abcdefghijklmnop", 7},
        {"'/data/My %s/x'", "q", "abcdefghijklmnop", 7},
        {"-/srv/%s", "q", "abcdefghijklmnop", 7},
        {"_/srv/%s", "q", "abcdefghijklmnop", 7},
        {"C:\\Users\\%s\\x", "q", "abcdefghijklmnop", 7},
        {"\\\\server\\%s", "q", "abcdefghijklmnop", 7},
        {"~%s/x", "q", "abcdefghijklmnop", 7},
        {"$HOME/%s", "q", "abcdefghijklmnop", 7},
        {"data/%s/part.parquet", "q", "abcdefghijklmnop", 7},
        {"https://%s.corp.example/a?b", "q", "abcdefghijklmnop", 7},
        {"ssh://git@%s/x", "q", "abcdefghijklmnop", 7},
        {"node-%s.cluster.local", "q", "abcdefghijklmnop", 4},
        {"account 4711%s", "0815", "0123456789", 6},
        {"+49-170-%s", "1", "0123456789", 8},
        {"PROJECT=%s", "q", "abcdefghijklmnop", 7},
    };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        add_samples(others[i].form, others[i].start, others[i].alphabet, others[i].len);
}

#endif
