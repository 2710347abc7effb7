/* show_json.c - version 1 of the JSON that `show --json` prints; docs/man/rooflight-show.1 describes it. Keys are stable: more may
 * be added, none changes its meaning. */
#include <assert.h>
#include <stdio.h>

#include "core/json.h"
#include "show.h"
#include "trust.h"

enum { SHOW_JSON_VERSION = 1 };

static void write_session(struct rl_json *json, const struct show *show)
{
    const struct rl_session *session = &show->capture->session;
    const struct {
        const char *key, *text;
    } texts[] = {
        {"started", session->started},
        {"tool_version", session->tool_version},
        {"source", session->source},
        {"host", session->host},
        {"os", session->os},
        {"driver", session->driver},
        {"cuda_driver", session->cuda_driver},
        {"cuda_runtime", session->cuda_runtime},
        {"cupti", session->cupti},
        {"counters", session->counters},
        {"capture_sha256", show->capture->sha256.hex},
    };
    rl_json_object(json, "session");
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        rl_json_string(json, texts[i].key, texts[i].text);
    rl_json_array(json, "command");
    for (size_t i = 0; i < session->command_count; i++)
        rl_json_string(json, NULL, session->command[i]);
    rl_json_end(json);
    rl_json_end(json);
}

/* A member of a "missing" object when the value is missing. */
static void write_reason(struct rl_json *json, const char *key, struct rl_value value)
{
    if (!rl_present(value))
        rl_json_string(json, key, value.reason);
}

static void write_moment(struct rl_json *json, const struct rl_gpu_moment *moment)
{
    rl_json_object(json, NULL);
    rl_json_string(json, "moment", moment->moment);
    rl_json_int(json, "at_ns", moment->at_ns);
    for (int i = 0; i < RL_READING_COUNT; i++)
        rl_json_value(json, rl_readings[i].id, moment->reading[i]);
    rl_json_end(json);
}

static void write_gpu(struct rl_json *json, const struct show *show, const struct rl_gpu *gpu)
{
    rl_json_object(json, NULL);
    rl_json_int(json, "index", gpu->index);
    rl_json_string(json, "name", gpu->name);
    rl_json_string(json, "uuid", gpu->uuid);
    rl_json_string(json, "chip", gpu->chip);
    char cc[32];
    snprintf(cc, sizeof cc, "%d.%d", gpu->cc_major, gpu->cc_minor);
    rl_json_string(json, "compute_capability", gpu->cc_major ? cc : NULL);
    rl_json_string(json, "driver", show->capture->session.driver);
    for (int i = 0; i < RL_FACT_COUNT; i++)
        rl_json_value(json, rl_facts[i].id, gpu->fact[i]);
    rl_json_object(json, "missing");
    for (int i = 0; i < RL_FACT_COUNT; i++)
        write_reason(json, rl_facts[i].id, gpu->fact[i]);
    rl_json_end(json);
    rl_json_array(json, "moments");
    for (size_t i = 0; i < gpu->moment_count; i++)
        write_moment(json, &gpu->moments[i]);
    rl_json_end(json);
    rl_json_end(json);
}

/* {"median", "low", "high", "min", "max", "n"}; null without samples. */
static void write_stats(struct rl_json *json, const char *key, const struct rl_stats *stats)
{
    if (stats->n == 0) {
        rl_json_null(json, key);
        return;
    }
    struct rl_value none = rl_value_missing(RL_UNDEFINED, NULL);
    rl_json_object(json, key);
    rl_json_double(json, "median", stats->median);
    rl_json_value(json, "low", stats->has_interval ? rl_value_of(stats->low) : none);
    rl_json_value(json, "high", stats->has_interval ? rl_value_of(stats->high) : none);
    rl_json_double(json, "min", stats->min);
    rl_json_double(json, "max", stats->max);
    rl_json_uint(json, "n", stats->n);
    rl_json_end(json);
}

