/* demangle.c - the C++ runtime's demangler. */
#include "demangle.h"

#include <stdlib.h>

/* From the Itanium C++ ABI, section 3.4; part of libstdc++. */
char *__cxa_demangle(const char *mangled, char *buffer, size_t *length, int *status);

char *rl_demangle(struct rl_arena *arena, const char *name)
{
    int status = 0;
    char *text = __cxa_demangle(name, NULL, NULL, &status);
    char *copy = rl_arena_strdup(arena, status == 0 && text ? text : name);
    free(text);
    return copy;
}
