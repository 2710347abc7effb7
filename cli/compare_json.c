/* compare_json.c - version 1 of the JSON that `compare --json` prints; docs/man/rooflight-compare.1 describes it. Keys are stable:
 * more may be added, none changes its meaning. */
#include <assert.h>
#include <string.h>

#include "compare.h"
#include "core/json.h"

enum { COMPARE_JSON_VERSION = 1 };

static void write_part(struct rl_json *json, const char *key, const struct compare *compare, size_t index)
{
    const struct compare_part *part = &compare->parts[index];
    const struct rl_capture *capture = part->capture;
    const double price = compare->columns ? compare->columns->columns[index].price : 0;
    rl_json_object(json, key);
    rl_json_string(json, "capture", part->path);
    rl_json_string(json, "capture_sha256", capture->sha256.hex);
    cli_signature_json(json, capture);
    rl_json_string(json, "card", capture->gpu_count ? capture->gpus[0].name : NULL);
    rl_json_string(json, "uuid", capture->gpu_count ? capture->gpus[0].uuid : NULL);
    rl_json_string(json, "started", capture->session.started);
    rl_json_bool(json, "complete", capture->session.complete);
    rl_json_string(json, "kind", strcmp(capture->session.source, "published") == 0 ? "published" : "measured");
    if (price > 0)
        rl_json_double(json, "price_per_hour", price);
    if (part->against_base) {
        rl_json_array(json, "notes");
        for (size_t i = 0; i < part->against_base->note_count; i++)
            rl_json_string(json, NULL, part->against_base->notes[i]);
        rl_json_end(json);
    }
    rl_json_end(json);
}

static void write_ratio(struct rl_json *json, const char *key, const struct rl_ratio *ratio)
{
    const struct rl_value none = rl_value_missing(RL_UNDEFINED, NULL);
    if (!ratio->present) {
        rl_json_null(json, key);
        return;
    }
    rl_json_object(json, key);
    rl_json_double(json, "estimate", ratio->estimate);
    rl_json_value(json, "low", ratio->has_interval ? rl_value_of(ratio->low) : none);
    rl_json_value(json, "high", ratio->has_interval ? rl_value_of(ratio->high) : none);
    rl_json_end(json);
}

/* NULL where no grid is known. */
static const char *shape_of(const struct rl_item *item)
{
    const char *shape = rl_item_shape(item);
    return *shape ? shape : NULL;
}

/* A side of a pair: what it is called there, and how long it took. */
static void write_item(struct rl_json *json, const char *key, const struct rl_item *item, const struct rl_median *median)
{
    const struct rl_value none = rl_value_missing(RL_NOT_COLLECTED, NULL);
    rl_json_object(json, key);
    rl_json_string(json, "label", item->label);
    rl_json_string(json, "name", item->kernel == RL_NONE ? item->path : item->name);
    rl_json_string(json, "shape", shape_of(item));
    rl_json_value(json, "median_s", median->n ? rl_value_of(median->median) : none);
    rl_json_uint(json, "n", median->n);
    rl_json_value(json, "roof_share", item->roof_share);
    rl_json_value(json, "roof_time_s", item->roof_time_s);
    rl_json_string(json, "bound", rl_bound_name(item->bound));
    rl_json_end(json);
}

static void write_why(struct rl_json *json, const struct rl_pair *pair)
{
    rl_json_array(json, "why");
    for (size_t i = 0; i < pair->moved_count; i++) {
        rl_json_object(json, NULL);
        rl_json_string(json, "metric", rl_metrics[pair->moved[i].metric].id);
        rl_json_value(json, "base", pair->moved[i].base);
        rl_json_value(json, "new", pair->moved[i].new);
        rl_json_bool(json, "explains", pair->moved[i].explains);
        rl_json_end(json);
    }
    rl_json_end(json);
}

static void write_doubt(struct rl_json *json, const struct rl_pair *pair)
{
    struct rl_buf text = RL_BUF_INIT;
    rl_pair_doubt_text(pair, &text);
    rl_json_string(json, "doubt", text.len ? text.data : NULL);
    rl_buf_release(&text);
    if (pair->change.more_samples)
        rl_json_uint(json, "more_samples", pair->change.more_samples);
}

