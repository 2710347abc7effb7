/* host_range.h - CUPTI's host library, for those who need more of it than configurations of ranges: samples of the whole GPU.
 * Private to the collector. */
#ifndef RL_COLLECTOR_HOST_RANGE_H
#define RL_COLLECTOR_HOST_RANGE_H

#include "host.h"

/* A host object for a kind of profiling and a chip; `availability` (may be NULL) is what the device at hand says of its counters.
 */
enum rl_status rl_host_open_for(CUpti_ProfilerType type, const char *chip, const uint8_t *availability,
                                CUpti_Profiler_Host_Object **host, struct rl_err *err);
/* The configuration image of `counters` on an open host object, to be freed, and the passes that it takes. */
enum rl_status rl_host_image(CUpti_Profiler_Host_Object *host, const char *const *counters, size_t count, uint8_t **image,
                             size_t *image_size, size_t *passes, struct rl_err *err);
/* NULL is allowed. */
void rl_host_close(CUpti_Profiler_Host_Object *host);

#endif
