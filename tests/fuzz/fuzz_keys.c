/* Any bytes are refused in one line, or are a private key that signs what its public half verifies; any bytes are refused, or are a
 * list of known keys that can be asked; and as public key and signature they hold for nothing. */
#include <string.h>

#include "core/buf.h"
#include "fuzz.h"
#include "signing/signing.h"

static void try_key(const char *text, size_t len)
{
    static const char message[] = "what is signed";
    char signature[RL_SIGNATURE_DIGITS + 1], fingerprint[RL_FINGERPRINT_LENGTH + 1];
    struct rl_err err = RL_ERR_INIT;
    struct rl_key *key = NULL;
    enum rl_status status = rl_key_parse(text, len, &key, &err);
    REQUIRE((status == RL_OK) == (key != NULL));
    REQUIRE(status == RL_OK || (status == RL_FORMAT && *err.text && !strchr(err.text, '\n')));
    if (!key)
        return;
    rl_key_sign(key, message, strlen(message), signature);
    REQUIRE(rl_signature_holds(rl_key_public(key), signature, message, strlen(message)));
    REQUIRE(!rl_signature_holds(rl_key_public(key), signature, message, strlen(message) - 1));
    rl_fingerprint(rl_key_public(key), fingerprint);
    REQUIRE(strlen(fingerprint) == RL_FINGERPRINT_LENGTH);
    rl_key_free(key);
}

static void try_list(const char *text, size_t len)
{
    static const char somebody[] = "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c";
    struct rl_err err = RL_ERR_INIT;
    struct rl_trusted *trusted = NULL;
    enum rl_status status = rl_trusted_parse(text, len, &trusted, &err);
    REQUIRE((status == RL_OK) == (trusted != NULL));
    REQUIRE(status == RL_OK || (status == RL_FORMAT && *err.text && !strchr(err.text, '\n')));
    if (trusted)
        (void)rl_trusted_name(trusted, somebody);
    rl_trusted_free(trusted);
}

/* A line feed parts public key and signature. */
static void try_signature(const char *text, size_t len)
{
    struct rl_buf key = RL_BUF_INIT, signature = RL_BUF_INIT;
    const char *end = memchr(text, '\n', len);
    size_t first = end ? (size_t)(end - text) : len;
    rl_buf_add(&key, text, first);
    if (end)
        rl_buf_add(&signature, end + 1, len - first - 1);
    REQUIRE(!rl_signature_holds(key.data, signature.data, "x", 1));
    rl_buf_release(&signature);
    rl_buf_release(&key);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    try_key((const char *)data, size);
    try_list((const char *)data, size);
    try_signature((const char *)data, size);
    return 0;
}
