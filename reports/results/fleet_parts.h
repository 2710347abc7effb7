/* fleet_parts.h - what the views of a fleet share (private to reports/results/). */
#ifndef RL_VIEWS_FLEET_PARTS_H
#define RL_VIEWS_FLEET_PARTS_H

#include "results/fleet.h"

/* A row about a record, or about a file that gave none; which of the others are set depends on the list. */
struct fleet_row {
    const struct rl_fleet_record *record; /* NULL: the file was not read */
    const struct rl_fleet_unread *unread;
    const struct rl_fleet_suspect *suspect;
    const struct rl_fleet_measure *measure;
};

/* The fleet of a view. */
const struct rl_fleet *fleet_of(const struct view *view);
/* A list of `count` rows. */
struct view_rows fleet_rows(const struct fleet_row *rows, size_t count);
/* A cell of text that is kept in the view's arena; releases `text`. */
struct view_cell fleet_text(const struct view *view, struct rl_buf *text);
/* "3.0 % slower"; the difference is that of the rate. */
struct view_cell fleet_difference(const struct view *view, double deviation);

/* Where and when a record was measured. */
enum fleet_place {
    FLEET_PATH,
    FLEET_HOST,
    FLEET_RACK,
    FLEET_LINKS,
    FLEET_PEER,
    FLEET_PEER_UUID,
    FLEET_UUID,
    FLEET_CARD,
    FLEET_DRIVER,
    FLEET_STARTED,
    FLEET_PLACES
};
/* Of a field whose key is an enum fleet_place. Rows are a struct fleet_row. */
struct view_cell fleet_place_cell(const struct view *view, const struct view_field *field, const void *row);
/* The ordinal of the GPU. */
struct view_cell fleet_gpu_cell(const struct view *view, const struct view_field *field, const void *row);

/* clang-format off */
#define FLEET_PLACE(name, of, text)                                                                                                \
    {.id = (name), .type = VIEW_TYPE_TEXT, .get = fleet_place_cell, .key = (of), .optional = true, .help = (text)}
#define FLEET_WHERE                                                                                                                \
    FLEET_PLACE("host", FLEET_HOST, "name of the machine"), FLEET_PLACE("rack", FLEET_RACK, "rack, from the name of the machine"), \
    {.id = "gpu", .type = VIEW_TYPE_INTEGER, .get = fleet_gpu_cell, .optional = true,                                              \
     .help = "ordinal in its session; of links that of the GPU with the lower one"}
#define FLEET_OTHER_END                                                                                                            \
    FLEET_PLACE("links", FLEET_LINKS, "how the links between two ends go; missing for a GPU"),                                     \
    {.id = "peer", .type = VIEW_TYPE_TEXT, .get = fleet_place_cell, .key = FLEET_PEER, .optional = true,                           \
     .help = "the other end of links: ordinal of the GPU, or 'host'"},                                                             \
    FLEET_PLACE("peer_uuid", FLEET_PEER_UUID, "UUID of the GPU at the other end of links")
#define FLEET_CARD_OF                                                                                                              \
    FLEET_PLACE("uuid", FLEET_UUID, "its UUID"), FLEET_PLACE("card", FLEET_CARD, "name of the product")
/* clang-format on */

/* What a key says of itself. */
enum fleet_key_text { FLEET_KEY_NAME, FLEET_KEY_ID, FLEET_KEY_PART, FLEET_KEY_UNIT, FLEET_KEY_KIND };
/* One of these, `which`, as a cell. */
struct view_cell fleet_key_cell(const struct rl_fleet_key *key, int which);

/* ---- the records of lists ---- */

enum { FLEET_MOST_WORDS = 40 }; /* columns of a name, for people */

/* GPUs that stand apart; files that do not count: rows are struct fleet_row. */
extern const struct view_record fleet_suspect_record, fleet_left_out_record;
/* What is compared with each other: a struct rl_fleet_group; how a figure is distributed over it: a struct rl_fleet_spread. */
extern const struct view_record fleet_group_record, fleet_spread_record;

#endif
