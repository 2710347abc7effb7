#include "core/groups.h"

#include "core/core.h"

void rl_groups_make(struct rl_groups *groups, size_t count, size_t elements, rl_group_of group_of, const void *context)
{
    assert(group_of || elements == 0);
    RL_FREED size_t *next = rl_calloc(count + 1, sizeof *next);
    *groups = (struct rl_groups){
        .first = rl_calloc(count + 1, sizeof *groups->first), .at = rl_calloc(elements, sizeof *groups->at), .count = count};
    for (size_t i = 0; i < elements; i++) {
        const size_t group = group_of(context, i);
        if (group < count)
            groups->first[group + 1]++;
    }
    for (size_t g = 0; g < count; g++) {
        groups->first[g + 1] += groups->first[g];
        next[g] = groups->first[g];
    }
    for (size_t i = 0; i < elements; i++) {
        const size_t group = group_of(context, i);
        if (group < count)
            groups->at[next[group]++] = i;
    }
}

void rl_groups_release(struct rl_groups *groups)
{
    free(groups->first);
    free(groups->at);
    *groups = (struct rl_groups){0};
}

size_t rl_group(const struct rl_groups *groups, size_t group, const size_t **at)
{
    if (group >= groups->count) {
        *at = NULL;
        return 0;
    }
    *at = groups->at + groups->first[group];
    return groups->first[group + 1] - groups->first[group];
}
