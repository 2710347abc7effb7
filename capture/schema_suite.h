/* schema_suite.h - columns of what the suite measured, and rules over more than one of them. Private to capture/schema.c. */
#pragma once

#include "schema_columns.h"

static const char *const relations[] = {"about", "at_least", "at_most", "between", NULL};
static const char *const measures[] = {"kernel", "span", "wall", NULL};

/* As the file has them. */
NAMES(unit, RL_UNIT_COUNT_, rl_unit_json((enum rl_unit)member))
NAMES(result, RL_RESULT_WRONG + 1, rl_result_name((enum rl_result)member))
NAMES(status, RL_VARIANT_FAILED + 1, rl_variant_status_name((enum rl_variant_status)member))
NAMES(event, RL_EVENT_SET + 1, rl_event_kind_name((enum rl_event_kind)member))
NAMES(deviation, RL_DEVIATION_KIND_COUNT, rl_deviation_kind_name((enum rl_deviation_kind)member))
NAMES(form, RL_CHART_FORM_COUNT, rl_chart_form_name((enum rl_chart_form)member))

static const struct rl_column ceiling_run_columns[] = {
    INDEX(ceiling_run, gpu, GPU),
    NAME_AS("ceiling", ceiling_run, id),
    ENUM(ceiling_run, unit, unit_names),
    TEXT(ceiling_run, configuration),
    VALUE(ceiling_run, sm_clock_hz, 0, EXACT),
    VALUE(ceiling_run, memory_clock_hz, 0, EXACT),
    VALUE(ceiling_run, throttle_reasons, 0, BITS),
};
static const struct rl_column ceiling_sample_columns[] = {
    OWNER("ceiling_run", CEILING_RUN),
    COLUMN("rate", REAL, .offset = 0, RANGE(0, ANY)),
};
static const struct rl_column experiment_columns[] = {
    NAME_AS("name", experiment, name), TEXT(experiment, topic),  TEXT(experiment, question),
    TEXT(experiment, explanation),     TEXT(experiment, source),
};
static const struct rl_column claim_columns[] = {
    OWNER("experiment", EXPERIMENT),
    NAME_AS("claim", claim, id),
    TEXT(claim, text),
    NAME_AS("quantity", claim, quantity),
    NAME_AS("subject", claim, subject),
    PRIVATE(NAME, claim, baseline, .optional = true),
    WORD(claim, relation, relations),
    REAL(claim, value, -ANY, ANY),
    REAL(claim, tolerance, 0, 1e6), /* so that it can be given in percent */
    PRIVATE(PRODUCT, claim, card, .optional = true),
    BOOL(claim, card_specific),
    TEXT(claim, source),
};
static const struct rl_column claim_source_columns[] = {
    OWNER("claim", CLAIM),
    TEXT(claim_source, document),
    OPTIONAL_TEXT(claim_source, heading),
    OPTIONAL_TEXT(claim_source, quote),
    OPTIONAL_TEXT(claim_source, reading),
    VALUE(claim_source, most, -ANY, ANY),
};
static const struct rl_column variant_columns[] = {
    INDEX(variant, experiment, EXPERIMENT),
    INDEX(variant, gpu, GPU),
    NAME_AS("name", variant, name),
    TEXT(variant, description),
    ENUM(variant, status, status_names),
    OPTIONAL_TEXT(variant, reason),
    ENUM(variant, result, result_names),
    OPTIONAL_TEXT(variant, result_text),
    U64(variant, size),
    TEXT(variant, size_unit),
    VALUE(variant, model_flop, 0, ANY),
    VALUE(variant, model_bytes, 0, ANY),
    VALUE(variant, useful_bytes, 0, ANY),
    VALUE(variant, operations, 0, ANY),
    WORD(variant, measure, measures),
};
static const struct rl_column variant_duration_columns[] = {
    OWNER("variant", VARIANT),
    INTEGER("duration_ns", U64, 0, LARGEST, .offset = 0),
};
static const struct rl_column event_columns[] = {
    OWNER("variant", VARIANT),    ENUM(event, kind, event_names),
    U32("stream", event, stream), TIME(event, start_ns),
    TIME(event, end_ns),          U64(event, bytes),
};

#define SETTING_COLUMNS                                                                                                            \
    CONSTANT_NAME(setting, key, .optional = false), ENUM(setting, unit, unit_names), VALUE(setting, number, -ANY, ANY),            \
        CONSTANT_NAME(setting, text, .optional = true)
