#include <assert.h>
#include <stdlib.h>
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
    const char *value, *most;
    double slack;
    const char *words;
} rows[] = {
#define LIMIT(...) {__VA_ARGS__},
#include "limits.def"
#undef LIMIT
};

struct rl_limits {
    struct rl_formula *value[RL_COUNT(rows)], *most[RL_COUNT(rows)];
    size_t flagged;
};

static struct rl_formula *parse(const char *text)
{
    struct rl_formula *formula = NULL;
    const enum rl_status status = rl_formula_parse(text, &formula, NULL);

    assert(status == RL_OK); /* rows are ours, and tested */
    (void)status;
    return formula;
}

struct rl_limits *rl_limits_new(void)
{
    struct rl_limits *limits = rl_calloc(1, sizeof *limits);

    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        limits->value[i] = parse(rows[i].value);
        limits->most[i] = parse(rows[i].most);
    }
    return limits;
}

void rl_limits_free(struct rl_limits *limits)
{
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        rl_formula_free(limits->value[i]);
        rl_formula_free(limits->most[i]);
    }
    free(limits);
}

static void flag(struct rl_capture *capture, const struct limit *row, const char *kernel, double value, double most)
{
    const enum rl_unit unit = rl_metrics[row->metric].unit;
    RL_SCRATCH text = RL_BUF_INIT, name = RL_BUF_INIT, plain = RL_BUF_INIT;

    rl_kernel_short_name(kernel, &name);
    rl_utf8_printable(&plain, name.data, name.len);
    rl_buf_adds(&text, "import: ");
    rl_utf8_ellipsis(&text, plain.data, plain.len, NAME_COLUMNS);
    rl_buf_addf(&text, ": %s of ", rl_metrics[row->metric].label);
    rl_unit_format_ascii(&text, unit, value, 4);
    rl_buf_adds(&text, " is above ");
    rl_unit_format_ascii(&text, unit, most, 4);
    rl_buf_addf(&text, " (%s): check the unit in the file", row->words);
    rl_capture_log(capture, 0, RL_LOG_WARNING, "%s", text.data);
}

void rl_limits_check(struct rl_limits *limits, struct rl_capture *capture, size_t kernel, rl_name_lookup lookup, void *context)
{
    assert(kernel < capture->kernel_count);
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        const struct rl_value value = rl_formula_eval(limits->value[i], lookup, context, NULL);
        const struct rl_value most = rl_formula_eval(limits->most[i], lookup, context, NULL);
        if (!rl_present(value) || !rl_present(most) || most.v <= 0 || value.v <= most.v * (1 + rows[i].slack))
            continue;
        if (limits->flagged++ < MAX_FLAGGED)
            flag(capture, &rows[i], capture->kernels[kernel].name, value.v, most.v);
    }
}

void rl_limits_finish(const struct rl_limits *limits, struct rl_capture *capture)
{
    if (limits->flagged > MAX_FLAGGED)
        rl_capture_log(capture, 0, RL_LOG_WARNING, "import: %zu more values are above what a card can do",
                       limits->flagged - MAX_FLAGGED);
}
