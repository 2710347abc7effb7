/* secrets.h - credentials in texts (private to capture/); secrets.def says which. */
#pragma once

#include "core/core.h"

#define RL_SECRET_SIGN "[secret]" /* stands in place of one */

/* Whether what is assigned to that name is a secret: "DB_PASSWORD", "--api-key", "authToken". */
bool rl_is_secret_name(const char *name, size_t len);
/* Appends `text` with a sign in place of each secret; false: there is none, and nothing is appended. Done twice, it changes
 * nothing. Time grows with the length. */
bool rl_secrets_remove(const char *text, struct rl_buf *out);
/* Whether there is one. */
bool rl_has_secret(const char *text);
