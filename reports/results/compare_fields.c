/* compare_fields.c - what a comparison is made of, whether of changes or of GPUs. */

#include "compare_parts.h"

/* ---- the whole ---- */

static const char *title_of(const struct view *view)
{
    const struct view_compare *compare = view_compare_of(view);
    const struct rl_columns *columns = compare->options.columns;
    struct rl_buf text = RL_BUF_IN(view->arena);
    enum { MOST_NAMED = 3 };
    if (!columns)
        return compare->count == 1 ? "Other GPUs" : compare->options.brief ? "" : "Before and after";
    const char *kind = !columns->columns[0].alike                        ? ""
                       : columns->columns[0].kind == RL_COLUMN_PUBLISHED ? ": published figures"
                                                                         : ": imported profiles";
    if (columns->count > MOST_NAMED) {
        rl_buf_addf(&text, "GPUs%s", kind);
        return view_keep(view, &text);
    }
    for (size_t i = 0; i < columns->count; i++) {
        rl_buf_adds(&text, !i ? "" : i + 1 == columns->count ? " and " : ", ");
        view_card_name(&columns->columns[i], &text);
    }
    rl_buf_adds(&text, kind);
    return view_keep(view, &text);
}

VIEW_CELL(title_cell, void, title_of(view));
VIEW_CELL(rules_cell, struct view_compare, view_cell_record(row->count > 1 ? &row->parts[1].comparison->rules : NULL));

enum { OTHERS, ALL };

static struct view_cell parts_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_compare *compare = row;
    const size_t skipped = field->key == OTHERS;
    return view_cell_rows(VIEW_ROWS(compare->parts + skipped, compare->count - skipped));
}

enum { REMOVED, ADDED };

/* The rows of all parts, one after the other. */
static struct view_cell unmatched_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_compare *compare = row;
    const bool added = field->key == ADDED;
    size_t all = 0, count = 0;
    for (size_t i = 1; i < compare->count; i++)
        all += added ? compare->parts[i].comparison->added_count : compare->parts[i].comparison->removed_count;
    struct view_item *items = rl_arena_alloc(view->arena, (all + 1) * sizeof *items);
    for (size_t i = 1; i < compare->count; i++) {
        const struct rl_comparison *comparison = compare->parts[i].comparison;
        const struct rl_compare_side *side = added ? &comparison->new : &comparison->base;
        const size_t of_part = added ? comparison->added_count : comparison->removed_count;
        for (size_t j = 0; j < of_part; j++)
            items[count++] = (struct view_item){.capture = side->analysis->capture,
                                                .item = &side->items[(added ? comparison->added : comparison->removed)[j]],
                                                .other = i - 1};
    }
    assert(count == all);
    return view_cell_rows(VIEW_ROWS(items, count));
}

VIEW_CELL_IF(projections_cell, struct view_compare, row->options.projection_count,
             (struct view_rows){
                 .first = row->projections, .stride = sizeof *row->projections, .count = row->options.projection_count});
VIEW_CELL_IF(kernels_cell, struct view_compare, row->options.columns, VIEW_ROWS(row->kernels, row->kernel_count));

enum { REGRESSIONS, OF_UNEQUAL_WORK, TOLERANCE };

static struct view_cell gate_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_compare *compare = row;
    size_t unequal;
    const size_t found = view_compare_regressions(compare, &unequal);
    if (compare->options.tolerance < 0)
        return view_cell_absent("");
    if (field->key == TOLERANCE)
        return view_cell_number(rl_value_of(compare->options.tolerance));
    return view_cell_whole(field->key == REGRESSIONS ? found : unequal);
}

