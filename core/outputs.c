#include "core/outputs.h"

#include "core/core.h"
#include "target.h"

struct place {
    const struct rl_file_use *use;
    struct rl_target target;
    struct stat folder, own_folder; /* behind its links; in front of them. st_ino 0: not there */
};

/* Files and folders; a device or a pipe has nothing to lose. */
static bool has_content(const struct place *place)
{
    return place->target.exists && (S_ISREG(place->target.info.st_mode) || S_ISDIR(place->target.info.st_mode));
}

static bool is_same(const struct stat *a, const struct stat *b)
{
    return a->st_ino && a->st_ino == b->st_ino && a->st_dev == b->st_dev;
}

static void stat_folder_of(const char *path, struct stat *info)
{
    const char *name = rl_target_name(path);
    char *folder = name == path ? rl_strdup(".") : rl_strndup(path, (size_t)(name - path));
    if (stat(folder, info) != 0)
        info->st_ino = 0;
    free(folder);
}

static void find(struct place *place, const struct rl_file_use *use)
{
    *place = (struct place){.use = use};
    (void)rl_target_find(use->path, &place->target); /* whoever reads or writes it says what is wrong */
    stat_folder_of(place->target.path, &place->folder);
    stat_folder_of(use->path, &place->own_folder);
}

static bool is_one_file(const struct place *a, const struct place *b)
{
    if (a->target.exists || b->target.exists)
        return has_content(a) && has_content(b) && is_same(&a->target.info, &b->target.info);
    return is_same(&a->folder, &b->folder) && strcasecmp(rl_target_name(a->target.path), rl_target_name(b->target.path)) == 0;
}

/* Whether `name` has one of the endings. */
static bool is_written_as(const char *endings, const char *name)
{
    const size_t len = strlen(name);
    for (const char *at = endings; at && *at; at += strcspn(at, " ")) {
        at += strspn(at, " ");
        const size_t end = strcspn(at, " ");
        if (len >= end && strncasecmp(name + len - end, at, end) == 0)
            return true;
    }
    return false;
}

static bool lies_in(const struct place *file, const struct place *folder)
{
    const struct stat *where = &folder->target.info;
    return folder->target.exists &&
           ((is_same(&file->folder, where) && is_written_as(folder->use->endings, rl_target_name(file->target.path))) ||
            (is_same(&file->own_folder, where) && is_written_as(folder->use->endings, rl_target_name(file->use->path))));
}

static bool is_folder(const struct place *place)
{
    return place->use->role == RL_FOLDER_WRITTEN;
}

/* `output` is one; `other` may be anything. */
static enum rl_status tell_apart(const struct place *output, const struct place *other, struct rl_err *err)
{
    const struct rl_file_use *a = output->use, *b = other->use;
    if (is_folder(output) && !is_folder(other) && lies_in(other, output))
        return rl_err_set(err, RL_USAGE, "%s '%s' lies in the folder into which %s writes files of that kind: choose another place",
                          b->who, b->path, a->who);
    if (is_folder(output) != is_folder(other) || !is_one_file(output, other))
        return RL_OK;
    if (b->role == RL_FILE_READ)
        return rl_err_set(err, RL_USAGE, "%s '%s' would overwrite %s '%s': choose another name", a->who, a->path, b->who, b->path);
    return rl_err_set(err, RL_USAGE, "%s '%s' and %s '%s' are the same file: choose another name", a->who, a->path, b->who,
                      b->path);
}

enum rl_status rl_outputs_declare(const struct rl_file_use *uses, size_t count, struct rl_err *err)
{
    RL_FREED struct place *places = rl_calloc(count, sizeof *places);
    for (size_t i = 0; i < count; i++)
        find(&places[i], &uses[i]);
    enum rl_status status = RL_OK;
    for (size_t k = 0; k < count; k++)
        for (size_t j = 0; j < count && places[k].use->role != RL_FILE_READ && status == RL_OK; j++)
            if (k != j)
                status = tell_apart(&places[k], &places[j], err);
    if (status == RL_OK) {
        for (size_t m = 0; m < count; m++)
            if (places[m].use->role == RL_FILE_READ && has_content(&places[m]))
                rl_inputs_add(&places[m].target.info);
        rl_inputs_sort();
        for (size_t n = 0; n < count && status == RL_OK; n++)
            if (uses[n].role == RL_FILE_WRITTEN)
                status = rl_check_writable(uses[n].path, err);
            else if (uses[n].role == RL_FOLDER_WRITTEN)
                status = rl_check_folder(uses[n].path, err);
    }
    for (size_t i = 0; i < count; i++)
        rl_target_release(&places[i].target);
    return status;
}
