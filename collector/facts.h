/* facts.h - what is known of the GPU and the machine before anything is measured. Private to the collector. */
#ifndef RL_COLLECTOR_FACTS_H
#define RL_COLLECTOR_FACTS_H

#include "capture/capture.h"
#include "core/err.h"

/* Fills name, UUID, compute capability and all facts of CUDA device `device`. */
enum rl_status rl_facts_gpu(struct rl_capture *capture, struct rl_gpu *gpu, int device, struct rl_err *err);
/* Fills start time, host, operating system and the versions of driver, runtime and CUPTI. $SOURCE_DATE_EPOCH is not honoured: a
 * capture says when it was measured. */
void rl_facts_session(struct rl_capture *capture);
/* Reads the card now and appends the reading to GPU `gpu` of the capture. */
void rl_facts_moment(struct rl_capture *capture, size_t gpu, const char *moment, int64_t at_ns);

#endif
