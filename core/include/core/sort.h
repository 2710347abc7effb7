/* sort.h - sorting numbers, in a time that does not matter beside what is done with them. */
#ifndef RL_CORE_SORT_H
#define RL_CORE_SORT_H

#include <stddef.h>

/* Sorts `count` numbers, none of them NaN, so that they ascend; equal ones (0 and -0) keep their order. n log n comparisons at
 * most, n where they ascend already. */
void rl_sort_doubles(double *numbers, size_t count);

#endif
