#include "sha256_blocks.h"

#include <assert.h>

#ifdef __x86_64__
#include <cpuid.h>
#include <immintrin.h>

/* FIPS 180-2, section 4.2.2. */
static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01,
    0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc,
    0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
    0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08,
    0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
    0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

bool rl_sha256_has_instructions(void)
{
    unsigned a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_SSSE3) || !(c & bit_SSE4_1))
        return false;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_SHA);
}

/* The state as the instructions want it: A, B, E, F in one register, C, D, G, H in the other. */
struct halves {
    __m128i abef, cdgh;
};

/* One block: 16 times four rounds, each with four words of the message, of which the next ones are made from the last 16. */
__attribute__((target("sha,sse4.1,ssse3"))) static struct halves take_block(struct halves state, const uint8_t *bytes)
{
    const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    const struct halves before = state;
    __m128i words[4];
    for (size_t i = 0; i < 4; i++)
        words[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(const void *)(bytes + 16 * i)), swap);
#pragma GCC unroll 16
    for (size_t i = 0; i < 16; i++) {
        const __m128i now = words[i % 4], next = words[(i + 1) % 4], last = words[(i + 3) % 4];
        const __m128i sum = _mm_add_epi32(now, _mm_loadu_si128((const __m128i *)(const void *)(constants + 4 * i)));
        state.cdgh = _mm_sha256rnds2_epu32(state.cdgh, state.abef, sum);
        state.abef = _mm_sha256rnds2_epu32(state.abef, state.cdgh, _mm_shuffle_epi32(sum, 0x0e));
        const __m128i seven_back = _mm_alignr_epi8(last, words[(i + 2) % 4], 4);
        words[i % 4] = _mm_sha256msg2_epu32(_mm_add_epi32(_mm_sha256msg1_epu32(now, next), seven_back), last);
    }
    return (struct halves){_mm_add_epi32(state.abef, before.abef), _mm_add_epi32(state.cdgh, before.cdgh)};
}

__attribute__((target("sha,sse4.1,ssse3"))) void rl_sha256_take_blocks(uint32_t state[8], const uint8_t *bytes, size_t count)
{
    const __m128i dcba = _mm_loadu_si128((const __m128i *)(const void *)state);
    const __m128i hgfe = _mm_loadu_si128((const __m128i *)(const void *)(state + 4));
    const __m128i cdab = _mm_shuffle_epi32(dcba, 0xb1), efgh = _mm_shuffle_epi32(hgfe, 0x1b);
    struct halves halves = {_mm_alignr_epi8(cdab, efgh, 8), _mm_blend_epi16(efgh, cdab, 0xf0)};
    for (size_t i = 0; i < count; i++)
        halves = take_block(halves, bytes + i * RL_SHA256_BLOCK);
    const __m128i feba = _mm_shuffle_epi32(halves.abef, 0x1b), dchg = _mm_shuffle_epi32(halves.cdgh, 0xb1);
    _mm_storeu_si128((__m128i *)(void *)state, _mm_blend_epi16(feba, dchg, 0xf0));
    _mm_storeu_si128((__m128i *)(void *)(state + 4), _mm_alignr_epi8(dchg, feba, 8));
}

#else

bool rl_sha256_has_instructions(void)
{
    return false;
}

void rl_sha256_take_blocks(uint32_t state[8], const uint8_t *bytes, size_t count)
{
    (void)state, (void)bytes, (void)count;
    assert(!"the instructions are not there");
}

#endif