static void write_ceiling(struct rl_json *json, const struct rl_gpu *gpu, enum rl_ceiling_id id, const struct rl_ceiling *ceiling)
{
    rl_json_object(json, NULL);
    rl_json_int(json, "gpu", gpu->index);
    rl_json_string(json, "id", rl_ceilings[id].id);
    rl_json_string(json, "label", rl_ceilings[id].label);
    rl_json_string(json, "unit", rl_unit_json(rl_ceilings[id].unit));
    rl_json_value(json, "theoretical", ceiling->theoretical);
    rl_json_value(json, "theoretical_low", ceiling->theoretical_low);
    rl_json_value(json, "theoretical_high", ceiling->theoretical_high);
    write_stats(json, "measured", &ceiling->measured);
    write_stats(json, "sustained", &ceiling->sustained);
    rl_json_value(json, "limit", ceiling->limit);
    rl_json_value(json, "share_of_limit", ceiling->share);
    rl_json_string(json, "refused", ceiling->refused);
    write_reason(json, "reason", ceiling->theoretical);
    rl_json_end(json);
}

static void write_ceilings(struct rl_json *json, const struct show *show)
{
    rl_json_array(json, "ceilings");
    for (size_t gpu = 0; gpu < show->capture->gpu_count; gpu++) {
        for (int id = 0; id < RL_CEILING_COUNT; id++)
            if (rl_ceiling_listed(&show->analysis->gpus[gpu].ceiling[id], (enum rl_ceiling_id)id))
                write_ceiling(json, &show->capture->gpus[gpu], (enum rl_ceiling_id)id, &show->analysis->gpus[gpu].ceiling[id]);
    }
    rl_json_end(json);
}

static void write_findings(struct rl_json *json, const struct show *show, const struct rl_finding *findings, size_t count)
{
    rl_json_array(json, "findings");
    for (size_t i = 0; i < count; i++) {
        rl_json_object(json, NULL);
        rl_json_string(json, "id", findings[i].id);
        if (findings[i].gpu == RL_NONE)
            rl_json_null(json, "gpu");
        else
            rl_json_int(json, "gpu", show->capture->gpus[findings[i].gpu].index);
        rl_json_string(json, "text", findings[i].text);
        rl_json_value(json, "gain", findings[i].gain);
        rl_json_end(json);
    }
    rl_json_end(json);
}

static void write_variant(struct rl_json *json, const struct show *show, size_t index)
{
    const struct rl_variant *variant = &show->capture->variants[index];
    const struct show_row row = show_row_of_variant(show, index);
    const struct rl_stats duration = show_duration_ns(&row);
    rl_json_object(json, NULL);
    rl_json_int(json, "gpu", show->capture->gpus[variant->gpu].index);
    rl_json_string(json, "variant", variant->name);
    rl_json_string(json, "description", variant->description);
    rl_json_string(json, "status", rl_variant_status_name(variant->status));
    rl_json_string(json, "reason", variant->reason);
    rl_json_string(json, "result", rl_result_name(variant->result));
    rl_json_string(json, "result_text", variant->result_text);
    rl_json_uint(json, "size", variant->size);
    rl_json_string(json, "size_unit", variant->size_unit);
    rl_json_value(json, "model_flop", variant->model_flop);
    rl_json_value(json, "model_bytes", variant->model_bytes);
    rl_json_value(json, "useful_bytes", variant->useful_bytes);
    rl_json_value(json, "operations", variant->operations);
    rl_json_string(json, "measure", variant->measure);
    write_stats(json, "duration_ns", &duration);
    rl_json_value(json, "time_per_operation_s", row.whole->time_per_operation_s);
    rl_json_value(json, "useful_bytes_per_second", show_useful(&row));
    rl_json_value(json, "overlap_share", row.whole->overlap_share);
    rl_json_end(json);
}

