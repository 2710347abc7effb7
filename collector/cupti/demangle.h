/* demangle.h - C++ names in words. Private to the collector. */
#pragma once

#include "core/arena.h"

/* The demangled name, or the name itself when it is not a mangled C++ name; belongs to the arena. */
char *rl_demangle(struct rl_arena *arena, const char *name);
