/* outputs.h - where captures are written. Private to the collector. */
#ifndef RL_COLLECTOR_OUTPUTS_H
#define RL_COLLECTOR_OUTPUTS_H

#include <stdint.h>

#include "core/buf.h"
#include "core/err.h"

/* A good file is replaced by a complete capture only, so an unfinished one grows beside it, in "OUTPUT.partial"; when there is no
 * file it grows in place. To be freed. */
char *rl_growing_path(const char *output);
/* Appends the name of the capture of an observed process: the pattern with its places filled (core/launcher.h), %j being the batch
 * job of this process, which started all of them. `rank` is a launcher's; "" and NULL: none. RL_USAGE for %g as well, because a
 * program may use several GPUs. */
enum rl_status rl_program_output(const char *pattern, uint32_t pid, const char *host, const char *rank, struct rl_buf *out,
                                 struct rl_err *err);

#endif
