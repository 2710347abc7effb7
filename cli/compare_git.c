/* compare_git.c - what git says of a change (see compare_git.h).
 *
 * A repository is hostile: its configuration can name programs for nearly everything. So only commands are used that read objects
 * and not the working tree (no filter is needed), the file-system monitor, hooks and programs for differences, texts, signatures
 * and pages are turned off, and no protocol is allowed by which a missing object could be fetched. tests/cli/cases/compare_git.case
 * has a repository that names a program for everything. */
#include "compare_git.h"

#include <stdlib.h>
#include <string.h>

#include "core/fs.h"
#include "core/mem.h"
#include "core/spawn.h"
#include "options.h"

enum { MOST_BYTES = 16 << 20, SECONDS = 30, MOST_ARGUMENTS = 12 };

/* The words before those of a command. */
#define GIT_WORDS "--no-pager", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "log.showSignature=false"

struct git {
    char *program;
    struct rl_arena *arena;
    struct rl_spawn_result said; /* of the last command */
};

static enum rl_status refuse(const struct git *git, struct rl_err *err)
{
    const char *text = git->said.err.len ? git->said.err.data : "no reason given";
    return rl_err_set(err, RL_FAILED, "git: %.*s", (int)strcspn(text, "\n"), text);
}

/* Runs git with `words`, which ends with NULL. */
static enum rl_status ask(struct git *git, const char *const *words, struct rl_err *err)
{
    const char *path = getenv("PATH"), *home = getenv("HOME");
    const char *const env[] = {rl_arena_printf(git->arena, "PATH=%s", path ? path : "/usr/bin:/bin"),
                               rl_arena_printf(git->arena, "HOME=%s", home ? home : "/"),
                               "LC_ALL=C.UTF-8",
                               "GIT_ALLOW_PROTOCOL=none",
                               "GIT_NO_LAZY_FETCH=1",
                               "GIT_NO_REPLACE_OBJECTS=1",
                               "GIT_OPTIONAL_LOCKS=0",
                               "GIT_TERMINAL_PROMPT=0",
                               "GIT_PAGER=cat",
                               NULL};
    const char *const before[] = {git->program, GIT_WORDS};
    const char *argv[RL_COUNT(before) + MOST_ARGUMENTS + 1] = {NULL};
    memcpy(argv, before, sizeof before);
    for (size_t i = 0; words[i] && i < MOST_ARGUMENTS; i++)
        argv[RL_COUNT(before) + i] = words[i];
    rl_spawn_result_release(&git->said);
    const struct rl_spawn spawn = {.argv = argv, .env = env, .timeout_s = SECONDS, .output_limit = MOST_BYTES};
    const enum rl_status status = rl_spawn_run(&spawn, &git->said, err);
    if (status != RL_OK)
        return rl_err_context(err, status, "git");
    if (git->said.out.len >= MOST_BYTES)
        return rl_err_set(err, RL_FAILED, "git: more than %d MiB of differences", MOST_BYTES >> 20);
    return git->said.exit_status == 0 ? RL_OK : refuse(git, err);
}

/* ---- the commits ---- */

/* A text up to a line's end. */
static const char *line_of(const struct git *git)
{
    return git->said.out.len ? rl_arena_strndup(git->arena, git->said.out.data, strcspn(git->said.out.data, "\n")) : "";
}

static enum rl_status read_commit(struct git *git, const char *revision, struct view_commit *commit, struct rl_err *err)
{
    const char *const resolve[] = {"rev-parse", "--verify", rl_arena_printf(git->arena, "%s^{commit}", revision), NULL};
    enum rl_status status = ask(git, resolve, err);
    if (status != RL_OK)
        return rl_err_context(err, status, "--git '%s'", revision);
    commit->hash = line_of(git);
    const char *const date[] = {"log", "-1", "--no-show-signature", "--no-color", "--format=%cI", commit->hash, "--", NULL};
    const char *const subject[] = {"log", "-1", "--no-show-signature", "--no-color", "--format=%s", commit->hash, "--", NULL};
    if ((status = ask(git, date, err)) == RL_OK) {
        commit->date = line_of(git);
        status = ask(git, subject, err);
    }
    if (status == RL_OK)
        commit->subject = line_of(git);
    return status;
}

