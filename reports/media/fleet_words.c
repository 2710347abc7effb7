/* fleet_words.c - figures and names as the document about a fleet prints them (see fleet_doc.h). */
#include <math.h>

#include "fleet_doc.h"
#include "results/fleet.h"

const struct rl_fleet *rl_fleet_of(const struct rl_document *doc)
{
    const struct rl_fleet_subject *subject = doc->subject;
    return subject->fleet;
}

struct view rl_fleet_view(const struct rl_document *doc)
{
    struct view_fleet *subject = rl_arena_alloc(doc->arena, sizeof *subject);
    subject->fleet = rl_fleet_of(doc);
    return view_fleet_view(subject, doc->arena);
}

static const char *keep(struct rl_document *doc, struct rl_buf *text)
{
    const char *kept = rl_words(doc, "%s", text->data);
    rl_buf_release(text);
    return kept;
}

const char *rl_fleet_words_share(struct rl_document *doc, double deviation)
{
    const char *share = rl_words_value(doc, RL_UNIT_FRACTION, rl_value_of(fabs(rl_fleet_share(deviation))), 2);
    return rl_words(doc, "%s %s", share, deviation > 0 ? "slower" : "faster");
}

const char *rl_fleet_words_who(struct rl_document *doc, size_t record)
{
    struct rl_buf text = RL_BUF_INIT;
    rl_fleet_record_text(rl_fleet_of(doc)->records[record], &text);
    return keep(doc, &text);
}

const char *rl_fleet_words_answer(struct rl_document *doc)
{
    struct rl_buf text = RL_BUF_INIT;
    rl_fleet_summary_text(rl_fleet_of(doc), &text);
    return keep(doc, &text);
}

const char *rl_fleet_words_of(struct rl_document *doc)
{
    const struct rl_fleet *fleet = rl_fleet_of(doc);
    const char *gpus = rl_words_count(doc, fleet->compared, "GPU", "GPUs");
    const char *links = rl_words_count(doc, fleet->links, "link", "links");
    if (!fleet->compared)
        return links;
    return fleet->links ? rl_words(doc, "%s and %s", gpus, links) : gpus;
}
