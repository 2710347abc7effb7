/* link_ends.c - links by the GPUs that they join. */
#include <assert.h>
#include <stdlib.h>

#include "core/mem.h"
#include "core/sort.h"
#include "links_internal.h"

static int compare_ends(const struct rl_link *a, const struct rl_link *b)
{
    return rl_ascending(a->from_gpu, b->from_gpu) ?: rl_ascending(a->to_gpu, b->to_gpu);
}

static int by_ends(const void *a, const void *b, void *context)
{
    const struct rl_link *links = context;
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return compare_ends(&links[x], &links[y]) ?: rl_ascending(x, y);
}

void rl_links_sort_ends(struct rl_links *links)
{
    const size_t count = links->capture->link_count;
    links->by_ends = rl_calloc(count, sizeof *links->by_ends);
    for (size_t i = 0; i < count; i++)
        links->by_ends[i] = i;
    rl_sort_with(links->by_ends, count, sizeof *links->by_ends, by_ends, links->capture->links);
}

size_t rl_links_find(const struct rl_links *links, size_t from_gpu, size_t to_gpu)
{
    const struct rl_link *all = links->capture->links, key = {.from_gpu = from_gpu, .to_gpu = to_gpu};
    size_t low = 0, high = links->capture->link_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (compare_ends(&all[links->by_ends[middle]], &key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < links->capture->link_count && compare_ends(&all[links->by_ends[low]], &key) == 0 ? links->by_ends[low] : RL_NONE;
}

static void add_end(const struct rl_capture *capture, size_t gpu, struct rl_buf *out)
{
    if (gpu == RL_NONE)
        rl_buf_adds(out, "host");
    else
        rl_buf_addf(out, "GPU %d", capture->gpus[gpu].index);
}

void rl_link_name(const struct rl_capture *capture, size_t link, struct rl_buf *out)
{
    assert(link < capture->link_count);
    add_end(capture, capture->links[link].from_gpu, out);
    rl_buf_adds(out, " to ");
    add_end(capture, capture->links[link].to_gpu, out);
}
