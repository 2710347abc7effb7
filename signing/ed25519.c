/* ed25519.c - signatures and fingerprints, by libsodium. */
#include <assert.h>
#include <string.h>

#include "private.h"

static const char algorithm[] = "ssh-ed25519";

bool rl_span_take(struct rl_span *span, size_t len, struct rl_span *taken)
{
    if (len > span->left)
        return false;
    *taken = (struct rl_span){span->at, len};
    span->at += len;
    span->left -= len;
    return true;
}

bool rl_span_string(struct rl_span *span, struct rl_span *string)
{
    struct rl_span size;
    if (!rl_span_take(span, 4, &size))
        return false;
    return rl_span_take(span, (size_t)size.at[0] << 24 | (size_t)size.at[1] << 16 | (size_t)size.at[2] << 8 | size.at[3], string);
}

bool rl_span_is(const struct rl_span *span, const char *text)
{
    return span->left == strlen(text) && memcmp(span->at, text, span->left) == 0;
}

bool rl_span_public(struct rl_span blob, struct rl_span *key)
{
    struct rl_span type;
    return rl_span_string(&blob, &type) && rl_span_is(&type, algorithm) && rl_span_string(&blob, key) &&
           key->left == crypto_sign_PUBLICKEYBYTES && blob.left == 0;
}

bool rl_is_hex(const char *text, size_t digits)
{
    return strlen(text) == digits && strspn(text, "0123456789abcdef") == digits;
}

static bool from_hex(const char *text, unsigned char *bytes, size_t size)
{
    assert(size > 0);
    return rl_is_hex(text, 2 * size) && sodium_hex2bin(bytes, size, text, 2 * size, NULL, NULL, NULL) == 0;
}

bool rl_signature_holds(const char *public_key, const char *signature, const void *message, size_t len)
{
    unsigned char key[crypto_sign_PUBLICKEYBYTES], bytes[crypto_sign_BYTES];
    return sodium_init() >= 0 && from_hex(public_key, key, sizeof key) && from_hex(signature, bytes, sizeof bytes) &&
           crypto_sign_verify_detached(bytes, message, len, key) == 0;
}

void rl_fingerprint_of(const unsigned char key[crypto_sign_PUBLICKEYBYTES], char fingerprint[RL_FINGERPRINT_LENGTH + 1])
{
    static const unsigned char before[] = "\0\0\0\x0bssh-ed25519\0\0\0\x20"; /* the key as SSH sends it */
    unsigned char hash[crypto_hash_sha256_BYTES];
    crypto_hash_sha256_state state;
    crypto_hash_sha256_init(&state);
    crypto_hash_sha256_update(&state, before, sizeof before - 1);
    crypto_hash_sha256_update(&state, key, crypto_sign_PUBLICKEYBYTES);
    crypto_hash_sha256_final(&state, hash);
    memcpy(fingerprint, "SHA256:", 7);
    sodium_bin2base64(fingerprint + 7, RL_FINGERPRINT_LENGTH + 1 - 7, hash, sizeof hash, sodium_base64_VARIANT_ORIGINAL_NO_PADDING);
    assert(strlen(fingerprint) == RL_FINGERPRINT_LENGTH);
}

void rl_fingerprint(const char *public_key, char fingerprint[RL_FINGERPRINT_LENGTH + 1])
{
    unsigned char key[crypto_sign_PUBLICKEYBYTES];
    fingerprint[0] = 0;
    if (from_hex(public_key, key, sizeof key))
        rl_fingerprint_of(key, fingerprint);
}
