/* attribution_work.h - between test_attribution.c and its kernels. */
#ifndef RL_TEST_ATTRIBUTION_WORK_H
#define RL_TEST_ATTRIBUTION_WORK_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum attribution_kernel { ATTRIBUTION_READ_LONG, ATTRIBUTION_READ_SHORT, ATTRIBUTION_TRIAD, ATTRIBUTION_COMPUTE };
struct attribution_class {
    const char *name; /* of the kernel */
    enum attribution_kernel kernel;
    size_t bytes;                     /* of each array that a launch goes through */
    double read_bytes, written_bytes; /* of a launch, from and to memory */
};
/* Allocates; waits; launches once. 0, or -1 when CUDA failed. */
int attribution_work_begin(void);
int attribution_work_end(void);
int attribution_launch(const struct attribution_class *of);

#ifdef __cplusplus
}
#endif

#endif
