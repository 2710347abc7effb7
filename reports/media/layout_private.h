/* layout_private.h - what layout.c, layout_text.c and grid.c know of a layout. */
#pragma once

#include "web.h"

#define RL_MARGIN         51.024 /* 18 mm */
#define RL_GUTTER         12.0
#define RL_HEADING_BEFORE 12.0 /* free above and below a heading inside a page */
#define RL_HEADING_AFTER  3.0

struct rl_target {
    bool bound;
    struct rl_pdf_place place;
};
struct rl_waiting_link {
    size_t page;
    struct rl_rect rect;
    size_t target, element;
};
struct rl_waiting_number {
    size_t page;
    double x, baseline;
    enum rl_style style;
    const char *before;
    size_t target, element;
};

struct rl_layout {
    struct rl_pdf *pdf;
    struct rl_web *web; /* the only destination of content; NULL: pages */
    struct rl_arena arena;
    double page_width, page_height;
    double top, bottom; /* of the area for text; in points from below */
    double air;         /* what is left of the space between things: on low paper less */
    double capital;     /* height of capitals for a size of 1 pt */
    struct rl_frame frame;
    double y;
    double used; /* `y` without the space below the last thing */
    size_t page; /* the current one */
    bool fresh;  /* nothing is on it yet */
    int whole;   /* > 0: what is being laid stays on this page */
    struct rl_target *targets;
    size_t target_count, target_cap;
    struct rl_waiting_link *links;
    size_t link_count, link_cap;
    struct rl_waiting_number *numbers;
    size_t number_count, number_cap;
    const char **notes;
    size_t note_count, note_cap;
};

/* Base line of a line of this style whose line box begins at `top`: capitals stand in the middle of the box. */
double rl_layout_baseline(const struct rl_layout *layout, double top, enum rl_style style);
/* Moves `y` by `height` and returns its former value; starts a page first when there is no room. */
double rl_layout_take(struct rl_layout *layout, double height);
/* Begins the element that a line or paragraph of this style makes, unless it is part of one (an item, a cell): true, then
 * rl_pdf_end ends it. */
bool rl_layout_begin_text(struct rl_layout *layout, enum rl_style style);
/* Begins an item of the list that is going on here, or of a new one, and what it says. */
void rl_layout_begin_item(struct rl_layout *layout);
/* Ends both. */
void rl_layout_end_item(struct rl_layout *layout);
/* Width of a text in this style, points. */
double rl_layout_text_width(const struct rl_layout *layout, enum rl_style style, const char *text, size_t len);
/* `text` printable, as a copy that belongs to the layout. */
const char *rl_layout_copy(struct rl_layout *layout, const char *text);
/* Appends `text`, shortened in the middle (or, `end`, at its end) with an ellipsis when it is wider than `width`. */
void rl_layout_shorten(const struct rl_layout *layout, enum rl_style style, const char *text, double width, bool end,
                       struct rl_buf *out);
