/* read.h - reading a capture, from its rows (read_rows.c) to the whole (read.c) (private to capture/). */
#ifndef RL_CAPTURE_READ_H
#define RL_CAPTURE_READ_H

#include "pages.h"

struct rl_reader {
    struct rl_capture *capture;
    struct rl_guard guard;
    struct rl_pages *pages;                         /* rows come from there; NULL: from SQLite */
    struct rl_shared_text *shared[RL_SHARED_COUNT]; /* guard.rows[] of each, while tables are read */
};
/* Fills the model from all tables; every value is looked at. */
enum rl_status rl_read_tables(struct rl_reader *reader, struct rl_err *err);

enum { RL_READ_BY_PAGES = 1, RL_READ_BY_SQLITE = 2 };
/* rl_capture_read_bytes by these ways alone, in this order: what the first does not take the second reads. Tests hold them against
 * each other. */
enum rl_status rl_read_in_ways(const void *bytes, size_t len, unsigned ways, struct rl_capture **capture, struct rl_err *err);

#endif
