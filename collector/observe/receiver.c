/* receiver.c - hands rings to observed processes and empties them (receiver.h). */
#include "receiver.h"

#include <dirent.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "handout.h"

enum {
    BACKLOG = 4096,
    MOST_GUESTS = 64, /* connections that have not shown their token yet */
    BUSY_MS = 2,      /* between two looks at the rings while something comes */
    IDLE_MS = 20,
    MOST_KEPT = 8 << 20, /* bytes of the buffer that records are copied to */
};

/* A process with a ring. */
struct source {
    struct rl_ring ring;
    struct rl_stream *stream;
    int pidfd; /* -1: it is gone, or cannot be observed */
};

struct rl_receiver {
    int listener, path_listener, wake, notes; /* path_listener: -1 where there is no place for one */
    char *path;                               /* of the latter */
    char address[64 + sizeof((struct sockaddr_un *)NULL)->sun_path];
    char token[RL_WIRE_TOKEN];
    int guests[MOST_GUESTS];
    size_t guest_count;
    struct source *sources;
    size_t source_count, source_cap;
    struct rl_stream **streams; /* of the sources, in their order */
    size_t stream_cap;
    struct rl_buf bytes;
    pthread_mutex_t lock; /* sources, streams, notes */
    pthread_t thread;
    bool running, borrowed; /* borrowed: the counters, from the processes */
    atomic_bool ending;
};

/* ---- the socket ---- */

static bool random_text(char *text, size_t len)
{
    unsigned char random[64];
    assert(len <= 2 * sizeof random);
    if (getrandom(random, len / 2, 0) != (ssize_t)(len / 2))
        return false;
    for (size_t i = 0; i < len; i++)
        text[i] = "0123456789abcdef"[random[i / 2] >> (i % 2 ? 0 : 4) & 15];
    return true;
}

/* A socket that processes may ask at; -1: there is none, and errno says why. */
static int listen_at(const struct sockaddr_un *at, socklen_t size)
{
    const int listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (listener >= 0 && bind(listener, (const struct sockaddr *)at, size) == 0 && listen(listener, BACKLOG) == 0)
        return listener;
    const int error = errno;
    if (listener >= 0)
        close(listener);
    errno = error;
    return -1;
}

/* The second one, at a path, for processes in another network namespace, where an abstract name means nothing. In the cache folder:
 * not in one for temporary files, in which the program may look. There is none where there is no such folder, or it has too long a
 * name. */
static void listen_at_path(struct rl_receiver *receiver)
{
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    struct rl_buf place = RL_BUF_INIT;
    if (rl_cache_folder(&place)) {
        /* Sockets of collecting processes that were killed. */
        DIR *dir = opendir(place.data);
        for (const struct dirent *entry; dir && (entry = readdir(dir));) {
            const long pid = strncmp(entry->d_name, "socket-", 7) == 0 ? strtol(entry->d_name + 7, NULL, 10) : 0;
            if (pid > 0 && kill((pid_t)pid, 0) != 0 && errno == ESRCH)
                (void)unlinkat(dirfd(dir), entry->d_name, 0);
        }
        if (dir)
            closedir(dir);
        rl_buf_addf(&place, "/socket-%ld", (long)getpid());
        if (place.len < sizeof at.sun_path) {
            memcpy(at.sun_path, place.data, place.len + 1);
            receiver->path_listener = listen_at(&at, sizeof at);
        }
    }
    rl_buf_release(&place);
    if (receiver->path_listener < 0)
        return;
    const size_t used = strlen(receiver->address);
    receiver->path = rl_strdup(at.sun_path);
    snprintf(receiver->address + used, sizeof receiver->address - used, " %s", at.sun_path);
}

enum rl_status rl_receiver_open(struct rl_receiver **made, struct rl_err *err)
{
    char number[17] = "";
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    struct rl_receiver *receiver = *made = rl_calloc(1, sizeof *receiver);
    receiver->listener = receiver->path_listener = receiver->notes = -1;
    rl_buf_init(&receiver->bytes);
    pthread_mutex_init(&receiver->lock, NULL);
    receiver->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (receiver->wake < 0 || !random_text(number, 16) || !random_text(receiver->token, RL_WIRE_TOKEN))
        return rl_err_set(err, RL_FAILED, "cannot make a socket for the observed processes: %s", strerror(errno));
    const int len = snprintf(at.sun_path + 1, sizeof at.sun_path - 1, "rooflight-%s", number);
    snprintf(receiver->address, sizeof receiver->address, "%s %.*s", at.sun_path + 1, RL_WIRE_TOKEN, receiver->token);
    listen_at_path(receiver);
    receiver->listener = listen_at(&at, (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)len));
    if (receiver->listener < 0)
        return rl_err_set(err, RL_FAILED, "cannot make a socket for the observed processes: %s", strerror(errno));
    return RL_OK;
}

const char *rl_receiver_address(const struct rl_receiver *receiver)
{
    return receiver->address;
}

