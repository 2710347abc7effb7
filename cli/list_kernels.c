#include <string.h>

#include "core/json.h"
#include "core/units.h"
#include "kernels/suite.h"
#include "list.h"

/* Columns of the first column: variants, and "source". */
static size_t label_width(const struct rl_suite_experiment *experiment)
{
    size_t widest = strlen("source");
    for (const struct rl_suite_variant *variant = experiment->variants; variant->name; variant++)
        widest = strlen(variant->name) > widest ? strlen(variant->name) : widest;
    return widest;
}

static void print_variants(struct cli_doc *doc, const struct rl_suite_experiment *experiment)
{
    for (const struct rl_suite_variant *variant = experiment->variants; variant->name; variant++) {
        struct rl_buf text = RL_BUF_INIT, needs = RL_BUF_INIT, not_built = RL_BUF_INIT;
        rl_buf_adds(&text, variant->description);
        rl_buf_adds(&text, " Work: ");
        rl_suite_model_text(variant, &text);
        rl_suite_requires_text(variant, &needs);
        rl_suite_not_built_text(variant, &not_built);
        if (not_built.len)
            rl_buf_addf(&text, "; %s", not_built.data);
        else if (needs.len)
            rl_buf_addf(&text, "; needs %s", needs.data);
        cli_doc_item(doc, variant->name, label_width(experiment), text.data);
        rl_buf_release(&text);
        rl_buf_release(&needs);
        rl_buf_release(&not_built);
    }
}

/* The claim, its words where it was published, and how they are read. */
static void print_claim(struct cli_doc *doc, const struct rl_suite_experiment *experiment, const struct rl_suite_claim *claim)
{
    struct rl_buf text = RL_BUF_INIT;
    rl_buf_adds(&text, claim->text);
    if (claim->quote)
        rl_buf_addf(&text, " Quoted from \"%s\": \"%s\".", claim->heading, claim->quote);
    if (claim->reading)
        rl_buf_addf(&text, " %s", claim->reading);
    cli_doc_item(doc, "claim", label_width(experiment), text.data);
    rl_buf_release(&text);
}

static void print_experiment(struct cli_doc *doc, const struct rl_suite_experiment *experiment)
{
    struct rl_buf text = RL_BUF_INIT;
    rl_buf_addf(&text, "%s: %s", experiment->name, experiment->question);
    cli_doc_title(doc, text.data);
    print_variants(doc, experiment);
    rl_buf_reset(&text);
    rl_unit_format(&text, RL_UNIT_COUNT, (double)experiment->default_size, 4);
    rl_buf_addf(&text, " %s", experiment->size_unit);
    cli_doc_item(doc, "size", label_width(experiment), text.data);
    for (const struct rl_suite_claim *claim = experiment->claims; claim->id; claim++)
        print_claim(doc, experiment, claim);
    rl_buf_reset(&text);
    rl_suite_source_text(experiment, &text);
    cli_doc_item(doc, "source", label_width(experiment), text.data);
    rl_buf_release(&text);
}

static void write_variant(struct rl_json *json, const struct rl_suite_experiment *experiment,
                          const struct rl_suite_variant *variant)
{
    struct rl_buf model = RL_BUF_INIT, needs = RL_BUF_INIT, not_built = RL_BUF_INIT;
    rl_suite_model_text(variant, &model);
    rl_suite_requires_text(variant, &needs);
    rl_json_object(json, NULL);
    rl_json_string(json, "variant", variant->name);
    rl_json_string(json, "description", variant->description);
    rl_json_string(json, "work_model", model.data);
    rl_json_uint(json, "default_size", experiment->default_size);
    rl_json_string(json, "requires", needs.data);
    rl_suite_not_built_text(variant, &not_built);
    rl_json_string(json, "not_built", not_built.len ? not_built.data : NULL);
    rl_json_end(json);
    rl_buf_release(&not_built);
    rl_buf_release(&model);
    rl_buf_release(&needs);
}

static void write_experiment(struct rl_json *json, const struct rl_suite_experiment *experiment)
{
    struct rl_buf claims = RL_BUF_INIT, source = RL_BUF_INIT;
    for (const struct rl_suite_claim *claim = experiment->claims; claim->id; claim++)
        rl_buf_addf(&claims, "%s%s", claims.len ? " " : "", claim->text);
    rl_suite_source_text(experiment, &source);
    rl_json_object(json, NULL);
    rl_json_string(json, "experiment", experiment->name);
    rl_json_string(json, "topic", experiment->topic);
    rl_json_string(json, "question", experiment->question);
    rl_json_string(json, "claim", claims.data);
    rl_json_string(json, "source", source.data);
    rl_json_string(json, "size_unit", experiment->size_unit);
    rl_json_array(json, "variants");
    for (const struct rl_suite_variant *variant = experiment->variants; variant->name; variant++)
        write_variant(json, experiment, variant);
    rl_json_end(json);
    rl_json_array(json, "claims");
    for (const struct rl_suite_claim *claim = experiment->claims; claim->id; claim++) {
        struct rl_buf document = RL_BUF_INIT;
        rl_suite_document_text(claim->document, &document);
        rl_json_object(json, NULL);
        rl_json_string(json, "id", claim->id);
        rl_json_string(json, "text", claim->text);
        rl_json_string(json, "card", claim->card);
        rl_json_string(json, "document", document.data);
        rl_buf_release(&document);
        rl_json_string(json, "heading", claim->heading);
        rl_json_string(json, "quote", claim->quote);
        rl_json_string(json, "reading", claim->reading);
        rl_json_end(json);
    }
    rl_json_end(json);
    rl_json_end(json);
    rl_buf_release(&claims);
    rl_buf_release(&source);
}

void list_kernels(struct cli_doc *doc, struct rl_json *json)
{
    for (size_t i = 0; i < rl_suite_count; i++) {
        if (json) {
            write_experiment(json, &rl_suite[i]);
            continue;
        }
        if (i)
            cli_doc_gap(doc);
        print_experiment(doc, &rl_suite[i]);
    }
}
