/* pc_share.c - shares of samples with their intervals (see pc.h). */
#include <math.h>

#include "analysis/pc.h"
#include "analysis/plan.h"

/* An SM of every chip since Volta, on which samples are first taken in this way, has so many. */
static const double usual_schedulers = 4;

/* Schedulers of the card, that is, the most samples of one moment; 0: unknown. */
static double schedulers_of(const struct rl_gpu *gpu)
{
    const struct rl_chip *chip = rl_chip_find(gpu->chip);
    const struct rl_value sms = gpu->fact[RL_FACT_sm_count];
    return rl_present(sms) ? sms.v * (chip ? chip->schedulers_per_sm : usual_schedulers) : 0;
}

static const struct rl_pc_share unknown = {.share = 0, .low = 0, .high = 1};

/* For `draws` independent draws, which need not be a whole number. */
static struct rl_pc_share wilson(double share, double draws)
{
    static const double z = 1.959963984540054; /* 95 % of a normal distribution lie so many deviations around its mean */
    const double squared = z * z / draws, middle = (share + squared / 2) / (1 + squared),
                 half = z * sqrt(share * (1 - share) / draws + squared / (4 * draws)) / (1 + squared);
    return (struct rl_pc_share){share, fmax(0, middle - half), fmin(1, middle + half)};
}

struct rl_pc_share rl_pc_share_of(const struct rl_capture *capture, const struct rl_pc_sampling *sampling, uint64_t part,
                                  uint64_t whole)
{
    struct rl_pc_share found = unknown;
    if (!whole)
        return found;
    const double schedulers = schedulers_of(&capture->gpus[sampling->gpu]), all = (double)sampling->samples,
                 dropped = (double)sampling->dropped;
    found.share = (double)part / (double)whole;
    if (schedulers > 0)
        found = wilson(found.share, (double)whole / schedulers);
    const double seen = all > 0 ? all / (all + dropped) : 1;
    found.low *= seen;
    found.high = found.high * seen + (1 - seen);
    return found;
}
