/* beside.c - which launches ran while another one did: their times depend on that, and alone say nothing of their work. Records
 * come about in the order in which launches end, so that a few of the latest ones are enough. */
#include "classes.h"

enum { LATEST = 8 };

static struct {
    struct launched {
        struct class *class; /* NULL: of none, or counted already */
        uint64_t start_ns, end_ns;
    } of[LATEST];
    size_t next;
} latest[MOST_GPUS];

void beside_note(struct class *class, uint32_t gpu, uint64_t start_ns, uint64_t end_ns)
{
    assume(is_held() && gpu < MOST_GPUS);
    bool any = false;
    for (size_t i = 0; i < LATEST; i++) {
        struct launched *other = &latest[gpu].of[i];
        if (start_ns >= other->end_ns || end_ns <= other->start_ns)
            continue;
        any = true;
        if (other->class)
            other->class->overlapped++;
        other->class = NULL;
    }
    if (any && class)
        class->overlapped++;
    latest[gpu].of[latest[gpu].next++ % LATEST] = (struct launched){any ? NULL : class, start_ns, end_ns};
}
