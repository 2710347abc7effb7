/* sha256_blocks.h - the rounds of SHA-256 by the processor's own instructions (private to core/). */
#ifndef RL_CORE_SHA256_BLOCKS_H
#define RL_CORE_SHA256_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RL_SHA256_BLOCK = 64 };

/* Whether this processor has such instructions, and this program knows them (x86-64: SHA extensions). */
bool rl_sha256_has_instructions(void);
/* Takes `count` blocks of 64 bytes into the state of FIPS 180-2, section 6.2. Only where rl_sha256_has_instructions. */
void rl_sha256_take_blocks(uint32_t state[8], const uint8_t *bytes, size_t count);

#endif
