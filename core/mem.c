#include "core/mem.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *checked(void *pointer)
{
    if (!pointer) {
        fputs("rooflight: out of memory\n", stderr);
        abort();
    }
    return pointer;
}

static size_t product(size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes))
        checked(NULL);
    return bytes ? bytes : 1;
}

void *rl_calloc(size_t count, size_t size)
{
    return checked(calloc(1, product(count, size)));
}

void *rl_realloc(void *pointer, size_t count, size_t size)
{
    return checked(realloc(pointer, product(count, size)));
}

char *rl_strdup(const char *text)
{
    return text ? rl_strndup(text, strlen(text)) : NULL;
}

char *rl_strndup(const char *text, size_t length)
{
    char *copy = rl_realloc(NULL, length + 1, 1);
    if (length)
        memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

void *rl_grow_(void *array, size_t element_size, size_t wanted, size_t *capacity)
{
    if (wanted <= *capacity)
        return array;
    size_t grown = *capacity > SIZE_MAX / 2 ? wanted : *capacity * 2;
    if (grown < 8)
        grown = 8;
    *capacity = grown < wanted ? wanted : grown;
    return rl_realloc(array, *capacity, element_size);
}