static enum rl_status count_commits(struct git *git, struct view_origin *origin, struct rl_err *err)
{
    const char *const words[] = {"rev-list", "--count", rl_arena_printf(git->arena, "%s..%s", origin->base.hash, origin->new.hash),
                                 "--", NULL};
    const enum rl_status status = ask(git, words, err);
    if (status == RL_OK && !cli_parse_number(line_of(git), 0, UINT64_MAX, &origin->commits))
        return rl_err_set(err, RL_FAILED, "git: '%s' is not a number of commits", line_of(git));
    return status;
}

/* ---- the difference ---- */

/* "12<tab>3<tab>": lines added and removed; "-" of files that are no text. */
static void add_file(const char *row, struct view_origin *origin)
{
    char *end;
    const unsigned long long added = strtoull(row, &end, 10);
    const char *second = strchr(row, '\t');
    origin->files++;
    origin->added += end > row ? added : 0;
    origin->removed += second ? strtoull(second + 1, NULL, 10) : 0;
}

/* Rows end with a zero byte: names of files may hold anything else. */
static enum rl_status count_lines(struct git *git, struct view_origin *origin, struct rl_err *err)
{
    const char *const words[] = {"diff-tree",
                                 "-r",
                                 "--numstat",
                                 "-z",
                                 "--no-ext-diff",
                                 "--no-textconv",
                                 "--no-renames",
                                 "--no-color",
                                 origin->base.hash,
                                 origin->new.hash,
                                 "--",
                                 NULL};
    const enum rl_status status = ask(git, words, err);
    if (status != RL_OK)
        return status;
    for (size_t at = 0; at < git->said.out.len; at += strlen(git->said.out.data + at) + 1) /* one ends the buffer, too */
        add_file(git->said.out.data + at, origin);
    return RL_OK;
}

/* ---- the whole ---- */

/* Both ends of "BASE..NEW"; no option, no other kind of range. */
static enum rl_status split(const char *range, struct rl_arena *arena, const char *ends[2], struct rl_err *err)
{
    const char *dots = range;
    while (*dots && !(dots[0] == '.' && dots[1] == '.'))
        dots++;
    const char *behind = *dots ? dots + 2 : dots;
    if (!*dots || dots == range || *behind == '.' || *behind == '-' || *range == '-')
        return rl_err_set(err, RL_USAGE, "--git takes two revisions, 'BASE..NEW', not '%s'", range);
    ends[0] = rl_arena_strndup(arena, range, (size_t)(dots - range));
    ends[1] = *behind ? behind : "HEAD";
    return RL_OK;
}

enum rl_status compare_git_read(const char *range, struct rl_arena *arena, struct view_origin *origin, struct rl_err *err)
{
    struct git git = {.program = rl_find_program("git"), .arena = arena};
    const char *ends[2] = {NULL, NULL};
    enum rl_status status = split(range, arena, ends, err);
    if (status == RL_OK && !git.program)
        status = rl_err_set(err, RL_ABSENT, "--git needs git: install it");
    if (status == RL_OK)
        status = read_commit(&git, ends[0], &origin->base, err);
    if (status == RL_OK)
        status = read_commit(&git, ends[1], &origin->new, err);
    if (status == RL_OK)
        status = count_commits(&git, origin, err);
    if (status == RL_OK)
        status = count_lines(&git, origin, err);
    if (status == RL_OK)
        origin->range = rl_arena_strdup(arena, range);
    rl_spawn_result_release(&git.said);
    free(git.program);
    return status;
}
