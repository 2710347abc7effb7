/* config.c - defaults of options from files. */
#include "config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/arena.h"
#include "core/fs.h"
#include "core/mem.h"
#include "core/suggest.h"
#include "core/toml.h"

enum { OWN, HERE, FILES }; /* later ones go before */

static const char file_name[] = "rooflight.toml";

/* A value that is in force for the command that runs. */
struct used {
    const char *path;
    const struct rl_toml_entry *entry;
    bool names_file;
};

struct cli_config {
    const struct cli_command *commands;
    size_t command_count;
    struct rl_arena arena;
    const char *paths[FILES]; /* NULL: there can be none */
    struct rl_toml *files[FILES];
    const char *read[FILES + 1]; /* the paths of those, ends with NULL */
    size_t read_count;
    struct used *used;
    size_t used_count, used_cap;
};

/* ---- reading ---- */

static const char *own_path(struct rl_arena *arena)
{
    const char *folder = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    if (folder && folder[0] == '/') /* others are to be ignored, says the XDG Base Directory Specification */
        return rl_arena_printf(arena, "%s/rooflight/%s", folder, file_name);
    return home && home[0] == '/' ? rl_arena_printf(arena, "%s/.config/rooflight/%s", home, file_name) : NULL;
}

static bool is_same_file(const char *a, const char *b)
{
    struct stat one, two;
    return stat(a, &one) == 0 && stat(b, &two) == 0 && one.st_dev == two.st_dev && one.st_ino == two.st_ino;
}

static const struct cli_option *find_in(const struct cli_option *rows, const char *name)
{
    while (rows->name && strcmp(rows->name, name) != 0)
        rows++;
    return rows->name ? rows : NULL;
}

static const struct cli_option *find_option(const struct cli_command *command, const char *name)
{
    const struct cli_option *own = find_in(command->body->options, name);
    return own ? own : find_in(cli_common_options, name);
}

static enum rl_status unknown_key(const struct cli_command *command, const char *key, struct rl_err *err)
{
    const char *names[256];
    size_t count = 0;
    for (const struct cli_option *row = command->body->options; row->name && count < RL_COUNT(names); row++)
        names[count++] = row->name;
    const char *nearest = rl_suggest_nearest(key, names, count);
    if (nearest)
        return rl_err_set(err, RL_USAGE, "%s has no option '%s', did you mean '%s'?", command->name, key, nearest);
    return rl_err_set(err, RL_USAGE, "%s has no option '%s' ('rooflight %s --help' lists them)", command->name, key, command->name);
}

static const struct cli_command *find_command(const struct cli_config *config, const char *name)
{
    for (size_t i = 0; i < config->command_count; i++)
        if (strcmp(config->commands[i].name, name) == 0)
            return &config->commands[i];
    return NULL;
}

static enum rl_status unknown_section(const struct cli_config *config, const char *name, struct rl_err *err)
{
    const char **names = rl_calloc(config->command_count, sizeof *names);
    for (size_t i = 0; i < config->command_count; i++)
        names[i] = config->commands[i].name;
    const char *nearest = rl_suggest_nearest(name, names, config->command_count);
    free(names);
    if (nearest)
        return rl_err_set(err, RL_USAGE, "there is no command '%s', did you mean [%s]?", name, nearest);
    return rl_err_set(err, RL_USAGE, "there is no command '%s': a section has the name of the command whose options it sets", name);
}

static bool is_written(const struct cli_option *row)
{
    return row->kind == CLI_OUTPUT || row->kind == CLI_GROWING || row->kind == CLI_FOLDER;
}

/* Whether the option may be set there. */
static enum rl_status check_place(const struct cli_option *row, size_t file, struct rl_err *err)
{
    if (is_written(row))
        return rl_err_set(err, RL_USAGE, "'%s' says where to write: that is for the command line only", row->name);
    if (file == HERE && (row->kind == CLI_INPUT || row->personal))
        return rl_err_set(err, RL_USAGE,
                          "'%s' is not allowed in a file that comes with a program: set it in your own file, or on "
                          "the command line",
                          row->name);
    if (find_in(cli_common_options, row->name) && row->kind == CLI_FLAG && row->offset >= offsetof(struct cli_common, help))
        return rl_err_set(err, RL_USAGE, "'%s' is for the command line only", row->name);
    return RL_OK;
}

