/* facts.h - what is known of the GPU and the machine before anything is measured. Private to the collector. */
#ifndef RL_COLLECTOR_FACTS_H
#define RL_COLLECTOR_FACTS_H

#include "capture/capture.h"
#include "core/err.h"

/* Fills name, UUID, compute capability and all facts of CUDA device `device`. */
enum rl_status rl_facts_gpu(struct rl_capture *capture, struct rl_gpu *gpu, int device, struct rl_err *err);
/* Facts about a card besides CUDA's: the driver's settings and of NVML; `gpu->uuid` is set. */
void rl_facts_of_card(struct rl_gpu *gpu);
/* Stores one CUdevice_attribute, if it is a fact of the capture. */
void rl_facts_attribute(struct rl_gpu *gpu, int attribute, int value);
enum { RL_UUID_TEXT = 48 };
/* "GPU-32c2c9da-...", as nvidia-smi prints it; returns `text`. */
const char *rl_facts_uuid(const unsigned char bytes[16], char text[RL_UUID_TEXT]);
/* Fills host, operating system and the driver's version; touches no CUDA. */
void rl_facts_host(struct rl_capture *capture);
/* Fills start time, host, operating system and the versions of driver, runtime and CUPTI. $SOURCE_DATE_EPOCH is not honoured: a
 * capture says when it was measured. */
void rl_facts_session(struct rl_capture *capture);
/* Reads the card now and appends the reading to GPU `gpu` of the capture. */
void rl_facts_moment(struct rl_capture *capture, size_t gpu, const char *moment, int64_t at_ns);

#endif
