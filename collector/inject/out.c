/* out.c - the record stream: appended in memory, written whole. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "capture/capture.h"
#include "core/launcher.h"
#include "core/mem.h"
#include "inject.h"

static struct {
    int fd;
    char *bytes;
    size_t len, cap;
    uint64_t written; /* to the file, whole records */
    bool full;        /* there was no room for more */
} out = {.fd = -1};

/* The arguments of this process, as pointers into `bytes`. */
static size_t read_arguments(char *bytes, size_t room, const char **arguments, size_t most)
{
    int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    ssize_t got = fd < 0 ? 0 : read(fd, bytes, room - 1);
    size_t count = 0;
    if (fd >= 0)
        close(fd);
    bytes[got > 0 ? got : 0] = 0;
    for (const char *at = bytes; got > 0 && at < bytes + got && count < most; at += strlen(at) + 1)
        arguments[count++] = at;
    return count;
}

static void say_hello(void)
{
    enum { ROOM = 16384, MOST = 256 };
    struct timespec now;
    const struct rl_launcher launcher = rl_launcher_find();
    char bytes[ROOM], host[256] = "", rank[16] = "";
    const char *texts[2 + MOST] = {host, rank};
    if (launcher.rank >= 0)
        snprintf(rank, sizeof rank, "%d", launcher.rank);
    clock_gettime(CLOCK_REALTIME, &now);
    (void)gethostname(host, sizeof host - 1);
    struct rl_record_hello hello = {.version = RL_STREAM_VERSION,
                                    .pid = (uint32_t)getpid(),
                                    .parent_pid = (uint32_t)getppid(),
                                    .run = (uint32_t)settings.run,
                                    .started_ns = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec};
    size_t count = read_arguments(bytes, ROOM, texts + 2, MOST);
    out_add(RL_RECORD_hello, &hello, sizeof hello, texts, 2 + count);
}

bool out_open(void)
{
    char path[4096];
    struct timespec now;
    if (out.fd >= 0)
        return true;
    if (!settings.dir)
        return false;
    clock_gettime(CLOCK_MONOTONIC, &now); /* a process may become another program under the same number */
    int len = snprintf(path, sizeof path, "%s/%ld-%ld-%lld%09ld.rls", settings.dir, settings.run, (long)getpid(),
                       (long long)now.tv_sec, now.tv_nsec);
    if (len < 0 || (size_t)len >= sizeof path)
        return false;
    out.fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
    if (out.fd < 0)
        return false;
    say_hello();
    out_flush();
    return true;
}

void out_forget(void)
{
    if (out.fd >= 0)
        close(out.fd);
    out.fd = -1;
    out.len = 0;
    out.written = 0;
    out.full = false;
}

void out_add(enum rl_record_kind kind, void *record, size_t size, const char *const *texts, size_t count)
{
    size_t bytes = size;
    for (size_t i = 0; i < count; i++)
        bytes += (texts[i] ? strlen(texts[i]) : 0) + 1;
    size_t padded = (bytes + 7) & ~(size_t)7;
    if (padded > RL_STREAM_MOST_BYTES)
        return; /* only a name of absurd length can do that */
    *(struct rl_record *)record = (struct rl_record){(uint32_t)padded, kind};
    RL_GROW(out.bytes, out.len + padded, out.cap);
    char *at = out.bytes + out.len;
    memset(at, 0, padded);
    memcpy(at, record, size);
    at += size;
    for (size_t i = 0; i < count; i++)
        if (texts[i]) {
            size_t len = strlen(texts[i]);
            memcpy(at, texts[i], len);
            at += len + 1;
        } else {
            at++;
        }
    out.len += padded;
}

/* How many of the first `len` bytes are whole records. */
static size_t whole_records(size_t len)
{
    struct rl_record head;
    size_t at = 0;
    while (len - at >= sizeof head) {
        memcpy(&head, out.bytes + at, sizeof head);
        if (head.bytes > len - at)
            break;
        at += head.bytes;
    }
    return at;
}

/* Most likely the disk is full. Records behind a part of one could not be read, so the file ends with its last whole record, also
 * when there is room again; that something is missing is said by its mode, which takes no room. */
static void end_stream(size_t sent)
{
    out.full = true;
    (void)!ftruncate(out.fd, (off_t)(out.written + whole_records(sent)));
    (void)fchmod(out.fd, RL_STREAM_CUT_MODE);
}

void out_flush(void)
{
    size_t sent = 0;
    int kept = errno; /* callbacks may not change the program's errno */
    while (out.fd >= 0 && !out.full && sent < out.len) {
        ssize_t n = write(out.fd, out.bytes + sent, out.len - sent);
        if (n > 0)
            sent += (size_t)n;
        else if (n == 0 || errno != EINTR)
            end_stream(sent);
    }
    out.written += sent;
    out.len = 0;
    errno = kept;
}

void say(int level, enum rl_status status, const char *text)
{
    struct rl_record_trouble trouble = {.level = (uint32_t)level, .status = (uint32_t)status};
    pthread_mutex_lock(&lock);
    out_add(RL_RECORD_trouble, &trouble, sizeof trouble, &text, 1);
    out_flush();
    pthread_mutex_unlock(&lock);
}
