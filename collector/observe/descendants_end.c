/* descendants_end.c - how a process ended, by a descriptor that was made while it was there. */
#include <assert.h>
#include <sys/ioctl.h>

#include "descendants_parts.h"

/* Linux 6.15, <linux/pidfd.h>; older headers lack it. */
struct pidfd_info_0 {
    uint64_t mask, cgroupid;
    uint32_t pid, tgid, ppid, ids[8];
    int32_t exit_code;
};
#define PIDFD_GET_INFO_0  _IOWR(0xFF, 11, struct pidfd_info_0)
#define PIDFD_INFO_EXIT_0 (UINT64_C(1) << 3)

bool rl_proc_status(int pidfd, int *status)
{
    assert(pidfd >= 0 && status);
    struct pidfd_info_0 info = {.mask = PIDFD_INFO_EXIT_0};
    if (ioctl(pidfd, PIDFD_GET_INFO_0, &info) != 0 || !(info.mask & PIDFD_INFO_EXIT_0))
        return false;
    *status = info.exit_code;
    return true;
}
