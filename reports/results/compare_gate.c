/* compare_gate.c - what the gate of a comparison says: of each capture, condition by condition, and of all together. */

#include "compare_parts.h"

struct breach {
    const char *condition, *kernel, *text, *file;
};

/* clang-format off */
static const struct view_field breach_fields[] = {
    {.id = "condition", VIEW_AT(struct breach, condition), .help = "the condition that does not hold"},
    {.id = "kernel", VIEW_AT(struct breach, kernel), .columns = VIEW_NAME_COLUMNS,
     .help = "the kernel, or the capture that it is about: baseline or candidate"},
    {.id = "text", VIEW_AT(struct breach, text), .help = "what is wrong"},
    {.id = "file", VIEW_AT(struct breach, file), .for_people = true, .help = "of several, the capture"},
};
/* clang-format on */
const struct view_record view_record_breach = {.id = "breach", .help = "one breach of a condition", VIEW_FIELDS(breach_fields)};

static struct breach breach_of(const struct view *view, const struct view_part *part, const struct rl_gate_breach *breach)
{
    return (struct breach){rl_gate_conditions[breach->condition].id, breach->label, breach->text,
                           view_compare_of(view)->count > 2 ? part->name : NULL};
}

/* ---- conditions ---- */

struct answer {
    const struct view_part *part;
    const struct rl_gate_answer *answer;
};

VIEW_CELL(answer_text, struct answer,
          field->key ? rl_gate_state_name(row->answer->state) : rl_gate_conditions[row->answer->condition].id);

enum { BOUND, FOUND };

static struct view_cell answer_number(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_gate_answer *answer = ((const struct answer *)row)->answer;
    if (field->key == BOUND && rl_gate_conditions[answer->condition].bound == RL_GATE_NO_BOUND)
        return view_cell_absent("it has none");
    return view_cell_number(rl_value_of(field->key == BOUND ? answer->bound : answer->found));
}

static struct view_cell answer_breaches(const struct view *view, const struct view_field *field, const void *row)
{
    const struct answer *of = row;
    struct breach *breaches = rl_arena_alloc(view->arena, (of->answer->count + 1) * sizeof *breaches);
    for (size_t i = 0; i < of->answer->count; i++)
        breaches[i] = breach_of(view, of->part, &of->answer->breaches[i]);
    return view_cell_rows(VIEW_ROWS(breaches, of->answer->count));
}

/* clang-format off */
static const struct view_field answer_fields[] = {
    {.id = "condition", VIEW_GET(TEXT, answer_text), .help = "name of the condition"},
    {.id = "state", VIEW_GET(TEXT, answer_text), .key = 1, .help = "holds, cannot decide or fails"},
    {.id = "words", VIEW_IN(struct answer, answer, words), .help = "what is wrong where it does not hold"},
    {.id = "bound", VIEW_GET(NUMBER, answer_number), .key = BOUND, .help = "its bound, as a fraction"},
    {.id = "found", VIEW_GET(NUMBER, answer_number), .key = FOUND,
     .help = "what is compared with the bound of a share; of other conditions the number of breaches"},
    {.id = "breaches", VIEW_GET_LIST(&view_record_breach, answer_breaches), .help = "each by name"},
};
/* clang-format on */
static const struct view_record answer_record = {
    .id = "answer", .help = "what the gate says of one condition", VIEW_FIELDS(answer_fields)};

/* ---- a capture's gate ---- */

VIEW_CELL(gate_state, struct view_part, rl_gate_state_name(row->gate->state));
VIEW_SAID(gate_text, struct view_part, "", rl_gate_text(row->gate, &text));

static struct view_cell gate_answers(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_part *part = row;
    struct answer *answers = rl_arena_alloc(view->arena, (part->gate->count + 1) * sizeof *answers);
    for (size_t i = 0; i < part->gate->count; i++)
        answers[i] = (struct answer){part, &part->gate->answers[i]};
    return view_cell_rows(VIEW_ROWS(answers, part->gate->count));
}

static const struct view_field gate_fields[] = {
    {.id = "state", VIEW_GET(TEXT, gate_state), .help = "holds, cannot decide or fails"},
    {.id = "text", VIEW_GET(TEXT, gate_text), .help = "the same with the conditions that say so"},
    {.id = "conditions", VIEW_GET_LIST(&answer_record, gate_answers), .help = "every condition that was asked"},
};
const struct view_record view_record_gate = {.id = "gate", .help = "whether a change may go in", VIEW_FIELDS(gate_fields)};

struct view_cell view_gate_cell(const struct view *view, const struct view_field *field, const void *row)
{
    return view_cell_record(((const struct view_part *)row)->gate ? row : NULL);
}

/* The breaches of broken conditions: those of shares within their bounds are in JSON only. */
static size_t list_breaches(const struct view *view, const struct view_part *part, struct breach *breaches)
{
    size_t count = 0;
    for (size_t i = 0; part->gate && i < part->gate->count; i++) {
        const struct rl_gate_answer *answer = &part->gate->answers[i];
        for (size_t j = 0; j < answer->count && answer->state != RL_GATE_HOLDS; j++, count++)
            if (breaches)
                breaches[count] = breach_of(view, part, &answer->breaches[j]);
    }
    return count;
}

struct view_cell view_breaches_cell(const struct view *view, const struct view_field *field, const void *row)
{
    struct breach *breaches = rl_arena_alloc(view->arena, (list_breaches(view, row, NULL) + 1) * sizeof *breaches);
    return view_cell_rows(VIEW_ROWS(breaches, list_breaches(view, row, breaches)));
}

/* ---- of all captures ---- */

bool view_is_gated(const struct view *view, const void *row)
{
    const struct view_compare *compare = row;
    return compare->count > 1 && compare->parts[1].gate != NULL;
}

struct view_cell view_all_breaches_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_compare *compare = row;
    size_t all = 0, count = 0;
    for (size_t i = 1; i < compare->count; i++)
        all += list_breaches(view, &compare->parts[i], NULL);
    struct breach *breaches = rl_arena_alloc(view->arena, (all + 1) * sizeof *breaches);
    for (size_t i = 1; i < compare->count; i++)
        count += list_breaches(view, &compare->parts[i], &breaches[count]);
    assert(count == all);
    return view_cell_rows(VIEW_ROWS(breaches, count));
}

struct view_cell view_gates_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_compare *compare = row;
    const struct view_part *worst = NULL;
    for (size_t i = 1; i < compare->count; i++)
        if (compare->parts[i].gate && (!worst || compare->parts[i].gate->state > worst->gate->state))
            worst = &compare->parts[i];
    return view_cell_record(worst);
}
