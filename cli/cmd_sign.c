#include <assert.h>

#include "command.h"
#include "core/fs.h"
#include "output.h"
#include "sign.h"

struct sign_options {
    struct cli_common common;
    const char *key, *output;
};

static const struct cli_option options[] = {
    {'k', "key", CLI_INPUT, offsetof(struct sign_options, key), "KEY",
     .help = "sign with the private key in the file KEY, which must be of type Ed25519 and have no passphrase: from 'ssh-keygen -t "
             "ed25519' or 'openssl genpkey -algorithm ed25519'"},
    {'o', "output", CLI_OUTPUT, offsetof(struct sign_options, output), "FILE",
     .help = "write the signed capture to FILE (default: the capture's name with .signed.rlcap in the current folder)",
     .ending = ".signed.rlcap", .replaces = ".rlcap", .formats = cli_capture_formats},
    {0},
};

static enum rl_status sign(const struct cli_call *call, const struct rl_key *key, struct rl_err *err)
{
    assert(call->operand_count > 0);
    const char *output = ((const struct sign_options *)call->options)->output;
    struct rl_buf bytes = RL_BUF_INIT;
    if (!rl_is_stream(output))
        return cli_sign_file(call->operands[0], output, key, err);
    enum rl_status status = cli_sign_bytes(call->operands[0], key, &bytes, err);
    if (status == RL_OK)
        status = cli_write_output(call, output, &bytes, NULL, err);
    rl_buf_release(&bytes);
    return status;
}

static enum rl_status run(const struct cli_call *call, struct rl_err *err)
{
    const struct sign_options *chosen = call->options;
    struct rl_key *key = NULL;
    char fingerprint[RL_FINGERPRINT_LENGTH + 1];
    if (!chosen->key)
        return rl_err_set(err, RL_USAGE, "--key KEY is missing: which key should sign?");
    enum rl_status status = rl_key_read(chosen->key, &key, err);
    if (status == RL_OK)
        status = sign(call, key, err);
    if (status == RL_OK) {
        rl_fingerprint(rl_key_public(key), fingerprint);
        cli_say(call, "wrote %s, signed by %s", rl_is_stream(chosen->output) ? "standard output" : chosen->output, fingerprint);
    }
    rl_key_free(key);
    return status;
}

const struct cli_command_body cmd_sign = {
    .operands = "CAPTURE",
    .least = 1,
    .most = 1,
    .about =
        "Makes a signed copy of a capture: whoever holds the key vouches for what it says, and any change shows. The signature is "
        "part of the file and goes with it into reports. Several people may sign a capture, one after another. show, report, "
        "compare, extract and verify say whether it is signed, and by whom.",
    .options = options,
    .options_size = sizeof(struct sign_options),
    .reads_operands = true,
    .reads_stdin = true,
    .run = run,
};
