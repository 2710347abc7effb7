/* signature.c - signing what a capture says, and finding out whether it still says it. */
#include <assert.h>
#include <string.h>

#include "content.h"
#include "core/buf.h"
#include "signing/signing.h"

/* What is hashed and what is signed, all in ASCII; docs/capture-format.md, Signatures. The salt keeps whoever has a redacted copy
 * from trying out what was left out of it. */
static struct rl_sha256 digest_of(const char *salt, const struct rl_sha256 *content)
{
    struct rl_buf text = RL_BUF_INIT;
    rl_buf_addf(&text, "rooflight capture digest 1\n%s\n%s\n", salt, content->hex);
    struct rl_sha256 digest = rl_sha256_of(text.data, text.len);
    rl_buf_release(&text);
    return digest;
}

static void add_message(struct rl_buf *out, const char *digest)
{
    rl_buf_addf(out, "rooflight capture signature 1\n%s\n", digest);
}

static bool holds(const struct rl_signature *signature)
{
    struct rl_buf message = RL_BUF_INIT;
    add_message(&message, signature->digest);
    bool good = rl_signature_holds(signature->public_key, signature->signature, message.data, message.len);
    rl_buf_release(&message);
    return good;
}

/* ---- reading ---- */

enum rl_status rl_signatures_check(struct rl_guard *guard, struct rl_capture *capture, struct rl_err *err)
{
    struct rl_sha256 content;
    enum rl_status status = capture->signature_count ? rl_content_of(guard, &content, err) : RL_OK;
    if (status != RL_OK)
        return status;
    for (size_t i = 0; i < capture->origin_count; i++)
        capture->origins[i].holds = holds(&capture->origins[i]);
    for (size_t i = 0; i < capture->signature_count; i++) {
        struct rl_signature *signature = &capture->signatures[i];
        signature->digest = rl_capture_text(capture, digest_of(signature->salt, &content).hex);
        signature->holds = holds(signature);
    }
    return RL_OK;
}

enum rl_signature_state rl_capture_signed(const struct rl_capture *capture)
{
    for (size_t i = 0; i < capture->signature_count; i++)
        if (!capture->signatures[i].holds)
            return RL_BROKEN;
    return capture->signature_count ? RL_SIGNED : RL_UNSIGNED;
}

/* ---- signing ---- */

static enum rl_status check_signable(const struct rl_capture *capture, const struct rl_key *key, struct rl_err *err)
{
    if (rl_capture_signed(capture) == RL_BROKEN)
        return rl_err_set(err, RL_FAILED, "its signature is broken: who signed it did not sign what it says now");
    for (size_t i = 0; i < capture->signature_count; i++)
        if (strcmp(capture->signatures[i].public_key, rl_key_public(key)) == 0)
            return rl_err_set(err, RL_FAILED, "this key has signed it already");
    return RL_OK;
}

static enum rl_status content_of_bytes(const struct rl_buf *bytes, struct rl_sha256 *content, struct rl_err *err)
{
    struct rl_guard guard;
    enum rl_status status = rl_guard_open(&guard, bytes->data, bytes->len, err);
    if (status == RL_OK)
        status = rl_content_of(&guard, content, err);
    rl_guard_close(&guard);
    return status;
}

static void add_signature(struct rl_capture *capture, const struct rl_key *key, const struct rl_sha256 *content)
{
    char salt[RL_DERIVED_DIGITS + 1], bytes[RL_SIGNATURE_DIGITS + 1];
    struct rl_buf message = RL_BUF_INIT;
    rl_buf_addf(&message, "rooflight capture salt 1\n%s\n", content->hex);
    rl_key_derive(key, message.data, message.len, salt);
    rl_buf_reset(&message);
    struct rl_sha256 digest = digest_of(salt, content);
    add_message(&message, digest.hex);
    rl_key_sign(key, message.data, message.len, bytes);
    rl_buf_release(&message);
    struct rl_signature *signature = rl_capture_add_signature(capture);
    *signature = (struct rl_signature){.salt = rl_capture_text(capture, salt),
                                       .digest = rl_capture_text(capture, digest.hex),
                                       .public_key = rl_capture_text(capture, rl_key_public(key)),
                                       .signature = rl_capture_text(capture, bytes),
                                       .holds = true};
}

