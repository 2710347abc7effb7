/* unmangle.h - names as the compiler writes them into a cubin (private to analysis/). */
#ifndef RL_ANALYSIS_UNMANGLE_H
#define RL_ANALYSIS_UNMANGLE_H

#include <stdbool.h>

#include "core/buf.h"

/* Appends "ns::kernel" of "_ZN2ns6kernelIfEEvPT_", without template arguments and parameters; false, with nothing appended, when
 * the name is not mangled so or abbreviates one of its parts. Takes any bytes. (Itanium C++ ABI, 5.1.) */
bool rl_unmangle(const char *name, struct rl_buf *out);

#endif
