/* habits.h - words and options of other tools (habits.def), and what they are here. */
#ifndef RL_CLI_HABITS_H
#define RL_CLI_HABITS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/err.h"

/* An option of another tool. */
struct cli_habit {
    const char *command; /* of ours, with which it is typed */
    char letter;         /* 0: none */
    const char *name;    /* the long one */
    bool argument;       /* one follows */
    const char *ours;    /* the long name of what means the same; "": it is so always; NULL: `text` says what does that here */
    const char *text;
};
extern const struct cli_habit cli_habits[];
extern const size_t cli_habit_count;

/* What stands in place of a command is none: RL_USAGE with the command that does it here, for words of other tools, programs and
 * files; RL_OK for anything else. `words` are what was typed from there on and end with NULL. */
enum rl_status cli_habit_word(char *const *words, struct rl_err *err);
/* The same for what stands where experiments do, or is no command's name nearly: a program that "--" is missing before. */
enum rl_status cli_habit_program(const char *const *words, size_t count, struct rl_err *err);

#endif
