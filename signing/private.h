/* private.h - what the files of signing/ have in common. */
#ifndef RL_SIGNING_PRIVATE_H
#define RL_SIGNING_PRIVATE_H

#include <sodium.h>

#include "signing/signing.h"

/* Bytes that are read from front to back. */
struct rl_span {
    const unsigned char *at;
    size_t left;
};

/* The next `len` bytes; false: there are not so many. */
bool rl_span_take(struct rl_span *span, size_t len, struct rl_span *taken);
/* The next string of SSH's encoding (RFC 4251): a length of four bytes and as many bytes. */
bool rl_span_string(struct rl_span *span, struct rl_span *string);
/* Whether it is that text. */
bool rl_span_is(const struct rl_span *span, const char *text);
/* The key in "ssh-ed25519" and 32 bytes, each as a string (RFC 8709), which must be all. */
bool rl_span_public(struct rl_span blob, struct rl_span *key);

/* Fingerprint of 32 bytes. */
void rl_fingerprint_of(const unsigned char key[crypto_sign_PUBLICKEYBYTES], char fingerprint[RL_FINGERPRINT_LENGTH + 1]);

#endif
