/* collectives.h - the collective kernels in flight in a context. Private to counts.c. */
#pragma once

#include "inject.h"

enum { MOST_COLLECTIVES = 8 };

struct collectives {
    struct {
        CUstream stream;
        CUevent event;
    } of[MOST_COLLECTIVES]; /* the last one of each stream */
    size_t count;
};

/* Records an event behind a collective kernel on a stream that is not being captured. */
void collectives_note(struct collectives *running, CUstream stream);
/* Waits a bounded time for the collective kernels in flight; true if one still runs. Such a kernel ends without us unless it waits
 * for work that this thread has yet to launch; after several vain waits none is tried any more. */
bool collectives_wait(const struct collectives *running);
