/* origins.c - call site and class of each launch. The callback of the launch stores them, and the later activity record finds them
 * by correlation id. Ids count up, and a record arrives long before RING further calls, so a ring suffices: an overwritten entry
 * counts as launched outside all ranges. */
#include "ranges.h"
#include "times.h"

enum { RING_BITS = 18, RING = 1 << RING_BITS, ROUND_BITS = 32 - RING_BITS, CLASS_BITS = 17, RANGE_BITS = 30 };

/* All of it is written and read at once, as bits, from the top: used; which round of the ring the correlation is of; class and
 * range, each plus one; selected; counted. */
static atomic_ullong *origins;
/* When the calls were made; the other half is the wait before, in steps of 1 << WAIT_SHIFT ns: how long it was, and how long it was
 * over. */
static struct {
    atomic_ullong called_ns, wait;
    atomic_int instance;
} * calls;
enum { WAIT_SHIFT = 6 };
atomic_ullong launches_untimed;

_Static_assert(MOST_RANGES < 1 << RANGE_BITS, "a range fits");
_Static_assert(MOST_CLASSES < 1 << CLASS_BITS, "a class fits");
_Static_assert(1 + ROUND_BITS + CLASS_BITS + RANGE_BITS + 2 <= 64, "all of it fits");

/* Not before the program is known to have memory for them. */
bool origins_open(void)
{
    origins = origins ? origins : keep(RING * sizeof *origins);
    calls = calls ? calls : keep(RING * sizeof *calls);
    return origins && calls;
}

static unsigned long long take(unsigned long long *bits, unsigned count)
{
    const unsigned long long taken = *bits & ((1ull << count) - 1);
    *bits >>= count;
    return taken;
}

static unsigned long long steps(uint64_t ns)
{
    return ns >> WAIT_SHIFT < UINT32_MAX ? ns >> WAIT_SHIFT : UINT32_MAX;
}

static struct call_times call_of(uint32_t correlation)
{
    const unsigned long long called = atomic_load_explicit(&calls[correlation % RING].called_ns, memory_order_relaxed);
    const unsigned long long wait = atomic_load_explicit(&calls[correlation % RING].wait, memory_order_relaxed);
    const uint64_t over = (wait & UINT32_MAX) << WAIT_SHIFT, lasted = wait >> 32 << WAIT_SHIFT;
    const uint64_t to = called > over ? called - over : 0;
    return (struct call_times){called, to > lasted ? to - lasted : 0, to};
}

/* Launches made in a callback, such as the kernels of a graph taken apart, share its id; the names in their records distinguish
 * them. */
static bool is_shared(uint32_t correlation, const struct class *class)
{
    unsigned long long bits = atomic_load_explicit(&origins[correlation % RING], memory_order_relaxed) >> 2 >> RANGE_BITS;
    const size_t number = take(&bits, CLASS_BITS);
    return bits == (1ull << ROUND_BITS | correlation >> RING_BITS) && number != (class ? class->id + 1u : 0u);
}

void origin_note(uint32_t correlation, struct origin origin)
{
    if (is_shared(correlation, origin.class))
        origin.class = NULL;
    const struct call_times *call = &origin.call;
    const unsigned long long over = steps(call->called_ns - call->waited_to_ns);
    const unsigned long long lasted = steps(call->waited_to_ns - call->waited_from_ns);
    atomic_store_explicit(&calls[correlation % RING].called_ns, call->called_ns, memory_order_relaxed);
    atomic_store_explicit(&calls[correlation % RING].wait, lasted << 32 | over, memory_order_relaxed);
    atomic_store_explicit(&calls[correlation % RING].instance, origin.instance, memory_order_relaxed);
    assume(origin.range >= RL_STREAM_NO_RANGE && origin.range < MOST_RANGES);
    unsigned long long bits = 1ull << ROUND_BITS | correlation >> RING_BITS;
    bits = bits << CLASS_BITS | (origin.class ? origin.class->id + 1u : 0u);
    bits = bits << RANGE_BITS | (unsigned)(origin.range + 1);
    bits = bits << 2 | (unsigned)origin.selected << 1 | origin.counted;
    atomic_store_explicit(&origins[correlation % RING], bits, memory_order_release);
}

bool origin_find(uint32_t correlation, struct origin *origin)
{
    assume(is_held());
    unsigned long long bits = atomic_load_explicit(&origins[correlation % RING], memory_order_acquire);
    const bool counted = take(&bits, 1), selected = take(&bits, 1);
    const int32_t range = (int32_t)take(&bits, RANGE_BITS) - 1;
    const size_t number = take(&bits, CLASS_BITS);
    if (!correlation || bits != (1ull << ROUND_BITS | correlation >> RING_BITS))
        return false;
    *origin = (struct origin){number && number <= class_count() ? class_at(number - 1) : NULL,
                              range,
                              selected,
                              counted,
                              atomic_load_explicit(&calls[correlation % RING].instance, memory_order_relaxed),
                              call_of(correlation)};
    return true;
}

void origin_untimed(struct class *class, int32_t range)
{
    if (class) {
        atomic_fetch_add(&class->seen, 1);
        atomic_store(&class->changed, true);
    }
    if (range != RL_STREAM_NO_RANGE && hold()) {
        node_launch(range);
        let_go();
    }
    atomic_fetch_add(&launches_untimed, 1);
}
