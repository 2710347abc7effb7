#include <assert.h>
#include <string.h>

#include "analysis/analysis.h"
#include "build.h"
#include "core/buf.h"
#include "core/formula.h"
#include "core/mem.h"
#include "core/units.h"
#include "core/utf8.h"

enum { MAX_FLAGGED = 10, NAME_COLUMNS = 80 };

static const struct limit {
    enum rl_metric metric;
    const char *most;
    double slack;
    const char *words;
} rows[] = {
#define LIMIT(metric, most, slack, words) {RL_METRIC_##metric, most, slack, words},
#include "limits.def"
#undef LIMIT
};

/* Facts of a card: "gpu_" and their id. */
static struct rl_value fact_of(void *context, const char *name)
{
    const struct rl_gpu *gpu = context;

    for (size_t i = 0; i < RL_FACT_COUNT; i++)
        if (strcmp(name + strlen("gpu_"), rl_facts[i].id) == 0)
            return gpu->fact[i];
    assert(!"a fact"); /* rows are ours, and tested */
    return rl_value_missing(RL_NOT_COLLECTED, NULL);
}

static void flag(struct rl_capture *capture, const struct limit *row, const struct rl_kernel_result *kernel, double value,
                 double most)
{
    struct rl_buf text = RL_BUF_INIT;

    rl_buf_adds(&text, "import: ");
    rl_utf8_ellipsis(&text, kernel->short_name, strlen(kernel->short_name), NAME_COLUMNS);
    rl_buf_addf(&text, ": %s of ", rl_metrics[row->metric].label);
    rl_unit_format_ascii(&text, rl_metrics[row->metric].unit, value, 4);
    rl_buf_adds(&text, " is above ");
    rl_unit_format_ascii(&text, rl_metrics[row->metric].unit, most, 4);
    rl_buf_addf(&text, " (%s): check the unit in the file", row->words);
    rl_capture_log(capture, 0, RL_LOG_WARNING, "%s", text.data);
    rl_buf_release(&text);
}

/* Flags the kernels whose metric is above `formula`; returns how many there are. */
static size_t check_row(struct rl_capture *capture, const struct rl_analysis *analysis, const struct limit *row,
                        const struct rl_formula *formula, size_t flagged)
{
    for (size_t i = 0; i < capture->kernel_count; i++) {
        const struct rl_value value = analysis->kernels[i].metric[row->metric];
        const struct rl_value most = rl_formula_eval(formula, fact_of, &capture->gpus[capture->kernels[i].gpu], NULL);
        if (!rl_present(value) || !rl_present(most) || most.v <= 0 || value.v <= most.v * (1 + row->slack))
            continue;
        if (flagged++ < MAX_FLAGGED)
            flag(capture, row, &analysis->kernels[i], value.v, most.v);
    }
    return flagged;
}

void rl_check_limits(struct rl_capture *capture)
{
    struct rl_analysis *analysis = rl_analysis_new(capture);
    size_t flagged = 0;

    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct rl_formula *formula = NULL;
        const enum rl_status status = rl_formula_parse(rows[i].most, &formula, NULL);
        assert(status == RL_OK); /* rows are ours, and tested */
        (void)status;
        flagged = check_row(capture, analysis, &rows[i], formula, flagged);
        rl_formula_free(formula);
    }
    if (flagged > MAX_FLAGGED)
        rl_capture_log(capture, 0, RL_LOG_WARNING, "import: %zu more values are above what a card can do", flagged - MAX_FLAGGED);
    rl_analysis_free(analysis);
}
