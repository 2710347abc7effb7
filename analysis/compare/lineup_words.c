/* lineup_words.c - cards side by side, in sentences (see lineup.h). */
#include <assert.h>

#include "analysis/lineup.h"
#include "core/signs.h"
#include "core/units.h"

void rl_speedup_text(const struct rl_ratio *speedup, struct rl_buf *out)
{
    if (!speedup->present)
        rl_buf_adds(out, RL_EN_DASH);
    else if (speedup->has_interval)
        rl_buf_addf(out, "%.2f" RL_MULTIPLICATION " (%.2f to %.2f)", speedup->estimate, speedup->low, speedup->high);
    else
        rl_buf_addf(out, "%.2f" RL_MULTIPLICATION, speedup->estimate);
}

static bool is_told(const struct rl_lineup *lineup, size_t group, size_t card)
{
    return lineup->groups[group].on[card].kernels > 0 && !lineup->groups[group].unknown;
}

void rl_lineup_text(const struct rl_lineup *lineup, size_t card, struct rl_buf *out)
{
    enum { MOST = 3 };
    const struct rl_group_speedup *all = &lineup->all.on[card];
    size_t said = 0;
    assert(card < lineup->count);
    if (card == 0 || all->kernels == 0)
        return;
    for (size_t i = 0; i < lineup->group_count && said < MOST; i++) {
        const struct rl_lineup_group *group = &lineup->groups[i];
        if (!is_told(lineup, i, card))
            continue;
        const size_t kernels = group->on[card].kernels;
        rl_buf_addf(out, said ? ", %.2f where %s does (%zu)" : "%.2f times as fast where %s limits (%zu kernel%s)",
                    group->on[card].middle, group->label, kernels, kernels == 1 ? "" : "s");
        said++;
    }
    rl_buf_addf(out, said ? "; %.2f to %.2f over all %zu kernel%s" : "%.2f to %.2f times as fast over all %zu kernel%s", all->low,
                all->high, all->kernels, all->kernels == 1 ? "" : "s");
}

static void add_share(const char *before, double share, const char *behind, struct rl_buf *out)
{
    if (share <= 0)
        return;
    rl_buf_adds(out, before);
    rl_unit_format(out, RL_UNIT_FRACTION, share, 3);
    rl_buf_adds(out, behind);
}

void rl_lineup_score_text(const struct rl_lineup *lineup, size_t card, struct rl_buf *out)
{
    assert(card < lineup->count);
    const struct rl_lineup_card *of = &lineup->cards[card];
    if (!lineup->program || card == 0)
        return;
    rl_buf_addf(out, "kernels of %s: ", lineup->program);
    if (!of->score.present) {
        rl_buf_adds(out, "no score");
        add_share(", because no kernel of the captures has the limiter of ", of->guessed, " of their time", out);
        return;
    }
    rl_speedup_text(&of->score, out);
    const double like = 1 - of->own - of->ranged - of->guessed;
    add_share(of->kind == RL_LINEUP_PROJECTED ? "; projected themselves for " : "; measured themselves for ", of->own,
              " of their time", out);
    add_share("; by kernels with the same limiter for ", like > 1e-9 ? like : 0, "", out);
    add_share("; between the ratios of roofs and clocks, because no roof limits them or their limiter is unknown, for ", of->ranged,
              "", out);
    add_share("; by the median of all kernels, because their limiter is unknown, for ", of->guessed, "", out);
}
