/* program.h - what documents say of an observed program besides its record (results/results.h). */
#ifndef RL_RESULTS_PROGRAM_H
#define RL_RESULTS_PROGRAM_H

#include "core/buf.h"

struct rl_analysis;
struct rl_families;
/* Appends "cuBLAS 43.2 %, NCCL 25.5 %": the libraries with RL_LEAST_SHARE of the GPU time or more on a GPU (RL_NONE: on all). */
void view_libraries_text(const struct rl_analysis *analysis, const struct rl_families *families, size_t gpu, struct rl_buf *out);

#endif
