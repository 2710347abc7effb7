/* session.h - one session of a program that another command than collect measures. */
#ifndef RL_CLI_SESSION_H
#define RL_CLI_SESSION_H

#include "command.h"

struct session_program {
    const char **words; /* the program and its arguments; ends with NULL */
    size_t count;
};

#endif
