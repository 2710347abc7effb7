#include <assert.h>
#include <string.h>

#include "captures.h"
#include "command.h"
#include "core/utf8.h"
#include "terminal.h"

struct verify_options {
    struct cli_common common;
    const char *trusted, *original;
};

static const struct cli_option options[] = {
    {0, "trusted-keys", CLI_INPUT, offsetof(struct verify_options, trusted), "FILE",
     .help =
         "whose signatures count: FILE has a public key or a fingerprint and a name a line, as authorized_keys and allowed_signers "
         "of OpenSSH do (default: anybody's)"},
    {0, "original", CLI_INPUT, offsetof(struct verify_options, original), "FILE",
     .help = "CAPTURE is a redacted copy: check that it was made from the signed capture FILE"},
    {0},
};

static void print(const struct cli_call *call, const char *path, const char *text)
{
    enum { HANGING = 2 };
    struct rl_buf line = RL_BUF_INIT, safe = RL_BUF_INIT;
    rl_buf_addf(&line, "%s: %s", path, text);
    rl_utf8_printable(&safe, line.data, line.len);
    cli_wrap_whole(call->out, safe.data, 0, HANGING, call->terminal.interactive ? call->terminal.width : 0);
    rl_buf_addch(call->out, '\n');
    rl_buf_release(&line);
    rl_buf_release(&safe);
}

/* Says whose signature the capture has; RL_FAILED when it has none that counts. */
static enum rl_status verify(const struct cli_call *call, const struct cli_trust *trust, const char *path, struct rl_err *err)
{
    struct rl_capture *capture = NULL;
    struct rl_buf bytes = RL_BUF_INIT, text = RL_BUF_INIT;
    const struct cli_trust asked = {.keys = trust->keys};
    enum rl_status status = cli_read_capture(path, &asked, &bytes, &capture, err);
    path = rl_input_name(path);
    if (status == RL_OK) {
        rl_capture_signature_text(capture, &text);
        rl_buf_adds(&text, capture->session.complete ? "" : "; the capture is incomplete");
        print(call, path, text.data);
        status = cli_trust_judge(trust, path, capture, err);
    } else {
        print(call, path, err->text);
    }
    rl_buf_release(&text);
    rl_buf_release(&bytes);
    rl_capture_free(capture);
    return status;
}

static enum rl_status verify_all(const struct cli_call *call, const struct cli_trust *trust, struct rl_err *err)
{
    size_t bad = 0;
    enum rl_status status = RL_OK;
    for (size_t i = 0; i < call->operand_count; i++) {
        enum rl_status one = verify(call, trust, call->operands[i], err);
        bad += one != RL_OK;
        status = one != RL_OK ? one : status;
    }
    if (bad)
        return rl_err_set(err, status, "%zu of %zu capture%s without a signature that holds%s", bad, call->operand_count,
                          call->operand_count == 1 ? "" : "s", trust->keys ? " and was made with a known key" : "");
    return RL_OK;
}

/* ---- a redacted copy ---- */

static void print_origin(const struct cli_call *call, const char *path, const char *original, const struct rl_capture *from,
                         const struct rl_origin_check *found)
{
    struct rl_buf text = RL_BUF_INIT;
    rl_buf_addf(&text, "made from '%s', ", original);
    rl_capture_signature_text(from, &text);
    rl_buf_addf(&text, ": %zu figures are the same, %zu of %zu texts were replaced; the command line and the log were not compared",
                found->figures, found->replaced, found->texts);
    print(call, path, text.data);
    rl_buf_release(&text);
}

static enum rl_status verify_copy(const struct cli_call *call, const struct cli_trust *trust, struct rl_err *err)
{
    assert(call->operand_count > 0);
    const struct verify_options *chosen = call->options;
    const char *path = call->operands[0];
    struct rl_capture *copy = NULL, *original = NULL;
    struct rl_buf bytes = RL_BUF_INIT;
    struct rl_origin_check found;
    enum rl_status status = cli_read_capture(chosen->original, trust, &bytes, &original, err);
    rl_buf_reset(&bytes);
    if (status == RL_OK)
        status = cli_read_capture(path, NULL, &bytes, &copy, err);
    path = rl_input_name(path);
    if (status == RL_OK && rl_capture_signed(copy) == RL_BROKEN)
        status = rl_err_set(err, RL_FAILED, "'%s': its signature is BROKEN", path);
    if (status == RL_OK && (status = rl_capture_check_origin(copy, original, &found, err)) != RL_OK)
        rl_err_context(err, status, "'%s'", path);
    if (status == RL_OK)
        print_origin(call, path, rl_input_name(chosen->original), original, &found);
    rl_buf_release(&bytes);
    rl_capture_free(copy);
    rl_capture_free(original);
    return status;
}

static enum rl_status run(const struct cli_call *call, struct rl_err *err)
{
    const struct verify_options *chosen = call->options;
    const struct cli_trust_options asked = {chosen->trusted, true};
    struct cli_trust trust;
    if (chosen->original && call->operand_count > 1)
        return rl_err_set(err, RL_USAGE, "--original takes one copy: '%s' is one argument too many", call->operands[1]);
    enum rl_status status = cli_trust_open(&asked, &trust, err);
    if (status == RL_OK)
        status = chosen->original ? verify_copy(call, &trust, err) : verify_all(call, &trust, err);
    cli_trust_close(&trust);
    return status;
}

const struct cli_command_body cmd_verify = {
    .operands = "CAPTURE ...",
    .least = 1,
    .most = SIZE_MAX,
    .about =
        "Says for each capture whether it is signed, by whom, and whether the signature holds for its content. The exit status is "
        "1 when one is not signed, was changed after it was signed, or, with --trusted-keys, is not signed with a known key. What "
        "a signature proves is in docs/security.md.",
    .options = options,
    .options_size = sizeof(struct verify_options),
    .reads_operands = true,
    .reads_stdin = true,
    .run = run,
};
