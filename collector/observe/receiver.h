/* receiver.h - the collecting process's side of what observed processes say. Private to the collector.
 *
 * A process that uses CUDA asks for a ring (ring.h) over a socket whose name and token it has in its environment, maps it, and
 * closes every descriptor again. A thread of the collecting process hands the rings out, empties them, and reads the records into a
 * picture of each process (stream_read.h). The socket is an abstract one: neither chroot, chdir, another user nor a full disk is in
 * its way. A second one, in the cache folder of rooflight where there is one, serves processes in another network namespace.
 *
 *     rl_receiver_open -> rl_receiver_start -> { rl_receiver_lock -> streams -> rl_receiver_unlock } ... -> rl_receiver_stop ->
 * rl_receiver_close
 */
#pragma once

#include <sys/types.h>

#include "stream_read.h"

struct rl_receiver;

/* Makes the socket. */
enum rl_status rl_receiver_open(struct rl_receiver **receiver, struct rl_err *err);
/* For the environment of the program: name of the socket, token, and where there is one the path of the second. Lives as long
 * as the receiver. */
const char *rl_receiver_address(const struct rl_receiver *receiver);
/* The answer to processes that ask from now on (handout.h). */
enum rl_status rl_receiver_give(struct rl_receiver *receiver, const struct rl_buf *notes, struct rl_err *err);

/* Begins to answer and to read, in a thread that takes no signals. */
enum rl_status rl_receiver_start(struct rl_receiver *receiver, struct rl_err *err);
/* Keeps the thread from changing any stream until the unlock; what has been written to the rings before is in the streams. */
void rl_receiver_lock(struct rl_receiver *receiver);
/* By the thread that locked it; streams are not to be looked at any more. */
void rl_receiver_unlock(struct rl_receiver *receiver);
/* All streams in the order of connection; they belong to the receiver. Call it under the lock, or after stopping. */
struct rl_stream *const *rl_receiver_streams(const struct rl_receiver *receiver, size_t *count);
/* Whether a running process has the GPU's counters or waits for them. Call it under the lock. */
bool rl_receiver_is_counting(const struct rl_receiver *receiver);
/* Whether a program needs the counters itself. */
bool rl_receiver_is_claiming(const struct rl_receiver *receiver);
/* Whether a process has counted everything that it had to count. Call it under the lock. */
bool rl_receiver_has_counted(const struct rl_receiver *receiver);
/* Whether a process has launched CUDA graphs. Under its lock. */
bool rl_receiver_has_graphs(const struct rl_receiver *receiver);
/* Reserves the counters for a sampler, against present and future processes; false: a process is counting, and nothing changes.
 * Call it under the lock. */
bool rl_receiver_borrow_counters(struct rl_receiver *receiver);
/* Releases them. Call it under the lock. */
void rl_receiver_return_counters(struct rl_receiver *receiver);
/* Answers pending connections, reads all rings a last time, and ends the thread. Processes that continue are no longer read. */
void rl_receiver_stop(struct rl_receiver *receiver);
/* Stops, and frees everything; NULL is allowed. */
void rl_receiver_close(struct rl_receiver *receiver);

/* The other side, in the observed process: asks at `address` for a ring and the notes, which it maps; no descriptor stays open.
 * False when there is no answer within a second. */
bool rl_receiver_ask(const char *address, struct rl_ring *ring, const char **notes, size_t *notes_size);

/* Sent over the receiver's socket: the token one way, one byte with two descriptors (the ring, the notes)
 * the other. */

enum { RL_WIRE_TOKEN = 32 }; /* hexadecimal digits */
