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

static void write_signers(struct rl_json *json, const char *key, const struct rl_signature *signatures, size_t count)
{
    rl_json_array(json, key);
    for (size_t i = 0; i < count; i++) {
        char fingerprint[RL_FINGERPRINT_LENGTH + 1];
        rl_fingerprint(signatures[i].public_key, fingerprint);
        rl_json_object(json, NULL);
        rl_json_string(json, "state", signatures[i].holds ? "valid" : "broken");
        rl_json_string(json, "signer", fingerprint);
        if (signatures[i].trust == RL_KEY_NOT_LOOKED_UP)
            rl_json_null(json, "known");
        else
            rl_json_bool(json, "known", signatures[i].trust == RL_KEY_KNOWN);
        rl_json_string(json, "name", signatures[i].name);
        rl_json_string(json, "digest", signatures[i].digest);
        rl_json_end(json);
    }
    rl_json_end(json);
}

void cli_signature_json(struct rl_json *json, const struct rl_capture *capture)
{
    static const char *const states[] = {[RL_UNSIGNED] = "unsigned", [RL_SIGNED] = "valid", [RL_BROKEN] = "broken"};
    rl_json_object(json, "signature");
    rl_json_string(json, "state", states[rl_capture_signed(capture)]);
    write_signers(json, "signers", capture->signatures, capture->signature_count);
    write_signers(json, "made_from", capture->origins, capture->origin_count);
    rl_json_end(json);
}