/* That the file says what was signed, also what others have signed before. */
static enum rl_status check_result(const struct rl_buf *bytes, struct rl_err *err)
{
    struct rl_capture *capture = NULL;
    enum rl_status status = rl_capture_read_bytes(bytes->data, bytes->len, "signed capture", &capture, err);
    if (status == RL_OK && rl_capture_signed(capture) != RL_SIGNED)
        status = rl_err_set(err, RL_FAILED,
                            "written again by this rooflight, the capture would break the signature that it has: "
                            "sign it with the rooflight that wrote it");
    rl_capture_free(capture);
    return status;
}

enum rl_status rl_capture_sign(struct rl_capture *capture, const struct rl_key *key, struct rl_buf *out, struct rl_err *err)
{
    struct rl_sha256 content;
    const size_t before = capture->signature_count;
    assert(out->len == 0);
    enum rl_status status = check_signable(capture, key, err);
    if (status == RL_OK)
        status = rl_capture_write_bytes(capture, out, err);
    if (status == RL_OK)
        status = content_of_bytes(out, &content, err);
    if (status == RL_OK) {
        add_signature(capture, key, &content);
        rl_buf_reset(out);
        status = rl_capture_write_bytes(capture, out, err);
    }
    if (status == RL_OK)
        status = check_result(out, err);
    if (status != RL_OK)
        capture->signature_count = before;
    return status;
}

/* ---- what is made from a signed capture ---- */

void rl_capture_keep_origins(struct rl_capture *into, const struct rl_capture *from)
{
    for (size_t i = 0; i < from->signature_count; i++) {
        const struct rl_signature signature = from->signatures[i];
        if (!signature.holds) {
            rl_capture_log(into, 0, RL_LOG_WARNING, "%s", RL_CAPTURE_MADE_FROM_BROKEN);
            continue;
        }
        struct rl_signature *origin = rl_capture_add_origin(into);
        origin->digest = rl_capture_text(into, signature.digest);
        origin->public_key = rl_capture_text(into, signature.public_key);
        origin->signature = rl_capture_text(into, signature.signature);
        origin->holds = true;
    }
    into->signature_count = 0;
}

/* ---- words ---- */

void rl_signature_fingerprint(const struct rl_signature *signature, struct rl_buf *out)
{
    char fingerprint[RL_FINGERPRINT_LENGTH + 1];
    rl_fingerprint(signature->public_key, fingerprint);
    rl_buf_adds(out, fingerprint);
}

void rl_signature_text(const struct rl_signature *signature, struct rl_buf *out)
{
    if (signature->trust == RL_KEY_KNOWN && *signature->name)
        rl_buf_addf(out, "%s, ", signature->name);
    rl_signature_fingerprint(signature, out);
    if (signature->trust != RL_KEY_NOT_LOOKED_UP)
        rl_buf_adds(out, signature->trust == RL_KEY_KNOWN ? " (known key)" : " (unknown key)");
}

void rl_capture_signature_text(const struct rl_capture *capture, struct rl_buf *out)
{
    static const char *const states[] = {
        [RL_UNSIGNED] = "not signed",
        [RL_SIGNED] = "signed by ",
        [RL_BROKEN] = "BROKEN: the capture was changed after it was signed, or is not what was signed; it names as signer ",
    };
    const enum rl_signature_state state = rl_capture_signed(capture);
    const char *before = states[state];
    for (size_t i = 0; i < capture->signature_count; i++) {
        if (capture->signatures[i].holds != (state == RL_SIGNED))
            continue; /* where one is broken, the others do not matter */
        rl_buf_adds(out, before);
        rl_signature_text(&capture->signatures[i], out);
        before = " and ";
    }
    rl_buf_adds(out, state == RL_UNSIGNED ? before : "");
    before = "; says that it was made from a capture signed by ";
    for (size_t i = 0; i < capture->origin_count; i++, before = " and ") {
        rl_buf_adds(out, before);
        rl_signature_text(&capture->origins[i], out);
        rl_buf_adds(out, capture->origins[i].holds ? "" : ", which is NOT TRUE");
    }
}
