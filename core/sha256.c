/* Apart from fs.c, so that who only needs files does not link the library of hashes. */
#include <sha2.h>

#include "core/fs.h"

struct rl_sha256 rl_sha256_of(const void *bytes, size_t len)
{
    static const char digit[] = "0123456789abcdef";
    struct rl_sha256 hash;
    uint8_t digest[SHA256_DIGEST_LENGTH];
    SHA2_CTX context;
    SHA256Init(&context);
    SHA256Update(&context, bytes, len);
    SHA256Final(digest, &context);
    for (size_t i = 0; i < sizeof digest; i++) {
        hash.hex[2 * i] = digit[digest[i] >> 4];
        hash.hex[2 * i + 1] = digit[digest[i] & 15];
    }
    hash.hex[64] = '\0';
    return hash;
}
