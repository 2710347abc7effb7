/* availability_key.c - what an availability image is of (availability.h). */
#include "availability.h"

static uint64_t add(uint64_t hash, const char *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++)
        hash = (hash ^ (unsigned char)bytes[i]) * UINT64_C(1099511628211);
    return hash;
}

uint64_t rl_availability_key(const char *chip, const char *product, uint32_t cupti)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    hash = add(hash, chip, strlen(chip) + 1); /* the end belongs to it: what follows is another text */
    hash = add(hash, product, strlen(product) + 1);
    return add(hash, (const char *)&cupti, sizeof cupti);
}