static enum rl_status check_entry(const struct cli_config *config, const struct rl_toml_entry *entry, size_t file,
                                  struct rl_err *err)
{
    const struct cli_command *command = find_command(config, entry->section);
    assert(command); /* sections were looked at before */
    const struct cli_option *row = find_option(command, entry->key);
    return row ? check_place(row, file, err) : unknown_key(command, entry->key, err);
}

static enum rl_status check_names(const struct cli_config *config, size_t file, struct rl_err *err)
{
    assert(file < FILES);
    const struct rl_toml *toml = config->files[file];
    const char *path = config->paths[file];
    for (size_t i = 0; i < toml->section_count; i++) {
        const struct cli_command *command = find_command(config, toml->sections[i].name);
        enum rl_status status = command ? RL_OK : unknown_section(config, toml->sections[i].name, err);
        if (command && command->body->ignores_config)
            status = rl_err_set(err, RL_USAGE, "%s takes its options from the command line alone", command->name);
        if (status != RL_OK)
            return rl_err_context(err, status, "'%s', line %zu", path, toml->sections[i].line);
    }
    for (size_t i = 0; i < toml->entry_count; i++) {
        const enum rl_status status = check_entry(config, &toml->entries[i], file, err);
        if (status != RL_OK)
            return rl_err_context(err, status, "'%s', line %zu", path, toml->entries[i].line);
    }
    return RL_OK;
}

static enum rl_status read_one(struct cli_config *config, size_t file, struct rl_err *err)
{
    assert(file < FILES);
    struct rl_buf bytes = RL_BUF_INIT;
    const char *path = config->paths[file];
    enum rl_status status = rl_read_file(path, RL_TOML_MAX_BYTES, &bytes, err);
    if (status == RL_OK && (status = rl_toml_parse(bytes.data ? bytes.data : "", bytes.len, &config->files[file], err)) != RL_OK)
        rl_err_context(err, status, "'%s'", path);
    if (status == RL_OK)
        status = check_names(config, file, err);
    rl_buf_release(&bytes);
    return status;
}

enum rl_status cli_config_read(const struct cli_command *commands, size_t count, struct cli_config **made, struct rl_err *err)
{
    struct cli_config *config = rl_calloc(1, sizeof *config);
    enum rl_status status = RL_OK;
    *made = config;
    config->commands = commands;
    config->command_count = count;
    config->arena = (struct rl_arena)RL_ARENA_INIT;
    config->paths[HERE] = file_name;
    config->paths[OWN] = own_path(&config->arena);
    if (config->paths[OWN] && is_same_file(config->paths[OWN], file_name))
        config->paths[HERE] = NULL;
    for (size_t i = 0; i < FILES && status == RL_OK; i++)
        if (config->paths[i] && rl_path_exists(config->paths[i])) {
            status = read_one(config, i, err);
            config->read[config->read_count++] = config->paths[i];
        }
    return status;
}

const char *const *cli_config_files(const struct cli_config *config)
{
    return config->read;
}

void cli_config_free(struct cli_config *config)
{
    if (!config)
        return;
    for (size_t i = 0; i < FILES; i++)
        rl_toml_free(config->files[i]);
    free(config->used);
    rl_arena_release(&config->arena);
    free(config);
}

/* ---- applying ---- */

