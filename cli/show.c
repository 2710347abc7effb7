#include "show.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/ranks.h"
#include "analysis/sampled.h"
#include "core/mem.h"
#include "core/utf8.h"

static void find_loose(struct show *show)
{
    const size_t *kernels = show->analysis->index.kernels_of_gpu.at;
    show->loose = rl_calloc(show->capture->kernel_count, sizeof *show->loose);
    for (size_t i = 0; i < show->capture->kernel_count; i++)
        if (show->capture->kernels[kernels[i]].variant == RL_NONE)
            show->loose[show->loose_count++] = kernels[i];
}

void show_init(struct show *show, const char *path, const struct rl_capture *capture, bool shapes)
{
    *show = (struct show){.path = path, .capture = capture, .shapes = shapes};
    show->subject = view_subject_analyse(path, capture, shapes ? RL_FOLD_NONE : RL_FOLD_EACH_GPU, &show->analysis);
    show->variants = show->analysis->index.variants_of_experiment.at;
    show->families = show->subject->families;
    show->hidden = show->subject->hidden;
    show->alike = show->subject->alike;
    find_loose(show);
}

void show_release(struct show *show)
{
    view_subject_free(show->subject);
    rl_analysis_free(show->analysis);
    free(show->loose);
}

struct show_row show_row_of_kernel(const struct show *show, size_t kernel)
{
    assert(kernel < show->capture->kernel_count);
    const struct rl_kernel *of = &show->capture->kernels[kernel];
    return (struct show_row){.variant = of->variant == RL_NONE ? NULL : &show->capture->variants[of->variant],
                             .kernel = of,
                             .result = &show->analysis->kernels[kernel],
                             .whole = of->variant == RL_NONE ? NULL : &show->analysis->variants[of->variant],
                             .family = &show->families->at[show->families->of_kernel[kernel]]};
}

bool show_is_folded(const struct show *show, size_t kernel)
{
    return show->families->at[show->families->of_kernel[kernel]].kernel != kernel;
}

void show_label(const struct rl_family *family, size_t most, struct rl_buf *out)
{
    struct rl_buf shapes = RL_BUF_INIT;
    if (family->figures)
        rl_buf_addf(&shapes, ", %zu shapes", family->shapes);
    rl_utf8_abbreviate(out, family->label, most - shapes.len);
    rl_buf_add(out, shapes.data, shapes.len);
    rl_buf_release(&shapes);
}

/* NULL: the row is of one kernel, or of a variant. */
static const struct rl_family_figures *figures_of(const struct show_row *row)
{
    return row->family ? row->family->figures : NULL;
}

bool show_is_one_kernel(const struct show *show, size_t variant)
{
    assert(variant < show->capture->variant_count);
    const size_t *kernels;
    return rl_group(&show->analysis->index.kernels_of_variant, variant, &kernels) == 1 &&
           show->capture->variants[variant].duration_count == 0 && show->capture->kernels[kernels[0]].launches_per_run <= 1;
}

struct show_row show_row_of_variant(const struct show *show, size_t variant)
{
    assert(variant < show->capture->variant_count);
    return (struct show_row){.variant = &show->capture->variants[variant], .whole = &show->analysis->variants[variant]};
}

/* Present when the row may show performance, otherwise missing with the reason why not. */
static struct rl_value performance_of(const struct show_row *row)
{
    if (row->result ? row->result->wrong : row->variant->result == RL_RESULT_WRONG)
        return rl_value_missing(RL_UNDEFINED, "wrong result");
    return row->whole && row->whole->why_not ? rl_value_missing(RL_NOT_COLLECTED, "not run") : rl_value_of(1);
}

static const struct rl_stats *duration_of(const struct show_row *row)
{
    return row->result ? &row->result->duration : &row->whole->duration;
}

struct rl_value show_median(const struct show_row *row)
{
    struct rl_value allowed = performance_of(row);
    if (!rl_present(allowed))
        return allowed;
    if (figures_of(row))
        return figures_of(row)->median_s;
    return duration_of(row)->n ? rl_value_of(duration_of(row)->median) : rl_value_missing(RL_NOT_COLLECTED, "no times");
}

struct rl_value show_half_width(const struct show_row *row)
{
    struct rl_value median = show_median(row);
    if (!rl_present(median))
        return median;
    if (figures_of(row))
        return rl_value_missing(RL_UNDEFINED, "a family of shapes");
    const struct rl_stats *duration = duration_of(row);
    if (!duration->has_interval)
        return rl_value_missing(RL_UNDEFINED, "too few samples for an interval");
    return rl_value_div(rl_value_of((duration->high - duration->low) / 2), median, "the duration is zero");
}

struct rl_value show_useful(const struct show_row *row)
{
    struct rl_value allowed = performance_of(row);
    if (!rl_present(allowed))
        return allowed;
    return row->result ? row->result->useful_bytes_per_second : row->whole->useful_bytes_per_second;
}

struct rl_value show_roof_share(const struct show_row *row)
{
    struct rl_value allowed = performance_of(row);
    if (!rl_present(allowed))
        return allowed;
    if (figures_of(row))
        return figures_of(row)->roof_share;
    return row->result ? row->result->roof_share : rl_value_missing(RL_UNDEFINED, "a run is several launches");
}

static const struct rl_value *metrics_of(const struct show_row *row)
{
    return figures_of(row) ? figures_of(row)->metric : row->result ? row->result->metric : row->whole->metric;
}

struct rl_value show_metric(const struct show_row *row, enum rl_metric metric)
{
    assert(metric < RL_METRIC_COUNT);
    struct rl_value allowed = performance_of(row);
    if (!rl_present(allowed))
        return allowed;
    return metrics_of(row)[metric];
}

/* Of all metrics; NULL: there are none, or they may not be shown. */
static const struct rl_estimate *estimates_of(const struct show_row *row)
{
    if (!rl_present(performance_of(row)))
        return NULL;
    return figures_of(row) ? figures_of(row)->estimate : row->result ? row->result->estimate : NULL;
}

static const struct rl_estimate *estimate_of(const struct show_row *row, enum rl_metric metric)
{
    return rl_estimate_of(metrics_of(row), estimates_of(row), metric);
}

struct rl_value show_estimate(const struct show_row *row, enum rl_metric metric)
{
    const struct rl_estimate *estimate = estimate_of(row, metric);
    return estimate ? estimate->value : rl_value_missing(RL_NOT_COLLECTED, NULL);
}

struct rl_value show_most(const struct show_row *row, enum rl_metric metric)
{
    return rl_estimate_most(metrics_of(row), estimates_of(row), metric);
}

double show_estimate_half_width(const struct show_row *row, enum rl_metric metric)
{
    const struct rl_estimate *estimate = estimate_of(row, metric);
    return estimate ? estimate->half_width : 0;
}

bool show_roof_is_estimate(const struct show_row *row)
{
    return estimates_of(row) && (figures_of(row) || row->result->limits.sampled);
}
