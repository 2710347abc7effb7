/* link.h - copies between the memories of one machine, timed by the GPUs' own clocks (CUDA builds only).
 *
 *     rl_link_open -> rl_link_reach -> rl_link_check -> rl_link_time, any number of times -> rl_link_close
 *
 * A GPU is opened when it is first used, so that one that cannot be opened affects no other. Copy engines copy random data between
 * memory of the GPUs and pinned host memory on the GPU's NUMA node. Managed memory and multicast are not used.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/err.h"

struct rl_suite_check;
struct rl_link_space;

enum { RL_LINK_HOST = -1 };
/* A copy between two GPUs, or a GPU and its pinned host memory: positions in the list of rl_link_open, or RL_LINK_HOST. */
struct rl_link_copy {
    int from, to;
};

/* Largest copies: `peer_bytes` between GPUs, `host_bytes` (8 MiB or more) to and from the host. `gpus` are CUDA ordinals. Touches
 * no GPU yet. Free with rl_link_close. */
struct rl_link_space *rl_link_open(const int *gpus, size_t count, uint64_t peer_bytes, uint64_t host_bytes);
/* Frees everything; NULL is allowed. */
void rl_link_close(struct rl_link_space *space);
/* False when a fault has made one of the GPUs in use unusable for this process. */
bool rl_link_usable(const struct rl_link_space *space);

/* Whether one GPU can reach the memory of another (cudaDeviceCanAccessPeer); CUDA ordinals. */
enum rl_status rl_link_can_reach(int from, int to, bool *can, struct rl_err *err);
/* Whether the GPU shares the host's page tables, as it does behind NVLink-C2C; a CUDA ordinal. */
enum rl_status rl_link_is_coherent(int gpu, bool *coherent, struct rl_err *err);
/* Enables or disables peer access between both GPUs of a pair. Without it copies use host memory. */
enum rl_status rl_link_reach(struct rl_link_space *space, struct rl_link_copy pair, bool on, struct rl_err *err);

/* Copies once and compares the result byte for byte. RL_OK also if it differs: `check` has the verdict. */
enum rl_status rl_link_check(struct rl_link_space *space, struct rl_link_copy copy, uint64_t bytes, struct rl_suite_check *check,
                             struct rl_err *err);
/* Times all `copies` at once, each repeated `repeat` times in sequence; `ns[i]` is the time from the start of the first to the end
 * of the last repetition of copies[i]. No two copies may have the same source, except the host. All are enqueued behind a common
 * gate, so that host overhead is not in the time. */
enum rl_status rl_link_time(struct rl_link_space *space, const struct rl_link_copy *copies, size_t count, uint64_t bytes,
                            unsigned repeat, uint64_t *ns, struct rl_err *err);
