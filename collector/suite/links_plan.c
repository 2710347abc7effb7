/* links_plan.c - which copies there are to make. */
#include "links.h"

const char *const rl_link_traffics[] = {
    [RL_LINK_ALONE] = "alone", [RL_LINK_BOTH_WAYS] = "both ways", [RL_LINK_TOGETHER] = "together"};

const struct rl_link_limits rl_link_full = {
    .peer_bytes = 256 << 20, .host_bytes = 64 << 20, .samples = 15, .sample_s = 5e-3, .most_copies = 64};
const struct rl_link_limits rl_link_quick = {
    .peer_bytes = 64 << 20, .host_bytes = 32 << 20, .samples = 7, .sample_s = 2e-3, .most_copies = 32};
static_assert(RL_LINK_SAMPLES >= 15, "a message holds all samples of a run");

/* The first is for latency: so little that moving it takes no time. */
static const uint64_t ladder[] = {16, 64 << 10, 1 << 20, 16 << 20, 64 << 20, 256 << 20};
static_assert(RL_COUNT(ladder) < RL_LINK_SIZES, "there is room for all sizes and the largest");

static void add_link(struct rl_capture *capture, size_t from, size_t to)
{
    assert(from != to && (from == RL_NONE || from < capture->gpu_count) && (to == RL_NONE || to < capture->gpu_count));
    struct rl_link *link = rl_capture_add_link(capture);
    link->from_gpu = from;
    link->to_gpu = to;
}

void rl_links_add(struct rl_capture *capture)
{
    for (size_t from = 0; from < capture->gpu_count; from++)
        for (size_t to = 0; to < capture->gpu_count; to++)
            if (from != to)
                add_link(capture, from, to);
    for (size_t gpu = 0; gpu < capture->gpu_count; gpu++) {
        add_link(capture, RL_NONE, gpu);
        add_link(capture, gpu, RL_NONE);
    }
}

/* The link back; RL_NONE when there is none. */
static size_t reverse_of(const struct rl_capture *capture, size_t link)
{
    for (size_t i = 0; i < capture->link_count; i++)
        if (capture->links[i].from_gpu == capture->links[link].to_gpu && capture->links[i].to_gpu == capture->links[link].from_gpu)
            return i;
    return RL_NONE;
}

static void add_task(struct rl_link_plan *plan, enum rl_link_traffic traffic, const size_t *links, size_t count)
{
    assert(count > 0);
    plan->tasks[plan->task_count++] = (struct rl_link_task){traffic, links, count};
}

struct rl_link_plan rl_link_plan_of(const struct rl_capture *capture)
{
    struct rl_link_plan plan = {0};
    size_t *next = plan.links = rl_calloc(4 * capture->link_count + 1, sizeof *plan.links);
    plan.tasks = rl_calloc(2 * capture->link_count + 2, sizeof *plan.tasks);
    for (size_t i = 0; i < capture->link_count; i++) {
        *next = i;
        add_task(&plan, RL_LINK_ALONE, next++, 1);
    }
    for (size_t i = 0; i < capture->link_count; i++) {
        size_t back = reverse_of(capture, i);
        if (back == RL_NONE || back < i)
            continue;
        next[0] = i;
        next[1] = back;
        add_task(&plan, RL_LINK_BOTH_WAYS, next, 2);
        next += 2;
    }
    for (int down = 1; down >= 0; down--) {
        /* All links from the host, or all to it. */
        size_t count = 0;
        for (size_t j = 0; j < capture->link_count; j++)
            if ((down ? capture->links[j].from_gpu : capture->links[j].to_gpu) == RL_NONE)
                next[count++] = j;
        if (count > 1)
            add_task(&plan, RL_LINK_TOGETHER, next, count);
        next += count;
        assert(plan.task_count <= 2 * capture->link_count + 2 && next <= plan.links + 4 * capture->link_count);
    }
    return plan;
}

void rl_link_plan_release(struct rl_link_plan *plan)
{
    RL_FREE(plan->tasks, plan->links);
    *plan = (struct rl_link_plan){0};
}

size_t rl_link_sizes(const struct rl_link_task *task, bool host, const struct rl_link_limits *limits, uint64_t sizes[RL_LINK_SIZES])
{
    uint64_t most = host ? limits->host_bytes : limits->peer_bytes;
    size_t count = 0;
    for (size_t i = 0; i < RL_COUNT(ladder) && ladder[i] < most; i++)
        if (task->traffic == RL_LINK_ALONE)
            sizes[count++] = ladder[i];
    sizes[count++] = most;
    assert(count <= RL_LINK_SIZES);
    return count;
}

unsigned rl_link_copies(const struct rl_link_limits *limits, uint64_t bytes, uint64_t copy_ns)
{
    assert(limits->most_copies > 0 && limits->sample_s > 0);
    double wanted = copy_ns ? limits->sample_s * 1e9 / (double)copy_ns : limits->most_copies;
    if (bytes <= ladder[0] || wanted > limits->most_copies)
        return limits->most_copies;
    return wanted < 1 ? 1 : (unsigned)wanted;
}
