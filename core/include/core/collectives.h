/* collectives.h - kernels that wait for their peers, by name. */
#ifndef RL_CORE_COLLECTIVES_H
#define RL_CORE_COLLECTIVES_H

#include <stdbool.h>

/* Whether a kernel's name, mangled or not, begins as a row of collectives.def. */
bool rl_is_collective_name(const char *name);

#endif
