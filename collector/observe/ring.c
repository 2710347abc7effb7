/* ring.c - a ring of bytes in shared memory; one writer, one reader (ring.h). */
#include "ring.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

_Static_assert((RL_RING_BYTES & (RL_RING_BYTES - 1)) == 0, "positions are taken modulo the size by a mask");
_Static_assert(sizeof(atomic_ullong) == 8 && ATOMIC_LLONG_LOCK_FREE == 2, "two processes share them");

enum { MASK = RL_RING_BYTES - 1 };

bool rl_ring_map(struct rl_ring *ring, int fd)
{
    void *at = mmap(NULL, sizeof *ring->shared, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    *ring = (struct rl_ring){.shared = at == MAP_FAILED ? NULL : at};
    return ring->shared != NULL;
}

enum rl_status rl_ring_create(struct rl_ring *ring, int *fd, struct rl_err *err)
{
    *ring = (struct rl_ring){0};
    *fd = memfd_create("rooflight", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (*fd < 0)
        return rl_err_set(err, RL_IO, "cannot make shared memory: %s", strerror(errno));
    /* Sealed: a program that made the file shorter would end the reader by SIGBUS. */
    if (ftruncate(*fd, sizeof *ring->shared) == 0 && fcntl(*fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0 &&
        rl_ring_map(ring, *fd))
        return RL_OK;
    const int error = errno;
    close(*fd);
    *fd = -1;
    return rl_err_set(err, RL_IO, "cannot make shared memory: %s", strerror(error));
}

void rl_ring_unmap(struct rl_ring *ring)
{
    if (ring->shared)
        (void)munmap(ring->shared, sizeof *ring->shared);
    *ring = (struct rl_ring){0};
}

size_t rl_ring_room(const struct rl_ring *ring)
{
    if (!ring->shared)
        return 0;
    const uint64_t used = atomic_load_explicit(&ring->shared->written, memory_order_relaxed) -
                          atomic_load_explicit(&ring->shared->taken, memory_order_acquire);
    return used < RL_RING_BYTES ? RL_RING_BYTES - used : 0;
}

bool rl_ring_write(struct rl_ring *ring, const void *bytes, size_t len)
{
    assert(len > 0);
    assert(ring->shared);
    struct rl_ring_shared *shared = ring->shared;
    if (len > rl_ring_room(ring))
        return false;
    const uint64_t written = atomic_load_explicit(&shared->written, memory_order_relaxed);
    const size_t at = written & MASK, first = len < RL_RING_BYTES - at ? len : RL_RING_BYTES - at;
    memcpy(shared->bytes + at, bytes, first);
    memcpy(shared->bytes, (const unsigned char *)bytes + first, len - first);
    atomic_store_explicit(&shared->written, written + len, memory_order_release);
    return true;
}

void rl_ring_mark(struct rl_ring *ring, unsigned state)
{
    if (ring->shared)
        atomic_fetch_or(&ring->shared->state, state);
}

bool rl_ring_waits(const struct rl_ring *ring)
{
    return ring->shared && atomic_load_explicit(&ring->shared->written, memory_order_relaxed) != ring->at;
}

bool rl_ring_may_count(struct rl_ring *ring)
{
    if (!ring->shared)
        return false;
    unsigned none = RL_RING_COUNTS_NOTHING;
    (void)atomic_compare_exchange_strong(&ring->shared->counting, &none, RL_RING_COUNTS);
    return !atomic_load(&ring->shared->lent);
}

void rl_ring_claim(struct rl_ring *ring)
{
    if (ring->shared)
        atomic_store(&ring->shared->counting, RL_RING_CLAIMS);
}

bool rl_ring_is_claiming(const struct rl_ring *ring)
{
    return ring->shared && atomic_load(&ring->shared->counting) == RL_RING_CLAIMS;
}

void rl_ring_counted(struct rl_ring *ring)
{
    if (!ring->shared)
        return;
    atomic_fetch_add(&ring->shared->rounds, 1);
    atomic_store(&ring->shared->counting, RL_RING_COUNTS_NOTHING);
}

bool rl_ring_is_counting(const struct rl_ring *ring)
{
    return ring->shared && atomic_load(&ring->shared->counting) != RL_RING_COUNTS_NOTHING;
}

bool rl_ring_has_counted(const struct rl_ring *ring)
{
    return ring->shared && atomic_load(&ring->shared->rounds);
}

bool rl_ring_has_graphs(const struct rl_ring *ring)
{
    return ring->shared && atomic_load(&ring->shared->graphs);
}

void rl_ring_lend(struct rl_ring *ring, bool lent)
{
    if (ring->shared)
        atomic_store(&ring->shared->lent, lent);
}

enum rl_status rl_ring_read(struct rl_ring *ring, struct rl_buf *out, struct rl_err *err)
{
    assert(ring->shared);
    struct rl_ring_shared *shared = ring->shared;
    const uint64_t len = atomic_load_explicit(&shared->written, memory_order_acquire) - ring->at;
    if (len > RL_RING_BYTES)
        return rl_err_set(err, RL_FORMAT, "damaged: its head claims %llu bytes", (unsigned long long)len);
    const size_t at = ring->at & MASK, first = len < RL_RING_BYTES - at ? len : RL_RING_BYTES - at;
    rl_buf_add(out, shared->bytes + at, first);
    rl_buf_add(out, shared->bytes, len - first);
    ring->at += len;
    atomic_store_explicit(&shared->taken, ring->at, memory_order_release);
    return RL_OK;
}

unsigned rl_ring_state(const struct rl_ring *ring)
{
    return ring->shared ? atomic_load(&ring->shared->state) : 0;
}