static void write_claim(struct rl_json *json, const struct show *show, const struct rl_claim_result *result)
{
    assert(result->claim < show->capture->experiments[result->experiment].claim_count);
    const struct rl_claim *claim = &show->capture->experiments[result->experiment].claims[result->claim];
    rl_json_object(json, NULL);
    rl_json_int(json, "gpu", show->capture->gpus[result->gpu].index);
    rl_json_string(json, "id", claim->id);
    rl_json_string(json, "text", claim->text);
    rl_json_string(json, "outcome", rl_claim_outcome_name(result->outcome));
    rl_json_string(json, "verdict", result->text);
    rl_json_string(json, "quantity", claim->quantity);
    rl_json_string(json, "subject", claim->subject);
    rl_json_string(json, "baseline", claim->baseline);
    rl_json_string(json, "relation", claim->relation);
    rl_json_double(json, "published", claim->value);
    rl_json_double(json, "tolerance", claim->tolerance);
    rl_json_string(json, "card", claim->card);
    rl_json_string(json, "source", claim->source);
    rl_json_string(json, "unit", rl_unit_json(result->unit));
    rl_json_object(json, "measured");
    rl_json_value(json, "estimate", result->measured);
    rl_json_value(json, "low", result->low);
    rl_json_value(json, "high", result->high);
    rl_json_end(json);
    rl_json_end(json);
}

/* How far the writing of experiments has come in the lists that are sorted by experiment. */
struct position {
    size_t variant, claim;
};

static void write_experiment(struct rl_json *json, const struct show *show, size_t index, struct position *at)
{
    const struct rl_capture *capture = show->capture;
    const struct rl_analysis *analysis = show->analysis;
    const struct rl_experiment *experiment = &capture->experiments[index];
    rl_json_object(json, NULL);
    rl_json_string(json, "experiment", experiment->name);
    rl_json_string(json, "topic", experiment->topic);
    rl_json_string(json, "question", experiment->question);
    rl_json_string(json, "explanation", experiment->explanation);
    rl_json_string(json, "source", experiment->source);
    rl_json_array(json, "variants");
    for (; at->variant < capture->variant_count && capture->variants[show->variants[at->variant]].experiment == index;
         at->variant++)
        write_variant(json, show, show->variants[at->variant]);
    rl_json_end(json);
    rl_json_array(json, "claims");
    for (; at->claim < analysis->claim_count && analysis->claims[at->claim].experiment == index; at->claim++)
        write_claim(json, show, &analysis->claims[at->claim]);
    rl_json_end(json);
    rl_json_end(json);
}

static void write_shape(struct rl_json *json, const char *key, const uint32_t shape[3])
{
    if (shape[0] == 0) { /* no threads: not known */
        rl_json_null(json, key);
        return;
    }
    rl_json_array(json, key);
    for (int i = 0; i < 3; i++)
        rl_json_uint(json, NULL, shape[i]);
    rl_json_end(json);
}

static void write_occupancy(struct rl_json *json, const struct rl_occupancy *occupancy)
{
    struct rl_buf limiters = RL_BUF_INIT;
    rl_occupancy_limiter_text(occupancy, &limiters);
    rl_json_object(json, "occupancy");
    rl_json_value(json, "theoretical", occupancy->fraction);
    rl_json_int(json, "blocks_per_sm", occupancy->blocks_per_sm);
    rl_json_int(json, "warps_per_sm", occupancy->warps_per_sm);
    rl_json_string(json, "limited_by", limiters.len ? limiters.data : NULL);
    write_reason(json, "reason", occupancy->fraction);
    rl_json_end(json);
    rl_buf_release(&limiters);
}

static void write_metrics(struct rl_json *json, const struct rl_analysis *analysis, const struct show_row *row)
{
    rl_json_object(json, "metrics");
    for (int i = 0; i < RL_METRIC_COUNT; i++)
        if (rl_metric_listed(analysis, (enum rl_metric)i))
            rl_json_value(json, rl_metrics[i].id, show_metric(row, (enum rl_metric)i));
    rl_json_end(json);
    rl_json_object(json, "missing");
    for (int i = 0; i < RL_METRIC_COUNT; i++)
        if (rl_metric_listed(analysis, (enum rl_metric)i))
            write_reason(json, rl_metrics[i].id, show_metric(row, (enum rl_metric)i));
    rl_json_end(json);
}

