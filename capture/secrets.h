/* secrets.h - credentials in texts (private to capture/); secrets.def says which. */
#ifndef RL_CAPTURE_SECRETS_H
#define RL_CAPTURE_SECRETS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/buf.h"

#define RL_SECRET_SIGN "[secret]" /* stands in place of one */

struct rl_secret {
    const char *kind;  /* "GitHub token" */
    size_t start, end; /* what is to be dropped */
};

/* Whether what is assigned to that name is a secret: "DB_PASSWORD", "--api-key", "authToken". */
bool rl_is_secret_name(const char *name, size_t len);
/* The secret that `at` introduces ("--token hf_..." begins at its name) or begins; false: none. `text` is terminated. */
bool rl_secret_at(const char *text, size_t at, struct rl_secret *found);
/* Appends `text` with a sign in place of each secret; false: there is none, and nothing is appended. Done twice, it changes
 * nothing. Time grows with the length. */
bool rl_secrets_remove(const char *text, struct rl_buf *out);

#endif
