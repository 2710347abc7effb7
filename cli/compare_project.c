#include "compare_project.h"

#include <stdlib.h>
#include <string.h>

#include "core/buf.h"
#include "core/mem.h"
#include "core/suggest.h"

/* "V100-PCIE-16GB, V100-SXM2-16GB" for "V100": the cards of which it is the first part; how many. */
static size_t cards_of_family(const char *name, struct rl_buf *names)
{
    size_t count = 0;
    for (size_t i = 0; i < rl_card_count; i++)
        if (rl_suggest_is_of_family(rl_cards[i].id, name))
            rl_buf_addf(names, "%s%s", count++ ? ", " : "", rl_cards[i].id);
    return count;
}

static enum rl_status unknown_card(const char *name, struct rl_err *err)
{
    struct rl_buf family = RL_BUF_INIT;
    const size_t members = cards_of_family(name, &family);
    if (members)
        rl_err_set(err, RL_USAGE, "'%s' is %zu cards: take one of %s", name, members, family.data);
    rl_buf_release(&family);
    if (members)
        return RL_USAGE;
    const char **known = rl_calloc(rl_card_count, sizeof *known);
    for (size_t i = 0; i < rl_card_count; i++)
        known[i] = rl_cards[i].id;
    const char *nearest = rl_suggest_nearest(name, known, rl_card_count);
    rl_err_set(err, RL_USAGE, "there is no card '%s'%s%s%s; 'rooflight list cards' shows all", name,
               nearest ? ", did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
    free(known);
    return RL_USAGE;
}

static bool among(const struct rl_card_info *const *cards, size_t count, const struct rl_card_info *card)
{
    for (size_t i = 0; i < count; i++)
        if (cards[i] == card)
            return true;
    return false;
}

enum rl_status project_parse(const char *list, const struct rl_card_info *cards[PROJECT_MOST_CARDS], size_t *count,
                             struct rl_err *err)
{
    enum rl_status status = RL_OK;
    *count = 0;
    for (const char *at = list; status == RL_OK && at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        char *name = rl_strndup(at, strcspn(at, ","));
        const struct rl_card_info *card = rl_card_find(name);
        if (!card)
            status = unknown_card(name, err);
        else if (*count == PROJECT_MOST_CARDS)
            status = rl_err_set(err, RL_USAGE, "--project takes at most %d cards", PROJECT_MOST_CARDS);
        else if (!among(cards, *count, card))
            cards[(*count)++] = card;
        free(name);
    }
    return status;
}

void project_make(struct project *project, const struct rl_analysis *analysis, const struct rl_card_info *const *cards,
                  size_t count)
{
    for (size_t i = 0; i < count; i++)
        project->cards[project->count++] = rl_projection_new(analysis, cards[i]);
}

void project_release(struct project *project)
{
    for (size_t i = 0; i < project->count; i++)
        rl_projection_free(project->cards[i]);
    project->count = 0;
}
