/* names_program.c - what names.def asks of a program's time on a GPU. */
#include "analysis/timeline.h"
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

/* The GPU is observed outside of windows in which launches are counted, but copies are recorded in them, too: it was busy for as
 * long as all copies took at least. */
static double busy_ns_of(const struct rl_program_gpu *program)
{
    return fmax(program->busy_ns, (program->kernel_s + program->copy_s) * 1e9);
}

struct rl_value rl_copy_excess_s(const struct rl_gpu_result *card, bool to_device, double bytes, double seconds)
{
    const struct rl_stats *rate = &card->ceiling[to_device ? RL_CEILING_pcie_h2d : RL_CEILING_pcie_d2h].measured;
    return rate->n && rate->median > 0 ? rl_value_of(fmax(seconds - bytes / rate->median, 0))
                                       : rl_value_missing(RL_NOT_COLLECTED, "the rate of the link was not measured");
}

struct rl_value rl_card_copy_gain(const struct rl_eval *eval)
{
    const struct rl_gpu_result *card = &eval->analysis->gpus[eval->gpu];
    const struct rl_value exposed = rl_value_mul(rl_gap_share(eval->analysis, eval->gpu, RL_LANE_IDLE_COPY),
                                                 rl_value_of(rl_gap_wall_s(eval->analysis, eval->gpu)));
    const size_t *transfers, count = rl_group(&eval->analysis->index.transfers_of_gpu, eval->gpu, &transfers);
    struct rl_value excess = rl_value_of(0);
    for (size_t i = 0; i < count; i++) {
        const struct rl_transfer *transfer = &eval->capture->transfers[transfers[i]];
        const bool to_device = strcmp(transfer->direction, "to device") == 0;
        if ((to_device || strcmp(transfer->direction, "to host") == 0) && strcmp(transfer->memory, "pageable") == 0)
            excess =
                rl_value_add(excess, rl_copy_excess_s(card, to_device, (double)transfer->bytes, 1e-9 * (double)transfer->total_ns));
    }
    if (!rl_present(exposed) || !rl_present(excess))
        return rl_present(exposed) ? excess : exposed;
    const double saved_s = fmin(excess.v, exposed.v), span_s = card->program.span_s;
    return rl_value_div(rl_value_of(span_s), rl_value_of(span_s - saved_s), "no time is left");
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
