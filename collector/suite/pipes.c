#include "session.h"

#include <poll.h>
#include <unistd.h>

enum rl_pipe rl_pipe_read(int fd, void *bytes, size_t size, int silence_ms)
{
    assert(fd >= 0);
    for (size_t got = 0; got < size;) {
        struct pollfd poller = {.fd = fd, .events = POLLIN};
        int ready = poll(&poller, 1, silence_ms);
        if (ready == 0)
            return RL_PIPE_SILENT;
        if (ready < 0 && errno == EINTR)
            continue;
        ssize_t n = ready > 0 ? read(fd, (char *)bytes + got, size - got) : 0;
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return RL_PIPE_ENDED;
        got += (size_t)n;
    }
    return RL_PIPE_READ;
}

bool rl_pipe_write(int fd, const void *bytes, size_t size)
{
    assert(fd >= 0 && size > 0);
    for (size_t sent = 0; sent < size;) {
        const ssize_t n = write(fd, (const char *)bytes + sent, size - sent);
        if (n < 0 && errno != EINTR)
            return false;
        sent += n > 0 ? (size_t)n : 0;
    }
    return true;
}
