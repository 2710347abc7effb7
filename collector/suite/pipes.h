/* pipes.h - messages of a child process. Private to the collector. */
#ifndef RL_COLLECTOR_PIPES_H
#define RL_COLLECTOR_PIPES_H

#include <stdbool.h>
#include <stddef.h>

enum rl_pipe { RL_PIPE_READ, RL_PIPE_ENDED, RL_PIPE_SILENT };

/* Reads `size` bytes whole. RL_PIPE_ENDED: the other end was closed, also in the middle; RL_PIPE_SILENT: nothing came for
 * `silence_ms`. */
enum rl_pipe rl_pipe_read(int fd, void *bytes, size_t size, int silence_ms);

/* Writes `size` bytes whole, however often a signal comes; false: the reader is gone. */
bool rl_pipe_write(int fd, const void *bytes, size_t size);

#endif
