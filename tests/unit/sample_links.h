/* sample_links.h - machines with several GPUs and their links: made, not measured, and the same at every run. Rates follow one
 * rule: a copy takes its latency and then its bytes at the peak; samples scatter by 0.3 % about it. */
#ifndef RL_TEST_SAMPLE_LINKS_H
#define RL_TEST_SAMPLE_LINKS_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "capture/capture.h"
#include "core/mem.h"

#define SAMPLE_NVLINK 390e9 /* B/s in one direction, of 450 that 18 links of version 4 can carry */
#define SAMPLE_PCIE   26e9  /* of 31.5: generation 4, 16 lanes */
#define SAMPLE_STAGED 17e9  /* through the host's memory */
#define SAMPLE_HOST   55e9  /* of 63.0: generation 5, 16 lanes */

struct sample_machine {
    size_t gpus;
    bool switched;                 /* NVLink through switches; otherwise PCIe, and between the halves only through the host */
    size_t slow_from, slow_to;     /* this link has 61 % of its rate; the same twice: none */
    size_t failed_from, failed_to; /* this one could not be measured; the same twice: none */
    double together;               /* share that each GPU keeps of its way to the host when all use it */
};

static inline bool sample_same_half(const struct sample_machine *machine, size_t a, size_t b)
{
    return (a < machine->gpus / 2) == (b < machine->gpus / 2);
}

static inline void sample_link_run(struct rl_capture *capture, size_t link, const char *traffic, uint64_t bytes, double seconds)
{
    enum { SAMPLES = 7 };
    struct rl_link_run *run = rl_capture_add_link_run(capture);
    *run = (struct rl_link_run){.link = link, .bytes = bytes, .copies = bytes < 4096 ? 64 : 2, .duration_count = SAMPLES};
    run->traffic = rl_capture_text(capture, traffic);
    run->duration_ns = rl_arena_alloc(&capture->arena, SAMPLES * sizeof *run->duration_ns);
    for (size_t k = 0; k < SAMPLES; k++) {
        double scatter = 1 + 1e-3 * ((double)((5 * k + 3 * link) % 7) - 3);
        run->duration_ns[k] = (uint64_t)llround(seconds * (double)run->copies * 1e9 * scatter);
    }
}

static inline void sample_link_runs(struct rl_capture *capture, size_t link, double peak, double latency, uint64_t most)
{
    static const uint64_t sizes[] = {16, 64 << 10, 1 << 20, 16 << 20, 64 << 20, 256 << 20};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0] && sizes[i] <= most; i++)
        sample_link_run(capture, link, "alone", sizes[i], latency + (double)sizes[i] / peak);
}

static inline double sample_peer(struct rl_capture *capture, const struct sample_machine *machine, struct rl_link *link)
{
    bool near = sample_same_half(machine, link->from_gpu, link->to_gpu);
    link->access = rl_capture_text(capture, machine->switched || near ? "yes" : "the chipset does not support it");
    link->via = rl_capture_text(capture, machine->switched ? "nvswitch" : near ? "pcie" : "host");
    link->topology = rl_capture_text(capture, machine->switched ? "SYS" : near ? "PXB" : "SYS");
    if (machine->switched) {
        link->nvlinks = rl_value_of(18);
        link->nvlink_version = rl_value_of(4);
        link->nvlink_rate = rl_value_of(26.562e9);
        return SAMPLE_NVLINK;
    }
    return near ? SAMPLE_PCIE : SAMPLE_STAGED;
}

static inline void sample_add_link(struct rl_capture *capture, const struct sample_machine *machine, size_t from, size_t to)
{
    struct rl_link *link = rl_capture_add_link(capture);
    size_t index = capture->link_count - 1;
    bool host = from == RL_NONE || to == RL_NONE, failed = from == machine->failed_from && to == machine->failed_to && from != to;
    double peak = SAMPLE_HOST, latency = host ? 1.5e-6 : 2.5e-6;
    link->from_gpu = from;
    link->to_gpu = to;
    link->via = rl_capture_text(capture, "pcie");
    link->pcie_generation = rl_value_of(machine->switched || host ? 5 : 4);
    link->pcie_width = rl_value_of(16);
    if (!host)
        peak = sample_peer(capture, machine, link);
    if (failed) {
        link->failure = rl_capture_text(capture, "the copy hung");
        return;
    }
    if (from == machine->slow_from && to == machine->slow_to && from != to)
        peak *= 0.61;
    sample_link_runs(capture, index, peak, latency, host ? 64 << 20 : 256 << 20);
    if (host)
        sample_link_run(capture, index, "together", 64 << 20, latency + (64 << 20) / (peak * machine->together));
    else if (from < to)
        sample_link_run(capture, index, "both ways", 256 << 20, latency + (256 << 20) / (0.97 * peak));
}

/* GPUs and links behind what the capture holds already. */
static inline void sample_machine_links(struct rl_capture *capture, const struct sample_machine *machine)
{
    for (size_t i = 0; i < machine->gpus; i++) {
        struct rl_gpu *gpu = rl_capture_add_gpu(capture);
        char uuid[64];
        snprintf(uuid, sizeof uuid, "GPU-00000000-0000-0000-0000-%012zu", i);
        gpu->index = (int)i;
        gpu->name = rl_capture_text(capture, machine->switched ? "SYNTHETIC SWITCHED CARD" : "SYNTHETIC PCIE CARD");
        gpu->uuid = rl_capture_text(capture, uuid);
        gpu->chip = rl_capture_text(capture, machine->switched ? "GH100" : "AD102");
        gpu->cc_major = machine->switched ? 9 : 8;
        gpu->cc_minor = machine->switched ? 0 : 9;
        gpu->fact[RL_FACT_pcie_generation] = rl_value_of(5);
        gpu->fact[RL_FACT_pcie_width] = rl_value_of(16);
    }
    for (size_t from = 0; from < machine->gpus; from++)
        for (size_t to = 0; to < machine->gpus; to++)
            if (from != to)
                sample_add_link(capture, machine, from, to);
    for (size_t gpu = 0; gpu < machine->gpus; gpu++) {
        sample_add_link(capture, machine, RL_NONE, gpu);
        sample_add_link(capture, machine, gpu, RL_NONE);
    }
}

#endif
