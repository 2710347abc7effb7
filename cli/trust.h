/* trust.h - whose signature a capture has, for every command that reads captures. */
#ifndef RL_CLI_TRUST_H
#define RL_CLI_TRUST_H

#include "capture/capture.h"
#include "command.h"
#include "signing/signing.h"

/* What a command was asked. */
struct cli_trust_options {
    const char *file;
    bool required;
};
/* The two rows of a table of options; `type`: the command's options, with a member `trust`. */
#define CLI_TRUST_OPTIONS(type)                                                                                                    \
    {0,                                                                                                                            \
     "trusted-keys",                                                                                                               \
     CLI_INPUT,                                                                                                                    \
     offsetof(struct type, trust.file),                                                                                            \
     "FILE",                                                                                                                       \
     .help = "say which signers are known: each line of FILE is a public key or a fingerprint, and a name, as in "                 \
             "authorized_keys and allowed_signers of OpenSSH"},                                                                    \
    {                                                                                                                              \
        0, "require-signature", CLI_FLAG, offsetof(struct type, trust.required), NULL,                                             \
            .help = "reject a capture that is not signed, whose signature is broken, or, with --trusted-keys, that no known key "  \
                    "has signed"                                                                                                   \
    }

struct cli_trust {
    struct rl_trusted *keys; /* NULL: nothing was asked */
    bool required;
};
/* Reads the file of keys that the options name, if they do. Close it in every case. */
enum rl_status cli_trust_open(const struct cli_trust_options *options, struct cli_trust *trust, struct rl_err *err);
/* Frees the keys. */
void cli_trust_close(struct cli_trust *trust);

/* Looks the signers of a capture up, which was just read from `path`. RL_FAILED when a signature is required and missing, broken or
 * of nobody known. `trust` may be NULL. */
enum rl_status cli_trust_judge(const struct cli_trust *trust, const char *path, struct rl_capture *capture, struct rl_err *err);

#endif
