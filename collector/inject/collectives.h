/* collectives.h - collective kernels that are in flight in a context. Private to counts.c. */
#pragma once

#include "inject.h"

enum { MOST_COLLECTIVES = 8 };

struct collectives {
    struct {
        CUstream stream;
        CUevent event;
    } of[MOST_COLLECTIVES]; /* the last of each stream */
    size_t count;
};

/* One has been launched on a stream that is not being captured: an event behind it says when it is over. */
void collectives_note(struct collectives *running, CUstream stream);
/* Whether one still runs when its peers have had some time: each of them ends it without us, unless it waits for something that
 * this very thread has yet to do. Then waiting is of no use, and after some times of it no longer tried. */
bool collectives_wait(const struct collectives *running);
