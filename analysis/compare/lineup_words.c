/* lineup_words.c - cards side by side, in sentences (see lineup.h). */
#include <assert.h>

#include "analysis/projection.h"
#include "core/units.h"

void rl_lineup_text(const struct rl_lineup *lineup, size_t card, struct rl_buf *out)
{
    enum { MOST = 3 };
    const struct rl_group_speedup *all = &lineup->all.on[card];
    size_t said = 0;
    assert(card < lineup->count);
    if (card == 0)
        return;
    if (all->kernels == 0) { /* no ratio is not no kernel */
        const struct rl_columns *columns = lineup->of.columns;
        size_t common = 0;
        for (size_t i = 0; columns && card < columns->count && i < lineup->of.base->count; i++)
            common += !columns->columns[card].cells[i].why_not;
        if (common)
            rl_buf_addf(out, "%zu kernel%s in common, without times on one side or both", common, common == 1 ? "" : "s");
        return;
    }
    for (size_t i = 0; i < lineup->group_count && said < MOST; i++) {
        const struct rl_lineup_group *group = &lineup->groups[i];
        if (lineup->groups[i].on[card].kernels == 0 || lineup->groups[i].unknown)
            continue;
        const size_t kernels = group->on[card].kernels;
        rl_buf_addf(out, said ? ", %.2f× by %s (%zu)" : "%.2f× where limited by %s (%zu kernel%s)", group->on[card].middle,
                    group->label, kernels, kernels == 1 ? "" : "s");
        said++;
    }
    if (said && all->kernels == 1)
        return; /* the group is all there is */
    if (!said && !(all->low < all->high)) {
        rl_buf_addf(out, "%.2f× (%zu kernel%s)", all->low, all->kernels, all->kernels == 1 ? "" : "s");
        return;
    }
    rl_buf_addf(out, said ? "; %.2f× to %.2f× over all %zu kernel%s" : "%.2f× to %.2f× over all %zu kernel%s", all->low, all->high,
                all->kernels, all->kernels == 1 ? "" : "s");
}
