/* names_program.c - what names.def asks of a program's time on a GPU. */
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

struct rl_value rl_card_pageable_share(const struct rl_eval *eval)
{
    const double busy_ns = eval->analysis->gpus[eval->gpu].program.busy_ns;
    if (!rl_is_program(eval->capture))
        return rl_value_missing(RL_NOT_COLLECTED, "no program was observed; the suite's copies are in its experiments");
    if (host_copies_ns(eval, NULL) <= 0)
        return rl_value_missing(RL_UNDEFINED, "no copies between device and host were seen");
    return rl_value_div(rl_value_of(host_copies_ns(eval, "pageable")), rl_value_of(busy_ns), "no busy time");
}
