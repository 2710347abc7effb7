/* origin.h - where a change comes from: what its author says, and what git has of it. */
#ifndef RL_VIEWS_ORIGIN_H
#define RL_VIEWS_ORIGIN_H

#include <stdint.h>

#include "views/view.h"

/* A commit. Texts are those of the repository: they may hold any bytes, and are only ever shown. */
struct view_commit {
    const char *hash, *date, *subject; /* hexadecimal; ISO 8601; the first line of its message */
};
struct view_origin {
    const char *range; /* as typed, "main..topic"; NULL: git was not asked, and what follows is empty */
    struct view_commit base, new;
    uint64_t commits;               /* from one to the other */
    uint64_t files, added, removed; /* that differ between both; lines */
    const char *build_flags;        /* as typed; NULL: not given */
};

/* A row is a struct view_origin. */
extern const struct view_record view_record_origin;
/* "3 commits; 5 files changed, 120 lines added, 40 removed": nothing without git. Appends. */
void view_origin_text(const struct view_origin *origin, struct rl_buf *out);
/* "1f2e3d4c5b6a Tile the transpose (2026-11-21)". Appends. */
void view_commit_text(const struct view_commit *commit, struct rl_buf *out);

#endif
