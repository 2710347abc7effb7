#include "core/kernel_names.h"

#include "core/core.h"

static const char *const beginnings[] = {
#define COLLECTIVE(beginning) beginning,
#include "core/collectives.def"
#undef COLLECTIVE
};

/* C++ puts in front: a return type, or "_Z" and the length of the first part. */
static const char *behind_prefix(const char *name)
{
    name += strncmp(name, "void ", 5) == 0 ? 5 : 0;
    if (strncmp(name, "_Z", 2) == 0) {
        name += 2;
        name += strspn(name, "NKL");
        name += strspn(name, "0123456789");
    }
    return name;
}

bool rl_is_collective_name(const char *name)
{
    const char *at = behind_prefix(name);
    return RL_ANY(i, RL_COUNT(beginnings), strncmp(at, beginnings[i], strlen(beginnings[i])) == 0);
}

bool rl_is_host_wait_name(const char *name)
{
    static const char *const parts[] = {
#define HOST_WAIT(part, whose) part,
#include "core/host_waits.def"
#undef HOST_WAIT
    };
    return RL_ANY(i, RL_COUNT(parts), strstr(name, parts[i]));
}

const char *rl_library_of_name(const char *name)
{
    enum place { BEGINNING, ANYWHERE };
    static const struct {
        const char *library, *pattern;
        enum place place;
    } rows[] = {
#define LIBRARY(library, place, pattern) {library, pattern, place},
#include "core/libraries.def"
#undef LIBRARY
    };
    const char *at = behind_prefix(name);
    for (size_t i = 0; i < RL_COUNT(rows); i++)
        if (rows[i].place == ANYWHERE ? strstr(at, rows[i].pattern) != NULL
                                      : strncmp(at, rows[i].pattern, strlen(rows[i].pattern)) == 0)
            return rows[i].library;
    return NULL;
}
