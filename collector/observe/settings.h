/* settings.h - the settings of the injected part, as a struct and as environment variables. Private to the collector. */
#pragma once

#include "core/core.h"

enum { RL_COUNT_NOT, RL_COUNT_ROTATE, RL_COUNT_KERNEL_REPLAY };

struct rl_settings {
#define TEXT_SETTING(variable, member, meaning)              const char *member;
#define NUMBER_SETTING(variable, member, otherwise, meaning) long member;
#include "settings.def"
};

/* How many filters of system calls this process has; -1: the kernel does not say (Linux before 5.9). */
long rl_seccomp_filters(void);

/* Every member at its default. */
void rl_settings_init(struct rl_settings *settings);
/* Reads the environment; the texts belong to it. False, with the variable's name, when one of them is no number. */
bool rl_settings_read(struct rl_settings *settings, const char **wrong);
/* Copies every text: a program may write over its environment. To be freed one by one. */
void rl_settings_keep(struct rl_settings *settings);
/* Puts what differs from the defaults into the environment of this process and removes the rest; false when that fails. */
bool rl_settings_export(const struct rl_settings *settings);
