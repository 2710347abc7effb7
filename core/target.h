/* target.h - where a write will go. Private to core/. */
#pragma once

#include <stdbool.h>
#include <sys/stat.h>

struct rl_target {
    char *path;       /* behind all symbolic links */
    char *folder;     /* of that */
    bool exists;      /* something is there, and ... */
    struct stat info; /* ... what it is */
};

/* Finds out where `path` leads; links to nothing are followed, too. Returns errno or 0; to be released in every case. */
int rl_target_find(const char *path, struct rl_target *target);
/* Frees the paths; also after rl_target_find has failed. */
void rl_target_release(struct rl_target *target);

/* The last part of a path. */
const char *rl_target_name(const char *path);

/* The folder that a path is in; free with free(). */
char *rl_target_folder(const char *path);

/* This file is read: nothing may replace it. Asked for only after rl_inputs_sort. */
void rl_inputs_add(const struct stat *info);
/* After the last rl_inputs_add. */
void rl_inputs_sort(void);
/* Whether this file was declared to rl_outputs_declare as one that is read. */
bool rl_is_input(const struct stat *info);
