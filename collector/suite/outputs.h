/* outputs.h - where captures are written. Private to the collector. */
#pragma once

#include "capture/capture.h"

/* Where the capture for `output` grows: in place, or next to a file that is there, in "OUTPUT.partial"; of several processes of
 * this machine that write to one name at once each has a place, "OUTPUT.partial", "OUTPUT.partial2", where a complete capture is
 * passed over. For rl_growing_end; asked again before, it gives the same place. */
char *rl_growing_path(const char *output);
/* Frees the path and gives its place back; NULL is allowed. */
void rl_growing_end(char *path);
/* Writes the last state of a capture that grew at `growing` to `output`, and removes what is left at `growing`. A file that was
 * there before is replaced by a complete capture only, one with figures not by one without, and what another process wrote
 * meanwhile by none; otherwise the capture is written to `growing`, and `*lacks` says why ("is incomplete"), else it is NULL. */
enum rl_status rl_output_finish(const struct rl_capture *capture, const char *output, const char *growing, const char **lacks,
                                struct rl_err *err);
/* The same; that the file stays is a failure, which says why. */
enum rl_status rl_output_replace(const struct rl_capture *capture, const char *output, const char *growing, struct rl_err *err);
/* Appends the name of the capture of an observed process: the pattern with its places filled (core/launcher.h), %j being the batch
 * job of this process, which started all of them. `rank` is a launcher's; "" and NULL: none. RL_USAGE for %g as well, because a
 * program may use several GPUs. */
enum rl_status rl_program_output(const char *pattern, uint32_t pid, const char *host, const char *rank, struct rl_buf *out,
                                 struct rl_err *err);
