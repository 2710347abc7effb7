/* Kernels that wait for others, by name. */
#include "rl_test.h"

#include <stdbool.h>

#include "core/collectives.h"
#include "core/mem.h"

static void names_begin_as_collectives(void **state)
{
    static const struct {
        const char *name;
        bool peers, host;
    } rows[] = {
        {"ncclDevKernel_AllReduce_Sum_f32", true, false},
        {"void nvshmem_barrier<4>(int)", true, false},
        {"_Z20ncclDevKernel_SendRecv4args", true, false},
        {"_ZN13ncclDevKernelE", true, false},
        {"_ZNK10ncclKernelE", true, false},
        {"_ZN4ncclE", false, false},
        {"my_ncclDevKernel", false, false},
        {"void void ncclKernel", false, false},
        {"voidXncclKernel", false, false},
        {"ncclDevKerne", false, false},
        {"_Z", false, false},
        {"", false, false},
        {"DelayKernel", false, true},
        {"_ZN3xla11DelayKernelEv", false, true},
        {"delaykernel", false, false},
    };
    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++)
        if (rl_is_collective_name(rows[i].name) != rows[i].peers || rl_is_host_wait_name(rows[i].name) != rows[i].host)
            fail_msg("'%s'", rows[i].name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_begin_as_collectives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
