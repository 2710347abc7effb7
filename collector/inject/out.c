/* out.c - the record stream: appended in memory, published whole (../ring.h). */
#include <fcntl.h>
#include <unistd.h>

#include "capture/capture.h"
#include "core/launcher.h"
#include "inject.h"
#include "receiver.h"

/* Records wait here until the ring has room; nothing is lost up to this size. */
enum { MOST_WAITING = 4 << 20, KEPT_FREE = RL_RING_BYTES / 4 };
static const uint64_t STUCK_NS = 5000000000;

static struct {
    char *bytes; /* MOST_WAITING */
    size_t len;
    atomic_ullong full_since_ns; /* since when the ring has had no room; 0: it has */
} out;

static void say_hello(void)
{
    enum { ROOM = 16384, MOST = 256 };
    const struct rl_launcher launcher = rl_launcher_find();
    static char bytes[ROOM]; /* static, because the program's stack may be small */
    static const char *texts[2 + MOST];
    char host[256] = "", rank[16] = "";
    texts[0] = host;
    texts[1] = rank;
    if (launcher.rank >= 0)
        snprintf(rank, sizeof rank, "%d", launcher.rank);
    (void)gethostname(host, sizeof host - 1);
    struct rl_record_hello hello = {.version = RL_STREAM_VERSION,
                                    .pid = (uint32_t)getpid(),
                                    .parent_pid = (uint32_t)getppid(),
                                    .run = (uint32_t)settings.run,
                                    .started_ns = rl_realtime_ns()};
    /* The arguments of this process, as pointers into `bytes`. */
    int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    ssize_t got = fd < 0 ? 0 : read(fd, bytes, ROOM - 1);
    size_t count = 0;
    if (fd >= 0)
        close(fd);
    bytes[got > 0 ? got : 0] = 0;
    for (const char *at = bytes; got > 0 && at < bytes + got && count < MOST; at += strlen(at) + 1)
        texts[2 + count++] = at;
    out_add(RL_RECORD_hello, &hello, sizeof hello, texts, 2 + count);
}

bool out_open(void)
{
    if (!settings.address || !rl_receiver_ask(settings.address, &ring, &notes, &notes_size))
        return false;
    if (memory_is_scarce()) { /* memory that we take is lost to the program */
        ring_mark(RL_RING_LOST | RL_RING_NO_MEMORY);
        rl_ring_unmap(&ring);
        return false;
    }
    if (!hold())
        return false;
    out.bytes = keep(MOST_WAITING);
    if (out.bytes)
        say_hello();
    out_flush();
    let_go();
    return out.bytes != NULL;
}

/* Without a ring nothing is recorded, but there may be calls. */
static atomic_ullong nowhere;

atomic_ullong *out_made(void)
{
    return ring.shared ? &ring.shared->made : &nowhere;
}

atomic_uint *out_graphs(void)
{
    static atomic_uint none;
    return ring.shared ? &ring.shared->graphs : &none;
}

atomic_ullong *out_launched(uint32_t class_id)
{
    assume(class_id < MOST_CLASSES);
    _Static_assert((int)MOST_CLASSES <= (int)RL_RING_MOST_COUNTERS, "a counter for each");
    return ring.shared ? &ring.shared->launched[class_id] : &nowhere;
}

bool out_has_room(size_t bytes)
{
    assume(is_held());
    return out.bytes && bytes <= MOST_WAITING / 2 && out.len <= MOST_WAITING / 2 - bytes;
}

bool out_has_spare_room(size_t bytes)
{
    if (!out_has_room(bytes) || out.len + bytes + KEPT_FREE > rl_ring_room(&ring))
        out_flush();
    return out_has_room(bytes) && out.len + bytes + KEPT_FREE <= rl_ring_room(&ring);
}

bool out_waits(void)
{
    return atomic_load(&out.full_since_ns);
}

void out_add(enum rl_record_kind kind, void *record, size_t size, const char *const *texts, size_t count)
{
    assume(is_held());
    size_t bytes = size;
    for (size_t i = 0; i < count; i++)
        bytes += (texts[i] ? strlen(texts[i]) : 0) + 1;
    size_t padded = (bytes + 7) & ~(size_t)7;
    if (padded > RL_STREAM_MOST_BYTES)
        return; /* possible only with a name of absurd length */
    *(struct rl_record *)record = (struct rl_record){(uint32_t)padded, kind};
    if (!out.bytes || padded > MOST_WAITING - out.len) {
        ring_mark(RL_RING_LOST);
        return;
    }
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

void out_flush(void)
{
    assume(is_held());
    size_t sent = 0;
    /* Publishes everything, or, without room for it, ever smaller parts. */
    for (size_t room = out.len; ring.shared && sent < out.len && room >= sizeof(struct rl_record); room /= 2) {
        /* The size in bytes of the first records that fit into `room`. */
        assume(sent <= out.len);
        struct rl_record head;
        size_t at = sent;
        while (at < out.len) {
            memcpy(&head, out.bytes + at, sizeof head);
            if (at + head.bytes - sent > room)
                break;
            at += head.bytes;
        }
        const size_t len = at - sent;
        if (len && rl_ring_write(&ring, out.bytes + sent, len))
            sent += len;
    }
    if (sent)
        memmove(out.bytes, out.bytes + sent, out.len - sent);
    out.len -= sent;
    const uint64_t since_ns = atomic_load(&out.full_since_ns);
    atomic_store(&out.full_since_ns, !out.len ? 0 : since_ns ? since_ns : now_ns());
}

static atomic_bool kept;

bool out_may_count(void)
{
    return rl_ring_may_count(&ring);
}

void out_counted(void)
{
    if (!atomic_load(&kept))
        rl_ring_counted(&ring);
}

void out_keep_counters(bool keep)
{
    atomic_store(&kept, keep);
    if (keep)
        rl_ring_claim(&ring);
}

bool out_is_stuck(void)
{
    const uint64_t since_ns = atomic_load(&out.full_since_ns);
    return since_ns && now_ns() - since_ns > STUCK_NS;
}

void say(int level, enum rl_status status, const char *text)
{
    struct rl_record_trouble trouble = {.level = (uint32_t)level, .status = (uint32_t)status};
    if (!hold())
        return;
    out_add(RL_RECORD_trouble, &trouble, sizeof trouble, &text, 1);
    out_flush();
    let_go();
}