enum rl_status rl_receiver_give(struct rl_receiver *receiver, const struct rl_buf *notes, struct rl_err *err)
{
    int sealed = -1;
    enum rl_status status = rl_handout_seal(notes, &sealed, err);
    if (status != RL_OK)
        return status;
    pthread_mutex_lock(&receiver->lock);
    if (receiver->notes >= 0)
        close(receiver->notes);
    receiver->notes = sealed;
    pthread_mutex_unlock(&receiver->lock);
    return RL_OK;
}

/* ---- handing rings out; by the thread, under the lock ---- */

static bool send_descriptors(int connection, int ring, int notes)
{
    assert(connection >= 0 && ring >= 0 && notes >= 0);
    const int fds[2] = {ring, notes};
    char nothing = 0;
    union {
        struct cmsghdr head;
        char room[CMSG_SPACE(sizeof fds)];
    } control = {0};
    struct iovec part = {&nothing, 1};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    *head = (struct cmsghdr){.cmsg_len = CMSG_LEN(sizeof fds), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
    memcpy(CMSG_DATA(head), fds, sizeof fds);
    return sendmsg(connection, &message, MSG_NOSIGNAL) == 1;
}

static pid_t peer_of(int connection)
{
    struct ucred peer = {0};
    socklen_t size = sizeof peer;
    return getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 ? peer.pid : 0;
}

/* A process that asks again has become another program. */
static void add_source(struct rl_receiver *receiver, const struct rl_ring *ring, pid_t pid)
{
    assert(ring->shared);
    for (size_t i = 0; i < receiver->source_count; i++)
        if (receiver->sources[i].stream->pid == (uint32_t)pid && !receiver->sources[i].stream->gone)
            receiver->sources[i].stream->replaced = true;
    RL_GROW(receiver->sources, receiver->source_count + 1, receiver->source_cap);
    RL_GROW(receiver->streams, receiver->source_count + 1, receiver->stream_cap);
    struct rl_stream *stream = rl_calloc(1, sizeof *stream);
    rl_stream_init(stream, (uint32_t)pid);
    receiver->streams[receiver->source_count] = stream;
    receiver->sources[receiver->source_count++] =
        (struct source){.ring = *ring, .stream = stream, .pidfd = (int)syscall(SYS_pidfd_open, pid, 0)};
}

static void admit(struct rl_receiver *receiver, int connection)
{
    struct rl_ring ring;
    int fd = -1;
    if (receiver->notes < 0 || rl_ring_create(&ring, &fd, NULL) != RL_OK)
        return; /* the process goes on without us, and nothing is heard of it */
    rl_ring_lend(&ring, receiver->borrowed);
    if (send_descriptors(connection, fd, receiver->notes))
        add_source(receiver, &ring, peer_of(connection));
    else
        rl_ring_unmap(&ring);
    close(fd);
}

static void accept_guests(struct rl_receiver *receiver, int listener)
{
    for (int connection; (connection = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK)) >= 0;) {
        if (receiver->guest_count == MOST_GUESTS) { /* the eldest says nothing */
            close(receiver->guests[0]);
            memmove(receiver->guests, receiver->guests + 1, --receiver->guest_count * sizeof *receiver->guests);
        }
        receiver->guests[receiver->guest_count++] = connection;
    }
}

/* ---- reading; by the thread, under the lock ---- */

static bool has_ended(const struct source *source)
{
    struct pollfd look = {.fd = source->pidfd, .events = POLLIN};
    const pid_t pid = (pid_t)source->stream->pid; /* 0: of another namespace, and nothing tells */
    return source->pidfd >= 0 ? poll(&look, 1, 0) > 0 : pid > 0 && kill(pid, 0) != 0 && errno == ESRCH;
}

/* Reads a ring; that of a process which has ended a last time, and gives its memory back. True when something had come. */
static bool serve_source(struct rl_receiver *receiver, struct source *source)
{
    if (!source->ring.shared)
        return false;
    const bool gone = has_ended(source), came = rl_ring_waits(&source->ring);
    assert(source->ring.shared);
    struct rl_stream *stream = source->stream;
    if (rl_ring_waits(&source->ring) && !stream->damaged) {
        rl_buf_reset(&receiver->bytes);
        if (rl_ring_read(&source->ring, &receiver->bytes, &stream->failure) == RL_OK)
            (void)rl_stream_take(stream, receiver->bytes.data, receiver->bytes.len); /* it remembers */
        else
            stream->damaged = true;
        if (receiver->bytes.cap > MOST_KEPT)
            rl_buf_release(&receiver->bytes);
    }
    stream->state |= rl_ring_state(&source->ring);
    rl_stream_count(stream, &source->ring);
    if (gone) {
        source->stream->gone = true;
        rl_ring_unmap(&source->ring);
        if (source->pidfd >= 0)
            close(source->pidfd);
        source->pidfd = -1;
    }
    return came;
}

