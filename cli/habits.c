/* habits.c - what users of other tools type. */
#include "habits.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/buf.h"
#include "core/fs.h"
#include "core/mem.h"

#define WORD(word, text)
#define FILE_OF(ending, command)
#define OPTION(...) {__VA_ARGS__},
const struct cli_habit cli_habits[] = {
#include "habits.def"
};
#undef OPTION
#undef FILE_OF
#undef WORD
const size_t cli_habit_count = RL_COUNT(cli_habits);

#define OPTION(...)
#define FILE_OF(ending, command)
#define WORD(word, text) {word, text},
static const struct {
    const char *word, *text;
} words_of_others[] = {
#include "habits.def"
};
#undef WORD
#undef FILE_OF

#define WORD(word, text)
#define FILE_OF(ending, command) {ending, command},
static const struct {
    const char *ending, *command;
} files_of[] = {
#include "habits.def"
};
#undef FILE_OF
#undef WORD
#undef OPTION

/* As a shell takes it. */
static void add_quoted(struct rl_buf *out, const char *word)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789%+,-./:=@_^";
    if (*word && !word[strspn(word, plain)]) {
        rl_buf_adds(out, word);
        return;
    }
    rl_buf_addch(out, '\'');
    for (; *word; word++) {
        if (*word == '\'')
            rl_buf_adds(out, "'\\''");
        else
            rl_buf_addch(out, *word);
    }
    rl_buf_addch(out, '\'');
}

static bool is_file(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

/* The path of an executable file; one without a slash is in $PATH or, else, in the current folder. NULL: there is none. */
static char *find_program(const char *word)
{
    char *path = rl_find_program(word);
    if (!path && *word && !strchr(word, '/')) {
        struct rl_buf here = RL_BUF_INIT;
        rl_buf_addf(&here, "./%s", word);
        path = rl_find_program(here.data);
        rl_buf_release(&here);
    }
    if (path && !is_file(path)) {
        free(path);
        path = NULL;
    }
    return path;
}

/* `program` stands in place of the first word. */
static enum rl_status suggest_collect(const char *program, const char *const *words, size_t count, struct rl_err *err)
{
    enum { LONGEST = 160 };
    struct rl_buf line = RL_BUF_INIT;
    assert(count > 0);
    for (size_t i = 0; i < count && line.len < LONGEST; i++) {
        rl_buf_adds(&line, i ? " " : "");
        add_quoted(&line, i ? words[i] : program);
    }
    rl_err_set(err, RL_USAGE, "to observe a program: rooflight collect -- %s%s", line.data, line.len < LONGEST ? "" : " ...");
    rl_buf_release(&line);
    return RL_USAGE;
}

/* Whether it can only be a path ("/a", "./a", "../a"): names of variants have slashes, too. */
static bool is_path(const char *word)
{
    const size_t dots = strspn(word, ".");
    return dots <= 2 && word[dots] == '/';
}

static enum rl_status suggest_program(const char *const *words, size_t count, struct rl_err *err)
{
    char *found = count ? find_program(words[0]) : NULL;
    const bool here = found && is_path(found) && *found == '.'; /* of the current folder: a shell needs it said */
    const enum rl_status status = found ? suggest_collect(here ? found : words[0], words, count, err) : RL_OK;
    free(found);
    return status;
}

/* A path that nothing can be run by. `place`: what stands there, too. */
static enum rl_status explain_path(const char *path, const char *place, struct rl_err *err)
{
    static const char how[] = "a program is observed by 'rooflight collect -- PROGRAM'";
    struct stat info;
    const int error = stat(path, &info) == 0 ? 0 : errno;
    if (error == ENOENT || error == ENOTDIR)
        return rl_err_set(err, RL_USAGE, "there is no such file and no such %s: '%s'; %s", place, path, how);
    if (error)
        return rl_err_set(err, RL_USAGE, "'%s' is not a %s, and cannot be examined: %s; %s", path, place, strerror(error), how);
    if (S_ISDIR(info.st_mode))
        return rl_err_set(err, RL_USAGE, "'%s' is a folder, neither a %s nor a program; %s", path, place, how);
    if (!S_ISREG(info.st_mode))
        return rl_err_set(err, RL_USAGE, "'%s' is neither a %s nor a program; %s", path, place, how);
    return rl_err_set(err, RL_USAGE, "'%s' is not a %s, and not a program, as it is not executable; %s", path, place, how);
}

enum rl_status cli_habit_program(const char *const *words, size_t count, struct rl_err *err)
{
    const enum rl_status status = suggest_program(words, count, err);
    return status == RL_OK && count && is_path(words[0]) ? explain_path(words[0], "experiment", err) : status;
}

/* "rooflight h200.rlcap". */
static enum rl_status suggest_for_file(const char *word, struct rl_err *err)
{
    const char *dot = strrchr(word, '.');
    struct rl_buf name = RL_BUF_INIT;
    enum rl_status status = RL_OK;
    add_quoted(&name, word);
    for (size_t i = 0; i < RL_COUNT(files_of) && dot && is_file(word); i++)
        if (strcmp(dot, files_of[i].ending) == 0)
            status = rl_err_set(err, RL_USAGE, "a file is not a command: rooflight %s %s", files_of[i].command, name.data);
    rl_buf_release(&name);
    return status;
}

enum rl_status cli_habit_word(char *const *words, struct rl_err *err)
{
    size_t count = 0;
    assert(words[0]);
    for (size_t i = 0; i < RL_COUNT(words_of_others); i++)
        if (strcmp(words[0], words_of_others[i].word) == 0)
            return rl_err_set(err, RL_USAGE, "there is no command '%s': %s", words[0], words_of_others[i].text);
    while (words[count])
        count++;
    enum rl_status status = suggest_for_file(words[0], err);
    if (status == RL_OK && strchr(words[0], '/'))
        status = suggest_program((const char *const *)words, count, err);
    return status == RL_OK && strchr(words[0], '/') ? explain_path(words[0], "command", err) : status;
}
