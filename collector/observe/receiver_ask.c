/* receiver_ask.c - how an observed process gets its ring; linked into the injected part. */
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "handout.h"
#include "receiver.h"

enum { PATIENCE_MS = 1000 };

enum { SOCKETS = 2 };

/* "NAME TOKEN" or "NAME TOKEN PATH" into its parts: the number of sockets, 0 when it is none. */
static int parse(const char *address, struct sockaddr_un to[SOCKETS], socklen_t size[SOCKETS], char token[RL_WIRE_TOKEN])
{
    const char *blank = strchr(address, ' ');
    const size_t len = blank ? (size_t)(blank - address) : 0, rest = blank ? strlen(blank + 1) : 0;
    if (!len || len + 1 > sizeof to->sun_path || rest < RL_WIRE_TOKEN || (rest > RL_WIRE_TOKEN && blank[1 + RL_WIRE_TOKEN] != ' '))
        return 0;
    to[0] = to[1] = (struct sockaddr_un){.sun_family = AF_UNIX};
    memcpy(to[0].sun_path + 1, address, len);
    size[0] = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + len);
    memcpy(token, blank + 1, RL_WIRE_TOKEN);
    const size_t path = rest > RL_WIRE_TOKEN ? rest - RL_WIRE_TOKEN - 1 : 0;
    if (!path || path + 1 > sizeof to->sun_path)
        return 1;
    memcpy(to[1].sun_path, blank + 2 + RL_WIRE_TOKEN, path);
    size[1] = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + path + 1);
    return SOCKETS;
}

/* The two descriptors of an answer; false when there are none. */
static bool take_descriptors(int connection, int fds[2])
{
    char nothing;
    union {
        struct cmsghdr head;
        char room[CMSG_SPACE(2 * sizeof(int))];
    } control;
    struct iovec part = {&nothing, 1};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    ssize_t got;
    while ((got = recvmsg(connection, &message, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR)
        continue;
    const struct cmsghdr *head = got == 1 ? CMSG_FIRSTHDR(&message) : NULL;
    if (!head || head->cmsg_level != SOL_SOCKET || head->cmsg_type != SCM_RIGHTS || head->cmsg_len != CMSG_LEN(2 * sizeof(int)))
        return false;
    memcpy(fds, CMSG_DATA(head), 2 * sizeof(int));
    return true;
}

static bool answered(int connection)
{
    struct pollfd wait = {.fd = connection, .events = POLLIN};
    int ready;
    while ((ready = poll(&wait, 1, PATIENCE_MS)) < 0 && errno == EINTR)
        continue;
    return ready == 1 && (wait.revents & POLLIN);
}

/* Where more processes start at once than may wait for an answer, a moment later. */
static bool reached(int connection, const struct sockaddr_un *to, socklen_t size)
{
    const struct timespec moment = {.tv_nsec = 1000000};
    for (int tries = 0; tries < PATIENCE_MS; tries++) {
        if (connect(connection, (const struct sockaddr *)to, size) == 0)
            return true;
        if (errno != EAGAIN && errno != EINTR)
            return false;
        (void)nanosleep(&moment, NULL);
    }
    return false;
}

bool rl_receiver_ask(const char *address, struct rl_ring *ring, const char **notes, size_t *notes_size)
{
    struct sockaddr_un to[SOCKETS];
    socklen_t size[SOCKETS];
    char token[RL_WIRE_TOKEN];
    const int sockets = parse(address, to, size, token);
    bool done = false;
    for (int i = 0; i < sockets && !done; i++) {
        /* One socket is asked for a ring and the notes. */
        int fds[2] = {-1, -1};
        const int connection = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        done = connection >= 0 && reached(connection, &to[i], size[i]) &&
               send(connection, token, RL_WIRE_TOKEN, MSG_NOSIGNAL) == RL_WIRE_TOKEN && answered(connection) &&
               take_descriptors(connection, fds);
        if (done)
            done = rl_ring_map(ring, fds[0]) && rl_handout_map(fds[1], notes, notes_size);
        for (int j = 0; j < 2; j++)
            if (fds[j] >= 0)
                close(fds[j]);
        if (connection >= 0)
            close(connection);
    }
    return done;
}
