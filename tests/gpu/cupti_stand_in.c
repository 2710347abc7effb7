/* cupti_stand_in.c - a libcupti that refuses: every function goes on to the real library but the one named in $RL_REFUSE, which
 * returns the code in $RL_REFUSE_CODE. With it the tests see what a user without permission, or beside another profiler, sees. A
 * stand-in for those machines; nothing is measured through it.
 *
 * The real library's path is in $RL_REAL_CUPTI. All functions in use take at most four arguments in registers and return an int, so
 * one shape serves them all. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int (*any_function)(uintptr_t, uintptr_t, uintptr_t, uintptr_t);

static any_function real(const char *name)
{
    static void *library;
    if (!library)
        library = dlopen(getenv("RL_REAL_CUPTI"), RTLD_NOW | RTLD_LOCAL);
    void *symbol = library ? dlsym(library, name) : NULL;
    if (!symbol) {
        fprintf(stderr, "stand-in: %s not found\n", name);
        abort();
    }
    any_function function;
    memcpy(&function, &symbol, sizeof function);
    return function;
}

static int forward(const char *name, uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d)
{
    const char *refused = getenv("RL_REFUSE");
    if (refused && strcmp(refused, name) == 0)
        return (int)strtol(getenv("RL_REFUSE_CODE"), NULL, 10);
    return real(name)(a, b, c, d);
}

#define CUPTI_FUNCTION(name)                                                                                                       \
    int name(uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d);                                                                  \
    __attribute__((visibility("default"))) int name(uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d)                            \
    {                                                                                                                              \
        return forward(#name, a, b, c, d);                                                                                         \
    }
#define CUPTI_OPTIONAL(name) CUPTI_FUNCTION(name)
#define CUPTI_RANGE(name)    CUPTI_FUNCTION(name)
#include "cupti_api.def"
#undef CUPTI_RANGE
#undef CUPTI_OPTIONAL
#undef CUPTI_FUNCTION
