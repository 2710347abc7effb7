/* list_kernels.c - the experiments of the suite. */
#include "kernels/suite.h"
#include "list.h"

struct variant_row {
    const struct rl_suite_variant *variant;
    uint64_t default_size;
};

VIEW_SAID(model_cell, struct variant_row, "", rl_suite_model_text(row->variant, &text));
VIEW_SAID(requires_cell, struct variant_row, "", rl_suite_requires_text(row->variant, &text));
VIEW_SAID(not_built_cell, struct variant_row, "", rl_suite_not_built_text(row->variant, &text));
VIEW_SAID(document_cell, struct rl_suite_claim, "", rl_suite_document_text(row->document, &text));
VIEW_SAID(source_cell, struct rl_suite_experiment, "", rl_suite_source_text(row, &text));

/* Its requirements, where the build has it. */
VIEW_CELL_IF(needs_cell, struct variant_row, !not_built_cell(view, field, row).text, requires_cell(view, field, row));

static const struct view_field variant_fields[] = {
    {.id = "variant", VIEW_IN(struct variant_row, variant, name)},
    {.id = "description", VIEW_IN(struct variant_row, variant, description)},
    {.id = "work_model", VIEW_GET(TEXT, model_cell)},
    {.id = "default_size", VIEW_AT(struct variant_row, default_size)},
    {.id = "requires", VIEW_GET(TEXT, requires_cell)},
    {.id = "not_built", VIEW_GET(TEXT, not_built_cell)},
    {.id = "needs", .type = VIEW_TYPE_TEXT, .get = needs_cell, .for_people = true},
};
static const struct view_record variant_record = {.id = "variant", .title = "", VIEW_FIELDS(variant_fields)};

static const struct view_field claim_fields[] = {
    {.id = "id", VIEW_AT(struct rl_suite_claim, id)},           {.id = "text", VIEW_AT(struct rl_suite_claim, text)},
    {.id = "card", VIEW_AT(struct rl_suite_claim, card)},       {.id = "document", .type = VIEW_TYPE_TEXT, .get = document_cell},
    {.id = "heading", VIEW_AT(struct rl_suite_claim, heading)}, {.id = "quote", VIEW_AT(struct rl_suite_claim, quote)},
    {.id = "reading", VIEW_AT(struct rl_suite_claim, reading)},
};
static const struct view_record claim_record = {.id = "claim", .title = "", VIEW_FIELDS(claim_fields)};

static struct view_cell variant_rows(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_suite_experiment *experiment = row;
    size_t count = 0;
    while (experiment->variants[count].name)
        count++;
    struct variant_row *rows = rl_arena_alloc(view->arena, (count + 1) * sizeof *rows);
    for (size_t i = 0; i < count; i++)
        rows[i] = (struct variant_row){&experiment->variants[i], experiment->default_size};
    return view_cell_rows(VIEW_ROWS(rows, count));
}

static struct view_cell claim_rows(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_suite_claim *claims = ((const struct rl_suite_experiment *)row)->claims;
    size_t count = 0;
    while (claims[count].id)
        count++;
    return view_cell_rows(VIEW_ROWS(claims, count));
}

static const struct view_field experiment_fields[] = {
    {.id = "experiment", VIEW_AT(struct rl_suite_experiment, name)},
    {.id = "topic", VIEW_AT(struct rl_suite_experiment, topic)},
    {.id = "question", VIEW_AT(struct rl_suite_experiment, question)},
    {.id = "source", .type = VIEW_TYPE_TEXT, .get = source_cell},
    {.id = "default_size", VIEW_AT(struct rl_suite_experiment, default_size), .for_people = true},
    {.id = "size_unit", VIEW_AT(struct rl_suite_experiment, size_unit)},
    {.id = "variants", .type = VIEW_TYPE_LIST, .record = &variant_record, .get = variant_rows},
    {.id = "claims", .type = VIEW_TYPE_LIST, .record = &claim_record, .get = claim_rows},
};
/* clang-format off */
static const struct view_block experiment_blocks[] = {
    {.kind = VIEW_BLOCK_ITEMS, .field = "variants", .label_field = "variant",
     .text = "{description} Work: {work_model}[; {not_built}][; needs {needs}]"},
    {.kind = VIEW_BLOCK_FACT, .label = "size", .text = "{default_size} {size_unit}"},
    {.kind = VIEW_BLOCK_ITEMS, .field = "claims", .label = "claim",
     .text = "{text}[ Quoted from \"{heading}\": \"{quote}\".][ {reading}]"},
    {.kind = VIEW_BLOCK_FACT, .label = "source", .text = "{source}"},
};
/* clang-format on */
const struct view_record list_experiment = {
    .id = "experiment", .title = "{experiment}: {question}", VIEW_FIELDS(experiment_fields), VIEW_BLOCKS(experiment_blocks)};

struct view_cell list_experiment_rows(const struct view *view, const struct view_field *field, const void *row)
{
    return view_cell_rows(VIEW_ROWS(rl_suite, rl_suite_count));
}
