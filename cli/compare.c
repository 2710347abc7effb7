#include "compare.h"

bool compare_is_of_cards(const struct compare *compare)
{
    for (size_t i = 1; i < compare->count; i++)
        if (compare->parts[i].against_base->relation == RL_OTHER_MODEL)
            return true;
    return false;
}

const char *compare_card(const struct compare_part *part)
{
    return part->capture->gpu_count ? rl_card_short(part->capture->gpus[0].name) : "unknown card";
}

size_t compare_regressions(const struct compare *compare, size_t *unequal)
{
    size_t found = 0;
    *unequal = 0;
    for (size_t i = 1; i < compare->count && compare->tolerance >= 0; i++) {
        const struct rl_comparison *comparison = compare->parts[i].against_base;
        for (size_t p = 0; p < comparison->pair_count; p++)
            if (rl_pair_is_regression(&comparison->pairs[p], compare->tolerance)) {
                found++;
                *unequal += comparison->pairs[p].work == RL_WORK_UNEQUAL;
            }
    }
    return found;
}

void compare_text(const struct compare *compare, struct cli_doc *doc)
{
    if (compare->count == 1) {
        cli_doc_title(doc, "Other cards");
        compare_print_part("base", &compare->parts[0], doc);
    } else if (compare->columns) {
        compare_cards_text(compare, doc);
    } else {
        compare_changes_text(compare, doc);
    }
    project_text(&compare->project, compare->verbose, doc);
}
