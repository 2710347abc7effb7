/* captures.h - reads the captures of a command: one, or those of several processes of one program as one. */
#pragma once

#include "capture/capture.h"

/* Reads the files. `bytes` gets the bytes of the capture (of several: of their combination), `*capture` is the caller's
 * (rl_capture_free). RL_USAGE: several files, not all of profiled programs. */
enum rl_status cli_read_captures(const char *const *paths, size_t count, struct rl_buf *bytes, struct rl_capture **capture,
                                 struct rl_err *err);
/* Reads one file: a capture, or the output of another profiler (import/import.h), which is converted; `bytes` gets the capture's
 * bytes. */
enum rl_status cli_read_capture(const char *path, struct rl_buf *bytes, struct rl_capture **capture, struct rl_err *err);
/* How captures of one command are redacted: pseudonyms are the same in all of them. */
struct cli_redaction {
    struct rl_redaction how;
    struct rl_sha256 own_key; /* without a key of the user: derived from the original, which the redacted copy does not contain */
};
/* `key` is the user's (--pseudonyms: kernels get pseudonyms, too), or NULL; `bytes` are those of the first capture. */
void cli_redaction_init(struct cli_redaction *redaction, const char *key, const struct rl_buf *bytes);
/* Replaces a capture and its bytes by a redacted copy (rl_capture_redact). `numbers` (may be NULL): for each GPU the number that
 * replaces its UUID, "GPU-1"; 0: nothing. On an error `*capture` is NULL. */
enum rl_status cli_redact_capture(struct rl_buf *bytes, struct rl_capture **capture, const struct cli_redaction *redaction,
                                  const size_t *numbers, struct rl_err *err);
/* "app.0.rlcap", or "app.0.rlcap and 3 more". */
void cli_captures_name(const char *const *paths, size_t count, struct rl_buf *out);
