/* grid.cuh - the barrier of a whole grid, for kernels that are launched with rl_enqueue_cooperative (device.cuh).
 *
 * It is the one of cooperative groups. Their header asks for as little of the C++ library as it can, which saves three quarters of
 * the time that it takes to compile.
 */
#pragma once

#ifndef _CG_LIMIT_INCLUDED_DEPENDENCIES
#define _CG_LIMIT_INCLUDED_DEPENDENCIES
#endif
#include <cooperative_groups.h>

/* Returns when all threads of the grid have called it; what they wrote to global memory before is seen by all after. */
__device__ static __forceinline__ void rl_grid_barrier()
{
    cooperative_groups::this_grid().sync();
}
