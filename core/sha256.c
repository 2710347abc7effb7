/* Apart from fs.c, so that who only needs files does not link the library of hashes. */
#include <assert.h>
#include <sha2.h>
#include <stdlib.h>

#include "core/fs.h"
#include "core/mem.h"
#include "sha256_blocks.h"

struct rl_sha256_stream {
    SHA2_CTX context;
};

struct rl_sha256_stream *rl_sha256_new(void)
{
    struct rl_sha256_stream *stream = rl_calloc(1, sizeof *stream);
    SHA256Init(&stream->context);
    return stream;
}

/* Whole blocks, where nothing waits for the rest of its own; returns of how many bytes. */
static size_t add_blocks(SHA2_CTX *context, const uint8_t *bytes, size_t len)
{
    const size_t blocks = len / RL_SHA256_BLOCK;
    if (blocks == 0 || context->bitcount[0] % (8 * RL_SHA256_BLOCK) != 0 || !rl_sha256_has_instructions())
        return 0;
    rl_sha256_take_blocks(context->state.st32, bytes, blocks);
    context->bitcount[0] += (uint64_t)blocks * 8 * RL_SHA256_BLOCK;
    return blocks * RL_SHA256_BLOCK;
}

void rl_sha256_add(struct rl_sha256_stream *stream, const void *bytes, size_t len)
{
    assert(bytes || len == 0);
    const size_t done = len ? add_blocks(&stream->context, bytes, len) : 0;
    if (done < len)
        SHA256Update(&stream->context, (const uint8_t *)bytes + done, len - done);
}

struct rl_sha256 rl_sha256_end(struct rl_sha256_stream *stream)
{
    static const char digit[] = "0123456789abcdef";
    struct rl_sha256 hash;
    uint8_t digest[SHA256_DIGEST_LENGTH];
    SHA256Final(digest, &stream->context);
    for (size_t i = 0; i < sizeof digest; i++) {
        hash.hex[2 * i] = digit[digest[i] >> 4];
        hash.hex[2 * i + 1] = digit[digest[i] & 15];
    }
    hash.hex[64] = '\0';
    free(stream);
    return hash;
}

struct rl_sha256 rl_sha256_of(const void *bytes, size_t len)
{
    struct rl_sha256_stream *stream = rl_sha256_new();
    rl_sha256_add(stream, bytes, len);
    return rl_sha256_end(stream);
}
