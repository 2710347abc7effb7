/* gaps.c - times for which no record says what ran (stream_read.h). */
#include "stream_read.h"

#include <assert.h>

#include "core/sort.h"

RL_COMPARATOR(compare_gaps, struct rl_stream_gap, rl_ascending(x->from_ns, y->from_ns) ?: rl_ascending(x->to_ns, y->to_ns));

size_t rl_gaps_merge(struct rl_stream_gap *gaps, size_t count)
{
    size_t kept = 0;
    rl_sort(gaps, count, sizeof *gaps, compare_gaps);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || gaps[i].from_ns > gaps[kept - 1].to_ns)
            gaps[kept++] = gaps[i];
        else if (gaps[i].to_ns > gaps[kept - 1].to_ns)
            gaps[kept - 1].to_ns = gaps[i].to_ns;
    return kept;
}

size_t rl_gaps_append(struct rl_stream_gap *gaps, size_t count, struct rl_stream_gap gap, uint64_t near_ns)
{
    struct rl_stream_gap *last = count ? &gaps[count - 1] : NULL;
    assert(gap.from_ns <= gap.to_ns);
    if (!last || gap.from_ns > last->to_ns + near_ns) {
        gaps[count] = gap;
        return count + 1;
    }
    last->to_ns = gap.to_ns > last->to_ns ? gap.to_ns : last->to_ns;
    return count;
}

bool rl_gaps_meet(const struct rl_stream_gap *gaps, size_t count, uint64_t from_ns, uint64_t to_ns)
{
    size_t low = 0, high = count; /* the first that ends after from_ns lies between them */
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (gaps[middle].to_ns > from_ns)
            high = middle;
        else
            low = middle + 1;
    }
    return low < count && gaps[low].from_ns < to_ns;
}
