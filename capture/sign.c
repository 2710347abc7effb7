/* sign.c - signing what a capture says. */
#include <assert.h>
#include <string.h>

#include "content.h"
#include "core/buf.h"
#include "signing/signing.h"

static enum rl_status check_signable(const struct rl_capture *capture, const struct rl_key *key, struct rl_err *err)
{
    if (rl_capture_signed(capture) == RL_BROKEN)
        return rl_err_set(err, RL_FAILED, "its signature is broken: it was changed after it was signed");
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
    struct rl_sha256 digest = rl_signature_digest(salt, content);
    rl_signature_message(&message, digest.hex);
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
                            "writing the capture with this version would break the signature that it has: "
                            "use the version that wrote it");
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
