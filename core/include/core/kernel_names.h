/* kernel_names.h - recognises by name kernels that wait for their peers or for the host, and those of libraries. */
#pragma once

#include <stdbool.h>

/* Whether a kernel's name, mangled or not, begins with the name of a row of collectives.def. */
bool rl_is_collective_name(const char *name);
/* Whether a kernel's name, mangled or not, contains the name of a row of host_waits.def. */
bool rl_is_host_wait_name(const char *name);
/* The library of a kernel, by the first row of libraries.def that matches its name; NULL: no known library. Static. */
const char *rl_library_of_name(const char *name);