/* clang-format off */
const struct view_field view_compare_fields[VIEW_COMPARE_FIELDS] = {
    {.id = "base", VIEW_AT_POINTER(struct view_compare, parts, &view_record_part),
     .help = "the capture that the others are compared with"},
    {.id = "others", VIEW_GET_LIST(&view_record_part, parts_cell), .key = OTHERS, .help = "the other captures"},
    {.id = "rules", VIEW_GET_RECORD(&view_record_rules, rules_cell), .optional = true, .help = "what verdicts go by"},
    {.id = "pairs", VIEW_AT_ROWS(struct view_compare, pairs, pair_count, &view_record_pair),
     .help = "kernels of the baseline and what they are in the others"},
    {.id = "added", VIEW_GET_LIST(&view_record_unmatched, unmatched_cell), .key = ADDED,
     .help = "kernels that the baseline does not have"},
    {.id = "removed", VIEW_GET_LIST(&view_record_unmatched, unmatched_cell), .key = REMOVED,
     .help = "kernels that only the baseline has"},
    {.id = "projections", VIEW_GET_LIST(&view_record_projection, projections_cell), .optional = true,
     .help = "what other GPUs could do with the baseline's launches"},
    {.id = "cards", VIEW_GET_LIST(&view_record_lineup, view_lineup_cell), .optional = true,
     .help = "of GPUs: what each is and what it does to kernels, the baseline first, those projected last"},
    {.id = "other_cards", VIEW_GET_LIST(&view_record_lineup, view_lineup_cell), .key = 1,
     .for_people = true, .help = "the same without the baseline"},
    {.id = "facts", VIEW_GET_LIST(&view_record_lineup_fact, view_lineup_facts_cell),
     .for_people = true, .help = "what each GPU is, relative to the baseline"},
    {.id = "limiters", VIEW_GET_LIST(&view_record_lineup_group, view_lineup_groups_cell),
     .for_people = true, .help = "speedups by what limits the kernels on the baseline"},
    {.id = "kernels", VIEW_GET_LIST(&view_record_card_kernel, kernels_cell), .optional = true,
     .help = "of GPUs: the kernels of the baseline that another GPU has, too, and what they are on each"},
    {.id = "regressions", VIEW_GET(WHOLE, gate_cell), .key = REGRESSIONS, .optional = true,
     .help = "number of pairs that the gate takes for regressions"},
    {.id = "regressions_of_unequal_work", VIEW_GET(WHOLE, gate_cell), .key = OF_UNEQUAL_WORK,
     .optional = true, .help = "how many of them do not do the same work"},
    {.id = "tolerance", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_FRACTION, .digits = 3, .get = gate_cell, .key = TOLERANCE,
     .optional = true, .help = "how much slower counts as a regression"},
    {.id = "gate", VIEW_GET_RECORD(&view_record_gate, view_gates_cell), .optional = true,
     .help = "the gate's answer for the capture that does worst"},
    {.id = "breaches", VIEW_GET_LIST(&view_record_breach, view_all_breaches_cell), .for_people = true,
     .help = "what breaks the gate's conditions, over all captures"},
    {.id = "title", VIEW_GET(TEXT, title_cell), .for_people = true, .help = "what it is about"},
    {.id = "parts", VIEW_GET_LIST(&view_record_side, parts_cell), .key = ALL, .for_people = true, .help = "all captures"},
    {.id = "reviews", VIEW_GET_LIST(&view_record_review, parts_cell), .key = OTHERS, .for_people = true,
     .help = "the others as a review has room for them"},
    {.id = "matching", VIEW_GET_LIST(&view_record_matching, parts_cell), .key = OTHERS,
     .for_people = true, .help = "how their kernels were matched"},
    {.id = "questions", VIEW_GET_LIST(&view_record_question, view_questions_cell), .for_people = true,
     .help = "what is asked of GPUs"},
    {.id = "wasted", VIEW_GET_LIST(&view_record_on_card, view_wasted_cell), .for_people = true,
     .help = "kernels on which a GPU is wasted"},
    {.id = "lacking", VIEW_GET_LIST(&view_record_lack, view_lacking_cell), .for_people = true, .help = "metrics that a GPU lacks"},
    {.id = "notes", VIEW_GET_LIST(&view_record_note, view_notes_cell), .for_people = true,
     .help = "limits of the figures of any capture"},
};
/* clang-format on */
