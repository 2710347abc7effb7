/* sign.h - signing the file of a capture. */
#ifndef RL_CLI_SIGN_H
#define RL_CLI_SIGN_H

#include "core/buf.h"
#include "core/err.h"
#include "signing/signing.h"

/* Reads the capture at `from` and signs it: `bytes` gets the signed file. */
enum rl_status cli_sign_bytes(const char *from, const struct rl_key *key, struct rl_buf *bytes, struct rl_err *err);
/* Reads the capture at `from`, signs it and writes it to `to` (rl_write_file_atomic), which may be the same file. */
enum rl_status cli_sign_file(const char *from, const char *to, const struct rl_key *key, struct rl_err *err);

#endif
