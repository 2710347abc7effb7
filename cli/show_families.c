/* show_families.c - the member "families" of `show --json`: kernels of many shapes, whose classes are elements of "kernels". */
#include "core/mem.h"
#include "show.h"

static void write_spread(struct rl_json *json, const char *key, const struct rl_spread *spread)
{
    if (spread->n == 0) {
        rl_json_null(json, key);
        return;
    }
    rl_json_object(json, key);
    rl_json_double(json, "least", spread->least);
    rl_json_double(json, "low", spread->low);
    rl_json_double(json, "median", spread->median);
    rl_json_double(json, "high", spread->high);
    rl_json_double(json, "greatest", spread->greatest);
    rl_json_uint(json, "n", spread->n);
    rl_json_end(json);
}

static void write_metrics(struct rl_json *json, const struct rl_analysis *analysis, const struct rl_family_figures *figures)
{
    rl_json_object(json, "metrics");
    for (int i = 0; i < RL_METRIC_COUNT; i++)
        if (rl_metric_listed(analysis, (enum rl_metric)i))
            rl_json_value(json, rl_metrics[i].id, figures->metric[i]);
    rl_json_end(json);
    rl_json_object(json, "missing");
    for (int i = 0; i < RL_METRIC_COUNT; i++)
        if (rl_metric_listed(analysis, (enum rl_metric)i) && !rl_present(figures->metric[i]))
            rl_json_string(json, rl_metrics[i].id, figures->metric[i].reason);
    rl_json_end(json);
}

static void write_figures(struct rl_json *json, const struct rl_analysis *analysis, const struct rl_family_figures *figures)
{
    rl_json_uint(json, "timed_shapes", figures->timed_shapes);
    rl_json_uint(json, "fewest_blocks", figures->least);
    rl_json_uint(json, "median_blocks", figures->middle);
    rl_json_uint(json, "most_blocks", figures->greatest);
    write_spread(json, "blocks", &figures->blocks);
    write_spread(json, "time_per_block_s", &figures->per_block_s);
    rl_json_value(json, "median_s", figures->median_s);
    rl_json_value(json, "min_s", figures->min_s);
    rl_json_value(json, "max_s", figures->max_s);
    rl_json_uint(json, "counted_shapes", figures->counted_shapes);
    rl_json_uint(json, "disagreeing_shapes", figures->disagreeing_shapes);
    rl_json_uint(json, "counted_launches", figures->counted);
    rl_json_object(json, "shapes_agree");
    for (int i = 0; i < RL_TRAIT_COUNT; i++)
        if (figures->trait[i].n > 1)
            rl_json_bool(json, rl_traits[i].id, rl_spread_agrees(&figures->trait[i]));
        else
            rl_json_null(json, rl_traits[i].id);
    rl_json_end(json);
    rl_json_object(json, "spread");
    for (int i = 0; i < RL_TRAIT_COUNT; i++)
        write_spread(json, rl_traits[i].id, &figures->trait[i]);
    rl_json_end(json);
    rl_json_value(json, "time_of_a_counted_launch_s", figures->time_s);
    rl_json_value(json, "roof_share", figures->roof_share);
    rl_json_string(json, "bound", rl_bound_name(figures->bound));
    rl_json_string(json, "above_roof", figures->above_roof);
    write_metrics(json, analysis, figures);
}

static void write_family(struct rl_json *json, const struct show *show, const struct rl_family *family)
{
    const struct rl_kernel *kernel = &show->capture->kernels[family->kernel];
    rl_json_object(json, NULL);
    rl_json_string(json, "id", family->id);
    rl_json_int(json, "gpu", show->capture->gpus[kernel->gpu].index);
    rl_json_string(json, "name", kernel->name);
    rl_json_string(json, "short_name", family->label);
    rl_json_uint(json, "shapes", family->shapes);
    rl_json_array(json, "kernels");
    for (size_t i = 0; i < family->shapes; i++)
        rl_json_uint(json, NULL, family->classes[i].kernel);
    rl_json_end(json);
    rl_json_uint(json, "launches", family->time.launches);
    rl_json_uint(json, "timed", family->time.timed);
    rl_json_value(json, "gpu_s", rl_family_gpu_s(family));
    rl_json_string(json, "gpu_s_is", rl_time_state_name(family->time.state));
    rl_json_double(json, "gpu_s_error", family->time.error_ns * 1e-9);
    rl_json_value(json, "share", rl_family_share(family));
    write_figures(json, show->analysis, family->figures);
    rl_json_end(json);
}

void show_families_json(const struct show *show, struct rl_json *json)
{
    if (show->loose_count == 0)
        return;
    rl_json_array(json, "families");
    for (size_t i = 0; i < show->families->count; i++)
        if (show->families->at[i].figures)
            write_family(json, show, &show->families->at[i]);
    rl_json_end(json);
}
