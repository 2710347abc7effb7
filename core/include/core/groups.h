/* groups.h - index from owners to their elements: which elements of an array belong to which of another one. */
#pragma once

#include <stddef.h>

/* The elements of group g are at[first[g]] to at[first[g + 1] - 1], in their own order. An rl_groups starts as {0}. */
struct rl_groups {
    size_t *first, *at;
    size_t count; /* of groups */
};

/* The group of element `index`; a number that is not below the number of groups: no group. */
typedef size_t (*rl_group_of)(const void *context, size_t index);

/* Sorts `elements` elements into `count` groups, in time proportional to both. Free with rl_groups_release. */
void rl_groups_make(struct rl_groups *groups, size_t count, size_t elements, rl_group_of group_of, const void *context);
/* Frees the lists; the rl_groups is {0} then. */
void rl_groups_release(struct rl_groups *groups);

/* The elements of a group: `*at` borrows them from `groups`. Returns their number; 0 for a group that does not exist. */
size_t rl_group(const struct rl_groups *groups, size_t group, const size_t **at);
