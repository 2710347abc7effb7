/* Apart from fs.c, so that who only needs files does not link the library of hashes. */
#include <sha2.h>

#include "core/core.h"

_Static_assert(sizeof((struct rl_sha256){{0}}.hex) == SHA256_DIGEST_STRING_LENGTH, "the digits of a hash and a terminator");

struct rl_sha256 rl_sha256_of(const void *bytes, size_t len)
{
    struct rl_sha256 hash;
    assert(bytes || len == 0);
    SHA256Data(bytes ? bytes : "", len, hash.hex);
    return hash;
}
