/* Apart from fs.c, so that who only needs files does not link the library of hashes. */
#include <assert.h>
#include <sha2.h>

#include "core/fs.h"
#include "sha256_blocks.h"

/* Hashes the whole blocks where the processor has instructions for it; returns of how many bytes. */
static size_t add_blocks(SHA2_CTX *context, const uint8_t *bytes, size_t len)
{
    const size_t blocks = len / RL_SHA256_BLOCK;
    if (blocks == 0 || !rl_sha256_has_instructions())
        return 0;
    rl_sha256_take_blocks(context->state.st32, bytes, blocks);
    context->bitcount[0] += (uint64_t)blocks * 8 * RL_SHA256_BLOCK;
    return blocks * RL_SHA256_BLOCK;
}

struct rl_sha256 rl_sha256_of(const void *bytes, size_t len)
{
    static const char digit[] = "0123456789abcdef";
    struct rl_sha256 hash;
    SHA2_CTX context;
    uint8_t digest[SHA256_DIGEST_LENGTH];
    assert(bytes || len == 0);
    SHA256Init(&context);
    const size_t done = add_blocks(&context, bytes, len);
    if (done < len)
        SHA256Update(&context, (const uint8_t *)bytes + done, len - done);
    SHA256Final(digest, &context);
    for (size_t i = 0; i < sizeof digest; i++) {
        hash.hex[2 * i] = digit[digest[i] >> 4];
        hash.hex[2 * i + 1] = digit[digest[i] & 15];
    }
    hash.hex[64] = '\0';
    return hash;
}
