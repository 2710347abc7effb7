#include "compare.h"

#include "view_media.h"

bool compare_is_of_cards(const struct compare *compare)
{
    for (size_t i = 1; i < compare->count; i++)
        if (compare->parts[i].against_base->relation == RL_OTHER_MODEL)
            return true;
    return false;
}

struct view_compare *compare_subject(const struct compare *compare, const struct compare_print *print)
{
    const struct view_compare_options options = {.columns = compare->columns,
                                                 .tolerance = compare_tolerance(compare),
                                                 .projections = (const struct rl_projection *const *)compare->projections,
                                                 .projection_count = compare->projection_count,
                                                 .lineup = compare->lineup,
                                                 .brief = print->form == COMPARE_MARKDOWN,
                                                 .all = compare->verbose,
                                                 .folded = print->form == COMPARE_TEXT && !compare->whole,
                                                 .numbered = print->form == COMPARE_TEXT,
                                                 .chosen = print->choice != NULL};
    RL_FREED struct view_part *parts = rl_calloc(compare->count, sizeof *parts);
    for (size_t i = 0; i < compare->count; i++)
        parts[i] = (struct view_part){.path = compare->parts[i].path,
                                      .name = compare->parts[i].name,
                                      .capture = compare->parts[i].capture,
                                      .analysis = compare->parts[i].analysis,
                                      .comparison = compare->parts[i].against_base,
                                      .gate = compare->parts[i].gate,
                                      .bytes = compare->parts[i].bytes.data,
                                      .len = compare->parts[i].bytes.len};
    return view_compare_new(parts, compare->count, &options);
}

void compare_print(const struct compare *compare, const struct compare_print *print, struct rl_buf *out)
{
    struct view_compare *subject = compare_subject(compare, print);
    const struct view view = view_compare_view(subject);
    if (print->form == COMPARE_JSON)
        cli_view_document(&view, &(struct cli_view_document){0}, out);
    else if (print->form == COMPARE_CSV) {
        const struct view_choice *choice = print->choice;
        struct view_rows rows = {.first = subject->pairs, .stride = sizeof *subject->pairs, .count = subject->pair_count};
        rows = view_choice_rows(choice, &view, rows);
        cli_view_csv(&view, &view_record_pair, &rows, choice, NULL, out);
    } else {
        const bool markdown = print->form == COMPARE_MARKDOWN;
        struct cli_doc doc = {.out = out,
                              .style = markdown ? CLI_DOC_MARKDOWN : CLI_DOC_TERMINAL,
                              .width = markdown ? 0 : print->width,
                              .bold = print->bold};
        const struct cli_view_options options = {.choice = print->choice,
                                                 .chosen = &view_record_pair,
                                                 .document = true,
                                                 .more = markdown ? NULL : "--verbose lists all"};
        const size_t start = out->len;
        cli_view_text(&view, &options, &doc);
        if (!compare->whole && !markdown && !print->choice)
            cli_view_shorten(&doc, start);
    }
    view_compare_free(subject);
}
