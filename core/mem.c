#include "core/mem.h"

#include "core/core.h"

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

void rl_freed_(void *pointer)
{
    free(*(void **)pointer);
}

void rl_free_(void *const *pointers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(pointers[i]);
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