static void write_kernel(struct rl_json *json, const struct show *show, size_t index)
{
    struct show_row row = show_row_of_kernel(show, index);
    const struct rl_kernel *kernel = row.kernel;
    row.family = NULL; /* families stand elsewhere */
    struct rl_stats duration = show_duration_ns(&row);
    rl_json_object(json, NULL);
    rl_json_int(json, "gpu", show->capture->gpus[kernel->gpu].index);
    rl_json_string(json, "name", kernel->name);
    rl_json_string(json, "short_name", row.result->short_name);
    rl_json_string(json, "experiment", row.variant ? show->capture->experiments[row.variant->experiment].name : NULL);
    rl_json_string(json, "variant", row.variant ? row.variant->name : NULL);
    write_shape(json, "grid", kernel->grid);
    write_shape(json, "block", kernel->block);
    rl_json_uint(json, "dynamic_shared_bytes", kernel->dynamic_shared_bytes);
    rl_json_value(json, "static_shared_bytes", kernel->static_shared_bytes);
    rl_json_value(json, "registers_per_thread", kernel->registers_per_thread);
    rl_json_value(json, "local_bytes_per_thread", kernel->local_bytes_per_thread);
    rl_json_uint(json, "launches", kernel->launches);
    if (kernel->total_ns)
        rl_json_uint(json, "total_ns", kernel->total_ns);
    else
        rl_json_null(json, "total_ns");
    rl_json_string(json, "timing", kernel->timing);
    rl_json_string(json, "nvtx", kernel->nvtx);
    rl_json_string(json, "result", show_result(&row));
    write_stats(json, "duration_ns", &duration);
    rl_json_value(json, "useful_bytes_per_second", show_useful(&row));
    rl_json_value(json, "roof_share", show_roof_share(&row));
    rl_json_string(json, "bound", show_bound(&row));
    rl_json_string(json, "above_roof", row.result->above_roof);
    write_occupancy(json, &row.result->occupancy);
    write_metrics(json, show->analysis, &row);
    write_findings(json, show, row.result->findings, row.result->finding_count);
    rl_json_end(json);
}

static void write_log(struct rl_json *json, const struct rl_capture *capture)
{
    static const char *const levels[] = {[RL_LOG_NOTE] = "note", [RL_LOG_WARNING] = "warning", [RL_LOG_ERROR] = "error"};
    rl_json_array(json, "log");
    for (size_t i = 0; i < capture->log_count; i++) {
        rl_json_object(json, NULL);
        rl_json_int(json, "at_ns", capture->log[i].at_ns);
        rl_json_string(json, "level", levels[capture->log[i].level]);
        rl_json_string(json, "text", capture->log[i].text);
        rl_json_end(json);
    }
    rl_json_end(json);
}

void show_json(const struct show *show, struct rl_buf *out)
{
    struct rl_json json;
    rl_json_init(&json, out, RL_JSON_INDENTED);
    rl_json_object(&json, NULL);
    rl_json_string(&json, "format", "rooflight");
    rl_json_int(&json, "version", SHOW_JSON_VERSION);
    rl_json_bool(&json, "complete", show->capture->session.complete);
    write_session(&json, show);
    cli_signature_json(&json, show->capture);
    rl_json_array(&json, "gpus");
    for (size_t i = 0; i < show->capture->gpu_count; i++)
        write_gpu(&json, show, &show->capture->gpus[i]);
    rl_json_end(&json);
    write_ceilings(&json, show);
    rl_json_array(&json, "experiments");
    struct position at = {0, 0};
    for (size_t i = 0; i < show->capture->experiment_count; i++)
        write_experiment(&json, show, i, &at);
    rl_json_end(&json);
    rl_json_array(&json, "kernels");
    for (size_t i = 0; i < show->capture->kernel_count; i++)
        write_kernel(&json, show, i);
    rl_json_end(&json);
    show_families_json(show, &json);
    show_program_json(show, &json);
    show_ranks_json(show, &json);
    show_links_json(show, &json);
    write_findings(&json, show, show->analysis->findings, show->analysis->finding_count);
    write_log(&json, show->capture);
    rl_json_end(&json);
    assert(rl_json_done(&json));
}
