/* signing.h - Ed25519 keys and signatures (RFC 8032), and the keys that a user knows.
 *
 * Nothing here knows what is signed: capture/signature.c does. Public keys, signatures and other fixed bytes are texts of
 * lower-case hexadecimal digits, as captures hold them.
 */
#ifndef RL_SIGNING_SIGNING_H
#define RL_SIGNING_SIGNING_H

#include <stdbool.h>
#include <stddef.h>

#include "core/err.h"

enum {
    RL_PUBLIC_KEY_DIGITS = 64,
    RL_SIGNATURE_DIGITS = 128,
    RL_DERIVED_DIGITS = 64,
    RL_FINGERPRINT_LENGTH = 50, /* "SHA256:" and 43 characters */
    RL_KEY_FILE_MOST = 16384,   /* bytes of a key file */
    RL_TRUSTED_FILE_MOST = 1 << 20,
};

/* ---- private keys ---- */

struct rl_key; /* in memory that is locked, left out of core files, and wiped when it is freed */

/* Reads an unencrypted private key: "OPENSSH PRIVATE KEY" of `ssh-keygen -t ed25519`, or "PRIVATE KEY" (PKCS #8, RFC 8410) of
 * `openssl genpkey -algorithm ed25519`. RL_PERMISSION when the file is this user's and others may read it; RL_FORMAT with what to
 * do for other types, encrypted keys and damage; RL_IO, RL_ABSENT for the file. On success `*key` is the caller's (rl_key_free),
 * otherwise NULL. */
enum rl_status rl_key_read(const char *path, struct rl_key **key, struct rl_err *err);
/* The same from bytes, which are hostile; no path in the error. */
enum rl_status rl_key_parse(const char *text, size_t len, struct rl_key **key, struct rl_err *err);
/* NULL is allowed. */
void rl_key_free(struct rl_key *key);
/* Its public half. Valid as long as the key. */
const char *rl_key_public(const struct rl_key *key);

/* Signs `len` bytes. The same key and bytes give the same signature. */
void rl_key_sign(const struct rl_key *key, const void *message, size_t len, char signature[RL_SIGNATURE_DIGITS + 1]);
/* 32 bytes that follow from key and message and that nobody can guess who has not got the key (keyed BLAKE2b). */
void rl_key_derive(const struct rl_key *key, const void *message, size_t len, char derived[RL_DERIVED_DIGITS + 1]);

/* ---- public keys ---- */

/* Whether the signature is that of the key's holder over these bytes. What is not hexadecimal or of another length is not. */
bool rl_signature_holds(const char *public_key, const char *signature, const void *message, size_t len);
/* "SHA256:..." as `ssh-keygen -l` prints it; "" when `public_key` is none. */
void rl_fingerprint(const char *public_key, char fingerprint[RL_FINGERPRINT_LENGTH + 1]);
/* Whether it is `digits` lower-case hexadecimal digits. */
bool rl_is_hex(const char *text, size_t digits);

/* ---- keys that a user knows ---- */

struct rl_trusted;

/* Reads a list of known keys, a line each: "ssh-ed25519 KEY [NAME]" (as in authorized_keys and *.pub), "NAME ssh-ed25519 KEY" (as
 * in allowed_signers) or "SHA256:FINGERPRINT [NAME]"; lines that are empty, begin with # or hold a key of another type are passed
 * over. RL_FORMAT with the line when one cannot be read or has options before its key, or when there is no key at all. `*trusted`
 * is the caller's (rl_trusted_free), NULL on failure. */
enum rl_status rl_trusted_read(const char *path, struct rl_trusted **trusted, struct rl_err *err);
/* The same from bytes, which are hostile; no path in the error. */
enum rl_status rl_trusted_parse(const char *text, size_t len, struct rl_trusted **trusted, struct rl_err *err);
/* NULL is allowed. */
void rl_trusted_free(struct rl_trusted *trusted);
/* Name of a key: NULL when it is not in the list, "" when it is there without one. Valid as long as the list. */
const char *rl_trusted_name(const struct rl_trusted *trusted, const char *public_key);

#endif
