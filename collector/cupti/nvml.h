/* nvml.h - what the GPU says of itself: clocks, temperature, power, ECC, MIG. Private to the collector.
 *
 * NVML's header is not part of every CUDA toolkit, so the few prototypes used here are declared in nvml_api.def. Everything is
 * optional: without NVML, or without one of its functions, a fact or a reading is missing with its reason.
 */
#pragma once

#include "capture/capture.h"

/* Opens libnvidia-ml.so.1; RL_ABSENT when there is none. Later calls are cheap. */
enum rl_status rl_nvml_open(struct rl_err *err);
/* "580.159.04"; empty when unknown. */
const char *rl_nvml_driver_version(void);
/* Fills the facts that NVML knows about the GPU of that UUID ("GPU-..."). */
void rl_nvml_facts(const char *uuid, struct rl_value facts[RL_FACT_COUNT]);
/* Reads the GPU now. */
void rl_nvml_readings(const char *uuid, struct rl_value readings[RL_READING_COUNT]);
