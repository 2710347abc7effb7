/* compare_doubts.c - kernels without a verdict, by the reason. */
#include "compare_parts.h"
#include "core/intern.h"

struct doubt {
    const char *label; /* of the kernel, or how many there are */
    const char *text;
    struct rl_buf labels; /* of the first ones */
    size_t count;
};

static const struct view_field doubt_fields[] = {
    {.id = "label", VIEW_AT(struct doubt, label), .columns = VIEW_NAME_COLUMNS, .help = "the kernel, or how many there are"},
    {.id = "text", VIEW_AT(struct doubt, text), .help = "why there is no verdict"},
};
const struct view_record view_record_doubt = {
    .id = "doubt", .help = "kernels without a verdict for one reason", VIEW_FIELDS(doubt_fields)};

static void finish_doubt(const struct view *view, struct doubt *doubt, const char *text)
{
    doubt->text =
        doubt->count == 1 ? rl_arena_strdup(view->arena, text) : rl_arena_printf(view->arena, "%s (%s)", text, doubt->labels.data);
    if (doubt->count > 1)
        doubt->label = rl_arena_printf(view->arena, "%zu kernels", doubt->count);
    rl_buf_release(&doubt->labels);
}

struct view_cell view_doubts_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_part *part = row;
    const size_t pairs = part->comparison ? part->comparison->pair_count : 0;
    struct doubt *doubts = rl_arena_alloc(view->arena, (pairs + 1) * sizeof *doubts);
    struct rl_intern texts = {0};
    for (size_t i = 0; i < pairs; i++) {
        const struct rl_pair *pair = &part->comparison->pairs[part->order[i]];
        struct rl_buf text = RL_BUF_IN(view->arena);
        bool is_new;
        rl_pair_doubt_text(pair, &text);
        const char *said = view_keep(view, &text);
        if (said) {
            struct doubt *doubt = &doubts[rl_intern(&texts, 0, said, &is_new)];
            if (is_new)
                *doubt = (struct doubt){.labels = RL_BUF_INIT};
            const char *label = part->comparison->base.items[pair->base].label;
            enum { MOST_LABELS = 4 };
            doubt->label = label;
            if (doubt->count < MOST_LABELS)
                rl_buf_addf(&doubt->labels, "%s%s", doubt->count ? ", " : "", label);
            else if (doubt->count == MOST_LABELS)
                rl_buf_adds(&doubt->labels, ", ...");
            doubt->count++;
        }
    }
    const struct view_rows rows = {.first = doubts, .stride = sizeof *doubts, .count = texts.count};
    for (size_t i = 0; i < texts.count; i++)
        finish_doubt(view, &doubts[i], texts.entries[i].text);
    rl_intern_release(&texts);
    return view_cell_rows(rows);
}
