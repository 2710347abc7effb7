/* signature.h - who signed what a capture says, and from what it was made (capture.h). */
#ifndef RL_CAPTURE_SIGNATURE_H
#define RL_CAPTURE_SIGNATURE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/buf.h"
#include "core/err.h"

enum rl_key_trust { RL_KEY_NOT_LOOKED_UP, RL_KEY_UNKNOWN, RL_KEY_KNOWN };
/* A signature over the content of a capture, or over that of one that it was made from. Fixed bytes are hexadecimal digits. */
struct rl_signature {
    char *salt;       /* of a signature of this capture: hashed with the content. NULL for an origin, which must not give it away */
    char *digest;     /* what is signed: of an origin as it is stored, otherwise found out when the capture is read */
    char *public_key; /* Ed25519 */
    char *signature;
    bool holds;              /* found out when the capture is read */
    enum rl_key_trust trust; /* what the user knows of the key, set by the command; not in the file */
    const char *name;        /* of a known key in the user's list; "": without one */
};
enum rl_signature_state {
    RL_UNSIGNED,
    RL_SIGNED, /* every signature holds */
    RL_BROKEN, /* one does not: the content is not what was signed */
};

struct rl_capture;
/* A signature of a capture that this one was made from. */
struct rl_signature *rl_capture_add_origin(struct rl_capture *capture);
/* A signature of this capture. */
struct rl_signature *rl_capture_add_signature(struct rl_capture *capture);

struct rl_key;
/* Signs what the capture says, besides those who have signed it before; `out`, which is empty, gets the bytes of the signed file.
 * RL_FAILED: a signature that it has is broken, or this key has signed it already; otherwise as rl_capture_write_bytes. On failure
 * the capture is as it was. The same capture and key (signing/signing.h) give the same bytes. */
enum rl_status rl_capture_sign(struct rl_capture *capture, const struct rl_key *key, struct rl_buf *out, struct rl_err *err);
/* What its signatures are worth; found out when it was read. Whose they are is another question. */
enum rl_signature_state rl_capture_signed(const struct rl_capture *capture);
/* Appends the fingerprint of the key that signed, as signing and lists of keys print it. */
void rl_signature_signer(const struct rl_signature *signature, struct rl_buf *out);
/* Before `into` becomes another capture than `from` (which may be the same): the signatures of `from`, which will not hold for it,
 * are kept as its origins, and a broken one is noted in its log. `into` is not signed afterwards. */
void rl_capture_keep_origins(struct rl_capture *into, const struct rl_capture *from);
#define RL_CAPTURE_MADE_FROM_BROKEN "made from a capture whose signature is BROKEN: it was changed after it was signed"

/* What was compared of a redacted copy and its original. */
struct rl_origin_check {
    size_t figures, texts; /* of the original */
    size_t replaced;       /* of the texts: others in the copy */
};
/* Whether `copy` was made from `original` by redaction: it carries a signature of it, and every number, every reference and every
 * word of a closed list is the same, except in the command line and the log. RL_FAILED with the first reason why not. */
enum rl_status rl_capture_check_origin(const struct rl_capture *copy, const struct rl_capture *original,
                                       struct rl_origin_check *found, struct rl_err *err);

/* Who signed, in words: "Lab A, SHA256:... (known key)"; trust is said where it was looked up. */
void rl_signature_text(const struct rl_signature *signature, struct rl_buf *out);
/* "signed by ...", "not signed", "BROKEN: ...", and from which signed captures it says that it was made. */
void rl_capture_signature_text(const struct rl_capture *capture, struct rl_buf *out);

#endif