/* The value as the command line would have it; NULL: without one. */
static enum rl_status value_of(const struct cli_option *row, const struct rl_toml_entry *entry, const char **text,
                               struct rl_err *err)
{
    const bool flag = row->kind == CLI_FLAG || row->kind == CLI_SELECT;
    const bool truth = entry->kind == RL_TOML_BOOL;
    *text = truth ? NULL : entry->text;
    if (flag != truth && !(truth && row->kind == CLI_MAYBE))
        return rl_err_set(err, RL_USAGE, "'%s' is %s", row->name, flag ? "true or false" : "a text or a number, not true or false");
    return RL_OK;
}

/* Whether a file that goes before has the key, too. */
static bool is_set_later(const struct cli_config *config, size_t file, const struct rl_toml_entry *entry)
{
    const struct rl_toml *later = file == OWN ? config->files[HERE] : NULL;
    for (size_t i = 0; later && i < later->entry_count; i++)
        if (strcmp(later->entries[i].section, entry->section) == 0 && strcmp(later->entries[i].key, entry->key) == 0)
            return true;
    return false;
}

static enum rl_status apply_entry(struct cli_config *config, size_t file, const struct rl_toml_entry *entry,
                                  const struct cli_command *command, void *options, struct rl_err *err)
{
    const struct cli_option *row = find_option(command, entry->key);
    const char *text = NULL;
    assert(row); /* check_names */
    enum rl_status status = value_of(row, entry, &text, err);
    if (status == RL_OK && entry->kind == RL_TOML_BOOL && strcmp(entry->text, "false") == 0)
        return RL_OK;
    if (status == RL_OK)
        status = cli_option_store(row, text, options, err);
    if (status != RL_OK)
        return rl_err_context(err, status, "'%s', line %zu", config->paths[file], entry->line);
    RL_GROW(config->used, config->used_count + 1, config->used_cap);
    config->used[config->used_count++] = (struct used){config->paths[file], entry, row->kind == CLI_INPUT};
    return RL_OK;
}

enum rl_status cli_config_apply(struct cli_config *config, const struct cli_command *command, void *options, struct rl_err *err)
{
    enum rl_status status = RL_OK;
    for (size_t file = 0; file < FILES; file++)
        for (size_t i = 0; config->files[file] && i < config->files[file]->entry_count && status == RL_OK; i++) {
            const struct rl_toml_entry *entry = &config->files[file]->entries[i];
            if (strcmp(entry->section, command->name) == 0 && !is_set_later(config, file, entry))
                status = apply_entry(config, file, entry, command, options, err);
        }
    return status;
}

/* ---- what is said ---- */

void cli_config_explain(const struct cli_config *config, enum rl_status status, struct rl_err *err)
{
    struct rl_buf origins = RL_BUF_INIT;
    for (size_t i = 0; i < config->used_count; i++) {
        const struct used *used = &config->used[i];
        if (status == RL_USAGE || used->names_file)
            rl_buf_addf(&origins, "%s'%s' by line %zu of %s", origins.len ? ", " : "", used->entry->key, used->entry->line,
                        used->path);
    }
    if (origins.len) {
        const struct rl_err said = *err;
        rl_err_set(err, status, "%s (set: %s)", said.text, origins.data);
    }
    rl_buf_release(&origins);
}

static void describe_one(const struct rl_toml *toml, const char *path, struct rl_buf *out)
{
    rl_buf_addf(out, "%s%s:", out->len ? "; " : "", path);
    for (size_t i = 0; i < toml->entry_count; i++)
        rl_buf_addf(out, "%s %s.%s in line %zu", i ? "," : "", toml->entries[i].section, toml->entries[i].key,
                    toml->entries[i].line);
    if (toml->entry_count == 0)
        rl_buf_adds(out, " nothing is set");
}

void cli_config_describe(const struct cli_config *config, struct rl_buf *out)
{
    bool any = false;
    for (size_t i = FILES; i-- > 0;)
        if (config->files[i]) {
            describe_one(config->files[i], config->paths[i], out);
            any = true;
        }
    if (!any)
        rl_buf_addf(out, "none: neither ./%s%s%s", file_name, config->paths[OWN] ? " nor " : "",
                    config->paths[OWN] ? config->paths[OWN] : "");
}
