/* collect_backend.c - the option --backend of those commands that take counters (collect.h). */
#include <assert.h>

#include "collect.h"
#include "core/mem.h"

const char *const collect_backends[] = {
    "auto",
#define BACKEND(id, first, last, least, most, words) #id,
#include "collector/backends.def"
#undef BACKEND
    NULL,
};

const char *collect_backend(int choice)
{
    assert(choice >= 0 && choice < (int)RL_COUNT(collect_backends) - 1);
    return choice ? collect_backends[choice] : NULL;
}