static bool serve(struct rl_receiver *receiver)
{
    bool came = false;
    accept_guests(receiver, receiver->listener);
    if (receiver->path_listener >= 0)
        accept_guests(receiver, receiver->path_listener);
    /* Answers all that have said something or are gone. */
    for (size_t i = 0; i < receiver->guest_count;) {
        struct pollfd look = {.fd = receiver->guests[i], .events = POLLIN};
        if (poll(&look, 1, 0) <= 0) {
            i++;
            continue;
        }
        /* Whoever does not show the token is none of ours. */
        const int connection = receiver->guests[i];
        char token[RL_WIRE_TOKEN + 1];
        const ssize_t got = recv(connection, token, sizeof token, 0);
        if (got == RL_WIRE_TOKEN && memcmp(token, receiver->token, RL_WIRE_TOKEN) == 0)
            admit(receiver, connection);
        close(receiver->guests[i]);
        receiver->guests[i] = receiver->guests[--receiver->guest_count];
    }
    for (size_t i = 0; i < receiver->source_count; i++)
        came |= serve_source(receiver, &receiver->sources[i]);
    return came || receiver->guest_count;
}

static void *run(void *context)
{
    struct rl_receiver *receiver = context;
    for (bool busy = true; !atomic_load(&receiver->ending);) {
        struct pollfd looks[] = {{.fd = receiver->listener, .events = POLLIN},
                                 {.fd = receiver->path_listener, .events = POLLIN}, /* poll passes over -1 */
                                 {.fd = receiver->wake, .events = POLLIN}};
        (void)poll(looks, RL_COUNT(looks), busy ? BUSY_MS : IDLE_MS);
        pthread_mutex_lock(&receiver->lock);
        busy = serve(receiver);
        pthread_mutex_unlock(&receiver->lock);
    }
    return NULL;
}

enum rl_status rl_receiver_start(struct rl_receiver *receiver, struct rl_err *err)
{
    sigset_t all, before;
    assert(!receiver->running);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int error = pthread_create(&receiver->thread, NULL, run, receiver);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    receiver->running = error == 0;
    return error ? rl_err_set(err, RL_FAILED, "cannot start a thread: %s", strerror(error)) : RL_OK;
}

void rl_receiver_lock(struct rl_receiver *receiver)
{
    pthread_mutex_lock(&receiver->lock);
    (void)serve(receiver);
}

void rl_receiver_unlock(struct rl_receiver *receiver)
{
    pthread_mutex_unlock(&receiver->lock);
}

struct rl_stream *const *rl_receiver_streams(const struct rl_receiver *receiver, size_t *count)
{
    *count = receiver->source_count;
    return receiver->streams;
}

static bool any_ring(const struct rl_receiver *receiver, bool (*is)(const struct rl_ring *))
{
    return RL_ANY(i, receiver->source_count, is(&receiver->sources[i].ring));
}

bool rl_receiver_is_counting(const struct rl_receiver *receiver)
{
    return any_ring(receiver, rl_ring_is_counting);
}

bool rl_receiver_is_claiming(const struct rl_receiver *receiver)
{
    return any_ring(receiver, rl_ring_is_claiming);
}

bool rl_receiver_has_counted(const struct rl_receiver *receiver)
{
    return any_ring(receiver, rl_ring_has_counted);
}

bool rl_receiver_has_graphs(const struct rl_receiver *receiver)
{
    return any_ring(receiver, rl_ring_has_graphs);
}

static void lend(struct rl_receiver *receiver, bool lent)
{
    receiver->borrowed = lent;
    for (size_t i = 0; i < receiver->source_count; i++)
        rl_ring_lend(&receiver->sources[i].ring, lent);
}

bool rl_receiver_borrow_counters(struct rl_receiver *receiver)
{
    lend(receiver, true);
    if (!rl_receiver_is_counting(receiver))
        return true;
    lend(receiver, false);
    return false;
}

void rl_receiver_return_counters(struct rl_receiver *receiver)
{
    lend(receiver, false);
}

void rl_receiver_stop(struct rl_receiver *receiver)
{
    const uint64_t one = 1;
    if (!receiver->running)
        return;
    atomic_store(&receiver->ending, true);
    (void)!write(receiver->wake, &one, sizeof one);
    pthread_join(receiver->thread, NULL);
    receiver->running = false;
    (void)serve(receiver);
}

static void close_if_open(int fd)
{
    if (fd >= 0)
        close(fd);
}

void rl_receiver_close(struct rl_receiver *receiver)
{
    if (!receiver)
        return;
    rl_receiver_stop(receiver);
    for (size_t i = 0; i < receiver->source_count; i++) {
        rl_ring_unmap(&receiver->sources[i].ring);
        close_if_open(receiver->sources[i].pidfd);
        rl_stream_release(receiver->streams[i]);
        free(receiver->streams[i]);
    }
    for (size_t i = 0; i < receiver->guest_count; i++)
        close(receiver->guests[i]);
    close_if_open(receiver->listener);
    close_if_open(receiver->path_listener);
    close_if_open(receiver->wake);
    if (receiver->path)
        (void)unlink(receiver->path);
    free(receiver->path);
    close_if_open(receiver->notes);
    pthread_mutex_destroy(&receiver->lock);
    rl_buf_release(&receiver->bytes);
    RL_FREE(receiver->sources, receiver->streams, receiver);
}
