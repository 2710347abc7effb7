#include "sign.h"

#include "captures.h"
#include "core/fs.h"

enum rl_status cli_sign_bytes(const char *from, const struct rl_key *key, struct rl_buf *bytes, struct rl_err *err)
{
    struct rl_capture *capture = NULL;
    struct rl_buf unsigned_bytes = RL_BUF_INIT;
    enum rl_status status = cli_read_capture(from, NULL, &unsigned_bytes, &capture, err);
    if (status == RL_OK && (status = rl_capture_sign(capture, key, bytes, err)) != RL_OK)
        rl_err_context(err, status, "'%s'", rl_input_name(from));
    rl_buf_release(&unsigned_bytes);
    rl_capture_free(capture);
    return status;
}

enum rl_status cli_sign_file(const char *from, const char *to, const struct rl_key *key, struct rl_err *err)
{
    struct rl_buf bytes = RL_BUF_INIT;
    enum rl_status status = cli_sign_bytes(from, key, &bytes, err);
    if (status == RL_OK)
        status = rl_write_file_atomic(to, bytes.data, bytes.len, err);
    rl_buf_release(&bytes);
    return status;
}
