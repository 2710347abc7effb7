/* content.h - the hash of what a capture file says, whatever its bytes are (private to capture/). */
#ifndef RL_CAPTURE_CONTENT_H
#define RL_CAPTURE_CONTENT_H

#include "guard.h"

/* SHA-256 of all rows of all tables but `signature` as docs/capture-format.md encodes them (Signatures). The guard has been opened.
 */
enum rl_status rl_content_of(struct rl_guard *guard, struct rl_sha256 *content, struct rl_err *err);
/* What is signed of a capture with that content. */
struct rl_sha256 rl_signature_digest(const char *salt, const struct rl_sha256 *content);
/* Appends the text whose bytes are signed. */
void rl_signature_message(struct rl_buf *out, const char *digest);
/* Finds out which signatures of a capture hold that was read by way of this guard. */
enum rl_status rl_signatures_check(struct rl_guard *guard, struct rl_capture *capture, struct rl_err *err);

#endif
