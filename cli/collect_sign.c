/* collect_sign.c - a finished capture, signed where --sign asks for it. */
#include "collect.h"
#include "sign.h"
#include "signing/signing.h"

enum rl_status collect_sign(const struct cli_call *call, const char *output, struct rl_err *err)
{
    const struct collect_options *chosen = call->options;
    char fingerprint[RL_FINGERPRINT_LENGTH + 1];
    if (!chosen->key)
        return RL_OK;
    enum rl_status status = cli_sign_file(output, output, chosen->key, err);
    if (status != RL_OK)
        return rl_err_context(err, status, "not signed");
    rl_fingerprint(rl_key_public(chosen->key), fingerprint);
    cli_detail(call, "signed %s by %s", output, fingerprint);
    return RL_OK;
}
