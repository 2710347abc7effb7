/* demangle.h - C++ names in words. Private to the collector. */
#ifndef RL_COLLECTOR_DEMANGLE_H
#define RL_COLLECTOR_DEMANGLE_H

#include "core/arena.h"

/* The demangled name, or the name itself when it is not a mangled C++ name; belongs to the arena. */
char *rl_demangle(struct rl_arena *arena, const char *name);

#endif
