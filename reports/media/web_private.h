/* web_private.h - what web.c and web_page.c know of a document. */
#ifndef RL_REPORTS_WEB_PRIVATE_H
#define RL_REPORTS_WEB_PRIVATE_H

#include "core/arena.h"
#include "core/intern.h"
#include "web.h"

/* A place in the text where a link to a target begins or ends: its name may not be known yet. */
struct rl_web_link {
    size_t at, target;
    bool ends;
};
struct rl_web_bookmark {
    const char *title, *id; /* id NULL: not bound yet */
    size_t parent;
};
struct rl_web {
    struct rl_buf style, script, body;
    struct rl_arena arena;
    struct rl_web_link *links;
    size_t link_count, link_cap;
    const char **ids; /* by target; NULL: not bound */
    size_t id_cap;
    struct rl_intern names; /* of anchors */
    size_t *uses;           /* how often each was asked for */
    size_t use_cap;
    struct rl_web_bookmark *bookmarks;
    size_t bookmark_count, bookmark_cap;
    const char *name;   /* for the next anchor; NULL: none */
    const char *bullet; /* before the next paragraph; NULL: none */
    int depth;          /* of indentation */
    const void *image;
    size_t image_len;
};

/* The name of a target's anchor; NULL: it has no place. */
const char *rl_web_id(const struct rl_web *web, size_t target);

#endif
