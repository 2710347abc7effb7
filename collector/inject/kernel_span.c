/* kernel_span.c - from the first start to the last end of some kernels, and how much of that time none of them ran. */
#include "ranges.h"

/* Nanoseconds of a gap that a kernel fills; the larger remainder stays in the gap. */
static uint64_t fill(struct span_gap *gap, uint64_t start_ns, uint64_t end_ns)
{
    const uint64_t from = start_ns > gap->from_ns ? start_ns : gap->from_ns, to = end_ns < gap->to_ns ? end_ns : gap->to_ns;
    if (from >= to)
        return 0;
    if (from - gap->from_ns > gap->to_ns - to)
        gap->to_ns = from;
    else
        gap->from_ns = to;
    return to - from;
}

static void add_gap(struct kernel_span *span, uint64_t from_ns, uint64_t to_ns)
{
    span->gaps[span->gap++ % SPAN_GAPS] = (struct span_gap){from_ns, to_ns};
    span->gap_ns += to_ns - from_ns;
}

void kernel_span_add(struct kernel_span *span, uint64_t start_ns, uint64_t end_ns)
{
    if (!span->end_ns) {
        span->begin_ns = start_ns;
        span->end_ns = end_ns;
        return;
    }
    for (size_t i = 0; i < SPAN_GAPS; i++)
        span->gap_ns -= fill(&span->gaps[i], start_ns, end_ns);
    if (start_ns > span->end_ns)
        add_gap(span, span->end_ns, start_ns);
    if (end_ns < span->begin_ns)
        add_gap(span, end_ns, span->begin_ns);
    span->begin_ns = start_ns < span->begin_ns ? start_ns : span->begin_ns;
    span->end_ns = end_ns > span->end_ns ? end_ns : span->end_ns;
}
