/* close_from.h - closing what a child must not inherit. Both functions are safe between fork and exec: they use no memory but the
 * stack. */
#ifndef RL_CLOSE_FROM_H
#define RL_CLOSE_FROM_H

/* Closes every descriptor from `first` (3 or more) on, as close_range(2) does, which is of Linux 5.9. */
void rl_close_from(int first);
/* The same without that call: what /proc/self/fd lists, or, where that cannot be read, up to the limit of descriptors. */
void rl_close_each_from(int first);

#endif