/* What is asked of cards only. */
static void write_card(struct rl_json *json, const struct rl_columns *columns, size_t column, size_t item)
{
    const struct rl_ratio worth = rl_cell_worth(columns, column, item);
    rl_json_value(json, "predicted_speedup", columns->columns[column].cells[item].predicted);
    rl_json_bool(json, "wasted", rl_cell_is_wasted(&columns->columns[column], item));
    if (columns->columns[column].price > 0) {
        rl_json_value(json, "cost_of_base", rl_cell_cost(&columns->columns[0], item));
        rl_json_value(json, "cost", rl_cell_cost(&columns->columns[column], item));
        write_ratio(json, "worth", &worth);
    }
}

static void write_pair(struct rl_json *json, const struct compare *compare, size_t other, const struct rl_pair *pair)
{
    const struct rl_comparison *comparison = compare->parts[other + 1].against_base;
    const struct rl_item *base = &comparison->base.items[pair->base], *new = &comparison->new.items[pair->new];
    rl_json_object(json, NULL);
    rl_json_uint(json, "other", other);
    rl_json_string(json, "name", base->label);
    rl_json_string(json, "match", rl_matches[pair->match].words);
    rl_json_string(json, "verdict", rl_verdict_name(pair->change.verdict));
    write_ratio(json, "ratio", &pair->change.time);
    write_ratio(json, "ratio_in_cycles", &pair->change.cycles);
    if (pair->work == RL_WORK_UNKNOWN)
        rl_json_null(json, "work_equal");
    else
        rl_json_bool(json, "work_equal", pair->work == RL_WORK_EQUAL);
    rl_json_string(json, "work", pair->work_text);
    write_why(json, pair);
    write_doubt(json, pair);
    rl_json_bool(json, "result_broke", pair->broke);
    if (compare->tolerance >= 0)
        rl_json_bool(json, "regression", rl_pair_is_regression(pair, compare->tolerance));
    if (compare->columns)
        write_card(json, compare->columns, other + 1, pair->base);
    write_item(json, "base", base, &pair->change.base);
    write_item(json, "new", new, &pair->change.new);
    rl_json_end(json);
}

static void write_pairs(struct rl_json *json, const struct compare *compare)
{
    rl_json_array(json, "pairs");
    for (size_t other = 0; other + 1 < compare->count; other++) {
        const struct rl_comparison *comparison = compare->parts[other + 1].against_base;
        for (size_t i = 0; i < comparison->pair_count; i++)
            write_pair(json, compare, other, &comparison->pairs[i]);
    }
    rl_json_end(json);
}

static void write_unmatched(struct rl_json *json, const struct compare *compare, bool added)
{
    rl_json_array(json, added ? "added" : "removed");
    for (size_t other = 0; other + 1 < compare->count; other++) {
        const struct rl_comparison *comparison = compare->parts[other + 1].against_base;
        const struct rl_compare_side *side = added ? &comparison->new : &comparison->base;
        for (size_t i = 0; i < (added ? comparison->added_count : comparison->removed_count); i++) {
            const struct rl_item *item = &side->items[(added ? comparison->added : comparison->removed)[i]];
            rl_json_object(json, NULL);
            rl_json_uint(json, "other", other);
            rl_json_string(json, "label", item->label);
            rl_json_string(json, "name", item->kernel == RL_NONE ? item->path : item->name);
            rl_json_string(json, "shape", shape_of(item));
            rl_json_end(json);
        }
    }
    rl_json_end(json);
}

static void write_rules(struct rl_json *json, const struct compare *compare)
{
    const struct rl_verdict_rules *rules = &compare->parts[1].against_base->rules;
    rl_json_object(json, "rules");
    rl_json_double(json, "confidence", rules->confidence);
    rl_json_double(json, "smallest_effect", rules->smallest_effect);
    rl_json_double(json, "session_effect", rules->session_effect);
    rl_json_uint(json, "comparisons", rules->comparisons);
    rl_json_end(json);
}

void compare_json(const struct compare *compare, struct rl_buf *out)
{
    struct rl_json json;
    rl_json_init(&json, out, RL_JSON_INDENTED);
    rl_json_object(&json, NULL);
    rl_json_string(&json, "format", "rooflight comparison");
    rl_json_int(&json, "version", COMPARE_JSON_VERSION);
    write_part(&json, "base", compare, 0);
    rl_json_array(&json, "others");
    for (size_t i = 1; i < compare->count; i++)
        write_part(&json, NULL, compare, i);
    rl_json_end(&json);
    if (compare->count > 1)
        write_rules(&json, compare);
    write_pairs(&json, compare);
    write_unmatched(&json, compare, true);
    write_unmatched(&json, compare, false);
    if (compare->project.count)
        project_json(&compare->project, &json);
    rl_json_end(&json);
    assert(rl_json_done(&json));
}
