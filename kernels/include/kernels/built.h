/* built.h - the toolkit and the compute capabilities that this program was built with. The requirements of a kernel are in its row
 * (kernels/suite.h, kernels/ceiling.h); these functions give the reason why one is not available. Plain C, in every build. */
#pragma once

#include <stddef.h>

#include "core/buf.h"
#include "core/err.h"

struct rl_built {
    int toolkit;     /* CUDA x 10: 118 is 11.8; 0: built without CUDA, or without asking */
    const int *ccs;  /* compute capabilities x 10, ascending */
    size_t cc_count; /* 0: unknown, or built without CUDA */
};
/* Requirements of a kernel; 0: any. */
struct rl_built_need {
    int cc, toolkit;
};

/* The architectures and the toolkit that this program was built for. */
struct rl_built rl_built(void);
/* RL_UNSUPPORTED if this program cannot run the kernel on any GPU: "not built: needs CUDA 12.0, this program was built with 11.8",
 * "not built: needs compute capability 8.0, this program has code for 3.5 to 7.2". */
enum rl_status rl_built_check(const struct rl_built *built, struct rl_built_need need, struct rl_err *err);
/* The same for one GPU (compute capability x 10), which runs the code of the highest compute capability that is not above its own:
 * "needs compute capability 8.0, this GPU has 7.5", "not built: needs compute capability 8.0, this program has code for 7.5
 * and 9.0". */
enum rl_status rl_built_check_card(const struct rl_built *built, struct rl_built_need need, int card_cc, struct rl_err *err);
