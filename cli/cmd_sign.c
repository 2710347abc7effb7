#include <string.h>
#include <sys/stat.h>

#include "command.h"
#include "core/fs.h"
#include "sign.h"

struct sign_options {
    struct cli_common common;
    const char *key, *output;
};

static const struct cli_option options[] = {
    {'k', "key", CLI_TEXT, offsetof(struct sign_options, key), "KEY",
     .help = "sign with the private key in the file KEY, which must be of type Ed25519 and have no passphrase: of 'ssh-keygen -t "
             "ed25519' or of 'openssl genpkey -algorithm ed25519'"},
    {'o', "output", CLI_TEXT, offsetof(struct sign_options, output), "FILE",
     .help = "write the signed capture to FILE (default: the capture's name with .signed.rlcap in the current folder)"},
    {0},
};

/* "h200.signed.rlcap" for "samples/h200.rlcap". */
static void default_output(const char *capture, struct rl_buf *out)
{
    static const char ending[] = ".rlcap";
    const char *slash = strrchr(capture, '/'), *base = slash ? slash + 1 : capture;
    size_t len = strlen(base);
    if (len > strlen(ending) && strcmp(base + len - strlen(ending), ending) == 0)
        len -= strlen(ending);
    rl_buf_add(out, base, len);
    rl_buf_addf(out, ".signed%s", ending);
}

static bool same_file(const char *a, const char *b)
{
    struct stat stat_a, stat_b;
    return stat(a, &stat_a) == 0 && stat(b, &stat_b) == 0 && stat_a.st_dev == stat_b.st_dev && stat_a.st_ino == stat_b.st_ino;
}

static enum rl_status check_output(const struct cli_call *call, const char *output, struct rl_err *err)
{
    const struct sign_options *chosen = call->options;
    if (same_file(call->operands[0], output))
        return rl_err_set(err, RL_USAGE, "the signed capture would replace '%s': choose another name with -o", output);
    if (same_file(chosen->key, output))
        return rl_err_set(err, RL_USAGE, "the signed capture would replace the key '%s': choose another name with -o", output);
    return rl_check_writable(output, err);
}

static enum rl_status run(const struct cli_call *call, struct rl_err *err)
{
    const struct sign_options *chosen = call->options;
    struct rl_buf output = RL_BUF_INIT;
    struct rl_key *key = NULL;
    char fingerprint[RL_FINGERPRINT_LENGTH + 1];
    if (!chosen->key)
        return rl_err_set(err, RL_USAGE, "--key KEY is missing: which key is to sign?");
    if (chosen->output)
        rl_buf_adds(&output, chosen->output);
    else
        default_output(call->operands[0], &output);
    enum rl_status status = check_output(call, output.data, err);
    if (status == RL_OK)
        status = rl_key_read(chosen->key, &key, err);
    if (status == RL_OK)
        status = cli_sign_file(call->operands[0], output.data, key, err);
    if (status == RL_OK) {
        rl_fingerprint(rl_key_public(key), fingerprint);
        cli_say(call, "wrote %s, signed by %s", output.data, fingerprint);
    }
    rl_key_free(key);
    rl_buf_release(&output);
    return status;
}

const struct cli_command_body cmd_sign = {
    .operands = "CAPTURE",
    .least = 1,
    .most = 1,
    .about =
        "Makes a signed copy of a capture: whoever holds the key vouches for what it says, and any change shows. The signature is "
        "part of the file and goes with it into reports. A capture may be signed by several, one after another. Whether it is "
        "signed, and by whom, is said by show, report, compare, extract and verify.",
    .options = options,
    .options_size = sizeof(struct sign_options),
    .run = run,
};
