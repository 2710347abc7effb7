/* signature.c - finding out whether a capture still says what was signed. */
#include <assert.h>
#include <string.h>

#include "content.h"
#include "core/buf.h"
#include "signing/signing.h"

/* What is hashed and what is signed, all in ASCII; docs/capture-format.md, Signatures. The salt keeps whoever has a redacted copy
 * from trying out what was left out of it. */
struct rl_sha256 rl_signature_digest(const char *salt, const struct rl_sha256 *content)
{
    struct rl_buf text = RL_BUF_INIT;
    rl_buf_addf(&text, "rooflight capture digest 1\n%s\n%s\n", salt, content->hex);
    struct rl_sha256 digest = rl_sha256_of(text.data, text.len);
    rl_buf_release(&text);
    return digest;
}

void rl_signature_message(struct rl_buf *out, const char *digest)
{
    rl_buf_addf(out, "rooflight capture signature 1\n%s\n", digest);
}

static bool holds(const struct rl_signature *signature)
{
    struct rl_buf message = RL_BUF_INIT;
    rl_signature_message(&message, signature->digest);
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
        signature->digest = rl_capture_text(capture, rl_signature_digest(signature->salt, &content).hex);
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

void rl_signature_signer(const struct rl_signature *signature, struct rl_buf *out)
{
    char fingerprint[RL_FINGERPRINT_LENGTH + 1];
    rl_fingerprint(signature->public_key, fingerprint);
    rl_buf_adds(out, fingerprint);
}

void rl_signature_text(const struct rl_signature *signature, struct rl_buf *out)
{
    if (signature->trust == RL_KEY_KNOWN && *signature->name)
        rl_buf_addf(out, "%s, ", signature->name);
    rl_signature_signer(signature, out);
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
