/* captures.h - the captures that a command is given: one, or those of several processes of one program as one. */
#ifndef RL_CLI_CAPTURES_H
#define RL_CLI_CAPTURES_H

#include "capture/capture.h"

/* Reads the files. `bytes` gets what the capture is read from (of several: of all in one), `*capture` is the caller's. Several must
 * be of observed programs: RL_USAGE otherwise. */
enum rl_status cli_read_captures(const char *const *paths, size_t count, struct rl_buf *bytes, struct rl_capture **capture,
                                 struct rl_err *err);
/* One file: a capture, or the output of another profiler (import/import.h), of which one is made; `bytes` gets that. */
enum rl_status cli_read_capture(const char *path, struct rl_buf *bytes, struct rl_capture **capture, struct rl_err *err);
/* How captures are redacted, for all of one command: names that stand for others are the same in all of them. */
struct cli_redaction {
    struct rl_redaction how;
    struct rl_sha256 own_key; /* where the user gave none: made of what the redacted copy does not have */
};
/* `key` (may be NULL) is the user's, who wants names of kernels to go, too; `bytes` are those of the first capture. */
void cli_redaction_init(struct cli_redaction *redaction, const char *key, const struct rl_buf *bytes);
/* Puts a redacted copy (rl_capture_redact) in place of a capture and of the bytes that it was read from. `numbers` (may be NULL):
 * of each GPU the number that stands in place of its UUID, "GPU-1"; 0: nothing. `list` may be NULL. On an error `*capture` is NULL.
 */
enum rl_status cli_redact_capture(struct rl_buf *bytes, struct rl_capture **capture, const struct cli_redaction *redaction,
                                  const size_t *numbers, struct rl_buf *list, struct rl_err *err);
/* "app.0.rlcap", or "app.0.rlcap and 3 more". */
void cli_captures_name(const char *const *paths, size_t count, struct rl_buf *out);

#endif
