/* built.c - see built.h. */
#include "kernels/built.h"

#include "core/core.h"

#ifndef RL_BUILT_TOOLKIT
#define RL_BUILT_TOOLKIT 0
#endif
#ifdef RL_BUILT_CCS
static const int ccs[] = {RL_BUILT_CCS};
enum { CCS = RL_COUNT(ccs) };
#else
static const int *const ccs = NULL;
enum { CCS = 0 };
#endif

struct rl_built rl_built(void)
{
    return (struct rl_built){.toolkit = RL_BUILT_TOOLKIT, .ccs = ccs, .cc_count = CCS};
}

static enum rl_status no_code(const struct rl_built *built, int cc, struct rl_err *err)
{
    RL_SCRATCH text = RL_BUF_INIT;
    /* "3.5 to 7.2", "7.5 and 9.0", "9.0": what there is code for. Appends. */
    assert(built->cc_count > 0);
    const int first = built->ccs[0], last = built->ccs[built->cc_count - 1];
    rl_buf_addf(&text, "%d.%d", first / 10, first % 10);
    if (last != first)
        rl_buf_addf(&text, " %s %d.%d", built->cc_count == 2 ? "and" : "to", last / 10, last % 10);
    const enum rl_status status =
        rl_err_set(err, RL_UNSUPPORTED, "not built: needs compute capability %d.%d, this program has code for %s", cc / 10, cc % 10,
                   text.data);
    return status;
}

static enum rl_status check_toolkit(const struct rl_built *built, int toolkit, struct rl_err *err)
{
    if (built->toolkit == 0 || built->toolkit >= toolkit)
        return RL_OK;
    return rl_err_set(err, RL_UNSUPPORTED, "not built: needs CUDA %d.%d, this program was built with %d.%d", toolkit / 10,
                      toolkit % 10, built->toolkit / 10, built->toolkit % 10);
}

enum rl_status rl_built_check(const struct rl_built *built, struct rl_built_need need, struct rl_err *err)
{
    if (built->cc_count > 0 && built->ccs[built->cc_count - 1] < need.cc)
        return no_code(built, need.cc, err);
    return check_toolkit(built, need.toolkit, err);
}

enum rl_status rl_built_check_card(const struct rl_built *built, struct rl_built_need need, int card_cc, struct rl_err *err)
{
    assert(need.cc >= 0 && need.toolkit >= 0);
    if (card_cc < need.cc)
        return rl_err_set(err, RL_UNSUPPORTED, "needs compute capability %d.%d, this GPU has %d.%d", need.cc / 10, need.cc % 10,
                          card_cc / 10, card_cc % 10);
    /* The code that the driver takes for a GPU: that for the highest compute capability up to its own; 0: none, or unknown. */
    int code = 0;
    for (size_t i = 0; i < built->cc_count; i++)
        if (built->ccs[i] <= card_cc && built->ccs[i] > code)
            code = built->ccs[i];
    if (code > 0 && code < need.cc)
        return no_code(built, need.cc, err);
    return check_toolkit(built, need.toolkit, err);
}
