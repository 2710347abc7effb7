/* lock.h - clocks that are locked while a session runs. Private to the collector.
 *
 * A separate process, the keeper, locks the clocks and waits until its starter lets go or is gone, whatever way it went: then it
 * sets them free and ends. It stays out of the starter's group and ignores the signals that end programs politely, so only killing
 * it as well (kill -9, a batch system that ends a whole job at once) leaves the clocks locked: `nvidia-smi -rgc -rmc` frees them.
 */
#pragma once

#include <sys/types.h>

#include "core/err.h"

struct rl_clock_lock {
    pid_t keeper; /* 0: none */
    int hold;     /* the keeper frees the clocks when the last holder of this end closes it */
    int answers;
    double sm_hz;     /* the locked SM clock; 0: the base clock, which the driver does not report */
    double memory_hz; /* 0: the memory clock is not locked, which not every GPU can */
};
#define RL_CLOCK_LOCK_NONE                                                                                                         \
    {                                                                                                                              \
        .hold = -1, .answers = -1                                                                                                  \
    }

/* Locks the SM clock of CUDA device `gpu` to `mhz` (-1: to the GPU's base clock), and its memory clock to the highest where that
 * can be done. RL_PERMISSION: only root may, with the cure; RL_USAGE: the GPU has no such clock; RL_UNSUPPORTED: it has no lock;
 * RL_ABSENT: no driver. On failure nothing is locked and no process waits. Touches neither CUDA nor NVML in this process. */
enum rl_status rl_clock_lock_start(struct rl_clock_lock *lock, int gpu, int mhz, struct rl_err *err);
/* For a child of fork() whose lifetime must not keep the clocks locked. */
void rl_clock_lock_leave(const struct rl_clock_lock *lock);
/* Unlocks the clocks and waits for it; does nothing without a lock. An error has the command that unlocks them. */
enum rl_status rl_clock_lock_end(struct rl_clock_lock *lock, struct rl_err *err);