static const struct rl_column variant_setting_columns[] = {OWNER("variant", VARIANT), SETTING_COLUMNS};
static const struct rl_column ceiling_setting_columns[] = {OWNER("ceiling_run", CEILING_RUN), SETTING_COLUMNS};
static const struct rl_column deviation_columns[] = {
    OWNER("variant", VARIANT),
    ENUM(deviation, kind, deviation_names),
    REAL(deviation, largest, 0, ANY),
    VALUE(deviation, tolerance, 0, ANY),
    VALUE(deviation, element, 0, BITS),
    U64(deviation, compared),
    U64(deviation, wrong),
};
static const struct rl_column form_columns[] = {
    OWNER("experiment", EXPERIMENT),
    ENUM(experiment_form, form, form_names),
    PRIVATE(NAME, experiment_form, axis, .optional = true),
    OPTIONAL_TEXT(experiment_form, axis_title),
    ENUM(experiment_form, axis_unit, unit_names),
    PRIVATE(NAME, experiment_form, series, .optional = true),
    PRIVATE(NAME, experiment_form, way, .optional = true),
};
static const struct rl_column column_columns[] = {
    OWNER("experiment", EXPERIMENT),
    COLUMN("column_id", TEXT, .offset = 0, .privacy = RL_PRIVACY_NAME),
};
static const struct rl_column pair_columns[] = {
    OWNER("experiment", EXPERIMENT),
    NAME_AS("broken", variant_pair, broken),
    NAME_AS("mended", variant_pair, mended),
};
static const struct rl_column reference_columns[] = {
    OWNER("experiment", EXPERIMENT),
    COLUMN("variant_name", TEXT, .offset = 0, .privacy = RL_PRIVACY_NAME),
};

RULE(variant, variant, here->status != RL_VARIANT_DONE && !here->reason ? "it was not done, but there is no reason" : NULL)
RULE(event, event, here->end_ns < here->start_ns ? "it ends before it starts" : NULL)
/* A setting of a variant or of a ceiling. */
RULE(setting, setting,
     rl_present(here->number) == (here->text == NULL) ? NULL
     : here->text                                     ? "it is a number and a text"
                                                      : "it is neither a number nor a text")
RULE(deviation, deviation, here->wrong > here->compared ? "more elements are wrong than were compared" : NULL)
UNSAID(no_deviation, deviation, here->kind == RL_DEVIATION_NONE)

RULE(form, experiment_form,
     !here->axis != !here->axis_title                                      ? "its axis has no title, or its title no axis"
     : here->form != RL_CHART_FORM_BARS && !here->axis                     ? "it is drawn over an axis, but has none"
     : here->form == RL_CHART_FORM_STAGES && (!here->series || !here->way) ? "it is drawn in panels, but lacks a key for them"
                                                                           : NULL)
/* Bars, without anything further. */
UNSAID(plain_form, experiment_form, here->form == RL_CHART_FORM_BARS && !here->axis && !here->series && !here->way)

/* The fault of where a claim comes from; NULL: none. */
static const char *claim_source_rule(const struct rl_schema_row *row)
{
    const struct rl_claim_source *source = row->element;
    const struct rl_claim *claim = (const void *)((const char *)row->element - offsetof(struct rl_claim, from));
    const bool between = strcmp(claim->relation, "between") == 0;
    if (between != rl_present(source->most))
        return between ? "its range has no upper end" : "it has an upper end, but its claim is no range";
    return between && source->most.v < claim->value ? "its range ends before it begins" : NULL;
}

UNSAID(no_claim_source, claim_source, !here->document)

/* Columns of copies between GPUs, and rules over more than one of them. Private to capture/schema.c. */
static const char *const ways[] = {"nvlink", "nvswitch", "c2c", "pcie", "host", "unknown", NULL};
static const char *const traffics[] = {"alone", "both ways", "together", NULL};

static const struct rl_column link_columns[] = {
    INDEX_OR_NONE(link, from_gpu, GPU),   INDEX_OR_NONE(link, to_gpu, GPU), WORD(link, via, ways),
    OPTIONAL_TEXT(link, topology),        OPTIONAL_TEXT(link, access),      VALUE(link, nvlinks, 0, 1024),
    VALUE(link, nvlink_version, 0, 1024), VALUE(link, nvlink_rate, 0, ANY), VALUE(link, pcie_generation, 0, 1024),
    VALUE(link, pcie_width, 0, 1024),     OPTIONAL_TEXT(link, failure),
};
static const struct rl_column link_run_columns[] = {
    INDEX(link_run, link, LINK),
    WORD(link_run, traffic, traffics),
    U64(link_run, bytes),
    U64(link_run, copies),
};
static const struct rl_column link_duration_columns[] = {
    OWNER("link_run", LINK_RUN),
    INTEGER("duration_ns", U64, 0, LARGEST, .offset = 0),
};

RULE(link, link, here->from_gpu == here->to_gpu ? "it begins where it ends" : NULL)
RULE(link_run, link_run, here->bytes == 0 || here->copies == 0 ? "it copied nothing" : NULL)
