/* link_rates.c - what a version of NVLink or PCIe can carry. */
#include <math.h>

#include "core/mem.h"
#include "links_internal.h"

static const struct {
    double version, rate;
} nvlinks[] = {
#define NVLINK(version, rate, source) {version, rate},
#define PCIE(generation, transfers, code, source)
#include "analysis/links.def"
#undef PCIE
#undef NVLINK
};
static const struct {
    double generation, rate; /* B/s of a lane */
} lanes[] = {
#define NVLINK(version, rate, source)
#define PCIE(generation, transfers, code, source) {generation, (transfers) / 8 * (code)},
#include "analysis/links.def"
#undef PCIE
#undef NVLINK
};

struct rl_value rl_nvlink_bytes_per_second(struct rl_value version, struct rl_value wire_rate)
{
    double by_wire = 0, by_version = 0;
    for (size_t i = 0; i < RL_COUNT(nvlinks); i++) {
        if (rl_present(wire_rate) && nvlinks[i].rate <= wire_rate.v * 1.001)
            by_wire = fmax(by_wire, nvlinks[i].rate);
        if (rl_present(version) && fabs(nvlinks[i].version - version.v) < 0.05)
            by_version = nvlinks[i].rate;
    }
    if (by_wire > 0)
        return rl_value_of(by_wire);
    if (by_version > 0)
        return rl_value_of(by_version);
    return rl_present(version) ? rl_value_missing(RL_UNDEFINED, "unknown NVLink version") : version;
}

double rl_nvlink_version_of(struct rl_value version, struct rl_value wire_rate)
{
    const struct rl_value rate = rl_nvlink_bytes_per_second(version, wire_rate);
    double of_rate = 0;
    for (size_t i = 0; i < RL_COUNT(nvlinks) && rl_present(rate) && rl_present(version); i++)
        if (nvlinks[i].rate == rate.v && nvlinks[i].version <= version.v)
            of_rate = nvlinks[i].version;
    return of_rate;
}

struct rl_value rl_pcie_bytes_per_second(struct rl_value generation, struct rl_value width)
{
    if (!rl_present(generation))
        return generation;
    for (size_t i = 0; i < RL_COUNT(lanes); i++)
        if (lanes[i].generation == generation.v)
            return rl_value_mul(rl_value_of(lanes[i].rate), width);
    return rl_value_missing(RL_UNDEFINED, "unknown PCIe generation");
}
