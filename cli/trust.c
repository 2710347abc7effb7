#include "trust.h"

enum rl_status cli_trust_open(const struct cli_trust_options *options, struct cli_trust *trust, struct rl_err *err)
{
    *trust = (struct cli_trust){.required = options->required};
    return options->file ? rl_trusted_read(options->file, &trust->keys, err) : RL_OK;
}

void cli_trust_close(struct cli_trust *trust)
{
    rl_trusted_free(trust->keys);
    trust->keys = NULL;
}

/* How many of the signers are known. */
static size_t look_up(const struct rl_trusted *keys, struct rl_capture *capture, struct rl_signature *signatures, size_t count)
{
    size_t known = 0;
    for (size_t i = 0; i < count; i++) {
        const char *name = rl_trusted_name(keys, signatures[i].public_key);
        signatures[i].trust = name ? RL_KEY_KNOWN : RL_KEY_UNKNOWN;
        signatures[i].name = rl_capture_text(capture, name);
        known += name != NULL;
    }
    return known;
}

enum rl_status cli_trust_judge(const struct cli_trust *trust, const char *path, struct rl_capture *capture, struct rl_err *err)
{
    size_t known = 0;
    if (trust && trust->keys) {
        known = look_up(trust->keys, capture, capture->signatures, capture->signature_count);
        look_up(trust->keys, capture, capture->origins, capture->origin_count);
    }
    if (!trust || !trust->required || (rl_capture_signed(capture) == RL_SIGNED && (!trust->keys || known)))
        return RL_OK;
    struct rl_buf text = RL_BUF_INIT;
    rl_capture_signature_text(capture, &text);
    enum rl_status status = rl_err_set(err, RL_FAILED, "'%s' is refused: %s", path, text.data);
    rl_buf_release(&text);
    return status;
}
