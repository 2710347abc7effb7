/* names_program.c - what names.def asks of a program's time on a GPU. */
#include <math.h>
#include <string.h>

#include "analysis/program.h"
#include "internal.h"

struct rl_value rl_card_idle(const struct rl_eval *eval)
{
    return rl_is_program(eval->capture) ? eval->analysis->gpus[eval->gpu].program.idle
                                        : rl_value_missing(RL_NOT_COLLECTED, "no program was observed");
}

/* Between the device and the host's memory, of the kind that transfers name; NULL: of any. */
static double host_copies_ns(const struct rl_eval *eval, const char *memory)
{
    const size_t *transfers, count = rl_group(&eval->analysis->index.transfers_of_gpu, eval->gpu, &transfers);
    double ns = 0;
    for (size_t i = 0; i < count; i++) {
        const struct rl_transfer *transfer = &eval->capture->transfers[transfers[i]];
        const bool host = strcmp(transfer->direction, "to device") == 0 || strcmp(transfer->direction, "to host") == 0;
        if (host && (!memory || strcmp(transfer->memory, memory) == 0))
            ns += (double)transfer->total_ns;
    }
    return ns;
}

/* The GPU is watched outside of windows in which launches are counted, but copies are recorded in them, too: it was busy for as
 * long as all copies took at least. */
static double busy_ns_of(const struct rl_program_gpu *program)
{
    return fmax(program->busy_ns, (program->kernel_s + program->copy_s) * 1e9);
}

struct rl_value rl_card_pageable_share(const struct rl_eval *eval)
{
    const double busy_ns = busy_ns_of(&eval->analysis->gpus[eval->gpu].program);
    if (!rl_is_program(eval->capture))
        return rl_value_missing(RL_NOT_COLLECTED, "no program was observed; the suite's copies are in its experiments");
    if (host_copies_ns(eval, NULL) <= 0)
        return rl_value_missing(RL_UNDEFINED, "no copies between device and host were seen");
    return rl_value_div(rl_value_of(host_copies_ns(eval, "pageable")), rl_value_of(busy_ns), "no busy time");
}
